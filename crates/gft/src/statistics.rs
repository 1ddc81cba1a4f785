//! What the hardware counts.

use crate::{ExceptionReason, Level};

/// Counters of the whole card. The first eight are those of the public GFT interface; a packet counts at a level when it is
/// looked up there, that is when the levels before missed. The third level counts nothing where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Packets looked up.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Found on the chip, whatever became of them.
    pub l1_cache_hits: u64,
    /// Found in DRAM.
    pub l2_cache_hits: u64,
    /// Found in the host's memory.
    pub l3_cache_hits: u64,
    /// Not found on the chip.
    pub l1_cache_misses: u64,
    /// Nor in DRAM.
    pub l2_cache_misses: u64,
    /// Nor in the host's memory.
    pub l3_cache_misses: u64,
    /// Packets that were forwarded by an entry.
    pub forwarded: u64,
    /// Of these: copied to software.
    pub copied: u64,
    /// Exceptions because no entry was at hand.
    pub miss: u64,
    /// Of these: the flow is installed, but was evicted.
    pub evicted: u64,
    /// Exceptions because the entry was of an older policy.
    pub stale: u64,
    /// Flows that had such an exception, each counted once until it is installed again.
    pub stale_flows: u64,
    /// Exceptions because the entry was not activated yet.
    pub deactivated: u64,
    /// Entries that another pushed out of the first level.
    pub l1_evictions: u64,
    /// Entries that another pushed out of the second level.
    pub l2_evictions: u64,
    /// Entries that did not get into the second level because of their hint.
    pub l2_refusals: u64,
}

impl Statistics {
    /// Packets that went to software as exceptions.
    pub const fn exceptions(&self) -> u64 {
        self.miss + self.stale + self.deactivated
    }

    /// The counters of the public GFT interface by their names there.
    pub const fn ndis(&self) -> [(&'static str, u64); 8] {
        [
            ("Packets", self.packets),
            ("Bytes", self.bytes),
            ("L1CacheHits", self.l1_cache_hits),
            ("L2CacheHits", self.l2_cache_hits),
            ("L3CacheHits", self.l3_cache_hits),
            ("L1CacheMisses", self.l1_cache_misses),
            ("L2CacheMisses", self.l2_cache_misses),
            ("L3CacheMisses", self.l3_cache_misses),
        ]
    }

    /// Counts a packet that was found at `level`, or nowhere.
    pub(crate) fn looked_up(&mut self, bytes: u32, level: Option<Level>, third: bool) {
        self.packets += 1;
        self.bytes += u64::from(bytes);
        match level {
            Some(Level::L1) => {
                self.l1_cache_hits += 1;
                return;
            }
            Some(Level::L2) => self.l2_cache_hits += 1,
            Some(Level::L3) => {
                self.l2_cache_misses += 1;
                self.l3_cache_hits += 1;
            }
            None => {
                self.l2_cache_misses += 1;
                self.l3_cache_misses += u64::from(third);
            }
        }
        self.l1_cache_misses += 1;
    }

    pub(crate) fn exception(&mut self, reason: ExceptionReason) {
        match reason {
            ExceptionReason::Miss => self.miss += 1,
            ExceptionReason::Stale => self.stale += 1,
            ExceptionReason::Deactivated => self.deactivated += 1,
        }
    }
}

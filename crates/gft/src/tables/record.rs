//! What is kept of one flow: 112 bytes.

use super::packed::PackedKey;
use crate::entry::{CacheHint, CopyFlags, Counter, Flow, Packet};
use crate::{Protocol, TcpFlags};
use kernel::Time;

// The copy flags have their own bits, 16 to 22; these are below.
/// The slot is taken.
pub(super) const LIVE: u32 = 1 << 0;
/// Matches, from `ready` on.
pub(super) const ACTIVE: u32 = 1 << 1;
/// Not in the table before `ready`; else in it, deactivated.
pub(super) const FRESH: u32 = 1 << 2;
/// Already counted among the stale flows.
pub(super) const STALE_COUNTED: u32 = 1 << 3;
pub(super) const FIN_SEEN: u32 = 1 << 4;
pub(super) const RST_SEEN: u32 = 1 << 5;
/// The transposition has a source port.
pub(super) const SRC_PORT: u32 = 1 << 6;
/// The transposition has a destination port.
pub(super) const DST_PORT: u32 = 1 << 7;
/// 0 low, 1 medium, 2 high.
const HINT: u32 = 3 << 8;
const HINT_AT: u32 = 8;
/// In the second level.
pub(super) const IN_L2: u32 = 1 << 10;

/// The bits of a flow that has just been put in.
pub(super) fn bits_of(flow: &Flow) -> u32 {
    let hint = match flow.hint {
        CacheHint::Low => 0,
        CacheHint::Medium => 1,
        CacheHint::High => 2,
    };
    let port = |port: Option<u16>, bit| if port.is_some() { bit } else { 0 };
    LIVE | flow.copy.bits()
        | hint << HINT_AT
        | port(flow.transposition.src_port, SRC_PORT)
        | port(flow.transposition.dst_port, DST_PORT)
}

/// What a lookup compares: one line of the processor's cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Head {
    pub words: [u64; 5],
    pub rest: u32,
    /// The Toeplitz hash.
    pub hash: u32,
    pub bits: u32,
    pub generation: u32,
    /// Before this it is not in the table, or not activated yet.
    pub ready: Time,
}

impl Head {
    /// A flow that is not in the table before `ready`, whose bits come with the rest of it.
    pub fn new(key: &PackedKey, hash: u32) -> Head {
        Head {
            words: key.words,
            rest: key.rest,
            hash,
            bits: 0,
            generation: 0,
            ready: Time::ZERO,
        }
    }

    #[inline]
    pub fn key(&self) -> PackedKey {
        PackedKey {
            words: self.words,
            rest: self.rest,
        }
    }

    #[inline]
    pub fn has(&self, bit: u32) -> bool {
        self.bits & bit != 0
    }

    /// Whether it has the key. All words are compared at once: they nearly always agree when the hash does.
    #[inline]
    pub fn is(&self, key: &PackedKey) -> bool {
        let differing = self
            .words
            .iter()
            .zip(key.words)
            .fold(u64::from(self.rest ^ key.rest), |all, (ours, theirs)| {
                all | (ours ^ theirs)
            });
        differing == 0
    }

    /// The hint as a rank, 0 to 2.
    pub fn rank(&self) -> u8 {
        ((self.bits & HINT) >> HINT_AT) as u8
    }

    pub fn hint(&self) -> CacheHint {
        match self.rank() {
            0 => CacheHint::Low,
            1 => CacheHint::Medium,
            _ => CacheHint::High,
        }
    }

    /// Whether it is in the table at `now`, activated or not.
    #[inline]
    pub fn is_there(&self, now: Time) -> bool {
        now >= self.ready || self.bits & (ACTIVE | FRESH) != FRESH
    }

    /// Whether it matches at `now`.
    #[inline]
    pub fn is_in_use(&self, now: Time) -> bool {
        self.has(ACTIVE) && now >= self.ready
    }
}

/// What a lookup counts, and what else belongs to a flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail {
    pub counter: Counter,
    pub handle: u32,
    /// The transposition but for its ports.
    pub action: u32,
    /// Its ports: source in the upper half, destination in the lower.
    pub ports: u32,
    pub serial: u32,
}

/// Counts a packet that the entry forwards. True if software gets a copy.
#[inline]
pub(super) fn count(head: &mut Head, tail: &mut Tail, now: Time, packet: &Packet) -> bool {
    let counter = &mut tail.counter;
    let flags = CopyFlags::from_bits(head.bits);
    let mut copy = flags.has(CopyFlags::ALL) || (flags.has(CopyFlags::FIRST) && counter.packets == 0);
    if packet.key.tuple.protocol == Protocol::TCP {
        let control = TcpFlags::SYN.0 | TcpFlags::FIN.0 | TcpFlags::RST.0;
        copy |= flags.has(CopyFlags::WHEN_TCP_FLAG_SET) && packet.flags.0 & control != 0;
        copy |= flags.has(CopyFlags::AFTER_TCP_FIN) && head.has(FIN_SEEN);
        copy |= flags.has(CopyFlags::AFTER_TCP_RST) && head.has(RST_SEEN);
        if packet.flags.has(TcpFlags::FIN) {
            head.bits |= FIN_SEEN;
        }
        if packet.flags.has(TcpFlags::RST) {
            head.bits |= RST_SEEN;
        }
        counter.tcp_seq = packet.seq;
        counter.tcp_ack = packet.ack;
    }
    counter.packets += 1;
    counter.bytes += u64::from(packet.bytes);
    counter.last_update = now;
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A million flows are kept: neither part may grow unnoticed.
    #[test]
    fn a_flow_takes_112_bytes() {
        assert_eq!((size_of::<Head>(), size_of::<Tail>()), (64, 48));
    }
}

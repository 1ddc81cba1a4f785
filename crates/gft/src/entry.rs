//! What software puts into the table, and what it gets back.

use crate::{FlowKey, TcpFlags, Transposition};
use kernel::Time;

/// Which packets of a flow are also sent to software, besides being forwarded. The bits are those of the public GFT interface
/// of Windows (`NDIS_GFT_EMFE_COPY_…`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CopyFlags(u32);

impl CopyFlags {
    /// None.
    pub const NONE: CopyFlags = CopyFlags(0);
    /// All.
    pub const ALL: CopyFlags = CopyFlags(0x1_0000);
    /// The first that the entry matches.
    pub const FIRST: CopyFlags = CopyFlags(0x2_0000);
    /// Those with SYN, FIN or RST.
    pub const WHEN_TCP_FLAG_SET: CopyFlags = CopyFlags(0x4_0000);
    /// All that come after one with FIN.
    pub const AFTER_TCP_FIN: CopyFlags = CopyFlags(0x20_0000);
    /// All that come after one with RST.
    pub const AFTER_TCP_RST: CopyFlags = CopyFlags(0x40_0000);

    const KNOWN: u32 = 0x67_0000;

    /// Both together.
    pub const fn with(self, other: CopyFlags) -> CopyFlags {
        CopyFlags(self.0 | other.0)
    }

    /// Whether all of `other` are set.
    pub const fn has(self, other: CopyFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of the public interface.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// From the bits of the public interface; those that are no copy flag are left out.
    pub const fn from_bits(bits: u32) -> CopyFlags {
        CopyFlags(bits & CopyFlags::KNOWN)
    }
}

/// How much software wants a flow to stay in the caches; the numbers are those of the public GFT interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CacheHint {
    /// The first to go.
    Low = 100,
    /// As others.
    #[default]
    Medium = 200,
    /// The last to go.
    High = 300,
}

/// Whether an entry matches; the numbers are those of the public GFT interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// In the table; its packets are exceptions.
    #[default]
    Deactivated = 1,
    /// In use.
    Activated = 2,
}

/// One flow to install.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// What is matched.
    pub key: FlowKey,
    /// What is done to the headers.
    pub transposition: Transposition,
    /// Generation of the port's policy from which it was compiled.
    pub generation: u32,
    /// Which packets go to software too.
    pub copy: CopyFlags,
    /// How much it should stay in the caches.
    pub hint: CacheHint,
    /// Software's own name for the flow.
    pub handle: u32,
}

/// Names an entry. A name is never used again, though its slot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId {
    /// Its slot in the table, below [`Config::MOST_FLOWS`](crate::Config::MOST_FLOWS).
    pub slot: u32,
    /// How often the slot was used before.
    pub serial: u32,
}

/// What an entry has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Packets matched.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// When the last of them was matched.
    pub last_update: Time,
    /// Its TCP sequence number.
    pub tcp_seq: u32,
    /// Its TCP acknowledgment number.
    pub tcp_ack: u32,
}

/// An entry as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub id: EntryId,
    /// What software put in.
    pub flow: Flow,
    /// Whether it matches at the time asked about.
    pub state: State,
    /// Whether its generation is no longer its port's.
    pub stale: bool,
    /// The first level that has it. `None`: it has been evicted and there is no third level.
    pub level: Option<Level>,
    /// What it has counted.
    pub counter: Counter,
}

/// A level of the flow cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// On the chip.
    L1,
    /// In the DRAM on the card.
    L2,
    /// In the host's memory.
    L3,
}

/// What the match stage reads of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    /// What it matches.
    pub key: FlowKey,
    /// Bytes of its frame.
    pub bytes: u32,
    /// TCP flags; zero for other protocols.
    pub flags: TcpFlags,
    /// TCP sequence number.
    pub seq: u32,
    /// TCP acknowledgment number.
    pub ack: u32,
}

/// Why a packet goes to the hypervisor's vPort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExceptionReason {
    /// No entry is at hand: there is none, or it was evicted.
    Miss,
    /// The entry was compiled from an older policy.
    Stale,
    /// The entry is not activated yet.
    Deactivated,
}

/// What the match stage finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// An entry that is in use.
    Hit {
        /// Where it was found.
        level: Level,
        /// Which it is.
        entry: EntryId,
        /// Whether software gets a copy.
        copy_to_software: bool,
    },
    /// Software has to decide.
    Exception(ExceptionReason),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `NDIS_GFT_EMFE_…` and the other names in the public metadata of the Windows interfaces.
    #[test]
    fn numbers_are_those_of_the_public_interface() {
        assert_eq!(CopyFlags::ALL.bits(), 65_536);
        assert_eq!(CopyFlags::FIRST.bits(), 131_072);
        assert_eq!(CopyFlags::WHEN_TCP_FLAG_SET.bits(), 262_144);
        assert_eq!(CopyFlags::AFTER_TCP_FIN.bits(), 2_097_152);
        assert_eq!(CopyFlags::AFTER_TCP_RST.bits(), 4_194_304);
        // ADD_IN_ACTIVATED_STATE (1) is no copy flag.
        assert_eq!(CopyFlags::from_bits(0x4_0001), CopyFlags::WHEN_TCP_FLAG_SET);
        assert_eq!((State::Deactivated as u32, State::Activated as u32), (1, 2));
        assert_eq!(CacheHint::High as u32, 300);
    }
}

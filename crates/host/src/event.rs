//! What is to happen.

use crate::netvsc::Step;
use gft::EntryId;

/// Something with a time. Events of one picosecond come in the order of [`kernel::TieRule`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A guest's packet reaches the SmartNIC.
    ToNic(u32),
    /// A packet reaches the queue of a vSwitch core, from a guest or the SmartNIC.
    ToCore(u32),
    /// A core is done with its job.
    CoreDone(u32),
    /// A packet reaches the link to the rack switch.
    ToLink(u32),
    /// A packet from a peer reaches the last link towards the host.
    FromNetwork(u32),
    /// It has crossed that link.
    FromLink(u32),
    /// It reaches the guest.
    ToGuest(u32),
    /// It reaches the peer.
    ToPeer(u32),
    /// A connection's timer at one of its ends.
    Timer { conn: u32, serial: u32, end: End },
    /// A connection's application goes on.
    Application { conn: u32, serial: u32 },
    /// A VM's vNIC, or its peers, have room again.
    Room { vm: u32, end: End },
    /// Traffic begins, or has its next packet or connection.
    Traffic(u32),
    /// A flow of a replay has its next packet.
    Replay { traffic: u32, flow: u32 },
    /// RDMA's timer.
    Rdma { traffic: u32, serial: u32 },
    /// The second phase of an installation.
    Activate(EntryId),
    /// The next point of the time series.
    Sample,
    /// Old flows are looked for.
    Expiry,
    /// The NIC's counters are due.
    Counters,
}

/// Something that is done to the host. Of one time these come before all events, in the order of their numbers: so one that is added
/// by hand leaves the order of everything else as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// An event of the scenario.
    Scenario(u32),
    /// A step of taking a VF away or giving it back.
    Vf { vm: u32, step: Step },
    /// The wire is dead.
    WireDown,
    /// The wire works again.
    WireBack,
    /// The NIC's tables are emptied.
    ClearTables,
    /// A VM stands still.
    Pause(u32),
    /// A VM that stood still goes on.
    Resume { vm: u32, carry_state: bool },
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Guest,
    Peer,
}

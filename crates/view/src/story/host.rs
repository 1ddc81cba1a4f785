//! What texts about hosts say.

/// A figure of a host's run at the time of a step. Routes are 0 for hardware, 1 for exceptions, 2 for the synthetic path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostFigure {
    /// Packets that somebody handed over.
    Sent,
    /// Exceptions so far, whatever their reason.
    Exceptions,
    /// Exceptions so far because an entry was of an older policy.
    StaleExceptions,
    /// Copies of packets to VFP so far.
    Copies,
    /// Entries that were put into the SmartNIC so far.
    Installed,
    /// Entries that VFP has put into the SmartNIC and not taken out.
    Entries,
    /// Those of them that the card's DRAM holds.
    InDram,
    /// Entries that others have pushed out of the card's DRAM.
    Evicted,
    /// Packets that arrived by a route.
    Arrived(usize),
    /// Packets that were lost so far; for a reason, where one is named.
    Lost(&'static str),
    /// The share of all packets that were lost so far, in whole percent.
    LostShare,
    /// SYNs that the SmartNIC answered itself, by a cookie.
    Challenged,
    /// Pairs of flows that VFP has reconciled so far.
    Reconciled,
    /// Unified flows that are of an older policy.
    Stale,
    /// Unified flows in VFP's tables.
    Flows,
    /// Half-open flows, each way one.
    HalfOpen,
    /// Generation of the policy of VM 0.
    Generation,
    /// TCP connections: begun, open, closed in order, failed.
    Connections(usize),
    /// Segments that were sent again.
    SentAgain,
    /// Layers that the selected packet has crossed on its walk.
    Layers,
    /// What that walk takes of a core's time.
    WalkTime,
    /// Packets that wait for core 0, which serves exceptions.
    Waiting,
    /// Mean one-way time of the packets of the first traffic by a route.
    Mean(usize),
    /// When the first mark of the host that contains these words was.
    Mark(&'static str),
}

//! The endpoint's settings as plain numbers.

use crate::nscc;

/// How the requester chooses among its EVs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balancer {
    /// Rotation over GOOD EVs; ECN and trims cost a turn, losses take an EV out until probes succeed.
    Mrc,
    /// Rotation over all EVs, whatever happens to them.
    Oblivious,
}

/// Settings shared by all QPs of a run. Sizes are bytes on the wire, times are picoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Message bytes of a full data packet (PMTU).
    pub pmtu: u16,
    /// On the wire a payload is filled up to a multiple of this: 4 (IBTA's pad), or the PMTU where every packet is full
    /// (htsim).
    pub pad: u16,
    /// The PMTU filled up so.
    pub padded_pmtu: u16,
    /// Wire bytes of a data packet beyond its padded payload.
    pub header: u16,
    /// Wire bytes of a SACK.
    pub sack_size: u16,
    /// Wire bytes of a NACK.
    pub nack_size: u16,
    /// Wire bytes of an EV probe.
    pub probe_size: u16,
    /// Wire bytes of the answer to one.
    pub probe_reply_size: u16,
    /// A SACK is sent at the latest after this many received bytes.
    pub sack_every: u32,
    /// Largest distance between the lowest unacknowledged PSN and the next one to send (MPR), a power of two.
    pub mpr: u32,
    /// Retransmission timeout.
    pub rto: u64,
    /// Timeouts in a row at the fixed interval before it doubles with each further one (facts 1.7: at most 7).
    pub linear_timeouts: u32,
    /// A packet is lost when one sent this much later has been acknowledged; 0 turns the rule off.
    pub reorder_window: u64,
    /// Time between two probes of an EV that is ASSUMED_BAD.
    pub probe_interval: u64,
    /// Answered probes in a row that make it GOOD again.
    pub probes_to_revive: u8,
    /// EV choice.
    pub balancer: Balancer,
    /// Congestion control.
    pub nscc: nscc::Config,
}

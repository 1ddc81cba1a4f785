//! The endpoint's settings as plain numbers.

use crate::{nscc, rccc};

/// How the requester chooses among its EVs. Planes are taken in turn under each of them; see [`crate::evs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balancer {
    /// Rotation over GOOD EVs; ECN and trims cost a turn, losses take an EV out until probes succeed.
    Mrc,
    /// Rotation over all EVs, whatever happens to them.
    Oblivious,
    /// REPS: EVs whose packets came through unmarked are used again, others drawn at random.
    Reps,
    /// Rotation over EVs without a penalty (uet-htsim's `bitmap`): ECN costs one turn, a trim four, a loss fifteen.
    Bitmap,
    /// EVs whose packets came through unmarked are used again; where there is none, as [`Balancer::Bitmap`] (uet-htsim's
    /// `mixed`, its default).
    Mixed,
}

/// As many exponential retries mean that there is no end to them (companion API; facts 1.7).
pub const RETRY_FOR_EVER: u32 = 25;

/// Longest timeout of the companion API: 1.024 µs × 2^24 (facts 1.7), in ps.
pub const LONGEST_TIMEOUT: u64 = 1_024_000 << 24;

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
    /// Wire bytes of an ACK.
    pub ack_size: u16,
    /// Wire bytes of a reliability probe.
    pub ack_probe_size: u16,
    /// Wire bytes of an endpoint request: EV probe or port status update.
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
    pub linear_retries: u32,
    /// Timeouts in a row after those, at growing intervals, before the QP fails; [`RETRY_FOR_EVER`]: it never does.
    pub exponential_retries: u32,
    /// A packet is lost when one sent this much later has been acknowledged; 0 turns the rule off.
    pub reorder_window: u64,
    /// A requester that has heard nothing for this long, and waits, sends a reliability probe; 0: it never does.
    pub ack_probe_after: u64,
    /// Time between two probes of an EV that is ASSUMED_BAD, at first.
    pub probe_interval: u64,
    /// Answered probes in a row that make it GOOD again.
    pub probes_to_revive: u8,
    /// EVs in use below which losses take no more out of use.
    pub ev_floor: u16,
    /// A message completes with its ACK; otherwise with the SACK of its last packet.
    pub message_acks: bool,
    /// WRITEs with immediate that may be under way on a QP.
    pub max_immediate: u32,
    /// SACKs and NACKs go by EVs of their own, one for each plane, that probes keep fresh; otherwise by the way that the data
    /// came.
    pub reverse_evs: bool,
    /// EV choice.
    pub balancer: Balancer,
    /// Congestion control.
    pub nscc: nscc::Config,
    /// Receiver credit beside it; none with MRC.
    pub rccc: Option<rccc::Config>,
}

impl Config {
    /// Wire bytes of a data packet with so many message bytes.
    #[inline]
    pub fn data_size(&self, payload: u16) -> u16 {
        // Nearly all packets are full: no division for those.
        let padded = if payload == self.pmtu {
            self.padded_pmtu
        } else {
            payload.next_multiple_of(self.pad)
        };
        padded + self.header
    }

    /// How long to wait after `tries` timeouts in a row: linear at first, then doubling.
    pub fn timeout(&self, tries: u32) -> u64 {
        let doublings = tries.saturating_sub(self.linear_retries).min(24);
        self.rto.saturating_mul(1 << doublings).min(LONGEST_TIMEOUT)
    }

    /// The timeout in a row, counted from 1, with which a QP fails; none where it never does.
    pub fn most_timeouts(&self) -> Option<u32> {
        (self.exponential_retries < RETRY_FOR_EVER)
            .then(|| self.linear_retries + self.exponential_retries + 1)
    }

    /// True after more timeouts in a row than are allowed.
    pub fn gives_up(&self, tries: u32) -> bool {
        self.most_timeouts().is_some_and(|most| tries >= most)
    }
}

#[cfg(test)]
mod tests {
    use crate::requester::tests::config;

    #[test]
    fn timeouts_are_linear_then_double_then_end() {
        // Facts 1.7: 1.024 µs × 2^8 = 262.144 µs; 7 linear retries; doubling after that; 2^24 is the longest.
        let config = config();
        assert_eq!((config.timeout(0), config.timeout(7)), (262_144_000, 262_144_000));
        assert_eq!(
            (config.timeout(8), config.timeout(10)),
            (524_288_000, 8 * 262_144_000)
        );
        assert_eq!(config.timeout(100), 1_024_000 << 24);
        assert!(!config.gives_up(15) && config.gives_up(16), "7 + 8 retries");
        let for_ever = crate::Config {
            exponential_retries: 25,
            ..config
        };
        assert!(!for_ever.gives_up(u32::MAX));
    }
}

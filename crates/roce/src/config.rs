//! The endpoint's settings as plain numbers.

use crate::dcqcn;
use crate::sizes::Sizes;

/// Unit of the Local ACK Timeout in ps: 4.096 µs × 2^t (IBTA, Local ACK Timeout).
pub const TIMEOUT_UNIT: u64 = 4_096_000;

/// Packets that may be unacknowledged at most: half the space of a 24-bit PSN (IBTA, chapter 9), less one so that old and
/// new can be told apart.
pub const MAX_OUTSTANDING: u32 = (1 << 23) - 1;

/// How a QP gets lost packets again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// The responder takes packets in PSN order only; everything from a lost packet on is sent again (IBTA).
    GoBackN,
    /// The responder places what arrives out of order and names it; only what is missing is sent again (IRN, §3.1).
    SelectiveRepeat {
        /// A packet is lost once one this many PSNs higher is known to have arrived, at least 1. IRN: 1. Higher where the
        /// fabric reorders: our choice.
        reorder: u32,
        /// PSNs that the responder keeps track of from the expected one on, at least 1; the requester sends none beyond.
        window: u32,
    },
}

/// Settings shared by all QPs of a run. Sizes are bytes on the wire, times are picoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Message bytes of a full data packet (PMTU).
    pub pmtu: u16,
    /// Sizes of packets.
    pub sizes: Sizes,
    /// Recovery of lost packets.
    pub recovery: Recovery,
    /// Bytes that may be unacknowledged; none: as many as PSNs allow. One packet may be under way in any case.
    pub window: Option<u64>,
    /// The requester asks for an ACK with every so manieth packet, at least 1, and with the last one of each message.
    pub ack_every: u32,
    /// Time without progress after which what is unacknowledged is sent again; 0: never (IBTA: 4.096 µs × 2^t).
    pub timeout: u64,
    /// The timeout doubles with each one in a row up to this. Not above `timeout`: it stays the same, as in IBTA. Above: as in
    /// the adaptive retransmission of newer NICs.
    pub longest_timeout: u64,
    /// Retries in a row, by timeout or NAK, before the QP goes to ERROR: 0 to 7 (IBTA: Retry Count).
    pub retry_count: u32,
    /// Congestion control.
    pub dcqcn: dcqcn::Config,
}

impl Config {
    /// The Local ACK Timeout in ps whose code is `t` (IBTA: 0 to 31; 0 is none).
    pub const fn local_ack_timeout(t: u32) -> u64 {
        if t == 0 {
            0
        } else {
            TIMEOUT_UNIT << if t > 31 { 31 } else { t }
        }
    }

    /// How long to wait for progress after `tries` retries in a row, if not for ever.
    pub fn timeout_after(&self, tries: u32) -> Option<u64> {
        let doubled = self.timeout.saturating_mul(1 << tries.min(24));
        let longest = self.longest_timeout.max(self.timeout);
        (self.timeout > 0).then(|| doubled.min(longest))
    }

    /// True after more retries in a row than are allowed.
    pub fn gives_up(&self, tries: u32) -> bool {
        tries > self.retry_count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requester::tests::config;

    #[test]
    fn timeouts_by_ibta_and_growing() {
        // 4.096 µs × 2^14 = 67.108864 ms.
        assert_eq!(Config::local_ack_timeout(14), 67_108_864_000);
        assert_eq!(Config::local_ack_timeout(0), 0);
        assert_eq!(Config::local_ack_timeout(99), TIMEOUT_UNIT << 31);
        let mut config = config();
        config.timeout = 100;
        config.longest_timeout = 0;
        assert_eq!(
            (config.timeout_after(0), config.timeout_after(7)),
            (Some(100), Some(100))
        );
        config.longest_timeout = 350;
        let grown: Vec<Option<u64>> = (0..4).map(|tries| config.timeout_after(tries)).collect();
        assert_eq!(grown, [100, 200, 350, 350].map(Some));
        assert_eq!(config.timeout_after(u32::MAX), Some(350));
        config.timeout = 0;
        assert_eq!(config.timeout_after(0), None);
        assert!(!config.gives_up(7) && config.gives_up(8));
    }
}

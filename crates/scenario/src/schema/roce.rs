//! The RoCEv2 endpoints' settings.

use super::Dcqcn;
use crate::defaults;
use crate::quantity::{Bytes, Time};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Settings of RoCEv2 reliable connections (InfiniBand architecture specification, volume 1, annex A17). They are for `protocol` `roce` alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Roce {
    /// What is sent again after a gap.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub recovery: Recovery,
    /// With selective repeat: a packet is lost once one so many PSNs higher has arrived, 1 to 1024. Documented elsewhere: 1
    /// (Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018). More where the fabric reorders.
    #[serde(skip_serializing_if = "defaults::is_reorder")]
    pub reorder: u32,
    /// With selective repeat: packets that the receiver keeps track of, and beyond which the sender sends none, 1 to 65536. Our
    /// choice: 4096, as MRC's `mpr`.
    #[serde(skip_serializing_if = "defaults::is_tracked")]
    pub tracked: u32,
    /// Bytes that a QP may have in flight, 256 B to 1 TiB. Left out: as many as its rate lets it send, as RoCE has no
    /// window of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Bytes>,
    /// Packets after which the receiver acknowledges, 1 to 1024; it does so after the last one of each message too. IBTA
    /// leaves the receiver free to acknowledge several at once; 1 is our choice.
    #[serde(skip_serializing_if = "defaults::is_ack_every")]
    pub ack_every: u32,
    /// t of the timeout 4.096 µs × 2^t, 0 to 31, where 0 means never (IBTA, Local ACK Timeout). Documented
    /// elsewhere: 14, which makes 67 ms, in the examples of rdma-core and perftest.
    #[serde(skip_serializing_if = "defaults::is_timeout")]
    pub timeout: u32,
    /// t up to which the timeout doubles with each one in a row, as newer NICs do (adaptive retransmission), `timeout` to
    /// 31. Left out: it stays the same (IBTA).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_timeout: Option<u32>,
    /// Retries without progress, 0 to 7, after which the QP is in ERROR (IBTA). Documented elsewhere: 7, as NCCL and
    /// perftest set it.
    #[serde(skip_serializing_if = "defaults::is_retry_count")]
    pub retry_count: u32,
    /// Congestion control.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub dcqcn: Dcqcn,
}

impl Roce {
    /// The timeout, none where there is none.
    pub fn timeout_time(&self) -> Option<Time> {
        ack_timeout(self.timeout)
    }

    /// What it grows to.
    pub fn longest_timeout_time(&self) -> Option<Time> {
        ack_timeout(self.timeout).max(self.longest_timeout.and_then(ack_timeout))
    }
}

/// 4.096 µs × 2^t, or none for 0 (IBTA).
fn ack_timeout(t: u32) -> Option<Time> {
    let times = 1u64.checked_shl(t).unwrap_or(u64::MAX);
    (t > 0).then(|| Time(Time::ns(4_096).0.saturating_mul(times)))
}

/// What is sent again after a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// Everything from the first missing packet on: the receiver takes packets in order only (IBTA).
    #[default]
    GoBackN,
    /// What is missing: the receiver keeps what comes out of order, as newer NICs do.
    SelectiveRepeat,
}

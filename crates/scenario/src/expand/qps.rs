//! A flow spread over several QPs.

use super::Flow;
use crate::limits;

/// How many QPs a flow has whose messages have so many bytes: at most one for each byte. `qps`: as many as are asked for,
/// be that valid or not.
pub(super) fn of(bytes: u64, qps: u32) -> u32 {
    let asked = qps.clamp(*limits::QPS.start(), *limits::QPS.end());
    u64::from(asked).min(bytes.max(1)) as u32
}

/// The QPs of a flow, each with its share of every message: as even as bytes are, the first ones with one more.
pub(super) fn split(flow: Flow, qps: u32) -> impl Iterator<Item = Flow> {
    let n = of(flow.bytes, qps);
    let (share, rest) = (flow.bytes / u64::from(n), flow.bytes % u64::from(n));
    (0..n).map(move |qp| Flow {
        qp,
        bytes: share + u64::from(u64::from(qp) < rest),
        ..flow
    })
}

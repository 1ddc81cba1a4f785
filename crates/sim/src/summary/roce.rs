//! What RoCE's endpoints did.

use crate::endpoint::{Requester, Responder};
use crate::observer::Observer;
use crate::run::Sim;
use serde::Serialize;

/// Totals of RoCE's endpoints; data packets and retransmissions are counted with those of all protocols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RoceSummary {
    /// Timeouts.
    pub timeouts: u64,
    /// NAKs sent.
    pub naks: u64,
    /// ACKs sent.
    pub acks: u64,
    /// Congestion notifications sent.
    pub cnps: u64,
    /// Data packets that arrived before an earlier one: thrown away with go-back-N, placed with selective repeat.
    pub out_of_order: u64,
    /// Data packets that were no use to their receivers: beyond what it keeps track of.
    pub refused: u64,
}

impl<O: Observer> Sim<O> {
    /// Totals of RoCE's endpoints so far; none where the protocol is another one.
    pub fn roce_summary(&self) -> Option<RoceSummary> {
        let is_roce = self.scenario.transport.protocol == scenario::Protocol::Roce;
        let mut summary = RoceSummary::default();
        for conn in 0..self.qp_count() {
            if let Requester::Roce(requester) = &self.sender(conn).requester {
                summary.timeouts += requester.stats().timeouts;
            }
            if let Responder::Roce(responder) = self.receiver(conn) {
                let stats = responder.stats();
                summary.naks += stats.naks;
                summary.acks += stats.acks;
                summary.cnps += stats.cnps;
                summary.out_of_order += stats.out_of_order;
                summary.refused += stats.refused;
            }
        }
        is_roce.then_some(summary)
    }
}

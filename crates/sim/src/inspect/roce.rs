//! Looking at a QP of RoCE: what both of its ends know.

use crate::endpoint::{Requester, Responder};
use crate::observer::Observer;
use crate::run::Sim;
use roce::{ReactionPoint, RequesterStats, ResponderStats};

/// A QP of RoCE as both of its ends see it.
#[derive(Clone, Debug, PartialEq)]
pub struct RoceView {
    /// UDP source port of what it sends and of what is answered.
    pub port: u16,
    /// The port's plane.
    pub plane: u32,
    /// The directed links from NIC to NIC as switches choose them now; up to the first that chooses for each packet.
    pub path: Vec<u32>,
    /// DCQCN as of now.
    pub cc: ReactionPoint,
    /// Timeouts and NAKs without progress, in a row.
    pub retries: u32,
    /// What the requester counts.
    pub sent: RequesterStats,
    /// The PSN that the responder expects.
    pub expected: u32,
    /// What the responder counts.
    pub received: ResponderStats,
}

impl<O: Observer> Sim<O> {
    /// What only RoCE knows of one QP; none where the protocol is another one. `index` is below
    /// [`qp_count`](Self::qp_count).
    pub fn roce_qp(&self, index: u32) -> Option<RoceView> {
        let (Requester::Roce(requester), Responder::Roce(responder)) =
            (&self.sender(index).requester, self.receiver(index))
        else {
            return None;
        };
        let (src, port) = (self.conn(index).src, requester.port());
        let plane = self.shared.plane(port);
        let container = self.shared.hashed_container(plane, src, index, port);
        Some(RoceView {
            port,
            plane,
            path: self.network.links_along(src, container),
            cc: requester.cc_at(&self.shared.roce, self.now.0),
            retries: requester.timeouts_in_row(),
            sent: *requester.stats(),
            expected: responder.cack(),
            received: *responder.stats(),
        })
    }

    /// The settings that all QPs of RoCE share; of no meaning where the protocol is another one.
    pub fn roce_config(&self) -> &roce::Config {
        &self.shared.roce
    }
}

//! What follows from several settings at once.

use crate::schema::{Model, Protocol, Scenario};

impl Scenario {
    /// True where a data packet that does not fit is trimmed: not without trimming, not with PFC, and never with RoCE.
    pub fn trims(&self) -> bool {
        self.fabric.queue.trimming && self.fabric.pfc.is_none() && self.transport.protocol == Protocol::Mrc
    }

    /// True where switches mark on the last hop, to a NIC, too.
    pub fn marks_last_hop(&self) -> bool {
        let usual = self.model == Model::Htsim || self.transport.protocol == Protocol::Roce;
        self.fabric.queue.ecn_last_hop.unwrap_or(usual)
    }
}

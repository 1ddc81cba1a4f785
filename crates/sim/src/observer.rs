//! Hooks for whoever watches a run. With `()` they are compiled away.

use kernel::Time;
use scenario::FaultKind;

/// Everything that can be watched, besides what the fabric and the endpoints offer.
pub trait Observer: fabric::network::Observer + mrc::Observer {
    /// `bytes` of connection `conn`'s message were placed; they came through `plane`.
    fn placed(&mut self, _now: Time, _conn: u32, _plane: u32, _bytes: u32) {}
    /// A data packet was sent again.
    fn retransmitted(&mut self, _now: Time, _conn: u32, _psn: u32) {}
    /// A flow's message is completely acknowledged.
    fn finished(&mut self, _now: Time, _conn: u32) {}
    /// A fault or a repair took effect.
    fn fault(&mut self, _now: Time, _what: &FaultKind) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl fabric::network::Observer for Nobody {}
impl mrc::Observer for Nobody {}
impl Observer for Nobody {}

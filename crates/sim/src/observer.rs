//! Hooks for whoever watches a run. With [`Nobody`] they are compiled away.

use crate::clustermapper::Place;
use fabric::Packet;
use kernel::Time;
use scenario::FaultKind;

/// Everything that can be watched, besides what the fabric and the endpoints offer.
///
/// Within a window of time (no longer than the delay of the shortest link to a switch) they are called place by place, not in order of time.
pub trait Observer: fabric::network::Observer + mrc::Observer + roce::Observer + Send + Sized {
    /// Another one that may watch a part of the run on another thread, if what is seen need not come together. None unless
    /// overridden: then the run stays on one thread.
    fn fork(&self) -> Option<Self> {
        None
    }
    /// A NIC's endpoint hands a packet to its port, from which directed link `link` leads.
    fn sent(&mut self, _now: Time, _link: u32, _packet: &Packet) {}
    /// A packet has come to a NIC by a directed link, and its endpoint has dealt with it; so many bytes of a message were placed.
    fn received(&mut self, _now: Time, _link: u32, _packet: &Packet, _placed: u32) {}
    /// `bytes` of connection `conn`'s message were placed; they came through `plane`.
    fn placed(&mut self, _now: Time, _conn: u32, _plane: u32, _bytes: u32) {}
    /// A data packet was sent again.
    fn retransmitted(&mut self, _now: Time, _conn: u32, _psn: u32) {}
    /// So many messages of a flow are complete at its sender.
    fn completed(&mut self, _now: Time, _conn: u32, _messages: u32) {}
    /// All of a flow's messages are complete.
    fn finished(&mut self, _now: Time, _conn: u32) {}
    /// A fault or a repair is about to take effect: one change of the scenario's fault with index `cause`. `links` are the
    /// directed links that it concerns, a switch's in both directions; none for what concerns a whole tier or a NIC.
    fn fault(&mut self, _now: Time, _cause: usize, _what: &FaultKind, _links: &[u32]) {}
    /// A NIC has noticed that its port in a plane, from which directed link `link` leads, is down or works again; its QPs
    /// leave the port or return to it.
    fn port_noticed(&mut self, _now: Time, _nic: u32, _plane: u32, _link: u32, _down: bool) {}
    /// Paused links wait for each other in a circle: each for the next one, and the last for the first.
    fn deadlock(&mut self, _now: Time, _links: &[u32]) {}
    /// Step number `step` of a job, counted from 1, is complete: `lasted` after its first message could be posted.
    fn step_done(&mut self, _now: Time, _job: u32, _step: u32, _lasted: Time) {}
    /// Clustermapper finds something bad, or in order again.
    fn verdict(&mut self, _now: Time, _place: Place, _bad: bool) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl fabric::network::Observer for Nobody {}
impl mrc::Observer for Nobody {}
impl roce::Observer for Nobody {}
impl Observer for Nobody {
    fn fork(&self) -> Option<Nobody> {
        Some(Nobody)
    }
}

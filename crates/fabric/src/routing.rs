//! Ways that switches find: equal-cost multipath, spraying, and tables that follow failures.
//!
//! A packet with a [hashed container](crate::path::hashed) names no path. Down the tree there is one way to its NIC; up the tree
//! every uplink is as good as another, and the switch chooses (RFC 7938 §6.1): see [`Routing`].
//!
//! # Tables
//!
//! What a switch has on its table follows from what it believes of the fabric's cables: that all are there, except those that it
//! was told of ([`Network::believe`], [`Scope`]). The rules are those of BGP in a Clos (RFC 7938 §5) with one number for the T1s of
//! a pod and one for all T2s, so that no route has a valley, and without summaries, so that routes to each T0 are withdrawn by
//! themselves:
//!
//! - A T0 goes up to those T1s that have a link down to the destination's T0; to another pod, to those that have a T2 in common
//!   with a T1 there that has one.
//! - A T1 goes down to a T0 of its own pod; to another pod, up to those T2s that have a link to the T1 there with a link to the
//!   destination's T0.
//! - A T2 goes down to its T1 of the destination's pod.
//! - Of cables at the switch itself only what the switch believes counts, of the others what everybody believes.
//!
//! A cable is used in both directions or in none: a link that is down in one direction makes both ends take it down (IEEE 802.3
//! §81.3.4, link fault signalling).
//!
//! # Choice
//!
//! A flow stays where it is while its next hop is there (RFC 7938 §6.4, consistent hashing; "resilient hashing" in switches): the
//! choice is made among all uplinks first, and only if that one is out, once more among those that are left.

use crate::clos::{Clos, LinkKind};
use crate::common::Common;
use crate::counters::DropReason;
use crate::faults::Refusal;
use crate::network::Network;
use crate::path::hashed::{self, Hashed};
use crate::span::Span;
use crate::wiring::Switch;
use kernel::rng::draw;

mod belief;

pub(crate) use belief::Routes;
pub use belief::Scope;

/// How switches choose among equal ways. It concerns packets with a [hashed container](crate::path::hashed) alone: those that name
/// their path go by it whatever is set here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routing {
    /// The sender chooses; what has no path is hashed as with [`Routing::Ecmp`].
    #[default]
    Source,
    /// By a hash of entropy and destination, another one in each switch.
    Ecmp,
    /// By a draw for each packet.
    Spray,
    /// For each packet the port with the shortest queue.
    Adaptive,
}

impl Routing {
    /// True where all packets of a flow take the same way, as long as it is there.
    #[inline]
    pub const fn is_per_flow(self) -> bool {
        matches!(self, Routing::Source | Routing::Ecmp)
    }
}

// A link's draws for which way a packet goes that came in by it, beside those of marking, of trimming and of hazards.
const SPRAY: u64 = 9;

/// The port, among the switch's own, by which a packet leaves that came in over `link` at `now` and names no path, and its container
/// then; or why it goes nowhere.
#[inline(never)]
pub(crate) fn find_way(
    common: &Common,
    here: &Span,
    switch: &Switch,
    container: u64,
    link: u32,
    now: u64,
) -> Result<(u32, u64), DropReason> {
    let hops = switch.hops(common, here, container, link)?;
    // A draw depends on the link and on the picosecond, in which no other packet comes in there: on nothing that happens elsewhere.
    let bits = || {
        if common.config.routing.is_per_flow() {
            hash(common, switch, container)
        } else {
            draw(common.port_key(link) ^ SPRAY, now)
        }
    };
    let port = hops.choose(bits).ok_or(DropReason::NoRoute)?;
    Ok((port, hops.rest))
}

/// A switch's hash of a packet: the same for all packets of a flow.
#[inline]
fn hash(common: &Common, switch: &Switch, container: u64) -> u64 {
    draw(common.hash_key(switch.usid), hashed::flow(container))
}

impl Network {
    /// From now on switches believe that the cable is in order, or out, to which a directed link belongs; between windows only.
    /// `scope` says which switches do. A switch that dies is all its cables.
    ///
    /// Nothing is lost by it, and a switch goes on sending into a link that is down until it believes so. The caller decides how long
    /// after a fault that is. A NIC's cable is on no table: its T0 has no other way. The same twice changes nothing.
    pub fn believe(&mut self, link: u32, up: bool, scope: Scope) -> Result<(), Refusal> {
        let clos = self.config().clos;
        if link >= clos.links() {
            return Err(Refusal::NoSuchLink);
        }
        self.split_mut().0.routes.set(&clos, link, up, scope);
        Ok(())
    }

    /// The directed links that a packet crosses which `nic` sent with this container, as switches believe now: up to its end, or to a
    /// switch that has no route. Where switches choose for each packet, up to the first that has a choice.
    pub fn links_along(&self, nic: u32, container: u64) -> Vec<u32> {
        let (common, clos) = (self.common(), self.config().clos);
        let Some(path) = Hashed::of(container) else {
            return clos.links_along(nic, container);
        };
        let (mut link, mut container) = (clos.nic_up(path.plane, nic), hashed::flow(container));
        let mut links = vec![link];
        // A packet goes up and down, and again for each bounce: not for ever.
        while let Some((span, number)) = switch_after(common, &clos, link) {
            let (switch, rows) = span.switch_at(number);
            let Ok(hops) = switch.hops(common, span, container, link) else {
                break;
            };
            if !self.config().routing.is_per_flow() && hops.ports().nth(1).is_some() {
                break;
            }
            let Some(port) = hops.choose(|| hash(common, &switch, container)) else {
                break;
            };
            let Some(next) = rows.iter().find_map(|row| row.link(port)) else {
                break;
            };
            (link, container) = (next, hops.rest);
            links.push(link);
        }
        links
    }
}

/// The switch at the far end of a directed link: the span that it is in, and its number there.
fn switch_after<'a>(common: &'a Common, clos: &Clos, link: u32) -> Option<(&'a Span, u32)> {
    let end = clos.describe(link);
    let (span, place) = match end.kind {
        LinkKind::NicDown => return None,
        LinkKind::NicUp | LinkKind::Down => {
            let t0 = if end.kind == LinkKind::NicUp {
                end.upper
            } else {
                end.lower
            };
            let span = &common.spans[common.part_of_rack(t0)];
            (span, span.t0_place(end.plane, t0))
        }
        LinkKind::Up | LinkKind::CoreDown => {
            let t1 = if end.kind == LinkKind::Up {
                end.upper
            } else {
                end.lower
            };
            let span = &common.spans[common.part_of_t1(t1)];
            (span, span.t1_place(end.plane, t1))
        }
        LinkKind::CoreUp => {
            let span = &common.spans[common.part_of_t2(end.upper)];
            (span, span.t2_place(end.plane, end.upper))
        }
    };
    Some((span, place - span.first_switch()))
}

//! The ports by which a packet may leave that names no path: see [`crate::routing`].

use super::Switch;
use crate::clos::LinkKind;
use crate::common::Common;
use crate::counters::DropReason;
use crate::path::hashed::{self, Hashed};
use crate::routing::{Routes, Scope};
use crate::span::Span;
use crate::usid;
use kernel::rng::{below, mix};

// No port.
const NONE: u32 = u32::MAX;

/// Equal next hops: ports of a switch with consecutive numbers, less those that are out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hops<'a> {
    // The number of the first one among the switch's ports, and how many there are.
    first: u32,
    count: u32,
    out: Out<'a>,
    /// The container that the packet leaves with.
    pub rest: u64,
}

/// Which of the ports are out, by their numbers counted from the first one.
#[derive(Clone, Copy, Debug)]
enum Out<'a> {
    /// None.
    None,
    /// Uplinks.
    Up {
        // As the switch itself believes, and as all do of the far side.
        here: &'a [u16],
        there: &'a [u16],
        // The one that the packet came by.
        back: u32,
        // Those over which the two pods have no T2 in common.
        split: Option<Split<'a>>,
    },
    /// Downlinks to T0s that do no more than send the packet up again.
    Detour {
        routes: &'a Routes,
        // The uSID of the first T0 below, and the number of the T1 for each of them.
        first: u16,
        within: u16,
        // The T0 that the packet came from.
        back: u32,
    },
}

/// Two pods of one plane.
#[derive(Clone, Copy, Debug)]
struct Split<'a> {
    routes: &'a Routes,
    // The uSIDs of the first T1 of each.
    first: [u16; 2],
    // T2s that a T1 is linked to.
    t2s: usize,
}

impl Split<'_> {
    /// True when the T1s with this number in the two pods have no T2 that both are linked to.
    fn at(&self, within: u32) -> bool {
        let [a, b] = self
            .first
            .map(|first| self.routes.lacks(Scope::Everywhere, first + within as u16));
        let both = a.iter().filter(|number| b.binary_search(number).is_ok()).count();
        a.len() + b.len() - both >= self.t2s
    }
}

impl Out<'_> {
    fn has(&self, number: u32) -> bool {
        let lists = |list: &[u16]| list.binary_search(&(number as u16)).is_ok();
        match self {
            Out::None => false,
            Out::Up {
                here,
                there,
                back,
                split,
            } => number == *back || lists(here) || lists(there) || split.is_some_and(|pods| pods.at(number)),
            Out::Detour {
                routes,
                first,
                within,
                back,
            } => {
                let lacks = routes.lacks(Scope::Local, first + number as u16);
                number == *back || lacks.binary_search(within).is_ok()
            }
        }
    }
}

impl Hops<'_> {
    /// The one port that leads there.
    #[inline]
    fn one(port: u32, rest: u64) -> Hops<'static> {
        Hops {
            first: port,
            count: 1,
            out: Out::None,
            rest,
        }
    }

    /// The ports, by their numbers among the switch's.
    pub fn ports(&self) -> impl Iterator<Item = u32> + use<'_> {
        let numbers = (0..self.count).filter(|&number| !self.out.has(number));
        numbers.map(|number| self.first + number)
    }

    /// The port that 64 random bits choose; none where there is no port. While a port is there it is chosen by the same bits,
    /// whatever becomes of the others.
    #[inline]
    pub fn choose(&self, bits: impl FnOnce() -> u64) -> Option<u32> {
        if self.count <= 1 {
            return self.ports().next();
        }
        let bits = bits();
        let number = below(bits, u64::from(self.count)) as u32;
        if !self.out.has(number) {
            return Some(self.first + number);
        }
        let left = self.ports().count();
        self.ports().nth(below(mix(bits), left as u64) as usize)
    }
}

impl Switch {
    /// The ports by which a packet with a hashed container, that came in over `link`, may leave; an error says why it may not.
    #[inline]
    pub fn hops<'a>(
        &self,
        common: &'a Common,
        here: &Span,
        container: u64,
        link: u32,
    ) -> Result<Hops<'a>, DropReason> {
        let path = Hashed::of(container).ok_or(DropReason::NoRoute)?;
        if path.plane != self.plane {
            return Err(DropReason::NoRoute);
        }
        match self.tier {
            usid::T0 => self.hops_of_t0(common, here, &path, container, link),
            usid::T1 => {
                let to = here.rack_of(path.dst);
                match self.hops_of_t1(common, to, container) {
                    Err(_) if common.config.local_reroute => self.detour(common, container, link),
                    hops => hops,
                }
            }
            _ => self.hop_of_t2(common, here.rack_of(path.dst), container),
        }
    }

    fn hops_of_t0<'a>(
        &self,
        common: &'a Common,
        here: &Span,
        path: &Hashed,
        container: u64,
        link: u32,
    ) -> Result<Hops<'a>, DropReason> {
        let downlink = path.dst.wrapping_sub(self.below);
        if downlink < self.downs {
            return Ok(Hops::one(downlink, container));
        }
        let mut hops = Hops {
            first: self.downs,
            count: self.ups,
            out: Out::None,
            rest: container,
        };
        let clos = common.clos();
        let came = (path.bounces > 0).then(|| clos.describe(link));
        // Only a detour leads through a T0.
        let back = came.filter(|end| end.kind == LinkKind::Down);
        let routes = &common.routes;
        if routes.are_whole() && back.is_none() {
            return Ok(hops);
        }
        let to = here.rack_of(path.dst);
        if to >= clos.t0s {
            return Err(DropReason::NoRoute);
        }
        let pods = [self.index, to].map(|t0| clos.pod_of_t0(t0));
        let is_far = pods[0] != pods[1];
        hops.out = Out::Up {
            here: routes.lacks(Scope::Local, self.usid),
            there: routes.lacks(Scope::Everywhere, usid::usid(self.plane, usid::T0, to)),
            back: back.map_or(NONE, |end| end.upper - self.above),
            split: is_far.then(|| Split {
                routes,
                first: pods.map(|pod| usid::usid(self.plane, usid::T1, pod * clos.t1s_per_pod())),
                t2s: clos.t2s_per_t1() as usize,
            }),
        };
        some(hops)
    }

    fn hops_of_t1<'a>(&self, common: &'a Common, to: u32, container: u64) -> Result<Hops<'a>, DropReason> {
        let (routes, clos) = (&common.routes, common.clos());
        let within = self.from_below;
        let t0 = usid::usid(self.plane, usid::T0, to);
        let downlink = to.wrapping_sub(self.below);
        if downlink < self.downs {
            return reachable(routes.lacks(Scope::Local, t0), within, downlink, container);
        }
        if self.ups == 0 || to >= clos.t0s {
            return Err(DropReason::NoRoute);
        }
        let mut hops = Hops {
            first: self.downs,
            count: self.ups,
            out: Out::None,
            rest: container,
        };
        if routes.are_whole() {
            return Ok(hops);
        }
        reachable(routes.lacks(Scope::Everywhere, t0), within, 0, container)?;
        let t1 = clos.pod_of_t0(to) * clos.t1s_per_pod() + within;
        hops.out = Out::Up {
            here: routes.lacks(Scope::Local, self.usid),
            there: routes.lacks(Scope::Everywhere, usid::usid(self.plane, usid::T1, t1)),
            back: NONE,
            split: None,
        };
        some(hops)
    }

    fn hop_of_t2<'a>(&self, common: &'a Common, to: u32, container: u64) -> Result<Hops<'a>, DropReason> {
        let (routes, clos) = (&common.routes, common.clos());
        if to >= clos.t0s {
            return Err(DropReason::NoRoute);
        }
        let pod = clos.pod_of_t0(to);
        let t0 = usid::usid(self.plane, usid::T0, to);
        reachable(routes.lacks(Scope::Everywhere, t0), self.below, pod, container)?;
        let t1 = usid::usid(self.plane, usid::T1, pod * clos.t1s_per_pod() + self.below);
        reachable(routes.lacks(Scope::Local, t1), self.from_below, pod, container)
    }

    /// A T1 without a way to the destination sends the packet by another T0 below it, not by the one that it came from. It has no link
    /// to the destination's own T0, or that is in another pod.
    #[cold]
    fn detour<'a>(&self, common: &'a Common, container: u64, link: u32) -> Result<Hops<'a>, DropReason> {
        let came = common.clos().describe(link);
        let back = if came.kind == LinkKind::Up {
            came.lower - self.below
        } else {
            NONE
        };
        let hops = Hops {
            first: 0,
            count: self.downs,
            out: Out::Detour {
                routes: &common.routes,
                first: usid::usid(self.plane, usid::T0, self.below),
                within: self.from_below as u16,
                back,
            },
            rest: hashed::bounced(container).ok_or(DropReason::HopLimit)?,
        };
        some(hops)
    }
}

/// The port, unless the uplink with this number at its far end is out.
#[inline]
fn reachable(out: &[u16], number: u32, port: u32, container: u64) -> Result<Hops<'static>, DropReason> {
    match out.binary_search(&(number as u16)) {
        Ok(_) => Err(DropReason::NoRoute),
        Err(_) => Ok(Hops::one(port, container)),
    }
}

/// The hops, if there is any.
fn some(hops: Hops<'_>) -> Result<Hops<'_>, DropReason> {
    match hops.ports().next() {
        Some(_) => Ok(hops),
        None => Err(DropReason::NoRoute),
    }
}

#[cfg(test)]
mod tests;

//! Who a switch is, which ports it has, where they lead, and its static table.
//!
//! A switch's ports are in two rows of consecutive numbers: downlinks, then uplinks. All of it is computed anew for each window of a
//! switch; nothing is stored.

use crate::clos::{Clos, LinkKind};
use crate::common::Common;
use crate::part::Far;
use crate::path::{self, Folded};
use crate::span::Span;
use crate::usid;

mod hops;

/// A switch: who it is, and who its neighbours are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch {
    plane: u32,
    pub tier: u16,
    // Its own index, within its tier and plane.
    index: u32,
    pub usid: u16,
    // Its downlinks come first among its ports, its uplinks after them.
    downs: u32,
    pub ups: u32,
    // The index of the first neighbour below and above; the others follow, except below a T2.
    below: u32,
    above: u32,
    // The number of the port that leads here, at each neighbour below and above.
    from_below: u32,
    from_above: u32,
    t0s_per_pod: u32,
    // The static table, by the tier of the next uSID.
    table: [Towards; 4],
}

/// Neighbours of one tier with consecutive index fields.
#[derive(Clone, Copy, Debug, Default)]
struct Towards {
    first: u32,
    count: u32,
    // The number of the port to the first one among the switch's own.
    port: u32,
}

/// Some ports of a switch that lead the same way: they have consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub kind: LinkKind,
    // The first port, its number among the switch's ports, and how many there are.
    pub port: u32,
    pub base: u32,
    pub count: u32,
    // The directed links that leave the first port and come in there; the step from one of the latter to the next.
    pub out: u32,
    pub into: u32,
    pub step: u32,
}

impl Row {
    /// No ports.
    const NONE: Row = Row {
        kind: LinkKind::NicUp,
        port: 0,
        base: 0,
        count: 0,
        out: 0,
        into: 0,
        step: 0,
    };

    /// The directed link that leaves the switch's port with this number; none where it is not in the row.
    pub fn link(&self, port: u32) -> Option<u32> {
        let i = port.wrapping_sub(self.base);
        (i < self.count).then(|| self.out + i)
    }
}

impl Span {
    /// A switch by its number here, with its downlinks and its uplinks.
    pub(crate) fn switch_at(&self, number: u32) -> (Switch, [Row; 2]) {
        let clos = self.clos();
        match self.switch(number) {
            (plane, usid::T0, t0) => self.t0(clos, plane, t0),
            (plane, usid::T1, t1) => self.t1(clos, plane, t1),
            (plane, _, t2) => self.t2(clos, plane, t2),
        }
    }

    fn t0(&self, clos: &Clos, plane: u32, t0: u32) -> (Switch, [Row; 2]) {
        let first_nic = t0 * clos.nics_per_t0;
        let first_t1 = clos.t1s_above(t0).start;
        let mut switch = Switch {
            plane,
            tier: usid::T0,
            index: t0,
            usid: usid::usid(plane, usid::T0, t0),
            downs: clos.nics_per_t0,
            ups: clos.t1s_per_pod(),
            below: first_nic,
            above: first_t1,
            from_below: 0,
            from_above: t0 % clos.t0s_per_pod(),
            t0s_per_pod: clos.t0s_per_pod(),
            table: [Towards::default(); 4],
        };
        switch.know(usid::NIC, 0, 0, switch.downs);
        switch.know(usid::T1, first_t1, switch.downs, switch.ups);
        let down = Row {
            kind: LinkKind::NicDown,
            port: self.nic_down(plane, first_nic),
            base: 0,
            count: switch.downs,
            out: clos.nic_down(plane, first_nic),
            into: clos.nic_up(plane, first_nic),
            step: 1,
        };
        let up = Row {
            kind: LinkKind::Up,
            port: self.up(plane, t0, 0),
            base: switch.downs,
            count: switch.ups,
            out: clos.up(plane, t0, first_t1),
            into: clos.down(plane, first_t1, t0),
            step: clos.t0s_per_pod(),
        };
        (switch, [down, up])
    }

    fn t1(&self, clos: &Clos, plane: u32, t1: u32) -> (Switch, [Row; 2]) {
        let (pod, within) = (clos.pod_of_t1(t1), t1 % clos.t1s_per_pod());
        let (first_t0, first_t2) = (clos.t0s_below(t1).start, clos.t2s_above(t1).start);
        let mut switch = Switch {
            plane,
            tier: usid::T1,
            index: t1,
            usid: usid::usid(plane, usid::T1, t1),
            downs: clos.t0s_per_pod(),
            ups: clos.t2s_per_t1(),
            below: first_t0,
            above: first_t2,
            from_below: within,
            from_above: pod,
            t0s_per_pod: clos.t0s_per_pod(),
            table: [Towards::default(); 4],
        };
        switch.know(usid::T0, first_t0, 0, switch.downs);
        switch.know(usid::T2, first_t2, switch.downs, switch.ups);
        let down = Row {
            kind: LinkKind::Down,
            port: self.down(plane, t1, 0),
            base: 0,
            count: switch.downs,
            out: clos.down(plane, t1, first_t0),
            into: clos.up(plane, first_t0, t1),
            step: clos.t1s_per_pod(),
        };
        if switch.ups == 0 {
            return (switch, [down, Row::NONE]);
        }
        let up = Row {
            kind: LinkKind::CoreUp,
            port: self.core_up(plane, t1, 0),
            base: switch.downs,
            count: switch.ups,
            out: clos.core_up(plane, t1, first_t2),
            into: clos.core_down(plane, first_t2, t1),
            step: clos.pods,
        };
        (switch, [down, up])
    }

    fn t2(&self, clos: &Clos, plane: u32, t2: u32) -> (Switch, [Row; 2]) {
        let first_t1 = t2 / clos.t2s_per_t1();
        let switch = Switch {
            plane,
            tier: usid::T2,
            index: t2,
            usid: usid::usid(plane, usid::T2, t2),
            downs: clos.pods,
            ups: 0,
            below: first_t1,
            above: 0,
            from_below: t2 % clos.t2s_per_t1(),
            from_above: 0,
            t0s_per_pod: clos.t0s_per_pod(),
            table: [Towards::default(); 4],
        };
        let down = Row {
            kind: LinkKind::CoreDown,
            port: self.core_down(plane, t2, 0),
            base: 0,
            count: switch.downs,
            out: clos.core_down(plane, t2, first_t1),
            into: clos.core_up(plane, first_t1, t2),
            step: clos.t2s,
        };
        (switch, [down, Row::NONE])
    }
}

impl Switch {
    /// Puts `count` neighbours of a tier, `first` and those after it, on the table; their ports follow `port`.
    fn know(&mut self, tier: u16, first: u32, port: u32, count: u32) {
        let first = usid::field(usid::usid(0, tier, first));
        self.table[tier as usize] = Towards { first, count, port };
    }

    /// The port, among the switch's own, by which a packet leaves, and the uSIDs that are left then. uN: the active uSID must be
    /// the switch's own (48 bits match: the locator is the same everywhere); shift, look the next one up in the static table. None
    /// where there is no route.
    #[inline]
    pub fn out(&self, usids: u64) -> Option<(u32, u64)> {
        let rest = path::shift(usids);
        let next = path::active(rest);
        if path::active(usids) == self.usid && usid::plane(next) == self.plane {
            let towards = &self.table[usid::tier(next) as usize];
            let number = usid::field(next).wrapping_sub(towards.first);
            if number < towards.count {
                return Some((towards.port + number, rest));
            }
        }
        // The upper bits of a folded container may look like a T2's uSID, but a T2 has nothing on its table.
        self.out_folded(usids)
    }

    /// The same for a folded container.
    #[inline(never)]
    fn out_folded(&self, usids: u64) -> Option<(u32, u64)> {
        let path = Folded::of(usids)?;
        if path.plane != self.plane {
            return None;
        }
        let up = |above: u32| (above < self.ups).then(|| self.downs + above);
        let down = |below: u32| (below < self.downs).then_some(below);
        let is_in_pod = |t0: u32| t0.wrapping_sub(self.below) < self.downs;
        let port = match (path.left, self.tier) {
            (6, usid::T0) if path.start == self.index => up(path.within),
            (5, usid::T1) if path.within == self.from_below && is_in_pod(path.start) => {
                up(path.t2.wrapping_sub(self.above))
            }
            (4, usid::T2) if path.t2 == self.index && path.within == self.below => {
                down(path.end / self.t0s_per_pod)
            }
            (3, usid::T1) if path.within == self.from_below => down(path.end.wrapping_sub(self.below)),
            (2, usid::T0) if path.end == self.index => down(path.downlink),
            _ => None,
        };
        Some((port?, path::advance(usids)))
    }

    /// Where port `i` of a row of this kind leads; the switch is in part `number`, whose span is `here`.
    #[inline]
    pub fn far(&self, common: &Common, here: &Span, number: u32, kind: LinkKind, i: u32) -> Far {
        let plane = self.plane;
        match kind {
            LinkKind::NicDown | LinkKind::NicUp => {
                let nic = self.below + i;
                Far {
                    part: number,
                    port: here.nic_up(plane, nic),
                    place: here.nic_place(nic),
                }
            }
            LinkKind::Up => {
                let t1 = self.above + i;
                let part = common.part_of_t1(t1);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.down(plane, t1, self.from_above),
                    place: span.t1_place(plane, t1),
                }
            }
            LinkKind::Down => {
                let t0 = self.below + i;
                let part = common.part_of_rack(t0);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.up(plane, t0, self.from_below),
                    place: span.t0_place(plane, t0),
                }
            }
            LinkKind::CoreUp => {
                let t2 = self.above + i;
                let part = common.part_of_t2(t2);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.core_down(plane, t2, self.from_above),
                    place: span.t2_place(plane, t2),
                }
            }
            LinkKind::CoreDown => {
                let t1 = self.below + i * common.clos().t1s_per_pod();
                let part = common.part_of_t1(t1);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.core_up(plane, t1, self.from_below),
                    place: span.t1_place(plane, t1),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

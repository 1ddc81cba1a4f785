//! Switches at work, window by window.
//!
//! # Windows
//!
//! A packet arrives no earlier than one link delay after its service ended. So when all lines were replayed up to a time T,
//! every arrival at a switch up to T plus the shortest delay of a link to one (the look-ahead) is already on the incoming list
//! where it will happen.
//! Nothing that one switch does within such a window can reach another one within it, so switches can be worked off one
//! after the other, or side by side, in any order, and the outcome is that of a global event queue, without one.
//!
//! # Port by port
//!
//! Nor do two ports of a switch influence each other. A switch takes what came in during the window, deals it out to the
//! ports that it leaves by, puts each port's arrivals in order of time, and works off port after port: the state of one
//! port and the packets for it stay in the nearest cache meanwhile.

use crate::class::Class;
use crate::clos::{Clos, LinkKind};
use crate::common::Common;
use crate::counters::DropReason;
use crate::hazards::is_damaged;
use crate::network::Observer;
use crate::order::{Keys, MOST_ARRIVALS};
use crate::packet::{Control, Data, flags};
use crate::part::{Cut, Far, Line, Part, crossing_hash};
use crate::path::{self, Folded};
use crate::span::Place;
use crate::usid;
use kernel::{Time, prefetch};

// How many ports ahead is read: far enough for memory to answer, near enough to be still there. Chunks of a list are read one
// after the other, each when the one before, which names it, should have come.
const AHEAD: u32 = 8;

// Marks the number of a packet as one of the control class.
const CONTROL: usize = MOST_ARRIVALS;

/// Room for one switch's window, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    // Arrivals by the port that they leave by, as keys; see [`Keys`].
    lists: Vec<Vec<u64>>,
    // Ports where there is something to do.
    active: Vec<bool>,
    data: Vec<Came<Data>>,
    control: Vec<Came<Control>>,
}

impl Scratch {
    /// The switch (its uSID) may damage what came in.
    #[cold]
    fn damage(&mut self, common: &Common, times: Keys, switch: u16) {
        let threshold = common.hazards.in_switch(switch);
        if threshold == 0 {
            return;
        }
        for &key in self.lists.iter().flatten() {
            let item = Keys::item(key);
            let (link, flags) = if item & CONTROL == 0 {
                let came = &mut self.data[item];
                (came.link, &mut came.packet.flags)
            } else {
                let came = &mut self.control[item & !CONTROL];
                (came.link, &mut came.packet.flags)
            };
            if is_damaged(common.port_key(link), times.at(key), threshold) {
                *flags |= flags::CORRUPT;
            }
        }
    }
}

/// A packet and the link that it came by.
#[derive(Clone, Copy, Debug)]
struct Came<T> {
    packet: T,
    link: u32,
}

/// What came in at some ports.
struct Intake {
    // When the next packet comes in.
    next: u64,
    // Packets, and the sum of their crossings' hashes.
    hops: u64,
    digest: u64,
}

/// A switch: who it is, and who its neighbours are.
#[derive(Clone, Copy, Debug)]
struct Switch {
    plane: u32,
    tier: u16,
    // Its own index, within its tier and plane.
    index: u32,
    usid: u16,
    // Its downlinks come first among its ports, its uplinks after them.
    downs: u32,
    ups: u32,
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
struct Row {
    kind: LinkKind,
    // The first port, its number among the switch's ports, and how many there are.
    port: u32,
    base: u32,
    count: u32,
    // The directed links that leave the first port and come in there; the step from one of the latter to the next.
    out: u32,
    into: u32,
    step: u32,
}

impl Part {
    /// How many switches there are here.
    pub fn switch_count(&self) -> u32 {
        self.span.switches()
    }

    /// Works off switch number `number` (below [`switch_count`](Self::switch_count)) up to the cut. Every arrival up to there
    /// must be known: see [`Common::look_ahead`].
    pub fn work_off_switch<O: Observer>(&mut self, common: &Common, watcher: &mut O, number: u32, cut: Cut) {
        let place = self.span.first_switch() + number;
        if self.due[place as usize] > cut.at {
            return;
        }
        let (switch, [down, up]) = self.switch(common, number);
        if switch.ups > 0 {
            self.window(common, watcher, place, &switch, &[down, up], cut);
        } else {
            self.window(common, watcher, place, &switch, &[down], cut);
        }
    }

    /// When the next packet comes in at, or leaves, switch number `number`.
    pub(crate) fn earliest_at_switch(&self, common: &Common, number: u32) -> u64 {
        let (_, rows) = self.switch(common, number);
        let ports = rows.iter().flat_map(|row| row.port..row.port + row.count);
        let times = ports.map(|port| self.earliest_at(&self.ports[port as usize]));
        times.min().unwrap_or(u64::MAX)
    }

    /// The next arrival at any place here: its time and its key (see [`kernel::TieRule`]).
    pub fn next_arrival(&self, common: &Common) -> Option<(Time, u64)> {
        let mut best: Option<(u64, u64)> = None;
        let better = |best: &mut Option<(u64, u64)>, at: u64, link: u32| {
            let key = common.ties.key(Time(at), link);
            if best.is_none_or(|best| (at, key) < best) {
                *best = Some((at, key));
            }
        };
        let look = |best: &Option<(u64, u64)>, place: Place| {
            let due = self.due[place as usize];
            due < u64::MAX && best.is_none_or(|(at, _)| due <= at)
        };
        for nic in self.span.nics() {
            if look(&best, self.span.nic_place(nic))
                && let Some((at, link)) = self.next_in(common, nic)
            {
                better(&mut best, at, link);
            }
        }
        let rows = (0..self.switch_count()).flat_map(|number| {
            let place = self.span.first_switch() + number;
            self.switch(common, number).1.map(|row| (place, row))
        });
        for (place, row) in rows {
            for i in 0..row.count {
                if !look(&best, place) {
                    break;
                }
                if let Some((at, _)) = self.first_in(&self.ports[(row.port + i) as usize]) {
                    better(&mut best, at, row.into + i * row.step);
                }
            }
        }
        best.map(|(at, key)| (Time(at), key))
    }

    /// A switch by its number here, with its downlinks and its uplinks.
    fn switch(&self, common: &Common, number: u32) -> (Switch, [Row; 2]) {
        match self.span.switch(number) {
            (plane, usid::T0, t0) => self.t0(common.clos(), plane, t0),
            (plane, usid::T1, t1) => self.t1(common.clos(), plane, t1),
            (plane, _, t2) => self.t2(common.clos(), plane, t2),
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
            port: self.span.nic_down(plane, first_nic),
            base: 0,
            count: switch.downs,
            out: clos.nic_down(plane, first_nic),
            into: clos.nic_up(plane, first_nic),
            step: 1,
        };
        let up = Row {
            kind: LinkKind::Up,
            port: self.span.up(plane, t0, 0),
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
            port: self.span.down(plane, t1, 0),
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
            port: self.span.core_up(plane, t1, 0),
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
            port: self.span.core_down(plane, t2, 0),
            base: 0,
            count: switch.downs,
            out: clos.core_down(plane, t2, first_t1),
            into: clos.core_up(plane, first_t1, t2),
            step: clos.t2s,
        };
        (switch, [down, Row::NONE])
    }

    fn window<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        place: Place,
        switch: &Switch,
        rows: &[Row],
        cut: Cut,
    ) {
        let mut scratch = core::mem::take(&mut self.scratch);
        let ports = rows.iter().map(|row| row.count).sum::<u32>() as usize;
        if scratch.lists.len() < ports {
            scratch.lists.resize_with(ports, Vec::new);
        }
        scratch.active.clear();
        scratch.data.clear();
        scratch.control.clear();
        let mut due = u64::MAX;
        for row in rows {
            due = due.min(self.gather(common, watcher, switch, row, cut, &mut scratch));
        }
        if common.hazards.are_in_switches() {
            scratch.damage(common, Keys::until(cut.at), switch.usid);
        }
        for row in rows {
            due = due.min(self.work_off(common, watcher, switch, row, cut, &mut scratch));
        }
        self.due[place as usize] = due;
        self.scratch = scratch;
    }

    /// Takes what came in at a row of ports and deals it out. Returns when the next packet comes in.
    fn gather<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        switch: &Switch,
        row: &Row,
        cut: Cut,
        scratch: &mut Scratch,
    ) -> u64 {
        let mut intake = Intake {
            next: u64::MAX,
            hops: 0,
            digest: 0,
        };
        for i in 0..row.count {
            let at = (row.port + i) as usize;
            if common.reads_ahead {
                self.expect_gather(row, i);
            }
            let port = self.ports[at];
            scratch.active.push(port.service_ends() <= cut.at);
            let link = row.into + i * row.step;
            let Scratch {
                lists, data, control, ..
            } = scratch;
            if !port.data_in.is_empty() {
                self.gather_from(
                    common,
                    watcher,
                    switch,
                    (at, link),
                    cut,
                    data,
                    lists,
                    0,
                    &mut intake,
                );
            }
            if !port.control_in.is_empty() {
                self.gather_from(
                    common,
                    watcher,
                    switch,
                    (at, link),
                    cut,
                    control,
                    lists,
                    CONTROL,
                    &mut intake,
                );
            }
        }
        self.crossed(intake.hops, intake.digest);
        intake.next
    }

    /// Takes what came in at port `at` over `link` and deals it out.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "the inner loop of `gather`, once for each class"
    )]
    fn gather_from<T: Class, O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        switch: &Switch,
        (at, link): (usize, u32),
        cut: Cut,
        came: &mut Vec<Came<T>>,
        lists: &mut [Vec<u64>],
        class: usize,
        intake: &mut Intake,
    ) {
        let keys = Keys::until(cut.at);
        let state_in = self.ports[at].state_in();
        let mut list = *T::incoming(&mut self.ports[at]);
        loop {
            let (now, packet) = match T::pop_if(self, &mut list, |at| cut.admits(common, at, link)) {
                Ok(taken) => taken,
                Err(later) => {
                    intake.next = intake.next.min(later);
                    break;
                }
            };
            let header = packet.header();
            if self.is_lost(common, watcher, link, state_in, &packet, now) {
                continue;
            }
            intake.hops += 1;
            intake.digest = intake.digest.wrapping_add(crossing_hash(now, link, &header));
            match switch.out(header.usids) {
                Some((out, rest)) => {
                    assert!(came.len() < MOST_ARRIVALS, "windows are short enough for this");
                    lists[out as usize].push(keys.key(now, came.len() | class));
                    let packet = packet.with_usids(rest);
                    came.push(Came { packet, link });
                }
                None => self.discard(watcher, link, &packet.packet(), now, DropReason::NoRoute),
            }
        }
        *T::incoming(&mut self.ports[at]) = list;
    }

    /// Reads ahead what the ports that follow port `i` will need in [`gather`](Self::gather).
    #[inline]
    fn expect_gather(&self, row: &Row, i: u32) {
        let at = (row.port + i) as usize;
        if i + AHEAD < row.count {
            let coming = &self.ports[at + AHEAD as usize];
            self.data.expect_pop(coming.data_in);
            self.control.expect_pop(coming.control_in);
        }
        for (after, distance) in [(1, 6), (2, 4), (3, 2)] {
            if i + distance < row.count {
                let coming = &self.ports[at + distance as usize];
                self.data.expect_later(coming.data_in, after);
                self.control.expect_later(coming.control_in, after);
            }
        }
    }

    /// Works off the ports of a row. Returns when the next packet leaves a line.
    fn work_off<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        switch: &Switch,
        row: &Row,
        cut: Cut,
        scratch: &mut Scratch,
    ) -> u64 {
        let mut next = u64::MAX;
        let class = common.config.class(row.kind);
        let times = Keys::until(cut.at);
        for i in 0..row.count {
            let local = (row.base + i) as usize;
            let at = (row.port + i) as usize;
            if common.reads_ahead {
                self.expect_work(common, switch, row, i);
            }
            let keys = &mut scratch.lists[local];
            if keys.is_empty() && !scratch.active[local] {
                next = next.min(self.ports[at].service_ends());
                continue;
            }
            let line = Line {
                link: row.out + i,
                class,
                far: self.far(common, switch, row.kind, i),
            };
            let mut port = self.ports[at];
            let (data, control) = (&scratch.data, &scratch.control);
            times.sort(common, keys, |item| {
                if item & CONTROL == 0 {
                    data[item].link
                } else {
                    control[item & !CONTROL].link
                }
            });
            for &key in keys.iter() {
                let (now, item) = (times.at(key), Keys::item(key));
                self.serve(common, &mut port, &line, now);
                if item & CONTROL == 0 {
                    self.enqueue_data(common, watcher, &mut port, &line, data[item].packet, now);
                } else {
                    let packet = control[item & !CONTROL].packet;
                    self.enqueue_control(watcher, &mut port, &line, packet, now);
                }
            }
            keys.clear();
            self.serve(common, &mut port, &line, cut.at);
            next = next.min(port.service_ends());
            self.ports[at] = port;
        }
        next
    }

    /// Reads ahead what the ports that follow port `i` will need: first where they lead, then the lists there.
    #[inline]
    fn expect_work(&self, common: &Common, switch: &Switch, row: &Row, i: u32) {
        if i + 2 * AHEAD < row.count {
            let far = self.far(common, switch, row.kind, i + 2 * AHEAD);
            if far.part == self.number() {
                prefetch(&self.ports[far.port as usize].free_at);
            }
        }
        if i + AHEAD < row.count {
            let far = self.far(common, switch, row.kind, i + AHEAD);
            if far.part == self.number() {
                let there = &self.ports[far.port as usize];
                self.data.expect_push(there.data_in);
                self.control.expect_push(there.control_in);
            }
            self.data
                .expect_pop(self.ports[(row.port + i + AHEAD) as usize].data);
        }
    }

    /// Where port `i` of a row leads.
    #[inline]
    fn far(&self, common: &Common, switch: &Switch, kind: LinkKind, i: u32) -> Far {
        let plane = switch.plane;
        match kind {
            LinkKind::NicDown | LinkKind::NicUp => {
                let nic = switch.below + i;
                Far {
                    part: self.number(),
                    port: self.span.nic_up(plane, nic),
                    place: self.span.nic_place(nic),
                }
            }
            LinkKind::Up => {
                let t1 = switch.above + i;
                let part = common.part_of_t1(t1);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.down(plane, t1, switch.from_above),
                    place: span.t1_place(plane, t1),
                }
            }
            LinkKind::Down => {
                let t0 = switch.below + i;
                let part = common.part_of_rack(t0);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.up(plane, t0, switch.from_below),
                    place: span.t0_place(plane, t0),
                }
            }
            LinkKind::CoreUp => {
                let t2 = switch.above + i;
                let part = common.part_of_t2(t2);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.core_down(plane, t2, switch.from_above),
                    place: span.t2_place(plane, t2),
                }
            }
            LinkKind::CoreDown => {
                let t1 = switch.below + i * common.clos().t1s_per_pod();
                let part = common.part_of_t1(t1);
                let span = &common.spans[part];
                Far {
                    part: part as u32,
                    port: span.core_up(plane, t1, switch.from_below),
                    place: span.t1_place(plane, t1),
                }
            }
        }
    }

    /// Drops a packet that comes in over `link` if it is lost there.
    #[inline]
    pub(crate) fn is_lost<T: Class, O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        link: u32,
        state_in: u8,
        packet: &T,
        now: u64,
    ) -> bool {
        let bits = packet.header().flags;
        let at_risk = state_in != 0 || bits & (flags::DOOMED | flags::CORRUPT) != 0;
        if at_risk && let Some(reason) = common.lost(link, state_in, bits, now) {
            self.lost_on_arrival += 1;
            self.discard(watcher, link, &packet.packet(), now, reason);
            return true;
        }
        false
    }

    /// Packets have crossed links; `digest` is the sum of their hashes.
    #[inline]
    pub(crate) fn crossed(&mut self, packets: u64, digest: u64) {
        self.counters.packet_hops += packets;
        self.digest = self.digest.wrapping_add(digest);
    }
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
    fn out(&self, usids: u64) -> Option<(u32, u64)> {
        let rest = path::shift(usids);
        let next = path::active(rest);
        if path::active(usids) != self.usid || usid::plane(next) != self.plane {
            return self.out_folded(usids);
        }
        let towards = &self.table[usid::tier(next) as usize];
        let number = usid::field(next).wrapping_sub(towards.first);
        (number < towards.count).then(|| (towards.port + number, rest))
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
}

#[cfg(test)]
mod tests;

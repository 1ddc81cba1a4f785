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
//! port and the packets for it stay in the nearest cache meanwhile. Where ports do influence each other, [`ordered`](crate::ordered) has
//! another way.

use crate::class::Class;
use crate::common::Common;
use crate::hazards::is_damaged;
use crate::network::Observer;
use crate::order::{Keys, MOST_ARRIVALS};
use crate::packet::{Control, Data, PacketKind, flags};
use crate::part::{Cut, Line, Part, crossing_hash};
use crate::port::state;
use crate::routing::find_way;
use crate::span::Place;
use crate::wiring::{Row, Switch};
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
        let (switch, rows) = self.span.switch_at(number);
        let rows = if switch.ups > 0 { &rows[..] } else { &rows[..1] };
        if common.is_ordered {
            self.ordered_window(common, watcher, place, &switch, rows, cut);
        } else {
            self.window(common, watcher, place, &switch, rows, cut);
        }
    }

    /// When the next packet comes in at, or leaves, switch number `number`.
    pub(crate) fn earliest_at_switch(&self, number: u32) -> u64 {
        let (_, rows) = self.span.switch_at(number);
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
            self.span.switch_at(number).1.map(|row| (place, row))
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
            watcher.crossed(Time(now), link, &packet.packet());
            let way = match switch.out(header.usids) {
                Some(way) => Ok(way),
                None => find_way(common, &self.span, switch, header.usids, link, now),
            };
            match way {
                Ok((out, rest)) => {
                    assert!(came.len() < MOST_ARRIVALS, "windows are short enough for this");
                    lists[out as usize].push(keys.key(now, came.len() | class));
                    let packet = packet.with_usids(rest);
                    came.push(Came { packet, link });
                }
                Err(reason) => self.discard(watcher, link, &packet.packet(), now, reason),
            }
        }
        *T::incoming(&mut self.ports[at]) = list;
    }

    /// Reads ahead what the ports that follow port `i` will need in [`gather`](Self::gather).
    #[inline(always)]
    pub(crate) fn expect_gather(&self, row: &Row, i: u32) {
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
                far: switch.far(common, &self.span, self.number(), row.kind, i),
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
            let far = switch.far(common, &self.span, self.number(), row.kind, i + 2 * AHEAD);
            if far.part == self.number() {
                prefetch(&self.ports[far.port as usize].free_at);
            }
        }
        if i + AHEAD < row.count {
            let far = switch.far(common, &self.span, self.number(), row.kind, i + AHEAD);
            if far.part == self.number() {
                let there = &self.ports[far.port as usize];
                self.data.expect_push(there.data_in);
                self.control.expect_push(there.control_in);
            }
            self.data
                .expect_pop(self.ports[(row.port + i + AHEAD) as usize].data);
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
        // PAUSE frames stand for a state that is told again and again: see `pfc`.
        let state_in = if at_risk && packet.header().kind == PacketKind::Pause {
            state_in & !state::LOSSY_IN
        } else {
            state_in
        };
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

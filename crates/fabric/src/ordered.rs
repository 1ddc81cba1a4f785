//! Switches whose ports influence each other: lossless ones, and those that choose the least loaded uplink.
//!
//! Elsewhere a switch is worked off port after port ([`crate::switch`]). Here what came in by one port counts until it has left by
//! another one, and a packet may leave by the port that has the least to send just then. So everything that happens within a
//! window at any port is worked off in one order of time: packets that come in, and packets whose service ends. At the same picosecond
//! lines go first, as everywhere; among lines, and among arrivals, the rule of ties decides.
//!
//! Between switches nothing changes. A PAUSE frame is a packet like any other: it is sent within a window, and arrives no less than a link
//! delay after its service ended, which is in a later window or, at a NIC, later in this one (NICs are worked off after switches).
//! So what a neighbour does within the window does not depend on it, and the order in which switches are worked off does not
//! matter here either.

use crate::class::Class;
use crate::common::Common;
use crate::counters::DropReason;
use crate::hazards::is_damaged;
use crate::network::Observer;
use crate::order::{Keys, MOST_ARRIVALS};
use crate::packet::{Control, Data, PacketKind, flags};
use crate::part::{Cut, Far, Line, Part, crossing_hash};
use crate::port::state;
use crate::routing::{Routing, find_way};
use crate::span::Place;
use crate::wiring::{Row, Switch};
use core::cmp::Reverse;
use kernel::Time;
use kernel::rng::{draw, mix};
use std::collections::BinaryHeap;

// A link's draws for which of the least loaded ports a packet takes that came in by it, beside those of marking, trimming, hazards and
// spraying.
const TIE: u64 = 10;

// Marks the number of a packet as one of the control class.
const CONTROL: usize = MOST_ARRIVALS;

/// What happens at a switch within a window; kept from one to the next for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    // Arrivals, as keys; see [`Keys`].
    keys: Vec<u64>,
    data: Vec<Came<Data>>,
    control: Vec<Came<Control>>,
    // When lines become free that do so within the window: the time, and the key of the rule of ties for the link.
    ends: BinaryHeap<Reverse<(u64, u64)>>,
    // Where the switch's ports lead, by their numbers there.
    fars: Vec<Far>,
    // When the next thing happens after the window.
    next: u64,
}

/// A packet, the link that it came by, and the port there.
#[derive(Clone, Copy, Debug)]
struct Came<T> {
    packet: T,
    link: u32,
    port: u32,
}

/// A switch at work on a window.
struct Bench<'a> {
    common: &'a Common,
    switch: &'a Switch,
    rows: &'a [Row],
    cut: Cut,
}

impl<'a> Bench<'a> {
    /// The port with this number among the switch's own: its row, and its number in it.
    #[inline]
    fn port(&self, local: u32) -> (&'a Row, u32) {
        let row = &self.rows[usize::from(local >= self.rows[0].count)];
        (row, local - row.base)
    }

    /// The port with this number in the part, by its number among the switch's own.
    fn local(&self, port: u32) -> u32 {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| port.wrapping_sub(row.port) < row.count);
        row.map_or(0, |row| row.base + port - row.port)
    }

    /// The port that a link leaves by.
    #[inline]
    fn leaving_by(&self, link: u32) -> (&'a Row, u32) {
        let first = &self.rows[0];
        let number = link.wrapping_sub(first.out);
        if number < first.count {
            return (first, number);
        }
        let row = &self.rows[self.rows.len() - 1];
        (row, link - row.out)
    }

    /// A port's number in the part, and its line.
    #[inline]
    fn line(&self, fars: &[Far], (row, i): (&Row, u32)) -> (usize, Line<'a>) {
        let line = Line {
            link: row.out + i,
            class: self.common.config.class(row.kind),
            far: fars[(row.base + i) as usize],
        };
        ((row.port + i) as usize, line)
    }

    /// When and how a link's line becomes free at `at`, if it does so within the window.
    #[inline]
    fn end(&self, link: u32, at: u64) -> Option<Reverse<(u64, u64)>> {
        (at <= self.cut.at).then(|| Reverse((at, self.common.ties.key(Time(at), link))))
    }
}

impl Agenda {
    /// A port's number in the part, and its line, by its number among the switch's own.
    #[inline]
    fn line<'a>(&self, bench: &Bench<'a>, local: u32) -> (usize, Line<'a>) {
        bench.line(&self.fars, bench.port(local))
    }

    /// The line that `link` leaves by is busy until `at`, or free if that is `u64::MAX`.
    #[inline]
    fn expect_end(&mut self, bench: &Bench<'_>, link: u32, at: u64) {
        match bench.end(link, at) {
            Some(end) => self.ends.push(end),
            None => self.next = self.next.min(at),
        }
    }
}

impl Part {
    /// Works off a switch up to the cut, everything in order of time.
    #[inline(never)]
    pub(crate) fn ordered_window<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        place: Place,
        switch: &Switch,
        rows: &[Row],
        cut: Cut,
    ) {
        let bench = Bench {
            common,
            switch,
            rows,
            cut,
        };
        let mut agenda = core::mem::take(&mut self.agenda);
        self.set_up(watcher, &bench, &mut agenda);
        let times = Keys::until(cut.at);
        let mut keys = core::mem::take(&mut agenda.keys);
        times.sort(common, &mut keys, |item| {
            if item & CONTROL == 0 {
                agenda.data[item].link
            } else {
                agenda.control[item & !CONTROL].link
            }
        });
        for &key in &keys {
            let (now, item) = (times.at(key), Keys::item(key));
            self.serve_until(&bench, &mut agenda, now);
            if item & CONTROL == 0 {
                let came = agenda.data[item];
                self.forward_data(watcher, &bench, &mut agenda, came, now);
            } else {
                let came = agenda.control[item & !CONTROL];
                self.forward_control(watcher, &bench, &mut agenda, came, now);
            }
        }
        self.serve_until(&bench, &mut agenda, cut.at);
        agenda.keys = keys;
        self.due[place as usize] = agenda.next;
        self.agenda = agenda;
    }

    /// Takes what came in at all ports, and notes which lines become free.
    fn set_up<O: Observer>(&mut self, watcher: &mut O, bench: &Bench<'_>, agenda: &mut Agenda) {
        agenda.keys.clear();
        agenda.data.clear();
        agenda.control.clear();
        agenda.fars.clear();
        agenda.next = u64::MAX;
        debug_assert!(agenda.ends.is_empty());
        for row in bench.rows {
            for i in 0..row.count {
                if bench.common.reads_ahead {
                    self.expect_gather(row, i);
                }
                let far = bench
                    .switch
                    .far(bench.common, &self.span, self.number(), row.kind, i);
                agenda.fars.push(far);
                let at = row.port + i;
                let free_at = self.ports[at as usize].service_ends();
                agenda.expect_end(bench, row.out + i, free_at);
                let link = row.into + i * row.step;
                let Agenda {
                    keys,
                    data,
                    control,
                    next,
                    ..
                } = agenda;
                let later = [
                    self.take_all(watcher, bench, at, link, data, keys, 0),
                    self.take_all(watcher, bench, at, link, control, keys, CONTROL),
                ];
                *next = later.into_iter().fold(*next, u64::min);
            }
        }
    }

    /// Takes the packets of a class that came in at a port. Returns when the next one does.
    #[expect(
        clippy::too_many_arguments,
        reason = "the inner loop of `set_up`, once for each class"
    )]
    fn take_all<T: Class, O: Observer>(
        &mut self,
        watcher: &mut O,
        bench: &Bench<'_>,
        port: u32,
        link: u32,
        came: &mut Vec<Came<T>>,
        keys: &mut Vec<u64>,
        class: usize,
    ) -> u64 {
        let Bench { common, cut, .. } = *bench;
        let times = Keys::until(cut.at);
        let state_in = self.ports[port as usize].state_in();
        let mut list = *T::incoming(&mut self.ports[port as usize]);
        let later = loop {
            let (now, packet) = match T::pop_if(self, &mut list, |at| cut.admits(common, at, link)) {
                Ok(taken) => taken,
                Err(later) => break later,
            };
            if self.is_lost(common, watcher, link, state_in, &packet, now) {
                continue;
            }
            self.crossed(1, crossing_hash(now, link, &packet.header()));
            watcher.crossed(Time(now), link, &packet.packet());
            assert!(came.len() < MOST_ARRIVALS, "windows are short enough for this");
            keys.push(times.key(now, came.len() | class));
            came.push(Came { packet, link, port });
        };
        *T::incoming(&mut self.ports[port as usize]) = list;
        later
    }

    /// Works off the lines up to and including `to`.
    fn serve_until(&mut self, bench: &Bench<'_>, agenda: &mut Agenda, to: u64) {
        while let Some(&Reverse((now, key))) = agenda.ends.peek()
            && now <= to
        {
            let (at, line) = bench.line(&agenda.fars, bench.leaving_by(key as u32));
            let mut port = self.ports[at];
            let was_data = !port.is(state::SERVING_CONTROL);
            self.end_service(bench.common, &mut port, &line);
            let news = if was_data {
                self.has_left(bench.common, at, port.serving)
            } else {
                None
            };
            self.start_next(bench.common, at, &mut port, &line, now);
            self.ports[at] = port;
            match bench.end(line.link, port.service_ends()) {
                // In one step: it is the earliest.
                Some(end) => {
                    if let Some(mut first) = agenda.ends.peek_mut() {
                        *first = end;
                    }
                }
                None => {
                    agenda.ends.pop();
                    agenda.next = agenda.next.min(port.service_ends());
                }
            }
            if let Some(from) = news {
                self.go_on(bench, agenda, bench.local(from), now);
            }
        }
    }

    /// If a port's line is free at `now`, what may go next starts.
    fn go_on(&mut self, bench: &Bench<'_>, agenda: &mut Agenda, local: u32, now: u64) {
        let (at, line) = agenda.line(bench, local);
        if !self.ports[at].is(state::BUSY) {
            self.set_off(bench.common, at, &line, now);
            agenda.expect_end(bench, line.link, self.ports[at].service_ends());
        }
    }

    /// A data packet came in.
    fn forward_data<O: Observer>(
        &mut self,
        watcher: &mut O,
        bench: &Bench<'_>,
        agenda: &mut Agenda,
        came: Came<Data>,
        now: u64,
    ) {
        let Bench { common, .. } = *bench;
        let Came {
            mut packet,
            link,
            port,
        } = came;
        self.may_damage(bench, link, now, &mut packet.flags);
        let way = if common.config.routing == Routing::Adaptive {
            self.least_loaded(bench, packet.usids, link, now)
        } else {
            self.way(bench, packet.usids, link, now)
        };
        let (local, rest) = match way {
            Ok(way) => way,
            Err(reason) => return self.discard(watcher, link, &packet.packet(), now, reason),
        };
        let (at, line) = agenda.line(bench, local);
        let mut was_busy = self.ports[at].is(state::BUSY);
        if common.config.pfc.is_none() {
            let mut port = self.ports[at];
            let packet = packet.with_usids(rest);
            self.enqueue_data(common, watcher, &mut port, &line, packet, now);
            self.ports[at] = port;
        } else if self.ports[at].is(state::DOWN) {
            return self.discard(watcher, line.link, &packet.packet(), now, DropReason::LinkDown);
        } else {
            let has_room = self.admit(common, port, packet.size);
            if self.has_news(port) {
                self.go_on(bench, agenda, bench.local(port), now);
            }
            if !has_room {
                return self.discard(watcher, link, &packet.packet(), now, DropReason::Headroom);
            }
            // A packet may leave by the cable that it came by.
            was_busy = self.ports[at].is(state::BUSY);
            self.enqueue_lossless(at, &line, packet.with_usids(rest), port, now);
        }
        if !was_busy {
            agenda.expect_end(bench, line.link, self.ports[at].service_ends());
        }
    }

    /// A packet of the control class came in.
    fn forward_control<O: Observer>(
        &mut self,
        watcher: &mut O,
        bench: &Bench<'_>,
        agenda: &mut Agenda,
        came: Came<Control>,
        now: u64,
    ) {
        let Came {
            mut packet,
            link,
            port,
        } = came;
        if packet.kind == PacketKind::Pause {
            self.counters.delivered += 1;
            let local = bench.local(port);
            let (at, line) = agenda.line(bench, local);
            self.heed(watcher, at, line.link, packet.psn > 0, now);
            return self.go_on(bench, agenda, local, now);
        }
        self.may_damage(bench, link, now, &mut packet.flags);
        let (local, rest) = match self.way(bench, packet.usids, link, now) {
            Ok(way) => way,
            Err(reason) => return self.discard(watcher, link, &packet.packet(), now, reason),
        };
        let (at, line) = agenda.line(bench, local);
        let mut port = self.ports[at];
        let was_busy = port.is(state::BUSY);
        self.enqueue_control(watcher, &mut port, &line, packet.with_usids(rest), now);
        self.ports[at] = port;
        if !was_busy {
            agenda.expect_end(bench, line.link, port.service_ends());
        }
    }

    /// The port, among the switch's own, by which a packet leaves that came in over `link`, and its container then.
    fn way(&self, bench: &Bench<'_>, container: u64, link: u32, now: u64) -> Result<(u32, u64), DropReason> {
        let Bench { common, switch, .. } = *bench;
        match switch.out(container) {
            Some(way) => Ok(way),
            None => find_way(common, &self.span, switch, container, link, now),
        }
    }

    /// The same with [adaptive routing](Routing::Adaptive): of all that lead there, the port with the fewest bytes of data, those of the
    /// packet in service included; among equals a draw decides.
    fn least_loaded(
        &self,
        bench: &Bench<'_>,
        container: u64,
        link: u32,
        now: u64,
    ) -> Result<(u32, u64), DropReason> {
        let Bench { common, switch, .. } = *bench;
        if let Some(way) = switch.out(container) {
            return Ok(way);
        }
        let hops = switch.hops(common, &self.span, container, link)?;
        let bits = draw(common.port_key(link) ^ TIE, now);
        let load = |&local: &u32| {
            let (row, i) = bench.port(local);
            let bytes = self.ports[(row.port + i) as usize].data_bytes;
            (bytes, mix(bits ^ u64::from(local)))
        };
        let port = hops.ports().min_by_key(load).ok_or(DropReason::NoRoute)?;
        Ok((port, hops.rest))
    }

    /// The switch may damage a packet that came in over `link` at `now`.
    fn may_damage(&self, bench: &Bench<'_>, link: u32, now: u64, bits: &mut u8) {
        let hazards = &bench.common.hazards;
        if hazards.are_in_switches()
            && is_damaged(
                bench.common.port_key(link),
                now,
                hazards.in_switch(bench.switch.usid),
            )
        {
            *bits |= flags::CORRUPT;
        }
    }
}

//! The NICs at work: packets in, packets out, timers.
//!
//! A NIC pulls: when a port's line becomes free, the QPs are asked in turn for a packet. Like the switches' ports this
//! is replayed lazily, port by port in the order of time, before anything else changes at the NIC (see
//! `fabric::port` for why that is exact).

mod credit;
mod mrc;
mod roce;

use crate::endpoint::Poll;
use crate::observer::Observer;
use crate::side::{About, Conn, Event, Shared, Side};
use ::mrc::NackReason;
use fabric::packet::flags;
use fabric::port::state;
use fabric::{Common, Cut, Packet, PacketKind, Part, Way};
use kernel::Time;
use kernel::rng::{chance, draw};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// One NIC.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nic {
    // When the packet in service leaves each port, in ps.
    free_at: [u64; ::mrc::evs::MAX_PLANES],
    // Bit p: a packet is in service at the port of plane p.
    busy: u8,
    // Bit p: the port of plane p takes no further data packet now.
    full: u8,
    // Senders that may have something to send, in turn, by their place in the side's list.
    ready: VecDeque<u32>,
    /// Data packets that it refuses.
    pub refuses: Option<Refuses>,
    // Hands out receiver credit, where there is such a thing; and when it does next.
    pacer: ::mrc::rccc::Pacer,
    grants_at: Option<Time>,
}

/// Which data packets a NIC refuses, and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refuses {
    /// With which probability; see [`kernel::rng::threshold`].
    pub threshold: u64,
    pub reason: NackReason,
}

impl Refuses {
    fn applies_to(self, key: u64, packet: &Packet) -> bool {
        let what = u64::from(packet.conn) << 32 | u64::from(packet.psn);
        !packet.has(flags::TRIMMED) && chance(draw(key ^ what, packet.sent), self.threshold)
    }
}

/// A part of the run at work on one window.
pub(crate) struct Turn<'a, O: Observer> {
    pub shared: &'a Shared,
    pub common: &'a Common,
    pub part: &'a mut Part,
    pub side: &'a mut Side,
    pub watcher: &'a mut O,
    pub cut: Cut,
}

impl<O: Observer> Turn<'_, O> {
    /// Works off every switch and then every NIC of the part, from number `from` of them on; about as many events as `budget`
    /// says. Returns with which number to go on, if any are left. In this order it does not matter how short the links to
    /// the NICs are.
    pub fn window(&mut self, from: u32, budget: u64) -> Option<u32> {
        let switches = self.part.switch_count();
        let enough = self.part.packet_hops().saturating_add(budget);
        for number in from..switches {
            self.part
                .work_off_switch(self.common, self.watcher, number, self.cut);
            if self.part.packet_hops() >= enough {
                return Some(number + 1);
            }
        }
        let nics = self.part.span().nics();
        let from = from.max(switches);
        if from == switches {
            while let Some((nic, at, key)) = self.next_timer() {
                self.side.due.push((nic, at, key));
            }
            // The last one is taken first.
            self.side.due.sort_unstable_by(|a, b| b.cmp(a));
        }
        for nic in nics.start + (from - switches)..nics.end {
            self.part.expect_nics(self.common, nic);
            while let Some((_, at, key)) = self.side.due.pop_if(|due| due.0 == nic) {
                self.side.agenda.push(Reverse((at, key)));
            }
            if self.part.nic_due(nic) <= self.cut.at || !self.side.agenda.is_empty() {
                self.nic(nic);
            }
            if self.part.packet_hops() >= enough && nic + 1 < nics.end {
                return Some(switches + (nic + 1 - nics.start));
            }
        }
        None
    }

    /// Takes the next timer before the cut: its NIC, time and tie key.
    pub fn next_timer(&mut self) -> Option<(u32, u64, u64)> {
        let (at, key) = self.side.timers.peek_key()?;
        if at.0 > self.cut.at || at.0 == self.cut.at && key > self.cut.key {
            return None;
        }
        let (_, object) = self.side.timers.pop()?;
        Some((self.shared.nic_of(object), at.0, key))
    }

    /// Works off one NIC: what came in, and the timers on the agenda, in order of time.
    pub fn nic(&mut self, nic: u32) {
        let mut inbox = core::mem::take(&mut self.side.inbox);
        self.part
            .take_in(self.common, self.watcher, nic, self.cut, &mut inbox);
        let mut next = 0;
        loop {
            // Lines first: one that becomes free may set a timer that comes before everything that was known of.
            let arrival = inbox.when(next);
            self.settle_nic(nic, Time(arrival.map_or(self.cut.at, |(at, _)| at)));
            let timer = self.side.agenda.peek().map(|&Reverse(timer)| timer);
            let timer_first = match (arrival, timer) {
                (None, None) => break,
                (Some(_), None) => false,
                (None, Some(_)) => true,
                (Some((at, link)), Some((due, key))) => {
                    due < at || due == at && key < self.common.ties.key(Time(at), link)
                }
            };
            if timer_first {
                let Some(Reverse((at, key))) = self.side.agenda.pop() else {
                    break;
                };
                self.side.events += 1;
                match self.shared.about(key as u32) {
                    About::Conn(conn, Event::Start) => self.release(conn, nic, Time(at)),
                    About::Conn(conn, Event::Timer) => self.timer(conn, nic, Time(at)),
                    About::Conn(conn, Event::Responder) => self.responder_timer(conn, nic, Time(at)),
                    About::Conn(conn, Event::Pace) => self.pace(conn, nic, Time(at)),
                    About::Agent(nic) => self.probe(nic, Time(at)),
                    About::Pacer(nic) => self.pacer_timer(nic, Time(at)),
                }
            } else if let Some((at, link)) = arrival {
                self.receive(nic, link, inbox.packet(next), Time(at));
                next += 1;
            }
        }
        self.part.note_nic(self.common, nic);
        self.side.inbox = inbox;
    }

    fn state(&mut self, nic: u32) -> &mut Nic {
        &mut self.side.nics[(nic - self.side.first_nic) as usize]
    }

    /// Replays a NIC's ports up to and including `now`, or to the next timer on the agenda if that comes first.
    #[inline]
    fn settle_nic(&mut self, nic: u32, now: Time) {
        loop {
            let timer = self.side.agenda.peek().map_or(u64::MAX, |&Reverse((at, _))| at);
            let state = self.state(nic);
            let (mut earliest, mut plane) = (u64::MAX, 0);
            let mut busy = state.busy;
            while busy != 0 {
                let p = busy.trailing_zeros();
                busy &= busy - 1;
                if state.free_at[p as usize] < earliest {
                    (earliest, plane) = (state.free_at[p as usize], p);
                }
            }
            if earliest > now.0.min(timer) {
                return;
            }
            self.part.serve_nic(self.common, plane, nic, earliest);
            self.note_port(nic, plane);
            self.pull(nic, Time(earliest));
        }
    }

    /// Copies what the NIC needs to know about one of its ports.
    #[inline]
    pub fn note_port(&mut self, nic: u32, plane: u32) {
        let port = self.part.nic_port(plane, nic);
        let (free_at, busy) = (port.free_at, port.is(state::BUSY));
        let full = if self.shared.one_waits {
            port.has_data_waiting() || port.is(state::PAUSED)
        } else {
            port.is(state::BUSY | state::PAUSED)
        };
        let state = self.state(nic);
        state.free_at[plane as usize] = free_at;
        state.busy = state.busy & !(1 << plane) | u8::from(busy) << plane;
        state.full = state.full & !(1 << plane) | u8::from(full) << plane;
    }

    /// Asks the QPs for packets as long as a port is free at `at` and one of them has something for it.
    #[inline]
    pub fn pull(&mut self, nic: u32, at: Time) {
        let number = (nic - self.side.first_nic) as usize;
        let mut blocked = 0;
        loop {
            let state = &mut self.side.nics[number];
            let free = !state.full & self.shared.plane_mask;
            if free == 0 || blocked == state.ready.len() {
                return;
            }
            let Some(&index) = state.ready.front() else { return };
            let sender = &mut self.side.senders[index as usize];
            match sender.requester.poll_transmit(self.shared, at.0, free) {
                Poll::Send(mut packet) => {
                    blocked = 0;
                    let conn = sender.conn;
                    let plane = self.shared.plane(packet.ev);
                    packet.usids = self.shared.container(&sender.way, plane, nic, conn, packet.ev);
                    if packet.has(flags::RTX) {
                        self.watcher.retransmitted(at, conn, packet.psn);
                    }
                    let link = self.common.config.clos.nic_up(plane, nic);
                    self.watcher.sent(at, link, &packet);
                    let free_at = self.part.send_data(self.common, plane, nic, &packet, at.0);
                    state.free_at[plane as usize] = free_at;
                    if state.busy >> plane & 1 == 1 || !self.shared.one_waits {
                        state.full |= 1 << plane;
                    }
                    state.busy |= 1 << plane;
                    if state.ready.len() > 1 {
                        state.ready.rotate_left(1);
                    }
                    if sender.timer == Time::MAX || sender.requester.may_be_due_earlier() {
                        self.rearm(index, at);
                    }
                }
                Poll::Blocked => {
                    blocked += 1;
                    state.ready.rotate_left(1);
                }
                Poll::Wait(until) => {
                    state.ready.pop_front();
                    sender.ready = false;
                    self.pace_until(index, Time(until));
                }
                Poll::Idle => {
                    state.ready.pop_front();
                    sender.ready = false;
                }
            }
        }
    }

    /// Puts a sender on its NIC's list and lets it send what it can.
    #[inline]
    fn wake(&mut self, index: u32, nic: u32, now: Time) {
        let sender = &mut self.side.senders[index as usize];
        if !sender.ready {
            sender.ready = true;
            self.state(nic).ready.push_back(index);
        }
        self.pull(nic, now);
    }

    /// Sends a control packet from `nic` by the path of the connection's EV `via`.
    fn send_control(&mut self, nic: u32, way: Way, mut packet: Packet, via: u16, now: Time) {
        let plane = self.shared.plane(via);
        packet.usids = self.shared.container(&way, plane, nic, packet.conn, via);
        let link = self.common.config.clos.nic_up(plane, nic);
        self.watcher.sent(now, link, &packet);
        self.part
            .send_control(self.common, self.watcher, plane, nic, &packet, now);
        self.note_port(nic, plane);
    }

    /// A NIC received a packet by a link. Its lines were served up to `now`, as for the following.
    #[inline]
    fn receive(&mut self, nic: u32, link: u32, packet: &Packet, now: Time) {
        let before = self.side.placed_bytes;
        match packet.kind {
            PacketKind::Data => self.data(nic, packet, now),
            PacketKind::Sack => self.receive_as_requester(nic, packet, now),
            _ if packet.is_to_responder() => self.receive_as_responder(nic, packet, now),
            PacketKind::MapperProbe => self.probe_is_back(nic, packet, now),
            PacketKind::Pause => self.heed_pause(nic, link, packet, now),
            _ => self.receive_as_requester(nic, packet, now),
        }
        let placed = (self.side.placed_bytes - before) as u32;
        self.watcher.received(now, link, packet, placed);
    }

    /// A PAUSE frame arrived: its port takes no data, or takes it again.
    #[cold]
    fn heed_pause(&mut self, nic: u32, link: u32, frame: &Packet, now: Time) {
        let plane = self.common.config.clos.describe(link).plane;
        self.part
            .pause_nic(self.common, self.watcher, plane, nic, frame, now);
        self.note_port(nic, plane);
        self.pull(nic, now);
    }

    /// A sender had an answer: `complete` messages were complete before it, and with `rearm` its deadline could be nearer then.
    #[inline]
    fn heard(&mut self, index: u32, nic: u32, now: Time, complete: u32, rearm: bool) {
        let sender = &mut self.side.senders[index as usize];
        let more = sender.requester.completed() - complete;
        if more > 0 {
            self.watcher.completed(now, sender.conn, more);
        }
        if sender.gate.is_some() {
            self.count_step(index, now);
        }
        if self.side.senders[index as usize].requester.is_finished() {
            self.complete(index, nic, now);
        } else {
            self.answered(index, nic, now, rearm);
        }
    }

    /// A sender learned something: it may send again, and its deadline may be nearer.
    #[inline]
    fn answered(&mut self, index: u32, nic: u32, now: Time, rearm: bool) {
        if rearm || self.side.senders[index as usize].requester.may_be_due_earlier() {
            self.rearm(index, now);
        }
        self.wake(index, nic, now);
    }

    /// All of a job's messages of this step may be complete at this sender.
    fn count_step(&mut self, index: u32, now: Time) {
        let sender = &mut self.side.senders[index as usize];
        let Some(gate) = &mut sender.gate else { return };
        if !gate.counted && gate.opened > 0 && sender.requester.completed() == gate.opened {
            gate.counted = true;
            let tally = &mut self.side.tallies[gate.work.job as usize];
            tally.done += 1;
            tally.last = tally.last.max(now.0 + self.shared.host_latency);
        }
    }

    /// A requester has nothing more to do: its messages are complete, or it is in ERROR.
    fn complete(&mut self, index: u32, nic: u32, now: Time) {
        let sender = &mut self.side.senders[index as usize];
        if sender.finished_at.is_some() || sender.failed_at.is_some() {
            return;
        }
        self.side.unfinished -= 1;
        if sender.requester.error().is_some() {
            sender.failed_at = Some(now);
            self.side.failed += 1;
            if let Some(gate) = &sender.gate {
                let tally = &mut self.side.tallies[gate.work.job as usize];
                tally.failed = Some(tally.failed.map_or(now.0, |at| at.min(now.0)));
            }
        } else {
            let done = now.saturating_add(Time(self.shared.host_latency));
            sender.finished_at = Some(done);
            self.watcher.finished(done, sender.conn);
        }
        // The NIC drops it from its list when it is asked next.
        self.wake(index, nic, now);
    }

    /// A flow stops because its job is given up.
    pub fn give_up(&mut self, conn: u32, now: Time) {
        let index = self.shared.conns[conn as usize].sender;
        let sender = &mut self.side.senders[index as usize];
        if sender.finished_at.is_some() || sender.failed_at.is_some() {
            return;
        }
        sender.requester.abort(self.watcher, now.0);
        sender.failed_at = Some(now);
        self.side.failed += 1;
        self.side.unfinished -= 1;
        if !sender.endangered {
            sender.endangered = true;
            self.side.endangered.push(conn);
        }
    }

    /// A connection that ends here has delivered more messages: so many before, and now. Messages of the flow that waits for
    /// them may be posted. Where a flow is spread over QPs, a message has come when all of them have delivered their shares of
    /// it, as a collective library waits for all parts of a chunk (our choice).
    fn feed(&mut self, from: Conn, nic: u32, (before, mut delivered): (u32, u32), now: Time) {
        let qps = from.first_qp..from.first_qp + from.qps;
        if from.qps > 1 {
            let shares = qps.clone().map(|conn| {
                let receiver = self.shared.conns[conn as usize].receiver;
                self.side.receivers[receiver as usize].responder.delivered()
            });
            delivered = shares.min().unwrap_or(delivered);
            if delivered <= before {
                return;
            }
        }
        for conn in qps {
            self.feed_one(self.shared.conns[conn as usize].feeds, nic, delivered, now);
        }
    }

    /// Messages of a connection that wait for `delivered` ones may be posted: once the application has seen those and posted its
    /// own.
    fn feed_one(&mut self, conn: u32, nic: u32, delivered: u32, now: Time) {
        let index = self.shared.conns[conn as usize].sender;
        let sender = &mut self.side.senders[index as usize];
        let at = Time(now.0 + 2 * self.shared.host_latency);
        sender.releases.push_back((at.0, 0, Some(delivered)));
        if at == now {
            self.release(conn, nic, now);
        } else {
            self.set_timer(at, self.shared.start_object(conn));
        }
    }

    /// Messages may be posted.
    fn release(&mut self, conn: u32, nic: u32, now: Time) {
        let index = self.shared.conns[conn as usize].sender;
        let sender = &mut self.side.senders[index as usize];
        sender.started = true;
        let mut messages = 0;
        while let Some((_, opened, received)) = sender.releases.pop_front_if(|release| release.0 <= now.0) {
            let Some(gate) = &mut sender.gate else {
                messages = opened;
                continue;
            };
            match received {
                Some(received) => gate.received = received,
                None => (gate.opened, gate.counted) = (opened, false),
            }
            messages = gate.postable();
        }
        if sender.requester.post(now.0, messages) {
            self.wake(index, nic, now);
            // Nothing else sets a timer for a sender that has no credit.
            if self.shared.mrc.rccc.is_some() {
                self.rearm(index, now);
            }
        }
    }

    fn timer(&mut self, conn: u32, nic: u32, now: Time) {
        let index = self.shared.conns[conn as usize].sender;
        let sender = &mut self.side.senders[index as usize];
        if sender.timer != now {
            return;
        }
        sender.timer = Time::MAX;
        let way = sender.way;
        let requester = &mut sender.requester;
        let Some(due) = requester.deadline(self.shared) else {
            return;
        };
        if due <= now.0 {
            let mut requests = core::mem::take(&mut self.side.requests);
            requester.on_timer(self.shared, self.watcher, now.0, &mut requests);
            if requester.is_finished() {
                requests.clear();
                self.side.requests = requests;
                return self.complete(index, nic, now);
            }
            for request in requests.drain(..) {
                self.send_control(nic, way, request, request.ev, now);
            }
            self.side.requests = requests;
        }
        self.rearm(index, now);
        self.wake(index, nic, now);
    }

    /// Sets a sender's timer when none is set or the deadline is nearer. A timer that is too early only looks again.
    pub fn rearm(&mut self, index: u32, now: Time) {
        let sender = &mut self.side.senders[index as usize];
        if sender.requester.may_give_up(self.shared) && !sender.endangered {
            sender.endangered = true;
            self.side.endangered.push(sender.conn);
        }
        let Some(due) = sender.requester.deadline(self.shared) else {
            return;
        };
        let due = Time(due).max(now);
        if due < sender.timer {
            sender.timer = due;
            let object = self.shared.object(sender.conn, Event::Timer);
            self.set_timer(due, object);
        }
    }

    /// Schedules an event at this NIC, within the window or beyond it.
    pub fn set_timer(&mut self, at: Time, object: u32) {
        let key = self.common.ties.key(at, object);
        if (at.0, key) <= (self.cut.at, self.cut.key) {
            self.side.agenda.push(Reverse((at.0, key)));
        } else {
            self.side.timers.push(at, object);
        }
    }
}

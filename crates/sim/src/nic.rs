//! The NICs at work: packets in, packets out, timers.
//!
//! A NIC pulls: when a port's line becomes free, the QPs are asked in turn for a packet. Like the switches' ports this
//! is replayed lazily, port by port in the order of time, before anything else changes at the NIC (see
//! `fabric::port` for why that is exact).

use crate::observer::Observer;
use crate::side::{Receiver, Shared, Side};
use fabric::packet::flags;
use fabric::port::state;
use fabric::{Common, Cut, Packet, PacketKind, Part, Way};
use kernel::Time;
use mrc::Poll;
use std::cmp::Reverse;
use std::collections::VecDeque;

/// One NIC.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nic {
    // When the packet in service leaves each port, in ps.
    free_at: [u64; mrc::evs::MAX_PLANES],
    // Bit p: a packet is in service at the port of plane p.
    busy: u8,
    // Senders that may have something to send, in turn, by their place in the side's list.
    ready: VecDeque<u32>,
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
        let (conn, _) = self.shared.conn_of(object);
        Some((self.shared.conns[conn as usize].src, at.0, key))
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
                let (conn, start) = self.shared.conn_of(key as u32);
                if start {
                    self.start(conn, nic, Time(at));
                } else {
                    self.timer(conn, nic, Time(at));
                }
            } else if let Some((at, _)) = arrival {
                self.receive(nic, inbox.packet(next), Time(at));
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
        let state = self.state(nic);
        state.free_at[plane as usize] = free_at;
        state.busy = state.busy & !(1 << plane) | u8::from(busy) << plane;
    }

    /// Asks the QPs for packets as long as a port is free at `at` and one of them has something for it.
    #[inline]
    pub fn pull(&mut self, nic: u32, at: Time) {
        let number = (nic - self.side.first_nic) as usize;
        let mut blocked = 0;
        loop {
            let state = &mut self.side.nics[number];
            let free = !state.busy & self.shared.plane_mask;
            if free == 0 || blocked == state.ready.len() {
                return;
            }
            let Some(&index) = state.ready.front() else { return };
            let sender = &mut self.side.senders[index as usize];
            match sender.requester.poll_transmit(&self.shared.mrc, at.0, free) {
                Poll::Send(mut packet) => {
                    blocked = 0;
                    let conn = sender.conn;
                    let (plane, t1) = (self.shared.plane(packet.ev), self.shared.t1(conn, packet.ev));
                    packet.usids = sender.way.usids(plane, t1);
                    if packet.has(flags::RTX) {
                        self.watcher.retransmitted(at, conn, packet.psn);
                    }
                    let free_at = self.part.send_data(self.common, plane, nic, &packet, at.0);
                    state.free_at[plane as usize] = free_at;
                    state.busy |= 1 << plane;
                    if state.ready.len() > 1 {
                        state.ready.rotate_left(1);
                    }
                    if sender.timer == Time::MAX || sender.requester.may_be_due_earlier() {
                        self.rearm(index, at);
                    }
                }
                Poll::Blocked(_) => {
                    blocked += 1;
                    state.ready.rotate_left(1);
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

    /// Sends a control packet (SACK, NACK, probe or answer) from `nic` by the path of the connection's `ev`.
    fn send_control(&mut self, nic: u32, way: Way, mut packet: Packet, now: Time) {
        let plane = self.shared.plane(packet.ev);
        let t1 = self.shared.t1(packet.conn, packet.ev);
        packet.usids = way.usids(plane, t1);
        self.part
            .send_control(self.common, self.watcher, plane, nic, &packet, now);
        self.note_port(nic, plane);
    }

    /// A NIC received a packet. Its lines were served up to `now`, as for the following.
    #[inline]
    fn receive(&mut self, nic: u32, packet: &Packet, now: Time) {
        let conn = self.shared.conns[packet.conn as usize];
        match packet.kind {
            PacketKind::Data => {
                let Receiver { responder, way } = &mut self.side.receivers[conn.receiver as usize];
                let way = *way;
                let before = responder.stats().placed_bytes;
                let reply = responder.on_data(&self.shared.mrc, packet);
                let placed = responder.stats().placed_bytes - before;
                if placed > 0 {
                    self.side.placed_bytes += placed;
                    self.side.unplaced -= usize::from(responder.is_complete());
                    let plane = self.shared.plane(packet.ev);
                    self.watcher.placed(now, packet.conn, plane, placed as u32);
                }
                if let Some(reply) = reply {
                    self.send_control(nic, way, reply, now);
                }
            }
            PacketKind::Probe => {
                let Receiver { responder, way } = &self.side.receivers[conn.receiver as usize];
                let way = *way;
                let reply = responder.on_probe(&self.shared.mrc, packet);
                self.send_control(nic, way, reply, now);
            }
            PacketKind::Sack => {
                let sender = &mut self.side.senders[conn.sender as usize];
                let rearm = sender.requester.may_be_due_earlier();
                sender
                    .requester
                    .on_sack(&self.shared.mrc, self.watcher, now.0, packet);
                if sender.requester.is_finished() {
                    self.complete(conn.sender, nic, now);
                } else {
                    self.answered(conn.sender, nic, now, rearm);
                }
            }
            PacketKind::Nack => {
                let sender = &mut self.side.senders[conn.sender as usize];
                sender
                    .requester
                    .on_nack(&self.shared.mrc, self.watcher, now.0, packet);
                self.answered(conn.sender, nic, now, false);
            }
            PacketKind::ProbeReply => {
                let sender = &mut self.side.senders[conn.sender as usize];
                sender
                    .requester
                    .on_probe_reply(&self.shared.mrc, self.watcher, now.0, packet);
                self.answered(conn.sender, nic, now, true);
            }
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

    fn complete(&mut self, index: u32, nic: u32, now: Time) {
        let sender = &mut self.side.senders[index as usize];
        if sender.finished_at.is_some() {
            return;
        }
        sender.finished_at = Some(now);
        self.watcher.finished(now, sender.conn);
        self.side.unfinished -= 1;
        // The NIC drops it from its list when it is asked next.
        self.wake(index, nic, now);
    }

    /// A message is posted.
    fn start(&mut self, conn: u32, nic: u32, now: Time) {
        let index = self.shared.conns[conn as usize].sender;
        self.side.senders[index as usize].started = true;
        self.wake(index, nic, now);
    }

    fn timer(&mut self, conn: u32, nic: u32, now: Time) {
        let index = self.shared.conns[conn as usize].sender;
        let sender = &mut self.side.senders[index as usize];
        if sender.timer != now {
            return;
        }
        sender.timer = Time::MAX;
        let way = sender.way;
        let requester = &mut self.side.senders[index as usize].requester;
        let Some(due) = requester.deadline(&self.shared.mrc) else {
            return;
        };
        if due <= now.0 {
            let mut probes = core::mem::take(&mut self.side.probes);
            requester.on_timer(&self.shared.mrc, self.watcher, now.0, &mut probes);
            for probe in probes.drain(..) {
                self.send_control(nic, way, probe, now);
            }
            self.side.probes = probes;
        }
        self.rearm(index, now);
        self.wake(index, nic, now);
    }

    /// Sets a sender's timer when none is set or the deadline is nearer. A timer that is too early only looks again.
    fn rearm(&mut self, index: u32, now: Time) {
        let sender = &mut self.side.senders[index as usize];
        let Some(due) = sender.requester.deadline(&self.shared.mrc) else {
            return;
        };
        let due = Time(due).max(now);
        if due < sender.timer {
            sender.timer = due;
            let object = self.shared.timer_object(sender.conn);
            let key = self.common.ties.key(due, object);
            if (due.0, key) <= (self.cut.at, self.cut.key) {
                self.side.agenda.push(Reverse((due.0, key)));
            } else {
                self.side.timers.push(due, object);
            }
        }
    }
}

//! Connections: segments in and out of both ends, timers, and waiting for room.

use crate::conn::{Conn, Pipe};
use crate::event::{End, Event};
use crate::metrics::{ConnectionResult, Counters, MAX_RESULTS};
use crate::packet::{Owner, Packet, TCP_HEADERS};
use crate::run::{Run, domain, place, side};
use crate::tcp::Segment;
use gft::{Direction, Headers, TcpFlags};
use kernel::Time;
use kernel::rng::key;
use scenario::host::From;
use std::collections::VecDeque;

/// A guest that stands still looks again after this; our choice.
const PAUSE_LOOK: Time = Time::from_ms(1);

/// What a new connection is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    pub traffic: u32,
    pub vm: u32,
    pub from: From,
    /// Headers of the guest's packets.
    pub out: Headers,
    /// Headers of the peer's packets, where the peer opens.
    pub back: Option<Headers>,
}

impl Run {
    /// Opens a connection: its client's SYN goes out. Beyond [`MOST_CONNECTIONS`](crate::MOST_CONNECTIONS) it is only counted.
    pub(crate) fn open(&mut self, opening: Opening) {
        if self.conns.len() >= self.bounds.connections {
            self.metrics.counters.not_begun += 1;
            return;
        }
        let (guest, peer) = Conn::ends(&self.tcp, opening.from);
        self.conn_serial += 1;
        let conn = self.conns.insert(Conn {
            serial: self.conn_serial,
            traffic: opening.traffic,
            vm: opening.vm,
            from: opening.from,
            guest,
            peer,
            out: opening.out,
            back: opening.back,
            pipes: [Pipe::default(); 2],
            timers: [Time::MAX; 2],
            blocked: [false; 2],
            in_backlog: false,
            verified: false,
            seen: [0; 2],
            awaited: 0,
            asked: self.now,
            done: 0,
            answered: false,
            begun: self.now,
            opened: None,
        });
        self.metrics.counters.connections[Counters::BEGUN] += 1;
        self.metrics.traffic[opening.traffic as usize].connections[Counters::BEGUN] += 1;
        let client = self.conns[conn].client();
        self.pump(conn, client);
    }

    /// Lets an end send all that it may.
    pub(crate) fn pump(&mut self, number: u32, end: End) {
        let now = self.now;
        let settings = self.tcp;
        self.vms[self.conns[number].vm as usize].vnics[place(end)].settle(now);
        let mut sent = false;
        loop {
            let conn = &self.conns[number];
            if conn.blocked[place(end)] {
                break;
            }
            if end == End::Guest && self.vms[conn.vm as usize].paused {
                break;
            }
            if !self.has_room(conn, end) {
                self.block(number, end, sent);
                break;
            }
            let conn = &mut self.conns[number];
            let again = conn.tcp(end).retransmissions();
            let Some(segment) = conn.tcp(end).poll(now, &settings) else {
                break;
            };
            let again = conn.tcp(end).retransmissions() - again;
            self.metrics.counters.retransmissions += u64::from(again);
            self.send_segment(number, end, segment);
            sent = true;
        }
        self.arm(number, end);
    }

    fn send_segment(&mut self, number: u32, end: End, segment: Segment) {
        let direction = match end {
            End::Guest => Direction::Out,
            End::Peer => Direction::In,
        };
        let now = self.now;
        let pipe_key = key(
            self.scenario.seed,
            domain::PIPES,
            u64::from(self.conns[number].serial) << 1 | side(direction) as u64,
        );
        let conn = &mut self.conns[number];
        let headers = match end {
            End::Guest => Some(conn.out),
            End::Peer => conn.back,
        };
        // A peer that has seen nothing has nothing to answer.
        let Some(headers) = headers else { return };
        let bits = conn.pipes[side(direction)].draw(now, pipe_key);
        let owner = Owner::Conn {
            conn: number,
            serial: conn.serial,
        };
        let headers = Headers {
            flags: segment.flags,
            ..headers
        };
        let mut packet = Packet::new(owner, conn.vm, direction, headers, TCP_HEADERS + segment.len, now);
        packet.segment = segment;
        packet.bits = bits;
        packet.verified = conn.verified;
        match end {
            End::Guest => self.guest_sends(packet),
            End::Peer => self.peer_sends(packet),
        }
    }

    /// An end waits for room: behind others if it has just had its turn, before them if not, so that nobody starves.
    fn block(&mut self, number: u32, end: End, had_turn: bool) {
        let enqueue = |waiting: &mut VecDeque<(u32, u32)>, who| {
            if had_turn {
                waiting.push_back(who);
            } else {
                waiting.push_front(who);
            }
        };
        let conn = &mut self.conns[number];
        conn.blocked[place(end)] = true;
        let (vm, who) = (conn.vm, (number, conn.serial));
        let vnic = &self.vms[vm as usize].vnics[place(end)];
        if !vnic.has_room(self.now) {
            let at = vnic.room_at();
            let vm_state = &mut self.vms[vm as usize];
            enqueue(&mut vm_state.waiting[place(end)], who);
            if !std::mem::replace(&mut vm_state.room_due[place(end)], true) {
                self.at(at, Event::Room { vm, end });
            }
        } else if let Some(core) = self.core_for_guest(&self.conns[number]) {
            enqueue(&mut self.cores[core as usize].blocked, who);
        }
    }

    /// A vNIC, or a VM's peers, have room again.
    pub(crate) fn room(&mut self, vm: u32, end: End) {
        let vm = &mut self.vms[vm as usize];
        vm.room_due[place(end)] = false;
        for (conn, serial) in std::mem::take(&mut vm.waiting[place(end)]) {
            self.unblock(conn, serial, end);
        }
    }

    /// An end that waited for room goes on.
    pub(crate) fn unblock(&mut self, number: u32, serial: u32, end: End) {
        if self.conn(number, serial).is_some() {
            self.conns[number].blocked[place(end)] = false;
            self.pump(number, end);
        }
    }

    /// A timer event for the end's next deadline.
    fn arm(&mut self, number: u32, end: End) {
        let conn = &mut self.conns[number];
        let deadline = conn.tcp(end).deadline();
        if deadline < conn.timers[place(end)] {
            conn.timers[place(end)] = deadline;
            let serial = conn.serial;
            let conn = number;
            self.at(deadline, Event::Timer { conn, serial, end });
        }
    }

    pub(crate) fn timer(&mut self, number: u32, serial: u32, end: End) {
        if self.conn(number, serial).is_none() || self.conns[number].timers[place(end)] != self.now {
            return;
        }
        let now = self.now;
        let settings = self.tcp;
        if end == End::Guest && self.vms[self.conns[number].vm as usize].paused {
            let again = now + PAUSE_LOOK;
            self.conns[number].timers[place(end)] = again;
            let conn = number;
            self.at(again, Event::Timer { conn, serial, end });
            return;
        }
        let conn = &mut self.conns[number];
        conn.timers[place(end)] = Time::MAX;
        if conn.tcp(end).deadline() <= now {
            conn.tcp(end).on_timer(now, &settings);
        }
        self.pump(number, end);
        self.over(number);
    }

    /// A segment has arrived at an end.
    pub(crate) fn conn_arrival(&mut self, number: u32, serial: u32, end: End, packet: &Packet) {
        if self.conn(number, serial).is_none() {
            return;
        }
        let now = self.now;
        let settings = self.tcp;
        let syn = packet.is_syn();
        if end == End::Peer {
            self.conns[number].back = Some(crate::path::answer_headers(&packet.headers));
            if packet.challenge {
                self.return_cookie(number);
                return;
            }
        } else if syn && !self.admit(number) {
            return;
        }
        let conn = &mut self.conns[number];
        let was_open = conn.tcp(end).is_open();
        conn.tcp(end).on_segment(now, &packet.segment, &settings);
        conn.tcp(end).note_close_order();
        if !was_open && end == conn.client() {
            // The SYN-ACK is acknowledged before the application knows.
            self.pump(number, end);
        }
        self.leave_backlog(number);
        self.progress(number, end);
        self.pump(number, end);
        self.over(number);
    }

    /// The guest's listener has a slot for the connection, or does without.
    fn admit(&mut self, number: u32) -> bool {
        let conn = &self.conns[number];
        if conn.in_backlog || conn.guest.is_open() {
            return true;
        }
        let now = self.now;
        let tcp = &self.scenario.host.tcp;
        let listener = &mut self.vms[conn.vm as usize].listener;
        listener.forget_old(now);
        if listener.half_open() < tcp.backlog {
            listener.connections += 1;
            self.conns[number].in_backlog = true;
            return true;
        }
        if self.scenario.host.defences.guest_syn_cookies {
            return true;
        }
        self.metrics.counters.backlog_overflows += 1;
        false
    }

    fn leave_backlog(&mut self, number: u32) {
        let conn = &mut self.conns[number];
        if conn.in_backlog && conn.guest.is_open() {
            conn.in_backlog = false;
            self.vms[conn.vm as usize].listener.connections -= 1;
        }
    }

    /// The peer returns the SmartNIC's cookie: its SYN is passed on this time.
    fn return_cookie(&mut self, number: u32) {
        let conn = &mut self.conns[number];
        if conn.verified || conn.peer.is_open() {
            return;
        }
        conn.verified = true;
        let syn = Segment {
            flags: TcpFlags::SYN,
            ..Segment::default()
        };
        self.send_segment(number, End::Peer, syn);
    }

    /// Takes a connection away that is over, and notes how it went.
    fn over(&mut self, number: u32) {
        let conn = &self.conns[number];
        let failure = conn.guest.failure().or(conn.peer.failure());
        if failure.is_none() && !(conn.guest.is_over() && conn.peer.is_over()) {
            return;
        }
        let conn = self.conns.remove(number);
        if conn.in_backlog {
            self.vms[conn.vm as usize].listener.connections -= 1;
        }
        let which = failure.map_or(Counters::CLOSED, Counters::failed);
        self.metrics.counters.connections[which] += 1;
        let result = &mut self.metrics.traffic[conn.traffic as usize];
        result.connections[which] += 1;
        if result.results.len() < MAX_RESULTS {
            result.results.push(ConnectionResult {
                begun: conn.begun,
                opened: conn.opened,
                over: self.now,
                failure,
            });
        }
        self.digest = kernel::rng::mix(self.digest ^ self.now.0 ^ (which as u64) << 56);
    }
}

//! The NICs: which QPs want to send, and when each port's line is free.
//!
//! A NIC pulls: when a port's line becomes free, the QPs are asked in turn for a packet. Like the switches' ports this
//! is replayed lazily, port by port in the order of time, before anything else changes at the NIC (see
//! `fabric::port` for why that is exact).

use crate::observer::Observer;
use crate::run::Sim;
use fabric::Packet;
use fabric::port::state;
use kernel::Time;
use mrc::Poll;
use std::collections::VecDeque;

/// One NIC.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nic {
    // When the packet in service leaves each port, in ps.
    free_at: [u64; mrc::evs::MAX_PLANES],
    // Bit p: a packet is in service at the port of plane p.
    busy: u8,
    // Connections that may have something to send, in turn.
    ready: VecDeque<u32>,
}

impl Nic {
    /// Reads what sending will need; see [`fabric::Network::warm`].
    #[inline]
    pub(crate) fn touch(&self) -> u32 {
        self.free_at[0] as u32 ^ self.ready.front().copied().unwrap_or(0)
    }
}

impl<O: Observer> Sim<O> {
    /// Replays a NIC's ports up to `now`.
    #[inline]
    pub(crate) fn settle_nic(&mut self, nic: u32, now: Time) {
        loop {
            let state = &self.nics[nic as usize];
            let (mut earliest, mut plane) = (now.0 + 1, 0);
            let mut busy = state.busy;
            while busy != 0 {
                let p = busy.trailing_zeros();
                busy &= busy - 1;
                if state.free_at[p as usize] < earliest {
                    (earliest, plane) = (state.free_at[p as usize], p);
                }
            }
            if earliest > now.0 {
                return;
            }
            let link = self.clos.nic_up(plane, nic);
            self.network.settle(link, Time(earliest));
            self.note_port(nic, plane, link);
            self.pull(nic, Time(earliest));
        }
    }

    /// Copies what the NIC needs to know about one of its ports.
    #[inline]
    pub(crate) fn note_port(&mut self, nic: u32, plane: u32, link: u32) {
        let port = self.network.port(link);
        let state = &mut self.nics[nic as usize];
        state.free_at[plane as usize] = port.free_at;
        if port.is(state::BUSY) {
            state.busy |= 1 << plane;
        } else {
            state.busy &= !(1 << plane);
        }
    }

    /// Asks the QPs for packets as long as a port is free at `at` and one of them has something for it.
    #[inline]
    pub(crate) fn pull(&mut self, nic: u32, at: Time) {
        let mut blocked = 0;
        loop {
            let state = &mut self.nics[nic as usize];
            let free = !state.busy & self.plane_mask;
            if free == 0 || blocked == state.ready.len() {
                return;
            }
            let Some(&index) = state.ready.front() else { return };
            let conn = &mut self.conns[index as usize];
            match conn.requester.poll_transmit(&self.mrc, at.0, free) {
                Poll::Send(mut packet) => {
                    blocked = 0;
                    let evs = conn.requester.evs();
                    let (plane, t1) = (evs.plane(packet.ev), evs.t1(packet.ev));
                    packet.usids = self.clos.path(conn.src, conn.dst, plane, t1);
                    if packet.has(fabric::packet::flags::RTX) {
                        self.watcher.retransmitted(at, index, packet.psn);
                    }
                    let link = self.clos.nic_up(plane, nic);
                    let free_at = self.network.send_data(&mut self.queue, link, packet, at);
                    let state = &mut self.nics[nic as usize];
                    state.free_at[plane as usize] = free_at.0;
                    state.busy |= 1 << plane;
                    if state.ready.len() > 1 {
                        state.ready.rotate_left(1);
                    }
                    self.arm(index);
                }
                Poll::Blocked(_) => {
                    blocked += 1;
                    state.ready.rotate_left(1);
                }
                Poll::Idle => {
                    state.ready.pop_front();
                    conn.ready = false;
                }
            }
        }
    }

    /// Puts a connection on its NIC's list and lets it send what it can.
    #[inline]
    pub(crate) fn wake(&mut self, index: u32, now: Time) {
        let conn = &mut self.conns[index as usize];
        let nic = conn.src;
        if !conn.ready {
            conn.ready = true;
            self.nics[nic as usize].ready.push_back(index);
        }
        self.pull(nic, now);
    }

    /// Sends a control packet (SACK, NACK, probe or answer) from `from` to `to` by the path of the connection's `ev`.
    pub(crate) fn send_control(&mut self, from: u32, to: u32, mut packet: Packet, now: Time) {
        let evs = self.conns[packet.conn as usize].requester.evs();
        let (plane, t1) = (evs.plane(packet.ev), evs.t1(packet.ev));
        packet.usids = self.clos.path(from, to, plane, t1);
        let link = self.clos.nic_up(plane, from);
        self.network
            .send_control(&mut self.queue, &mut self.watcher, link, packet, now);
        self.note_port(from, plane, link);
    }
}

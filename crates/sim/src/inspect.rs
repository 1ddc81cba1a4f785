//! Looking at a run: QPs, their EVs, and the packets in the fabric.

use crate::observer::Observer;
use crate::run::Sim;
pub use fabric::Whereabouts;
use fabric::packet::{Packet, PacketKind};
use fabric::{Way, usid};
use mrc::EvState;
use serde::Serialize;

/// One QP as its sender sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QpView {
    /// The flow's number in results.
    pub id: u64,
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
    /// Message bytes.
    pub bytes: u64,
    /// Message bytes placed at the receiver.
    pub placed_bytes: u64,
    /// Posting time, ps.
    pub start_ps: u64,
    /// Completion, ps; none while it runs.
    pub finished_ps: Option<u64>,
    /// The message has been posted.
    pub started: bool,
    /// Congestion window, wire bytes.
    pub cwnd: u64,
    /// Wire bytes in flight.
    pub in_flight: u64,
    /// Average queueing delay that the congestion control sees, ps.
    pub avg_delay_ps: f64,
    /// Lowest PSN not yet acknowledged.
    pub cack: u32,
    /// PSN of the next new packet.
    pub next_psn: u32,
    /// PSNs of the message.
    pub packets: u32,
    /// Packets waiting for retransmission.
    pub waiting_retransmissions: u32,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// NACKs that led to one.
    pub nacks: u64,
    /// Losses inferred without a NACK.
    pub losses: u64,
    /// EV probes sent.
    pub probes: u64,
}

/// One EV of a QP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvView {
    /// Index in the QP's set.
    pub ev: u16,
    /// Plane.
    pub plane: u32,
    /// The T1 that it goes through, or the T2 between pods (of no meaning between NICs of one T0).
    pub t1: u32,
    /// State.
    pub state: EvState,
}

impl<O: Observer> Sim<O> {
    /// How many QPs (flows) the run has.
    pub fn qp_count(&self) -> u32 {
        self.flows.len() as u32
    }

    /// One QP; `index` is below [`qp_count`](Self::qp_count).
    pub fn qp(&self, index: u32) -> QpView {
        let (flow, sender) = (&self.flows[index as usize], self.sender(index));
        let requester = &sender.requester;
        let stats = requester.stats();
        QpView {
            id: flow.id,
            src: flow.src,
            dst: flow.dst,
            bytes: flow.bytes,
            placed_bytes: self.receiver(index).stats().placed_bytes,
            start_ps: flow.start_ps,
            finished_ps: sender.finished_at.map(|t| t.0),
            started: sender.started,
            cwnd: requester.cc().cwnd(),
            in_flight: requester.in_flight(),
            avg_delay_ps: requester.cc().avg_delay(),
            cack: requester.cack(),
            next_psn: requester.next_psn(),
            packets: requester.packets(),
            waiting_retransmissions: requester.waiting_retransmissions(),
            retransmissions: stats.retransmissions,
            nacks: stats.nacks,
            losses: stats.losses_by_order + stats.losses_by_timeout,
            probes: stats.probes,
        }
    }

    /// The EVs of one QP in order.
    pub fn evs(&self, index: u32) -> impl Iterator<Item = EvView> + '_ {
        let evs = self.sender(index).requester.evs();
        let conn = *self.conn(index);
        (0..evs.len()).map(move |ev| EvView {
            ev,
            plane: evs.plane(ev),
            t1: usid::index(
                self.clos()
                    .turn(conn.src, conn.dst, evs.plane(ev), self.t1_of(index, ev)),
            ),
            state: evs.state(ev),
        })
    }

    /// Every packet that is on, or queued for, a directed link, in order of leaving, each with its
    /// [identity](Packet::identity). [`settle`](Self::settle) first.
    pub fn packets_on(&self, link: u32, mut visit: impl FnMut(u32, &Packet, Whereabouts)) {
        self.network.packets_on(link, |packet, whereabouts| {
            visit(packet.identity(), packet, whereabouts)
        });
    }

    /// The two NICs of a packet: who sent it, and to whom.
    pub fn endpoints(&self, packet: &Packet) -> (u32, u32) {
        let conn = self.conn(packet.conn);
        match packet.kind {
            PacketKind::Data | PacketKind::Probe => (conn.src, conn.dst),
            PacketKind::Sack | PacketKind::Nack | PacketKind::ProbeReply => (conn.dst, conn.src),
        }
    }

    /// The directed links that a packet crosses from NIC to NIC.
    pub fn path_of(&self, packet: &Packet) -> Vec<u32> {
        let (from, to) = self.endpoints(packet);
        let (plane, path) = (self.shared.plane(packet.ev), self.t1_of(packet.conn, packet.ev));
        let clos = self.clos();
        clos.links_along(from, Way::between(clos, from, to).usids(plane, path))
    }
}

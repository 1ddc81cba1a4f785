//! Looking at a run: QPs, their EVs, and the packets in the fabric.

mod roce;

pub use self::roce::RoceView;

use crate::endpoint::Requester;
use crate::observer::Observer;
use crate::run::Sim;
pub use fabric::Whereabouts;
use fabric::packet::{Packet, PacketKind};
use fabric::{LinkKind, Top, Way, path, usid};
use mrc::EvState;
use serde::Serialize;
use std::collections::BTreeSet;

/// One QP as its sender sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QpView {
    /// The flow's number in results.
    pub id: u64,
    /// Sending NIC.
    pub src: u32,
    /// Receiving NIC.
    pub dst: u32,
    /// Bytes of each message.
    pub bytes: u64,
    /// Message bytes placed at the receiver.
    pub placed_bytes: u64,
    /// Posting time, ps.
    pub start_ps: u64,
    /// Completion of all messages, ps; none while it runs.
    pub finished_ps: Option<u64>,
    /// Messages have been posted.
    pub started: bool,
    /// Congestion window, wire bytes; of RoCE the outstanding window, 0 where it has none.
    pub cwnd: u64,
    /// Rate that RoCE's congestion control allows, bit/s; none for MRC, which has a window.
    pub rate_bps: Option<u64>,
    /// Wire bytes in flight.
    pub in_flight: u64,
    /// Average queueing delay that the congestion control sees, ps.
    pub avg_delay_ps: f64,
    /// Lowest PSN not yet acknowledged.
    pub cack: u32,
    /// PSN of the next new packet.
    pub next_psn: u32,
    /// PSNs of all messages.
    pub packets: u32,
    /// Packets waiting for retransmission.
    pub waiting_retransmissions: u32,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// NACKs that led to one; of RoCE, NAKs.
    pub nacks: u64,
    /// Losses inferred without a NACK.
    pub losses: u64,
    /// EV probes sent.
    pub probes: u64,
    /// Reliability probes sent.
    pub ack_probes: u64,
    /// Congestion notifications received; RoCE's alone.
    pub cnps: u64,
    /// Messages of the flow.
    pub messages: u32,
    /// Posted so far.
    pub posted: u32,
    /// Complete.
    pub completed: u32,
    /// Why the QP is in ERROR, if it is.
    pub error: Option<&'static str>,
    /// When that happened, ps.
    pub failed_ps: Option<u64>,
    /// Timeouts in a row.
    pub timeouts_in_row: u32,
    /// How long the next one takes, ps; 0 where none comes.
    pub timeout_ps: u64,
    /// After how many in a row the QP goes to ERROR; none where it never does.
    pub most_timeouts: Option<u32>,
    /// Each message is a WRITE with immediate.
    pub immediate: bool,
    /// Planes without a port, here or at the peer: bit p for plane p.
    pub planes_down: u8,
}

/// One EV of a QP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvView {
    /// Index in the QP's set.
    pub ev: u16,
    /// Plane.
    pub plane: u32,
    /// The T1 that it goes through, or the T2 between pods (of no meaning between NICs of one T0, nor where switches choose anew for
    /// each packet).
    pub t1: u32,
    /// State.
    pub state: EvState,
    /// In rotation.
    pub active: bool,
    /// One of those that began in reserve.
    pub backup: bool,
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
        let view = QpView {
            id: flow.id,
            src: flow.src,
            dst: flow.dst,
            bytes: flow.bytes,
            placed_bytes: self.receiver(index).placed_bytes(),
            start_ps: flow.start_ps,
            finished_ps: sender.finished_at.map(|t| t.0),
            started: sender.started,
            cwnd: 0,
            rate_bps: None,
            in_flight: requester.in_flight(&self.shared),
            avg_delay_ps: 0.0,
            cack: requester.cack(),
            next_psn: requester.next_psn(),
            packets: requester.stream().packets(),
            waiting_retransmissions: 0,
            retransmissions: requester.retransmissions(),
            nacks: 0,
            losses: 0,
            probes: 0,
            ack_probes: 0,
            cnps: 0,
            messages: requester.stream().messages,
            posted: requester.posted(),
            completed: requester.completed(),
            error: requester.error(),
            failed_ps: sender.failed_at.map(|t| t.0),
            timeouts_in_row: requester.timeouts_in_row(),
            timeout_ps: requester.timeout(&self.shared).unwrap_or(0),
            most_timeouts: requester.most_timeouts(&self.shared),
            immediate: requester.stream().immediate,
            planes_down: 0,
        };
        match requester {
            Requester::Mrc(end) => {
                let stats = end.stats();
                QpView {
                    cwnd: end.cc().cwnd(),
                    avg_delay_ps: end.cc().avg_delay(),
                    waiting_retransmissions: end.waiting_retransmissions(),
                    nacks: stats.nacks,
                    losses: stats.losses_by_order + stats.losses_by_timeout,
                    probes: stats.probes,
                    ack_probes: stats.ack_probes,
                    planes_down: end.evs().planes_down(),
                    ..view
                }
            }
            Requester::Roce(end) => {
                let stats = end.stats();
                QpView {
                    cwnd: self.shared.roce.window.unwrap_or(0),
                    rate_bps: Some(end.rate(&self.shared.roce, self.now.0)),
                    nacks: stats.naks,
                    losses: stats.timeouts,
                    cnps: stats.cnps,
                    ..view
                }
            }
        }
    }

    /// The EVs of one QP in order; none where the protocol has none.
    pub fn evs(&self, index: u32) -> impl Iterator<Item = EvView> + '_ {
        let conn = *self.conn(index);
        let evs = self.sender(index).requester.mrc().map(|end| end.evs());
        evs.into_iter().flat_map(move |evs| {
            (0..evs.len()).map(move |ev| EvView {
                ev,
                plane: evs.plane(ev),
                t1: if self.shared.is_hashed {
                    self.turn_by_hash(index, evs.plane(ev), ev)
                } else {
                    let path = self.t1_of(index, ev);
                    usid::index(self.clos().turn(conn.src, conn.dst, evs.plane(ev), path))
                },
                state: evs.state(ev),
                active: evs.is_active(ev),
                backup: ev >= evs.slots(),
            })
        })
    }

    /// The switch where packets of an EV turn round, as switches choose now; 0 where they choose anew for each packet.
    fn turn_by_hash(&self, conn: u32, plane: u32, ev: u16) -> u32 {
        let src = self.conn(conn).src;
        let container = self.shared.hashed_container(plane, src, conn, ev);
        let links = self.network.links_along(src, container);
        let mut up = links.iter().rev().map(|&link| self.clos().describe(link));
        up.find(|end| matches!(end.kind, LinkKind::Up | LinkKind::CoreUp))
            .map_or(0, |end| end.upper)
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
        if let Some(nic) = packet.agent() {
            return (nic, nic);
        }
        let conn = self.conn(packet.conn);
        if packet.is_to_responder() {
            (conn.src, conn.dst)
        } else {
            (conn.dst, conn.src)
        }
    }

    /// Every directed link on which a packet of a connection may be that speaks of, or goes by, an EV: its path, and for answers,
    /// which go by ways of their own, those of all the connection's EVs in both directions.
    pub fn possible_links(&self, conn: u32, ev: u16) -> Vec<u32> {
        let ends = *self.conn(conn);
        let clos = self.clos();
        let own = self.shared.plane(ev);
        let mut links = Vec::new();
        // In another plane only where this one has no port.
        for plane in (0..clos.planes).map(|turn| (own + turn) % clos.planes) {
            let evs = self.evs(conn).filter(|ev| ev.plane == plane);
            let paths: BTreeSet<u32> = if self.shared.is_hashed {
                (0..clos.paths(ends.src, ends.dst)).collect()
            } else {
                evs.map(|ev| self.t1_of(conn, ev.ev)).collect()
            };
            let mut in_plane = BTreeSet::new();
            for (from, to) in [(ends.src, ends.dst), (ends.dst, ends.src)] {
                let way = Way::between(clos, from, to);
                for &path in &paths {
                    in_plane.extend(clos.links_along(from, way.usids(plane, path)));
                }
            }
            links.extend(in_plane);
        }
        links
    }

    /// Every directed link on which a probe of Clustermapper from a NIC may be; none where the fabric has no such NIC.
    pub fn probed_links(&self, nic: u32) -> Vec<u32> {
        let clos = self.clos();
        let mut links = Vec::new();
        if nic >= clos.nics() {
            return links;
        }
        let tops = [(Top::T1, clos.t1s_per_pod()), (Top::T2, clos.t2s)];
        for (top, count) in tops {
            let way = Way::round_trip(clos, nic, top);
            for plane in 0..clos.planes {
                let paths = (0..count).map(|path| way.usids(plane, path));
                links.extend(paths.flat_map(|usids| clos.links_along(nic, usids)));
            }
        }
        links.sort_unstable();
        links.dedup();
        links
    }

    /// The directed links that a packet which is on, or waits for, `link` crosses from NIC to NIC.
    pub fn path_of(&self, link: u32, packet: &Packet) -> Vec<u32> {
        let (from, _) = self.endpoints(packet);
        if packet.kind == PacketKind::Pause {
            return vec![link];
        }
        if let Some(container) = self.container_at_start(link, packet) {
            return self.clos().links_along(from, container);
        }
        // As far as switches have a fixed choice. Beyond, and where that has changed since, only where it is now is certain.
        let links = self.network.links_along(from, packet.usids);
        if links.contains(&link) { links } else { vec![link] }
    }

    /// The uSIDs with which a packet that is on, or waits for, `link` left its NIC: see [`path::expand`]. None where switches choose
    /// the path, and of a PAUSE frame.
    pub fn container_at_start(&self, link: u32, packet: &Packet) -> Option<u64> {
        let (from, to) = self.endpoints(packet);
        let clos = self.clos();
        if packet.kind == PacketKind::Pause {
            return None;
        }
        if packet.agent().is_some() {
            return Some(packet.bitmap);
        }
        if self.shared.is_hashed {
            return None;
        }
        let end = clos.describe(link);
        let plane = end.plane;
        // An answer need not go by the path of the EV that it speaks of. The packet's own uSIDs say by which it does, or the
        // link; on the last hop from a T1 nothing does any more, and a probe's or data packet's EV is as good as certain.
        let named = path::expand(clos, packet.usids);
        let number = match (path::t2(packet.usids), end.kind) {
            (Some(t2), _) => t2,
            (None, LinkKind::Up | LinkKind::Down) => end.upper % clos.t1s_per_pod(),
            (None, LinkKind::NicUp) => named
                .into_iter()
                .find(|&id| usid::tier(id) == usid::T1)
                .map_or(0, |id| usid::index(id) % clos.t1s_per_pod()),
            (None, _) => self.t1_of(packet.conn, packet.ev),
        };
        Some(Way::between(clos, from, to).usids(plane, number))
    }
}

//! The endpoints of one part of the fabric: NICs, and the ends of connections at them.

use crate::build;
use crate::nic::Nic;
use fabric::{Clos, Common, Inbox, Packet, Way};
use kernel::{EventQueue, QueueShape, Time};
use mrc::{Requester, Responder};
use scenario::{Flow, Scenario};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The two ends of a connection: NICs, and where their state is in their parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conn {
    pub src: u32,
    pub dst: u32,
    pub sender: u32,
    pub receiver: u32,
}

/// What all endpoints read and none changes.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub mrc: mrc::Config,
    pub conns: Vec<Conn>,
    pub plane_mask: u8,
    clos: Clos,
    evs: usize,
    // The path of each EV (see Way::usids), connection by connection.
    paths: Vec<u16>,
}

impl Shared {
    /// The number of the path that an EV of a connection names (see [`Way::usids`]): with two tiers that of its T1.
    #[inline]
    pub fn t1(&self, conn: u32, ev: u16) -> u32 {
        u32::from(self.paths[conn as usize * self.evs + ev as usize])
    }

    /// The plane of an EV.
    #[inline]
    pub fn plane(&self, ev: u16) -> u32 {
        if self.clos.planes.is_power_of_two() {
            u32::from(ev) & (self.clos.planes - 1)
        } else {
            u32::from(ev) % self.clos.planes
        }
    }

    /// The number of a connection's timer among events; see [`kernel::TieRule`].
    #[inline]
    pub fn timer_object(&self, conn: u32) -> u32 {
        self.clos.links() + 2 * conn
    }

    /// The number of the event that a connection's message is posted.
    pub fn start_object(&self, conn: u32) -> u32 {
        self.timer_object(conn) + 1
    }

    /// The connection of an event, and whether it is its start.
    #[inline]
    pub fn conn_of(&self, object: u32) -> (u32, bool) {
        let number = object - self.clos.links();
        (number / 2, number % 2 == 1)
    }
}

/// The sending end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    pub requester: Requester,
    pub conn: u32,
    pub way: Way,
    // On its NIC's list of those that may send.
    pub ready: bool,
    pub started: bool,
    // The time of the timer event that counts; earlier ones that fire are ignored.
    pub timer: Time,
    pub finished_at: Option<Time>,
}

/// The receiving end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Receiver {
    pub responder: Responder,
    /// Back to the sender.
    pub way: Way,
}

/// The endpoints of one part of the fabric.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub first_nic: u32,
    pub nics: Vec<Nic>,
    // By NIC, then by connection.
    pub senders: Vec<Sender>,
    pub receivers: Vec<Receiver>,
    // Timers and posted messages, by event number.
    pub timers: EventQueue,
    // Senders whose message is not completely acknowledged.
    pub unfinished: usize,
    // Receivers whose message is not completely placed.
    pub unplaced: usize,
    // Message bytes placed here.
    pub placed_bytes: u64,
    // Timers that fired and messages that were posted.
    pub events: u64,
    // Timers of the window under way: NIC, time, tie key.
    pub due: Vec<(u32, u64, u64)>,
    // Room, kept from one use to the next: what came in at a NIC, its own timers of the window, probes to be sent.
    pub inbox: Inbox,
    pub agenda: BinaryHeap<Reverse<(u64, u64)>>,
    pub probes: Vec<Packet>,
}

/// Makes the endpoints of every part, with the start of every message scheduled.
pub(crate) fn assemble(
    scenario: &Scenario,
    flows: &[Flow],
    mrc: mrc::Config,
    common: &Common,
) -> (Shared, Vec<Side>) {
    let clos = common.config.clos;
    let evs = scenario.transport.evs as usize;
    let mut paths = vec![0; flows.len() * evs];
    for ((conn, evs), flow) in paths.chunks_exact_mut(evs).enumerate().zip(flows) {
        build::ev_paths(scenario, &clos, conn as u32, clos.paths(flow.src, flow.dst), evs);
    }
    let mut conns: Vec<Conn> = flows
        .iter()
        .map(|flow| Conn {
            src: flow.src,
            dst: flow.dst,
            sender: 0,
            receiver: 0,
        })
        .collect();
    let part_of = |nic: u32| common.part_of_rack(clos.t0_of(nic));
    let shape = QueueShape::for_load(flows.len() as u64 / (mrc.rto / 1_000_000).max(1), Time(mrc.rto));
    let mut sides: Vec<Side> = common
        .spans
        .iter()
        .map(|span| Side {
            first_nic: span.nics().start,
            nics: vec![Nic::default(); span.nics().len()],
            senders: Vec::new(),
            receivers: Vec::new(),
            timers: EventQueue::new(scenario.seed, shape),
            unfinished: 0,
            unplaced: 0,
            placed_bytes: 0,
            events: 0,
            due: Vec::new(),
            inbox: Inbox::default(),
            agenda: BinaryHeap::new(),
            probes: Vec::new(),
        })
        .collect();
    // Neighbours in memory are neighbours in the fabric, whatever the order of the flows.
    let mut order: Vec<u32> = (0..flows.len() as u32).collect();
    order.sort_by_key(|&conn| conns[conn as usize].src);
    for &conn in &order {
        let flow = &flows[conn as usize];
        let side = &mut sides[part_of(flow.src)];
        conns[conn as usize].sender = side.senders.len() as u32;
        side.senders.push(Sender {
            requester: Requester::new(&mrc, conn, flow.bytes, build::evs(scenario, &clos, conn)),
            conn,
            way: Way::between(&clos, flow.src, flow.dst),
            ready: false,
            started: false,
            timer: Time::MAX,
            finished_at: None,
        });
        side.unfinished += 1;
    }
    order.sort_by_key(|&conn| conns[conn as usize].dst);
    for &conn in &order {
        let Conn { src, dst, .. } = conns[conn as usize];
        let side = &mut sides[part_of(dst)];
        conns[conn as usize].receiver = side.receivers.len() as u32;
        let packets = mrc::requester::packets_of(flows[conn as usize].bytes, mrc.pmtu).unwrap_or(0);
        side.receivers.push(Receiver {
            responder: Responder::new(packets),
            way: Way::between(&clos, dst, src),
        });
        side.unplaced += 1;
    }
    let shared = Shared {
        plane_mask: (0xffu16 >> (8 - clos.planes)) as u8,
        mrc,
        conns,
        clos,
        evs,
        paths,
    };
    for (conn, flow) in flows.iter().enumerate() {
        let object = shared.start_object(conn as u32);
        sides[part_of(flow.src)].timers.push(Time(flow.start_ps), object);
    }
    (shared, sides)
}

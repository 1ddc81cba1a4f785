//! The endpoints of one part of the fabric: NICs, and the ends of connections at them.

use crate::build;
use crate::endpoint::{Requester, Responder};
use crate::jobs::{Gate, Progress, Tally};
use crate::nic::Nic;
use fabric::{Clos, Common, Hashed, Inbox, Packet, Routing, Way};
use kernel::rng::draw;
use kernel::{EventQueue, QueueShape, Time};
use mapper::{Agent, Load, Loss, Plan};
use mrc::Reply;
use rdma::Stream;
use scenario::{Flow, Protocol, Scenario};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// No connection.
pub(crate) const NONE: u32 = u32::MAX;

/// The two ends of a connection: NICs, and where their state is in their parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conn {
    pub src: u32,
    pub dst: u32,
    pub sender: u32,
    pub receiver: u32,
    /// The connection that begins where this one ends and waits for its messages, or [`NONE`].
    pub feeds: u32,
    /// The first connection of its flow, and over how many the flow is spread: they follow one another.
    pub first_qp: u32,
    pub qps: u32,
}

/// What a timer event is about; each connection has one object of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A deadline of the requester.
    Timer,
    /// Messages may be posted.
    Start,
    /// A deadline of the responder.
    Responder,
    /// The pace of the requester lets it send again.
    Pace,
}

/// What an event in the queue is about: a connection's, or a NIC's agent of Clustermapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// A connection and its event.
    Conn(u32, Event),
    /// The NIC of an agent that has something to do.
    Agent(u32),
    /// The NIC of a pacer that hands out credit.
    Pacer(u32),
}

/// What all endpoints read and none changes.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub mrc: mrc::Config,
    pub roce: roce::Config,
    /// Clustermapper's schedule.
    pub plan: Option<Plan>,
    pub conns: Vec<Conn>,
    // A data packet may wait at a NIC's port for the one in service. With several planes taken in turn, a port that is held up
    // by a SACK would otherwise hold up all of them.
    pub one_waits: bool,
    pub plane_mask: u8,
    /// From posting to the first bit, and from the last acknowledgement to the completion, ps.
    pub host_latency: u64,
    /// Decides which packets a NIC refuses.
    pub refusal_key: u64,
    clos: Clos,
    // Numbers of events: those of connections begin after the links, those of agents after them, those of pacers at last.
    first_event: u32,
    first_agent: u32,
    evs: usize,
    // The path of each EV (see Way::usids), connection by connection; of no meaning where switches choose the paths, and
    // empty with RoCE.
    paths: Vec<u16>,
    /// Switches choose the paths.
    pub is_hashed: bool,
    hash_key: u64,
}

impl Shared {
    /// The number of the path that an EV of a connection names (see [`Way::usids`]): with two tiers that of its T1.
    #[inline]
    pub fn t1(&self, conn: u32, ev: u16) -> u32 {
        u32::from(self.paths[conn as usize * self.evs + ev as usize])
    }

    /// What takes a packet of a connection from `nic`, one of its ends, along `way` to the other one, in `plane`: the uSIDs of the
    /// path that `ev` names, or what switches hash.
    #[inline]
    pub fn container(&self, way: &Way, plane: u32, nic: u32, conn: u32, ev: u16) -> u64 {
        if self.is_hashed {
            return self.hashed_container(plane, nic, conn, ev);
        }
        way.usids(plane, self.t1(conn, ev))
    }

    /// Switches hash addresses and UDP ports, of which the source port stands for the EV.
    pub fn hashed_container(&self, plane: u32, nic: u32, conn: u32, ev: u16) -> u64 {
        let ends = &self.conns[conn as usize];
        let to = if ends.src == nic { ends.dst } else { ends.src };
        let hash = draw(self.hash_key, u64::from(conn) << 16 | u64::from(ev));
        Hashed::to(plane, to, (hash >> 32) as u32)
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

    /// The number of a connection's event of a kind; see [`kernel::TieRule`].
    #[inline]
    pub fn object(&self, conn: u32, event: Event) -> u32 {
        self.first_event + EVENT_KINDS * conn + event as u32
    }

    /// The number of the event that a connection's messages may be posted.
    pub fn start_object(&self, conn: u32) -> u32 {
        self.object(conn, Event::Start)
    }

    /// The number of the event that a NIC's agent has something to do. They follow those of the connections.
    pub fn agent_object(&self, nic: u32) -> u32 {
        self.first_agent + nic
    }

    /// The number of the event that a NIC's pacer hands out credit. They follow those of the agents.
    pub fn pacer_object(&self, nic: u32) -> u32 {
        self.first_agent + self.clos.nics() + nic
    }

    /// What an event is about.
    #[inline]
    pub fn about(&self, object: u32) -> About {
        if let Some(number) = object.checked_sub(self.first_agent) {
            return match number.checked_sub(self.clos.nics()) {
                None => About::Agent(number),
                Some(nic) => About::Pacer(nic),
            };
        }
        let number = object - self.first_event;
        let event = match number % EVENT_KINDS {
            0 => Event::Timer,
            1 => Event::Start,
            2 => Event::Responder,
            _ => Event::Pace,
        };
        About::Conn(number / EVENT_KINDS, event)
    }

    /// The NIC at which an event happens.
    #[inline]
    pub fn nic_of(&self, object: u32) -> u32 {
        match self.about(object) {
            About::Agent(nic) | About::Pacer(nic) => nic,
            About::Conn(conn, Event::Responder) => self.conns[conn as usize].dst,
            About::Conn(conn, _) => self.conns[conn as usize].src,
        }
    }
}

const EVENT_KINDS: u32 = 4;

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
    // Likewise that at which its pace lets it send again.
    pub paced: Time,
    pub finished_at: Option<Time>,
    // The QP went to ERROR, or its job was given up.
    pub failed_at: Option<Time>,
    // On its side's list of those that may fail soon.
    pub endangered: bool,
    // A job's flow: what it waits for.
    pub gate: Option<Box<Gate>>,
    // Messages that may be posted from a time on (ps): steps that begin, and messages received here of the flow that it
    // waits for.
    pub releases: VecDeque<(u64, u32, Option<u32>)>,
}

/// The receiving end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Receiver {
    pub responder: Responder,
    /// Back to the sender.
    pub way: Way,
    // The time of the timer event that counts.
    pub timer: Time,
}

/// The endpoints of one part of the fabric.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub first_nic: u32,
    pub nics: Vec<Nic>,
    // By NIC, then by connection.
    pub senders: Vec<Sender>,
    pub receivers: Vec<Receiver>,
    // Clustermapper's, by NIC; and the probes that they have given up since the last round was judged.
    pub agents: Vec<Agent>,
    pub lost_probes: Vec<Loss>,
    // Timers and posted messages, by event number.
    pub timers: EventQueue,
    // Senders whose message is not completely acknowledged.
    pub unfinished: usize,
    // Receivers whose message is not completely placed.
    pub unplaced: usize,
    // Connections from here that are in ERROR or may be soon.
    pub endangered: Vec<u32>,
    // Connections from here that have failed.
    pub failed: usize,
    // By job.
    pub tallies: Vec<Tally>,
    // Message bytes placed here.
    pub placed_bytes: u64,
    // Timers that fired and messages that were posted.
    pub events: u64,
    // Timers of the window under way: NIC, time, tie key.
    pub due: Vec<(u32, u64, u64)>,
    // Room, kept from one use to the next: what came in at a NIC, its own timers of the window, requests, replies and
    // Clustermapper's probes to be sent.
    pub inbox: Inbox,
    pub agenda: BinaryHeap<Reverse<(u64, u64)>>,
    pub requests: Vec<Packet>,
    pub replies: Vec<Reply>,
    pub probes: Vec<mapper::Probe>,
}

/// What the endpoints go by.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub mrc: mrc::Config,
    pub roce: roce::Config,
    pub plan: Option<Plan>,
}

/// Makes the endpoints of every part, with the start of every message scheduled.
pub(crate) fn assemble(
    scenario: &Scenario,
    flows: &[Flow],
    jobs: &[Progress],
    settings: Settings,
    common: &Common,
) -> (Shared, Vec<Side>) {
    let Settings { mrc, roce, plan } = settings;
    let clos = common.config.clos;
    let is_roce = scenario.transport.protocol == Protocol::Roce;
    let (active, backups) = build::ev_count(scenario);
    let evs = usize::from(active + backups);
    let mut paths = if is_roce {
        Vec::new()
    } else {
        vec![0; flows.len() * evs]
    };
    for ((conn, evs), flow) in paths.chunks_exact_mut(evs).enumerate().zip(flows) {
        build::ev_paths(scenario, &clos, conn as u32, clos.paths(flow.src, flow.dst), evs);
    }
    let mut conns: Vec<Conn> = Vec::with_capacity(flows.len());
    for (conn, flow) in (0..).zip(flows) {
        conns.push(Conn {
            src: flow.src,
            dst: flow.dst,
            sender: 0,
            receiver: 0,
            feeds: NONE,
            first_qp: conn - flow.qp,
            qps: 0,
        });
        for qp in &mut conns[(conn - flow.qp) as usize..] {
            qp.qps = flow.qp + 1;
        }
    }
    for (conn, flow) in (0..).zip(flows) {
        if let Some(after) = flow.work.and_then(|work| work.after) {
            conns[after as usize].feeds = conn;
        }
    }
    let part_of = |nic: u32| common.part_of_rack(clos.t0_of(nic));
    let probes = plan.as_ref().map_or(0.0, |plan| Load::of(plan).of_fabric());
    let per_us = flows.len() as u64 / (mrc.rto / 1_000_000).max(1) + (probes / 1e6) as u64;
    let shape = QueueShape::for_load(per_us, Time(mrc.rto));
    let mut sides: Vec<Side> = common
        .spans
        .iter()
        .map(|span| Side {
            first_nic: span.nics().start,
            nics: vec![Nic::default(); span.nics().len()],
            senders: Vec::new(),
            receivers: Vec::new(),
            agents: plan.as_ref().map_or_else(Vec::new, |plan| {
                span.nics().map(|nic| Agent::new(plan, nic)).collect()
            }),
            lost_probes: Vec::new(),
            timers: EventQueue::new(scenario.seed, shape),
            unfinished: 0,
            unplaced: 0,
            endangered: Vec::new(),
            failed: 0,
            tallies: vec![Tally::default(); jobs.len()],
            placed_bytes: 0,
            events: 0,
            due: Vec::new(),
            inbox: Inbox::default(),
            agenda: BinaryHeap::new(),
            requests: Vec::new(),
            replies: Vec::new(),
            probes: Vec::new(),
        })
        .collect();
    let stream = |flow: &Flow| {
        Stream::new(flow.bytes, flow.messages as u32, flow.imm, mrc.pmtu).expect("sizes were checked")
    };
    // Neighbours in memory are neighbours in the fabric, whatever the order of the flows.
    let mut order: Vec<u32> = (0..flows.len() as u32).collect();
    order.sort_by_key(|&conn| conns[conn as usize].src);
    for &conn in &order {
        let flow = &flows[conn as usize];
        let side = &mut sides[part_of(flow.src)];
        conns[conn as usize].sender = side.senders.len() as u32;
        let requester = if is_roce {
            let port = build::source_port(scenario, conn);
            Requester::Roce(roce::Requester::new(&roce, conn, stream(flow), port))
        } else {
            let evs = build::evs(scenario, &clos, conn, mrc.ev_floor);
            Requester::Mrc(mrc::Requester::new(&mrc, conn, stream(flow), evs))
        };
        side.senders.push(Sender {
            requester,
            conn,
            way: Way::between(&clos, flow.src, flow.dst),
            ready: false,
            started: false,
            timer: Time::MAX,
            paced: Time::MAX,
            finished_at: None,
            failed_at: None,
            endangered: false,
            gate: flow.work.map(|work| Box::new(Gate::new(work))),
            releases: VecDeque::new(),
        });
        side.unfinished += 1;
    }
    order.sort_by_key(|&conn| conns[conn as usize].dst);
    for &conn in &order {
        let Conn { src, dst, .. } = conns[conn as usize];
        let side = &mut sides[part_of(dst)];
        conns[conn as usize].receiver = side.receivers.len() as u32;
        let stream = stream(&flows[conn as usize]);
        let responder = if is_roce {
            Responder::Roce(roce::Responder::new(&roce, stream))
        } else {
            let key = build::reverse_key(scenario, conn);
            Responder::Mrc(mrc::Responder::new(stream, clos.planes, evs as u16, key))
        };
        side.receivers.push(Receiver {
            responder,
            way: Way::between(&clos, dst, src),
            timer: Time::MAX,
        });
        side.unplaced += 1;
    }
    let host_latency = scenario.transport.host_latency.0;
    let shared = Shared {
        one_waits: clos.planes > 1,
        plane_mask: (0xffu16 >> (8 - clos.planes)) as u8,
        host_latency,
        refusal_key: kernel::rng::key(scenario.seed, 0x7265_6675, 0),
        is_hashed: common.config.routing != Routing::Source,
        hash_key: kernel::rng::key(scenario.seed, 0x6861_7368, 0),
        mrc,
        roce,
        plan,
        first_event: clos.links(),
        first_agent: clos.links() + EVENT_KINDS * conns.len() as u32,
        conns,
        clos,
        evs,
        paths,
    };
    for (conn, flow) in (0..).zip(flows) {
        // A job computes before it communicates for the first time.
        let (messages, compute) = match flow.work {
            Some(work) => (work.per_step, jobs[work.job as usize].job.compute_ps),
            None => (flow.messages as u32, 0),
        };
        let at = Time(flow.start_ps + compute + host_latency);
        let side = &mut sides[part_of(flow.src)];
        let sender = shared.conns[conn as usize].sender as usize;
        side.senders[sender].releases.push_back((at.0, messages, None));
        side.timers.push(at, shared.start_object(conn));
    }
    if let Some(plan) = &shared.plan {
        for side in &mut sides {
            for (agent, nic) in side.agents.iter().zip(side.first_nic..) {
                side.timers
                    .push(Time(agent.deadline(plan)), shared.agent_object(nic));
            }
        }
    }
    (shared, sides)
}

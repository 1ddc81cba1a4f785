//! The run itself: what it consists of, and how it goes on.

use crate::bounds::Bounds;
use crate::conn::Conn;
use crate::core::Core;
use crate::event::{Change, End, Event};
use crate::latency::LatencyModel;
use crate::line::Line;
use crate::loss::Loss;
use crate::metrics::{Metrics, Point};
use crate::netvsc::NetVsc;
use crate::packet::{Owner, Packet, Route};
use crate::slab::Slab;
use crate::software::{Reported, Told};
use crate::tcp;
use crate::traffic::{App, Listener};
use crate::vnic::Vnic;
use crate::walks::Walks;
use gft::{Address, Direction, Nic};
use kernel::rng::{key, mix};
use kernel::{EventQueue, Time};
use scenario::Problem;
use scenario::host::{HostEvent, HostScenario, NsgRule};
use std::collections::{BTreeMap, VecDeque};
use vfp::{CompiledPolicy, Port};

/// Domains of random numbers.
pub(crate) mod domain {
    pub const EVENTS: u64 = 0x686f_7301;
    pub const PIPES: u64 = 0x686f_7302;
    pub const TRAFFIC: u64 = 0x686f_7303;
    pub const PORT: u64 = 0x686f_7304;
    pub const NIC: u64 = 0x686f_7305;
    pub const CORES: u64 = 0x686f_7306;
    pub const HASH: u64 = 0x686f_7307;
}

/// Share of a core's queue that guests fill before their TCP has to wait: the rest is for what comes in.
pub(crate) const GUEST_SHARE: u32 = 2;
/// Time between two looks for old flows; our choice.
pub(crate) const EXPIRY: Time = Time::from_ms(10);

/// A VM with its devices and its VFP port.
#[derive(Clone, Debug)]
pub(crate) struct Vm {
    pub devices: NetVsc,
    pub port: Port,
    /// Its vNIC, and its peers'.
    pub vnics: [Vnic; 2],
    /// Connections that wait for room, guests' and peers'.
    pub waiting: [VecDeque<(u32, u32)>; 2],
    /// A [`Event::Room`] is due.
    pub room_due: [bool; 2],
    pub listener: Listener,
    pub paused: bool,
    /// When the port's lock is free: it is held while a flow is created.
    pub lock_free: Time,
    /// Provider address of the host that it is on.
    pub pa: Address,
    /// NSG rules added since the beginning.
    pub added: Vec<NsgRule>,
    /// What the NIC was told of its flows, by handle.
    pub told: BTreeMap<u32, Told>,
    /// Tokens of the policer and when they were counted.
    pub tokens: (f64, Time),
    /// The same of its exceptions.
    pub exception_tokens: (f64, Time),
}

/// One run of a host scenario, at some point of its time. It is a value: a clone goes on by itself, and both do the same.
#[derive(Clone, Debug)]
pub struct Run {
    pub(crate) scenario: HostScenario,
    pub(crate) tcp: tcp::Settings,
    pub(crate) now: Time,
    pub(crate) queue: EventQueue,
    pub(crate) events: Slab<Event>,
    /// What is done to the host, and how often at that time.
    pub(crate) changes: BTreeMap<(Time, Change), u32>,
    pub(crate) packets: Slab<Packet>,
    pub(crate) conns: Slab<Conn>,
    pub(crate) conn_serial: u32,
    pub(crate) bounds: Bounds,
    pub(crate) vms: Vec<Vm>,
    pub(crate) cores: Vec<Core>,
    pub(crate) outcomes: Vec<Option<crate::software::Outcome>>,
    pub(crate) nic: Nic,
    /// The NIC's clock is ahead by this: it was filled before the run began.
    pub(crate) nic_ahead: Time,
    /// By slot of the NIC's table.
    pub(crate) reported: Vec<Reported>,
    /// To the rack switch and from it.
    pub(crate) links: [Line; 2],
    pub(crate) wire_dead: u32,
    pub(crate) latency: [LatencyModel; 2],
    /// What of an idle path's latency the run itself spends, in hardware and in software.
    pub(crate) nominal: [Time; 2],
    pub(crate) apps: Vec<App>,
    pub(crate) source_tokens: BTreeMap<u32, (f64, Time)>,
    pub(crate) metrics: Metrics,
    /// What VFP said of the last packets, if somebody wants to know.
    pub(crate) walks: Option<Walks>,
    pub(crate) sample: Time,
    pub(crate) digest: u64,
    pub(crate) handled: u64,
    pub(crate) finished: bool,
}

impl Run {
    /// Puts something on the calendar.
    pub(crate) fn at(&mut self, time: Time, event: Event) {
        let slot = self.events.insert(event);
        self.queue.push(time.max(self.now), slot);
    }

    /// Puts a change of the host on the calendar.
    pub(crate) fn change_at(&mut self, time: Time, change: Change) {
        *self.changes.entry((time.max(self.now), change)).or_insert(0) += 1;
    }

    /// Works off everything up to `limit`, or the scenario's end if that is earlier.
    pub fn run_until(&mut self, limit: Time) {
        self.run_events(u64::MAX, limit);
    }

    /// Works off `most` events, or everything up to `limit` if that comes first. Returns how many there were.
    pub fn run_events(&mut self, most: u64, limit: Time) -> u64 {
        let end = Time(self.scenario.until.0);
        let limit = limit.min(end);
        let mut count = 0;
        while count < most {
            let change = self.changes.first_key_value().map(|(&key, _)| key);
            let change = change.filter(|&(time, _)| time <= limit);
            let before = match change {
                Some((Time(0), _)) => None,
                Some((time, _)) => self.queue.pop_until(Time(time.0 - 1)),
                None => self.queue.pop_until(limit),
            };
            match (before, change) {
                (None, Some((time, change))) => {
                    self.now = time;
                    // The same change may be due twice: two removals of one VF.
                    let twice = self.changes.remove(&(time, change)).filter(|&n| n > 1);
                    if let Some(n) = twice {
                        self.changes.insert((time, change), n - 1);
                    }
                    self.change(change);
                    count += 1;
                }
                (Some((time, slot)), _) => {
                    self.now = time;
                    let event = self.events.remove(slot);
                    self.handle(event);
                    count += 1;
                }
                (None, None) => {
                    self.now = self.now.max(limit);
                    if limit == end && !self.finished {
                        self.finished = true;
                        self.take_sample();
                    }
                    break;
                }
            }
        }
        self.handled += count;
        count
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::ToNic(packet) => self.nic_from_guest(packet),
            Event::ToCore(packet) => self.enqueue(packet),
            Event::CoreDone(core) => self.core_done(core),
            Event::ToLink(packet) => self.reaches_link(packet),
            Event::FromNetwork(packet) => self.reaches_last_link(packet),
            Event::FromLink(packet) => self.crossed_link(packet),
            Event::ToGuest(packet) => self.reaches_guest(packet),
            Event::ToPeer(packet) => self.reaches_peer(packet),
            Event::Timer { conn, serial, end } => self.timer(conn, serial, end),
            Event::Application { conn, serial } => self.application(conn, serial),
            Event::Room { vm, end } => self.room(vm, end),
            Event::Traffic(traffic) => self.traffic(traffic),
            Event::Replay { traffic, flow } => self.replay(traffic, flow),
            Event::Rdma { traffic, serial } => self.rdma_timer(traffic, serial),
            Event::Activate(entry) => {
                let now = self.nic_now();
                // None: it was taken out meanwhile.
                let _ = self.nic.activate(now, entry);
            }
            Event::Sample => {
                self.take_sample();
                let next = self.now + self.sample;
                self.at(next, Event::Sample);
            }
            Event::Expiry => self.expiry(),
            Event::Counters => self.poll_counters(),
        }
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Scenario(index) => self.scenario_event(index),
            Change::Vf { vm, step } => self.vf_step(vm, step),
            Change::WireDown => self.wire_down(),
            Change::WireBack => self.wire_back(),
            Change::ClearTables => self.clear_tables(),
            Change::Pause(vm) => self.pause(vm),
            Change::Resume { vm, carry_state } => self.resume(vm, carry_state),
        }
    }

    fn expiry(&mut self) {
        for vm in 0..self.vms.len() as u32 {
            let due = self.vms[vm as usize].port.next_expiry();
            if due.is_some_and(|due| due <= self.now) {
                self.look_for_old_flows(vm);
            }
        }
        let next = self.now + EXPIRY;
        self.at(next, Event::Expiry);
    }

    /// The NIC's clock: ahead of the run's where the NIC was filled before the run began.
    pub fn nic_now(&self) -> Time {
        self.now + self.nic_ahead
    }

    /// A packet is lost.
    pub(crate) fn lose(&mut self, packet: u32, why: Loss) {
        let packet = self.packets.remove(packet);
        self.metrics.counters.lost[why.number()] += 1;
        if let Some(traffic) = self.traffic_of(packet.owner) {
            self.metrics.traffic[traffic as usize].lost += 1;
        }
        self.note(0x10 + why.number() as u64, &packet);
        if let Owner::Attack { traffic, role } = packet.owner {
            self.attack_stopped(traffic, role, why);
        }
        self.lost_packet(&packet);
    }

    /// Takes something into the digest.
    pub(crate) fn note(&mut self, kind: u64, packet: &Packet) {
        let tuple = &packet.headers.tuple;
        let who = (tuple.src.0 ^ tuple.dst.0.rotate_left(32)) as u64
            ^ u64::from(tuple.src_port) << 48
            ^ u64::from(tuple.dst_port) << 32;
        let what = mix(kind ^ packet.segment.seq << 8 ^ u64::from(packet.bytes) << 40);
        self.digest = mix(mix(self.digest ^ self.now.0) ^ mix(who) ^ what);
    }

    /// Which entry of the scenario's traffic a packet belongs to; none of a connection that is over.
    pub fn traffic_of(&self, owner: Owner) -> Option<u32> {
        match owner {
            Owner::Conn { conn, serial } => self.conn(conn, serial).map(|c| c.traffic),
            Owner::Datagram { traffic }
            | Owner::Flood { traffic }
            | Owner::Attack { traffic, .. }
            | Owner::Rdma { traffic, .. } => Some(traffic),
        }
    }

    /// The connection, if it is still the one that is meant.
    pub(crate) fn conn(&self, conn: u32, serial: u32) -> Option<&Conn> {
        self.conns.get(conn).filter(|c| c.serial == serial)
    }

    fn take_sample(&mut self) {
        let statistics = self.nic.tables().statistics();
        let lookups = [
            statistics.l1_cache_hits,
            statistics.l2_cache_hits,
            statistics.l3_cache_hits,
            statistics.miss,
        ];
        let point = Point {
            at: self.now,
            counters: self.metrics.counters,
            gauges: self.gauges(),
            lookups,
        };
        self.metrics.sample(point);
    }

    /// Puts another policy in force at a VM's port, as a controller would; every flow is reconciled with its next packet. It is no
    /// part of the scenario. False when there is no such VM.
    pub fn set_policy(&mut self, vm: u32, policy: CompiledPolicy) -> bool {
        let Some(state) = self.vms.get_mut(vm as usize) else {
            return false;
        };
        let generation = state.port.set_policy(policy);
        self.new_generation(vm, generation);
        true
    }

    /// Adds an event to the scenario that happens one picosecond from now, whatever time it names, so that the scenario tells of
    /// it and a run of it from the start does the same.
    ///
    /// # Errors
    /// What is wrong with the event; nothing has been changed then.
    pub fn inject(&mut self, event: &HostEvent) -> Result<(), Vec<Problem>> {
        let at = self.now + Time(1);
        let mut scenario = self.scenario.clone();
        scenario.events.push(event.at_time(scenario::Time(at.0)));
        scenario.validate()?;
        self.scenario = scenario;
        self.schedule_event(self.scenario.events.len() - 1);
        Ok(())
    }

    /// Latency that is left for guest, network and peer of a packet on `route` with these random bits.
    pub(crate) fn residual(&self, route: Route, bits: u64) -> Time {
        let path = usize::from(route != Route::Hardware);
        self.latency[path].draw(bits).saturating_sub(self.nominal[path])
    }
}

/// Which core serves a conversation: a hash that is the same both ways, with a key of the seed's.
pub(crate) fn core_of(seed: u64, tuple: &gft::Tuple, cores: u32) -> u32 {
    let both = (tuple.src.0 ^ tuple.dst.0) as u64 ^ u64::from(tuple.src_port ^ tuple.dst_port) << 40;
    kernel::rng::below(mix(key(seed, domain::CORES, both)), u64::from(cores)) as u32
}

/// Index of a direction in pairs: out, in.
pub(crate) const fn side(direction: Direction) -> usize {
    match direction {
        Direction::Out => 0,
        Direction::In => 1,
    }
}

/// Index of an end in pairs: guest, peer.
pub(crate) const fn place(end: End) -> usize {
    match end {
        End::Guest => 0,
        End::Peer => 1,
    }
}

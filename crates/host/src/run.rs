//! The run itself: what it consists of, and how far it goes.

use crate::addresses as at;
use crate::conn::Conn;
use crate::core::Core;
use crate::event::{Change, End, Event};
use crate::latency::LatencyModel;
use crate::line::Line;
use crate::loss::Loss;
use crate::metrics::{Counters, Gauges, Metrics, Point, TrafficResult};
use crate::netvsc::{DataPath, NetVsc};
use crate::packet::{Owner, Packet, Route};
use crate::policy;
use crate::slab::Slab;
use crate::software::{Reported, Told};
use crate::tcp;
use crate::traffic::{App, Listener};
use gft::{Address, Direction, Nic};
use kernel::rng::{key, mix};
use kernel::{EventQueue, QueueShape, Time};
use scenario::Problem;
use scenario::host::{HostEvent, HostScenario, NsgRule, Replacement, Software};
use std::collections::{BTreeMap, VecDeque};
use vfp::{CompiledPolicy, FlowClass, OffloadWhen, Port};

/// Domains of random numbers.
pub(crate) mod domain {
    pub const EVENTS: u64 = 0x686f_7301;
    pub const PIPES: u64 = 0x686f_7302;
    pub const TRAFFIC: u64 = 0x686f_7303;
    pub const PORT: u64 = 0x686f_7304;
    pub const NIC: u64 = 0x686f_7305;
    pub const CORES: u64 = 0x686f_7306;
}

/// What a vNIC may hold before its guest's TCP has to wait, in time at its rate, and at least this many bytes; our choice, of the
/// order of Linux's byte queue limits.
const VNIC_BUFFER: Time = Time::from_us(64);
const LEAST_VNIC_BUFFER: u64 = 16 << 10;
/// Share of a core's queue that guests fill before their TCP has to wait: the rest is for what comes in.
pub(crate) const GUEST_SHARE: u32 = 2;
/// Time between two looks for old flows; our choice.
const EXPIRY: Time = Time::from_ms(10);

/// Why a scenario can't be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The scenario is not valid.
    #[error("the scenario is not valid: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Invalid(Vec<Problem>),
    /// VFP can't have the policy.
    #[error("vms[{vm}].policy: {reason}")]
    Policy {
        /// Which VM.
        vm: usize,
        /// Why.
        reason: String,
    },
    /// The NIC can't be so.
    #[error("host.nic: {0}")]
    Nic(String),
}

/// A VM with its devices and its VFP port.
#[derive(Clone, Debug)]
pub(crate) struct Vm {
    pub devices: NetVsc,
    pub port: Port,
    /// What its vNIC may send, and what its peers may.
    pub lines: [Line; 2],
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
}

/// A TCP connection as it stands.
#[derive(Clone, Copy, Debug)]
pub struct Connection<'a> {
    /// Its number; numbers are used again.
    pub number: u32,
    /// Whose it is.
    pub vm: u32,
    /// Index in the scenario's traffic.
    pub traffic: u32,
    /// As the guest sees it.
    pub tuple: gft::Tuple,
    /// The guest's end.
    pub guest: &'a tcp::Tcp,
    /// The peer's end.
    pub peer: &'a tcp::Tcp,
    /// When its SYN was sent.
    pub begun: Time,
    /// When it was open for its client.
    pub opened: Option<Time>,
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
    pub(crate) sample: Time,
    pub(crate) digest: u64,
    pub(crate) handled: u64,
    pub(crate) finished: bool,
}

impl Run {
    /// Builds a run.
    ///
    /// # Errors
    /// When the scenario is not valid.
    pub fn new(scenario: &HostScenario) -> Result<Run, BuildError> {
        scenario.validate().map_err(BuildError::Invalid)?;
        let host = &scenario.host;
        let nic_config = nic_config(scenario);
        let nic = Nic::new(&nic_config).map_err(|e| BuildError::Nic(e.to_string()))?;
        let vms: Result<Vec<Vm>, BuildError> =
            (0..scenario.vms.len()).map(|vm| build_vm(scenario, vm)).collect();
        let tcp = tcp::Settings {
            mss: host.tcp.mss,
            window: host.tcp.window.0,
            initial_window: host.tcp.initial_window,
            min_rto: Time(host.tcp.min_rto.0),
            delayed_ack: Time(host.tcp.delayed_ack.0),
            syn_retries: host.tcp.syn_retries,
            retries: host.tcp.retries,
        };
        let link = Line::new(host.link_rate.0);
        let samples = scenario
            .host
            .sample
            .map_or(scenario.until.0 / 200, |sample| sample.0);
        let mut run = Run {
            tcp,
            now: Time::ZERO,
            queue: EventQueue::new(
                key(scenario.seed, domain::EVENTS, 0),
                QueueShape::for_load(20, Time::from_ms(1)),
            ),
            events: Slab::default(),
            changes: BTreeMap::new(),
            packets: Slab::default(),
            conns: Slab::default(),
            conn_serial: 0,
            vms: vms?,
            cores: vec![Core::default(); host.software.cores as usize],
            outcomes: vec![None; host.software.cores as usize],
            nic,
            nic_ahead: Time::ZERO,
            reported: Vec::new(),
            links: [link; 2],
            wire_dead: 0,
            latency: [
                LatencyModel::new(&host.latency.hardware),
                LatencyModel::new(&host.latency.software),
            ],
            nominal: nominal(&nic_config, &host.software, link),
            apps: App::all(scenario),
            source_tokens: BTreeMap::new(),
            metrics: Metrics {
                traffic: vec![TrafficResult::default(); scenario.traffic.len()],
                ..Metrics::default()
            },
            sample: Time(samples.max(1)),
            digest: mix(scenario.seed),
            handled: 0,
            finished: false,
            scenario: scenario.clone(),
        };
        run.begin();
        Ok(run)
    }

    /// Everything that is known to happen from the start.
    fn begin(&mut self) {
        for vm in 0..self.vms.len() {
            let (port, generation) = (self.vms[vm].port.number(), self.vms[vm].port.generation());
            self.nic.set_generation(Time::ZERO, port, generation);
        }
        self.fill_warm_flows();
        for i in 0..self.scenario.events.len() {
            self.schedule_event(i);
        }
        self.begin_traffic();
        self.at(Time::ZERO, Event::Sample);
        self.at(EXPIRY, Event::Expiry);
        let report = self.nic.next_report().saturating_sub(self.nic_ahead);
        self.at(report, Event::Counters);
    }

    fn schedule_event(&mut self, index: usize) {
        let change = Change::Scenario(index as u32);
        let (first, count, period) = match self.scenario.events[index] {
            HostEvent::VfStorm {
                at, count, period, ..
            } => (at.0, u64::from(count), period.0),
            ref other => (other.at().0, 1, 0),
        };
        for n in 0..count {
            self.change_at(Time(first + n * period), change);
        }
    }

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

    pub(crate) fn nic_now(&self) -> Time {
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

    pub(crate) fn traffic_of(&self, owner: Owner) -> Option<u32> {
        match owner {
            Owner::Conn { conn, serial } => self.conn(conn, serial).map(|c| c.traffic),
            Owner::Datagram { traffic } | Owner::Flood { traffic } | Owner::Rdma { traffic, .. } => {
                Some(traffic)
            }
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
        match self.metrics.points.last_mut() {
            Some(last) if last.at == point.at => *last = point,
            _ => self.metrics.points.push(point),
        }
    }

    /// How things stand.
    pub fn gauges(&self) -> Gauges {
        let [l1, l2] = self.nic.tables().resident();
        let exception_cores = self.scenario.host.software.exception_cores as usize;
        let waiting = |cores: &[Core]| cores.iter().map(|c| c.waiting() as u32).sum();
        Gauges {
            flows: self.vms.iter().map(|vm| 2 * vm.port.pairs() as u32).sum(),
            half_open: self
                .vms
                .iter()
                .map(|vm| vm.port.stats().0[0][FlowClass::HalfOpenFlow as usize].count)
                .sum(),
            entries: self.nic.tables().len(),
            l1,
            l2,
            exception_queue: waiting(&self.cores[..exception_cores]),
            queues: waiting(&self.cores),
            connections: self.conns.len() as u32,
            on_vf: self
                .vms
                .iter()
                .filter(|vm| vm.devices.data_path() == DataPath::Vf)
                .count() as u32,
            snat_ports: self.vms.iter().map(|vm| vm.port.snat_ports() as u32).sum(),
        }
    }

    /// The simulated time up to which everything has happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Whether the scenario's end has come.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The scenario.
    pub fn scenario(&self) -> &HostScenario {
        &self.scenario
    }

    /// What was measured so far.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Totals so far.
    pub fn counters(&self) -> &Counters {
        &self.metrics.counters
    }

    /// Events worked off.
    pub fn events(&self) -> u64 {
        self.handled
    }

    /// The SmartNIC.
    pub fn nic(&self) -> &Nic {
        &self.nic
    }

    /// A VM's VFP port.
    pub fn port(&self, vm: u32) -> Option<&Port> {
        self.vms.get(vm as usize).map(|vm| &vm.port)
    }

    /// A VM's devices.
    pub fn devices(&self, vm: u32) -> Option<&NetVsc> {
        self.vms.get(vm as usize).map(|vm| &vm.devices)
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

    /// TCP connections between guests and peers, by number.
    pub fn connections(&self) -> impl Iterator<Item = Connection<'_>> {
        self.conns.iter().map(|(number, conn)| Connection {
            number,
            vm: conn.vm,
            traffic: conn.traffic,
            tuple: conn.out.tuple,
            guest: &conn.guest,
            peer: &conn.peer,
            begun: conn.begun,
            opened: conn.opened,
        })
    }

    /// Packets under way, by number.
    pub fn packets(&self) -> impl Iterator<Item = (u32, &Packet)> {
        self.packets.iter()
    }

    /// Share of its time that each core has worked, 0 to 1.
    pub fn core_load(&self) -> Vec<f64> {
        let elapsed = self.now.0.max(1) as f64;
        self.cores
            .iter()
            .map(|c| (c.busy.0 as f64 / elapsed).min(1.0))
            .collect()
    }

    /// Whether every packet handed over has arrived, was lost with a reason, was answered by the SmartNIC, or is under way.
    pub fn packets_balance(&self) -> bool {
        let counters = &self.metrics.counters;
        // Copies are packets of nobody: they are only in the slab.
        let copies = self.packets.iter().filter(|(_, p)| p.copy).count() as u64;
        let flying = self.packets.len() as u64 - copies;
        counters.created == counters.all_delivered() + counters.all_lost() + counters.challenged + flying
    }

    /// A number that two runs share only if they did the same: every arrival and loss with its time goes into it. It is the same
    /// natively and in WebAssembly, however the run was sliced.
    pub fn digest(&self) -> u64 {
        let counters = &self.metrics.counters;
        let tail = [
            counters.created,
            counters.copies,
            counters.installed,
            counters.removed,
            counters.reconciled,
            counters.busy,
        ];
        tail.iter().fold(self.digest, |digest, value| mix(digest ^ value))
    }

    /// Latency that is left for guest, network and peer of a packet on `route` with these random bits.
    pub(crate) fn residual(&self, route: Route, bits: u64) -> Time {
        let path = usize::from(route != Route::Hardware);
        self.latency[path].draw(bits).saturating_sub(self.nominal[path])
    }
}

/// The NIC's parameters as `gft` has them.
fn nic_config(scenario: &HostScenario) -> gft::Config {
    use gft::config::{CacheShape, Config, Replacement as Theirs};
    let nic = &scenario.host.nic;
    let level = |entries, ways: u32, replacement| CacheShape {
        entries,
        ways: ways as u8,
        replacement: match replacement {
            _ if ways == 1 => Theirs::Direct,
            Replacement::Lru => Theirs::Lru,
            Replacement::Clock => Theirs::Clock,
            Replacement::Random => Theirs::Random,
            Replacement::Hint => Theirs::Hint,
        },
    };
    let mut config = Config {
        l1: level(nic.l1_entries, nic.l1_ways, nic.l1_replacement),
        l2: level(nic.l2_entries, nic.l2_ways, nic.l2_replacement),
        l3: nic.l3,
        flows: Config::MOST_FLOWS,
        seed: key(scenario.seed, domain::NIC, 0),
        ..Config::default()
    };
    config.pipeline.dram_access = Time(nic.l2_access.0);
    config.pipeline.dram_accesses_per_s = nic.l2_accesses_per_second;
    config.pipeline.host_access = Time(nic.l3_access.0);
    let half = Time(nic.install_latency.0 / 2);
    config.commands.add_latency = half;
    config.commands.activate_latency = half;
    config.counters.period = Time(nic.counter_period.0);
    config
}

/// What an idle path of a small packet spends in the parts that the run works through itself.
fn nominal(nic: &gft::Config, software: &Software, link: Line) -> [Time; 2] {
    const SMALL: u32 = 64;
    let pipeline = gft::Pipeline::new(&nic.pipeline)
        .accept(Time::ZERO, SMALL, gft::Level::L1)
        .unwrap_or(Time::ZERO);
    let mut link = link;
    let wire = link.send(Time::ZERO, SMALL + 20);
    let service = Time(software.packet.0 + u64::from(SMALL) * software.byte.0);
    [pipeline + wire, service + wire]
}

fn build_vm(scenario: &HostScenario, vm: usize) -> Result<Vm, BuildError> {
    let given = &scenario.vms[vm];
    let number = vm as u32;
    let peers = peers_of(scenario, number);
    let compiled =
        policy::compile(&given.policy, number, at::HOST_PA, peers, &[]).map_err(|e| BuildError::Policy {
            vm,
            reason: e.to_string(),
        })?;
    let timers = &scenario.host.timers;
    let limits = vfp::Limits([given.limits.total.div_ceil(2); 6]);
    let limits = match given.limits.half_open {
        Some(half_open) => limits.with(FlowClass::HalfOpenFlow, half_open),
        None => limits,
    };
    let settings = vfp::Settings {
        timers: vfp::Timers {
            default_ttl: Time(timers.established.0),
            half_open: Time(timers.half_open.0),
            established: Time(timers.established.0),
            fin_wait: Time(timers.time_wait.0),
            last_ack: Time(timers.half_open.0),
            time_wait: Time(timers.time_wait.0),
            after_reset: Time(timers.reset.0),
            ..vfp::Timers::default()
        },
        limits: [limits; 2],
        ..vfp::Settings::default()
    };
    let devices = NetVsc::new(given.path);
    let mut port = Port::new(
        number as u16 + 1,
        key(scenario.seed, domain::PORT, u64::from(number)),
        settings,
        compiled,
    );
    port.settings.offload = offload_when(scenario, &devices);
    let line = Line::new(given.rate.map_or(32_000_000_000, |rate| rate.0));
    Ok(Vm {
        devices,
        port,
        lines: [line; 2],
        waiting: Default::default(),
        room_due: [false; 2],
        listener: Listener::default(),
        paused: false,
        lock_free: Time::ZERO,
        pa: at::HOST_PA,
        added: Vec::new(),
        told: BTreeMap::new(),
        tokens: (
            scenario
                .host
                .defences
                .syn_rate_limit
                .map_or(0.0, |limit| f64::from(limit.burst)),
            Time::ZERO,
        ),
    })
}

/// When flows of a VM with these devices go to the NIC.
pub(crate) fn offload_when(scenario: &HostScenario, devices: &NetVsc) -> OffloadWhen {
    if devices.has_vf() && scenario.host.nic.offload {
        OffloadWhen::FirstPacket
    } else {
        OffloadWhen::Never
    }
}

/// How many peers in the VNET the VM's traffic needs.
pub(crate) fn peers_of(scenario: &HostScenario, vm: u32) -> u32 {
    use scenario::host::Traffic;
    let needed = |traffic: &Traffic| match traffic {
        Traffic::Connections { peers, .. } => *peers,
        Traffic::Flows { .. } | Traffic::Replay { .. } => at::PEERS,
        _ => 1,
    };
    let own = scenario.traffic.iter().filter(|traffic| traffic.vm() == vm);
    own.map(needed).max().unwrap_or(1).min(at::PEERS)
}

/// Which core serves a conversation: a hash that is the same both ways, with a key of the seed's.
pub(crate) fn core_of(seed: u64, tuple: &gft::Tuple, cores: u32) -> u32 {
    let both = (tuple.src.0 ^ tuple.dst.0) as u64 ^ u64::from(tuple.src_port ^ tuple.dst_port) << 40;
    kernel::rng::below(mix(key(seed, domain::CORES, both)), u64::from(cores)) as u32
}

/// Bytes that a vNIC with this line may hold.
pub(crate) fn vnic_buffer(line: &Line) -> u64 {
    line.within(VNIC_BUFFER).max(LEAST_VNIC_BUFFER)
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

//! From a scenario to a run.

use crate::addresses as at;
use crate::bounds::Bounds;
use crate::core::Core;
use crate::event::{Change, Event};
use crate::latency::LatencyModel;
use crate::line::Line;
use crate::metrics::{Metrics, TrafficResult};
use crate::netvsc::NetVsc;
use crate::policy;
use crate::run::{EXPIRY, Run, Vm, domain};
use crate::slab::Slab;
use crate::tcp;
use crate::traffic::{App, Listener};
use crate::vnic::Vnic;
use gft::Nic;
use kernel::rng::{key, mix};
use kernel::{EventQueue, QueueShape, Time};
use scenario::Problem;
use scenario::host::{HashKey, HostEvent, HostScenario, Replacement, Software};
use std::collections::BTreeMap;
use vfp::{FlowClass, OffloadWhen, Port};

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
    /// Who asked for it wanted it no longer.
    #[error("stopped before the run was ready")]
    Stopped,
}

impl Run {
    /// Builds a run.
    ///
    /// # Errors
    /// When the scenario is not valid.
    pub fn new(scenario: &HostScenario) -> Result<Run, BuildError> {
        Run::new_unless(scenario, &mut || false)
    }

    /// Builds a run unless `stop`, which is asked every few milliseconds, says so: policies and flows that are known from the
    /// start may take seconds.
    ///
    /// # Errors
    /// When the scenario is not valid, and [`BuildError::Stopped`].
    pub fn new_unless(scenario: &HostScenario, stop: &mut dyn FnMut() -> bool) -> Result<Run, BuildError> {
        scenario.validate().map_err(BuildError::Invalid)?;
        let host = &scenario.host;
        let nic_config = nic_config(scenario);
        let nic = Nic::new(&nic_config).map_err(|e| BuildError::Nic(e.to_string()))?;
        let mut vms = Vec::with_capacity(scenario.vms.len());
        for vm in 0..scenario.vms.len() {
            if stop() {
                return Err(BuildError::Stopped);
            }
            vms.push(build_vm(scenario, vm)?);
        }
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
            bounds: Bounds::default(),
            vms,
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
            walks: None,
            sample: Time(samples.max(1)),
            digest: mix(scenario.seed),
            handled: 0,
            finished: false,
            scenario: scenario.clone(),
        };
        run.begin(stop)?;
        Ok(run)
    }

    /// Everything that is known to happen from the start.
    fn begin(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<(), BuildError> {
        for vm in 0..self.vms.len() {
            let (port, generation) = (self.vms[vm].port.number(), self.vms[vm].port.generation());
            self.nic.set_generation(Time::ZERO, port, generation);
        }
        if self.fill_warm_flows(stop).is_break() {
            return Err(BuildError::Stopped);
        }
        for i in 0..self.scenario.events.len() {
            self.schedule_event(i);
        }
        self.begin_traffic();
        self.at(Time::ZERO, Event::Sample);
        self.at(EXPIRY, Event::Expiry);
        let report = self.nic.next_report().saturating_sub(self.nic_ahead);
        self.at(report, Event::Counters);
        Ok(())
    }

    pub(crate) fn schedule_event(&mut self, index: usize) {
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
        l1_partitions: nic.l1_partitions,
        l3: nic.l3,
        flows: Config::MOST_FLOWS,
        seed: key(scenario.seed, domain::NIC, 0),
        ..Config::default()
    };
    if nic.hash_key == HashKey::Secret {
        config.rss_key = gft::secret_key(key(scenario.seed, domain::HASH, 0));
    }
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
        guard: crate::attack::guard(&scenario.host.guard, number),
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
    let vnic = Vnic::new(given.rate.map_or(32_000_000_000, |rate| rate.0), given.tx_ring);
    Ok(Vm {
        devices,
        port,
        vnics: [vnic.clone(), vnic],
        waiting: Default::default(),
        room_due: [false; 2],
        listener: Listener::default(),
        paused: false,
        lock_free: Time::ZERO,
        pa: at::HOST_PA,
        added: Vec::new(),
        told: BTreeMap::new(),
        exception_tokens: (
            given
                .limits
                .exceptions_per_second
                .map_or(0.0, crate::path::exception_burst),
            Time::ZERO,
        ),
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
        Traffic::Attack { .. } => crate::attack::PEERS,
        _ => 1,
    };
    let concerns = |traffic: &&Traffic| {
        let victim = match traffic {
            Traffic::Attack { victim, .. } => *victim,
            _ => None,
        };
        traffic.vm() == vm || victim == Some(vm)
    };
    let own = scenario.traffic.iter().filter(concerns);
    own.map(needed).max().unwrap_or(1).min(at::PEERS)
}

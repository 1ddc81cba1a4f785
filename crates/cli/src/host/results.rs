//! The results of a host's run as a value; `docs/results-json.md` says what each field means.

use super::runner::Ended;
use crate::input::Loaded;
use crate::json::{list, part};
use crate::memory;
use host::attack::AttackResult;
use host::{Counters, Histogram, Loss, MarkKind, Point, Route, Run, TrafficResult};
use lab::host::Figure;
use scenario::host::{Attempt, HostScenario, Traffic};
use scenario::link;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Version of this form; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// What becomes of connections, in the order in which they are counted.
const CONNECTIONS: [&str; 6] = ["begun", "opened", "closed", "reset", "no_answer", "timed_out"];

/// Numbers by name.
type Named = BTreeMap<&'static str, u64>;

/// Everything that `--json` writes.
pub struct Results {
    /// The run itself.
    pub run: About,
    /// What was run.
    pub scenario: Source,
    /// How the input was understood.
    pub notes: Vec<String>,
    /// Each of [`Figure::ALL`].
    pub figures: BTreeMap<&'static str, Option<f64>>,
    /// Everything that was counted.
    pub totals: Totals,
    /// Packets lost, by reason; only reasons that occurred.
    pub drops: Named,
    /// One-way times of the packets that arrived, by route.
    pub one_way_us: BTreeMap<&'static str, Option<Times>>,
    /// The SmartNIC.
    pub nic: Named,
    /// Share of its time that each vSwitch core was busy.
    pub cores: Vec<f64>,
    /// How things stood at the end.
    pub end: Named,
    /// VFP's counters of each VM's port that are not zero.
    pub ports: Vec<Named>,
    /// Each traffic, in the scenario's order.
    pub traffic: Vec<OfTraffic>,
    /// What happened to the host.
    pub marks: Vec<Mark>,
    /// The time series.
    pub points: Vec<Sample>,
}

/// The run itself.
#[derive(Debug, Serialize)]
pub struct About {
    /// `until` or `interrupted`.
    pub end: &'static str,
    /// 16 hex digits.
    pub digest: String,
    /// The seed in force.
    pub seed: u64,
    /// Simulated time at the end, µs.
    pub sim_us: f64,
    /// The scenario's end, µs.
    pub until_us: f64,
    /// Events processed.
    pub events: u64,
    /// Real time from the first event to the last, s.
    pub wall_s: f64,
    /// Real time for building the run, s.
    pub build_s: f64,
    /// Largest resident size of the process, where known.
    pub peak_memory_bytes: Option<u64>,
    /// Version of Flowglass.
    pub version: &'static str,
}

/// What was run.
#[derive(Debug, Serialize)]
pub struct Source {
    /// The scenario's name; may be empty.
    pub name: String,
    /// Where it came from.
    pub source: String,
    /// Its share link, if it fits one.
    pub link: Option<String>,
    /// SHA-256 of its compact JSON, 64 hex digits.
    pub sha256: String,
    /// VMs on the host.
    pub vms: usize,
}

/// Everything that was counted.
#[derive(Debug, Serialize)]
pub struct Totals {
    /// Packets that somebody handed over.
    pub created: u64,
    /// Packets that arrived, by route.
    pub delivered: Named,
    /// Payload bytes that arrived from the VMs.
    pub payload_bytes_out: u64,
    /// Payload bytes that arrived at the VMs.
    pub payload_bytes_in: u64,
    /// SYNs that the SmartNIC answered itself.
    pub challenged: u64,
    /// Exceptions by reason.
    pub exceptions: Named,
    /// Copies of SYN, FIN and RST that VFP got.
    pub copies: u64,
    /// Copies that found the queue full.
    pub copies_lost: u64,
    /// Entries put into the NIC.
    pub installed: u64,
    /// Entries that the NIC did not take.
    pub refused: u64,
    /// Entries taken out.
    pub removed: u64,
    /// Flows that VFP created.
    pub flows_created: u64,
    /// Pairs of flows reconciled with a changed policy.
    pub reconciled: u64,
    /// SYNs of floods.
    pub flood_syns: u64,
    /// SYNs that a full backlog ignored.
    pub backlog_overflows: u64,
    /// TCP connections.
    pub connections: Named,
    /// TCP connections that were not begun, as so many were open.
    pub connections_not_begun: u64,
    /// Segments sent again.
    pub retransmissions: u64,
    /// Longest times that exceptions waited for a core.
    pub exception_wait_us: Option<Times>,
}

/// Statistics of times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Times {
    /// How many.
    pub count: u64,
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    pub p999: f64,
    /// Longest.
    pub max: f64,
}

/// What came of one traffic.
#[derive(Debug, Serialize)]
pub struct OfTraffic {
    /// Its kind, as in the scenario.
    pub kind: &'static str,
    /// Its VM.
    pub vm: u32,
    /// Packets sent.
    pub packets: u64,
    /// Packets that arrived.
    pub arrived: u64,
    /// Of these: matched by the NIC.
    pub in_hardware: u64,
    /// Packets lost.
    pub lost: u64,
    /// Payload bytes that arrived in order.
    pub delivered_bytes: u64,
    /// Mean rate of these from the first arrival to the last; none of fewer than two.
    pub goodput_gbps: Option<f64>,
    /// One-way times of its packets with payload.
    pub one_way_us: Option<Times>,
    /// From question to answer, or from the first SYN to the open connection.
    pub round_trip_us: Option<Times>,
    /// Its TCP connections.
    pub connections: Named,
    /// What came of it, where it is an attack.
    pub attack: Option<OfAttack>,
}

/// What came of an attack.
#[derive(Debug, Serialize)]
pub struct OfAttack {
    /// What was tried, as in the scenario.
    pub attempt: &'static str,
    /// Attempts; of cache timing the readings.
    pub attempted: u64,
    /// Attempts that were stopped, by what stopped them; only what occurred.
    pub stopped: Named,
    /// Attempts that got where they should not.
    pub through: u64,
    /// Packets beside them that are allowed.
    pub honest: u64,
    /// Of these: lost all the same.
    pub honest_lost: u64,
    /// Of cache timing: share of rounds in which the spy was right; 0.5 is a coin.
    pub accuracy: Option<f64>,
    /// Of cache timing: what a round told the spy, in bits; 1 is all.
    pub information_bits: Option<f64>,
}

/// Something that happened to the host.
#[derive(Debug, Serialize)]
pub struct Mark {
    /// When, µs.
    pub at_us: f64,
    /// To which VM; none: to all.
    pub vm: Option<u32>,
    /// What.
    pub what: String,
}

/// One point of the time series: totals so far, and how things stood.
#[derive(Debug, Serialize)]
pub struct Sample {
    /// When, µs.
    pub at_us: f64,
    /// Packets that had arrived.
    pub delivered: u64,
    /// Packets that had been lost.
    pub lost: u64,
    /// Exceptions so far.
    pub exceptions: u64,
    /// Connections opened so far.
    pub opened: u64,
    /// Connections closed in order so far.
    pub closed: u64,
    /// Look-ups of the NIC that hit its caches, by level, and those that missed.
    pub lookups: [u64; 4],
    /// How things stood.
    #[serde(flatten)]
    pub gauges: Named,
}

impl Results {
    /// The results of a run.
    pub fn of(loaded: Loaded<HostScenario>, ended: &Ended) -> Results {
        let Ended { run, .. } = ended;
        let metrics = run.metrics();
        let scenario = &loaded.scenario;
        let drops = Loss::all().map(|loss| (loss.name(), run.counters().lost[loss.number()]));
        Results {
            run: About {
                end: if ended.interrupted { "interrupted" } else { "until" },
                digest: format!("{:016x}", run.digest()),
                seed: scenario.seed,
                sim_us: run.now().as_us(),
                until_us: scenario.until.0 as f64 / 1e6,
                events: run.events(),
                wall_s: ended.wall.as_secs_f64(),
                build_s: ended.build.as_secs_f64(),
                peak_memory_bytes: memory::peak_bytes(),
                version: env!("CARGO_PKG_VERSION"),
            },
            scenario: Source::of(scenario, loaded.source),
            notes: loaded.notes,
            figures: Figure::ALL.map(|figure| (figure.field(), figure.of(run))).into(),
            totals: totals(run),
            drops: drops.filter(|(_, count)| *count > 0).collect(),
            one_way_us: Route::ALL
                .map(|route| (route.name(), times(&metrics.one_way[route as usize])))
                .into(),
            nic: nic(run),
            cores: run.core_load(),
            end: gauges(&run.gauges()),
            ports: (0..scenario.vms.len() as u32)
                .filter_map(|vm| run.port(vm))
                .map(|port| port.counters().named().filter(|(_, count)| *count > 0).collect())
                .collect(),
            traffic: scenario
                .traffic
                .iter()
                .zip(&metrics.traffic)
                .zip(0..)
                .map(|((asked, result), number)| of_traffic(asked, result, metrics.attacks.get(&number)))
                .collect(),
            marks: metrics.marks.iter().map(mark).collect(),
            points: metrics.points.iter().map(sample).collect(),
        }
    }

    /// Writes them as JSON: one line for each part, each traffic, each mark and each point.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{{")?;
        part(out, "format", &FORMAT)?;
        part(out, "run", &self.run)?;
        part(out, "scenario", &self.scenario)?;
        part(out, "notes", &self.notes)?;
        part(out, "figures", &self.figures)?;
        part(out, "totals", &self.totals)?;
        part(out, "drops", &self.drops)?;
        part(out, "one_way_us", &self.one_way_us)?;
        part(out, "nic", &self.nic)?;
        part(out, "cores", &self.cores)?;
        part(out, "end", &self.end)?;
        list(out, "ports", &self.ports)?;
        writeln!(out, ",")?;
        list(out, "traffic", &self.traffic)?;
        writeln!(out, ",")?;
        list(out, "marks", &self.marks)?;
        writeln!(out, ",")?;
        list(out, "points", &self.points)?;
        writeln!(out, "}}")
    }
}

impl Source {
    /// A scenario that came from `source`.
    pub fn of(scenario: &HostScenario, source: String) -> Source {
        Source {
            name: scenario.name.clone(),
            source,
            link: link::encode_host(scenario).ok().map(|link| format!("#{link}")),
            sha256: sha256(scenario),
            vms: scenario.vms.len(),
        }
    }
}

fn sha256(scenario: &HostScenario) -> String {
    let digest = Sha256::digest(scenario.to_json_compact());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn totals(run: &Run) -> Totals {
    let c: &Counters = run.counters();
    let [out, back] = c.payload.map(|routes| routes.iter().sum());
    let [miss, stale, deactivated] = c.exceptions;
    Totals {
        created: c.created,
        delivered: Route::ALL
            .map(|route| (route.name(), c.delivered[route as usize]))
            .into(),
        payload_bytes_out: out,
        payload_bytes_in: back,
        challenged: c.challenged,
        exceptions: [("miss", miss), ("stale", stale), ("deactivated", deactivated)].into(),
        copies: c.copies,
        copies_lost: c.copies_lost,
        installed: c.installed,
        refused: c.refused,
        removed: c.removed,
        flows_created: c.flows_created,
        reconciled: c.reconciled,
        flood_syns: c.flood_syns,
        backlog_overflows: c.backlog_overflows,
        connections: connections(&c.connections),
        connections_not_begun: c.not_begun,
        retransmissions: c.retransmissions,
        exception_wait_us: times(&run.metrics().exception_wait),
    }
}

fn connections(counts: &[u64; 6]) -> Named {
    CONNECTIONS.into_iter().zip(counts.iter().copied()).collect()
}

fn nic(run: &Run) -> Named {
    let s = run.nic().tables().statistics();
    let own = [
        ("forwarded", s.forwarded),
        ("copied", s.copied),
        ("miss", s.miss),
        ("evicted", s.evicted),
        ("stale", s.stale),
        ("deactivated", s.deactivated),
        ("l1_evictions", s.l1_evictions),
        ("l2_evictions", s.l2_evictions),
    ];
    s.ndis().into_iter().chain(own).collect()
}

fn gauges(g: &host::Gauges) -> Named {
    [
        ("flows", g.flows),
        ("half_open", g.half_open),
        ("entries", g.entries),
        ("l1", g.l1),
        ("l2", g.l2),
        ("exception_queue", g.exception_queue),
        ("queues", g.queues),
        ("connections", g.connections),
        ("on_vf", g.on_vf),
        ("snat_ports", g.snat_ports),
    ]
    .map(|(name, value)| (name, u64::from(value)))
    .into()
}

fn times(histogram: &Histogram) -> Option<Times> {
    let quantile = |q| histogram.quantile(q).map(kernel::Time::as_us);
    Some(Times {
        count: histogram.count(),
        mean: histogram.mean()?.as_us(),
        p50: quantile(0.5)?,
        p99: quantile(0.99)?,
        p999: quantile(0.999)?,
        max: histogram.most()?.as_us(),
    })
}

fn of_traffic(asked: &Traffic, result: &TrafficResult, attack: Option<&AttackResult>) -> OfTraffic {
    let (kind, vm) = kind(asked);
    OfTraffic {
        kind,
        vm,
        packets: result.packets,
        arrived: result.arrived,
        in_hardware: result.in_hardware,
        lost: result.lost,
        delivered_bytes: result.delivered,
        goodput_gbps: result.goodput().map(|rate| rate / 1e9),
        one_way_us: times(&result.one_way),
        round_trip_us: times(&result.round_trip),
        connections: connections(&result.connections),
        attack: match asked {
            Traffic::Attack { attempt, .. } => {
                Some(of_attack(*attempt, attack.unwrap_or(&AttackResult::default())))
            }
            _ => None,
        },
    }
}

fn of_attack(attempt: Attempt, result: &AttackResult) -> OfAttack {
    OfAttack {
        attempt: attempt.name(),
        attempted: result.attempted,
        stopped: result
            .stopped_by()
            .map(|(loss, count)| (loss.name(), count))
            .collect(),
        through: result.through,
        honest: result.honest,
        honest_lost: result.honest_lost,
        accuracy: result.timing.map(|seen| seen.accuracy()),
        information_bits: result.timing.map(|seen| seen.information()),
    }
}

/// A traffic's kind as the scenario names it, and its VM.
fn kind(traffic: &Traffic) -> (&'static str, u32) {
    match *traffic {
        Traffic::Ping { vm, .. } => ("ping", vm),
        Traffic::Stream { vm, .. } => ("stream", vm),
        Traffic::Connections { vm, .. } => ("connections", vm),
        Traffic::SynFlood { vm, .. } => ("syn_flood", vm),
        Traffic::Flows { vm, .. } => ("flows", vm),
        Traffic::Replay { vm, .. } => ("replay", vm),
        Traffic::Rdma { vm, .. } => ("rdma", vm),
        Traffic::Attack { vm, .. } => ("attack", vm),
    }
}

fn mark(mark: &host::Mark) -> Mark {
    Mark {
        at_us: mark.at.as_us(),
        vm: mark.vm,
        what: match mark.what {
            MarkKind::Vf(step) => step.message().into(),
            MarkKind::Policy(generation) => format!("policy replaced, generation {generation}"),
            MarkKind::TablesCleared => "the NIC's tables are cleared".into(),
            MarkKind::Wire(true) => "the wire is dead".into(),
            MarkKind::Wire(false) => "the wire works again".into(),
            MarkKind::Paused(true) => "the VM stands still".into(),
            MarkKind::Paused(false) => "the VM goes on".into(),
            MarkKind::Qp(true) => "RDMA QP opened".into(),
            MarkKind::Qp(false) => "RDMA QP closed".into(),
        },
    }
}

fn sample(point: &Point) -> Sample {
    let c = &point.counters;
    Sample {
        at_us: point.at.as_us(),
        delivered: c.all_delivered(),
        lost: c.all_lost(),
        exceptions: c.exceptions.iter().sum(),
        opened: c.connections[Counters::OPENED],
        closed: c.connections[Counters::CLOSED],
        lookups: point.lookups,
        gauges: gauges(&point.gauges),
    }
}

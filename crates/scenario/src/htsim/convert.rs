//! From a matrix and a topology to a scenario.

use super::matrix::{Connection, Matrix, Start};
use super::text::{FileProblem, FileProblems, Place};
use super::topology::Topology;
use crate::limits;
use crate::problem::Problem;
use crate::quantity::{Bytes, Rate, Time};
use crate::schema::{Balancer, Model, Queue, Scenario, Traffic, Transport, VERSION};

/// The unit of `start` in a matrix, which the file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartUnit {
    /// Picoseconds if any value is 10⁶ or more, else microseconds.
    #[default]
    Auto,
    /// Microseconds, as uet-htsim reads it.
    Us,
    /// Picoseconds, as csg-htsim reads it.
    Ps,
}

/// How to turn files into a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whose rules to follow; [`Model::Htsim`] also sets htsim's parameters.
    pub model: Model,
    /// How senders choose among their EVs.
    pub balancer: Balancer,
    /// The unit of `start`.
    pub start_unit: StartUnit,
    /// When the run ends at the latest; one second after the last start where left out.
    pub until: Option<Time>,
    /// The rate of the hosts' links if it is stated apart from the topology, as by htsim's `-linkspeed`;
    /// it must be the topology's.
    pub link_rate: Option<Rate>,
}

/// htsim numbers connections without an id from here.
const FIRST_AUTOMATIC_ID: u64 = 1_000_000_001;
/// At this value `start` is taken for picoseconds: 1 µs in ps, but a whole second in µs.
const PS_FROM: u64 = 1_000_000;
/// Time that a run has after its last flow began.
const TIME_AFTER_LAST_START: Time = Time::s(1);

/// uet-htsim's data packet on the wire, in bytes.
const HTSIM_DATA_BYTES: u64 = 4150;
/// Header bytes in it; also the size of its ACKs, NACKs and trimmed packets.
const HTSIM_HEADER_BYTES: u64 = 64;

/// The scenario that simulates the matrix on the topology, and notes on how the files were understood.
///
/// Flows keep their ids and starts. [`Model::Mrc`] leaves every other parameter at its default;
/// [`Model::Htsim`] takes uet-htsim's: 4,086 B of payload per packet, 64 entropies, a SACK per 16,384 B, no
/// reorder window, the timeout of [`htsim_min_rto`], a window of 1.5 BDP, and queues of one BDP, the last hop
/// included.
///
/// # Errors
/// What does not fit together, by line: hosts that the topology does not have, starts beyond 100 s or finer
/// than 1 ps, a stated link rate that is not the topology's.
pub fn to_scenario(
    matrix: &Matrix,
    topology: &Topology,
    options: &Options,
) -> Result<(Scenario, Vec<String>), Vec<FileProblem>> {
    check_rate(topology, options.link_rate)?;
    let mut notes = matrix.notes.clone();
    notes.extend(topology.notes.iter().cloned());
    check_hosts(matrix, topology, &mut notes)?;
    let unit = start_unit(matrix, options.start_unit, &mut notes);
    let starts = starts(matrix, unit)?;
    let list = number(matrix, &mut notes)
        .into_iter()
        .zip(&matrix.connections)
        .zip(&starts)
        .map(|((id, c), start)| (c.src, c.dst, c.bytes, start.0, id))
        .collect();

    let last_start = starts.iter().max().copied().unwrap_or_default();
    let generous = Time(last_start.0.saturating_add(TIME_AFTER_LAST_START.0)).min(limits::MAX_TIME);
    let mut fabric = topology.fabric();
    let mut transport = Transport {
        balancer: options.balancer,
        ..Transport::default()
    };
    if options.model == Model::Htsim {
        fabric.queue = Queue {
            trim_last_hop_bdp: 1.0,
            ..Queue::default()
        };
        transport.pmtu = Bytes(HTSIM_DATA_BYTES - HTSIM_HEADER_BYTES);
        transport.evs = 64;
        transport.sack_every = Bytes(16_384);
        transport.reorder_window = Some(Time(0));
        transport.rto = Some(htsim_min_rto(topology));
        transport.max_window_bdp = 1.5;
    }
    let scenario = Scenario {
        version: VERSION,
        name: plain(
            &format!("{} on {}", matrix.file, topology.file),
            limits::MAX_NAME_CHARS,
        ),
        about: format!(
            "Imported from htsim's files: {} flows among {} hosts.",
            starts.len(),
            topology.nodes
        ),
        seed: 0,
        until: options.until.unwrap_or(generous),
        model: options.model,
        fabric,
        transport,
        traffic: vec![Traffic::Flows { list }],
        faults: Vec::new(),
    };
    scenario
        .validate()
        .map_err(|problems| from_problems(problems, matrix, topology))?;
    Ok((scenario, notes))
}

/// uet-htsim's least retransmission timeout on this topology: 15 µs + 6 times the time in which a full queue
/// drains into a host's link. The queue is one BDP in whole packets of 4,150 B; the BDP is the host link's rate
/// times the base RTT 2·(2·d₀ + 2·d₁ + 3·s) + 4 hops · (4,150 B + 64 B) serialised, with d₀, d₁ the delays of
/// a host's and a T0–T1 link and s the switch latency. At 400 Gb/s, 1 µs, 0: RTT 8.337 µs, queue 101 packets =
/// 419,150 B, timeout 65.298 µs.
pub fn htsim_min_rto(topology: &Topology) -> Time {
    /// Bits × ps per second: bytes · this / rate is a time in ps.
    const BITS_PS: u128 = 8_000_000_000_000;
    let rate = u128::from(topology.nic_link_rate.0.max(1));
    let [d0, d1, s] = [
        topology.nic_link_delay,
        topology.t1_link_delay,
        topology.switch_latency,
    ]
    .map(|t| u128::from(t.0));
    let serialised = 4 * u128::from(HTSIM_DATA_BYTES + HTSIM_HEADER_BYTES) * BITS_PS / rate;
    let rtt = 2 * (2 * d0 + 2 * d1 + 3 * s) + serialised;
    let bdp_bytes = rtt * rate / BITS_PS;
    let queue_bytes = bdp_bytes.div_ceil(u128::from(HTSIM_DATA_BYTES)) * u128::from(HTSIM_DATA_BYTES);
    let rto = u128::from(Time::us(15).0) + 6 * queue_bytes * BITS_PS / rate;
    Time(u64::try_from(rto).unwrap_or(u64::MAX))
}

/// Printable and not too long.
fn plain(text: &str, max_chars: usize) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .take(max_chars)
        .collect()
}

fn check_rate(topology: &Topology, stated: Option<Rate>) -> Result<(), Vec<FileProblem>> {
    match stated {
        Some(rate) if rate != topology.nic_link_rate => {
            let mut problems = FileProblems::new(&topology.file);
            let reason = format!(
                "the hosts' links have {}, but the link rate was stated as {rate}",
                topology.nic_link_rate
            );
            problems.add(
                topology.speed_at,
                reason,
                "state the same rate, or leave it to the topology",
            );
            Err(problems.into_sorted())
        }
        _ => Ok(()),
    }
}

fn place(connection: &Connection, column: u32) -> Place {
    Place {
        line: connection.line as usize,
        column: column as usize,
    }
}

fn check_hosts(
    matrix: &Matrix,
    topology: &Topology,
    notes: &mut Vec<String>,
) -> Result<(), Vec<FileProblem>> {
    let mut problems = FileProblems::new(&matrix.file);
    for c in &matrix.connections {
        for (host, column) in [(c.src, c.src_column), (c.dst, c.dst_column)] {
            if host >= topology.nodes {
                let reason = format!(
                    "host {host} is not in {}, which has {} hosts",
                    topology.file, topology.nodes
                );
                let hint = format!("Nodes in line {} is {}", matrix.nodes_at.line, matrix.nodes);
                problems.add(place(c, column), reason, hint);
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems.into_sorted());
    }
    if matrix.nodes != topology.nodes {
        notes.push(format!(
            "{} is made for {} hosts and {} has {}; every host that sends or receives exists in both",
            matrix.file, matrix.nodes, topology.file, topology.nodes
        ));
    }
    Ok(())
}

/// Decides the unit and says so, unless it does not matter.
fn start_unit(matrix: &Matrix, wanted: StartUnit, notes: &mut Vec<String>) -> StartUnit {
    let latest = matrix
        .connections
        .iter()
        .map(|c| c.start)
        .max()
        .unwrap_or_default();
    if latest == Start::default() {
        return StartUnit::Us;
    }
    let (unit, why) = match wanted {
        StartUnit::Us => (StartUnit::Us, "as stated".to_owned()),
        StartUnit::Ps => (StartUnit::Ps, "as stated".to_owned()),
        StartUnit::Auto if latest.whole >= PS_FROM => (
            StartUnit::Ps,
            format!(
                "because the largest is {} (csg-htsim's unit; state µs if the file is for uet-htsim)",
                latest.whole
            ),
        ),
        StartUnit::Auto => (
            StartUnit::Us,
            format!(
                "because all are below {PS_FROM} (uet-htsim's unit; state ps if the file is for csg-htsim)"
            ),
        ),
    };
    let name = if unit == StartUnit::Ps {
        "picoseconds"
    } else {
        "microseconds"
    };
    notes.push(format!("{}: `start` is read in {name}, {why}", matrix.file));
    unit
}

fn starts(matrix: &Matrix, unit: StartUnit) -> Result<Vec<Time>, Vec<FileProblem>> {
    let mut problems = FileProblems::new(&matrix.file);
    let mut starts = Vec::with_capacity(matrix.connections.len());
    for c in &matrix.connections {
        let Start { whole, millionths } = c.start;
        let ps = match unit {
            StartUnit::Ps if millionths > 0 => {
                let hint = "the file may count in µs: state that unit";
                problems.add(
                    place(c, c.start_column),
                    "the start is no whole number of picoseconds",
                    hint,
                );
                continue;
            }
            StartUnit::Ps => Some(whole),
            StartUnit::Us | StartUnit::Auto => whole
                .checked_mul(1_000_000)
                .and_then(|ps| ps.checked_add(u64::from(millionths))),
        };
        match ps {
            Some(ps) if Time(ps) <= limits::MAX_TIME => starts.push(Time(ps)),
            _ => {
                let name = if unit == StartUnit::Ps { "ps" } else { "µs" };
                let reason = format!(
                    "the start is {whole} {name}; expected at most {}",
                    limits::MAX_TIME
                );
                problems.add(place(c, c.start_column), reason, "is the unit right?");
            }
        }
    }
    if problems.is_empty() {
        Ok(starts)
    } else {
        Err(problems.into_sorted())
    }
}

/// Each connection's id: its own, or the next that htsim would give and no other has.
fn number(matrix: &Matrix, notes: &mut Vec<String>) -> Vec<u64> {
    let mut taken: Vec<u64> = matrix.connections.iter().filter_map(|c| c.id).collect();
    taken.sort_unstable();
    let mut next = FIRST_AUTOMATIC_ID;
    let mut numbered = 0;
    let ids = matrix
        .connections
        .iter()
        .map(|c| {
            c.id.unwrap_or_else(|| {
                while taken.binary_search(&next).is_ok() {
                    next += 1;
                }
                next += 1;
                numbered += 1;
                next - 1
            })
        })
        .collect();
    if numbered > 0 {
        notes.push(format!(
            "{}: {numbered} connections have no id; they are numbered from {FIRST_AUTOMATIC_ID}, as htsim does",
            matrix.file
        ));
    }
    ids
}

/// What only the scenario as a whole shows, at the file that it comes from.
fn from_problems(problems: Vec<Problem>, matrix: &Matrix, topology: &Topology) -> Vec<FileProblem> {
    problems
        .into_iter()
        .map(|p| {
            let file = if p.field.starts_with("fabric") {
                &topology.file
            } else {
                &matrix.file
            };
            let reason = if p.field.is_empty() {
                p.reason
            } else {
                format!("{} {}", p.field, p.reason)
            };
            FileProblem {
                file: file.clone(),
                line: 1,
                column: 1,
                reason,
                hint: p.hint,
            }
        })
        .collect()
}

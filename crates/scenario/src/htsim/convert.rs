//! From a matrix and a topology to a scenario.

use super::matrix::{Connection, Matrix};
use super::peer;
use super::start::{StartUnit, start_unit, starts};
use super::text::{FileProblem, FileProblems, Place};
use super::topology::Topology;
use crate::limits;
use crate::problem::Problem;
use crate::quantity::{Rate, Time};
use crate::schema::{Balancer, Model, Scenario, Traffic, Transport, VERSION};

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
/// Time that a run has after its last flow began.
const TIME_AFTER_LAST_START: Time = Time::s(1);

/// The scenario that simulates the matrix on the topology, and notes on how the files were understood.
///
/// Flows keep their ids and starts. [`Model::Mrc`] leaves every other parameter at its default;
/// [`Model::Htsim`] takes uet-htsim's: 4,086 B of payload per packet, 64 entropies, a SACK per 16,384 B, no
/// reorder window, the timeout of [`super::htsim_min_rto`], a window of 1.5 BDP, and queues of one BDP, the last hop
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
        peer::set_parameters(topology, &mut fabric, &mut transport);
    }
    let scenario = Scenario {
        version: VERSION,
        name: plain(
            &format!("{} on {}", base_name(&matrix.file), base_name(&topology.file)),
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
        clustermapper: None,
        traffic: vec![Traffic::Flows { list }],
        faults: Vec::new(),
    };
    scenario
        .validate()
        .map_err(|problems| from_problems(problems, matrix, topology))?;
    Ok((scenario, notes))
}

/// Without the folders, which are nobody's business in a link that is passed on.
fn base_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
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

/// A column of a connection's line.
pub(super) fn place(connection: &Connection, column: u32) -> Place {
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
            let file = match p.field.split(['.', '[']).next() {
                Some("fabric") => topology.file.as_str(),
                Some("until") => "options",
                _ => matrix.file.as_str(),
            };
            let reason = if p.field.is_empty() {
                p.reason
            } else {
                format!("{} {}", p.field, p.reason)
            };
            FileProblem {
                file: file.to_owned(),
                line: 1,
                column: 1,
                reason,
                hint: p.hint,
            }
        })
        .collect()
}

//! The log of what happened: rows in rings, so that frequent kinds push out none of the rare ones.
//!
//! A long run has hundreds of millions of packets; what is kept of them must not grow. Each class of kinds has a ring of its own, and
//! what its oldest rows were that made room is counted. What happened to one packet, however long ago, is found by repeating the run
//! ([`crate::life`]).

mod row;

use crate::run::Run;
use row::Seen;
use sim::recorder::rows::{Note, Row, RowKind};
use sim::{Recorder, Sim};
use std::collections::VecDeque;
use view::filter::{Filter, Problem};
use view::log::{self, Form, Kind, MAX_ROWS};

/// Rows kept, by class: packets sent and placed, answers, marks, trims, drops, packets sent again and NACKs, EVs and rates, the rest.
pub const ROOM: [usize; 8] = [64_000, 40_000, 16_000, 16_000, 16_000, 24_000, 12_000, 12_000];
/// Notes kept: what faults, verdicts, deadlocks and errors say.
const MOST_NOTES: usize = 50_000;
const CLASSES: usize = ROOM.len();

/// What was found for a filter, until there is more to be found.
struct Found {
    filter: String,
    version: u64,
    // All rows, in order of time.
    sorted: Vec<Row>,
    matches: Vec<u32>,
}

/// The log of a run.
#[derive(Default)]
pub struct Log {
    rings: [VecDeque<Row>; CLASSES],
    notes: Vec<Note>,
    // By kind; those that the recorder had no room for come last.
    left_out: Vec<(Kind, u64)>,
    // Everything up to this time, in ps, has been logged; what comes again is known.
    complete: Option<u64>,
    // Changes with each row.
    version: u64,
    spare: Vec<Row>,
    found: Option<Found>,
}

impl Log {
    /// Takes what has happened since the last call.
    pub fn take(&mut self, sim: &mut Sim<Recorder>) {
        let spare = std::mem::take(&mut self.spare);
        let mut taken = sim.observer_mut().rows_mut().take(spare);
        let first_note = self.notes.len() as u32;
        taken.notes.truncate(MOST_NOTES.saturating_sub(self.notes.len()));
        let most_new = taken.notes.len() as u32;
        self.notes.append(&mut taken.notes);
        for mut row in taken.rows.drain(..) {
            if self.complete.is_some_and(|complete| row.at <= complete) {
                continue;
            }
            if has_note(row.kind) {
                if row.detail >= most_new {
                    let kind = row::kind(&row, &[]);
                    count(&mut self.left_out, kind, 1);
                    continue;
                }
                row.detail = row.detail.saturating_add(first_note);
            }
            self.keep(row);
        }
        if taken.left_out > 0 {
            count(&mut self.left_out, Kind::Sent, taken.left_out);
        }
        self.spare = taken.rows;
    }

    /// Puts a row into its ring, in the place of the oldest one where that is full.
    fn keep(&mut self, row: Row) {
        let class = class(&row);
        let ring = &mut self.rings[class];
        if ring.len() == ROOM[class]
            && let Some(oldest) = ring.pop_front()
        {
            let kind = row::kind(&oldest, &self.notes);
            count(&mut self.left_out, kind, 1);
        }
        ring.push_back(row);
        self.version += 1;
    }

    /// Takes what has happened up to now, every line served: what happens again when the run is repeated from earlier is not logged
    /// twice.
    pub fn take_all(&mut self, sim: &mut Sim<Recorder>) {
        if sim.is_half_way() {
            return;
        }
        sim.settle();
        self.take(sim);
        let now = sim.now().ps();
        self.complete = self.complete.max(Some(now));
    }

    /// What was logged after now will not happen: the run takes another course from here.
    pub fn forget_after(&mut self, now: u64) {
        if self.complete.is_some_and(|complete| complete > now) {
            for ring in &mut self.rings {
                ring.retain(|row| row.at <= now);
            }
            self.complete = Some(now);
            self.version += 1;
        }
    }

    fn kept(&self) -> usize {
        self.rings.iter().map(VecDeque::len).sum()
    }

    /// Finds the rows that match, unless they are known.
    fn find(&mut self, run: &Run, text: &str) -> Result<&Found, Problem> {
        let filter: Filter = text.parse()?;
        let known = self.found.take().filter(|found| found.version == self.version);
        let found = match known {
            Some(found) if found.filter == text => found,
            known => {
                let sorted = known.map_or_else(|| self.sorted(), |found| found.sorted);
                let notes = &self.notes;
                let matches = sorted
                    .iter()
                    .zip(0..)
                    .filter(|(row, _)| filter.matches(&Seen { run, notes, row }))
                    .map(|(_, index)| index)
                    .collect();
                Found {
                    filter: text.to_owned(),
                    version: self.version,
                    sorted,
                    matches,
                }
            }
        };
        Ok(self.found.insert(found))
    }

    /// All rows in order of time.
    fn sorted(&self) -> Vec<Row> {
        let mut sorted = Vec::with_capacity(self.kept());
        for ring in &self.rings {
            sorted.extend(ring);
        }
        sorted.sort_by_key(|row: &Row| (row.at, row.kind, row.conn, row.psn, row.link));
        sorted
    }

    /// The rows that the page asks for.
    pub fn answer(&mut self, run: &Run, ask: &log::Ask) -> log::Answer {
        let (kept, left_out) = (self.kept() as u64, self.left_out.clone());
        let mut answer = log::Answer {
            filter: ask.filter.clone(),
            kept,
            left_out,
            ..log::Answer::default()
        };
        let found = match self.find(run, &ask.filter) {
            Ok(found) => found,
            Err(problem) => {
                answer.problem = Some(problem);
                return answer;
            }
        };
        let (sorted, matches) = (&found.sorted, &found.matches);
        let count = ask.count.min(MAX_ROWS) as usize;
        let last = matches.len().saturating_sub(count);
        let from = usize::try_from(ask.from).map_or(last, |from| from.min(last));
        let wanted: Vec<Row> = matches[from..]
            .iter()
            .take(count)
            .map(|&index| sorted[index as usize])
            .collect();
        let now = run.sim.now().ps();
        answer.past = matches.partition_point(|&index| sorted[index as usize].at <= now) as u64;
        answer.matches = matches.len() as u64;
        answer.from = from as u64;
        let notes = &self.notes;
        answer.rows = wanted.iter().map(|row| Seen { run, notes, row }.row()).collect();
        answer
    }

    /// All rows that match, as a file.
    pub fn file(&mut self, run: &Run, filter: &str, form: Form) -> Result<String, Problem> {
        let found = self.find(run, filter)?;
        let rows: Vec<Row> = found
            .matches
            .iter()
            .map(|&index| found.sorted[index as usize])
            .collect();
        let notes = &self.notes;
        let rows = rows.iter().map(|row| Seen { run, notes, row }.row());
        Ok(match form {
            Form::Csv => {
                let mut text = log::CSV_HEAD.to_owned();
                rows.for_each(|row| text.push_str(&log::csv_line(&row)));
                text
            }
            Form::Json => {
                let lines: Vec<String> = rows
                    .map(|row| log::json_line(&row).unwrap_or_else(|error| format!("\"{error}\"")))
                    .collect();
                format!("[\n{}\n]\n", lines.join(",\n"))
            }
        })
    }
}

fn count(counts: &mut Vec<(Kind, u64)>, kind: Kind, more: u64) {
    match counts.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, count)) => *count += more,
        None => counts.push((kind, more)),
    }
}

const fn has_note(kind: RowKind) -> bool {
    matches!(
        kind,
        RowKind::Fault | RowKind::Verdict | RowKind::Deadlock | RowKind::Failed
    )
}

/// The ring that a row belongs to.
fn class(row: &Row) -> usize {
    use fabric::PacketKind;
    match row.kind {
        RowKind::Sent | RowKind::Received if row.packet == PacketKind::Nack => 5,
        RowKind::Sent | RowKind::Received if row.packet != PacketKind::Data => 1,
        RowKind::Sent | RowKind::Received | RowKind::Placed => 0,
        RowKind::Marked => 2,
        RowKind::Trimmed => 3,
        RowKind::Dropped | RowKind::Lost | RowKind::TimedOut | RowKind::NakHeard => 4,
        RowKind::Resent => 5,
        RowKind::EvSkip | RowKind::Slowed | RowKind::Paused | RowKind::Resumed => 6,
        _ => 7,
    }
}

#[cfg(test)]
pub(crate) mod tests;

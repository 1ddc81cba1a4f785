//! From the recorder's history to the page's timeline.

use crate::run::Run;
use kernel::Time;
use mrc::EvState;
use scenario::FaultKind;
use sim::recorder::{BINS, Notable};
use view::message::{Lane, Mark, MarkKind, Timeline};
use view::names::cable;
use view::words;

/// Marks sent at most; runs of the same kind at nearly the same time become one first.
const MAX_MARKS: usize = 400;

/// The timeline up to now, and its values as bytes.
pub fn timeline(run: &mut Run, qp: Option<u32>) -> (Timeline, Vec<u8>) {
    let qp = qp.filter(|&qp| qp < run.sim.qp_count());
    if let Some(qp) = qp {
        run.sim.observer_mut().watch(qp);
    }
    let now = run.sim.now();
    let recorder = run.sim.observer();
    let bins = ((now.ps() / recorder.width_ps()) as usize + 1).min(BINS);
    let bad_evs = recorder.bad_evs(now);
    let mut lanes = Vec::new();
    let mut values = Vec::new();
    let mut add = |lane: Lane, series: &[u64]| {
        lanes.push(lane);
        values.extend(
            series[..bins]
                .iter()
                .flat_map(|&value| (value as f32).to_le_bytes()),
        );
    };
    for (plane, series) in recorder.planes().iter().enumerate() {
        add(Lane::Plane(plane as u32), series);
    }
    if let Some((qp, series)) = qp.and_then(|qp| Some((qp, recorder.qp(qp)?))) {
        add(Lane::Qp(qp), series);
    }
    add(Lane::Drops, recorder.drops());
    add(Lane::Trims, recorder.trims());
    add(Lane::Retransmissions, recorder.retransmissions());
    add(Lane::Skips, recorder.skips());
    add(Lane::BadEvs, &bad_evs);
    let (marks, marks_left_out) = marks(run);
    let timeline = Timeline {
        run: run.number,
        now_ps: now.ps(),
        bin_ps: recorder.width_ps(),
        bins: bins as u32,
        reach_ps: recorder.width_ps() * BINS as u64,
        lanes,
        marks,
        marks_left_out,
    };
    (timeline, values)
}

/// The notable events as marks. Many of one kind within the same bin become one mark that counts them.
fn marks(run: &Run) -> (Vec<Mark>, u64) {
    let clos = run.sim.network().config().clos;
    let width = run.sim.observer().width_ps();
    let (events, mut left_out) = run.sim.observer().events();
    let mut marks: Vec<(Mark, u64)> = Vec::new();
    for (at, what) in events {
        let (kind, text) = match what {
            Notable::Fault(fault) => (fault_mark(fault), words::fault(fault)),
            Notable::Verdict { place, bad: true } => {
                (MarkKind::Verdict, format!("Clustermapper finds {place} bad"))
            }
            Notable::Verdict { place, bad: false } => (
                MarkKind::Verdict,
                format!("Clustermapper finds {place} in order again"),
            ),
            Notable::FirstDrop { link, reason } => (
                MarkKind::Drop,
                format!("first drop at {}: {}", cable(&clos, *link), reason.name()),
            ),
            Notable::FirstTrim { link } => (MarkKind::Trim, format!("first trim at {}", cable(&clos, *link))),
            Notable::Ev { conn, ev, state } => {
                let (kind, name) = match state {
                    EvState::Good => (MarkKind::EvsRevived, "GOOD"),
                    EvState::Skip => (MarkKind::EvsRevived, "SKIP"),
                    EvState::AssumedBad => (MarkKind::EvsLost, "ASSUMED_BAD"),
                    EvState::Denied => (MarkKind::EvsLost, "DENIED"),
                };
                (kind, format!("EV {ev} of QP {conn} {name}"))
            }
            Notable::Swap { conn, out, by } => (
                MarkKind::EvsLost,
                format!("QP {conn}: backup EV {by} takes the place of EV {out}"),
            ),
            Notable::Failed { conn, why } => (MarkKind::Broke, format!("QP {conn} in ERROR: {}", why.text())),
            Notable::Finished { conn } => (MarkKind::Flow, format!("flow {} complete", run.sim.qp(*conn).id)),
        };
        let same = |(mark, _): &(Mark, u64)| mark.kind == kind && mark.at_ps / width == at.ps() / width;
        let is_fault = matches!(what, Notable::Fault(_));
        let room = marks.len() < MAX_MARKS || is_fault;
        // Events come in order of time: one of the last few marks is the one to join, if any.
        match marks
            .iter_mut()
            .rev()
            .take(8)
            .find(|mark| !is_fault && same(mark))
        {
            Some((_, more)) => *more += 1,
            None if room => marks.push((
                Mark {
                    at_ps: at.ps(),
                    kind,
                    text,
                },
                0,
            )),
            None => left_out += 1,
        }
    }
    let marks = marks
        .into_iter()
        .map(|(mut mark, more)| {
            if more > 0 {
                mark.text = format!("{} and {more} more within {}", mark.text, Time(width));
            }
            mark
        })
        .collect();
    (marks, left_out)
}

fn fault_mark(fault: &FaultKind) -> MarkKind {
    if fault.is_repair() {
        MarkKind::Healed
    } else {
        MarkKind::Broke
    }
}

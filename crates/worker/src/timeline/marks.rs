//! Notable moments as marks.

use crate::names::{circle, ends};
use crate::run::Run;
use kernel::Time;
use mrc::EvState;
use scenario::FaultKind;
use sim::clustermapper::Place;
use sim::recorder::Notable;
use view::inspect::Target;
use view::message::{Mark, MarkKind};
use view::names::cable;
use view::{units, words};

/// Marks sent at most; runs of the same kind at nearly the same time become one first.
const MAX_MARKS: usize = 400;
/// Faults and repairs always have a mark, up to so many marks in all.
const MOST_MARKS: usize = 800;
/// The latest steps of a job that have marks.
const MAX_STEPS: usize = 2_000;
/// Marks among which one is looked for that a moment can join: one for each kind is enough, and some for faults.
const LOOK_BACK: usize = 24;

/// A moment before it becomes a mark, or joins one.
struct Moment {
    at: Time,
    kind: MarkKind,
    text: String,
    target: Option<Target>,
    // Moments of one kind join a mark that is no further away than this; of faults, those of one fault and time.
    reach: u64,
    fault: Option<usize>,
}

/// The notable moments as marks in order of time, and how many there was no room for.
pub fn marks(run: &Run) -> (Vec<Mark>, u64) {
    let (events, left_out) = run.sim.observer().events();
    let mut moments: Vec<Moment> = events
        .iter()
        .map(|(at, what)| moment(run, *at, what))
        .chain(inferred(run))
        .chain(steps(run))
        .collect();
    moments.sort_by_key(|moment| moment.at);
    let mut joined: Vec<(Moment, u64)> = Vec::new();
    let mut no_room = left_out;
    for moment in moments {
        let same = |other: &Moment| match (moment.fault, other.fault) {
            (Some(_), _) | (_, Some(_)) => {
                (moment.fault, moment.kind, moment.at) == (other.fault, other.kind, other.at)
            }
            _ => other.kind == moment.kind && other.at.ps() / other.reach == moment.at.ps() / moment.reach,
        };
        let most = if moment.fault.is_some() {
            MOST_MARKS
        } else {
            MAX_MARKS
        };
        let room = joined.len() < most;
        match joined
            .iter_mut()
            .rev()
            .take(LOOK_BACK)
            .find(|(other, _)| same(other))
        {
            Some((_, more)) => *more += 1,
            None if room => joined.push((moment, 0)),
            None => no_room += 1,
        }
    }
    let marks = joined.into_iter().map(|(moment, more)| mark(run, moment, more));
    (marks.collect(), no_room)
}

fn mark(run: &Run, moment: Moment, more: u64) -> Mark {
    let text = match (
        moment
            .fault
            .and_then(|cause| run.sim.scenario().faults.get(cause)),
        more,
    ) {
        // What a fault that is short for several changes did at this time.
        (Some(fault), more) => {
            let whole = words::fault(&fault.what);
            match more {
                0 if whole == moment.text => whole,
                0 => format!("{whole}: {}", moment.text),
                more if moment.kind == MarkKind::Healed => format!("{whole}: {} links up", more + 1),
                more => format!("{whole}: {} links down", more + 1),
            }
        }
        (None, 0) => moment.text,
        (None, more) => format!(
            "{}, and {more} more within {}",
            moment.text,
            units::span(moment.reach as f64)
        ),
    };
    Mark {
        at_ps: moment.at.ps(),
        kind: moment.kind,
        text,
        target: moment.target,
    }
}

fn moment(run: &Run, at: Time, what: &Notable) -> Moment {
    let clos = run.sim.network().config().clos;
    let width = nearness(run);
    let mut fault = None;
    let mut reach = width;
    let (kind, text, target) = match what {
        Notable::Fault { cause, what } => {
            fault = Some(*cause);
            (
                fault_mark(what),
                words::fault(what),
                Some(Target::Fault(*cause as u32)),
            )
        }
        Notable::Verdict { place, bad } => (
            MarkKind::Verdict,
            if *bad {
                format!("Clustermapper finds {place} bad")
            } else {
                format!("Clustermapper finds {place} in order again")
            },
            Some(match *place {
                Place::Link(link) => Target::Link(link),
                Place::Switch(switch) => Target::Switch(switch),
            }),
        ),
        Notable::FirstDrop { link, reason } => (
            MarkKind::Drop,
            format!("first drop at {}: {}", cable(&clos, *link), reason.name()),
            Some(Target::Link(cable(&clos, *link))),
        ),
        Notable::FirstTrim { link } => (
            MarkKind::Trim,
            format!("first trim at {}", cable(&clos, *link)),
            Some(Target::Link(cable(&clos, *link))),
        ),
        Notable::FirstPause { link } => (
            MarkKind::Paused,
            {
                let (from, to) = ends(&clos, *link);
                format!("{to} pauses {from} for the first time")
            },
            Some(Target::Link(cable(&clos, *link))),
        ),
        Notable::Deadlock { links } => (
            MarkKind::Deadlock,
            format!(
                "{} paused links wait for each other: {}",
                links.len(),
                circle(&clos, links)
            ),
            links.first().map(|&link| Target::Link(cable(&clos, link))),
        ),
        Notable::Ev { conn, ev, state } => {
            let (kind, name) = match state {
                EvState::Good => (MarkKind::EvsRevived, "GOOD again"),
                EvState::Skip => (MarkKind::EvsRevived, "SKIP, back in use"),
                EvState::AssumedBad => (MarkKind::EvsLost, "ASSUMED_BAD"),
                EvState::Denied => (MarkKind::Denied, "DENIED"),
            };
            (
                kind,
                format!("EV {ev} of QP {conn} {name}"),
                Some(Target::Qp(*conn)),
            )
        }
        Notable::Swap { conn, out, by } => (
            MarkKind::Swapped,
            format!("QP {conn}: EV {by} from the reserve in the place of EV {out}"),
            Some(Target::Qp(*conn)),
        ),
        Notable::Port { nic, plane, down } => (
            MarkKind::Port,
            format!(
                "NIC {nic} notices that its port of plane {plane} is {}",
                if *down { "down" } else { "up" }
            ),
            Some(Target::Nic(*nic)),
        ),
        Notable::Failed { conn, why } => (
            MarkKind::Failed,
            format!("QP {conn} in ERROR: {}", why.text()),
            Some(Target::Qp(*conn)),
        ),
        Notable::Finished { conn } => {
            reach = 8 * width;
            (
                MarkKind::Flow,
                format!("flow {} complete: QP {conn}", run.sim.qp(*conn).id),
                Some(Target::Qp(*conn)),
            )
        }
    };
    Moment {
        at,
        kind,
        text,
        target,
        reach,
        fault,
    }
}

/// When the first loss was inferred that a fault caused.
fn inferred(run: &Run) -> impl Iterator<Item = Moment> + '_ {
    let reach = nearness(run);
    let faults = &run.sim.scenario().faults;
    run.sim.observer().recoveries().iter().filter_map(move |seen| {
        let (first, _) = seen.inferred.span()?;
        let fault = faults.get(seen.cause)?;
        let after = units::span(first.ps().saturating_sub(seen.at.ps()) as f64);
        Some(Moment {
            at: first,
            kind: MarkKind::Inferred,
            text: format!("first loss inferred, {after} after {}", words::fault(&fault.what)),
            target: Some(Target::Fault(seen.cause as u32)),
            reach,
            fault: None,
        })
    })
}

/// The ends of jobs' steps.
fn steps(run: &Run) -> impl Iterator<Item = Moment> + '_ {
    let reach = 8 * nearness(run);
    let all = run.sim.job_steps().enumerate();
    all.flat_map(move |(job, (_, steps))| {
        let first = steps.len().saturating_sub(MAX_STEPS);
        steps[first..]
            .iter()
            .zip(first..)
            .map(move |(step, number)| Moment {
                at: Time(step.ended_ps),
                kind: MarkKind::Step,
                text: format!(
                    "job {job}: step {} took {}",
                    number + 1,
                    units::span((step.ended_ps - step.posted_ps) as f64)
                ),
                target: None,
                reach,
                fault: None,
            })
    })
}

/// Moments of one kind that are as near as this cannot be told apart on an axis from 0 to now.
fn nearness(run: &Run) -> u64 {
    run.sim.observer().width_ps().max(run.sim.now().ps() / 128)
}

pub fn fault_mark(fault: &FaultKind) -> MarkKind {
    if fault.is_repair() {
        MarkKind::Healed
    } else {
        MarkKind::Broke
    }
}

//! Going to a time, earlier or later, and back by one event.

use crate::run::Run;
use crate::session::Clock;
use crate::snapshots::Approach;
use kernel::Time;
use sim::{BuildError, Recorder, Sim};

/// How often a span that holds the last event is halved, to come near to it before going event by event.
const HALVINGS: u32 = 40;
/// So few events before the present, going event by event is quick.
const FEW: u64 = 24;
/// The span before the present in which the last event is looked for first, then in ever longer ones.
const FIRST_SPAN_PS: u64 = 1_000_000;

/// Goes towards `target`, for about `budget_ms` of wall-clock time. True when it is there, or the run is over before.
///
/// # Errors
/// When the run has to begin anew and cannot be built.
pub fn seek(
    mut run: Run,
    target: Time,
    budget_ms: f64,
    clock: &impl Clock,
) -> Result<(Run, bool), BuildError> {
    let start = clock();
    // The loads of links are those of late: for a moment before the target they have to be known as well.
    let eve = target.saturating_sub(run.loads.span());
    // Once it is past the eve, a seek in slices would otherwise go back to it in each of them, and never end.
    let approach = if (eve..=target).contains(&run.sim.now()) {
        Approach::Stayed
    } else {
        run.snapshots.approach(&mut run.sim, eve)
    };
    if approach == Approach::Anew {
        run = run.anew()?;
    }
    let moved = approach != Approach::Stayed;
    if moved {
        run.moved();
    }
    let mut spent = clock() - start;
    if run.sim.now() < eve {
        run.go(eve, budget_ms - spent, clock);
        if moved || run.sim.now() == eve {
            run.moved();
        }
        spent = clock() - start;
    }
    let reached = !run.go(target, budget_ms - spent, clock);
    if reached && target > Time::ZERO {
        // Where the run was put there by single steps, some of the events of this time may be missing.
        run.sim.play_until(target);
    }
    Ok((run, reached))
}

/// Goes back to before the event that was processed last; to time 0 where there was none.
///
/// # Errors
/// When the run has to begin anew and cannot be built.
pub fn step_back(mut run: Run, clock: &impl Clock) -> Result<(Run, bool), BuildError> {
    let (now, events) = (run.sim.now(), run.sim.events());
    if events == 0 {
        return seek(run, Time::ZERO, f64::INFINITY, clock);
    }
    let mut span = FIRST_SPAN_PS;
    loop {
        let from = Time(now.ps().saturating_sub(span));
        (run, _) = seek(run, from, f64::INFINITY, clock)?;
        if run.sim.events() < events || from == Time::ZERO {
            break;
        }
        span = span.saturating_mul(8);
    }
    // Nearer, as long as it is still before the event.
    let mut late = now;
    for _ in 0..HALVINGS {
        let middle = Time(run.sim.now().ps().midpoint(late.ps()));
        if middle <= run.sim.now() || events - run.sim.events().min(events) <= FEW {
            break;
        }
        let mut nearer = run.sim.clone();
        nearer.play_until(middle);
        if nearer.events() < events {
            run.sim = nearer;
        } else {
            late = middle;
        }
    }
    // All events but the last one, and no more: a step may process several where the run is about to end.
    let before = run.sim.clone();
    let steps = steps_below(&mut run.sim, events);
    if run.sim.events() >= events {
        run.sim = before;
        for _ in 1..steps {
            run.sim.play_step();
        }
    }
    run.moved();
    Ok((run, true))
}

/// Goes event by event until one more would be the last of `events`; how many steps that took.
fn steps_below(sim: &mut Sim<Recorder>, events: u64) -> u64 {
    let mut steps = 0;
    while sim.events() + 1 < events && sim.play_step().is_some() {
        steps += 1;
    }
    steps
}

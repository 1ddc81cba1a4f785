//! The worker's side of a host run: a session of its own beside the fabric's.

mod charts;
mod curve;
mod details;
mod look;
mod report;
mod snapshots;
mod tables;
#[cfg(test)]
mod tests;
mod tuples;
mod words;

use crate::session::Answer;
use host::Run;
use kernel::Time;
use scenario::host::HostScenario;
use snapshots::Snapshots;
use view::host::message::{Ask, Facts, Target, Tell};
use view::message::FromWorker;

/// Events between two looks at the clock: well below a millisecond.
const SLICE: u64 = 512;
/// The span before the present in which the last event is looked for first, then in ever longer ones.
const FIRST_SPAN_PS: u64 = 1_000_000;

/// The host run that is loaded, and what the page wants to see of it.
#[derive(Default)]
pub struct HostSession {
    number: u32,
    run: Option<Run>,
    snapshots: Snapshots,
    watched: Option<Target>,
    // Which packet is watched: numbers are used again.
    packet: Option<Identity>,
    busy_ms: f64,
    load: report::CoreLoad,
    // What the SmartNIC had counted when the run began: its tables may have been filled before.
    filled: gft::Statistics,
}

/// What tells a packet from others that had or will have its number.
#[derive(Clone, Copy, PartialEq)]
struct Identity {
    owner: host::Owner,
    sent: Time,
    copy: bool,
}

impl Identity {
    fn of(packet: &host::Packet) -> Identity {
        Identity {
            owner: packet.owner,
            sent: packet.sent,
            copy: packet.copy,
        }
    }
}

impl From<Tell> for Answer {
    fn from(tell: Tell) -> Answer {
        FromWorker::from(tell).into()
    }
}

impl HostSession {
    /// Answers a message. `clock` gives the wall-clock time in ms.
    pub fn handle(&mut self, ask: Ask, clock: impl Fn() -> f64) -> Vec<Answer> {
        match ask {
            Ask::Load { run, scenario } => self.load(run, &scenario),
            Ask::Watch { target } => {
                self.watched = target;
                self.packet = match (target, &self.run) {
                    (Some(Target::Packet { id }), Some(run)) => run
                        .packets()
                        .find(|&(number, _)| number == id)
                        .map(|(_, packet)| Identity::of(packet)),
                    _ => None,
                };
                Vec::new()
            }
            Ask::Curve {
                scenario,
                curve,
                value,
            } => vec![
                Tell::Curve {
                    point: curve::point(*scenario, curve, value),
                }
                .into(),
            ],
            Ask::Advance {
                run,
                target_ps,
                budget_ms,
                report,
            } => self.with(run, |session| {
                session.advance(target_ps, budget_ms, report, clock)
            }),
            Ask::Step { run } => self.with(run, HostSession::step),
            Ask::StepBack { run } => self.with(run, HostSession::step_back),
            Ask::Seek {
                run,
                target_ps,
                budget_ms,
            } => self.with(run, |session| session.seek(Time(target_ps), budget_ms, clock)),
            Ask::Tables { run } => self.with(run, |session| {
                let (tables, bytes) = tables::tables(run, session.run.as_ref()?, &session.filled);
                Some(vec![Answer {
                    message: Tell::Tables(Box::new(tables)).into(),
                    bytes: Some(bytes),
                }])
            }),
            Ask::Flows { run, vm } => self.with(run, |session| {
                let (rows, pairs) = details::flows(session.run.as_ref()?, vm)?;
                Some(vec![Tell::Flows { run, vm, rows, pairs }.into()])
            }),
            Ask::Charts { run, traffic } => self.with(run, |session| {
                let charts = charts::charts(run, session.run.as_ref()?, traffic);
                Some(vec![Tell::Charts(Box::new(charts)).into()])
            }),
            Ask::Tuple { run, tuple } => self.with(run, |session| {
                let answer = Box::new(tuples::of_tuple(session.run.as_ref()?, &tuple)?);
                Some(vec![Tell::Tuple { run, tuple, answer }.into()])
            }),
        }
    }

    /// Messages about a run that is no longer there are left unanswered.
    fn with(
        &mut self,
        run: u32,
        answer: impl FnOnce(&mut HostSession) -> Option<Vec<Answer>>,
    ) -> Vec<Answer> {
        if self.run.is_some() && self.number == run {
            answer(self).unwrap_or_default()
        } else {
            Vec::new()
        }
    }

    fn load(&mut self, number: u32, scenario: &HostScenario) -> Vec<Answer> {
        // The old run makes room for the new one before that is built.
        *self = HostSession {
            number,
            ..HostSession::default()
        };
        match Run::new(scenario) {
            Ok(mut run) => {
                // A packet that somebody selects later tells of the walk that it got.
                run.keep_walks();
                self.filled = *run.nic().tables().statistics();
                let facts = facts(&run);
                self.snapshots.begin(&run);
                self.run = Some(run);
                let mut answers = vec![Tell::Loaded { run: number, facts }.into()];
                answers.extend(self.frame(false));
                answers.extend(self.report());
                answers
            }
            Err(error) => {
                let problems = match error {
                    host::BuildError::Invalid(problems) => problems.iter().map(ToString::to_string).collect(),
                    other => vec![other.to_string()],
                };
                vec![
                    Tell::Refused {
                        run: number,
                        problems,
                    }
                    .into(),
                ]
            }
        }
    }

    fn advance(
        &mut self,
        target_ps: u64,
        budget_ms: f64,
        report: bool,
        clock: impl Fn() -> f64,
    ) -> Option<Vec<Answer>> {
        self.simulate(Time(target_ps), budget_ms, clock)?;
        let mut answers: Vec<Answer> = self.frame(true).into_iter().collect();
        if report || self.run.as_ref()?.is_finished() {
            answers.extend(self.report());
        }
        Some(answers)
    }

    fn simulate(&mut self, target: Time, budget_ms: f64, clock: impl Fn() -> f64) -> Option<()> {
        let run = self.run.as_mut()?;
        let start = clock();
        let mut spent = 0.0;
        while budget_ms > spent && !run.is_finished() && run.now() < target {
            run.run_events(SLICE, target);
            let now = clock() - start;
            // Copies are taken on the way, not only where a frame ends.
            self.snapshots.simulated(run, now - spent, &clock);
            spent = now;
        }
        self.busy_ms += spent;
        Some(())
    }

    fn step(&mut self) -> Option<Vec<Answer>> {
        let run = self.run.as_mut()?;
        run.run_events(1, Time::MAX);
        self.here()
    }

    /// Goes back to before the event that was processed last; to time 0 where there was none.
    fn step_back(&mut self) -> Option<Vec<Answer>> {
        let run = self.run.as_ref()?;
        let (now, events) = (run.now(), run.events());
        let mut span = FIRST_SPAN_PS;
        loop {
            let from = Time(now.ps().saturating_sub(span));
            self.snapshots.approach(&mut self.run, from);
            let run = self.run.as_mut()?;
            // At time 0 nothing has happened yet, not even what happens at time 0.
            if from > Time::ZERO {
                run.run_until(from);
            } else if run.events() >= events {
                self.snapshots.restart(run);
            }
            // At least one event is left to go on by, so that the time shown is that event's.
            if run.events() + 1 < events || from == Time::ZERO {
                break;
            }
            span = span.saturating_mul(8);
        }
        let run = self.run.as_mut()?;
        let left = events.saturating_sub(run.events());
        if left > 1 {
            run.run_events(left - 1, Time::MAX);
        }
        self.load = report::CoreLoad::default();
        self.here()
    }

    fn seek(&mut self, target: Time, budget_ms: f64, clock: impl Fn() -> f64) -> Option<Vec<Answer>> {
        if self.snapshots.approach(&mut self.run, target) {
            self.load = report::CoreLoad::default();
        }
        self.simulate(target, budget_ms, clock)?;
        self.here()
    }

    /// A frame and a report of the run as it stands.
    fn here(&mut self) -> Option<Vec<Answer>> {
        let mut answers: Vec<Answer> = self.frame(false).into_iter().collect();
        answers.extend(self.report());
        Some(answers)
    }

    fn frame(&self, advanced: bool) -> Option<Answer> {
        let run = self.run.as_ref()?;
        let (bytes, there) = look::frame(run);
        Some(Answer {
            message: Tell::Frame {
                run: self.number,
                advanced,
                now_ps: run.now().ps(),
                finished: run.is_finished(),
                there,
            }
            .into(),
            bytes: Some(bytes),
        })
    }

    fn report(&mut self) -> Option<Answer> {
        let run = self.run.as_ref()?;
        let mut report = report::report(self.number, run, &mut self.load);
        report.busy_ms = self.busy_ms;
        report.detail = self
            .watched
            .and_then(|target| details::detail(run, target, self.packet.as_ref(), &self.filled));
        Some(Tell::Report(Box::new(report)).into())
    }
}

fn facts(run: &Run) -> Facts {
    let names = |vm: u32| {
        run.port(vm).map_or_else(Vec::new, |port| {
            let layers = &port.policy().source().layers;
            layers.iter().map(|layer| layer.name.clone()).collect()
        })
    };
    let config = run.nic().config();
    Facts {
        layers: (0..run.scenario().vms.len() as u32).map(names).collect(),
        l1: config.l1.entries,
        l2: config.l2.entries,
        counter_period_ps: config.counters.period.ps(),
    }
}

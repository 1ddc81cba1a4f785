//! The worker's side of the conversation with the page.

use crate::detail::{Watched, detail};
use crate::life::{self, Repeat};
use crate::look::{Eye, MOST_EFFORT};
use crate::run::Run;
use crate::{charts, foresee, health, jobs, seek, timeline, words};
use kernel::Time;
use scenario::{Fault, FaultKind, Scenario};
use sim::{BuildError, Recorder, Sim};
use view::camera::Camera;
use view::frame::Frame;
use view::inspect::Target;
use view::message::{FromWorker, Look, ToWorker};
use view::{Layout, Sight};

/// Simulating for so long between two looks leaves no time for more than a usual look.
const QUICK_MS: f64 = 16.0;

/// The clock on the wall, in ms.
pub trait Clock: Fn() -> f64 {}
impl<T: Fn() -> f64> Clock for T {}

/// A message to the page, and the bytes beside it.
pub struct Answer {
    /// The message.
    pub message: FromWorker,
    /// The bytes.
    pub bytes: Option<Vec<u8>>,
}

impl From<FromWorker> for Answer {
    fn from(message: FromWorker) -> Answer {
        Answer { message, bytes: None }
    }
}

/// The run that is loaded, and what the page wants to see of it.
#[derive(Default)]
pub struct Session {
    run: Option<Run>,
    look: Look,
    eye: Option<Eye>,
    watched: Option<Watched>,
    frame: Frame,
    // What the last frame and report cost, in ms of wall-clock time.
    look_ms: f64,
    // How long the run had simulated when it was looked at last.
    looked_at_ms: f64,
    // A run that is repeated for a packet's life.
    repeat: Option<Repeat>,
}

impl Session {
    /// Answers a message. `clock` gives the wall-clock time in ms.
    pub fn handle(&mut self, ask: ToWorker, clock: impl Fn() -> f64) -> Vec<Answer> {
        match ask {
            ToWorker::Load {
                run,
                scenario,
                seekable,
                logged,
            } => self.load(run, &scenario, seekable, logged),
            ToWorker::Look(look) => {
                self.look = look;
                self.eye = self.run.as_ref().map(|run| open(run, &look));
                Vec::new()
            }
            ToWorker::Watch { target } => {
                self.watch(target);
                Vec::new()
            }
            ToWorker::Advance {
                run,
                target_ps,
                budget_ms,
                report,
            } => self.with(run, |session| {
                session.advance(target_ps, budget_ms, report, clock)
            }),
            ToWorker::Seek {
                run,
                target_ps,
                budget_ms,
            } => self.with(run, |session| {
                session.sought(target_ps, |run| {
                    seek::seek(run, Time(target_ps), budget_ms, &clock)
                })
            }),
            ToWorker::StepBack { run } => self.with(run, |session| {
                let now = session.run.as_ref()?.sim.now().ps();
                session.sought(now, |run| seek::step_back(run, &clock))
            }),
            ToWorker::Step { run } => self.with(run, Session::step),
            ToWorker::Inject { run, fault } => self.with(run, |session| session.inject(Ok(vec![fault]))),
            ToWorker::Toggle { run, target } => self.with(run, |session| {
                let faults = health::toggle(session.run.as_ref()?, &target);
                session.inject(faults)
            }),
            ToWorker::Jobs { run } => self.with(run, |session| {
                let run = session.run.as_ref()?;
                Some(vec![
                    FromWorker::Jobs {
                        run: run.number,
                        jobs: jobs::jobs(run),
                        count: run.sim.job_steps().count() as u32,
                    }
                    .into(),
                ])
            }),
            ToWorker::Flows { run } => self.with(run, |session| {
                let run = session.run.as_ref()?;
                Some(vec![
                    FromWorker::Flows {
                        run: run.number,
                        now_ps: run.sim.now().ps(),
                        rows: run.flows(),
                    }
                    .into(),
                ])
            }),
            ToWorker::Charts { run, want } => self.with(run, |session| {
                let run = session.run.as_mut()?;
                let answer = Box::new(charts::charts(run, &want));
                Some(vec![
                    FromWorker::Charts {
                        run: run.number,
                        answer,
                    }
                    .into(),
                ])
            }),
            ToWorker::Events { run, want } => self.with(run, |session| {
                let run = session.run.as_mut()?;
                let answer = Box::new(run.with_log(|log, run| log.answer(run, &want)));
                Some(vec![
                    FromWorker::Events {
                        run: run.number,
                        answer,
                    }
                    .into(),
                ])
            }),
            ToWorker::EventsFile { run, filter, form } => self.with(run, |session| {
                let run = session.run.as_mut()?;
                // A filter that is none has no file; the list has said why.
                let text = run.with_log(|log, run| log.file(run, &filter, form)).ok()?;
                Some(vec![Answer {
                    message: FromWorker::EventsFile {
                        run: run.number,
                        form,
                    },
                    bytes: Some(text.into_bytes()),
                }])
            }),
            ToWorker::Life {
                run,
                qp,
                psn,
                budget_ms,
            } => self.with(run, |session| {
                let run = session.run.as_ref()?;
                let life = life::life(&mut session.repeat, run, qp, psn, budget_ms, clock);
                Some(vec![
                    FromWorker::Life {
                        run: run.number,
                        life: Box::new(life),
                    }
                    .into(),
                ])
            }),
            // Answered while it is under way, and so not here: see `main`.
            ToWorker::Sweep(_) | ToWorker::Import(_) => Vec::new(),
            // A session of its own answers this: see `main`.
            ToWorker::Host { .. } => Vec::new(),
            ToWorker::Timeline { run, qps } => self.with(run, |session| {
                let (timeline, values) = timeline::timeline(session.run.as_mut()?, &qps);
                Some(vec![Answer {
                    message: FromWorker::Timeline(timeline),
                    bytes: Some(values),
                }])
            }),
        }
    }

    /// Messages about a run that is no longer there are left unanswered.
    fn with(&mut self, run: u32, answer: impl FnOnce(&mut Session) -> Option<Vec<Answer>>) -> Vec<Answer> {
        if self.run.as_ref().is_some_and(|current| current.number == run) {
            answer(self).unwrap_or_default()
        } else {
            Vec::new()
        }
    }

    fn load(&mut self, number: u32, scenario: &Scenario, seekable: bool, logged: bool) -> Vec<Answer> {
        // The old run makes room for the new one before that is built.
        self.run = None;
        self.eye = None;
        self.watched = None;
        self.repeat = None;
        if let Some(problems) = foresee::refusal(scenario) {
            return vec![
                FromWorker::Refused {
                    run: number,
                    problems,
                }
                .into(),
            ];
        }
        match Run::new(number, scenario, seekable, logged) {
            Ok(run) => {
                let facts = run.facts();
                self.eye = Some(open(&run, &self.look));
                self.run = Some(run);
                let mut answers = vec![FromWorker::Loaded { run: number, facts }.into()];
                answers.extend(self.frame(None));
                answers.extend(self.report());
                answers
            }
            Err(error) => vec![
                FromWorker::Refused {
                    run: number,
                    problems: match error {
                        BuildError::Invalid(problems) => problems.iter().map(ToString::to_string).collect(),
                        other => vec![other.to_string()],
                    },
                }
                .into(),
            ],
        }
    }

    fn watch(&mut self, target: Option<Target>) {
        self.watched = match (&mut self.run, target) {
            (Some(run), Some(target)) => {
                run.sim.settle();
                Some(Watched::new(run, target))
            }
            _ => None,
        };
    }

    fn advance(
        &mut self,
        target_ps: u64,
        budget_ms: f64,
        report: bool,
        clock: impl Fn() -> f64,
    ) -> Option<Vec<Answer>> {
        let run = self.run.as_mut()?;
        let target = Time(target_ps);
        // In huge networks looking costs more than the budget: at least as much time goes into simulating.
        let budget_ms = if budget_ms > 0.0 {
            budget_ms.max(self.look_ms)
        } else {
            budget_ms
        };
        let behind = run.go(target, budget_ms, &clock);
        let simulated = clock();
        let mut answers: Vec<Answer> = self.frame(Some(behind)).into_iter().collect();
        if report || self.run.as_ref()?.sim.is_finished() {
            answers.extend(self.report());
        }
        self.look_ms = clock() - simulated;
        Some(answers)
    }

    /// Goes to another time by `go`, which says whether it is there.
    fn sought(
        &mut self,
        target_ps: u64,
        go: impl FnOnce(Run) -> Result<(Run, bool), BuildError>,
    ) -> Option<Vec<Answer>> {
        let (run, reached) = match go(self.run.take()?) {
            Ok((run, reached)) => (self.run.insert(run), reached),
            Err(error) => {
                let message = format!("the run could not begin anew: {error}");
                return Some(vec![FromWorker::Failed { message }.into()]);
            }
        };
        let number = run.number;
        // What was seen of parts of the fabric was of another time.
        self.eye = Some(open(run, &self.look));
        let mut answers: Vec<Answer> = self.frame(None).into_iter().collect();
        answers.extend(self.report());
        let now_ps = self.run.as_ref()?.sim.now().ps();
        answers.push(
            FromWorker::Sought {
                run: number,
                target_ps,
                now_ps,
                reached,
            }
            .into(),
        );
        Some(answers)
    }

    fn step(&mut self) -> Option<Vec<Answer>> {
        let run = self.run.as_mut()?;
        let number = run.number;
        let (text, place) = match run.sim.play_step() {
            Some(event) => words::step(run, &event),
            None => ("the run is over".into(), None),
        };
        let mut answers = vec![
            FromWorker::Stepped {
                run: number,
                text,
                place,
            }
            .into(),
        ];
        answers.extend(self.frame(None));
        answers.extend(self.report());
        Some(answers)
    }

    /// Lets faults take effect now, all at once; or says why there are none.
    fn inject(&mut self, faults: Result<Vec<FaultKind>, String>) -> Option<Vec<Answer>> {
        let run = self.run.as_mut()?;
        run.log.take_all(&mut run.sim);
        run.log.forget_after(run.sim.now().ps());
        let sim = &mut run.sim;
        let mut forgotten = 0;
        let refused = faults
            .and_then(|faults| {
                possible(sim, &faults)?;
                forgotten = run.snapshots.branch(sim);
                faults.into_iter().try_for_each(|fault| sim.inject(fault))
            })
            .err();
        if refused.is_none() {
            // Faults take effect a picosecond from now: let them, so that they can be seen in a paused run too.
            sim.play_until(Time(sim.now().ps() + 1));
        }
        let mut answers = vec![
            FromWorker::Faults {
                run: run.number,
                // In the order in which the run has them: random choices of a fault depend on its place in the list.
                faults: run.sim.scenario().faults.clone(),
                refused,
                forgotten,
            }
            .into(),
        ];
        answers.extend(self.frame(None));
        answers.extend(self.report());
        Some(answers)
    }

    /// A frame; after an advance, `behind` says whether it fell short.
    fn frame(&mut self, behind: Option<bool>) -> Option<Answer> {
        let (run, eye) = (self.run.as_mut()?, self.eye.as_mut()?);
        if behind == Some(true) && run.sim.is_half_way() {
            // Very much happens at once: what was seen last stays until that is over.
            self.frame.head.flags |= view::frame::flags::BEHIND;
        } else {
            // Where simulating takes long there is time to look at more, and what is looked at less often should be all of one
            // time. The last look stays.
            let spent = run.busy_ms - self.looked_at_ms;
            self.looked_at_ms = run.busy_ms;
            eye.set_effort(if run.sim.is_finished() {
                MOST_EFFORT
            } else {
                (spent / QUICK_MS) as u32
            });
            eye.look(run, behind == Some(true), &mut self.frame);
            // Every line has been served for the look.
            run.log.take_all(&mut run.sim);
        }
        let mut bytes = Vec::with_capacity(self.frame.len());
        self.frame.write(&mut bytes);
        Some(Answer {
            message: FromWorker::Frame {
                run: run.number,
                advanced: behind.is_some(),
            },
            bytes: Some(bytes),
        })
    }

    /// A report on the run as the last frame shows it.
    fn report(&self) -> Option<Answer> {
        let run = self.run.as_ref()?;
        let mut report = run.report();
        report.detail = self.watched.as_ref().and_then(|watched| detail(run, watched));
        Some(FromWorker::Report(Box::new(report)).into())
    }
}

/// Whether faults can be injected now; why not, if they cannot. What is known of later times is forgotten only for one that can.
fn possible(sim: &Sim<Recorder>, faults: &[FaultKind]) -> Result<(), String> {
    if sim.is_finished() {
        return Err("the run is finished: go back in time, or restart it, to inject a fault".into());
    }
    let mut changed = sim.scenario().clone();
    changed.faults.extend(faults.iter().map(|what| Fault {
        at: scenario::Time(sim.now().ps() + 1),
        what: what.clone(),
    }));
    changed.validate().map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        problems.join("; ")
    })
}

/// How the stage sees a run.
fn open(run: &Run, look: &Look) -> Eye {
    let layout = Layout::new(run.sim.network().config().clos, look.width, look.height);
    let camera = Camera::showing(look.visible, layout.size(), layout.limits());
    Eye::new(Sight::new(&layout, &camera))
}

#[cfg(test)]
mod chart_tests;
#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod job_tests;
#[cfg(test)]
mod roce_tests;
#[cfg(test)]
mod seek_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tier_tests;

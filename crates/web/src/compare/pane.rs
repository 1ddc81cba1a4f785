//! One of the runs: its worker, its stage, and what is known of it.

use super::{CompareApp, Msg};
use crate::dom;
use crate::listeners::Listeners;
use crate::model::{BreakMenu, History, JobsView, Phase};
use crate::shared::Shared;
use crate::stage::{Stage, clos_of};
use crate::worker_link::{GIVEN_UP_S, Incoming, Kind, WorkerLink};
use scenario::{FaultKind, Scenario};
use view::compare::Outcome;
use view::frame::flags;
use view::gesture::Gestures;
use view::inspect::Target;
use view::message::{Facts, FlowRow, FromWorker, Report, Run, Timeline, ToWorker};
use view::stopped::{Cause, Revival, Stage as Stopped};
use web_sys::Element;
use yew::html::Scope;

/// What the worker has said that concerns the others too.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Nothing that others need to know.
    Nothing,
    /// The run is ready, or cannot be, or its worker has stopped.
    Phase,
    /// It has got to `now_ps`, after an advance or not; `behind` when it needs more time to get to where it should.
    Frame { advanced: bool, behind: bool },
    /// An event was processed; in words.
    Stepped(String),
    /// Faults took effect, or were refused for this reason.
    Faults(Option<String>),
    /// New figures.
    Figures,
}

/// One of the runs.
pub struct Pane {
    /// What it shows.
    pub stage: Stage,
    /// Pointers on it.
    pub gestures: Gestures,
    /// How far it is.
    pub phase: Phase,
    /// What it runs, faults by hand included.
    pub scenario: Shared<Scenario>,
    /// Its figures.
    pub report: Shared<Report>,
    /// What does not change.
    pub facts: Shared<Facts>,
    /// Its history.
    pub history: Shared<History>,
    /// The flows' results, as far as they have been asked for.
    pub flows: Shared<Vec<FlowRow>>,
    /// The jobs' steps.
    pub jobs: Shared<JobsView>,
    /// Ways to break a thing, where they are offered.
    pub menu: Option<BreakMenu>,
    /// An advance is under way.
    pub asked: bool,
    /// How often it has been asked to go on to where all go.
    pub turns: u32,
    /// For how many seconds its worker has owed an answer, once that is long.
    pub silent_s: Option<u32>,
    /// Its worker has stopped for this reason and was started again; for the page to tell.
    pub revived: Option<String>,
    revival: Revival,
    // Tells what this worker says from what earlier ones did.
    number: u32,
    run: Run,
    worker: Option<WorkerLink>,
    listeners: Listeners,
    look_is_old: bool,
    refresh_later: bool,
    link: Scope<CompareApp>,
    attached: bool,
}

impl Pane {
    /// A pane with a worker of its own.
    pub fn new(scenario: Scenario, link: &Scope<CompareApp>, number: u32) -> Pane {
        Pane {
            stage: Stage::default(),
            gestures: Gestures::default(),
            phase: Phase::Loading,
            scenario: Shared::new(scenario),
            report: Shared::default(),
            facts: Shared::default(),
            history: Shared::default(),
            flows: Shared::default(),
            jobs: Shared::default(),
            menu: None,
            asked: false,
            turns: 0,
            silent_s: None,
            revived: None,
            revival: Revival::default(),
            number,
            run: 0,
            worker: None,
            listeners: Listeners::default(),
            look_is_old: true,
            refresh_later: false,
            link: link.clone(),
            attached: false,
        }
    }

    /// Its number, which no other pane has or had.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// True once it has its elements of the page.
    pub fn is_attached(&self) -> bool {
        self.attached
    }

    /// Takes over its elements of the page, once they are there, and begins its run unless that waits.
    pub fn attach(&mut self, waits: bool) -> Result<(), String> {
        self.attached = true;
        let number = self.number;
        self.stage.attach(self.link.callback(|()| Msg::Recolour))?;
        if let Some(canvas) = self.stage.refs.canvases[2].cast::<Element>() {
            let hear = self.link.callback(move |touch| Msg::Touch(number, touch));
            self.listeners.on_touch(&canvas, &hear);
        }
        if let Some(root) = self.stage.refs.root.cast::<Element>() {
            let link = self.link.clone();
            self.listeners
                .on_resize(&root, move || link.send_message(Msg::Resized));
        }
        if waits {
            self.stage.open(clos_of(&self.scenario.fabric));
            self.stage.rest();
            self.phase = Phase::Empty;
        } else {
            self.load();
        }
        Ok(())
    }

    fn start_worker(&mut self) {
        let number = self.number;
        let hear = self.link.callback(move |incoming| Msg::Worker(number, incoming));
        match WorkerLink::start(Kind::Fabrics, hear) {
            Ok(worker) => self.worker = Some(worker),
            Err(error) => self.broken(&error),
        }
    }

    /// Begins its scenario at time 0.
    pub fn load(&mut self) {
        self.run += 1;
        self.asked = false;
        self.silent_s = None;
        self.refresh_later = false;
        self.menu = None;
        self.report = Shared::default();
        self.facts = Shared::default();
        self.history = Shared::default();
        self.flows = Shared::default();
        self.jobs = Shared::default();
        self.stage.open(clos_of(&self.scenario.fabric));
        self.phase = Phase::Loading;
        self.look_is_old = true;
        if self.worker.is_none() {
            self.start_worker();
        }
        let (run, scenario) = (self.run, Box::new((*self.scenario).clone()));
        self.send(ToWorker::Load {
            run,
            scenario,
            seekable: false,
            logged: false,
        });
    }

    fn broken(&mut self, why: &str) {
        self.stopped(&Cause::of(why));
    }

    /// Its worker has stopped. It is started again where that is worth a try.
    fn stopped(&mut self, cause: &Cause) {
        let stage = match self.phase {
            Phase::Broken(_) => return,
            _ if self.worker.as_ref().is_none_or(|worker| !worker.is_ready()) => Stopped::Starting,
            Phase::Loading => Stopped::Building,
            Phase::Empty | Phase::Ready => Stopped::Running,
        };
        self.end(cause.words());
        if self.revival.wanted(cause, stage) {
            self.revived = Some(cause.words());
            self.load();
        }
    }

    fn end(&mut self, why: String) {
        self.worker = None;
        self.asked = false;
        self.silent_s = None;
        self.phase = Phase::Broken(why);
    }

    /// Begins again with another worker.
    pub fn start_again(&mut self) {
        self.worker = None;
        self.load();
    }

    fn silent(&mut self, seconds: u32) -> Heard {
        // Building a large fabric takes as long as it takes.
        if self.phase != Phase::Ready {
            return Heard::Nothing;
        }
        self.silent_s = Some(seconds);
        let cause = Cause::Silent(seconds);
        if seconds >= GIVEN_UP_S && self.revival.wanted(&cause, Stopped::Running) {
            self.revived = Some(cause.words());
            self.start_again();
        }
        Heard::Phase
    }

    fn send(&mut self, ask: ToWorker) {
        if std::mem::take(&mut self.look_is_old) {
            let look = self.stage.look();
            self.post(ToWorker::Look(look));
        }
        self.post(ask);
    }

    fn post(&mut self, ask: ToWorker) {
        if let Some(worker) = &mut self.worker
            && let Err(error) = worker.send(ask)
        {
            self.broken(&error);
        }
    }

    /// Another part of the network can be seen, or the stage has another size.
    pub fn look_again(&mut self) {
        self.look_is_old = true;
    }

    /// True when it can go on.
    pub fn is_ready(&self) -> bool {
        self.phase == Phase::Ready
    }

    /// True when its run is over. A run that could not be built counts as such: the others do not wait for it.
    pub fn is_over(&self) -> bool {
        match self.phase {
            Phase::Ready => self.stage.frame().head.flags & flags::FINISHED != 0,
            Phase::Loading => false,
            Phase::Empty | Phase::Broken(_) => true,
        }
    }

    /// Simulated time in ps.
    pub fn now_ps(&self) -> u64 {
        self.stage.frame().head.now
    }

    /// Goes on to a simulated time, or as far as so many ms of wall-clock time allow.
    pub fn advance(&mut self, target_ps: u64, budget_ms: f64, report: bool) {
        self.asked = true;
        self.turns += 1;
        let run = self.run;
        self.send(ToWorker::Advance {
            run,
            target_ps,
            budget_ms,
            report,
        });
    }

    /// A new frame and figures of the same moment; after the frame that is on its way, if one is.
    pub fn refresh(&mut self) {
        self.refresh_later = self.asked;
        if self.is_ready() && !self.asked {
            self.advance(self.now_ps(), 0.0, true);
        }
    }

    /// True when a frame of this moment would show more than the last one, or is still wanted.
    pub fn is_stale(&self) -> bool {
        self.refresh_later || self.stage.is_coarse()
    }

    /// Processes one event.
    pub fn step(&mut self) {
        self.send(ToWorker::Step { run: self.run });
    }

    /// Breaks or heals something now.
    pub fn inject(&mut self, fault: FaultKind) {
        self.send(ToWorker::Inject { run: self.run, fault });
    }

    /// Breaks what works, heals what does not.
    pub fn toggle(&mut self, target: Target) {
        self.send(ToWorker::Toggle {
            run: self.run,
            target,
        });
    }

    /// Asks for the history.
    pub fn ask_for_history(&mut self) {
        if self.is_ready() {
            self.send(ToWorker::Timeline {
                run: self.run,
                qps: Vec::new(),
            });
        }
    }

    /// Asks for the results of flows and jobs.
    pub fn ask_for_results(&mut self) {
        if self.is_ready() {
            self.send(ToWorker::Flows { run: self.run });
            if self.facts.jobs > 0 {
                self.send(ToWorker::Jobs { run: self.run });
            }
        }
    }

    /// Takes what its worker says.
    pub fn hear(&mut self, incoming: Incoming) -> Heard {
        let (message, bytes, buffer) = match incoming {
            Incoming::Broken(why) => {
                self.broken(&why);
                return Heard::Phase;
            }
            Incoming::Silent(seconds) => return self.silent(seconds),
            Incoming::Message {
                message,
                bytes,
                buffer,
            } => (message, bytes, buffer),
        };
        if let (Some(buffer), Some(worker)) = (buffer, &mut self.worker) {
            worker.give_back(buffer);
        }
        self.silent_s = None;
        let current = self.run;
        match *message {
            FromWorker::Ready => {
                if let Some(Err(error)) = self.worker.as_mut().map(WorkerLink::ready) {
                    self.broken(&error);
                }
                Heard::Phase
            }
            FromWorker::Failed { message } => {
                self.broken(&message);
                Heard::Phase
            }
            FromWorker::Loaded { run, facts } if run == current => {
                self.stage.set_paces(facts.paces);
                self.facts = Shared::new(facts);
                self.phase = Phase::Ready;
                Heard::Phase
            }
            FromWorker::Refused { run, problems } if run == current => {
                self.end(format!("This scenario cannot be run: {}", problems.join("; ")));
                Heard::Phase
            }
            FromWorker::Frame { run, advanced } if run == current => self.frame(&bytes, advanced),
            FromWorker::Stepped { run, text, .. } if run == current => Heard::Stepped(text),
            FromWorker::Report(report) if report.run == current => {
                self.report = Shared::new(*report);
                Heard::Figures
            }
            FromWorker::Faults {
                run, faults, refused, ..
            } if run == current => {
                if refused.is_none() {
                    self.scenario = Shared::new(Scenario {
                        faults,
                        ..(*self.scenario).clone()
                    });
                }
                Heard::Faults(refused)
            }
            FromWorker::Flows { run, rows, .. } if run == current => {
                self.flows = Shared::new(rows);
                Heard::Figures
            }
            FromWorker::Jobs { run, jobs, count } if run == current => {
                self.jobs = Shared::new(JobsView { jobs, count });
                Heard::Figures
            }
            FromWorker::Timeline(timeline) if timeline.run == current => self.timeline(timeline, &bytes),
            // An answer about an earlier run, or one for another page.
            _ => Heard::Nothing,
        }
    }

    fn frame(&mut self, bytes: &[u8], advanced: bool) -> Heard {
        if let Err(error) = self.stage.show(bytes) {
            self.broken(&error);
            return Heard::Phase;
        }
        let behind = advanced && self.stage.frame().head.flags & flags::BEHIND != 0;
        Heard::Frame { advanced, behind }
    }

    fn timeline(&mut self, timeline: Timeline, bytes: &[u8]) -> Heard {
        match timeline.values(bytes) {
            Some(values) => {
                self.history = Shared::new(History { timeline, values });
                Heard::Figures
            }
            None => {
                self.broken("it sent a timeline whose length does not fit");
                Heard::Phase
            }
        }
    }

    /// What it has come to.
    pub fn outcome(&self) -> Outcome {
        let steps = self.jobs.jobs.iter().flat_map(|job| &job.latest);
        Outcome {
            report: (*self.report).clone(),
            flows: self.facts.flows,
            steps_ps: steps.map(view::jobs::Step::time_ps).collect(),
        }
    }
}

/// Asks the browser to call before it paints next. False where it does not.
pub fn on_next_frame(call: impl FnOnce(f64) + 'static) -> bool {
    use wasm_bindgen::prelude::*;
    let callback = Closure::once_into_js(call);
    dom::window()
        .request_animation_frame(callback.unchecked_ref())
        .is_ok()
}

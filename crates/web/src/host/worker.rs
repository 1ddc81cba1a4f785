//! The conversation with the worker, and the clock.

use super::app::{HostApp, Msg};
use super::model::{CurveRun, FlowsView, Tab, TablesView};
use crate::desk::Desk;
use crate::dom;
use crate::model::{Phase, Playing};
use crate::shared::Shared;
use crate::texts::notices;
use crate::worker_link::{GIVEN_UP_S, Incoming, Kind, WorkerLink};
use view::host::message::{Ask, Report, Target, Tell};
use view::message::FromWorker;
use view::pace::Pace;
use view::stopped::{Cause, Revival, Stage as Stopped};
use view::{speed, units};
use wasm_bindgen::prelude::*;
use yew::Context;

/// Wall-clock time that the worker may take for one frame, in ms.
const FRAME_BUDGET_MS: f64 = 12.0;
/// The same while running to the end or to a time, where simulating matters more than showing.
const RUSH_BUDGET_MS: f64 = 50.0;
/// How often figures are asked for while playing, in ms: laying out what shows them takes more of the page's time than the stage.
const REPORT_EVERY_MS: f64 = 250.0;
/// How often what the open tab shows is.
const TAB_EVERY_MS: f64 = 500.0;
/// How long a worker may take to announce itself, in ms.
const PATIENCE_MS: i32 = 30_000;

/// What the worker has been asked for, and what it will be next.
#[derive(Default)]
pub struct Line {
    // An answer with a frame is on its way: the time before it, and the target.
    asked: Option<Asked>,
    // Somebody wants a report of the same moment.
    refresh: bool,
    goal: Option<Goal>,
    // Whether the run was over at the last frame.
    finished: bool,
    last_tick_ms: f64,
    last_frame_ms: f64,
    last_report_ms: f64,
    last_tab_ms: f64,
    ticking: bool,
}

/// What happens once the run that is being loaded is there, and when its worker stops.
#[derive(Default)]
pub struct After {
    /// Where it goes, in ps.
    pub at: Option<u64>,
    /// It plays then.
    pub plays: bool,
    /// Whether a worker that stops is started again.
    pub revival: Revival,
    /// It is to be, for this reason.
    pub revive: Option<String>,
}

struct Asked {
    before: u64,
    target: u64,
    seek: bool,
}

// A time to go to, whether the worker knows of it and has sent a report of there, how the run goes on then, and what is to be selected
// then.
struct Goal {
    target: u64,
    told: bool,
    reported: bool,
    then: Playing,
    select: Option<Target>,
}

impl Line {
    /// Goes to a time from where the run is, and goes on like this then.
    pub fn go_to(&mut self, target: u64, then: Playing) {
        self.goal = Some(Goal {
            target,
            told: true,
            reported: false,
            then,
            select: None,
        });
    }

    /// Selects a thing once the run is where it goes to.
    pub fn select_then(&mut self, target: Option<Target>) {
        if let Some(goal) = &mut self.goal {
            goal.select = target;
        }
    }
}

impl HostApp {
    /// Starts a worker in the place of the one that there may be.
    pub(super) fn start_worker(&mut self, ctx: &Context<HostApp>) {
        self.worker_number += 1;
        let number = self.worker_number;
        self.line = Line::default();
        match WorkerLink::start(
            Kind::Hosts,
            ctx.link().callback(move |incoming| Msg::Worker(number, incoming)),
        ) {
            Ok(link) => {
                self.worker = Some(link);
                let link = ctx.link().clone();
                let alarm = Closure::once_into_js(move || link.send_message(Msg::Watchdog(number)));
                let _ = dom::window().set_timeout_with_callback_and_timeout_and_arguments_0(
                    alarm.unchecked_ref(),
                    PATIENCE_MS,
                );
            }
            Err(error) => self.broken(&error),
        }
    }

    pub(super) fn check_worker(&mut self) -> bool {
        let silent = self.worker.as_ref().is_some_and(|worker| !worker.is_ready());
        if silent {
            self.stopped(&Cause::Silent(PATIENCE_MS as u32 / 1000));
        }
        silent
    }

    fn broken(&mut self, why: &str) {
        self.stopped(&Cause::of(why));
    }

    /// The worker has stopped. The first reason counts: others follow from it.
    fn stopped(&mut self, cause: &Cause) {
        let stage = match self.model.phase {
            Phase::Broken(_) => return,
            _ if self.worker.as_ref().is_none_or(|worker| !worker.is_ready()) => Stopped::Starting,
            Phase::Loading => Stopped::Building,
            Phase::Empty | Phase::Ready => Stopped::Running,
        };
        self.worker = None;
        self.line = Line::default();
        self.model.playing = Playing::No;
        self.model.seeking = None;
        self.model.silent_s = None;
        self.model.phase = Phase::Broken(cause.words());
        if self.after.revival.wanted(cause, stage) {
            self.after.revive = Some(cause.words());
        }
    }

    /// Starts another worker where the one that there was has stopped and it is worth another try. True when it did.
    pub(super) fn revive(&mut self, ctx: &Context<HostApp>) -> bool {
        let Some(why) = self.after.revive.take() else {
            return false;
        };
        let now = self.model.report.now_ps;
        self.restart_at(ctx, now);
        let mut details = vec![why, "The scenario is kept, with what was done by hand.".into()];
        if now > 0 {
            details.push(format!("The run goes back to {}.", units::span(now as f64)));
        }
        self.tell(false, notices::STARTED_AGAIN, details);
        true
    }

    /// Starts another worker, which loads the run and goes to a time of it.
    pub(super) fn restart_at(&mut self, ctx: &Context<HostApp>, at_ps: u64) {
        self.start_worker(ctx);
        self.load(ctx, (*self.model.scenario).clone());
        self.after.at = (at_ps > 0).then_some(at_ps);
    }

    /// The worker has owed an answer for some seconds. True when the page shows something else then.
    fn silent(&mut self, seconds: u32) -> bool {
        // Building takes as long as it takes, and can be stopped.
        if self.model.phase != Phase::Ready {
            return false;
        }
        let cause = Cause::Silent(seconds);
        if seconds >= GIVEN_UP_S && self.after.revival.wanted(&cause, Stopped::Running) {
            self.worker = None;
            self.after.revive = Some(cause.words());
        }
        self.model.silent_s = Some(seconds);
        true
    }

    /// The run of a frame in another page is wanted: it is built, and plays from where its link has it.
    pub(super) fn wake(&mut self, ctx: &Context<HostApp>) {
        self.model.asleep = false;
        let at = self.after.at;
        self.start_worker(ctx);
        self.load(ctx, (*self.model.scenario).clone());
        self.after.at = at;
        self.after.plays = true;
    }

    pub(super) fn ask(&mut self, ask: Ask) {
        if let Some(worker) = &mut self.worker
            && let Err(error) = worker.send(ask.into())
        {
            self.broken(&error);
        }
    }

    /// A new report of the same moment; after the frame that is on its way, if one is.
    pub(super) fn refresh(&mut self) {
        self.line.refresh = true;
        self.pump();
    }

    /// Asks the browser to call before it paints next.
    pub(super) fn keep_ticking(&mut self, ctx: &Context<HostApp>) {
        if self.line.ticking {
            return;
        }
        let link = ctx.link().clone();
        let callback = Closure::once_into_js(move |now_ms: f64| link.send_message(Msg::Tick(now_ms)));
        self.line.ticking = dom::window()
            .request_animation_frame(callback.unchecked_ref())
            .is_ok();
    }

    /// The browser is about to paint.
    pub(super) fn tick(&mut self, ctx: &Context<HostApp>, now_ms: f64) {
        self.line.ticking = false;
        self.line.last_tick_ms = now_ms;
        if self.model.playing == Playing::AtSpeed && self.line.goal.is_none() {
            self.advance(now_ms);
        }
        self.pump();
        self.stage
            .draw(&self.model.report, &self.model.facts, self.shown_vm());
        if self.model.playing != Playing::No || self.line.goal.is_some() {
            self.keep_ticking(ctx);
        }
    }

    fn advance(&mut self, now_ms: f64) {
        if self.line.asked.is_none() && self.is_ready() {
            let target = self.pace.next_target(now_ms, speed::of_step(self.model.speed));
            self.send_advance(target, FRAME_BUDGET_MS, now_ms);
        }
    }

    fn send_advance(&mut self, target_ps: u64, budget_ms: f64, now_ms: f64) {
        let report = self.line.refresh || now_ms - self.line.last_report_ms >= REPORT_EVERY_MS;
        if report {
            self.line.last_report_ms = now_ms;
            self.line.refresh = false;
        }
        self.line.asked = Some(Asked {
            before: self.stage.now_ps(),
            target: target_ps,
            seek: false,
        });
        self.ask(Ask::Advance {
            run: self.run,
            target_ps,
            budget_ms,
            report,
        });
        if now_ms - self.line.last_tab_ms >= TAB_EVERY_MS {
            self.ask_for_tab();
        }
    }

    /// Asks for what comes next, unless an answer is on its way.
    fn pump(&mut self) {
        if self.line.asked.is_some() || !self.is_ready() {
            return;
        }
        let now = self.stage.now_ps();
        let now_ms = self.line.last_tick_ms;
        if let Some(goal) = &mut self.line.goal {
            let target = goal.target;
            if !goal.told {
                goal.told = true;
                self.line.asked = Some(Asked {
                    before: now,
                    target,
                    seek: true,
                });
                self.ask(Ask::Seek {
                    run: self.run,
                    target_ps: target,
                    budget_ms: RUSH_BUDGET_MS,
                });
                return;
            }
            if now < target && !self.line.finished {
                return self.send_advance(target, RUSH_BUDGET_MS, now_ms);
            }
            let (then, select, reported) = (goal.then, goal.select, goal.reported);
            self.line.goal = None;
            self.model.seeking = None;
            if select.is_some() {
                self.model.selected = select;
                self.stage.select(select);
                self.ask(Ask::Watch { target: select });
            }
            self.line.refresh |= select.is_some() || !reported;
            self.ask_for_tab();
            if then != Playing::No {
                self.play(then);
            }
        }
        if self.line.asked.is_some() {
            return;
        }
        if self.model.playing == Playing::ToEnd {
            self.send_advance(u64::MAX, RUSH_BUDGET_MS, now_ms);
        } else if self.line.refresh {
            self.send_advance(now, 0.0, now_ms);
        }
    }

    pub(super) fn play(&mut self, how: Playing) {
        if !self.is_ready() || self.line.finished {
            return;
        }
        self.desk.at(Desk::withdraw_offer);
        self.model.playing = how;
        self.pace = Pace::at(self.stage.now_ps());
        self.line.last_frame_ms = dom::now_ms();
        self.pump();
    }

    pub(super) fn pause(&mut self) {
        self.model.playing = Playing::No;
        self.model.limited = None;
        self.refresh();
        self.ask_for_tab();
    }

    pub(super) fn step(&mut self) {
        if self.is_ready() && self.line.goal.is_none() {
            self.model.playing = Playing::No;
            self.ask(Ask::Step { run: self.run });
            self.ask_for_tab();
        }
    }

    /// Goes back to before the last event.
    pub(super) fn step_back(&mut self) {
        if self.is_ready() && self.line.goal.is_none() {
            self.model.playing = Playing::No;
            self.line.finished = false;
            self.ask(Ask::StepBack { run: self.run });
            self.ask_for_tab();
        }
    }

    /// Goes to a time, forwards or back.
    pub(super) fn seek(&mut self, target: u64) {
        self.seek_then(target, Playing::No);
    }

    /// The same, and goes on like this then.
    fn seek_then(&mut self, target: u64, then: Playing) {
        if !self.is_ready() {
            return;
        }
        self.model.playing = Playing::No;
        self.model.limited = None;
        let target = target.min(self.model.scenario.until.0);
        self.model.seeking = Some(target);
        self.line.goal = Some(Goal {
            target,
            told: false,
            reported: false,
            then,
            select: None,
        });
        self.pump();
    }

    /// Asks for what the open tab shows.
    pub(super) fn ask_for_tab(&mut self) {
        if !self.is_ready() {
            return;
        }
        self.line.last_tab_ms = self.line.last_tick_ms;
        let run = self.run;
        match self.model.tab {
            // Beside the scenario and the inspector, which have a place of their own on a wide page, the dock shows the charts.
            Tab::Charts | Tab::Scenario | Tab::Inspect => {
                let traffic = self.model.latency_of;
                self.ask(Ask::Charts { run, traffic });
            }
            Tab::Tables => self.ask(Ask::Tables { run }),
            Tab::Flows => {
                let vm = self.model.flows.vm;
                self.ask(Ask::Flows { run, vm });
            }
            Tab::Process | Tab::Cost | Tab::Events => {}
        }
    }

    /// Takes what the worker says. True when the page shows something else then.
    pub(super) fn hear(&mut self, ctx: &Context<HostApp>, incoming: Incoming) -> bool {
        let (message, bytes, buffer) = match incoming {
            Incoming::Broken(why) => {
                self.broken(&why);
                return true;
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
        let was_silent = self.model.silent_s.take().is_some();
        let shown = match *message {
            FromWorker::Ready => {
                let ready = self.worker.as_mut().map_or(Ok(()), WorkerLink::ready);
                if let Err(error) = ready {
                    self.broken(&error);
                }
                true
            }
            FromWorker::Failed { message } => {
                self.broken(&message);
                true
            }
            FromWorker::Host { host } => match host.open() {
                Ok(tell) => self.hear_host(tell, &bytes),
                Err(error) => {
                    self.broken(&error);
                    true
                }
            },
            // What is said of fabrics is not meant for this page.
            _ => false,
        };
        self.keep_ticking(ctx);
        shown || was_silent
    }

    fn hear_host(&mut self, tell: Tell, bytes: &[u8]) -> bool {
        match tell {
            Tell::Loaded { run, facts } if run == self.run => {
                self.stage.set_layers(facts.layers.first().map_or(0, Vec::len));
                self.model.facts = Shared::new(facts);
                self.model.phase = Phase::Ready;
                let target = self.model.selected;
                self.select(target);
                if std::mem::take(&mut self.arrange_next) {
                    self.arrange();
                }
                self.ask_for_tab();
                let plays = std::mem::take(&mut self.after.plays);
                let then = if plays { Playing::AtSpeed } else { Playing::No };
                match self.after.at.take() {
                    Some(at) => self.seek_then(at, then),
                    None if plays => self.play(then),
                    None => {}
                }
                true
            }
            Tell::Refused { run, problems } if run == self.run => {
                self.model.phase = Phase::Empty;
                self.tell(true, notices::CANNOT_BE_RUN, problems);
                true
            }
            Tell::Frame {
                run,
                now_ps,
                finished,
                there,
                advanced,
            } if run == self.run => {
                // Loading and stepping send a frame too, which answers nothing that is waited for.
                let answer = self.line.asked.take_if(|asked| asked.seek != advanced);
                self.frame(bytes, now_ps, finished, there, answer)
            }
            Tell::Report(report) if report.run == self.run => self.report(*report),
            Tell::Tables(tables) if tables.run == self.run => {
                self.model.tables = Shared::new(TablesView {
                    tables: *tables,
                    cells: bytes.to_vec(),
                });
                true
            }
            Tell::Flows { run, vm, rows, pairs } if run == self.run && vm == self.model.flows.vm => {
                self.model.flows = Shared::new(FlowsView { vm, rows, pairs });
                true
            }
            // An answer about another entry of the traffic than the one chosen meanwhile is not shown.
            Tell::Charts(charts) if charts.run == self.run && charts.traffic == self.model.latency_of => {
                self.model.charts = Shared::new(*charts);
                true
            }
            Tell::Tuple { run, tuple, answer }
                if run == self.run && self.model.process.form.waits_for(&tuple) =>
            {
                self.model.process.answer = Some(Shared::new(*answer));
                true
            }
            // Of an older run, or of a sweep.
            _ => false,
        }
    }

    fn frame(
        &mut self,
        bytes: &[u8],
        now_ps: u64,
        finished: bool,
        there: u32,
        answer: Option<Asked>,
    ) -> bool {
        if !self.stage.show(bytes, now_ps) {
            self.broken("it sent packets that cannot be read");
            return true;
        }
        self.line.finished = finished;
        if let (Some(Asked { seek: true, .. }), Some(goal)) = (&answer, &mut self.line.goal) {
            goal.reported = now_ps >= goal.target || finished;
        }
        let now_ms = dom::now_ms();
        let took = now_ms - self.line.last_frame_ms;
        self.line.last_frame_ms = now_ms;
        if let Some(asked) = answer
            && self.model.playing == Playing::AtSpeed
        {
            self.pace.reached(asked.before, now_ps, asked.target, took);
        }
        let limited = (self.model.playing == Playing::AtSpeed && self.pace.is_limited())
            .then(|| self.pace.achieved())
            .flatten();
        let drawn = (there, self.stage.drawn());
        // While it plays, the components follow with the report.
        let mut shown = limited.is_some() != self.model.limited.is_some()
            || (drawn.0 as usize > drawn.1) != (self.model.there.0 as usize > self.model.there.1);
        self.model.limited = limited;
        self.model.there = drawn;
        if finished && self.model.playing != Playing::No {
            self.model.playing = Playing::No;
            self.model.limited = None;
            self.ask_for_tab();
            shown = true;
        }
        self.pump();
        shown
    }

    fn report(&mut self, report: Report) -> bool {
        let old = self.model.report.servicing.clone();
        if report.servicing != old
            && let Some(first) = report.servicing.first()
        {
            self.model.announcement.clone_from(first);
        }
        self.model.report = Shared::new(report);
        self.stage.redraw(&self.model.report);
        true
    }

    /// Starts a worker for the points of a sweep.
    pub(super) fn start_curve_worker(&mut self, ctx: &Context<HostApp>) {
        self.curve_number += 1;
        let number = self.curve_number;
        match WorkerLink::start(
            Kind::Hosts,
            ctx.link().callback(move |incoming| Msg::Curve(number, incoming)),
        ) {
            Ok(link) => {
                self.curve = Some(link);
                self.next_point();
            }
            Err(error) => self.curve_ended(Some(error)),
        }
    }

    fn next_point(&mut self) {
        let mut curve = (*self.model.curve).clone();
        let Some((value, seed)) = curve.left.pop() else {
            return self.curve_ended(None);
        };
        let mut scenario = (*self.model.scenario).clone();
        scenario.seed = seed;
        let ask = Ask::Curve {
            scenario: Box::new(scenario),
            curve: curve.curve,
            value,
        };
        self.model.curve = Shared::new(curve);
        if let Some(worker) = &mut self.curve
            && let Err(error) = worker.send(ask.into())
        {
            self.curve_ended(Some(error));
        }
    }

    fn curve_ended(&mut self, problem: Option<String>) {
        self.curve = None;
        self.model.curve = Shared::new(CurveRun {
            running: false,
            problem,
            ..(*self.model.curve).clone()
        });
    }

    pub(super) fn stop_curve(&mut self) {
        self.curve_ended(None);
    }

    /// Takes what the worker of the sweep says.
    pub(super) fn hear_curve(&mut self, incoming: Incoming) -> bool {
        let message = match incoming {
            Incoming::Broken(why) => {
                self.curve_ended(Some(Cause::of(&why).words()));
                return true;
            }
            // A point takes as long as it takes, and can be stopped.
            Incoming::Silent(_) => return false,
            Incoming::Message { message, .. } => message,
        };
        match *message {
            FromWorker::Ready => {
                let ready = self.curve.as_mut().map_or(Ok(()), WorkerLink::ready);
                if let Err(error) = ready {
                    self.curve_ended(Some(error));
                }
            }
            FromWorker::Failed { message } => self.curve_ended(Some(Cause::of(&message).words())),
            FromWorker::Host { host } => match host.open() {
                Ok(Tell::Curve { point: Ok(point) }) => {
                    let mut curve = (*self.model.curve).clone();
                    curve.points.push(point);
                    self.model.curve = Shared::new(curve);
                    self.next_point();
                }
                Ok(Tell::Curve { point: Err(why) }) | Err(why) => self.curve_ended(Some(why)),
                Ok(_) => return false,
            },
            _ => return false,
        }
        true
    }
}

//! The conversation with the worker, and the clock.

use super::{App, Asked, Msg};
use crate::desk::Desk;
use crate::dom;
use crate::model::{History, JobsView, Phase, Playing, Rates, Tab};
use crate::shared::Shared;
use crate::stage::Ends;
use crate::texts::notices;
use crate::worker_link::{GIVEN_UP_S, Incoming, Kind, WorkerLink};
use view::inspect::{Detail, Target};
use view::message::{FromWorker, Lane, Report, Timeline, ToWorker};
use view::pace::Pace;
use view::series::recent;
use view::stopped::{Cause, Stage as Stopped};
use view::{frame, speed, units};
use wasm_bindgen::prelude::*;
use yew::Context;

/// Wall-clock time that the worker may take for one frame, in ms.
const FRAME_BUDGET_MS: f64 = 12.0;
/// The same while running to the end, where simulating matters more than showing.
const RUSH_BUDGET_MS: f64 = 50.0;
/// How often figures are asked for while playing, in ms.
const REPORT_EVERY_MS: f64 = 120.0;
/// How often the timeline is.
const TIMELINE_EVERY_MS: f64 = 250.0;
/// How often the flows, the jobs or the charts are, while their tab is open.
const FLOWS_EVERY_MS: f64 = 1000.0;
/// How long a worker may take to announce itself, in ms.
const PATIENCE_MS: i32 = 30_000;
/// Reports that the rates are taken over.
const REPORTS_KEPT: usize = 20;

impl App {
    /// Starts a worker in the place of the one that there may be.
    pub(super) fn start_worker(&mut self, ctx: &Context<App>) {
        self.worker_number += 1;
        let number = self.worker_number;
        self.asked = None;
        self.seeking = None;
        self.refreshing = false;
        match WorkerLink::start(
            Kind::Fabrics,
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
            Err(error) => {
                self.worker = None;
                self.model.phase = Phase::Broken(Cause::of(&error).words());
            }
        }
    }

    pub(super) fn check_worker(&mut self) -> bool {
        let silent = self.worker.as_ref().is_some_and(|worker| !worker.is_ready());
        if silent {
            self.stopped(&Cause::Silent(PATIENCE_MS as u32 / 1000));
        }
        silent
    }

    /// The worker has stopped, as the browser or its last word says. The first reason counts: others follow from it.
    fn broken(&mut self, why: &str) {
        self.stopped(&Cause::of(why));
    }

    /// The worker has stopped.
    fn stopped(&mut self, cause: &Cause) {
        let stage = match self.model.phase {
            Phase::Broken(_) => return,
            _ if self.worker.as_ref().is_none_or(|worker| !worker.is_ready()) => Stopped::Starting,
            Phase::Loading => Stopped::Building,
            Phase::Empty | Phase::Ready => Stopped::Running,
        };
        self.worker = None;
        self.asked = None;
        self.seeking = None;
        self.model.seeking = None;
        self.model.silent_s = None;
        self.refreshing = false;
        self.model.playing = Playing::No;
        self.model.phase = Phase::Broken(cause.words());
        if self.revival.wanted(cause, stage) {
            self.revive_next = Some(cause.words());
        }
    }

    /// Starts another worker where the one that there was has stopped and it is worth another try. True when it did.
    pub(super) fn revive(&mut self, ctx: &Context<App>) -> bool {
        let Some(why) = self.revive_next.take() else {
            return false;
        };
        let now = self.model.report.now_ps;
        self.restart_at(ctx, now);
        let mut details = vec![why, "The scenario is kept, faults by hand included.".into()];
        if now > 0 {
            details.push(format!("The run goes back to {}.", units::span(now as f64)));
        }
        self.tell(false, notices::STARTED_AGAIN, details);
        true
    }

    /// Starts another worker, which loads the run and goes to a time of it.
    pub(super) fn restart_at(&mut self, ctx: &Context<App>, at_ps: u64) {
        self.model.silent_s = None;
        self.start_worker(ctx);
        self.reload(ctx);
        self.at_next = (at_ps > 0).then_some(at_ps);
    }

    /// The worker has owed an answer for some seconds. True when the page shows something else then.
    fn silent(&mut self, seconds: u32) -> bool {
        // Building a large fabric takes as long as it takes, and can be stopped.
        if self.model.phase != Phase::Ready {
            return false;
        }
        let cause = Cause::Silent(seconds);
        if seconds >= GIVEN_UP_S && self.revival.wanted(&cause, Stopped::Running) {
            self.worker = None;
            self.revive_next = Some(cause.words());
        }
        self.model.silent_s = Some(seconds);
        true
    }

    pub(super) fn send(&mut self, ask: ToWorker) {
        // What can be seen changes many times between two frames: only the last of it counts.
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

    /// What can be seen has changed: the worker learns of it with the next request.
    pub(super) fn send_look(&mut self) {
        self.look_is_old = true;
    }

    /// A new frame and report of the same moment; after the frame that is on its way, if one is.
    pub(super) fn refresh(&mut self) {
        self.last_report_ms = f64::NEG_INFINITY;
        self.refresh_view();
    }

    /// A new frame of the same moment, with a report if one is wanted; after the frame that is on its way, if one is.
    /// There is never more than one on its way, however fast the camera moves.
    pub(super) fn refresh_view(&mut self) {
        // While the run is on its way to another time, the time that is shown is not that of the run.
        self.refresh_later = self.asked.is_some() || self.refreshing || self.seeking.is_some();
        if self.is_ready() && !self.refresh_later {
            let now = self.stage.frame().head.now;
            let report = self.last_report_ms == f64::NEG_INFINITY;
            if report {
                self.last_report_ms = self.last_tick_ms;
            }
            self.send(ToWorker::Advance {
                run: self.run,
                target_ps: now,
                budget_ms: 0.0,
                report,
            });
            self.refreshing = true;
        }
    }

    /// The browser is about to paint.
    pub(super) fn tick(&mut self, ctx: &Context<App>, now_ms: f64) -> bool {
        self.ticking = false;
        self.last_tick_ms = now_ms;
        if self.is_ready()
            && self.model.playing == Playing::AtSpeed
            && self.asked.is_none()
            && self.seeking.is_none()
            && !self.refreshing
        {
            self.advance(now_ms);
        }
        let moving = self.stage.draw(now_ms);
        if moving || self.model.playing != Playing::No {
            self.keep_ticking(ctx);
        }
        false
    }

    /// Asks the browser to call before it paints next.
    pub(super) fn keep_ticking(&mut self, ctx: &Context<App>) {
        if self.ticking {
            return;
        }
        let link = ctx.link().clone();
        let callback = Closure::once_into_js(move |now_ms: f64| link.send_message(Msg::Tick(now_ms)));
        self.ticking = dom::window()
            .request_animation_frame(callback.unchecked_ref())
            .is_ok();
    }

    /// Asks the worker to go on.
    pub(super) fn advance(&mut self, now_ms: f64) {
        let before = self.stage.frame().head.now;
        let (target, budget_ms) = match self.model.playing {
            Playing::No => return,
            Playing::AtSpeed => {
                let speed = speed::of_step(self.model.speed);
                (self.pace.next_target(now_ms, speed), FRAME_BUDGET_MS)
            }
            Playing::ToEnd => (u64::MAX, RUSH_BUDGET_MS),
        };
        let report = now_ms - self.last_report_ms >= REPORT_EVERY_MS;
        if report {
            self.last_report_ms = now_ms;
        }
        self.send(ToWorker::Advance {
            run: self.run,
            target_ps: target,
            budget_ms,
            report,
        });
        self.asked = Some(Asked { before, target });
        self.ask_for_history(now_ms);
    }

    /// Asks for the timeline and the flows, where they are shown and old.
    pub(super) fn ask_for_history(&mut self, now_ms: f64) {
        if self.model.phase != Phase::Ready {
            return;
        }
        if now_ms - self.last_timeline_ms >= TIMELINE_EVERY_MS {
            self.last_timeline_ms = now_ms;
            let mut qps = self.model.lanes.qps().to_vec();
            qps.extend(self.shown_qp());
            self.send(ToWorker::Timeline { run: self.run, qps });
        }
        self.ask_for_events(now_ms);
        let ask = match self.model.tab {
            Tab::Flows => ToWorker::Flows { run: self.run },
            Tab::Jobs => ToWorker::Jobs { run: self.run },
            Tab::Charts => ToWorker::Charts {
                run: self.run,
                want: self.model.charts_want,
            },
            _ => return,
        };
        if now_ms - self.last_flows_ms >= FLOWS_EVERY_MS {
            self.last_flows_ms = now_ms;
            self.send(ask);
        }
    }

    /// Asks for everything, now.
    pub(super) fn ask_for_all(&mut self) {
        self.last_timeline_ms = f64::NEG_INFINITY;
        self.last_flows_ms = f64::NEG_INFINITY;
        self.events_are_old();
        self.ask_for_history(dom::now_ms());
    }

    /// The QP whose throughput is shown.
    fn shown_qp(&self) -> Option<u32> {
        match (&self.model.selected, self.model.detail.as_deref()) {
            (Some(Target::Qp(qp)), _) => Some(*qp),
            (Some(Target::Packet(_)), Some(Detail::Packet(packet))) => packet.qp,
            _ => None,
        }
    }

    pub(super) fn play(&mut self, how: Playing) {
        if !self.is_ready() || self.model.report.finished {
            return;
        }
        self.desk.at(Desk::withdraw_offer);
        self.model.playing = how;
        self.model.step = None;
        self.pace = Pace::at(self.stage.frame().head.now);
        self.last_frame_ms = dom::now_ms();
        self.stop_seek();
        if self.asked.is_none() && !self.refreshing && self.seeking.is_none() {
            self.advance(self.last_tick_ms);
        }
    }

    pub(super) fn pause(&mut self) {
        self.model.playing = Playing::No;
        self.model.limited = None;
        self.refresh();
        self.ask_for_all();
    }

    pub(super) fn step(&mut self) {
        if !self.is_ready() {
            return;
        }
        self.model.playing = Playing::No;
        self.stop_seek();
        self.send(ToWorker::Step { run: self.run });
        self.ask_for_all();
    }

    /// Takes what the worker says. True when the page shows something else then.
    pub(super) fn hear(&mut self, ctx: &Context<App>, incoming: Incoming) -> bool {
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
            FromWorker::Loaded { run, facts } => run == self.run && self.loaded(ctx, facts),
            FromWorker::Refused { run, problems } => run == self.run && self.refused(problems),
            FromWorker::Frame { run, advanced } => run == self.run && self.frame(&bytes, advanced),
            FromWorker::Stepped { run, text, place } => run == self.run && self.stepped(text, place),
            FromWorker::Sought {
                run,
                target_ps,
                reached,
                ..
            } => run == self.run && self.sought(ctx, target_ps, reached),
            FromWorker::Report(report) => report.run == self.run && self.report(*report),
            FromWorker::Faults {
                run,
                faults,
                refused,
                forgotten,
            } => run == self.run && self.faults(faults, refused, forgotten),
            FromWorker::Flows { run, rows, .. } => {
                let current = run == self.run;
                if current {
                    self.model.flows = Shared::new(rows);
                }
                current
            }
            FromWorker::Jobs { run, jobs, count } => {
                let current = run == self.run;
                if current {
                    self.model.jobs = Shared::new(JobsView { jobs, count });
                }
                current
            }
            FromWorker::Charts { run, answer } => {
                let current = run == self.run;
                if current {
                    self.model.charts = Shared::new(*answer);
                }
                current
            }
            FromWorker::Events { run, answer } => run == self.run && self.events(ctx, *answer),
            FromWorker::EventsFile { run, form } => run == self.run && self.events_file(form, &bytes),
            FromWorker::Life { run, life } => run == self.run && self.life(*life),
            // Only workers of a sweep, of the host page and of an import say this, and they are heard elsewhere.
            FromWorker::Sweep(_) | FromWorker::Host { .. } | FromWorker::Imported(_) => false,
            FromWorker::Timeline(timeline) => timeline.run == self.run && self.timeline(timeline, &bytes),
        };
        self.keep_ticking(ctx);
        shown || was_silent
    }

    fn loaded(&mut self, ctx: &Context<App>, facts: view::message::Facts) -> bool {
        self.stage.set_paces(facts.paces);
        self.model.facts = Shared::new(facts);
        self.model.phase = Phase::Ready;
        self.forget_events();
        let target = self.select_next.take();
        self.select(target);
        self.ask_for_all();
        if std::mem::take(&mut self.arrange_next) {
            self.arrange(ctx);
        }
        if let Some(at) = self.at_next.take() {
            self.seek(ctx, at);
        }
        self.play_if_wanted();
        true
    }

    /// Plays, where that was asked for before the run was there, once it is where it is to begin.
    pub(super) fn play_if_wanted(&mut self) {
        if self.play_next && self.seeking.is_none() {
            self.play_next = false;
            self.play(Playing::AtSpeed);
        }
    }

    /// The run of a frame in another page is wanted: it is built, and plays from where its link has it.
    pub(super) fn wake(&mut self, ctx: &Context<App>) {
        self.model.asleep = false;
        self.play_next = true;
        let (at, arranges) = (self.at_next, self.arrange_next);
        self.start_worker(ctx);
        self.reload(ctx);
        (self.at_next, self.arrange_next) = (at, arranges);
    }

    fn refused(&mut self, problems: Vec<String>) -> bool {
        self.model.phase = Phase::Empty;
        self.tell_error(notices::CANNOT_BE_RUN, problems);
        true
    }

    fn frame(&mut self, bytes: &[u8], advanced: bool) -> bool {
        let level = self.stage.frame().head.level;
        if let Err(error) = self.stage.show(bytes) {
            self.broken(&error);
            return true;
        }
        let head = self.stage.frame().head;
        let capped = self
            .stage
            .frame()
            .is_capped()
            .then_some((self.stage.frame().packets.len(), head.packets_there));
        let mut shown = std::mem::replace(&mut self.model.capped, capped) != capped;
        shown |= head.level != level;
        if !advanced {
            return shown;
        }
        self.refreshing = false;
        if let Some(asked) = self.asked.take() {
            let now_ms = dom::now_ms();
            let is_behind = head.flags & frame::flags::BEHIND != 0;
            // The end of the run is as good as what was asked for.
            let target = if is_behind { asked.target } else { head.now };
            self.pace
                .reached(asked.before, head.now, target, now_ms - self.last_frame_ms);
            self.last_frame_ms = now_ms;
        }
        let is_wanted = self.refresh_later || self.stage.is_coarse();
        if is_wanted && self.asked.is_none() && self.model.playing == Playing::No {
            self.refresh_view();
        }
        let is_limited = self.model.playing == Playing::AtSpeed && self.pace.is_limited();
        let limited = if is_limited { self.pace.achieved() } else { None };
        shown |= limited.is_some() != self.model.limited.is_some();
        self.model.limited = limited;
        if self.is_ready() && self.model.playing == Playing::ToEnd && head.flags & frame::flags::FINISHED == 0
        {
            self.advance(dom::now_ms());
        }
        shown
    }

    fn stepped(&mut self, text: String, place: Option<Target>) -> bool {
        if let Some(place) = &place {
            self.stage.locate(Some(place));
        }
        self.model.announcement.clone_from(&text);
        self.model.step = Some(text);
        true
    }

    fn report(&mut self, report: Report) -> bool {
        let was_finished = self.model.report.finished;
        match (&self.model.selected, report.detail.clone()) {
            (None, _) => self.model.detail = None,
            // The last that was seen of a packet is worth keeping.
            (Some(_), Some(Detail::PacketGone)) => self.model.gone = true,
            (Some(_), detail) => {
                self.model.gone = false;
                self.model.detail = detail.map(Shared::new);
            }
        }
        self.emphasise();
        if self
            .reports
            .back()
            .is_some_and(|last| last.now_ps > report.now_ps)
        {
            // Back in time: rates are taken from here on.
            self.reports.clear();
        }
        self.reports.push_back(report.clone());
        if self.reports.len() > REPORTS_KEPT {
            self.reports.pop_front();
        }
        self.model.rates = self.rates();
        let finished = report.finished;
        self.model.report = Shared::new(report);
        self.life_of_detail();
        if finished {
            self.model.playing = Playing::No;
            self.model.limited = None;
            self.model.menu = None;
        }
        if finished && !was_finished {
            self.ask_for_all();
            self.model.announcement = self.verdict();
        }
        true
    }

    /// What has come of the run, in a sentence.
    fn verdict(&self) -> String {
        let report = &self.model.report;
        let flows = self.model.facts.flows;
        let at = units::span(report.now_ps as f64);
        let count = |flows: u32| units::count(flows.into());
        if report.flows_done == flows {
            format!("Finished: all {} flows complete at {at}", count(flows))
        } else {
            let failed = match report.flows_failed {
                0 => String::new(),
                failed => format!(", {} of them in ERROR", count(failed)),
            };
            format!(
                "Ended at {at}: {} of {} flows are not complete{failed}",
                count(flows - report.flows_done),
                count(flows)
            )
        }
    }

    /// Emphasises the selection, with what its details say.
    pub(super) fn emphasise(&mut self) {
        let (mut ends, mut path) = (None, Vec::new());
        match self.model.detail.as_deref() {
            Some(Detail::Qp(qp)) => {
                ends = Some(Ends {
                    src: qp.row.src,
                    dst: qp.row.dst,
                });
            }
            Some(Detail::Packet(packet)) => path.extend(packet.path.iter().filter_map(|hop| hop.link)),
            _ => {}
        }
        let selected = self
            .model
            .selected
            .as_ref()
            .and_then(|target| self.place_of(target));
        self.stage.emphasise(selected.as_ref(), ends, &path);
    }

    /// Where a thing is: of a fault, what it is about, if that is one thing.
    pub(super) fn place_of(&self, target: &Target) -> Option<Target> {
        match target {
            Target::Fault(index) => {
                let scenario = self.model.scenario.as_ref()?;
                Target::of_fault(&scenario.faults.get(*index as usize)?.what)
            }
            other => Some(other.clone()),
        }
    }

    fn rates(&self) -> Rates {
        let (Some(first), Some(last)) = (self.reports.front(), self.reports.back()) else {
            return Rates::default();
        };
        let seconds = (last.busy_ms - first.busy_ms) / 1000.0;
        if seconds < 0.002 {
            return self.model.rates;
        }
        let rate = |from: u64, to: u64| to.saturating_sub(from) as f64 / seconds;
        Rates {
            events: rate(first.events, last.events),
            hops: rate(first.packet_hops, last.packet_hops),
            time: rate(first.now_ps, last.now_ps),
        }
    }

    fn timeline(&mut self, timeline: Timeline, bytes: &[u8]) -> bool {
        let Some(values) = timeline.values(bytes) else {
            self.broken("it sent a timeline whose length does not fit");
            return true;
        };
        self.stage.set_headings(headings(&timeline, &values));
        let rests = self.model.playing == Playing::No;
        if let Some(news) = self.herald.tell(&timeline.marks, dom::now_ms(), rests) {
            self.model.announcement = if self.model.report.finished {
                format!("{news}. {}", self.verdict())
            } else {
                news
            };
        }
        self.model.history = Shared::new(History { timeline, values });
        true
    }
}

/// The goodput of each plane of late.
fn headings(timeline: &Timeline, values: &[Vec<f32>]) -> Vec<String> {
    timeline
        .lanes
        .iter()
        .zip(values)
        .filter(|(lane, _)| matches!(lane, Lane::Plane(_)))
        .map(
            |(_, bins)| match recent(&bins[..timeline.bins_at(timeline.now_ps).min(bins.len())]) {
                Some(bytes) => units::rate(bytes * 8e12 / timeline.bin_ps as f64),
                None => String::new(),
            },
        )
        .collect()
}

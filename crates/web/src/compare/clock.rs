//! The one clock, and the conversation with the workers: none goes on before all are there.

use super::pane::{Heard, Pane, on_next_frame};
use super::{CompareApp, Msg};
use crate::dom;
use crate::model::Playing;
use crate::worker_link::Incoming;
use lab::compare::letter;
use view::{speed, units};
use yew::Context;

/// Wall-clock time that a worker may take before it shows something, in ms.
const FRAME_BUDGET_MS: f64 = 12.0;
/// The same while running to the end, where simulating matters more than showing.
const RUSH_BUDGET_MS: f64 = 50.0;
/// How often figures are asked for while playing, in ms.
const REPORT_EVERY_MS: f64 = 150.0;
/// How often histories are.
const HISTORY_EVERY_MS: f64 = 300.0;
/// How often results of flows and jobs are.
const RESULTS_EVERY_MS: f64 = 1500.0;
/// Flows of a run whose results are asked for while it goes on; of more, when it rests.
const FEW_FLOWS: u32 = 4096;

impl CompareApp {
    /// The browser is about to paint.
    pub(super) fn tick(&mut self, now_ms: f64) -> bool {
        self.ticking = false;
        if self.playing != Playing::No && self.is_idle() {
            self.advance(now_ms);
        }
        self.moving = false;
        for pane in &mut self.panes {
            self.moving |= pane.stage.draw(now_ms);
        }
        false
    }

    /// Asks the browser to call before it paints next.
    pub(super) fn keep_ticking(&mut self, ctx: &Context<CompareApp>) {
        if !self.ticking {
            let link = ctx.link().clone();
            self.ticking = on_next_frame(move |now_ms| link.send_message(Msg::Tick(now_ms)));
        }
    }

    /// Simulated time: that of all runs that are not over.
    pub(super) fn now_ps(&self) -> u64 {
        let going = self.panes.iter().filter(|pane| !pane.is_over());
        let latest = going.map(Pane::now_ps).max();
        latest.unwrap_or_else(|| self.panes.iter().map(Pane::now_ps).max().unwrap_or(0))
    }

    /// True when all runs are over.
    pub(super) fn is_over(&self) -> bool {
        self.panes.iter().all(Pane::is_over)
    }

    /// True when all are at the same time, and no answer is on its way.
    fn is_idle(&self) -> bool {
        let rests = self.goal.is_none() && self.stepping.is_none() && !self.hands.are_busy();
        rests && !self.is_loading() && self.panes.iter().all(|pane| !pane.asked)
    }

    pub(super) fn play(&mut self, how: Playing) {
        if self.is_loading() || self.is_over() {
            return;
        }
        self.playing = how;
        self.step = None;
        self.clock = self.clock.resumed(self.now_ps());
        if self.is_idle() {
            self.advance(dom::now_ms());
        }
    }

    /// All stop where they are on their way to, so that they stop at the same time.
    pub(super) fn pause(&mut self) {
        self.playing = Playing::No;
        self.limited = None;
        if self.is_idle() {
            self.settle();
        }
    }

    /// Processes one event of the first run that is not over; the others follow to its time.
    pub(super) fn step_once(&mut self) {
        self.playing = Playing::No;
        if !self.is_idle() {
            return;
        }
        if let Some(pane) = self
            .panes
            .iter_mut()
            .find(|pane| pane.is_ready() && !pane.is_over())
        {
            self.stepping = Some(pane.number());
            pane.step();
        }
    }

    /// Begins the next slice.
    fn advance(&mut self, now_ms: f64) {
        let speed = match self.playing {
            Playing::No => return,
            Playing::AtSpeed => Some(speed::of_step(self.speed)),
            Playing::ToEnd => None,
        };
        if now_ms - self.last_history_ms >= HISTORY_EVERY_MS {
            self.last_history_ms = now_ms;
            self.panes.iter_mut().for_each(Pane::ask_for_history);
        }
        if now_ms - self.last_results_ms >= RESULTS_EVERY_MS {
            self.last_results_ms = now_ms;
            let few = self.panes.iter_mut().filter(|pane| pane.facts.flows <= FEW_FLOWS);
            few.for_each(Pane::ask_for_results);
        }
        let report = now_ms - self.last_report_ms >= REPORT_EVERY_MS;
        if report {
            self.last_report_ms = now_ms;
        }
        let target = self.clock.begin(self.now_ps(), now_ms, speed);
        self.go_to(target, report);
    }

    /// Sends all that are not over to a simulated time.
    pub(super) fn go_to(&mut self, target: u64, report: bool) {
        self.goal = Some(target);
        let budget = self.budget_ms();
        for pane in &mut self.panes {
            pane.turns = 0;
            if pane.is_ready() && !pane.is_over() && pane.now_ps() < target {
                pane.advance(target, budget, report);
            }
        }
        self.check_arrival();
    }

    fn budget_ms(&self) -> f64 {
        match self.playing {
            Playing::ToEnd => RUSH_BUDGET_MS,
            Playing::No | Playing::AtSpeed => FRAME_BUDGET_MS,
        }
    }

    /// What comes next when all are there.
    pub(super) fn check_arrival(&mut self) {
        if self.goal.is_none() || self.panes.iter().any(|pane| pane.asked) {
            return;
        }
        self.goal = None;
        let turns = self.panes.iter().map(|pane| pane.turns).max().unwrap_or(0);
        self.clock.end(dom::now_ms(), turns);
        let at_speed = self.playing == Playing::AtSpeed && self.clock.is_limited();
        self.limited = if at_speed { self.clock.achieved() } else { None };
        if self.is_over() {
            self.playing = Playing::No;
            self.limited = None;
            self.announcement = format!("All runs are over at {}", units::span(self.now_ps() as f64));
        }
        if self.next_hand() {
            return;
        }
        match self.playing {
            Playing::No if self.play_next => self.gather(),
            Playing::No => self.settle(),
            // The next paint begins the next slice.
            Playing::AtSpeed => {}
            Playing::ToEnd => self.advance(dom::now_ms()),
        }
    }

    /// All runs are there and rest: they go where the link has them, or where the furthest is, and play if that is wanted.
    fn gather(&mut self) {
        let furthest = self.panes.iter().map(Pane::now_ps).max().unwrap_or(0);
        let target = self.at_next.take().unwrap_or(furthest);
        let is_behind = |pane: &Pane| pane.is_ready() && !pane.is_over() && pane.now_ps() < target;
        if self.panes.iter().any(is_behind) {
            self.go_to(target, true);
        } else if std::mem::take(&mut self.play_next) {
            self.play(Playing::AtSpeed);
        } else {
            self.settle();
        }
    }

    /// The runs of a frame in another page are wanted.
    pub(super) fn wake(&mut self) {
        self.asleep = false;
        self.play_next = true;
        self.panes
            .iter_mut()
            .filter(|pane| pane.is_attached())
            .for_each(Pane::load);
    }

    /// A run begins again, with a worker of its own, and catches up with the others.
    pub(super) fn start_again(&mut self, number: u32) -> bool {
        if let Some(place) = self.place(number) {
            self.panes[place].start_again();
            self.hands.forget(number);
            self.check_arrival();
        }
        true
    }

    /// All rest: everything is shown as it is now.
    fn settle(&mut self) {
        for pane in &mut self.panes {
            pane.refresh();
            pane.ask_for_history();
            pane.ask_for_results();
        }
    }

    /// Takes what a worker says. True when the page shows something else then.
    pub(super) fn hear(&mut self, number: u32, incoming: Incoming) -> bool {
        let Some(place) = self.place(number) else {
            return false;
        };
        match self.panes[place].hear(incoming) {
            Heard::Nothing => false,
            Heard::Phase => {
                // The others don't wait for one that has stopped.
                if !self.panes[place].is_ready() {
                    self.hands.forget(number);
                    if self.stepping == Some(number) {
                        self.stepping = None;
                    }
                }
                if let Some(why) = self.panes[place].revived.take() {
                    let title = format!("Run {} stopped and was started again", letter(place));
                    let kept =
                        "Its scenario is kept, faults by hand included; it catches up with the others.";
                    self.tell(false, title, vec![why, kept.into()]);
                }
                if !self.is_loading() && self.goal.is_none() && self.playing == Playing::No {
                    self.gather();
                }
                self.check_arrival();
                true
            }
            Heard::Frame { advanced, behind } => self.frame(place, advanced, behind),
            Heard::Stepped(text) => {
                let text = format!("{}: {text}", letter(place));
                self.announcement.clone_from(&text);
                self.step = Some(text);
                true
            }
            Heard::Faults(refused) => {
                self.faults(place, refused);
                true
            }
            Heard::Figures => true,
        }
    }

    fn frame(&mut self, place: usize, advanced: bool, behind: bool) -> bool {
        let budget = self.budget_ms();
        let goal = self.goal;
        let pane = &mut self.panes[place];
        if advanced {
            pane.asked = false;
            match goal {
                Some(target) if behind => pane.advance(target, budget, false),
                Some(_) => self.check_arrival(),
                None if pane.is_stale() && self.playing == Playing::No => pane.refresh(),
                None => {}
            }
        } else if self.stepping == Some(pane.number()) {
            self.stepping = None;
            let now = self.now_ps();
            self.go_to(now, true);
        }
        // Times are part of the page; what moves on the stages is not.
        true
    }
}

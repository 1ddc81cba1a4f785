//! Going through the time of a run, in both directions; bookmarks and the choice of lanes.

use super::{App, Msg};
use crate::dom;
use crate::model::{Model, Playing};
use crate::shared::Shared;
use crate::texts::sharing;
use crate::ui::playing::Reach;
use scenario::{Scenario, link};
use view::bookmarks::{MOST, Shelf, key};
use view::landmarks;
use view::lanes::LaneChoice;
use view::message::ToWorker;
use view::pace::Pace;
use view::units;
use wasm_bindgen::prelude::*;
use yew::Context;

/// Wall-clock time that a seek may take before the page shows how far it is, in ms.
const SEEK_BUDGET_MS: f64 = 150.0;
/// After how long the page says that a seek is under way, in ms.
const LONG_MS: i32 = 400;
/// Where the browser keeps bookmarks.
const SHELF: &str = "bookmarks";
/// Where it keeps the choice of lanes.
const LANES: &str = "lanes";

/// A seek that the worker has been asked for; there is never more than one.
pub struct Seeking {
    target: u64,
    // Where to go afterwards: the pointer has moved on.
    next: Option<u64>,
    // Not to go on where it is not there yet.
    stopped: bool,
}

impl App {
    /// Goes to a time; after the seek that is under way, if one is.
    pub(super) fn seek(&mut self, ctx: &Context<App>, to_ps: u64) {
        let until = self
            .model
            .scenario
            .as_ref()
            .map_or(0, |scenario| scenario.until.0);
        if !self.is_ready() || until == 0 {
            return;
        }
        let target = to_ps.min(until);
        self.model.playing = Playing::No;
        self.model.limited = None;
        self.model.step = None;
        self.model.menu = None;
        match &mut self.seeking {
            Some(seeking) => {
                seeking.next = Some(target);
                seeking.stopped = true;
            }
            None => self.start_seek(ctx, target),
        }
    }

    /// Goes so many ps on, or back, from where the run is or is going to.
    pub(super) fn seek_by(&mut self, ctx: &Context<App>, by_ps: i64) {
        let from = self.bound_for();
        let to = from.saturating_add_signed(by_ps);
        self.seek(ctx, to);
    }

    /// Where the run is, or where it is going to.
    pub(super) fn bound_for(&self) -> u64 {
        let going = self.seeking.as_ref();
        going.map_or(self.model.report.now_ps, |seeking| {
            seeking.next.unwrap_or(seeking.target)
        })
    }

    fn start_seek(&mut self, ctx: &Context<App>, target: u64) {
        self.send(ToWorker::Seek {
            run: self.run,
            target_ps: target,
            budget_ms: SEEK_BUDGET_MS,
        });
        self.seeking = Some(Seeking {
            target,
            next: None,
            stopped: false,
        });
        self.seeks += 1;
        let (link, number) = (ctx.link().clone(), self.seeks);
        let alarm = Closure::once_into_js(move || link.send_message(Msg::LongSeek(number)));
        let _ = dom::window()
            .set_timeout_with_callback_and_timeout_and_arguments_0(alarm.unchecked_ref(), LONG_MS);
    }

    /// A seek has been under way for a while. True when it still is.
    pub(super) fn seek_is_long(&mut self, number: u32) -> bool {
        let target = self.seeking.as_ref().map(|seeking| seeking.target);
        if number == self.seeks && target.is_some() {
            self.model.seeking = target;
        }
        target.is_some()
    }

    /// Stays where the seek that is under way is by now.
    pub(super) fn stop_seek(&mut self) {
        if let Some(seeking) = &mut self.seeking {
            seeking.next = None;
            seeking.stopped = true;
        }
    }

    pub(super) fn step_back(&mut self) {
        if !self.is_ready() || self.seeking.is_some() {
            return;
        }
        self.model.playing = Playing::No;
        self.model.limited = None;
        self.model.step = Some("One event back".into());
        self.send(ToWorker::StepBack { run: self.run });
        self.seeking = Some(Seeking {
            target: self.model.report.now_ps,
            next: None,
            stopped: true,
        });
    }

    /// The worker says where the run is after a seek. True when the page shows something else then.
    pub(super) fn sought(&mut self, ctx: &Context<App>, target: u64, reached: bool) -> bool {
        let Some(seeking) = self.seeking.take() else {
            return false;
        };
        if let Some(next) = seeking.next {
            self.start_seek(ctx, next);
        } else if !reached && !seeking.stopped {
            self.start_seek(ctx, target);
            self.model.seeking = Some(target);
            return true;
        }
        self.model.seeking = None;
        if self.seeking.is_none() {
            self.model.returning = false;
            self.last_frame_ms = dom::now_ms();
            self.ask_for_all();
            if self.model.playing != Playing::No {
                // Play was pressed meanwhile.
                self.pace = Pace::at(self.stage.frame().head.now);
                self.advance(self.last_tick_ms);
            } else if self.play_next {
                self.play_if_wanted();
            } else if self.refresh_later {
                self.refresh_view();
            }
        }
        true
    }

    /// Goes to the next mark, or to the last one before now.
    pub(super) fn jump(&mut self, ctx: &Context<App>, forwards: bool) {
        let from = self.bound_for();
        let found = self.model.landmark_from(from, forwards);
        match found {
            Some((at, text)) => {
                self.seek(ctx, at);
                self.model.announcement = format!("{}: {text}", units::span(at as f64));
            }
            None => {
                let kind = self.model.landmark.name();
                self.model.announcement = format!(
                    "No {kind} is known {} {}",
                    if forwards { "after" } else { "before" },
                    units::span(from as f64)
                );
            }
        }
    }

    /// Reads the bookmarks of the scenario that is open.
    pub(super) fn open_bookmarks(&mut self) {
        let key = self.bookmark_key();
        let is_same = self.bookmarks_of.replace(key) == Some(key);
        // Where nothing is kept, those of the run before are all there are.
        if self.keeps() || !is_same {
            let marks = self.shelf().take(key);
            self.model.bookmarks = Shared::new(marks);
        }
    }

    /// Adds those of the link that the scenario is opened by.
    pub(super) fn add_bookmarks(&mut self, link: &str, until_ps: u64) {
        let linked = link::marks(link).unwrap_or_default();
        if linked.is_empty() {
            return;
        }
        let mut marks = (*self.model.bookmarks).clone();
        let (late, surplus) = marks.add(linked, until_ps);
        let mut why = Vec::new();
        if late > 0 {
            why.push(sharing::late_bookmarks(late, &units::span(until_ps as f64)));
        }
        if surplus > 0 {
            why.push(sharing::surplus_bookmarks(surplus, MOST));
        }
        if !why.is_empty() {
            self.tell(false, sharing::BOOKMARKS_LEFT_OUT, why);
        }
        self.keep_bookmarks(marks);
    }

    /// Bookmarks a time, or takes the bookmark there away.
    pub(super) fn toggle_bookmark(&mut self, at: Option<u64>) {
        if !self.is_ready() {
            return;
        }
        let at = at.unwrap_or_else(|| self.bound_for());
        let mut marks = (*self.model.bookmarks).clone();
        if !marks.toggle(at) {
            let why = format!("A scenario can have {MOST} of them: take some away first.");
            return self.tell_error("There is no room for another bookmark", vec![why]);
        }
        let set = marks.at(at).map(|mark| mark.name.clone());
        self.model.announcement = match set {
            Some(name) => format!("{name} set at {}", units::span(at as f64)),
            None => format!("Bookmark at {} taken away", units::span(at as f64)),
        };
        self.change_bookmarks(marks);
    }

    pub(super) fn name_bookmark(&mut self, at: u64, name: &str) {
        let mut marks = (*self.model.bookmarks).clone();
        marks.rename(at, name);
        self.change_bookmarks(marks);
    }

    /// Keeps what somebody did to the bookmarks. The address names none then: loaded again, it would take that back.
    fn change_bookmarks(&mut self, marks: view::Bookmarks) {
        self.keep_bookmarks(marks);
        let hash = dom::window().location().hash().unwrap_or_default();
        let link = hash.trim_start_matches('#');
        let without = link::without_marks(link);
        if self.keeps() && without != link {
            self.set_hash(&without);
        }
    }

    fn keep_bookmarks(&mut self, marks: view::Bookmarks) {
        if self.keeps() {
            let mut shelf = self.shelf();
            shelf.put(self.bookmark_key(), marks.clone());
            dom::store(SHELF, &shelf.to_text());
        }
        self.model.bookmarks = Shared::new(marks);
    }

    /// Whether the browser keeps what is chosen here: a frame in another page leaves nothing behind.
    fn keeps(&self) -> bool {
        self.model.embed.is_none() && dom::storage().is_some()
    }

    fn shelf(&self) -> Shelf {
        dom::stored(SHELF)
            .map(|text| Shelf::parse(&text))
            .unwrap_or_default()
    }

    /// The scenario's key; without faults that were added here, which change while one looks.
    fn bookmark_key(&self) -> u64 {
        let Some(scenario) = &self.model.scenario else {
            return 0;
        };
        let opened = Scenario {
            faults: (*self.model.first_faults).clone(),
            ..(**scenario).clone()
        };
        key(&opened.to_json_pretty())
    }

    pub(super) fn set_lanes(&mut self, lanes: LaneChoice) {
        if self.keeps() {
            dom::store(LANES, &lanes.to_text());
        }
        let asks = lanes.qps() != self.model.lanes.qps();
        self.model.lanes = Shared::new(lanes);
        if asks {
            self.ask_for_all();
        }
    }
}

impl Model {
    /// The next mark of the kind that is gone to after a time, or the last one before it: its time and what it is.
    fn landmark_from(&self, from: u64, forwards: bool) -> Option<(u64, String)> {
        let marks = &self.history.timeline.marks;
        landmarks::next(marks, self.bookmarks.times(), self.landmark, from, forwards)
            .map(|(at, text)| (at, text.to_owned()))
    }

    /// Where the run can be gone to.
    pub fn reach(&self) -> Reach {
        let now = self.report.now_ps;
        Reach {
            at_start: now == 0 && self.report.events == 0,
            has_previous: self.landmark_from(now, false).is_some(),
            has_next: self.landmark_from(now, true).is_some(),
        }
    }
}

/// The lanes that were chosen last.
pub fn remembered_lanes() -> LaneChoice {
    dom::stored(LANES)
        .map(|text| LaneChoice::parse(&text))
        .unwrap_or_default()
}

//! The events list and packets' lives: what is asked of the worker, and what it answers.

use super::App;
use crate::dom;
use crate::model::{Playing, Tab};
use crate::shared::Shared;
use view::inspect::{Detail, Target};
use view::life::Life;
use view::log::{Answer, Ask, Form, Row};
use view::message::ToWorker;
use yew::Context;

/// How often rows are asked for while playing and shown, in ms.
const EVENTS_EVERY_MS: f64 = 500.0;
/// Wall-clock time for which a run is repeated at a time, in ms: between two such times the worker answers other questions.
const LIFE_BUDGET_MS: f64 = 60.0;

/// Rows that may be missing at either end of those asked for.
const SPARE: u64 = 20;

/// What is on its way.
#[derive(Default)]
pub struct EventsAsked {
    last_ms: f64,
    // A row that is opened when it has come.
    open: Option<u64>,
    // The packet whose life is wanted, and whether an answer about it is on its way.
    life_of: Option<(u32, u32)>,
    life_asked: bool,
}

impl App {
    fn change_events(&mut self, change: impl FnOnce(&mut crate::model::EventsView)) {
        let mut view = (*self.model.events).clone();
        change(&mut view);
        self.model.events = Shared::new(view);
    }

    /// Asks for rows, where they are shown and old.
    pub(super) fn ask_for_events(&mut self, now_ms: f64) {
        let is_shown = self.model.tab == Tab::Events && self.model.events.is_open;
        if is_shown && now_ms - self.events_asked.last_ms >= EVENTS_EVERY_MS {
            self.ask_for_events_now();
        }
    }

    /// What is shown is old, whenever it came.
    pub(super) fn events_are_old(&mut self) {
        self.events_asked.last_ms = f64::NEG_INFINITY;
        self.ask_for_life();
    }

    /// Asks for rows.
    pub(super) fn ask_for_events_now(&mut self) {
        if !self.is_ready() || !self.model.events.is_open {
            return;
        }
        self.events_asked.last_ms = dom::now_ms();
        let view = &self.model.events;
        let from = if view.follows { u64::MAX } else { view.want.from };
        let want = Ask {
            from,
            ..view.want.clone()
        };
        self.send(ToWorker::Events { run: self.run, want });
    }

    pub(super) fn open_log(&mut self, is_open: bool) {
        let is_playing = self.model.playing != Playing::No;
        self.change_events(|view| {
            view.is_open = is_open;
            view.follows = is_playing;
        });
        self.ask_for_events_now();
    }

    pub(super) fn filter_events(&mut self, filter: String) {
        let is_playing = self.model.playing != Playing::No;
        self.change_events(|view| {
            view.want.filter = filter;
            view.want.from = 0;
            view.follows = is_playing;
            view.cursor = None;
        });
        self.ask_for_events_now();
    }

    /// Shows the list of every event with a filter.
    pub(super) fn find_events(&mut self, filter: String) {
        self.model.tab = Tab::Events;
        self.change_events(|view| view.is_open = true);
        self.filter_events(filter);
    }

    pub(super) fn show_events(&mut self, from: u64, count: u32, follows: bool) {
        // Rows beyond those in sight are spare: not all of them have to be there.
        let answer = &self.model.events.answer;
        let first = if from == 0 { 0 } else { from + SPARE };
        let last = (from + u64::from(count))
            .saturating_sub(SPARE)
            .min(answer.matches);
        let is_old = first < answer.from || last > answer.from + answer.rows.len() as u64;
        if is_old || self.model.events.follows != follows {
            self.change_events(|view| {
                view.follows = follows;
                (view.want.from, view.want.count) = (from, count.max(view.want.count));
            });
        }
        if is_old {
            self.ask_for_events_now();
        }
    }

    pub(super) fn point_at_event(&mut self, at: u64) {
        self.change_events(|view| {
            view.cursor = Some(at);
            view.follows = false;
        });
    }

    /// A row is looked into: its thing is selected, and the run goes to its time.
    pub(super) fn open_event(&mut self, ctx: &Context<App>, at: u64, row: &Row) {
        self.point_at_event(at);
        self.select(row.target.clone());
        let of_packet = row.packet == Some(view::log::PacketWord::Data)
            || matches!(row.kind, view::log::Kind::Loss | view::log::Kind::Timeout);
        if let (true, Some(qp), Some(psn)) = (of_packet, row.qp, row.psn) {
            self.show_life(qp, psn);
        }
        if row.at_ps != self.model.report.now_ps {
            self.seek(ctx, row.at_ps);
        }
    }

    /// To the next row that matches, or the one before; from now, where none has been looked into.
    pub(super) fn step_events(&mut self, ctx: &Context<App>, next: bool) {
        let view = &self.model.events;
        let answer = &view.answer;
        let to = match (view.cursor, next) {
            (Some(at), true) => at + 1,
            (Some(at), false) => at.saturating_sub(1),
            (None, true) => answer.past,
            (None, false) => answer.past.saturating_sub(1),
        }
        .min(answer.matches.saturating_sub(1));
        let row = to
            .checked_sub(answer.from)
            .and_then(|index| answer.rows.get(index as usize).cloned());
        match row {
            Some(row) => self.open_event(ctx, to, &row),
            None => {
                self.events_asked.open = Some(to);
                self.change_events(|view| {
                    view.follows = false;
                    view.want.from = to.saturating_sub(u64::from(view.want.count) / 2);
                });
                self.ask_for_events_now();
            }
        }
    }

    pub(super) fn save_events(&mut self, form: Form) {
        let filter = self.model.events.want.filter.clone();
        self.send(ToWorker::EventsFile {
            run: self.run,
            filter,
            form,
        });
    }

    /// Rows have come. True when the page shows something else then.
    pub(super) fn events(&mut self, ctx: &Context<App>, answer: Answer) -> bool {
        if answer.filter != self.model.events.want.filter {
            return false;
        }
        let wanted = self.events_asked.open.take();
        let row = wanted.and_then(|at| {
            let index = at.checked_sub(answer.from)?;
            answer.rows.get(index as usize).cloned().map(|row| (at, row))
        });
        self.change_events(|view| view.answer = answer);
        if let Some((at, row)) = row {
            self.open_event(ctx, at, &row);
        }
        true
    }

    pub(super) fn events_file(&mut self, form: Form, bytes: &[u8]) -> bool {
        let (name, media_type) = match form {
            Form::Csv => ("events.csv", "text/csv"),
            Form::Json => ("events.json", "application/json"),
        };
        let text = String::from_utf8_lossy(bytes);
        let saved = dom::download(name, media_type, &text);
        self.saved(saved);
        true
    }

    /// Finds a packet's life, and shows it.
    pub(super) fn show_life(&mut self, qp: u32, psn: u32) {
        if self.events_asked.life_of != Some((qp, psn)) {
            self.model.life = None;
        }
        self.events_asked.life_of = Some((qp, psn));
        self.ask_for_life();
    }

    /// What has been found of it stays.
    pub(super) fn stop_life(&mut self) {
        self.events_asked.life_of = None;
        if let Some(life) = &self.model.life {
            let now_ps = life.upto_ps;
            self.model.life = Some(Shared::new(Life {
                now_ps,
                ..(**life).clone()
            }));
        }
    }

    /// Goes on with a life, while the run rests: two runs at a time are slower than one.
    pub(super) fn ask_for_life(&mut self) {
        let Some((qp, psn)) = self.events_asked.life_of else {
            return;
        };
        if self.is_ready() && self.model.playing == Playing::No && !self.events_asked.life_asked {
            self.events_asked.life_asked = true;
            self.send(ToWorker::Life {
                run: self.run,
                qp,
                psn,
                budget_ms: LIFE_BUDGET_MS,
            });
        }
    }

    /// A life has come, or a part of it. True when the page shows something else then.
    pub(super) fn life(&mut self, life: Life) -> bool {
        self.events_asked.life_asked = false;
        if self.events_asked.life_of != Some((life.qp, life.psn)) {
            self.ask_for_life();
            return false;
        }
        let is_whole = life.is_whole();
        self.model.life = Some(Shared::new(life));
        if !is_whole {
            self.ask_for_life();
        }
        true
    }

    /// The selection has changed: a life of something else goes.
    pub(super) fn drop_life(&mut self, target: Option<&Target>) {
        let own = self
            .events_asked
            .life_of
            .is_some_and(|(qp, _)| target == Some(&Target::Qp(qp)));
        if !own {
            self.events_asked.life_of = None;
            self.model.life = None;
        }
    }

    /// A selected data packet has a life.
    pub(super) fn life_of_detail(&mut self) {
        let packet = match self.model.detail.as_deref() {
            Some(Detail::Packet(packet)) if packet.is_data => packet.qp.map(|qp| (qp, packet.psn)),
            _ => None,
        };
        let Some((qp, psn)) = packet else {
            return;
        };
        let is_known = self.events_asked.life_of == Some((qp, psn));
        let now = self.model.report.now_ps;
        let is_old = self.model.life.as_ref().is_none_or(|life| life.now_ps != now);
        if !is_known || is_old {
            self.show_life(qp, psn);
        }
    }

    /// Another run begins.
    pub(super) fn forget_events(&mut self) {
        self.events_asked = EventsAsked::default();
        self.model.life = None;
        self.change_events(|view| {
            view.cursor = None;
            view.answer = Answer::default();
            view.want.from = 0;
            view.follows = true;
        });
        self.ask_for_events_now();
    }
}

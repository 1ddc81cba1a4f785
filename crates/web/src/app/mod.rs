//! The application: one component that owns the worker, the stage and the model, and shows the others.

mod edit;
mod editor;
mod events;
mod fault_lane;
mod input;
mod keys;
mod listeners;
mod run;
mod seek;
pub(crate) mod share;
mod story;
mod sweep;

use crate::desk::{Desk, SharedDesk};
use crate::listeners::{Listeners, Touch};
use crate::model::{Action, Model, Notice, Phase, Playing, Theme};
use crate::root::{Files, Opened};
use crate::shared::Shared;
use crate::stage::Stage;
use crate::ui;
use crate::worker_link::{Incoming, WorkerLink};
use scenario::{Scenario, link};
use std::collections::VecDeque;
use view::editor::Edited;
use view::gesture::Gestures;
use view::herald::Herald;
use view::inspect::Target;
use view::message::{Report, Run};
use view::pace::Pace;
use view::stopped::Revival;
use yew::prelude::*;

/// What the application reacts to.
pub enum Msg {
    /// The browser is about to paint.
    Tick(f64),
    /// A worker says something; the number tells it from earlier ones.
    Worker(u32, Incoming),
    /// A worker of a sweep says something; the number tells it from the others.
    Sweep(u32, Incoming),
    /// The runs of a sweep were copied, or not.
    SweepCopied(bool),
    /// A worker should have announced itself by now.
    Watchdog(u32),
    /// A seek has been under way for a while; the number tells it from others.
    LongSeek(u32),
    /// Something happened on the stage.
    Touch(Touch),
    /// A key went down.
    Key(KeyboardEvent),
    /// The stage has another size, or the screen another resolution.
    Resized,
    /// Light and dark changed places.
    Recolour,
    /// The part of the address after `#` has changed.
    HashChanged,
    /// Nothing was typed into the editor for a while; the number tells the last key.
    Typed(u32),
    /// Files were read; those that could not be are named with the reason.
    Files(Files),
    /// The user did something.
    Do(Action),
}

/// What the application is given.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Where the editor's work is done.
    pub desk: SharedDesk,
    /// Files to begin with, in the place of what the address says.
    pub files: Shared<Files>,
    /// A host scenario is to be opened, which is another page's business.
    pub leave: Callback<Opened>,
    /// Several scenarios are to be compared, which is too.
    pub compare: Callback<Vec<Scenario>>,
}

/// An advance that the worker has been asked for.
struct Asked {
    before: u64,
    target: u64,
}

/// The application.
pub struct App {
    model: Model,
    stage: Stage,
    gestures: Gestures,
    worker: Option<WorkerLink>,
    worker_number: u32,
    pool: Option<sweep::Pool>,
    // Workers of sweeps started so far.
    sweep_workers: u32,
    run: Run,
    pace: Pace,
    asked: Option<Asked>,
    seeking: Option<seek::Seeking>,
    // Seeks asked for so far.
    seeks: u32,
    // Somebody wants a report, but an answer is on its way.
    refresh_later: bool,
    // A frame has been asked for without going on.
    refreshing: bool,
    // The worker does not know yet what can be seen.
    look_is_old: bool,
    listeners: Listeners,
    ticking: bool,
    last_tick_ms: f64,
    last_frame_ms: f64,
    last_report_ms: f64,
    last_timeline_ms: f64,
    last_flows_ms: f64,
    // Reports of the last seconds: wall-clock time at which they came, and what they said.
    reports: VecDeque<Report>,
    herald: Herald,
    own_hash: Option<String>,
    notices_made: u32,
    events_asked: events::EventsAsked,
    // A selection that the next run should begin with.
    select_next: Option<Target>,
    // The run that is being loaded is a story's: its step is shown when it is there.
    arrange_next: bool,
    // Where the editor's work is done.
    desk: SharedDesk,
    // The scenario that the bookmarks are of, by its key.
    bookmarks_of: Option<u64>,
    // Where the next run goes once it is there, in ps.
    at_next: Option<u64>,
    // It plays then.
    play_next: bool,
    // Whether a worker that stops is started again.
    revival: Revival,
    // It is to be, for this reason.
    revive_next: Option<String>,
}

impl Component for App {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<App>) -> App {
        let (embed, wrong) = crate::share::embedded();
        let mut app = App {
            model: Model {
                theme: Theme::remembered(),
                at_home: true,
                embed,
                asleep: embed.is_some(),
                lanes: Shared::new(seek::remembered_lanes()),
                ..Model::default()
            },
            stage: Stage::default(),
            gestures: Gestures::default(),
            worker: None,
            worker_number: 0,
            pool: None,
            sweep_workers: 0,
            run: 0,
            pace: Pace::default(),
            asked: None,
            seeking: None,
            seeks: 0,
            refresh_later: false,
            refreshing: false,
            look_is_old: true,
            listeners: Listeners::default(),
            ticking: false,
            last_tick_ms: 0.0,
            last_frame_ms: 0.0,
            last_report_ms: 0.0,
            last_timeline_ms: 0.0,
            last_flows_ms: 0.0,
            reports: VecDeque::new(),
            herald: Herald::default(),
            own_hash: None,
            notices_made: 0,
            events_asked: events::EventsAsked::default(),
            select_next: None,
            arrange_next: false,
            desk: ctx.props().desk.clone(),
            bookmarks_of: None,
            at_next: None,
            play_next: false,
            revival: Revival::default(),
            revive_next: None,
        };
        app.model.theme.apply();
        if let Some(wrong) = wrong {
            app.tell_error("The address of this frame is wrong", vec![wrong]);
        }
        if !app.model.asleep {
            app.start_worker(ctx);
        }
        app
    }

    fn rendered(&mut self, ctx: &Context<App>, first: bool) {
        self.hold();
        if !first {
            return;
        }
        if let Err(error) = self.stage.attach(ctx.link().callback(|()| Msg::Recolour)) {
            self.tell_error("The network cannot be drawn", vec![error]);
        }
        self.listen(ctx);
        if let Some((Edited::Fabric(scenario), preset)) = self.desk.at(Desk::taken_over) {
            self.open_known(ctx, scenario, preset);
            self.set_hash(&preset.map(|slug| link::preset(slug, None)).unwrap_or_default());
        } else if ctx.props().files.is_empty() {
            self.open_address(ctx);
        } else {
            self.take_files(ctx, ctx.props().files.to_vec());
        }
        ctx.link().send_message(Msg::Resized);
    }

    fn update(&mut self, ctx: &Context<App>, msg: Msg) -> bool {
        let shown = match msg {
            Msg::Tick(now_ms) => self.tick(ctx, now_ms),
            Msg::Worker(number, incoming) => number == self.worker_number && self.hear(ctx, incoming),
            Msg::Sweep(number, incoming) => self.hear_sweep(ctx, number, incoming),
            Msg::SweepCopied(done) => self.sweep_copied(done),
            Msg::Watchdog(number) => number == self.worker_number && self.check_worker(),
            Msg::LongSeek(number) => self.seek_is_long(number),
            Msg::Touch(touch) => self.touch(ctx, touch),
            Msg::Key(event) => self.key(ctx, &event),
            Msg::Resized => {
                self.stage.resize();
                // A canvas of another size is empty: at the next frame it would have been shown so.
                self.stage.draw(crate::dom::now_ms());
                self.send_look();
                self.refresh();
                self.keep_ticking(ctx);
                true
            }
            Msg::Recolour => {
                self.stage.recolour();
                self.keep_ticking(ctx);
                false
            }
            Msg::HashChanged => self.hash_changed(ctx),
            Msg::Typed(number) => self.typing_paused(ctx, number),
            Msg::Files(files) => self.take_files(ctx, files),
            Msg::Do(action) => self.act(ctx, action),
        };
        self.revive(ctx) || shown
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        let on = ctx.link().callback(Msg::Do);
        let files = ctx.link().callback(Msg::Files);
        match self.model.embed {
            Some(embed) => {
                let link = self.link_now();
                ui::embed::page(&self.model, &self.stage, embed, on, link)
            }
            None => ui::page(&self.model, &self.stage, &self.desk.view(), on, files),
        }
    }
}

impl App {
    /// Does what the user asked for. True when the page shows something else then.
    fn act(&mut self, ctx: &Context<App>, action: Action) -> bool {
        match action {
            Action::TogglePlay | Action::RunToEnd | Action::Step | Action::Restart if self.model.asleep => {
                self.wake(ctx);
            }
            Action::TogglePlay if self.model.playing != Playing::No => self.pause(),
            Action::TogglePlay => self.play(Playing::AtSpeed),
            Action::RunToEnd => self.play(Playing::ToEnd),
            Action::Step => self.step(),
            Action::Restart => self.reload(ctx),
            Action::Seek(at) => self.seek(ctx, at),
            Action::SeekBy(by) => self.seek_by(ctx, by),
            Action::StopSeek => self.stop_seek(),
            Action::StepBack => self.step_back(),
            Action::Jump(forwards) => self.jump(ctx, forwards),
            Action::SetLandmark(kind) => self.model.landmark = kind,
            Action::ToggleBookmark(at) => self.toggle_bookmark(at),
            Action::NameBookmark(at, name) => self.name_bookmark(at, &name),
            Action::SetLanes(lanes) => self.set_lanes(lanes),
            Action::SetSpeed(step) => self.model.speed = step.min(view::speed::LAST_STEP),
            Action::SetSeed(seed) => self.set_seed(ctx, seed),
            Action::RefuseSeed(text) => self.refuse_seed(&text),
            Action::Select(target) => self.select(target),
            Action::OpenLog(is_open) => self.open_log(is_open),
            Action::FilterEvents(filter) => self.filter_events(filter),
            Action::FindEvents(filter) => self.find_events(filter),
            Action::ShowEvents { from, count, follows } => self.show_events(from, count, follows),
            Action::PointAtEvent(at) => self.point_at_event(at),
            Action::OpenEvent(at, row) => self.open_event(ctx, at, &row),
            Action::StepEvents(next) => self.step_events(ctx, next),
            Action::SaveEvents(form) => self.save_events(form),
            Action::StopLife => self.stop_life(),
            Action::NextPacket => self.next_packet(),
            Action::Find(text) => self.find(&text),
            Action::SetTool(tool) => self.model.tool = tool,
            Action::Toggle(target) => self.toggle(target),
            Action::CloseMenu => self.model.menu = None,
            Action::ToggleKind(kind) => {
                self.model.hidden = self.model.hidden.toggled(kind);
                self.stage.hide(self.model.hidden);
            }
            Action::Inject(fault) => self.inject(fault),
            Action::AddFault(fault) => self.add_fault(ctx, fault),
            Action::RemoveFault(index) => self.remove_fault(ctx, index),
            Action::EditFault(edit) => self.edit_fault(ctx, &edit),
            Action::Edit(path, text) => self.edit(ctx, path, &text),
            Action::Editor(act) => self.editor_act(ctx, act),
            Action::OpenPreset(slug) => self.open_preset(ctx, slug),
            Action::OpenStory(slug) => self.open_story(ctx, slug),
            Action::StoryStep(step) => self.go_to_step(ctx, step),
            Action::FocusStory => ui::focus_story(),
            Action::CloseStory => self.close_story(),
            Action::MakeUpTopology => self.change_import(ctx, |import| import.make_up_topology()),
            Action::SetUnit(unit) => self.change_import(ctx, |import| import.set_unit(unit)),
            Action::SetRules(rules) => self.change_import(ctx, |import| import.set_model(rules)),
            Action::SetBalancer(balancer) => self.change_import(ctx, |import| import.set_balancer(balancer)),
            Action::Zoom(factor) => {
                let fixed = self.stage.focus(self.model.selected.as_ref());
                self.zoom(factor, fixed);
            }
            Action::ShowAll => self.move_camera(|camera, _| camera.reset()),
            Action::SetTab(tab) => {
                self.model.tab = tab;
                self.ask_for_all();
            }
            Action::ChartLinks(links) => {
                self.model.charts_want.links = links;
                self.ask_for_all();
            }
            Action::ToggleWide => self.model.wide = !self.model.wide,
            Action::NextTheme => {
                self.model.theme = self.model.theme.next();
                self.model.theme.apply();
                self.stage.recolour();
            }
            Action::Share => self.share(),
            Action::Record(seconds) => self.record(seconds),
            Action::Recorded(result) => self.recorded(result),
            Action::SaveScenario => self.save_scenario(),
            Action::SaveFlows => self.save_flows(),
            Action::SaveJobs => self.save_jobs(),
            Action::StartSweep(seeds) => self.start_sweep(ctx, seeds),
            Action::CancelSweep => self.cancel_sweep(),
            Action::CopySweep => self.copy_sweep(ctx),
            Action::WatchSweepRun(seed) => self.watch_sweep_run(ctx, seed),
            Action::OfferComparison => self.model.dialog = crate::model::Dialog::Compare,
            Action::CompareWith(other) => self.compare(ctx, *other),
            Action::Help => self.model.dialog = crate::model::Dialog::Help,
            Action::CloseDialog => self.model.dialog = crate::model::Dialog::None,
            Action::Dismiss(id) => self.model.notices.retain(|notice| notice.id != id),
            Action::StopLoading => self.stop_loading(ctx),
            Action::RestartWorker => {
                // What has stopped begins anew: where it was may be where it stops. What is only silent goes back to there.
                let at = if self.is_ready() {
                    self.model.report.now_ps
                } else {
                    0
                };
                self.restart_at(ctx, at);
            }
        }
        self.keep_ticking(ctx);
        true
    }

    fn tell(&mut self, is_error: bool, title: impl Into<String>, details: Vec<String>) {
        Notice::add(
            &mut self.model.notices,
            &mut self.notices_made,
            is_error,
            title.into(),
            details,
        );
    }

    fn tell_error(&mut self, title: impl Into<String>, details: Vec<String>) {
        self.tell(true, title, details);
    }

    fn is_ready(&self) -> bool {
        self.model.phase == Phase::Ready
    }
}

//! The component, and what it reacts to.

use super::model::{CurveRun, Do, FlowsView, Model, Process, Refused, Tab};
use super::stage::HostStage;
use super::worker::After;
use super::{view, worker};
use crate::desk::{Desk, SharedDesk};
use crate::dom;
use crate::listeners::{Listeners, position};
use crate::model::{Action, Dialog, Notice, Phase, Playing, Theme};
use crate::root::{Files, Opened, host_story, refused_by_fabric};
use crate::shared::Shared;
use crate::texts::notices;
use crate::ui::focus_story;
use crate::ui::playing::{NO_SEED, no_seed};
use crate::worker_link::{Incoming, WorkerLink};
use ::view::editor::Edited;
use ::view::host::curve::{Curve, jobs};
use ::view::host::message::{Ask, Report, Target};
use ::view::host::tuple::{Fields, Form, Tuple};
use ::view::host::{servicing, settings, story, traffic};
use ::view::message::Run;
use ::view::pace::Pace;
use ::view::{speed, units};
use scenario::host::{HostScenario, find_host_preset};
use scenario::link;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};
use yew::prelude::*;

/// Bytes that an address has at most: half of what Chromium takes (2 MiB), and about what the others do.
const MOST_ADDRESS: usize = 1 << 20;
/// Title of the notice that the scenario is in no link.
const NO_LINK: &str = "The address does not hold this scenario";

/// What the page is given.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Where the editor's work is done.
    pub desk: SharedDesk,
    /// What to begin with.
    pub opened: Shared<Opened>,
    /// A fabric is to be opened, which is another page's business: from these files, or from the address.
    pub leave: Callback<Files>,
}

/// What the page reacts to.
pub enum Msg {
    /// The browser is about to paint.
    Tick(f64),
    /// The worker says something; the number tells it from earlier ones.
    Worker(u32, Incoming),
    /// The worker of the sweep does.
    Curve(u32, Incoming),
    /// A worker should have announced itself by now.
    Watchdog(u32),
    /// The pointer is at a point of the stage.
    Hover(::view::Point),
    /// The pointer left the stage.
    HoverNothing,
    /// A point of the stage was clicked.
    Click(::view::Point),
    /// A key went down.
    Key(KeyboardEvent),
    /// The stage has another size.
    Resized,
    /// Light and dark changed places.
    Recolour,
    /// The part of the address after `#` has changed.
    HashChanged,
    /// Nothing was typed into the editor for a while; the number tells the last key.
    Typed(u32),
    /// Files were read.
    Files(Files),
    /// The user did something that both pages have.
    Page(Action),
    /// The user did something.
    Do(Do),
}

/// The page.
pub struct HostApp {
    pub(super) model: Model,
    pub(super) stage: HostStage,
    pub(super) worker: Option<WorkerLink>,
    pub(super) worker_number: u32,
    pub(super) curve: Option<WorkerLink>,
    pub(super) curve_number: u32,
    pub(super) run: Run,
    pub(super) pace: Pace,
    pub(super) line: worker::Line,
    pub(super) desk: SharedDesk,
    listeners: Listeners,
    pub(super) own_hash: Option<String>,
    // The run that is being loaded is a story's: its step is shown when it is there.
    pub(super) arrange_next: bool,
    // The story's card is to have the focus when it is on the page.
    pub(super) focus_next: bool,
    notices_made: u32,
    pub(super) after: After,
}

impl Component for HostApp {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<HostApp>) -> HostApp {
        let (embed, wrong) = crate::share::embedded();
        let opened = &*ctx.props().opened;
        let mut app = HostApp {
            model: Model {
                phase: Phase::Empty,
                scenario: Shared::new(opened.scenario.clone()),
                first_events: 0,
                moments: Shared::default(),
                preset: None,
                story: None,
                playing: Playing::No,
                speed: 0,
                limited: None,
                report: Shared::default(),
                facts: Shared::default(),
                silent_s: None,
                embed,
                asleep: embed.is_some(),
                recording: None,
                seeking: None,
                selected: None,
                tab: Tab::default(),
                charts: Shared::default(),
                latency_of: None,
                tables: Shared::default(),
                flows: Shared::default(),
                process: first_tuple(),
                curve: Shared::default(),
                costs: opened.costs,
                refused_cost: None,
                refused_edit: None,
                there: (0, 0),
                theme: Theme::remembered(),
                notices: Vec::new(),
                announcement: String::new(),
                dialog: Dialog::None,
            },
            stage: HostStage::default(),
            worker: None,
            worker_number: 0,
            curve: None,
            curve_number: 0,
            run: 0,
            pace: Pace::default(),
            line: worker::Line::default(),
            desk: ctx.props().desk.clone(),
            listeners: Listeners::default(),
            own_hash: None,
            arrange_next: false,
            focus_next: false,
            notices_made: 0,
            after: After::default(),
        };
        if let Some(wrong) = wrong {
            app.tell(true, "The address of this frame is wrong", vec![wrong]);
        }
        if !app.model.asleep {
            app.start_worker(ctx);
        }
        app
    }

    fn rendered(&mut self, ctx: &Context<HostApp>, first: bool) {
        self.hold();
        if std::mem::take(&mut self.focus_next) {
            focus_story();
        }
        if !first {
            return;
        }
        self.listen(ctx);
        let opened = (*ctx.props().opened).clone();
        self.focus_next = opened.story.is_some();
        if self.desk.at(Desk::taken_over).is_some() {
            self.open_known(ctx, opened);
            self.keep_address();
        } else if opened.story.is_some() {
            self.open_step(ctx, opened);
        } else {
            self.open(ctx, opened);
            if dom::window().location().hash().is_ok_and(|hash| hash.is_empty()) {
                // It came from files: the address holds it from now on, where it can.
                self.keep_address();
            }
        }
        ctx.link().send_message(Msg::Resized);
    }

    fn update(&mut self, ctx: &Context<HostApp>, msg: Msg) -> bool {
        let shown = match msg {
            Msg::Tick(now_ms) => {
                self.tick(ctx, now_ms);
                false
            }
            Msg::Worker(number, incoming) => number == self.worker_number && self.hear(ctx, incoming),
            Msg::Curve(number, incoming) => number == self.curve_number && self.hear_curve(incoming),
            Msg::Watchdog(number) => number == self.worker_number && self.check_worker(),
            Msg::Hover(at) => {
                self.stage.hover(at, &self.model.report, &self.model.facts);
                false
            }
            Msg::HoverNothing => {
                self.stage.hover_nothing();
                false
            }
            Msg::Click(at) => {
                let target = self.stage.target(at, self.shown_vm());
                if matches!(target, Some(Target::Packet { .. })) && self.model.playing != Playing::No {
                    // A packet lives for some microseconds: nobody could read its headers.
                    self.pause();
                }
                self.select(target);
                true
            }
            Msg::Key(event) => {
                self.key(ctx, &event);
                false
            }
            Msg::Resized => {
                self.stage.resize();
                self.keep_ticking(ctx);
                false
            }
            Msg::Recolour => {
                self.stage.recolour();
                self.keep_ticking(ctx);
                // The cells of the tables have the theme's colours too.
                true
            }
            Msg::HashChanged => self.hash_changed(ctx),
            Msg::Typed(number) => self.typing_paused(ctx, number),
            Msg::Files(files) => self.take_files(ctx, files),
            Msg::Page(action) => self.page_action(ctx, action),
            Msg::Do(action) => self.act(ctx, action),
        };
        self.revive(ctx) || shown
    }

    fn view(&self, ctx: &Context<HostApp>) -> Html {
        let (on, on_page) = (ctx.link().callback(Msg::Do), ctx.link().callback(Msg::Page));
        match self.model.embed {
            Some(embed) => {
                let link = self.link_if_any();
                super::embed::page(&self.model, &self.stage, embed, (on, on_page), link)
            }
            None => view::page(
                &self.model,
                &self.stage,
                &self.desk.view(),
                on,
                on_page,
                ctx.link().callback(Msg::Files),
            ),
        }
    }
}

/// The packet that the form of process-tuples has at first: the SYN of VM 0's first connection.
fn first_tuple() -> Process {
    Process {
        form: Form::new(Fields {
            protocol: "tcp".into(),
            src: "10.1.0.4".into(),
            src_port: "50000".into(),
            dst: "10.1.128.0".into(),
            dst_port: "443".into(),
            direction: "out".into(),
            flags: "1".into(),
        }),
        answer: None,
    }
}

impl HostApp {
    fn listen(&mut self, ctx: &Context<HostApp>) {
        let window = dom::window();
        let link = ctx.link().clone();
        self.listeners.add(&window, "keydown", move |event| {
            if let Ok(event) = event.dyn_into::<KeyboardEvent>() {
                link.send_message(Msg::Key(event));
            }
        });
        let link = ctx.link().clone();
        self.listeners.add(&window, "hashchange", move |_| {
            link.send_message(Msg::HashChanged)
        });
        self.listeners.on_drop(ctx.link().callback(Msg::Files));
        if let Ok(Some(query)) = window.match_media("(prefers-color-scheme: dark)") {
            let link = ctx.link().clone();
            self.listeners
                .add(&query, "change", move |_| link.send_message(Msg::Recolour));
        }
        if let Some(root) = self.stage.refs.root.cast::<Element>() {
            let link = ctx.link().clone();
            self.listeners
                .on_resize(&root, move || link.send_message(Msg::Resized));
        }
        let link = ctx.link().clone();
        self.listeners
            .add(&window, "resize", move |_| link.send_message(Msg::Resized));
        let Some(canvas) = self.stage.refs.high.cast::<Element>() else {
            return;
        };
        for name in ["pointermove", "click"] {
            let (link, element) = (ctx.link().clone(), canvas.clone());
            self.listeners.add(&canvas, name, move |event| {
                if let Some(event) = event.dyn_ref::<PointerEvent>() {
                    let at = position(&element, event.client_x(), event.client_y());
                    link.send_message(match name {
                        "click" => Msg::Click(at),
                        _ => Msg::Hover(at),
                    });
                }
            });
        }
        let link = ctx.link().clone();
        self.listeners.add(&canvas, "pointerleave", move |_| {
            link.send_message(Msg::HoverNothing)
        });
    }

    /// Opens a scenario that has not been open before.
    pub(super) fn open(&mut self, ctx: &Context<HostApp>, opened: Opened) {
        if opened.scenario.validate().is_ok() {
            let scenario = Edited::Host(opened.scenario.clone());
            let text = opened.text.clone();
            self.desk.at(|desk| desk.open(&scenario, text, opened.preset));
        }
        self.open_known(ctx, opened);
    }

    /// Opens a scenario that is at the desk already.
    pub(super) fn open_known(&mut self, ctx: &Context<HostApp>, opened: Opened) {
        self.model.preset = opened.preset;
        self.model.story = None;
        self.arrange_next = false;
        self.model.first_events = opened.scenario.events.len();
        self.model.notices.retain(|notice| !notice.is_error);
        self.model.costs = opened.costs;
        self.model.refused_cost = None;
        self.model.selected = Some(Target::Vm { vm: 0 });
        self.model.process = first_tuple();
        self.model.latency_of = traffic::measuring(&opened.scenario);
        self.stop_curve();
        self.model.curve = Shared::default();
        if let Some(why) = opened.problem {
            self.tell(true, "The link's cost inputs cannot be used", vec![why]);
        }
        self.model.speed = story::pace(&opened.scenario);
        self.after.revival.renew();
        let until = opened.scenario.until.0;
        self.load(ctx, opened.scenario);
        self.after.at = opened.at_ps;
        if let Some(why) = opened.at_ps.and_then(|at| ::view::share::beyond(at, until)) {
            self.tell(false, notices::NOT_IN_THE_RUN, vec![why]);
        }
    }

    /// Begins with a scenario. What is selected stays so, except for a packet, which is not there yet.
    pub(super) fn load(&mut self, ctx: &Context<HostApp>, scenario: HostScenario) {
        if let Err(problems) = scenario.validate() {
            let problems = problems.iter().map(ToString::to_string).collect();
            return self.tell(true, notices::CANNOT_BE_RUN, problems);
        }
        Notice::forget_run(&mut self.model.notices);
        self.after.at = None;
        self.model.silent_s = None;
        if self.model.asleep {
            self.model.moments = Shared::new(story::moments(&scenario));
            self.stage.open(&scenario);
            self.model.scenario = Shared::new(scenario);
            return self.keep_ticking(ctx);
        }
        if self.model.phase == Phase::Loading || self.worker.is_none() {
            self.start_worker(ctx);
        }
        self.model.scenario = Shared::new(scenario.clone());
        self.model.moments = Shared::new(story::moments(&scenario));
        if matches!(self.model.phase, Phase::Broken(_)) && self.worker.is_none() {
            return;
        }
        self.run += 1;
        self.line = worker::Line::default();
        self.stage.open(&scenario);
        self.model.phase = Phase::Loading;
        self.model.playing = Playing::No;
        self.model.limited = None;
        self.model.seeking = None;
        self.model.report = Shared::new(Report::default());
        self.model.facts = Shared::default();
        self.model.charts = Shared::default();
        self.model.tables = Shared::default();
        self.model.flows = Shared::new(FlowsView {
            vm: self.model.flows.vm.min(scenario.vms.len() as u32 - 1),
            ..FlowsView::default()
        });
        let process = &mut self.model.process;
        process.form.vm = process.form.vm.min(scenario.vms.len() as u32 - 1);
        process.form.forget();
        process.answer = None;
        self.model.refused_edit = None;
        self.model.selected = self
            .model
            .selected
            .filter(|target| matches!(target, Target::Vm { .. } | Target::Nic | Target::Layer { .. }));
        self.ask(Ask::Load {
            run: self.run,
            scenario: Box::new(scenario),
        });
        self.keep_ticking(ctx);
    }

    /// Which VM's layers are drawn.
    pub(super) fn shown_vm(&self) -> u32 {
        match self.model.selected {
            Some(Target::Vm { vm } | Target::Layer { vm, .. } | Target::Flow { vm, .. }) => vm,
            _ => 0,
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.model.phase == Phase::Ready
    }

    fn hash_changed(&mut self, ctx: &Context<HostApp>) -> bool {
        let hash = dom::window().location().hash().unwrap_or_default();
        if self.own_hash.as_deref() == Some(&hash) {
            return false;
        }
        self.own_hash = Some(hash.clone());
        let text = hash.trim_start_matches('#');
        let (plain, _) = ::view::host::ledger_link::split(text);
        match ::view::host::ledger_link::decode(text) {
            Ok(link::Linked::Host(scenario)) => self.open(ctx, Opened::of_link(scenario, text)),
            // The fabric's page knows the way.
            Err(_) if link::is_comparison(text) => ctx.props().leave.emit(Vec::new()),
            Err(_) if text.starts_with(::view::story::PREFIX) => match host_story(text) {
                Some(opened) => self.open_step(ctx, opened),
                None => ctx.props().leave.emit(Vec::new()),
            },
            Err(why) if !plain.is_empty() => {
                let details = vec![why, "The run that was open goes on.".into()];
                self.tell(true, notices::BAD_LINK, details);
                self.keep_address();
            }
            _ => ctx.props().leave.emit(Vec::new()),
        }
        true
    }

    /// Puts something after `#` in the page's address without opening it.
    pub(super) fn set_hash(&mut self, text: &str) {
        self.own_hash = Some(dom::replace_hash(text));
    }

    /// Puts the link of what is open into the page's address: reloading the page and coming back to it find it again.
    pub(super) fn keep_address(&mut self) {
        let scenario = &self.model.scenario;
        let of_preset = self.model.preset.and_then(find_host_preset);
        let link = match of_preset {
            Some(preset) => {
                let seed = (preset.scenario().seed != scenario.seed).then_some(scenario.seed);
                Ok(link::preset(preset.slug, seed))
            }
            None => link::encode_host(scenario).map_err(|why| why.to_string()),
        };
        let link = link.and_then(|link| {
            let link = format!("{link}{}", self.model.costs.to_option());
            let bytes = link.len();
            (bytes <= MOST_ADDRESS).then_some(link).ok_or_else(|| {
                format!("its link would have {bytes} B; an address holds {MOST_ADDRESS} B at most")
            })
        });
        match link {
            Ok(link) => {
                self.model.notices.retain(|notice| notice.title != NO_LINK);
                self.set_hash(&link);
            }
            Err(why) => {
                self.set_hash("");
                let advice = "Save the scenario as a file before the page is closed or loaded again.";
                self.tell(false, NO_LINK, vec![why, advice.into()]);
            }
        }
    }

    fn take_files(&mut self, ctx: &Context<HostApp>, files: Files) -> bool {
        let mut others = Vec::new();
        for file in files {
            let file = match file {
                Ok(file) => file,
                Err((title, details)) => {
                    self.tell(true, title, details);
                    continue;
                }
            };
            match Opened::of_file(&file) {
                Some(Ok(opened)) => {
                    self.open(ctx, opened);
                    self.keep_address();
                    return true;
                }
                Some(Err((title, details))) => self.tell(true, title, details),
                None => others.push(file),
            }
        }
        match refused_by_fabric(&others) {
            // Nothing that can be opened takes the run away that is open.
            Some(refused) => {
                for (title, details) in refused {
                    self.tell(true, title, details);
                }
            }
            None => {
                self.own_hash = Some(dom::push_hash(""));
                ctx.props().leave.emit(others.into_iter().map(Ok).collect());
            }
        }
        true
    }

    fn page_action(&mut self, ctx: &Context<HostApp>, action: Action) -> bool {
        match action {
            Action::OpenPreset(slug) => {
                self.own_hash = Some(dom::push_hash(&link::preset(slug, None)));
                match Opened::of_preset(slug) {
                    Some(opened) => self.open(ctx, opened),
                    None => ctx.props().leave.emit(Vec::new()),
                }
            }
            Action::OpenStory(slug) => self.open_story(ctx, slug),
            Action::StoryStep(step) => self.go_to_step(ctx, step),
            Action::FocusStory => focus_story(),
            Action::CloseStory => self.close_story(),
            Action::Editor(act) => self.editor_act(ctx, act),
            Action::NextTheme => {
                self.model.theme = self.model.theme.next();
                self.model.theme.apply();
                self.stage.recolour();
            }
            Action::Share => self.share(),
            Action::Record(seconds) => self.record(seconds),
            Action::Recorded(result) => self.recorded(result),
            Action::SaveScenario => self.save_scenario(),
            Action::Help => self.model.dialog = Dialog::Help,
            Action::CloseDialog => self.model.dialog = Dialog::None,
            Action::Dismiss(id) => self.model.notices.retain(|notice| notice.id != id),
            Action::RestartWorker => {
                let at = if self.is_ready() {
                    self.model.report.now_ps
                } else {
                    0
                };
                self.restart_at(ctx, at);
            }
            Action::StopLoading => {
                self.start_worker(ctx);
                self.model.phase = Phase::Empty;
            }
            // The rest is of the fabric alone.
            _ => return false,
        }
        self.keep_ticking(ctx);
        true
    }

    pub(super) fn act(&mut self, ctx: &Context<HostApp>, action: Do) -> bool {
        match action {
            Do::TogglePlay | Do::RunToEnd | Do::Step | Do::Restart if self.model.asleep => self.wake(ctx),
            Do::TogglePlay if self.model.playing != Playing::No => self.pause(),
            Do::TogglePlay => self.play(Playing::AtSpeed),
            Do::RunToEnd => self.play(Playing::ToEnd),
            Do::Step => self.step(),
            Do::StepBack => self.step_back(),
            Do::Restart => self.load(ctx, (*self.model.scenario).clone()),
            Do::Seek(target) => self.seek(target),
            Do::NextMark => self.next_mark(),
            Do::PreviousMark => self.previous_mark(),
            Do::SetSpeed(step) => self.model.speed = step.min(speed::LAST_STEP),
            Do::RefuseSeed(text) => {
                let (title, why) = no_seed(&text);
                self.tell(true, title, vec![why]);
            }
            Do::SetSeed(seed) => {
                self.model.notices.retain(|notice| notice.title != NO_SEED);
                let mut scenario = (*self.model.scenario).clone();
                scenario.seed = seed;
                self.changed(ctx, scenario, "seed");
            }
            Do::Select(target) => self.select(target),
            Do::NextPacket => self.next_packet(),
            Do::SetTab(tab) => {
                self.model.tab = tab;
                self.ask_for_tab();
            }
            Do::Service(what, vm) => self.service(ctx, what, vm),
            Do::RemoveEvent(index) => {
                let first = self.model.first_events;
                if let Some((scenario, first)) = servicing::without_event(&self.model.scenario, first, index)
                {
                    self.model.first_events = first;
                    self.changed(ctx, scenario, "remove event");
                }
            }
            Do::Edit(path, text) => match settings::edit(&self.model.scenario, path, &text) {
                Ok(scenario) => self.changed(ctx, scenario, path),
                Err(problems) => {
                    self.model.refused_edit = Some(Refused {
                        key: path,
                        typed: text,
                        problems,
                    });
                }
            },
            Do::FlowsOf(vm) => {
                self.model.flows = Shared::new(FlowsView {
                    vm,
                    ..FlowsView::default()
                });
                self.ask_for_tab();
            }
            Do::ProcessVm(vm) => self.model.process.form.vm = vm,
            Do::ProcessField(field, text) => self.model.process.form.set(field, text),
            Do::ProcessLine(line) => {
                let tuple = self.model.process.form.ask_line(line);
                self.process(tuple);
            }
            Do::Process => {
                let tuple = self.model.process.form.ask();
                self.process(tuple);
            }
            Do::SetCost(key, text) => self.set_cost(key, &text),
            Do::ResetCosts => {
                self.model.costs = Default::default();
                self.model.refused_cost = None;
                self.keep_address();
            }
            Do::ToggleCurve if self.model.curve.running => self.stop_curve(),
            Do::ToggleCurve => self.start_curve(ctx),
            Do::SetSeeds(seeds) => {
                self.model.curve = Shared::new(CurveRun {
                    seeds,
                    ..(*self.model.curve).clone()
                });
            }
            Do::LatencyOf(traffic) => {
                self.model.latency_of = traffic;
                self.ask_for_tab();
            }
        }
        self.keep_ticking(ctx);
        true
    }

    /// Records what is done as an event of the scenario and comes back to now: the run is simulated again with it, so that it is
    /// the one that the link repeats.
    fn service(&mut self, ctx: &Context<HostApp>, what: servicing::Act, vm: u32) {
        if !self.is_ready() || self.model.report.finished {
            return;
        }
        let now = self.stage.now_ps();
        match servicing::with_event(&self.model.scenario, what, vm, now) {
            Ok(scenario) => {
                let playing = self.model.playing;
                let words = scenario.events.last().map(servicing::words).unwrap_or_default();
                self.changed(ctx, scenario, "event by hand");
                self.model.announcement = format!("{words} at {}", units::span(now as f64));
                self.line.go_to(now + 1, playing);
                self.model.seeking = Some(now + 1);
            }
            Err(problems) => self.tell(true, "That cannot be done here", problems),
        }
    }

    /// Asks; where there is nothing to ask no answer stays, as it would be that of another packet.
    fn process(&mut self, tuple: Option<Tuple>) {
        self.model.process.answer = None;
        if let Some(tuple) = tuple {
            self.ask(Ask::Tuple { run: self.run, tuple });
        }
    }

    fn set_cost(&mut self, key: &'static str, typed: &str) {
        let result = self.model.costs.set(key, typed);
        self.model.refused_cost = result.err().map(|why| Refused {
            key,
            typed: typed.to_owned(),
            problems: vec![why],
        });
        self.keep_address();
    }

    fn start_curve(&mut self, ctx: &Context<HostApp>) {
        let Some(curve) = Curve::of(&self.model.scenario) else {
            return;
        };
        let seeds = self.model.curve.seeds;
        let scenario = &self.model.scenario;
        let mut left = jobs(&curve.values(scenario), scenario.seed, seeds);
        left.reverse();
        self.model.curve = Shared::new(CurveRun {
            curve,
            seeds,
            left,
            running: true,
            ..CurveRun::default()
        });
        self.start_curve_worker(ctx);
    }

    pub(super) fn select(&mut self, target: Option<Target>) {
        self.model.selected = target;
        self.stage.select(target);
        self.ask(Ask::Watch { target });
        self.refresh();
    }

    /// Goes to a little before the next mark of the time bar.
    fn next_mark(&mut self) {
        let until = self.model.scenario.until.0;
        let now = self.model.seeking.unwrap_or(self.stage.now_ps());
        match story::next(&self.model.moments, now, until).cloned() {
            Some(moment) => {
                self.seek(story::before(&moment, until));
                self.model.announcement = format!("{} at {}", moment.what, units::span(moment.at_ps as f64));
            }
            None => self.model.announcement = "No mark is left on the time bar".into(),
        }
    }

    /// Goes to a little before the mark before now.
    fn previous_mark(&mut self) {
        let until = self.model.scenario.until.0;
        let now = self.model.seeking.unwrap_or(self.stage.now_ps());
        match story::previous(&self.model.moments, now, until).cloned() {
            Some(moment) => {
                self.seek(story::before(&moment, until));
                self.model.announcement = format!("{} at {}", moment.what, units::span(moment.at_ps as f64));
            }
            None => self.model.announcement = "No mark is before now".into(),
        }
    }

    fn next_packet(&mut self) {
        if self.model.playing != Playing::No {
            self.pause();
        }
        let seen = match self.model.selected {
            Some(Target::Packet { id }) => Some(id),
            _ => None,
        };
        match self.stage.next_packet(seen) {
            Some(id) => self.select(Some(Target::Packet { id })),
            None => self.model.announcement = "No packet is under way".into(),
        }
    }

    pub(super) fn tell(&mut self, is_error: bool, title: impl Into<String>, details: Vec<String>) {
        Notice::add(
            &mut self.model.notices,
            &mut self.notices_made,
            is_error,
            title.into(),
            details,
        );
    }
}

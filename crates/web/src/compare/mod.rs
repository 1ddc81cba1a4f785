//! Fabrics side by side: two to four runs with one clock, the same faults by hand, and charts of what differs.
//!
//! Each run is a pane of its own, with the stage that the fabric's page has and a worker like its. They are components of one
//! page, not pages in frames: one clock, one link and one cursor over all charts need no protocol between documents then, and
//! the module is loaded once.

mod charts;
mod clock;
mod dialog;
mod differences;
mod embed;
mod hand;
mod input;
mod page;
mod pane;
mod pane_view;
mod plot;
mod share;
mod table;

pub use dialog::CompareDialog;

use crate::dom;
use crate::import::TextFile;
use crate::listeners::{Listeners, Touch};
use crate::model::{Action, Dialog, Notice, Phase, Playing, Theme, Tool};
use crate::root::Files;
use crate::shared::Shared;
use crate::texts::notices;
use crate::ui::playing::no_seed;
use crate::worker_link::Incoming;
use hand::Hands;
use lab::compare::letter;
use pane::Pane;
use scenario::link::{self, MAX_COMPARED, MIN_COMPARED};
use scenario::{LinkError, Scenario};
use view::compare::Lockstep;
use view::picture::Kinds;
use view::share::Embed;
use view::speed;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;
use yew::prelude::*;

/// Title of the notice that a link leads to no comparison.
const NO_COMPARISON: &str = "This link holds no comparison";
/// Title of the notice that a link's time is after the end of all runs.
const NOT_IN_THE_RUNS: &str = "This time is not in the runs";

/// How long a comparison should take to watch, in seconds.
const WATCH_S: u64 = 60;
/// Longest link that is kept in the address while things change, in bytes: browsers carry it along at every step.
pub const MOST_ADDRESS: usize = 64 << 10;

/// What the page of a comparison reacts to.
pub enum Msg {
    /// The browser is about to paint.
    Tick(f64),
    /// The worker of the pane with this number says something.
    Worker(u32, Incoming),
    /// Something happened on the stage of the pane with this number.
    Touch(u32, Touch),
    /// A key went down.
    Key(KeyboardEvent),
    /// A stage has another size, or the screen another resolution.
    Resized,
    /// Light and dark changed places.
    Recolour,
    /// The part of the address after `#` has changed.
    HashChanged,
    /// Files were dropped.
    Files(Files),
    /// The user did something that is about all.
    Do(Action),
    /// The user did something that is about the pane with this number.
    OfPane(u32, Action),
    /// The pane with this number is to be opened alone.
    Alone(u32),
    /// The pane with this number is to go.
    Remove(u32),
    /// The pane with this number is to begin again.
    StartAgain(u32),
}

/// What the page is given.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenarios.
    pub scenarios: Shared<Vec<Scenario>>,
    /// The address names something else than a comparison, or these files are no fabrics.
    pub leave: Callback<Files>,
}

/// The page of a comparison.
pub struct CompareApp {
    panes: Vec<Pane>,
    // Panes that there have been so far.
    made: u32,
    clock: Lockstep,
    // The simulated time that all are on their way to.
    goal: Option<u64>,
    // The pane that processes a single event.
    stepping: Option<u32>,
    hands: Hands,
    playing: Playing,
    speed: u32,
    limited: Option<f64>,
    tool: Tool,
    hidden: Kinds,
    theme: Theme,
    step: Option<String>,
    notices: Vec<Notice>,
    notices_made: u32,
    announcement: String,
    dialog: Dialog,
    listeners: Listeners,
    own_hash: Option<String>,
    ticking: bool,
    // Something on a stage moves by itself.
    moving: bool,
    last_report_ms: f64,
    last_history_ms: f64,
    last_results_ms: f64,
    // Set where the page is a frame in another one.
    embed: Option<Embed>,
    // The runs of such a frame wait for the first click.
    asleep: bool,
    // Where all go once they are there, in ps.
    at_next: Option<u64>,
    // They play then.
    play_next: bool,
    // How many seconds are recorded, while that goes on.
    recording: Option<u32>,
}

impl Component for CompareApp {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<CompareApp>) -> CompareApp {
        let theme = Theme::remembered();
        theme.apply();
        let (embed, wrong) = crate::share::embedded();
        let mut app = CompareApp {
            panes: Vec::new(),
            made: 0,
            clock: Lockstep::at(0),
            goal: None,
            stepping: None,
            hands: Hands::default(),
            playing: Playing::No,
            speed: 0,
            limited: None,
            tool: Tool::Select,
            hidden: Kinds::default(),
            theme,
            step: None,
            notices: Vec::new(),
            notices_made: 0,
            announcement: String::new(),
            dialog: Dialog::None,
            listeners: Listeners::default(),
            own_hash: dom::window().location().hash().ok(),
            ticking: false,
            moving: false,
            last_report_ms: 0.0,
            last_history_ms: 0.0,
            last_results_ms: 0.0,
            embed,
            asleep: embed.is_some(),
            at_next: None,
            play_next: false,
            recording: None,
        };
        app.open(ctx, &ctx.props().scenarios);
        if let Some(wrong) = wrong {
            app.tell(true, "The address of this frame is wrong", vec![wrong]);
        }
        app
    }

    fn rendered(&mut self, ctx: &Context<CompareApp>, first: bool) {
        if first {
            self.listen(ctx);
        }
        self.hold();
        let mut problem = None;
        for pane in self.panes.iter_mut().filter(|pane| !pane.is_attached()) {
            problem = pane.attach(self.asleep).err().or(problem);
            pane.stage.hide(self.hidden);
        }
        if let Some(why) = problem {
            self.tell(true, "The network cannot be drawn", vec![why]);
        }
    }

    fn update(&mut self, ctx: &Context<CompareApp>, msg: Msg) -> bool {
        let is_tick = matches!(msg, Msg::Tick(_));
        let shown = match msg {
            Msg::Tick(now_ms) => self.tick(now_ms),
            Msg::Worker(number, incoming) => self.hear(number, incoming),
            Msg::Touch(number, touch) => self.touch(number, touch),
            Msg::Key(event) => self.key(ctx, &event),
            Msg::Resized => {
                for pane in &mut self.panes {
                    pane.stage.resize();
                    pane.stage.draw(dom::now_ms());
                    pane.look_again();
                    pane.refresh();
                }
                false
            }
            Msg::Recolour => {
                self.recolour();
                false
            }
            Msg::HashChanged => self.hash_changed(ctx),
            Msg::Files(files) => self.take_files(ctx, files),
            Msg::Do(action) => self.act(ctx, action),
            Msg::OfPane(number, action) => self.act_on(ctx, number, action),
            Msg::Alone(number) => self.open_alone(ctx, number),
            Msg::Remove(number) => self.remove(number),
            Msg::StartAgain(number) => self.start_again(number),
        };
        // Whatever happens may change what is drawn; between two paints only what moves does.
        if !is_tick || self.moving || self.playing != Playing::No {
            self.keep_ticking(ctx);
        }
        shown
    }

    fn view(&self, ctx: &Context<CompareApp>) -> Html {
        match self.embed {
            Some(embed) => self.embed_page(ctx, embed),
            None => self.page(ctx),
        }
    }
}

impl CompareApp {
    /// Begins with these scenarios.
    fn open(&mut self, ctx: &Context<CompareApp>, scenarios: &[Scenario]) {
        self.panes.clear();
        for scenario in scenarios {
            self.add_pane(ctx, scenario.clone());
        }
        self.notices.clear();
        let until = scenarios.iter().map(|s| s.until.0).max().unwrap_or(0);
        let hop = |s: &Scenario| s.fabric.t1_link_delay.0 + s.fabric.switch_latency.0;
        let hop = scenarios.iter().map(hop).min().unwrap_or(0);
        self.speed = speed::comfortable(until, hop, WATCH_S);
        self.rewind();
        let hash = dom::window().location().hash().unwrap_or_default();
        self.at_next = link::moment(&hash).ok().flatten().map(|time| time.0);
        if let Some(why) = self.at_next.and_then(|at| view::share::beyond(at, until)) {
            self.tell(false, NOT_IN_THE_RUNS, vec![why]);
        }
    }

    fn add_pane(&mut self, ctx: &Context<CompareApp>, scenario: Scenario) {
        self.made += 1;
        self.panes.push(Pane::new(scenario, ctx.link(), self.made));
    }

    /// The clock stands at 0 again.
    fn rewind(&mut self) {
        self.clock = self.clock.resumed(0);
        self.goal = None;
        self.stepping = None;
        self.hands = Hands::default();
        self.playing = Playing::No;
        self.limited = None;
        self.step = None;
    }

    /// All begin again at time 0, with all faults.
    fn restart(&mut self) {
        self.rewind();
        // One that is new begins when it is on the page.
        let attached = self.panes.iter_mut().filter(|pane| pane.is_attached());
        attached.for_each(Pane::load);
    }

    /// The place of a pane among the others.
    fn place(&self, number: u32) -> Option<usize> {
        self.panes.iter().position(|pane| pane.number() == number)
    }

    fn act(&mut self, ctx: &Context<CompareApp>, action: Action) -> bool {
        match action {
            Action::TogglePlay | Action::RunToEnd | Action::Step | Action::Restart if self.asleep => {
                self.wake()
            }
            Action::TogglePlay if self.playing != Playing::No => self.pause(),
            Action::TogglePlay => self.play(Playing::AtSpeed),
            Action::RunToEnd => self.play(Playing::ToEnd),
            Action::Step => self.step_once(),
            Action::Restart => self.restart(),
            Action::SetSpeed(step) => self.speed = step.min(speed::LAST_STEP),
            Action::SetSeed(seed) => {
                for pane in &mut self.panes {
                    let scenario = (*pane.scenario).clone();
                    pane.scenario = Shared::new(Scenario { seed, ..scenario });
                }
                self.restart();
                self.keep_address();
            }
            Action::RefuseSeed(text) => {
                let (title, why) = no_seed(&text);
                self.tell(true, title, vec![why]);
            }
            Action::SetTool(tool) => self.tool = tool,
            Action::ToggleKind(kind) => {
                self.hidden = self.hidden.toggled(kind);
                let hidden = self.hidden;
                self.panes.iter_mut().for_each(|pane| pane.stage.hide(hidden));
            }
            Action::Zoom(factor) => self.zoom_all(factor),
            Action::ShowAll => self.show_all(),
            Action::NextTheme => {
                self.theme = self.theme.next();
                self.theme.apply();
                self.recolour();
            }
            Action::OfferComparison => self.dialog = Dialog::Compare,
            Action::CompareWith(other) => self.add(ctx, *other),
            Action::Share => self.share(),
            Action::Record(seconds) => self.record(seconds),
            Action::Recorded(result) => self.recorded(result),
            Action::SaveScenario => self.save(),
            Action::Help => self.dialog = Dialog::Help,
            Action::CloseDialog => self.dialog = Dialog::None,
            Action::Dismiss(id) => self.notices.retain(|notice| notice.id != id),
            // The rest is about one pane, or of the fabric's page.
            _ => return false,
        }
        true
    }

    fn recolour(&mut self) {
        self.panes.iter_mut().for_each(|pane| pane.stage.recolour());
    }

    fn tell(&mut self, is_error: bool, title: impl Into<String>, details: Vec<String>) {
        let (shown, made) = (&mut self.notices, &mut self.notices_made);
        Notice::add(shown, made, is_error, title.into(), details);
    }

    /// Runs another scenario beside those that are there; all begin again.
    fn add(&mut self, ctx: &Context<CompareApp>, scenario: Scenario) {
        self.dialog = Dialog::None;
        if self.panes.len() >= MAX_COMPARED {
            let why = format!("{MAX_COMPARED} runs have room side by side. Take one away first.");
            return self.tell(false, "There are as many runs as there can be", vec![why]);
        }
        if let Err(problems) = scenario.validate() {
            let problems = problems.iter().map(ToString::to_string).collect();
            return self.tell(true, notices::CANNOT_BE_RUN, problems);
        }
        self.add_pane(ctx, scenario);
        self.restart();
        self.keep_address();
    }

    fn remove(&mut self, number: u32) -> bool {
        if self.panes.len() > MIN_COMPARED {
            self.panes.retain(|pane| pane.number() != number);
            self.hands.forget(number);
            if self.stepping == Some(number) {
                self.stepping = None;
            }
            self.keep_address();
            self.check_arrival();
        }
        true
    }

    fn open_alone(&mut self, ctx: &Context<CompareApp>, number: u32) -> bool {
        let Some(place) = self.place(number) else {
            return false;
        };
        match link::encode(&self.panes[place].scenario) {
            Ok(text) => {
                self.own_hash = Some(dom::push_hash(&text));
                ctx.props().leave.emit(Vec::new());
            }
            Err(why) => self.tell(true, "This run cannot be opened alone", vec![why.to_string()]),
        }
        true
    }

    fn encoded(&self) -> Result<String, LinkError> {
        let scenarios: Vec<Scenario> = self.panes.iter().map(|pane| (*pane.scenario).clone()).collect();
        link::encode_compare(&scenarios)
    }

    /// Keeps the comparison as it is now in the page's address: loading the page again and coming back to it find it.
    fn keep_address(&mut self) {
        let text = self.encoded().ok().filter(|text| text.len() <= MOST_ADDRESS);
        self.own_hash = Some(dom::replace_hash(&text.unwrap_or_default()));
    }

    fn hash_changed(&mut self, ctx: &Context<CompareApp>) -> bool {
        let hash = dom::window().location().hash().unwrap_or_default();
        if self.own_hash.as_deref() == Some(&hash) {
            return false;
        }
        self.own_hash = Some(hash.clone());
        // What was said of an earlier link says nothing of this one.
        self.notices
            .retain(|notice| notice.title != NO_COMPARISON && notice.title != NOT_IN_THE_RUNS);
        if !link::is_comparison(&hash) {
            ctx.props().leave.emit(Vec::new());
            return false;
        }
        match link::decode_compare(&hash) {
            Ok(scenarios) => self.open(ctx, &scenarios),
            Err(why) => {
                let details = vec![why.to_string(), "The comparison that was open goes on.".into()];
                self.tell(true, NO_COMPARISON, details);
                self.keep_address();
            }
        }
        true
    }

    /// A scenario that is dropped runs beside the others.
    fn take_files(&mut self, ctx: &Context<CompareApp>, files: Files) -> bool {
        for file in files {
            if let Some(read) = file
                .as_ref()
                .ok()
                .and_then(|file| link::read_comparison_file(&file.text))
            {
                match read {
                    Ok(scenarios) => {
                        self.open(ctx, &scenarios);
                        self.keep_address();
                    }
                    Err(why) => self.tell(true, "The file holds no comparison", vec![why.to_string()]),
                }
                continue;
            }
            let read = file.map(|TextFile { name, text }| {
                Scenario::from_json(&text).map_err(|why| (name, why.to_string()))
            });
            match read {
                Ok(Ok(scenario)) => self.add(ctx, scenario),
                Ok(Err((name, why))) => {
                    let details = vec![why, "A comparison takes scenarios of fabrics, as JSON.".into()];
                    self.tell(true, format!("{name} cannot be compared"), details);
                }
                Err((title, details)) => self.tell(true, title, details),
            }
        }
        true
    }

    fn listen(&mut self, ctx: &Context<CompareApp>) {
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
        let link = ctx.link().clone();
        self.listeners
            .add(&window, "resize", move |_| link.send_message(Msg::Resized));
        if let Ok(Some(query)) = window.match_media("(prefers-color-scheme: dark)") {
            let link = ctx.link().clone();
            self.listeners
                .add(&query, "change", move |_| link.send_message(Msg::Recolour));
        }
        self.listeners.on_drop(ctx.link().callback(Msg::Files));
    }

    /// What stands above: "A against B".
    fn title(&self) -> String {
        let names = self.panes.iter().enumerate();
        let names = names.map(|(place, pane)| format!("{}: {}", letter(place), pane.scenario.name));
        names.collect::<Vec<_>>().join(" · ")
    }

    fn is_loading(&self) -> bool {
        self.panes.iter().any(|pane| pane.phase == Phase::Loading)
    }
}

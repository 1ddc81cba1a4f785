//! Everything that the components show.

use crate::import::Import;
use crate::shared::Shared;
use crate::texts::notices::OF_THE_RUN;
use lab::{Report as SweepReport, Seeds};
use scenario::host::HostScenario;
use scenario::htsim::StartUnit;
use scenario::link::Mark;
use scenario::{Balancer, Fault, FaultKind, Model as Rules, Scenario};
use std::ops::Range;
use view::Bookmarks;
use view::breaking::Subject;
use view::chart::fabric::{Answer, Ask};
use view::chart::links::LinksAsk;
use view::editor::{Change, Problem};
use view::frame::Kind;
use view::geometry::Point;
use view::inspect::{Detail, Target};
use view::jobs::Job;
use view::landmarks::Landmark;
use view::lanes::LaneChoice;
use view::life::Life;
use view::log;
use view::message::{Facts, FlowRow, Report, Timeline};
use view::picture::Kinds;
use view::share::Embed;
use view::story::{Step, Story, Variant};
use view::sweep::Board;

/// How far the page has got with its run.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// There is no run, for want of a scenario.
    #[default]
    Empty,
    /// The worker builds the run.
    Loading,
    /// The run can go on.
    Ready,
    /// The worker has stopped.
    Broken(String),
}

/// How the run goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Playing {
    /// It rests.
    #[default]
    No,
    /// At the speed that was chosen.
    AtSpeed,
    /// As fast as can be, to its end.
    ToEnd,
}

/// What a click on the stage does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// It selects.
    #[default]
    Select,
    /// It breaks or heals.
    Break,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The name in the style sheet and in storage.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of that name.
    pub fn named(name: &str) -> Theme {
        [Theme::Light, Theme::Dark]
            .into_iter()
            .find(|theme| theme.name() == name)
            .unwrap_or_default()
    }

    /// The one that was chosen last.
    pub fn remembered() -> Theme {
        crate::dom::stored("theme").map_or(Theme::Auto, |name| Theme::named(&name))
    }

    /// Tells the style sheet that it is in force, and remembers it.
    pub fn apply(self) {
        if let Some(root) = crate::dom::document().document_element() {
            let _ = root.set_attribute("data-theme", self.name());
        }
        crate::dom::store("theme", self.name());
    }

    /// The next one in turn.
    pub const fn next(self) -> Theme {
        match self {
            Theme::Auto => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Auto,
        }
    }
}

/// What a narrow window shows below the stage; what the dock shows in a wide one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The timeline.
    #[default]
    Timeline,
    /// Notable moments.
    Events,
    /// What came of the run so far, as charts.
    Charts,
    /// The flows' results.
    Flows,
    /// The jobs' steps.
    Jobs,
    /// The paper's figures beside ours.
    Paper,
    /// Many seeds.
    Sweep,
    /// The scenario.
    Scenario,
    /// The inspector.
    Inspect,
    /// The counters.
    Counters,
}

impl Tab {
    /// All of them, in the order shown.
    pub const ALL: [Tab; 10] = [
        Tab::Timeline,
        Tab::Inspect,
        Tab::Scenario,
        Tab::Events,
        Tab::Charts,
        Tab::Flows,
        Tab::Jobs,
        Tab::Paper,
        Tab::Sweep,
        Tab::Counters,
    ];

    /// Those that the dock shows.
    pub const DOCKED: [Tab; 7] = [
        Tab::Timeline,
        Tab::Events,
        Tab::Charts,
        Tab::Flows,
        Tab::Jobs,
        Tab::Paper,
        Tab::Sweep,
    ];

    /// Whether there is anything for it, in a scenario with jobs and one that is an experiment of the paper.
    pub const fn has_content(self, jobs: bool, paper: bool) -> bool {
        match self {
            Tab::Jobs => jobs,
            Tab::Paper => paper,
            _ => true,
        }
    }

    /// The name in the style sheet.
    pub const fn slug(self) -> &'static str {
        match self {
            Tab::Timeline => "timeline",
            Tab::Events => "events",
            Tab::Charts => "charts",
            Tab::Flows => "flows",
            Tab::Jobs => "jobs",
            Tab::Paper => "paper",
            Tab::Sweep => "sweep",
            Tab::Scenario => "scenario",
            Tab::Inspect => "inspect",
            Tab::Counters => "counters",
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Tab::Timeline => "Timeline",
            Tab::Events => "Events",
            Tab::Charts => "Charts",
            Tab::Flows => "Flows",
            Tab::Jobs => "Jobs",
            Tab::Paper => "Paper",
            Tab::Sweep => "Sweep",
            Tab::Scenario => "Scenario",
            Tab::Inspect => "Inspector",
            Tab::Counters => "Counters",
        }
    }
}

/// Something that the user is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Its number.
    pub id: u32,
    /// True for what went wrong.
    pub is_error: bool,
    /// In one line.
    pub title: String,
    /// In detail.
    pub details: Vec<String>,
}

impl Notice {
    /// Another run is loaded: what was said of the one before is no longer so.
    pub fn forget_run(shown: &mut Vec<Notice>) {
        shown.retain(|notice| !OF_THE_RUN.contains(&notice.title.as_str()));
    }

    /// Adds one to those that are shown; `made` counts all that ever were. The same thing twice is still one thing to know, and
    /// the oldest make room: the stage has to be seen.
    pub fn add(shown: &mut Vec<Notice>, made: &mut u32, is_error: bool, title: String, details: Vec<String>) {
        shown.retain(|notice| notice.title != title);
        *made += 1;
        shown.push(Notice {
            id: *made,
            is_error,
            title,
            details,
        });
        let surplus = shown.len().saturating_sub(4);
        shown.drain(..surplus);
    }
}

/// A dialog that is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Dialog {
    /// None.
    #[default]
    None,
    /// Sharing.
    Share(ShareView),
    /// What to compare with.
    Compare,
    /// Keys and symbols.
    Help,
}

/// What the share dialog gives away.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareView {
    /// The link without `#`, or why the scenario fits into none.
    pub link: Result<String, String>,
    /// The scenario's name.
    pub name: String,
    /// Simulated time, in ps.
    pub now_ps: u64,
    /// The bookmarks that can be in the link.
    pub marks: Vec<Mark>,
}

/// The menu of ways to break a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakMenu {
    /// What it is about.
    pub subject: Subject,
    /// Where on the stage it was asked for.
    pub at: Point,
}

/// The jobs that are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobsView {
    /// The first ones.
    pub jobs: Vec<Job>,
    /// How many there are.
    pub count: u32,
}

/// The events list.
#[derive(Clone, Debug, PartialEq)]
pub struct EventsView {
    /// True when every event is listed, and not only notable moments.
    pub is_open: bool,
    /// The filter, and which rows are in sight.
    pub want: log::Ask,
    /// The end of the list stays in sight while the run goes on.
    pub follows: bool,
    /// The row that was looked into last, by its place among those that match.
    pub cursor: Option<u64>,
    /// The rows.
    pub answer: log::Answer,
}

impl Default for EventsView {
    fn default() -> EventsView {
        EventsView {
            is_open: false,
            want: log::Ask {
                count: 120,
                ..log::Ask::default()
            },
            follows: true,
            cursor: None,
            answer: log::Answer::default(),
        }
    }
}

/// The timeline and its values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The timeline.
    pub timeline: Timeline,
    /// The values of its lanes.
    pub values: Vec<Vec<f32>>,
}

/// A sweep as it was when the page showed it last.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepView {
    /// Its runs and its workers.
    pub board: Board,
    /// What its runs have in common.
    pub report: SweepReport,
    /// Wall-clock time since it began; to its end, when it has ended; in seconds.
    pub elapsed_s: f64,
}

/// How fast the simulation has been of late.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Events per second of simulating.
    pub events: f64,
    /// Packet hops per second of simulating.
    pub hops: f64,
    /// Simulated ps per second of simulating.
    pub time: f64,
}

/// What the editor shows of its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditorView {
    /// The text; empty where it is too long to be edited.
    pub text: String,
    /// Its size.
    pub bytes: usize,
    /// False where it is too long to be edited.
    pub is_shown: bool,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// True while what was typed is not looked at yet.
    pub is_pending: bool,
    /// What a form, undo or redo has changed last, in bytes.
    pub changed: Option<Range<usize>>,
    /// Grows with each change that was not typed.
    pub revision: u32,
    /// What undo would take back.
    pub undo: Option<String>,
    /// What redo would do again.
    pub redo: Option<String>,
}

/// A scenario that the browser keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedView {
    /// Tells it from others.
    pub began_ms: f64,
    /// Its name.
    pub name: String,
    /// When it was changed last.
    pub ago: String,
}

/// What the user does in the editor.
#[derive(Clone, Debug, PartialEq)]
pub enum EditorAct {
    /// Open it.
    Open,
    /// Close it.
    Close,
    /// The text was typed into; what it is now.
    Type(String),
    /// Look at the text at once.
    Apply,
    /// Change the scenario by a form.
    Change(Change),
    /// Take the last change back.
    Undo,
    /// Do again what was taken back.
    Redo,
    /// Open a scenario that the browser keeps.
    Restore(f64),
    /// Keep it no longer.
    Forget(f64),
    /// The user does not want back what was worked on last.
    DismissOffer,
}

/// A step of a story.
#[derive(Clone)]
pub struct StoryView {
    /// The story.
    pub story: &'static Story,
    /// Its step, counted from 0.
    pub step: usize,
}

impl StoryView {
    /// The step.
    pub fn current(&self) -> &'static Step {
        &self.story.steps[self.step]
    }

    /// The run that it is in.
    pub fn variant(&self) -> &'static Variant {
        &self.story.runs[self.current().run]
    }

    /// True when a run at this time is not what the step shows.
    pub fn is_left(&self, scenario: &Scenario, now_ps: u64, finished: bool) -> bool {
        !self.is_then(now_ps, finished) || *scenario != self.variant().scenario()
    }

    /// The same of a host's run.
    pub fn is_left_by_host(&self, scenario: &HostScenario, now_ps: u64, finished: bool) -> bool {
        !self.is_then(now_ps, finished) || self.variant().host_scenario().as_ref() != Some(scenario)
    }

    fn is_then(&self, now_ps: u64, finished: bool) -> bool {
        let at_ps = self.current().at_ps;
        now_ps == at_ps || finished && now_ps < at_ps
    }
}

impl std::fmt::Debug for StoryView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.story.slug, self.step + 1)
    }
}

impl PartialEq for StoryView {
    fn eq(&self, other: &StoryView) -> bool {
        (self.story.slug, self.step) == (other.story.slug, other.step)
    }
}

/// What the page shows.
#[derive(Clone, Default)]
pub struct Model {
    /// How far it is.
    pub phase: Phase,
    /// The scenario of the run, faults by hand included.
    pub scenario: Option<Shared<Scenario>>,
    /// The faults that it had when it was opened.
    pub first_faults: Shared<Vec<Fault>>,
    /// The preset that it came from.
    pub preset: Option<&'static str>,
    /// The files that it came from.
    pub import: Shared<Import>,
    /// How the run goes on.
    pub playing: Playing,
    /// The step of the speed scale.
    pub speed: u32,
    /// The speed reached, where it is less than the one asked for.
    pub limited: Option<f64>,
    /// Figures.
    pub report: Shared<Report>,
    /// What does not change.
    pub facts: Shared<Facts>,
    /// The timeline.
    pub history: Shared<History>,
    /// Which of its lanes are shown.
    pub lanes: Shared<LaneChoice>,
    /// Marked times.
    pub bookmarks: Shared<Bookmarks>,
    /// What is gone to from one event to the next.
    pub landmark: Landmark,
    /// Where a seek that takes long is to go, in ps.
    pub seeking: Option<u64>,
    /// True while the run is on its way back to the time that was shown before a fault was changed.
    pub returning: bool,
    /// The events list.
    pub events: Shared<EventsView>,
    /// The life of a packet.
    pub life: Option<Shared<Life>>,
    /// The flows' results.
    pub flows: Shared<Vec<FlowRow>>,
    /// The jobs' steps.
    pub jobs: Shared<JobsView>,
    /// What the charts show beside the timeline.
    pub charts: Shared<Answer>,
    /// What the worker is asked for them.
    pub charts_want: Ask,
    /// The sweep, if there has been one.
    pub sweep: Option<Shared<SweepView>>,
    /// What became of the last attempt to copy its runs.
    pub sweep_copied: Option<bool>,
    /// How fast the simulation is.
    pub rates: Rates,
    /// What is selected.
    pub selected: Option<Target>,
    /// Its details.
    pub detail: Option<Shared<Detail>>,
    /// True when the selected packet has left the network; its details are the last that were seen.
    pub gone: bool,
    /// What a click does.
    pub tool: Tool,
    /// The menu of ways to break a thing, where it is open.
    pub menu: Option<BreakMenu>,
    /// Kinds of packets that are not drawn.
    pub hidden: Kinds,
    /// Which tab is open.
    pub tab: Tab,
    /// Light or dark.
    pub theme: Theme,
    /// True when the inspector has more room than usual.
    pub wide: bool,
    /// What the user is told.
    pub notices: Vec<Notice>,
    /// For how many seconds the worker has owed an answer, once that is long.
    pub silent_s: Option<u32>,
    /// Set where the page is a frame in another one.
    pub embed: Option<Embed>,
    /// True while the run of such a frame waits for the first click.
    pub asleep: bool,
    /// How many seconds are recorded, while that goes on.
    pub recording: Option<u32>,
    /// What screen readers are told.
    pub announcement: String,
    /// What the last single step did.
    pub step: Option<String>,
    /// Packets drawn and packets there, where they differ.
    pub capped: Option<(usize, u32)>,
    /// True when everything is in sight.
    pub at_home: bool,
    /// The setting that could not be changed as somebody wanted, and why.
    pub refused_edit: Option<(String, Vec<String>)>,
    /// Why a search found nothing.
    pub not_found: Option<String>,
    /// The dialog that is open.
    pub dialog: Dialog,
    /// The story that is told.
    pub story: Option<StoryView>,
}

/// What the user does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Play or pause.
    TogglePlay,
    /// Process one event.
    Step,
    /// Back to time 0, with all faults.
    Restart,
    /// As fast as can be, to the end.
    RunToEnd,
    /// Go to a time, in ps.
    Seek(u64),
    /// Go so many ps on, or back.
    SeekBy(i64),
    /// Do not go on to where a seek was to go.
    StopSeek,
    /// Back to before the last event.
    StepBack,
    /// To the next mark, or to the last one before now.
    Jump(bool),
    /// What is gone to from one event to the next.
    SetLandmark(Landmark),
    /// Bookmark a time (in ps; now, where none is said), or no longer.
    ToggleBookmark(Option<u64>),
    /// Call the bookmark at a time (in ps) so.
    NameBookmark(u64, String),
    /// Show these lanes.
    SetLanes(LaneChoice),
    /// Another speed.
    SetSpeed(u32),
    /// Another seed, from the beginning.
    SetSeed(u64),
    /// What was typed for a seed is none.
    RefuseSeed(String),
    /// Select something, or nothing.
    Select(Option<Target>),
    /// List every event, or notable moments only.
    OpenLog(bool),
    /// List events that match this filter.
    FilterEvents(String),
    /// Show the list of every event with this filter.
    FindEvents(String),
    /// These rows of the list are in sight.
    ShowEvents {
        /// The first one that is needed.
        from: u64,
        /// How many are.
        count: u32,
        /// The last one is in sight.
        follows: bool,
    },
    /// The row at this place is meant.
    PointAtEvent(u64),
    /// Look into the row at this place: select its thing, go to its time.
    OpenEvent(u64, Box<log::Row>),
    /// Look into the next row that matches, or the one before.
    StepEvents(bool),
    /// Save all rows that match.
    SaveEvents(log::Form),
    /// Do not go on looking for a packet's life.
    StopLife,
    /// Select the next packet.
    NextPacket,
    /// Select what a text names.
    Find(String),
    /// What a click does.
    SetTool(Tool),
    /// Break what works, heal what is broken.
    Toggle(Target),
    /// Put the menu of ways to break a thing away.
    CloseMenu,
    /// Draw a kind of packets, or no longer.
    ToggleKind(Kind),
    /// Do this now.
    Inject(FaultKind),
    /// Add a fault at a time to the scenario, and begin again.
    AddFault(Fault),
    /// Take a fault out of the scenario, and begin again.
    RemoveFault(usize),
    /// Change, add or remove a fault on the timeline, and come back to now.
    EditFault(view::fault_lane::Edit),
    /// Change the setting at a path to what a text says, and begin again.
    Edit(&'static str, String),
    /// Something in the editor.
    Editor(EditorAct),
    /// Open a preset.
    OpenPreset(&'static str),
    /// Begin a story.
    OpenStory(&'static str),
    /// Go to a step of the story.
    StoryStep(usize),
    /// Put the focus on the story's card.
    FocusStory,
    /// Leave the story; its run stays.
    CloseStory,
    /// Use a topology of our own.
    MakeUpTopology,
    /// Read `start` in this unit.
    SetUnit(StartUnit),
    /// Import with these rules.
    SetRules(Rules),
    /// Import with this balancer.
    SetBalancer(Balancer),
    /// Magnify by this factor.
    Zoom(f64),
    /// Show everything.
    ShowAll,
    /// Open a tab.
    SetTab(Tab),
    /// Show these links in the charts.
    ChartLinks(LinksAsk),
    /// Give the inspector more room, or less.
    ToggleWide,
    /// Change between light and dark.
    NextTheme,
    /// Offer what the scenario may be compared with.
    OfferComparison,
    /// Run this scenario beside it.
    CompareWith(Box<Scenario>),
    /// Offer the link.
    Share,
    /// Record the stage for so many seconds.
    Record(u32),
    /// The recording is over: what became of it, or why there is none.
    Recorded(Result<String, String>),
    /// Save the scenario as a file.
    SaveScenario,
    /// Save the results as a file.
    SaveFlows,
    /// Save the jobs' steps as a file.
    SaveJobs,
    /// Run the scenario with many seeds.
    StartSweep(Seeds),
    /// Stop that; what is over stays.
    CancelSweep,
    /// Copy the runs as comma-separated values.
    CopySweep,
    /// Watch the run of the sweep that has this seed.
    WatchSweepRun(u64),
    /// Open the help.
    Help,
    /// Close the dialog.
    CloseDialog,
    /// Take a notice away.
    Dismiss(u32),
    /// Give up building the run.
    StopLoading,
    /// Start another worker.
    RestartWorker,
}

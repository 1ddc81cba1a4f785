//! Everything that the host page shows.

use crate::model::{Dialog, Notice, Phase, Playing, StoryView, Theme};
use crate::shared::Shared;
use scenario::host::HostScenario;
use view::host::curve::{Curve, CurvePoint};
use view::host::ledger_link::Costs;
use view::host::message::{Charts, Facts, FlowRow, Report, Tables, Target, Verdict};
use view::host::servicing::Act;
use view::host::story::Moment;
use view::host::tuple::Form;
use view::share::Embed;

/// What the dock shows, or a narrow window below the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Time series and distributions.
    #[default]
    Charts,
    /// The caches of the SmartNIC.
    Tables,
    /// Unified flows.
    Flows,
    /// What would become of a packet.
    Process,
    /// Both sides of the ledger.
    Cost,
    /// What happened to the host.
    Events,
    /// The scenario.
    Scenario,
    /// The inspector.
    Inspect,
}

impl Tab {
    /// Those that the dock shows.
    pub const DOCKED: [Tab; 6] = [
        Tab::Charts,
        Tab::Tables,
        Tab::Flows,
        Tab::Process,
        Tab::Cost,
        Tab::Events,
    ];
    /// All, in the order of a narrow window.
    pub const ALL: [Tab; 8] = [
        Tab::Charts,
        Tab::Inspect,
        Tab::Scenario,
        Tab::Tables,
        Tab::Flows,
        Tab::Process,
        Tab::Cost,
        Tab::Events,
    ];

    /// The name in the style sheet and for tests.
    pub const fn slug(self) -> &'static str {
        match self {
            Tab::Charts => "charts",
            Tab::Tables => "tables",
            Tab::Flows => "flows",
            Tab::Process => "process",
            Tab::Cost => "cost",
            Tab::Events => "events",
            Tab::Scenario => "scenario",
            Tab::Inspect => "inspect",
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Tab::Charts => "Charts",
            Tab::Tables => "Flow table",
            Tab::Flows => "Flows",
            Tab::Process => "process-tuples",
            Tab::Cost => "Cost",
            Tab::Events => "Events",
            Tab::Scenario => "Scenario",
            Tab::Inspect => "Inspector",
        }
    }
}

/// The unified flows of a VM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowsView {
    /// Whose.
    pub vm: u32,
    /// The first ones.
    pub rows: Vec<FlowRow>,
    /// How many pairs there are.
    pub pairs: u32,
}

/// The tables and their cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TablesView {
    /// Figures.
    pub tables: Tables,
    /// Cells of L1, then buckets of L2.
    pub cells: Vec<u8>,
}

/// process-tuples.
#[derive(Clone, PartialEq)]
pub struct Process {
    /// The form.
    pub form: Form,
    /// The last answer.
    pub answer: Option<Shared<Verdict>>,
}

/// A value that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Of what.
    pub key: &'static str,
    /// What was typed.
    pub typed: String,
    /// Why not.
    pub problems: Vec<String>,
}

/// Seeds that each point of a curve may have; three are enough for an interval, and soon done.
pub const SEEDS: [u32; 4] = [1, 3, 5, 10];

/// The sweep that answers the scenario's question.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveRun {
    /// What is varied.
    pub curve: Curve,
    /// Seeds of each value.
    pub seeds: u32,
    /// Values and seeds still to come, the next one last.
    pub left: Vec<(f64, u64)>,
    /// Points so far.
    pub points: Vec<CurvePoint>,
    /// Whether it is under way.
    pub running: bool,
    /// Why it ended early.
    pub problem: Option<String>,
}

impl Default for CurveRun {
    fn default() -> CurveRun {
        CurveRun {
            curve: Curve::default(),
            seeds: SEEDS[1],
            left: Vec::new(),
            points: Vec::new(),
            running: false,
            problem: None,
        }
    }
}

/// What the page shows.
#[derive(Clone)]
pub struct Model {
    /// How far it is.
    pub phase: Phase,
    /// The scenario, with what was done by hand.
    pub scenario: Shared<HostScenario>,
    /// Events that it had when it was opened.
    pub first_events: usize,
    /// When something happens in it.
    pub moments: Shared<Vec<Moment>>,
    /// The preset that it came from.
    pub preset: Option<&'static str>,
    /// The story that is told of it.
    pub story: Option<StoryView>,
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
    /// For how many seconds the worker has owed an answer, once that is long.
    pub silent_s: Option<u32>,
    /// Set where the page is a frame in another one.
    pub embed: Option<Embed>,
    /// True while the run of such a frame waits for the first click.
    pub asleep: bool,
    /// How many seconds are recorded, while that goes on.
    pub recording: Option<u32>,
    /// Simulated time that the run is on its way to.
    pub seeking: Option<u64>,
    /// What is selected.
    pub selected: Option<Target>,
    /// Which tab is open.
    pub tab: Tab,
    /// What the charts show.
    pub charts: Shared<Charts>,
    /// The entry of the traffic that latency is shown of; none: all packets.
    pub latency_of: Option<u32>,
    /// The caches.
    pub tables: Shared<TablesView>,
    /// The flows.
    pub flows: Shared<FlowsView>,
    /// process-tuples.
    pub process: Process,
    /// The sweep.
    pub curve: Shared<CurveRun>,
    /// The ledger's inputs.
    pub costs: Costs,
    /// The input that was refused last, and why.
    pub refused_cost: Option<Refused>,
    /// The parameter that was refused last, and why.
    pub refused_edit: Option<Refused>,
    /// Packets in flight, those not drawn included, and how many are drawn.
    pub there: (u32, usize),
    /// Light or dark.
    pub theme: Theme,
    /// What the user is told.
    pub notices: Vec<Notice>,
    /// What screen readers are told.
    pub announcement: String,
    /// The dialog that is open.
    pub dialog: Dialog,
}

/// What the user does beyond what the fabric's page has too.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    /// Play or pause.
    TogglePlay,
    /// As fast as can be, to the end.
    RunToEnd,
    /// Process one event.
    Step,
    /// Back to before the last event.
    StepBack,
    /// Back to time 0.
    Restart,
    /// To this time in ps.
    Seek(u64),
    /// To a little before the next mark of the time bar.
    NextMark,
    /// To a little before the mark before now.
    PreviousMark,
    /// Another speed.
    SetSpeed(u32),
    /// Another seed, from the beginning.
    SetSeed(u64),
    /// This text is no seed.
    RefuseSeed(String),
    /// Select something, or nothing.
    Select(Option<Target>),
    /// Select the next packet.
    NextPacket,
    /// Open a tab.
    SetTab(Tab),
    /// Do this to the host, now.
    Service(Act, u32),
    /// Take an event out of the scenario, and begin again.
    RemoveEvent(usize),
    /// Change a parameter, and begin again.
    Edit(&'static str, String),
    /// Show the flows of this VM.
    FlowsOf(u32),
    /// The VM of process-tuples.
    ProcessVm(u32),
    /// A field of process-tuples.
    ProcessField(usize, String),
    /// The line of process-tuples.
    ProcessLine(String),
    /// Ask.
    Process,
    /// Change an input of the ledger.
    SetCost(&'static str, String),
    /// All inputs as they were.
    ResetCosts,
    /// Run the sweep over rates, or stop it.
    ToggleCurve,
    /// How many seeds its points have.
    SetSeeds(u32),
    /// Show the latency of an entry of the traffic, or of all packets.
    LatencyOf(Option<u32>),
}

/// What a component does when the user does something.
pub type On = yew::Callback<Do>;

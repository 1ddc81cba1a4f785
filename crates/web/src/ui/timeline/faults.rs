//! The lane of faults: each as a bar from its beginning to its end. Bars are dragged, chosen and changed by pointer, finger and key.

use super::super::On;
use super::draw::{percent, upright};
use super::fault_form::Form;
use crate::dom;
use crate::model::Action;
use crate::shared::Shared;
use crate::texts::fault_lane as texts;
use scenario::{FaultKind, Scenario};
use view::fault_lane::{Bar, Edit, End, MOST, ROWS, bars, grid, snapped};
use view::inspect::Target;
use view::keys::{Command, Page, Place};
use view::{Extent, units, words};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, PointerEvent};
use yew::prelude::*;

/// The id of the button that adds a fault; it gets the focus when a fault goes that had it.
pub const ADD: &str = "add-fault";
/// How far a pointer may move before it drags, in CSS pixels.
const STILL_PX: i32 = 4;

/// What the lane shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario.
    pub scenario: Shared<Scenario>,
    /// The time that is shown.
    pub extent: Extent,
    /// Now, in ps.
    pub now: u64,
    /// What is selected.
    pub selected: Option<Target>,
    /// Opens a form.
    pub open: Callback<Form>,
    /// What the user does.
    pub on: On,
}

/// What a pointer has hold of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hold {
    /// A bar.
    Whole(Bar),
    /// Its end.
    End(Bar),
    /// Nothing: a new fault is drawn.
    New,
}

/// A pointer that is down.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drag {
    hold: Hold,
    pointer: i32,
    // Where it went down: in the window, and in time.
    x: i32,
    began: u64,
    // Where it is, in time.
    at: u64,
    moved: bool,
}

impl Drag {
    /// What comes of it if it ends here.
    fn edit(&self, extent: Extent) -> Option<Edit> {
        match self.hold {
            Hold::Whole(bar) => {
                let by = self.at as i64 - self.began as i64;
                Some(Edit::Move(
                    bar.fault,
                    snapped(bar.from.saturating_add_signed(by), extent),
                ))
            }
            Hold::End(bar) => {
                let least = bar.from.saturating_add(grid(extent));
                Some(Edit::End(bar.fault, snapped(self.at, extent).max(least)))
            }
            Hold::New => None,
        }
    }

    /// From where to where a new fault is drawn.
    fn drawn(&self, extent: Extent) -> (u64, u64) {
        let [a, b] = [self.began, self.at].map(|at| snapped(at, extent));
        (a.min(b), a.max(b).max(a.min(b) + grid(extent)))
    }
}

/// The class that gives the lane, its name and its value the height that so many rows need.
pub fn height(scenario: &Scenario) -> &'static str {
    let rows = bars(scenario)
        .iter()
        .take(MOST)
        .map(|bar| bar.row + 1)
        .max()
        .unwrap_or(1);
    ["rows-1", "rows-2", "rows-3"][rows.min(ROWS) - 1]
}

/// The lane.
#[component]
pub fn FaultLane(props: &Props) -> Html {
    let drag = use_state_eq(|| None::<Drag>);
    let lane = use_node_ref();
    // Keys go from bar to bar from the one that had the focus last.
    let active = use_state_eq(|| None::<usize>);
    let extent = props.extent;
    let scenario = &props.scenario;
    // While something is dragged, what would come of it is shown.
    let edit = drag.filter(|drag| drag.moved).and_then(|drag| drag.edit(extent));
    let preview = edit.as_ref().and_then(|edit| edit.apply(scenario).ok());
    let shown = preview.as_ref().map_or(&**scenario, |(changed, ..)| changed);
    let all = bars(shown);
    let (rows, kept) = (
        all.iter().map(|bar| bar.row + 1).max().unwrap_or(1),
        all.len().min(MOST),
    );
    let visible: Vec<&Bar> = all[..kept]
        .iter()
        .filter(|bar| bar.to >= extent.from && bar.from <= extent.to)
        .collect();
    let first = active
        .filter(|fault| visible.iter().any(|bar| bar.fault == *fault))
        .or_else(|| visible.first().map(|bar| bar.fault));
    let one = |bar: &&Bar| {
        let fault = &shown.faults[bar.fault].what;
        let is_selected = props.selected == Some(Target::Fault(bar.fault as u32));
        let active = active.clone();
        let index = bar.fault;
        html! {
            <g
                key={index}
                id={id(index)}
                class={classes!("tl-fault", family(fault), is_selected.then_some("selected"))}
                role="button"
                tabindex={if first == Some(index) { "0" } else { "-1" }}
                aria-label={described(fault, bar)}
                aria-pressed={is_selected.to_string()}
                aria-keyshortcuts={texts::KEYS}
                data-fault={index.to_string()}
                data-from={bar.from.to_string()}
                data-to={bar.to.to_string()}
                data-testid="lane-fault"
                onfocus={Callback::from(move |_: FocusEvent| active.set(Some(index)))}
            >
                { drawing(fault, bar, rows, extent) }
            </g>
        }
    };
    let at = {
        let lane = lane.clone();
        move |event: &PointerEvent| {
            let Some(element) = lane.cast::<Element>() else {
                return 0;
            };
            let rect = element.get_bounding_client_rect();
            let share = (f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0);
            extent.at(share.clamp(0.0, 1.0))
        }
    };
    let onpointerdown = {
        let (drag, lane, at, all) = (drag.clone(), lane.clone(), at.clone(), all.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() != 0 || drag.is_some() {
                return;
            }
            let target = event
                .target()
                .and_then(|target| target.dyn_into::<Element>().ok());
            let hold = target.and_then(|target| held(&target, &all)).unwrap_or(Hold::New);
            if let Some(element) = lane.cast::<Element>() {
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            if let Hold::Whole(bar) | Hold::End(bar) = hold {
                focus(&id(bar.fault));
            }
            // Dragging marks no text.
            event.prevent_default();
            let began = at(&event);
            drag.set(Some(Drag {
                hold,
                pointer: event.pointer_id(),
                x: event.client_x(),
                began,
                at: began,
                moved: false,
            }));
        })
    };
    let onpointermove = {
        let (drag, at) = (drag.clone(), at.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some(now) = drag.filter(|drag| drag.pointer == event.pointer_id()) {
                let moved = now.moved || (event.client_x() - now.x).abs() >= STILL_PX;
                drag.set(Some(Drag {
                    at: at(&event),
                    moved,
                    ..now
                }));
            }
        })
    };
    let onpointerup = {
        let (drag, at, on, open) = (drag.clone(), at.clone(), props.on.clone(), props.open.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(mut now) = drag.filter(|drag| drag.pointer == event.pointer_id()) else {
                return;
            };
            drag.set(None);
            now.at = at(&event);
            match (now.moved, now.hold) {
                (false, Hold::Whole(bar) | Hold::End(bar)) => {
                    on.emit(Action::Select(Some(Target::Fault(bar.fault as u32))));
                }
                (false, Hold::New) => on.emit(Action::Seek(now.at)),
                (true, Hold::New) => {
                    let (from, to) = now.drawn(extent);
                    open.emit(Form::New(from, Some(to)));
                }
                (true, _) => {
                    if let Some(edit) = now.edit(extent) {
                        on.emit(Action::EditFault(edit));
                    }
                }
            }
        })
    };
    let onpointercancel = {
        let drag = drag.clone();
        Callback::from(move |_: PointerEvent| drag.set(None))
    };
    let onkeydown = keys(props, all.clone(), drag.clone());
    let ondblclick = {
        let (open, all) = (props.open.clone(), all.clone());
        Callback::from(move |event: MouseEvent| {
            let target = event
                .target()
                .and_then(|target| target.dyn_into::<Element>().ok());
            if let Some(Hold::Whole(bar) | Hold::End(bar)) = target.and_then(|target| held(&target, &all)) {
                open.emit(Form::Of(bar.fault));
            }
        })
    };
    let ghost = drag.filter(|drag| drag.moved && drag.hold == Hold::New);
    html! {
        <div
            ref={lane}
            class={classes!("tl-faults", height(scenario), drag.is_some().then_some("dragging"))}
            role="group"
            aria-label="Faults"
            title={texts::HOW}
            data-testid="fault-lane"
            {onpointerdown}
            {onpointermove}
            {onpointerup}
            {onpointercancel}
            {onkeydown}
            {ondblclick}
        >
            <svg>
                { for visible.iter().map(one) }
                if let Some(ghost) = ghost {
                    { band(ghost.drawn(extent), extent) }
                }
                { upright("now", extent.share(props.now)) }
            </svg>
        </div>
    }
}

/// What keys do while a bar has the focus.
fn keys(props: &Props, all: Vec<Bar>, drag: UseStateHandle<Option<Drag>>) -> Callback<KeyboardEvent> {
    let (on, open, extent) = (props.on.clone(), props.open.clone(), props.extent);
    Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" && drag.is_some() {
            drag.set(None);
            event.prevent_default();
            return;
        }
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let Some(Hold::Whole(bar) | Hold::End(bar)) = target.and_then(|target| held(&target, &all)) else {
            return;
        };
        let index = all.iter().position(|other| other.fault == bar.fault).unwrap_or(0);
        let neighbour = |to: Option<&Bar>| {
            if let Some(bar) = to {
                focus(&id(bar.fault));
            }
        };
        let Some(command) = dom::command(Page::Fabric, Place::Faults, &event) else {
            return;
        };
        let step = grid(extent) as i64;
        let ended = |by: i64| Edit::End(bar.fault, bar.to.saturating_add_signed(by).max(bar.from + 1));
        let moved = |by: i64| Edit::Move(bar.fault, bar.from.saturating_add_signed(by));
        let edit = match command {
            Command::Move(steps) => Some(moved(step * i64::from(steps))),
            Command::Stretch(steps) => Some(ended(step * i64::from(steps))),
            Command::Remove => {
                focus(ADD);
                Some(Edit::Remove(bar.fault))
            }
            Command::Go { next: false } => {
                neighbour(index.checked_sub(1).and_then(|index| all.get(index)));
                None
            }
            Command::Go { next: true } => {
                neighbour(all.get(index + 1));
                None
            }
            Command::Choose => {
                on.emit(Action::Select(Some(Target::Fault(bar.fault as u32))));
                None
            }
            Command::Open => {
                open.emit(Form::Of(bar.fault));
                None
            }
            _ => return,
        };
        event.prevent_default();
        if let Some(edit) = edit {
            on.emit(Action::EditFault(edit));
        }
    })
}

/// The name of a bar's element.
pub fn id(fault: usize) -> String {
    format!("lane-fault-{fault}")
}

/// Puts the focus on an element.
pub fn focus(id: &str) {
    if let Some(element) = dom::document().get_element_by_id(id) {
        // SVG's elements have the same method.
        let _ = element.unchecked_into::<HtmlElement>().focus();
    }
}

/// The bar that an element is a part of, and which part it is.
fn held(element: &Element, all: &[Bar]) -> Option<Hold> {
    let of = element.closest("[data-fault]").ok().flatten()?;
    let fault: usize = of.get_attribute("data-fault")?.parse().ok()?;
    let bar = *all.iter().find(|bar| bar.fault == fault)?;
    match element.class_list().contains("grip") {
        true => Some(Hold::End(bar)),
        false => Some(Hold::Whole(bar)),
    }
}

/// A fault and its times in words.
fn described(fault: &FaultKind, bar: &Bar) -> String {
    let (from, to) = (units::span(bar.from as f64), units::span(bar.to as f64));
    let text = words::fault(fault);
    match bar.end {
        End::Point => format!("{text}, at {from}"),
        End::Never => texts::from_to_the_end(&text, &from),
        End::Own | End::Healed(_) => format!("{text}, {from} to {to}"),
    }
}

/// What kind of fault it is, for the style sheet.
const fn family(fault: &FaultKind) -> &'static str {
    match fault {
        FaultKind::LinkUp { .. } | FaultKind::SwitchUp { .. } => "heals",
        FaultKind::LinkLoss { .. }
        | FaultKind::LinkCorrupt { .. }
        | FaultKind::TierLoss { .. }
        | FaultKind::SwitchCorrupt { .. }
        | FaultKind::NicRefuses { .. }
        | FaultKind::NicPenalty { .. } => "partly",
        _ => "wholly",
    }
}

/// The sign at a bar's beginning, around its middle: shapes differ as well as colours.
fn sign(fault: &FaultKind) -> &'static str {
    if fault.is_repair() {
        // A tick.
        return "M-4 0l3 3 5-6";
    }
    match fault {
        // A cross.
        FaultKind::LinkDown { .. }
        | FaultKind::LinksDown { .. }
        | FaultKind::NicPortDown { .. }
        | FaultKind::SwitchDown { .. }
        | FaultKind::LinkUp { .. }
        | FaultKind::SwitchUp { .. } => "M-3.5-3.5l7 7m0-7l-7 7",
        // Steps down and up.
        FaultKind::LinkFlap { .. } | FaultKind::NicFlap { .. } => "M-5 3v-6h3.4v6h3.4v-6H5",
        // A circle that is not closed.
        FaultKind::SwitchReboot { .. } => "M2.5-3A4 4 0 1 0 4 0M2.5-5v2.4H0",
        // A broken line.
        FaultKind::LinkLoss { .. } | FaultKind::TierLoss { .. } => "M-5 0h2.4M-1.2 0h2.4M2.6 0H5",
        // A flash.
        FaultKind::LinkCorrupt { .. } | FaultKind::SwitchCorrupt { .. } => "M1-5l-3 5h4l-3 5",
        // A bar across.
        FaultKind::NicRefuses { .. } | FaultKind::NicPenalty { .. } => {
            "M-4 0a4 4 0 1 0 8 0 4 4 0 1 0-8 0M-2 0h4"
        }
    }
}

/// A bar: body, sign, words as far as they have room, and the end to take hold of.
fn drawing(fault: &FaultKind, bar: &Bar, rows: usize, extent: Extent) -> Html {
    let share = |ps: u64| extent.share(ps).clamp(0.0, 1.0);
    let (from, to) = (share(bar.from), share(bar.to));
    let rows = rows.clamp(1, ROWS) as f64;
    let (y, height) = (percent(bar.row as f64 / rows), percent(1.0 / rows));
    let is_point = bar.end == End::Point;
    let begins = extent.contains(bar.from);
    let ends = !is_point && extent.contains(bar.to);
    html! {
        <svg x="0" {y} width="100%" {height} overflow="visible">
            if is_point {
                // Something to take hold of.
                <svg x={percent(from)} y="50%" width="1" height="1" overflow="visible"><rect class="hold" x="-9" y="-9" width="18" height="18" /></svg>
            } else {
                <rect class="body" x={percent(from)} y="1" width={percent(to - from)} height="88%" rx="3" />
                <svg x={percent(from)} y="0" width={percent(to - from)} height="100%">
                    <text x={if begins { "14" } else { "4" }} y="50%" dominant-baseline="central">{ words::fault(fault) }</text>
                </svg>
            }
            if begins || is_point {
                <svg x={percent(from)} y="50%" width="1" height="1" overflow="visible">
                    <path class="sign" transform={if is_point { "" } else { "translate(7.5 -0.5)" }} d={sign(fault)} />
                </svg>
            }
            if ends {
                // Nearly as wide as a finger, but not over the beginning.
                <svg x={percent(to)} y="0" width="1" height="100%" overflow="visible">
                    <rect class="grip" x={if bar.end == End::Never { "-12" } else { "-6" }} y="0" width="12" height="100%" />
                    <rect class="edge" x="-2" y="15%" width="2" height="70%" />
                </svg>
            }
        </svg>
    }
}

/// Where a new fault is drawn.
fn band((from, to): (u64, u64), extent: Extent) -> Html {
    let share = |ps: u64| extent.share(ps).clamp(0.0, 1.0);
    html! {
        <rect class="ghost" x={percent(share(from))} y="1" width={percent((share(to) - share(from)).max(0.002))} height="94%" rx="3" />
    }
}

/// How many faults have no bar, in words.
pub fn left_out(scenario: &Scenario) -> Option<String> {
    let more = bars(scenario).len().saturating_sub(MOST);
    (more > 0).then(|| format!("{} not shown", units::count(more as u64)))
}

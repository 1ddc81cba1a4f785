//! The run's history: throughput by plane, a QP's throughput, jobs, what was lost, and every fault; and going through its time.

mod chooser;
mod draw;
mod fault_form;
mod faults;
mod hand;
mod lanes;
mod marked;
mod overview;
mod rows;

pub use draw::{axis, fault_line, upright};

use super::On;
use super::icons::{Icon, icon};
use crate::dom;
use crate::model::{Action, History};
use crate::shared::Shared;
use chooser::LaneChooser;
use draw::{band, flag, plot, symbol, united};
use fault_form::{FaultForm, Form};
use faults::{ADD, FaultLane};
use hand::{Wish, use_hand};
use lanes::{job, job_at};
use marked::BookmarkList;
use overview::{Overview, outline};
use rows::{Row, rows, scales};
use scenario::Scenario;
use view::inspect::Target;
use view::keys::{Command, Page, Place};
use view::landmarks::Landmark;
use view::lanes::LaneChoice;
use view::message::{Mark, Timeline};
use view::{Bookmarks, Extent, fault_lane, ticks, units};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// By how much a key or a button magnifies.
const ZOOM: f64 = 2.0;
/// A bin that is wider than one part in so many of what is shown is worth a word.
const COARSE: u64 = 8;

/// Height of the rows of marks, in CSS pixels: a click on them is on a mark, one below goes to a time.
const MARKS_HEIGHT: f64 = 28.0;
/// Clicks that follow each other as quickly as this may be one double click, in ms.
const DOUBLE_MS: f64 = 600.0;

/// What the timeline shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The history.
    pub history: Shared<History>,
    /// The scenario: its end and its faults to come.
    pub scenario: Shared<Scenario>,
    /// Now, in ps.
    pub now: u64,
    /// True when the run is over.
    pub finished: bool,
    /// True while the run is on its way back to the time that was shown before a fault was changed.
    pub returning: bool,
    /// What is selected.
    pub selected: Option<Target>,
    /// QPs in all.
    pub qps: u32,
    /// Which lanes are shown.
    pub choice: Shared<LaneChoice>,
    /// Marked times.
    pub bookmarks: Shared<Bookmarks>,
    /// What is gone to from one event to the next.
    pub landmark: Landmark,
    /// What the user does.
    pub on: On,
}

/// A lane.
enum Line {
    Row(Row),
    Job(usize),
}

impl Line {
    fn name(&self) -> String {
        match self {
            Line::Row(row) => row.name.clone(),
            Line::Job(number) => format!("Job {number}"),
        }
    }
}

/// The timeline.
#[component]
pub fn TimelineView(props: &Props) -> Html {
    // Share of the width that is pointed at.
    let pointed = use_state_eq(|| None::<f64>);
    // The part that is shown; none for the whole run.
    let part = use_state_eq(|| None::<Extent>);
    let timeline = &props.history.timeline;
    let now = props.now;
    // After going back what is known of later times stays in sight.
    let known = timeline.known_ps.max(now);
    let is_known_to_the_end = props.finished || (timeline.known_to_the_end && timeline.known_ps >= known);
    // While the run comes back to the time that was shown before a fault was changed, the axis stays as it was.
    let held = use_mut_ref(|| None::<u64>);
    let end = match (props.returning, *held.borrow()) {
        (true, Some(held)) => held.min(props.scenario.until.0),
        _ => end_of_axis(props, known, is_known_to_the_end),
    };
    *held.borrow_mut() = Some(end);
    let extent = part
        .and_then(|part| part.within(end))
        .unwrap_or(Extent::whole(end));
    let plots = use_node_ref();
    use_follow(&part, now, end);
    let show = {
        let part = part.clone();
        Callback::from(move |next: Extent| part.set(next.within(end)))
    };
    // Where the run was before a click: a double click only shows all.
    let before = use_mut_ref(|| (f64::NEG_INFINITY, 0));
    let wish = {
        let (before, inner) = (before.clone(), wishes(props, &pointed, &show, extent, end));
        Callback::from(move |wish: Wish| {
            if let Wish::Click(..) = wish {
                let clicked = dom::now_ms();
                let mut before = before.borrow_mut();
                let at = if clicked - before.0 > DOUBLE_MS {
                    now
                } else {
                    before.1
                };
                *before = (clicked, at);
            }
            inner.emit(wish);
        })
    };
    use_hand(plots.clone(), wish);
    let ondblclick = {
        let (show, on) = (show.clone(), props.on.clone());
        Callback::from(move |_: MouseEvent| {
            on.emit(Action::Seek(before.borrow().1));
            show.emit(Extent::whole(end));
        })
    };
    let broken = props
        .scenario
        .faults
        .iter()
        .filter(|fault| !fault.what.is_repair());
    let first_fault = broken.map(|fault| fault.at.0).min();
    let all = rows(&props.history, now, props.finished, first_fault);
    let overview = outline(&all, timeline.bin_ps, end);
    let scale = scales(&all, timeline);
    let lines = arranged(all, timeline.jobs.len());
    let names: Vec<String> = lines.iter().map(Line::name).collect();
    let lines = props.choice.arrange(lines, Line::name);
    let few = (props.scenario.fabric.planes <= 4).then_some("few");
    let at = pointed.map(|share| extent.at(share));
    let mark = at.and_then(|at| nearest(timeline, at, extent));
    let is_target = mark.is_some_and(|mark| mark.target.is_some());
    let note = note(props, mark, at, extent, scale);
    // The form of a fault that is open.
    let form = use_state_eq(|| None::<Form>);
    let open = {
        let form = form.clone();
        Callback::from(move |next: Form| form.set(Some(next)))
    };
    let lane_height = faults::height(&props.scenario);
    let name = |line: &Line| match line {
        Line::Row(row) => {
            html! { <span class={classes!("tl-name", row.class)} title={row.doc.clone()}>{ &row.name }</span> }
        }
        Line::Job(number) => html! {
            <span class="tl-name job" title="Steps: light while it computes, solid while it communicates">{ format!("Job {number}") }</span>
        },
    };
    let picture = |line: &Line| match line {
        Line::Row(row) => plot(row, timeline, extent),
        Line::Job(number) => job(&timeline.jobs[*number], known, extent),
    };
    let value = |line: &Line| match line {
        Line::Row(row) => value(row, timeline, at),
        Line::Job(number) => html! {
            <span class="tl-value job">{ job_at(&timeline.jobs[*number], at.unwrap_or(now), known) }</span>
        },
    };
    html! {
        <div class={classes!("timeline", few)} data-testid="timeline">
            <div class="tl-head">
                <p class="tl-note" data-testid="timeline-note" title={note.clone()}>{ note }</p>
                { tools(props, &names, &show, extent, end) }
            </div>
            <div class="tl-names">
                <span class={classes!("tl-name", "faults", lane_height)} title="What breaks and heals: each fault from its beginning to its end">{ "Faults" }</span>
                <span class="tl-name marks" title="Faults and repairs, first drops and trims, ends of flows and of jobs' steps; bookmarks">{ "Events" }</span>
                <span class="tl-name marks" title="What senders and NICs do about them: losses inferred, EVs out of use, swapped, denied and back, ports noticed, QPs in ERROR">{ "Reactions" }</span>
                { for lines.iter().map(name) }
                <span class="tl-name axis">{ at.map_or_else(|| "Time".to_owned(), |at| extent.words(at)) }</span>
                <span class="tl-name overview">{ "Run" }</span>
            </div>
            <div class="tl-column">
                <FaultLane
                    scenario={props.scenario.clone()}
                    {extent}
                    {now}
                    selected={props.selected.clone()}
                    open={open.clone()}
                    on={props.on.clone()}
                />
                <div
                    ref={plots}
                    id="timeline-plots"
                    class={classes!("tl-plots", is_target.then_some("on-mark"))}
                    role="slider"
                    tabindex="0"
                    aria-label="Time of the run"
                    aria-valuemin="0"
                    aria-valuemax={(end / 1000).to_string()}
                    aria-valuenow={(now / 1000).to_string()}
                    aria-valuetext={units::clock(now)}
                    aria-keyshortcuts="ArrowLeft ArrowRight Home End < >"
                    data-testid="timeline-plots"
                    data-from={extent.from.to_string()}
                    data-to={extent.to.to_string()}
                    data-known={known.to_string()}
                    onkeydown={keys(props, &show, extent, end, known)}
                    {ondblclick}
                >
                    { for [false, true].map(|reaction| html! {
                        <svg class="tl-marks" aria-hidden="true">
                            if !reaction { { for props.bookmarks.list().iter().map(|mark| flag(mark.at_ps, extent)) } }
                            { for timeline.marks.iter().filter(|mark| mark.kind.is_reaction() == reaction).map(|mark| symbol(mark, extent)) }
                        </svg>
                    }) }
                    { for lines.iter().map(picture) }
                    { axis(extent) }
                    <svg class="tl-over" aria-hidden="true">
                        { band("future", now, known, extent) }
                        { for united(&timeline.exposures).into_iter().map(|(from, to)| band("exposure", from, to, extent)) }
                        { for timeline.exposures.iter().filter(|exposure| props.selected == Some(Target::Fault(exposure.fault))).map(|exposure| {
                            band("exposure selected", exposure.at_ps, exposure.last_ps, extent)
                        }) }
                        { for props.scenario.faults.iter().map(|fault| fault_line(fault.at.0, &fault.what, extent)) }
                        { for props.bookmarks.list().iter().map(|mark| upright("bookmark", extent.share(mark.at_ps))) }
                        { upright("now", extent.share(now)) }
                        if let Some(at) = at { { upright("pointed", extent.share(at)) } }
                    </svg>
                </div>
                <Overview {end} {extent} {now} path={overview} show={show.clone()} />
            </div>
            <div class="tl-values">
                <span class={classes!("tl-value", "faults", lane_height)}>
                    <>{ for faults::left_out(&props.scenario) }</>
                    <button
                        id={ADD}
                        class="quiet"
                        aria-label="Add a fault at the time shown"
                        title="Add a fault at the time shown"
                        data-testid="add-fault"
                        onclick={open.reform(move |_: MouseEvent| Form::New(now, None))}
                    >{ icon(Icon::Plus) }</button>
                </span>
                <span class="tl-value marks">{ marks_left_out(timeline) }</span>
                <span class="tl-value marks"></span>
                // A list of its own: with another number of lanes the button above stays the same element, and keeps the focus.
                <>{ for lines.iter().map(value) }</>
                <span class="tl-value axis"></span>
                <span class="tl-value overview" data-testid="timeline-shown">{ units::span(extent.len() as f64) }</span>
            </div>
            if let Some(form_of) = *form {
                <FaultForm
                    form={form_of}
                    scenario={props.scenario.clone()}
                    selected={props.selected.clone()}
                    close={Callback::from({ let form = form.clone(); move |()| form.set(None) })}
                    on={props.on.clone()}
                />
            }
            <ol class="sr" aria-label="Events" data-testid="marks">
                { for timeline.marks.iter().map(|mark| html! {
                    <li data-kind={mark.kind.slug()}>{ format!("{}: {}", units::span(mark.at_ps as f64), mark.text) }</li>
                }) }
            </ol>
        </div>
    }
}

/// Where the axis of the whole run ends, in ps.
fn end_of_axis(props: &Props, known: u64, is_known_to_the_end: bool) -> u64 {
    let until = props.scenario.until.0;
    let next = fault_lane::all_until(&props.scenario, known);
    ticks::axis_end(known, is_known_to_the_end, until, next)
}

/// Keeps now in sight when it changes.
#[hook]
fn use_follow(part: &UseStateHandle<Option<Extent>>, now: u64, end: u64) {
    let part = part.clone();
    use_effect_with(now, move |&now| {
        if let Some(shown) = *part {
            part.set(Some(shown.showing(now, end)));
        }
    });
}

/// Lanes in their usual order: goodput, jobs, all others.
fn arranged(rows: Vec<Row>, jobs: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = rows.into_iter().map(Line::Row).collect();
    let place = lines.len().min(1);
    lines.splice(place..place, (0..jobs).map(Line::Job));
    lines
}

/// What pointers on the plots do.
fn wishes(
    props: &Props,
    pointed: &UseStateHandle<Option<f64>>,
    show: &Callback<Extent>,
    extent: Extent,
    end: u64,
) -> Callback<Wish> {
    let (on, history) = (props.on.clone(), props.history.clone());
    let (pointed, show) = (pointed.clone(), show.clone());
    Callback::from(move |wish| match wish {
        Wish::Point(share) => pointed.set(share),
        Wish::Scrub(share) => on.emit(Action::Seek(extent.at(share))),
        Wish::Click(share, below) => {
            let at = extent.at(share);
            // The keyboard's way to the marks is the list of events.
            let mark = nearest(&history.timeline, at, extent).filter(|_| below <= MARKS_HEIGHT);
            match mark.and_then(|mark| mark.target.clone()) {
                Some(target) => on.emit(Action::Select(Some(target))),
                None => on.emit(Action::Seek(at)),
            }
        }
        Wish::Zoom(factor, share) => show.emit(extent.zoomed(factor, share, end)),
        Wish::Pan(by) => show.emit(extent.panned(by, end)),
    })
}

/// What keys do while the plots have the focus.
fn keys(
    props: &Props,
    show: &Callback<Extent>,
    extent: Extent,
    end: u64,
    known: u64,
) -> Callback<KeyboardEvent> {
    let (on, show, now) = (props.on.clone(), show.clone(), props.now);
    Callback::from(move |event: KeyboardEvent| {
        let Some(command) = dom::command(Page::Fabric, Place::Timeline, &event) else {
            return;
        };
        let share = if extent.contains(now) {
            extent.share(now)
        } else {
            0.5
        };
        match command {
            Command::Move(hundredths) => {
                let step = (extent.len() as f64 * f64::from(hundredths.abs()) / 100.0) as i64;
                on.emit(Action::SeekBy(step.max(1) * i64::from(hundredths.signum())));
            }
            Command::End { last } => on.emit(Action::Seek(if last { known } else { 0 })),
            Command::Larger => show.emit(extent.zoomed(ZOOM, share, end)),
            Command::Smaller => show.emit(extent.zoomed(1.0 / ZOOM, share, end)),
            Command::ShowAll => show.emit(Extent::whole(end)),
            Command::Page { next } => show.emit(extent.panned(if next { 0.9 } else { -0.9 }, end)),
            _ => return,
        }
        event.prevent_default();
    })
}

/// The line above: what is pointed at, or what the lanes' heights mean.
fn note(props: &Props, mark: Option<&Mark>, at: Option<u64>, extent: Extent, scale: String) -> String {
    let bin = props.history.timeline.bin_ps;
    if let Some(mark) = mark {
        return format!("{}: {}", extent.words(mark.at_ps), mark.text);
    }
    let slack = extent.len() / 80;
    let near = at.and_then(|at| {
        let marks = props.bookmarks.list().iter();
        marks
            .filter(|mark| mark.at_ps.abs_diff(at) <= slack)
            .min_by_key(|mark| mark.at_ps.abs_diff(at))
    });
    if let Some(mark) = near {
        return format!("{}: {}", extent.words(mark.at_ps), mark.name);
    }
    if bin > extent.len() / COARSE && bin > 0 {
        return format!(
            "Lanes are recorded in bins of {}: no finer than that. Times of events are exact.",
            units::span(bin as f64)
        );
    }
    scale
}

/// Going from event to event, bookmarks, the magnification, the lanes.
fn tools(props: &Props, lanes: &[String], show: &Callback<Extent>, extent: Extent, end: u64) -> Html {
    let on = &props.on;
    let onchange = on.reform(|event: Event| {
        let name = event.target_unchecked_into::<HtmlSelectElement>().value();
        Action::SetLandmark(Landmark::named(&name).unwrap_or_default())
    });
    let marks = &props.history.timeline.marks;
    let is_there = |kind: Landmark| match kind {
        Landmark::Bookmark => !props.bookmarks.list().is_empty(),
        other => other.is_among(marks),
    };
    let option = |kind: Landmark| {
        html! {
            <option value={kind.name()} selected={kind == props.landmark} disabled={kind != Landmark::Any && !is_there(kind)}>{ kind.name() }</option>
        }
    };
    let share = if extent.contains(props.now) {
        extent.share(props.now)
    } else {
        0.5
    };
    let zoom = |name: &'static str, keys: &str, testid: &'static str, picture: Icon, next: Extent| {
        let onclick = show.reform(move |_: MouseEvent| next);
        html! {
            <button class="quiet" aria-label={name} title={format!("{name} ({keys})")} data-testid={testid} disabled={next == extent} {onclick}>{ icon(picture) }</button>
        }
    };
    html! {
        <div class="tl-tools" role="group" aria-label="Timeline">
            <label class="tl-kind">
                <span>{ "Go to" }</span>
                <select aria-label="Kind of event to go to" data-testid="landmark" {onchange}>{ for Landmark::ALL.into_iter().map(option) }</select>
            </label>
            <BookmarkList bookmarks={props.bookmarks.clone()} now={props.now} on={on.clone()} />
            { zoom("Show more time", "−, with the timeline focused, or the wheel", "time-zoom-out", Icon::Minus, extent.zoomed(1.0 / ZOOM, share, end)) }
            { zoom("Magnify time", "+, with the timeline focused, or the wheel", "time-zoom-in", Icon::Plus, extent.zoomed(ZOOM, share, end)) }
            { zoom("Show the whole run", "0, or a double click", "time-fit", Icon::Fit, Extent::whole(end)) }
            <LaneChooser lanes={lanes.to_vec()} choice={props.choice.clone()} qps={props.qps} on={on.clone()} />
        </div>
    }
}

/// From so many characters on a value does not fit beside a phone's lanes in letters of the usual size.
const LONG: usize = 11;

/// A row's value where the pointer is, or up to now.
fn value(row: &Row, timeline: &Timeline, at: Option<u64>) -> Html {
    let bin = at.map(|at| (at / timeline.bin_ps.max(1)) as usize);
    let text = match bin.and_then(|bin| row.at(bin)) {
        Some(text) => text,
        None if bin.is_some() => String::new(),
        None => row.rest.clone(),
    };
    let is_mean = bin.is_none() && row.is_mean;
    html! {
        <span class={classes!("tl-value", row.class, (text.chars().count() > LONG).then_some("long"))}>
            if let Some(change) = row.change(bin) {
                <span class="change" title={crate::texts::charts::CHANGE}>{ change }</span>
            }
            if is_mean { <span class="mean">{ "mean\u{a0}" }</span> }
            { text }
        </span>
    }
}

/// The event nearest to where the pointer is.
fn nearest(timeline: &Timeline, at: u64, extent: Extent) -> Option<&Mark> {
    let slack = extent.len() / 80;
    let distance = |mark: &&Mark| mark.at_ps.abs_diff(at);
    let near = |mark: &&Mark| distance(mark) <= slack;
    timeline.marks.iter().filter(near).min_by_key(distance)
}

/// How many events there was no room for.
fn marks_left_out(timeline: &Timeline) -> Html {
    if timeline.marks_left_out == 0 {
        return html! {};
    }
    let more = units::count(timeline.marks_left_out);
    let title = format!(
        "{more} more events have no mark: there are {} already",
        timeline.marks.len()
    );
    html! { <span {title}>{ format!("{more} not shown") }</span> }
}

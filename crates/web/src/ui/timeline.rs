//! The run's history: throughput by plane, a QP's throughput, jobs, what was lost, and every fault.

mod lanes;

use super::On;
use super::events::path;
use crate::model::{Action, History};
use crate::shared::Shared;
use lanes::{job, job_at};
use scenario::{FaultKind, Scenario};
use view::inspect::Target;
use view::message::{Exposure, Lane, Mark, Timeline};
use view::series::recent;
use view::{ticks, units};
use web_sys::{Element, MouseEvent};
use yew::prelude::*;

/// Time marks on the axis at most.
const TICKS: usize = 8;
/// So many have room in a narrow window too.
const FEW_TICKS: usize = 4;

/// What the timeline shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The history.
    pub history: Shared<History>,
    /// The scenario: its end and its faults to come.
    pub scenario: Shared<Scenario>,
    /// True when the run is over.
    pub finished: bool,
    /// What is selected.
    pub selected: Option<Target>,
    /// What the user does.
    pub on: On,
}

/// A line of the timeline.
struct Row {
    class: &'static str,
    name: String,
    doc: String,
    values: Vec<f64>,
    /// Top of its scale.
    most: f64,
    /// A value in words.
    words: fn(f64) -> String,
    /// The sum or the last value, when nothing is pointed at.
    rest: String,
    /// True when that is the mean of the whole run.
    is_mean: bool,
}

/// The timeline.
#[component]
pub fn TimelineView(props: &Props) -> Html {
    // Share of the width that is pointed at.
    let pointed = use_state_eq(|| None::<f64>);
    let timeline = &props.history.timeline;
    let now = timeline.now_ps;
    let faults = &props.scenario.faults;
    let next = faults.iter().map(|fault| fault.at.0).filter(|&at| at > now).min();
    let until = props.scenario.until.0;
    let reach = ticks::axis_end(now, props.finished, until, next.filter(|&at| at < until));
    let rows = rows(&props.history, props.finished);
    let few = (props.scenario.fabric.planes <= 4).then_some("few");
    let at = pointed.map(|share| share * reach as f64);
    let bin = at.map(|at| (at / timeline.bin_ps.max(1) as f64) as usize);
    let plots = use_node_ref();
    let share_at = {
        let plots = plots.clone();
        move |event: &MouseEvent| {
            // Not the event's current target: events are delegated, and that is the whole page.
            let width = plots
                .cast::<Element>()
                .map_or(0.0, |plots| f64::from(plots.client_width()));
            (width > 0.0).then(|| (f64::from(event.offset_x()) / width).clamp(0.0, 1.0))
        }
    };
    let onmousemove = {
        let (pointed, share_at) = (pointed.clone(), share_at.clone());
        Callback::from(move |event: MouseEvent| pointed.set(share_at(&event)))
    };
    let onmouseleave = {
        let pointed = pointed.clone();
        Callback::from(move |_: MouseEvent| pointed.set(None))
    };
    // The keyboard's way to the marks is the list of events.
    let mark = at.and_then(|at| nearest(timeline, at, reach));
    let onclick = {
        let (on, history) = (props.on.clone(), props.history.clone());
        Callback::from(move |event: MouseEvent| {
            let at = share_at(&event).map(|share| share * reach as f64);
            let mark = at.and_then(|at| nearest(&history.timeline, at, reach));
            if let Some(target) = mark.and_then(|mark| mark.target.clone()) {
                on.emit(Action::Select(Some(target)));
            }
        })
    };
    let is_target = mark.is_some_and(|mark| mark.target.is_some());
    let name = |row: &Row| html! { <span class={classes!("tl-name", row.class)} title={row.doc.clone()}>{ &row.name }</span> };
    let value = |row: &Row| {
        let text = match bin.and_then(|bin| row.values.get(bin)) {
            Some(&value) => (row.words)(value),
            None if bin.is_some() => String::new(),
            None => row.rest.clone(),
        };
        let is_mean = bin.is_none() && row.is_mean;
        html! {
            <span class={classes!("tl-value", row.class)}>
                if is_mean { <span class="mean">{ "mean\u{a0}" }</span> }
                { text }
            </span>
        }
    };
    html! {
        <div class={classes!("timeline", few)} data-testid="timeline">
            <p class="tl-note">
                { mark.map_or_else(|| scales(&rows, timeline), |mark| format!("{}: {}", units::span(mark.at_ps as f64), mark.text)) }
            </p>
            <div class="tl-names">
                <span class="tl-name marks" title="Faults and repairs, first drops and trims, ends of flows and of jobs' steps">{ "Events" }</span>
                <span class="tl-name marks" title="What senders and NICs do about them: losses inferred, EVs out of use, swapped, denied and back, ports noticed, QPs in ERROR">{ "Reactions" }</span>
                { for rows[..1].iter().map(name) }
                { for (0..timeline.jobs.len()).map(|number| html! { <span class="tl-name job" title="Steps: light while it computes, solid while it communicates">{ format!("Job {number}") }</span> }) }
                { for rows[1..].iter().map(name) }
                <span class="tl-name axis">{ at.map_or_else(|| "Time".to_owned(), units::span) }</span>
            </div>
            <div ref={plots} class={classes!("tl-plots", is_target.then_some("on-mark"))} {onmousemove} {onmouseleave} {onclick}>
                { for [false, true].map(|reaction| html! {
                    <svg class="tl-marks" aria-hidden="true">
                        { for timeline.marks.iter().filter(|mark| mark.kind.is_reaction() == reaction).map(|mark| symbol(mark, reach)) }
                    </svg>
                }) }
                { for rows[..1].iter().map(|row| plot(row, timeline, reach)) }
                { for timeline.jobs.iter().map(|spans| job(spans, now, reach)) }
                { for rows[1..].iter().map(|row| plot(row, timeline, reach)) }
                { axis(reach) }
                <svg class="tl-over" aria-hidden="true">
                    { for united(&timeline.exposures).into_iter().map(|(from, to)| band("exposure", from, to, reach)) }
                    { for timeline.exposures.iter().filter(|exposure| props.selected == Some(Target::Fault(exposure.fault))).map(|exposure| {
                        band("exposure selected", exposure.at_ps, exposure.last_ps, reach)
                    }) }
                    { for props.scenario.faults.iter().map(|fault| fault_line(fault.at.0, &fault.what, reach)) }
                    { upright("now", timeline.now_ps as f64 / reach.max(1) as f64) }
                    if let Some(at) = at { { upright("pointed", at / reach.max(1) as f64) } }
                </svg>
            </div>
            <div class="tl-values">
                <span class="tl-value marks">{ marks_left_out(timeline) }</span>
                <span class="tl-value marks"></span>
                { for rows[..1].iter().map(value) }
                { for timeline.jobs.iter().map(|spans| html! { <span class="tl-value job">{ job_at(spans, at.map_or(now, |at| at as u64), now) }</span> }) }
                { for rows[1..].iter().map(value) }
                <span class="tl-value axis"></span>
            </div>
            <ol class="sr" aria-label="Events" data-testid="marks">
                { for timeline.marks.iter().map(|mark| html! {
                    <li data-kind={mark.kind.slug()}>{ format!("{}: {}", units::span(mark.at_ps as f64), mark.text) }</li>
                }) }
            </ol>
        </div>
    }
}

/// The lines from the history.
fn rows(history: &History, finished: bool) -> Vec<Row> {
    let timeline = &history.timeline;
    let bin_s = timeline.bin_ps.max(1) as f64 / 1e12;
    let lane = |wanted: fn(&Lane) -> bool| {
        timeline
            .lanes
            .iter()
            .zip(&history.values)
            .filter(move |(lane, _)| wanted(lane))
    };
    let rates = |values: &[f32]| -> Vec<f64> {
        values
            .iter()
            .map(|&bytes| f64::from(bytes) * 8.0 / bin_s)
            .collect()
    };
    let planes: Vec<(&Lane, Vec<f64>)> = lane(|lane| matches!(lane, Lane::Plane(_)))
        .map(|(lane, values)| (lane, rates(values)))
        .collect();
    let most = |lists: &[&[f64]]| {
        ticks::round_up(
            lists
                .iter()
                .flat_map(|list| list.iter())
                .copied()
                .fold(0.0, f64::max),
        )
    };
    // While it runs, the rate of late; in the end, the mean.
    let latest = |values: &[f64]| {
        let mean = || values.iter().sum::<f64>() * timeline.bin_ps as f64 / timeline.now_ps.max(1) as f64;
        match recent(values) {
            Some(_) if finished => units::rate(mean()),
            Some(value) => units::rate(value),
            None => String::new(),
        }
    };
    let mut rows = Vec::new();
    let bins = timeline.bins as usize;
    let total: Vec<f64> = (0..bins)
        .map(|bin| {
            planes
                .iter()
                .map(|(_, values)| values.get(bin).copied().unwrap_or(0.0))
                .sum()
        })
        .collect();
    let top = most(&[&total]);
    rows.push(Row {
        class: "total",
        name: "Goodput".into(),
        doc: format!(
            "Message bits placed per second, all planes; 0 to {}",
            units::rate(top)
        ),
        rest: latest(&total),
        is_mean: finished,
        most: top,
        values: total,
        words: units::rate,
    });
    let plane_lists: Vec<&[f64]> = planes.iter().map(|(_, values)| values.as_slice()).collect();
    let top = most(&plane_lists);
    for (number, (_, values)) in planes.iter().enumerate() {
        rows.push(Row {
            class: "plane",
            name: format!("Plane {number}"),
            doc: format!(
                "Message bits placed per second through plane {number}; 0 to {}",
                units::rate(top)
            ),
            rest: latest(values),
            is_mean: finished,
            most: top,
            values: values.clone(),
            words: units::rate,
        });
    }
    for (lane, values) in lane(|lane| matches!(lane, Lane::Qp(_))) {
        let Lane::Qp(qp) = lane else { continue };
        let values = rates(values);
        let top = most(&[&values]);
        rows.push(Row {
            class: "qp",
            name: format!("QP {qp}"),
            doc: format!(
                "Message bits of QP {qp} placed per second; 0 to {}",
                units::rate(top)
            ),
            rest: latest(&values),
            is_mean: finished,
            most: top,
            values,
            words: units::rate,
        });
    }
    let counted = [
        (
            "messages",
            "Messages",
            "Messages that were complete at their senders",
            Lane::Messages,
        ),
        ("drops", "Drops", "Packets dropped", Lane::Drops),
        ("trims", "Trims", "Packets trimmed", Lane::Trims),
        ("rtx", "Rtx", "Data packets sent again", Lane::Retransmissions),
        (
            "cnps",
            "CNPs",
            "Congestion notifications that senders heard",
            Lane::Cnps,
        ),
        ("skips", "SKIP", "EVs that went from GOOD to SKIP", Lane::Skips),
    ];
    for (class, name, doc, wanted) in counted {
        let Some((_, values)) = timeline
            .lanes
            .iter()
            .zip(&history.values)
            .find(|(lane, _)| **lane == wanted)
        else {
            continue;
        };
        let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        let sum: f64 = values.iter().sum();
        rows.push(Row {
            class,
            name: name.into(),
            doc: format!("{doc}, in each bin of {}", units::span(timeline.bin_ps as f64)),
            most: values.iter().copied().fold(1.0, f64::max),
            rest: units::count(sum as u64),
            is_mean: false,
            values,
            words: |value| units::count(value as u64),
        });
    }
    let levels = [
        (
            "paused",
            "Paused",
            "Directed links that are paused by their far ends (PFC), at the end of each bin",
            Lane::Paused,
        ),
        (
            "bad",
            "Bad EVs",
            "EVs that are ASSUMED_BAD or DENIED, of all QPs",
            Lane::BadEvs,
        ),
    ];
    for (class, name, doc, wanted) in levels {
        let mut of = timeline.lanes.iter().zip(&history.values);
        let Some((_, values)) = of.find(|(lane, _)| **lane == wanted) else {
            continue;
        };
        let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        rows.push(Row {
            class,
            name: name.into(),
            doc: doc.into(),
            most: values.iter().copied().fold(1.0, f64::max),
            rest: units::count(values.last().copied().unwrap_or(0.0) as u64),
            is_mean: false,
            values,
            words: |value| units::count(value as u64),
        });
    }
    rows
}

/// What the heights and widths of the plots stand for.
fn scales(rows: &[Row], timeline: &Timeline) -> String {
    let scale = |class: &str, noun: &str| {
        let row = rows.iter().find(|row| row.class == class)?;
        Some(format!("{noun} 0 to {}", units::rate(row.most)))
    };
    let parts: Vec<String> = [
        scale("total", "goodput"),
        scale("plane", "planes"),
        scale("qp", "QP"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if timeline.bins == 0 || timeline.now_ps == 0 {
        return String::new();
    }
    format!(
        "Heights: {}. A bin is {}.",
        parts.join(", "),
        units::span(timeline.bin_ps as f64)
    )
}

/// One line's values as an area.
fn plot(row: &Row, timeline: &Timeline, reach: u64) -> Html {
    let width = reach as f64 / timeline.bin_ps.max(1) as f64;
    html! {
        <svg class={classes!("tl-plot", row.class)} preserveAspectRatio="none" viewBox={format!("0 0 {width:.3} 100")} role="img" aria-label={format!("{}: {}", row.name, row.rest)}>
            <path d={area(&row.values, row.most)} />
        </svg>
    }
}

/// A path of steps: each value as wide as its bin.
fn area(values: &[f64], most: f64) -> String {
    use std::fmt::Write;
    let mut path = String::from("M0 100");
    let mut last = f64::NAN;
    for (bin, &value) in values.iter().enumerate() {
        let y = ((1.0 - value / most.max(f64::MIN_POSITIVE)) * 100.0).clamp(0.0, 100.0);
        if y != last {
            // Writing to a string cannot fail.
            let _ = write!(path, "H{bin}V{y:.1}");
            last = y;
        }
    }
    let _ = write!(path, "H{}V100Z", values.len());
    path
}

fn percent(share: f64) -> String {
    format!("{:.3}%", share * 100.0)
}

/// The axis of time, from 0 to `reach` ps.
pub fn axis(reach: u64) -> Html {
    let marks = ticks::ticks(0.0, reach as f64, TICKS);
    let last = marks.last().copied().unwrap_or(0.0);
    html! {
        <svg class="tl-axis" aria-hidden="true">
            { for marks.iter().enumerate().map(|(number, &at)| {
                let x = percent(at / reach.max(1) as f64);
                let text = if at == 0.0 { "0".to_owned() } else { units::round_span(at) };
                // Where there is little room every other has to do; see the style sheet.
                let class = (marks.len() > FEW_TICKS && number % 2 == 1).then_some("spare");
                let anchor = if at == 0.0 { "start" } else if at == last && at > reach as f64 * 0.96 { "end" } else { "middle" };
                html! {
                    <>
                        <line x1={x.clone()} x2={x.clone()} y1="0" y2="4" />
                        <text {class} {x} y="14" text-anchor={anchor}>{ text }</text>
                    </>
                }
            }) }
        </svg>
    }
}

/// An upright line through all rows.
pub fn upright(class: &'static str, share: f64) -> Html {
    if !(0.0..=1.0).contains(&share) {
        return html! {};
    }
    let x = percent(share);
    html! { <line {class} x1={x.clone()} x2={x} y1="0" y2="100%" /> }
}

/// A fault or repair at a time.
pub fn fault_line(at: u64, fault: &FaultKind, reach: u64) -> Html {
    upright(
        if fault.is_repair() { "healed" } else { "broke" },
        at as f64 / reach.max(1) as f64,
    )
}

/// The spans in which any fault was sent into, without overlaps.
fn united(exposures: &[Exposure]) -> Vec<(u64, u64)> {
    let mut spans: Vec<(u64, u64)> = Vec::new();
    // They come in order of the faults' times.
    for exposure in exposures {
        match spans.last_mut() {
            Some((_, end)) if exposure.at_ps <= *end => *end = exposure.last_ps.max(*end),
            _ => spans.push((exposure.at_ps, exposure.last_ps)),
        }
    }
    spans
}

/// A span of time through all rows.
fn band(class: &'static str, from: u64, to: u64, reach: u64) -> Html {
    let share = |ps: u64| (ps as f64 / reach.max(1) as f64).min(1.0);
    let width = share(to) - share(from);
    html! { <rect {class} x={percent(share(from))} width={percent(width)} y="0" height="100%" /> }
}

/// A moment's symbol. Shapes differ as well as colours.
fn symbol(mark: &Mark, reach: u64) -> Html {
    let share = mark.at_ps as f64 / reach.max(1) as f64;
    if share > 1.0 {
        return html! {};
    }
    html! {
        <svg class={classes!("mark", mark.kind.slug())} x={percent(share)} y="0" width="1" height="14" overflow="visible">
            <path d={path(mark.kind)} />
        </svg>
    }
}

/// The event nearest to where the pointer is.
fn nearest(timeline: &Timeline, at: f64, reach: u64) -> Option<&Mark> {
    let slack = reach as f64 * 0.012;
    let distance = |mark: &&Mark| (mark.at_ps as f64 - at).abs();
    timeline
        .marks
        .iter()
        .filter(|mark| distance(mark) <= slack)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_overlap_are_one() {
        let span = |at_ps, last_ps| Exposure {
            fault: 0,
            at_ps,
            last_ps,
        };
        let all = [span(1, 5), span(1, 3), span(4, 9), span(12, 13)];
        assert_eq!(united(&all), [(1, 9), (12, 13)]);
        assert_eq!(united(&[]), []);
    }

    #[test]
    fn an_area_steps_from_bin_to_bin() {
        assert_eq!(area(&[], 1.0), "M0 100H0V100Z");
        assert_eq!(area(&[2.0, 2.0, 4.0], 4.0), "M0 100H0V50.0H2V0.0H3V100Z");
        assert_eq!(
            area(&[1.0], 0.0),
            "M0 100H0V0.0H1V100Z",
            "beyond the scale is its top"
        );
    }
}

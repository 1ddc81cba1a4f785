//! Time series, distributions of latency, and the curve that answers the scenario's question.

use super::model::{CurveRun, Do, On, SEEDS};
use crate::chart::ChartView;
use crate::shared::Shared;
use view::chart::{Axis, Body, Chart, Line, Mark, Quantity, Shape, View};
use view::host::answers::Answer;
use view::host::chart::knee as knee_of;
use view::host::curve::{Curve, Summary, sentence};
use view::host::message::{Charts, LEAST};
use view::ticks::round_up;
use view::units;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The routes: name and class.
const ROUTES: [(&str, &str); 3] = [
    ("hardware (VF, FPGA)", "s0"),
    ("exception", "s1"),
    ("synthetic", "s2"),
];

/// What the charts show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The figures.
    pub charts: Shared<Charts>,
    /// When the run ends.
    pub until_ps: u64,
    /// The curve under way, or the last one.
    pub run: Shared<CurveRun>,
    /// What the scenario asks, if it asks something.
    pub question: Option<Curve>,
    /// What the evidence answers, of a preset that asks something.
    pub answer: Option<Answer>,
    /// Entries of the traffic in words.
    pub traffic: Vec<String>,
    /// The entry whose latency is shown; none: all packets.
    pub latency_of: Option<u32>,
    /// True when there is a run.
    pub ready: bool,
    /// What the user does.
    pub on: On,
}

/// The charts.
#[component]
pub fn ChartsView(props: &Props) -> Html {
    let charts = &props.charts;
    // One cursor goes through all charts over time.
    let at = use_state_eq(|| None::<f64>);
    let view = use_state_eq(View::default);
    let over_time = use_memo(charts.clone(), |charts| {
        all_series(charts).map(|(slug, chart)| (slug, Shared::new(chart)))
    });
    let on_cursor = {
        let at = at.clone();
        Callback::from(move |to| at.set(to))
    };
    let series = over_time.iter().map(|(slug, chart)| {
        html! {
            <div key={*slug} data-testid={*slug}>
                <ChartView chart={chart.clone()} linked={Some(*at)} on_cursor={on_cursor.clone()} />
            </div>
        }
    });
    html! {
        <div class="charts chart-grid">
            if let Some(answer) = &props.answer { { answered(answer) } }
            { latency(props, &view) }
            { for series }
            { losses(charts) }
            if let Some(question) = props.question { { curve(props, question) } }
        </div>
    }
}

/// The answer to a preset's question, from the evidence.
fn answered(answer: &Answer) -> Html {
    html! {
        <section class="answer" data-testid="answer">
            <p><strong>{ answer.question }</strong>{ " " }{ units::regrouped(answer.text) }</p>
            <p class="dim small">
                { "Means of ten seeds ± half the width of their 95 % confidence intervals: " }
                <code>{ "docs/accelnet-evidence.md" }</code>
                { format!(", “{}”. Again: ", answer.section) }
                <code>{ answer.again }</code>
            </p>
        </section>
    }
}

/// The charts over time, with the names of their places.
fn all_series(charts: &Charts) -> [(&'static str, Chart); 6] {
    let delays = charts.delays.each_ref().map(|of| {
        of.iter()
            .map(|mean| mean.map_or(f64::NAN, |ps| ps as f64))
            .collect::<Vec<f64>>()
    });
    let routes = |values: &'_ [Vec<f64>; 3]| -> Vec<Line> {
        ROUTES
            .iter()
            .zip(values)
            .map(|(&(name, ink), values)| over_time(charts, name, ink, values))
            .collect()
    };
    let one = |name, ink, values: &[f64]| over_time(charts, name, ink, values);
    [
        (
            "delay-chart",
            series(
                charts,
                (
                    "one-way-latency",
                    "One-way latency over time",
                    "The mean of each interval, by path: a line has a gap where its path had no packet.",
                ),
                Axis::new("Latency", Quantity::Time).switchable(),
                routes(&delays),
                if charts.delays[0].is_empty() && !charts.times.is_empty() {
                    "It is kept of the first entries of the traffic, and of all packets."
                } else {
                    "No packet has arrived yet."
                },
            ),
        ),
        (
            "rates",
            series(
                charts,
                (
                    "goodput",
                    "Goodput by path",
                    "Payload bits delivered per second, by path.",
                ),
                Axis::new("Goodput", Quantity::Rate),
                routes(&charts.rates),
                NOTHING,
            ),
        ),
        (
            "exceptions-chart",
            series(
                charts,
                (
                    "exceptions",
                    "Exceptions per second",
                    "Packets that the SmartNIC handed to the software for want of an entry.",
                ),
                Axis::new("Exceptions", Quantity::PerSecond),
                vec![one("exceptions", "s1", &charts.exceptions)],
                NOTHING,
            ),
        ),
        (
            "load-chart",
            series(
                charts,
                (
                    "load",
                    "Load of the vSwitch cores",
                    "The share of their time in which cores worked.",
                ),
                // A share has its whole range, so that loads can be compared.
                Axis::new("Load", Quantity::Share).between(0.0, 1.0),
                vec![
                    one("exception cores", "s1", &charts.exception_load),
                    one("all cores", "s0", &charts.load),
                ],
                NOTHING,
            ),
        ),
        (
            "flows-chart",
            series(
                charts,
                (
                    "flows",
                    "Unified flows",
                    "Flows that the software has an entry of, and those of them whose connection is half-open.",
                ),
                Axis::new("Flows", Quantity::Count),
                vec![
                    one("flows", "s0", &charts.flows),
                    one("half-open", "s1", &charts.half_open),
                ],
                NOTHING,
            ),
        ),
        (
            "opened-chart",
            series(
                charts,
                (
                    "opened",
                    "Connections opened and packets lost",
                    "Connections opened and packets lost per second.",
                ),
                Axis::new("Per second", Quantity::PerSecond).switchable(),
                vec![
                    one("connections opened", "s0", &charts.opened),
                    one("packets lost", "s3", &charts.lost),
                ],
                NOTHING,
            ),
        ),
    ]
}

/// What a chart over time says before there is a time.
const NOTHING: &str = "The run has not begun yet.";

fn over_time(charts: &Charts, name: &str, ink: &'static str, values: &[f64]) -> Line {
    let times = charts.times.iter().map(|&at| at as f64);
    Line {
        name: name.into(),
        ink,
        shape: Shape::Joined,
        points: times.zip(values.iter().copied()).collect(),
    }
}

/// A chart over time, with its name, its title and what it shows.
fn series(
    charts: &Charts,
    (slug, title, doc): (&'static str, &str, &str),
    y: Axis,
    lines: Vec<Line>,
    empty: &'static str,
) -> Chart {
    Chart {
        slug,
        title: title.into(),
        doc: doc.into(),
        empty,
        x: Axis::new("Time", Quantity::Time).between(0.0, charts.now_ps.max(1) as f64),
        y,
        body: Body::Lines(lines),
        ..Chart::default()
    }
}

/// Whose latency is shown.
fn latency_choice(props: &Props) -> Html {
    let onchange = props.on.reform(|event: Event| {
        let value = event.target_unchecked_into::<HtmlSelectElement>().value();
        Do::LatencyOf(value.parse().ok())
    });
    html! {
        <label class="row small">{ "Latency of " }
            <select data-testid="latency-of" {onchange}>
                <option value="" selected={props.latency_of.is_none()}>{ "all packets" }</option>
                { for (0u32..).zip(&props.traffic).map(|(number, name)| html! {
                    <option value={number.to_string()} selected={props.latency_of == Some(number)}>{ name }</option>
                }) }
            </select>
        </label>
    }
}

/// A figure of latency; of too few packets their number.
fn figure(time: Option<u64>, packets: u64, least: u64) -> Html {
    match time {
        Some(time) => html! { <td>{ units::span(time as f64) }</td> },
        None => html! {
            <td class="dim" title={format!("Of fewer than {} packets it would be the longest time alone", units::count(least))}>
                { format!("n = {}", units::count(packets)) }
            </td>
        },
    }
}

/// The distribution of one-way latencies, with the mean and the tail in figures.
fn latency(props: &Props, view: &UseStateHandle<View>) -> Html {
    let charts = &props.charts;
    let is_tail = **view == View::Ccdf;
    let lines: Vec<Line> = ROUTES
        .iter()
        .zip(&charts.cdf)
        .filter(|(_, points)| !points.is_empty())
        .map(|((name, ink), points)| Line {
            name: (*name).into(),
            ink,
            shape: Shape::Joined,
            points: points
                .iter()
                .map(|&(time, share)| (time as f64, if is_tail { 1.0 - share } else { share }))
                .collect(),
        })
        .collect();
    let figures = ROUTES
        .iter()
        .zip(&charts.latency)
        .zip(charts.measured)
        .filter_map(|((&(name, _), figures), packets)| figures.map(|figures| (name, figures, packets)));
    let rows: Vec<(&str, [Option<u64>; 4], u64)> = figures.collect();
    let chart = Chart {
        slug: "latency",
        title: "One-way latency".into(),
        doc: "The share of packets by how long they took from VM to VM or to the wire, by path.".into(),
        empty: "No packet has arrived yet.",
        x: Axis {
            log: true,
            ..Axis::new("Latency", Quantity::Time).switchable()
        },
        y: if is_tail {
            Axis {
                log: true,
                ..Axis::new("Share of packets above", Quantity::Share).switchable()
            }
        } else {
            Axis::new("Share of packets", Quantity::Share).between(0.0, 1.0)
        },
        body: Body::Lines(lines),
        ..Chart::default()
    };
    let choose = {
        let view = view.clone();
        Callback::from(move |_: MouseEvent| view.set(if is_tail { View::Cdf } else { View::Ccdf }))
    };
    let choices = html! {
        <button class="quiet chart-log" aria-pressed={is_tail.to_string()} aria-label="One-way latency as CCDF: its tail" title="The share above each latency, on a logarithmic axis: the tail" data-testid="view-latency" onclick={choose}>{ "CCDF" }</button>
    };
    html! {
        <div class="latency">
            <div data-testid="latency-chart"><ChartView chart={Shared::new(chart)} {choices} /></div>
            { latency_choice(props) }
            if !rows.is_empty() {
                <table class="rules" data-testid="latency-table">
                    <thead><tr>
                        { for ["Path", "Packets", "Mean", "p50", "p99", "p99.9"].map(|name| html! { <th scope="col">{ name }</th> }) }
                    </tr></thead>
                    <tbody>
                        { for rows.iter().map(|(name, figures, packets)| html! {
                            <tr>
                                <th scope="row">{ name.split(' ').next() }</th>
                                <td>{ units::count(*packets) }</td>
                                { for figures.iter().zip(LEAST).map(|(&time, least)| figure(time, *packets, least)) }
                            </tr>
                        }) }
                    </tbody>
                </table>
            }
        </div>
    }
}

fn losses(charts: &Charts) -> Html {
    let most = charts
        .losses
        .iter()
        .map(|&(_, count)| count)
        .max()
        .unwrap_or(0)
        .max(1) as f64;
    html! {
        <figure class="plot" data-testid="losses">
            <figcaption><strong>{ "Packets lost, by reason" }</strong></figcaption>
            if charts.losses.is_empty() {
                <p class="dim">{ "None so far." }</p>
            } else {
                <div class="loss-bars">
                    { for charts.losses.iter().map(|(reason, count)| html! {
                        <>
                            <span>{ reason }</span>
                            <crate::ui::bar::Bar share={*count as f64 / most} label={reason.clone()} tone="lost" />
                            <span class="number">{ units::count(*count) }</span>
                        </>
                    }) }
                </div>
            }
        </figure>
    }
}

/// The curve of the scenario's question: short runs with other values.
fn curve(props: &Props, question: Curve) -> Html {
    let run = &props.run;
    let summaries = Summary::of(&run.points);
    let results: Vec<(f64, f64)> = summaries.iter().map(|of| (of.x, of.y.mean)).collect();
    let most_x = results.iter().map(|at| at.0).fold(0.0, f64::max);
    let most_y = results.iter().map(|at| at.1).fold(0.0, f64::max);
    let turn = match question {
        Curve::Connections => knee_of(&results),
        Curve::Flood | Curve::Flows => None,
    };
    let says = sentence(question, &summaries);
    let top = match question {
        Curve::Connections => round_up(most_x.max(1.0)),
        Curve::Flood => 1.0,
        Curve::Flows => round_up(most_y.max(1.0)),
    };
    let x = match question {
        Curve::Connections => Axis::new("Connections asked for", Quantity::PerSecond).between(0.0, top),
        Curve::Flood => Axis::new("SYNs of the flood", Quantity::PerSecond),
        Curve::Flows => Axis::new("Flows", Quantity::Count),
    };
    let y = match question {
        Curve::Connections => Axis::new("Connections opened", Quantity::PerSecond),
        Curve::Flood => Axis::new("Share that opens", Quantity::Share),
        Curve::Flows => Axis::new("Packets that arrive", Quantity::PerSecond),
    };
    let mut lines = vec![Line {
        name: match question {
            Curve::Connections => "opened",
            Curve::Flood => "share that opens",
            Curve::Flows => "packets that arrive",
        }
        .into(),
        ink: "s0",
        shape: Shape::Joined,
        points: results,
    }];
    if question == Curve::Connections {
        lines[0].points.insert(0, (0.0, 0.0));
        lines.push(Line {
            name: "all of them".into(),
            ink: "guide",
            shape: Shape::Joined,
            points: vec![(0.0, 0.0), (top, top)],
        });
    }
    lines.push(Line {
        name: "load of the exception cores (100 % at the top)".into(),
        ink: "s1",
        shape: Shape::Joined,
        points: summaries.iter().map(|of| (of.x, of.load * top)).collect(),
    });
    let marks = turn.map(|x| Mark {
        x,
        name: format!("knee: less than 95 % opened from {} on", units::per_second(x)),
        ink: "at",
    });
    let chart = Chart {
        slug: "curve",
        title: question.title().into(),
        doc: says.clone(),
        empty: "Not run yet.",
        x: Axis {
            log: question != Curve::Connections,
            ..x.switchable()
        },
        y: y.between(0.0, top),
        // Two points of a line that is always there are no result.
        body: Body::Lines(if summaries.is_empty() { Vec::new() } else { lines }),
        marks: marks.into_iter().collect(),
        intervals: summaries
            .iter()
            .filter(|of| of.y.ci95.is_some())
            .map(|of| (of.x, of.interval()))
            .collect(),
    };
    html! {
        <div class="knee">
            <div data-testid="curve-chart"><ChartView chart={Shared::new(chart)} /></div>
            if !says.is_empty() { <p data-testid="curve-says">{ says }</p> }
            <p class="row">
                <button disabled={!props.ready} data-testid="curve" onclick={props.on.reform(|_| Do::ToggleCurve)}>
                    { if run.running { "Stop" } else { "Run the curve" } }
                </button>
                <label class="small">{ "seeds " }
                    <select data-testid="curve-seeds" disabled={run.running} onchange={props.on.reform(|event: Event| {
                        Do::SetSeeds(event.target_unchecked_into::<HtmlSelectElement>().value().parse().unwrap_or(SEEDS[1]))
                    })}>
                        { for SEEDS.map(|seeds| html! { <option value={seeds.to_string()} selected={seeds == run.seeds}>{ seeds }</option> }) }
                    </select>
                </label>
                <span class="dim small" data-testid="curve-status">{ status(run, question) }</span>
            </p>
        </div>
    }
}

fn status(run: &CurveRun, question: Curve) -> String {
    let done = run.points.len() as u64;
    if run.running {
        return format!("{done} of {} runs done", done + run.left.len() as u64 + 1);
    }
    if let Some(problem) = &run.problem {
        return problem.clone();
    }
    if done > 0 {
        let runs = units::things(done, "run");
        let values = Summary::of(&run.points).len() as u64;
        return if done > values {
            format!("{runs}; means, and 95 % confidence intervals of them")
        } else {
            format!("{runs} of one seed: no interval")
        };
    }
    let values = match question {
        Curve::Connections => "a quarter to four times the scenario's rate",
        Curve::Flood => "a hundredth to twice the scenario's flood",
        Curve::Flows => "a 64th to four times the scenario's flows",
    };
    format!("Up to nine values, {values}, each a short run of at most 300 ms for each seed.")
}

//! Time series, distributions of latency, and the curve that answers the scenario's question.

use super::model::{CurveRun, Do, On, SEEDS};
use super::plot::{At, Line, Plot, plot};
use crate::shared::Shared;
use view::host::answers::Answer;
use view::host::chart::{Axis, knee as knee_of};
use view::host::curve::{Curve, Summary, sentence};
use view::host::message::{Charts, LEAST};
use view::ticks::round_up;
use view::units;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The routes: name and class.
const ROUTES: [(&str, &str); 3] = [
    ("hardware (VF, FPGA)", "hardware"),
    ("exception", "exception"),
    ("synthetic", "synthetic"),
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
    html! {
        <div class="charts">
            if let Some(answer) = &props.answer { { answered(answer) } }
            { latency(props) }
            { delays(charts) }
            { series(charts, "rates", "Goodput by path", rate_text, ROUTES.iter().zip(&charts.rates).map(|((name, class), values)| (*name, *class, values))) }
            { series(charts, "exceptions-chart", "Exceptions per second", per_second, [("exceptions", "exception", &charts.exceptions)].into_iter()) }
            { series(charts, "load-chart", "Load of the vSwitch cores", percent, [("exception cores", "exception", &charts.exception_load), ("all cores", "plain", &charts.load)].into_iter()) }
            { series(charts, "flows-chart", "Unified flows", count, [("flows", "plain", &charts.flows), ("half-open", "exception", &charts.half_open)].into_iter()) }
            { series(charts, "opened-chart", "Connections opened and packets lost per second", per_second, [("connections opened", "hardware", &charts.opened), ("packets lost", "lost", &charts.lost)].into_iter()) }
            { losses(charts) }
            if let Some(question) = props.question { { curve(props, question) } }
        </div>
    }
}

/// The answer to a preset's question, from the evidence.
fn answered(answer: &Answer) -> Html {
    html! {
        <section class="answer" data-testid="answer">
            <p><strong>{ answer.question }</strong>{ " " }{ answer.text }</p>
            <p class="dim small">
                { "Means of ten seeds ± half the width of their 95 % confidence intervals: " }
                <code>{ "docs/accelnet-evidence.md" }</code>
                { format!(", “{}”. Again: ", answer.section) }
                <code>{ answer.again }</code>
            </p>
        </section>
    }
}

fn time_text(ps: f64) -> String {
    if ps == 0.0 {
        "0".into()
    } else {
        units::round_span(ps)
    }
}

fn rate_text(bits: f64) -> String {
    if bits == 0.0 {
        "0".into()
    } else {
        units::rate(bits)
    }
}

fn per_second(value: f64) -> String {
    if value == 0.0 {
        "0".into()
    } else {
        units::per_second(value)
    }
}

fn percent(share: f64) -> String {
    units::percent(share)
}

fn count(value: f64) -> String {
    units::count(value as u64)
}

fn series<'a>(
    charts: &Charts,
    testid: &'static str,
    title: &'static str,
    text: fn(f64) -> String,
    lines: impl Iterator<Item = (&'static str, &'static str, &'a Vec<f64>)>,
) -> Html {
    let lines: Vec<Line> = lines
        .map(|(name, class, values)| Line {
            name: name.into(),
            class,
            points: charts
                .times
                .iter()
                .map(|&at| at as f64)
                .zip(values.iter().copied())
                .collect(),
        })
        .collect();
    let most = lines
        .iter()
        .flat_map(|line| line.points.iter().map(|&(_, value)| value))
        .fold(0.0, f64::max);
    let latest: Vec<String> = lines
        .iter()
        .map(|line| {
            let value = line.points.last().map_or(0.0, |&(_, value)| value);
            let value = if value.is_finite() {
                text(value)
            } else {
                "none".into()
            };
            format!("{} {value}", line.name)
        })
        .collect();
    // A share has its whole range, so that loads can be compared.
    let top = match testid {
        "load-chart" => 1.0,
        "rates" | "delay-chart" => round_up(most).max(1e6),
        _ => round_up(most).max(10.0),
    };
    plot(&Plot {
        title: title.into(),
        testid,
        summary: format!("latest {}", latest.join(", ")).into(),
        x: Axis::linear(0.0, charts.now_ps.max(1) as f64),
        y: Axis::linear(0.0, top),
        x_text: time_text,
        y_text: text,
        lines,
        marks: Vec::new(),
        intervals: Vec::new(),
    })
}

/// The mean one-way latency between two points of the time series, by path: a line has a gap where its path had no packet.
fn delays(charts: &Charts) -> Html {
    let values = charts.delays.each_ref().map(|of| {
        of.iter()
            .map(|mean| mean.map_or(f64::NAN, |ps| ps as f64))
            .collect::<Vec<f64>>()
    });
    if charts.delays[0].is_empty() && !charts.times.is_empty() {
        return html! {
            <figure class="plot" data-testid="delay-chart">
                <figcaption><strong>{ "One-way latency over time" }</strong></figcaption>
                <p class="dim">{ "It is kept of the first entries of the traffic, and of all packets." }</p>
            </figure>
        };
    }
    let lines = ROUTES.iter().zip(&values);
    series(
        charts,
        "delay-chart",
        "One-way latency over time, mean of each interval",
        time_text,
        lines.map(|((name, class), values)| (*name, *class, values)),
    )
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
fn latency(props: &Props) -> Html {
    let charts = &props.charts;
    let lines: Vec<Line> = ROUTES
        .iter()
        .zip(&charts.cdf)
        .filter(|(_, points)| !points.is_empty())
        .map(|((name, class), points)| Line {
            name: (*name).into(),
            class,
            points: points.iter().map(|&(time, share)| (time as f64, share)).collect(),
        })
        .collect();
    let times = lines
        .iter()
        .flat_map(|line| line.points.iter().map(|&(time, _)| time));
    let (low, high) = (
        times.clone().fold(f64::INFINITY, f64::min),
        times.fold(0.0, f64::max),
    );
    let x = if high > 0.0 {
        Axis::logarithmic(
            10f64.powf(low.max(1.0).log10().floor()),
            10f64.powf(high.log10().ceil()),
        )
    } else {
        Axis::logarithmic(1e6, 1e9)
    };
    let figures = ROUTES
        .iter()
        .zip(&charts.latency)
        .zip(charts.measured)
        .filter_map(|((&(name, _), figures), packets)| figures.map(|figures| (name, figures, packets)));
    let rows: Vec<(&str, [Option<u64>; 4], u64)> = figures.collect();
    let summary: Vec<String> = rows
        .iter()
        .map(|(name, [mean, _, p99, _], packets)| {
            let span = |time: &Option<u64>| {
                time.map_or_else(|| format!("n = {packets}"), |time| units::span(time as f64))
            };
            format!("{name} mean {}, p99 {}", span(mean), span(p99))
        })
        .collect();
    html! {
        <div class="latency">
            { plot(&Plot {
                title: "One-way latency, share of packets".into(),
                testid: "latency-chart",
                summary: summary.join("; ").into(),
                x,
                y: Axis::linear(0.0, 1.0),
                x_text: time_text,
                y_text: percent,
                lines,
                marks: Vec::new(),
                intervals: Vec::new(),
            }) }
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
    let y_text = match question {
        Curve::Connections | Curve::Flows => per_second,
        Curve::Flood => percent,
    };
    let says = sentence(question, &summaries);
    let summary = if says.is_empty() {
        "not run yet".to_owned()
    } else {
        says.clone()
    };
    let top = match question {
        Curve::Connections => round_up(most_x.max(1.0)),
        Curve::Flood => 1.0,
        Curve::Flows => round_up(most_y.max(1.0)),
    };
    let x = match (question, results.first()) {
        (Curve::Connections, _) => Axis::linear(0.0, top),
        (_, Some(&(least, _))) => Axis::logarithmic(least, most_x),
        (Curve::Flood | Curve::Flows, None) => Axis::logarithmic(1e3, 1e5),
    };
    let mut lines = vec![Line {
        name: match question {
            Curve::Connections => "opened",
            Curve::Flood => "share that opens",
            Curve::Flows => "packets that arrive",
        }
        .into(),
        class: "hardware",
        points: results,
    }];
    if question == Curve::Connections {
        lines[0].points.insert(0, (0.0, 0.0));
        lines.push(Line {
            name: "all of them".into(),
            class: "guide",
            points: vec![(0.0, 0.0), (top, top)],
        });
    }
    lines.push(Line {
        name: "load of the exception cores (100 % at the top)".into(),
        class: "exception",
        points: summaries.iter().map(|of| (of.x, of.load * top)).collect(),
    });
    let marks = turn.map(|x| At {
        x,
        name: format!("knee: less than 95 % opened from {} on", units::per_second(x)).into(),
    });
    html! {
        <div class="knee">
            { plot(&Plot {
                title: question.title().into(),
                testid: "curve-chart",
                summary: summary.into(),
                x,
                y: Axis::linear(0.0, top),
                x_text: match question {
                    Curve::Connections | Curve::Flood => per_second,
                    Curve::Flows => count,
                },
                y_text,
                lines,
                marks: marks.into_iter().collect(),
                intervals: summaries
                    .iter()
                    .filter(|of| of.y.ci95.is_some())
                    .map(|of| (of.x, of.interval()))
                    .collect(),
            }) }
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

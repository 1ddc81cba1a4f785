//! Time series, distributions of latency, and the curve that answers the scenario's question.

use super::model::{CurveRun, Do, On};
use super::plot::{At, Line, Plot, plot};
use crate::shared::Shared;
use view::host::chart::{Axis, knee as knee_of};
use view::host::curve::{Curve, CurvePoint};
use view::host::message::Charts;
use view::ticks::round_up;
use view::units;
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
            { latency(charts) }
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

fn time_text(ps: f64) -> String {
    if ps == 0.0 { "0".into() } else { units::span(ps) }
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
            format!(
                "{} {}",
                line.name,
                text(line.points.last().map_or(0.0, |&(_, value)| value))
            )
        })
        .collect();
    // A share has its whole range, so that loads can be compared.
    let top = match testid {
        "load-chart" => 1.0,
        "rates" => round_up(most).max(1e6),
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
    })
}

/// The distribution of one-way latencies, with the mean and the tail in figures.
fn latency(charts: &Charts) -> Html {
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
        .zip(charts.arrived)
        .filter_map(|((&(name, _), figures), arrived)| figures.map(|figures| (name, figures, arrived)));
    let rows: Vec<(&str, [u64; 4], u64)> = figures.collect();
    let summary: Vec<String> = rows
        .iter()
        .map(|(name, [mean, _, p99, _], _)| {
            format!(
                "{name} mean {}, p99 {}",
                units::span(*mean as f64),
                units::span(*p99 as f64)
            )
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
            }) }
            if !rows.is_empty() {
                <table class="rules" data-testid="latency-table">
                    <thead><tr>
                        { for ["Path", "Packets", "Mean", "p50", "p99", "p99.9"].map(|name| html! { <th scope="col">{ name }</th> }) }
                    </tr></thead>
                    <tbody>
                        { for rows.iter().map(|(name, figures, arrived)| html! {
                            <tr>
                                <th scope="row">{ name.split(' ').next() }</th>
                                <td>{ units::count(*arrived) }</td>
                                { for figures.iter().map(|&time| html! { <td>{ units::span(time as f64) }</td> }) }
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
    let of = |y: fn(&CurvePoint) -> f64| {
        run.points
            .iter()
            .map(|point| (point.x, y(point)))
            .collect::<Vec<_>>()
    };
    let results = of(|point| point.y);
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
    let summary = match (turn, results.first(), results.last()) {
        (Some(x), ..) => format!("less than 95 % are opened from {} on", units::per_second(x)),
        (None, Some(first), Some(last)) => format!("from {} to {}", y_text(first.1), y_text(last.1)),
        _ => "not run yet".into(),
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
        points: run
            .points
            .iter()
            .map(|point| (point.x, point.load * top))
            .collect(),
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
            }) }
            <p class="row">
                <button disabled={!props.ready} data-testid="curve" onclick={props.on.reform(|_| Do::ToggleCurve)}>
                    { if run.running { "Stop" } else { "Run the curve" } }
                </button>
                <span class="dim small" data-testid="curve-status">{ status(run, question) }</span>
            </p>
        </div>
    }
}

fn status(run: &CurveRun, question: Curve) -> String {
    let done = run.points.len();
    if run.running {
        return format!("{done} of {} runs done", done + run.left.len() + 1);
    }
    if let Some(problem) = &run.problem {
        return problem.clone();
    }
    if done > 0 {
        return format!("{done} runs");
    }
    let values = match question {
        Curve::Connections => "a quarter to four times the scenario's rate",
        Curve::Flood => "a hundredth to twice the scenario's flood",
        Curve::Flows => "a 64th to four times the scenario's flows",
    };
    format!("Up to nine short runs, {values}, at most 300 ms each.")
}

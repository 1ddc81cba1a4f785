//! The distribution of completion times over the runs of a sweep: a dot a run.

use super::On;
use crate::model::{Action, SweepView};
use crate::shared::Shared;
use crate::texts::sweep as texts;
use lab::{Metric, RunResult, Stats};
use view::sweep::swarm;
use view::{ticks, units};
use yew::prelude::*;

/// The figures shown, each in a lane.
const LANES: [(Metric, &str); 3] = [
    (Metric::FctP50, "p50"),
    (Metric::FctP99, "p99"),
    (Metric::FctMax, "max"),
];
/// Dots that fit beside each other.
const COLUMNS: usize = 120;
/// Height of a lane in CSS pixels.
const LANE: f64 = 36.0;
/// Distance between dots above each other at most.
const RISE: f64 = 5.0;
/// Room for half a dot at either end, as a share of the axis.
const MARGIN: f64 = 0.02;
/// Time marks on the axis at most.
const TICKS: usize = 6;

/// What the plot shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The sweep.
    pub sweep: Shared<SweepView>,
    /// What the user does.
    pub on: On,
}

/// The axis, in µs.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// From the least to the greatest value.
    fn around(values: impl Iterator<Item = f64> + Clone) -> Option<Axis> {
        let low = values.clone().reduce(f64::min)?;
        let high = values.reduce(f64::max)?;
        // Where all are equal, the axis still has a length.
        let room = if high > low {
            (high - low) * MARGIN
        } else {
            high.abs().max(1.0) * MARGIN
        };
        Some(Axis {
            low: low - room,
            high: high + room,
        })
    }

    fn percent(&self, value: f64) -> String {
        format!("{:.3}%", (value - self.low) / (self.high - self.low) * 100.0)
    }
}

/// The plot.
#[component]
pub fn SweepPlot(props: &Props) -> Html {
    let board = &props.sweep.board;
    let runs: Vec<(u64, &RunResult)> = board
        .rows()
        .filter_map(|row| Some((row.seed, row.result()?)))
        .collect();
    let values = |metric: Metric| {
        let runs = runs.clone();
        runs.into_iter()
            .filter_map(move |(seed, run)| Some((seed, metric.of(run)?)))
    };
    let all = LANES
        .iter()
        .flat_map(|(metric, _)| values(*metric).map(|(_, value)| value));
    let Some(axis) = Axis::around(all.collect::<Vec<_>>().into_iter()) else {
        return html! { <p class="sweep-empty dim">{ texts::NO_RUN_HAS_COMPLETED_EVERY_FLOW }</p> };
    };
    let stats = |metric| {
        props
            .sweep
            .report
            .points
            .first()
            .and_then(|point| point.stats(metric))
    };
    let median = |metric| stats(metric).map_or_else(String::new, |stats| span(stats.median));
    let label = texts::completion_times(
        &LANES
            .map(|(metric, name)| format!("{name} {}", median(metric)))
            .join(", "),
    );
    html! {
        <figure class="sweep-plot" data-testid="sweep-plot">
            <figcaption class="dim">
                { texts::COMPLETION_TIMES_A_DOT_A_RUN }
                <span class="key median">{ texts::MEDIAN }</span>{ ", " }
                <span class="key mean">{ texts::MEAN_95_CI }</span>
            </figcaption>
            <div class="sweep-names">
                { for LANES.map(|(metric, name)| html! {
                    <span><strong>{ name }</strong><span class="dim">{ median(metric) }</span></span>
                }) }
            </div>
            <svg role="img" aria-label={label} height={(LANE * LANES.len() as f64 + 18.0).to_string()}>
                { for ticks::ticks(axis.low, axis.high, TICKS).into_iter().map(|at| tick(&axis, at)) }
                { for LANES.into_iter().enumerate().map(|(number, (metric, name))| {
                    let middle = LANE * (number as f64 + 0.5);
                    let dots: Vec<(u64, f64)> = values(metric).collect();
                    html! { <g class={name}>
                        { lane(&axis, name, middle, &dots, &props.on) }
                        if let Some(stats) = stats(metric) { { marks(&axis, middle, &stats) } }
                    </g> }
                }) }
            </svg>
        </figure>
    }
}

fn span(us: f64) -> String {
    units::span(us * 1e6)
}

fn tick(axis: &Axis, at: f64) -> Html {
    let (x, bottom) = (axis.percent(at), LANE * LANES.len() as f64);
    html! {
        <g class="tick">
            <line x1={x.clone()} x2={x.clone()} y1="0" y2={bottom.to_string()} />
            <text {x} y={(bottom + 14.0).to_string()} text-anchor="middle">{ span(at) }</text>
        </g>
    }
}

/// A lane's dots. A click on one watches its run.
fn lane(axis: &Axis, name: &str, middle: f64, dots: &[(u64, f64)], on: &On) -> Html {
    let values: Vec<f64> = dots.iter().map(|(_, value)| *value).collect();
    let places = swarm(&values, axis.low, axis.high, COLUMNS);
    let tallest = places.iter().map(|(_, level)| level.abs()).max().unwrap_or(0);
    let rise = RISE.min((LANE / 2.0 - 4.0) / f64::from(tallest.max(1)));
    let dot = |(&(seed, value), (share, level)): (&(u64, f64), (f64, i32))| {
        let onclick = on.reform(move |_: MouseEvent| Action::WatchSweepRun(seed));
        html! {
            <circle
                key={seed}
                cx={format!("{:.3}%", share * 100.0)}
                cy={format!("{:.1}", middle - f64::from(level) * rise)}
                r="3.2"
                {onclick}
            ><title>{ texts::watch_seed(seed, name, &span(value)) }</title></circle>
        }
    };
    html! { <>{ for dots.iter().zip(places).map(dot) }</> }
}

fn marks(axis: &Axis, middle: f64, stats: &Stats) -> Html {
    let below = middle + LANE / 2.0 - 4.0;
    let at = |value: f64| axis.percent(value.clamp(axis.low, axis.high));
    let (median, mean) = (at(stats.median), at(stats.mean));
    let half = stats.ci95.unwrap_or(0.0);
    html! {
        <>
            <line class="median" x1={median.clone()} x2={median} y1={(middle - LANE / 2.0 + 3.0).to_string()} y2={(below + 2.0).to_string()} />
            <line class="mean" x1={at(stats.mean - half)} x2={at(stats.mean + half)} y1={below.to_string()} y2={below.to_string()} />
            <circle class="mean" cx={mean} cy={below.to_string()} r="2.2" />
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_holds_all_values_and_has_a_length() {
        let axis = Axis::around([3.0, 1.0, 2.0].into_iter()).unwrap();
        assert!(axis.low < 1.0 && axis.high > 3.0);
        assert_eq!(axis.percent(2.0), "50.000%");
        let equal = Axis::around([5.0, 5.0].into_iter()).unwrap();
        assert_eq!(equal.percent(5.0), "50.000%");
        assert!(Axis::around(std::iter::empty()).is_none());
    }
}

//! The figures of a sweep: what the runs have in common, and the runs themselves.

use super::On;
use super::sideways::Sideways;
use crate::model::{Action, SweepView};
use crate::shared::Shared;
use crate::texts::sweep as texts;
use lab::{End, Metric, Outcome, Row, RunResult, Stats};
use view::units;
use yew::prelude::*;

/// Runs in the table at most; the file has all.
const ROWS: usize = 500;
/// Figures that a value is shown with.
const FIGURES: usize = 5;

/// What the table of statistics shows.
#[derive(PartialEq, Properties)]
pub struct StatsProps {
    /// The sweep.
    pub sweep: Shared<SweepView>,
}

/// What the runs have in common.
#[component]
pub fn StatsTable(props: &StatsProps) -> Html {
    let Some(point) = props.sweep.report.points.first() else {
        return html! {};
    };
    let line = |metric: Metric| {
        let Stats {
            n,
            min,
            median,
            max,
            mean,
            ci95,
        } = point.stats(metric)?;
        let show = |value: f64| units::figures(value, FIGURES);
        let mean = match ci95 {
            Some(half) => format!("{} ± {}", show(mean), units::figures(half, 3)),
            None => show(mean),
        };
        Some(html! {
            <tr data-testid="sweep-stat" data-metric={metric.field()}>
                <th scope="row" title={metric.name()}>{ label(metric) }<span class="dim">{ format!(" {}", metric.unit()) }</span></th>
                <td>{ show(median) }</td>
                <td>{ show(min) }</td>
                <td>{ show(max) }</td>
                <td>{ mean }</td>
                <td>{ n }</td>
            </tr>
        })
    };
    let lines: Vec<Html> = Metric::ALL.into_iter().filter_map(line).collect();
    if lines.is_empty() {
        return html! {};
    }
    html! {
        <Sideways class="sweep-table" label={texts::STATISTICS_OF_ALL_RUNS}>
            <table class="sweep-stats">
                <thead><tr>
                    <td></td>
                    <th scope="col">{ "median" }</th>
                    <th scope="col">{ "min" }</th>
                    <th scope="col">{ "max" }</th>
                    <th scope="col" title="Mean and its 95 % confidence interval by Student's t: t(0.975; n − 1) · s / √n">{ "mean ± 95 % CI" }</th>
                    <th scope="col" title="Runs that the figure is taken from: completion times only from those in which every flow is complete">{ "runs" }</th>
                </tr></thead>
                <tbody>{ for lines }</tbody>
            </table>
        </Sideways>
    }
}

/// What the table of runs shows.
#[derive(PartialEq, Properties)]
pub struct RunProps {
    /// The sweep.
    pub sweep: Shared<SweepView>,
    /// The seed of the run that is watched, if it is one of the sweep's.
    pub watched: Option<u64>,
    /// What the user does.
    pub on: On,
}

/// The runs that are over, in the order of their seeds.
#[component]
pub fn RunTable(props: &RunProps) -> Html {
    let board = &props.sweep.board;
    let shown = shown(&props.sweep);
    html! {
        <Sideways class="table sweep-runs" label={texts::RUNS_OF_THE_SWEEP}>
            <table>
                <thead><tr>
                    <th scope="col">{ "Seed" }</th>
                    { for shown.iter().map(|&metric| html! {
                        <th scope="col" title={metric.name()}>{ short(metric) }</th>
                    }) }
                    <th scope="col">{ "Digest" }</th>
                </tr></thead>
                <tbody>{ for board.rows().take(ROWS).map(|row| run(row, props, &shown)) }</tbody>
            </table>
            if board.over() > ROWS {
                <p class="dim">{ format!("The first {ROWS} of {} runs; the CSV has all.", units::count(board.over() as u64)) }</p>
            }
        </Sideways>
    }
}

/// The columns: what only some scenarios have, where this one does, before what every run has. The first are always in sight, and the plot
/// beside has completion times.
fn shown(sweep: &SweepView) -> Vec<Metric> {
    let point = sweep.report.points.first();
    let is_known = |metric| point.is_some_and(|point| point.stats(metric).is_some());
    let (special, usual): (Vec<Metric>, Vec<Metric>) =
        Metric::ALL.into_iter().partition(|metric| metric.is_special());
    let special = special.into_iter().filter(|&metric| is_known(metric));
    special.chain(usual).collect()
}

fn run(row: &Row, props: &RunProps, shown: &[Metric]) -> Html {
    let seed = row.seed;
    let onclick = props.on.reform(move |_: MouseEvent| Action::WatchSweepRun(seed));
    let watched = (props.watched == Some(seed)).then_some("selected");
    let title = format!("Watch the run with seed {seed}");
    let rest = match &row.outcome {
        Outcome::Failed { failed } => html! {
            <td class="bad failed" colspan={(shown.len() + 1).to_string()}>{ format!("Failed: {failed}") }</td>
        },
        Outcome::Done(result) => html! {
            <>
                { for shown.iter().map(|metric| match metric.of(result) {
                    Some(value) => html! { <td>{ units::figures(value, FIGURES) }</td> },
                    None => html! { <td class="bad" title={unknown(*metric, result)}>{ "–" }</td> },
                }) }
                <td class="digest" data-testid="sweep-digest">{ format!("{:016x}", result.digest) }</td>
            </>
        },
    };
    html! {
        <tr key={row.run} class={classes!(watched)} data-testid="sweep-row" data-seed={seed.to_string()} {onclick}>
            // The keyboard's way to watch a run.
            <td><button class="link" {title}>{ seed }</button></td>
            { rest }
        </tr>
    }
}

/// The name at the beginning of a line.
fn label(metric: Metric) -> &'static str {
    match metric {
        Metric::Retransmissions => short(metric),
        other => other.name(),
    }
}

/// The name at the head of a narrow column.
fn short(metric: Metric) -> &'static str {
    match metric {
        Metric::FctP50 => "p50 µs",
        Metric::FctP99 => "p99 µs",
        Metric::FctMax => "max µs",
        Metric::Goodput => "Gb/s",
        Metric::Drops => "Drops",
        Metric::Trims => "Trims",
        Metric::Retransmissions => "Rtx",
        Metric::StepP50 => "Step p50 µs",
        Metric::StepP99 => "Step p99 µs",
        Metric::StepMax => "Step max µs",
        Metric::DipDepth => "Dip %",
        Metric::DipLost => "Dip loss µs",
        Metric::DipRecovery => "Recovery µs",
        Metric::Pauses => "Pauses",
        Metric::Paused => "Paused %",
        Metric::Cnps => "CNPs",
    }
}

/// Why a run has no such figure.
fn unknown(metric: Metric, run: &RunResult) -> String {
    let (finished, flows) = (run.finished, run.flows);
    match (metric, run.end) {
        (Metric::DipRecovery, _) if run.dip.is_some() => "Not seen to come back".into(),
        (Metric::DipDepth | Metric::DipLost | Metric::DipRecovery, _) => {
            "Nothing to compare before the fault or after it".into()
        }
        (_, End::Finished) => String::new(),
        (_, End::Until) => format!("Time was up: only {finished} of {flows} flows complete"),
        (_, End::Failed) => format!("{} of {flows} flows failed", flows - finished),
    }
}

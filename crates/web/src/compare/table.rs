//! The figures of all runs in a table, and the distributions of completion and step times.

use super::plot::{ink, risen, swatch};
use crate::model::JobsView;
use crate::shared::Shared;
use lab::compare::letter;
use view::compare::{Outcome, Steps, cumulative, figures};
use view::jobs::Step;
use view::message::FlowRow;
use view::{ticks, units};
use yew::prelude::*;

/// Time marks on the axis of a distribution at most.
const TICKS: usize = 5;

/// The table: a column for each run; beside those after the first, what they are beside it.
pub fn results(outcomes: &[Outcome]) -> Html {
    let runs = outcomes.len();
    html! {
        <div class="cmp-table">
            <table class="rules numbers" data-testid="results">
                <caption class="sr">{ "Figures of all runs, and those after the first beside it" }</caption>
                <thead>
                    <tr>
                        <td></td>
                        { for (0..runs).map(|run| html! { <th scope="col">{ swatch(run) }{ letter(run).to_string() }</th> }) }
                        { for (1..runs).map(|run| html! { <>
                            <th scope="col">{ format!("{} − A", letter(run)) }</th>
                            <th scope="col">{ format!("{} / A", letter(run)) }</th>
                        </> }) }
                    </tr>
                </thead>
                <tbody>
                    { for figures(outcomes).iter().map(|figure| html! {
                        <tr key={figure.slug} data-testid={format!("result-{}", figure.slug)}>
                            <th scope="row" title={figure.doc}>{ figure.name }</th>
                            { for (0..runs).map(|run| html! { <td>{ figure.value(run) }</td> }) }
                            { for (1..runs).map(|run| html! { <>
                                <td class="dim">{ figure.difference(run).unwrap_or_else(|| "–".into()) }</td>
                                <td class="dim">{ figure.ratio(run).map_or_else(|| "–".into(), |ratio| format!("{}×", units::figures(ratio, 3))) }</td>
                            </> }) }
                        </tr>
                    }) }
                </tbody>
            </table>
        </div>
    }
}

/// What the distributions are of.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The flows' results of each run.
    pub flows: Vec<Shared<Vec<FlowRow>>>,
    /// The jobs of each run.
    pub jobs: Vec<Shared<JobsView>>,
}

/// The distributions.
#[component]
pub fn Distributions(props: &Props) -> Html {
    let flows = props
        .flows
        .iter()
        .map(|rows| cumulative(rows.iter().filter_map(|row| row.fct_ps), rows.len()));
    let steps = props.jobs.iter().map(|view| {
        let times: Vec<u64> = view
            .jobs
            .iter()
            .flat_map(|job| &job.latest)
            .map(Step::time_ps)
            .collect();
        let all = times.len();
        cumulative(times, all)
    });
    html! {
        <div class="cmp-distributions">
            { distribution("fct", "Completion times of flows", "Share of the flows that are complete within this time", &flows.collect::<Vec<_>>()) }
            { distribution("steps", "Step times of jobs", "Share of the steps that communicated no longer than this; those that were kept", &steps.collect::<Vec<_>>()) }
        </div>
    }
}

/// Distributions in one plot; nothing where there is none.
fn distribution(slug: &'static str, title: &'static str, doc: &'static str, runs: &[Steps]) -> Html {
    let longest = runs.iter().flatten().map(|(value, _)| *value).fold(0.0, f64::max);
    if longest <= 0.0 {
        return html! {};
    }
    // A little room on the right, so that the last step can be seen.
    let most = longest * 1.04;
    let share = |at: f64| format!("{:.3}%", at / most * 100.0);
    let ends = runs
        .iter()
        .enumerate()
        .filter_map(|(run, steps)| Some(format!("{} up to {}", letter(run), units::span(steps.last()?.0))));
    let label = format!("{title}: {}", ends.collect::<Vec<_>>().join(", "));
    html! {
        <figure class="cmp-distribution" data-testid={format!("distribution-{slug}")}>
            <figcaption title={doc}><b>{ title }</b><span class="dim">{ " cumulative, 0 to 100 %" }</span></figcaption>
            <svg class="cmp-plot" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label}>
                <line class="zero" x1="0" x2="100" y1="50" y2="50" />
                { for runs.iter().enumerate().rev().filter(|(_, steps)| !steps.is_empty()).map(|(run, steps)| html! {
                    <path class={classes!("run", ink(run))} d={risen(steps, most)} />
                }) }
            </svg>
            <svg class="tl-axis" aria-hidden="true">
                { for ticks::ticks(0.0, most, TICKS).into_iter().map(|at| {
                    let anchor = if at == 0.0 { "start" } else if at > most * 0.94 { "end" } else { "middle" };
                    html! { <>
                        <line x1={share(at)} x2={share(at)} y1="0" y2="4" />
                        <text x={share(at)} y="14" text-anchor={anchor}>{ if at == 0.0 { "0".to_owned() } else { units::round_span(at) } }</text>
                    </> }
                }) }
            </svg>
        </figure>
    }
}

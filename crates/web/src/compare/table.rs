//! The figures of all runs in a table, and the distributions of completion and step times.

use super::plot::{RUN_INKS, swatch};
use crate::chart::{ChartView, views};
use crate::model::JobsView;
use crate::shared::Shared;
use lab::compare::letter;
use view::chart::{Chart, Sample, View};
use view::compare::{Outcome, figures};
use view::jobs::Step;
use view::message::FlowRow;
use view::units;
use yew::prelude::*;

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
    let flows = props.flows.iter().map(|rows| {
        let times = rows.iter().filter_map(|row| row.fct_ps);
        Sample::new(times, rows.len() as u64)
    });
    let steps = props.jobs.iter().map(|view| {
        let steps = view.jobs.iter().flat_map(|job| &job.latest);
        Sample::new(steps.map(Step::time_ps), 0)
    });
    let fct = Chart {
        slug: "fct",
        title: "Completion times of flows".into(),
        doc: "From posting to completion; flows that are not complete keep a CDF below 100 %.".into(),
        ..Chart::default()
    };
    let steps_chart = Chart {
        slug: "steps",
        title: "Step times of jobs".into(),
        doc: "How long steps communicated, those that were kept.".into(),
        ..Chart::default()
    };
    html! {
        <div class="cmp-distributions">
            <Distribution chart={fct} axis="Completion time" things="flows" samples={flows.collect::<Vec<_>>()} />
            <Distribution chart={steps_chart} axis="Step time" things="steps" samples={steps.collect::<Vec<_>>()} />
        </div>
    }
}

/// Distributions in one chart.
#[derive(PartialEq, Properties)]
struct OfProps {
    /// Its name, its title and what it shows.
    chart: Chart,
    /// What is measured.
    axis: &'static str,
    /// What is counted.
    things: &'static str,
    /// The values of each run.
    samples: Vec<Sample>,
}

/// Distributions in one chart; nothing where there is none.
#[component]
fn Distribution(props: &OfProps) -> Html {
    let view = use_state_eq(View::default);
    let log = use_state_eq(|| false);
    if props.samples.iter().all(|sample| sample.count() == 0) {
        return html! {};
    }
    let runs = props.samples.iter().enumerate().map(|(run, sample)| {
        let ink = RUN_INKS[run % RUN_INKS.len()];
        (letter(run).to_string(), ink, sample)
    });
    let chart = view.chart(
        props.chart.clone(),
        props.axis,
        props.things,
        &runs.collect::<Vec<_>>(),
        *log,
    );
    let choices = views(props.chart.slug, &view);
    let on_log_x = Callback::from(move |to| log.set(to));
    html! {
        <div data-testid={format!("distribution-{}", props.chart.slug)}>
            <ChartView chart={Shared::new(chart)} {on_log_x} {choices} />
        </div>
    }
}

//! The jobs: what they do, how long their steps took, and the step under way.

use super::On;
use super::icons::{Icon, icon};
use crate::model::{Action, JobsView};
use crate::shared::Shared;
use crate::texts::jobs as texts;
use view::jobs::{Job, Step};
use view::units;
use yew::prelude::*;

/// Steps of a job that are listed; the file has more.
const LISTED: usize = 100;

/// What the panel shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The jobs.
    pub jobs: Shared<JobsView>,
    /// Simulated time.
    pub now_ps: u64,
    /// What the user does.
    pub on: On,
}

/// The panel.
#[component]
pub fn Jobs(props: &Props) -> Html {
    let jobs = &props.jobs.jobs;
    let left = props.jobs.count as usize - jobs.len().min(props.jobs.count as usize);
    html! {
        <div class="jobs">
            <div class="flows-summary">
                <p class="dim small">
                    { texts::TIME_FROM_POSTING_TO_THE_COMPLETION }
                </p>
                <button data-testid="save-jobs" disabled={jobs.is_empty()} onclick={props.on.reform(|_| Action::SaveJobs)}>
                    { icon(Icon::Save) }{ texts::CSV }
                </button>
            </div>
            <div class="job-list">
                { for jobs.iter().map(|job| job_view(job, props.now_ps)) }
            </div>
            if left > 0 { <p class="dim">{ texts::more_jobs(left) }</p> }
        </div>
    }
}

fn job_view(job: &Job, now_ps: u64) -> Html {
    let tone = match (job.failed_ps, job.under_way) {
        (Some(_), _) => "bad",
        (None, None) => "good",
        (None, Some(_)) => "",
    };
    let mut times: Vec<u64> = job.latest.iter().map(Step::time_ps).collect();
    times.sort_unstable();
    let slowest = times.last().copied().unwrap_or(0);
    let first = job.done as usize - job.latest.len();
    let rows = job.latest.iter().enumerate().rev().take(LISTED);
    html! {
        <article class="job" data-testid="job">
            <h3>
                { format!("Job {}: {}", job.number, job.name()) }
                { " " }
                <span class="dim">{ format!("{} ranks, {}", units::count(u64::from(job.ranks)), units::bytes(job.bytes as f64)) }</span>
            </h3>
            <p><span class={classes!("state", tone)} data-testid="job-state">{ job.state(now_ps) }</span></p>
            if let (Some(&least), Some(&middle)) = (times.first(), times.get(times.len() / 2)) {
                <p class="small" data-testid="job-summary">
                    { texts::steps_complete(
                        [&units::count(u64::from(job.done)), &units::count(u64::from(job.steps))],
                        [&units::span(middle as f64), &units::rate(job.bus_rate(middle))],
                        [&units::span(least as f64), &units::span(slowest as f64)],
                    ) }
                </p>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ texts::STEP }</th>
                            <th scope="col" title={texts::WHEN_IT_BEGAN_TO_COMMUNICATE}>{ texts::POSTED }</th>
                            <th scope="col" colspan="2">{ texts::TIME }</th>
                            <th scope="col">{ texts::BUS }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows.map(|(index, step)| step_row(job, first + index, step, slowest)) }</tbody>
                </table>
                if (job.done as usize) > LISTED {
                    <p class="dim small">{ texts::latest(LISTED, &units::count(u64::from(job.done))) }</p>
                }
            } else {
                <p class="dim small">{ texts::none_complete(&units::count(u64::from(job.steps))) }</p>
            }
        </article>
    }
}

fn step_row(job: &Job, number: usize, step: &Step, slowest: u64) -> Html {
    let time = step.time_ps();
    html! {
        <tr key={number} data-testid="job-step">
            <td>{ number + 1 }</td>
            <td>{ units::span(step.posted_ps as f64) }</td>
            <td>{ units::span(time as f64) }</td>
            <td class="bar-cell"><super::bar::Bar share={time as f64 / slowest.max(1) as f64} label={texts::OF_THE_SLOWEST} tone="load" /></td>
            <td>{ units::rate(job.bus_rate(time)) }</td>
        </tr>
    }
}

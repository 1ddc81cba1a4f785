//! Jobs and their steps, for the page.

use crate::run::Run;
use sim::jobs::JobStep;
use view::jobs::{Job, Span, Step, spans};

/// Jobs that are sent, at most; a lane or a table of more helps nobody.
const MAX_JOBS: usize = 64;
/// The latest steps that are sent of each job, at most.
const MAX_STEPS: usize = 2_000;
/// Jobs that have a lane in the timeline, at most.
const MAX_LANES: usize = 4;
/// Spans that a lane has at most: not more than can be told apart.
const MAX_SPANS: usize = 400;

fn step(step: &JobStep) -> Step {
    Step {
        began_ps: step.began_ps,
        posted_ps: step.posted_ps,
        ended_ps: step.ended_ps,
    }
}

/// The first jobs with their latest steps.
pub fn jobs(run: &Run) -> Vec<Job> {
    let results = run.sim.job_results();
    let jobs = run.sim.job_steps().enumerate().take(MAX_JOBS);
    jobs.zip(results)
        .map(|((number, (job, steps)), result)| Job {
            number: number as u32,
            collective: job.collective,
            ranks: job.ranks,
            bytes: job.bytes,
            steps: job.steps,
            done: steps.len() as u32,
            latest: steps[steps.len().saturating_sub(MAX_STEPS)..]
                .iter()
                .map(step)
                .collect(),
            under_way: run
                .sim
                .job_under_way(number)
                .map(|(began, posted)| (began.0, posted.0)),
            failed_ps: run.sim.job_failure(number).map(|at| at.0),
            // Gb/s of a step of one second are bits in that second.
            bus_bits: result.bus_gbps(1e6) * 1e9,
            qps: (job.first_flow, job.flows),
        })
        .collect()
}

/// The lanes of the first jobs: complete steps, and the one under way.
pub fn lanes(run: &Run) -> Vec<Vec<Span>> {
    let jobs = run.sim.job_steps().enumerate().take(MAX_LANES);
    jobs.map(|(number, (_, done))| {
        let done: Vec<Step> = done.iter().map(step).collect();
        let mut lane = spans(&done, MAX_SPANS);
        if let Some((began, posted)) = run.sim.job_under_way(number) {
            lane.push(Span {
                first: done.len() as u32,
                count: 1,
                began_ps: began.0,
                posted_ps: posted.0,
                ended_ps: None,
            });
        }
        lane
    })
    .collect()
}

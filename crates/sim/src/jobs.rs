//! Jobs: synchronous steps of computing and communicating.
//!
//! Inside a step a ring's messages wait for each other at the NIC where one ends and the next begins. Between steps there is
//! a barrier: it is noticed between two windows of the run, and the next step begins at least one base RTT later (our choice: no
//! real barrier is quicker than a message and its answer), which is beyond the window's end. So nothing here depends on
//! how the run is cut into windows or parts.

use crate::observer::Observer;
use crate::run::{Change, Sim};
use kernel::Time;
use scenario::{Job, Work};
use serde::Serialize;

/// One step of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct JobStep {
    /// When it began to compute, ps.
    pub began_ps: u64,
    /// When it began to communicate, ps.
    pub posted_ps: u64,
    /// When its slowest transfer was complete, ps.
    pub ended_ps: u64,
}

/// How a job goes.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub job: Job,
    pub per_step: u32,
    // Beginning of the step under way: computing, communicating.
    began: Time,
    posted: Time,
    pub steps: Vec<JobStep>,
    // One of its QPs failed.
    pub failed_at: Option<Time>,
}

impl Progress {
    pub fn new(job: Job, per_step: u32) -> Progress {
        Progress {
            began: Time(job.start_ps),
            posted: Time(job.start_ps + job.compute_ps),
            job,
            per_step,
            steps: Vec::new(),
            failed_at: None,
        }
    }

    fn is_over(&self) -> bool {
        self.failed_at.is_some() || self.steps.len() as u32 == self.job.steps
    }
}

/// What one part has done of a job's step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    // Flows of which all messages of the step are complete, and when the last one was.
    pub done: u32,
    pub last: u64,
    // When the first QP failed.
    pub failed: Option<u64>,
}

/// When a sender may post: how many messages, from when on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub work: Work,
    /// Messages that the steps begun so far have.
    pub opened: u32,
    /// Messages of the flow that this one waits for that have been received here.
    pub received: u32,
    /// Its part of the step is done and counted.
    pub counted: bool,
}

impl Gate {
    pub fn new(work: Work) -> Gate {
        Gate {
            work,
            opened: 0,
            received: 0,
            counted: false,
        }
    }

    /// Messages that may be posted by now.
    pub fn postable(&self) -> u32 {
        if self.work.after.is_none() || self.opened == 0 {
            return self.opened;
        }
        // The first message of a step is free; message j follows once message j − 1 of the other flow is here.
        let first = self.opened - self.work.per_step;
        self.opened.min(first.max(self.received) + 1)
    }
}

impl<O: Observer> Sim<O> {
    /// Steps of the scenario's jobs that are complete, job by job.
    pub fn job_steps(&self) -> impl Iterator<Item = (&Job, &[JobStep])> {
        self.jobs
            .iter()
            .map(|progress| (&progress.job, progress.steps.as_slice()))
    }

    /// When a QP of job number `job` failed, and the job with it.
    pub fn job_failure(&self, job: usize) -> Option<Time> {
        self.jobs.get(job)?.failed_at
    }

    /// When the step under way of job number `job` begins to compute, and when it begins to communicate; none when the job is
    /// over.
    pub fn job_under_way(&self, job: usize) -> Option<(Time, Time)> {
        let progress = self.jobs.get(job).filter(|progress| !progress.is_over())?;
        Some((progress.began, progress.posted))
    }

    /// Begins the steps whose predecessors are complete. Between windows.
    pub(crate) fn advance_jobs(&mut self) {
        for number in 0..self.jobs.len() {
            if self.jobs[number].is_over() {
                continue;
            }
            let tallies = self.sides.iter().map(|side| side.tallies[number]);
            let failed = tallies.clone().filter_map(|tally| tally.failed).min();
            if let Some(at) = failed {
                // The others learn of it at the barrier, and give up.
                self.jobs[number].failed_at = Some(Time(at));
                let notice = Time(at).saturating_add(self.derived.base_rtt);
                self.faults.insert((notice, Change::Abort(number as u32)));
                continue;
            }
            let done: u32 = tallies.clone().map(|tally| tally.done).sum();
            if done < self.jobs[number].job.flows {
                continue;
            }
            let ended = tallies.map(|tally| tally.last).max().unwrap_or(0);
            let progress = &mut self.jobs[number];
            progress.steps.push(JobStep {
                began_ps: progress.began.0,
                posted_ps: progress.posted.0,
                ended_ps: ended,
            });
            let (step, posted) = (progress.steps.len() as u32, progress.posted);
            let lasted = Time(ended).saturating_sub(posted);
            self.watcher.step_done(Time(ended), number as u32, step, lasted);
            for side in &mut self.sides {
                side.tallies[number].done = 0;
            }
            let progress = &mut self.jobs[number];
            if !progress.is_over() {
                progress.began = Time(ended).saturating_add(self.derived.base_rtt);
                progress.posted = progress.began.saturating_add(Time(progress.job.compute_ps));
                let (posted, opened) = (
                    progress.posted,
                    (progress.steps.len() as u32 + 1) * progress.per_step,
                );
                let first = progress.job.first_flow;
                for conn in first..first + progress.job.flows {
                    self.open_step(conn, opened, posted);
                }
            }
        }
    }

    /// From `at` on a flow may post messages up to number `opened`.
    pub(crate) fn open_step(&mut self, conn: u32, opened: u32, at: Time) {
        let part = self.part_of_nic(self.conn(conn).src);
        let index = self.conn(conn).sender as usize;
        let at = at.saturating_add(Time(self.shared.host_latency));
        let side = &mut self.sides[part];
        side.senders[index].releases.push_back((at.0, opened, None));
        side.timers.push(at, self.shared.start_object(conn));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_waits_for_its_predecessor() {
        let ring = Work {
            job: 0,
            per_step: 6,
            after: Some(3),
        };
        let mut gate = Gate::new(ring);
        assert_eq!(gate.postable(), 0, "before the first step");
        gate.opened = 6;
        assert_eq!(gate.postable(), 1, "the first chunk is one's own");
        gate.received = 2;
        assert_eq!(gate.postable(), 3);
        gate.received = 6;
        assert_eq!(gate.postable(), 6);
        // Second step: again the first is free, whatever came before.
        gate.opened = 12;
        assert_eq!(gate.postable(), 7);
        gate.received = 9;
        assert_eq!(gate.postable(), 10);
    }

    #[test]
    fn others_post_all_at_once() {
        let mut gate = Gate::new(Work {
            job: 0,
            per_step: 1,
            after: None,
        });
        gate.opened = 3;
        assert_eq!(gate.postable(), 3);
    }
}

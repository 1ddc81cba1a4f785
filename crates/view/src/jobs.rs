//! Jobs: steps of computing and communicating, as the page shows them.

use scenario::Collective;
use serde::{Deserialize, Serialize};

/// A step that is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// When it began to compute, ps.
    pub began_ps: u64,
    /// When it began to communicate, ps.
    pub posted_ps: u64,
    /// When its slowest transfer was complete, ps.
    pub ended_ps: u64,
}

impl Step {
    /// How long it communicated, ps.
    pub const fn time_ps(&self) -> u64 {
        self.ended_ps - self.posted_ps
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its number, from 0.
    pub number: u32,
    /// What its members do together.
    pub collective: Collective,
    /// How many members.
    pub ranks: u32,
    /// Size of the collective per rank, in bytes.
    pub bytes: u64,
    /// Steps in all.
    pub steps: u32,
    /// Steps that are complete.
    pub done: u32,
    /// The latest of these, at most as many as were asked for.
    pub latest: Vec<Step>,
    /// The step under way: when it began to compute and to communicate, ps; none when the job is over.
    pub under_way: Option<(u64, u64)>,
    /// When a QP failed and the job with it, ps.
    pub failed_ps: Option<u64>,
    /// Bus bandwidth of a step that communicates for a second, in bits per second: NCCL's convention, so that it compares
    /// with a NIC's rate whatever the collective.
    pub bus_bits: f64,
    /// The first of its QPs, and how many there are.
    pub qps: (u32, u32),
}

impl Job {
    /// The collective's name.
    pub const fn name(&self) -> &'static str {
        match self.collective {
            Collective::RingAllReduce => "ring all-reduce",
            Collective::ReduceScatter => "reduce-scatter",
            Collective::AllGather => "all-gather",
            Collective::AllToAll => "all-to-all",
            Collective::SendReceive => "send/receive",
            Collective::Permutation => "permutation",
            Collective::Incast => "incast",
        }
    }

    /// Bus bandwidth of a step that communicated for so long, in bits per second.
    pub fn bus_rate(&self, time_ps: u64) -> f64 {
        self.bus_bits * 1e12 / time_ps.max(1) as f64
    }

    /// What it is doing at a time, in words.
    pub fn state(&self, now_ps: u64) -> String {
        if let Some(at) = self.failed_ps {
            return format!("given up at {}: a QP failed", crate::units::span(at as f64));
        }
        let Some((began, posted)) = self.under_way else {
            return "complete".into();
        };
        let step = self.done + 1;
        let since = |at: u64| crate::units::span((now_ps - at) as f64);
        match now_ps {
            _ if now_ps < began => format!("step {step} of {} to come", self.steps),
            _ if now_ps < posted => format!("step {step} of {}: computes for {}", self.steps, since(began)),
            _ => format!(
                "step {step} of {}: communicates for {}",
                self.steps,
                since(posted)
            ),
        }
    }
}

/// Steps of a job that are drawn as one: several where there are too many to be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The first step's number, from 0.
    pub first: u32,
    /// How many.
    pub count: u32,
    /// When the first began to compute, ps.
    pub began_ps: u64,
    /// When the first began to communicate, ps.
    pub posted_ps: u64,
    /// When the last one ended, ps; none while it is under way.
    pub ended_ps: Option<u64>,
}

/// At most `most` spans (1 or more) of complete steps.
pub fn spans(steps: &[Step], most: usize) -> Vec<Span> {
    let each = steps.len().div_ceil(most.max(1)).max(1);
    let span = |(number, chunk): (usize, &[Step])| {
        let (first, last) = (chunk.first()?, chunk.last()?);
        Some(Span {
            first: (number * each) as u32,
            count: chunk.len() as u32,
            began_ps: first.began_ps,
            posted_ps: first.posted_ps,
            ended_ps: Some(last.ended_ps),
        })
    };
    steps.chunks(each).enumerate().filter_map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(number: u64) -> Step {
        Step {
            began_ps: number * 100,
            posted_ps: number * 100 + 20,
            ended_ps: number * 100 + 90,
        }
    }

    #[test]
    fn many_steps_are_drawn_together_and_none_is_lost() {
        let steps: Vec<Step> = (0..10).map(step).collect();
        assert_eq!(spans(&steps, 10).len(), 10);
        let few = spans(&steps, 4);
        assert_eq!(few.len(), 4);
        assert_eq!(
            few.iter().map(|span| span.count).collect::<Vec<_>>(),
            [3, 3, 3, 1]
        );
        assert_eq!(
            few[1],
            Span {
                first: 3,
                count: 3,
                began_ps: 300,
                posted_ps: 320,
                ended_ps: Some(590)
            }
        );
        assert_eq!(spans(&[], 4), []);
    }

    #[test]
    fn a_job_says_what_it_is_doing_and_how_fast_it_was() {
        let job = Job {
            number: 0,
            collective: Collective::RingAllReduce,
            ranks: 4,
            bytes: 1_000_000,
            steps: 3,
            done: 1,
            latest: vec![step(0)],
            under_way: Some((5_000_000, 7_000_000)),
            failed_ps: None,
            // 2 (n − 1) / n × 8 bits a byte.
            bus_bits: 12e6,
            qps: (0, 4),
        };
        assert_eq!(job.state(4_000_000), "step 2 of 3 to come");
        assert_eq!(job.state(6_000_000), "step 2 of 3: computes for 1 µs");
        assert_eq!(job.state(9_000_000), "step 2 of 3: communicates for 2 µs");
        // 1.5 MB on each NIC's line in 30 µs are 400 Gb/s.
        assert_eq!(job.bus_rate(30_000_000), 400e9);
        let over = Job {
            under_way: None,
            ..job.clone()
        };
        assert_eq!(over.state(9_000_000), "complete");
        let failed = Job {
            failed_ps: Some(8_000_000),
            ..job
        };
        assert_eq!(failed.state(9_000_000), "given up at 8 µs: a QP failed");
    }
}

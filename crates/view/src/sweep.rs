//! A sweep on the page: what page and workers say to each other, who runs what, and where the plot's dots are.

use lab::{Outcome, Plan, Report, Row};
use scenario::Scenario;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Runs of a sweep on the page at most; our choice: more rows and dots than anybody looks through.
pub const MAX_RUNS: u32 = 1_000;
/// Workers at most; our choice: each is a module with a memory of its own.
pub const MAX_WORKERS: usize = 16;

/// What the page asks of a worker of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Keep this scenario; its seed does not matter. No answer.
    Take {
        /// The scenario.
        #[serde(with = "crate::encoding::json")]
        scenario: Box<Scenario>,
    },
    /// Run it with a seed. Answers: [`Tell::Progress`] now and then, [`Tell::Over`] at the end.
    Run {
        /// The run's place in the plan.
        run: usize,
        /// The seed.
        seed: u64,
    },
}

/// What such a worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tell {
    /// How far the run is.
    Progress {
        /// Its place in the plan.
        run: usize,
        /// What is done of it, 0 to 1.
        share: f64,
    },
    /// The run is over.
    Over {
        /// Its place in the plan.
        run: usize,
        /// What came out.
        #[serde(with = "crate::encoding::json")]
        outcome: Outcome,
    },
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Runs go on.
    Running,
    /// All runs are over.
    Finished,
    /// The user stopped it; the runs that were over stay.
    Cancelled,
}

/// What a worker does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seat {
    /// Its run, and what is done of it, 0 to 1; none while it has nothing to do.
    pub busy: Option<(usize, f64)>,
    /// Runs that it has brought to their end.
    pub done: u32,
}

/// Who runs what, and what has come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    plan: Rc<Plan>,
    state: State,
    next: usize,
    seats: Vec<Seat>,
    rows: Vec<Option<Row>>,
    over: usize,
    // Workers that have owed an answer for some seconds, a bit each.
    silent: u32,
}

impl Board {
    /// A board for a plan and so many workers; more than runs or [`MAX_WORKERS`] are of no use.
    pub fn new(plan: Plan, workers: usize) -> Board {
        let workers = workers.clamp(1, plan.runs().min(MAX_WORKERS));
        Board {
            state: State::Running,
            next: 0,
            seats: vec![Seat::default(); workers],
            rows: vec![None; plan.runs()],
            over: 0,
            silent: 0,
            plan: Rc::new(plan),
        }
    }

    /// What is run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How far it is.
    pub fn state(&self) -> State {
        self.state
    }

    /// The workers.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Runs that are over, failed ones included.
    pub fn over(&self) -> usize {
        self.over
    }

    /// The rows of those, in the order of the plan.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.iter().flatten()
    }

    /// What they have in common.
    pub fn report(&self) -> Report {
        Report::of(&self.plan, self.rows())
    }

    /// What is done of all runs together, 0 to 1.
    pub fn share(&self) -> f64 {
        let begun: f64 = self
            .seats
            .iter()
            .filter_map(|seat| seat.busy)
            .map(|(_, share)| share)
            .sum();
        (self.over as f64 + begun) / self.rows.len() as f64
    }

    /// A worker has owed an answer for some seconds. Until it says something, or is given up, nobody knows how long the rest takes.
    pub fn owes(&mut self, worker: usize) {
        self.silent |= 1 << worker.min(MAX_WORKERS);
    }

    /// True while a worker has owed an answer for some seconds.
    pub fn is_waiting(&self) -> bool {
        self.silent != 0
    }

    /// Seconds to go after `elapsed` seconds, if the rest goes as what is done went; none before anything is done, and while a
    /// worker owes an answer.
    pub fn eta_s(&self, elapsed: f64) -> Option<f64> {
        let share = self.share();
        (share > 0.0 && !self.is_waiting()).then(|| elapsed * (1.0 - share) / share)
    }

    /// Gives a worker that has nothing to do the next run: what to ask of it. None when no run is left.
    pub fn hand_out(&mut self, worker: usize) -> Option<Ask> {
        let run = self.next;
        let seat = self.seats.get_mut(worker)?;
        if self.state != State::Running || seat.busy.is_some() || run >= self.rows.len() {
            return None;
        }
        self.next += 1;
        seat.busy = Some((run, 0.0));
        Some(Ask::Run {
            run,
            seed: self.plan.seed_of(run),
        })
    }

    /// Takes what a worker says; what is not about its run is ignored.
    pub fn hear(&mut self, worker: usize, tell: Tell) {
        self.silent &= !(1 << worker.min(MAX_WORKERS));
        let Some(seat) = self.seats.get_mut(worker) else {
            return;
        };
        match (&mut seat.busy, tell) {
            (Some((run, done)), Tell::Progress { run: of, share }) if *run == of => {
                *done = done.max(share.clamp(0.0, 1.0));
            }
            (Some((run, _)), Tell::Over { run: of, outcome }) if *run == of => {
                seat.done += 1;
                self.end(worker, of, outcome);
            }
            _ => {}
        }
    }

    /// A worker broke down: its run has failed.
    pub fn crashed(&mut self, worker: usize, why: &str) {
        self.silent &= !(1 << worker.min(MAX_WORKERS));
        if let Some(Seat {
            busy: Some((run, _)), ..
        }) = self.seats.get(worker)
        {
            let failed = why.to_owned();
            self.end(worker, *run, Outcome::Failed { failed });
        }
    }

    fn end(&mut self, worker: usize, run: usize, outcome: Outcome) {
        self.seats[worker].busy = None;
        self.rows[run] = Some(Row {
            run,
            value: self.plan.value(self.plan.point_of(run)).cloned(),
            seed: self.plan.seed_of(run),
            outcome,
        });
        self.over += 1;
        if self.over == self.rows.len() {
            self.state = State::Finished;
        }
    }

    /// Stops it. What is over stays.
    pub fn cancel(&mut self) {
        if self.state == State::Running {
            self.state = State::Cancelled;
            for seat in &mut self.seats {
                seat.busy = None;
            }
        }
    }
}

/// Where the dots of a strip plot are: the share of the width, 0 to 1, and the level, 0 in the middle, then 1 above it,
/// −1 below it, 2 above and so on, so that dots of nearly the same value lie beside each other. `columns` dots fit into
/// the width.
pub fn swarm(values: &[f64], low: f64, high: f64, columns: usize) -> Vec<(f64, i32)> {
    let mut used = vec![0i32; columns.max(1)];
    values
        .iter()
        .map(|value| {
            let share = if high > low {
                ((value - low) / (high - low)).clamp(0.0, 1.0)
            } else {
                0.5
            };
            let column = ((share * used.len() as f64) as usize).min(used.len() - 1);
            let turn = used[column];
            used[column] += 1;
            (share, if turn % 2 == 1 { turn / 2 + 1 } else { -(turn / 2) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{FromWorker, ToWorker};
    use lab::{End, Quantiles, RunResult, Seeds, Sweep};

    fn board(runs: u32, workers: usize) -> Board {
        let sweep = Sweep {
            scenario: scenario::presets()[0].scenario(),
            seeds: Seeds {
                first: 5,
                count: runs,
            },
            vary: None,
        };
        Board::new(sweep.plan().expect("a preset is valid"), workers)
    }

    fn outcome(events: u64) -> Outcome {
        Outcome::Done(Box::new(RunResult {
            end: End::Finished,
            digest: u64::MAX,
            sim_us: 1.0,
            flows: 1,
            finished: 1,
            fct_us: Some(Quantiles {
                p50: 1.0,
                p99: 2.0,
                max: 2.0,
            }),
            goodput_gbps: 1.0,
            drops: 0,
            trims: 0,
            retransmissions: 0,
            packet_hops: 1,
            events,
            step_us: None,
            dip: None,
            pfc: None,
            cnps: None,
        }))
    }

    fn over(run: usize) -> Tell {
        Tell::Over {
            run,
            outcome: outcome(run as u64),
        }
    }

    #[test]
    fn messages_survive_the_wire() {
        let asks = [
            ToWorker::Sweep(Ask::Take {
                scenario: Box::new(scenario::presets()[0].scenario()),
            }),
            ToWorker::Sweep(Ask::Run {
                run: 3,
                seed: u64::MAX,
            }),
        ];
        for ask in asks {
            let text = crate::encoding::encode(&ask).unwrap();
            assert_eq!(
                crate::encoding::decode::<ToWorker>(&text).unwrap(),
                ask,
                "{text:?}"
            );
        }
        let failed = Outcome::Failed {
            failed: "out of memory".into(),
        };
        for tell in [
            Tell::Progress { run: 1, share: 0.25 },
            over(2),
            Tell::Over {
                run: 3,
                outcome: failed,
            },
        ] {
            let tell = FromWorker::Sweep(tell);
            let text = crate::encoding::encode(&tell).unwrap();
            assert_eq!(
                crate::encoding::decode::<FromWorker>(&text).unwrap(),
                tell,
                "{text:?}"
            );
        }
    }

    #[test]
    fn runs_are_handed_out_in_order_and_rows_come_out_in_order() {
        let mut board = board(3, 2);
        assert_eq!(board.hand_out(0), Some(Ask::Run { run: 0, seed: 5 }));
        assert_eq!(board.hand_out(0), None, "it is busy");
        assert_eq!(board.hand_out(1), Some(Ask::Run { run: 1, seed: 6 }));
        board.hear(1, over(1));
        assert_eq!(board.hand_out(1), Some(Ask::Run { run: 2, seed: 7 }));
        board.hear(1, over(2));
        assert_eq!(board.hand_out(1), None, "none is left");
        assert_eq!(board.state(), State::Running);
        board.hear(0, over(0));
        assert_eq!(board.state(), State::Finished);
        let seeds: Vec<u64> = board.rows().map(|row| row.seed).collect();
        assert_eq!(seeds, [5, 6, 7]);
        assert_eq!(board.report().complete(), 3);
    }

    #[test]
    fn progress_adds_up_and_never_goes_back() {
        let mut board = board(4, 2);
        assert_eq!((board.share(), board.eta_s(1.0)), (0.0, None));
        board.hand_out(0);
        board.hand_out(1);
        board.hear(0, Tell::Progress { run: 0, share: 0.5 });
        board.hear(0, Tell::Progress { run: 0, share: 0.25 });
        board.hear(1, Tell::Progress { run: 0, share: 0.9 });
        assert_eq!(board.share(), 0.125);
        assert_eq!(board.eta_s(1.0), Some(7.0));
        board.owes(0);
        assert_eq!((board.eta_s(1.0), board.is_waiting()), (None, true));
        board.hear(1, Tell::Progress { run: 1, share: 0.0 });
        assert!(board.is_waiting(), "the other one has said something");
        board.hear(0, Tell::Progress { run: 0, share: 0.5 });
        assert_eq!((board.eta_s(1.0), board.is_waiting()), (Some(7.0), false));
        board.hear(1, over(1));
        assert_eq!((board.share(), board.over()), (0.375, 1));
        assert_eq!(board.seats()[1], Seat { busy: None, done: 1 });
    }

    #[test]
    fn a_crash_costs_one_run() {
        let mut board = board(2, 1);
        board.crashed(0, "nothing was under way");
        assert_eq!(board.over(), 0);
        board.hand_out(0);
        board.crashed(0, "out of memory");
        board.hear(0, over(0));
        assert_eq!(board.hand_out(0), Some(Ask::Run { run: 1, seed: 6 }));
        board.hear(0, over(1));
        assert_eq!(board.state(), State::Finished);
        let report = board.report();
        assert_eq!((report.done(), report.failed()), (1, 1));
    }

    #[test]
    fn after_cancel_what_is_over_stays_and_nothing_is_handed_out() {
        let mut board = board(5, 2);
        board.hand_out(0);
        board.hand_out(1);
        board.hear(1, over(1));
        board.cancel();
        assert_eq!(
            (board.state(), board.over(), board.hand_out(1)),
            (State::Cancelled, 1, None)
        );
        board.hear(0, over(0));
        assert_eq!(board.over(), 1, "it came too late");
    }

    #[test]
    fn there_are_never_more_workers_than_runs_or_than_the_bound() {
        assert_eq!(board(3, 8).seats().len(), 3);
        assert_eq!(board(100, 64).seats().len(), MAX_WORKERS);
        assert_eq!(board(3, 0).seats().len(), 1);
    }

    #[test]
    fn dots_of_one_column_lie_around_the_middle() {
        let dots = swarm(&[1.0, 1.0, 3.0, 1.0, 1.0], 1.0, 3.0, 10);
        assert_eq!(dots, [(0.0, 0), (0.0, 1), (1.0, 0), (0.0, -1), (0.0, 2)]);
        assert_eq!(swarm(&[7.0], 7.0, 7.0, 10), [(0.5, 0)]);
    }
}

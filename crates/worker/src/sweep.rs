//! What a worker of a sweep does: one run after the other, without anything to look at.

use crate::foresee;
use lab::{Outcome, run_one};
use scenario::Scenario;
use std::ops::ControlFlow;
use view::sweep::{Ask, Tell};

/// How often the page is told how far a run is, in ms of wall-clock time.
const TELL_EVERY_MS: f64 = 100.0;

/// The scenario that is run again and again.
#[derive(Default)]
pub struct Sweeper {
    scenario: Option<Scenario>,
}

impl Sweeper {
    /// Does what the page asks. `clock` gives the wall-clock time in ms. Each of `tell`'s messages is sent at once: the
    /// page ends the worker if it wants no more.
    pub fn handle(&mut self, ask: Ask, clock: impl Fn() -> f64, mut tell: impl FnMut(Tell)) {
        match ask {
            Ask::Take { scenario } => self.scenario = Some(*scenario),
            Ask::Run { run, seed } => {
                let outcome = match &mut self.scenario {
                    Some(scenario) => {
                        scenario.seed = seed;
                        one(scenario, clock, |share| tell(Tell::Progress { run, share }))
                    }
                    None => Outcome::Failed {
                        failed: "the worker was given no scenario".into(),
                    },
                };
                tell(Tell::Over { run, outcome });
            }
        }
    }
}

fn one(scenario: &Scenario, clock: impl Fn() -> f64, mut tell: impl FnMut(f64)) -> Outcome {
    if let Some(problems) = foresee::refusal(scenario) {
        return Outcome::Failed {
            failed: problems.join(" "),
        };
    }
    let mut told_ms = clock();
    let ran = run_one(scenario, |progress| {
        let now_ms = clock();
        if now_ms - told_ms >= TELL_EVERY_MS {
            told_ms = now_ms;
            tell(progress.share);
        }
        ControlFlow::Continue(())
    });
    match ran {
        Ok(Some(result)) => Outcome::Done(Box::new(result)),
        Ok(None) => Outcome::Failed {
            failed: "the run was stopped".into(),
        },
        Err(error) => Outcome::Failed {
            failed: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Sim;
    use std::cell::Cell;

    fn scenario() -> Scenario {
        let preset = scenario::presets()
            .iter()
            .find(|preset| preset.slug == "link-dies");
        preset.expect("a preset of that name").scenario()
    }

    fn tells(sweeper: &mut Sweeper, ask: Ask) -> Vec<Tell> {
        // 60 ms go by between two looks at the clock.
        let time = Cell::new(0.0);
        let clock = || time.replace(time.get() + 60.0);
        let mut tells = Vec::new();
        sweeper.handle(ask, clock, |tell| tells.push(tell));
        tells
    }

    #[test]
    fn a_run_is_told_of_while_it_goes_on_and_ends_as_the_run_by_itself() {
        let mut sweeper = Sweeper::default();
        let take = Ask::Take {
            scenario: Box::new(scenario()),
        };
        assert!(tells(&mut sweeper, take).is_empty());
        for seed in [3, 4] {
            let mut tells = tells(&mut sweeper, Ask::Run { run: 9, seed });
            let mut alone = Sim::new(&Scenario { seed, ..scenario() }).expect("valid");
            alone.run_until(kernel::Time::MAX);
            let Some(Tell::Over {
                run: 9,
                outcome: Outcome::Done(result),
            }) = tells.pop()
            else {
                panic!("{tells:?}");
            };
            let hops = alone.network().counters().packet_hops;
            assert_eq!((result.digest, result.packet_hops), (alone.digest(), hops));
            let shares: Vec<f64> = tells
                .iter()
                .map(|tell| match tell {
                    Tell::Progress { run: 9, share } => *share,
                    other => panic!("{other:?}"),
                })
                .collect();
            assert!(shares.len() > 2 && shares.is_sorted(), "{shares:?}");
        }
    }

    #[test]
    fn what_cannot_be_run_fails_with_the_reason() {
        let mut sweeper = Sweeper::default();
        let failed = |tells: Vec<Tell>| match &tells[..] {
            [
                Tell::Over {
                    run: 1,
                    outcome: Outcome::Failed { failed },
                },
            ] => failed.clone(),
            other => panic!("{other:?}"),
        };
        let run = || Ask::Run { run: 1, seed: 1 };
        assert_eq!(
            failed(tells(&mut sweeper, run())),
            "the worker was given no scenario"
        );
        let mut bad = scenario();
        bad.fabric.planes = 9;
        tells(
            &mut sweeper,
            Ask::Take {
                scenario: Box::new(bad),
            },
        );
        let why = failed(tells(&mut sweeper, run()));
        assert!(why.starts_with("fabric.planes: "), "{why}");
    }
}

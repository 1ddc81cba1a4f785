//! A search whose settings are run.

use super::defaults::default_space;
use super::held_out::{Compared, HeldOut, compare};
use super::score::{Goal, Measured};
use super::search::{Found, Settings, search};
use super::sensitivity::{Sensitivity, sensitivity};
use super::space::{Levels, MAX_PARAMETERS, Space};
use super::{Choice, Parameter};
use crate::one::run_one;
use crate::parallel::{Overall, in_parallel};
use crate::plan::Seeds;
use crate::report::Metric;
use crate::row::{Outcome, Row};
use scenario::Scenario;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs of a search; our choice, as of a sweep.
pub const BUDGET: RangeInclusive<usize> = 4..=10_000;
/// Seeds of a search, or of what follows it, at most; our choice.
pub const MAX_SEEDS: u32 = 1_000;

/// Settings that are drawn to find one with which a level is allowed that is not with all else as it is; our choice.
const COMBINATIONS: u64 = 64;

/// What is tuned, by which figure, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Tune {
    /// The workload. Its own seed does not matter.
    pub scenario: Scenario,
    /// What may be changed.
    pub space: Space,
    /// What is to be as good as possible, in the mean over the seeds.
    pub metric: Metric,
    /// Runs of the search.
    pub budget: usize,
    /// The search's seeds, in the order in which settings meet them. The first also decides what is drawn.
    pub seeds: Seeds,
    /// Seeds after those, with which best and default are compared; 0 for no comparison.
    pub check_seeds: u32,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The search.
    pub found: Found,
    /// The best setting's place among the candidates; 0 is the default, none when it was stopped before any setting was done.
    pub best: Option<usize>,
    /// Its scenario, with the first of the search's seeds.
    pub scenario: Option<Scenario>,
    /// Rows of the default and of the best setting with the seeds held out; empty where best is default or it was stopped.
    pub held_out: [Vec<Row>; 2],
    /// What follows from them.
    pub compared: Vec<Compared>,
    /// Whether it is better than the default; none where nothing was held out.
    pub verdict: Option<HeldOut>,
    /// What each parameter alone means.
    pub sensitivity: Vec<Sensitivity>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

impl Tune {
    /// The space that a user chose, or the one of the scenario's protocol where nothing was chosen.
    ///
    /// # Errors
    /// Says what is wrong, with the field's path.
    pub fn space_of(scenario: &Scenario, choices: &[Choice]) -> Result<Space, String> {
        let known = default_space(scenario);
        if choices.is_empty() {
            return known;
        }
        for choice in choices {
            refuse_workload(&choice.path)?;
        }
        let known = known.map(|space| space.parameters).unwrap_or_default();
        let parameters: Vec<Parameter> = choices
            .iter()
            .map(|choice| choice.parameter(scenario, &known))
            .collect::<Result<_, _>>()?;
        Ok(Space {
            parameters,
            starts: Vec::new(),
        })
    }

    /// Makes sure that it can be run.
    ///
    /// # Errors
    /// Says what is wrong and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let Seeds { first, count } = self.seeds;
        if !(1..=MAX_SEEDS).contains(&count) || self.check_seeds > MAX_SEEDS {
            return Err(format!(
                "{count} seeds and {} held out; expected 1 to {MAX_SEEDS}, and 0 to {MAX_SEEDS} held out",
                self.check_seeds
            ));
        }
        let all = u64::from(count) + u64::from(self.check_seeds);
        if first.checked_add(all - 1).is_none() {
            return Err(format!(
                "{all} seeds from {first} on go beyond {}, the last seed",
                u64::MAX
            ));
        }
        if !BUDGET.contains(&self.budget) {
            let (least, most) = (BUDGET.start(), BUDGET.end());
            return Err(format!("{} runs; expected {least} to {most}", self.budget));
        }
        let least = count as usize * 4;
        if self.budget < least {
            return Err(format!(
                "{} runs do not suffice for {count} seeds; expected at least {least}, so that the default and three others meet them all",
                self.budget
            ));
        }
        let parameters = &self.space.parameters;
        if !(1..=MAX_PARAMETERS).contains(&parameters.len()) {
            return Err(format!(
                "{} fields to vary; expected 1 to {MAX_PARAMETERS}",
                parameters.len()
            ));
        }
        for (at, parameter) in parameters.iter().enumerate() {
            if parameters[..at].iter().any(|other| other.path == parameter.path) {
                return Err(format!("{} is varied twice; expected once", parameter.path));
            }
            self.check_levels(at, parameter)?;
        }
        self.scenario.validate().map_err(|problems| {
            let texts = problems.iter().map(ToString::to_string);
            texts.collect::<Vec<_>>().join("; ")
        })?;
        self.check_metric()
    }

    /// Some setting at least must have the figure: a switch that is turned on may bring it.
    fn check_metric(&self) -> Result<(), String> {
        let Some(why) = self.metric.impossible_in(&self.scenario) else {
            return Ok(());
        };
        let own = self.space.own();
        let may = |(at, parameter): (usize, &Parameter)| {
            (0..parameter.levels.len()).any(|level| {
                let mut levels = own.clone();
                levels[at] = level;
                let with = self.space.scenario(&self.scenario, &levels);
                with.is_ok_and(|scenario| self.metric.impossible_in(&scenario).is_none())
            })
        };
        if self.space.parameters.iter().enumerate().any(may) {
            return Ok(());
        }
        Err(format!(
            "no run of this scenario can have {}: {why}; expected one of {}",
            self.metric.field(),
            Metric::possible_in(&self.scenario).join(", ")
        ))
    }

    /// Every level must be of the field's form, and one of them at least be allowed, be it beside other values of other fields.
    fn check_levels(&self, at: usize, parameter: &Parameter) -> Result<(), String> {
        let others = (0..parameter.levels.len()).filter(|level| *level != parameter.own);
        let mut refusal = None;
        let mut possible = false;
        for level in others {
            let shown = || format!("{}={}", parameter.path, parameter.text(level));
            let with = |mut levels: Levels| {
                levels[at] = level;
                self.space.scenario(&self.scenario, &levels)
            };
            let alone = with(self.space.own()).map_err(|why| format!("{}: {why}", shown()))?;
            let Err(problems) = alone.validate() else {
                possible = true;
                continue;
            };
            refusal.get_or_insert_with(|| format!("{}: {}", shown(), problems[0]));
            let drawn = |nth| with(self.space.random(self.seeds.first, nth));
            possible =
                possible || (0..COMBINATIONS).any(|nth| drawn(nth).is_ok_and(|s| s.validate().is_ok()));
        }
        match refusal {
            Some(why) if !possible => Err(why),
            _ => Ok(()),
        }
    }

    /// Runs in all at most.
    pub fn runs(&self) -> usize {
        self.budget + 2 * self.check_seeds as usize
    }

    /// The seeds held out; none where there are none.
    pub fn held_out_seeds(&self) -> Option<Seeds> {
        (self.check_seeds > 0).then(|| Seeds {
            first: self.seeds.first + u64::from(self.seeds.count),
            count: self.check_seeds,
        })
    }

    /// Searches with `jobs` runs at a time (at least one), until the end or until `stop` is true, and compares. `watch` is called
    /// by every thread, some hundred times a second.
    ///
    /// # Errors
    /// When the threads cannot be started; says why.
    pub fn run(
        &self,
        jobs: usize,
        stop: &AtomicBool,
        watch: impl Fn(Overall) + Sync,
    ) -> Result<Tuned, String> {
        let settings = Settings {
            budget: self.budget,
            seeds: self.seeds.count as usize,
            seed: self.seeds.first,
            goal: Goal::of(self.metric),
        };
        let allowed = |levels: &[usize]| {
            let problem = |problems: Vec<scenario::Problem>| problems[0].to_string();
            self.space
                .scenario(&self.scenario, levels)?
                .validate()
                .map_err(problem)
        };
        let mut spent = 0;
        let measure = |asked: &[(&Levels, usize)]| {
            let rows = self.rows(asked, jobs, stop, |batch| {
                watch(self.overall(spent, asked.len(), batch))
            })?;
            spent += asked.len();
            Ok(rows
                .into_iter()
                .map(|row| row.map(|row| self.measured(&row)))
                .collect())
        };
        let found = search(&self.space, settings, allowed, measure)?;
        let ranking = found.ranking();
        let best = ranking.first().copied();
        let mut tuned = Tuned {
            scenario: best
                .map(|best| {
                    self.space
                        .scenario(&self.scenario, &found.candidates[best].levels)
                })
                .transpose()?
                .map(|scenario| Scenario {
                    seed: self.seeds.first,
                    ..scenario
                }),
            best,
            held_out: Default::default(),
            compared: Vec::new(),
            verdict: None,
            sensitivity: sensitivity(&self.space, &found.candidates, settings.goal),
            stopped: found.stopped,
            found,
        };
        if let (Some(best), false) = (best.filter(|best| *best > 0), tuned.stopped) {
            self.hold_out(&mut tuned, best, jobs, stop, &watch)?;
        }
        Ok(tuned)
    }

    /// Runs the default and the best setting with the seeds held out.
    fn hold_out(
        &self,
        tuned: &mut Tuned,
        best: usize,
        jobs: usize,
        stop: &AtomicBool,
        watch: &(impl Fn(Overall) + Sync),
    ) -> Result<(), String> {
        let seeds = self.check_seeds as usize;
        let settings = [0, best].map(|at| tuned.found.candidates[at].levels.clone());
        // Those after the search's.
        let of_setting = |at: usize| (0..seeds).map(move |seed| (at, self.seeds.count as usize + seed));
        let asked: Vec<(&Levels, usize)> = (0..2)
            .flat_map(of_setting)
            .map(|(at, seed)| (&settings[at], seed))
            .collect();
        let rows = self.rows(&asked, jobs, stop, |batch| {
            watch(self.overall(self.budget, asked.len(), batch))
        })?;
        tuned.stopped = rows.iter().any(Option::is_none);
        if !tuned.stopped {
            let mut rows = rows.into_iter().flatten();
            let default: Vec<Row> = rows.by_ref().take(seeds).collect();
            let best: Vec<Row> = rows.collect();
            tuned.compared = compare(&default, &best);
            tuned.verdict = (seeds > 0).then(|| HeldOut::of(self.metric, &default, &best));
            tuned.held_out = [default, best];
        }
        Ok(())
    }

    /// Runs settings; none for each that was stopped.
    fn rows(
        &self,
        asked: &[(&Levels, usize)],
        jobs: usize,
        stop: &AtomicBool,
        watch: impl Fn(Overall) + Sync,
    ) -> Result<Vec<Option<Row>>, String> {
        let mut rows = vec![None; asked.len()];
        let done = in_parallel(asked.len(), jobs, watch, |run, tell| {
            let (levels, seed) = asked[run];
            self.row(levels, run, self.seeds.first + seed as u64, stop, tell)
        })?;
        for row in done {
            let at = row.run;
            rows[at] = Some(row);
        }
        Ok(rows)
    }

    fn row(
        &self,
        levels: &[usize],
        run: usize,
        seed: u64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(f64),
    ) -> Option<Row> {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let ran = self
            .space
            .scenario(&self.scenario, levels)
            .and_then(|mut scenario| {
                scenario.seed = seed;
                let go_on = |progress: crate::one::Progress| {
                    tell(progress.share);
                    match stop.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                };
                run_one(&scenario, go_on).map_err(|error| error.to_string())
            });
        let outcome = match ran {
            Ok(None) => return None,
            Ok(Some(result)) => Outcome::Done(Box::new(result)),
            Err(failed) => Outcome::Failed { failed },
        };
        Some(Row {
            run,
            value: None,
            seed,
            outcome,
        })
    }

    fn measured(&self, row: &Row) -> Measured {
        match &row.outcome {
            Outcome::Done(result) => Measured {
                finished: result.finished as f64 / result.flows.max(1) as f64,
                value: self.metric.of(result),
                failed: None,
            },
            Outcome::Failed { failed } => Measured {
                finished: 0.0,
                value: None,
                failed: Some(failed.clone()),
            },
        }
    }

    /// How far all is, when a batch of `size` runs after `spent` ones is so far.
    fn overall(&self, spent: usize, size: usize, batch: Overall) -> Overall {
        let all = self.runs().max(1) as f64;
        Overall {
            done: spent + batch.done,
            share: ((spent as f64 + batch.share * size as f64) / all).min(1.0),
        }
    }
}

/// Fields of a scenario that settings of NICs and switches are searched for, and that so stay as they are.
const WORKLOAD: [&str; 4] = ["traffic", "faults", "until", "seed"];

/// Refuses to vary what is the workload.
fn refuse_workload(path: &str) -> Result<(), String> {
    let first = path.split(['.', '[']).next().unwrap_or(path);
    match WORKLOAD.contains(&first) {
        true => Err(format!(
            "{path} belongs to the workload, for which the best setting is searched: with less to do every setting is better; \
             expected a field of fabric or transport"
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests;

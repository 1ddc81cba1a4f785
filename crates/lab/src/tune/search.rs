//! The search: the default, known settings and a sample of the space race each other over more and more seeds; then steps
//! around the best ones do, until the budget of runs is spent.
//!
//! All settings meet the same seeds in the same order (common random numbers), so what differs between two of them is not the
//! luck of their seeds. What is tried next depends on results alone and never on how long they took, so any number of threads
//! finds the same.

use super::score::{Goal, Measured, Score};
use super::space::{Levels, STEPS, Space};
use kernel::rng::{Sequence, key};
use serde::Serialize;
use std::collections::BTreeSet;

/// A race goes on with one in so many after each stage: our choice, as in Hyperband (Li et al., JMLR 2018), which recommends 3 or 4.
const KEPT: usize = 3;
/// Settings that a round of steps tries; our choice.
const ROUND: usize = 12;
/// Best settings from which steps are taken; our choice.
const PARENTS: usize = 3;
/// Draws for one setting until it is new and allowed; our choice.
const DRAWS: u64 = 64;
/// Of the budget one in so many runs at most is kept for putting fields back; our choice.
const PUT_BACK: usize = 4;
/// Longest step of one parameter is 2^(STRIDES − 1) levels; our choice.
const STRIDES: u64 = 3;

/// How long to search, and with which random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Runs in all.
    pub budget: usize,
    /// Seeds on which a setting is run before it can be the best one, at least 1.
    pub seeds: usize,
    /// Of the search's random numbers.
    pub seed: u64,
    /// Which way is better.
    pub goal: Goal,
}

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The scenario as it is.
    Default,
    /// A starting point of this name.
    Start(String),
    /// The sample of the space.
    Sample,
    /// A step from the best ones.
    Step,
    /// The best one with a field put back to the default.
    PutBack,
}

/// Whether what the best setting changes is needed: each field was put back to the default on its own, and stayed there unless the
/// figure got worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PutBack {
    /// Fields that were tried.
    pub tried: usize,
    /// Those of them that stayed at the default.
    pub stayed: usize,
    /// Changed fields that were not tried, because the budget was spent or the rest makes no valid scenario without them.
    pub untried: usize,
}

/// A setting that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Its levels.
    pub levels: Levels,
    /// Where it comes from.
    pub origin: Origin,
    /// Its runs, with the first seeds.
    pub runs: Vec<Measured>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Everything that was tried, in order; the first is the default.
    pub candidates: Vec<Candidate>,
    /// Settings that were drawn and not allowed.
    pub refused: usize,
    /// Why the first of them was not.
    pub first_refusal: Option<String>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// What came of putting fields of the best setting back.
    pub put_back: PutBack,
    seeds: usize,
    goal: Goal,
}

impl Found {
    /// Runs that were spent.
    pub fn spent(&self) -> usize {
        self.candidates.iter().map(|candidate| candidate.runs.len()).sum()
    }

    /// The candidates that were run with all seeds, the best one first; of equal ones the one that changes fewer fields of the
    /// default, and then the earlier one. Where many settings reach the same bound, that is the one to explain.
    pub fn ranking(&self) -> Vec<usize> {
        let finalists = (0..self.candidates.len()).filter(|at| self.candidates[*at].runs.len() >= self.seeds);
        self.ranked(finalists, self.seeds)
    }

    fn ranked(&self, candidates: impl Iterator<Item = usize>, seeds: usize) -> Vec<usize> {
        let mut scored: Vec<(usize, Score, usize)> = candidates
            .map(|at| {
                let score = Score::of(&self.candidates[at].runs[..seeds]);
                (at, score, self.changes(at))
            })
            .collect();
        scored.sort_by(|(a, a_score, a_changes), (b, b_score, b_changes)| {
            let score = a_score.order(b_score, self.goal);
            score.then(a_changes.cmp(b_changes)).then(a.cmp(b))
        });
        scored.into_iter().map(|(at, ..)| at).collect()
    }

    /// Fields in which a candidate differs from the default, which is the first of them.
    fn changes(&self, at: usize) -> usize {
        let default = &self.candidates[0].levels;
        let levels = self.candidates[at].levels.iter();
        levels.zip(default).filter(|(level, own)| level != own).count()
    }
}

/// Searches a space. `allowed` says whether a setting can be run at all, or why not. `measure` runs settings, each with the seed
/// of a number from 0 on, and answers in the same order; it may leave out what it was stopped at.
pub fn search(
    space: &Space,
    settings: Settings,
    allowed: impl Fn(&[usize]) -> Result<(), String>,
    measure: impl FnMut(&[(&Levels, usize)]) -> Result<Vec<Option<Measured>>, String>,
) -> Result<Found, String> {
    let mut search = Search {
        space,
        settings,
        allowed,
        measure,
        known: BTreeSet::new(),
        reserved: reserve(space.parameters.len(), settings),
        found: Found {
            candidates: Vec::new(),
            refused: 0,
            first_refusal: None,
            stopped: false,
            put_back: PutBack::default(),
            seeds: settings.seeds,
            goal: settings.goal,
        },
    };
    search.all()?;
    Ok(search.found)
}

struct Search<'a, A, M> {
    space: &'a Space,
    settings: Settings,
    allowed: A,
    measure: M,
    /// Settings that were tried or refused.
    known: BTreeSet<Levels>,
    /// Runs of the budget that are for putting fields back.
    reserved: usize,
    found: Found,
}

impl<A, M> Search<'_, A, M>
where
    A: Fn(&[usize]) -> Result<(), String>,
    M: FnMut(&[(&Levels, usize)]) -> Result<Vec<Option<Measured>>, String>,
{
    fn all(&mut self) -> Result<(), String> {
        // Whatever comes of it, the default is there to compare with.
        let default = self.add(self.space.own(), Origin::Default);
        self.run(default.as_slice(), self.settings.seeds.min(self.settings.budget))?;
        let first = self.first_settings();
        if !self.found.stopped {
            self.race(first)?;
        }
        let mut round = 0;
        while !self.found.stopped && self.left() > 0 {
            let steps = self.steps(round);
            if steps.is_empty() {
                // The space is exhausted.
                break;
            }
            self.race(steps)?;
            round += 1;
        }
        match self.found.stopped {
            true => Ok(()),
            false => self.put_back(),
        }
    }

    /// Runs that may be spent now.
    fn left(&self) -> usize {
        (self.settings.budget - self.reserved).saturating_sub(self.found.spent())
    }

    /// Puts each field that the best setting changes back to the default on its own, and leaves it there unless the figure gets
    /// worse on all seeds: steps and samples change fields that mean nothing, too.
    fn put_back(&mut self) -> Result<(), String> {
        self.reserved = 0;
        let Some(mut best) = self.found.ranking().first().copied() else {
            return Ok(());
        };
        let seeds = self.settings.seeds;
        for (at, own) in self.space.own().into_iter().enumerate() {
            let mut levels = self.found.candidates[best].levels.clone();
            if levels[at] == own {
                continue;
            }
            levels[at] = own;
            let known = self
                .found
                .candidates
                .iter()
                .position(|known| known.levels == levels);
            let missing = known.map_or(seeds, |known| {
                seeds - self.found.candidates[known].runs.len().min(seeds)
            });
            let possible = missing <= self.left() && (self.allowed)(&levels).is_ok();
            let without = possible
                .then(|| known.or_else(|| self.add(levels, Origin::PutBack)))
                .flatten();
            let Some(without) = without else {
                self.found.put_back.untried += 1;
                continue;
            };
            self.run(&[without], seeds)?;
            if self.found.stopped {
                return Ok(());
            }
            self.found.put_back.tried += 1;
            let score = |at: usize| Score::of(&self.found.candidates[at].runs);
            if score(without).order(&score(best), self.settings.goal).is_le() {
                self.found.put_back.stayed += 1;
                best = without;
            }
        }
        Ok(())
    }

    /// Notes a setting; none where it is known already or not allowed.
    fn add(&mut self, levels: Levels, origin: Origin) -> Option<usize> {
        if !self.known.insert(levels.clone()) {
            return None;
        }
        if let Err(why) = (self.allowed)(&levels) {
            self.found.refused += 1;
            self.found.first_refusal.get_or_insert(why);
            return None;
        }
        self.found.candidates.push(Candidate {
            levels,
            origin,
            runs: Vec::new(),
        });
        Some(self.found.candidates.len() - 1)
    }

    /// Starting points and a sample, so many that they take half of what is left: where to look is worth as much as to look
    /// closely.
    fn first_settings(&mut self) -> Vec<usize> {
        let space = self.space;
        let mut first: Vec<usize> = space
            .starts
            .iter()
            .filter_map(|start| self.add(start.levels.clone(), Origin::Start(start.name.clone())))
            .collect();
        let seed = self.settings.seed;
        let half = self.left() / 2;
        let mut count = first.len();
        while cost(count + 1, self.settings.seeds) <= half {
            count += 1;
        }
        let sample = space.latin_hypercube(count - first.len(), seed);
        for (at, levels) in sample.into_iter().enumerate() {
            let again = (0..DRAWS).map(|nth| space.random(seed, at as u64 * DRAWS + nth));
            let mut settings = [levels].into_iter().chain(again);
            first.extend(settings.find_map(|levels| self.add(levels, Origin::Sample)));
        }
        first
    }

    /// Runs settings with the first seed, the best third of them with more, and so on until what is left has met all seeds.
    fn race(&mut self, mut racing: Vec<usize>) -> Result<(), String> {
        for seeds in stages(self.settings.seeds) {
            let missing = |at: usize, found: &Found| seeds - found.candidates[at].runs.len().min(seeds);
            let mut left = self.left();
            racing.retain(|at| {
                let cost = missing(*at, &self.found);
                let affordable = cost <= left;
                left -= if affordable { cost } else { 0 };
                affordable
            });
            self.run(&racing, seeds)?;
            // Only what a stop has cut short is not complete.
            let complete = racing.iter().filter(|at| missing(**at, &self.found) == 0);
            racing = self.found.ranked(complete.copied(), seeds);
            if self.found.stopped || racing.is_empty() {
                return Ok(());
            }
            racing.truncate(racing.len().div_ceil(KEPT));
        }
        Ok(())
    }

    /// Runs settings with the first `seeds` seeds, as far as they were not yet.
    fn run(&mut self, settings: &[usize], seeds: usize) -> Result<(), String> {
        let runs: Vec<(usize, usize)> = settings
            .iter()
            .flat_map(|at| (self.found.candidates[*at].runs.len()..seeds).map(move |seed| (*at, seed)))
            .collect();
        let asked: Vec<(&Levels, usize)> = runs
            .iter()
            .map(|(at, seed)| (&self.found.candidates[*at].levels, *seed))
            .collect();
        let answers = (self.measure)(&asked)?;
        for ((at, seed), answer) in runs.into_iter().zip(answers) {
            let runs = &mut self.found.candidates[at].runs;
            match answer {
                // A gap would shift what comes after it to other seeds.
                Some(measured) if runs.len() == seed => runs.push(measured),
                _ => self.found.stopped = true,
            }
        }
        Ok(())
    }

    /// New settings around the best ones.
    fn steps(&mut self, round: u64) -> Vec<usize> {
        let mut parents = self.found.ranking();
        parents.truncate(PARENTS);
        let parents: Vec<Levels> = parents
            .iter()
            .map(|at| self.found.candidates[*at].levels.clone())
            .collect();
        let Some(best) = parents.first() else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        for nth in 0..ROUND {
            // Every other one goes from the best; the others from each of the best few in turn.
            let parent = if nth % 2 == 0 {
                best
            } else {
                &parents[nth / 2 % parents.len()]
            };
            let step = (0..DRAWS).find_map(|attempt| {
                let draw = (round * ROUND as u64 + nth as u64) * DRAWS + attempt;
                let levels = step(self.space, parent, &parents, key(self.settings.seed, STEPS, draw));
                self.add(levels, Origin::Step)
            });
            steps.extend(step);
        }
        steps
    }
}

/// A setting near `parent`: one to three parameters are changed, by 1, 2 or 4 levels where they have an order, and one time in
/// four back to the default. Or (again one time in four) each parameter may come from another of the best.
fn step(space: &Space, parent: &Levels, parents: &[Levels], key: u64) -> Levels {
    let mut random = Sequence::new(key);
    let mut levels = parent.clone();
    if parents.len() > 1 && random.below(4) == 0 {
        let other = &parents[random.below(parents.len() as u64) as usize];
        for (level, from) in levels.iter_mut().zip(other) {
            if random.below(2) == 0 {
                *level = *from;
            }
        }
        return levels;
    }
    // Once in two times one parameter, once in four times two and three.
    let changes = [1, 1, 2, 3][random.below(4) as usize];
    for _ in 0..changes {
        let at = random.below(space.parameters.len() as u64) as usize;
        let parameter = &space.parameters[at];
        let last = parameter.levels.len() - 1;
        levels[at] = if random.below(4) == 0 {
            parameter.own
        } else if parameter.ordered {
            let far = 1usize << random.below(STRIDES);
            match random.below(2) {
                0 => levels[at].saturating_sub(far),
                _ => (levels[at] + far).min(last),
            }
        } else {
            // Any other one.
            let other = random.below(last as u64) as usize;
            other + usize::from(other >= levels[at])
        };
    }
    levels
}

/// Runs that are kept for putting fields back: as many as all fields take, but not more than a part of what is left when the
/// default and three others have met all seeds.
fn reserve(fields: usize, settings: Settings) -> usize {
    let Settings { budget, seeds, .. } = settings;
    let part = budget.saturating_sub(4 * seeds) / PUT_BACK;
    fields.min(part / seeds) * seeds
}

/// Seeds after which a race drops what is behind: 1, 2, 4, … and in the end all.
fn stages(seeds: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1), |stage| Some(stage * 2))
        .take_while(move |stage| *stage < seeds)
        .chain([seeds])
}

/// Runs that a race of `count` settings takes.
fn cost(count: usize, seeds: usize) -> usize {
    let mut racing = count;
    let mut before = 0;
    let mut sum = 0;
    for stage in stages(seeds) {
        sum += racing * (stage - before);
        before = stage;
        racing = racing.div_ceil(KEPT);
    }
    sum
}

#[cfg(test)]
mod tests;

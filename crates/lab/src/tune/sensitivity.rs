//! What each parameter alone means for the figure.
//!
//! Of the sample only: it covers every parameter evenly and independently of the others, which steps around the best do not.
//! Settings are grouped by bands of a parameter's levels, and the band's medians are compared: that shows also what is best in
//! the middle, which a rank correlation does not.

use super::score::Goal;
use super::search::{Candidate, Origin};
use super::space::Space;
use serde::Serialize;

/// Bands that the levels of a parameter with an order are cut into; our choice.
const BANDS: usize = 3;

/// A band of a parameter's levels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Band {
    /// First and last level.
    pub levels: [usize; 2],
    /// Settings of the sample in it.
    pub settings: usize,
    /// Median figure of their runs with the first seed. None where there are no settings, or half of them have no figure.
    pub median: Option<f64>,
}

/// A parameter and what its bands have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// Its place in the space.
    pub parameter: usize,
    /// Its bands.
    pub bands: Vec<Band>,
    /// Greatest median over least; none where fewer than two bands have one, or it is not above 0.
    pub spread: Option<f64>,
}

/// Every sampled parameter, the one that matters most first.
pub fn sensitivity(space: &Space, candidates: &[Candidate], goal: Goal) -> Vec<Sensitivity> {
    let sampled = space
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| parameter.sampled);
    let mut all: Vec<Sensitivity> = sampled
        .map(|(at, parameter)| {
            let bands = bands(parameter.levels.len(), parameter.ordered);
            let bands: Vec<Band> = bands
                .into_iter()
                .map(|[first, last]| {
                    let inside = |candidate: &&Candidate| (first..=last).contains(&candidate.levels[at]);
                    let runs = candidates
                        .iter()
                        .filter(|candidate| candidate.origin == Origin::Sample)
                        .filter(inside)
                        .filter_map(|candidate| candidate.runs.first());
                    let figures: Vec<Option<f64>> = runs
                        .map(|run| run.value.filter(|_| run.finished >= 1.0))
                        .collect();
                    Band {
                        levels: [first, last],
                        settings: figures.len(),
                        median: median(figures, goal),
                    }
                })
                .collect();
            Sensitivity {
                parameter: at,
                spread: spread(&bands),
                bands,
            }
        })
        .collect();
    all.sort_by(|a, b| {
        let of = |found: &Sensitivity| found.spread.unwrap_or(0.0);
        of(b).total_cmp(&of(a)).then(a.parameter.cmp(&b.parameter))
    });
    all
}

/// Levels in order make bands of about as many; others stand for themselves.
fn bands(levels: usize, ordered: bool) -> Vec<[usize; 2]> {
    let count = if ordered { BANDS.min(levels) } else { levels };
    (0..count)
        .map(|band| [band * levels / count, (band + 1) * levels / count - 1])
        .collect()
}

/// The lower median, where a run that did not finish is worse than all others.
fn median(mut figures: Vec<Option<f64>>, goal: Goal) -> Option<f64> {
    figures.sort_by(|a, b| match (a, b) {
        (Some(a), Some(b)) => goal.order(*a, *b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    figures.get(figures.len().checked_sub(1)? / 2).copied().flatten()
}

fn spread(bands: &[Band]) -> Option<f64> {
    let medians = || bands.iter().filter_map(|band| band.median);
    let least = medians().min_by(f64::total_cmp)?;
    let greatest = medians().max_by(f64::total_cmp)?;
    (medians().count() > 1 && least > 0.0).then(|| greatest / least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::score::Measured;
    use crate::tune::space::tests::grid;

    fn candidate(origin: Origin, levels: [usize; 2], value: Option<f64>) -> Candidate {
        let run = Measured {
            finished: if value.is_some() { 1.0 } else { 0.5 },
            value,
            failed: None,
        };
        Candidate {
            levels: levels.to_vec(),
            origin,
            runs: vec![run],
        }
    }

    #[test]
    fn what_is_best_in_the_middle_is_seen() {
        // The second parameter means nothing; the first is 10 in the middle third and 40 at the ends.
        let mut candidates: Vec<Candidate> = (0..9)
            .map(|i| {
                let value = if (3..6).contains(&i) { 10.0 } else { 40.0 };
                candidate(Origin::Sample, [i, i * 4 % 9], Some(value))
            })
            .collect();
        // Steps are near the best and say nothing of the space.
        candidates.push(candidate(Origin::Step, [0, 0], Some(1.0)));
        let found = sensitivity(&grid(2, 9), &candidates, Goal { more: false });
        assert_eq!((found[0].parameter, found[0].spread), (0, Some(4.0)));
        let medians: Vec<Option<f64>> = found[0].bands.iter().map(|band| band.median).collect();
        assert_eq!(medians, [Some(40.0), Some(10.0), Some(40.0)]);
        assert_eq!(found[0].bands[2].levels, [6, 8]);
        assert_eq!(found[0].bands[2].settings, 3);
        // Each band of it has one of the middle third: i · 4 mod 9 of 3, 4, 5 is 3, 7, 2.
        assert_eq!(found[1].spread, Some(1.0));
    }

    #[test]
    fn runs_that_do_not_finish_are_worse_than_all_others() {
        let less = Goal { more: false };
        assert_eq!(median(vec![None, Some(3.0), Some(5.0)], less), Some(5.0));
        assert_eq!(median(vec![None, None, Some(5.0)], less), None);
        assert_eq!(median(Vec::new(), less), None);
        assert_eq!(
            median(
                vec![Some(1.0), Some(9.0), Some(4.0), Some(6.0)],
                Goal { more: true }
            ),
            Some(6.0)
        );
        assert_eq!(bands(2, true), [[0, 0], [1, 1]]);
        assert_eq!(bands(17, true), [[0, 4], [5, 10], [11, 16]]);
        assert_eq!(bands(4, false), [[0, 0], [1, 1], [2, 2], [3, 3]]);
    }
}

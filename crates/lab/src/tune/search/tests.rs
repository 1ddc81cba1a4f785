//! The search on functions in place of runs, whose best setting is known.

use super::*;
use crate::tune::space::Start;
use crate::tune::space::tests::grid;

const LESS: Goal = Goal { more: false };

fn settings(budget: usize, seeds: usize) -> Settings {
    Settings {
        budget,
        seeds,
        seed: 1,
        goal: LESS,
    }
}

fn exact(value: f64) -> Option<Measured> {
    Some(Measured {
        finished: 1.0,
        value: Some(value),
        failed: None,
    })
}

/// Distance to `best`, squared, from 1 on.
fn bowl(levels: &Levels, best: &[usize]) -> f64 {
    let squares = levels.iter().zip(best).map(|(level, best)| {
        let far = *level as f64 - *best as f64;
        far * far
    });
    1.0 + squares.sum::<f64>()
}

fn minimum(space: &Space, settings: Settings, value: impl Fn(&Levels, usize) -> f64) -> Found {
    let measure = |asked: &[(&Levels, usize)]| {
        Ok(asked
            .iter()
            .map(|(levels, seed)| exact(value(levels, *seed)))
            .collect())
    };
    search(space, settings, |_| Ok(()), measure).unwrap()
}

fn best(found: &Found) -> &Candidate {
    &found.candidates[found.ranking()[0]]
}

#[test]
fn the_lowest_point_of_a_bowl_is_found_among_millions() {
    // 17^6 = 24 million settings; 400 runs on one seed.
    let target = [3, 14, 8, 0, 16, 10];
    let found = minimum(&grid(6, 17), settings(400, 1), |levels, _| bowl(levels, &target));
    assert!(found.spent() <= 400, "{}", found.spent());
    assert_eq!(best(&found).levels, target);
    assert_eq!(best(&found).origin, Origin::Step);
}

#[test]
fn luck_that_every_setting_shares_does_not_mislead() {
    // Seeds add up to 100 to all settings alike; one run says little of the value, and all of the order.
    let target = [12, 2, 9];
    let luck = |seed: usize| [100.0, 0.0, 37.0, 4.0][seed];
    let found = minimum(&grid(3, 17), settings(400, 4), |levels, seed| {
        bowl(levels, &target) + luck(seed)
    });
    assert_eq!(best(&found).levels, target);
    let mean = Score::of(&best(&found).runs).mean;
    assert_eq!(mean, Some(1.0 + 141.0 / 4.0), "over all seeds");
}

#[test]
fn more_can_be_better() {
    let mut more = settings(200, 1);
    more.goal = Goal { more: true };
    let found = minimum(&grid(2, 17), more, |levels, _| {
        levels.iter().sum::<usize>() as f64
    });
    assert_eq!(best(&found).levels, [16, 16]);
}

#[test]
fn a_small_space_is_searched_once_and_whole() {
    let found = minimum(&grid(2, 3), settings(1_000, 2), |levels, _| bowl(levels, &[2, 1]));
    assert_eq!(best(&found).levels, [2, 1]);
    assert_eq!(found.candidates.len(), 9, "no setting twice");
    assert!(found.spent() <= 18);
    let default = &found.candidates[0];
    assert_eq!(
        (&default.origin, default.levels.as_slice()),
        (&Origin::Default, &[0, 0][..])
    );
    assert_eq!(default.runs.len(), 2, "the default is run with every seed");
}

#[test]
fn of_equal_settings_the_default_is_the_best() {
    let found = minimum(&grid(3, 9), settings(100, 2), |_, _| 5.0);
    assert_eq!(found.ranking()[0], 0);
}

#[test]
fn of_equal_settings_the_one_that_changes_least_is_the_best() {
    // Only the first parameter matters, and from its middle on no more.
    let found = minimum(&grid(5, 9), settings(200, 1), |levels, _| {
        if levels[0] >= 4 { 1.0 } else { 2.0 }
    });
    assert_eq!(best(&found).levels[1..], [0; 4], "{:?}", best(&found));
    assert!(best(&found).levels[0] >= 4);
}

#[test]
fn starting_points_are_tried_before_everything_else() {
    let mut space = grid(4, 17);
    space.parameters[3] = space.parameters[3].clone().unsampled();
    let levels = vec![5, 6, 7, 1];
    space.starts.push(Start {
        name: "paper".into(),
        levels: levels.clone(),
    });
    // What is not sampled is better by far, so that every other setting stays behind.
    let found = minimum(&space, settings(60, 1), |levels, _| {
        bowl(levels, &[5, 6, 7, 1]) + if levels[3] == 1 { 0.0 } else { 1e6 }
    });
    assert_eq!(
        (best(&found).levels.clone(), &best(&found).origin),
        (levels, &Origin::Start("paper".into()))
    );
}

#[test]
fn the_budget_is_kept_to_the_run() {
    // 4 seeds: stages of 1, 2 and 4. 10 settings take 10 + 4·1 + 2·2 = 18 runs.
    assert_eq!(stages(4).collect::<Vec<_>>(), [1, 2, 4]);
    assert_eq!(stages(1).collect::<Vec<_>>(), [1]);
    assert_eq!(stages(5).collect::<Vec<_>>(), [1, 2, 4, 5]);
    assert_eq!(cost(10, 4), 18);
    for budget in [4, 7, 16, 61, 250] {
        let found = minimum(&grid(5, 17), settings(budget, 4), |levels, _| {
            bowl(levels, &[9; 5])
        });
        assert!(found.spent() <= budget, "{} of {budget}", found.spent());
        // What is kept for putting five fields back, on four seeds each, is left where it is not needed.
        assert!(found.spent() + 4 + 20 > budget, "{} of {budget}", found.spent());
    }
}

#[test]
fn what_is_not_allowed_is_drawn_again_and_counted() {
    let space = grid(3, 17);
    let allowed = |levels: &[usize]| match levels[0] <= levels[1] {
        true => Ok(()),
        false => Err("the first is above the second".into()),
    };
    let target = [9, 9, 4];
    let measure = |asked: &[(&Levels, usize)]| {
        assert!(
            asked.iter().all(|(levels, _)| levels[0] <= levels[1]),
            "{asked:?}"
        );
        Ok(asked
            .iter()
            .map(|(levels, _)| exact(bowl(levels, &target)))
            .collect())
    };
    let found = search(&space, settings(150, 1), allowed, measure).unwrap();
    assert_eq!(best(&found).levels, target);
    assert!(found.refused > 0);
    assert_eq!(
        found.first_refusal.as_deref(),
        Some("the first is above the second")
    );
    let sampled = found
        .candidates
        .iter()
        .filter(|candidate| candidate.origin == Origin::Sample);
    // Half of the 146 runs beside the default's one, and three for putting three fields back.
    assert_eq!(sampled.count(), 73, "every refused one has a successor");
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_has() {
    let space = grid(3, 17);
    let mut left = 10;
    let measure = |asked: &[(&Levels, usize)]| {
        let answer = |(levels, _): &(&Levels, usize)| {
            left -= i32::from(left > 0);
            (left > 0).then(|| exact(bowl(levels, &[1, 1, 1]))).flatten()
        };
        Ok(asked.iter().map(answer).collect())
    };
    let found = search(&space, settings(100, 2), |_| Ok(()), measure).unwrap();
    assert!(found.stopped);
    assert_eq!(found.spent(), 9);
    assert_eq!(found.ranking(), [0], "only the default has met both seeds");
}

#[test]
fn settings_that_do_not_finish_are_worst() {
    let measure = |asked: &[(&Levels, usize)]| {
        let answer = |(levels, _): &(&Levels, usize)| {
            let fast = levels[0] > 8;
            Some(Measured {
                finished: if fast { 0.9 } else { 1.0 },
                value: Some(if fast { 1.0 } else { bowl(levels, &[4, 4]) + 100.0 }),
                failed: None,
            })
        };
        Ok(asked.iter().map(answer).collect())
    };
    let found = search(&grid(2, 17), settings(200, 1), |_| Ok(()), measure).unwrap();
    assert_eq!(best(&found).levels, [4, 4]);
}

#[test]
fn fields_that_mean_nothing_are_put_back() {
    // Only two of eight parameters matter, and nothing is near the best but what has both. All settings are told apart by a little
    // that the default of the others makes better.
    let found = minimum(&grid(8, 5), settings(300, 2), |levels, _| {
        let others: usize = levels[2..].iter().sum();
        bowl(&levels[..2].to_vec(), &[3, 2]) + others as f64 * 1e-6
    });
    assert_eq!(best(&found).levels, [3, 2, 0, 0, 0, 0, 0, 0]);
    let PutBack {
        tried,
        stayed,
        untried,
    } = found.put_back;
    assert_eq!(
        (tried, untried),
        (2 + stayed, 0),
        "the two that matter were tried, too"
    );
}

#[test]
fn a_starting_point_is_reduced_to_what_it_needs() {
    let mut space = grid(4, 17);
    for parameter in &mut space.parameters {
        *parameter = parameter.clone().unsampled();
    }
    space.starts.push(Start {
        name: "paper".into(),
        levels: vec![5, 6, 7, 8],
    });
    // 24 runs: the default, the starting point, then steps, which are all bad; 20 / 4 = 5 are kept, of which four fields take four.
    let found = minimum(&space, settings(24, 1), |levels, _| {
        let good = levels[1] == 6 && levels[3] == 8;
        if good { 1.0 } else { 2.0 }
    });
    assert_eq!(best(&found).levels, [0, 6, 0, 8]);
    assert!(found.spent() <= 24);
    assert_eq!(found.put_back.tried, 2 + found.put_back.stayed);
}

#[test]
fn what_is_kept_for_putting_back_leaves_room_for_the_search() {
    let kept = |fields, budget, seeds| reserve(fields, settings(budget, seeds));
    // The default and three others take all.
    assert_eq!(kept(20, 16, 4), 0);
    // (200 − 16) / 4 = 46, which is 11 fields with 4 seeds.
    assert_eq!(kept(20, 200, 4), 44);
    assert_eq!(kept(3, 200, 4), 12);
}

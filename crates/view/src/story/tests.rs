//! What holds for all stories without playing them.

use super::*;
use crate::find;
use fabric::Clos;
use std::collections::BTreeSet;

fn clos(scenario: &Scenario) -> Clos {
    let fabric = &scenario.fabric;
    Clos {
        planes: fabric.planes,
        t0s: fabric.t0_per_plane,
        t1s: fabric.t1_per_plane,
        nics_per_t0: fabric.nics_per_t0,
        pods: fabric.pods,
        t2s: fabric.t2_per_plane,
    }
}

#[test]
fn stories_have_three_to_seven_steps_and_names_of_their_own() {
    let slugs: BTreeSet<_> = stories().iter().map(|story| story.slug).collect();
    assert_eq!(slugs.len(), stories().len());
    for story in stories() {
        assert!((3..=7).contains(&story.steps.len()), "{}", story.slug);
        for step in story.steps {
            let sentences = step.text.matches(['.', '?']).count();
            assert!(
                (1..=5).contains(&sentences) && step.text.len() <= 330,
                "{}: {}",
                story.slug,
                step.text
            );
        }
    }
}

#[test]
fn an_ev_is_explained_where_a_story_first_speaks_of_one() {
    for story in stories() {
        let texts = story.steps.iter().flat_map(|step| [step.title, step.text]);
        let all = texts.collect::<Vec<_>>().join(" ");
        let first = all.find(" EV").map(|at| &all[at + 1..]);
        if let Some(words) = first {
            let words = words.trim_start_matches("EVs").trim_start_matches("EV");
            assert!(words.starts_with(" (entropy value"), "{}: {words}", story.slug);
        }
    }
}

#[test]
fn steps_select_what_their_scenario_has_within_its_time() {
    for story in stories() {
        for step in story.steps {
            if story.is_of_host() {
                let scenario = story.runs[step.run].host_scenario().expect("a host's");
                assert!(step.at_ps <= scenario.until.0, "{}: {}", story.slug, step.title);
                // Layers, packets and flows are there in the run only: the worker's test looks for them.
                continue;
            }
            let scenario = story.runs[step.run].scenario();
            assert!(step.at_ps <= scenario.until.0, "{}: {}", story.slug, step.title);
            // Every preset of a story has a flow for QP 0 at least; which QPs there are is only known when it is built.
            find::find(step.selects, &clos(&scenario), 16)
                .unwrap_or_else(|why| panic!("{}, {}: {why}", story.slug, step.title));
        }
    }
}

#[test]
fn time_does_not_go_back_within_a_run_until_there_is_a_thing_to_try() {
    for story in stories() {
        let (last, told) = story.steps.split_last().unwrap();
        assert!(last.title.starts_with("Now you: "), "{}", story.slug);
        for pair in told.windows(2) {
            assert!(
                pair[0].run != pair[1].run || pair[0].at_ps <= pair[1].at_ps,
                "{}",
                story.slug
            );
        }
    }
}

/// Every number of a text is one that its step claims, or part of a name (`T1 2`, `NIC 0`, `plane 1`).
#[test]
fn texts_say_no_number_that_is_not_claimed() {
    for story in stories() {
        for step in story.steps {
            let mut rest = step.text.to_owned();
            let mut claims = step.claims.to_vec();
            claims.sort_by_key(|claim| std::cmp::Reverse(claim.said.len()));
            for claim in claims {
                assert!(
                    step.text.contains(claim.said),
                    "{}, {}: {}",
                    story.slug,
                    step.title,
                    claim.said
                );
                rest = rest.replace(claim.said, "…");
            }
            for name in [
                "T0 ",
                "T1 ",
                "T2 ",
                "NIC ",
                "QP ",
                "plane ",
                "VM ",
                "core ",
                "generation ",
            ] {
                // The longer ones first: `NIC 1` is the beginning of `NIC 14`.
                for number in (0..20).rev() {
                    rest = rest.replace(&format!("{name}{number}"), "…");
                }
            }
            let left = ["T0", "T1", "T2", "L2", "“Deny new to 443”"]
                .iter()
                .fold(rest, |rest, name| rest.replace(name, ""));
            assert!(
                !left.contains(|c: char| c.is_ascii_digit()),
                "{}, {}: {left}",
                story.slug,
                step.title
            );
        }
    }
}

#[test]
fn links_name_story_and_step_and_others_are_refused() {
    for story in stories() {
        for step in 0..story.steps.len() {
            let (found, at) = decode(&encode(story, step)).unwrap().unwrap();
            assert_eq!((found.slug, at), (story.slug, step));
        }
    }
    let (first, step) = decode("story/link-dies").unwrap().unwrap();
    assert_eq!((first.slug, step), ("link-dies", 0));
    assert!(decode("preset/link-dies").is_none());
    for (link, part) in [
        ("story/", "there is no story \"\""),
        (
            "story/link-dice/1",
            &format!(
                "there is no story \"link-dice\"; the nearest of {} are link-dies, ",
                stories().len()
            ),
        ),
        ("story/link-dies/0", "no step \"0\""),
        ("story/link-dies/2&at=5us", "cannot have \"at=5us\""),
        ("story/link-dies/99", "its steps are 1 to"),
        ("story/link-dies/-1", "no step \"-1\""),
        ("story/link-dies/1/2", "no step \"1/2\""),
    ] {
        let why = decode(link).unwrap().expect_err(link).to_string();
        assert!(why.contains(part), "{link}: {why}");
    }
    let long = format!("story/{}", "x".repeat(100_000));
    assert!(decode(&long).unwrap().unwrap_err().to_string().len() < 400);
}

//! The MRC paper's figures beside ours, for the presets that are its experiments.
//!
//! What is shown is the documentation's page `docs/evidence.md`, which `flowglass evidence` writes: it is built in, so the
//! page and the documentation cannot say two things. Nothing is simulated for it here.

mod page;
mod word;

pub use page::{Malformed, parse};
pub use word::{Known, Verdict};

use scenario::{Scenario, paper_presets};
use std::sync::LazyLock;

/// The documentation's page.
const TEXT: &str = include_str!("../../../docs/evidence.md");

/// The page as values.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The first seed and the last: ours is the mean over all from the one to the other.
    pub seeds: (u64, u64),
    /// What it says that it holds: rows by verdict.
    pub counts: Vec<(Verdict, usize)>,
    /// The experiments, in the order of the page.
    pub experiments: Vec<Experiment>,
}

impl Page {
    /// How many seeds ours is the mean over.
    pub const fn seed_count(&self) -> u64 {
        self.seeds.1 - self.seeds.0 + 1
    }
}

/// One experiment of the paper. Words between grave accents in its texts are code: [`spans`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// What it is called.
    pub title: String,
    /// Where it is in the paper.
    pub source: String,
    /// What is smaller or faster here, and by what rule; empty where nothing is run.
    pub scaling: String,
    /// What the values are; empty where nothing is run.
    pub measured: String,
    /// The presets that show it.
    pub presets: Vec<String>,
    /// The command that measures ours again.
    pub again: String,
    /// What is compared.
    pub rows: Vec<Row>,
}

impl Experiment {
    /// How many of its rows have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }
}

/// One figure of the paper and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is of, with its unit.
    pub quantity: String,
    /// The paper's value, or what it says.
    pub paper: String,
    /// How the paper's value is known.
    pub known: Known,
    /// Our mean and half the width of its 95 % interval; empty where there is none.
    pub ours: String,
    /// Ours by the paper's; empty where that has no meaning.
    pub ratio: String,
    /// Where our mean must lie for a match; empty where no rule would be fair.
    pub rule: String,
    /// Whether it does.
    pub verdict: Verdict,
    /// Why ours differs, or cannot be compared; empty for a match.
    pub reason: String,
}

/// The table that belongs to a scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// The preset that the table is of.
    pub preset: &'static str,
    /// The table.
    pub experiment: &'static Experiment,
    /// How many seeds ours is the mean over.
    pub seeds: u64,
    /// True when the scenario is no longer the preset: something other than the seed has been changed.
    pub edited: bool,
}

/// A preset, and its part of the page.
struct Shown {
    preset: &'static str,
    scenario: Scenario,
    experiment: Experiment,
    seeds: u64,
}

/// Each paper preset with its experiment. The tests see to it that none is missing.
static SHOWN: LazyLock<Vec<Shown>> = LazyLock::new(|| {
    let Ok(page) = parse(&crate::units::regrouped(TEXT)) else {
        return Vec::new();
    };
    let seeds = page.seed_count();
    let shown = paper_presets().iter().filter_map(|preset| {
        let mut experiments = page.experiments.iter();
        Some(Shown {
            preset: preset.slug,
            scenario: preset.scenario(),
            experiment: experiments
                .find(|experiment| experiment.presets.iter().any(|slug| slug == preset.slug))?
                .clone(),
            seeds,
        })
    });
    shown.collect()
});

/// The table for a scenario that is an experiment of the paper, or came from one.
///
/// A scenario comes from the preset whose name it has: that holds for one that was edited here, and for one that came
/// edited in a link or a file.
pub fn beside(scenario: &Scenario) -> Option<Beside> {
    let shown = SHOWN.iter().find(|shown| shown.scenario.name == scenario.name)?;
    let same = Scenario {
        seed: scenario.seed,
        ..shown.scenario.clone()
    };
    Some(Beside {
        preset: shown.preset,
        experiment: &shown.experiment,
        seeds: shown.seeds,
        edited: same != *scenario,
    })
}

/// A text in pieces: what is code, and what is not.
pub fn spans(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let pieces = text.split('`').enumerate();
    pieces
        .map(|(i, piece)| (i % 2 == 1, piece))
        .filter(|(_, piece)| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        parse(TEXT).expect("docs/evidence.md has the form that `flowglass evidence` gives it")
    }

    fn preset(slug: &str) -> Scenario {
        let mut presets = paper_presets().iter();
        presets.find(|preset| preset.slug == slug).unwrap().scenario()
    }

    #[test]
    fn the_documentation_is_read_in_full() {
        let page = page();
        // The page counts its own rows in its head.
        for verdict in Verdict::ALL {
            let said = page.counts.iter().find(|(of, _)| *of == verdict);
            let there: usize = page.experiments.iter().map(|e| e.count(verdict)).sum();
            assert_eq!(there, said.map_or(0, |(_, count)| *count), "{verdict:?}");
        }
        // Issue 4 asks for at least ten seeds.
        assert!(page.seed_count() >= 10, "{:?}", page.seeds);
    }

    #[test]
    fn each_paper_preset_has_a_table_that_says_what_it_is_of() {
        for preset in paper_presets() {
            let Beside {
                experiment, edited, ..
            } = beside(&preset.scenario()).expect(preset.slug);
            assert!(experiment.presets.iter().any(|slug| slug == preset.slug));
            assert!(!edited, "{}", preset.slug);
            assert!(!experiment.rows.is_empty(), "{}", preset.slug);
            for text in [&experiment.source, &experiment.scaling, &experiment.measured] {
                assert!(!text.is_empty(), "{}", preset.slug);
            }
            let again = format!("{}: {}", preset.slug, experiment.again);
            assert!(again.contains("flowglass evidence --only "), "{again}");
        }
    }

    #[test]
    fn what_differs_says_why_and_only_code_is_marked_up() {
        for experiment in page().experiments {
            for row in &experiment.rows {
                assert_eq!(
                    row.reason.is_empty(),
                    row.verdict == Verdict::Match,
                    "{}",
                    row.quantity
                );
                for text in [&row.quantity, &row.paper, &row.ours, &row.rule, &row.reason] {
                    assert_eq!(text.matches('`').count() % 2, 0, "{text}");
                    assert!(!text.contains("**") && !text.contains("]("), "{text}");
                }
            }
        }
    }

    #[test]
    fn figure_9a_is_the_staircase_of_the_paper() {
        let scenario = preset("paper-fig-9a");
        let experiment = beside(&scenario).unwrap().experiment;
        // Facts 7, Fig 9a, Gb/s: 8 links to 1, and up again.
        let down = ["1536", "1336", "1145", "953", "766", "570", "384", "190"];
        let up = down.iter().rev().skip(1);
        let expected: Vec<&str> = down.iter().chain(up).copied().collect();
        let found: Vec<&str> = experiment.rows.iter().map(|row| row.paper.as_str()).collect();
        assert_eq!(found, expected);
        assert_eq!(experiment.rows[0].quantity, "8 of 8 links left, Gb/s");
        assert_eq!(experiment.rows[0].known, Known::Plot);
        assert_eq!(experiment.rows[0].rule, "± 2 %");
    }

    #[test]
    fn another_seed_is_the_same_experiment_and_another_fault_is_not() {
        let mut scenario = preset("paper-fig-8");
        scenario.seed += 7;
        assert!(!beside(&scenario).unwrap().edited);
        scenario.faults.pop().expect("a T1 stops in Fig 8");
        let beside_edited = beside(&scenario).unwrap();
        assert!(beside_edited.edited);
        assert_eq!(beside_edited.preset, "paper-fig-8");
        scenario.name = "Mine".into();
        assert_eq!(beside(&scenario), None);
        let stories = scenario::presets().iter();
        assert!(
            stories
                .map(scenario::Preset::scenario)
                .all(|story| beside(&story).is_none())
        );
    }

    #[test]
    fn code_is_told_from_words() {
        let found: Vec<_> = spans("`a b` calibrates `c`.").collect();
        assert_eq!(
            found,
            [(true, "a b"), (false, " calibrates "), (true, "c"), (false, ".")]
        );
        assert_eq!(spans("").count(), 0);
    }
}

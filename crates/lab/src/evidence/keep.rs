//! Finished runs of the evidence as lines of text, so that a table of many hours can be interrupted and gone on with.

use crate::evidence::experiment::Experiment;
use crate::evidence::fingerprint::fingerprint;
use crate::evidence::runner::work;
use crate::plan::Seeds;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The first line of a file of kept runs, without its end.
pub const KEPT_HEAD: &str = concat!(
    r#"{"flowglass":"finished runs of evidence","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}"#
);
/// What such a line begins with, whatever the version.
const HEAD_BEGINS: &str = r#"{"flowglass":"finished runs of evidence""#;

/// Experiment, case, seed.
type Place = (String, usize, u64);

/// One line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    experiment: String,
    case: usize,
    seed: u64,
    fingerprint: String,
    /// As text: JSON has no NaN, and not every reader of its numbers keeps all bits.
    values: Vec<String>,
}

/// Finished runs that were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Values by fingerprint; none where two lines contradict each other.
    runs: BTreeMap<Place, BTreeMap<String, Option<Vec<f64>>>>,
}

/// What is done with finished runs.
pub struct Keep<'a> {
    /// Those that need not be run again.
    pub kept: &'a Kept,
    /// Is called with each further one as a line without its end, by every thread, as soon as the run is over.
    pub finished: &'a (dyn Fn(&str) + Sync),
}

impl Keep<'_> {
    /// Nothing is known, and nothing is kept.
    pub fn nothing() -> Keep<'static> {
        static NONE: Kept = Kept {
            runs: BTreeMap::new(),
        };
        Keep {
            kept: &NONE,
            finished: &|_| {},
        }
    }
}

/// What kept runs are worth for some experiments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Runs that the experiments consist of.
    pub runs: usize,
    /// Those of them that are taken from what was kept.
    pub taken: usize,
    /// Kept runs with the same name that are of another version or scenario.
    pub outdated: usize,
}

impl Taken {
    /// Runs that are left to do.
    pub fn missing(&self) -> usize {
        self.runs - self.taken
    }
}

impl Kept {
    /// Adds a file's runs. What comes out are notes, each on one line, about lines that are not used.
    ///
    /// # Errors
    /// When it is no such file; says what was expected.
    pub fn read(&mut self, name: &str, text: &str) -> Result<Vec<String>, String> {
        let mut notes = Vec::new();
        let first = text.lines().next().unwrap_or_default();
        // What a crash has left of the first line is its beginning.
        if !first.starts_with(HEAD_BEGINS) && !KEPT_HEAD.starts_with(first) {
            return Err(format!(
                "{name}:1:1: this is no file of finished runs, whose first line is {KEPT_HEAD}; expected such a file, or none yet"
            ));
        }
        for (number, line) in text.lines().enumerate() {
            // Files may have been put together.
            if number == 0 || line.is_empty() || line.starts_with(HEAD_BEGINS) {
                continue;
            }
            let place = format!("{name}:{}", number + 1);
            match parsed(line) {
                Some((run, fingerprint, values)) => {
                    let known = self.runs.entry(run).or_default().entry(fingerprint);
                    let known = known.or_insert_with(|| Some(values.clone()));
                    if known.as_ref().is_some_and(|known| !same(known, &values)) {
                        *known = None;
                        notes.push(format!(
                            "{place}: the run is there already with other values; both are left out, and it is run again"
                        ));
                    }
                }
                None => notes.push(format!("{place}: the line is broken and left out")),
            }
        }
        Ok(notes)
    }

    /// The values of a run, so many; none where it has to be run.
    pub(crate) fn values(&self, run: &Place, fingerprint: &str, count: usize) -> Option<Vec<f64>> {
        let values = self.runs.get(run)?.get(fingerprint)?.clone();
        values.filter(|values| values.len() == count)
    }
}

/// The line of a finished run, without its end.
pub(crate) fn line((experiment, case, seed): Place, fingerprint: String, values: &[f64]) -> String {
    let line = Line {
        experiment,
        case,
        seed,
        fingerprint,
        // The shortest text that is read as the same number.
        values: values.iter().map(|value| format!("{value:?}")).collect(),
    };
    serde_json::to_string(&line).expect("texts and whole numbers can be written")
}

fn parsed(line: &str) -> Option<(Place, String, Vec<f64>)> {
    let Line {
        experiment,
        case,
        seed,
        fingerprint,
        values,
    } = serde_json::from_str(line).ok()?;
    let values = values.iter().map(|value| value.parse().ok());
    Some((
        (experiment, case, seed),
        fingerprint,
        values.collect::<Option<_>>()?,
    ))
}

/// To the bit, but for the many forms of what is no number.
fn same(a: &[f64], b: &[f64]) -> bool {
    let bits = |values: &[f64]| -> Vec<u64> {
        let one = |value: &f64| if value.is_nan() { f64::NAN } else { *value };
        values.iter().map(one).map(f64::to_bits).collect()
    };
    bits(a) == bits(b)
}

/// What kept runs are worth for experiments with these seeds.
pub fn taken(experiments: &[Experiment], seeds: Seeds, kept: &Kept) -> Taken {
    let mut taken = Taken::default();
    for job in work(experiments, seeds) {
        taken.runs += 1;
        let Some(known) = kept.runs.get(&job.place()) else {
            continue;
        };
        let own = fingerprint(job.case, job.seed).unwrap_or_default();
        let usable = kept.values(&job.place(), &own, job.case.rows.len()).is_some();
        taken.taken += usize::from(usable);
        taken.outdated += known.keys().filter(|other| **other != own).count();
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(seed: u64) -> Place {
        ("fig1".into(), 2, seed)
    }

    fn file(lines: &[String]) -> String {
        format!("{KEPT_HEAD}\n{}\n", lines.join("\n"))
    }

    #[test]
    fn values_come_back_to_the_bit() {
        let values = [
            0.1 + 0.2,
            -0.0,
            f64::MIN_POSITIVE / 3.0,
            1e300,
            f64::INFINITY,
            // Reads back wrong by a unit in the last place with readers that round twice.
            5e-324,
            9_007_199_254_740_993.0,
        ];
        let mut kept = Kept::default();
        let text = file(&[
            line(place(u64::MAX), "f".into(), &values),
            line(place(2), "f".into(), &[f64::NAN]),
        ]);
        assert_eq!(kept.read("k", &text), Ok(Vec::new()));
        let found = kept.values(&place(u64::MAX), "f", 7).unwrap();
        assert!(same(&found, &values), "{found:?}");
        assert!(kept.values(&place(2), "f", 1).unwrap()[0].is_nan());
        assert_eq!(kept.values(&place(2), "f", 2), None, "of another number of rows");
        assert_eq!(kept.values(&place(2), "g", 1), None, "of something else");
        assert_eq!(kept.values(&place(3), "f", 1), None);
    }

    #[test]
    fn what_a_crash_leaves_is_skipped_and_said() {
        let whole = line(place(1), "f".into(), &[1.5]);
        let half = &whole[..20];
        let mut kept = Kept::default();
        // It was gone on with after the crash, and crashed again.
        let text = format!("{KEPT_HEAD}\n{half}\n{whole}\n{half}");
        let notes = kept.read("k", &text).unwrap();
        assert_eq!(
            notes,
            [
                "k:2: the line is broken and left out",
                "k:4: the line is broken and left out"
            ]
        );
        assert_eq!(kept.values(&place(1), "f", 1), Some(vec![1.5]));
        for beginning in ["", &KEPT_HEAD[..7], KEPT_HEAD] {
            assert_eq!(
                Kept::default().read("k", beginning),
                Ok(Vec::new()),
                "{beginning}"
            );
        }
    }

    #[test]
    fn runs_that_contradict_each_other_are_not_used() {
        let [one, other] = [1.5, 2.5].map(|value| line(place(1), "f".into(), &[value]));
        let mut kept = Kept::default();
        assert_eq!(kept.read("a", &file(&[one.clone(), one.clone()])), Ok(Vec::new()));
        let notes = kept.read("b", &file(&[other, one])).unwrap();
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].starts_with("b:2: the run is there already with other values"),
            "{notes:?}"
        );
        assert_eq!(kept.values(&place(1), "f", 1), None);
    }

    #[test]
    fn another_file_is_refused() {
        let message = Kept::default().read("t.md", "# A table\n").unwrap_err();
        assert!(
            message.starts_with("t.md:1:1: this is no file of finished runs"),
            "{message}"
        );
    }
}

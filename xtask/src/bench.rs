//! Benchmarks: what is measured, and what came out. The parts that measure and report are the modules below.

use anyhow::{Result, bail};
use serde::Deserialize;

mod chart;
pub mod chromium;
pub mod file;
pub mod flows;
pub mod growth;
pub mod machine;
pub mod memory;
pub mod native;
pub mod queues;
pub mod report;
mod rival;
mod spread;

/// The package that holds the cases, natively and as a wasm module.
pub const PACKAGE: &str = "flowglass-bench";

/// What a case is measured for; `crates/bench/src/cases.rs` says it in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Packet-hops per second.
    Rate,
    /// The whole fabric.
    Scale,
    /// Time per packet-hop against the number of NICs.
    Hosts,
    /// Against load.
    Load,
    /// Against the depth of queues.
    Depth,
}

impl Group {
    /// Whether a browser runs it too: growth is shown natively.
    pub fn in_browser(self) -> bool {
        matches!(self, Group::Rate | Group::Scale)
    }
}

/// One case, as the benchmark program lists it.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub group: Group,
    /// Where it is on its chart.
    pub at: f64,
    /// NICs in its fabric.
    pub nics: u32,
    /// The fabric in a few words.
    pub fabric: String,
    /// The peer's connection matrix that is the same case.
    pub peer_matrix: Option<String>,
}

/// What a run did: equal wherever and whenever the case runs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Outcome {
    /// One packet over one link, each.
    pub packet_hops: u64,
    /// Packets handed to the fabric.
    pub packets: u64,
    /// Events processed.
    pub events: u64,
    /// Simulated time, in picoseconds.
    pub simulated_ps: u64,
    /// The run digest.
    pub digest: String,
}

/// One run of one case.
#[derive(Clone, Debug, Deserialize)]
pub struct Sample {
    /// The case's name.
    pub case: String,
    /// Threads that it was allowed.
    #[serde(default = "one")]
    pub threads: u32,
    /// Seconds to build the run.
    pub build_s: f64,
    /// Seconds to run it, by the clock on the wall.
    pub run_s: f64,
    /// CPU seconds that the run's thread used meanwhile, where the system tells.
    pub cpu_s: Option<f64>,
    /// Natively the process's largest resident size, in Chromium the size of the wasm memory; in bytes.
    pub memory_bytes: Option<u64>,
    /// What the run did.
    pub outcome: Outcome,
}

fn one() -> u32 {
    1
}

/// All runs of one case.
pub struct Measured {
    /// Which.
    pub case: Case,
    /// What each of them did.
    pub outcome: Outcome,
    /// Natively, by one thread; empty when that was not asked for.
    pub native: Vec<Sample>,
    /// In Chromium; likewise.
    pub chromium: Vec<Sample>,
    /// Natively by more threads; likewise.
    pub threaded: Vec<Sample>,
}

/// Chooses cases by their names or their numbers of NICs; none means all.
///
/// # Errors
/// When a word names no case.
pub fn select(cases: Vec<Case>, words: &[String]) -> Result<Vec<Case>> {
    let named = |case: &Case, word: &str| case.name == word || case.nics.to_string() == word;
    for word in words {
        if !cases.iter().any(|case| named(case, word)) {
            let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
            bail!(
                "--cases: {word} is neither a case nor a number of NICs of one; the cases are {}",
                names.join(", ")
            );
        }
    }
    let wanted = |case: &Case| words.is_empty() || words.iter().any(|word| named(case, word));
    Ok(cases.into_iter().filter(wanted).collect())
}

/// Sorts the runs by case.
///
/// # Errors
/// When two runs of a case did not do the same: then they measured different things, and determinism is broken.
pub fn gather(cases: Vec<Case>, native: Vec<Sample>, chromium: Vec<Sample>) -> Result<Vec<Measured>> {
    cases
        .into_iter()
        .map(|case| {
            let of = |samples: &[Sample]| -> Vec<Sample> {
                let samples = samples.iter().filter(|sample| sample.case == case.name);
                samples.cloned().collect()
            };
            let (threaded, native): (Vec<Sample>, Vec<Sample>) =
                of(&native).into_iter().partition(|sample| sample.threads > 1);
            let chromium = of(&chromium);
            let mut samples = native.iter().chain(&chromium).chain(&threaded);
            let Some(outcome) = samples.next().map(|first| first.outcome.clone()) else {
                bail!("{} was not run", case.name);
            };
            if let Some(other) = samples.find(|sample| sample.outcome != outcome) {
                bail!(
                    "two runs of {} differ, which no two runs may, native or in Chromium, by one thread or several:\n{outcome:?}\n{:?}",
                    case.name,
                    other.outcome
                );
            }
            Ok(Measured {
                case,
                outcome,
                native,
                chromium,
                threaded,
            })
        })
        .collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn case(name: &str, nics: u32) -> Case {
        Case {
            name: name.into(),
            group: Group::Rate,
            at: f64::from(nics),
            nics,
            fabric: "a fabric".into(),
            peer_matrix: None,
        }
    }

    pub fn sample(case: &str, run_s: f64, digest: &str) -> Sample {
        Sample {
            case: case.into(),
            threads: 1,
            build_s: 0.001,
            run_s,
            cpu_s: Some(run_s / 2.0),
            memory_bytes: Some(5_250_000),
            outcome: Outcome {
                packet_hops: 4_000_000,
                packets: 1_000_000,
                events: 4_000_123,
                simulated_ps: 53_612_000,
                digest: digest.into(),
            },
        }
    }

    #[test]
    fn cases_are_chosen_by_name_or_size() {
        let all = || vec![case("perm128", 128), case("mrc128", 128), case("perm1024", 1024)];
        let names = |words: &[&str]| -> Vec<String> {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let chosen = select(all(), &words).unwrap();
            chosen.into_iter().map(|case| case.name).collect()
        };
        assert_eq!(names(&[]), ["perm128", "mrc128", "perm1024"]);
        assert_eq!(names(&["128"]), ["perm128", "mrc128"]);
        assert_eq!(names(&["perm1024", "mrc128"]), ["mrc128", "perm1024"]);
        let error = select(all(), &["12".into()]).unwrap_err().to_string();
        assert!(
            error.contains("12 is neither") && error.contains("perm1024"),
            "{error}"
        );
    }

    #[test]
    fn runs_that_differ_are_refused() {
        let cases = || vec![case("a", 1)];
        let same = gather(cases(), vec![sample("a", 1.0, "1")], vec![sample("a", 2.0, "1")]).unwrap();
        assert_eq!((same[0].native.len(), same[0].chromium.len()), (1, 1));
        let two = Sample {
            threads: 2,
            ..sample("a", 1.0, "1")
        };
        let threads = gather(cases(), vec![two, sample("a", 1.0, "1")], vec![]).unwrap();
        assert_eq!((threads[0].native.len(), threads[0].threaded.len()), (1, 1));
        let differ = gather(cases(), vec![sample("a", 1.0, "1")], vec![sample("a", 1.0, "2")]);
        assert!(differ.err().unwrap().to_string().contains("two runs of a differ"));
        assert!(gather(cases(), vec![sample("b", 1.0, "1")], vec![]).is_err());
    }
}

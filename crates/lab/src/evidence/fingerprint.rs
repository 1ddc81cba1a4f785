//! What a run of the evidence depends on, as a short text: two runs with the same fingerprint yield the same values.

use crate::evidence::experiment::{Case, Work};
use crate::evidence::runner::{host_scenario_of, scenario_of};
use crate::one::run_one;
use scenario::find_preset;
use scenario::host::find_host_preset;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Hex digits of a fingerprint: 128 bits.
const DIGITS: usize = 32;
/// Short runs whose digests stand for how fabrics behave, of both transports; our choice.
const PROBES: [&str; 2] = ["incast", "roce-pfc-incast"];
/// The same for hosts.
const HOST_PROBE: &str = "host-first-packet";
/// Fields of a scenario that say nothing of its run.
const WORDS: [&str; 2] = ["name", "about"];

/// Of a case's run with one seed: of the program's version and of how it simulates, of the scenario, and of what is measured.
/// None where the run can't be built, and so has no values either.
pub(crate) fn fingerprint(case: &Case, seed: u64) -> Option<String> {
    let mut parts = vec![env!("CARGO_PKG_VERSION").to_owned()];
    match &case.work {
        Work::Simulate { preset, changes, .. } => {
            let scenario = scenario_of(preset, changes).ok()?;
            parts.push(without_words(scenario.to_json_with_defaults()));
            parts.push(fabrics().into());
        }
        Work::Host { preset, changes, .. } => {
            let scenario = host_scenario_of(preset, changes).ok()?;
            parts.push(without_words(serde_json::to_value(scenario).ok()?));
            parts.push(hosts().into());
        }
        Work::Seeded(_) => parts.extend([fabrics().into(), hosts().into()]),
        Work::Compute(_) | Work::NotSimulated(_) | Work::Input(_) => return None,
    }
    parts.push(seed.to_string());
    parts.extend(
        case.rows
            .iter()
            .map(|row| format!("{} {}", row.quantity, row.unit)),
    );
    let mut hash = Sha256::new();
    for part in &parts {
        // With its length, so that parts can't run into each other.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut text: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(DIGITS);
    Some(text)
}

fn without_words(mut scenario: Value) -> String {
    if let Some(fields) = scenario.as_object_mut() {
        // The seed is that of the run.
        fields.retain(|name, _| name != "seed" && !WORDS.contains(&name.as_str()));
    }
    scenario.to_string()
}

/// The digests of some short runs: versions change more rarely than what is simulated.
fn fabrics() -> &'static str {
    static FABRICS: OnceLock<String> = OnceLock::new();
    FABRICS.get_or_init(|| {
        let digest = |slug: &str| {
            let scenario = find_preset(slug)?.scenario();
            let run = run_one(&scenario, |_| ControlFlow::Continue(())).ok()??;
            Some(format!("{:016x}", run.digest))
        };
        PROBES.map(|slug| digest(slug).unwrap_or_default()).join(" ")
    })
}

/// The same for hosts.
fn hosts() -> &'static str {
    static HOSTS: OnceLock<String> = OnceLock::new();
    HOSTS.get_or_init(|| {
        let digest = || {
            let mut run = host::Run::new(&find_host_preset(HOST_PROBE)?.scenario()).ok()?;
            run.run_until(kernel::Time::MAX);
            Some(format!("{:016x}", run.digest()))
        };
        digest().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::{Known, Row};
    use serde_json::json;

    fn case(bytes: &str, quantity: &str) -> Case {
        Case {
            work: Work::Simulate {
                preset: "incast",
                changes: vec![("traffic[0].bytes", json!(bytes))],
                measure: Box::new(|_| Ok(vec![1.0])),
            },
            rows: vec![Row::number(quantity, "us", 1.0, Known::Question)],
            quick: true,
        }
    }

    #[test]
    fn what_a_run_depends_on_changes_it() {
        let of = |case: &Case, seed| fingerprint(case, seed).unwrap();
        let first = of(&case("1MB", "time"), 1);
        assert_eq!(first.len(), 32);
        assert_eq!(of(&case("1000kB", "time"), 1), first, "the same in other words");
        for other in [
            of(&case("2MB", "time"), 1),
            of(&case("1MB", "time"), 2),
            of(&case("1MB", "rate"), 1),
        ] {
            assert_ne!(other, first);
        }
    }

    #[test]
    fn what_cannot_be_run_has_none() {
        assert_eq!(fingerprint(&case("many", "time"), 1), None);
    }

    #[test]
    fn every_probe_is_a_preset_that_runs() {
        assert!(
            fabrics().split(' ').all(|digest| digest.len() == 16),
            "{}",
            fabrics()
        );
        assert_eq!(hosts().len(), 16);
    }
}

//! The recorded counts, and how far from them is too far.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::Count;
use crate::root;

/// How far a count may be from the recorded one, as a share of it. A new compiler or a harmless change stays within;
/// to let a gain be lost again step by step it is too little.
const TOLERANCE: f64 = 0.03;

/// How a new count becomes the recorded one.
const HOW: &str = "`cargo xtask count --record`";

/// Instructions for a packet-hop by case.
pub type Recorded = BTreeMap<String, f64>;

fn path() -> PathBuf {
    root().join("tests").join("instructions.json")
}

/// Reads the recorded counts.
pub fn read() -> Result<Recorded> {
    let path = path();
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| {
        format!(
            "{} should be an object with a number for each case",
            path.display()
        )
    })
}

/// Records these counts, to a tenth of an instruction.
pub fn write(counts: &[Count]) -> Result<()> {
    let tenths = |count: &Count| (count.per_packet_hop() * 10.0).round() / 10.0;
    let recorded: Recorded = counts
        .iter()
        .map(|count| (count.case.clone(), tenths(count)))
        .collect();
    let path = path();
    let text = serde_json::to_string_pretty(&recorded)? + "\n";
    fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}

/// Compares, and says so case by case.
///
/// # Errors
/// When a count is outside its bounds, above or below: then what to do is in the error.
pub fn check(counts: &[Count], recorded: &Recorded) -> Result<String> {
    let (mut text, mut above, mut below) = (String::new(), Vec::new(), Vec::new());
    for count in counts {
        let case = count.case.as_str();
        let now = count.per_packet_hop();
        let &was = recorded
            .get(case)
            .with_context(|| format!("no count is recorded for {case}; {HOW} does"))?;
        let change = 100.0 * (now / was - 1.0);
        writeln!(
            text,
            "{case:10} {now:8.1} wasm instructions per packet-hop, recorded {was:8.1}, {change:+.1} %"
        )?;
        if now > was * (1.0 + TOLERANCE) {
            above.push(case);
        } else if now < was * (1.0 - TOLERANCE) {
            below.push(case);
        }
    }
    let percent = 100.0 * TOLERANCE;
    if !above.is_empty() {
        bail!(
            "{text}{} more than {percent} % above the recorded count: the simulator does more work for the same packets. \
             If that is meant, say why in the commit and record it by {HOW}",
            above.join(", ")
        );
    }
    if !below.is_empty() {
        bail!(
            "{text}{} more than {percent} % below the recorded count: record the improvement by {HOW}, so that it cannot \
             be lost unseen",
            below.join(", ")
        );
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(case: &str, run_instructions: u64) -> Count {
        Count {
            case: case.into(),
            build_instructions: 1,
            run_instructions,
            packet_hops: 1_000,
        }
    }

    #[test]
    fn within_the_tolerance_counts_pass_and_outside_they_name_the_case_and_the_remedy() {
        let recorded = Recorded::from([("a".into(), 100.0), ("b".into(), 200.0)]);
        let text = check(&[count("a", 103_000), count("b", 194_000)], &recorded).unwrap();
        assert_eq!(
            text.lines().next(),
            Some("a             103.0 wasm instructions per packet-hop, recorded    100.0, +3.0 %")
        );
        let error = |counts: &[Count]| check(counts, &recorded).unwrap_err().to_string();
        let slower = error(&[count("a", 103_100), count("b", 200_000)]);
        assert!(
            slower.contains("\na more than 3 % above") && slower.contains(HOW),
            "{slower}"
        );
        let faster = error(&[count("a", 100_000), count("b", 193_000)]);
        assert!(
            faster.contains("\nb more than 3 % below") && faster.contains(HOW),
            "{faster}"
        );
        assert!(error(&[count("c", 1)]).contains("no count is recorded for c"));
    }

    #[test]
    fn a_count_is_recorded_for_every_case_that_is_guarded() {
        let recorded = read().unwrap();
        let guarded = crate::commands::count::GUARDED;
        assert!(recorded.keys().map(String::as_str).eq(guarded), "{recorded:?}");
        assert!(recorded.values().all(|&count| count > 1.0));
    }
}

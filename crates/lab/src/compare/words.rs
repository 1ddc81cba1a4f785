//! A comparison in words.

use super::pair::{Paired, Verdict};
use super::report::SideReport;
use crate::dip::{Before, first_fault_of};
use crate::number::{significant, with_interval};
use crate::report::Metric;
use crate::row::{RunResult, plain};
use scenario::Scenario;
use std::collections::BTreeSet;

/// Digits of a ratio.
const RATIO_DIGITS: usize = 3;

/// The letter of a scenario of a comparison, counted from 0: A, B, …
pub fn letter(side: usize) -> char {
    ('A'..='Z').nth(side).unwrap_or('?')
}

/// What a figure came to, as one sentence. It claims a difference only where the intervals exclude that there is none.
pub(super) fn sentence([first, other]: [char; 2], paired: &Paired) -> String {
    let metric = paired.metric;
    let unit = match metric.unit() {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let n = paired.n;
    let name = metric.name();
    let difference = with_interval(paired.difference.mean, paired.difference.ci95);
    let mut text = match (paired.verdict, paired.ratio.and_then(|r| Some((r.mean, r.ci95?)))) {
        (Verdict::Same, _) => {
            format!("{name}: no difference, both are the same with every seed ({n} of {n})")
        }
        (Verdict::OneSeed, _) => {
            let [a, b] = [paired.first.mean, paired.other.mean].map(|value| significant(value, 4));
            format!("{name}: {first} {a}{unit}, {other} {b}{unit}; one seed says nothing about others")
        }
        (Verdict::NotShown, _) => format!(
            "{name}: no difference is shown, {other} − {first} is {difference}{unit} (higher with {} of {n} seeds, lower with {})",
            paired.higher, paired.lower
        ),
        (Verdict::Higher | Verdict::Lower, ratio) => {
            let (word, times) = match paired.verdict {
                Verdict::Higher => ("higher", paired.higher),
                _ => ("lower", paired.lower),
            };
            match ratio {
                Some((mean, [low, high])) => {
                    let [mean, low, high] = [mean, low, high].map(|value| significant(value, RATIO_DIGITS));
                    format!(
                        "{name}: {other}'s is {mean} ({low} to {high}) times {first}'s, {word} with {times} of {n} seeds"
                    )
                }
                None => format!(
                    "{name}: {other} − {first} is {difference}{unit}, {word} with {times} of {n} seeds"
                ),
            }
        }
    };
    if paired.left_out > 0 {
        text += &format!("; {} left out, where only one has it", seeds(paired.left_out));
    }
    text
}

/// So many seeds.
fn seeds(count: usize) -> String {
    format!("{count} {}", if count == 1 { "seed" } else { "seeds" })
}

/// What is to be known before these figures are read. `runs` are those of each seed.
pub(super) fn remarks<'a>(
    sides: [&SideReport; 2],
    metrics: &[Metric],
    runs: impl Iterator<Item = &'a [Option<&'a RunResult>; 2]> + Clone,
) -> Vec<String> {
    let mut remarks = Vec::new();
    let dips_matter = metrics.iter().any(|metric| metric.is_of_dip());
    for side in sides {
        let (letter, done) = (side.letter, side.point.done);
        if side.point.complete < done {
            remarks.push(match side.point.complete {
                0 => format!("{letter} finished every flow with no seed: it has no completion or step times"),
                some => format!(
                    "{letter} finished every flow with {some} of {done} seeds only: completion and step times are those of these"
                ),
            });
        }
        if side.point.failed > 0 {
            remarks.push(format!(
                "{letter} could not be run with {}",
                seeds(side.point.failed)
            ));
        }
        if side.point.deadlocks > 0 {
            remarks.push(format!(
                "{letter} came to a deadlock of paused links with {} of {done} seeds",
                side.point.deadlocks
            ));
        }
        if dips_matter && side.not_back > 0 {
            remarks.push(match side.not_back {
                all if all == done => format!("{letter}'s dip was not seen to come back with any seed"),
                some => format!(
                    "{letter}'s dip was not seen to come back with {some} of {done} seeds: its recovery is that of the others"
                ),
            });
        }
    }
    if !dips_matter {
        return remarks;
    }
    let dips = |side: usize| runs.clone().filter_map(move |runs| runs[side]?.dip.as_ref());
    let widths: Vec<BTreeSet<u64>> = [0, 1]
        .map(|side| {
            dips(side)
                .filter_map(|dip| match dip.before {
                    Before::Goodput { bin_us, .. } => Some(bin_us.to_bits()),
                    Before::Steps { .. } => None,
                })
                .collect()
        })
        .into();
    let [first, other] = sides.map(|side| side.letter);
    if let ([Some(a), Some(b)], true) = ([widths[0].first(), widths[1].first()], widths[0] != widths[1]) {
        let [a, b] = [a, b].map(|bits| f64::from_bits(*bits));
        remarks.push(format!(
            "dips are seen in bins of {a} µs with {first} and of {b} µs with {other}: narrower bins show deeper dips"
        ));
    }
    let known = [0, 1].map(|side| dips(side).count());
    for (side, letter) in [(0, first), (1, other)] {
        if known[side] == 0 && known[1 - side] > 0 {
            remarks.push(format!(
                "{letter}'s dip is not known: it has no fault, or no steady traffic on both sides of it"
            ));
        }
    }
    remarks
}

/// Which fault the dip of a scenario belongs to, where it has several; one sentence for both where they have the same.
pub(super) fn faults(sides: [(char, &Scenario); 2]) -> Vec<String> {
    let [first, other] = sides.map(|(letter, scenario)| (letter, fault_of_dip(scenario)));
    match (first, other) {
        ((_, Some(a)), (_, Some(b))) if a == b => vec![format!("the dip is that of {a}")],
        both => [both.0, both.1]
            .into_iter()
            .filter_map(|(letter, fault)| Some(format!("{letter}'s dip is that of {}", fault?)))
            .collect(),
    }
}

/// The fault that a dip belongs to, with its kind, its time and its other fields; none where there is only one, or none has a dip.
fn fault_of_dip(scenario: &Scenario) -> Option<String> {
    let breaking = scenario
        .faults
        .iter()
        .filter(|fault| !fault.what.is_repair())
        .count();
    if breaking < 2 {
        return None;
    }
    let (time, cause) = first_fault_of(scenario, &scenario.flows())?;
    let fault = serde_json::to_value(&scenario.faults[cause]).ok()?;
    let fields = fault.as_object()?;
    let text = |name: &str| fields.get(name).map(plain).unwrap_or_default();
    let rest = fields
        .iter()
        .filter(|(name, _)| !["kind", "at"].contains(&name.as_str()));
    let rest: String = rest
        .map(|(name, value)| format!(", {name} {}", plain(value)))
        .collect();
    Some(format!(
        "the first of {breaking} faults that comes after traffic has begun: {} at {} µs{rest}",
        text("kind"),
        time.0 as f64 / 1e6
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(metric: Metric, values: &[[f64; 2]]) -> String {
        let values: Vec<_> = values.iter().map(|pair| pair.map(Some)).collect();
        sentence(
            ['A', 'B'],
            &Paired::of(metric, &values).expect("there are values"),
        )
    }

    #[test]
    fn a_difference_is_claimed_where_the_interval_excludes_none() {
        // Ratios 2, 2.1, 1.9: logarithms 0.6931, 0.7419, 0.6419, mean 0.69230, s 0.05005, half width 4.30265 · s / √3 = 0.12434:
        // 1.998 (1.765 to 2.263).
        assert_eq!(
            of(Metric::FctP99, &[[10.0, 20.0], [10.0, 21.0], [10.0, 19.0]]),
            "FCT p99: B's is 2.00 (1.76 to 2.26) times A's, higher with 3 of 3 seeds"
        );
        assert_eq!(
            of(Metric::Goodput, &[[20.0, 10.0], [21.0, 10.0], [19.0, 10.0]]),
            "Goodput: B's is 0.500 (0.442 to 0.567) times A's, lower with 3 of 3 seeds"
        );
        // Differences 5, 6, 7: mean 6, half width 2.48.
        assert_eq!(
            of(Metric::DipDepth, &[[0.0, 5.0], [0.0, 6.0], [0.0, 7.0]]),
            "Dip depth: B − A is 6.0 ± 2.5 %, higher with 3 of 3 seeds"
        );
    }

    #[test]
    fn nothing_is_claimed_otherwise() {
        assert_eq!(
            of(Metric::FctP50, &[[10.0, 11.0], [50.0, 52.0], [90.0, 93.0]]),
            "FCT p50: no difference is shown, B − A is 2.0 ± 2.5 µs (higher with 3 of 3 seeds, lower with 0)"
        );
        assert_eq!(
            of(Metric::Drops, &[[4.0, 4.0], [5.0, 5.0]]),
            "Drops: no difference, both are the same with every seed (2 of 2)"
        );
        assert_eq!(
            of(Metric::Drops, &[[4.0, 40.0]]),
            "Drops: A 4.000, B 40.00; one seed says nothing about others"
        );
    }

    #[test]
    fn seeds_that_are_left_out_are_told() {
        let values = [[Some(1.0), Some(1.0)], [None, Some(2.0)]];
        let paired = Paired::of(Metric::FctMax, &values).unwrap();
        assert_eq!(
            sentence(['A', 'C'], &paired),
            "FCT max: no difference, both are the same with every seed (1 of 1); 1 seed left out, where only one has it"
        );
    }

    #[test]
    fn of_several_faults_the_one_of_the_dip_is_named() {
        let one = crate::plan::tests::scenario();
        assert_eq!(
            faults([('A', &one), ('B', &one)]),
            [] as [String; 0],
            "there is only one"
        );
        let mut two = one.clone();
        two.faults[0].at = scenario::Time::us(40);
        two.faults.push(scenario::Fault {
            at: scenario::Time::us(30),
            what: scenario::FaultKind::SwitchDown {
                switch: "p0/t1.0".parse().unwrap(),
            },
        });
        // What comes first in time counts, not what stands first.
        let named = "dip is that of the first of 2 faults that comes after traffic has begun: switch_down at 30 µs, switch p0/t1.0";
        assert_eq!(faults([('A', &one), ('B', &two)]), [format!("B's {named}")]);
        assert_eq!(faults([('A', &two), ('B', &two)]), [format!("the {named}")]);
    }
}

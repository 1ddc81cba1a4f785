//! How a fault is recovered from: what happened after it, and when, in words.

use crate::units;
use serde::{Deserialize, Serialize};

/// When something happened first and last, in ps of simulated time, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    /// The first time; of no meaning while the count is 0.
    pub first_ps: u64,
    /// The last time.
    pub last_ps: u64,
    /// How often.
    pub count: u64,
}

/// One occurrence of a fault, and what it did so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occurrence {
    /// When it took effect.
    pub at_ps: u64,
    /// Links, switches or NICs that it changed.
    pub changes: u32,
    /// Packets of any kind that were lost to it.
    pub drops: Moments,
    /// When the data packets among them had been sent.
    pub sent: Moments,
    /// Their losses, as senders inferred them.
    pub inferred: Moments,
    /// EVs that went out of use because of them.
    pub out: Moments,
    /// Those that an EV in reserve stood in for at once.
    pub swapped: u64,
    /// Those that are back in use.
    pub back: Moments,
    /// NICs that noticed a port of theirs to be down.
    pub noticed: Moments,
}

/// A step of the recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Packets were lost.
    Lost,
    /// Senders inferred it.
    Inferred,
    /// EVs went out of use.
    Out,
    /// The last packet was sent into it.
    Avoided,
    /// NICs noticed their port.
    Noticed,
    /// EVs came back.
    Back,
}

/// One step in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it is.
    pub kind: Kind,
    /// How long after the fault it came first, in ps; below 0 for before it.
    pub after_ps: f64,
    /// What happened, in a few words.
    pub text: String,
}

impl Occurrence {
    fn after(&self, ps: u64) -> f64 {
        ps as f64 - self.at_ps as f64
    }

    /// How long after the fault the last packet was sent into it that was lost, in ps; 0 when none was sent into it after
    /// it. None while nothing has been lost.
    pub fn avoided_ps(&self) -> Option<f64> {
        (self.sent.count > 0).then(|| self.after(self.sent.last_ps).max(0.0))
    }

    /// What happened so far, in order of time.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut add = |kind, at: u64, text: String| {
            steps.push(Step {
                kind,
                after_ps: self.after(at),
                text,
            });
        };
        let until = |moments: &Moments| {
            if moments.last_ps > moments.first_ps {
                format!(", the last at {}", after(self.after(moments.last_ps)))
            } else {
                String::new()
            }
        };
        if self.drops.count > 0 {
            let lost = plural(self.drops.count, "packet");
            add(
                Kind::Lost,
                self.drops.first_ps,
                format!("first packet lost; {lost} in all"),
            );
        }
        if self.inferred.count > 0 {
            let count = units::count(self.inferred.count);
            add(
                Kind::Inferred,
                self.inferred.first_ps,
                format!("first loss inferred; {count} in all"),
            );
        }
        if self.out.count > 0 {
            let evs = plural(self.out.count, "EV");
            let swapped = match self.swapped {
                0 => String::new(),
                all if all == self.out.count => ", a reserve in each one's place".into(),
                some => format!(", a reserve in the place of {}", units::count(some)),
            };
            let last = until(&self.out);
            add(
                Kind::Out,
                self.out.first_ps,
                format!("{evs} out of use{swapped}{last}"),
            );
        }
        if self.sent.count > 0 {
            if self.sent.last_ps >= self.at_ps {
                add(
                    Kind::Avoided,
                    self.sent.last_ps,
                    "last packet sent into it".into(),
                );
            } else {
                let text = "nothing was sent into it after that; what was on its way got lost";
                add(Kind::Avoided, self.at_ps, text.into());
            }
        }
        if self.noticed.count > 0 {
            let ports = plural(self.noticed.count, "port");
            add(
                Kind::Noticed,
                self.noticed.first_ps,
                format!("NICs notice {ports} to be down"),
            );
        }
        if self.back.count > 0 {
            let evs = plural(self.back.count, "EV");
            let last = until(&self.back);
            add(Kind::Back, self.back.first_ps, format!("{evs} back in use{last}"));
        }
        steps.sort_by(|a, b| a.after_ps.total_cmp(&b.after_ps));
        steps
    }

    /// What has come of it, in a sentence.
    pub fn verdict(&self) -> String {
        match self.avoided_ps() {
            None if self.drops.count > 0 => {
                format!("{} lost, no data among them", plural(self.drops.count, "packet"))
            }
            None => "Nothing has been lost to it.".into(),
            Some(0.0) => "No data packet was sent into it.".into(),
            Some(ps) if self.is_used_again() => {
                format!(
                    "Used again and again, until {}: EVs came back while it lasted.",
                    after(ps)
                )
            }
            Some(ps) => format!("Avoided after {}.", units::span(ps)),
        }
    }

    /// True when it took packets on EVs that had been out of use because of it: probes got through.
    fn is_used_again(&self) -> bool {
        self.back.count > 0 && self.sent.count > 0 && self.back.first_ps < self.sent.last_ps
    }
}

/// What has come of all occurrences of a fault, in a sentence: of several, the one that took longest.
pub fn verdict(all: &[Occurrence]) -> Option<String> {
    if let [only] = all {
        return Some(only.verdict());
    }
    let avoided = |of: &Occurrence| of.avoided_ps().unwrap_or(-1.0);
    let worst = all.iter().max_by(|a, b| avoided(a).total_cmp(&avoided(b)))?;
    Some(match worst.avoided_ps() {
        Some(ps) if ps > 0.0 && !worst.is_used_again() => {
            format!("Avoided after {} at the latest.", units::span(ps))
        }
        _ => worst.verdict(),
    })
}

/// A time after the fault: `+21.3 µs`.
pub fn after(ps: f64) -> String {
    if ps < 0.0 {
        format!("−{}", units::span(-ps))
    } else {
        format!("+{}", units::span(ps))
    }
}

fn plural(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", units::count(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(first_us: u64, last_us: u64, count: u64) -> Moments {
        Moments {
            first_ps: first_us * 1_000_000,
            last_ps: last_us * 1_000_000,
            count,
        }
    }

    fn words(occurrence: &Occurrence) -> Vec<String> {
        let step = |step: Step| format!("{} {}", after(step.after_ps), step.text);
        occurrence.steps().into_iter().map(step).collect()
    }

    #[test]
    fn a_recovery_is_told_in_order_of_time() {
        let occurrence = Occurrence {
            at_ps: 100_000_000,
            changes: 1,
            drops: moments(100, 124, 40),
            sent: moments(98, 121, 33),
            inferred: moments(117, 130, 33),
            out: moments(117, 123, 4),
            swapped: 3,
            noticed: Moments::default(),
            back: moments(400, 400, 1),
        };
        assert_eq!(
            words(&occurrence),
            [
                "+0 ps first packet lost; 40 packets in all",
                "+17 µs first loss inferred; 33 in all",
                "+17 µs 4 EVs out of use, a reserve in the place of 3, the last at +23 µs",
                "+21 µs last packet sent into it",
                "+300 µs 1 EV back in use",
            ]
        );
        assert_eq!(occurrence.verdict(), "Avoided after 21 µs.");
    }

    #[test]
    fn a_path_whose_evs_come_back_is_not_said_to_be_avoided() {
        let lossy = Occurrence {
            at_ps: 100_000_000,
            changes: 1,
            drops: moments(101, 450, 90),
            sent: moments(101, 450, 80),
            inferred: moments(124, 460, 80),
            out: moments(124, 460, 70),
            back: moments(330, 440, 30),
            ..Occurrence::default()
        };
        assert_eq!(
            lossy.verdict(),
            "Used again and again, until +350 µs: EVs came back while it lasted."
        );
        let repaired = Occurrence {
            back: moments(500, 510, 70),
            ..lossy
        };
        assert_eq!(repaired.verdict(), "Avoided after 350 µs.");
    }

    #[test]
    fn of_several_occurrences_the_one_that_took_longest_counts() {
        let taking = |us: u64| Occurrence {
            at_ps: 100_000_000,
            drops: moments(100, 100 + us, 9),
            sent: moments(100, 100 + us, 9),
            ..Occurrence::default()
        };
        let control = Occurrence {
            at_ps: 300_000_000,
            drops: moments(300, 310, 2),
            ..Occurrence::default()
        };
        assert_eq!(verdict(&[]), None);
        assert_eq!(verdict(&[taking(21)]).unwrap(), "Avoided after 21 µs.");
        assert_eq!(
            verdict(&[taking(21), taking(70), taking(30), control.clone()]).unwrap(),
            "Avoided after 70 µs at the latest."
        );
        assert_eq!(
            verdict(&[control.clone(), control]).unwrap(),
            "2 packets lost, no data among them"
        );
    }

    #[test]
    fn what_was_on_its_way_is_told_apart() {
        let early = Occurrence {
            at_ps: 100_000_000,
            drops: moments(100, 100, 1),
            sent: moments(99, 99, 1),
            ..Occurrence::default()
        };
        assert_eq!(early.avoided_ps(), Some(0.0));
        assert_eq!(early.verdict(), "No data packet was sent into it.");
        assert_eq!(
            words(&early),
            [
                "+0 ps first packet lost; 1 packet in all",
                "+0 ps nothing was sent into it after that; what was on its way got lost",
            ]
        );
        let none = Occurrence::default();
        assert_eq!(
            (none.steps(), none.verdict()),
            (vec![], "Nothing has been lost to it.".into())
        );
        let control = Occurrence {
            drops: moments(5, 5, 2),
            ..none
        };
        assert_eq!(control.verdict(), "2 packets lost, no data among them");
    }
}

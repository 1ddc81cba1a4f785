//! What somebody who listens is told of a run: faults, and what was done about them, no more often than one can listen to.

use crate::message::{Mark, MarkKind};
use crate::units;

/// Least time between two sentences while the run goes on, in ms of wall-clock time: about what reading one out takes.
const PAUSE_MS: f64 = 3000.0;
/// So many events are named in a sentence; of more only the number is told.
const NAMED: usize = 3;

/// Remembers what was told.
#[derive(Clone, Debug)]
pub struct Herald {
    told: usize,
    last_ms: f64,
}

impl Default for Herald {
    fn default() -> Herald {
        Herald {
            told: 0,
            last_ms: f64::NEG_INFINITY,
        }
    }
}

impl Herald {
    /// A sentence about the marks that were not told of yet, if it is time for one: in any case while the run rests.
    pub fn tell(&mut self, marks: &[Mark], now_ms: f64, rests: bool) -> Option<String> {
        let worth: Vec<&Mark> = marks.iter().filter(|mark| is_worth(mark.kind)).collect();
        // Where the run took another way, there may be fewer than there were.
        self.told = self.told.min(worth.len());
        let news = &worth[self.told..];
        if news.is_empty() || (!rests && now_ms - self.last_ms < PAUSE_MS) {
            return None;
        }
        self.told = worth.len();
        self.last_ms = now_ms;
        let mut text = String::new();
        for mark in news.iter().take(NAMED) {
            if !text.is_empty() {
                text.push_str("; ");
            }
            text.push_str(&mark.text);
            text.push_str(" at ");
            text.push_str(&units::span(mark.at_ps as f64));
        }
        if let Some(more) = news.len().checked_sub(NAMED).filter(|more| *more > 0) {
            text.push_str("; and ");
            text.push_str(&units::count(more as u64));
            text.push_str(" more events");
        }
        Some(text)
    }
}

/// Faults, repairs, deadlocks and reactions; what happens all the time in a healthy run is not news.
fn is_worth(kind: MarkKind) -> bool {
    matches!(kind, MarkKind::Broke | MarkKind::Healed | MarkKind::Deadlock) || kind.is_reaction()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(at_us: u64, kind: MarkKind, text: &str) -> Mark {
        Mark {
            at_ps: at_us * 1_000_000,
            kind,
            text: text.into(),
            target: None,
        }
    }

    #[test]
    fn faults_and_reactions_are_told_once_and_not_too_often() {
        let mut herald = Herald::default();
        let mut marks = vec![
            mark(100, MarkKind::Broke, "p1/t0.0-t1.2 down"),
            mark(101, MarkKind::Flow, "Flow 3 complete"),
        ];
        assert_eq!(
            herald.tell(&marks, 0.0, false).as_deref(),
            Some("p1/t0.0-t1.2 down at 100 µs")
        );
        assert_eq!(herald.tell(&marks, 9000.0, false), None, "once");
        marks.push(mark(112, MarkKind::Inferred, "QP 0 infers a loss"));
        assert_eq!(herald.tell(&marks, 2999.0, false), None, "too soon");
        assert_eq!(
            herald.tell(&marks, 3000.0, false).as_deref(),
            Some("QP 0 infers a loss at 112 µs")
        );
        // A run that rests has said its last word for now.
        marks.push(mark(120, MarkKind::EvsLost, "8 EVs out of use"));
        assert_eq!(
            herald.tell(&marks, 3001.0, true).as_deref(),
            Some("8 EVs out of use at 120 µs")
        );
    }

    #[test]
    fn of_many_only_the_number_is_told() {
        let marks: Vec<Mark> = (0..1000)
            .map(|at| mark(at, MarkKind::Port, "port down"))
            .collect();
        let text = Herald::default().tell(&marks, 0.0, false).unwrap();
        assert_eq!(text.matches("port down").count(), 3);
        assert!(text.ends_with("; and 997 more events"), "{text}");
    }

    #[test]
    fn another_way_is_told_of_again() {
        let mut herald = Herald::default();
        let marks = [mark(1, MarkKind::Broke, "a"), mark(2, MarkKind::Healed, "b")];
        herald.tell(&marks, 0.0, true);
        assert_eq!(herald.tell(&marks[..1], 1.0, true), None);
        let other = [marks[0].clone(), mark(3, MarkKind::Broke, "c")];
        assert_eq!(herald.tell(&other, 2.0, true).as_deref(), Some("c at 3 µs"));
    }
}

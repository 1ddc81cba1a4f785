//! Faults by hand. What is done to one run is done to all, at the same simulated time: first where it was asked for, where the
//! worker says what it comes to, then in the others. Where it can't be done, the page says so.

use super::CompareApp;
use lab::compare::letter;
use scenario::FaultKind;
use std::collections::VecDeque;
use view::inspect::Target;
use view::words;

/// What somebody wants to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Break or heal something.
    Inject(FaultKind),
    /// Break what works, heal what does not.
    Toggle(Target),
}

/// What is under way.
struct UnderWay {
    // The pane where it was asked for.
    by: u32,
    // Faults that it had before.
    had: usize,
    // The panes that have not answered yet, with how many answers are due.
    due: Vec<(u32, usize)>,
    // Where it could not be done, and why.
    missing: Vec<String>,
    // Something was done.
    changed: bool,
}

/// Deeds: one under way, and those that wait until all runs are at the same time.
#[derive(Default)]
pub struct Hands {
    waiting: VecDeque<(u32, Deed)>,
    under_way: Option<UnderWay>,
}

/// Deeds that may wait. Nobody clicks faster than slices end; what does is no person.
const MOST_WAITING: usize = 64;

impl Hands {
    /// True when one is under way.
    pub fn are_busy(&self) -> bool {
        self.under_way.is_some()
    }

    /// The pane with this number is gone, or will not answer any more.
    pub fn forget(&mut self, number: u32) {
        self.waiting.retain(|(by, _)| *by != number);
        if let Some(under_way) = &mut self.under_way {
            under_way.due.retain(|(pane, _)| *pane != number);
            if under_way.due.is_empty() {
                self.under_way = None;
            }
        }
    }
}

impl CompareApp {
    /// Somebody did something in the pane with this number.
    pub(super) fn by_hand(&mut self, number: u32, deed: Deed) {
        if self.hands.waiting.len() < MOST_WAITING {
            self.hands.waiting.push_back((number, deed));
        }
        if self.goal.is_none() {
            self.next_hand();
        }
    }

    /// Begins the next deed, if there is one and all are at the same time. False when there is nothing to wait for.
    pub(super) fn next_hand(&mut self) -> bool {
        if self.hands.are_busy() {
            return true;
        }
        if self.is_loading() || self.stepping.is_some() {
            return false;
        }
        while let Some((number, deed)) = self.hands.waiting.pop_front() {
            let Some(place) = self.place(number) else {
                continue;
            };
            let pane = &mut self.panes[place];
            if !pane.is_ready() || pane.is_over() {
                let why = format!("Run {} is over. Restart, and break it before.", letter(place));
                self.tell(false, "Nothing can break any more", vec![why]);
                continue;
            }
            let under_way = UnderWay {
                by: number,
                had: pane.scenario.faults.len(),
                due: vec![(number, 1)],
                missing: Vec::new(),
                changed: false,
            };
            match deed {
                Deed::Inject(fault) => pane.inject(fault),
                Deed::Toggle(target) => pane.toggle(target),
            }
            self.hands.under_way = Some(under_way);
            return true;
        }
        false
    }

    /// A pane's faults took effect, or were refused.
    pub(super) fn faults(&mut self, place: usize, refused: Option<String>) {
        let Some(mut under_way) = self.hands.under_way.take() else {
            return;
        };
        let number = self.panes[place].number();
        let Some(due) = under_way.due.iter_mut().find(|(pane, _)| *pane == number) else {
            self.hands.under_way = Some(under_way);
            return;
        };
        due.1 -= 1;
        under_way.due.retain(|(_, answers)| *answers > 0);
        let is_first = number == under_way.by;
        match refused {
            Some(why) if is_first => self.tell(true, "That cannot be broken or healed", vec![why]),
            Some(why) => under_way
                .missing
                .push(format!("Not in run {}: {why}", letter(place))),
            None if is_first => self.do_likewise(place, &mut under_way),
            None => {}
        }
        if under_way.due.is_empty() {
            self.done(under_way);
        } else {
            self.hands.under_way = Some(under_way);
        }
    }

    /// Does in all others what was done in one.
    fn do_likewise(&mut self, place: usize, under_way: &mut UnderWay) {
        let faults = &self.panes[place].scenario.faults;
        let added: Vec<FaultKind> = faults
            .iter()
            .skip(under_way.had)
            .map(|fault| fault.what.clone())
            .collect();
        under_way.changed = !added.is_empty();
        if let Some(fault) = faults.last().filter(|_| !added.is_empty()) {
            let at = view::units::span(fault.at.0 as f64);
            self.announcement = format!("{} at {at}, in all runs", words::fault(&fault.what));
        }
        for (other, pane) in self.panes.iter_mut().enumerate() {
            if other == place || added.is_empty() {
                continue;
            }
            if !pane.is_ready() || pane.is_over() {
                under_way
                    .missing
                    .push(format!("Not in run {}: it is over", letter(other)));
                continue;
            }
            under_way.due.push((pane.number(), added.len()));
            added.iter().for_each(|fault| pane.inject(fault.clone()));
        }
    }

    /// A deed is done everywhere. All go to the same time again: a fault takes a picosecond.
    fn done(&mut self, under_way: UnderWay) {
        if !under_way.missing.is_empty() {
            self.tell(false, "The fault is not in all runs", under_way.missing);
        }
        if under_way.changed {
            self.keep_address();
        }
        let now = self.now_ps();
        self.go_to(now, true);
    }
}

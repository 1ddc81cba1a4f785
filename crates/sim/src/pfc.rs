//! What priority flow control does in a run, and whether it has come to a deadlock.
//!
//! A deadlock is paused links that wait for each other in a circle: once there it stays, so somebody who looks from time to time
//! finds each. He looks between two windows, at times that depend on nothing else.

use crate::observer::Observer;
use crate::run::{Change, Sim};
use fabric::{Clos, LinkKind};
use kernel::Time;
use scenario::LinkName;
use serde::Serialize;

/// How often somebody looks for a deadlock (our choice).
const LOOK_EVERY: Time = Time(100_000_000);

/// Paused links that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// When it was found, ps: at most 100 µs after it came to be.
    pub at_ps: u64,
    /// The directed links, each of which waits for the next one, and the last for the first.
    pub links: Vec<u32>,
}

/// A deadlock, in results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeadlockResult {
    /// When it was found, µs.
    pub at_us: f64,
    /// Its links, each by the scenario's name of the cable and the direction: `up` or `down`.
    pub links: Vec<String>,
}

/// What priority flow control did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PfcSummary {
    /// PAUSE frames sent, those that say to go on not counted.
    pub pauses: u64,
    /// Time that links were paused, all of them together, µs.
    pub paused_us: f64,
    /// The first deadlock; null where there was none.
    pub deadlock: Option<DeadlockResult>,
}

/// A directed link's name: its cable's, and the direction.
pub(crate) fn name_of(clos: &Clos, link: u32) -> String {
    let end = clos.describe(link);
    let plane = end.plane;
    let (lower, upper) = (end.lower, end.upper);
    let cable = match end.kind {
        LinkKind::NicUp | LinkKind::NicDown => LinkName::Nic { plane, nic: lower },
        LinkKind::Up | LinkKind::Down => LinkName::T0T1 {
            plane,
            t0: lower,
            t1: upper,
        },
        LinkKind::CoreUp | LinkKind::CoreDown => LinkName::T1T2 {
            plane,
            t1: lower,
            t2: upper,
        },
    };
    format!("{cable} {}", if end.kind.is_upward() { "up" } else { "down" })
}

impl<O: Observer> Sim<O> {
    /// Paused links that wait for each other, once they were found.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        self.deadlock.as_ref()
    }

    /// What priority flow control did so far; none where there is none.
    pub fn pfc_summary(&self) -> Option<PfcSummary> {
        self.network.config().pfc?;
        let links = 0..self.clos().links();
        let paused_ps: u64 = links.map(|link| self.network.pauses_on(link, self.now).0).sum();
        Some(PfcSummary {
            pauses: self.network.counters().pauses,
            paused_us: paused_ps as f64 / 1e6,
            deadlock: self.deadlock.as_ref().map(|deadlock| DeadlockResult {
                at_us: deadlock.at_ps as f64 / 1e6,
                links: deadlock
                    .links
                    .iter()
                    .map(|&link| name_of(self.clos(), link))
                    .collect(),
            }),
        })
    }

    /// Has somebody look, where links can be paused.
    pub(crate) fn schedule_look(&mut self, now: Time) {
        if self.network.config().pfc.is_some() {
            self.faults.insert((now.saturating_add(LOOK_EVERY), Change::Look));
        }
    }

    /// Looks for a deadlock.
    pub(crate) fn look_for_deadlock(&mut self, now: Time) {
        match self.network.deadlock() {
            Some(links) => {
                self.watcher.deadlock(now, &links);
                self.deadlock = Some(Deadlock { at_ps: now.0, links });
            }
            None => self.schedule_look(now),
        }
    }
}

//! Faults as single changes at their times.

use super::effect::{Effect, FaultEvent};
use super::flap::{Lengths, changes};
use crate::limits;
use crate::place::LinkName;
use crate::quantity::Time;
use crate::schema::{Direction, Fault, FaultKind, Scenario, Tier};
use kernel::rng::{Sequence, key};
use std::collections::BTreeMap;

/// Domains of the random choices; see [`kernel::rng::key`].
const FLAP: u64 = 0x666c_6170;
const CHOICE: u64 = 0x6c69_6e6b;

impl Scenario {
    /// All faults as events, in order of time; of one time, in the order of `faults`, and within one fault as it makes
    /// them. For a valid scenario the result is complete; one that is not validated yields at most
    /// [`limits::MAX_FAULT_EVENTS`] and never panics.
    pub fn fault_events(&self) -> Vec<FaultEvent> {
        let mut events: Vec<FaultEvent> = (0..self.faults.len())
            .flat_map(|index| self.events_of(index))
            .take(limits::MAX_FAULT_EVENTS)
            .collect();
        events.sort_by_key(|event| (event.at, event.cause));
        events
    }

    /// The events of one fault, in order of time: what is new when a fault is added to a run. Empty where there is no such
    /// fault.
    pub fn fault_events_of(&self, index: usize) -> Vec<FaultEvent> {
        let mut events: Vec<FaultEvent> = self.events_of(index).take(limits::MAX_FAULT_EVENTS).collect();
        events.sort_by_key(|event| event.at);
        events
    }

    /// How many events all faults make; one more than [`limits::MAX_FAULT_EVENTS`] where there are more.
    pub(crate) fn fault_event_count(&self) -> usize {
        (0..self.faults.len())
            .flat_map(|index| self.events_of(index))
            .take(limits::MAX_FAULT_EVENTS + 1)
            .count()
    }

    /// The events of one fault as they are made.
    fn events_of(&self, index: usize) -> Box<dyn Iterator<Item = FaultEvent> + '_> {
        let Some(Fault { at, what }) = self.faults.get(index) else {
            return Box::new(std::iter::empty());
        };
        let at = *at;
        let event = move |at, what| FaultEvent {
            at,
            cause: index,
            what,
        };
        let once =
            |what| -> Box<dyn Iterator<Item = FaultEvent>> { Box::new(std::iter::once(event(at, what))) };
        match *what {
            FaultKind::LinkDown { link, direction } => once(Effect::LinkDown { link, direction }),
            FaultKind::LinkUp { link, direction } => once(Effect::LinkUp { link, direction }),
            FaultKind::LinkLoss {
                link,
                direction,
                rate,
            } => once(Effect::LinkLoss {
                link,
                direction,
                rate,
            }),
            FaultKind::LinkCorrupt {
                link,
                direction,
                rate,
            } => once(Effect::LinkCorrupt {
                link,
                direction,
                rate,
            }),
            FaultKind::LinkFlap {
                link,
                down: down_time,
                up: up_time,
                random,
                until,
            } => {
                let lengths = if random {
                    Lengths::Exponential(key(self.seed, FLAP, index as u64))
                } else {
                    Lengths::Exact
                };
                let times = changes(at, down_time, up_time, until, lengths);
                Box::new(
                    times
                        .enumerate()
                        .map(move |(n, at)| event(at, if n % 2 == 0 { down(link) } else { up(link) })),
                )
            }
            FaultKind::LinksDown {
                tier,
                plane,
                count,
                spacing,
                duration,
            } => Box::new(
                self.choose(tier, plane, count, index)
                    .enumerate()
                    .flat_map(move |(n, link)| {
                        let at = later(at, Time(spacing.0.saturating_mul(n as u64)));
                        for_a_while(at, link, duration).map(move |(at, what)| event(at, what))
                    }),
            ),
            FaultKind::TierLoss {
                tier,
                direction,
                rate,
            } => once(Effect::TierLoss {
                tier,
                direction,
                rate,
            }),
            FaultKind::SwitchDown { switch } => once(Effect::SwitchDown { switch }),
            FaultKind::SwitchUp { switch } => once(Effect::SwitchUp { switch }),
            FaultKind::SwitchReboot { switch, duration } => {
                Box::new(self.fabric.links_of(switch).flat_map(move |link| {
                    for_a_while(at, link, Some(duration)).map(move |(at, what)| event(at, what))
                }))
            }
            FaultKind::SwitchCorrupt { switch, rate } => once(Effect::SwitchCorrupt { switch, rate }),
            FaultKind::NicPortDown { nic, plane, duration } => Box::new(
                for_a_while(at, LinkName::Nic { plane, nic }, duration)
                    .map(move |(at, what)| event(at, what)),
            ),
            FaultKind::NicFlap { nic, duration } => {
                Box::new((0..self.fabric.planes).flat_map(move |plane| {
                    for_a_while(at, LinkName::Nic { plane, nic }, Some(duration))
                        .map(move |(at, what)| event(at, what))
                }))
            }
            FaultKind::NicRefuses { nic, rate, reason } => once(Effect::NicRefuses { nic, rate, reason }),
            FaultKind::NicPenalty { nic, penalty } => once(Effect::NicPenalty { nic, penalty }),
        }
    }

    /// `count` different links of a tier in random order: so many steps of Fisher–Yates on their numbers, of which only
    /// those that moved are kept. The choice depends on the seed and on the fault's index.
    fn choose(
        &self,
        tier: Tier,
        plane: Option<u32>,
        count: u32,
        index: usize,
    ) -> impl Iterator<Item = LinkName> + '_ {
        let per_plane = self.fabric.links_per_plane(tier);
        let all = match plane {
            Some(_) => per_plane,
            None => per_plane.saturating_mul(u64::from(self.fabric.planes)),
        };
        let mut random = Sequence::new(key(self.seed, CHOICE, index as u64));
        let mut moved = BTreeMap::new();
        (0..u64::from(count).min(all)).map(move |turn| {
            let drawn = turn + random.below(all - turn);
            let here = moved.get(&turn).copied().unwrap_or(turn);
            let number = moved.insert(drawn, here).unwrap_or(drawn);
            let (in_plane, number) = match plane {
                Some(plane) => (plane, number),
                None => ((number / per_plane) as u32, number % per_plane),
            };
            self.fabric.link(tier, in_plane, number)
        })
    }
}

fn down(link: LinkName) -> Effect {
    Effect::LinkDown {
        link,
        direction: Direction::Both,
    }
}

fn up(link: LinkName) -> Effect {
    Effect::LinkUp {
        link,
        direction: Direction::Both,
    }
}

fn later(at: Time, by: Time) -> Time {
    Time(at.0.saturating_add(by.0))
}

/// The link goes down and, after `duration` if that is given, up again.
fn for_a_while(at: Time, link: LinkName, duration: Option<Time>) -> impl Iterator<Item = (Time, Effect)> {
    let end = duration.map(|duration| (later(at, duration), up(link)));
    std::iter::once((at, down(link))).chain(end)
}

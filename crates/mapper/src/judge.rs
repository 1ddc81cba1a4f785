//! From lost probes to the element that is bad.
//!
//! A probe fails when anything on its way fails, so the tiers are judged from below: first NIC–T0 cables and T0s by the T0
//! probes; then T0–T1 cables and T1s, by T1 probes of NICs whose T0 probes are fine; then T1–T2 cables and T2s, by T2 probes
//! over T0–T1 cables that are fine.
//!
//! A switch is told from its cables by what they have in common: when one cable works, the switch works, and what is lost
//! belongs to the cables. When none does, the losses of the middle one are the switch's, and a cable answers only for what
//! it lost beyond them. While a switch is bad the blame is all its own.
//!
//! What round trips cannot tell apart: the two directions of a cable; a switch and all of its cables downwards together (the
//! switch is blamed; with a single cable, the cable). What is behind a bad element is not seen, and stays as it was.

use crate::collector::{Change, History};
use crate::{Element, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// One in so many cables of a switch may seem to work, by chance, though the switch fails. Our choice: where a switch loses
/// three tenths of the packets, one cable in 38 loses at most one probe of 16.
const FORGIVEN: u32 = 16;

/// What a cable's probes in the window say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Score {
    /// So many were lost.
    Losses(u32),
    /// Too few got as far as to the cable for a verdict. It seems to work when some of the very last ones, too few to make
    /// it bad, got there and none of those was lost.
    Few { works: bool },
}

impl Score {
    fn losses(self) -> Option<u32> {
        match self {
            Score::Losses(losses) => Some(losses),
            Score::Few { .. } => None,
        }
    }

    fn works(self, fine: u32) -> bool {
        match self {
            Score::Losses(losses) => losses <= fine,
            Score::Few { works } => works,
        }
    }
}

/// Judges one round.
pub(crate) struct Judge<'a> {
    plan: &'a Plan,
    histories: &'a BTreeMap<Element, History>,
    bad: &'a mut BTreeSet<Element>,
    round: u64,
    changes: &'a mut Vec<Change>,
    // Cables over which a probe says nothing about what is above them.
    doubtful: BTreeSet<Element>,
}

/// The cables of a switch that lost something or are bad, with their losses.
type Group = Vec<(Element, Score)>;

impl<'a> Judge<'a> {
    pub fn new(
        plan: &'a Plan,
        histories: &'a BTreeMap<Element, History>,
        bad: &'a mut BTreeSet<Element>,
        round: u64,
        changes: &'a mut Vec<Change>,
    ) -> Judge<'a> {
        Judge {
            plan,
            histories,
            bad,
            round,
            changes,
            doubtful: BTreeSet::new(),
        }
    }

    /// Judges all tiers.
    pub fn all(&mut self) {
        let first = self.changes.len();
        self.tier(|element| matches!(element, Element::NicT0 { .. } | Element::T0 { .. }));
        self.tier(|element| matches!(element, Element::T0T1 { .. } | Element::T1 { .. }));
        self.tier(|element| matches!(element, Element::T1T2 { .. } | Element::T2 { .. }));
        self.changes[first..].sort_unstable_by_key(|change| change.element);
    }

    fn tier(&mut self, is_of_tier: impl Fn(Element) -> bool) {
        let topology = self.plan.topology();
        let mut groups: BTreeMap<Element, Group> = BTreeMap::new();
        let lossy = self.histories.keys();
        let concerned: BTreeSet<Element> = lossy.chain(self.bad.iter()).copied().collect();
        for element in concerned.into_iter().filter(|&element| is_of_tier(element)) {
            let switch = element.upper_switch(topology);
            let group = groups.entry(switch).or_default();
            if element != switch {
                group.push((element, self.score(element)));
            }
        }
        for (switch, group) in groups {
            self.group(switch, &group);
        }
    }

    /// Judges a switch and its cables downwards.
    fn group(&mut self, switch: Element, group: &Group) {
        let limits = *self.plan.limits();
        let common = self.common(switch, group);
        let switch_bad = match common {
            Common::Unknown => self.bad.contains(&switch),
            Common::One(losses) => self.bad.contains(&switch) && losses > limits.fine,
            Common::Of(losses) => self.verdict(switch, losses),
        };
        self.settle(switch, switch_bad);
        let common = match common {
            Common::Of(losses) => losses,
            Common::One(_) | Common::Unknown => 0,
        };
        for &(cable, score) in group {
            if switch_bad {
                self.settle(cable, false);
            } else if let Score::Losses(losses) = score {
                let bad = self.verdict(cable, losses.saturating_sub(common));
                self.settle(cable, bad);
            }
            if !score.works(limits.fine) || self.bad.contains(&cable) {
                self.doubtful.insert(cable);
            }
        }
    }

    /// What the cables of a switch have in common.
    fn common(&self, switch: Element, group: &Group) -> Common {
        let mut losses: Vec<u32> = group.iter().filter_map(|&(_, score)| score.losses()).collect();
        losses.sort_unstable();
        // Those that are not listed lost nothing.
        let clean = switch.downlinks(self.plan.topology()) - group.len() as u32;
        match (clean + losses.len() as u32, losses.first()) {
            (0, _) => Common::Unknown,
            (1, first) => Common::One(first.copied().unwrap_or(0)),
            (known, _) => {
                let fine = self.plan.limits().fine;
                let work = clean + group.iter().filter(|(_, score)| score.works(fine)).count() as u32;
                if work > known / FORGIVEN {
                    return Common::Of(0);
                }
                let middle = (known - 1) / 2;
                Common::Of(middle.checked_sub(clean).map_or(0, |at| losses[at as usize]))
            }
        }
    }

    /// Whether an element with so many losses of its own is bad. Between bad and fine it stays what it was.
    fn verdict(&self, element: Element, losses: u32) -> bool {
        let limits = self.plan.limits();
        losses >= limits.bad || losses > limits.fine && self.bad.contains(&element)
    }

    fn settle(&mut self, element: Element, bad: bool) {
        let changed = if bad {
            self.bad.insert(element)
        } else {
            self.bad.remove(&element)
        };
        if changed {
            self.changes.push(Change {
                element,
                bad,
                round: self.round,
            });
        }
    }

    /// A cable's losses in the window; only of probes that reached it.
    fn score(&self, cable: Element) -> Score {
        let Some(history) = self.histories.get(&cable) else {
            return Score::Losses(0);
        };
        let all = history.lost.count_ones();
        match cable {
            Element::T0T1 { plane, t1, t0 } => {
                if !self.rack_has_doubts(plane, t0) {
                    return Score::Losses(all);
                }
                self.count(history, |pass| {
                    let nic = self.plan.nic_at_rack_link(plane, t1, t0, pass);
                    self.is_clear(Element::NicT0 { plane, nic })
                })
            }
            Element::T1T2 { plane, t2, t1 } => {
                if self.doubtful.is_empty() && self.bad.is_empty() {
                    return Score::Losses(all);
                }
                let topology = self.plan.topology();
                let pod = t1 / topology.t1s_per_pod();
                self.count(history, |pass| {
                    let nic = self.plan.nic_at_pod_link(plane, t2, pod, pass);
                    let t0 = topology.t0_of(nic);
                    self.is_clear(Element::NicT0 { plane, nic })
                        && self.is_clear(Element::T0T1 { plane, t1, t0 })
                })
            }
            _ => Score::Losses(all),
        }
    }

    /// Whether a probe gets through a cable and the switch at its upper end, as far as is known.
    fn is_clear(&self, cable: Element) -> bool {
        let switch = cable.upper_switch(self.plan.topology());
        !self.doubtful.contains(&cable) && !self.bad.contains(&switch)
    }

    fn rack_has_doubts(&self, plane: u32, t0: u32) -> bool {
        if self.bad.contains(&Element::T0 { plane, t0 }) {
            return true;
        }
        let nics = self.plan.topology().nics_per_t0;
        let (first, end) = (t0 * nics, (t0 + 1) * nics);
        let range = Element::NicT0 { plane, nic: first }..Element::NicT0 { plane, nic: end };
        self.doubtful.range(range).next().is_some()
    }

    /// Counts the losses among the probes that `counts`; scaled to a whole window. No verdict comes from fewer than half
    /// of it, or from one. One loss is never scaled to a verdict.
    fn count(&self, history: &History, counts: impl Fn(u64) -> bool) -> Score {
        let limits = self.plan.limits();
        let (mut usable, mut lost) = (0, 0);
        // The same of the last ones: a switch that just died does not seem to work by what came back long ago.
        let (mut recent, mut recently_lost) = (0, 0);
        for age in 0..limits.window {
            // Probes from before the run count as back.
            let pass = history.passes.checked_sub(u64::from(age) + 1);
            if pass.is_none_or(&counts) {
                let is_lost = (history.lost >> age & 1) as u32;
                usable += 1;
                lost += is_lost;
                if age < limits.bad - 1 {
                    recent += 1;
                    recently_lost += is_lost;
                }
            }
        }
        if usable < limits.window.div_ceil(2).max(2) {
            let works = recent > 0 && recently_lost == 0;
            return Score::Few { works };
        }
        let scaled = lost * limits.window / usable;
        Score::Losses(if lost < 2 {
            scaled.min(limits.bad - 1)
        } else {
            scaled
        })
    }
}

/// What the cables of a switch that are known of have lost in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Common {
    /// No cable is known of.
    Unknown,
    /// There is but one, with so many losses: its own and the switch's cannot be told apart.
    One(u32),
    /// There are several, and so many losses are the switch's.
    Of(u32),
}

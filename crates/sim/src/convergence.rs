//! What switches come to know of failures, where they choose the paths.
//!
//! A cable that fails, or whose switch dies, is dead at once. Its two ends see it later (`detect`): for a direction that is dead
//! IEEE 802.3's fault signalling tells the other end, so both see it, and at the same time (our choice). What they have
//! seen reaches all other switches later still (`converge`). A cable that is in order again before anybody has seen that it was not has
//! not failed for them. Loss and damage are not seen at all.

use crate::observer::Observer;
use crate::run::{Change, Sim};
use fabric::port::state;
use fabric::{LinkKind, Scope, usid};
use kernel::Time;
use std::collections::BTreeMap;

/// The cables that are, or were, dead, by their upward links: when that changed last, and whether they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cables(BTreeMap<u32, (Time, bool)>);

impl<O: Observer> Sim<O> {
    /// Something has changed at these directed links, or at the switches that they join.
    pub(crate) fn note_cables(&mut self, links: &[u32], now: Time) {
        if !self.shared.is_hashed {
            return;
        }
        let detected = now.saturating_add(Time(self.scenario.fabric.convergence.detect.0));
        for &link in links {
            let clos = self.clos();
            let up = if clos.describe(link).kind.is_upward() {
                link
            } else {
                clos.reverse(link)
            };
            let dead = self.is_cable_dead(up);
            let known = self.cables.0.entry(up).or_insert((now, false));
            if known.1 != dead {
                *known = (now, dead);
                self.faults
                    .insert((detected, Change::Detect { link: up, since: now }));
            }
        }
    }

    fn is_cable_dead(&self, up: u32) -> bool {
        let clos = self.clos();
        let end = clos.describe(up);
        let switches = match end.kind {
            LinkKind::NicUp | LinkKind::NicDown => [None, Some((usid::T0, end.upper))],
            LinkKind::Up | LinkKind::Down => [Some((usid::T0, end.lower)), Some((usid::T1, end.upper))],
            LinkKind::CoreUp | LinkKind::CoreDown => {
                [Some((usid::T1, end.lower)), Some((usid::T2, end.upper))]
            }
        };
        let mut switches = switches.into_iter().flatten();
        [up, clos.reverse(up)]
            .into_iter()
            .any(|link| self.network.port(link).is(state::DOWN))
            || switches.any(|(tier, index)| self.network.is_dead(usid::usid(end.plane, tier, index)))
    }

    /// The ends of a cable have had time to see that it failed, or is in order again.
    pub(crate) fn detect(&mut self, link: u32, since: Time, now: Time) {
        let Some(&(changed, dead)) = self.cables.0.get(&link) else {
            return;
        };
        if changed != since {
            return;
        }
        self.believe(link, !dead, Scope::Local);
        let known = now.saturating_add(Time(self.scenario.fabric.convergence.converge.0));
        self.faults.insert((known, Change::Converge { link, up: !dead }));
    }

    /// The tables of switches take a cable for dead, or for in order.
    pub(crate) fn believe(&mut self, link: u32, up: bool, scope: Scope) {
        // The link is one of the fabric.
        let _ = self.network.believe(link, up, scope);
    }
}

//! What befalls packets at random: loss and damage on links, loss on all links of a kind, damage in switches.
//!
//! Each is a draw of its own, keyed by the link that the packet comes in by and the picosecond at which it does, in which no
//! other packet comes in there. So nothing depends on what happens elsewhere, or on who works on which part.

use crate::clos::LinkKind;
use crate::counters::DropReason;
use kernel::rng::{chance, draw};
use std::collections::BTreeMap;

/// Probabilities as thresholds of 2^32 (see [`kernel::rng::threshold`]); 0 is never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OnLink {
    pub loss: u64,
    pub damage: u64,
}

/// All hazards of a fabric.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hazards {
    // By directed link; a link is listed while there is anything to say.
    links: BTreeMap<u32, OnLink>,
    // Loss on every link of a kind.
    kinds: [u64; LinkKind::COUNT],
    // Damage by switch (its uSID), likewise.
    switches: BTreeMap<u16, u64>,
}

// A link's draws, beside those of marking (0) and of trimming (`common::COIN`).
const LOSS: u64 = 1;
const KIND_LOSS: u64 = 3;
const DAMAGE: u64 = 4;
const IN_SWITCH: u64 = 5;

impl Hazards {
    pub fn on_link(&self, link: u32) -> OnLink {
        self.links.get(&link).copied().unwrap_or_default()
    }

    pub fn set_link(&mut self, link: u32, hazard: OnLink) {
        if hazard == OnLink::default() {
            self.links.remove(&link);
        } else {
            self.links.insert(link, hazard);
        }
    }

    pub fn on_kind(&self, kind: LinkKind) -> u64 {
        self.kinds[kind as usize]
    }

    pub fn set_kind(&mut self, kind: LinkKind, loss: u64) {
        self.kinds[kind as usize] = loss;
    }

    /// True when any switch damages packets.
    #[inline]
    pub fn are_in_switches(&self) -> bool {
        !self.switches.is_empty()
    }

    pub fn in_switch(&self, switch: u16) -> u64 {
        self.switches.get(&switch).copied().unwrap_or(0)
    }

    pub fn set_switch(&mut self, switch: u16, damage: u64) {
        if damage == 0 {
            self.switches.remove(&switch);
        } else {
            self.switches.insert(switch, damage);
        }
    }

    /// True when a packet that crosses the link may not come through.
    pub fn threatens(&self, link: u32, kind: LinkKind) -> bool {
        self.links.contains_key(&link) || self.on_kind(kind) > 0
    }

    /// What happens to the packet that comes in over `link` at `now`; `key` is that of the link's draws.
    pub fn strikes(&self, link: u32, kind: LinkKind, key: u64, now: u64) -> Option<DropReason> {
        let OnLink { loss, damage } = self.on_link(link);
        let hit = |what, threshold| chance(draw(key ^ what, now), threshold);
        if hit(LOSS, loss) || hit(KIND_LOSS, self.on_kind(kind)) {
            Some(DropReason::RandomLoss)
        } else {
            hit(DAMAGE, damage).then_some(DropReason::FrameCheck)
        }
    }
}

/// Whether a switch damages, with probability `threshold` / 2^32, the packet that came in at `now` over the link with these
/// draws.
pub(crate) fn is_damaged(key: u64, now: u64, threshold: u64) -> bool {
    chance(draw(key ^ IN_SWITCH, now), threshold)
}

//! What switches believe of cables, as exceptions: nothing is kept of what is believed to be there.

use crate::clos::{Clos, LinkKind};
use crate::usid;
use std::collections::BTreeMap;

/// Which switches believe something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those at the ends of the cable, or of each of a switch's cables: they have detected it.
    Local,
    /// All others: the routing protocol has told them.
    Everywhere,
}

/// Why a cable between switches is believed to be unusable; bits.
pub(crate) mod causes {
    use crate::clos::LinkKind;

    const UPWARD: u8 = 1;
    const DOWNWARD: u8 = 2;
    const LOWER_SWITCH: u8 = 4;
    const UPPER_SWITCH: u8 = 8;

    /// A directed link of this kind is down.
    pub const fn of_link(kind: LinkKind) -> u8 {
        if kind.is_upward() { UPWARD } else { DOWNWARD }
    }

    /// The switch is dead that a directed link of this kind leaves.
    pub const fn of_switch(kind: LinkKind) -> u8 {
        if kind.is_upward() {
            LOWER_SWITCH
        } else {
            UPPER_SWITCH
        }
    }
}

/// What all switches believe, in both scopes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes {
    local: View,
    everywhere: View,
}

#[derive(Clone, Debug, Default)]
struct View {
    // Why each cable that is out is so, by its upward link.
    out: BTreeMap<u32, u8>,
    // The same cables by the switch at their lower end (its uSID): the numbers of those uplinks, sorted.
    lacks: BTreeMap<u16, Vec<u16>>,
}

impl Routes {
    /// True while every cable is believed to be there.
    #[inline]
    pub fn are_whole(&self) -> bool {
        self.local.out.is_empty() && self.everywhere.out.is_empty()
    }

    /// Which uplinks of a T0 or T1 (its uSID) are out in a scope, by their numbers among its uplinks, sorted.
    #[inline]
    pub fn lacks(&self, scope: Scope, switch: u16) -> &[u16] {
        let view = match scope {
            Scope::Local => &self.local,
            Scope::Everywhere => &self.everywhere,
        };
        view.lacks.get(&switch).map_or(&[], Vec::as_slice)
    }

    /// A cause for not using the cable that a directed link belongs to comes or goes.
    pub fn set(&mut self, clos: &Clos, link: u32, cause: u8, comes: bool, scope: Scope) {
        let view = match scope {
            Scope::Local => &mut self.local,
            Scope::Everywhere => &mut self.everywhere,
        };
        let end = clos.describe(link);
        let (lower, number) = match end.kind {
            LinkKind::NicUp | LinkKind::NicDown => return,
            LinkKind::Up | LinkKind::Down => (usid::T0, end.upper % clos.t1s_per_pod()),
            LinkKind::CoreUp | LinkKind::CoreDown => (usid::T1, end.upper % clos.t2s_per_t1()),
        };
        let upward = if end.kind.is_upward() {
            link
        } else {
            clos.reverse(link)
        };
        view.set(
            upward,
            usid::usid(end.plane, lower, end.lower),
            number as u16,
            cause,
            comes,
        );
    }
}

impl View {
    fn set(&mut self, upward: u32, lower: u16, number: u16, cause: u8, comes: bool) {
        let before = self.out.get(&upward).copied().unwrap_or(0);
        let after = if comes { before | cause } else { before & !cause };
        if after == 0 {
            self.out.remove(&upward);
        } else {
            self.out.insert(upward, after);
        }
        if (before == 0) == (after == 0) {
            return;
        }
        let numbers = self.lacks.entry(lower).or_default();
        match numbers.binary_search(&number) {
            Ok(at) if after == 0 => drop(numbers.remove(at)),
            Err(at) if after != 0 => numbers.insert(at, number),
            _ => {}
        }
        if numbers.is_empty() {
            self.lacks.remove(&lower);
        }
    }
}

#[cfg(test)]
mod tests;

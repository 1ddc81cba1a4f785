//! What switches believe of cables, as exceptions: nothing is kept of what is believed to be there.

use crate::clos::{Clos, LinkKind};
use crate::usid;
use std::collections::BTreeMap;

/// Which switches believe something of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The two at its ends: they have detected it.
    Local,
    /// All others: the routing protocol has told them.
    Everywhere,
}

/// What all switches believe, in both scopes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes {
    local: Lacks,
    everywhere: Lacks,
}

/// The cables that are out, by the switch at their lower end (its uSID): the numbers of those uplinks, sorted. A switch is listed
/// while it lacks any.
type Lacks = BTreeMap<u16, Vec<u16>>;

impl Routes {
    /// True while every cable is believed to be there.
    #[inline]
    pub fn are_whole(&self) -> bool {
        self.local.is_empty() && self.everywhere.is_empty()
    }

    /// Which uplinks of a T0 or T1 (its uSID) are out in a scope, by their numbers among its uplinks, sorted.
    #[inline]
    pub fn lacks(&self, scope: Scope, switch: u16) -> &[u16] {
        let lacks = match scope {
            Scope::Local => &self.local,
            Scope::Everywhere => &self.everywhere,
        };
        lacks.get(&switch).map_or(&[], Vec::as_slice)
    }

    /// The cable that a directed link belongs to goes out or comes back; that of a NIC is not looked after.
    pub fn set(&mut self, clos: &Clos, link: u32, up: bool, scope: Scope) {
        let lacks = match scope {
            Scope::Local => &mut self.local,
            Scope::Everywhere => &mut self.everywhere,
        };
        let end = clos.describe(link);
        let (tier, number) = match end.kind {
            LinkKind::NicUp | LinkKind::NicDown => return,
            LinkKind::Up | LinkKind::Down => (usid::T0, end.upper % clos.t1s_per_pod()),
            LinkKind::CoreUp | LinkKind::CoreDown => (usid::T1, end.upper % clos.t2s_per_t1()),
        };
        let (lower, number) = (usid::usid(end.plane, tier, end.lower), number as u16);
        let numbers = lacks.entry(lower).or_default();
        match numbers.binary_search(&number) {
            Ok(at) if up => drop(numbers.remove(at)),
            Err(at) if !up => numbers.insert(at, number),
            _ => {}
        }
        if numbers.is_empty() {
            lacks.remove(&lower);
        }
    }
}

#[cfg(test)]
mod tests;

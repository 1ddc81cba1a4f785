//! Deadlock in a lossless fabric: switches that wait for each other in a circle.
//!
//! A link is paused because the switch at its far end holds too much that came by it. That is queued for links which may be paused
//! themselves. A paused link is *stuck* when what came by it and is queued for stuck links is more than `xon` by itself: whatever
//! else leaves that switch, it will not be told to go on. The largest set of links that are stuck by this rule is found by
//! starting with all paused links and taking away those of which too little waits for the others, until none is. Nothing but a
//! failure ends what is left; and each link in it waits for another one in it, so that there is a circle (the circular
//! wait of Coffman, Elphick and Shoshani, 1971).

use crate::clos::LinkKind;
use crate::network::Network;
use crate::port::state;
use std::collections::BTreeMap;

/// What came by one link and is queued for another one.
struct Wait {
    by: usize,
    waits_for: usize,
    bytes: u64,
}

/// Which of `count` paused links are stuck.
fn stuck(count: usize, waits: &[Wait], xon: u64) -> Vec<bool> {
    let mut held = vec![0; count];
    let mut before: Vec<Vec<&Wait>> = vec![Vec::new(); count];
    for wait in waits {
        held[wait.by] += wait.bytes;
        before[wait.waits_for].push(wait);
    }
    let mut is_stuck: Vec<bool> = held.iter().map(|&bytes| bytes > xon).collect();
    let mut free: Vec<usize> = (0..count).filter(|&i| !is_stuck[i]).collect();
    while let Some(i) = free.pop() {
        for wait in &before[i] {
            held[wait.by] -= wait.bytes;
            if is_stuck[wait.by] && held[wait.by] <= xon {
                is_stuck[wait.by] = false;
                free.push(wait.by);
            }
        }
    }
    is_stuck
}

/// A circle among the links that are stuck: from each to the stuck one for which most of its bytes wait.
fn circle(is_stuck: &[bool], waits: &[Wait]) -> Option<Vec<usize>> {
    let mut next: Vec<Option<(u64, usize)>> = vec![None; is_stuck.len()];
    for wait in waits.iter().filter(|wait| is_stuck[wait.waits_for]) {
        if next[wait.by].is_none_or(|(most, _)| wait.bytes > most) {
            next[wait.by] = Some((wait.bytes, wait.waits_for));
        }
    }
    let mut way = vec![is_stuck.iter().position(|&stuck| stuck)?];
    loop {
        let (_, at) = next[*way.last()?]?;
        if let Some(start) = way.iter().position(|&before| before == at) {
            let mut circle = way.split_off(start);
            let least = (0..circle.len()).min_by_key(|&i| circle[i])?;
            circle.rotate_left(least);
            return Some(circle);
        }
        way.push(at);
    }
}

impl Network {
    /// The directed links of a deadlock, if there is one: each of them waits for the next one, and the last one for the first, which is
    /// the one with the least number. Between windows; looks at all links, and at all packets that wait for paused ones.
    pub fn deadlock(&self) -> Option<Vec<u32>> {
        let pfc = self.config().pfc?;
        let paused = self.paused_by_switches();
        let waits = self.waits(&paused);
        let is_stuck = stuck(paused.len(), &waits, u64::from(pfc.xon.min(pfc.xoff)));
        let circle = circle(&is_stuck, &waits)?;
        Some(circle.into_iter().map(|i| paused[i]).collect())
    }

    /// The directed links between switches that are paused, and will be until the switch at the far end holds less.
    fn paused_by_switches(&self) -> Vec<u32> {
        let clos = &self.config().clos;
        let is_paused = |&link: &u32| {
            let (part, at) = self.common().port_of(link);
            let (far, there) = self.common().port_of(clos.reverse(link));
            let gauge = &self.parts()[far].gauges[there as usize];
            self.parts()[part].ports[at as usize].is(state::PAUSED) && gauge.is_over && gauge.told
        };
        // NICs wait for switches, but no switch waits for what a NIC has not yet sent.
        let between = |&link: &u32| !matches!(clos.describe(link).kind, LinkKind::NicUp | LinkKind::NicDown);
        (0..clos.links()).filter(is_paused).filter(between).collect()
    }

    /// How much came by each of these links and is queued for each of them; by numbers in the list.
    fn waits(&self, paused: &[u32]) -> Vec<Wait> {
        let common = self.common();
        let mut waits = Vec::new();
        for (number, &link) in paused.iter().enumerate() {
            let (part, at) = common.port_of(link);
            let part = &self.parts()[part];
            let mut bytes_by: BTreeMap<u32, u64> = BTreeMap::new();
            for (from, packet) in part.data.iter(part.ports[at as usize].data) {
                *bytes_by.entry(from as u32).or_default() += u64::from(packet.size);
            }
            for (from, bytes) in bytes_by {
                let by = common.clos().reverse(part.gauges[from as usize].link);
                if let Ok(by) = paused.binary_search(&by) {
                    waits.push(Wait {
                        by,
                        waits_for: number,
                        bytes,
                    });
                }
            }
        }
        waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(list: &[(usize, usize, u64)]) -> Vec<Wait> {
        let wait = |&(by, waits_for, bytes)| Wait { by, waits_for, bytes };
        list.iter().map(wait).collect()
    }

    #[test]
    fn a_link_is_stuck_if_more_than_xon_waits_for_what_is_stuck() {
        let look = |list: &[(usize, usize, u64)]| {
            let waits = waits(list);
            let is_stuck = stuck(4, &waits, 10);
            let circle = circle(&is_stuck, &waits);
            (is_stuck, circle)
        };
        // 0 waits for 1, 1 for 2, 2 for 0, and 3 for 0 too.
        let ring = [(0, 1, 11), (1, 2, 11), (2, 0, 11), (3, 0, 11)];
        assert_eq!(look(&ring), (vec![true; 4], Some(vec![0, 1, 2])));
        // Of what came by 1 only 10 bytes wait for 2: it will go on, and then the others do.
        let open = [(0, 1, 11), (1, 2, 10), (2, 0, 11), (3, 0, 11)];
        assert_eq!(look(&open), (vec![false; 4], None));
        // What waits for 3, which is free, will leave; 6 bytes that wait for 2 are too few.
        let mixed = [(0, 1, 11), (1, 2, 6), (1, 3, 6), (2, 0, 11)];
        assert_eq!(look(&mixed), (vec![false; 4], None));
        // 6 for each of two that are stuck are enough.
        let both = [(0, 1, 11), (1, 2, 6), (1, 0, 6), (2, 0, 11)];
        assert_eq!(look(&both), (vec![true, true, true, false], Some(vec![0, 1, 2])));
        // The circle goes where most waits, and need not begin with the first that is stuck.
        let tail = [(0, 3, 20), (3, 2, 15), (3, 0, 12), (2, 3, 20), (1, 0, 4)];
        assert_eq!(look(&tail), (vec![true, false, true, true], Some(vec![2, 3])));
        assert_eq!(look(&[]), (vec![false; 4], None));
    }
}

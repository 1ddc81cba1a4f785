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

impl Network {
    /// The directed links of a deadlock, each of which waits for the next one and the last one for the first, if there is one. Between
    /// windows; looks at all links, and at all packets that wait for paused ones.
    pub fn deadlock(&self) -> Option<Vec<u32>> {
        let pfc = self.config().pfc?;
        let xon = u64::from(pfc.xon.min(pfc.xoff));
        let paused = self.paused_by_switches();
        let waits = self.waits(&paused);
        let mut held = vec![0; paused.len()];
        let mut before: Vec<Vec<&Wait>> = vec![Vec::new(); paused.len()];
        for wait in &waits {
            held[wait.by] += wait.bytes;
            before[wait.waits_for].push(wait);
        }
        let mut is_stuck = vec![true; paused.len()];
        let mut free: Vec<usize> = (0..paused.len()).filter(|&i| held[i] <= xon).collect();
        free.iter().for_each(|&i| is_stuck[i] = false);
        while let Some(i) = free.pop() {
            for wait in &before[i] {
                held[wait.by] -= wait.bytes;
                if is_stuck[wait.by] && held[wait.by] <= xon {
                    is_stuck[wait.by] = false;
                    free.push(wait.by);
                }
            }
        }
        // For each the stuck one for which most of its bytes wait.
        let mut next: Vec<Option<(u64, usize)>> = vec![None; paused.len()];
        for wait in waits.iter().filter(|wait| is_stuck[wait.waits_for]) {
            if next[wait.by].is_none_or(|(most, _)| wait.bytes > most) {
                next[wait.by] = Some((wait.bytes, wait.waits_for));
            }
        }
        let first = is_stuck.iter().position(|&stuck| stuck)?;
        let mut way = vec![first];
        loop {
            let (_, at) = next[*way.last()?]?;
            if let Some(start) = way.iter().position(|&before| before == at) {
                let mut circle: Vec<u32> = way[start..].iter().map(|&i| paused[i]).collect();
                let least = (0..circle.len()).min_by_key(|&i| circle[i])?;
                circle.rotate_left(least);
                return Some(circle);
            }
            way.push(at);
        }
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

//! Addresses that wait for their mapping.

use crate::policy::SpaceId;
use gft::Address;
use kernel::Time;
use std::collections::BTreeMap;

/// One address that is being resolved.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    since: Time,
    packets: u32,
}

/// What waits. The packets themselves wait where they came from; here they are counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    entries: BTreeMap<(SpaceId, Address), Waiting>,
    packets: u32,
}

impl Pending {
    pub(super) fn count(&self) -> (usize, u32) {
        (self.entries.len(), self.packets)
    }

    /// One packet more waits for an address. False when there is no room.
    pub(super) fn wait(
        &mut self,
        address: (SpaceId, Address),
        now: Time,
        max_entries: u32,
        max_packets: u32,
    ) -> bool {
        let new = !self.entries.contains_key(&address);
        if self.packets >= max_packets || new && self.entries.len() >= max_entries as usize {
            return false;
        }
        let waiting = Waiting {
            since: now,
            packets: 0,
        };
        self.entries.entry(address).or_insert(waiting).packets += 1;
        self.packets += 1;
        true
    }

    /// An address is resolved: how many packets have waited for it.
    pub(super) fn resolve(&mut self, address: (SpaceId, Address)) -> u32 {
        let packets = self.entries.remove(&address).map_or(0, |waiting| waiting.packets);
        self.packets -= packets;
        packets
    }

    /// An address that has waited `timeout` or longer is given up; with the packets that waited.
    pub(super) fn give_up(&mut self, now: Time, timeout: Time) -> Option<(SpaceId, Address, u32)> {
        let late = |waiting: &Waiting| waiting.since.saturating_add(timeout) <= now;
        let address = self
            .entries
            .iter()
            .find(|(_, waiting)| late(waiting))
            .map(|(&a, _)| a)?;
        let packets = self.resolve(address);
        Some((address.0, address.1, packets))
    }

    /// When the first address is given up.
    pub(super) fn next(&self, timeout: Time) -> Option<Time> {
        self.entries
            .values()
            .map(|waiting| waiting.since.saturating_add(timeout))
            .min()
    }
}

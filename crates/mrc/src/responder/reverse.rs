//! The ways back: a few EVs for each plane, kept fresh by probes (MRC paper §2.4: "at least one"; facts 2.4).
//!
//! Each base RTT in which data arrives one EV chosen at random is probed; if the answer comes, it takes the place of its
//! plane's oldest. Where many QPs share a NIC, each has few packets in a base RTT: then a probe follows every sixteenth
//! (our choice), or the probes of an incast would fill the line by themselves. Answers take turns over the planes by which data came since the last
//! one (our choice): those work, and with a SACK for every second or fourth packet the plane of the packet that triggers it would
//! always be the same few, and full before the others. Within the plane they take turns over its EVs: with only one, the SACKs
//! of a few QPs can meet on one uplink and load it by a tenth more than the others. A simulated QP carries data in one direction only, so it learns
//! nothing from SACKs of its own.

use crate::config::Config;
use crate::evs::MAX_PLANES;
use fabric::packet::Packet;
use kernel::rng::{below, draw};

/// EVs for each plane (our choice).
const PER_PLANE: usize = 4;
/// Data packets from one probe to the next at the least (our choice).
const PACKETS_PER_PROBE: u8 = 16;

/// The ways back of one QP.
#[derive(Clone, Debug)]
pub(super) struct Reverse {
    planes: u8,
    evs: u16,
    // By plane; and which of them is the oldest, and which was used last.
    ways: [[u16; PER_PLANE]; MAX_PLANES],
    oldest: [u8; MAX_PLANES],
    turn: u8,
    key: u64,
    // The probe sent last: its number and EV; the next one is due at this time.
    number: u32,
    probed: u16,
    next: u64,
    // Data packets since the last probe, saturating.
    packets: u8,
    due: bool,
    ports_down: u8,
    // Bit p: data came by plane p since the last answer; an answer went by plane p in this round.
    heard: u8,
    answered: u8,
    // A bit for each EV: a controller has put it out of use. Empty until it does so for the first time.
    denied: Box<[u64]>,
}

impl Reverse {
    /// Starts with ways chosen at random.
    pub fn new(planes: u32, evs: u16, key: u64) -> Reverse {
        let mut reverse = Reverse {
            planes: planes as u8,
            evs,
            ways: [[0; PER_PLANE]; MAX_PLANES],
            oldest: [0; MAX_PLANES],
            turn: 0,
            key,
            number: 0,
            probed: 0,
            next: 0,
            packets: 0,
            due: false,
            ports_down: 0,
            heard: 0,
            answered: 0,
            denied: Box::default(),
        };
        for plane in 0..planes as usize {
            for way in 0..PER_PLANE {
                let number = (plane * PER_PLANE + way) as u64;
                let round = below(draw(key, number), u64::from(u32::from(evs) / planes));
                reverse.ways[plane][way] = round as u16 * planes as u16 + plane as u16;
            }
        }
        reverse
    }

    #[inline]
    pub fn plane(&self, ev: u16) -> u8 {
        (ev % u16::from(self.planes)) as u8
    }

    /// One of all EVs, in turn.
    pub fn numbered(&self, number: u32) -> u16 {
        (number % u32::from(self.evs)) as u16
    }

    /// Data arrived by `ev`: is a probe due?
    #[inline]
    pub fn on_data(&mut self, config: &Config, now: u64, ev: u16) {
        self.heard |= 1 << self.plane(ev);
        self.packets = self.packets.saturating_add(1);
        if now >= self.next && self.packets >= PACKETS_PER_PROBE {
            self.next = now + config.nscc.base_rtt as u64;
            self.packets = 0;
            self.due = true;
        }
    }

    /// The ways may be dead: a packet came again, by `ev`. That path works in its direction, so most likely in the other, too
    /// (not always, says the paper): it takes the place of its plane's oldest, and the next answer.
    pub fn on_doubt(&mut self, config: &Config, now: u64, ev: u16) {
        if !self.is_denied(ev) {
            let plane = usize::from(self.plane(ev));
            let oldest = self.oldest[plane];
            self.ways[plane][usize::from(oldest)] = ev;
            self.oldest[plane] = (oldest + 1) % PER_PLANE as u8;
            self.turn = (oldest + PER_PLANE as u8 - 1) % PER_PLANE as u8;
        }
        self.packets = PACKETS_PER_PROBE;
        self.heard = 0;
        self.on_data(config, now, ev);
    }

    #[inline]
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// The EV to probe, if one is due; in a plane that has ports.
    pub fn take_probe(&mut self, planes_down: u8) -> Option<u16> {
        if !core::mem::take(&mut self.due) {
            return None;
        }
        self.number = self.number.wrapping_add(1);
        let ev = below(
            draw(self.key, (MAX_PLANES * PER_PLANE) as u64 + u64::from(self.number)),
            u64::from(self.evs),
        ) as u16;
        (planes_down >> self.plane(ev) & 1 == 0 && !self.is_denied(ev)).then(|| {
            self.probed = ev;
            ev
        })
    }

    /// The number of the probe taken last.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// A probe was answered: its EV is a way back.
    pub fn on_reply(&mut self, reply: &Packet) {
        if reply.psn == self.number && reply.ev == self.probed && !self.is_denied(reply.ev) {
            let plane = usize::from(self.plane(reply.ev));
            let oldest = self.oldest[plane];
            self.ways[plane][usize::from(oldest)] = reply.ev;
            self.oldest[plane] = (oldest + 1) % PER_PLANE as u8;
        }
    }

    /// A controller puts a way back out of use, or lets it be used again. Where it is in use, the next one of its plane that
    /// is not denied takes its place; without one it stays, since something has to be sent.
    pub fn set_denied(&mut self, ev: u16, denied: bool) {
        if denied && self.denied.is_empty() {
            self.denied = vec![0; usize::from(self.evs).div_ceil(64)].into();
        }
        let Some(word) = self.denied.get_mut(usize::from(ev) / 64) else {
            return;
        };
        *word = *word & !(1 << (ev % 64)) | u64::from(denied) << (ev % 64);
        if !denied {
            return;
        }
        let (planes, evs) = (u16::from(self.planes), self.evs);
        let mut others = (1..evs / planes).map(|turn| (ev + turn * planes) % evs);
        if let Some(successor) = others.find(|&other| !self.is_denied(other)) {
            let plane = usize::from(self.plane(ev));
            for way in self.ways[plane].iter_mut().filter(|way| **way == ev) {
                *way = successor;
            }
        }
    }

    fn is_denied(&self, ev: u16) -> bool {
        self.denied
            .get(usize::from(ev) / 64)
            .is_some_and(|word| word >> (ev % 64) & 1 == 1)
    }

    pub fn set_ports_down(&mut self, mask: u8) {
        self.ports_down = mask;
    }

    pub fn ports_down(&self) -> u8 {
        self.ports_down
    }

    /// The next way back, in the plane of `ev` or another by which data came since the last answer, in turn; if all those are
    /// `down`, in the next plane that is not. Without `own`, where that is possible, it is `ev` itself.
    #[inline]
    pub fn way(&mut self, ev: u16, down: u8, own: bool) -> u16 {
        let mut plane = self.plane(ev);
        if down >> plane & 1 == 0 && !own {
            return ev;
        }
        let heard = core::mem::take(&mut self.heard) | 1 << plane;
        if heard & !down != 0 {
            if heard & !down & !self.answered == 0 {
                self.answered &= !heard;
            }
            plane = (heard & !down & !self.answered).trailing_zeros() as u8;
        }
        for _ in 0..self.planes {
            if down >> plane & 1 == 0 {
                break;
            }
            plane = if plane + 1 == self.planes { 0 } else { plane + 1 };
        }
        self.answered |= 1 << plane;
        self.turn = (self.turn + 1) % PER_PLANE as u8;
        self.ways[usize::from(plane)][usize::from(self.turn)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requester::tests::config;

    #[test]
    fn one_probe_each_base_rtt_with_data_and_its_answer_is_used() {
        // Base RTT 8 µs; a packet every 0.5 µs are 16 in that time.
        let (config, mut reverse) = (config(), Reverse::new(4, 32, 5));
        let mut probes = 0;
        for now in (0..80_000_000).step_by(500_000) {
            reverse.on_data(&config, now, 0);
            if let Some(ev) = reverse.take_probe(0) {
                probes += 1;
                let reply = Packet {
                    psn: reverse.number(),
                    ev,
                    ..Packet::default()
                };
                reverse.on_reply(&reply);
                assert!(reverse.ways[usize::from(ev) % 4].contains(&ev));
            }
        }
        assert_eq!(probes, 10);
        assert_eq!(reverse.take_probe(0), None, "no data, no probe");
        // A slow QP: 15 packets are not enough, however long they take.
        let mut slow = Reverse::new(4, 32, 5);
        for i in 1..=16 {
            slow.on_data(&config, i * 20_000_000, 0);
            assert_eq!(slow.take_probe(0).is_some(), i == 16);
        }
    }

    #[test]
    fn the_oldest_way_goes_first_and_answers_take_turns() {
        let (config, mut reverse) = (config(), Reverse::new(1, 1_000, 5));
        let mut answered = Vec::new();
        for i in 0..6 {
            for _ in 0..16 {
                reverse.on_data(&config, i * 8_000_000, 0);
            }
            let ev = reverse.take_probe(0).expect("due");
            reverse.on_reply(&Packet {
                psn: reverse.number(),
                ev,
                ..Packet::default()
            });
            answered.push(ev);
        }
        let mut used: Vec<u16> = (0..4).map(|_| reverse.way(0, 0, true)).collect();
        let mut last = answered[2..].to_vec();
        used.sort_unstable();
        last.sort_unstable();
        assert_eq!(used, last);
    }

    #[test]
    fn an_unanswered_probe_changes_nothing() {
        let (config, mut reverse) = (config(), Reverse::new(4, 32, 5));
        let before = reverse.ways;
        for _ in 0..16 {
            reverse.on_data(&config, 0, 0);
        }
        let ev = reverse.take_probe(0).expect("due");
        let old = Packet {
            psn: reverse.number() - 1,
            ev,
            ..Packet::default()
        };
        reverse.on_reply(&old);
        assert_eq!(reverse.ways, before);
    }

    #[test]
    fn answers_keep_to_the_plane_unless_it_has_no_port() {
        let mut reverse = Reverse::new(4, 32, 5);
        for ev in 0..32 {
            assert_eq!(reverse.way(ev, 0, true) % 4, ev % 4);
            assert_eq!(reverse.way(ev, 0, false), ev);
            assert_eq!(reverse.way(ev, 1 << (ev % 4), true) % 4, (ev + 1) % 4);
            assert_eq!(
                reverse.way(ev, 0b1111, true) % 4,
                ev % 4,
                "something is still sent"
            );
        }
    }

    /// A SACK for every fourth packet of a spray over eight planes: each plane has one in eight of them, and always one by which
    /// data just came.
    #[test]
    fn answers_take_turns_over_the_planes_that_data_came_by() {
        let (config, mut reverse) = (config(), Reverse::new(8, 64, 5));
        let planes: Vec<u16> = (0..64)
            .filter_map(|ev| {
                reverse.on_data(&config, 0, ev);
                (ev % 4 == 3).then(|| reverse.way(ev, 0, true) % 8)
            })
            .collect();
        assert_eq!(planes[..8], [0, 4, 1, 5, 2, 6, 3, 7]);
        assert_eq!(planes[8..], planes[..8]);
        // Two planes, of which one loses its port: the other has them all.
        let mut reverse = Reverse::new(2, 64, 5);
        for ev in 0..8 {
            reverse.on_data(&config, 0, ev);
            assert_eq!(reverse.way(ev, 0b01, true) % 2, 1);
        }
    }

    /// The way by which the packet came that ought not to have come again is the next one to be used, and the oldest is gone.
    #[test]
    fn a_packet_that_comes_again_shows_a_way_back() {
        let (config, mut reverse) = (config(), Reverse::new(2, 1_000, 5));
        let before = reverse.ways[1];
        reverse.on_doubt(&config, 0, 501);
        assert_eq!(reverse.way(1, 0, true), 501);
        assert_eq!(reverse.ways[1], [501, before[1], before[2], before[3]]);
        reverse.on_doubt(&config, 0, 601);
        assert_eq!(reverse.way(1, 0, true), 601);
        reverse.set_denied(701, true);
        reverse.on_doubt(&config, 0, 701);
        assert_ne!(reverse.way(1, 0, true), 701, "a controller's word stands");
    }

    #[test]
    fn denied_ways_are_neither_used_nor_probed_until_they_are_allowed() {
        let (config, mut reverse) = (config(), Reverse::new(2, 12, 5));
        // In plane 1 only EV 7 is left.
        let denied = [1, 3, 5, 9, 11];
        denied.iter().for_each(|&ev| reverse.set_denied(ev, true));
        assert_eq!(reverse.ways[1], [7; PER_PLANE]);
        let probed = |reverse: &mut Reverse, from: u64| {
            let times = (from..from + 300).map(|turn| turn * 8_000_000);
            let due = times.filter_map(|now| {
                reverse.on_doubt(&config, now, 0);
                reverse.take_probe(0)
            });
            due.collect::<std::collections::BTreeSet<u16>>()
        };
        assert_eq!(
            probed(&mut reverse, 0).into_iter().collect::<Vec<_>>(),
            [0, 2, 4, 6, 7, 8, 10]
        );
        reverse.set_denied(7, true);
        assert_eq!(reverse.ways[1], [7; PER_PLANE], "something has to be sent");
        denied.iter().for_each(|&ev| reverse.set_denied(ev, false));
        reverse.set_denied(7, false);
        assert_eq!(probed(&mut reverse, 300).len(), 12);
    }

    #[test]
    fn an_answer_by_a_way_that_was_denied_meanwhile_changes_nothing() {
        let (config, mut reverse) = (config(), Reverse::new(1, 100, 5));
        reverse.on_doubt(&config, 0, 0);
        let ev = reverse.take_probe(0).expect("due");
        reverse.set_denied(ev, true);
        let before = reverse.ways;
        reverse.on_reply(&Packet {
            psn: reverse.number(),
            ev,
            ..Packet::default()
        });
        assert_eq!(reverse.ways, before);
    }
}

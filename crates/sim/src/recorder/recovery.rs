//! What faults did, and how long it took until senders left them alone.
//!
//! A dropped packet is put down to the fault that took its link or switch, and an inferred loss to the fault that took the
//! packet. Nothing here depends on the order in which things of one window are told, as long as the bounds are not reached.

use fabric::packet::PacketKind;
use fabric::{DropReason, Packet};
use kernel::Time;
use scenario::FaultKind;
use std::collections::BTreeMap;

/// Occurrences of faults that are followed; later ones are not (our choice).
pub const MAX_RECOVERIES: usize = 10_000;
/// Lost packets that are remembered until their sender infers the loss; while there are so many, further ones are only
/// counted (our choice).
const MAX_LOST: usize = 1 << 16;
/// EVs out of use that are remembered until they come back (our choice).
const MAX_OUT: usize = 1 << 17;

/// When something happened first and last, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// The first time; of no meaning while the count is 0.
    pub first: Time,
    /// The last time.
    pub last: Time,
    /// How often.
    pub count: u64,
}

impl Moments {
    fn note(&mut self, at: Time) {
        self.first = if self.count == 0 { at } else { self.first.min(at) };
        self.last = self.last.max(at);
        self.count += 1;
    }

    /// First and last time, if there were any.
    pub fn span(&self) -> Option<(Time, Time)> {
        (self.count > 0).then_some((self.first, self.last))
    }
}

/// One occurrence of a fault: what of it took effect at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// The fault's index in the scenario.
    pub cause: usize,
    /// When it took effect.
    pub at: Time,
    /// Changes that it consists of: more than one where several links fail together.
    pub changes: u32,
    /// Packets that were lost to it, of any kind.
    pub drops: Moments,
    /// When those of them had been sent that were data packets: the last of these is the last packet sent into the fault.
    pub sent: Moments,
    /// Losses of its packets that senders inferred.
    pub inferred: Moments,
    /// EVs that went out of use because of them.
    pub out: Moments,
    /// Those that a backup EV stood in for at once.
    pub swapped: u64,
    /// Those that are back in use.
    pub back: Moments,
    /// NICs that noticed a port of theirs to be down because of it.
    pub noticed: Moments,
}

impl Recovery {
    fn new(cause: usize, at: Time) -> Recovery {
        Recovery {
            cause,
            at,
            changes: 0,
            drops: Moments::default(),
            sent: Moments::default(),
            inferred: Moments::default(),
            out: Moments::default(),
            swapped: 0,
            back: Moments::default(),
            noticed: Moments::default(),
        }
    }
}

/// All faults so far, and what they did.
#[derive(Clone, Debug, Default)]
pub(super) struct Recoveries {
    list: Vec<Recovery>,
    // The fault behind drops at a directed link for a reason.
    links: BTreeMap<(u32, DropReason), u32>,
    // Faults of whole tiers, and switches that damage packets, while they last. Their drops are put down to them only
    // while there is no doubt which of them it was.
    tiers: Vec<(FaultKind, u32)>,
    switches: Vec<(FaultKind, u32)>,
    // Data packets (connection and PSN) whose loss has not been inferred yet, and what took them.
    lost: BTreeMap<(u32, u32), u32>,
    // The loss that was inferred last: its EV, and what took the packet. The EV's change of state is told next.
    suspect: Option<(u32, u16, u32)>,
    out: BTreeMap<(u32, u16), u32>,
}

impl Recoveries {
    pub fn list(&self) -> &[Recovery] {
        &self.list
    }

    /// A change took effect, which concerns these directed links.
    pub fn fault(&mut self, now: Time, cause: usize, what: &FaultKind, links: &[u32]) {
        match what {
            FaultKind::TierLoss { tier, direction, .. } => {
                self.tiers.retain(|(other, _)| {
                    !matches!(other, FaultKind::TierLoss { tier: t, direction: d, .. }
                        if (t, d) == (tier, direction))
                });
            }
            FaultKind::SwitchCorrupt { switch, .. } => {
                self.switches.retain(|(other, _)| other.switch() != Some(*switch));
            }
            _ => {}
        }
        if what.is_repair() {
            // Packets that were sent into a dead link may still be dropped when it is up again.
            if let Some(reason) = reason(what).filter(|&reason| reason != DropReason::LinkDown) {
                for &link in links {
                    self.links.remove(&(link, reason));
                }
            }
            return;
        }
        let Some(number) = self.occurrence(now, cause) else {
            return;
        };
        match what {
            FaultKind::TierLoss { .. } => self.tiers.push((what.clone(), number)),
            FaultKind::SwitchCorrupt { .. } => self.switches.push((what.clone(), number)),
            _ => {
                if let Some(reason) = reason(what) {
                    let entries = links.iter().map(|&link| ((link, reason), number));
                    self.links.extend(entries);
                }
            }
        }
    }

    /// Changes of one fault at one time follow each other.
    fn occurrence(&mut self, at: Time, cause: usize) -> Option<u32> {
        let is_same = |last: &Recovery| (last.at, last.cause) == (at, cause);
        if !self.list.last().is_some_and(is_same) {
            if self.list.len() == MAX_RECOVERIES {
                return None;
            }
            self.list.push(Recovery::new(cause, at));
        }
        let last = self.list.last_mut()?;
        last.changes += 1;
        Some(self.list.len() as u32 - 1)
    }

    /// The fault that a drop is put down to.
    fn culprit(&self, link: u32, reason: DropReason) -> Option<u32> {
        let only = |list: &[(FaultKind, u32)]| match list {
            [(_, number)] => Some(*number),
            _ => None,
        };
        let own = self.links.get(&(link, reason)).copied();
        own.or_else(|| match reason {
            DropReason::RandomLoss => only(&self.tiers),
            DropReason::Icrc => only(&self.switches),
            _ => None,
        })
    }

    pub fn dropped(&mut self, now: Time, link: u32, packet: &Packet, reason: DropReason) {
        let Some(number) = self.culprit(link, reason) else {
            return;
        };
        let recovery = &mut self.list[number as usize];
        recovery.drops.note(now);
        if packet.kind != PacketKind::Data {
            return;
        }
        recovery.sent.note(Time(packet.sent));
        if self.lost.len() < MAX_LOST {
            self.lost.insert((packet.conn, packet.psn), number);
        }
    }

    pub fn loss_inferred(&mut self, now: Time, conn: u32, psn: u32, ev: u16) {
        self.suspect = None;
        if let Some(number) = self.lost.remove(&(conn, psn)) {
            self.list[number as usize].inferred.note(now);
            self.suspect = Some((conn, ev, number));
        }
    }

    pub fn ev_out(&mut self, now: Time, conn: u32, ev: u16) {
        if let Some((_, _, number)) = self
            .suspect
            .take_if(|suspect| (suspect.0, suspect.1) == (conn, ev))
        {
            self.list[number as usize].out.note(now);
            if self.out.len() < MAX_OUT {
                self.out.insert((conn, ev), number);
            }
        }
    }

    pub fn ev_swapped(&mut self, conn: u32, out: u16) {
        if let Some(&number) = self.out.get(&(conn, out)) {
            self.list[number as usize].swapped += 1;
        }
    }

    pub fn ev_back(&mut self, now: Time, conn: u32, ev: u16) {
        if let Some(number) = self.out.remove(&(conn, ev)) {
            self.list[number as usize].back.note(now);
        }
    }

    pub fn port_noticed(&mut self, now: Time, link: u32) {
        if let Some(number) = self.culprit(link, DropReason::LinkDown) {
            self.list[number as usize].noticed.note(now);
        }
    }

    /// A flow is over: what is known of its packets and EVs is of no use any more.
    pub fn over(&mut self, conn: u32) {
        forget(&mut self.lost, (conn, 0)..=(conn, u32::MAX));
        forget(&mut self.out, (conn, 0)..=(conn, u16::MAX));
    }
}

fn forget<K: Ord + Copy>(map: &mut BTreeMap<K, u32>, keys: std::ops::RangeInclusive<K>) {
    while let Some((&key, _)) = map.range(keys.clone()).next() {
        map.remove(&key);
    }
}

/// Why packets are dropped at the links that a fault or its repair concerns.
const fn reason(what: &FaultKind) -> Option<DropReason> {
    match what {
        FaultKind::LinkDown { .. } | FaultKind::LinkUp { .. } => Some(DropReason::LinkDown),
        FaultKind::LinkLoss { .. } => Some(DropReason::RandomLoss),
        FaultKind::LinkCorrupt { .. } => Some(DropReason::FrameCheck),
        FaultKind::SwitchDown { .. } | FaultKind::SwitchUp { .. } => Some(DropReason::SwitchDead),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fabric::packet::flags;
    use scenario::{Direction, Tier};

    fn down() -> FaultKind {
        FaultKind::link_down("p0/t0.0-t1.1".parse().expect("a link"))
    }

    fn data(conn: u32, psn: u32, sent: u64) -> Packet {
        Packet {
            conn,
            psn,
            sent,
            ..Packet::default()
        }
    }

    #[test]
    fn a_dead_link_is_followed_from_the_first_lost_packet_to_the_last_one_sent_into_it() {
        let mut seen = Recoveries::default();
        seen.fault(Time(100), 3, &down(), &[7, 8]);
        // In no order of time, as within a window.
        seen.dropped(Time(130), 8, &data(1, 11, 120), DropReason::LinkDown);
        seen.dropped(Time(100), 7, &data(0, 5, 90), DropReason::LinkDown);
        let sack = Packet {
            kind: PacketKind::Sack,
            flags: flags::CONTROL,
            ..data(2, 0, 200)
        };
        seen.dropped(Time(210), 7, &sack, DropReason::LinkDown);
        seen.dropped(Time(150), 9, &data(1, 12, 140), DropReason::LinkDown);
        seen.loss_inferred(Time(160), 1, 11, 2);
        seen.ev_out(Time(160), 1, 2);
        seen.ev_swapped(1, 2);
        seen.loss_inferred(Time(155), 0, 5, 3);
        seen.ev_out(Time(155), 0, 3);
        // Lost again, to something else: not this fault's doing.
        seen.loss_inferred(Time(170), 0, 5, 4);
        seen.ev_out(Time(170), 0, 4);
        seen.fault(
            Time(300),
            4,
            &FaultKind::link_up("p0/t0.0-t1.1".parse().expect("a link")),
            &[7, 8],
        );
        seen.ev_back(Time(400), 1, 2);
        let [recovery] = seen.list() else {
            panic!("one occurrence: {:?}", seen.list());
        };
        assert_eq!((recovery.cause, recovery.at, recovery.changes), (3, Time(100), 1));
        assert_eq!(recovery.drops.span(), Some((Time(100), Time(210))));
        assert_eq!(recovery.drops.count, 3, "the drop at link 9 has another cause");
        assert_eq!(recovery.sent.span(), Some((Time(90), Time(120))), "data only");
        assert_eq!(recovery.inferred.span(), Some((Time(155), Time(160))));
        assert_eq!(recovery.out.span(), Some((Time(155), Time(160))));
        assert_eq!((recovery.out.count, recovery.swapped), (2, 1));
        assert_eq!(recovery.back.span(), Some((Time(400), Time(400))));
    }

    #[test]
    fn changes_at_one_time_are_one_occurrence_and_each_time_another() {
        let mut seen = Recoveries::default();
        for at in [10, 10, 30] {
            seen.fault(Time(at), 0, &down(), &[1]);
        }
        seen.fault(Time(30), 1, &down(), &[1]);
        let all: Vec<_> = seen.list().iter().map(|r| (r.at.0, r.cause, r.changes)).collect();
        assert_eq!(all, [(10, 0, 2), (30, 0, 1), (30, 1, 1)]);
        // The last one that took the link counts.
        seen.dropped(Time(31), 1, &data(0, 0, 20), DropReason::LinkDown);
        assert_eq!(seen.list()[2].drops.count, 1);
    }

    #[test]
    fn loss_on_tiers_is_put_down_to_one_only_while_it_is_the_only_one() {
        let mut seen = Recoveries::default();
        let loss = |tier, rate| FaultKind::TierLoss {
            tier,
            direction: Direction::Both,
            rate,
        };
        seen.fault(Time(0), 0, &loss(Tier::Nic, 0.1), &[]);
        seen.dropped(Time(1), 5, &data(0, 0, 0), DropReason::RandomLoss);
        seen.fault(Time(2), 1, &loss(Tier::T0T1, 0.1), &[]);
        seen.dropped(Time(3), 5, &data(0, 1, 0), DropReason::RandomLoss);
        seen.fault(Time(4), 2, &loss(Tier::Nic, 0.0), &[]);
        seen.dropped(Time(5), 5, &data(0, 2, 0), DropReason::RandomLoss);
        // A link of its own always counts first.
        let link = FaultKind::link_loss("p0/n0".parse().expect("a link"), 0.5);
        seen.fault(Time(6), 3, &link, &[5]);
        seen.dropped(Time(7), 5, &data(0, 3, 0), DropReason::RandomLoss);
        let drops: Vec<_> = seen.list().iter().map(|r| (r.cause, r.drops.count)).collect();
        assert_eq!(drops, [(0, 1), (1, 1), (3, 1)]);
    }

    #[test]
    fn what_is_known_of_a_flow_goes_with_it() {
        let mut seen = Recoveries::default();
        seen.fault(Time(0), 0, &down(), &[1]);
        for conn in 0..3 {
            seen.dropped(Time(1), 1, &data(conn, conn, 0), DropReason::LinkDown);
        }
        seen.over(1);
        assert_eq!(seen.lost.keys().map(|key| key.0).collect::<Vec<_>>(), [0, 2]);
    }
}

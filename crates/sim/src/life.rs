//! An observer that watches one PSN of one connection, and nothing else.

use crate::observer::Observer;
use fabric::{DropReason, Packet, PacketKind};
use kernel::Time;

/// Moments kept at most: a packet that is sent again for ever ends somewhere.
pub const MAX_MOMENTS: usize = 4_096;
/// Pauses of links kept at most, beginnings and ends.
pub const MAX_PAUSES: usize = 65_536;

/// What happened to the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happening {
    /// A NIC's endpoint handed it to its port.
    Sent,
    /// It was trimmed in front of the link.
    Trimmed,
    /// It came to the far end of the link.
    Crossed,
    /// It was dropped.
    Dropped(DropReason),
    /// Its receiver has dealt with it; so many bytes were placed.
    Received(u32),
    /// Its sender inferred its loss without having been told.
    Lost,
    /// Its sender had heard nothing for too long.
    TimedOut,
}

/// A moment in the packet's life, or in that of an answer about it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// When.
    pub at: Time,
    /// The directed link; of no meaning where the sender infers something.
    pub link: u32,
    /// What.
    pub what: Happening,
    /// The data packet, or the answer.
    pub packet: Packet,
}

/// Watches the data packets that have one PSN of one connection, and the answers that speak of it.
#[derive(Clone, Debug)]
pub struct LifeWatch {
    conn: u32,
    psn: u32,
    is_roce: bool,
    moments: Vec<Moment>,
    // Links on which the packet may be, in order, and when PFC has paused them and let them go on.
    links: Vec<u32>,
    pauses: Vec<(u64, u32, bool)>,
    // When the earliest acknowledgement was sent, and when one was heard first.
    sent: Option<u64>,
    heard: Option<u64>,
}

impl LifeWatch {
    /// Watches `psn` of connection `conn`, whose endpoints are RoCE's or MRC's.
    pub fn new(conn: u32, psn: u32, is_roce: bool) -> LifeWatch {
        LifeWatch {
            conn,
            psn,
            is_roce,
            moments: Vec::new(),
            links: Vec::new(),
            pauses: Vec::new(),
            sent: None,
            heard: None,
        }
    }

    /// Notes when PFC pauses these links, too.
    pub fn watch_pauses(&mut self, mut links: Vec<u32>) {
        links.sort_unstable();
        self.links = links;
    }

    /// For how long a link was paused between two times, in ps.
    pub fn paused_for(&self, link: u32, from: u64, to: u64) -> u64 {
        let mut changes: Vec<(u64, bool)> = self
            .pauses
            .iter()
            .filter(|&&(at, of, _)| of == link && at < to)
            .map(|&(at, _, paused)| (at, paused))
            .collect();
        changes.sort_unstable();
        let (mut since, mut sum) = (None, 0);
        for (at, paused) in changes {
            match (since, paused) {
                (None, true) => since = Some(at),
                (Some(start), false) => {
                    sum += at.saturating_sub(from.max(start));
                    since = None;
                }
                _ => {}
            }
        }
        sum + since.map_or(0, |start| to.saturating_sub(from.max(start)))
    }

    /// What was seen, in order of time. Everything up to some time must have happened.
    pub fn moments(&self) -> Vec<Moment> {
        let mut moments = self.moments.clone();
        moments.sort_by_key(|moment| (moment.at, moment.packet.sent, moment.what));
        moments
    }

    /// True when nothing more is written down.
    pub fn is_full(&self) -> bool {
        self.moments.len() >= MAX_MOMENTS || self.pauses.len() >= MAX_PAUSES
    }

    /// True when an answer says that the packet has arrived.
    pub fn acknowledges(&self, packet: &Packet) -> bool {
        match packet.kind {
            PacketKind::Sack => {
                let lowest = packet.cack.wrapping_add(u32::from(packet.sack_offset));
                let bit = self.psn.wrapping_sub(lowest);
                self.psn < packet.cack || bit < 64 && packet.bitmap >> bit & 1 == 1
            }
            PacketKind::Ack if self.is_roce => {
                packet.reason != roce::aeth::NAK_PSN_SEQUENCE && self.psn <= packet.psn
            }
            _ => false,
        }
    }

    /// True for an answer that asks for the packet again.
    pub fn refuses(&self, packet: &Packet) -> bool {
        packet.psn == self.psn
            && match packet.kind {
                PacketKind::Nack => true,
                PacketKind::Ack => self.is_roce && packet.reason == roce::aeth::NAK_PSN_SEQUENCE,
                _ => false,
            }
    }

    /// True for a CNP that this packet's mark has led to.
    pub fn tells_mark(&self, packet: &Packet) -> bool {
        packet.kind == PacketKind::Cnp && packet.psn == self.psn
    }

    #[inline]
    fn is_it(&self, packet: &Packet) -> bool {
        packet.conn == self.conn && packet.kind == PacketKind::Data && packet.psn == self.psn
    }

    fn push(&mut self, at: Time, link: u32, what: Happening, packet: &Packet) {
        if !self.is_full() {
            let packet = *packet;
            self.moments.push(Moment {
                at,
                link,
                what,
                packet,
            });
        }
    }

    /// Answers are written down when they are sent and when they are heard; of acknowledgements the earliest only.
    fn answer(&mut self, at: Time, link: u32, what: Happening, packet: &Packet) {
        if self.refuses(packet) || self.tells_mark(packet) {
            return self.push(at, link, what, packet);
        }
        if !self.acknowledges(packet) {
            return;
        }
        let first = if what == Happening::Sent {
            &mut self.sent
        } else {
            &mut self.heard
        };
        if first.is_none_or(|first| at.0 < first) {
            *first = Some(at.0);
            self.push(at, link, what, packet);
        }
    }
}

impl fabric::network::Observer for LifeWatch {
    #[inline]
    fn crossed(&mut self, now: Time, link: u32, packet: &Packet) {
        if self.is_it(packet) {
            self.push(now, link, Happening::Crossed, packet);
        }
    }

    fn dropped(&mut self, now: Time, link: u32, packet: &Packet, reason: DropReason) {
        if self.is_it(packet) {
            self.push(now, link, Happening::Dropped(reason), packet);
        }
    }

    fn trimmed(&mut self, now: Time, link: u32, packet: &Packet) {
        if self.is_it(packet) {
            self.push(now, link, Happening::Trimmed, packet);
        }
    }

    fn paused(&mut self, now: Time, link: u32, paused: bool) {
        if self.links.binary_search(&link).is_ok() && !self.is_full() {
            self.pauses.push((now.0, link, paused));
        }
    }
}

impl LifeWatch {
    fn inferred(&mut self, now: u64, conn: u32, psn: u32, what: Happening) {
        if (conn, psn) == (self.conn, self.psn) {
            let packet = Packet {
                conn,
                psn,
                ..Packet::default()
            };
            self.push(Time(now), u32::MAX, what, &packet);
        }
    }
}

impl mrc::Observer for LifeWatch {
    fn loss_inferred(&mut self, now: u64, conn: u32, psn: u32, _: u16) {
        self.inferred(now, conn, psn, Happening::Lost);
    }

    /// Told after the losses that the timeout has led to.
    fn timed_out(&mut self, now: u64, conn: u32, _: u32) {
        let last = self
            .moments
            .last_mut()
            .filter(|last| last.what == Happening::Lost);
        if let Some(lost) = last.filter(|last| last.at.0 == now && conn == self.conn) {
            lost.what = Happening::TimedOut;
        }
    }
}

impl roce::Observer for LifeWatch {
    fn timed_out(&mut self, now: u64, conn: u32, psn: u32) {
        self.inferred(now, conn, psn, Happening::TimedOut);
    }
}

impl Observer for LifeWatch {
    #[inline]
    fn sent(&mut self, now: Time, link: u32, packet: &Packet) {
        if packet.conn != self.conn {
            return;
        }
        if self.is_it(packet) {
            self.push(now, link, Happening::Sent, packet);
        } else if packet.kind != PacketKind::Data {
            self.answer(now, link, Happening::Sent, packet);
        }
    }

    #[inline]
    fn received(&mut self, now: Time, link: u32, packet: &Packet, placed: u32) {
        if packet.conn != self.conn {
            return;
        }
        if self.is_it(packet) {
            self.push(now, link, Happening::Received(placed), packet);
        } else if packet.kind != PacketKind::Data {
            self.answer(now, link, Happening::Received(0), packet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_summed_within_a_span() {
        use fabric::network::Observer as _;
        let mut watch = LifeWatch::new(0, 0, true);
        watch.watch_pauses(vec![9, 7]);
        // Told place by place, not in order of time; link 8 is none of them.
        for (at, link, paused) in [
            (50, 7, true),
            (10, 7, true),
            (20, 7, false),
            (12, 8, true),
            (11, 9, true),
        ] {
            watch.paused(Time(at), link, paused);
        }
        assert_eq!(watch.paused_for(7, 0, 100), 10 + 50, "10 to 20, and from 50 on");
        assert_eq!(watch.paused_for(7, 15, 60), 5 + 10);
        assert_eq!(watch.paused_for(7, 20, 50), 0);
        assert_eq!(watch.paused_for(8, 0, 100), 0, "not watched");
    }

    #[test]
    fn a_sack_acknowledges_what_is_below_and_what_has_a_bit() {
        // PSNs 0 to 9 are acknowledged together; of 12 to 75 the bits say: 13 and 75.
        let sack = Packet {
            kind: PacketKind::Sack,
            cack: 10,
            sack_offset: 2,
            bitmap: 1 << 1 | 1 << 63,
            ..Packet::default()
        };
        let acknowledged: Vec<u32> = (0..100)
            .filter(|&psn| LifeWatch::new(0, psn, false).acknowledges(&sack))
            .collect();
        assert_eq!(acknowledged, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 75]);
    }
}

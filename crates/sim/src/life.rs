//! An observer that watches one PSN of one connection, and nothing else.

use crate::observer::Observer;
use fabric::{DropReason, Packet, PacketKind};
use kernel::Time;

/// Moments kept at most: a packet that is sent again for ever ends somewhere.
pub const MAX_MOMENTS: usize = 4_096;

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
            sent: None,
            heard: None,
        }
    }

    /// What was seen, in order of time. Everything up to some time must have happened.
    pub fn moments(&self) -> Vec<Moment> {
        let mut moments = self.moments.clone();
        moments.sort_by_key(|moment| (moment.at, moment.packet.sent, moment.what));
        moments
    }

    /// True when nothing more is written down.
    pub fn is_full(&self) -> bool {
        self.moments.len() >= MAX_MOMENTS
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
        if self.refuses(packet) {
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
        let last = self.moments.last_mut().filter(|last| last.what == Happening::Lost);
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

//! The receiving side of a QP: places data, and says what arrived.

use crate::aeth;
use crate::config::{Config, MAX_OUTSTANDING, Recovery};
use crate::dcqcn::NotificationPoint;
use crate::requester::messages_below;
use fabric::packet::{Packet, PacketKind, flags};
use rdma::{PsnBits, Stream};

/// Counts of what a responder saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponderStats {
    /// Data packets placed.
    pub placed: u64,
    /// Message bytes placed, each once.
    pub placed_bytes: u64,
    /// Data packets that had been placed before.
    pub duplicates: u64,
    /// Data packets beyond the expected PSN: thrown away by go-back-N, placed by selective repeat.
    pub out_of_order: u64,
    /// Data packets that are no use: beyond the window or the messages, or without their payload.
    pub refused: u64,
    /// NAKs sent.
    pub naks: u64,
    /// ACKs sent.
    pub acks: u64,
    /// CNPs sent.
    pub cnps: u64,
}

/// What a data packet is answered with. Both go back to the sender by the UDP source port that `ev` says, the data's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replies {
    /// A CNP, which comes first.
    pub cnp: Option<Packet>,
    /// An ACK or NAK.
    pub ack: Option<Packet>,
}

impl IntoIterator for Replies {
    type Item = Packet;
    type IntoIter = core::iter::Flatten<core::array::IntoIter<Option<Packet>, 2>>;

    fn into_iter(self) -> Self::IntoIter {
        [self.cnp, self.ack].into_iter().flatten()
    }
}

/// The responder of one QP.
#[derive(Clone, Debug)]
pub struct Responder {
    stream: Stream,
    // All PSNs below are placed.
    expected: u32,
    // Selective repeat: what was placed beyond.
    beyond: Option<Box<Beyond>>,
    // A NAK named the expected PSN.
    nak_sent: bool,
    np: NotificationPoint,
    stats: ResponderStats,
}

#[derive(Clone, Debug)]
struct Beyond {
    placed: PsnBits,
    // One beyond the highest PSN placed.
    top: u32,
}

impl Responder {
    /// A responder for what `stream` says.
    pub fn new(config: &Config, stream: Stream) -> Responder {
        Responder {
            stream,
            expected: 0,
            beyond: match config.recovery {
                Recovery::GoBackN => None,
                Recovery::SelectiveRepeat { .. } => Some(Box::new(Beyond {
                    placed: PsnBits::new(64),
                    top: 0,
                })),
            },
            nak_sent: false,
            np: NotificationPoint::default(),
            stats: ResponderStats::default(),
        }
    }

    /// Counts so far.
    pub fn stats(&self) -> &ResponderStats {
        &self.stats
    }

    /// What it expects.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// True when all messages were placed.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.expected == self.stream.packets()
    }

    /// The lowest PSN not yet placed.
    pub fn cack(&self) -> u32 {
        self.expected
    }

    /// Messages placed of which all earlier ones are placed too.
    #[inline]
    pub fn delivered(&self) -> u32 {
        messages_below(&self.stream, self.expected)
    }

    /// A data packet arrived at `now`. A packet that was trimmed has no payload to place and no valid iCRC: RoCE knows no trims,
    /// so it counts as lost.
    pub fn on_data(&mut self, config: &Config, now: u64, packet: &Packet) -> Replies {
        let psn = packet.psn;
        if packet.has(flags::TRIMMED) || psn >= self.stream.packets() {
            self.stats.refused += 1;
            return Replies::default();
        }
        let marked = config.dcqcn.enabled && packet.has(flags::ECN);
        let cnp = (marked && self.np.on_mark(now, config.dcqcn.cnp_interval)).then(|| {
            self.stats.cnps += 1;
            Packet {
                kind: PacketKind::Cnp,
                size: config.sizes.cnp,
                psn,
                ..answer(packet)
            }
        });
        let ack = if psn < self.expected {
            self.duplicate(config, packet)
        } else if psn == self.expected {
            self.in_order(config, packet)
        } else {
            self.beyond(config, packet)
        };
        Replies { cnp, ack }
    }

    /// A duplicate WRITE is acknowledged again (IBTA, C9-110) and not placed again.
    fn duplicate(&mut self, config: &Config, packet: &Packet) -> Option<Packet> {
        self.stats.duplicates += 1;
        self.ack(config, packet)
    }

    fn in_order(&mut self, config: &Config, packet: &Packet) -> Option<Packet> {
        self.nak_sent = false;
        self.place(packet.psn);
        let mut closed = false;
        match &mut self.beyond {
            None => self.expected += 1,
            Some(beyond) => {
                let had_holes = beyond.top > packet.psn;
                beyond.placed.reserve(packet.psn);
                beyond.placed.set(packet.psn);
                self.expected = beyond.placed.first_zero();
                beyond.placed.advance(self.expected);
                closed = had_holes && beyond.top <= self.expected;
            }
        }
        if packet.has(flags::ACK_REQUEST) || closed {
            self.ack(config, packet)
        } else {
            None
        }
    }

    fn beyond(&mut self, config: &Config, packet: &Packet) -> Option<Packet> {
        let psn = packet.psn;
        match (&mut self.beyond, config.recovery) {
            (Some(beyond), Recovery::SelectiveRepeat { window, .. }) => {
                if psn - self.expected >= window.clamp(1, MAX_OUTSTANDING) {
                    self.stats.refused += 1;
                    return None;
                }
                if beyond.placed.get(psn) {
                    return self.duplicate(config, packet);
                }
                beyond.placed.reserve(psn);
                beyond.placed.set(psn);
                beyond.top = beyond.top.max(psn + 1);
                self.stats.out_of_order += 1;
                self.place(psn);
                Some(self.nak(packet, config.sizes.sack, u64::from(psn)))
            }
            _ => {
                self.stats.out_of_order += 1;
                // IBTA, C9-114: one NAK for a gap, and no other until the expected PSN has arrived.
                if self.nak_sent {
                    return None;
                }
                self.nak_sent = true;
                Some(self.nak(packet, config.sizes.ack, 0))
            }
        }
    }

    fn place(&mut self, psn: u32) {
        self.stats.placed += 1;
        self.stats.placed_bytes += u64::from(self.stream.payload(psn));
    }

    /// Acknowledges everything placed in order; none if there is nothing.
    fn ack(&mut self, config: &Config, packet: &Packet) -> Option<Packet> {
        let psn = self.expected.checked_sub(1)?;
        self.stats.acks += 1;
        Some(Packet {
            kind: PacketKind::Ack,
            size: config.sizes.ack,
            psn,
            reason: aeth::ACK,
            ..answer(packet)
        })
    }

    fn nak(&mut self, packet: &Packet, size: u16, arrived: u64) -> Packet {
        self.stats.naks += 1;
        Packet {
            kind: PacketKind::Ack,
            size,
            psn: self.expected,
            bitmap: arrived,
            reason: aeth::NAK_PSN_SEQUENCE,
            ..answer(packet)
        }
    }
}

/// What all answers to a packet share.
fn answer(packet: &Packet) -> Packet {
    Packet {
        conn: packet.conn,
        ev: packet.ev,
        sent: packet.sent,
        flags: flags::CONTROL,
        ..Packet::default()
    }
}

#[cfg(test)]
mod tests;

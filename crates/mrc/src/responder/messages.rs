//! The message layer of a responder: which messages are complete, and which of them the requester has to hear of.

use rdma::Stream;
use std::collections::VecDeque;
use wire::Syndrome;

/// What has arrived of the messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrived {
    /// Messages that are placed, and so are all before them.
    pub delivered: u32,
    // Packets placed of the messages from `delivered` on.
    counts: VecDeque<u32>,
    // WRITEs that are complete and not yet acknowledged.
    acks: VecDeque<u32>,
    // WRITEs with immediate are acknowledged in order: all below this one are.
    acked: u32,
    // Messages are acknowledged at all.
    acknowledges: bool,
}

impl Arrived {
    /// The packet with `psn` was placed; all below `next` are.
    #[inline]
    pub fn on_placed(&mut self, stream: &Stream, psn: u32, next: u32, acknowledges: bool) {
        self.acknowledges = acknowledges;
        if stream.messages == 1 {
            if next == stream.packets() {
                self.delivered = 1;
                self.acks.push_back(0);
            }
            return;
        }
        let message = stream.message(psn);
        let ahead = (message - self.delivered) as usize;
        if self.counts.len() <= ahead {
            self.counts.resize(ahead + 1, 0);
        }
        self.counts[ahead] += 1;
        if self.counts[ahead] == stream.per_message() && !stream.immediate {
            self.acks.push_back(message);
        }
        while self.counts.front() == Some(&stream.per_message()) {
            self.counts.pop_front();
            self.delivered += 1;
        }
    }

    #[inline]
    pub fn has_acks(&self) -> bool {
        self.acknowledges && (!self.acks.is_empty() || self.acked < self.delivered)
    }

    /// The next message to acknowledge, and how: a WRITE as soon as it is complete, a WRITE with immediate in order.
    pub fn take_ack(&mut self, stream: &Stream) -> Option<(u32, Syndrome)> {
        if !self.acknowledges {
            return None;
        }
        if stream.immediate {
            if self.acked == self.delivered {
                return None;
            }
            self.acked = self.delivered;
            return Some((self.delivered - 1, Syndrome::UpTo));
        }
        self.acked = self.delivered;
        self.acks.pop_front().map(|message| (message, Syndrome::Ack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(arrived: &mut Arrived, stream: &Stream, psns: &[u32]) -> Vec<(u32, Syndrome)> {
        let mut there: Vec<u32> = Vec::new();
        let mut acks = Vec::new();
        for &psn in psns {
            there.push(psn);
            let next = (0..).find(|psn| !there.contains(psn)).expect("unbounded");
            arrived.on_placed(stream, psn, next, true);
            while arrived.has_acks() {
                match arrived.take_ack(stream) {
                    Some(ack) => acks.push(ack),
                    None => break,
                }
            }
        }
        acks
    }

    #[test]
    fn writes_are_acknowledged_as_they_complete() {
        // 3 messages of 2 packets; the second one is whole first.
        let stream = Stream::new(8192, 3, false, 4096).expect("fits");
        let mut arrived = Arrived::default();
        let acks = place(&mut arrived, &stream, &[2, 0, 3, 1, 5, 4]);
        assert_eq!(acks, [1, 0, 2].map(|m| (m, Syndrome::Ack)));
        assert_eq!(arrived.delivered, 3);
    }

    #[test]
    fn writes_with_immediate_are_told_in_order() {
        let stream = Stream::new(8192, 3, true, 4096).expect("fits");
        let mut arrived = Arrived::default();
        let acks = place(&mut arrived, &stream, &[2, 0, 3, 1, 5, 4]);
        // The second is held back until the first is there; then both are told with one ACK.
        assert_eq!(acks, [1, 2].map(|m| (m, Syndrome::UpTo)));
    }

    #[test]
    fn without_acks_nothing_waits() {
        let stream = Stream::one(8192, 4096).expect("fits");
        let mut arrived = Arrived::default();
        arrived.on_placed(&stream, 0, 1, false);
        arrived.on_placed(&stream, 1, 2, false);
        assert_eq!((arrived.delivered, arrived.has_acks()), (1, false));
    }
}

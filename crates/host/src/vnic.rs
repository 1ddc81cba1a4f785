//! A vNIC's transmit ring, and the rate at which it empties.

use crate::line::Line;
use kernel::Time;
use std::collections::VecDeque;

/// What a sender that waits may have in the ring before it has to, in time at the vNIC's rate, and at least this many bytes; our
/// choice, of the order of Linux's byte queue limits.
const BUFFER: Time = Time::from_us(64);
const LEAST_BUFFER: u64 = 16 << 10;

/// What a VM's vNIC, or its peers', may send. TCP and RDMA wait when [`BUFFER`] of theirs is there, as byte queue limits and the
/// queue of the guest's own socket make them on Linux: nothing of theirs is lost here, and what does not wait does not keep
/// them out (our choice). Of what does not wait, as UDP, the ring holds so many packets; more are lost.
#[derive(Clone, Debug)]
pub(crate) struct Vnic {
    line: Line,
    size: usize,
    // Of what does not wait: when each packet has left, and its bytes.
    held: VecDeque<(Time, u32)>,
    held_bytes: u64,
}

impl Vnic {
    /// One that sends `rate` bit/s, above 0, with a ring of `size` packets.
    pub fn new(rate: u64, size: u32) -> Vnic {
        Vnic {
            line: Line::new(rate),
            size: size as usize,
            held: VecDeque::new(),
            held_bytes: 0,
        }
    }

    /// Takes out what has left by `now`.
    pub fn settle(&mut self, now: Time) {
        while let Some(&(_, bytes)) = self.held.front().filter(|&&(leaves, _)| leaves <= now) {
            self.held.pop_front();
            self.held_bytes -= u64::from(bytes);
        }
    }

    fn buffer(&self) -> u64 {
        self.line.within(BUFFER).max(LEAST_BUFFER)
    }

    /// Whether a sender that waits may hand over more at `now`; the vNIC has to be [settled](Vnic::settle).
    pub fn has_room(&self, now: Time) -> bool {
        self.line.backlog(now).saturating_sub(self.held_bytes) < self.buffer()
    }

    /// When a sender that found no room looks again.
    pub fn room_at(&self) -> Time {
        self.line.when_below(self.buffer() / 2 + self.held_bytes)
    }

    /// Takes a packet of a sender that waits; when its last bit has left.
    pub fn send(&mut self, now: Time, bytes: u32) -> Time {
        self.line.send(now, bytes)
    }

    /// Takes one of a sender that does not; none when the ring is full.
    pub fn offer(&mut self, now: Time, bytes: u32) -> Option<Time> {
        self.settle(now);
        if self.held.len() >= self.size {
            return None;
        }
        let leaves = self.line.send(now, bytes);
        self.held.push_back((leaves, bytes));
        self.held_bytes += u64::from(bytes);
        Some(leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,250 bytes take 1 µs at 10 Gb/s: of a burst of five two find room, and one more when the first has left.
    #[test]
    fn the_ring_holds_so_many_and_no_more() {
        let us = Time::from_us;
        let mut vnic = Vnic::new(10_000_000_000, 2);
        let burst = [0; 5].map(|_| vnic.offer(us(0), 1_250));
        assert_eq!(burst, [Some(us(1)), Some(us(2)), None, None, None]);
        assert_eq!(
            vnic.offer(Time(us(1).0 - 1), 1_250),
            None,
            "it is still being sent"
        );
        assert_eq!(vnic.offer(us(1), 1_250), Some(us(3)));
        assert_eq!(vnic.held.len(), 2);
    }

    /// The buffer is 64 µs at 10 Gb/s: 80,000 bytes, 64 packets.
    #[test]
    fn who_waits_is_held_back_by_its_own_alone() {
        let us = Time::from_us;
        let mut vnic = Vnic::new(10_000_000_000, 1_000);
        for _ in 0..500 {
            vnic.offer(us(0), 1_250);
        }
        for sent in 0..64 {
            assert!(vnic.has_room(us(0)), "{sent}");
            vnic.send(us(0), 1_250);
        }
        assert!(!vnic.has_room(us(0)));
        // 564 µs of work, of which 500 are others' and 32 may remain of its own.
        assert_eq!(vnic.room_at(), us(564 - 532));
        vnic.settle(us(500));
        assert_eq!((vnic.held_bytes, vnic.has_room(us(500))), (0, false));
        assert!(vnic.has_room(us(501)));
    }
}

//! A timer wheel: which flow may be too old by now.

use kernel::Time;

/// How exactly a deadline is kept without a packet: 100 ms (our choice). With a packet it is kept to the picosecond.
pub const TICK: Time = Time::from_ms(100);
/// 4,096 ticks are 409.6 s: longer than most times to live, so few flows are looked at before their time.
const SLOTS: usize = 4_096;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    previous: u32,
    next: u32,
    /// The slot, or `u16::MAX` when it is on no list.
    slot: u16,
}

const LOOSE: Link = Link {
    previous: NONE,
    next: NONE,
    slot: u16::MAX,
};

/// A hashed timing wheel (Varghese and Lauck 1987) of doubly linked lists. A deadline beyond the wheel waits in its last
/// slot and is looked at again then.
#[derive(Clone, Debug)]
pub(super) struct Wheel {
    heads: Vec<u32>,
    links: Vec<Link>,
    /// The first tick that has not been worked off.
    tick: u64,
    len: usize,
}

impl Default for Wheel {
    fn default() -> Wheel {
        Wheel {
            heads: vec![NONE; SLOTS],
            links: Vec::new(),
            tick: 0,
            len: 0,
        }
    }
}

impl Wheel {
    /// Puts a number on the list of its deadline, wherever it was before. Its turn comes after the deadline, never before
    /// unless the wheel is too small for it.
    pub(super) fn schedule(&mut self, number: u32, deadline: Time) {
        self.cancel(number);
        let at = number as usize;
        if at >= self.links.len() {
            self.links.resize(at + 1, LOOSE);
        }
        let tick = (deadline.ps() / TICK.ps() + 1).clamp(self.tick, self.tick + SLOTS as u64 - 1);
        let slot = (tick % SLOTS as u64) as usize;
        let head = self.heads[slot];
        self.links[at] = Link {
            previous: NONE,
            next: head,
            slot: slot as u16,
        };
        if head != NONE {
            self.links[head as usize].previous = number;
        }
        self.heads[slot] = number;
        self.len += 1;
    }

    /// Takes a number off its list.
    pub(super) fn cancel(&mut self, number: u32) {
        let Some(&link) = self.links.get(number as usize) else {
            return;
        };
        if link.slot == LOOSE.slot {
            return;
        }
        match link.previous {
            NONE => self.heads[usize::from(link.slot)] = link.next,
            previous => self.links[previous as usize].next = link.next,
        }
        if link.next != NONE {
            self.links[link.next as usize].previous = link.previous;
        }
        self.links[number as usize] = LOOSE;
        self.len -= 1;
    }

    /// The next number whose turn has come, taken off its list.
    pub(super) fn pop_due(&mut self, now: Time) -> Option<u32> {
        let end = now.ps() / TICK.ps();
        // All that waits is within one turn of the wheel.
        let mut left = SLOTS;
        while self.tick <= end {
            let head = self.heads[(self.tick % SLOTS as u64) as usize];
            if head != NONE {
                self.cancel(head);
                return Some(head);
            }
            if self.len == 0 || left == 0 {
                self.tick = end + 1;
                return None;
            }
            self.tick += 1;
            left -= 1;
        }
        None
    }

    /// When the next number's turn comes.
    pub(super) fn next_due(&self) -> Option<Time> {
        if self.len == 0 {
            return None;
        }
        (self.tick..self.tick + SLOTS as u64)
            .find(|tick| self.heads[(tick % SLOTS as u64) as usize] != NONE)
            .map(|tick| Time(tick.saturating_mul(TICK.ps())))
    }

    pub(super) const fn bytes(&self) -> usize {
        self.heads.capacity() * 4 + self.links.capacity() * size_of::<Link>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(wheel: &mut Wheel, now: Time) -> Vec<u32> {
        std::iter::from_fn(|| wheel.pop_due(now)).collect()
    }

    /// A deadline of 1.05 s lies in tick 10, so its turn comes at 1.1 s.
    #[test]
    fn a_turn_comes_after_the_deadline() {
        let mut wheel = Wheel::default();
        wheel.schedule(7, Time::from_ms(1_050));
        assert_eq!(wheel.next_due(), Some(Time::from_ms(1_100)));
        assert_eq!(drain(&mut wheel, Time::from_ms(1_099)), []);
        assert_eq!(drain(&mut wheel, Time::from_ms(1_100)), [7]);
        assert_eq!(wheel.next_due(), None);
    }

    #[test]
    fn rescheduling_moves_and_cancelling_removes() {
        let mut wheel = Wheel::default();
        for number in 0..4 {
            wheel.schedule(number, Time::from_ms(500));
        }
        wheel.schedule(1, Time::from_ms(100));
        wheel.cancel(2);
        assert_eq!(drain(&mut wheel, Time::from_ms(400)), [1]);
        assert_eq!(drain(&mut wheel, Time::from_ms(1_000)), [3, 0]);
    }

    /// 1,000 s is beyond the wheel: it is looked at after 409.5 s, again after 819, then when it is due.
    #[test]
    fn what_is_beyond_the_wheel_is_looked_at_early() {
        let mut wheel = Wheel::default();
        let deadline = Time::from_ms(1_000_000);
        wheel.schedule(0, deadline);
        let mut looks = Vec::new();
        while let Some(due) = wheel.next_due() {
            assert_eq!(wheel.pop_due(due), Some(0));
            looks.push(due.ps() / 1_000_000_000);
            if due <= deadline {
                wheel.schedule(0, deadline);
            }
        }
        assert_eq!(looks, [409_500, 819_000, 1_000_100]);
    }

    #[test]
    fn a_long_silence_is_one_turn() {
        let mut wheel = Wheel::default();
        wheel.schedule(0, Time::from_ms(10_000));
        assert_eq!(drain(&mut wheel, Time::MAX), [0]);
        assert!(wheel.tick > 1 << 27);
    }
}

//! What no single packet tells: looks at the whole run, one at the end of each bin.
//!
//! A look is part of the recorder, so a copy of the run goes on with those that it had. Where a run pauses has no part in when it is
//! looked at.

use super::{BINS, Recorder};
use crate::observer::Observer;
use crate::run::Sim;
use fabric::LinkKind;
use kernel::Time;
use mrc::EvCounts;

/// What a look at a run finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Bytes in the deepest queue in front of each kind of link, the packet being sent included.
    pub deepest: [u32; LinkKind::COUNT],
    /// The EVs of all QPs.
    pub evs: EvCounts,
}

impl Look {
    /// This look and a later one of the same bin: the deepest of both, and the EVs as they are at last.
    #[must_use]
    pub fn and(self, later: Look) -> Look {
        Look {
            deepest: std::array::from_fn(|kind| self.deepest[kind].max(later.deepest[kind])),
            evs: later.evs,
        }
    }
}

/// The looks so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    on: bool,
    // One a bin. The last one may be of its first half, since bins became wider.
    bins: Vec<Look>,
    // The time of the last one, in ps.
    last: u64,
}

impl Looks {
    /// Makes one bin of two.
    pub(super) fn halve(&mut self) {
        let pair = |pair: &[Look]| pair.iter().copied().reduce(Look::and).unwrap_or_default();
        self.bins = self.bins.chunks(2).map(pair).collect();
    }
}

impl Recorder {
    /// Whether the run is looked at; it is not before this says so.
    pub fn set_looking(&mut self, on: bool) {
        self.looks.on = on;
    }

    /// What was seen at the end of each bin, or before it where the run is not there yet; none where nobody looks.
    pub fn looks(&self) -> Option<&[Look]> {
        self.looks.on.then_some(&self.looks.bins)
    }

    /// When the run is to be looked at next, from `now` on; never where nobody looks.
    fn next_look(&self, now: Time) -> Time {
        if !self.looks.on {
            return Time::MAX;
        }
        let mut width = self.width_ps;
        if now.0.is_multiple_of(width) && now.0 > self.looks.last {
            return now;
        }
        // Bins that do not reach so far will be wider by then.
        while now.0 / width >= BINS as u64 {
            width *= 2;
        }
        Time((now.0 / width + 1) * width)
    }

    /// Keeps a look at the end of a bin.
    fn keep_look(&mut self, now: Time, look: Look) {
        let inside = self.bin(Time(now.0 - 1));
        self.looks.last = now.0;
        let bins = &mut self.looks.bins;
        match bins.get_mut(inside) {
            Some(half) => *half = half.and(look),
            None => bins.resize(inside + 1, look),
        }
    }
}

impl<O: Observer> Sim<O> {
    /// Looks at all queues and at the EVs of all QPs as they are now.
    pub fn look(&mut self) -> Look {
        self.settle();
        let mut look = Look::default();
        for link in 0..self.clos().links() {
            let port = self.network.port(link);
            let most = &mut look.deepest[port.kind as usize];
            *most = port.data_bytes.saturating_add(port.control_bytes).max(*most);
        }
        for conn in 0..self.qp_count() {
            if let Some(end) = self.sender(conn).requester.mrc() {
                let EvCounts { good, skip, out } = end.evs().counts();
                look.evs.good += good;
                look.evs.skip += skip;
                look.evs.out += out;
            }
        }
        look
    }
}

impl Sim<Recorder> {
    /// When the run is to stop for a look next.
    pub(super) fn next_look(&self) -> Time {
        self.watcher.next_look(self.now)
    }

    /// Looks at the run if it is time.
    pub(super) fn look_if_due(&mut self) {
        if self.now == self.next_look() && !self.is_half_way() {
            let look = self.look();
            self.watcher.keep_look(self.now, look);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u64 = super::super::FIRST_WIDTH_PS;

    fn depth(depth: u32) -> Look {
        Look {
            deepest: [depth; LinkKind::COUNT],
            evs: EvCounts {
                good: u64::from(depth),
                ..EvCounts::default()
            },
        }
    }

    #[test]
    fn a_look_comes_at_the_end_of_each_bin_and_bins_become_wider() {
        let mut recorder = Recorder::new(1, 1);
        assert_eq!(recorder.next_look(Time(5)), Time::MAX, "nobody looks");
        assert_eq!(recorder.looks(), None);
        recorder.set_looking(true);
        assert_eq!(recorder.next_look(Time::ZERO), Time(WIDTH));
        for bin in 1..=BINS as u64 {
            let now = Time(bin * WIDTH);
            assert_eq!(recorder.next_look(now), now);
            assert_eq!(recorder.next_look(Time(now.0 - 1)), now);
            // Descending depths: the deepest of two is the first one's, the EVs are those of the second.
            recorder.keep_look(now, depth(1000 - bin as u32));
        }
        assert_eq!(recorder.looks().unwrap().len(), BINS);
        assert_eq!(recorder.width_ps(), WIDTH);
        let end = Time(BINS as u64 * WIDTH);
        assert_eq!(recorder.next_look(end), Time(end.0 + 2 * WIDTH));
        recorder.cover(end);
        assert_eq!(recorder.next_look(end), Time(end.0 + 2 * WIDTH), "asked or not");
        let looks = recorder.looks().unwrap();
        assert_eq!(looks.len(), BINS / 2);
        assert_eq!((looks[0].deepest[0], looks[0].evs.good), (999, 998));
        recorder.keep_look(Time(end.0 + 2 * WIDTH), depth(7));
        assert_eq!(recorder.looks().unwrap()[BINS / 2], depth(7));
    }

    #[test]
    fn a_bin_that_became_wider_before_its_end_is_looked_at_again_there() {
        let mut recorder = Recorder::new(1, 1);
        recorder.set_looking(true);
        for bin in 1..=5 {
            recorder.keep_look(Time(bin * WIDTH), depth(bin as u32));
        }
        recorder.widen();
        assert_eq!(recorder.looks().unwrap()[2], depth(5));
        assert_eq!(recorder.next_look(Time(5 * WIDTH)), Time(6 * WIDTH));
        recorder.keep_look(Time(6 * WIDTH), depth(2));
        let last = recorder.looks().unwrap()[2];
        assert_eq!((last.deepest[0], last.evs.good), (5, 2));
    }
}

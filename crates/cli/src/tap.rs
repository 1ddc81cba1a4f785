//! Taps on links: an observer that keeps what crossed them, until it is taken away.

use fabric::{DropReason, Packet};
use kernel::Time;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What became of a packet at a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It came to the far end.
    Crossed,
    /// It was dropped in front of the link or lost on it.
    Dropped(DropReason),
}

/// A packet that was seen.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// When.
    pub at: Time,
    /// The directed link.
    pub link: u32,
    /// What became of it there.
    pub fate: Fate,
    /// The packet.
    pub packet: Packet,
}

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Watch {
    /// By directed link: whether it has a tap.
    pub links: Vec<bool>,
    /// The first time of interest.
    pub from: Time,
    /// The last one.
    pub to: Time,
    /// Whether drops are, too.
    pub drops: bool,
}

/// The taps. Those of the parts of a run that go on at the same time fill one list.
#[derive(Clone, Debug)]
pub struct Tap {
    watch: Arc<Watch>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Tap {
    /// Taps that look for nothing yet.
    pub fn new() -> Tap {
        let nothing = Watch {
            links: Vec::new(),
            from: Time::ZERO,
            to: Time::ZERO,
            drops: false,
        };
        Tap {
            watch: Arc::new(nothing),
            seen: Arc::default(),
        }
    }

    /// Looks for this from now on.
    pub fn watch(&mut self, what: Watch) {
        self.watch = Arc::new(what);
    }

    /// Takes what was seen, in an order that does not depend on how the run came to it: by time, then by link, then by what
    /// the packets are. Everything up to some time must have happened, and nothing after it.
    pub fn take(&mut self) -> Vec<Seen> {
        let mut seen = std::mem::take(&mut *self.list());
        seen.sort_unstable_by_key(|seen| {
            let Packet {
                kind,
                conn,
                psn,
                sent,
                ..
            } = seen.packet;
            (seen.at, seen.link, seen.fate, kind, conn, psn, sent)
        });
        seen
    }

    fn list(&self) -> MutexGuard<'_, Vec<Seen>> {
        // A list is whole whatever happened to whoever added to it.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn note(&self, at: Time, link: u32, fate: Fate, packet: &Packet) {
        let watch = &*self.watch;
        if watch.links.get(link as usize) == Some(&true) && watch.from <= at && at <= watch.to {
            let packet = *packet;
            self.list().push(Seen {
                at,
                link,
                fate,
                packet,
            });
        }
    }
}

impl fabric::network::Observer for Tap {
    fn crossed(&mut self, now: Time, link: u32, packet: &Packet) {
        self.note(now, link, Fate::Crossed, packet);
    }

    fn dropped(&mut self, now: Time, link: u32, packet: &Packet, reason: DropReason) {
        if self.watch.drops {
            self.note(now, link, Fate::Dropped(reason), packet);
        }
    }
}

impl mrc::Observer for Tap {}
impl roce::Observer for Tap {}

impl sim::Observer for Tap {
    fn fork(&self) -> Option<Tap> {
        Some(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fabric::network::Observer as _;
    use sim::Observer as _;

    #[test]
    fn what_is_looked_for_is_seen_in_order() {
        let mut tap = Tap::new();
        let packet = |psn| Packet {
            psn,
            ..Packet::default()
        };
        tap.crossed(Time(5), 1, &packet(0));
        assert!(tap.take().is_empty(), "no link has a tap yet");
        tap.watch(Watch {
            links: vec![false, true, true],
            from: Time(5),
            to: Time(7),
            drops: true,
        });
        let mut other = tap.fork().expect("it can be forked");
        for (at, link, psn) in [(7, 2, 4), (7, 1, 3), (4, 1, 9), (8, 1, 9), (6, 0, 9), (6, 3, 9)] {
            tap.crossed(Time(at), link, &packet(psn));
        }
        other.dropped(Time(5), 2, &packet(2), DropReason::QueueFull);
        other.dropped(Time(5), 2, &packet(1), DropReason::QueueFull);
        let psns: Vec<u32> = tap.take().iter().map(|seen| seen.packet.psn).collect();
        assert_eq!(psns, [1, 2, 3, 4]);
        assert!(other.take().is_empty(), "what is taken is gone");
    }
}

//! The deepest queue in front of each kind of link, looked at once in each bin of time.

use fabric::{LinkKind, Network};
use kernel::Time;
use view::chart::fabric::Queues;
use view::chart::links::Hop;

/// Bins kept. When a run outgrows them, two become one.
const BINS: usize = 512;
/// Width of a bin at first.
const FIRST_WIDTH_PS: u64 = 1 << 20;
/// Directed links of a fabric whose queues are looked at, at most: all of them in each bin.
const MOST_LINKS: u32 = 16_384;

/// What was seen in a bin: when first, and the deepest queues.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    at: u64,
    deepest: [u32; LinkKind::COUNT],
}

/// The deepest queues so far. Going back in time takes nothing away: the run does the same again.
#[derive(Debug)]
pub struct Depths {
    // None where they are not looked at.
    links: Option<u32>,
    width_ps: u64,
    bins: Vec<Option<Seen>>,
    // The bin of the last look.
    last: Option<usize>,
}

impl Depths {
    /// For a fabric of so many directed links, whose queues are looked at if they are `wanted` and not too many.
    pub fn new(links: u32, wanted: bool) -> Depths {
        Depths {
            links: (wanted && links <= MOST_LINKS).then_some(links),
            width_ps: FIRST_WIDTH_PS,
            bins: Vec::new(),
            last: None,
        }
    }

    /// True when the queues have not been looked at in the bin of `now`.
    pub fn are_due(&self, now: Time) -> bool {
        self.links.is_some() && self.last != Some((now.ps() / self.width_ps) as usize)
    }

    /// Where the bin after that of `now` begins, so that a run can stop there for a look; the end of time where none is wanted.
    pub fn next(&self, now: Time) -> Time {
        match self.links {
            Some(_) => Time((now.ps() / self.width_ps + 1).saturating_mul(self.width_ps)),
            None => Time::MAX,
        }
    }

    /// Looks at the queues of a network whose ports are settled.
    pub fn look(&mut self, network: &Network, now: Time) {
        let Some(links) = self.links else { return };
        let mut deepest = [0; LinkKind::COUNT];
        for link in 0..links {
            let port = network.port(link);
            let most = &mut deepest[port.kind as usize];
            *most = port.data_bytes.saturating_add(port.control_bytes).max(*most);
        }
        self.keep(Seen {
            at: now.ps(),
            deepest,
        });
    }

    fn keep(&mut self, seen: Seen) {
        while seen.at / self.width_ps >= BINS as u64 {
            self.widen();
        }
        let bin = (seen.at / self.width_ps) as usize;
        self.last = Some(bin);
        if self.bins.len() <= bin {
            self.bins.resize(bin + 1, None);
        }
        self.bins[bin] = together(self.bins[bin], Some(seen));
    }

    fn widen(&mut self) {
        self.width_ps *= 2;
        self.bins = self
            .bins
            .chunks(2)
            .map(|pair| together(pair[0], pair.get(1).copied().flatten()))
            .collect();
    }

    /// What was seen after now will not happen: the run takes another course from here.
    pub fn forget_after(&mut self, now: u64) {
        let bin = (now / self.width_ps) as usize;
        self.bins.truncate(bin + 1);
        if let Some(last) = self.bins.get_mut(bin)
            && last.is_some_and(|seen| seen.at > now)
        {
            *last = None;
        }
        self.last = None;
    }

    /// What the page draws: of the kinds of links that a fabric of so many tiers has.
    pub fn queues(&self, tiers: u32) -> Queues {
        let seen: Vec<&Seen> = self.bins.iter().flatten().collect();
        let hops = Hop::ALL.into_iter().filter(|hop| hop.is_in(tiers));
        Queues {
            are_kept: self.links.is_some(),
            times: seen.iter().map(|seen| seen.at).collect(),
            deepest: hops
                .map(|hop| {
                    let of = |seen: &&Seen| seen.deepest[hop.kind() as usize];
                    (hop, seen.iter().map(of).collect())
                })
                .collect(),
        }
    }
}

/// Two looks as one: the earlier time, the greater depths.
fn together(a: Option<Seen>, b: Option<Seen>) -> Option<Seen> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Seen {
            at: a.at.min(b.at),
            deepest: std::array::from_fn(|kind| a.deepest[kind].max(b.deepest[kind])),
        }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(at: u64, depth: u32) -> Seen {
        Seen {
            at,
            deepest: [depth; LinkKind::COUNT],
        }
    }

    #[test]
    fn bins_become_wider_and_keep_what_is_deepest() {
        let mut depths = Depths::new(10, true);
        let width = FIRST_WIDTH_PS;
        for bin in 0..BINS as u64 {
            assert!(depths.are_due(Time(bin * width)));
            depths.keep(seen(bin * width, bin as u32));
            assert!(!depths.are_due(Time(bin * width + 1)));
            assert_eq!(depths.next(Time(bin * width + 1)), Time((bin + 1) * width));
        }
        depths.keep(seen(BINS as u64 * width, 7));
        let queues = depths.queues(2);
        assert_eq!(queues.times.len(), BINS / 2 + 1);
        assert_eq!(queues.times[..2], [0, 2 * width]);
        assert_eq!(queues.deepest.len(), 4, "two tiers have four kinds of links");
        assert_eq!(queues.deepest[0].1[..2], [1, 3]);
        assert_eq!(queues.deepest[0].1[BINS / 2], 7);
    }

    #[test]
    fn another_future_begins_where_the_run_is() {
        let mut depths = Depths::new(10, true);
        for at in [0, FIRST_WIDTH_PS + 5, 2 * FIRST_WIDTH_PS] {
            depths.keep(seen(at, 1));
        }
        depths.forget_after(FIRST_WIDTH_PS + 4);
        assert_eq!(depths.queues(2).times, [0]);
        assert!(depths.are_due(Time(FIRST_WIDTH_PS + 4)));
    }

    #[test]
    fn a_fabric_with_too_many_links_is_not_looked_at() {
        let depths = Depths::new(MOST_LINKS + 1, true);
        assert!(!depths.are_due(Time(0)));
        assert_eq!(depths.next(Time(5)), Time::MAX);
        assert!(!depths.queues(3).are_kept);
        assert_eq!(depths.queues(3).deepest.len(), 6);
    }
}

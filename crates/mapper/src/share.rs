//! How those who can probe some links divide them among themselves.
//!
//! Nobody is asked and nothing is stored: who probes which link in which round follows from the numbers alone. Each round
//! every prober takes another one's place, so a link is looked at from many sides within a window, and a prober whose own
//! port is broken blinds nobody.

/// Links numbered from 0, divided among members numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    links: u32,
    members: u32,
    // Probes of a member each round; without it, as many as cover every link once a round.
    quota: Option<u32>,
}

/// One probe of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Visit {
    /// The link.
    pub link: u32,
    /// Its number among the probes of this link, from 0. 64 bits hold 2^30 rounds of 2^18 members with 2^16 probes each.
    pub pass: u64,
}

/// Who makes a probe, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// The member.
    pub member: u32,
    /// Its round.
    pub round: u64,
}

impl Share {
    /// Divides `links` among `members` (at least 1). With a `quota` each member makes that many probes a round and the links
    /// take turns; without, every link is probed once a round and members differ by one probe at most.
    pub const fn new(links: u32, members: u32, quota: Option<u32>) -> Share {
        Share {
            links,
            members,
            quota,
        }
    }

    /// Whose turn a member has in a round. `offset` keeps groups that work side by side from moving in step.
    const fn slot(&self, member: u32, round: u64, offset: u32) -> u32 {
        let members = self.members as u64;
        ((member as u64 + round % members + offset as u64) % members) as u32
    }

    /// The first link of a slot in a round that covers all of them.
    const fn first(&self, slot: u32) -> u32 {
        (slot as u64 * self.links as u64 / self.members as u64) as u32
    }

    /// How many probes a member makes in a round.
    pub const fn count(&self, member: u32, round: u64, offset: u32) -> u32 {
        if self.links == 0 {
            return 0;
        }
        match self.quota {
            Some(quota) => quota,
            None => {
                let slot = self.slot(member, round, offset);
                self.first(slot + 1) - self.first(slot)
            }
        }
    }

    /// A member's probe number `index`, below [`count`](Self::count), of a round.
    pub const fn visit(&self, member: u32, round: u64, offset: u32, index: u32) -> Visit {
        let slot = self.slot(member, round, offset);
        match self.quota {
            // 128 bits: rounds × members × quota may go beyond 64.
            Some(quota) => {
                let turn = round as u128 * self.members as u128 + slot as u128;
                let number = turn * quota as u128 + index as u128;
                Visit {
                    link: (number % self.links as u128) as u32,
                    pass: (number / self.links as u128) as u64,
                }
            }
            None => Visit {
                link: self.first(slot) + index,
                pass: round,
            },
        }
    }

    /// How often a link is probed in the first `rounds` rounds.
    pub const fn passes(&self, link: u32, rounds: u64) -> u64 {
        match self.quota {
            Some(quota) => {
                let probes = rounds as u128 * self.members as u128 * quota as u128;
                // Its probes have the numbers link, link + links, …
                let before = probes.saturating_sub(link as u128);
                before.div_ceil(self.links as u128) as u64
            }
            None => rounds,
        }
    }

    /// Who makes a probe; the other way round than [`visit`](Self::visit). The probe must be one that is made: a quota of 0
    /// has none.
    pub const fn visitor(&self, visit: Visit, offset: u32) -> Visitor {
        let (round, slot) = match self.quota {
            Some(quota) => {
                let number = visit.pass as u128 * self.links as u128 + visit.link as u128;
                let turn = number / quota as u128;
                (
                    (turn / self.members as u128) as u64,
                    (turn % self.members as u128) as u32,
                )
            }
            // The last slot that begins at the link or before.
            None => {
                let after = (visit.link as u64 + 1) * self.members as u64 - 1;
                (visit.pass, (after / self.links as u64) as u32)
            }
        };
        let members = self.members as u64;
        let ahead = (round % members + offset as u64) % members;
        Visitor {
            member: ((slot as u64 + members - ahead) % members) as u32,
            round,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        // Five links, three members: slots hold links 0, 1–2 and 3–4 (0·5/3 = 0, 5/3 = 1, 10/3 = 3, 15/3 = 5).
        let share = Share::new(5, 3, None);
        let links = |member, round| {
            (0..share.count(member, round, 0))
                .map(|index| share.visit(member, round, 0, index).link)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            [links(0, 0), links(1, 0), links(2, 0)],
            [vec![0], vec![1, 2], vec![3, 4]]
        );
        // A round later each has moved up by one slot.
        assert_eq!(
            [links(0, 1), links(1, 1), links(2, 1)],
            [vec![1, 2], vec![3, 4], vec![0]]
        );
    }

    #[test]
    fn a_quota_by_hand() {
        // Five links, two members, two probes each: 0 1 | 2 3 in the first round, 4 0 | 1 2 in the next, with members changed.
        let share = Share::new(5, 2, Some(2));
        let visits = |member, round| {
            [0, 1].map(|index| {
                let Visit { link, pass } = share.visit(member, round, 0, index);
                (link, pass)
            })
        };
        assert_eq!([visits(0, 0), visits(1, 0)], [[(0, 0), (1, 0)], [(2, 0), (3, 0)]]);
        assert_eq!([visits(1, 1), visits(0, 1)], [[(4, 0), (0, 1)], [(1, 1), (2, 1)]]);
        assert_eq!([0, 2, 3, 4].map(|link| share.passes(link, 1)), [1, 1, 1, 0]);
        assert_eq!([0, 2, 3, 4].map(|link| share.passes(link, 2)), [2, 2, 1, 1]);
    }

    #[test]
    fn no_links_no_probes() {
        for quota in [None, Some(0), Some(3)] {
            assert_eq!(Share::new(0, 3, quota).count(1, 7, 0), 0);
        }
        assert_eq!(Share::new(4, 3, Some(0)).passes(2, 1_000), 0);
    }

    #[test]
    fn rounds_and_members_may_be_many() {
        // 2^18 members, 2^16 probes each: in 2^29 rounds a single link is probed 2^63 times.
        let share = Share::new(1, 1 << 18, Some(1 << 16));
        let round = 1 << 29;
        assert_eq!(share.passes(0, round), 1 << 63);
        let visit = share.visit(7, round, 3, 5);
        assert_eq!(share.visitor(visit, 3), Visitor { member: 7, round });
    }

    proptest! {
        #[test]
        fn every_link_once_a_round_and_shares_are_even(
            links in 1u32..300, members in 1u32..60, offset in 0u32..100, round in 0u64..1_000_000,
        ) {
            let share = Share::new(links, members, None);
            let mut seen = vec![0; links as usize];
            for member in 0..members {
                let count = share.count(member, round, offset);
                prop_assert!(count == links / members || count == links.div_ceil(members));
                for index in 0..count {
                    let visit = share.visit(member, round, offset, index);
                    prop_assert_eq!(visit.pass, round);
                    prop_assert_eq!(share.visitor(visit, offset), Visitor { member, round });
                    seen[visit.link as usize] += 1;
                }
            }
            prop_assert!(seen.iter().all(|&n| n == 1));
        }

        #[test]
        fn a_quota_gives_all_links_their_turn(
            links in 1u32..100, members in 1u32..20, quota in 1u32..12, offset in 0u32..30,
        ) {
            let share = Share::new(links, members, Some(quota));
            let mut probes = vec![0u64; links as usize];
            for round in 0..20 {
                let mut visits = Vec::new();
                for member in 0..members {
                    for index in 0..share.count(member, round, offset) {
                        let visit = share.visit(member, round, offset, index);
                        prop_assert_eq!(share.visitor(visit, offset), Visitor { member, round });
                        visits.push(visit);
                    }
                }
                prop_assert_eq!(visits.len() as u32, members * quota);
                visits.sort_unstable();
                for visit in visits {
                    prop_assert_eq!(visit.pass, probes[visit.link as usize], "passes count up");
                    probes[visit.link as usize] += 1;
                }
                for link in 0..links {
                    prop_assert_eq!(share.passes(link, round + 1), probes[link as usize]);
                }
                let (least, most) = (probes.iter().min().unwrap(), probes.iter().max().unwrap());
                prop_assert!(most - least <= 1);
            }
        }

        #[test]
        fn a_link_is_looked_at_by_all_in_turn(links in 1u32..300, members in 1u32..40) {
            let share = Share::new(links, members, None);
            let mut who: Vec<u32> = (0..u64::from(members))
                .map(|pass| share.visitor(Visit { link: links - 1, pass }, 0).member)
                .collect();
            who.sort_unstable();
            prop_assert_eq!(who, (0..members).collect::<Vec<_>>());
        }
    }
}

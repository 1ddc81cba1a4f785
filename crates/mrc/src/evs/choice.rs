//! UET's ways of choosing the next EV of a plane.

use super::penalties::Penalties;
use super::recycled::Recycled;
use super::reps::Cache;
use super::{EvSet, clear, is_set, set};
use crate::config::Balancer;
use kernel::rng::draw;

/// What became of a packet, as far as its path is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// It came through unmarked; or what held it up is the receiver's affair: a trim on the last hop, a refusal.
    Clear,
    /// It bore an ECN mark.
    Marked,
    /// It was trimmed before the last hop.
    Trimmed,
    /// It was lost.
    Lost,
}

/// What a balancer remembers.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// Turns to miss. An EV that has some bears the SKIP bit too.
    Bitmap(Penalties),
    /// By plane.
    Reps(Box<[Cache]>),
    /// Turns to miss; and by plane what is used first.
    Mixed(Penalties, Box<[Recycled]>),
}

impl EvSet {
    /// The set under a balancer.
    pub fn under(mut self, balancer: Balancer) -> EvSet {
        let (all, planes) = (self.all, usize::from(self.planes));
        let recycled = Recycled::new(self.per_plane);
        self.choice = match balancer {
            Balancer::Mrc | Balancer::Oblivious => None,
            Balancer::Reps => Some(Choice::Reps(vec![Cache::default(); planes].into())),
            Balancer::Bitmap => Some(Choice::Bitmap(Penalties::new(all))),
            Balancer::Mixed => Some(Choice::Mixed(Penalties::new(all), vec![recycled; planes].into())),
        }
        .map(Box::new);
        self
    }

    /// What became of a packet with this EV. True when the EV was GOOD and is to miss turns now. MRC's balancer and the
    /// oblivious one are told nothing.
    pub fn feed(&mut self, now: u64, ev: u16, feedback: Feedback) -> bool {
        let plane = self.plane(ev) as usize;
        let usable = self.is_usable(ev);
        let Some(choice) = &mut self.choice else {
            return false;
        };
        let penalties = match &mut **choice {
            Choice::Bitmap(penalties) => penalties,
            Choice::Reps(caches) => {
                caches[plane].feed(now, ev, feedback);
                return false;
            }
            Choice::Mixed(penalties, recycled) => {
                if feedback == Feedback::Clear {
                    recycled[plane].add(ev);
                }
                penalties
            }
        };
        let skipped = is_set(&self.skip, ev);
        if !skipped {
            // It was out of use meanwhile.
            penalties.forget(ev);
        }
        let misses = usable && penalties.add(ev, feedback);
        if misses {
            set(&mut self.skip, ev);
        }
        misses && !skipped
    }

    /// The next EV of a plane.
    pub(super) fn choose(&mut self, plane: usize) -> u16 {
        let Some(mut choice) = self.choice.take() else {
            return self.any(plane);
        };
        let usable = |ev| self.is_usable(ev);
        let ev = match &mut *choice {
            Choice::Bitmap(penalties) => self.unpenalised(penalties, plane),
            Choice::Reps(caches) => match caches[plane].next(usable) {
                Some(ev) => ev,
                None => self.any(plane),
            },
            Choice::Mixed(penalties, recycled) => match recycled[plane].next(usable) {
                Some(ev) => ev,
                None => self.unpenalised(penalties, plane),
            },
        };
        self.choice = Some(choice);
        ev
    }

    /// The next EV in turn that has no turns to miss. The first that is passed over has one less afterwards; when all
    /// have been passed over, the next is taken all the same.
    fn unpenalised(&mut self, penalties: &mut Penalties, plane: usize) -> u16 {
        let usable = self.good[plane];
        let mut passed = 0;
        loop {
            let slot = self.turn(plane);
            let ev = self.in_slot(slot);
            if usable == 0 {
                return ev;
            }
            if !self.is_usable(ev) {
                continue;
            }
            if !is_set(&self.skip, ev) {
                return ev;
            }
            if passed == 0 && penalties.miss(ev) {
                clear(&mut self.skip, ev);
            }
            passed += 1;
            if passed > usable {
                return ev;
            }
        }
    }

    /// Any EV of a plane: one that is drawn or, where that is out of use, the next one that is not.
    fn any(&mut self, plane: usize) -> u16 {
        let drawn = draw(self.key, self.rounds) % u64::from(self.per_plane);
        self.rounds += 1;
        let ev = |index: u64| {
            let index = (index % u64::from(self.per_plane)) as u16;
            self.in_slot(index * u16::from(self.planes) + plane as u16)
        };
        (drawn..drawn + u64::from(self.per_plane))
            .map(ev)
            .find(|&ev| self.is_usable(ev))
            .unwrap_or_else(|| ev(drawn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evs::EvState;

    fn set(planes: u32, evs: u16, balancer: Balancer) -> EvSet {
        EvSet::new(planes, evs, 0, 0, 42).under(balancer)
    }

    /// As many EVs as there are, in the order of taking.
    fn round(set: &mut EvSet) -> Vec<u16> {
        (0..set.slots()).map(|_| set.take()).collect()
    }

    #[test]
    fn planes_take_turns_under_every_balancer() {
        for balancer in [Balancer::Reps, Balancer::Bitmap, Balancer::Mixed] {
            let mut set = set(4, 32, balancer);
            let first = set.next_plane();
            for i in 0..400 {
                let ev = set.take();
                assert_eq!(set.plane(ev), (first + i) % 4, "{balancer:?}");
                let feedback = [Feedback::Clear, Feedback::Trimmed, Feedback::Marked][i as usize % 3];
                set.feed(0, ev, feedback);
            }
        }
    }

    #[test]
    fn bitmap_without_news_uses_each_ev_once_in_a_round() {
        let mut set = set(1, 8, Balancer::Bitmap);
        for _ in 0..3 {
            let mut seen = round(&mut set);
            seen.sort_unstable();
            assert_eq!(seen, (0..8).collect::<Vec<u16>>());
        }
    }

    #[test]
    fn a_trim_costs_four_turns() {
        let mut set = set(1, 8, Balancer::Bitmap);
        assert!(set.feed(0, 3, Feedback::Trimmed) && !set.feed(0, 3, Feedback::Clear));
        assert_eq!(set.state(3), EvState::Skip);
        // Seven others in each of four rounds, while it misses its turn once in each.
        let taken: Vec<u16> = (0..28).map(|_| set.take()).collect();
        assert!(!taken.contains(&3), "{taken:?}");
        assert_eq!(set.state(3), EvState::Good);
        assert!(round(&mut set).contains(&3));
    }

    #[test]
    fn one_packet_pays_for_one_turn_and_takes_a_penalised_ev_when_there_is_no_other() {
        let mut set = set(1, 4, Balancer::Bitmap);
        for ev in 0..4 {
            set.feed(0, ev, Feedback::Trimmed);
        }
        let mut packets = 0;
        while (0..4).all(|ev| set.state(ev) == EvState::Skip) {
            set.take();
            packets += 1;
        }
        // A packet that finds penalised EVs only pays for one turn: four for the same EV set it free at the earliest; three
        // for each of four leave none free, and the thirteenth does.
        assert!((4..=13).contains(&packets), "{packets}");
    }

    #[test]
    fn reps_uses_again_what_came_through() {
        let mut set = set(1, 64, Balancer::Reps);
        let sent: Vec<u16> = (0..4).map(|_| set.take()).collect();
        set.feed(0, sent[2], Feedback::Clear);
        set.feed(0, sent[1], Feedback::Marked);
        set.feed(0, sent[0], Feedback::Clear);
        assert_eq!((set.take(), set.take()), (sent[2], sent[0]));
        assert_eq!(set.state(sent[1]), EvState::Good, "it has no states");
    }

    #[test]
    fn reps_draws_all_evs_about_equally() {
        // 64,000 draws over 64 EVs: 1,000 each, standard deviation 31.4; five of them are 157.
        let mut set = set(1, 64, Balancer::Reps);
        let mut count = [0u32; 64];
        for _ in 0..64_000 {
            count[usize::from(set.take())] += 1;
        }
        assert!(count.iter().all(|c| c.abs_diff(1_000) < 157), "{count:?}");
    }

    #[test]
    fn mixed_recycles_first_and_skips_then() {
        let mut set = set(1, 4, Balancer::Mixed);
        set.feed(0, 2, Feedback::Clear);
        set.feed(0, 1, Feedback::Marked);
        assert_eq!(set.take(), 2);
        let next: Vec<u16> = (0..3).map(|_| set.take()).collect();
        assert!(!next.contains(&1), "EV 1 misses a turn: {next:?}");
    }

    #[test]
    fn what_is_denied_is_not_chosen() {
        for balancer in [Balancer::Reps, Balancer::Bitmap, Balancer::Mixed] {
            let mut set = set(2, 8, balancer);
            set.feed(0, 3, Feedback::Clear);
            set.feed(0, 3, Feedback::Lost);
            set.deny(3);
            assert!(!set.feed(0, 3, Feedback::Marked), "no news of it counts");
            assert!((0..200).all(|_| set.take() != 3), "{balancer:?}");
            assert!(set.allow(3));
            assert_eq!(set.state(3), EvState::Good);
            assert!((0..200).any(|_| set.take() == 3), "{balancer:?}");
            // Where nothing is left, something is taken.
            for ev in [0, 2, 4, 6] {
                set.deny(ev);
            }
            assert!((0..8).all(|_| set.take() % 2 == 1), "plane 0 is passed over");
            for ev in [1, 3, 5, 7] {
                set.deny(ev);
            }
            set.take();
        }
    }
}

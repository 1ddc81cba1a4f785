//! A QP's entropy values and which of them may be used.
//!
//! EV number e belongs to plane e mod planes. Packets go to the planes in strict rotation, so the planes stay equal
//! whatever happens inside one of them (MRC paper §2.1 and §4); inside a plane the EVs take turns.

use kernel::rng::draw;

/// Largest number of planes.
pub const MAX_PLANES: usize = 8;

/// The state of one EV (names of the OCP specification; DENIED needs a controller and is not here yet).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvState {
    /// In use.
    Good,
    /// ECN or a trim was seen on it: it loses its next turn.
    Skip,
    /// A packet was lost on it: out of use until probes succeed.
    AssumedBad,
}

/// The EVs of one QP.
#[derive(Clone, Debug)]
pub struct EvSet {
    count: u16,
    skip: Box<[u64]>,
    bad: Box<[u64]>,
    planes: u8,
    next_plane: u8,
    per_plane: u16,
    // Usable EVs by plane.
    good: [u16; MAX_PLANES],
    cursor: [u16; MAX_PLANES],
    // Changes the order inside a plane at each round.
    order: [u16; MAX_PLANES],
    key: u64,
    rounds: u64,
}

impl EvSet {
    /// `count` EVs (1 to 512): a whole number of rounds over the planes (1 to 8). Which path an EV stands for is the
    /// caller's business.
    pub fn new(planes: u32, count: u16, key: u64) -> EvSet {
        assert!((1..=MAX_PLANES).contains(&(planes as usize)) && (1..=512).contains(&count));
        assert!(u32::from(count).is_multiple_of(planes));
        let per_plane = count / planes as u16;
        let words = usize::from(count).div_ceil(64);
        let mut set = EvSet {
            skip: vec![0; words].into(),
            bad: vec![0; words].into(),
            planes: planes as u8,
            next_plane: (draw(key, 0) % u64::from(planes)) as u8,
            per_plane,
            good: [per_plane; MAX_PLANES],
            cursor: [0; MAX_PLANES],
            order: [0; MAX_PLANES],
            key,
            rounds: 1,
            count,
        };
        for plane in 0..planes as usize {
            set.reorder(plane);
        }
        set
    }

    /// How many EVs there are.
    pub fn len(&self) -> u16 {
        self.count
    }

    /// Never true: a set holds at least one EV.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The plane of an EV.
    #[inline]
    pub fn plane(&self, ev: u16) -> u32 {
        u32::from(ev) % u32::from(self.planes)
    }

    /// The state of an EV.
    pub fn state(&self, ev: u16) -> EvState {
        if is_set(&self.bad, ev) {
            EvState::AssumedBad
        } else if is_set(&self.skip, ev) {
            EvState::Skip
        } else {
            EvState::Good
        }
    }

    /// The plane of the next packet: the next in rotation that has a usable EV; the next at all when none has.
    #[inline]
    pub fn next_plane(&mut self) -> u32 {
        for _ in 0..self.planes {
            if self.good[self.next_plane as usize] > 0 {
                break;
            }
            self.next_plane = self.following(self.next_plane);
        }
        u32::from(self.next_plane)
    }

    #[inline]
    fn following(&self, plane: u8) -> u8 {
        if plane + 1 == self.planes { 0 } else { plane + 1 }
    }

    /// Takes the next EV in the plane that [`next_plane`](Self::next_plane) names, and moves the rotation on. At most
    /// one SKIP is cleared for each packet; further ones are passed over and stay.
    #[inline]
    pub fn take(&mut self) -> u16 {
        let plane = self.next_plane() as usize;
        self.next_plane = self.following(plane as u8);
        let hopeless = self.good[plane] == 0;
        let mut cleared = None;
        // Two rounds: the order changes from one to the next, so only the second surely shows every EV.
        for _ in 0..2 * self.per_plane {
            let ev = self.turn(plane);
            if hopeless {
                return ev;
            }
            if is_set(&self.bad, ev) {
                continue;
            }
            if !is_set(&self.skip, ev) {
                return ev;
            }
            if cleared.is_none() {
                self.skip[ev as usize / 64] &= !(1 << (ev % 64));
                cleared = Some(ev);
            }
        }
        cleared.expect("a plane that counts usable EVs shows one within two rounds")
    }

    /// The EV whose turn it is in `plane`, good or not.
    #[inline]
    fn turn(&mut self, plane: usize) -> u16 {
        let at = self.cursor[plane];
        let index = if self.per_plane.is_power_of_two() {
            (at ^ self.order[plane]) & (self.per_plane - 1)
        } else {
            (at + self.order[plane]) % self.per_plane
        };
        self.cursor[plane] = at + 1;
        if at + 1 == self.per_plane {
            self.cursor[plane] = 0;
            self.reorder(plane);
        }
        index * u16::from(self.planes) + plane as u16
    }

    fn reorder(&mut self, plane: usize) {
        self.order[plane] = (draw(self.key, self.rounds) % u64::from(self.per_plane)) as u16;
        self.rounds += 1;
    }

    /// ECN or a trim was reported for an EV. True when it was GOOD before.
    #[inline]
    pub fn penalise(&mut self, ev: u16) -> bool {
        let changed = self.state(ev) == EvState::Good;
        if changed {
            self.skip[ev as usize / 64] |= 1 << (ev % 64);
        }
        changed
    }

    /// A loss without trim was inferred on an EV. True when it was in use before.
    pub fn lose(&mut self, ev: u16) -> bool {
        if is_set(&self.bad, ev) {
            return false;
        }
        self.bad[ev as usize / 64] |= 1 << (ev % 64);
        self.skip[ev as usize / 64] &= !(1 << (ev % 64));
        self.good[self.plane(ev) as usize] -= 1;
        true
    }

    /// Probes of an EV succeeded.
    pub fn revive(&mut self, ev: u16) {
        if is_set(&self.bad, ev) {
            self.bad[ev as usize / 64] &= !(1 << (ev % 64));
            self.good[self.plane(ev) as usize] += 1;
        }
    }

    /// Usable EVs, GOOD and SKIP.
    pub fn usable(&self) -> u16 {
        self.good[..self.planes as usize].iter().sum()
    }
}

#[inline]
fn is_set(words: &[u64], ev: u16) -> bool {
    words[ev as usize / 64] >> (ev % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(planes: u32, evs: u16) -> EvSet {
        EvSet::new(planes, evs, 42)
    }

    #[test]
    fn each_round_uses_each_ev_once_and_planes_in_turn() {
        for (planes, evs) in [(8, 128), (4, 128), (3, 9), (1, 64)] {
            let mut set = set(planes, evs);
            let first = set.next_plane();
            for _ in 0..5 {
                let mut seen: Vec<u16> = (0..evs).map(|_| set.take()).collect();
                for (i, &ev) in seen.iter().enumerate() {
                    assert_eq!(set.plane(ev), (first + i as u32) % planes);
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..evs).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn skip_costs_exactly_one_turn() {
        let mut set = set(1, 8);
        assert!(
            set.penalise(3) && !set.penalise(3),
            "marks while in SKIP are ignored"
        );
        assert_eq!(set.state(3), EvState::Skip);
        let taken: Vec<u16> = (0..7).map(|_| set.take()).collect();
        assert!(!taken.contains(&3), "{taken:?}");
        assert_eq!(set.state(3), EvState::Good);
        // From now on every round holds it again.
        let taken: Vec<u16> = (0..16).map(|_| set.take()).collect();
        assert!(taken.iter().filter(|&&ev| ev == 3).count() >= 1);
    }

    #[test]
    fn one_skip_is_cleared_per_packet() {
        let mut set = set(1, 8);
        for ev in 0..8 {
            set.penalise(ev);
        }
        set.take();
        assert_eq!((0..8).filter(|&ev| set.state(ev) == EvState::Skip).count(), 7);
    }

    #[test]
    fn a_bad_ev_is_never_used_and_its_plane_keeps_its_share() {
        let mut set = set(4, 16);
        assert!(set.lose(5) && !set.lose(5));
        let taken: Vec<u16> = (0..400).map(|_| set.take()).collect();
        assert!(!taken.contains(&5));
        for plane in 0..4 {
            assert_eq!(taken.iter().filter(|&&ev| ev % 4 == plane).count(), 100);
        }
        set.revive(5);
        assert!((0..16).map(|_| set.take()).any(|ev| ev == 5));
    }

    #[test]
    fn the_last_good_ev_of_a_plane_carries_it_alone() {
        for good in 0..16 {
            let mut set = set(2, 32);
            for ev in (0..32).filter(|ev| ev % 2 == 0 && ev / 2 != good) {
                set.lose(ev);
            }
            for turn in 0..2_000 {
                if turn % 3 == 0 {
                    set.penalise(good * 2);
                }
                let ev = set.take();
                assert!(ev % 2 == 1 || ev == good * 2, "EV {ev} is ASSUMED_BAD");
            }
        }
    }

    #[test]
    fn a_dead_plane_is_left_out_and_when_all_are_dead_something_is_still_sent() {
        let mut set = set(2, 4);
        set.lose(0);
        set.lose(2);
        assert!((0..10).all(|_| set.take() % 2 == 1));
        set.lose(1);
        set.lose(3);
        assert_eq!(set.usable(), 0);
        let taken: Vec<u16> = (0..8).map(|_| set.take()).collect();
        assert!((0..4).all(|ev| taken.contains(&ev)), "{taken:?}");
    }
}

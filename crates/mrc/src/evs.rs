//! A QP's entropy values and which of them may be used.
//!
//! EV number e belongs to plane e mod planes. Packets go to the planes in strict rotation, so the planes stay equal
//! whatever happens inside one of them (MRC paper §2.1 and §4); inside a plane the EVs take turns. The active EVs stand
//! in slots; an EV that goes out of use gives its slot to a backup EV of the same plane, if one is healthy.
//!
//! Which EV of the plane comes next is the balancer's affair: MRC's rotation is here, those of UET are in `choice`. That the
//! planes are taken in turn under all of them is our choice: so does uet-htsim's NIC with its ports, whatever the entropy.

mod choice;
mod penalties;
mod recycled;
mod reps;

pub use choice::Feedback;

use choice::Choice;
use kernel::rng::draw;

/// Largest number of planes.
pub const MAX_PLANES: usize = 8;
/// Largest number of EVs, active and backup.
pub const MAX_EVS: u16 = 1024;

/// The state of one EV (names of the OCP specification; facts 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvState {
    /// In use, or fit for it.
    Good,
    /// ECN or a trim was seen on it: it loses its next turn.
    Skip,
    /// A packet was lost on it: out of use until probes succeed.
    AssumedBad,
    /// A controller has put it out of use.
    Denied,
}

/// How many EVs are in which state, of one QP or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvCounts {
    /// Active and GOOD.
    pub good: u64,
    /// Active and to be passed over once.
    pub skip: u64,
    /// ASSUMED_BAD or DENIED. The others that are not active are backups.
    pub out: u64,
}

/// What became of an EV that was to go out of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retired {
    /// It was out of use already.
    Already,
    /// Too few EVs would be left (the floor): it stays.
    Floor,
    /// It is out of use; its slot is empty, or this backup EV has it.
    Out(Option<u16>),
}

/// The EVs of one QP.
#[derive(Clone, Debug)]
pub struct EvSet {
    // Slots: active EVs.
    count: u16,
    // Active and backup EVs.
    all: u16,
    floor: u16,
    skip: Box<[u64]>,
    bad: Box<[u64]>,
    denied: Box<[u64]>,
    // The EV in each slot; empty while each has its own number.
    slots: Box<[u16]>,
    planes: u8,
    next_plane: u8,
    // Bit p: no port to plane p, here or at the peer.
    down: u8,
    per_plane: u16,
    // Slots with a usable EV, by plane.
    good: [u16; MAX_PLANES],
    cursor: [u16; MAX_PLANES],
    // Changes the order inside a plane at each round.
    order: [u16; MAX_PLANES],
    key: u64,
    // Random numbers drawn so far.
    rounds: u64,
    // How another balancer than MRC's and the oblivious one chooses.
    choice: Option<Box<Choice>>,
}

impl EvSet {
    /// `count` active EVs (1 to 512) and `backups`: each a whole number of rounds over the planes (1 to 8); together at
    /// most [`MAX_EVS`]. Losses leave at least `floor` EVs in use. Which path an EV stands for is the caller's business.
    pub fn new(planes: u32, count: u16, backups: u16, floor: u16, key: u64) -> EvSet {
        assert!((1..=MAX_PLANES).contains(&(planes as usize)) && (1..=512).contains(&count));
        assert!(backups <= MAX_EVS - count);
        assert!(u32::from(count).is_multiple_of(planes) && u32::from(backups).is_multiple_of(planes));
        let per_plane = count / planes as u16;
        let words = || vec![0; usize::from(count + backups).div_ceil(64)].into();
        let mut set = EvSet {
            all: count + backups,
            floor,
            skip: words(),
            bad: words(),
            denied: words(),
            slots: Box::default(),
            planes: planes as u8,
            next_plane: (draw(key, 0) % u64::from(planes)) as u8,
            down: 0,
            per_plane,
            good: [per_plane; MAX_PLANES],
            cursor: [0; MAX_PLANES],
            order: [0; MAX_PLANES],
            key,
            rounds: 1,
            count,
            choice: None,
        };
        for plane in 0..planes as usize {
            set.reorder(plane);
        }
        set
    }

    /// How many EVs there are, active and backup.
    pub fn len(&self) -> u16 {
        self.all
    }

    /// Never true: a set holds at least one EV.
    pub fn is_empty(&self) -> bool {
        self.all == 0
    }

    /// How many are active at a time: the slots.
    pub fn slots(&self) -> u16 {
        self.count
    }

    /// The EV in a slot.
    #[inline]
    fn in_slot(&self, slot: u16) -> u16 {
        if self.slots.is_empty() {
            slot
        } else {
            self.slots[usize::from(slot)]
        }
    }

    /// True for an EV that has a slot.
    pub fn is_active(&self, ev: u16) -> bool {
        self.slot_of(ev).is_some()
    }

    fn slot_of(&self, ev: u16) -> Option<u16> {
        if self.slots.is_empty() {
            return (ev < self.count).then_some(ev);
        }
        self.slots
            .iter()
            .position(|&there| there == ev)
            .map(|slot| slot as u16)
    }

    /// The plane of an EV, and of a slot.
    #[inline]
    pub fn plane(&self, ev: u16) -> u32 {
        u32::from(ev) % u32::from(self.planes)
    }

    /// The state of an EV.
    pub fn state(&self, ev: u16) -> EvState {
        if is_set(&self.denied, ev) {
            EvState::Denied
        } else if is_set(&self.bad, ev) {
            EvState::AssumedBad
        } else if is_set(&self.skip, ev) {
            EvState::Skip
        } else {
            EvState::Good
        }
    }

    #[inline]
    fn is_usable(&self, ev: u16) -> bool {
        !is_set(&self.bad, ev) && !is_set(&self.denied, ev)
    }

    /// Bit p: packets do not go to plane p.
    pub fn planes_down(&self) -> u8 {
        self.down
    }

    /// Which planes have no port, here or at the peer.
    pub fn set_planes_down(&mut self, down: u8) {
        self.down = down;
    }

    #[inline]
    fn has_good(&self, plane: u8) -> bool {
        self.good[plane as usize] > 0 && self.down >> plane & 1 == 0
    }

    /// The plane of the next packet: the next in rotation that has a usable EV; the next at all when none has.
    #[inline]
    pub fn next_plane(&mut self) -> u32 {
        for _ in 0..self.planes {
            if self.has_good(self.next_plane) {
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

    /// Takes the next EV in the plane that [`next_plane`](Self::next_plane) names, and moves the rotation on. MRC clears at
    /// most one SKIP for each packet; further ones are passed over and stay.
    #[inline]
    pub fn take(&mut self) -> u16 {
        let plane = self.next_plane() as usize;
        self.next_plane = self.following(plane as u8);
        if self.choice.is_some() {
            return self.choose(plane);
        }
        let hopeless = self.good[plane] == 0;
        let mut cleared = None;
        // Two rounds: the order changes from one to the next, so only the second surely shows every EV.
        for _ in 0..2 * self.per_plane {
            let slot = self.turn(plane);
            let ev = self.in_slot(slot);
            if hopeless {
                return ev;
            }
            if !self.is_usable(ev) {
                continue;
            }
            if !is_set(&self.skip, ev) {
                return ev;
            }
            if cleared.is_none() {
                clear(&mut self.skip, ev);
                cleared = Some(ev);
            }
        }
        cleared.expect("a plane that counts usable EVs shows one within two rounds")
    }

    /// The slot whose turn it is in `plane`, good or not.
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
            set(&mut self.skip, ev);
        }
        changed
    }

    /// A loss without trim was inferred on an EV, or the peer says to leave it.
    pub fn lose(&mut self, ev: u16) -> Retired {
        if !self.is_usable(ev) {
            return Retired::Already;
        }
        if let Some(slot) = self.slot_of(ev) {
            let successor = self.backup_for(slot);
            if successor.is_none() && self.usable() <= self.floor {
                return Retired::Floor;
            }
            set(&mut self.bad, ev);
            clear(&mut self.skip, ev);
            self.vacate(slot, successor);
            return Retired::Out(successor);
        }
        // A packet that was sent before it lost its slot.
        set(&mut self.bad, ev);
        clear(&mut self.skip, ev);
        Retired::Out(None)
    }

    /// A controller puts an EV out of use. The floor does not hold it back.
    pub fn deny(&mut self, ev: u16) -> Retired {
        if is_set(&self.denied, ev) {
            return Retired::Already;
        }
        let was_usable = self.is_usable(ev);
        set(&mut self.denied, ev);
        clear(&mut self.skip, ev);
        match self.slot_of(ev) {
            Some(slot) if was_usable => {
                let successor = self.backup_for(slot);
                self.vacate(slot, successor);
                Retired::Out(successor)
            }
            _ => Retired::Out(None),
        }
    }

    /// The controller lets an EV be used again; it returns to what it was. True when it was DENIED.
    pub fn allow(&mut self, ev: u16) -> bool {
        if !is_set(&self.denied, ev) {
            return false;
        }
        clear(&mut self.denied, ev);
        if self.is_usable(ev) {
            self.restore(ev);
        }
        true
    }

    /// Probes of an EV succeeded; with `marked`, the last answer carried an ECN echo, and it loses a turn (facts 11, row
    /// 4). True when it was ASSUMED_BAD.
    pub fn revive(&mut self, ev: u16, marked: bool) -> bool {
        if !is_set(&self.bad, ev) {
            return false;
        }
        clear(&mut self.bad, ev);
        if marked {
            set(&mut self.skip, ev);
        }
        if self.is_usable(ev) {
            self.restore(ev);
        }
        true
    }

    /// A healthy EV of the slot's plane that has no slot.
    fn backup_for(&self, slot: u16) -> Option<u16> {
        let plane = slot % u16::from(self.planes);
        if self.slots.is_empty() {
            let first = self.count + plane;
            return (first..self.all)
                .step_by(self.planes.into())
                .find(|&ev| self.is_usable(ev));
        }
        (plane..self.all)
            .step_by(self.planes.into())
            .find(|&ev| self.is_usable(ev) && !self.is_active(ev))
    }

    /// The EV in a slot went out of use.
    fn vacate(&mut self, slot: u16, successor: Option<u16>) {
        match successor {
            Some(ev) => self.put(slot, ev),
            None => self.good[usize::from(slot) % usize::from(self.planes)] -= 1,
        }
    }

    /// An EV is fit for use again: it counts in its slot, or takes one whose EV is not.
    fn restore(&mut self, ev: u16) {
        let plane = usize::from(ev) % usize::from(self.planes);
        if self.is_active(ev) {
            self.good[plane] += 1;
            return;
        }
        let mut slots = (plane as u16..self.count).step_by(self.planes.into());
        if let Some(slot) = slots.find(|&slot| !self.is_usable(self.in_slot(slot))) {
            self.put(slot, ev);
            self.good[plane] += 1;
        }
    }

    fn put(&mut self, slot: u16, ev: u16) {
        if self.slots.is_empty() {
            self.slots = (0..self.count).collect();
        }
        self.slots[usize::from(slot)] = ev;
    }

    /// How many EVs are in which state.
    pub fn counts(&self) -> EvCounts {
        let ones = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let out: Vec<u64> = self
            .bad
            .iter()
            .zip(&self.denied)
            .map(|(bad, denied)| bad | denied)
            .collect();
        // What is out of use has no SKIP, and few of those that have one are backups.
        let skip = match ones(&self.skip) {
            0 => 0,
            _ => (0..self.all)
                .filter(|&ev| is_set(&self.skip, ev) && !is_set(&out, ev) && self.is_active(ev))
                .count() as u64,
        };
        EvCounts {
            good: u64::from(self.usable()) - skip,
            skip,
            out: ones(&out),
        }
    }

    /// Active EVs that may be used, GOOD and SKIP.
    pub fn usable(&self) -> u16 {
        self.good[..self.planes as usize].iter().sum()
    }
}

#[inline]
fn is_set(words: &[u64], ev: u16) -> bool {
    words[ev as usize / 64] >> (ev % 64) & 1 == 1
}

#[inline]
fn set(words: &mut [u64], ev: u16) {
    words[ev as usize / 64] |= 1 << (ev % 64);
}

#[inline]
fn clear(words: &mut [u64], ev: u16) {
    words[ev as usize / 64] &= !(1 << (ev % 64));
}

#[cfg(test)]
mod tests;

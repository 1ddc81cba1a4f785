//! The flow table: all entries that are installed, and the cache levels over them.

mod actions;
mod cache;
mod index;
mod packed;
mod partition;
mod record;

use crate::config::{Config, InvalidConfig};
use crate::entry::{CopyFlags, Counter, Entry, EntryId, ExceptionReason, Flow, Level, Lookup, Packet, State};
use crate::statistics::Statistics;
use crate::toeplitz::Toeplitz;
use crate::{FlowKey, Transposition};
use actions::Actions;
use cache::{Admission, Cache};
use index::Index;
use kernel::{Time, rng};
use packed::PackedKey;
use partition::Partition;
use record::{ACTIVE, DST_PORT, FIN_SEEN, FRESH, Head, IN_L2, LIVE, RST_SEEN, SRC_PORT, STALE_COUNTED, Tail};
use thiserror::Error;

/// Why a flow can't be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AddError {
    /// The table is full.
    #[error("the table has its {0} flows")]
    TableFull(u32),
    /// Too many commands wait.
    #[error("{0} commands wait already")]
    CommandQueueFull(u32),
}

/// What one lookup found, and how far it had to go for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The answer.
    pub lookup: Lookup,
    /// The last level that was asked: it decides the time that the lookup takes.
    pub depth: Level,
}

/// One entry's counters on their way to software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterUpdate {
    /// The entry.
    pub entry: EntryId,
    /// Software's name for its flow.
    pub handle: u32,
    /// The values so far.
    pub counter: Counter,
}

/// Bytes that the tables take in the simulator's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Entries.
    pub entries: usize,
    /// The hash index over them.
    pub index: usize,
    /// Transpositions, each kept once.
    pub actions: usize,
    /// What the cache levels hold.
    pub caches: usize,
}

impl MemoryUse {
    /// All of it.
    pub const fn total(&self) -> usize {
        self.entries + self.index + self.actions + self.caches
    }
}

/// All flows that are installed, exactly matched, with two or three cache levels over them.
///
/// Every installed flow is in the table, which is as large as the third level. The second level holds a part of it, the first
/// a part of the second (what leaves the second leaves the first: our choice). A flow gets into the second level when it is
/// installed, and from the third when a packet asks for it; into the first when a packet asks for it. Where there is no third
/// level a flow that was evicted from the second has exceptions until it is installed again.
#[derive(Clone, Debug)]
pub struct FlowTables {
    most: u32,
    third: bool,
    toeplitz: Toeplitz,
    /// By slot, like `tails`.
    heads: Vec<Head>,
    tails: Vec<Tail>,
    free: Vec<u32>,
    index: Index,
    actions: Actions,
    l1: Cache,
    partition: Partition,
    l2: Cache,
    /// By port.
    generations: Vec<u32>,
    /// Slots whose counters changed since they were reported, 64 in a word.
    changed: Vec<u64>,
    /// The word at which the next report begins.
    cursor: usize,
    statistics: Statistics,
}

impl FlowTables {
    /// Empty tables.
    ///
    /// # Errors
    /// [`InvalidConfig`] with all that is wrong.
    pub fn new(config: &Config) -> Result<FlowTables, InvalidConfig> {
        config.check()?;
        Ok(FlowTables {
            most: config.flows,
            third: config.l3,
            toeplitz: Toeplitz::new(&config.rss_key),
            heads: Vec::new(),
            tails: Vec::new(),
            free: Vec::new(),
            index: Index::new(),
            actions: Actions::new(),
            l1: Cache::new(&config.l1, rng::key(config.seed, 1, 0)),
            partition: Partition::new(config.l1.sets(), config.l1_partitions),
            l2: Cache::new(&config.l2, rng::key(config.seed, 2, 0)),
            generations: Vec::new(),
            changed: Vec::new(),
            cursor: 0,
            statistics: Statistics::default(),
        })
    }

    /// Flows that are installed.
    pub fn len(&self) -> u32 {
        (self.heads.len() - self.free.len()) as u32
    }

    /// True when none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was counted.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The generation of a port's policy, 0 at first.
    #[inline]
    pub fn generation(&self, port: u16) -> u32 {
        self.generations.get(usize::from(port)).copied().unwrap_or(0)
    }

    /// Tells the card the generation of a port's policy. Entries of other generations are stale from now on.
    pub fn set_generation(&mut self, port: u16, generation: u32) {
        let port = usize::from(port);
        if self.generations.len() <= port {
            self.generations.resize(port + 1, 0);
        }
        self.generations[port] = generation;
    }

    #[inline]
    fn find(&self, key: &PackedKey) -> Option<u32> {
        self.index
            .find(key.index_hash(), |slot| self.heads[slot as usize].is(key))
    }

    /// The slot of an entry, unless it is gone.
    fn slot(&self, id: EntryId) -> Option<usize> {
        let slot = id.slot as usize;
        let head = self.heads.get(slot)?;
        (head.has(LIVE) && self.tails[slot].serial == id.serial).then_some(slot)
    }

    fn id(&self, slot: u32) -> EntryId {
        EntryId {
            slot,
            serial: self.tails[slot as usize].serial,
        }
    }

    /// Installs a flow, deactivated; it is in the table from `ready` on. A flow with the same key is replaced: its name and
    /// counters stay, and it is deactivated again. Either way the flow gets a place in the second level.
    ///
    /// # Errors
    /// [`AddError::TableFull`].
    pub fn add(&mut self, flow: &Flow, ready: Time) -> Result<EntryId, AddError> {
        let key = PackedKey::new(&flow.key);
        let hash = key.index_hash();
        let known = self.index.find(hash, |slot| self.heads[slot as usize].is(&key));
        if known.is_none() && self.len() >= self.most {
            return Err(AddError::TableFull(self.most));
        }
        let shared = Transposition {
            src_port: None,
            dst_port: None,
            ..flow.transposition
        };
        let action = self.actions.add(&shared);
        let (slot, kept) = match known {
            Some(slot) => {
                self.actions.release(self.tails[slot as usize].action);
                (
                    slot,
                    self.heads[slot as usize].bits & (FIN_SEEN | RST_SEEN | IN_L2),
                )
            }
            None => {
                let slot = self.new_slot(Head::new(&key, self.toeplitz.hash_key(&flow.key)));
                self.index.insert(hash, slot);
                (slot, FRESH)
            }
        };
        let head = &mut self.heads[slot as usize];
        head.bits = record::bits_of(flow) | kept;
        head.generation = flow.generation;
        head.ready = ready;
        let tail = &mut self.tails[slot as usize];
        tail.handle = flow.handle;
        tail.action = action;
        let port = |port: Option<u16>| u32::from(port.unwrap_or(0));
        tail.ports = port(flow.transposition.src_port) << 16 | port(flow.transposition.dst_port);
        if head.has(IN_L2) {
            self.l2.used(head.hash, slot);
        } else {
            self.admit_to_l2(slot);
        }
        Ok(self.id(slot))
    }

    /// A slot for a new flow, with nothing counted.
    fn new_slot(&mut self, head: Head) -> u32 {
        if let Some(slot) = self.free.pop() {
            let at = slot as usize;
            self.heads[at] = head;
            self.tails[at] = Tail {
                serial: self.tails[at].serial,
                ..Tail::default()
            };
            return slot;
        }
        self.heads.push(head);
        self.tails.push(Tail::default());
        self.changed.resize(self.heads.len().div_ceil(64), 0);
        self.heads.len() as u32 - 1
    }

    /// Brings a flow into the second level. Who has to go for it leaves the first, too.
    fn admit_to_l2(&mut self, slot: u32) {
        let heads = &self.heads;
        let hash = heads[slot as usize].hash;
        match self.l2.admit(hash, slot, |slot| heads[slot as usize].rank()) {
            Admission::Free => {}
            Admission::Replaced(gone) => {
                self.statistics.l2_evictions += 1;
                let gone_head = &mut self.heads[gone as usize];
                gone_head.bits &= !IN_L2;
                self.l1.remove(self.partition.place(gone_head), gone);
            }
            Admission::Refused => {
                self.statistics.l2_refusals += 1;
                return;
            }
        }
        self.heads[slot as usize].bits |= IN_L2;
    }

    fn admit_to_l1(&mut self, place: u32, slot: u32) {
        let heads = &self.heads;
        if let Admission::Replaced(_) = self.l1.admit(place, slot, |slot| heads[slot as usize].rank()) {
            self.statistics.l1_evictions += 1;
        }
    }

    /// Lets an entry match from `ready` on, but not before it is in the table. Returns the time from which it matches, or
    /// `None` if it is gone.
    pub fn activate(&mut self, id: EntryId, ready: Time) -> Option<Time> {
        let slot = self.slot(id)?;
        let head = &mut self.heads[slot];
        head.ready = head.ready.max(ready);
        head.bits |= ACTIVE;
        Some(head.ready)
    }

    /// Lets an entry match no longer. False if it is gone.
    pub fn deactivate(&mut self, id: EntryId) -> bool {
        let Some(slot) = self.slot(id) else {
            return false;
        };
        self.heads[slot].bits &= !(ACTIVE | FRESH);
        true
    }

    /// Takes an entry out and returns its last counters, or `None` if it is gone already.
    pub fn remove(&mut self, id: EntryId) -> Option<CounterUpdate> {
        let slot = self.slot(id)?;
        let (head, tail) = (&mut self.heads[slot], &mut self.tails[slot]);
        let last = CounterUpdate {
            entry: id,
            handle: tail.handle,
            counter: tail.counter,
        };
        tail.serial = tail.serial.wrapping_add(1);
        if head.has(IN_L2) {
            self.l1.remove(self.partition.place(head), id.slot);
            self.l2.remove(head.hash, id.slot);
        }
        head.bits = 0;
        self.index.remove(head.key().index_hash(), id.slot);
        self.actions.release(tail.action);
        self.changed[slot / 64] &= !(1 << (slot % 64));
        self.free.push(id.slot);
        Some(last)
    }

    /// Takes all entries of a port out; returns how many there were.
    pub fn remove_port(&mut self, port: u16) -> u32 {
        let mut removed = 0;
        for slot in 0..self.heads.len() as u32 {
            let head = &self.heads[slot as usize];
            if head.has(LIVE) && head.key().port() == port {
                self.remove(self.id(slot));
                removed += 1;
            }
        }
        removed
    }

    /// Takes everything out, as a reconfiguration of the FPGA does. Statistics and generations stay.
    pub fn clear(&mut self) {
        for (slot, (head, tail)) in self.heads.iter_mut().zip(&mut self.tails).enumerate() {
            if head.has(LIVE) {
                head.bits = 0;
                tail.serial = tail.serial.wrapping_add(1);
                self.free.push(slot as u32);
            }
        }
        self.index = Index::new();
        self.actions.clear();
        self.l1.clear();
        self.l2.clear();
        self.changed.fill(0);
    }

    /// Looks a packet up at `now`, the time at which it reaches the match stage, and counts it.
    pub fn lookup(&mut self, now: Time, packet: &Packet) -> Searched {
        let slot = self
            .find(&PackedKey::new(&packet.key))
            .filter(|&slot| self.heads[slot as usize].is_there(now));
        let level = slot.and_then(|slot| self.fetch(slot));
        self.statistics.looked_up(packet.bytes, level, self.third);
        let (Some(slot), Some(level)) = (slot, level) else {
            self.statistics.evicted += u64::from(slot.is_some());
            return Searched {
                lookup: self.exception(ExceptionReason::Miss),
                depth: if self.third { Level::L3 } else { Level::L2 },
            };
        };
        let lookup = self.matched(now, packet, slot, level);
        Searched { lookup, depth: level }
    }

    /// Finds the level that has the entry and brings it up to the first.
    #[inline]
    fn fetch(&mut self, slot: u32) -> Option<Level> {
        let head = &self.heads[slot as usize];
        let (hash, bits, place) = (head.hash, head.bits, self.partition.place(head));
        if self.l1.has(place, slot) {
            self.l1.used(place, slot);
            return Some(Level::L1);
        }
        let level = if bits & IN_L2 != 0 {
            self.l2.used(hash, slot);
            Level::L2
        } else if self.third {
            self.admit_to_l2(slot);
            Level::L3
        } else {
            return None;
        };
        // Only what the second level has may be in the first.
        if level == Level::L2 || self.heads[slot as usize].has(IN_L2) {
            self.admit_to_l1(place, slot);
        }
        Some(level)
    }

    #[inline]
    fn matched(&mut self, now: Time, packet: &Packet, slot: u32, level: Level) -> Lookup {
        let generation = self.generation(packet.key.port);
        let at = slot as usize;
        let (head, tail) = (&mut self.heads[at], &mut self.tails[at]);
        if !head.is_in_use(now) {
            return self.exception(ExceptionReason::Deactivated);
        }
        if head.generation != generation {
            self.statistics.stale_flows += u64::from(!head.has(STALE_COUNTED));
            head.bits |= STALE_COUNTED;
            return self.exception(ExceptionReason::Stale);
        }
        let copy_to_software = record::count(head, tail, now, packet);
        let entry = EntryId {
            slot,
            serial: tail.serial,
        };
        self.changed[at / 64] |= 1 << (at % 64);
        self.statistics.forwarded += 1;
        self.statistics.copied += u64::from(copy_to_software);
        Lookup::Hit {
            level,
            entry,
            copy_to_software,
        }
    }

    fn exception(&mut self, reason: ExceptionReason) -> Lookup {
        self.statistics.exception(reason);
        Lookup::Exception(reason)
    }

    /// What an entry does to the headers, or `None` if it is gone.
    pub fn transposition(&self, id: EntryId) -> Option<Transposition> {
        let slot = self.slot(id)?;
        let (head, tail) = (&self.heads[slot], &self.tails[slot]);
        let port = |bit, port: u32| head.has(bit).then_some(port as u16);
        Some(Transposition {
            src_port: port(SRC_PORT, tail.ports >> 16),
            dst_port: port(DST_PORT, tail.ports),
            ..*self.actions.get(tail.action)
        })
    }

    /// An entry as it is at `now`, or `None` if it is gone.
    pub fn entry(&self, id: EntryId, now: Time) -> Option<Entry> {
        let slot = self.slot(id)?;
        let (head, tail) = (&self.heads[slot], &self.tails[slot]);
        let key = head.key().unpack();
        let level = if self.l1.has(self.partition.place(head), id.slot) {
            Some(Level::L1)
        } else if head.has(IN_L2) {
            Some(Level::L2)
        } else {
            self.third.then_some(Level::L3)
        };
        Some(Entry {
            id,
            flow: Flow {
                key,
                transposition: self.transposition(id)?,
                generation: head.generation,
                copy: CopyFlags::from_bits(head.bits),
                hint: head.hint(),
                handle: tail.handle,
            },
            state: if head.is_in_use(now) {
                State::Activated
            } else {
                State::Deactivated
            },
            stale: head.generation != self.generation(key.port),
            level,
            counter: tail.counter,
        })
    }

    /// The entry of a flow. Nothing is counted.
    pub fn id_of(&self, key: &FlowKey) -> Option<EntryId> {
        self.find(&PackedKey::new(key)).map(|slot| self.id(slot))
    }

    /// All entries, in the order of their slots.
    pub fn ids(&self) -> impl Iterator<Item = EntryId> + '_ {
        (0..self.heads.len() as u32)
            .filter(|&slot| self.heads[slot as usize].has(LIVE))
            .map(|slot| self.id(slot))
    }

    /// Who is in the first level, set after set; `None` where a way is free.
    pub fn l1(&self) -> impl ExactSizeIterator<Item = Option<EntryId>> + '_ {
        self.l1.slots().map(|slot| slot.map(|slot| self.id(slot)))
    }

    /// Who is in the second level, set after set; `None` where a way is free.
    pub fn l2(&self) -> impl ExactSizeIterator<Item = Option<EntryId>> + '_ {
        self.l2.slots().map(|slot| slot.map(|slot| self.id(slot)))
    }

    /// How many flows are in the first and in the second level.
    pub fn resident(&self) -> [u32; 2] {
        [self.l1.taken(), self.l2.taken()]
    }

    /// Appends the counters of up to `most` entries that counted something since they were last here. All get their turn: the
    /// next call goes on where this one ends.
    pub fn take_changed(&mut self, most: u32, updates: &mut Vec<CounterUpdate>) {
        let mut left = most;
        let words = self.changed.len();
        let mut rest = words;
        while left > 0 && rest > 0 {
            if self.cursor >= words {
                self.cursor = 0;
            }
            let word = self.changed[self.cursor];
            if word == 0 {
                self.cursor += 1;
                rest -= 1;
                continue;
            }
            self.changed[self.cursor] = word & (word - 1);
            let slot = self.cursor as u32 * 64 + word.trailing_zeros();
            let tail = &self.tails[slot as usize];
            updates.push(CounterUpdate {
                entry: self.id(slot),
                handle: tail.handle,
                counter: tail.counter,
            });
            left -= 1;
        }
    }

    /// How many different transpositions the entries have, their ports aside.
    pub fn transpositions(&self) -> usize {
        self.actions.len()
    }

    /// Bytes that this takes in the simulator's memory.
    pub fn memory(&self) -> MemoryUse {
        MemoryUse {
            entries: self.heads.capacity() * size_of::<Head>()
                + self.tails.capacity() * size_of::<Tail>()
                + self.free.capacity() * size_of::<u32>()
                + self.changed.capacity() * size_of::<u64>(),
            index: self.index.bytes(),
            actions: self.actions.bytes(),
            caches: self.l1.bytes() + self.l2.bytes(),
        }
    }
}

#[cfg(test)]
mod tests;

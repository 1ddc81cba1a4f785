//! The flow table: all entries that are installed, and the cache levels over them.

mod actions;
mod cache;
mod index;
mod packed;

use crate::config::{Config, InvalidConfig};
use crate::entry::{
    CacheHint, CopyFlags, Counter, Entry, EntryId, ExceptionReason, Flow, Level, Lookup, Packet, State,
};
use crate::statistics::Statistics;
use crate::toeplitz::Toeplitz;
use crate::{FlowKey, Protocol, TcpFlags, Transposition};
use actions::Actions;
use cache::{Admission, Cache};
use index::Index;
use kernel::Time;
use kernel::rng;
use packed::PackedKey;
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

/// 112 bytes, in the order in which a lookup reads them.
#[derive(Clone, Debug)]
struct Record {
    key: PackedKey,
    /// The Toeplitz hash.
    hash: u32,
    bits: u32,
    generation: u32,
    /// Before this it is not in the table, or not activated yet.
    ready: Time,
    packets: u64,
    bytes: u64,
    last_update: Time,
    tcp_seq: u32,
    tcp_ack: u32,
    handle: u32,
    /// The transposition but for its ports.
    action: u32,
    /// Its ports: source in the upper half, destination in the lower.
    ports: u32,
    serial: u32,
}

// The copy flags have their own bits, 16 to 22; these are below.
const LIVE: u32 = 1 << 0;
const ACTIVE: u32 = 1 << 1;
/// Not in the table before `ready`; else in it, deactivated.
const FRESH: u32 = 1 << 2;
/// Already counted among the stale flows.
const STALE_COUNTED: u32 = 1 << 3;
const FIN_SEEN: u32 = 1 << 4;
const RST_SEEN: u32 = 1 << 5;
const SRC_PORT: u32 = 1 << 6;
const DST_PORT: u32 = 1 << 7;
/// 0 low, 1 medium, 2 high.
const HINT: u32 = 3 << 8;

fn hint_bits(hint: CacheHint) -> u32 {
    match hint {
        CacheHint::Low => 0,
        CacheHint::Medium => 1 << 8,
        CacheHint::High => 2 << 8,
    }
}

impl Record {
    fn hint(&self) -> CacheHint {
        match self.rank() {
            0 => CacheHint::Low,
            1 => CacheHint::Medium,
            _ => CacheHint::High,
        }
    }

    /// The hint as a rank, 0 to 2.
    fn rank(&self) -> u8 {
        ((self.bits & HINT) >> 8) as u8
    }

    fn counter(&self) -> Counter {
        Counter {
            packets: self.packets,
            bytes: self.bytes,
            last_update: self.last_update,
            tcp_seq: self.tcp_seq,
            tcp_ack: self.tcp_ack,
        }
    }

    /// Counts a packet that the entry forwards. True if software gets a copy.
    #[inline]
    fn count(&mut self, now: Time, packet: &Packet) -> bool {
        let flags = CopyFlags::from_bits(self.bits);
        let mut copy = flags.has(CopyFlags::ALL) || (flags.has(CopyFlags::FIRST) && self.packets == 0);
        if packet.key.tuple.protocol == Protocol::TCP {
            let control = TcpFlags::SYN.0 | TcpFlags::FIN.0 | TcpFlags::RST.0;
            copy |= flags.has(CopyFlags::WHEN_TCP_FLAG_SET) && packet.flags.0 & control != 0;
            copy |= flags.has(CopyFlags::AFTER_TCP_FIN) && self.bits & FIN_SEEN != 0;
            copy |= flags.has(CopyFlags::AFTER_TCP_RST) && self.bits & RST_SEEN != 0;
            if packet.flags.has(TcpFlags::FIN) {
                self.bits |= FIN_SEEN;
            }
            if packet.flags.has(TcpFlags::RST) {
                self.bits |= RST_SEEN;
            }
            self.tcp_seq = packet.seq;
            self.tcp_ack = packet.ack;
        }
        self.packets += 1;
        self.bytes += u64::from(packet.bytes);
        self.last_update = now;
        copy
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
    records: Vec<Record>,
    free: Vec<u32>,
    index: Index,
    actions: Actions,
    l1: Cache,
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
            records: Vec::new(),
            free: Vec::new(),
            index: Index::new(),
            actions: Actions::new(),
            l1: Cache::new(&config.l1, rng::key(config.seed, 1, 0)),
            l2: Cache::new(&config.l2, rng::key(config.seed, 2, 0)),
            generations: Vec::new(),
            changed: Vec::new(),
            cursor: 0,
            statistics: Statistics::default(),
        })
    }

    /// Flows that are installed.
    pub fn len(&self) -> u32 {
        (self.records.len() - self.free.len()) as u32
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
    fn find(&self, packed: &PackedKey) -> Option<u32> {
        self.index.find(packed.index_hash(), |slot| {
            self.records[slot as usize].key == *packed
        })
    }

    fn record(&self, id: EntryId) -> Option<&Record> {
        self.records
            .get(id.slot as usize)
            .filter(|record| record.bits & LIVE != 0 && record.serial == id.serial)
    }

    fn record_mut(&mut self, id: EntryId) -> Option<&mut Record> {
        self.records
            .get_mut(id.slot as usize)
            .filter(|record| record.bits & LIVE != 0 && record.serial == id.serial)
    }

    fn id(&self, slot: u32) -> EntryId {
        EntryId {
            slot,
            serial: self.records[slot as usize].serial,
        }
    }

    /// Installs a flow, deactivated; it is in the table from `ready` on. A flow with the same key is replaced: its name and
    /// counters stay, and it is deactivated again. Either way the flow gets a place in the second level.
    ///
    /// # Errors
    /// [`AddError::TableFull`].
    pub fn add(&mut self, flow: &Flow, ready: Time) -> Result<EntryId, AddError> {
        let key = PackedKey::new(&flow.key);
        let known = self.find(&key);
        if known.is_none() && self.len() >= self.most {
            return Err(AddError::TableFull(self.most));
        }
        let shared = Transposition {
            src_port: None,
            dst_port: None,
            ..flow.transposition
        };
        let action = self.actions.add(&shared);
        let port = |port: Option<u16>, bit| port.map_or((0, 0), |port| (u32::from(port), bit));
        let (src_port, src_bit) = port(flow.transposition.src_port, SRC_PORT);
        let (dst_port, dst_bit) = port(flow.transposition.dst_port, DST_PORT);
        let bits = LIVE | src_bit | dst_bit | hint_bits(flow.hint) | flow.copy.bits();
        let slot = match known {
            Some(slot) => {
                let record = &mut self.records[slot as usize];
                self.actions.release(record.action);
                record.bits = bits | record.bits & (FIN_SEEN | RST_SEEN);
                slot
            }
            None => self.new_record(key, self.toeplitz.hash_key(&flow.key), bits | FRESH),
        };
        let record = &mut self.records[slot as usize];
        record.generation = flow.generation;
        record.ready = ready;
        record.handle = flow.handle;
        record.action = action;
        record.ports = src_port << 16 | dst_port;
        let hash = record.hash;
        if !self.l2.touch(hash, slot) {
            self.admit_to_l2(hash, slot);
        }
        Ok(self.id(slot))
    }

    /// A new record in the index, with nothing counted.
    fn new_record(&mut self, key: PackedKey, hash: u32, bits: u32) -> u32 {
        let slot = self.free.pop().unwrap_or(self.records.len() as u32);
        let fresh = |serial| Record {
            key,
            hash,
            bits,
            generation: 0,
            ready: Time::ZERO,
            packets: 0,
            bytes: 0,
            last_update: Time::ZERO,
            tcp_seq: 0,
            tcp_ack: 0,
            handle: 0,
            action: 0,
            ports: 0,
            serial,
        };
        match self.records.get_mut(slot as usize) {
            Some(record) => *record = fresh(record.serial),
            None => {
                self.records.push(fresh(0));
                self.changed.resize(self.records.len().div_ceil(64), 0);
            }
        }
        self.index.insert(key.index_hash(), slot);
        slot
    }

    fn admit_to_l2(&mut self, hash: u32, slot: u32) {
        let records = &self.records;
        match self.l2.admit(hash, slot, |slot| records[slot as usize].rank()) {
            Admission::Free => {}
            Admission::Replaced(gone) => {
                self.statistics.l2_evictions += 1;
                self.l1.remove(self.records[gone as usize].hash, gone);
            }
            Admission::Refused => self.statistics.l2_refusals += 1,
        }
    }

    fn admit_to_l1(&mut self, hash: u32, slot: u32) {
        let records = &self.records;
        if let Admission::Replaced(_) = self.l1.admit(hash, slot, |slot| records[slot as usize].rank()) {
            self.statistics.l1_evictions += 1;
        }
    }

    /// Lets an entry match from `ready` on, but not before it is in the table. Returns the time from which it matches, or
    /// `None` if it is gone.
    pub fn activate(&mut self, id: EntryId, ready: Time) -> Option<Time> {
        let record = self.record_mut(id)?;
        record.ready = record.ready.max(ready);
        record.bits |= ACTIVE;
        Some(record.ready)
    }

    /// Lets an entry match no longer. False if it is gone.
    pub fn deactivate(&mut self, id: EntryId) -> bool {
        let Some(record) = self.record_mut(id) else {
            return false;
        };
        record.bits &= !(ACTIVE | FRESH);
        true
    }

    /// Takes an entry out and returns its last counters, or `None` if it is gone already.
    pub fn remove(&mut self, id: EntryId) -> Option<CounterUpdate> {
        let record = self.record_mut(id)?;
        let last = CounterUpdate {
            entry: id,
            handle: record.handle,
            counter: record.counter(),
        };
        record.bits &= !LIVE;
        record.serial = record.serial.wrapping_add(1);
        let (key, hash, action) = (record.key, record.hash, record.action);
        self.l1.remove(hash, id.slot);
        self.l2.remove(hash, id.slot);
        self.index.remove(key.index_hash(), id.slot);
        self.actions.release(action);
        self.changed[id.slot as usize / 64] &= !(1 << (id.slot % 64));
        self.free.push(id.slot);
        Some(last)
    }

    /// Takes all entries of a port out; returns how many there were.
    pub fn remove_port(&mut self, port: u16) -> u32 {
        let mut removed = 0;
        for slot in 0..self.records.len() as u32 {
            let record = &self.records[slot as usize];
            if record.bits & LIVE != 0 && record.key.port() == port {
                self.remove(self.id(slot));
                removed += 1;
            }
        }
        removed
    }

    /// Takes everything out, as a reconfiguration of the FPGA does. Statistics and generations stay.
    pub fn clear(&mut self) {
        for slot in 0..self.records.len() as u32 {
            let record = &mut self.records[slot as usize];
            if record.bits & LIVE != 0 {
                record.bits &= !LIVE;
                record.serial = record.serial.wrapping_add(1);
                self.free.push(slot);
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
        let deepest = if self.third { Level::L3 } else { Level::L2 };
        let in_table = |record: &Record| now >= record.ready || record.bits & (ACTIVE | FRESH) != FRESH;
        let slot = self
            .find(&PackedKey::new(&packet.key))
            .filter(|&slot| in_table(&self.records[slot as usize]));
        let level = slot.and_then(|slot| self.fetch(slot));
        self.statistics.looked_up(packet.bytes, level, self.third);
        let (Some(slot), Some(level)) = (slot, level) else {
            self.statistics.evicted += u64::from(slot.is_some());
            return Searched {
                lookup: self.exception(ExceptionReason::Miss),
                depth: deepest,
            };
        };
        let lookup = self.matched(now, packet, slot, level);
        Searched { lookup, depth: level }
    }

    /// Finds the level that has the entry and brings it up to the first.
    #[inline]
    fn fetch(&mut self, slot: u32) -> Option<Level> {
        let hash = self.records[slot as usize].hash;
        if self.l1.touch(hash, slot) {
            return Some(Level::L1);
        }
        let level = if self.l2.touch(hash, slot) {
            Level::L2
        } else if self.third {
            self.admit_to_l2(hash, slot);
            Level::L3
        } else {
            return None;
        };
        // Only what the second level has may be in the first.
        if level == Level::L2 || self.l2.has(hash, slot) {
            self.admit_to_l1(hash, slot);
        }
        Some(level)
    }

    #[inline]
    fn matched(&mut self, now: Time, packet: &Packet, slot: u32, level: Level) -> Lookup {
        let generation = self.generation(packet.key.port);
        let record = &mut self.records[slot as usize];
        if record.bits & ACTIVE == 0 || now < record.ready {
            return self.exception(ExceptionReason::Deactivated);
        }
        if record.generation != generation {
            self.statistics.stale_flows += u64::from(record.bits & STALE_COUNTED == 0);
            record.bits |= STALE_COUNTED;
            return self.exception(ExceptionReason::Stale);
        }
        let copy_to_software = record.count(now, packet);
        let entry = EntryId {
            slot,
            serial: record.serial,
        };
        self.changed[slot as usize / 64] |= 1 << (slot % 64);
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
        let record = self.record(id)?;
        let port = |bit, port: u32| (record.bits & bit != 0).then_some(port as u16);
        Some(Transposition {
            src_port: port(SRC_PORT, record.ports >> 16),
            dst_port: port(DST_PORT, record.ports),
            ..*self.actions.get(record.action)
        })
    }

    /// An entry as it is at `now`, or `None` if it is gone.
    pub fn entry(&self, id: EntryId, now: Time) -> Option<Entry> {
        let record = self.record(id)?;
        let key = record.key.unpack();
        let in_use = record.bits & ACTIVE != 0 && now >= record.ready;
        let level = if self.l1.has(record.hash, id.slot) {
            Some(Level::L1)
        } else if self.l2.has(record.hash, id.slot) {
            Some(Level::L2)
        } else {
            self.third.then_some(Level::L3)
        };
        Some(Entry {
            id,
            flow: Flow {
                key,
                transposition: self.transposition(id)?,
                generation: record.generation,
                copy: CopyFlags::from_bits(record.bits),
                hint: record.hint(),
                handle: record.handle,
            },
            state: if in_use {
                State::Activated
            } else {
                State::Deactivated
            },
            stale: record.generation != self.generation(key.port),
            level,
            counter: record.counter(),
        })
    }

    /// The entry of a flow. Nothing is counted.
    pub fn id_of(&self, key: &FlowKey) -> Option<EntryId> {
        self.find(&PackedKey::new(key)).map(|slot| self.id(slot))
    }

    /// All entries, in the order of their slots.
    pub fn ids(&self) -> impl Iterator<Item = EntryId> + '_ {
        (0..self.records.len() as u32)
            .filter(|&slot| self.records[slot as usize].bits & LIVE != 0)
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
            let record = &self.records[slot as usize];
            updates.push(CounterUpdate {
                entry: self.id(slot),
                handle: record.handle,
                counter: record.counter(),
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
            entries: self.records.capacity() * size_of::<Record>()
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

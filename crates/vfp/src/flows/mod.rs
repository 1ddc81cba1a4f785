//! The unified flow table: pairs of flows by their keys, and when they are too old.

mod index;
mod intern;
mod key;
mod wheel;

pub use wheel::TICK;

use crate::policy::LayerId;
use crate::snat::Binding;
use crate::tcp::{Fins, FlowState};
use crate::walk::{LayerState, Remembered, Way};
use gft::{Direction, Encap, FlowKey, Headers, MAX_ENCAPS, Mac, TcpFlags, Transposition};
use index::Index;
use intern::Interner;
use kernel::Time;
use key::PackedKey;
use wheel::Wheel;

/// A transposition with its ports apart, so that flows share the rest.
#[derive(Clone, Copy, Debug)]
struct Stored {
    shape: u32,
    src_port: u16,
    dst_port: u16,
}

/// What a layer knows of a flow, as stored.
#[derive(Clone, Copy, Debug)]
struct StoredState {
    layer: LayerId,
    ways: [Stored; 2],
    binding: Option<Binding>,
}

/// What a first packet brought along beside its key. Policies may ask for it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Ingress {
    encaps: [Option<Encap>; MAX_ENCAPS],
    src_mac: Mac,
    dst_mac: Mac,
}

/// A connection: the flow of its first packet and the flow of the answers.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    keys: [PackedKey; 2],
    actions: [Stored; 2],
    states: Option<Box<[StoredState]>>,
    pub(crate) created: Time,
    pub(crate) last_seen: Time,
    /// Forward, answer.
    pub(crate) packets: [u64; 2],
    pub(crate) bytes: [u64; 2],
    ingress: u32,
    mask: u32,
    pub(crate) generation: u32,
    /// Meter classes, forward and answer; 0 without.
    pub(crate) meters: [u16; 2],
    pub(crate) state: FlowState,
    pub(crate) fins: Fins,
    /// Of the first packet.
    pub(crate) direction: Direction,
    /// Whether the first packet was a SYN.
    syn: bool,
    /// Whether the answers have an entry.
    pub(crate) answered: bool,
    /// Whether the hardware was told of it.
    pub(crate) offloaded: bool,
    epoch: u8,
    live: bool,
}

/// What a walk of both ways came to.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// The first packet.
    pub(crate) ingress: Headers,
    pub(crate) direction: Direction,
    pub(crate) syn: bool,
    /// Key and transposition of the answers, where they come through.
    pub(crate) answer: Option<(FlowKey, Transposition)>,
    pub(crate) forward: Transposition,
    pub(crate) remembered: Remembered,
    pub(crate) meters: [u16; 2],
}

/// The table. A handle is the place of a pair (24 bits) and how often the place was given before (8 bits), so that a late
/// report about a flow that is gone meets no other.
#[derive(Clone, Debug)]
pub(crate) struct Flows {
    port: u16,
    seed: u64,
    pairs: Vec<Pair>,
    free: Vec<u32>,
    index: Index,
    shapes: Interner<Transposition>,
    ingresses: Interner<Ingress>,
    wheel: Wheel,
}

const PLACE_BITS: u32 = 24;

/// Memory of a flow table, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableMemory {
    /// Flows; a pair counts two if its answers have an entry.
    pub flows: usize,
    /// Pairs with their keys and counters.
    pub pairs: usize,
    /// The hash index.
    pub index: usize,
    /// Shared transpositions and first headers.
    pub shared: usize,
    /// What layers remember.
    pub states: usize,
    /// The timer wheel.
    pub wheel: usize,
}

impl TableMemory {
    /// All of it.
    pub const fn total(&self) -> usize {
        self.pairs + self.index + self.shared + self.states + self.wheel
    }
}

impl Flows {
    pub(crate) fn new(port: u16, seed: u64) -> Flows {
        Flows {
            port,
            seed,
            pairs: Vec::new(),
            free: Vec::new(),
            index: Index::default(),
            shapes: Interner::default(),
            ingresses: Interner::default(),
            wheel: Wheel::default(),
        }
    }

    /// Pairs in the table.
    pub(crate) const fn len(&self) -> usize {
        self.pairs.len() - self.free.len()
    }

    pub(crate) fn pair(&self, place: u32) -> &Pair {
        &self.pairs[place as usize]
    }

    pub(crate) fn pair_mut(&mut self, place: u32) -> &mut Pair {
        &mut self.pairs[place as usize]
    }

    /// Places of all pairs, ascending.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.pairs.len() as u32).filter(|&place| self.pairs[place as usize].live)
    }

    pub(crate) fn handle(&self, place: u32) -> u32 {
        u32::from(self.pair(place).epoch) << PLACE_BITS | place
    }

    /// The place of a handle, unless its flow is gone.
    pub(crate) fn of_handle(&self, handle: u32) -> Option<u32> {
        let place = handle & ((1 << PLACE_BITS) - 1);
        let pair = self.pairs.get(place as usize)?;
        (pair.live && u32::from(pair.epoch) == handle >> PLACE_BITS).then_some(place)
    }

    /// The pair that has this key, and which of its ways it is.
    pub(crate) fn find(&self, key: &FlowKey) -> Option<(u32, Way)> {
        let packed = PackedKey::new(key);
        let way = |number: u32| {
            if number & 1 == 0 {
                Way::Forward
            } else {
                Way::Answer
            }
        };
        let number = self.index.find(packed.hash(self.seed, key.direction), |number| {
            let pair = &self.pairs[(number >> 1) as usize];
            pair.keys[way(number) as usize] == packed
                && way_direction(pair.direction, way(number)) == key.direction
        })?;
        Some((number >> 1, way(number)))
    }

    /// A way's key.
    pub(crate) fn key(&self, place: u32, way: Way) -> FlowKey {
        let pair = self.pair(place);
        pair.keys[way as usize].unpack(self.port, way_direction(pair.direction, way))
    }

    /// A way's transposition.
    pub(crate) fn action(&self, place: u32, way: Way) -> Transposition {
        self.restore(self.pair(place).actions[way as usize])
    }

    /// The first packet, as far as a policy may ask for it.
    pub(crate) fn first_packet(&self, place: u32) -> Headers {
        let pair = self.pair(place);
        let ingress = self.ingresses.get(pair.ingress);
        Headers {
            encaps: ingress.encaps,
            src_mac: ingress.src_mac,
            dst_mac: ingress.dst_mac,
            tuple: self.key(place, Way::Forward).tuple,
            dscp: 0,
            ttl: 64,
            flags: if pair.syn { TcpFlags::SYN } else { TcpFlags::ACK },
        }
    }

    /// What the layers know of a pair.
    pub(crate) fn remembered(&self, place: u32) -> Remembered {
        let pair = self.pair(place);
        let states = pair.states.iter().flatten().map(|state| LayerState {
            layer: state.layer,
            ways: state.ways.map(|stored| self.restore(stored)),
            binding: state.binding,
        });
        Remembered {
            mask: pair.mask,
            states: states.collect(),
        }
    }

    /// The SNAT bindings of a pair.
    pub(crate) fn bindings(&self, place: u32) -> impl Iterator<Item = Binding> + '_ {
        self.pair(place)
            .states
            .iter()
            .flatten()
            .filter_map(|state| state.binding)
    }

    fn store(&mut self, transposition: &Transposition) -> Stored {
        let shape = Transposition {
            src_port: transposition.src_port.map(|_| 0),
            dst_port: transposition.dst_port.map(|_| 0),
            ..*transposition
        };
        Stored {
            shape: self.shapes.take(shape),
            src_port: transposition.src_port.unwrap_or(0),
            dst_port: transposition.dst_port.unwrap_or(0),
        }
    }

    fn restore(&self, stored: Stored) -> Transposition {
        let shape = self.shapes.get(stored.shape);
        Transposition {
            src_port: shape.src_port.map(|_| stored.src_port),
            dst_port: shape.dst_port.map(|_| stored.dst_port),
            ..shape
        }
    }

    /// Adds a pair and gives its place. The key of its first packet must not be in the table; the key of its answers may, and
    /// then they have no entry of their own. `None` when no place is left.
    pub(crate) fn add(
        &mut self,
        compiled: &Compiled,
        generation: u32,
        state: FlowState,
        now: Time,
        deadline: Time,
    ) -> Option<u32> {
        if self.free.is_empty() && self.pairs.len() >= 1 << PLACE_BITS {
            return None;
        }
        let key = compiled.ingress.key(self.port, compiled.direction);
        let nothing = Stored {
            shape: 0,
            src_port: 0,
            dst_port: 0,
        };
        let mut pair = Pair {
            keys: [PackedKey::new(&key), PackedKey::default()],
            actions: [nothing; 2],
            states: None,
            created: now,
            last_seen: now,
            packets: [0; 2],
            bytes: [0; 2],
            ingress: 0,
            mask: 0,
            generation,
            meters: [0; 2],
            state,
            fins: Fins::default(),
            direction: compiled.direction,
            syn: compiled.syn,
            answered: false,
            offloaded: false,
            epoch: 0,
            live: true,
        };
        let place = match self.free.pop() {
            Some(place) => {
                pair.epoch = self.pairs[place as usize].epoch.wrapping_add(1);
                self.pairs[place as usize] = pair;
                place
            }
            None => {
                self.pairs.push(pair);
                (self.pairs.len() - 1) as u32
            }
        };
        let hash = self.hash(place, Way::Forward);
        self.index.insert(hash, place << 1);
        self.fill(place, compiled);
        self.wheel.schedule(place, deadline);
        Some(place)
    }

    /// Gives a pair what a new walk came to. The key of its first packet stays.
    pub(crate) fn replace(&mut self, place: u32, compiled: &Compiled, generation: u32) {
        self.empty(place);
        self.fill(place, compiled);
        self.pair_mut(place).generation = generation;
    }

    fn hash(&self, place: u32, way: Way) -> u64 {
        let pair = self.pair(place);
        pair.keys[way as usize].hash(self.seed, way_direction(pair.direction, way))
    }

    fn fill(&mut self, place: u32, compiled: &Compiled) {
        let forward = self.store(&compiled.forward);
        let (answered, key, answer) = match &compiled.answer {
            Some((key, action)) if self.find(key).is_none() => (true, PackedKey::new(key), *action),
            _ => (false, PackedKey::default(), Transposition::default()),
        };
        let answer = self.store(&answer);
        let states: Vec<StoredState> = compiled
            .remembered
            .states
            .iter()
            .map(|state| StoredState {
                layer: state.layer,
                ways: state.ways.map(|way| self.store(&way)),
                binding: state.binding,
            })
            .collect();
        let ingress = self.ingresses.take(Ingress {
            encaps: compiled.ingress.encaps,
            src_mac: compiled.ingress.src_mac,
            dst_mac: compiled.ingress.dst_mac,
        });
        let pair = self.pair_mut(place);
        pair.actions = [forward, answer];
        pair.keys[1] = key;
        pair.answered = answered;
        pair.states = (!states.is_empty()).then(|| states.into());
        pair.mask = compiled.remembered.mask;
        pair.ingress = ingress;
        pair.meters = compiled.meters;
        if answered {
            let hash = self.hash(place, Way::Answer);
            self.index.insert(hash, place << 1 | 1);
        }
    }

    /// Gives back what [`Flows::fill`] took.
    fn empty(&mut self, place: u32) {
        if self.pair(place).answered {
            let hash = self.hash(place, Way::Answer);
            self.index.remove(hash, place << 1 | 1);
        }
        let pair = self.pair_mut(place);
        let states = pair.states.take();
        let (actions, ingress) = (pair.actions, pair.ingress);
        let of_states = states.iter().flatten().flat_map(|state| state.ways);
        for stored in of_states.chain(actions) {
            self.shapes.release(stored.shape);
        }
        self.ingresses.release(ingress);
    }

    /// Takes a pair out.
    pub(crate) fn remove(&mut self, place: u32) {
        let hash = self.hash(place, Way::Forward);
        self.index.remove(hash, place << 1);
        self.empty(place);
        self.wheel.cancel(place);
        self.pair_mut(place).live = false;
        self.free.push(place);
    }

    /// Its turn to be looked at comes after `deadline`.
    pub(crate) fn schedule(&mut self, place: u32, deadline: Time) {
        self.wheel.schedule(place, deadline);
    }

    /// The next pair to be looked at.
    pub(crate) fn pop_due(&mut self, now: Time) -> Option<u32> {
        self.wheel.pop_due(now)
    }

    /// When the next pair is to be looked at.
    pub(crate) fn next_due(&self) -> Option<Time> {
        self.wheel.next_due()
    }

    pub(crate) fn memory(&self) -> TableMemory {
        let live = self.places();
        TableMemory {
            flows: live.map(|place| 1 + usize::from(self.pair(place).answered)).sum(),
            pairs: self.pairs.capacity() * size_of::<Pair>() + self.free.capacity() * 4,
            index: self.index.bytes(),
            shared: self.shapes.bytes() + self.ingresses.bytes(),
            states: self
                .pairs
                .iter()
                .filter_map(|pair| pair.states.as_ref())
                .map(|states| size_of_val::<[StoredState]>(states))
                .sum(),
            wheel: self.wheel.bytes(),
        }
    }

    /// Different transpositions in use.
    pub(crate) const fn shapes(&self) -> usize {
        self.shapes.len()
    }
}

/// The direction of a way of a pair whose first packet went in `direction`.
pub(crate) const fn way_direction(direction: Direction, way: Way) -> Direction {
    match way {
        Way::Forward => direction,
        Way::Answer => direction.reversed(),
    }
}

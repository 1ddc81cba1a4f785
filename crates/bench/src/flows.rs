//! The NIC's flow table beside `hashbrown` on the same keys: a million flows, in random order. Natively and in a Web Worker.

use gft::{Config, Counter, EntryId, Flow, FlowKey, FlowTables, Packet, Transposition, study};
use hashbrown::HashMap;
use kernel::Time;
use kernel::rng::Sequence;
use serde_json::{Value, json};
use std::hint::black_box;

/// Flows in the table.
const FLOWS: u32 = 1_000_000;
/// Seed of the keys.
const SEED: u64 = 1;

/// What is done. `find` is the bare search for a key. `packet` is what a packet costs: the table looks it up through its cache
/// levels, checks state and generation, counts and decides on a copy; the map finds the key and counts. `churn` takes the oldest
/// flow out and puts a new one in. `fill` builds the table from nothing.
pub const OPERATIONS: [&str; 4] = ["find", "packet", "churn", "fill"];
/// By what.
pub const DESIGNS: [&str; 2] = ["FlowTables", "hashbrown"];

/// A table of flows under comparison.
trait Table {
    /// Puts a flow in.
    fn install(&mut self, number: u32);
    /// Takes a flow out.
    fn remove(&mut self, number: u32);
    /// The number of the flow with this key.
    fn find(&mut self, key: &FlowKey) -> u32;
    /// Works a packet off; its flow's number.
    fn packet(&mut self, key: FlowKey) -> u32;
    /// Bytes that it takes.
    fn bytes(&self) -> usize;
}

fn key(number: u32) -> FlowKey {
    study::key(SEED, number)
}

struct Ours(FlowTables);

/// A flow's place in the table is its number, as the flows are put into an empty one in order.
const fn number(entry: EntryId) -> u32 {
    entry.slot
}

impl Ours {
    fn new() -> Ours {
        let config = Config {
            l3: true,
            ..Config::default()
        };
        Ours(FlowTables::new(&config).expect("the defaults are valid"))
    }
}

impl Table for Ours {
    fn install(&mut self, number: u32) {
        let flow = Flow {
            key: key(number),
            transposition: Transposition {
                src_port: Some(number as u16),
                ..Transposition::default()
            },
            handle: number,
            ..Flow::default()
        };
        let entry = self.0.add(&flow, Time::ZERO).expect("there is room");
        self.0.activate(entry, Time::ZERO);
    }

    fn remove(&mut self, number: u32) {
        let entry = self.0.id_of(&key(number)).expect("it was put in");
        self.0.remove(entry);
    }

    fn find(&mut self, key: &FlowKey) -> u32 {
        self.0.id_of(key).map_or(u32::MAX, number)
    }

    fn packet(&mut self, key: FlowKey) -> u32 {
        let packet = Packet {
            key,
            bytes: 64,
            ..Packet::default()
        };
        match self.0.lookup(Time::ZERO, &packet).lookup {
            gft::Lookup::Hit { entry, .. } => number(entry),
            gft::Lookup::Exception(_) => u32::MAX,
        }
    }

    fn bytes(&self) -> usize {
        self.0.memory().total()
    }
}

/// What the map keeps for a flow, as large as what the table keeps: counters, and eight words of which one is the handle.
struct Theirs(HashMap<FlowKey, (Counter, [u32; 8])>);

impl Table for Theirs {
    fn install(&mut self, number: u32) {
        let mut words = [0; 8];
        words[0] = number;
        self.0.insert(key(number), (Counter::default(), words));
    }

    fn remove(&mut self, number: u32) {
        self.0.remove(&key(number));
    }

    fn find(&mut self, key: &FlowKey) -> u32 {
        self.0.get(key).map_or(u32::MAX, |(_, words)| words[0])
    }

    fn packet(&mut self, key: FlowKey) -> u32 {
        self.0.get_mut(&key).map_or(u32::MAX, |(counter, words)| {
            counter.packets += 1;
            counter.bytes += 64;
            counter.last_update = Time::ZERO;
            words[0]
        })
    }

    fn bytes(&self) -> usize {
        self.0.allocation_size()
    }
}

/// One operation, a million times, with one design: prepared, to be timed by whoever has a clock.
pub struct Operation {
    name: String,
    design: String,
    flows: u32,
    work: Box<dyn Work>,
}

impl Operation {
    /// Makes ready what is not timed: the keys in random order and, unless filling is the operation, the table.
    ///
    /// # Errors
    /// When there is no such operation or design.
    pub fn new(name: &str, design: &str) -> Result<Operation, String> {
        Operation::with(name, design, FLOWS)
    }

    fn with(name: &str, design: &str, flows: u32) -> Result<Operation, String> {
        if !OPERATIONS.contains(&name) {
            let known = OPERATIONS.join(", ");
            return Err(format!("there is no operation {name}; there are {known}"));
        }
        let work: Box<dyn Work> = match design {
            "FlowTables" => Box::new(Filled::new(Ours::new(), name, flows)),
            "hashbrown" => Box::new(Filled::new(Theirs(HashMap::new()), name, flows)),
            _ => {
                let known = DESIGNS.join(", ");
                return Err(format!("there is no design {design}; there are {known}"));
            }
        };
        Ok(Operation {
            name: name.to_owned(),
            design: design.to_owned(),
            flows,
            work,
        })
    }

    /// Does it. This is what is timed.
    pub fn run(&mut self) {
        self.work.run(&self.name);
    }

    /// What it took, as `cargo xtask bench` reads it.
    pub fn outcome(&self, seconds: f64) -> Value {
        let (bytes, checksum) = self.work.outcome();
        json!({
            "operation": self.name,
            "design": self.design,
            "flows": self.flows,
            "ns": seconds * 1e9 / f64::from(self.flows),
            "bytes": bytes,
            "checksum": format!("{checksum:016x}"),
        })
    }
}

/// What can be done with either table.
trait Work {
    fn run(&mut self, operation: &str);
    /// Bytes of the table, and the sum of what was found.
    fn outcome(&self) -> (usize, u64);
}

/// A table, and the keys of its flows in random order.
struct Filled<T> {
    table: T,
    keys: Vec<FlowKey>,
    checksum: u64,
}

impl<T: Table> Filled<T> {
    fn new(table: T, operation: &str, flows: u32) -> Filled<T> {
        let mut keys: Vec<FlowKey> = (0..flows).map(key).collect();
        Sequence::new(2).pick(&mut keys, flows as usize);
        let mut filled = Filled {
            table,
            keys,
            checksum: 0,
        };
        if operation != "fill" {
            filled.fill();
        }
        filled
    }

    fn fill(&mut self) {
        (0..self.keys.len() as u32).for_each(|number| self.table.install(number));
    }
}

impl<T: Table> Work for Filled<T> {
    fn run(&mut self, operation: &str) {
        let Filled {
            table,
            keys,
            checksum,
        } = self;
        match operation {
            "find" => keys
                .iter()
                .for_each(|key| *checksum += u64::from(table.find(key))),
            "packet" => keys
                .iter()
                .for_each(|key| *checksum += u64::from(table.packet(*key))),
            "churn" => {
                let flows = keys.len() as u32;
                (0..flows).for_each(|number| {
                    table.remove(number);
                    table.install(number + flows);
                });
            }
            _ => self.fill(),
        }
        black_box(&self.table);
    }

    fn outcome(&self) -> (usize, u64) {
        (self.table.bytes(), self.checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(name: &str, design: &str) -> Value {
        let mut operation = Operation::with(name, design, 1_000).unwrap();
        operation.run();
        operation.outcome(1e-3)
    }

    #[test]
    fn both_find_every_flow() {
        // Numbers 0 to 999.
        let expected = json!(format!("{:016x}", 999 * 1_000 / 2));
        for name in ["find", "packet"] {
            for design in DESIGNS {
                assert_eq!(done(name, design)["checksum"], expected, "{name}, {design}");
            }
        }
        let churned = done("churn", "FlowTables");
        assert!(churned["bytes"].as_u64().is_some_and(|bytes| bytes > 0));
        // A millisecond for a thousand flows.
        assert_eq!(churned["ns"], json!(1_000.0));
    }

    #[test]
    fn what_is_unknown_is_named() {
        let error = |name, design| Operation::new(name, design).err().unwrap();
        assert_eq!(
            error("sort", "hashbrown"),
            "there is no operation sort; there are find, packet, churn, fill"
        );
        assert!(error("find", "list").contains("FlowTables, hashbrown"));
    }
}

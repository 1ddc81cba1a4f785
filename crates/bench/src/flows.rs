//! The NIC's flow table beside `hashbrown` on the same keys: a million flows, in random order.

use gft::{Config, Counter, EntryId, Flow, FlowKey, FlowTables, Packet, Transposition, study};
use hashbrown::HashMap;
use kernel::Time;
use kernel::rng::Sequence;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;

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

/// Does one operation a million times with one design.
///
/// # Errors
/// When there is no such operation or design.
pub fn run(operation: &str, design: &str) -> Result<Value, String> {
    if !OPERATIONS.contains(&operation) {
        let known = OPERATIONS.join(", ");
        return Err(format!("there is no operation {operation}; there are {known}"));
    }
    match design {
        "FlowTables" => Ok(timed(operation, design, FLOWS, Ours::new)),
        "hashbrown" => Ok(timed(operation, design, FLOWS, || Theirs(HashMap::new()))),
        _ => Err(format!(
            "there is no design {design}; there are {}",
            DESIGNS.join(", ")
        )),
    }
}

fn timed<T: Table>(operation: &str, design: &str, flows: u32, new: impl Fn() -> T) -> Value {
    let mut keys: Vec<FlowKey> = (0..flows).map(key).collect();
    Sequence::new(2).pick(&mut keys, flows as usize);
    let mut table = new();
    let mut started = Instant::now();
    (0..flows).for_each(|number| table.install(number));
    let mut checksum: u64 = 0;
    if operation != "fill" {
        started = Instant::now();
    }
    match operation {
        "find" => keys.iter().for_each(|key| checksum += u64::from(table.find(key))),
        "packet" => keys
            .iter()
            .for_each(|key| checksum += u64::from(table.packet(*key))),
        "churn" => (0..flows).for_each(|number| {
            table.remove(number);
            table.install(number + flows);
        }),
        _ => {}
    }
    let seconds = started.elapsed().as_secs_f64();
    let bytes = table.bytes();
    black_box(&table);
    json!({
        "operation": operation,
        "design": design,
        "flows": flows,
        "ns": seconds * 1e9 / f64::from(flows),
        "bytes": bytes,
        "checksum": format!("{checksum:016x}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_find_every_flow() {
        // Numbers 0 to 999.
        let expected = format!("{:016x}", 999 * 1_000 / 2);
        for operation in ["find", "packet"] {
            let ours = timed(operation, "FlowTables", 1_000, Ours::new);
            let theirs = timed(operation, "hashbrown", 1_000, || Theirs(HashMap::new()));
            assert_eq!(
                (&ours["checksum"], &theirs["checksum"]),
                (&json!(expected), &json!(expected))
            );
        }
        let churned = timed("churn", "FlowTables", 1_000, Ours::new);
        assert!(churned["bytes"].as_u64().is_some_and(|bytes| bytes > 0));
    }

    #[test]
    fn what_is_unknown_is_named() {
        assert_eq!(
            run("sort", "hashbrown").unwrap_err(),
            "there is no operation sort; there are find, packet, churn, fill"
        );
        assert!(run("find", "list").unwrap_err().contains("FlowTables, hashbrown"));
    }
}

//! The flow table beside `hashbrown` on the same keys: one million flows, in random order.
//!
//! `find` is the bare search for a key. `packet` is what a packet costs: the table looks it up through its cache levels, checks
//! state and generation, counts and decides on a copy; the map finds the key and counts. `churn` takes the oldest flow out and
//! puts a new one in. `fill` builds the table of a million flows from nothing.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use gft::{Config, Counter, EntryId, Flow, FlowKey, FlowTables, Packet, Transposition, study};
use hashbrown::HashMap;
use kernel::Time;
use kernel::rng::Sequence;
use std::hint::black_box;

const FLOWS: u32 = 1_000_000;

/// What the map keeps for a flow, as large as what the table keeps: counters, and eight words of which one is the handle.
type Value = (Counter, [u32; 8]);

fn key(number: u32) -> FlowKey {
    study::key(1, number)
}

fn config() -> Config {
    Config {
        l3: true,
        ..Config::default()
    }
}

fn install(tables: &mut FlowTables, number: u32) -> EntryId {
    let flow = Flow {
        key: key(number),
        transposition: Transposition {
            src_port: Some(number as u16),
            ..Transposition::default()
        },
        handle: number,
        ..Flow::default()
    };
    let entry = tables.add(&flow, Time::ZERO).expect("there is room");
    tables.activate(entry, Time::ZERO);
    entry
}

fn insert(map: &mut HashMap<FlowKey, Value>, number: u32) {
    let mut words = [0; 8];
    words[0] = number;
    map.insert(key(number), (Counter::default(), words));
}

fn tables() -> FlowTables {
    let mut tables = FlowTables::new(&config()).expect("the defaults are valid");
    for number in 0..FLOWS {
        install(&mut tables, number);
    }
    tables
}

fn map() -> HashMap<FlowKey, Value> {
    let mut map = HashMap::new();
    for number in 0..FLOWS {
        insert(&mut map, number);
    }
    map
}

/// All keys in random order.
fn order() -> Vec<FlowKey> {
    let mut keys: Vec<FlowKey> = (0..FLOWS).map(key).collect();
    Sequence::new(2).pick(&mut keys, FLOWS as usize);
    keys
}

/// Goes through the keys in circles.
fn circle(keys: &[FlowKey]) -> impl FnMut() -> FlowKey + '_ {
    let mut keys = keys.iter().cycle();
    move || *keys.next().expect("a circle has no end")
}

fn lookups(criterion: &mut Criterion, keys: &[FlowKey]) {
    let mut tables = tables();
    let mut map = map();
    eprintln!(
        "{FLOWS} flows: the tables take {} bytes, of which {} do not depend on the flows",
        tables.memory().total(),
        tables.memory().caches
    );
    eprintln!("{FLOWS} flows: the map takes {} bytes", map.allocation_size());

    let mut group = criterion.benchmark_group("find");
    group.throughput(Throughput::Elements(1));
    let mut next = circle(keys);
    group.bench_function("FlowTables", |bencher| {
        bencher.iter(|| black_box(tables.id_of(&next())));
    });
    let mut next = circle(keys);
    group.bench_function("hashbrown", |bencher| {
        bencher.iter(|| black_box(map.get(&next()).map(|(_, words)| words[0])));
    });
    group.finish();

    let mut group = criterion.benchmark_group("packet");
    group.throughput(Throughput::Elements(1));
    let mut next = circle(keys);
    group.bench_function("FlowTables", |bencher| {
        bencher.iter(|| {
            let packet = Packet {
                key: next(),
                bytes: 64,
                ..Packet::default()
            };
            black_box(tables.lookup(Time::ZERO, &packet))
        });
    });
    let mut next = circle(keys);
    group.bench_function("hashbrown", |bencher| {
        bencher.iter(|| {
            if let Some((counter, _)) = map.get_mut(&next()) {
                counter.packets += 1;
                counter.bytes += 64;
                counter.last_update = Time::ZERO;
                black_box(counter);
            }
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("churn");
    group.throughput(Throughput::Elements(1));
    let mut number = 0;
    group.bench_function("FlowTables", |bencher| {
        bencher.iter(|| {
            let oldest = tables.id_of(&key(number)).expect("put in a million steps ago");
            tables.remove(oldest);
            install(&mut tables, number + FLOWS);
            number += 1;
        });
    });
    let mut number = 0;
    group.bench_function("hashbrown", |bencher| {
        bencher.iter(|| {
            map.remove(&key(number));
            insert(&mut map, number + FLOWS);
            number += 1;
        });
    });
    group.finish();
}

fn fills(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fill");
    group
        .throughput(Throughput::Elements(FLOWS.into()))
        .sample_size(10);
    group.bench_function("FlowTables", |bencher| {
        bencher.iter_batched(|| (), |()| tables(), BatchSize::PerIteration);
    });
    group.bench_function("hashbrown", |bencher| {
        bencher.iter_batched(|| (), |()| map(), BatchSize::PerIteration);
    });
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    lookups(criterion, &order());
    fills(criterion);
}

criterion_group!(flows, benches);
criterion_main!(flows);

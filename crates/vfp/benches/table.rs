//! The unified flow table against hashbrown's map on the same keys.
//!
//! `lookup` asks for the keys of all flows in a shuffled order, `miss` for keys that are not there. `churn` opens a new
//! connection for an old one that it forgets: at the port that is a walk of no layers, two flows, counters and the timer
//! wheel; with the map it is two keys and their transpositions put in and two taken out, and nothing else.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gft::{Address, Direction, FlowKey, Headers, Mac, Protocol, Transposition, Tuple};
use hashbrown::HashMap;
use kernel::Time;
use std::hint::black_box;
use vfp::{CompiledPolicy, Limits, Policy, Port, Settings};

/// Connections; each is two flows.
const CONNECTIONS: [u32; 3] = [1_000, 32_000, 500_000];
const NUMBER: u16 = 1;

/// The first packet of the nth connection.
fn packet(n: u32) -> Headers {
    Headers {
        src_mac: Mac(1),
        dst_mac: Mac(2),
        tuple: Tuple {
            src: Address::v4(10, 1, 0, 4),
            dst: Address::from_v4_bits(0x0a02_0000 + n / 50_000),
            src_port: (1_024 + n % 50_000) as u16,
            dst_port: 443,
            protocol: Protocol::UDP,
        },
        ttl: 64,
        ..Headers::default()
    }
}

/// Both keys of the nth connection.
fn keys(n: u32) -> [FlowKey; 2] {
    let first = packet(n);
    let answer = Headers {
        tuple: first.tuple.reversed(),
        ..first
    };
    [
        first.key(NUMBER, Direction::Out),
        answer.key(NUMBER, Direction::In),
    ]
}

/// Numbers below `count`, each once, in an order without a pattern: steps of a large prime.
fn shuffled(count: u32) -> impl Iterator<Item = u32> {
    (0..u64::from(count)).map(move |n| (n * 2_654_435_761 % u64::from(count)) as u32)
}

fn filled_port(connections: u32) -> Port {
    let policy = CompiledPolicy::new(Policy::default()).expect("an empty policy is right");
    let settings = Settings {
        limits: [Limits([1 << 20; 6]); 2],
        ..Settings::default()
    };
    let mut port = Port::new(NUMBER, 7, settings, policy);
    let mut offloads = Vec::new();
    for n in 0..connections {
        port.process(Time::ZERO, &packet(n), Direction::Out, 64, &mut offloads);
        offloads.clear();
    }
    port
}

/// What a map has to hold for a flow: which connection, and what is done.
type Map = HashMap<FlowKey, (u32, Transposition)>;

fn filled_map(connections: u32) -> Map {
    let mut map = Map::new();
    for n in 0..connections {
        for key in keys(n) {
            map.insert(key, (n, Transposition::default()));
        }
    }
    map
}

fn lookups(criterion: &mut Criterion) {
    for (name, beyond) in [("lookup", 0), ("miss", 1)] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(1));
        for connections in CONNECTIONS {
            let asked: Vec<FlowKey> = shuffled(connections)
                .flat_map(|n| keys(n + beyond * connections))
                .collect();
            let flows = 2 * connections;
            let port = filled_port(connections);
            let mut next = asked.iter().cycle();
            group.bench_function(BenchmarkId::new("Port", flows), |bencher| {
                bencher.iter(|| port.handle_of(black_box(next.next().expect("it goes round"))));
            });
            drop(port);
            let map = filled_map(connections);
            let mut next = asked.iter().cycle();
            group.bench_function(BenchmarkId::new("hashbrown", flows), |bencher| {
                bencher.iter(|| {
                    map.get(black_box(next.next().expect("it goes round")))
                        .map(|&(n, _)| n)
                });
            });
        }
        group.finish();
    }
}

fn churn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("churn");
    group.throughput(Throughput::Elements(1));
    for connections in CONNECTIONS {
        let flows = 2 * connections;
        let mut port = filled_port(0);
        // Each lives its default time to live, in which as many others come.
        let step = port.settings.timers.default_ttl.ps() / u64::from(connections);
        let mut offloads = Vec::new();
        let mut n = 0u64;
        let mut churn = || {
            let now = Time(n * step);
            port.expire(now, u32::MAX, &mut offloads);
            port.process(
                now,
                &packet((n % u64::from(flows)) as u32),
                Direction::Out,
                64,
                &mut offloads,
            );
            offloads.clear();
            n += 1;
        };
        for _ in 0..connections + connections / 2 {
            churn();
        }
        group.bench_function(BenchmarkId::new("Port", flows), |bencher| {
            bencher.iter(&mut churn);
        });
        let mut map = filled_map(connections);
        let mut n = connections;
        group.bench_function(BenchmarkId::new("hashbrown", flows), |bencher| {
            bencher.iter(|| {
                for key in keys((n - connections) % flows) {
                    map.remove(&key);
                }
                for key in keys(n % flows) {
                    map.insert(key, (n, Transposition::default()));
                }
                n = n.wrapping_add(1).max(connections);
            });
        });
    }
    group.finish();
}

criterion_group!(table, lookups, churn);
criterion_main!(table);

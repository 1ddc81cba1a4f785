//! Packet-hops per second of a whole run: the 128-host permutation of 2 MB flows under htsim's model.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kernel::Time;
use scenario::htsim::{Options, parse_matrix, parse_topology, to_scenario};
use scenario::{Model, Scenario};
use sim::Sim;

fn scenario() -> Scenario {
    let matrix = include_str!("../../../tests/peer/perm_shift64_n128_2000000.cm");
    let topology = include_str!("../../../tests/peer/ls_n128_400g.topo");
    let matrix = parse_matrix("matrix", matrix).expect("a well-formed matrix");
    let topology = parse_topology("topology", topology).expect("a well-formed topology");
    let options = Options {
        model: Model::Htsim,
        ..Options::default()
    };
    to_scenario(&matrix, &topology, &options)
        .expect("a matrix for this topology")
        .0
}

fn run(mut sim: Sim) -> Sim {
    sim.run_until(Time::MAX);
    sim
}

fn perm128(criterion: &mut Criterion) {
    let fresh = Sim::new(&scenario()).expect("a valid scenario");
    let ended = run(fresh.clone());
    let mut group = criterion.benchmark_group("perm128");
    // One element is one packet-hop.
    group.throughput(Throughput::Elements(ended.network().counters().packet_hops));
    group.bench_function("run", |bencher| {
        bencher.iter_batched(|| fresh.clone(), run, BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(whole_run, perm128);
criterion_main!(whole_run);

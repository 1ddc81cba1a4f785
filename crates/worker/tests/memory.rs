//! What is foreseen of a run's memory is what the allocator counts. A process of its own, with one test: others would allocate beside it.

use scenario::{Bytes, Scenario, Time, Traffic};
use view::message::{FromWorker, ToWorker};
use worker::{Session, foresee, memory};

/// A permutation in one plane or several: T0s, T1s and NICs of a T0, QPs of a flow, EVs in use.
fn shape(planes: u32, [t0, t1, nics]: [u32; 3], qps: u32, evs: u32) -> Scenario {
    let mut shape = scenario::find_preset("link-dies")
        .expect("a preset of that name")
        .scenario();
    shape.faults.clear();
    shape.fabric.planes = planes;
    shape.fabric.t0_per_plane = t0;
    shape.fabric.t1_per_plane = t1;
    shape.fabric.nics_per_t0 = nics;
    shape.transport.evs = evs;
    shape.transport.qps = qps;
    shape.traffic = vec![Traffic::Permutation {
        shift: nics,
        bytes: Bytes(1_000_000),
        messages: 1,
        imm: false,
        start: Time(0),
    }];
    shape
}

/// Each shape has more of one thing: links, NICs, QPs, EVs.
#[test]
fn the_estimate_is_near_what_is_allocated() {
    for (planes, switches, qps, evs) in [
        (1, [16, 8, 16], 1, 64),
        (8, [32, 64, 4], 1, 64),
        (1, [32, 4, 64], 1, 64),
        (1, [16, 8, 16], 16, 64),
        (1, [16, 8, 16], 16, 512),
    ] {
        let scenario = shape(planes, switches, qps, evs);
        let estimate = foresee::bytes(&scenario);
        let mut session = Session::default();
        let before = memory::heap();
        let answers = session.handle(
            ToWorker::Load {
                run: 1,
                scenario: Box::new(scenario),
                seekable: false,
                logged: false,
            },
            || 0.0,
        );
        let loaded = &answers[0].message;
        assert!(matches!(loaded, FromWorker::Loaded { .. }), "{loaded:?}");
        drop(answers);
        let allocated = memory::heap() - before;
        let share = estimate as f64 / allocated as f64;
        assert!(
            (0.7..1.35).contains(&share),
            "{planes} {switches:?} {qps} {evs}: {estimate} B estimated, {allocated} B allocated"
        );
    }
}

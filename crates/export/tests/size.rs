//! The bounds on sizes hold for the largest names and addresses, and are no wild guesses.

use export::{Plan, linux, size, sonic};
use fabric::Clos;
use std::io;

fn length(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> u64 {
    let mut out = Vec::new();
    write(&mut out).expect("memory");
    out.len() as u64
}

fn assert_bounds(written: u64, bound: u64, what: &str) {
    assert!(written <= bound, "{what}: {written} bytes, not at most {bound}");
    assert!(bound < 2 * written, "{what}: {written} bytes, bound {bound}");
}

#[test]
fn no_file_is_larger_than_was_said() {
    for (t0s, t1s, nics_per_t0) in [(2048, 2048, 128), (512, 256, 256), (128, 2048, 2048)] {
        let plan = Plan::new(Clos {
            planes: 8,
            t0s,
            t1s,
            nics_per_t0,
            pods: 1,
            t2s: 0,
        })
        .unwrap();
        for name in [
            format!("p7/t0.{}", t0s - 1),
            format!("p7/t1.{}", t1s - 1),
            "p3/t0.77".into(),
        ] {
            let switch = plan.switch(name.parse().unwrap()).unwrap();
            assert_bounds(
                length(|out| sonic::write_switch(out, &plan, switch)),
                size::sonic_switch(&plan, switch),
                &name,
            );
            assert_bounds(
                length(|out| linux::write_switch(out, &plan, switch)),
                size::linux_switch(&plan, switch),
                &name,
            );
        }
        let last = plan.clos().nics() - 1;
        let peers = [0, last / 2, last - 1].map(|nic| plan.nic(nic).unwrap());
        assert_bounds(
            length(|out| linux::write_nic(out, &plan, plan.nic(last).unwrap(), &peers)),
            size::linux_nic(&plan, peers.len()),
            "a NIC",
        );
    }
}

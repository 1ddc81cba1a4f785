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
    let three_tiers = Clos {
        pods: 16,
        t2s: 2_032,
        ..Clos::two_tiers(8, 2_048, 2_032, 128)
    };
    for clos in [
        Clos::two_tiers(8, 2_048, 2_048, 128),
        Clos::two_tiers(8, 512, 256, 256),
        Clos::two_tiers(8, 128, 2_048, 2_048),
        three_tiers,
    ] {
        let plan = Plan::new(clos).unwrap();
        let last = plan.switches().last().map(|switch| switch.name().to_string());
        for name in [
            format!("p7/t0.{}", clos.t0s - 1),
            format!("p7/t1.{}", clos.t1s - 1),
            last.unwrap(),
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

//! The same scenario and seed: the same run, however it is sliced or cloned; and every packet is accounted for.

mod common;

use host::Run;
use kernel::Time;
use scenario::host::{HostScenario, host_presets};

/// A twentieth of a preset, so that all of them run within seconds.
fn short(slug: &str) -> HostScenario {
    let mut scenario = common::preset(slug);
    scenario.until = scenario::Time((scenario.until.0 / 20).max(2_000_000_000));
    scenario
}

#[test]
fn slices_and_clones_do_not_show() {
    for preset in host_presets() {
        let scenario = short(preset.slug);
        let whole = common::run(&scenario);
        let mut sliced = Run::new(&scenario).unwrap();
        let end = scenario.until.0;
        let mut copy = None;
        for part in 1..=7 {
            sliced.run_until(Time(end / 7 * part));
            assert!(sliced.packets_balance(), "{} at {}", preset.slug, sliced.now());
            if part == 3 {
                copy = Some(sliced.clone());
            }
        }
        while !sliced.is_finished() {
            sliced.run_events(100, Time::MAX);
        }
        let mut copy = copy.unwrap();
        copy.run_until(Time::MAX);
        for (what, run) in [("slices", &sliced), ("clone", &copy)] {
            assert_eq!(run.digest(), whole.digest(), "{}: {what}", preset.slug);
            assert_eq!(run.metrics(), whole.metrics(), "{}: {what}", preset.slug);
        }
    }
}

#[test]
fn seeds_differ() {
    let mut scenario = short("host-cps-knee");
    let first = common::run(&scenario).digest();
    scenario.seed += 1;
    assert_ne!(common::run(&scenario).digest(), first);
}

#[test]
fn an_invalid_scenario_is_refused_by_name() {
    let mut scenario = common::preset("host-latency");
    scenario.host.nic.l1_entries = 3;
    let message = Run::new(&scenario).unwrap_err().to_string();
    assert!(message.contains("host.nic.l1_entries: is 3"), "{message}");
}

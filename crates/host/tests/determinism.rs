//! The same scenario and seed: the same run, however it is sliced or cloned; and every packet is accounted for.

mod common;
mod golden;

use host::Run;
use kernel::Time;
use scenario::host::{HostScenario, host_presets};

/// A twentieth of a preset, so that all of them run within seconds.
fn short(slug: &str) -> HostScenario {
    let mut scenario = common::preset(slug);
    scenario.until = scenario::Time((scenario.until.0 / 20).max(2_000_000_000));
    for traffic in &mut scenario.traffic {
        if let scenario::host::Traffic::Flows { flows, .. } = traffic {
            *flows = (*flows).min(20_000);
        }
    }
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

/// What was done by hand is part of the scenario: a run of it from the start does the same.
#[test]
fn injected_events_are_repeated() {
    let mut scenario = common::preset("host-vf-revoke");
    scenario.events.clear();
    scenario.until = scenario::Time::ms(150);
    let mut run = Run::new(&scenario).unwrap();
    run.run_until(Time::from_ms(20));
    let revoke = scenario::host::HostEvent::VfRevoke {
        at: scenario::Time(0),
        vm: Some(0),
        duration: scenario::Time::ms(30),
    };
    run.inject(&revoke).unwrap();
    let mut wrong = revoke;
    if let scenario::host::HostEvent::VfRevoke { vm, .. } = &mut wrong {
        *vm = Some(9);
    }
    let message = run.inject(&wrong).unwrap_err()[0].to_string();
    assert_eq!(message, "events[1].vm: is 9; expected 0 to 1");
    run.run_until(Time::MAX);
    assert_eq!(run.scenario().events[0].at(), scenario::Time(20_000_000_001));
    assert_eq!(run.metrics().marks.len(), 6);
    let again = common::run(run.scenario());
    assert_eq!(again.digest(), run.digest());
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

#[test]
fn golden_digests() {
    let found: Vec<(&str, String)> = golden::RUNS
        .iter()
        .map(|&(name, body, _)| {
            (
                name,
                format!("{:016x}", common::run(&common::scenario(body)).digest()),
            )
        })
        .collect();
    let expected = golden::RUNS.map(|(name, _, digest)| (name, digest.to_owned()));
    assert_eq!(found, expected);
}

/// A packet's walk is the one that it got: of a first packet all layers, outbound; of the next one of its flow none. To keep them
/// changes nothing in the run.
#[test]
fn walks_are_kept_without_a_trace() {
    let scenario = common::preset("host-first-packet");
    let whole = common::run(&scenario);
    let mut run = Run::new(&scenario).unwrap();
    run.keep_walks();
    let mut walks = std::collections::BTreeMap::new();
    while !run.is_finished() {
        run.run_events(1, Time::MAX);
        for (number, packet) in run.packets() {
            let asked_before = walks.contains_key(&packet.sent);
            match run.walk_of(number, packet) {
                Some(walk) => {
                    assert_eq!((walk.owner, walk.sent), (packet.owner, packet.sent));
                    walks.insert(packet.sent, walk.clone());
                }
                None => assert!(!asked_before, "it was kept as long as the packet was there"),
            }
        }
    }
    // The preset has one flow, and so one walk: the SYN's.
    let layers = run.port(0).unwrap().policy().source().layers.len();
    let found: Vec<_> = walks
        .values()
        .map(|walk| (walk.steps.len(), walk.flow.is_some()))
        .collect();
    assert_eq!(found, [(layers, true)]);
    let walk = walks.values().next().unwrap();
    assert!(
        walk.before.flags.has(gft::TcpFlags::SYN) && walk.work.created == 2,
        "{walk:?}"
    );
    assert_eq!(run.digest(), whole.digest());
    assert_eq!(run.metrics(), whole.metrics());
}

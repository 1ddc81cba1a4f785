//! Scenarios for tests.
#![allow(dead_code, reason = "each test file uses some")]

use host::Run;
use kernel::Time;
use scenario::host::HostScenario;

/// A scenario from the fields after `"version": 1`.
pub fn scenario(fields: &str) -> HostScenario {
    let text = format!("{{ \"version\": 1, {fields} }}");
    HostScenario::from_json(&text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Runs a scenario to its end and checks what always holds.
pub fn run(scenario: &HostScenario) -> Run {
    let mut run = Run::new(scenario).unwrap_or_else(|e| panic!("{e}"));
    run.run_until(Time::MAX);
    assert!(run.is_finished() && run.packets_balance(), "{:?}", run.counters());
    run
}

/// A preset.
pub fn preset(slug: &str) -> HostScenario {
    scenario::host::find_host_preset(slug)
        .unwrap_or_else(|| panic!("{slug}"))
        .scenario()
}

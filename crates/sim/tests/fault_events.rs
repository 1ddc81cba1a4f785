//! Faults that are short for several changes do what the changes do.

mod common;

use common::{fabric, run_checked, scenario};
use kernel::Time;
use scenario::{Fault, Scenario};
use sim::Sim;

fn digest(scenario: &Scenario) -> u64 {
    let mut sim = Sim::new(scenario).expect("valid");
    run_checked(&mut sim, Time::from_us(50));
    sim.digest()
}

/// A reboot, a transceiver's flap, a port that is down, a flapping link and links chosen by the seed, each beside the
/// same single changes written out.
#[test]
fn each_is_its_changes() {
    let mut unharmed = None;
    for fault in [
        r#""kind": "switch_reboot", "switch": "p1/t1.2", "duration": "30us""#,
        r#""kind": "nic_flap", "nic": 1, "duration": "30us""#,
        r#""kind": "nic_port_down", "nic": 1, "plane": 0, "duration": "30us""#,
        r#""kind": "link_flap", "link": "p0/t0.1-t1.0", "down": "5us", "up": "5us", "until": "100us""#,
        r#""kind": "links_down", "tier": "t0_t1", "count": 3, "spacing": "2us", "duration": "20us""#,
    ] {
        let short = scenario(&format!(
            r#""seed": 5, "until": "20ms", {}, "transport": {{"evs": 16}},
            "traffic": [{{"kind": "permutation", "shift": 3, "bytes": "1MB"}}],
            "faults": [{{"at": "20us", {fault}}}]"#,
            fabric(2, 3, 4, 2)
        ));
        let mut long = short.clone();
        long.faults = short
            .fault_events()
            .into_iter()
            .map(|event| Fault {
                at: event.at,
                what: event.what.into(),
            })
            .collect();
        assert!(long.faults.len() > 1, "{fault}");
        assert_eq!(digest(&short), digest(&long), "{fault}");
        let whole = Scenario {
            faults: Vec::new(),
            ..short.clone()
        };
        let unharmed = *unharmed.get_or_insert_with(|| digest(&whole));
        assert_ne!(digest(&short), unharmed, "{fault}");
    }
}

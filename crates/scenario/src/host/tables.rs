//! How many flows a scenario can come to, so that its tables fit into memory.

use super::HostScenario;
use super::traffic::Traffic;
use crate::quantity::Time;

/// UDP flows at a time of a traffic.
pub(super) fn udp_flows(traffic: &Traffic) -> u64 {
    match traffic {
        Traffic::Flows { flows, .. } => u64::from(*flows),
        _ => 0,
    }
}

/// TCP connections that a traffic begins per second.
pub(super) fn connections_per_second(traffic: &Traffic) -> f64 {
    match traffic {
        Traffic::Connections { per_second, .. } => *per_second,
        _ => 0.0,
    }
}

/// The most flows that the tables of all VMs can come to hold together: two for each conversation that the traffic can begin, up to
/// each VM's own limit. That flows age is left out.
pub(super) fn most_flows(scenario: &HostScenario) -> u64 {
    let mut begun = vec![0u64; scenario.vms.len()];
    for traffic in &scenario.traffic {
        if let Some(vm) = begun.get_mut(traffic.vm() as usize) {
            *vm = vm.saturating_add(conversations(traffic, scenario.until));
        }
    }
    let of_vm = |(begun, vm): (u64, &super::Vm)| begun.saturating_mul(2).min(u64::from(vm.limits.total));
    begun.into_iter().zip(&scenario.vms).map(of_vm).sum()
}

/// Conversations that a traffic can begin until `until`.
fn conversations(traffic: &Traffic, until: Time) -> u64 {
    let seconds = |start: Time, stop: Option<Time>| {
        let end = stop.map_or(until, |stop| stop.min(until));
        end.0.saturating_sub(start.0) as f64 / 1e12
    };
    match *traffic {
        Traffic::Ping { .. } => 1,
        // The QP, and a TCP connection instead.
        Traffic::Rdma { .. } => 2,
        Traffic::Stream { connections, .. } => connections.into(),
        Traffic::Connections {
            per_second,
            start,
            stop,
            ..
        }
        | Traffic::SynFlood {
            per_second,
            start,
            stop,
            ..
        } => at_random(per_second * seconds(start, stop)),
        Traffic::Flows {
            flows,
            per_second,
            lifetime,
            warm,
            start,
            stop,
            ..
        } => {
            let span = seconds(start, stop);
            let lives = lifetime.map_or(1.0, |lifetime| 2.0 + span / (lifetime.0.max(1) as f64 / 1e12));
            let sent = (per_second * span + 1.0).min(f64::from(flows) * lives) as u64;
            sent.max(if warm { flows.into() } else { 0 })
        }
        Traffic::Replay { ref flows, .. } => flows.len() as u64,
        // A round of timing has three packets.
        Traffic::Attack {
            per_second,
            start,
            stop,
            ..
        } => (3.0 * per_second * seconds(start, stop) + 1.0) as u64,
    }
}

/// As many as a Poisson process with this mean hardly ever exceeds: six standard deviations more.
fn at_random(mean: f64) -> u64 {
    (mean + 6.0 * mean.sqrt() + 6.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(fields: &str) -> u64 {
        let text = format!(r#"{{ "version": 1, "host": {{}}, {fields} }}"#);
        most_flows(&HostScenario::from_json(&text).unwrap_or_else(|e| panic!("{text}: {e}")))
    }

    #[test]
    fn flows_by_hand() {
        let two = |traffic: &str| {
            most(&format!(
                r#""until": "1s", "vms": [{{ "limits": {{ "total": 5000 }} }}, {{}}], "traffic": [{traffic}]"#
            ))
        };
        assert_eq!(two(""), 0);
        // 1,000 of them from 0.1 s to 1 s are 900, and 6 · 30 + 6 more; two flows each.
        let connections = r#"{ "kind": "connections", "vm": 1, "per_second": 1000, "start": "100ms" }"#;
        assert_eq!(two(connections), 2 * (900 + 186));
        // The first VM's own limit.
        assert_eq!(
            two(&connections
                .replace("\"vm\": 1", "\"vm\": 0")
                .replace("1000", "9000")),
            5_000
        );
        // 40 packets and one more reach no more of 1,000 flows; warm ones are there from the start.
        let flows = r#"{ "kind": "flows", "vm": 1, "flows": 1000, "per_second": 40 }"#;
        assert_eq!(two(flows), 2 * 41);
        assert_eq!(two(&flows.replace("40", "40, \"warm\": true")), 2_000);
        // With a lifetime of 0.5 s each has four lives at most: one ends as it begins.
        let lives = r#"{ "kind": "flows", "vm": 1, "flows": 10, "per_second": 4000, "lifetime": "500ms" }"#;
        assert_eq!(two(lives), 2 * 40);
        assert_eq!(two(&format!("{connections}, {flows}")), 2 * (1_086 + 41));
    }
}

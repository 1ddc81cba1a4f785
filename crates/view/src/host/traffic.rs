//! The entries of a scenario's traffic in words.

use scenario::host::{HostScenario, Traffic};

/// What an entry is, with its number and its VM: `0: pings of VM 0`.
pub fn name(number: usize, traffic: &Traffic) -> String {
    let what = match traffic {
        Traffic::Ping { .. } => "pings",
        Traffic::Stream { .. } => "bulk data",
        Traffic::Connections { .. } => "connections",
        Traffic::SynFlood { .. } => "SYN flood",
        Traffic::Flows { .. } => "UDP flows",
        Traffic::Replay { .. } => "replay",
        Traffic::Rdma { .. } => "RDMA",
        Traffic::Attack { .. } => "attack",
    };
    format!("{number}: {what} of VM {}", traffic.vm())
}

/// The first `most` entries of a scenario's traffic in words.
pub fn names(scenario: &HostScenario, most: usize) -> Vec<String> {
    let entries = scenario.traffic.iter().take(most).enumerate();
    entries.map(|(number, traffic)| name(number, traffic)).collect()
}

/// The entry whose latency is looked at first: the pings, where one entry of several is pings, as they are there to measure it; none,
/// for all packets, otherwise.
pub fn measuring(scenario: &HostScenario) -> Option<u32> {
    let mut pings = (0..)
        .zip(&scenario.traffic)
        .filter(|(_, traffic)| matches!(traffic, Traffic::Ping { .. }));
    let (number, _) = pings.next().filter(|_| scenario.traffic.len() > 1)?;
    pings.next().is_none().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::find_host_preset;

    #[test]
    fn entries_are_told_apart() {
        let scenario = find_host_preset("host-vf-revoke").unwrap().scenario();
        assert_eq!(names(&scenario, 10), ["0: pings of VM 0", "1: bulk data of VM 1"]);
        assert_eq!(names(&scenario, 1).len(), 1);
    }

    /// One VM pings beside another's bulk data; two VMs ping over one path each; one connection alone.
    #[test]
    fn pings_beside_something_else_measure_latency() {
        let of = |slug: &str| measuring(&find_host_preset(slug).unwrap().scenario());
        assert_eq!(of("host-vf-revoke"), Some(0));
        assert_eq!(of("host-latency"), None);
        assert_eq!(of("host-first-packet"), None);
    }
}

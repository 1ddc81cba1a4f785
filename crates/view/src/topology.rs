//! A topology for a connection matrix that comes without one.

/// A two-tier topology file for `hosts` hosts, in htsim's form: non-blocking, 400 Gb/s, 1 µs a link (the values of
/// the leaf-spine files that come with uet-htsim). None for fewer than 2 hosts.
pub fn matching(hosts: u32) -> Option<String> {
    if hosts < 2 {
        return None;
    }
    // As many hosts a T0 as there are uplinks; leaves about twice as wide as there are leaves, as in those files.
    let per_t0 = (1..=hosts)
        .take_while(|&n| u64::from(n) * u64::from(n) <= 2 * u64::from(hosts))
        .filter(|&n| hosts.is_multiple_of(n))
        .last()?;
    let t0s = hosts / per_t0;
    Some(format!(
        "Nodes {hosts}\nTiers 2\nPodsize {hosts}\n\n\
         Tier 0\nDownlink_speed_Gbps 400\nRadix_Down {per_t0}\nRadix_Up {per_t0}\nOversubscribed 1\n\
         Downlink_Latency_ns 1000\nSwitch_Latency_ns 0\n\n\
         Tier 1\nDownlink_speed_Gbps 400\nRadix_Down {t0s}\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::htsim::parse_topology;

    #[test]
    fn every_number_of_hosts_gets_a_topology_that_is_accepted() {
        for hosts in (2..200).chain([1024, 8192]) {
            let topology = parse_topology("default.topo", &matching(hosts).unwrap()).unwrap();
            assert_eq!(topology.nodes, hosts);
        }
        assert_eq!(matching(1), None);
    }

    #[test]
    fn usual_sizes_have_usual_shapes() {
        for (hosts, t0s, per_t0) in [(128, 8, 16), (1024, 32, 32), (32, 4, 8)] {
            let topology = parse_topology("default.topo", &matching(hosts).unwrap()).unwrap();
            assert_eq!(
                (topology.t0, topology.nodes_per_t0, topology.t1),
                (t0s, per_t0, per_t0)
            );
        }
    }
}

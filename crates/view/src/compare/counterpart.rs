//! What a scenario may be compared with: itself, with one thing another way.

use scenario::{Balancer, Convergence, Fabric, Pfc, Protocol, Routing, Scenario, Transport};

/// A scenario that differs in one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterpart {
    /// A name for tests and in menus.
    pub slug: &'static str,
    /// What is different, for people: "with MRC".
    pub what: &'static str,
    /// The scenario.
    pub scenario: Scenario,
}

/// The counterparts of a scenario that can be run: the same fabric, traffic, faults and seed.
pub fn counterparts(scenario: &Scenario) -> Vec<Counterpart> {
    let transport = &scenario.transport;
    let mut all = Vec::new();
    let mut add = |slug, what, changed: Scenario| {
        let named = Scenario {
            name: format!("{}, {what}", scenario.name),
            ..changed
        };
        // Some faults and traffic are made for one transport alone.
        if named.validate().is_ok() {
            all.push(Counterpart {
                slug,
                what,
                scenario: named,
            });
        }
    };
    match transport.protocol {
        Protocol::Roce => {
            add("mrc", "with MRC", with_mrc(scenario));
            let mut qps = scenario.clone();
            qps.transport.qps = 16;
            if transport.qps != qps.transport.qps {
                add("qps", "with 16 QPs a flow", qps);
            }
            let mut spray = scenario.clone();
            spray.fabric.routing = Routing::Spray;
            if scenario.fabric.routing != Routing::Spray {
                add("spray", "with switches that spray", spray);
            }
        }
        Protocol::Mrc => {
            add("roce", "with RoCE over ECMP", with_roce(scenario));
            let mut oblivious = scenario.clone();
            oblivious.transport.balancer = Balancer::Oblivious;
            if transport.balancer != Balancer::Oblivious {
                add("oblivious", "spraying obliviously", oblivious);
            }
            let mut untrimmed = scenario.clone();
            untrimmed.fabric.queue.trimming = false;
            if scenario.fabric.queue.trimming {
                add("untrimmed", "without trimming", untrimmed);
            }
        }
    }
    all
}

/// The same with MRC, whose senders choose the paths, on a fabric without PFC.
fn with_mrc(scenario: &Scenario) -> Scenario {
    Scenario {
        transport: shared(&scenario.transport),
        fabric: Fabric {
            routing: Routing::default(),
            convergence: Convergence::default(),
            local_reroute: false,
            pfc: None,
            ..scenario.fabric.clone()
        },
        ..scenario.clone()
    }
}

/// The same with RoCE: switches hash QPs to paths, and PFC keeps the class lossless.
fn with_roce(scenario: &Scenario) -> Scenario {
    Scenario {
        transport: Transport {
            protocol: Protocol::Roce,
            ..shared(&scenario.transport)
        },
        fabric: Fabric {
            routing: Routing::Ecmp,
            pfc: Some(Pfc::default()),
            ..scenario.fabric.clone()
        },
        clustermapper: None,
        ..scenario.clone()
    }
}

/// What both protocols have; all else as it is where nothing is said.
fn shared(transport: &Transport) -> Transport {
    Transport {
        qps: transport.qps,
        pmtu: transport.pmtu,
        host_latency: transport.host_latency,
        ..Transport::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::{find_preset, presets};

    #[test]
    fn a_counterpart_keeps_traffic_faults_and_seed() {
        for preset in presets() {
            let scenario = preset.scenario();
            for other in counterparts(&scenario) {
                let other = other.scenario;
                assert_eq!(other.validate(), Ok(()), "{}", preset.slug);
                assert_eq!(
                    (&other.traffic, &other.faults, other.seed, other.until),
                    (&scenario.traffic, &scenario.faults, scenario.seed, scenario.until)
                );
                assert_ne!(
                    other,
                    Scenario {
                        name: other.name.clone(),
                        ..scenario.clone()
                    }
                );
            }
        }
    }

    #[test]
    fn roce_has_mrc_as_its_counterpart_and_the_other_way_round() {
        let slugs = |preset: &str| -> Vec<&'static str> {
            let scenario = find_preset(preset).unwrap().scenario();
            counterparts(&scenario).iter().map(|other| other.slug).collect()
        };
        assert_eq!(slugs("roce-t1-dies"), ["mrc", "qps", "spray"]);
        assert_eq!(slugs("link-dies"), ["roce", "oblivious", "untrimmed"]);
        let roce = find_preset("roce-t1-dies").unwrap().scenario();
        let mrc = &counterparts(&roce)[0].scenario;
        assert_eq!(
            (mrc.transport.protocol, mrc.fabric.routing),
            (Protocol::Mrc, Routing::Source)
        );
        assert_eq!((mrc.fabric.pfc, mrc.name.ends_with(", with MRC")), (None, true));
    }
}

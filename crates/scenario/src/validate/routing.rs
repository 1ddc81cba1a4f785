//! Who chooses paths, and what needs whom.

use super::within;
use crate::limits;
use crate::problem::Problems;
use crate::schema::{Convergence, Protocol, Routing, Scenario};

const BY_SWITCHES: &str = "\"ecmp\", \"spray\" or \"adaptive\"";

pub(super) fn check_routing(scenario: &Scenario, problems: &mut Problems) {
    let fabric = &scenario.fabric;
    let Convergence { detect, converge } = fabric.convergence;
    let times = [
        ("fabric.convergence.detect", detect),
        ("fabric.convergence.converge", converge),
    ];
    for (field, time) in times {
        within(problems, || field.into(), time, &limits::CONVERGENCE_TIME, "");
    }
    if fabric.routing != Routing::Source {
        if scenario.clustermapper.is_some() {
            let reason = format!(
                "is given, but its probes need SRv6 addresses and fabric.routing is {:?}; expected \"source\"",
                fabric.routing.name()
            );
            problems.add(|| "clustermapper".into(), reason, "leave it out");
        }
        return;
    }
    if fabric.convergence != Convergence::default() {
        let reason = format!(
            "is given, but fabric.routing is \"source\"; switches choose paths with {BY_SWITCHES} only"
        );
        let hint = "with source routing the endpoints react, and no switch";
        problems.add(|| "fabric.convergence".into(), reason, hint);
    }
    if fabric.local_reroute {
        let reason = format!("is true, but fabric.routing is \"source\"; expected {BY_SWITCHES} for it");
        let hint = "with source routing no switch chooses a path";
        problems.add(|| "fabric.local_reroute".into(), reason, hint);
    }
    if scenario.transport.protocol == Protocol::Roce {
        let reason = format!("is \"source\", but transport.protocol is \"roce\"; expected {BY_SWITCHES}");
        let hint = "RoCE's NICs write no SRv6 addresses";
        problems.add(|| "fabric.routing".into(), reason, hint);
    }
}

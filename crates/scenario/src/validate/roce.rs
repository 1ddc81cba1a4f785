//! Bounds of RoCE's settings, and which settings belong to which protocol.

use super::dcqcn::check_dcqcn;
use super::within;
use crate::limits;
use crate::problem::Problems;
use crate::quantity::Bytes;
use crate::schema::{FaultKind, Model, Protocol, Roce, Scenario};
use serde::Serialize;
use serde_json::Value;

/// What both protocols have; all other fields of `transport` but `roce` are MRC's.
const SHARED: [&str; 4] = ["protocol", "qps", "pmtu", "host_latency"];
/// IBTA: path MTU.
const PATH_MTUS: [u64; 5] = [256, 512, 1024, 2048, 4096];

impl Protocol {
    /// Whether the protocol has a field of `transport`, such as `evs`; the other one ignores its default.
    pub fn has(self, field: &str) -> bool {
        match self {
            Protocol::Mrc => field != "roce",
            Protocol::Roce => field == "roce" || SHARED.contains(&field),
        }
    }
}

/// Bounds.
pub(super) fn check_roce(roce: &Roce, problems: &mut Problems) {
    let Roce {
        recovery: _,
        reorder,
        tracked,
        window,
        ack_every,
        timeout,
        longest_timeout,
        retry_count,
        dcqcn,
    } = roce;
    let path = |field: &str| format!("transport.roce.{field}");
    within(
        problems,
        || path("reorder"),
        *reorder,
        &limits::ROCE_REORDER,
        "PSNs",
    );
    within(
        problems,
        || path("tracked"),
        *tracked,
        &limits::ROCE_TRACKED,
        "packets",
    );
    if let Some(window) = *window {
        let hint = "leave it out for none";
        within(problems, || path("window"), window, &limits::ROCE_WINDOW, hint);
    }
    within(
        problems,
        || path("ack_every"),
        *ack_every,
        &limits::ROCE_ACK_EVERY,
        "packets",
    );
    let sound = within(
        problems,
        || path("timeout"),
        *timeout,
        &limits::ROCE_TIMEOUT,
        "t of 4.096 µs × 2^t; 0 means never",
    );
    if let Some(longest) = *longest_timeout
        && sound
    {
        within(
            problems,
            || path("longest_timeout"),
            longest,
            &(*timeout..=*limits::ROCE_TIMEOUT.end()),
            "timeout at least; leave it out for no other",
        );
    }
    within(
        problems,
        || path("retry_count"),
        *retry_count,
        &limits::ROCE_RETRY_COUNT,
        "",
    );
    check_dcqcn(dcqcn, problems);
}

/// Refuses what is of the other protocol, by name.
pub(super) fn check_protocol(scenario: &Scenario, problems: &mut Problems) {
    let transport = &scenario.transport;
    match transport.protocol {
        Protocol::Mrc => {
            for field in given(&*transport.roce, "transport.roce") {
                let reason = "is given, but transport.protocol is \"mrc\"; expected \"roce\" for it";
                problems.add(|| field, reason.into(), "set protocol, or leave it out");
            }
        }
        Protocol::Roce => {
            for field in given(transport, "transport") {
                let name = field.strip_prefix("transport.").unwrap_or(&field);
                let first = name.split('.').next().unwrap_or(name);
                if first != "roce" && !SHARED.contains(&first) {
                    let reason = "is given, but is a setting of MRC and transport.protocol is \"roce\"";
                    problems.add(|| field.clone(), reason.into(), "leave it out");
                }
            }
            check_path_mtu(transport.pmtu, scenario.model, problems);
            check_faults(scenario, problems);
        }
    }
}

/// The paths of all fields that have another value than their default: just those are written.
fn given(settings: &impl Serialize, path: &str) -> Vec<String> {
    fn walk(value: &Value, path: String, paths: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    walk(value, format!("{path}.{name}"), paths);
                }
            }
            _ => paths.push(path),
        }
    }
    let mut paths = Vec::new();
    let json = serde_json::to_value(settings).expect("settings have no value that JSON cannot hold");
    walk(&json, path.into(), &mut paths);
    paths
}

fn check_path_mtu(pmtu: Bytes, model: Model, problems: &mut Problems) {
    // uet-htsim's packets have a size of their own. What is out of bounds has been reported.
    if model == Model::Mrc && limits::PMTU.contains(&pmtu) && !PATH_MTUS.contains(&pmtu.0) {
        let reason = format!("is {pmtu}; expected 256, 512, 1024, 2048 or 4096 B with RoCE");
        problems.add(|| "transport.pmtu".into(), reason, "the path MTUs of IBTA");
    }
}

/// Faults that act by MRC's SACKs and NACKs.
fn check_faults(scenario: &Scenario, problems: &mut Problems) {
    for (i, fault) in scenario.faults.iter().enumerate() {
        let (kind, what) = match fault.what {
            FaultKind::NicRefuses { .. } => ("nic_refuses", "NACKs"),
            FaultKind::NicPenalty { .. } => ("nic_penalty", "SACKs"),
            _ => continue,
        };
        let reason = format!("is {kind:?}, which acts by MRC's {what}, but transport.protocol is \"roce\"");
        problems.add(|| format!("faults[{i}].kind"), reason, "leave it out");
    }
}

//! The parameters of a host scenario: what they are, where their defaults come from, and changing them.

use scenario::host::{HostScenario, PARAMETERS, Parameter, Status};
use scenario::{LoadError, Problem};
use serde_json::Value;

/// A parameter and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is.
    pub parameter: &'static Parameter,
    /// Its value as JSON has it, without quotes.
    pub value: String,
    /// Whether that is not the default.
    pub given: bool,
}

/// The name of a status.
pub const fn status(status: Status) -> &'static str {
    match status {
        Status::Published => "published",
        Status::Documented => "documented",
        Status::OurChoice => "our choice",
    }
}

/// A parameter's name for people, from its path: `NIC: L2 accesses per second`.
pub fn label(path: &str) -> String {
    const NAMES: [(&str, &str); 16] = [
        ("ack", "ACK"),
        ("iommu", "IOMMU"),
        ("l1", "L1"),
        ("l2", "L2"),
        ("l3", "L3"),
        ("mac", "MAC"),
        ("mss", "MSS"),
        ("nic", "NIC"),
        ("p999", "p99.9"),
        ("rto", "RTO"),
        ("snat", "SNAT"),
        ("syn", "SYN"),
        ("tcp", "TCP"),
        ("vf", "VF"),
        ("vm", "VM"),
        ("vnet", "VNET"),
    ];
    let word = |word: &str| {
        let name = NAMES.iter().find(|(given, _)| *given == word);
        name.map_or(word, |(_, name)| name).to_owned()
    };
    let parts = path.strip_prefix("host.").unwrap_or(path).split('.');
    let parts: Vec<String> = parts
        .map(|part| part.split('_').map(word).collect::<Vec<_>>().join(" "))
        .collect();
    let text = match parts.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{}: {last}", before.join(", ")),
        _ => parts.concat(),
    };
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !text.starts_with("p99") => first.to_uppercase().chain(letters).collect(),
        _ => text,
    }
}

/// Where a parameter is in the scenario as JSON: those of `vm.` at the first VM.
fn pointer(path: &str) -> String {
    let path = match path.strip_prefix("vm.") {
        Some(rest) => format!("vms.0.{rest}"),
        None => path.to_owned(),
    };
    format!("/{}", path.replace('.', "/"))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// All parameters that the scenario has a value for.
pub fn rows(scenario: &HostScenario) -> Vec<Row> {
    let whole = serde_json::to_value(scenario).unwrap_or_default();
    let mut plain = scenario.clone();
    plain.host = Default::default();
    plain.vms = vec![Default::default()];
    let plain = serde_json::to_value(&plain).unwrap_or_default();
    PARAMETERS
        .iter()
        .filter_map(|parameter| {
            let pointer = pointer(parameter.path);
            let value = whole.pointer(&pointer)?;
            Some(Row {
                parameter,
                value: text(value),
                given: plain.pointer(&pointer) != Some(value),
            })
        })
        .collect()
}

/// Parameters of the machine that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they are of.
    pub name: &'static str,
    /// The parameters.
    pub rows: Vec<Row>,
}

/// The parameters of the machine in groups; those of its VMs are in each VM.
pub fn groups(scenario: &HostScenario) -> Vec<Group> {
    const GROUPS: [(&str, &str); 9] = [
        ("host.link_", "Link"),
        ("host.nic.", "SmartNIC"),
        ("host.software.", "vSwitch"),
        ("host.latency.", "Latency of idle paths"),
        ("host.tcp.", "TCP"),
        ("host.timers.", "VFP's timers"),
        ("host.defences.", "Defences"),
        ("host.guard.", "What a VM is kept from"),
        ("host.servicing.", "Servicing"),
    ];
    let rows = rows(scenario);
    let of = |&(prefix, name): &(&str, &'static str)| Group {
        name,
        rows: (rows.iter().filter(|row| row.parameter.path.starts_with(prefix)))
            .cloned()
            .collect(),
    };
    GROUPS.iter().map(of).collect()
}

/// The values that a parameter may have, with their names, where there are few.
pub fn choices(row: &Row) -> Option<&'static [(&'static str, &'static str)]> {
    let (_, name) = row.parameter.path.rsplit_once('.')?;
    Some(match (name, row.value.as_str()) {
        (_, "true" | "false") => &[("false", "no"), ("true", "yes")],
        ("l1_replacement" | "l2_replacement", _) => &[
            ("lru", "least recently used"),
            ("clock", "clock"),
            ("random", "random"),
            ("hint", "as hinted"),
        ],
        ("hash_key", _) => &[("public", "public"), ("secret", "secret")],
        ("guest_encap", _) => &[("payload", "payload"), ("parse", "parsed")],
        _ => return None,
    })
}

/// Whether a problem's field is one of those that were changed.
fn is_own(pointers: &[String], field: &str) -> bool {
    let pointer = format!("/{}", field.replace(['.', '['], "/").replace(']', ""));
    pointers.contains(&pointer)
}

/// What is wrong, without the name of the field where that is the one that was changed.
fn words(pointers: &[String], field: &str, reason: &str) -> String {
    // As serde has it: invalid type: string "many", expected a number.
    let invalid = ["invalid type: ", "invalid value: "];
    let reason = match invalid.iter().find_map(|start| reason.strip_prefix(start)) {
        Some(rest) => rest
            .strip_prefix("string ")
            .unwrap_or(rest)
            .replacen(", expected ", "; expected ", 1),
        None => reason.to_owned(),
    };
    if is_own(pointers, field) {
        reason
    } else {
        format!("{field}: {reason}")
    }
}

/// The scenario with another value of a parameter; one of `vm.` is changed for every VM.
///
/// # Errors
/// What is wrong with that, one line each: what was found and what was expected, with the field's name where another field is meant
/// than the one that was changed.
pub fn edit(scenario: &HostScenario, path: &str, text: &str) -> Result<HostScenario, Vec<String>> {
    let text = text.trim();
    let mut whole = serde_json::to_value(scenario).map_err(|error| vec![error.to_string()])?;
    let pointers: Vec<String> = match path.strip_prefix("vm.") {
        Some(rest) => (0..scenario.vms.len())
            .map(|vm| format!("/vms/{vm}/{}", rest.replace('.', "/")))
            .collect(),
        None => vec![pointer(path)],
    };
    for pointer in &pointers {
        let Some(place) = whole.pointer_mut(pointer) else {
            return Err(vec![format!("{path} is not in the scenario")]);
        };
        *place = match place {
            Value::String(_) => Value::String(text.to_owned()),
            _ => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
        };
    }
    let changed = HostScenario::from_json(&whole.to_string()).map_err(|error| match error {
        LoadError::Field { path, reason, .. } => vec![words(&pointers, &path, &reason)],
        other => vec![other.to_string()],
    })?;
    changed.validate().map_err(|problems| {
        // What is wrong with other fields follows from what is wrong with this one, if anything is.
        let any_own = problems.iter().any(|problem| is_own(&pointers, &problem.field));
        // Of a VM's parameter each VM says the same.
        let mut lines: Vec<String> = problems
            .iter()
            .filter(|problem| !any_own || is_own(&pointers, &problem.field))
            .map(|problem| words(&pointers, &problem.field, &with_hint(problem)))
            .collect();
        lines.dedup();
        lines
    })?;
    Ok(changed)
}

fn with_hint(problem: &Problem) -> String {
    if problem.hint.is_empty() {
        problem.reason.clone()
    } else {
        format!("{} ({})", problem.reason, problem.hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::find_host_preset;

    fn latency() -> HostScenario {
        find_host_preset("host-latency").unwrap().scenario()
    }

    #[test]
    fn every_parameter_has_a_row() {
        let rows = rows(&latency());
        assert_eq!(rows.len(), PARAMETERS.len());
        let l1 = rows
            .iter()
            .find(|row| row.parameter.path == "host.nic.l1_entries")
            .unwrap();
        assert_eq!((l1.value.as_str(), l1.given), ("2048", false));
        assert_eq!(status(l1.parameter.status), "published");
    }

    /// Each parameter of the machine is in one group, and every choice of one is a value that the scenario may have.
    #[test]
    fn groups_have_all_parameters_of_the_machine_once() {
        let scenario = latency();
        let mut grouped: Vec<&str> = Vec::new();
        for group in &groups(&scenario) {
            for row in &group.rows {
                grouped.push(row.parameter.path);
                for (value, _) in choices(row).unwrap_or_default() {
                    let changed = edit(&scenario, row.parameter.path, value);
                    assert!(changed.is_ok(), "{} = {value}: {changed:?}", row.parameter.path);
                }
            }
        }
        let mut all: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.path).collect();
        all.retain(|path| path.starts_with("host."));
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn paths_become_names() {
        for (path, name) in [
            ("host.link_rate", "Link rate"),
            ("host.nic.l2_accesses_per_second", "NIC: L2 accesses per second"),
            ("host.latency.hardware.p999", "Latency, hardware: p99.9"),
            ("host.tcp.min_rto", "TCP: min RTO"),
            ("vm.policy.filler_rules", "VM, policy: filler rules"),
        ] {
            assert_eq!(label(path), name);
        }
    }

    /// The field's own words: what was found, and what was expected; the field's name only where another one is meant.
    #[test]
    fn what_is_refused_is_said_without_the_fields_path() {
        let said = |path, text| edit(&latency(), path, text).unwrap_err().join("; ");
        let many = said("host.nic.l1_entries", "many");
        assert_eq!(many, "\"many\"; expected a whole number from 0 to 4294967295");
        for (path, text) in [
            ("host.nic.l1_entries", "many"),
            ("host.nic.l1_entries", "0"),
            ("host.nic.l2_access", "1 parsec"),
            ("vm.policy.filler_rules", "100000"),
        ] {
            let said = said(path, text);
            assert!(!said.contains("host.") && !said.contains("vms["), "{said}");
            assert!(!said.contains("line ") && !said.contains("column"), "{said}");
        }
    }

    #[test]
    fn values_are_changed_or_refused() {
        let changed = edit(&latency(), "host.nic.l1_entries", " 4096 ").unwrap();
        assert_eq!(changed.host.nic.l1_entries, 4_096);
        let row = rows(&changed)
            .into_iter()
            .find(|row| row.given && row.parameter.path == "host.nic.l1_entries");
        assert!(row.is_some());
        let changed = edit(&latency(), "host.nic.l2_access", "1us").unwrap();
        assert_eq!(changed.host.nic.l2_access, scenario::Time::us(1));
        let changed = edit(&latency(), "vm.policy.filler_rules", "7").unwrap();
        assert!(changed.vms.iter().all(|vm| vm.policy.filler_rules == 7));
        for (path, text) in [
            ("host.nic.l1_entries", "many"),
            ("host.nic.l1_entries", "0"),
            ("host.nic.l2_access", "1 parsec"),
            ("host.nothing", "1"),
        ] {
            let problems = edit(&latency(), path, text).unwrap_err();
            assert!(!problems.is_empty() && !problems[0].is_empty(), "{path} {text}");
        }
    }
}

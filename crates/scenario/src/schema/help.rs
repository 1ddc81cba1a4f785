//! What a field means, for people who fill it in: the words that its documentation has.

use super::{Clustermapper, Convergence, Dcqcn, Fabric, Nscc, Pfc, Queue, Roce, Scenario, Transport};
use documented::DocumentedFields;

/// What the field at a path such as `transport.rto` means, with its unit and range; none where no field is there.
///
/// The text is Markdown as Rust's documentation has it: in lines, with names between backticks.
pub fn help(path: &str) -> Option<&'static str> {
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    let docs = match parent {
        "" => Scenario::get_field_docs(name),
        "fabric" => Fabric::get_field_docs(name),
        "fabric.queue" => Queue::get_field_docs(name),
        "fabric.convergence" => Convergence::get_field_docs(name),
        "fabric.pfc" => Pfc::get_field_docs(name),
        "transport" => Transport::get_field_docs(name),
        "transport.roce" => Roce::get_field_docs(name),
        "transport.roce.dcqcn" => Dcqcn::get_field_docs(name),
        "transport.nscc" => Nscc::get_field_docs(name),
        "clustermapper" => Clustermapper::get_field_docs(name),
        _ => return None,
    };
    docs.ok()
}

#[cfg(test)]
mod tests {
    use super::help;
    use crate::{Scenario, presets};
    use serde_json::Value;

    #[test]
    fn a_field_s_help_says_its_unit_and_range() {
        assert!(help("fabric.planes").unwrap().contains("1 to 8"));
        assert!(help("transport.pmtu").unwrap().contains("256 to 9216"));
        assert!(help("transport.roce.dcqcn.g").unwrap().contains("up to 1"));
        assert_eq!(help("fabric.nothing"), None);
        assert_eq!(help("nothing.planes"), None);
    }

    /// Whatever has a value in a scenario has help, so that a new field cannot be without.
    #[test]
    fn every_field_has_help() {
        fn walk(value: &Value, path: &str, missing: &mut Vec<String>) {
            let Value::Object(fields) = value else { return };
            for (name, value) in fields {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                if help(&path).is_none() {
                    missing.push(path.clone());
                }
                walk(value, &path, missing);
            }
        }
        let mut scenario: Scenario = presets()[0].scenario();
        scenario.clustermapper = Some(Default::default());
        scenario.fabric.pfc = Some(Default::default());
        let mut missing = Vec::new();
        walk(&scenario.to_json_with_defaults(), "", &mut missing);
        assert_eq!(missing, Vec::<String>::new());
    }
}

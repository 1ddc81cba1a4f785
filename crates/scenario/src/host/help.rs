//! What a field of a host's scenario means, in the words of its documentation.

use super::HostScenario;
use super::machine::{Defences, Guard, Host, Latency, Nic, PathLatency, Servicing, Software, Tcp, Timers};
use documented::DocumentedFields;

/// What the field at a path such as `host.nic.l1_ways` means, with its unit and range; none where no field is there.
///
/// The text is Markdown as Rust's documentation has it: in lines, with names between backticks.
pub fn help(path: &str) -> Option<&'static str> {
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    let docs = match parent {
        "" => HostScenario::get_field_docs(name),
        "host" => Host::get_field_docs(name),
        "host.nic" => Nic::get_field_docs(name),
        "host.software" => Software::get_field_docs(name),
        "host.latency" => Latency::get_field_docs(name),
        "host.latency.hardware" | "host.latency.software" => PathLatency::get_field_docs(name),
        "host.tcp" => Tcp::get_field_docs(name),
        "host.timers" => Timers::get_field_docs(name),
        "host.defences" => Defences::get_field_docs(name),
        "host.guard" => Guard::get_field_docs(name),
        "host.servicing" => Servicing::get_field_docs(name),
        _ => return None,
    };
    docs.ok()
}

#[cfg(test)]
mod tests {
    use super::super::PARAMETERS;
    use super::help;

    #[test]
    fn every_parameter_of_the_host_has_help() {
        let of_host = PARAMETERS.iter().map(|parameter| parameter.path);
        for path in of_host.filter(|path| path.starts_with("host.")) {
            assert!(help(path).is_some_and(|text| text.len() > 10), "{path}");
        }
        assert!(help("host.link_rate").is_some_and(|text| text.contains("1 Gb/s to 3.2 Tb/s")));
        assert_eq!((help("host.nothing"), help("nothing.nic")), (None, None));
    }
}

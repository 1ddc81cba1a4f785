//! Files of clouds and captures become a scenario.

use imports::{Content, Format, Imported, Options};
use view::host::import::{Ask, Done, Field, Found, Outcome, Said};
use view::units::{count, things};

/// Makes a scenario of files. `bytes` are those of all files, one after the other.
pub fn import(ask: &Ask, bytes: &[u8]) -> Outcome {
    let options = match options(&ask.said) {
        Ok(options) => options,
        Err((field, why)) => return Outcome::Unclear { field, why },
    };
    let mut rest = bytes;
    let mut files = Vec::with_capacity(ask.files.len());
    for file in &ask.files {
        let Some((own, others)) = usize::try_from(file.bytes)
            .ok()
            .and_then(|len| rest.split_at_checked(len))
        else {
            return refused(
                &file.name,
                vec!["it has changed while it was read: open it again".into()],
            );
        };
        files.push((file.name.as_str(), own));
        rest = others;
    }
    let read = match imports::files::read(&files, &options) {
        Ok(read) => read,
        Err(error) => {
            let problems = error.error.to_string().lines().map(str::to_owned).collect();
            return refused(&error.name, problems);
        }
    };
    let (scenario, more) = match imports::host::scenario(&read.inputs, &read.options) {
        Ok(made) => made,
        Err(problems) => return refused("", problems.iter().map(ToString::to_string).collect()),
    };
    if let Err(problems) = scenario.validate() {
        return refused("", problems.iter().map(ToString::to_string).collect());
    }
    let (mut notes, mut minor) = (Vec::new(), Vec::new());
    let mut add = |is_minor: bool, note: String| if is_minor { &mut minor } else { &mut notes }.push(note);
    for note in &read.notes {
        add(note.minor, note.to_string());
    }
    for (name, imported) in &read.inputs {
        for note in &imported.notes {
            add(note.minor, format!("{name}: {note}"));
        }
    }
    for note in &more {
        add(note.minor, note.to_string());
    }
    let found = read
        .inputs
        .iter()
        .map(|(name, imported)| Found {
            name: name.clone(),
            what: found(imported),
        })
        .collect();
    Outcome::Done(Box::new(Done {
        scenario: Box::new(scenario),
        found,
        notes,
        minor,
    }))
}

fn refused(file: &str, problems: Vec<String>) -> Outcome {
    Outcome::Refused {
        file: file.to_owned(),
        problems,
    }
}

/// What was typed, as the import takes it; or the field that is wrong and what was expected.
fn options(said: &Said) -> Result<Options, (Field, String)> {
    let words = |field: Field| {
        said.of(field)
            .split(|c: char| c.is_whitespace() || c == ';')
            .filter(|word| !word.is_empty())
    };
    // Addresses may be apart by commas; prefixes of one tag are.
    let listed = |field: Field| words(field).flat_map(|word| word.split(',').filter(|word| !word.is_empty()));
    let mut options = Options::default();
    for word in listed(Field::Vm) {
        let address = word
            .parse()
            .map_err(|why| (Field::Vm, format!("{word}: {why}")))?;
        options.vm.push(address);
    }
    let mut vnet = Vec::new();
    for word in listed(Field::Vnet) {
        vnet.push(
            word.parse()
                .map_err(|why| (Field::Vnet, format!("{word}: {why}")))?,
        );
    }
    if !vnet.is_empty() {
        options.vnet = vnet;
    }
    for word in words(Field::Tags) {
        let (name, prefixes) = imports::tag(word).map_err(|why| (Field::Tags, format!("{word}: {why}")))?;
        options.tags.insert(name, prefixes);
    }
    let nsg = said.nsg.trim();
    options.nsg = (!nsg.is_empty()).then(|| nsg.to_owned());
    Ok(options)
}

/// What an input is, and how much is in it.
fn found(imported: &Imported) -> String {
    let what = match imported.format {
        Format::SecurityGroups => "security groups",
        Format::EffectiveRules => "effective security rules",
        Format::LoadBalancers => "load balancers",
        Format::ServiceTags => "service tags",
        Format::FlowLog => "a flow log",
        Format::Dash => "DASH tables",
        Format::Capture => "a capture",
    };
    let much = match &imported.content {
        Content::SecurityGroups(groups) => groups
            .iter()
            .map(|group| {
                let rules = group.rules.len() as u64;
                let own = group.rules.iter().filter(|rule| !rule.is_default).count() as u64;
                format!("{}: {} of {} own", group.name, count(own), things(rules, "rule"))
            })
            .collect(),
        Content::LoadBalancers(own) => vec![things(own.len() as u64, "load balancer")],
        Content::Dash(dash) => vec![things(dash.enis.len() as u64, "ENI")],
        Content::ServiceTags(tags) => vec![things(tags.len() as u64, "tag")],
        Content::Flows => vec![things(imported.traffic.flows.len() as u64, "flow")],
    };
    format!("{what} ({})", much.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::Traffic;
    use view::host::import::{File, MAX_BYTES};

    /// A security group that lets HTTPS in to 10.1.0.4, as `az network nsg show` has it.
    const NSG: &str = r#"{ "name": "web", "securityRules": [ { "name": "https", "priority": 200, "direction": "Inbound",
        "access": "Allow", "protocol": "Tcp", "sourceAddressPrefix": "Storage", "sourcePortRange": "*",
        "destinationAddressPrefix": "10.1.0.4", "destinationPortRange": "443" } ] }"#;

    /// A VNet flow log, version 4: a flow that is allowed, 12 packets there and 9 back, in 300 s.
    const LOG: &str = r#"{ "records": [ { "time": "2026-03-01T10:05:12.1Z", "flowLogVersion": 4, "macAddress": "6045BD112233",
        "category": "FlowLogFlowEvent", "operationName": "FlowLogFlowEvent", "flowRecords": { "flows": [ { "aclID": "5c11",
        "flowGroups": [ { "rule": "https", "flowTuples": [ "1772359512345,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,0,0,0,0",
        "1772359812345,203.0.113.9,10.1.0.4,51000,443,6,I,E,NX,12,3400,9,7800" ] } ] } ] } } ] }"#;

    fn said(vm: &str, tags: &str) -> Said {
        Said {
            vm: vm.into(),
            tags: tags.into(),
            ..Said::default()
        }
    }

    fn imported(files: &[(&str, &str)], said: Said) -> Outcome {
        let ask = Ask {
            files: files
                .iter()
                .map(|(name, text)| File {
                    name: (*name).into(),
                    bytes: text.len() as u64,
                })
                .collect(),
            said,
        };
        let bytes: String = files.iter().map(|(_, text)| *text).collect();
        import(&ask, bytes.as_bytes())
    }

    fn done(files: &[(&str, &str)], said: Said) -> Done {
        match imported(files, said) {
            Outcome::Done(done) => *done,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_group_and_a_flow_log_become_one_scenario() {
        let done = done(&[("web.json", NSG), ("PT1H.json", LOG)], Said::default());
        let what: Vec<_> = done.found.iter().map(|found| found.what.as_str()).collect();
        // Azure adds six default rules to the one that is there.
        assert_eq!(
            what,
            ["security groups (web: 1 of 7 rules own)", "a flow log (1 flow)"]
        );
        assert!(done.scenario.vms[0].policy.nsg.is_some());
        let Traffic::Replay { flows, .. } = &done.scenario.traffic[0] else {
            panic!("{:?}", done.scenario.traffic);
        };
        // Both directions of the one flow.
        assert_eq!([flows[0].packets, flows[1].packets], [12, 9]);
        assert!(
            done.notes.iter().any(|note| note.contains("default rules")),
            "{:?}",
            done.notes
        );
    }

    #[test]
    fn what_the_form_says_is_used() {
        let with = |text: &str, said| {
            let done = done(&[("web.json", text)], said);
            serde_json::to_string(&done.scenario.vms[0].policy.nsg).unwrap()
        };
        assert!(!with(NSG, Said::default()).contains("20.38.98.0/24"));
        let known = said("", "Storage=20.38.98.0/24");
        assert!(with(NSG, known).contains("20.38.98.0/24"));
        // A rule about another VM is left out.
        let tag = "Storage=20.38.98.0/24";
        assert!(with(NSG, said("10.1.0.4, 10.1.0.5", tag)).contains("443"));
        assert!(!with(NSG, said("10.1.0.5", tag)).contains("443"));
    }

    #[test]
    fn what_is_wrong_has_its_file_and_place() {
        let bad = NSG.replace("\"Allow\"", "\"Perhaps\"");
        let Outcome::Refused { file, problems } =
            imported(&[("l.json", LOG), ("web.json", &bad)], Said::default())
        else {
            panic!("it was taken");
        };
        assert_eq!(file, "web.json");
        assert!(
            problems[0].starts_with("securityRules[0].access: "),
            "{problems:?}"
        );
        // Nothing to run in service tags alone.
        let tags = r#"{ "changeNumber": 1, "cloud": "Public", "values": [ { "name": "Storage", "id": "Storage", "properties": { "addressPrefixes": [ "20.38.98.0/24" ] } } ] }"#;
        let Outcome::Refused { file, problems } = imported(&[("tags.json", tags)], Said::default()) else {
            panic!("it was taken");
        };
        assert_eq!(file, "");
        assert!(problems[0].contains("expected security groups"), "{problems:?}");
    }

    #[test]
    fn a_field_that_is_wrong_is_named() {
        for (said, field) in [
            (said("10.1.0", ""), Field::Vm),
            (said("", "Storage"), Field::Tags),
            (
                Said {
                    vnet: "10.0.0.0/99".into(),
                    ..Said::default()
                },
                Field::Vnet,
            ),
        ] {
            match imported(&[("web.json", NSG)], said) {
                Outcome::Unclear { field: wrong, why } => {
                    assert_eq!(wrong, field);
                    assert!(!why.is_empty());
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn bytes_that_are_missing_are_no_panic() {
        let ask = Ask {
            files: vec![File {
                name: "web.json".into(),
                bytes: u64::MAX,
            }],
            said: Said::default(),
        };
        assert!(matches!(import(&ask, b"{}"), Outcome::Refused { file, .. } if file == "web.json"));
    }

    #[test]
    fn the_page_has_the_imports_limit() {
        assert_eq!(MAX_BYTES, imports::MAX_BYTES as u64);
    }
}

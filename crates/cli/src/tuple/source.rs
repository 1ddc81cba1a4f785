//! Whose policy a packet is put to: a VM's of a host scenario, or one that is imported.

use crate::args::ImportOptions;
use crate::commands::import;
use crate::failure::Failure;
use crate::host::runner;
use crate::input::{Given, named_any};
use crate::output::plain;
use crate::text_file;
use host::Run;
use scenario::Time;
use scenario::host::{HostScenario, Software};
use std::ffi::OsStr;
use std::path::Path;
use vfp::{CompiledPolicy, Port, Settings};

/// Ports to which packets can be put.
pub struct Source {
    /// Where it came from, for messages.
    pub name: String,
    /// What was found in it.
    pub notes: Vec<String>,
    kind: Kind,
}

enum Kind {
    Host(Box<Run>),
    Policies(Vec<(String, Port)>),
}

impl Source {
    /// Reads a scenario, or files in the import's formats. A host is run until `at`.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn read(
        given: &OsStr,
        more: &[&OsStr],
        how: &ImportOptions,
        at: Option<Time>,
    ) -> Result<Source, Failure> {
        let path = Path::new(given);
        if path.is_file() {
            let bytes = text_file::read_bytes(path, imports::MAX_BYTES)?;
            // What has "fabric" or "host" is a scenario; what is neither is for the import.
            if !str::from_utf8(&bytes).is_ok_and(is_scenario) {
                if at.is_some() {
                    return Err(Failure::Input(
                        "error: --at is for a host's scenario; an imported policy has no time".into(),
                    ));
                }
                let files: Vec<&OsStr> = std::iter::once(given).chain(more.iter().copied()).collect();
                return Source::import(&files, &how.options());
            }
        }
        if how.any() || !more.is_empty() {
            return Err(Failure::Input(format!(
                "error: {}: is a scenario, which says itself what there is; further files, --vm-address, --vnet, --tag and --nsg are for policies to import",
                plain(&given.to_string_lossy())
            )));
        }
        match named_any(given)? {
            Given::Fabric(loaded) => Err(Failure::Input(format!(
                "{}: this is the scenario of a fabric, which has no policy; expected a host's, or a policy to import",
                plain(&loaded.source)
            ))),
            Given::Host(loaded) => {
                let mut run = runner::build(&loaded.scenario, &loaded.source)?;
                if let Some(at) = at {
                    run.run_until(kernel::Time(at.0));
                }
                Ok(Source {
                    name: loaded.source,
                    notes: loaded.notes,
                    kind: Kind::Host(Box::new(run)),
                })
            }
        }
    }

    fn import(files: &[&OsStr], options: &imports::Options) -> Result<Source, Failure> {
        let read = import::read(files, options)?;
        let name = read.inputs.iter().map(|(name, _)| name.as_str());
        let name = name.collect::<Vec<_>>().join(", ");
        let formats: Vec<String> = read
            .inputs
            .iter()
            .map(|(_, imported)| imported.format.to_string())
            .collect();
        let mut ports = Vec::new();
        for (file, imported) in read.inputs {
            for own in imported.policies {
                let policy = CompiledPolicy::new(own.policy)
                    .map_err(|e| Failure::Input(format!("{file}: {}: {e}", plain(&own.name))))?;
                // The seed decides which backend of a load balancer a flow gets, and nothing else.
                ports.push((own.name, Port::new(1, 0, Settings::default(), policy)));
            }
        }
        if ports.is_empty() {
            return Err(Failure::Input(format!(
                "{name}: there is no policy in it ({}); expected security groups, load balancers or DASH tables",
                formats.join("; ")
            )));
        }
        Ok(Source {
            name,
            notes: read.notes.into_iter().map(|(_, note)| note).collect(),
            kind: Kind::Policies(ports),
        })
    }

    /// How many ports there are.
    pub fn count(&self) -> usize {
        match &self.kind {
            Kind::Host(run) => run.scenario().vms.len(),
            Kind::Policies(ports) => ports.len(),
        }
    }

    /// A VM's port, or the one with an imported policy.
    pub fn port(&self, vm: u32) -> Option<&Port> {
        match &self.kind {
            Kind::Host(run) => run.port(vm),
            Kind::Policies(ports) => ports.get(vm as usize).map(|(_, port)| port),
        }
    }

    /// What the port is called.
    pub fn port_name(&self, vm: u32) -> String {
        match &self.kind {
            Kind::Host(_) => format!("VM {vm}"),
            Kind::Policies(ports) => ports
                .get(vm as usize)
                .map(|(name, _)| name.as_str())
                .filter(|name| !name.is_empty())
                .map_or_else(|| format!("policy {vm}"), plain),
        }
    }

    /// The cost model of the vSwitch, where there is one.
    pub fn software(&self) -> Option<&Software> {
        match &self.kind {
            Kind::Host(run) => Some(&run.scenario().host.software),
            Kind::Policies(_) => None,
        }
    }
}

/// Whether a text is a scenario, good or bad.
fn is_scenario(text: &str) -> bool {
    HostScenario::is_meant_by(text)
        || serde_json::from_str::<std::collections::BTreeMap<String, serde::de::IgnoredAny>>(text)
            .is_ok_and(|fields| fields.contains_key("fabric"))
}

//! `flowglass export`.

use crate::args::{Export, ExportFormat};
use crate::export_folder::NewFolder;
use crate::failure::{Failure, INTERRUPTED};
use crate::input::Loaded;
use crate::json::{Sink, list, part};
use crate::output::{complain, note, plain, print};
use crate::runner;
use export::{Nic, Plan, Switch, linux, size, sonic};
use fabric::Clos;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Version of the index.
const FORMAT: u32 = 1;

/// Prints the configuration of one switch or NIC, or writes a folder with those of all.
///
/// # Errors
/// When the input is no scenario, its fabric has no such switch or NIC, there would be too many bytes, or they cannot be
/// written.
pub fn run(options: &Export) -> Result<ExitCode, Failure> {
    let loaded = options.input.load()?;
    let refuse = |e: &dyn std::fmt::Display| Failure::Input(format!("{}: {e}", plain(&loaded.source)));
    let fabric = &loaded.scenario.fabric;
    let plan = Plan::new(Clos {
        planes: fabric.planes,
        t0s: fabric.t0_per_plane,
        t1s: fabric.t1_per_plane,
        nics_per_t0: fabric.nics_per_t0,
        pods: fabric.pods,
        t2s: fabric.t2_per_plane,
    })
    .map_err(|e| refuse(&e))?;
    if options.format == ExportFormat::Sonic && (options.nic.is_some() || options.nics) {
        let option = if options.nics { "--nics" } else { "--nic" };
        return Err(Failure::Input(format!(
            "error: {option}: a NIC does not run SONiC; expected --format linux"
        )));
    }
    let device = match (options.switch, options.nic, &options.out) {
        (Some(name), ..) => Device::Switch(plan.switch(name).map_err(|e| refuse(&e))?),
        (_, Some(number), _) => {
            let nic = plan.nic(number).map_err(|e| refuse(&e))?;
            Device::Nic(nic, Pairs::of(&loaded).peers(&plan, nic))
        }
        (.., Some(out)) => return folder(options, &loaded, plan, out),
        // The command line is not accepted so.
        _ => return Err(Failure::Input("error: expected --switch, --nic or --out".into())),
    };
    let form = Form {
        plan,
        format: options.format,
    };
    allow(form.at_most(&device), &loaded.source)?;
    note(&loaded.notes);
    Sink::Stdout.write_with(|out| form.write(out, &device))?;
    Ok(ExitCode::SUCCESS)
}

/// Whose configuration.
enum Device {
    Switch(Switch),
    Nic(Nic, Vec<Nic>),
}

/// Which fabric, in which form.
struct Form {
    plan: Plan,
    format: ExportFormat,
}

impl Form {
    fn at_most(&self, device: &Device) -> u64 {
        match (device, self.format) {
            (Device::Switch(switch), ExportFormat::Sonic) => size::sonic_switch(&self.plan, *switch),
            (Device::Switch(switch), ExportFormat::Linux) => size::linux_switch(&self.plan, *switch),
            (Device::Nic(_, peers), _) => size::linux_nic(&self.plan, peers.len()),
        }
    }

    fn write(&self, out: &mut dyn Write, device: &Device) -> io::Result<()> {
        match (device, self.format) {
            (Device::Switch(switch), ExportFormat::Sonic) => sonic::write_switch(out, &self.plan, *switch),
            (Device::Switch(switch), ExportFormat::Linux) => linux::write_switch(out, &self.plan, *switch),
            (Device::Nic(nic, peers), _) => linux::write_nic(out, &self.plan, *nic, peers),
        }
    }

    fn entry(&self, device: &Device) -> Entry {
        let extension = match self.format {
            ExportFormat::Sonic => "json",
            ExportFormat::Linux => "ip",
        };
        match device {
            Device::Switch(switch) => Entry::Switch {
                file: format!("{}.{extension}", switch.name().to_string().replace('/', "-")),
                switch: switch.name().to_string(),
                usid: format!("{:#06x}", switch.usid().raw()),
                locator: export::locator_prefix(switch.usid()),
                ports: self.plan.ports(*switch).count(),
            },
            Device::Nic(nic, peers) => Entry::Nic {
                file: format!("nic-{}.{extension}", nic.number()),
                nic: nic.number(),
                address: wire::ipv6::nic_address(nic.number()).to_string(),
                peers: peers.len(),
            },
        }
    }
}

/// A line of the index.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    Switch {
        file: String,
        switch: String,
        usid: String,
        locator: String,
        ports: usize,
    },
    Nic {
        file: String,
        nic: u32,
        address: String,
        peers: usize,
    },
}

impl Entry {
    fn file(&self) -> &str {
        let (Entry::Switch { file, .. } | Entry::Nic { file, .. }) = self;
        file
    }
}

/// Who exchanges packets with whom: both directions of each flow, since its acknowledgements go back.
struct Pairs(Vec<(u32, u32)>);

impl Pairs {
    fn of(loaded: &Loaded) -> Pairs {
        let flows = loaded.scenario.flows();
        let mut pairs: Vec<(u32, u32)> = flows
            .iter()
            .flat_map(|f| [(f.src, f.dst), (f.dst, f.src)])
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        Pairs(pairs)
    }

    fn peers(&self, plan: &Plan, nic: Nic) -> Vec<Nic> {
        let number = nic.number();
        let first = self.0.partition_point(|&(from, _)| from < number);
        let peers = self.0[first..].iter().take_while(|&&(from, _)| from == number);
        peers.filter_map(|&(_, to)| plan.nic(to).ok()).collect()
    }
}

/// Refuses what would be too large.
fn allow(bytes: u64, source: &str) -> Result<(), Failure> {
    if bytes <= size::MAX_BYTES {
        return Ok(());
    }
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    Err(Failure::Input(format!(
        "{}: this would be up to {:.1} GiB; the most is {:.0} GiB (export single switches or NICs, or leave out --nics)",
        plain(source),
        gib(bytes),
        gib(size::MAX_BYTES)
    )))
}

/// Writes a folder.
fn folder(options: &Export, loaded: &Loaded, plan: Plan, out: &Path) -> Result<ExitCode, Failure> {
    let form = Form {
        plan,
        format: options.format,
    };
    let pairs = if options.nics {
        Pairs::of(loaded)
    } else {
        Pairs(Vec::new())
    };
    let devices = || {
        let nics = pairs.0.chunk_by(|a, b| a.0 == b.0).filter_map(|of_one| {
            let nic = plan.nic(of_one[0].0).ok()?;
            Some(Device::Nic(nic, pairs.peers(&plan, nic)))
        });
        plan.switches().map(Device::Switch).chain(nics)
    };
    let bytes = devices().fold(0u64, |sum, device| sum.saturating_add(form.at_most(&device)));
    allow(bytes, &loaded.source)?;
    let new = NewFolder::check(out)?;
    note(&loaded.notes);

    let stop = runner::stop_on_signal();
    let mut entries = Vec::new();
    for device in devices() {
        if stop.load(Ordering::Relaxed) {
            complain("error: interrupted; nothing is written");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let entry = form.entry(&device);
        new.write(entry.file(), |out| form.write(out, &device))?;
        entries.push(entry);
    }
    runner::no_more_to_stop(&stop);
    new.write("index.json", |out| index(out, &form, loaded, &entries))?;
    let files: Vec<&str> = entries.iter().map(Entry::file).chain(["index.json"]).collect();
    let written = new.finish(&files)?;
    print(&format!(
        "{}: {} files and an index, {written} bytes\n",
        plain(&out.to_string_lossy()),
        entries.len()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// One line for each part and each file.
fn index(out: &mut dyn Write, form: &Form, loaded: &Loaded, entries: &[Entry]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Dimensions {
        planes: u32,
        t0_per_plane: u32,
        t1_per_plane: u32,
        nics_per_t0: u32,
        #[serde(flatten)]
        third_tier: Option<ThirdTier>,
    }
    #[derive(Serialize)]
    struct ThirdTier {
        pods: u32,
        t2_per_plane: u32,
    }
    let clos = form.plan.clos();
    let dimensions = Dimensions {
        planes: clos.planes,
        t0_per_plane: clos.t0s,
        t1_per_plane: clos.t1s,
        nics_per_t0: clos.nics_per_t0,
        third_tier: (clos.tiers() > 2).then_some(ThirdTier {
            pods: clos.pods,
            t2_per_plane: clos.t2s,
        }),
    };
    let configuration = match form.format {
        ExportFormat::Sonic => "sonic",
        ExportFormat::Linux => "linux",
    };
    writeln!(out, "{{")?;
    part(out, "format", &FORMAT)?;
    part(out, "configuration", &configuration)?;
    part(out, "scenario", &loaded.scenario.name)?;
    part(out, "fabric", &dimensions)?;
    list(out, "files", entries)?;
    writeln!(out, "}}")
}

//! The command line.

use crate::compare::args as compare;
use crate::fault_option;
use crate::runner::MAX_THREADS;
use crate::tune::args as tune;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use lab::evidence::Paper;
use lab::{MAX_RUNS, Seeds, Vary};
use scenario::htsim::StartUnit;
use scenario::{Balancer, Fault, LinkName, Model, Rate, SwitchName, Time, host, limits};
use serde_json::Value;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// Simulates a multi-plane MRC fabric, or a host with VMs behind a GFT SmartNIC, packet by packet.
#[derive(Parser)]
#[command(
    name = "flowglass",
    version,
    after_help = "\
Exit status:
  0    every flow finished; of a host: its run came to its end; of tune: the search came to its end, whatever it found
  1    some flow did not finish, or some run of a sweep failed; a row of evidence differs without a reason
  2    the command line or the input is wrong
  3    a file could not be read or written
  130  interrupted (Ctrl-C); the results so far are printed and written

`flowglass COMMAND --help` says more about a command."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Run a scenario, or htsim's files, and print what came out
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Run a scenario with many seeds on every core, and compare what came out
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(Sweep),
    /// Run scenarios with the same seeds, and say what differs: in the scenarios, and in what came out
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::Compare),
    /// Search the setting of NICs and switches that serves a scenario's workload best
    #[command(after_help = tune::EXAMPLES)]
    Tune(Box<tune::Tune>),
    /// List the ready-made scenarios
    Presets,
    /// Say whether a scenario, or htsim's files, can be run
    Check(Input),
    /// Print the share link of a scenario, or of several to be compared side by side
    Link(Link),
    /// Print a scenario, or htsim's files as a scenario, as JSON
    Convert(Input),
    /// Print what fabrics are made of and what each loss takes, side by side
    #[command(after_help = CARD_EXAMPLES)]
    Card(Card),
    /// Write the fabric's static SRv6 configuration for SONiC or Linux
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(Export),
    /// Run a scenario and write the packets that crossed links as pcapng, for Wireshark
    #[command(after_help = CAPTURE_EXAMPLES)]
    Capture(Capture),
    /// Repeat the experiments of a paper and write its numbers beside ours
    #[command(after_help = EVIDENCE_EXAMPLES)]
    Evidence(Evidence),
    /// Say what a VM's policy would do with packets, layer by layer, without sending any
    #[command(after_help = TUPLES_EXAMPLES)]
    ProcessTuples(ProcessTuples),
    /// Make a host scenario of policies and traffic that clouds and captures have
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(Import),
    /// Print what a SmartNIC in every host returns and costs, what fails, and what else could do its work
    #[command(after_help = LEDGER_EXAMPLES)]
    Ledger(Ledger),
}

const RUN_EXAMPLES: &str = "\
Examples:
  flowglass run link-dies
  flowglass run my-scenario.json --seed 7 --json results.json
  flowglass run training-step --fault nic_flap@1ms,nic=3,duration=200us
  flowglass run 'http://127.0.0.1:8080/#preset/incast&seed=3'
  flowglass run --matrix perm.cm --topology leafspine.topo --model htsim --balancer oblivious";

const SWEEP_EXAMPLES: &str = "\
Examples:
  flowglass sweep link-dies --seeds 32
  flowglass sweep incast --seeds 1..100 --csv incast.csv --json incast.json
  flowglass sweep link-dies --seeds 16 --vary transport.evs=16,64,256
  flowglass sweep my-scenario.json --seeds 8 --vary 'traffic[0].bytes=64kB,1MB,16MB' --jobs 4";

const CARD_EXAMPLES: &str = "\
Examples:
  flowglass card whole-fabric
  flowglass card docs/topologies/1x800g.json docs/topologies/8x100g.json
  flowglass card link-dies three-tiers my-scenario.json --json cards.json";

const EXPORT_EXAMPLES: &str = "\
Examples:
  flowglass export link-dies --format sonic --switch p0/t0.3
  flowglass export link-dies --format linux --nic 5
  flowglass export link-dies --format sonic --out configuration";

const CAPTURE_EXAMPLES: &str = "\
Examples:
  flowglass capture link-dies --out link-dies.pcapng
  flowglass capture link-dies --link p1/t0.0-t1.2 --drops --from 95us --to 320us --out failure.pcapng
  flowglass capture incast --nic 0 --snap 256 --out - | wireshark -k -i -";

const EVIDENCE_EXAMPLES: &str = "\
Examples:
  flowglass evidence --out docs/evidence.md
  flowglass evidence --only fig9a --seeds 3
  flowglass evidence --paper accelnet --out docs/accelnet-evidence.md
  flowglass evidence --list";

const TUPLES_EXAMPLES: &str = "\
Examples:
  flowglass process-tuples host-first-packet 'tcp 10.1.0.4 50000 10.1.128.0 443 out'
  flowglass process-tuples host-lazy-reconcile --at 30ms '6 10.1.128.0 50000 10.1.0.4 443 in 1' --json answers.json
  flowglass process-tuples effective-rules.json 'tcp 203.0.113.9 51000 10.1.0.4 443 in' 'udp 203.0.113.9 53 10.1.0.4 53 in'";

const IMPORT_EXAMPLES: &str = "\
Examples:
  flowglass import web-nsg.json > scenario.json
  flowglass import web-nsg.json PT1H.json --vm-address 10.1.0.4 --out scenario.json
  flowglass import capture.pcapng --vm-address 10.1.0.4 | flowglass run -";

const LEDGER_EXAMPLES: &str = "\
Examples:
  flowglass ledger
  flowglass ledger --set cores_returned=2 --set card_price_high=2500
  flowglass ledger --set fleet=20000 --set line_gbps=100 --json ledger.json";

/// What `run` accepts.
#[derive(Args)]
pub struct Run {
    /// What to run.
    #[command(flatten)]
    pub input: Input,
    /// Threads for this one run, 1 to 64; all cores for a large fabric where not given, one for a small one. The results
    /// are the same for any number
    #[arg(long, short, value_name = "N", value_parser = whole(1, MAX_THREADS), allow_hyphen_values = true)]
    pub threads: Option<u32>,
    /// Write the results as JSON to this file; `-` is standard output (the summary then goes to standard error)
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Print neither summary, notes nor progress; errors are still printed
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `sweep` accepts.
#[derive(Args)]
pub struct Sweep {
    /// What to run.
    #[command(flatten)]
    pub input: Input,
    /// N seeds from the scenario's (or --seed's) on, or those from A to B, both included
    #[arg(long, value_name = "N|A..B", value_parser = seeds, allow_hyphen_values = true)]
    pub seeds: SeedRange,
    /// Run all seeds with each of these values in one field of the scenario, such as transport.evs=16,64
    #[arg(long, value_name = "PATH=V1,V2,…", value_parser = vary)]
    pub vary: Option<Vary>,
    /// Runs at a time; one for each core where not given, and fewer where memory does not suffice
    #[arg(long, short, value_name = "J", value_parser = jobs, allow_hyphen_values = true)]
    pub jobs: Option<usize>,
    /// Write all runs and their statistics as JSON to this file; `-` is standard output (the summary then goes to
    /// standard error)
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Write all runs as comma-separated values to this file, one line each; `-` is standard output
    #[arg(long, value_name = "OUT")]
    pub csv: Option<PathBuf>,
    /// Print neither summary, notes nor progress; errors are still printed
    #[arg(long, short)]
    pub quiet: bool,
}

/// Seeds as they were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedRange {
    /// So many from the scenario's on.
    Count(u32),
    /// These.
    Range(Seeds),
}

/// What `link` accepts.
#[derive(Args)]
pub struct Link {
    /// Whose link.
    #[command(flatten)]
    pub input: Input,
    /// More fabrics, up to three: the link then shows all side by side. What is changed by options is changed in each
    #[arg(value_name = "OTHER", requires = "scenario")]
    pub others: Vec<OsString>,
    /// Address of the page, to be put before the link
    #[arg(long, value_name = "URL")]
    pub page: Option<String>,
}

/// What `card` accepts.
#[derive(Args)]
pub struct Card {
    /// JSON files, `-` (standard input), presets, or share links (in quotes): up to 16, each with a column of its own, and of two
    /// the ratio
    #[arg(value_name = "SCENARIO", required = true)]
    pub scenarios: Vec<OsString>,
    /// Write the figures as JSON to this file; `-` is standard output, instead of the table
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Write the table as Markdown to this file; `-` is standard output, instead of the other table
    #[arg(long, value_name = "OUT")]
    pub markdown: Option<PathBuf>,
}

/// What `export` accepts.
#[derive(Args)]
#[command(group(ArgGroup::new("what").args(["switch", "nic", "out"]).required(true)))]
pub struct Export {
    /// Whose fabric.
    #[command(flatten)]
    pub input: Input,
    /// Whose configuration to write
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: ExportFormat,
    /// Print one switch's configuration
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub switch: Option<SwitchName>,
    /// Print one NIC's configuration (linux only), with a path for each EV to the NICs that the scenario has it talk to
    #[arg(long, value_name = "N", value_parser = nic, allow_hyphen_values = true)]
    pub nic: Option<u32>,
    /// Write a file for each switch, and an index, to this folder; it must be new or empty
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// With --out: also a file for each NIC that the scenario has traffic for (linux only)
    #[arg(long, requires = "out", conflicts_with_all = ["switch", "nic"])]
    pub nics: bool,
}

/// Packets that a capture has at most where the user does not say; ours: with whole frames that is half a gigabyte.
const PACKETS: u64 = 100_000;
/// Packets that a capture may have at most; our choice.
const MAX_PACKETS: u64 = 10_000_000;
/// The Ethernet header: no packet can be cut shorter.
const MIN_SNAP: u32 = 14;
/// tcpdump's default; longer than any packet.
const MAX_SNAP: u32 = 262_144;

/// What `capture` accepts.
#[derive(Args)]
pub struct Capture {
    /// What to run.
    #[command(flatten)]
    pub input: Input,
    /// Write the capture to this file; `-` is standard output (what else is said then goes to standard error)
    #[arg(long, value_name = "OUT")]
    pub out: PathBuf,
    /// Capture on this link, in both directions, such as p0/t0.3-t1.2 or p0/n17; can be given again. All links of the
    /// fabric where neither this nor --nic is given
    #[arg(long = "link", value_name = "NAME", allow_hyphen_values = true)]
    pub links: Vec<LinkName>,
    /// Capture on the links of all ports of this NIC; can be given again
    #[arg(long = "nic", value_name = "N", value_parser = nic, allow_hyphen_values = true)]
    pub nics: Vec<u32>,
    /// Also packets that were dropped in front of these links or lost on them; a comment says why
    #[arg(long)]
    pub drops: bool,
    /// Leave out what comes before this simulated time, such as 45us
    #[arg(long, value_name = "T", value_parser = moment, allow_hyphen_values = true)]
    pub from: Option<Time>,
    /// End run and capture at this simulated time
    #[arg(long, value_name = "T", value_parser = moment, allow_hyphen_values = true)]
    pub to: Option<Time>,
    /// End run and capture when there are so many packets, 1 to 10000000
    #[arg(
        long, value_name = "N", default_value_t = PACKETS, value_parser = whole(1, MAX_PACKETS),
        allow_hyphen_values = true
    )]
    pub packets: u64,
    /// Keep the first N bytes of each packet only, 14 to 262144
    #[arg(
        long, value_name = "N", value_parser = whole(MIN_SNAP, MAX_SNAP),
        allow_hyphen_values = true
    )]
    pub snap: Option<u32>,
    /// Threads, as for `run`
    #[arg(long, short, value_name = "N", value_parser = whole(1, MAX_THREADS), allow_hyphen_values = true)]
    pub threads: Option<u32>,
    /// Print neither what was captured, nor notes, nor progress; errors are still printed
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `evidence` accepts.
#[derive(Args)]
pub struct Evidence {
    /// Whose numbers
    #[arg(long, value_name = "PAPER", value_enum, default_value_t = PaperName::Mrc)]
    pub paper: PaperName,
    /// Only this experiment; can be given more than once. --list names them
    #[arg(long, value_name = "ID")]
    pub only: Vec<String>,
    /// Only what takes a few seconds
    #[arg(long)]
    pub quick: bool,
    /// Seeds that each experiment is run with, from 1 on
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole(1, MAX_EVIDENCE_SEEDS), allow_hyphen_values = true)]
    pub seeds: u32,
    /// Runs at a time; one for each core where not given
    #[arg(long, short, value_name = "J", value_parser = jobs, allow_hyphen_values = true)]
    pub jobs: Option<usize>,
    /// Write the table as Markdown to this file instead of standard output
    #[arg(long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Write the table as JSON to this file; `-` is standard output
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Keep each finished run in this file and go on from there when it is started again; given again, files of finished runs
    /// that are only read
    #[arg(long, value_name = "FILE")]
    pub keep: Vec<PathBuf>,
    /// Print the names of the experiments and do nothing
    #[arg(long)]
    pub list: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `process-tuples` accepts.
#[derive(Args)]
pub struct ProcessTuples {
    /// Whose policy: a host preset, a host scenario in JSON or a file that `import` reads
    #[arg(value_name = "SCENARIO|FILE")]
    pub source: OsString,
    /// Further files that `import` reads, such as a list of service tags, and then packets, each in quotes: protocol, source address, source port, destination address, destination port, in or out as the
    /// VM sees it, and for TCP a flag (1: SYN, as where left out; 0: a later packet)
    #[arg(value_name = "TUPLE", required = true)]
    pub tuples: Vec<String>,
    #[command(flatten)]
    pub how: ImportOptions,
    /// Which VM of the host, or which policy of the files, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub vm: u32,
    /// Run the host until this simulated time first, so that there are flows
    #[arg(long, value_name = "T", value_parser = moment_of_host, allow_hyphen_values = true)]
    pub at: Option<Time>,
    /// Write the answers as JSON to this file; `-` is standard output, instead of the text
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
}

/// What `import` accepts.
#[derive(Args)]
pub struct Import {
    /// Security groups, effective rules, load balancers, service tags, flow logs, DASH tables (JSON) and captures (pcap, pcapng);
    /// policies and traffic are put together. `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub how: ImportOptions,
    /// Write the scenario to this file instead of standard output
    #[arg(long, value_name = "OUT")]
    pub out: Option<PathBuf>,
}

/// What files in `import`'s formats leave open.
#[derive(Args)]
pub struct ImportOptions {
    /// The VM's own address; can be given again. Of a capture the address that most packets have, where not given
    #[arg(long = "vm-address", value_name = "IP", value_parser = address)]
    pub vm_addresses: Vec<gft::Address>,
    /// An address space of the virtual network, which the tag VirtualNetwork stands for; can be given again. The private
    /// spaces of RFC 1918 where not given
    #[arg(long = "vnet", value_name = "PREFIX", value_parser = prefix)]
    pub vnet: Vec<gft::Prefix>,
    /// What another service tag or application security group stands for; can be given again
    #[arg(long = "tag", value_name = "NAME=PREFIX,…", value_parser = imports::tag)]
    pub tags: Vec<(String, Vec<gft::Prefix>)>,
    /// The security group that is meant, where the files have several
    #[arg(long, value_name = "NAME")]
    pub nsg: Option<String>,
}

impl ImportOptions {
    /// Whether any was given.
    pub fn any(&self) -> bool {
        !self.vm_addresses.is_empty() || !self.vnet.is_empty() || !self.tags.is_empty() || self.nsg.is_some()
    }

    /// As the import takes them.
    pub fn options(&self) -> imports::Options {
        let mut options = imports::Options {
            vm: self.vm_addresses.clone(),
            tags: self.tags.iter().cloned().collect(),
            nsg: self.nsg.clone(),
            ..imports::Options::default()
        };
        if !self.vnet.is_empty() {
            options.vnet.clone_from(&self.vnet);
        }
        options
    }
}

/// What `ledger` accepts.
#[derive(Args)]
pub struct Ledger {
    /// Give an input another value; can be given again. The inputs stand at the end of what the command prints
    #[arg(long = "set", value_name = "INPUT=VALUE", value_parser = setting, allow_hyphen_values = true)]
    pub set: Vec<(String, f64)>,
    /// Write inputs and results as JSON to this file; `-` is standard output, instead of the text
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
}

/// Seeds of `evidence` at most; our choice.
const MAX_EVIDENCE_SEEDS: u32 = 1_000;

/// Whose numbers `evidence` puts beside ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PaperName {
    /// The MRC fabric (arXiv:2605.04333)
    Mrc,
    /// AccelNet's SmartNIC (NSDI 2018), what is documented around it, and what it leaves open
    Accelnet,
    /// Nobody's: RoCE and MRC on the same fabric, with the same traffic and failures
    Versus,
}

impl From<PaperName> for Paper {
    fn from(name: PaperName) -> Paper {
        match name {
            PaperName::Mrc => Paper::Mrc,
            PaperName::Accelnet => Paper::Accelnet,
            PaperName::Versus => Paper::Versus,
        }
    }
}

/// Whose configuration `export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// SONiC's CONFIG_DB as JSON
    Sonic,
    /// Linux `ip` commands
    Linux,
}

/// A scenario, or a pair of htsim's files, and what to change in it.
#[derive(Args, Clone)]
pub struct Input {
    /// JSON file, `-` (standard input), preset (`link-dies` or `preset:link-dies`), or share link (in quotes)
    #[arg(value_name = "SCENARIO", required_unless_present_any = ["matrix", "topology"])]
    pub scenario: Option<OsString>,
    /// htsim's connection matrix (.cm, .tm)
    #[arg(long, value_name = "FILE", requires = "topology", conflicts_with = "scenario", help_heading = HTSIM)]
    pub matrix: Option<PathBuf>,
    /// htsim's topology of two tiers (.topo)
    #[arg(long, value_name = "FILE", requires = "matrix", conflicts_with = "scenario", help_heading = HTSIM)]
    pub topology: Option<PathBuf>,
    /// Whose rules and parameters the files are run with: Flowglass's own, or uet-htsim's for comparing with it
    #[arg(
        long, value_name = "MODEL", value_enum, default_value_t = ModelName::Mrc,
        conflicts_with = "scenario", help_heading = HTSIM
    )]
    pub model: ModelName,
    /// Unit of `start` in the matrix; `auto` takes ps if any value is 1000000 or more, else µs
    #[arg(
        long, value_name = "UNIT", value_enum, default_value_t = StartUnitName::Auto,
        conflicts_with = "scenario", help_heading = HTSIM
    )]
    pub start_unit: StartUnitName,
    /// Rate of the hosts' links, where it is known apart from the topology, such as 400Gbps; must agree with it
    #[arg(
        long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true,
        conflicts_with = "scenario", help_heading = HTSIM
    )]
    pub link_rate: Option<Rate>,
    /// How senders choose among their EVs: mrc (steering by ECN, trims and losses), oblivious, reps, bitmap or mixed
    #[arg(long, value_name = "NAME", value_parser = balancer)]
    pub balancer: Option<Balancer>,
    /// Seed of every random choice, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Simulated time at which the run ends at the latest, such as 500us, instead of the scenario's
    #[arg(long, value_name = "T", value_parser = until, allow_hyphen_values = true)]
    pub until: Option<Time>,
    /// A failure beside those of the scenario, with the fields that it has there, such as
    /// link_down@100us,link=p1/t0.0-t1.2 or nic_flap@1ms,nic=3,duration=200us; can be given again
    ///
    /// Kinds and their fields (in brackets what may be left out):
    /// link_down and link_up: link [direction]; link_loss and link_corrupt: link, rate [direction];
    /// link_flap: link, down, up, until [random]; links_down: tier, count [plane, spacing, duration];
    /// tier_loss: tier, rate [direction]; switch_down and switch_up: switch; switch_reboot: switch, duration;
    /// switch_corrupt: switch, rate; nic_port_down: nic, plane [duration]; nic_flap: nic, duration;
    /// nic_refuses: nic, rate, reason; nic_penalty: nic, penalty. docs/scenario.md says what they mean
    #[arg(long = "fault", value_name = "KIND@T,FIELD=VALUE…", value_parser = fault_option::parse)]
    pub faults: Vec<Fault>,
}

const HTSIM: &str = "htsim's files";

/// Whose rules imported files are run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelName {
    /// MRC with Flowglass's default parameters
    Mrc,
    /// uet-htsim's parameters
    Htsim,
}

impl From<ModelName> for Model {
    fn from(name: ModelName) -> Model {
        match name {
            ModelName::Mrc => Model::Mrc,
            ModelName::Htsim => Model::Htsim,
        }
    }
}

/// The unit of `start` in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StartUnitName {
    /// Decide by the values
    Auto,
    /// Microseconds, as uet-htsim
    Us,
    /// Picoseconds, as csg-htsim
    Ps,
}

impl From<StartUnitName> for StartUnit {
    fn from(name: StartUnitName) -> StartUnit {
        match name {
            StartUnitName::Auto => StartUnit::Auto,
            StartUnitName::Us => StartUnit::Us,
            StartUnitName::Ps => StartUnit::Ps,
        }
    }
}

fn balancer(name: &str) -> Result<Balancer, String> {
    let known = Balancer::ALL.map(Balancer::name);
    let at = known.iter().position(|&k| k == name);
    at.map(|at| Balancer::ALL[at])
        .ok_or_else(|| format!("unknown balancer; known are {}", known.join(", ")))
}

/// Reads a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    // Only digits: Rust would also read "+5".
    let seed = if text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    };
    seed.ok_or_else(|| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn nic(text: &str) -> Result<u32, String> {
    seed(text)
        .ok()
        .and_then(|n| u32::try_from(n).ok())
        .ok_or_else(|| "expected the number of a NIC, such as 17".into())
}

/// Runs at a time at most; our choice.
const MAX_JOBS: usize = 1_024;

/// Reads `N` or `A..B`.
pub fn seeds(text: &str) -> Result<SeedRange, String> {
    let count = |n: u64| {
        u32::try_from(n)
            .ok()
            .filter(|&n| n >= 1 && n as usize <= MAX_RUNS)
            .ok_or_else(|| format!("{n} seeds; expected 1 to {MAX_RUNS}"))
    };
    match text.split_once("..") {
        None => count(seed(text).map_err(|_| {
            format!(
                "expected a number of seeds from 1 to {MAX_RUNS}, or the first and the last one such as 1..16"
            )
        })?)
        .map(SeedRange::Count),
        Some((first, last)) => {
            let (first, last) = (seed(first)?, seed(last)?);
            let more = last
                .checked_sub(first)
                .ok_or_else(|| format!("the last seed {last} is before the first, {first}"))?;
            Ok(SeedRange::Range(Seeds {
                first,
                count: count(more.saturating_add(1))?,
            }))
        }
    }
}

fn vary(text: &str) -> Result<Vary, String> {
    let (path, values) = text
        .split_once('=')
        .filter(|(path, _)| !path.is_empty())
        .ok_or("expected a field and its values, such as transport.evs=16,64")?;
    let values: Vec<Value> = values.split(',').map(value).collect();
    if values.iter().any(|value| value == "") {
        return Err(format!(
            "a value of {path} is empty; expected values with commas between them"
        ));
    }
    Ok(Vary {
        path: path.into(),
        values,
    })
}

/// A number, `true` or `false`, or else a text such as `100Gbps`.
fn value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => text.into(),
    }
}

fn address(text: &str) -> Result<gft::Address, String> {
    text.parse().map_err(|e| format!("{e}"))
}

fn prefix(text: &str) -> Result<gft::Prefix, String> {
    text.parse().map_err(|e| format!("{e}"))
}

fn setting(text: &str) -> Result<(String, f64), String> {
    let (key, value) = text
        .split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .ok_or("expected an input and its value, such as cores_returned=2")?;
    let value = value
        .parse()
        .map_err(|_| format!("the value of {key} is no number; expected such as {key}=2"))?;
    Ok((key.into(), value))
}

/// Reads a whole number from `least` to `most`.
pub fn whole<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<u64> + PartialOrd + fmt::Display + Copy + Send + Sync + 'static,
{
    move |text| {
        let number = seed(text).ok().and_then(|n| T::try_from(n).ok());
        number
            .filter(|n| (least..=most).contains(n))
            .ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// Reads a number of runs at a time.
pub fn jobs(text: &str) -> Result<usize, String> {
    seed(text)
        .ok()
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| (1..=MAX_JOBS).contains(n))
        .ok_or_else(|| format!("expected a whole number from 1 to {MAX_JOBS}"))
}

/// The end of a run; that of a fabric has to be earlier.
fn until(text: &str) -> Result<Time, String> {
    let until: Time = text.parse().map_err(|e| format!("{e}"))?;
    if until < Time(1) || until > host::limits::MAX_TIME {
        return Err(format!("expected {} to {}", Time(1), host::limits::MAX_TIME));
    }
    Ok(until)
}

/// A time in the run of a host.
fn moment_of_host(text: &str) -> Result<Time, String> {
    let moment: Time = text.parse().map_err(|e| format!("{e}"))?;
    if moment > host::limits::MAX_TIME {
        return Err(format!("expected 0 to {}", host::limits::MAX_TIME));
    }
    Ok(moment)
}

fn moment(text: &str) -> Result<Time, String> {
    let moment: Time = text.parse().map_err(|e| format!("{e}"))?;
    if moment > limits::MAX_TIME {
        return Err(format!("expected 0 to {}", limits::MAX_TIME));
    }
    Ok(moment)
}

fn rate(text: &str) -> Result<Rate, String> {
    text.parse().map_err(|e| format!("{e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn refusal(line: &[&str]) -> String {
        match Cli::try_parse_from([&["flowglass"], line].concat()) {
            Ok(_) => panic!("{line:?} was accepted"),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, expected) in [
            (&["run"][..], "<SCENARIO>"),
            (
                &["run", "x", "--matrix", "m", "--topology", "t"],
                "cannot be used with",
            ),
            (&["run", "--matrix", "m"], "--topology"),
            (&["run", "--topology", "t"], "--matrix"),
            (&["run", "x", "--model", "htsim"], "cannot be used with"),
            (
                &["run", "x", "--seed", "-1"],
                "'-1' for '--seed <N>': expected a whole number from 0 to 18446744073709551615",
            ),
            (
                &["run", "x", "--seed", "18446744073709551616"],
                "expected a whole number",
            ),
            (&["run", "x", "--seed", "1e3"], "expected a whole number"),
            (&["run", "x", "--seed", ""], "expected a whole number"),
            (&["run", "x", "--until", "-5us"], "negative"),
            (&["run", "x", "--until", "0"], "expected 1 ps to 1000 s"),
            (&["run", "x", "--until", "1001s"], "expected 1 ps to 1000 s"),
            (&["run", "x", "--until", "99999999999999999999s"], "too large"),
            (&["run", "x", "--until", "12"], "the unit is missing"),
            (
                &["run", "x", "--balancer", "MRC"],
                "unknown balancer; known are mrc, oblivious, reps, bitmap, mixed",
            ),
            (
                &["run", "--matrix", "m", "--topology", "t", "--start-unit", "ns"],
                "[possible values: auto, us, ps]",
            ),
            (
                &[
                    "run",
                    "--matrix",
                    "m",
                    "--topology",
                    "t",
                    "--link-rate",
                    "-400Gbps",
                ],
                "negative",
            ),
            (&["rnu", "x"], "unrecognized subcommand"),
            (&["export", "x", "--switch", "p0/t0.1"], "--format <FORMAT>"),
            (
                &["export", "x", "--format", "ios", "--switch", "p0/t0.1"],
                "[possible values: sonic, linux]",
            ),
            (&["export", "x", "--format", "sonic"], "--switch <NAME>"),
            (
                &["export", "x", "--format", "sonic", "--switch", "p0/n1"],
                "expected a name such as \"p0/t0.3\"",
            ),
            (
                &["export", "x", "--format", "linux", "--nic", "-1"],
                "expected the number of a NIC",
            ),
            (
                &[
                    "export", "x", "--format", "linux", "--nic", "1", "--switch", "p0/t0.1",
                ],
                "cannot be used with",
            ),
            (
                &["export", "x", "--format", "linux", "--nic", "1", "--out", "d"],
                "cannot be used with",
            ),
            (
                &[
                    "export", "x", "--format", "linux", "--switch", "p0/t0.1", "--nics",
                ],
                "cannot be used with",
            ),
            (&["export", "x", "--format", "linux", "--nics"], "--out <DIR>"),
            (&["capture", "x"], "--out <OUT>"),
            (
                &["capture", "x", "--out", "o", "--link", "p0/t0.1"],
                "expected a name such as \"p0/t0.3-t1.2\"",
            ),
            (
                &["capture", "x", "--out", "o", "--nic", "x"],
                "expected the number of a NIC",
            ),
            (
                &["capture", "x", "--out", "o", "--from", "-1us"],
                "'-1us' for '--from <T>'",
            ),
            (
                &["capture", "x", "--out", "o", "--to", "101s"],
                "expected 0 to 100 s",
            ),
            (
                &["capture", "x", "--out", "o", "--packets", "0"],
                "expected a whole number from 1 to 10000000",
            ),
            (
                &["capture", "x", "--out", "o", "--snap", "13"],
                "expected a whole number from 14 to 262144",
            ),
            (&["card"], "<SCENARIO>..."),
            (&["sweep", "x"], "--seeds <N|A..B>"),
            (&["sweep", "x", "--seeds", "0"], "0 seeds; expected 1 to 10000"),
            (
                &["sweep", "x", "--seeds", "10001"],
                "10001 seeds; expected 1 to 10000",
            ),
            (
                &["sweep", "x", "--seeds", "-3"],
                "expected a number of seeds from 1 to 10000",
            ),
            (
                &["sweep", "x", "--seeds", "5..4"],
                "the last seed 4 is before the first, 5",
            ),
            (
                &["sweep", "x", "--seeds", "1..20000"],
                "20000 seeds; expected 1 to 10000",
            ),
            (
                &["sweep", "x", "--seeds", "0..18446744073709551615"],
                "expected 1 to 10000",
            ),
            (&["sweep", "x", "--seeds", "1..x"], "expected a whole number"),
            (
                &["sweep", "x", "--seeds", "2", "--jobs", "0"],
                "expected a whole number from 1 to 1024",
            ),
            (
                &["sweep", "x", "--seeds", "2", "--vary", "evs"],
                "such as transport.evs=16,64",
            ),
            (
                &["sweep", "x", "--seeds", "2", "--vary", "=1"],
                "such as transport.evs=16,64",
            ),
            (
                &["sweep", "x", "--seeds", "2", "--vary", "a=1,,2"],
                "a value of a is empty",
            ),
        ] {
            let message = refusal(line);
            assert!(message.contains(expected), "{line:?}: {message}");
        }
    }

    #[test]
    fn seeds_and_values_are_read() {
        let range = |first, count| Ok(SeedRange::Range(Seeds { first, count }));
        assert_eq!(seeds("12"), Ok(SeedRange::Count(12)));
        assert_eq!(seeds("3..7"), range(3, 5));
        assert_eq!(seeds("4..4"), range(4, 1));
        assert_eq!(
            seeds("18446744073709551615..18446744073709551615"),
            range(u64::MAX, 1)
        );
        let read = vary("fabric.nic_link_rate=100Gbps,4,true,null,0.5").unwrap();
        assert_eq!(read.path, "fabric.nic_link_rate");
        assert_eq!(
            read.values,
            [
                Value::from("100Gbps"),
                4.into(),
                true.into(),
                "null".into(),
                0.5.into()
            ]
        );
    }

    #[test]
    fn the_defaults_are_the_product_s() {
        let cli = Cli::try_parse_from(["flowglass", "run", "--matrix", "m", "--topology", "t"]).unwrap();
        let Command::Run(Run {
            input,
            json,
            quiet,
            threads,
        }) = cli.command
        else {
            panic!("not run");
        };
        assert_eq!(input.model, ModelName::Mrc);
        assert_eq!(input.start_unit, StartUnitName::Auto);
        assert_eq!((input.balancer, input.seed, input.until), (None, None, None));
        assert_eq!((json, quiet, threads), (None, false, None));
    }
}

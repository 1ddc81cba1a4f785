//! The results of a run as a value; `docs/results-json.md` says what each field means.

use crate::input::Loaded;
use crate::memory;
use crate::runner::{End, Ended};
use scenario::{Balancer, Model, Scenario, link};
use serde::Serialize;
use sha2::{Digest, Sha256};
use sim::Summary;
use sim::summary::{FlowResult, JobResult, VerdictResult};

/// Version of this form; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// Everything that `--json` writes.
#[derive(Debug, Serialize)]
pub struct Results {
    /// Version of this form.
    pub format: u32,
    /// The run itself.
    pub run: Run,
    /// What was run.
    pub scenario: About,
    /// Values that followed from the scenario.
    pub derived: Derived,
    /// Totals.
    pub summary: Summary,
    /// How the input was understood.
    pub notes: Vec<String>,
    /// What Clustermapper found.
    pub verdicts: Vec<VerdictResult>,
    /// Each job, in the scenario's order.
    pub jobs: Vec<JobResult>,
    /// Each flow, in the scenario's order.
    pub flows: Vec<FlowResult>,
}

/// The run itself.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Why it ended.
    pub end: End,
    /// 16 hex digits.
    pub digest: String,
    /// The seed in force.
    pub seed: u64,
    /// Whose rules.
    pub model: Model,
    /// How EVs were chosen.
    pub balancer: Balancer,
    /// Simulated time at the end, µs.
    pub sim_us: f64,
    /// Latest end, µs.
    pub until_us: f64,
    /// Link crossings.
    pub packet_hops: u64,
    /// Events processed.
    pub events: u64,
    /// Real time from the first event to the last, s.
    pub wall_s: f64,
    /// Real time for building the run, s.
    pub build_s: f64,
    /// Largest resident size of the process, where known.
    pub peak_memory_bytes: Option<u64>,
    /// Version of Flowglass.
    pub version: &'static str,
}

/// What was run.
#[derive(Debug, Serialize)]
pub struct About {
    /// The scenario's name; may be empty.
    pub name: String,
    /// Where it came from.
    pub source: String,
    /// Its share link, if it fits one.
    pub link: Option<String>,
    /// SHA-256 of its compact JSON, 64 hex digits.
    pub sha256: String,
}

/// Values that followed from the scenario.
#[derive(Debug, Serialize)]
pub struct Derived {
    /// RTT of a full packet and its SACK over the longest idle path.
    pub base_rtt_us: f64,
    /// NIC rate × base RTT.
    pub nic_bdp_bytes: u64,
    /// Rate of a NIC's port × base RTT.
    pub plane_bdp_bytes: u64,
    /// Retransmission timeout.
    pub rto_us: f64,
    /// Reorder window; 0 when losses are inferred by timeout alone.
    pub reorder_window_us: f64,
    /// Wire bytes of a full data packet.
    pub full_packet_bytes: u16,
}

impl Results {
    /// The results of a run.
    pub fn of(loaded: Loaded, ended: &Ended) -> Results {
        let sim = &ended.sim;
        let scenario = &loaded.scenario;
        let derived = sim.derived();
        Results {
            format: FORMAT,
            run: Run {
                end: ended.end,
                digest: format!("{:016x}", sim.digest()),
                seed: scenario.seed,
                model: scenario.model,
                balancer: scenario.transport.balancer,
                sim_us: us(sim.now().0),
                until_us: us(scenario.until.0),
                packet_hops: sim.network().counters().packet_hops,
                events: sim.events(),
                wall_s: ended.wall.as_secs_f64(),
                build_s: ended.build.as_secs_f64(),
                peak_memory_bytes: memory::peak_bytes(),
                version: env!("CARGO_PKG_VERSION"),
            },
            scenario: About::of(scenario, loaded.source),
            derived: Derived {
                base_rtt_us: us(derived.base_rtt.0),
                nic_bdp_bytes: derived.nic_bdp,
                plane_bdp_bytes: derived.plane_bdp,
                rto_us: us(derived.rto.0),
                reorder_window_us: us(derived.reorder_window.0),
                full_packet_bytes: derived.full_packet,
            },
            summary: sim.summary(),
            notes: loaded.notes,
            verdicts: sim.verdict_results(),
            jobs: sim.job_results(),
            flows: sim.flow_results(),
        }
    }
}

impl About {
    /// A scenario that came from `source`.
    pub fn of(scenario: &Scenario, source: String) -> About {
        About {
            name: scenario.name.clone(),
            source,
            link: link::encode(scenario).ok().map(|link| format!("#{link}")),
            sha256: sha256(scenario),
        }
    }
}

fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

fn sha256(scenario: &Scenario) -> String {
    let digest = Sha256::digest(scenario.to_json_compact());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

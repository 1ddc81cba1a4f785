//! The scenario: everything that decides a run, as one versioned value.
//!
//! Version 1. A field that is left out has its default, so that short scenarios stay short and old links
//! keep their meaning: a default never changes within a version.
//!
//! Each field says its unit and range, and where it comes from: *published* (the MRC paper, arXiv:2605.04333),
//! *documented elsewhere* (UEC and UET 1.0, the OCP companion API, RFCs, the peer simulator), or *our choice*.

mod clustermapper;
mod dcqcn;
mod fabric;
mod faults;
mod help;
mod nscc;
mod pfc;
mod roce;
mod routing;
mod traffic;
mod transport;

pub use clustermapper::Clustermapper;
pub use dcqcn::{Dcqcn, DcqcnRule};
pub use fabric::{Fabric, Queue};
pub use faults::{Direction, Fault, FaultKind, Refusal, Tier};
pub use help::help;
pub use nscc::Nscc;
pub use pfc::Pfc;
pub use roce::{Recovery, Roce};
pub use routing::{Convergence, Routing};
pub use traffic::{Collective, FlowTuple, Traffic};
pub use transport::{Balancer, PortStatus, Protocol, Transport};

use crate::defaults;
use crate::quantity::Time;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The schema version that this build writes and reads.
pub const VERSION: u32 = 1;

/// One experiment: a fabric, endpoints, traffic and faults. Same scenario, same seed: same run, bit for bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Schema version; 1.
    pub version: u32,
    /// A short title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What to look for, in plain words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Seed of every random choice in the run.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub seed: u64,
    /// The run ends here at the latest; it ends earlier when every flow is complete.
    pub until: Time,
    /// Whose rules the endpoints and queues follow.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub model: Model,
    /// The network.
    pub fabric: Fabric,
    /// The endpoints.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub transport: Transport,
    /// Agents that probe the links of the fabric and localise bad ones; none where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clustermapper: Option<Clustermapper>,
    /// What is sent.
    pub traffic: Vec<Traffic>,
    /// What breaks and heals, and when. Order in the list breaks ties at the same time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// Whose rules the endpoints and queues follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// MRC: SRv6 frames, EVs that name their path, no ECN on the last hop.
    #[default]
    Mrc,
    /// uet-htsim's model settings, for comparing models and not parameters: 4,150 B packets with 64 B of
    /// header, 64 B control packets, hashed entropies, ECN on the last hop too.
    /// Message acknowledgements, reverse and backup EVs, the floor of EVs and reliability probes are off, whatever
    /// the transport says.
    Htsim,
}

//! The endpoints' settings.

use super::{Nscc, Roce};
use crate::defaults;
use crate::quantity::{Bytes, Time};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The endpoints' settings. Where nothing else is said they are MRC's, and have to be left out with RoCE.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Transport {
    /// What the endpoints speak.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub protocol: Protocol,
    /// QPs over which each flow is spread, 1 to 64: each carries its share of every message. A flow has never more of
    /// them than its messages have bytes. With any protocol; NCCL does the same for RoCE (`NCCL_IB_QPS_PER_CONNECTION`).
    #[serde(skip_serializing_if = "defaults::is_one")]
    pub qps: u32,
    /// Payload bytes of a full packet (PMTU), 256 to 9216; with RoCE 256, 512, 1024, 2048 or 4096 (IBTA), but for htsim's
    /// model.
    #[serde(skip_serializing_if = "defaults::is_pmtu")]
    pub pmtu: Bytes,
    /// Entropy values in use per QP, 1 to 512; a multiple of the number of planes. Published: 128 to 256.
    #[serde(skip_serializing_if = "defaults::is_evs")]
    pub evs: u32,
    /// EVs in reserve per QP, which take the place of lost ones of their plane; a multiple of the number of planes, and
    /// at most 1024 together with `evs`. Left out: a quarter of `evs`, rounded down to a multiple of the planes. That
    /// there is such a set is published, its size is our choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_evs: Option<u32>,
    /// EVs in use below which losses take no more out of use, 0 to `evs`. Left out: a quarter of `evs`, as in the
    /// example of the OCP companion API.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ev_floor: Option<u32>,
    /// How the sender chooses among its EVs.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub balancer: Balancer,
    /// SACKs and NACKs go back over a reverse EV of each plane that is kept fresh by probes (published,
    /// arXiv:2605.04333 §2.4). Off: over the T1 by which the packet came.
    #[serde(skip_serializing_if = "defaults::is_reverse_evs")]
    pub reverse_evs: bool,
    /// A SACK is sent at the latest when this many bytes have arrived since the last one.
    #[serde(skip_serializing_if = "defaults::is_sack_every")]
    pub sack_every: Bytes,
    /// A message completes with its ACK (AETH with the MSN), as in the OCP companion API. Off: with the SACK of its last
    /// packet.
    #[serde(skip_serializing_if = "defaults::is_message_acks")]
    pub message_acks: bool,
    /// Maximum PSN range: packets that may be in flight beyond the cumulative acknowledgement; a power of two from 128
    /// to 16384 (API: a multiple of 128). Documented elsewhere: 4096 in an example of the specification.
    #[serde(skip_serializing_if = "defaults::is_mpr")]
    pub mpr: u32,
    /// WRITEs with immediate that a QP may have in flight, 1 to 1024. That the number is negotiated is documented (API);
    /// 16 is our choice.
    #[serde(skip_serializing_if = "defaults::is_max_wimm")]
    pub max_wimm: u32,
    /// Retransmission timeout; derived from the base RTT where left out (our choice).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto: Option<Time>,
    /// Timeouts in a row that each wait one `rto`, 0 to 7. Documented elsewhere: at most 7 (API).
    #[serde(skip_serializing_if = "defaults::is_linear_retries")]
    pub linear_retries: u32,
    /// Timeouts after them, each of which waits twice as long as the one before, 0 to 25, where 25 means for ever (API).
    /// After the last one the QP is in ERROR. 8 is our choice: about 0.14 s at an `rto` of 262 µs.
    #[serde(skip_serializing_if = "defaults::is_exponential_retries")]
    pub exponential_retries: u32,
    /// Loss is also inferred when a packet sent this long after another has been acknowledged first.
    /// Derived from the base RTT where left out (our choice); "0" turns it off and leaves the timeout alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorder_window: Option<Time>,
    /// A requester asks for a SACK (RELIABILITY_PROBE_REQ) when it has had no news of its oldest packet for this long,
    /// 1 µs to 100 s; "0" turns it off. Left out: the reorder window in force. The probe is documented elsewhere
    /// (specification), when it is sent is our choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reliability_probe: Option<Time>,
    /// Time between two probes of an EV that is ASSUMED_BAD.
    #[serde(skip_serializing_if = "defaults::is_probe_interval")]
    pub probe_interval: Time,
    /// Successful probes in a row that bring an EV back to GOOD, 1 to 16.
    #[serde(skip_serializing_if = "defaults::is_probes_to_revive")]
    pub probes_to_revive: u32,
    /// Time from a NIC port's link going down to its NIC knowing, up to 100 s. Published: the interruption is below 1 s
    /// on the testbed and a few seconds in production; 300 ms is our choice.
    #[serde(skip_serializing_if = "defaults::is_port_detect")]
    pub port_detect: Time,
    /// Time from there until all QPs of the NIC have left the port and peers are told, up to 100 s. Published as "not
    /// instantaneous"; 0 is our choice.
    #[serde(skip_serializing_if = "defaults::is_port_remap")]
    pub port_remap: Time,
    /// How peers learn that a port is down.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub port_status: PortStatus,
    /// Time in NIC and host from posting to the first bit, and from the last acknowledgement to the completion; up to
    /// 10 ms. Our choice: 0; presets that compare latencies calibrate it to the paper's 5.09 µs (arXiv:2605.04333 §5.2).
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub host_latency: Time,
    /// Initial and largest congestion window, as a multiple of the NIC's BDP.
    #[serde(skip_serializing_if = "defaults::is_max_window")]
    pub max_window_bdp: f64,
    /// Congestion control.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub nscc: Nscc,
    /// Receivers hand out credit so that senders together fill their link and no more (UET 1.0, RCCC). Off by default:
    /// MRC has no such thing.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub rccc: bool,
    /// What RoCE needs; apart, as most scenarios have none of it and are passed about by value.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub roce: Box<Roce>,
}

impl Transport {
    /// EVs in reserve per QP, where they are left out too. `planes` is the fabric's.
    pub fn backup_evs_or_default(&self, planes: u32) -> u32 {
        let quarter = self.evs / 4;
        self.backup_evs.unwrap_or(quarter - quarter % planes.max(1))
    }

    /// EVs in use below which losses take no more out of use, where they are left out too.
    pub fn ev_floor_or_default(&self) -> u32 {
        self.ev_floor.unwrap_or(self.evs / 4)
    }
}

/// What the endpoints speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// The Multipath Reliable Connection.
    #[default]
    Mrc,
    /// RoCEv2 reliable connections: each QP on one path of one plane.
    Roce,
}

/// How the sender chooses among its EVs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Balancer {
    /// MRC: rotation over GOOD EVs; ECN and trims skip one turn, losses take the EV out until probes succeed.
    #[default]
    Mrc,
    /// Rotation over all EVs whatever happens to them.
    Oblivious,
    /// REPS: EVs whose packets came through unmarked are used again, others drawn at random (Bonato et al., "REPS: Recycled
    /// Entropy Packet Spraying", arXiv:2407.21625).
    Reps,
    /// uet-htsim's: rotation in which ECN costs an EV one turn, a trim four, a loss fifteen.
    Bitmap,
    /// uet-htsim's: EVs whose packets came through unmarked first, then as with `Bitmap`.
    Mixed,
}

impl Balancer {
    /// All of them.
    pub const ALL: [Balancer; 5] = [
        Balancer::Mrc,
        Balancer::Oblivious,
        Balancer::Reps,
        Balancer::Bitmap,
        Balancer::Mixed,
    ];

    /// Its name in a scenario.
    pub const fn name(self) -> &'static str {
        match self {
            Balancer::Mrc => "mrc",
            Balancer::Oblivious => "oblivious",
            Balancer::Reps => "reps",
            Balancer::Bitmap => "bitmap",
            Balancer::Mixed => "mixed",
        }
    }
}

/// How peers learn that a NIC's port is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PortStatus {
    /// By a port status update (ENDPOINT_REQUEST, op 0), as in the specification.
    #[default]
    Update,
    /// Not at all: they find out by their losses.
    Off,
}

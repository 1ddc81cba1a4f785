//! NSCC's parameters.

use crate::defaults;
use crate::quantity::{Bytes, Time};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// NSCC, the congestion control of UET 1.0 (§3.6.13), by the names of the OCP companion API. What is left out follows
/// from the BDP, the base RTT and the MTU (a full packet on the wire) by UET's rules, with
/// a = BDP / (100 Gb/s × 12 µs) and b = target delay / 12 µs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Nscc {
    /// Congestion control at all. Off: the window stays at its largest (API: algorithm NULL).
    #[serde(skip_serializing_if = "defaults::is_nscc_enabled")]
    pub enabled: bool,
    /// Turns quick adapt off.
    #[serde(skip_serializing_if = "defaults::is_nscc_disable_qa")]
    pub disable_qa: bool,
    /// Queueing delay to aim at, 1 ns to 1 s; left out: 0.75 base RTT with trimming, 1 base RTT without (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_delay: Option<Time>,
    /// RTT of a full packet over the longest idle path, 1 ns to 1 s; left out: computed from the fabric. A smaller
    /// sample lowers it (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_rtt: Option<Time>,
    /// Initial and largest window, 256 B to 1 TiB; left out: `max_window_bdp` times the NIC's BDP. It wins over that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cwnd: Option<Bytes>,
    /// How strongly delay beyond the target shrinks the window, 0 to 1: cwnd × (1 − gamma · excess / delay). UET: 0.8.
    #[serde(skip_serializing_if = "defaults::is_nscc_gamma")]
    pub gamma: f64,
    /// What one decrease leaves of the window at least, 0 to 1. UET: 0.5.
    #[serde(skip_serializing_if = "defaults::is_nscc_max_md_jump")]
    pub max_md_jump: f64,
    /// Fair increase in bytes: cwnd grows by fi × received bytes / cwnd; 0 to 10^12. Left out: 5 · MTU · a (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fi: Option<f64>,
    /// Fast increase: cwnd grows by this many times the received bytes, 0 to 10^12. Left out: 0.25 · a (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fi_scale: Option<f64>,
    /// Bytes added to the window once per adjust period, 0 to 10^12. Left out: 0.15 · MTU · a (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eta: Option<f64>,
    /// Proportional increase in bytes per nanosecond: cwnd grows by alpha × received bytes × (target − delay) / cwnd;
    /// 0 to 10^12. Left out: 4 · a · b · MTU / target delay (UET). The API has no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// Quick adapt needs less than max window / 2^gate to have been acknowledged, 0 to 16. UET: 3.
    #[serde(skip_serializing_if = "defaults::is_nscc_qa_gate")]
    pub qa_gate: u32,
    /// Delay from which quick adapt sets in without a loss, 1 ns to 100 s; left out: never with trimming, 4 target
    /// delays without (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qa_threshold: Option<Time>,
    /// The window is adjusted at the latest after so many received bytes, 1 B to 1 TiB; left out: 8 MTU (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjust_bytes_threshold: Option<Bytes>,
    /// The window is adjusted at the latest after this time, 1 ns to 1 s; left out: the base RTT (UET).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjust_period_threshold: Option<Time>,
    /// Weight of a new sample in the average delay, above 0 and up to 1. UET leaves the filter open; 0.0125 is
    /// uet-htsim's.
    #[serde(skip_serializing_if = "defaults::is_nscc_delay_weight")]
    pub delay_weight: f64,
    /// Delay below which the network counts as idle, 0 to 1 s. UET says "about zero"; 1 µs is uet-htsim's.
    #[serde(skip_serializing_if = "defaults::is_nscc_idle_delay")]
    pub idle_delay: Time,
}

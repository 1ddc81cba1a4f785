//! Clustermapper: agents that probe every link.

use crate::defaults;
use crate::quantity::Time;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Probes of all links by one agent a node, source-routed to a switch and back to itself: all its T0s, and a share of
/// the T1s above them (arXiv:2605.04333 §3). A T0–T1 link is bad when its probes are lost and the T0's are not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Clustermapper {
    /// Time between two rounds of an agent's probes, 10 µs to 100 s. Published: every link every millisecond.
    #[serde(skip_serializing_if = "defaults::is_mapper_interval")]
    pub interval: Time,
    /// Probes of T1s that each agent sends in an interval, 0 to 16384; left out: as many as it takes to cover each
    /// T0–T1 link once an interval, shared among the agents (published: "a subset of T1s", so that all are covered).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t1_probes: Option<u32>,
    /// EVs over a T0–T1 link found bad are denied to all QPs. Off by default: published as unnecessary for
    /// pretraining.
    #[serde(skip_serializing_if = "defaults::is_mapper_denylist")]
    pub denylist: bool,
    /// All QPs of a NIC leave the plane in which its NIC–T0 link is found lossy, and so do their peers. On by default
    /// (published as a policy decision).
    #[serde(skip_serializing_if = "defaults::is_mapper_degraded_planes")]
    pub degraded_planes: bool,
    /// A link is judged by so many of its last probes, 2 to 64. Our choice: 16.
    #[serde(skip_serializing_if = "defaults::is_mapper_window")]
    pub window: u32,
    /// A link is bad when more than this share of the last `window` probes was lost, 0 to below 1. Our choice: 0.25.
    #[serde(skip_serializing_if = "defaults::is_mapper_threshold")]
    pub threshold: f64,
}

//! One run of a host with VMs, from the packet that a guest sends to the wire and back.
//!
//! A guest sends over its VF or its synthetic device (NetVSC, [`NetVsc`]). The SmartNIC ([`gft::Nic`]) matches what comes over
//! the VF; what it does not find goes as an exception to the vSwitch, whose cores run VFP ([`vfp::Port`]) as a queueing resource:
//! what VFP counts ([`vfp::Work`]) costs time by a model. VFP's orders go to the SmartNIC in two phases. Beyond the link are peers
//! that answer at once. TCP with CUBIC ([`tcp`]) carries connections, so that what happens to a path shows in throughput.
//!
//! [`Run`] is a value: it is stepped by time, cloned for snapshots, and two runs of one scenario and seed have one digest. It does
//! no I/O and knows no clock.

mod addresses;
pub mod attack;
mod bounds;
mod build;
mod conn;
mod core;
mod event;
mod guest;
mod histogram;
mod latency;
mod line;
mod loss;
mod metrics;
mod netvsc;
mod packet;
mod path;
mod policy;
mod run;
mod servicing;
mod slab;
mod software;
pub mod tcp;
mod traffic;
mod view;
mod vnic;
mod walks;

pub use bounds::{MOST_CONNECTIONS, MOST_PACKETS};
pub use build::BuildError;
pub use histogram::Histogram;
pub use latency::LatencyModel;
pub use loss::{LOSSES, Loss};
pub use metrics::{
    ConnectionResult, Counters, Delay, Gauges, MAX_DELAYS, MAX_MARKS, MAX_RESULTS, Mark, MarkKind, Metrics,
    Point, TrafficResult,
};
pub use netvsc::{DataPath, NetVsc, Step};
pub use packet::{Owner, Packet, Place, Route};
pub use run::Run;
pub use software::cost_of_packet;
pub use view::{Connection, CoreView};
pub use walks::{KeptWalk, MAX_WALKS};

/// The VM that is meant, or all of `count`.
fn vms_of(vm: Option<u32>, count: usize) -> Vec<u32> {
    match vm {
        Some(vm) => vec![vm],
        None => (0..count as u32).collect(),
    }
}

//! The Virtual Filtering Platform (VFP): a vNIC's policy as layers of groups of rules, and the unified flows compiled from it.
//!
//! The first packet of a flow walks the layers of its [`Port`]. What they do comes to one [`gft::Transposition`] for its
//! packets and one for the answers; the pair goes into the unified flow table, and by way of [`Offload`] into the hardware.
//! A change of policy makes the port's generation one higher; flows are reconciled lazily, with their next packet.
//!
//! Pure state: time is an argument, there is no queue, no clock and no randomness. What operations cost is counted
//! ([`Work`]), not timed. The model is that of facts/accelnet.md, section 1; what is our choice says so.

mod classifier;
mod drop;
mod flows;
mod hash;
mod mapping;
pub mod names;
pub mod nsg;
mod offload;
mod policy;
mod port;
mod settings;
mod snat;
pub mod standard;
mod stats;
mod tcp;
mod walk;
mod work;

pub use classifier::{ClassifierChoice, ClassifierKind, Field};
pub use drop::DropReason;
pub use flows::{TICK, TableMemory};
pub use hash::Distribution;
pub use mapping::{Mapping, MappingSpace, Unmapped};
pub use offload::Offload;
pub use policy::{
    Action, AddressRange, AddressTerm, Backend, CompiledPolicy, Condition, Group, Layer, LayerId, MAX_GROUPS,
    MAX_LAYERS, MAX_RULES, Policy, PolicyError, PoolId, PortRange, Rule, RuleFlags, SpaceId, TagId,
};
pub use port::{Answer, EntryView, Expired, FlowView, InjectedReset, Inspection, Port, Verdict};
pub use settings::{FlowClass, Guard, Limits, MAX_PAIRS, MidStream, OffloadWhen, Settings, Timers};
pub use snat::{BLOCK, Binding, Frontend, PoolSpec, default_ports};
pub use stats::{ClassStats, Counters, FlowStats, MeterCount, Rate};
pub use tcp::FlowState;
pub use walk::{End, GroupOutcome, GroupStep, LayerDecision, LayerStep, Walk};
pub use work::Work;

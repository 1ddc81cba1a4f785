//! What to simulate: the scenario's schema, its validation and expansion, presets, imports and the URL form.
//!
//! A [`Scenario`] is one value that decides a run. It comes from JSON ([`Scenario::from_json`]), from a link
//! ([`link::decode`]), from a preset ([`presets()`]) or from htsim's files ([`htsim`]); [`Scenario::validate`]
//! says all that is wrong with it at once, and [`Scenario::flows`], [`Scenario::jobs`] and [`Scenario::fault_events`]
//! spell it out. A host with VMs has a scenario of its own: [`host::HostScenario`].

mod decimal;
mod defaults;
pub mod expand;
pub mod host;
pub mod htsim;
pub mod json;
mod json_form;
pub mod limits;
pub mod link;
mod nearest;
pub mod place;
pub mod presets;
pub mod problem;
pub mod quantity;
mod rules;
pub mod schema;
mod shape;
mod validate;

pub use expand::{Effect, FaultEvent, Flow, Job, Work};
pub use json::LoadError;
pub use link::LinkError;
pub use nearest::nearest;
pub use place::{LinkName, NameError, SwitchName};
pub use presets::{Preset, find_preset, paper_presets, presets, versus_presets};
pub use problem::Problem;
pub use quantity::{Bytes, QuantityError, Rate, Time};
pub use schema::{
    Balancer, Clustermapper, Collective, Convergence, Dcqcn, DcqcnRule, Direction, Fabric, Fault, FaultKind,
    FlowTuple, Model, Nscc, Pfc, PortStatus, Protocol, Queue, Recovery, Refusal, Roce, Routing, Scenario,
    Tier, Traffic, Transport, VERSION, help,
};

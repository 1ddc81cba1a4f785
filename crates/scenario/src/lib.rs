//! What to simulate: the scenario's schema, its validation and expansion, presets, imports and the URL form.
//!
//! A [`Scenario`] is one value that decides a run. It comes from JSON ([`Scenario::from_json`]), from a link
//! ([`link::decode`]), from a preset ([`presets`]) or from htsim's files ([`htsim`]); [`Scenario::validate`]
//! says all that is wrong with it at once, and [`Scenario::flows`] spells out its traffic.

mod decimal;
mod defaults;
mod json_form;
pub mod place;
pub mod quantity;
pub mod schema;

pub use place::{LinkName, NameError, SwitchName};
pub use quantity::{Bytes, QuantityError, Rate, Time};
pub use schema::{Balancer, Fabric, Fault, FaultKind, Model, Queue, Scenario, Traffic, Transport, VERSION};

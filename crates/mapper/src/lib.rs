//! Clustermapper: agents that probe every cable of the fabric all the time, and a collector that says from the losses
//! which cable or switch is bad (MRC paper; facts section 6). They own no clock, no queue and no I/O: times and numbers go in, probes,
//! losses and verdicts come out.
//!
//! A probe is source-routed by the data plane from a NIC to a T0, T1 or T2 and back to the same NIC, so it needs nobody at
//! the far end. The [`Plan`] says who probes what and when; an [`Agent`] sends a NIC's share and notices which probes do not
//! come back; the [`Collector`] hears of losses only, since what was not lost came back. From a verdict the [`Policy`] makes
//! a [`Denial`]: what QPs shall no longer use.
//!
//! The paper says what is probed, how often, and the rule "T0 probes fine, T1 probes bad: the T0–T1 link is bad". How the
//! work is shared, what counts as bad, and how a switch is told from its cables is our choice.

mod agent;
mod collector;
mod cost;
mod element;
mod judge;
mod plan;
mod policy;
mod problem;
mod share;
mod topology;

pub use agent::{Agent, AgentStats, Loss, Probe};
pub use collector::{Change, Collector};
pub use cost::Load;
pub use element::Element;
pub use plan::{Config, Plan, Target};
pub use policy::{Denial, Denylist, Policy, Route, Stop};
pub use problem::Problem;
pub use topology::Topology;

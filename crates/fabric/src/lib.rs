//! The network between the NICs: topology, links, output queues, switches, SRv6 forwarding and faults.
//!
//! No event is scheduled for a packet or a hop. Time goes in windows no longer than the delay of the shortest link to a
//! switch, and within one every switch is worked off by itself ([`switch`] says why that is exact). An output queue is served lazily: what the line
//! did since the last look is worked out when somebody looks ([`port`]).

mod audit;
pub mod card;
mod class;
pub mod clos;
pub mod common;
pub mod config;
pub mod counters;
mod deadlock;
pub mod edge;
mod faults;
mod hazards;
pub mod network;
mod order;
mod ordered;
pub mod packet;
pub mod part;
pub mod path;
pub mod pfc;
pub mod port;
pub mod routing;
pub mod span;
pub mod switch;
pub mod usid;
mod weighted;
mod wiring;

pub use card::Card;
pub use clos::{Clos, LinkEnd, LinkKind};
pub use common::Common;
pub use config::{Config, LinkClass};
pub use counters::{Counters, DropReason};
pub use edge::Inbox;
pub use faults::Refusal;
pub use network::{Network, Whereabouts};
pub use packet::{Packet, PacketKind};
pub use part::{Cut, Part};
pub use path::hashed::Hashed;
pub use path::{Top, Way};
pub use pfc::Pfc;
pub use routing::{Routing, Scope};

//! The network between the NICs: topology, links, output queues, switches, SRv6 forwarding and faults.
//!
//! One event per packet and hop. An output queue is served lazily: what the line did since the last look is
//! worked out when somebody looks, which is at the latest when the packet before arrives at the far end. See
//! [`port`] for why that is exact.

mod audit;
pub mod clos;
pub mod config;
pub mod counters;
mod faults;
pub mod network;
pub mod packet;
pub mod port;
pub mod usid;
mod warm;

pub use clos::{Clos, LinkEnd, LinkKind};
pub use config::{Config, LinkClass};
pub use counters::{Counters, DropReason};
pub use faults::Refusal;
pub use network::{Arrival, Network};
pub use packet::{Packet, PacketKind};
pub use warm::WARM;

//! The network between the NICs: topology, links, output queues, switches, SRv6 forwarding and faults.
//!
//! One event per packet and hop. An output queue is served lazily: what the line did since the last look is
//! worked out when somebody looks, which is at the latest when the packet before arrives at the far end. See
//! [`port`] for why that is exact.

pub mod clos;
pub mod config;
pub mod counters;
pub mod network;
pub mod packet;
pub mod port;
pub mod usid;

pub use clos::{Clos, LinkEnd, LinkKind};
pub use config::{Config, LinkClass};
pub use counters::{Counters, DropReason};
pub use network::{Arrival, Network, Refusal};
pub use packet::{Packet, PacketKind};

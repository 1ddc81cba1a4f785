//! Packet headers of an MRC fabric, of RoCEv2 and PFC, and of a cloud's tenants, as typed values and as bytes.
//!
//! Each header is one table ([`Header`]) from which its struct, its bytes, its parser and its description
//! come, so that the page's inspector and the parser cannot disagree. [`Frame`] is a whole packet as one value
//! with `parse(emit(frame)) == frame`, [`RoceFrame`] and [`PfcFrame`] are RoCEv2's, and [`TenantFrame`] is the same for what a virtual machine sends, bare or wrapped in
//! VXLAN, NVGRE, IP in GRE or IP in IP; [`layout::describe`] takes any bytes apart, [`sizes`] counts them,
//! [`pcapng`] writes them for Wireshark and [`capture`]
//! reads captures. This crate knows neither time nor simulation.
//!
//! The MRC specification itself was not at hand: layouts follow third-party code and notes that cite its tables,
//! cross-checked against the Ultra Ethernet headers that they descend from. Doubts are named where they apply.
//!
//! ```
//! use wire::{Payload, Tier, Usid, UsidContainer, layout, sizes, usid::BLOCK};
//!
//! // A route of two hops, as the IPv6 address that carries it, and after the first hop.
//! let path = [Usid::new(3, Tier::T0, 1)?, Usid::new(3, Tier::Nic, 4)?];
//! let route = UsidContainer::new(BLOCK, &path)?;
//! assert_eq!(route.to_string(), "fc00:0:6801:7804::");
//! assert_eq!(route.shift().list().to_string(), "p3 nic.4");
//!
//! // A full data packet keeps a link busy for 4262 bytes.
//! assert_eq!(sizes::wire(sizes::data_l3(Payload::new(4096)?, true, false)), 4262);
//!
//! // Any bytes can be described.
//! assert_eq!(layout::describe(&[0; 20])[0].name, "Ethernet");
//! # Ok::<(), wire::WireError>(())
//! ```

mod aeth;
mod bits;
mod bth;
pub mod capture;
pub mod checksum;
pub mod dscp;
mod eeth;
mod error;
mod erth;
pub mod ethernet;
mod ev;
mod frame;
pub mod gre;
mod header;
pub mod icmp;
pub mod icrc;
mod immdt;
pub mod ipv4;
pub mod ipv6;
pub mod layout;
mod meth;
mod neth;
mod opcode;
mod payload;
pub mod pcapng;
mod peth;
pub mod pfc;
mod reth;
pub mod roce;
pub mod seth;
pub mod sizes;
pub mod srh;
pub mod tcp;
pub mod tenant;
mod tseth;
pub mod udp;
pub mod usid;
mod value;
pub mod vlan;
pub mod vxlan;

pub use aeth::{Aeth, Syndrome};
pub use bits::Bits;
pub use bth::{Bth, ENDPOINT_QPN, Psn, Qpn};
pub use dscp::Dscp;
pub use eeth::Eeth;
pub use error::WireError;
pub use erth::{EndpointOp, Erth};
pub use ethernet::{Ethernet, Mac};
pub use ev::Ev;
pub use frame::{Base, Body, Cut, Frame, Link, Network, Segment, Trimmed, Write};
pub use gre::{Gre, GreChecksum, GreKey, GreSequence, NvgreKey};
pub use header::{Field, Header};
pub use icmp::{Icmp, IcmpEcho};
pub use immdt::ImmDt;
pub use ipv4::Ipv4;
pub use ipv6::{Ecn, Ipv6};
pub use meth::Meth;
pub use neth::{NackReason, Neth};
pub use opcode::{Opcode, WriteOpcode};
pub use payload::Payload;
pub use peth::Peth;
pub use pfc::{Pfc, PfcFrame};
pub use reth::Reth;
pub use roce::{
    NakCode, RoceAeth, RoceBase, RoceBody, RoceBth, RoceFrame, RoceNetwork, RoceOpcode, RoceSegment,
    RoceSyndrome, SackPsn,
};
pub use seth::{CcState, Mark, Seth};
pub use srh::{Route, SegmentList, SegmentsLeft, Srh};
pub use tcp::{Tcp, TcpOptions};
pub use tenant::TenantFrame;
pub use tseth::{TIMESTAMP_TICK_NS, Tseth};
pub use udp::Udp;
pub use usid::{Tier, Usid, UsidContainer};
pub use value::Value;
pub use vlan::Vlan;
pub use vxlan::Vxlan;

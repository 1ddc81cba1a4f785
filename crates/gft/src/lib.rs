//! The Generic Flow Table (GFT): what is matched exactly, what is done to the headers then, and the hardware that holds it.
//!
//! A flow is named by a [`FlowKey`]; its action is one [`Transposition`] of the packet's [`Headers`]. VFP compiles a policy
//! down to pairs of these, software and hardware apply the very same value. This crate knows no policy and no clock.

mod address;
mod headers;
mod key;
mod transposition;

pub use address::{Address, AddressError, Prefix};
pub use headers::{Encap, EncapKind, Headers, MAX_ENCAPS, Mac, TcpFlags};
pub use key::{Direction, FlowKey, Protocol, Tuple};
pub use transposition::{TransposeError, Transposition};

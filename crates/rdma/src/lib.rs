//! What the RDMA transports share: the messages of a QP, windows of PSNs, and the states of a QP.

pub mod psn_bits;
pub mod state;
pub mod stream;

pub use psn_bits::PsnBits;
pub use state::{QpError, QpState};
pub use stream::{Part, Stream};

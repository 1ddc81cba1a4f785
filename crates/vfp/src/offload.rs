//! What the hardware is to do. A port says it by values and never calls the hardware.

use gft::{CopyFlags, Flow};

/// Copies that TCP tracking needs: SYN, FIN and RST, and what comes after a FIN, so that the last acknowledgment is seen.
pub(crate) const TCP_COPIES: CopyFlags = CopyFlags::WHEN_TCP_FLAG_SET.with(CopyFlags::AFTER_TCP_FIN);

/// A command to the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offload {
    /// Add these entries, first that of the packet's own way. The second is missing when answers do not come through.
    Install {
        /// The flow's handle; both entries carry it.
        handle: u32,
        /// Forward, answer.
        flows: [Option<Flow>; 2],
    },
    /// Put these in place of all entries with the handle.
    Update {
        /// The flow's handle.
        handle: u32,
        /// Forward, answer.
        flows: [Option<Flow>; 2],
    },
    /// Remove all entries with the handle.
    Remove {
        /// The flow's handle.
        handle: u32,
    },
}

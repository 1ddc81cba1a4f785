//! Priority flow control (IEEE 802.1Qbb): lossless switches.

use crate::config::LinkClass;
use kernel::Time;

/// Settings of priority flow control for the data class. Every port of every switch counts the data that came in by it and has not yet
/// left the switch; the neighbour is paused above one length and goes on below another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pfc {
    /// Bytes that came in at one port above which its neighbour is paused.
    pub xoff: u32,
    /// Bytes down to which they must fall until it may go on; at most `xoff`.
    pub xon: u32,
    /// Bytes beyond `xoff` for which each port has room; none: as many as can still come ([`Pfc::derived_headroom`]).
    pub headroom: Option<u32>,
    /// Wire bytes of the largest packet of any class.
    pub largest: u16,
    /// Wire bytes of a PAUSE frame: 64 B, and 20 B of preamble and gap where they are counted.
    pub frame: u16,
}

impl Pfc {
    /// The most bytes that can still come over `incoming` once there are more than `xoff`, when the PAUSE goes by `back`.
    ///
    /// The packet that crosses `xoff` may do so with all of its bytes. At that very time the largest packet may have
    /// begun to leave in the other direction, and PAUSE waits for its end; then it is sent itself, and travels. There the largest
    /// packet may have begun to leave, which is sent to its end and travels likewise.
    pub fn derived_headroom(&self, incoming: &LinkClass, back: &LinkClass) -> u32 {
        let until_heard = back.serialise(self.largest) + back.serialise(self.frame) + back.delay;
        let until_quiet = until_heard + incoming.serialise(self.largest) + incoming.delay;
        let bytes = u64::from(self.largest) + incoming.most_in(until_quiet);
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

//! A port: the sending side of one directed link, and what is coming in on the same cable.
//!
//! # Sending
//!
//! Two queues in strict priority and the line. Nothing is scheduled: service is replayed up to a time whenever somebody
//! needs to know ([`Part::serve`](crate::part::Part)): the packet in service ends, and the next one starts at the very
//! picosecond at which the line became free. This is exact, because whoever changes the queues (an arriving packet, a
//! fault) has the line replayed first, so each decision is made with the queues as they were at the time of the decision.
//! When the line becomes free at the very time at which a packet arrives, the line goes first (our choice).
//!
//! # Coming in
//!
//! A packet whose service starts is put on the far port's incoming lists with its time of arrival, which lies more than a
//! link delay ahead. When its service ends it may still get an ECN mark there: marking looks at the queue that is left
//! behind. See [`crate::switch`] for why both are early enough.

use crate::clos::LinkKind;
use kernel::Fifo;

/// Bits of [`Port::state`].
pub mod state {
    /// A packet is in service: the last one on its way to the far end.
    pub const BUSY: u8 = 1;
    /// The link is down.
    pub const DOWN: u8 = 2;
    /// Packets crossing the link are lost, or damaged and so dropped at the far end, at random.
    pub const LOSSY: u8 = 4;
    /// The switch at the far end is dead.
    pub const TO_DEAD: u8 = 8;
    /// The packet in service is of the control class.
    pub const SERVING_CONTROL: u8 = 16;
    /// The neighbour has paused data ([`crate::pfc`]).
    pub const PAUSED: u8 = 128;
    // The bits LOSSY and TO_DEAD of the link that comes in: who receives decides what is lost.
    pub(crate) const LOSSY_IN: u8 = LOSSY << TO_IN;
    pub(crate) const DEAD_IN: u8 = TO_DEAD << TO_IN;
    pub(crate) const TO_IN: u8 = 3;
}

/// One port; one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Port {
    /// When the packet in service leaves the line, in ps; when the last one left, while none is.
    pub free_at: u64,
    pub(crate) data: Fifo,
    pub(crate) control: Fifo,
    pub(crate) data_in: Fifo,
    pub(crate) control_in: Fifo,
    /// Bytes of the data class, waiting and in service.
    pub data_bytes: u32,
    /// Bytes of the control class, waiting and in service.
    pub control_bytes: u32,
    /// Bytes sent since the start, those of the packet in service included.
    pub tx_bytes: u64,
    /// Packets sent since the start, the one in service included, modulo 2^32.
    pub tx_packets: u32,
    /// Kind of hop.
    pub kind: LinkKind,
    /// See [`state`].
    pub state: u8,
    // Bytes of the packet in service.
    pub(crate) serving: u16,
}

impl Port {
    /// An idle port.
    pub const fn new(kind: LinkKind) -> Port {
        Port {
            free_at: 0,
            data: Fifo::EMPTY,
            control: Fifo::EMPTY,
            data_in: Fifo::EMPTY,
            control_in: Fifo::EMPTY,
            data_bytes: 0,
            control_bytes: 0,
            tx_bytes: 0,
            tx_packets: 0,
            kind,
            state: 0,
            serving: 0,
        }
    }

    /// True when a data packet waits for the line.
    #[inline]
    pub const fn has_data_waiting(&self) -> bool {
        !self.data.is_empty()
    }

    /// True when any bit of `mask` is set.
    #[inline]
    pub const fn is(&self, mask: u8) -> bool {
        self.state & mask != 0
    }

    /// The bits of the link that comes in.
    #[inline]
    pub(crate) const fn state_in(&self) -> u8 {
        self.state & (state::LOSSY_IN | state::DEAD_IN)
    }

    /// When the packet in service leaves the line; `u64::MAX` while the line is free.
    #[inline]
    pub(crate) const fn service_ends(&self) -> u64 {
        if self.is(state::BUSY) {
            self.free_at
        } else {
            u64::MAX
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cache_line() {
        assert_eq!(size_of::<Port>(), 64);
    }
}

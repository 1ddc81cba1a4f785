//! An output port: two queues in strict priority, the line, and the wire behind it.
//!
//! # Lazy service
//!
//! A port has at most one pending event: the arrival of the first packet on its wire. Service is worked out by
//! [`Port::settle`], which replays what the line did up to a time: it ends the packet in service, marks it, and
//! starts the next one at the very picosecond at which the line became free. This is exact, because
//!
//! - whoever changes the queues (an arriving packet, a fault) settles the port first, so each decision is made with
//!   the queues as they were at the time of the decision;
//! - a packet that starts when its predecessor ends is started at the latest when the predecessor arrives, one
//!   link delay later, and then its own arrival still lies ahead by its serialisation time.
//!
//! When the line becomes free at the very time at which a packet arrives, the line goes first (our choice).

use crate::clos::LinkKind;
use crate::config::LinkClass;
use crate::packet::{NONE, Packet, flags};
use kernel::Slab;
use kernel::rng::{below, draw};

/// A first-in first-out list threaded through the packets.
#[derive(Clone, Copy, Debug)]
pub struct Fifo {
    head: u32,
    tail: u32,
}

impl Fifo {
    /// The list with nothing on it.
    pub const EMPTY: Fifo = Fifo {
        head: NONE,
        tail: NONE,
    };

    /// The first packet.
    #[inline]
    pub const fn head(&self) -> Option<u32> {
        if self.head == NONE { None } else { Some(self.head) }
    }

    /// The last packet.
    #[inline]
    pub const fn tail(&self) -> Option<u32> {
        if self.head == NONE { None } else { Some(self.tail) }
    }

    /// Appends a packet.
    #[inline]
    pub fn push(&mut self, packets: &mut Slab<Packet>, handle: u32) {
        packets[handle].next = NONE;
        if self.head == NONE {
            self.head = handle;
        } else {
            packets[self.tail].next = handle;
        }
        self.tail = handle;
    }

    /// Takes the first packet.
    #[inline]
    pub fn pop(&mut self, packets: &Slab<Packet>) -> Option<u32> {
        let head = self.head()?;
        self.head = packets[head].next;
        Some(head)
    }

    /// The packets in order.
    pub fn iter<'a>(&self, packets: &'a Slab<Packet>) -> impl Iterator<Item = u32> + use<'a> {
        let mut next = self.head;
        core::iter::from_fn(move || {
            let handle = next;
            if handle == NONE {
                return None;
            }
            next = packets[handle].next;
            Some(handle)
        })
    }
}

/// Bits of [`Port::state`].
pub mod state {
    /// A packet is in service: the last one on the wire.
    pub const BUSY: u8 = 1;
    /// The link is down.
    pub const DOWN: u8 = 2;
    /// Packets crossing the link are lost at random.
    pub const LOSSY: u8 = 4;
    /// The switch at the far end is dead.
    pub const TO_DEAD: u8 = 8;
}

/// The sending side of one directed link; one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Port {
    /// When the packet in service leaves the line, in ps.
    pub free_at: u64,
    /// Data packets waiting.
    pub data: Fifo,
    /// Control packets waiting.
    pub control: Fifo,
    /// Packets in service (the last one, while busy) and on the wire.
    pub wire: Fifo,
    /// Bytes of the data class, waiting and in service.
    pub data_bytes: u32,
    /// Bytes of the control class, waiting and in service.
    pub control_bytes: u32,
    /// Bytes sent since the start.
    pub tx_bytes: u64,
    /// Packets sent since the start.
    pub tx_packets: u32,
    /// The far end: a switch's uSID, or a NIC's number.
    pub to: u32,
    /// Kind of hop.
    pub kind: LinkKind,
    /// See [`state`].
    pub state: u8,
}

impl Port {
    /// An idle port.
    pub const fn new(kind: LinkKind, to: u32) -> Port {
        Port {
            free_at: 0,
            data: Fifo::EMPTY,
            control: Fifo::EMPTY,
            wire: Fifo::EMPTY,
            data_bytes: 0,
            control_bytes: 0,
            tx_bytes: 0,
            tx_packets: 0,
            to,
            kind,
            state: 0,
        }
    }

    /// The packets that the next event here, and settling before it, will look at: first on the wire, last on it, first
    /// of the data queue; [`NONE`] for those that are not there.
    #[inline]
    pub const fn needs(&self) -> [u32; 3] {
        if self.wire.head == NONE {
            return [NONE; 3];
        }
        [self.wire.head, self.wire.tail, self.data.head]
    }

    /// True when all bits of `mask` are set.
    #[inline]
    pub const fn is(&self, mask: u8) -> bool {
        self.state & mask != 0
    }

    /// Starts sending `handle` at `at`. The line must be free then.
    #[inline]
    pub fn start(&mut self, packets: &mut Slab<Packet>, class: &LinkClass, handle: u32, at: u64) {
        debug_assert!(!self.is(state::BUSY) && self.free_at <= at);
        let packet = &mut packets[handle];
        self.free_at = at + class.serialise(packet.size).0;
        packet.at = self.free_at + class.delay.0;
        if self.is(state::DOWN) {
            packet.flags |= flags::DOOMED;
        }
        self.tx_bytes += u64::from(packet.size);
        self.tx_packets = self.tx_packets.wrapping_add(1);
        self.state |= state::BUSY;
        self.wire.push(packets, handle);
    }

    /// Replays the line up to `now`. Returns how many packets got an ECN mark. `key` is this port's key for draws.
    #[inline]
    pub fn settle(&mut self, packets: &mut Slab<Packet>, class: &LinkClass, key: u64, now: u64) -> u32 {
        let mut marks = 0;
        while self.is(state::BUSY) && self.free_at <= now {
            marks += u32::from(self.end_service(packets, class, key));
            let at = self.free_at;
            if let Some(next) = self.control.pop(packets).or_else(|| self.data.pop(packets)) {
                self.start(packets, class, next, at);
            }
        }
        marks
    }

    /// The packet in service has left the line. Marking looks at the queue that it leaves behind.
    #[inline]
    fn end_service(&mut self, packets: &mut Slab<Packet>, class: &LinkClass, key: u64) -> bool {
        self.state &= !state::BUSY;
        let packet = &mut packets[self.wire.tail];
        let size = u32::from(packet.size);
        if packet.is_control() {
            self.control_bytes -= size;
            return false;
        }
        self.data_bytes -= size;
        if self.data_bytes <= class.ecn_min {
            return false;
        }
        let marked = self.data_bytes > class.ecn_max || {
            let span = u64::from(class.ecn_max - class.ecn_min);
            below(draw(key, u64::from(self.tx_packets)), span) < u64::from(self.data_bytes - class.ecn_min)
        };
        if marked {
            packet.flags |= flags::ECN;
        }
        marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Time;

    fn packet(psn: u32, size: u16, control: bool) -> Packet {
        Packet {
            psn,
            size,
            flags: if control { flags::CONTROL } else { 0 },
            ..Packet::default()
        }
    }

    #[test]
    fn one_cache_line() {
        assert_eq!(size_of::<Port>(), 64);
    }

    #[test]
    fn control_goes_first_but_does_not_interrupt() {
        let class = LinkClass::new(100_000_000_000, Time(500_000));
        let mut packets = Slab::new();
        let mut port = Port::new(LinkKind::Up, 0);
        let first = packets.insert(packet(0, 1000, false));
        port.data_bytes = 1000;
        port.start(&mut packets, &class, first, 0);
        for (psn, control) in [(1, false), (2, false), (3, true)] {
            let handle = packets.insert(packet(psn, if control { 100 } else { 1000 }, control));
            if control {
                port.control_bytes += 100;
                port.control.push(&mut packets, handle);
            } else {
                port.data_bytes += 1000;
                port.data.push(&mut packets, handle);
            }
        }
        port.settle(&mut packets, &class, 0, 1_000_000);
        // 1,000 B take 80 ns and 100 B take 8 ns at 100 Gb/s; the wire adds 500 ns.
        let sent: Vec<(u32, u64)> = port
            .wire
            .iter(&packets)
            .map(|h| (packets[h].psn, packets[h].at))
            .collect();
        assert_eq!(sent, [(0, 580_000), (3, 588_000), (1, 668_000), (2, 748_000)]);
        assert_eq!((port.data_bytes, port.control_bytes), (0, 0));
        assert!(!port.is(state::BUSY));
    }

    #[test]
    fn settling_often_or_once_gives_the_same() {
        let mut class = LinkClass::new(400_000_000_000, Time(1_000_000));
        class.ecn_min = 10_000;
        class.ecn_max = 60_000;
        let run = |steps: &[u64]| {
            let mut packets = Slab::new();
            let mut port = Port::new(LinkKind::Up, 0);
            let first = packets.insert(packet(0, 4150, false));
            port.data_bytes = 4150;
            port.start(&mut packets, &class, first, 0);
            for psn in 1..20 {
                let handle = packets.insert(packet(psn, 4150, false));
                port.data_bytes += 4150;
                port.data.push(&mut packets, handle);
            }
            let marks: u32 = steps
                .iter()
                .map(|&t| port.settle(&mut packets, &class, 77, t))
                .sum();
            let wire: Vec<Packet> = port.wire.iter(&packets).map(|h| packets[h]).collect();
            (marks, wire)
        };
        let once = run(&[5_000_000]);
        let often: Vec<u64> = (0..5_000).map(|i| i * 1_000).chain([5_000_000]).collect();
        assert_eq!(run(&often), once);
        // With 19 packets behind it the first is surely marked, the last ones (≤ 10,000 B left) never.
        assert!(once.1[0].has(flags::ECN) && !once.1[18].has(flags::ECN));
    }
}

//! A part of the fabric in motion: its ports, the packets in them, and what happens at one port.

use crate::clos::LinkKind;
use crate::common::Common;
use crate::config::LinkClass;
use crate::counters::{Counters, DropReason};
use crate::fifo::{Fifo, Pool};
use crate::network::Observer;
use crate::packet::{Control, Data, Packet, PacketKind, flags};
use crate::port::{Port, state};
use crate::span::{Place, Span};
use crate::switch::Scratch;
use kernel::Time;
use kernel::rng::{below, draw};

/// Up to and including which event a window goes: every event before `at`, and those at `at` up to this tie key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// Time in ps.
    pub at: u64,
    /// See [`kernel::TieRule::key`].
    pub key: u64,
}

impl Cut {
    /// All events up to and including `at`.
    pub const fn after(at: u64) -> Cut {
        Cut { at, key: u64::MAX }
    }

    #[inline]
    pub(crate) fn admits(&self, common: &Common, at: u64, link: u32) -> bool {
        at < self.at || at == self.at && (self.key == u64::MAX || common.ties.key(Time(at), link) <= self.key)
    }
}

/// Where the packets go that leave a port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    /// The part.
    pub part: u32,
    /// The port at the far end, in that part.
    pub port: u32,
    /// Who is there.
    pub place: Place,
}

/// A port at work: the directed link that leaves it, and where it leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub link: u32,
    pub far: Far,
}

/// Packets for another part, to be handed over when the window is done.
#[derive(Clone, Debug, Default)]
pub struct Parcel {
    data: Vec<(u32, Place, u64, Data)>,
    control: Vec<(u32, Place, u64, Control)>,
}

/// A part of the fabric. What two parts do within a window does not depend on each other, so they can be worked on by
/// two threads.
#[derive(Clone, Debug)]
pub struct Part {
    pub(crate) span: Span,
    number: u32,
    pub(crate) ports: Vec<Port>,
    pub(crate) data: Pool<Data, 6>,
    pub(crate) control: Pool<Control, 1>,
    /// When the next thing happens at each place: a packet comes in or leaves the line. Never too late.
    pub(crate) due: Vec<u64>,
    pub(crate) counters: Counters,
    pub(crate) digest: u64,
    pub(crate) ties: u64,
    // Links with drops and trims of this window, for the network's tables.
    pub(crate) dropped: Vec<(u32, DropReason)>,
    pub(crate) trimmed: Vec<u32>,
    parcels: Vec<Parcel>,
    pub(crate) scratch: Scratch,
}

impl Part {
    pub(crate) fn new(common: &Common, number: usize) -> Part {
        let span = common.spans[number].clone();
        let mut ports = vec![Port::new(LinkKind::NicUp); span.ports() as usize];
        let clos = common.clos();
        for plane in 0..clos.planes {
            for nic in span.nics() {
                ports[span.nic_down(plane, nic) as usize].kind = LinkKind::NicDown;
            }
            for t0 in span.racks.clone() {
                let first = span.up(plane, t0, 0) as usize;
                ports[first..first + clos.t1s as usize].fill(Port::new(LinkKind::Up));
            }
            for t1 in span.t1s.clone() {
                let first = span.down(plane, t1, 0) as usize;
                ports[first..first + clos.t0s as usize].fill(Port::new(LinkKind::Down));
            }
        }
        Part {
            number: number as u32,
            due: vec![u64::MAX; span.places() as usize],
            ports,
            data: Pool::new(),
            control: Pool::new(),
            counters: Counters::default(),
            digest: 0,
            ties: 0,
            dropped: Vec::new(),
            trimmed: Vec::new(),
            parcels: vec![Parcel::default(); common.spans.len()],
            scratch: Scratch::default(),
            span,
        }
    }

    /// Its racks and T1s.
    pub fn span(&self) -> &Span {
        &self.span
    }

    #[inline]
    pub(crate) const fn number(&self) -> u32 {
        self.number
    }

    /// When the next thing happens here, in ps: a packet comes in or leaves a line; `u64::MAX` when nothing does.
    pub fn next_due(&self) -> u64 {
        self.due.iter().copied().min().unwrap_or(u64::MAX)
    }

    /// Takes the packets for part `number` out, leaving `empty` in their place.
    pub fn swap_parcel(&mut self, number: usize, empty: &mut Parcel) {
        core::mem::swap(&mut self.parcels[number], empty);
    }

    /// Puts packets that another part sent onto the incoming lists. The parcel is empty afterwards.
    pub fn unpack(&mut self, parcel: &mut Parcel) {
        for (port, place, at, packet) in parcel.data.drain(..) {
            self.data.push(&mut self.ports[port as usize].data_in, at, packet);
            self.hasten(place, at);
        }
        for (port, place, at, packet) in parcel.control.drain(..) {
            self.control
                .push(&mut self.ports[port as usize].control_in, at, packet);
            self.hasten(place, at);
        }
    }

    #[inline]
    pub(crate) fn hasten(&mut self, place: Place, at: u64) {
        let due = &mut self.due[place as usize];
        *due = (*due).min(at);
    }

    /// Replays the line of `port` up to and including `to`.
    #[inline]
    pub(crate) fn serve(&mut self, common: &Common, port: &mut Port, line: &Line, to: u64) {
        if port.service_ends() > to {
            return;
        }
        self.serve_on(common, port, line, to);
    }

    fn serve_on(&mut self, common: &Common, port: &mut Port, line: &Line, to: u64) {
        let class = common.config.class(port.kind);
        while port.service_ends() <= to {
            let at = port.free_at + class.delay.0;
            if port.is(state::SERVING_CONTROL) {
                let packet = self.control.pop(&mut port.control).expect("it is in service");
                port.control_bytes -= u32::from(packet.size);
                self.leave_control(&line.far, at, packet);
            } else {
                let mut packet = self.data.pop(&mut port.data).expect("it is in service");
                port.data_bytes -= u32::from(packet.size);
                if port.data_bytes > class.ecn_min && marked(port, class, common.port_key(line.link)) {
                    packet.flags |= flags::ECN;
                    self.counters.ecn_marks += 1;
                }
                self.leave_data(&line.far, at, packet);
            }
            port.state &= !(state::BUSY | state::SERVING_CONTROL);
            let now = port.free_at;
            if !port.control.is_empty() {
                self.start_control(class, port, now);
            } else if !port.data.is_empty() {
                self.start_data(class, port, now);
            }
        }
    }

    #[inline]
    fn leave_data(&mut self, far: &Far, at: u64, packet: Data) {
        if far.part == self.number {
            self.data
                .push(&mut self.ports[far.port as usize].data_in, at, packet);
            self.hasten(far.place, at);
        } else {
            let parcel = &mut self.parcels[far.part as usize];
            parcel.data.push((far.port, far.place, at, packet));
        }
    }

    #[inline]
    fn leave_control(&mut self, far: &Far, at: u64, packet: Control) {
        if far.part == self.number {
            self.control
                .push(&mut self.ports[far.port as usize].control_in, at, packet);
            self.hasten(far.place, at);
        } else {
            let parcel = &mut self.parcels[far.part as usize];
            parcel.control.push((far.port, far.place, at, packet));
        }
    }

    /// Starts to send the first data packet at `now`, when the line is free.
    #[inline]
    fn start_data(&mut self, class: &LinkClass, port: &mut Port, now: u64) {
        let packet = self.data.front_mut(port.data).expect("there is one to send");
        if port.is(state::DOWN) {
            packet.flags |= flags::DOOMED;
        }
        let size = packet.size;
        begin(class, port, size, now);
    }

    #[inline]
    fn start_control(&mut self, class: &LinkClass, port: &mut Port, now: u64) {
        let packet = self
            .control
            .front_mut(port.control)
            .expect("there is one to send");
        if port.is(state::DOWN) {
            packet.flags |= flags::DOOMED;
        }
        let size = packet.size;
        port.state |= state::SERVING_CONTROL;
        begin(class, port, size, now);
    }

    /// A switch puts a data packet on the queue of one of its ports. The line was served up to `now`.
    #[inline]
    pub(crate) fn enqueue_data<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        port: &mut Port,
        link: u32,
        packet: Data,
        now: u64,
    ) {
        let class = common.config.class(port.kind);
        let size = u32::from(packet.size);
        if port.is(state::DOWN) {
            return self.discard(watcher, link, &Packet::from(&packet), now, DropReason::LinkDown);
        }
        if port.data_bytes + size > class.data_limit {
            return self.overflow(common, watcher, port, link, packet, now);
        }
        self.add_data(class, port, packet, now);
    }

    /// Puts a data packet on a queue that has room for it.
    #[inline]
    pub(crate) fn add_data(&mut self, class: &LinkClass, port: &mut Port, packet: Data, now: u64) {
        port.data_bytes += u32::from(packet.size);
        self.data.push(&mut port.data, 0, packet);
        if !port.is(state::BUSY) {
            self.start_data(class, port, now);
        }
    }

    /// A data packet meets a full queue.
    #[cold]
    fn overflow<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        port: &mut Port,
        link: u32,
        mut packet: Data,
        now: u64,
    ) {
        if !common.config.trimming {
            return self.discard(watcher, link, &Packet::from(&packet), now, DropReason::QueueFull);
        }
        let coin = common.config.trim_coin && draw(common.port_key(link) ^ 2, now) & 1 == 1;
        let serving_data = port.is(state::BUSY) && !port.is(state::SERVING_CONTROL);
        let one_waits = !(port.data.is_empty() || serving_data && port.data.has_one());
        if let Some(tail) = self.data.back_mut(port.data).filter(|_| coin && one_waits) {
            // The arriving packet takes the place of the one at the tail.
            port.data_bytes = port.data_bytes + u32::from(packet.size) - u32::from(tail.size);
            core::mem::swap(tail, &mut packet);
        }
        let mut trimmed = Packet::from(&packet);
        trimmed.flags |= flags::CONTROL | flags::TRIMMED;
        trimmed.size = common.config.trimmed_size.min(trimmed.size);
        if port.kind == LinkKind::NicDown {
            trimmed.flags |= flags::TRIMMED_LAST_HOP;
            self.counters.trims_last_hop += 1;
        } else {
            self.counters.trims += 1;
        }
        self.trimmed.push(link);
        watcher.trimmed(Time(now), link, &trimmed);
        self.enqueue_control(common, watcher, port, link, Control::from(&trimmed), now);
    }

    /// Puts a packet of the control class on a port's queue. The line was served up to `now`.
    #[inline]
    pub(crate) fn enqueue_control<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        port: &mut Port,
        link: u32,
        packet: Control,
        now: u64,
    ) {
        let class = common.config.class(port.kind);
        let size = u32::from(packet.size);
        if port.is(state::DOWN) && port.kind != LinkKind::NicUp {
            return self.discard(watcher, link, &Packet::from(&packet), now, DropReason::LinkDown);
        }
        if port.control_bytes + size > class.control_limit {
            return self.discard(
                watcher,
                link,
                &Packet::from(&packet),
                now,
                DropReason::ControlQueueFull,
            );
        }
        port.control_bytes += size;
        self.control.push(&mut port.control, 0, packet);
        if !port.is(state::BUSY) {
            self.start_control(class, port, now);
        }
    }

    #[cold]
    pub(crate) fn discard<O: Observer>(
        &mut self,
        watcher: &mut O,
        link: u32,
        packet: &Packet,
        now: u64,
        reason: DropReason,
    ) {
        self.counters.drops[reason as usize] += 1;
        self.dropped.push((link, reason));
        let hash = crossing_hash(now, !link, packet.conn, packet.psn, packet.flags, packet.kind);
        self.digest = self.digest.wrapping_add(hash);
        watcher.dropped(Time(now), link, packet, reason);
    }

    /// Drops everything on a list of data packets.
    pub(crate) fn discard_data<O: Observer>(
        &mut self,
        watcher: &mut O,
        link: u32,
        mut list: Fifo,
        now: u64,
        reason: DropReason,
    ) {
        while let Some(packet) = self.data.pop(&mut list) {
            self.discard(watcher, link, &Packet::from(&packet), now, reason);
        }
    }

    /// Drops everything on a list of control packets.
    pub(crate) fn discard_control<O: Observer>(
        &mut self,
        watcher: &mut O,
        link: u32,
        mut list: Fifo,
        now: u64,
        reason: DropReason,
    ) {
        while let Some(packet) = self.control.pop(&mut list) {
            self.discard(watcher, link, &Packet::from(&packet), now, reason);
        }
    }

    /// Packets on all lists here.
    pub fn packets(&self) -> usize {
        self.data.len() + self.control.len()
    }
}

#[inline]
fn begin(class: &LinkClass, port: &mut Port, size: u16, now: u64) {
    debug_assert!(!port.is(state::BUSY) && port.free_at <= now);
    port.free_at = now + class.serialise(size).0;
    port.tx_bytes += u64::from(size);
    port.tx_packets = port.tx_packets.wrapping_add(1);
    port.state |= state::BUSY;
}

/// Whether the data packet that has left the line gets an ECN mark: it looks at the queue that it leaves behind.
#[inline]
fn marked(port: &Port, class: &LinkClass, key: u64) -> bool {
    port.data_bytes > class.ecn_max || {
        let span = u64::from(class.ecn_max - class.ecn_min);
        below(draw(key, u64::from(port.tx_packets)), span) < u64::from(port.data_bytes - class.ecn_min)
    }
}

/// One link crossing as a number.
#[inline]
pub(crate) fn crossing_hash(now: u64, link: u32, conn: u32, psn: u32, bits: u8, kind: PacketKind) -> u64 {
    let what = u64::from(conn) << 32 | u64::from(psn);
    let place = u64::from(link) << 32 | u64::from(bits) << 8 | kind as u64;
    let product = u128::from(now ^ what.rotate_left(24) ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(place ^ what ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

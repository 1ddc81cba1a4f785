//! A part of the fabric in motion: its ports, the packets in them, and what happens at one port.

use crate::class::{Class, Header};
use crate::clos::LinkKind;
use crate::common::{COIN, Common};
use crate::config::{LinkClass, WHOLE};
use crate::counters::{Counters, DropReason};
use crate::network::Observer;
use crate::ordered::Agenda;
use crate::packet::{Control, Data, Packet, flags};
use crate::pfc::{self, Gauge};
use crate::port::{Port, state};
use crate::span::{Place, Span};
use crate::switch::Scratch;
use crate::weighted;
use kernel::rng::{below, draw};
use kernel::{Fifo, Pool, Time, prefetch};

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
pub(crate) struct Line<'a> {
    pub link: u32,
    pub class: &'a LinkClass,
    pub far: Far,
}

/// Packets for another part, to be handed over when the window is done.
#[derive(Clone, Debug)]
pub(crate) struct Parcel {
    data: Vec<(Far, Parcelled)>,
    control: Vec<(Far, u64, Control)>,
    // When the first packet in it arrives; `u64::MAX` when there is none.
    first_at: u64,
}

impl Default for Parcel {
    fn default() -> Self {
        Parcel {
            data: Vec::new(),
            control: Vec::new(),
            first_at: u64::MAX,
        }
    }
}

impl Parcel {
    pub(crate) fn is_empty(&self) -> bool {
        self.data.is_empty() && self.control.is_empty()
    }
}

#[derive(Clone, Copy, Debug)]
enum Parcelled {
    Packet(u64, Data),
    // The packet sent last over the same link left a long queue behind.
    Mark,
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
    pub(crate) lost_on_arrival: u64,
    // Links with drops and trims of this window, for the network's tables.
    pub(crate) dropped: Vec<(u32, DropReason)>,
    pub(crate) trimmed: Vec<u32>,
    // For and from each part.
    pub(crate) parcels: Vec<Parcel>,
    pub(crate) received: Vec<Parcel>,
    pub(crate) scratch: Scratch,
    pub(crate) agenda: Agenda,
    // By port, where data is lossless; otherwise empty.
    pub(crate) gauges: Vec<Gauge>,
    // By port, where any kind of link has a weight for control packets; otherwise empty.
    pub(crate) turns: Vec<u64>,
}

impl Part {
    pub(crate) fn new(common: &Common, number: usize) -> Part {
        let span = common.spans[number].clone();
        let mut ports = vec![Port::new(LinkKind::NicUp); span.ports() as usize];
        let clos = common.clos();
        let mut fill = |first: u32, count: u32, kind| {
            ports[first as usize..(first + count) as usize].fill(Port::new(kind));
        };
        for plane in 0..clos.planes {
            let first = span.nics().start;
            fill(
                span.nic_down(plane, first),
                span.nics().len() as u32,
                LinkKind::NicDown,
            );
            for t0 in span.racks.clone() {
                fill(span.up(plane, t0, 0), clos.t1s_per_pod(), LinkKind::Up);
            }
            for t1 in span.t1s.clone() {
                fill(span.down(plane, t1, 0), clos.t0s_per_pod(), LinkKind::Down);
                fill(span.core_up(plane, t1, 0), clos.t2s_per_t1(), LinkKind::CoreUp);
            }
            for t2 in span.t2s.clone() {
                fill(span.core_down(plane, t2, 0), clos.pods, LinkKind::CoreDown);
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
            lost_on_arrival: 0,
            dropped: Vec::new(),
            trimmed: Vec::new(),
            parcels: vec![Parcel::default(); common.spans.len()],
            received: vec![Parcel::default(); common.spans.len()],
            scratch: Scratch::default(),
            agenda: Agenda::default(),
            gauges: pfc::gauges(common, number),
            turns: weighted::turns(common, &span),
            span,
        }
    }

    /// Its racks, T1s and T2s.
    pub fn span(&self) -> &Span {
        &self.span
    }

    #[inline]
    pub(crate) const fn number(&self) -> u32 {
        self.number
    }

    /// Packets that have crossed a link here so far.
    #[inline]
    pub fn packet_hops(&self) -> u64 {
        self.counters.packet_hops
    }

    /// When the next thing happens here, in ps: a packet comes in or leaves a line; `u64::MAX` when nothing does.
    pub fn next_due(&self) -> u64 {
        let here = self.due.iter().copied().min().unwrap_or(u64::MAX);
        let received = self.received.iter().map(|parcel| parcel.first_at);
        received.fold(here, u64::min)
    }

    /// Puts the packets that other parts have sent, and [`Network::exchange`](crate::Network::exchange) has brought, onto the
    /// incoming lists.
    pub fn unpack(&mut self) {
        for number in 0..self.received.len() {
            let mut parcel = core::mem::take(&mut self.received[number]);
            self.unpack_one(&mut parcel);
            // Its memory is used again.
            self.received[number] = parcel;
        }
    }

    fn unpack_one(&mut self, parcel: &mut Parcel) {
        // Far enough ahead for memory to answer, near enough to be still there.
        for (i, (far, what)) in parcel.data.iter().enumerate() {
            if let Some((coming, _)) = parcel.data.get(i + 16) {
                prefetch(&self.ports[coming.port as usize].free_at);
            }
            if let Some((coming, _)) = parcel.data.get(i + 8) {
                self.data.expect_push(self.ports[coming.port as usize].data_in);
            }
            let list = &mut self.ports[far.port as usize].data_in;
            match what {
                Parcelled::Packet(at, packet) => {
                    self.data.push(list, *at, *packet);
                    self.hasten(far.place, *at);
                }
                Parcelled::Mark => mark(self.data.back_mut(*list)),
            }
        }
        for (far, at, packet) in &parcel.control {
            let list = &mut self.ports[far.port as usize].control_in;
            self.control.push(list, *at, *packet);
            self.hasten(far.place, *at);
        }
        parcel.data.clear();
        parcel.control.clear();
        parcel.first_at = u64::MAX;
    }

    #[inline]
    pub(crate) fn hasten(&mut self, place: Place, at: u64) {
        let due = &mut self.due[place as usize];
        *due = (*due).min(at);
    }

    /// Replays the line of `port` up to and including `to`.
    #[inline]
    pub(crate) fn serve(&mut self, common: &Common, port: &mut Port, line: &Line<'_>, to: u64) {
        while port.service_ends() <= to {
            self.serve_next(common, port, line);
        }
    }

    /// The packet in service leaves the line, and the next one starts. Kept out of the loops that call it: inlined, the
    /// compiler loads everything that any of its branches might need, each time.
    #[inline(never)]
    fn serve_next(&mut self, common: &Common, port: &mut Port, line: &Line<'_>) {
        self.end_service(common, port, line);
        self.start_service(common, port, line, port.free_at);
    }

    /// The packet in service leaves the line.
    #[inline(always)]
    pub(crate) fn end_service(&mut self, common: &Common, port: &mut Port, line: &Line<'_>) {
        let size = u32::from(port.serving);
        if port.is(state::SERVING_CONTROL) {
            port.control_bytes -= size;
        } else {
            port.data_bytes -= size;
            let class = line.class;
            if port.data_bytes > class.ecn_min && marked(port, class, common.port_key(line.link)) {
                self.mark_last(&line.far);
            }
        }
        port.state &= !(state::BUSY | state::SERVING_CONTROL);
    }

    /// The line is free at `now`, and the next packet starts, if one may go. Returns what a data packet's place on the queue was tagged
    /// with: see [`enqueue_lossless`](Self::enqueue_lossless).
    #[inline(always)]
    pub(crate) fn start_service(
        &mut self,
        common: &Common,
        port: &mut Port,
        line: &Line<'_>,
        now: u64,
    ) -> Option<u64> {
        let is_paused = port.is(state::PAUSED);
        let is_controls_turn = !port.control.is_empty()
            && (line.class.control_weight == 0 || is_paused || self.takes_controls_turn(common, port, line));
        if is_controls_turn && let Some(packet) = self.control.pop(&mut port.control) {
            self.send_control_on(port, line, packet, now);
        } else if !is_paused && let Ok((tag, packet)) = self.data.pop_if(&mut port.data, |_| true) {
            self.send_data_on(port, line, packet, now);
            return Some(tag);
        }
        None
    }

    /// The data packet that went to the far end last gets an ECN mark.
    fn mark_last(&mut self, far: &Far) {
        self.counters.ecn_marks += 1;
        if far.part == self.number {
            let list = self.ports[far.port as usize].data_in;
            mark(self.data.back_mut(list));
        } else {
            self.parcels[far.part as usize].data.push((*far, Parcelled::Mark));
        }
    }

    /// Starts to send a data packet at `now`, when the line is free.
    #[inline(always)]
    pub(crate) fn send_data_on(&mut self, port: &mut Port, line: &Line<'_>, mut packet: Data, now: u64) {
        let class = line.class;
        if port.is(state::DOWN) {
            packet.flags |= flags::DOOMED;
        }
        begin(class, port, packet.size, now);
        let (far, at) = (&line.far, port.free_at + class.delay.0);
        if far.part == self.number {
            self.data
                .push(&mut self.ports[far.port as usize].data_in, at, packet);
            self.hasten(far.place, at);
        } else {
            let parcel = &mut self.parcels[far.part as usize];
            parcel.first_at = parcel.first_at.min(at);
            parcel.data.push((*far, Parcelled::Packet(at, packet)));
        }
    }

    #[inline]
    pub(crate) fn send_control_on(
        &mut self,
        port: &mut Port,
        line: &Line<'_>,
        mut packet: Control,
        now: u64,
    ) {
        let class = line.class;
        if port.is(state::DOWN) {
            packet.flags |= flags::DOOMED;
        }
        port.state |= state::SERVING_CONTROL;
        begin(class, port, packet.size, now);
        let (far, at) = (&line.far, port.free_at + class.delay.0);
        if far.part == self.number {
            self.control
                .push(&mut self.ports[far.port as usize].control_in, at, packet);
            self.hasten(far.place, at);
        } else {
            let parcel = &mut self.parcels[far.part as usize];
            parcel.first_at = parcel.first_at.min(at);
            parcel.control.push((*far, at, packet));
        }
    }

    /// A switch puts a data packet on the queue of one of its ports. The line was served up to `now`.
    // Always: each way of working off a switch calls it once, and calls cost.
    #[inline(always)]
    pub(crate) fn enqueue_data<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        port: &mut Port,
        line: &Line<'_>,
        packet: Data,
        now: u64,
    ) {
        let class = line.class;
        let size = u32::from(packet.size);
        if port.is(state::DOWN) {
            return self.discard(
                watcher,
                line.link,
                &Packet::from(&packet),
                now,
                DropReason::LinkDown,
            );
        }
        if port.data_bytes + size > class.data_limit {
            return self.overflow(common, watcher, port, line, packet, now);
        }
        self.add_data(port, line, packet, now);
    }

    /// Puts a data packet on a queue that has room for it, or on the line if that is free and not paused.
    #[inline]
    pub(crate) fn add_data(&mut self, port: &mut Port, line: &Line<'_>, packet: Data, now: u64) {
        port.data_bytes += u32::from(packet.size);
        if port.is(state::BUSY | state::PAUSED) {
            self.data.push(&mut port.data, 0, packet);
        } else {
            self.send_data_on(port, line, packet, now);
        }
    }

    /// A data packet meets a full queue.
    #[cold]
    fn overflow<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        port: &mut Port,
        line: &Line<'_>,
        mut packet: Data,
        now: u64,
    ) {
        if !common.config.trimming {
            return self.discard(
                watcher,
                line.link,
                &Packet::from(&packet),
                now,
                DropReason::QueueFull,
            );
        }
        let coin = common.config.trim_coin && draw(common.port_key(line.link) ^ COIN, now) & 1 == 1;
        if let Some(tail) = self.data.back_mut(port.data).filter(|_| coin) {
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
        self.trimmed.push(line.link);
        watcher.trimmed(Time(now), line.link, &trimmed);
        self.enqueue_control(watcher, port, line, Control::from(&trimmed), now);
    }

    /// Puts a packet of the control class on a port's queue. The line was served up to `now`.
    #[inline]
    pub(crate) fn enqueue_control<O: Observer>(
        &mut self,
        watcher: &mut O,
        port: &mut Port,
        line: &Line<'_>,
        packet: Control,
        now: u64,
    ) {
        let class = line.class;
        let size = u32::from(packet.size);
        // A NIC goes on sending into a link that is down until its endpoint knows better.
        if port.is(state::DOWN) && port.kind != LinkKind::NicUp {
            return self.discard(
                watcher,
                line.link,
                &Packet::from(&packet),
                now,
                DropReason::LinkDown,
            );
        }
        if port.control_bytes + size > class.control_limit {
            return self.discard(
                watcher,
                line.link,
                &Packet::from(&packet),
                now,
                DropReason::ControlQueueFull,
            );
        }
        port.control_bytes += size;
        if port.is(state::BUSY) {
            self.control.push(&mut port.control, 0, packet);
        } else {
            self.send_control_on(port, line, packet, now);
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
        let header = Header {
            usids: packet.usids,
            conn: packet.conn,
            psn: packet.psn,
            flags: packet.flags,
            kind: packet.kind,
        };
        let hash = crossing_hash(now, !link, &header);
        self.digest = self.digest.wrapping_add(hash);
        watcher.dropped(Time(now), link, packet, reason);
    }

    /// Drops everything on a list.
    pub(crate) fn discard_all<T: Class, O: Observer>(
        &mut self,
        watcher: &mut O,
        link: u32,
        mut list: Fifo,
        now: u64,
        reason: DropReason,
    ) {
        while let Ok((_, packet)) = T::pop_if(self, &mut list, |_| true) {
            self.discard(watcher, link, &packet.packet(), now, reason);
        }
    }
}

fn mark(packet: Option<&mut Data>) {
    // The packet is still there: it arrives a link delay after its service ended.
    debug_assert!(packet.is_some());
    if let Some(packet) = packet {
        packet.flags |= flags::ECN;
    }
}

#[inline]
fn begin(class: &LinkClass, port: &mut Port, size: u16, now: u64) {
    debug_assert!(!port.is(state::BUSY) && port.free_at <= now);
    port.free_at = now + class.serialise(size).0;
    port.tx_bytes += u64::from(size);
    port.tx_packets = port.tx_packets.wrapping_add(1);
    port.serving = size;
    port.state |= state::BUSY;
}

/// Whether the data packet that has left the line gets an ECN mark: it looks at the queue that it leaves behind.
#[inline]
fn marked(port: &Port, class: &LinkClass, key: u64) -> bool {
    port.data_bytes > class.ecn_max || {
        // Of ecn_max − ecn_min bytes at P_max, so many for all.
        let share = u64::from(class.ecn_pmax.min(WHOLE));
        let span = u64::from(class.ecn_max - class.ecn_min) * u64::from(WHOLE);
        below(draw(key, u64::from(port.tx_packets)), span)
            < u64::from(port.data_bytes - class.ecn_min) * share
    }
}

/// One link crossing as a number.
#[inline]
pub(crate) fn crossing_hash(now: u64, link: u32, header: &Header) -> u64 {
    let what = u64::from(header.conn) << 32 | u64::from(header.psn);
    let place = u64::from(link) << 32 | u64::from(header.flags) << 8 | header.kind as u64;
    let product = u128::from(now ^ what.rotate_left(24) ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(place ^ what ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests;

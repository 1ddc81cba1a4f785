//! The fabric in motion: packets enter at a NIC's port, cross links and switches, and arrive or are dropped.

use crate::clos::LinkKind;
use crate::config::Config;
use crate::counters::{Counters, DropReason};
use crate::packet::{NONE, Packet, flags};
use crate::port::{Fifo, Port, state};
use crate::usid;
use kernel::rng::{chance, draw, key, threshold};
use kernel::{EventQueue, Slab, Time};
use std::collections::BTreeMap;

/// How many events [`Network::warm`] looks at.
pub const WARM: usize = 16;

/// Hooks for whoever watches the fabric. Each does nothing unless overridden, and costs nothing then.
pub trait Observer {
    /// A packet was dropped at, or while crossing, `link`.
    fn dropped(&mut self, _now: Time, _link: u32, _packet: &Packet, _reason: DropReason) {}
    /// A data packet was trimmed in front of `link`.
    fn trimmed(&mut self, _now: Time, _link: u32, _packet: &Packet) {}
}

/// What a packet's arrival at the far end of a link led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It reached this NIC; the packet is out of the fabric.
    Nic(u32, Packet),
    /// A switch queued it for this link.
    Forwarded(u32),
    /// It was dropped.
    Dropped(DropReason),
    /// Nothing was due: the packet that this event announced was lost in a fault.
    Stale,
}

/// Why a fault could not be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No such link.
    NoSuchLink,
    /// No such switch.
    NoSuchSwitch,
}

/// The state of every link, queue and switch, and the packets in them.
#[derive(Clone, Debug)]
pub struct Network {
    config: Config,
    ports: Vec<Port>,
    packets: Slab<Packet>,
    counters: Counters,
    // Loss thresholds (see kernel::rng::threshold) of the lossy links; a link is listed while its LOSSY bit is set.
    losses: BTreeMap<u32, u64>,
    dead: Vec<u16>,
    drops_at: BTreeMap<(u32, DropReason), u64>,
    trims_at: BTreeMap<u32, u64>,
    draw_key: u64,
    digest: u64,
}

impl Network {
    /// An idle, healthy fabric.
    pub fn new(config: Config) -> Network {
        let clos = config.clos;
        let ports = (0..clos.links())
            .map(|link| {
                let end = clos.describe(link);
                let to = match end.kind {
                    LinkKind::NicUp | LinkKind::Down => {
                        let t0 = if end.kind == LinkKind::NicUp {
                            end.upper
                        } else {
                            end.lower
                        };
                        u32::from(usid::usid(end.plane, usid::T0, t0))
                    }
                    LinkKind::Up => u32::from(usid::usid(end.plane, usid::T1, end.upper)),
                    LinkKind::NicDown => end.lower,
                };
                Port::new(end.kind, to)
            })
            .collect();
        Network {
            draw_key: key(config.seed, 0x6661_6272, 0),
            config,
            ports,
            packets: Slab::new(),
            counters: Counters::default(),
            losses: BTreeMap::new(),
            dead: Vec::new(),
            drops_at: BTreeMap::new(),
            trims_at: BTreeMap::new(),
            digest: 0,
        }
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Totals so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// A link's sending side. Call [`settle`](Self::settle) first to see it as of a time.
    pub fn port(&self, link: u32) -> &Port {
        &self.ports[link as usize]
    }

    /// A packet in the fabric.
    pub fn packet(&self, handle: u32) -> &Packet {
        &self.packets[handle]
    }

    /// All packets in the fabric.
    pub fn packets(&self) -> &Slab<Packet> {
        &self.packets
    }

    /// Drops by link and reason.
    pub fn drops_at(&self) -> &BTreeMap<(u32, DropReason), u64> {
        &self.drops_at
    }

    /// Trims by link.
    pub fn trims_at(&self) -> &BTreeMap<u32, u64> {
        &self.trims_at
    }

    /// The loss probability of a link, as a threshold of 2^32.
    pub fn loss_threshold(&self, link: u32) -> u64 {
        self.losses.get(&link).copied().unwrap_or(0)
    }

    /// True when the switch with this uSID is dead.
    pub fn is_dead(&self, switch: u16) -> bool {
        self.dead.contains(&switch)
    }

    /// A number that depends on every link crossing so far: when, where and what. It does not depend on the order
    /// in which crossings at different places were processed.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    #[inline]
    fn port_key(&self, link: u32) -> u64 {
        self.draw_key ^ (u64::from(link) << 20)
    }

    /// Brings a link's sending side up to `now`.
    #[inline]
    pub fn settle(&mut self, link: u32, now: Time) {
        let key = self.port_key(link);
        let port = &mut self.ports[link as usize];
        let class = &self.config.classes[port.kind as usize];
        self.counters.ecn_marks += u64::from(port.settle(&mut self.packets, class, key, now.0));
    }

    /// A NIC hands over a data packet at `at`, when the line of its port `link` is free. Returns when it is free again.
    #[inline]
    pub fn send_data(&mut self, queue: &mut EventQueue, link: u32, packet: Packet, at: Time) -> Time {
        self.counters.created += 1;
        let handle = self.packets.insert(packet);
        let port = &mut self.ports[link as usize];
        port.data_bytes += u32::from(packet.size);
        self.start(queue, link, handle, at.0);
        Time(self.ports[link as usize].free_at)
    }

    /// A NIC hands over a control packet for its port `link`. It waits for the line if need be.
    #[inline]
    pub fn send_control<O: Observer>(
        &mut self,
        queue: &mut EventQueue,
        watcher: &mut O,
        link: u32,
        packet: Packet,
        now: Time,
    ) -> Time {
        debug_assert!(packet.is_control());
        self.counters.created += 1;
        let handle = self.packets.insert(packet);
        self.enqueue_control(queue, watcher, link, handle, now);
        Time(self.ports[link as usize].free_at)
    }

    #[inline]
    fn start(&mut self, queue: &mut EventQueue, link: u32, handle: u32, at: u64) {
        let port = &mut self.ports[link as usize];
        let class = &self.config.classes[port.kind as usize];
        let first = port.wire.head().is_none();
        port.start(&mut self.packets, class, handle, at);
        if first {
            queue.push(Time(self.packets[handle].at), link);
        }
    }

    /// Reads what the events of `links` will need, so that the cache misses of several events overlap instead of
    /// queueing up one behind the other. Changes nothing. `due` gets, for each packet that will be due, its connection
    /// and the NIC whose state is needed, if any.
    pub fn warm(&self, links: &[u32], due: &mut Vec<(u32, Option<u32>)>) {
        // In rounds, since each needs what the one before has read. First the ports, ...
        let links = &links[..links.len().min(WARM)];
        let mut wanted = [[NONE; 3]; WARM];
        for (handles, &link) in wanted.iter_mut().zip(links) {
            *handles = self.ports[link as usize].needs();
        }
        // ... then the packets there: first on the wire, in service, next to be sent; ...
        let mut seen = self.read(&wanted);
        due.clear();
        for (handles, &link) in wanted.iter_mut().zip(links) {
            let [head, ..] = *handles;
            *handles = [NONE; 3];
            if head == NONE {
                continue;
            }
            // ... then the port ahead, ...
            let (packet, port) = (&self.packets[head], &self.ports[link as usize]);
            let nic = match port.kind {
                LinkKind::NicDown => Some(port.to),
                LinkKind::NicUp => Some(link % self.config.clos.links_per_plane()),
                _ => None,
            };
            due.push((packet.conn, nic));
            let out = self
                .config
                .clos
                .route(port.to as u16, usid::active(usid::shift(packet.usids)));
            if let Some(out) = out.filter(|_| port.kind != LinkKind::NicDown) {
                let [_, serving, waiting] = self.ports[out as usize].needs();
                *handles = [packet.next, serving, waiting];
            }
        }
        // ... and the packets there.
        seen ^= self.read(&wanted);
        core::hint::black_box(seen);
    }

    fn read(&self, handles: &[[u32; 3]]) -> u64 {
        handles
            .iter()
            .flatten()
            .filter(|&&h| h != NONE)
            .fold(0, |seen, &h| seen ^ self.packets[h].at)
    }

    /// The event of `link`: the first packet on its wire is due at `now`.
    #[inline]
    pub fn arrive<O: Observer>(
        &mut self,
        queue: &mut EventQueue,
        watcher: &mut O,
        link: u32,
        now: Time,
    ) -> Arrival {
        self.settle(link, now);
        let port = &mut self.ports[link as usize];
        let Some(handle) = port.wire.head().filter(|&h| self.packets[h].at == now.0) else {
            return Arrival::Stale;
        };
        port.wire.pop(&self.packets);
        if let Some(next) = port.wire.head() {
            queue.push(Time(self.packets[next].at), link);
        }
        let (port_state, to, kind) = (port.state, port.to, port.kind);
        let at_risk =
            port_state & (state::LOSSY | state::TO_DEAD) != 0 || self.packets[handle].has(flags::DOOMED);
        if at_risk && let Some(reason) = self.lost(link, port_state, handle, now) {
            return self.discard(watcher, link, handle, now, reason);
        }
        self.counters.packet_hops += 1;
        let packet = &mut self.packets[handle];
        self.digest = self.digest.wrapping_add(crossing_hash(now, link, packet));
        if kind == LinkKind::NicDown {
            self.counters.delivered += 1;
            return Arrival::Nic(to, self.packets.remove(handle));
        }
        // uN: the active uSID must be the switch's own (48 bits match: the locator is the same everywhere); shift,
        // look the next one up.
        let matches = usid::active(packet.usids) == to as u16;
        packet.usids = usid::shift(packet.usids);
        let next = usid::active(packet.usids);
        match self.config.clos.route(to as u16, next) {
            Some(out) if matches => self.forward(queue, watcher, out, handle, now),
            _ => self.discard(watcher, link, handle, now, DropReason::NoRoute),
        }
    }

    #[cold]
    fn lost(&self, link: u32, port_state: u8, handle: u32, now: Time) -> Option<DropReason> {
        let packet = &self.packets[handle];
        if packet.has(flags::DOOMED) {
            return Some(DropReason::LinkDown);
        }
        if port_state & state::TO_DEAD != 0 {
            return Some(DropReason::SwitchDead);
        }
        let threshold = self.loss_threshold(link);
        chance(draw(self.port_key(link) ^ 1, now.0), threshold).then_some(DropReason::RandomLoss)
    }

    #[cold]
    fn discard<O: Observer>(
        &mut self,
        watcher: &mut O,
        link: u32,
        handle: u32,
        now: Time,
        reason: DropReason,
    ) -> Arrival {
        let packet = self.packets.remove(handle);
        self.counters.drops[reason as usize] += 1;
        *self.drops_at.entry((link, reason)).or_default() += 1;
        self.digest = self.digest.wrapping_add(crossing_hash(now, !link, &packet));
        watcher.dropped(now, link, &packet, reason);
        Arrival::Dropped(reason)
    }

    /// A switch puts a packet on the queue of one of its ports.
    #[inline]
    fn forward<O: Observer>(
        &mut self,
        queue: &mut EventQueue,
        watcher: &mut O,
        link: u32,
        handle: u32,
        now: Time,
    ) -> Arrival {
        self.settle(link, now);
        let packet = &self.packets[handle];
        if packet.is_control() {
            return self.enqueue_control(queue, watcher, link, handle, now);
        }
        let port = &mut self.ports[link as usize];
        let class = &self.config.classes[port.kind as usize];
        let size = u32::from(packet.size);
        if port.is(state::DOWN) {
            return self.discard(watcher, link, handle, now, DropReason::LinkDown);
        }
        if port.data_bytes + size > class.data_limit {
            return self.overflow(queue, watcher, link, handle, now);
        }
        port.data_bytes += size;
        if port.is(state::BUSY) {
            port.data.push(&mut self.packets, handle);
        } else {
            self.start(queue, link, handle, now.0);
        }
        Arrival::Forwarded(link)
    }

    /// A data packet meets a full queue.
    #[cold]
    fn overflow<O: Observer>(
        &mut self,
        queue: &mut EventQueue,
        watcher: &mut O,
        link: u32,
        handle: u32,
        now: Time,
    ) -> Arrival {
        if !self.config.trimming {
            return self.discard(watcher, link, handle, now, DropReason::QueueFull);
        }
        let coin = self.config.trim_coin && draw(self.port_key(link) ^ 2, now.0) & 1 == 1;
        let port = &mut self.ports[link as usize];
        let last_hop = port.kind == LinkKind::NicDown;
        if let Some(tail) = port.data.tail().filter(|_| coin) {
            // The arriving packet takes the place of the one at the tail: exchange the contents of the two slots.
            let (arriving, queued) = (self.packets[handle], self.packets[tail]);
            port.data_bytes = port.data_bytes + u32::from(arriving.size) - u32::from(queued.size);
            self.packets[tail] = Packet {
                next: queued.next,
                ..arriving
            };
            self.packets[handle] = queued;
        }
        let packet = &mut self.packets[handle];
        packet.flags |= flags::CONTROL | flags::TRIMMED;
        packet.size = self.config.trimmed_size.min(packet.size);
        if last_hop {
            packet.flags |= flags::TRIMMED_LAST_HOP;
            self.counters.trims_last_hop += 1;
        } else {
            self.counters.trims += 1;
        }
        *self.trims_at.entry(link).or_default() += 1;
        watcher.trimmed(now, link, packet);
        self.enqueue_control(queue, watcher, link, handle, now)
    }

    #[inline]
    fn enqueue_control<O: Observer>(
        &mut self,
        queue: &mut EventQueue,
        watcher: &mut O,
        link: u32,
        handle: u32,
        now: Time,
    ) -> Arrival {
        let size = u32::from(self.packets[handle].size);
        let port = &mut self.ports[link as usize];
        let class = &self.config.classes[port.kind as usize];
        if port.is(state::DOWN) && port.kind != LinkKind::NicUp {
            return self.discard(watcher, link, handle, now, DropReason::LinkDown);
        }
        if port.control_bytes + size > class.control_limit {
            return self.discard(watcher, link, handle, now, DropReason::ControlQueueFull);
        }
        port.control_bytes += size;
        if port.is(state::BUSY) {
            port.control.push(&mut self.packets, handle);
        } else {
            self.start(queue, link, handle, now.0);
        }
        Arrival::Forwarded(link)
    }

    /// Takes a directed link down: what waits for it, is in service or on the wire is lost. A switch drops at once
    /// what it would send into it; a NIC goes on sending into it until its endpoint knows better.
    pub fn link_down<O: Observer>(&mut self, watcher: &mut O, link: u32, now: Time) -> Result<(), Refusal> {
        self.check_link(link)?;
        self.settle(link, now);
        let port = &mut self.ports[link as usize];
        if port.is(state::DOWN) {
            return Ok(());
        }
        let lists = [port.wire, port.control, port.data];
        (port.wire, port.control, port.data) = (Fifo::EMPTY, Fifo::EMPTY, Fifo::EMPTY);
        (port.data_bytes, port.control_bytes) = (0, 0);
        port.state = port.state & !state::BUSY | state::DOWN;
        port.free_at = port.free_at.min(now.0);
        for list in lists {
            self.discard_all(watcher, link, list, now, DropReason::LinkDown);
        }
        Ok(())
    }

    /// Brings a directed link back.
    pub fn link_up(&mut self, link: u32, now: Time) -> Result<(), Refusal> {
        self.check_link(link)?;
        self.settle(link, now);
        self.ports[link as usize].state &= !state::DOWN;
        Ok(())
    }

    /// Sets the probability (0 to 1) with which a packet that crosses a directed link is lost.
    pub fn link_loss(&mut self, link: u32, rate: f64) -> Result<(), Refusal> {
        self.check_link(link)?;
        let port = &mut self.ports[link as usize];
        if rate > 0.0 {
            port.state |= state::LOSSY;
            self.losses.insert(link, threshold(rate));
        } else {
            port.state &= !state::LOSSY;
            self.losses.remove(&link);
        }
        Ok(())
    }

    /// Kills a switch: its queues are lost and so is whatever reaches it. What its ports have begun to send still
    /// leaves. Its neighbours notice nothing.
    pub fn switch_down<O: Observer>(
        &mut self,
        watcher: &mut O,
        switch: u16,
        now: Time,
    ) -> Result<(), Refusal> {
        let out = self.links_of(switch)?;
        if self.is_dead(switch) {
            return Ok(());
        }
        self.dead.push(switch);
        for link in out {
            self.settle(link, now);
            self.ports[self.config.clos.reverse(link) as usize].state |= state::TO_DEAD;
            let port = &mut self.ports[link as usize];
            let lists = [port.control, port.data];
            (port.control, port.data) = (Fifo::EMPTY, Fifo::EMPTY);
            (port.data_bytes, port.control_bytes) = (0, 0);
            if port.is(state::BUSY)
                && let Some(serving) = port.wire.tail()
            {
                let packet = &self.packets[serving];
                let bytes = u32::from(packet.size);
                *(if packet.is_control() {
                    &mut port.control_bytes
                } else {
                    &mut port.data_bytes
                }) = bytes;
            }
            for list in lists {
                self.discard_all(watcher, link, list, now, DropReason::SwitchDead);
            }
        }
        Ok(())
    }

    /// Revives a switch.
    pub fn switch_up(&mut self, switch: u16) -> Result<(), Refusal> {
        for link in self.links_of(switch)? {
            self.ports[self.config.clos.reverse(link) as usize].state &= !state::TO_DEAD;
        }
        self.dead.retain(|&s| s != switch);
        Ok(())
    }

    fn discard_all<O: Observer>(
        &mut self,
        watcher: &mut O,
        link: u32,
        list: Fifo,
        now: Time,
        reason: DropReason,
    ) {
        let handles: Vec<u32> = list.iter(&self.packets).collect();
        for handle in handles {
            self.discard(watcher, link, handle, now, reason);
        }
    }

    fn check_link(&self, link: u32) -> Result<(), Refusal> {
        if link < self.config.clos.links() {
            Ok(())
        } else {
            Err(Refusal::NoSuchLink)
        }
    }

    /// The links that leave a switch.
    pub fn links_of(&self, switch: u16) -> Result<Vec<u32>, Refusal> {
        let clos = &self.config.clos;
        let (plane, index) = (usid::plane(switch), usid::index(switch));
        if plane >= clos.planes {
            return Err(Refusal::NoSuchSwitch);
        }
        match usid::tier(switch) {
            usid::T0 if index < clos.t0s => {
                let ups = (0..clos.t1s).map(|t1| clos.up(plane, index, t1));
                let first = index * clos.nics_per_t0;
                let downs = (first..first + clos.nics_per_t0).map(|nic| clos.nic_down(plane, nic));
                Ok(ups.chain(downs).collect())
            }
            usid::T1 if index < clos.t1s => Ok((0..clos.t0s).map(|t0| clos.down(plane, index, t0)).collect()),
            _ => Err(Refusal::NoSuchSwitch),
        }
    }

    /// Counts the packets on all lists and compares with the slab: a packet on no list, or on two, is an error.
    ///
    /// # Errors
    /// Says which count differs. For tests and assertions; walks every link.
    pub fn audit(&self) -> Result<(), String> {
        let mut listed = 0usize;
        for port in &self.ports {
            let (mut data, mut control) = (0u32, 0u32);
            let serving = if port.is(state::BUSY) {
                port.wire.tail()
            } else {
                None
            };
            for handle in port
                .data
                .iter(&self.packets)
                .chain(port.control.iter(&self.packets))
                .chain(serving)
            {
                let packet = &self.packets[handle];
                *(if packet.is_control() {
                    &mut control
                } else {
                    &mut data
                }) += u32::from(packet.size);
            }
            if (data, control) != (port.data_bytes, port.control_bytes) {
                return Err(format!(
                    "port to {:#x} counts {} + {} queued bytes, its lists hold {data} + {control}",
                    port.to, port.data_bytes, port.control_bytes
                ));
            }
            listed += [port.data, port.control, port.wire]
                .iter()
                .map(|l| l.iter(&self.packets).count())
                .sum::<usize>();
        }
        let counters = &self.counters;
        let in_flight = self.packets.len();
        if listed != in_flight {
            return Err(format!("{listed} packets on lists, {in_flight} in the slab"));
        }
        let accounted = counters.delivered + counters.dropped() + in_flight as u64;
        if counters.created != accounted {
            return Err(format!(
                "{} packets created, {accounted} accounted for",
                counters.created
            ));
        }
        Ok(())
    }
}

/// One link crossing as a number.
#[inline]
fn crossing_hash(now: Time, link: u32, packet: &Packet) -> u64 {
    let what = u64::from(packet.conn) << 32 | u64::from(packet.psn);
    let place = u64::from(link) << 32 | u64::from(packet.flags) << 8 | packet.kind as u64;
    let product = u128::from(now.0 ^ what.rotate_left(24) ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(place ^ what ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

//! The fabric in motion: packets enter at a NIC's port, cross links and switches, and arrive or are dropped.

use crate::clos::LinkKind;
use crate::config::Config;
use crate::counters::{Counters, DropReason};
use crate::packet::{Packet, flags};
use crate::port::{Port, state};
use crate::usid;
use kernel::rng::{chance, draw, key};
use kernel::{EventQueue, Slab, Time};
use std::collections::BTreeMap;

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

/// The state of every link, queue and switch, and the packets in them.
#[derive(Clone, Debug)]
pub struct Network {
    pub(crate) config: Config,
    pub(crate) ports: Vec<Port>,
    pub(crate) packets: Slab<Packet>,
    pub(crate) counters: Counters,
    // Loss thresholds (see kernel::rng::threshold) of the lossy links; a link is listed while its LOSSY bit is set.
    pub(crate) losses: BTreeMap<u32, u64>,
    pub(crate) dead: Vec<u16>,
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
    pub(crate) fn discard<O: Observer>(
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

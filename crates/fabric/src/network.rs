//! The fabric as a whole: its parts, and what is known of them together.

use crate::clos::LinkKind;
use crate::common::Common;
use crate::config::Config;
use crate::counters::{Counters, DropReason};
use crate::packet::Packet;
use crate::part::Part;
use crate::port::Port;
use kernel::Time;
use std::collections::BTreeMap;

/// Hooks for whoever watches the fabric. Each does nothing unless overridden, and costs nothing then. Within a window they
/// are called place by place, not in order of time.
pub trait Observer {
    /// A packet came to the far end of a directed link at `now` and was not lost on the way; its uSIDs are those that it
    /// crossed the link with.
    fn crossed(&mut self, _now: Time, _link: u32, _packet: &Packet) {}
    /// A packet was dropped at, or while crossing, `link`.
    fn dropped(&mut self, _now: Time, _link: u32, _packet: &Packet, _reason: DropReason) {}
    /// A data packet was trimmed in front of `link`.
    fn trimmed(&mut self, _now: Time, _link: u32, _packet: &Packet) {}
    /// Data was paused on a directed link by its far end, or may go on.
    fn paused(&mut self, _now: Time, _link: u32, _paused: bool) {}
}

/// Where a packet is on its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Whereabouts {
    /// Waiting in the data or the control queue; 0 is next.
    Queued {
        /// In the control queue.
        control: bool,
        /// Packets before it in that queue.
        position: u32,
    },
    /// Being sent, or on the wire.
    OnWire {
        /// When its first bit left, ps.
        left_ps: u64,
        /// When it is at the far end, ps.
        arrives_ps: u64,
    },
}

/// The state of every link, queue and switch, and the packets in them.
#[derive(Clone, Debug)]
pub struct Network {
    common: Common,
    parts: Vec<Part>,
    drops_at: BTreeMap<(u32, DropReason), u64>,
    trims_at: BTreeMap<u32, u64>,
}

impl Network {
    /// An idle, healthy fabric in at most `parts` parts.
    pub fn new(config: Config, parts: u32) -> Network {
        let common = Common::new(config, parts);
        Network {
            parts: (0..common.spans.len())
                .map(|number| Part::new(&common, number))
                .collect(),
            common,
            drops_at: BTreeMap::new(),
            trims_at: BTreeMap::new(),
        }
    }

    /// What all parts share.
    pub fn common(&self) -> &Common {
        &self.common
    }

    /// What all parts share, and the parts themselves.
    pub fn split(&mut self) -> (&Common, &mut [Part]) {
        (&self.common, &mut self.parts)
    }

    pub(crate) fn split_mut(&mut self) -> (&mut Common, &mut [Part]) {
        (&mut self.common, &mut self.parts)
    }

    /// The parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.common.config
    }

    /// Totals so far.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for part in &self.parts {
            sum.add(&part.counters);
        }
        sum
    }

    /// Packets that came to the end of a link so far, those that were lost there included.
    pub fn arrivals(&self) -> u64 {
        let arrived = self
            .parts
            .iter()
            .map(|part| part.packet_hops() + part.lost_on_arrival);
        arrived.sum()
    }

    /// Packets in the fabric.
    pub fn in_flight(&self) -> u64 {
        let counters = self.counters();
        counters.created - counters.delivered - counters.dropped()
    }

    /// A link's sending side.
    #[inline]
    pub fn port(&self, link: u32) -> &Port {
        let (part, port) = self.common.port_of(link);
        &self.parts[part].ports[port as usize]
    }

    /// Drops by link and reason, as of the end of the last window.
    pub fn drops_at(&self) -> &BTreeMap<(u32, DropReason), u64> {
        &self.drops_at
    }

    /// Trims by link, as of the end of the last window.
    pub fn trims_at(&self) -> &BTreeMap<u32, u64> {
        &self.trims_at
    }

    /// The loss probability of a directed link itself, as a threshold of 2^32.
    pub fn loss_threshold(&self, link: u32) -> u64 {
        self.common.hazards.on_link(link).loss
    }

    /// The probability of damage on a directed link, as a threshold of 2^32.
    pub fn damage_threshold(&self, link: u32) -> u64 {
        self.common.hazards.on_link(link).damage
    }

    /// The loss probability of every directed link of a kind, beside that of the link itself, as a threshold of 2^32.
    pub fn kind_loss_threshold(&self, kind: LinkKind) -> u64 {
        self.common.hazards.on_kind(kind)
    }

    /// The probability with which the switch with this uSID damages what it forwards, as a threshold of 2^32.
    pub fn switch_damage_threshold(&self, switch: u16) -> u64 {
        self.common.hazards.in_switch(switch)
    }

    /// True when the switch with this uSID is dead.
    pub fn is_dead(&self, switch: u16) -> bool {
        self.common.is_dead(switch)
    }

    /// A number that depends on every link crossing so far: when, where and what. It does not depend on the order
    /// in which crossings at different places were processed.
    pub fn digest(&self) -> u64 {
        self.parts
            .iter()
            .fold(0, |sum: u64, part| sum.wrapping_add(part.digest))
    }

    /// Brings what parts have sent to each other to where it goes, when a window is done. Each part has to
    /// [unpack](Part::unpack) it.
    pub fn exchange(&mut self) {
        for from in 0..self.parts.len() {
            for to in 0..self.parts.len() {
                if from != to {
                    let sent = core::mem::take(&mut self.parts[from].parcels[to]);
                    let empty = core::mem::replace(&mut self.parts[to].received[from], sent);
                    self.parts[from].parcels[to] = empty;
                }
            }
        }
    }

    /// Unpacks everywhere what was exchanged.
    pub fn unpack(&mut self) {
        self.parts.iter_mut().for_each(Part::unpack);
    }

    /// Brings the tables of drops and trims up to date, when a window is done.
    pub fn close_window(&mut self) {
        for part in &mut self.parts {
            for (link, reason) in part.dropped.drain(..) {
                *self.drops_at.entry((link, reason)).or_default() += 1;
            }
            for link in part.trimmed.drain(..) {
                *self.trims_at.entry(link).or_default() += 1;
            }
        }
    }

    /// The packet that comes first over a directed link, if it is off its line.
    pub fn next_on(&self, link: u32) -> Option<Packet> {
        let (part, port) = self.common.port_of(self.config().clos.reverse(link));
        let part = &self.parts[part];
        part.first_in(&part.ports[port as usize])
            .map(|(_, packet)| packet)
    }

    /// Every packet that is on, or queued for, a directed link: those on it in order of leaving, then the control queue, then the data
    /// queue.
    pub fn packets_on(&self, link: u32, mut visit: impl FnMut(&Packet, Whereabouts)) {
        let (number, at) = self.common.port_of(link);
        let (far_number, far) = self.common.port_of(self.config().clos.reverse(link));
        let (part, there) = (&self.parts[number], &self.parts[far_number]);
        let (port, incoming) = (&part.ports[at as usize], &there.ports[far as usize]);
        let class = self.config().class(port.kind);
        let on_wire = |packet: &Packet, arrives_ps: u64| Whereabouts::OnWire {
            left_ps: arrives_ps - class.delay.0 - class.serialise(packet.size).0,
            arrives_ps,
        };
        let mut data = there.data.iter(incoming.data_in).peekable();
        let mut control = there.control.iter(incoming.control_in).peekable();
        loop {
            let control_first = match (data.peek(), control.peek()) {
                (Some((data_at, _)), Some((control_at, _))) => control_at < data_at,
                (None, Some(_)) => true,
                _ => false,
            };
            let next = if control_first {
                control.next().map(|(at, packet)| (at, Packet::from(packet)))
            } else {
                data.next().map(|(at, packet)| (at, Packet::from(packet)))
            };
            let Some((at, packet)) = next else { break };
            visit(&packet, on_wire(&packet, at));
        }
        let control = part
            .control
            .iter(port.control)
            .map(|(_, p)| (true, Packet::from(p)));
        let data = part.data.iter(port.data).map(|(_, p)| (false, Packet::from(p)));
        let mut waiting = [0; 2];
        for (control, packet) in control.chain(data) {
            let position = &mut waiting[usize::from(control)];
            visit(
                &packet,
                Whereabouts::Queued {
                    control,
                    position: *position,
                },
            );
            *position += 1;
        }
    }
}

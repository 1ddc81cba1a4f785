//! Priority flow control (IEEE 802.1Qbb): lossless switches.
//!
//! # The rule
//!
//! Every port of a switch counts the bytes of data that came in by it and have not yet left the switch, the packet in service
//! included. When they exceed `xoff`, a PAUSE frame goes to the neighbour at the other end of the cable; when they have fallen to
//! `xon`, another one that says to go on (RESUME: a pause of zero quanta). The neighbour, a switch or a NIC, finishes the packet in
//! service and then sends no data there; the control class goes on. A PAUSE frame goes before everything that waits, but does
//! not interrupt. A data packet is dropped only if its port would hold more than `xoff` and the headroom. Egress queues have no limit
//! of their own. ECN marks look at the egress queue as ever. NICs take what comes, and pause nobody, unless one is
//! [broken](Network::jam_nic).
//!
//! # What is simplified
//!
//! A real PAUSE holds for at most 65,535 quanta of 512 bit times (84 µs at 400 Gb/s) and is sent again before that. Ours holds until
//! the RESUME. That is the same as long as no such frame is lost; so random loss and damage spare them, and a pause ends at once
//! when a link or switch fails from which its renewal would have come (our choices). Limits are the same all the time: a switch with
//! dynamic limits (DCQCN, SIGCOMM'15, section 4) has lower ones when much of its buffer is in use.

use crate::clos::LinkKind;
use crate::common::Common;
use crate::config::{Config, LinkClass};
use crate::counters::DropReason;
use crate::network::{Network, Observer};
use crate::packet::{AGENT, Control, Data, Packet, PacketKind, flags};
use crate::part::{Line, Part};
use crate::port::{Port, state};
use kernel::{Fifo, Time};

/// Settings of priority flow control for the data class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pfc {
    /// Bytes that came in at one port above which its neighbour is paused.
    pub xoff: u32,
    /// Bytes down to which they must fall until it may go on; at most `xoff`, and taken to be that if it is more.
    pub xon: u32,
    /// Bytes beyond `xoff` for which each port has room; none: as many as can still come ([`Pfc::derived_headroom`]). All ports of
    /// a switch together never hold more than 4 GiB; where they would, `xoff` is less.
    pub headroom: Option<u32>,
    /// Wire bytes of the largest packet of any class.
    pub largest: u16,
    /// Wire bytes of a PAUSE frame: 64 B, and 20 B of preamble and gap where they are counted.
    pub frame: u16,
}

impl Pfc {
    /// The most bytes that can still come over `incoming` from when there are more than `xoff`, when the PAUSE goes by `back`.
    ///
    /// The packet that crosses `xoff` may do so with all of its bytes. At that very time the largest packet may have begun to leave in
    /// the other direction, and PAUSE waits for its end; then it is sent itself, and travels. There the largest packet may have
    /// begun to leave, which is sent to its end and travels likewise. All that time bytes come in at line rate. So with a rate of
    /// R bytes per second it is 3 · largest + frame + R · (delay there + delay back).
    pub fn derived_headroom(&self, incoming: &LinkClass, back: &LinkClass) -> u32 {
        let until_heard = back.serialise(self.largest) + back.serialise(self.frame) + back.delay;
        let until_quiet = until_heard + incoming.serialise(self.largest) + incoming.delay;
        let bytes = u64::from(self.largest) + incoming.most_in(until_quiet);
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

/// A PAUSE frame's time for a pause, in quanta of 512 bit times: the longest.
const QUANTA: u32 = 65_535;

/// The limits of a port.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    xoff: u32,
    xon: u32,
    most: u32,
}

/// The limits of switches' ports, by the kind of the link that leaves by them; zero without priority flow control.
pub(crate) fn limits(config: &Config) -> [Limits; LinkKind::COUNT] {
    let Some(pfc) = config.pfc else {
        return Default::default();
    };
    let clos = &config.clos;
    let at_t0 = clos.nics_per_t0 + clos.t1s_per_pod();
    let at_t1 = clos.t0s_per_pod() + clos.t2s_per_t1();
    let ports = at_t0.max(at_t1).max(clos.pods);
    LinkKind::ALL.map(|kind| {
        let (incoming, back) = (config.class(kind.reverse()), config.class(kind));
        let headroom = pfc
            .headroom
            .unwrap_or_else(|| pfc.derived_headroom(incoming, back));
        // So that queues can be counted in 32 bits, whatever waits there.
        let most = pfc.xoff.saturating_add(headroom).min(u32::MAX / ports);
        let xoff = pfc.xoff.min(most.saturating_sub(headroom));
        Limits {
            xoff,
            xon: pfc.xon.min(xoff),
            most,
        }
    })
}

/// What a lossless fabric keeps for each port, beside the port itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gauge {
    /// The directed link that leaves by it.
    pub link: u32,
    /// Bytes of data that came in here and have not yet left the switch.
    pub held: u32,
    /// The port by which the data packet came in that is in service here.
    pub serving_from: u32,
    /// There were more than `xoff`, and have not been `xon` since.
    pub is_over: bool,
    /// What the neighbour was told last: true is to pause.
    pub told: bool,
    /// PAUSE frames sent here, those that resume not counted.
    pub pauses: u32,
    // Since when data is paused here, and how long it was before, in ps.
    paused_since: u64,
    paused_ps: u64,
}

/// One for each port; none without priority flow control.
pub(crate) fn gauges(common: &Common, number: usize) -> Vec<Gauge> {
    if common.config.pfc.is_none() {
        return Vec::new();
    }
    let mut gauges = vec![Gauge::default(); common.spans[number].ports() as usize];
    for link in 0..common.clos().links() {
        let (part, port) = common.port_of(link);
        if part == number {
            gauges[port as usize].link = link;
        }
    }
    gauges
}

impl Part {
    /// The line of a port is free at `now`: what goes next starts, if anything may go.
    pub(crate) fn set_off(&mut self, common: &Common, at: usize, line: &Line<'_>, now: u64) {
        let mut port = self.ports[at];
        self.start_next(common, at, &mut port, line, now);
        self.ports[at] = port;
    }

    /// The same for a port that the caller has in hand. A PAUSE frame goes before everything else.
    #[inline]
    pub(crate) fn start_next(
        &mut self,
        common: &Common,
        at: usize,
        port: &mut Port,
        line: &Line<'_>,
        now: u64,
    ) {
        let pfc = common.config.pfc.as_ref();
        let news = pfc.filter(|_| {
            let gauge = &self.gauges[at];
            gauge.is_over != gauge.told && !port.is(state::DOWN)
        });
        if let Some(pfc) = news {
            let gauge = &mut self.gauges[at];
            gauge.told = gauge.is_over;
            gauge.pauses += u32::from(gauge.told);
            let frame = Packet {
                psn: if gauge.told { QUANTA } else { 0 },
                conn: AGENT,
                sent: now,
                size: pfc.frame,
                kind: PacketKind::Pause,
                flags: flags::CONTROL,
                ..Packet::default()
            };
            self.counters.created += 1;
            self.counters.pauses += u64::from(gauge.told);
            port.control_bytes += u32::from(pfc.frame);
            self.send_control_on(port, line, Control::from(&frame), now);
        } else if let Some(from) = self.start_service(common, port, line, now)
            && let Some(gauge) = self.gauges.get_mut(at)
        {
            gauge.serving_from = from as u32;
        }
    }

    /// A data packet comes in at a switch's port: it counts, if there is room for it. Says if there is.
    #[inline]
    pub(crate) fn admit(&mut self, common: &Common, at: u32, size: u16) -> bool {
        let limits = &common.limits[self.ports[at as usize].kind as usize];
        let gauge = &mut self.gauges[at as usize];
        let wanted = gauge.held + u32::from(size);
        let has_room = wanted <= limits.most;
        if has_room {
            gauge.held = wanted;
        }
        // Nobody is paused for what is not there: nothing would end the pause.
        gauge.is_over |= wanted > limits.xoff && gauge.held > limits.xon;
        has_room
    }

    /// True when the neighbour at a port was told other than it should have been.
    #[inline]
    pub(crate) fn has_news(&self, at: u32) -> bool {
        let gauge = &self.gauges[at as usize];
        gauge.is_over != gauge.told
    }

    /// Bytes that came in at a switch's port have left the switch, or are lost in it.
    fn release(&mut self, common: &Common, at: u32, bytes: u32) {
        let limits = &common.limits[self.ports[at as usize].kind as usize];
        let gauge = &mut self.gauges[at as usize];
        debug_assert!(gauge.held >= bytes);
        gauge.held -= bytes;
        gauge.is_over &= gauge.held > limits.xon;
    }

    /// A data packet of so many bytes has left that was in service at a switch's port. Returns the port that has news for its
    /// neighbour, if one does.
    #[inline]
    pub(crate) fn has_left(&mut self, common: &Common, at: usize, size: u16) -> Option<u32> {
        let from = self.gauges.get(at)?.serving_from;
        self.release(common, from, u32::from(size));
        self.has_news(from).then_some(from)
    }

    /// Puts a packet that was admitted at port `from` on the queue of a port, or on its line if that is free.
    pub(crate) fn enqueue_lossless(&mut self, at: usize, line: &Line<'_>, packet: Data, from: u32, now: u64) {
        let mut port = self.ports[at];
        port.data_bytes += u32::from(packet.size);
        if port.is(state::BUSY | state::PAUSED) {
            self.data.push(&mut port.data, u64::from(from), packet);
        } else {
            self.send_data_on(&mut port, line, packet, now);
            self.gauges[at].serving_from = from;
        }
        self.ports[at] = port;
    }

    /// A neighbour says to pause, or to go on; what waits is not started yet.
    pub(crate) fn heed<O: Observer>(&mut self, watcher: &mut O, at: usize, link: u32, pause: bool, now: u64) {
        let (port, gauge) = (&mut self.ports[at], &mut self.gauges[at]);
        if port.is(state::PAUSED) == pause {
            return;
        }
        port.state ^= state::PAUSED;
        if pause {
            gauge.paused_since = now;
        } else {
            gauge.paused_ps += now - gauge.paused_since;
        }
        watcher.paused(Time(now), link, pause);
    }

    /// A PAUSE frame came to a NIC at `now`, up to which the line was served. If it says to go on, a data packet that waits in the
    /// port starts; the port has [`PAUSED`](state::PAUSED) set while it may send none.
    pub fn pause_nic<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        plane: u32,
        nic: u32,
        frame: &Packet,
        now: Time,
    ) {
        debug_assert!(frame.kind == PacketKind::Pause);
        let at = self.span.nic_up(plane, nic) as usize;
        let line = self.nic_line(common, plane, nic);
        self.heed(watcher, at, line.link, frame.psn > 0, now.0);
        if !self.ports[at].is(state::BUSY) {
            self.set_off(common, at, &line, now.0);
        }
    }

    /// What waits at a switch's port is about to be lost, and what is in service too if `all`. It counts no longer where it came in;
    /// returns those ports.
    fn give_up(&mut self, common: &Common, at: usize, all: bool) -> Vec<u32> {
        let port = self.ports[at];
        if self.gauges.is_empty() || port.kind == LinkKind::NicUp {
            return Vec::new();
        }
        let waiting = self.data.iter(port.data);
        let mut lost: Vec<(u32, u32)> = waiting
            .map(|(from, packet)| (from as u32, u32::from(packet.size)))
            .collect();
        if all && port.is(state::BUSY) && !port.is(state::SERVING_CONTROL) {
            lost.push((self.gauges[at].serving_from, u32::from(port.serving)));
        }
        for &(from, bytes) in &lost {
            self.release(common, from, bytes);
        }
        let mut ports: Vec<u32> = lost.into_iter().map(|(from, _)| from).collect();
        ports.sort_unstable();
        ports.dedup();
        ports
    }
}

/// A port: its part, and its number there.
type At = (usize, usize);

/// Between windows, when links or switches fail. Without priority flow control each does nothing.
impl Network {
    /// If a port's line is free at `now`, what may go next starts.
    fn set_off_at(&mut self, (number, at): At, now: Time) {
        let (common, parts) = self.split_mut();
        let part = &mut parts[number];
        if part.ports[at].is(state::BUSY) {
            return;
        }
        let link = part.gauges[at].link;
        let line = common.line(link);
        part.set_off(common, at, &line, now.0);
        let place = common.line(common.clos().reverse(link)).far.place;
        let ends = part.ports[at].service_ends();
        part.hasten(place, ends);
        // What goes to another part has to be on its list before anything else fails: that may take it.
        self.exchange();
        self.unpack();
    }

    /// What is at a switch's port is about to be lost, where its link goes down.
    pub(crate) fn lose_queue(&mut self, (number, at): At, now: Time) {
        let (common, parts) = self.split_mut();
        for from in parts[number].give_up(common, at, true) {
            let at = from as usize;
            // What the line that fails has begun to send is lost too; it says nothing more.
            self.set_off_at((number, at), now);
        }
    }

    /// The port at `from` can no longer tell the one at `to` to pause.
    pub(crate) fn forget_pause<O: Observer>(&mut self, watcher: &mut O, from: At, to: At, now: Time) {
        let parts = self.split_mut().1;
        if parts[from.0].gauges.is_empty() {
            return;
        }
        parts[from.0].gauges[from.1].told = false;
        let part = &mut parts[to.0];
        let link = part.gauges[to.1].link;
        part.heed(watcher, to.1, link, false, now.0);
        self.set_off_at(to, now);
    }

    /// The switch with the port at `from` is about to die: what waits in it is lost, and its neighbour at `to` hears nothing more.
    pub(crate) fn lose_port<O: Observer>(&mut self, watcher: &mut O, from: At, to: At, now: Time) {
        let (common, parts) = self.split_mut();
        let part = &mut parts[from.0];
        if part.gauges.is_empty() {
            return;
        }
        part.give_up(common, from.1, false);
        part.gauges[from.1].is_over = false;
        let link = part.gauges[from.1].link;
        part.heed(watcher, from.1, link, false, now.0);
        // Nobody would end a pause that is still under way.
        let part = &mut self.split_mut().1[to.0];
        let mut coming = core::mem::replace(&mut part.ports[to.1].control_in, Fifo::EMPTY);
        let mut kept = Fifo::EMPTY;
        while let Ok((at, packet)) = part.control.pop_if(&mut coming, |_| true) {
            if packet.kind == PacketKind::Pause {
                part.discard(
                    watcher,
                    link,
                    &Packet::from(&packet),
                    now.0,
                    DropReason::SwitchDead,
                );
            } else {
                part.control.push(&mut kept, at, packet);
            }
        }
        part.ports[to.1].control_in = kept;
        self.forget_pause(watcher, from, to, now);
    }

    /// The switch with the port at `to` is back, and knows nothing: its neighbour at `from` will tell it again to pause, with
    /// the next packet that comes from it, if need be.
    pub(crate) fn tell_again(&mut self, from: At) {
        if let Some(gauge) = self.split_mut().1[from.0].gauges.get_mut(from.1) {
            gauge.told = false;
        }
    }

    /// A NIC is broken and pauses its T0 in a plane for ever, or is repaired (a PFC storm: DCQCN's operators met them, Guo et al.,
    /// SIGCOMM'16, section 4.3). Taking the NIC's uplink down ends it as well. Without priority flow control it does nothing.
    pub fn jam_nic<O: Observer>(&mut self, watcher: &mut O, plane: u32, nic: u32, jams: bool, now: Time) {
        let link = self.config().clos.nic_down(plane, nic);
        let (common, parts) = self.split_mut();
        let (part, at) = common.port_of(link);
        let at = (part, at as usize);
        if parts[at.0].gauges.is_empty() {
            return;
        }
        parts[at.0].heed(watcher, at.1, link, jams, now.0);
        self.set_off_at(at, now);
    }

    /// How long data was paused on a directed link up to `now`, in ps, and how many PAUSE frames were sent over it: zero without priority
    /// flow control.
    pub fn pauses_on(&self, link: u32, now: Time) -> (u64, u32) {
        let (part, at) = self.common().port_of(link);
        let part = &self.parts()[part];
        let Some(gauge) = part.gauges.get(at as usize) else {
            return (0, 0);
        };
        let is_paused = part.ports[at as usize].is(state::PAUSED);
        let since = if is_paused {
            now.0.saturating_sub(gauge.paused_since)
        } else {
            0
        };
        (gauge.paused_ps + since, gauge.pauses)
    }

    /// Since when data is paused on a directed link; none while it may go.
    pub fn paused_since(&self, link: u32) -> Option<Time> {
        let (part, at) = self.common().port_of(link);
        let part = &self.parts()[part];
        let gauge = part.gauges.get(at as usize)?;
        part.ports[at as usize]
            .is(state::PAUSED)
            .then_some(Time(gauge.paused_since))
    }

    /// `xoff`, `xon`, and `xoff` with the headroom, in bytes, of the switch's port at the far end of a directed link; none without
    /// priority flow control.
    pub fn pfc_limits(&self, link: u32) -> Option<[u32; 3]> {
        self.config().pfc?;
        let clos = &self.config().clos;
        let limits = &self.common().limits[clos.describe(clos.reverse(link)).kind as usize];
        Some([limits.xoff, limits.xon, limits.most])
    }

    /// Bytes of data that came in over a directed link to a switch and have not yet left it; 0 without priority flow control.
    pub fn held_from(&self, link: u32) -> u32 {
        let (part, at) = self.common().port_of(self.config().clos.reverse(link));
        let gauge = self.parts()[part].gauges.get(at as usize);
        gauge.map_or(0, |gauge| gauge.held)
    }
}

#[cfg(test)]
mod tests;

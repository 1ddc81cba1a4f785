//! The fabric's edge: what NICs hand in and take out.

use crate::class::Class;
use crate::clos::LinkKind;
use crate::common::Common;
use crate::network::Observer;
use crate::order::Keys;
use crate::packet::{Control, Data, Packet};
use crate::part::{Cut, Far, Line, Part, crossing_hash};
use crate::port::Port;
use kernel::{Time, prefetch};

/// Packets that came to a NIC, in order.
#[derive(Clone, Debug)]
pub struct Inbox {
    times: Keys,
    keys: Vec<u64>,
    packets: Vec<(u32, Packet)>,
}

impl Default for Inbox {
    fn default() -> Self {
        Inbox {
            times: Keys::until(0),
            keys: Vec::new(),
            packets: Vec::new(),
        }
    }
}

impl Inbox {
    /// The time and the link of packet `i`.
    #[inline]
    pub fn when(&self, i: usize) -> Option<(u64, u32)> {
        let &key = self.keys.get(i)?;
        Some((self.times.at(key), self.packets[Keys::item(key)].0))
    }

    /// Packet `i`.
    #[inline]
    pub fn packet(&self, i: usize) -> &Packet {
        &self.packets[Keys::item(self.keys[i])].1
    }
}

impl Part {
    /// Takes what came in at a NIC up to the cut. `inbox` is emptied first.
    pub fn take_in<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        nic: u32,
        cut: Cut,
        inbox: &mut Inbox,
    ) {
        inbox.keys.clear();
        inbox.packets.clear();
        inbox.times = Keys::until(cut.at);
        for plane in 0..common.clos().planes {
            let at = self.span.nic_up(plane, nic) as usize;
            let link = self.span.nic_down_link(plane, nic);
            self.take_from::<Data, O>(common, watcher, at, link, cut, inbox);
            self.take_from::<Control, O>(common, watcher, at, link, cut, inbox);
        }
        let (keys, packets) = (&mut inbox.keys, &inbox.packets);
        inbox.times.sort(common, keys, |item| packets[item].0);
    }

    #[inline]
    fn take_from<T: Class, O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        at: usize,
        link: u32,
        cut: Cut,
        inbox: &mut Inbox,
    ) {
        let state_in = self.ports[at].state_in();
        let mut list = *T::incoming(&mut self.ports[at]);
        while let Ok((now, packet)) = T::pop_if(self, &mut list, |at| cut.admits(common, at, link)) {
            if self.is_lost(common, watcher, link, state_in, &packet, now) {
                continue;
            }
            self.crossed(1, crossing_hash(now, link, &packet.header()));
            self.counters.delivered += 1;
            watcher.crossed(Time(now), link, &packet.packet());
            inbox.keys.push(inbox.times.key(now, inbox.packets.len()));
            inbox.packets.push((link, packet.packet()));
        }
        *T::incoming(&mut self.ports[at]) = list;
    }

    /// Reads ahead what [`take_in`](Self::take_in) will touch at the NICs after `nic`: ports, packets, and packets behind
    /// those.
    #[inline]
    pub fn expect_nics(&self, common: &Common, nic: u32) {
        if !common.reads_ahead {
            return;
        }
        let nics = self.span.nics();
        for plane in 0..common.clos().planes {
            if nic + 6 < nics.end {
                prefetch(&self.nic_port(plane, nic + 6).free_at);
            }
            if nic + 4 < nics.end {
                let port = self.nic_port(plane, nic + 4);
                self.data.expect_pop(port.data_in);
                self.control.expect_pop(port.control_in);
            }
            for (after, distance) in [(1, 3), (2, 2), (3, 1)] {
                if nic + distance < nics.end {
                    let port = self.nic_port(plane, nic + distance);
                    self.data.expect_later(port.data_in, after);
                    self.control.expect_later(port.control_in, after);
                }
            }
        }
    }

    #[inline]
    pub(crate) fn nic_line<'a>(&self, common: &'a Common, plane: u32, nic: u32) -> Line<'a> {
        let t0 = self.span.rack_of(nic);
        Line {
            link: self.span.nic_up_link(plane, nic),
            class: common.config.class(LinkKind::NicUp),
            far: Far {
                part: self.number(),
                port: self.span.nic_down(plane, nic),
                place: self.span.t0_place(plane, t0),
            },
        }
    }

    /// A NIC's port.
    #[inline]
    pub fn nic_port(&self, plane: u32, nic: u32) -> &Port {
        &self.ports[self.span.nic_up(plane, nic) as usize]
    }

    /// Replays the line of a NIC's port up to and including `to`.
    #[inline]
    pub fn serve_nic(&mut self, common: &Common, plane: u32, nic: u32, to: u64) {
        let at = self.span.nic_up(plane, nic) as usize;
        let mut port = self.ports[at];
        let line = self.nic_line(common, plane, nic);
        self.serve(common, &mut port, &line, to);
        self.ports[at] = port;
    }

    /// A NIC hands over a data packet at `at`, when the line of its port is free. Returns when it is free again.
    #[inline]
    pub fn send_data(&mut self, common: &Common, plane: u32, nic: u32, packet: &Packet, at: u64) -> u64 {
        self.counters.created += 1;
        let place = self.span.nic_up(plane, nic) as usize;
        let mut port = self.ports[place];
        let line = self.nic_line(common, plane, nic);
        self.add_data(&mut port, &line, Data::from(packet), at);
        self.ports[place] = port;
        port.free_at
    }

    /// A NIC hands over a control packet. It waits for the line if need be. The line was served up to `now`.
    // Always: SACKs come by one of its two callers, and a call costs five instructions for each packet-hop of a run.
    #[inline(always)]
    pub fn send_control<O: Observer>(
        &mut self,
        common: &Common,
        watcher: &mut O,
        plane: u32,
        nic: u32,
        packet: &Packet,
        now: Time,
    ) {
        debug_assert!(packet.is_control());
        self.counters.created += 1;
        let place = self.span.nic_up(plane, nic) as usize;
        let mut port = self.ports[place];
        let line = self.nic_line(common, plane, nic);
        self.enqueue_control(watcher, &mut port, &line, Control::from(packet), now.0);
        self.ports[place] = port;
    }

    /// When the next packet comes in at, or leaves, a NIC, in ps; never too late.
    #[inline]
    pub fn nic_due(&self, nic: u32) -> u64 {
        self.due[self.span.nic_place(nic) as usize]
    }

    /// Looks when the next packet comes in at, or leaves, a NIC, after its window.
    pub fn note_nic(&mut self, common: &Common, nic: u32) {
        let place = self.span.nic_place(nic) as usize;
        self.due[place] = self.earliest_at_nic(common, nic);
    }

    /// When the next packet comes in at, or leaves, a NIC.
    pub(crate) fn earliest_at_nic(&self, common: &Common, nic: u32) -> u64 {
        let planes = 0..common.clos().planes;
        let times = planes.map(|plane| self.earliest_at(self.nic_port(plane, nic)));
        times.min().unwrap_or(u64::MAX)
    }

    /// When the next packet comes in at, or leaves, a port.
    pub(crate) fn earliest_at(&self, port: &Port) -> u64 {
        let data = self.data.front_at(port.data_in).unwrap_or(u64::MAX);
        let control = self.control.front_at(port.control_in).unwrap_or(u64::MAX);
        port.service_ends().min(data).min(control)
    }

    /// The next packet to come in at a NIC: its time, and the link that it comes by.
    pub fn next_in(&self, common: &Common, nic: u32) -> Option<(u64, u32)> {
        (0..common.clos().planes)
            .filter_map(|plane| {
                let port = self.nic_port(plane, nic);
                let link = self.span.nic_down_link(plane, nic);
                self.first_in(port).map(|(at, _)| (at, link))
            })
            .min_by_key(|&(at, link)| (at, common.ties.key(Time(at), link)))
    }

    /// The packet that comes in first at a port, and when.
    pub fn first_in(&self, port: &Port) -> Option<(u64, Packet)> {
        let data = self.data.front_at(port.data_in);
        let control = self.control.front_at(port.control_in);
        match (data, control) {
            (Some(at), later) if later.is_none_or(|later| at <= later) => {
                self.data.front(port.data_in).map(|p| (at, Packet::from(p)))
            }
            (_, Some(at)) => self.control.front(port.control_in).map(|p| (at, Packet::from(p))),
            _ => None,
        }
    }
}

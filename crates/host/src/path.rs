//! The way of a packet: guest, SmartNIC, link, network, peer, and back.

use crate::conn::Conn;
use crate::event::{End, Event};
use crate::loss::Loss;
use crate::netvsc::DataPath;
use crate::packet::{Owner, Packet, Place, Route};
use crate::run::{Run, place, side};
use gft::{Direction, ExceptionReason, Lookup, TcpFlags};
use kernel::Time;
use scenario::host::RateLimitPer;

/// Of a path's latency, fifths that lie between guest and SmartNIC; the rest lies beyond the link (our choice; it decides only
/// where a packet is drawn).
const NEAR: u64 = 2;
/// Buckets of the policer for sources; others share them.
const SOURCE_BUCKETS: u64 = 65_536;

/// Which of a pipe's orders a packet belongs to.
const BEYOND: usize = 2;

impl Run {
    /// The guest hands a packet over.
    pub(crate) fn guest_sends(&mut self, packet: Packet) {
        let Some(mut packet) = self.hand_over(packet) else {
            return;
        };
        let vm = packet.vm as usize;
        let data_path = self.vms[vm].devices.data_path();
        packet.route = match data_path {
            DataPath::Vf => Route::Hardware,
            _ => Route::Synthetic,
        };
        if data_path == DataPath::None {
            self.refuse(packet, Loss::NoDevice);
            return;
        }
        let Some(leaves) = self.vnic_takes(&packet) else {
            self.refuse(packet, Loss::TxRingFull);
            return;
        };
        let near = Time(self.residual(packet.route, packet.bits).0 / 5 * NEAR);
        packet.spent = near;
        let order = usize::from(data_path == DataPath::Synthetic);
        let (owner, bytes) = (packet.owner, packet.line_bytes());
        let at = self.in_order(owner, bytes, Direction::Out, order, leaves + near);
        let number = self.packets.insert(packet);
        match data_path {
            DataPath::Vf => self.go(number, Place::GuestToNic, at, Event::ToNic(number)),
            _ => self.go(number, Place::GuestToSwitch, at, Event::ToCore(number)),
        }
    }

    /// A peer hands a packet over.
    pub(crate) fn peer_sends(&mut self, packet: Packet) {
        let Some(mut packet) = self.hand_over(packet) else {
            return;
        };
        let vm = packet.vm as usize;
        packet.route = if self.vms[vm].devices.has_vf() {
            Route::Hardware
        } else {
            Route::Synthetic
        };
        let Some(leaves) = self.vnic_takes(&packet) else {
            self.refuse(packet, Loss::TxRingFull);
            return;
        };
        let far = Time(self.residual(packet.route, packet.bits).0 / 5 * (5 - NEAR));
        packet.spent = far;
        let (owner, bytes) = (packet.owner, packet.line_bytes());
        let at = self.in_order(owner, bytes, Direction::In, BEYOND, leaves + far);
        let number = self.packets.insert(packet);
        self.go(number, Place::FromNetwork, at, Event::FromNetwork(number));
    }

    /// A packet of a flood is handed over: by one of many hosts, so nothing holds it up.
    pub(crate) fn flood_sends(&mut self, packet: Packet) {
        let Some(mut packet) = self.hand_over(packet) else {
            return;
        };
        let far = Time(self.residual(Route::Hardware, packet.bits).0 / 5 * (5 - NEAR));
        packet.spent = far;
        let at = self.now + far;
        let number = self.packets.insert(packet);
        self.go(number, Place::FromNetwork, at, Event::FromNetwork(number));
    }

    /// Counts a packet that is handed over, and gives it back if there is room for it.
    fn hand_over(&mut self, packet: Packet) -> Option<Packet> {
        self.count_packet(&packet);
        if self.packets.len() < self.bounds.packets {
            return Some(packet);
        }
        self.refuse(packet, Loss::TooManyUnderWay);
        None
    }

    /// When the vNIC that sends it has sent a packet; none when its ring is full.
    fn vnic_takes(&mut self, packet: &Packet) -> Option<Time> {
        let vnic = &mut self.vms[packet.vm as usize].vnics[side(packet.direction)];
        match packet.owner {
            Owner::Conn { .. } | Owner::Rdma { .. } => Some(vnic.send(self.now, packet.bytes)),
            Owner::Datagram { .. } | Owner::Flood { .. } | Owner::Attack { .. } => {
                vnic.offer(self.now, packet.bytes)
            }
        }
    }

    /// A packet that was handed over goes nowhere.
    fn refuse(&mut self, packet: Packet, why: Loss) {
        let number = self.packets.insert(packet);
        self.lose(number, why);
    }

    fn count_packet(&mut self, packet: &Packet) {
        self.metrics.counters.created += 1;
        if let Some(traffic) = self.traffic_of(packet.owner) {
            self.metrics.traffic[traffic as usize].packets += 1;
        }
    }

    /// Sends a packet to its next place, where it arrives at `at`.
    pub(crate) fn go(&mut self, number: u32, place: Place, at: Time, event: Event) {
        let now = self.now;
        let packet = &mut self.packets[number];
        packet.place = place;
        packet.since = now;
        packet.until = at;
        self.at(at, event);
    }

    /// When a packet that would come at `at` does, as none overtakes another of its conversation, and none comes faster than
    /// the line has it.
    fn in_order(&mut self, owner: Owner, bytes: u32, direction: Direction, order: usize, at: Time) -> Time {
        let span = self.links[0].span(u64::from(bytes));
        match owner {
            Owner::Conn { conn, serial } if self.conn(conn, serial).is_some() => {
                self.conns[conn].pipes[side(direction)].in_order(order, at, span)
            }
            Owner::Rdma { traffic, .. } => match self.rdma_pipe(traffic, direction) {
                Some(pipe) => pipe.in_order(order, at, span),
                None => at,
            },
            _ => at,
        }
    }

    /// What is left of a packet's latency, now that its route is known.
    fn rest(&self, packet: &Packet) -> Time {
        self.residual(packet.route, packet.bits)
            .saturating_sub(packet.spent)
    }

    /// A guest's packet reaches the SmartNIC.
    pub(crate) fn nic_from_guest(&mut self, number: u32) {
        if !self.vms[self.packets[number].vm as usize].devices.has_vf() {
            self.lose(number, Loss::VfRemoved);
            return;
        }
        if let Some(why) = self.vf_refuses(number) {
            self.lose(number, why);
            return;
        }
        self.match_stage(number);
    }

    /// The SmartNIC's pipeline.
    fn match_stage(&mut self, number: u32) {
        let packet = &self.packets[number];
        let port = self.vms[packet.vm as usize].port.number();
        let direction = packet.direction;
        let seen = gft::Packet {
            key: packet.headers.key(port, direction),
            bytes: packet.frame_bytes(),
            flags: packet.headers.flags,
            seq: packet.segment.seq as u32,
            ack: packet.segment.ack as u32,
        };
        let now = self.nic_now();
        let Ok(passage) = self.nic.receive(now, &seen) else {
            self.lose(number, Loss::PipelineBufferFull);
            return;
        };
        let departure = passage.departure.saturating_sub(self.nic_ahead);
        self.time_reading(number, &passage, now);
        match passage.lookup {
            Lookup::Hit {
                entry,
                copy_to_software,
                ..
            } => {
                if copy_to_software {
                    let copy = Packet {
                        copy: true,
                        ..self.packets[number].clone()
                    };
                    let copy = self.packets.insert(copy);
                    self.go(copy, Place::Pipeline, departure, Event::ToCore(copy));
                }
                let after = self
                    .nic
                    .tables()
                    .transposition(entry)
                    .and_then(|transposition| transposition.apply(&self.packets[number].headers).ok());
                let Some(after) = after else {
                    self.lose(number, Loss::TransposeFailed);
                    return;
                };
                let packet = &mut self.packets[number];
                packet.headers = after;
                packet.route = Route::Hardware;
                match direction {
                    Direction::Out => self.go(number, Place::Pipeline, departure, Event::ToLink(number)),
                    Direction::In => self.deliver(number, departure),
                }
            }
            Lookup::Exception(reason) => self.exception(number, reason, departure),
        }
    }

    fn exception(&mut self, number: u32, reason: ExceptionReason, departure: Time) {
        self.metrics.counters.exceptions[match reason {
            ExceptionReason::Miss => 0,
            ExceptionReason::Stale => 1,
            ExceptionReason::Deactivated => 2,
        }] += 1;
        let packet = &mut self.packets[number];
        packet.route = Route::Exception;
        packet.exception = Some(reason);
        let policed = packet.direction == Direction::In && packet.is_syn() && !self.within_rate(number);
        if policed || !self.within_exceptions(number) {
            self.lose(number, Loss::StormLimit);
            return;
        }
        self.go(number, Place::Pipeline, departure, Event::ToCore(number));
    }

    /// The policer: takes a token for an inbound SYN.
    fn within_rate(&mut self, number: u32) -> bool {
        let Some(limit) = self.scenario.host.defences.syn_rate_limit else {
            return true;
        };
        let packet = &self.packets[number];
        let full = f64::from(limit.burst);
        let now = self.now;
        let bucket = match limit.per {
            RateLimitPer::Vm => &mut self.vms[packet.vm as usize].tokens,
            RateLimitPer::Source => {
                let hash = kernel::rng::mix(packet.headers.tuple.src.0 as u64);
                let bucket = kernel::rng::below(hash, SOURCE_BUCKETS) as u32;
                self.source_tokens.entry(bucket).or_insert((full, now))
            }
        };
        take_token(bucket, limit.per_second, full, now)
    }

    /// The policer of a VM's exceptions.
    fn within_exceptions(&mut self, number: u32) -> bool {
        let vm = self.packets[number].vm as usize;
        let Some(rate) = self.scenario.vms[vm].limits.exceptions_per_second else {
            return true;
        };
        let now = self.now;
        take_token(
            &mut self.vms[vm].exception_tokens,
            rate,
            exception_burst(rate),
            now,
        )
    }

    /// A packet for the outside reaches the link to the rack switch.
    pub(crate) fn reaches_link(&mut self, number: u32) {
        let packet = &self.packets[number];
        let bytes = packet.line_bytes();
        if self.wire_dead > 0 {
            self.lose(number, Loss::NotReady);
            return;
        }
        if self.links[0].backlog(self.now) + u64::from(bytes) > self.scenario.host.link_buffer.0 {
            self.lose(number, Loss::QoS);
            return;
        }
        let (owner, rest) = (packet.owner, self.rest(packet));
        let sent = self.links[0].send(self.now, bytes);
        let at = self.in_order(owner, bytes, Direction::Out, BEYOND, sent + rest);
        self.go(number, Place::ToNetwork, at, Event::ToPeer(number));
    }

    /// A peer's packet reaches the last link towards the host.
    pub(crate) fn reaches_last_link(&mut self, number: u32) {
        let bytes = self.packets[number].line_bytes();
        if self.wire_dead > 0 {
            self.lose(number, Loss::NotReady);
            return;
        }
        if self.links[1].backlog(self.now) + u64::from(bytes) > self.scenario.host.link_buffer.0 {
            self.lose(number, Loss::QoS);
            return;
        }
        let at = self.links[1].send(self.now, bytes);
        self.go(number, Place::Link, at, Event::FromLink(number));
    }

    /// It has crossed that link: the SmartNIC has it.
    pub(crate) fn crossed_link(&mut self, number: u32) {
        let packet = &self.packets[number];
        let vm = packet.vm;
        if !self.vms[vm as usize].devices.has_vf() {
            self.packets[number].route = Route::Synthetic;
            self.go(number, Place::Pipeline, self.now, Event::ToCore(number));
            return;
        }
        if self.scenario.host.defences.nic_syn_cookies && packet.is_syn() && !packet.verified {
            self.challenge(number);
            return;
        }
        self.match_stage(number);
    }

    /// The SmartNIC answers a SYN by a cookie, and keeps nothing of it.
    fn challenge(&mut self, number: u32) {
        let syn = self.packets.remove(number);
        self.metrics.counters.challenged += 1;
        self.note(2, &syn);
        let answer = Packet {
            direction: Direction::Out,
            headers: gft::Headers {
                flags: TcpFlags::SYN.with(TcpFlags::ACK),
                ..answer_headers(&syn.headers)
            },
            challenge: true,
            sent: self.now,
            spent: Time::ZERO,
            route: Route::Hardware,
            ..syn
        };
        self.count_packet(&answer);
        let number = self.packets.insert(answer);
        self.go(number, Place::Pipeline, self.now, Event::ToLink(number));
    }

    /// A packet is on its way to the guest from `from` on.
    pub(crate) fn deliver(&mut self, number: u32, from: Time) {
        let packet = &self.packets[number];
        let (owner, bytes, rest) = (packet.owner, packet.line_bytes(), self.rest(packet));
        let order = usize::from(packet.route != Route::Hardware);
        let at = self.in_order(owner, bytes, Direction::In, order, from + rest);
        self.go(number, Place::ToGuest, at, Event::ToGuest(number));
    }

    pub(crate) fn reaches_guest(&mut self, number: u32) {
        let packet = &self.packets[number];
        let vm = &self.vms[packet.vm as usize];
        let lost = if vm.paused {
            Some(Loss::NotReady)
        } else if packet.route == Route::Hardware {
            (!vm.devices.has_vf()).then_some(Loss::VfRemoved)
        } else {
            (!vm.devices.sees_synthetic()).then_some(Loss::UnseenByDriver)
        };
        match lost {
            Some(why) => self.lose(number, why),
            None => self.arrived(number, End::Guest),
        }
    }

    pub(crate) fn reaches_peer(&mut self, number: u32) {
        self.arrived(number, End::Peer);
    }

    fn arrived(&mut self, number: u32, end: End) {
        let packet = self.packets.remove(number);
        self.note(1, &packet);
        let route = packet.route as usize;
        let took = self.now.saturating_sub(packet.sent);
        let payload = u64::from(packet.payload());
        self.metrics.counters.delivered[route] += 1;
        self.metrics.counters.payload[side(packet.direction)][route] += payload;
        self.metrics.one_way[route].add(took);
        if let Some(traffic) = self.traffic_of(packet.owner) {
            let now = self.now;
            let result = &mut self.metrics.traffic[traffic as usize];
            result.arrived += 1;
            result.in_hardware += u64::from(packet.route == Route::Hardware);
            if payload > 0 {
                result.one_way.add(took);
                result.by_route[route].add(took);
                result.first.get_or_insert(now);
                result.last = now;
            }
        }
        match packet.owner {
            Owner::Conn { conn, serial } => self.conn_arrival(conn, serial, end, &packet),
            Owner::Flood { traffic } => self.flood_arrival(traffic, end, &packet),
            Owner::Attack { traffic, role } => self.attack_through(traffic, role),
            Owner::Rdma { traffic, serial } => self.rdma_arrival(traffic, serial, end, &packet),
            Owner::Datagram { traffic } => {
                self.metrics.traffic[traffic as usize].delivered += payload;
            }
        }
    }

    /// What the loss of a packet means to who sent it: nothing where TCP will find out by itself.
    pub(crate) fn lost_packet(&mut self, packet: &Packet) {
        if let Owner::Rdma { traffic, serial } = packet.owner {
            self.rdma_loss(traffic, serial);
        }
    }

    /// Whether an end may hand over more.
    pub(crate) fn has_room(&self, conn: &Conn, end: End) -> bool {
        let vm = &self.vms[conn.vm as usize];
        if !vm.vnics[place(end)].has_room(self.now) {
            return false;
        }
        match (end, self.core_for_guest(conn)) {
            (End::Guest, Some(core)) => {
                let most = (self.scenario.host.software.queue / crate::run::GUEST_SHARE).max(1);
                self.cores[core as usize].waiting() < most as usize
            }
            _ => true,
        }
    }

    /// The core that serves a guest's packets of a connection, if they take the synthetic path.
    pub(crate) fn core_for_guest(&self, conn: &Conn) -> Option<u32> {
        let vm = &self.vms[conn.vm as usize];
        let synthetic = vm.devices.data_path() == DataPath::Synthetic;
        synthetic.then(|| {
            crate::run::core_of(
                self.scenario.seed,
                &conn.out.tuple,
                self.scenario.host.software.cores,
            )
        })
    }
}

/// How many exceptions of a VM may come at once that may have `rate` per second: those of 10 ms, at least 8 (our choice).
pub(crate) fn exception_burst(rate: f64) -> f64 {
    (rate / 100.0).max(8.0)
}

/// Takes a token from a bucket that holds `full` and gets `rate` per second; false when there is none.
fn take_token(bucket: &mut (f64, Time), rate: f64, full: f64, now: Time) -> bool {
    let elapsed = now.saturating_sub(bucket.1).0 as f64 / 1e12;
    bucket.0 = (bucket.0 + elapsed * rate).min(full);
    bucket.1 = now;
    let passes = bucket.0 >= 1.0;
    bucket.0 -= f64::from(u8::from(passes));
    passes
}

/// The headers of the answer to a packet as it came.
pub(crate) fn answer_headers(headers: &gft::Headers) -> gft::Headers {
    gft::Headers {
        encaps: headers.encaps.map(|encap| {
            encap.map(|encap| gft::Encap {
                src: encap.dst,
                dst: encap.src,
                dst_mac: crate::addresses::ROUTER_MAC,
                ..encap
            })
        }),
        src_mac: headers.dst_mac,
        dst_mac: headers.src_mac,
        tuple: headers.tuple.reversed(),
        dscp: headers.dscp,
        ttl: 64,
        flags: TcpFlags::default(),
    }
}

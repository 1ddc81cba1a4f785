//! What becomes of a packet.

use super::Port;
use crate::classifier::is_syn;
use crate::drop::DropReason;
use crate::flows::Compiled;
use crate::offload::Offload;
use crate::policy::{SpaceId, side};
use crate::settings::{FlowClass, MidStream};
use crate::tcp::{self, Change, Fins, FlowState};
use crate::walk::LayerStep;
use crate::walk::{Counting, End, Recorder, Remembered, Trip, Way, misfit};
use crate::work::Work;
use gft::{Address, Direction, Headers, Protocol, TcpFlags};
use kernel::Time;
use std::mem;

/// What becomes of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on with these headers.
    Forward(Headers),
    /// It is dropped.
    Drop(DropReason),
    /// It waits until this address is resolved ([`Port::resolve`]) or given up ([`Port::expire`]); then it is to come again,
    /// or is lost. Keeping it is the caller's business.
    Pending {
        /// The mapping space.
        space: SpaceId,
        /// The customer address.
        ca: Address,
    },
    /// It is answered with these headers, back to where it came from.
    Reply(Headers),
}

/// A port's answer for one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What becomes of it.
    pub verdict: Verdict,
    /// The flow's handle, where it has one.
    pub flow: Option<u32>,
    /// What it cost.
    pub work: Work,
}

/// A packet at the port.
#[derive(Clone, Copy, Debug)]
struct Arrival<'a> {
    now: Time,
    headers: &'a Headers,
    direction: Direction,
    bytes: u32,
}

/// Where what it brings about is noted, beside its verdict.
#[derive(Debug)]
struct Notes<'a, R> {
    offloads: &'a mut Vec<Offload>,
    work: Work,
    recorder: R,
}

impl Port {
    /// Decides about a packet of `bytes` bytes that reaches the port from the VM or from the wire. Commands to the hardware
    /// are added to `offloads`.
    pub fn process(
        &mut self,
        now: Time,
        headers: &Headers,
        direction: Direction,
        bytes: u32,
        offloads: &mut Vec<Offload>,
    ) -> Answer {
        let arrival = Arrival {
            now,
            headers,
            direction,
            bytes,
        };
        self.process_noting(arrival, offloads, ()).0
    }

    /// The same, and every layer that the packet crossed: none where the flow table knew it.
    pub fn process_with_walk(
        &mut self,
        now: Time,
        headers: &Headers,
        direction: Direction,
        bytes: u32,
        offloads: &mut Vec<Offload>,
    ) -> (Answer, Vec<LayerStep>) {
        let arrival = Arrival {
            now,
            headers,
            direction,
            bytes,
        };
        self.process_noting(arrival, offloads, Vec::new())
    }

    fn process_noting<R: Recorder>(
        &mut self,
        arrival: Arrival<'_>,
        offloads: &mut Vec<Offload>,
        recorder: R,
    ) -> (Answer, R) {
        if let Some(reason) = self.refused(arrival.headers, arrival.direction) {
            let answer = Answer {
                verdict: self.drop_packet(reason),
                flow: None,
                work: Work::default(),
            };
            return (answer, recorder);
        }
        let mut matches = mem::take(&mut self.matches);
        let mut notes = Notes {
            offloads,
            work: Work::default(),
            recorder: Counting {
                matches: &mut matches,
                steps: recorder,
            },
        };
        self.count_flags(arrival.headers);
        let (verdict, flow) = match self.lookup(arrival, &mut notes) {
            Ok((place, way)) => {
                let verdict = self.hit(place, way, arrival, &mut notes);
                (verdict, Some(self.flows.handle(place)))
            }
            Err(Some(end)) => (self.ended(arrival.now, end, arrival.headers), None),
            Err(None) => self.miss(arrival, &mut notes),
        };
        let answer = Answer {
            verdict,
            flow,
            work: notes.work,
        };
        let recorder = notes.recorder.steps;
        self.matches = matches;
        (answer, recorder)
    }

    /// Why a packet is not even looked at.
    pub(super) fn refused(&self, headers: &Headers, direction: Direction) -> Option<DropReason> {
        let settings = &self.settings;
        let guard = &settings.guard;
        if !settings.enabled {
            return Some(DropReason::NicDisabled);
        }
        if settings.blocked {
            return Some(DropReason::DropBlocked);
        }
        match direction {
            Direction::Out if guard.mac.is_some_and(|mac| mac != headers.src_mac) => {
                Some(DropReason::MacSpoofing)
            }
            Direction::Out => {
                let src = headers.tuple.src;
                let own = guard.addresses.is_empty() || guard.addresses.iter().any(|p| p.contains(src));
                if !own {
                    return Some(DropReason::DropIPv4Spoofing);
                }
                if headers.encaps[0].is_some() && !guard.tnis.is_empty() {
                    return Some(DropReason::VirtualSubnetId);
                }
                let dst = headers.tuple.dst;
                let forbidden = guard.forbidden.iter().any(|p| p.contains(dst));
                forbidden.then_some(DropReason::DroppedAcl)
            }
            Direction::In => {
                let tni = headers.encaps[0].map_or(0, |encap| encap.tni);
                let allowed = guard.tnis.is_empty() || guard.tnis.contains(&tni);
                (!allowed).then_some(DropReason::VirtualSubnetId)
            }
        }
    }

    fn count_flags(&mut self, headers: &Headers) {
        if headers.tuple.protocol != Protocol::TCP {
            return;
        }
        let flags = headers.flags;
        let counters = &mut self.counters;
        match (flags.has(TcpFlags::SYN), flags.has(TcpFlags::ACK)) {
            (true, false) => counters.tcp_syn_packets += 1,
            (true, true) => counters.tcp_syn_ack_packets += 1,
            _ => {}
        }
        counters.tcp_fin_packets += u64::from(flags.has(TcpFlags::FIN));
        counters.tcp_rst_packets += u64::from(flags.has(TcpFlags::RST));
    }

    /// The flow of a packet, with the policy in force. A flow that is too old, or over and met by a SYN, is taken out. An error
    /// is the end of the packet, or `None` when it belongs to no flow.
    fn lookup<R: Recorder>(
        &mut self,
        arrival: Arrival<'_>,
        notes: &mut Notes<'_, R>,
    ) -> Result<(u32, Way), Option<End>> {
        let Arrival {
            now,
            headers,
            direction,
            ..
        } = arrival;
        let key = headers.key(self.number, direction);
        notes.work.lookups += 1;
        let (place, way) = self.flows.find(&key).ok_or(None)?;
        if self.deadline(place) <= now {
            self.expire_pair(place, now, notes.offloads, &mut notes.work);
            return Err(None);
        }
        let pair = self.flows.pair(place);
        if pair.state.is_over() && is_syn(headers) {
            self.remove(place, now, notes.offloads, &mut notes.work);
            return Err(None);
        }
        if pair.generation == self.generation {
            return Ok((place, way));
        }
        let first = match way {
            Way::Forward => *headers,
            Way::Answer => self.flows.first_packet(place),
        };
        match self.reconcile(place, now, &first, notes) {
            // The key of the answers may be another now.
            End::Forward => self.flows.find(&key).ok_or(None),
            // An answer given here is the business of a first packet.
            End::Reply => Err(None),
            end => Err(Some(end)),
        }
    }

    /// Walks a flow again under the policy in force. What stateful layers know of it stays. A flow that does not come through any
    /// more is taken out, unless it only waits for a mapping.
    fn reconcile<R: Recorder>(
        &mut self,
        place: u32,
        now: Time,
        first: &Headers,
        notes: &mut Notes<'_, R>,
    ) -> End {
        let Notes {
            offloads,
            work,
            recorder,
        } = notes;
        work.reconciled += 1;
        self.counters.number_of_flow_resimulated += 1;
        let known = self.kept(place);
        // Rules for SYN only were asked by the first packet, and are asked as for it.
        let mut asked = *first;
        asked.flags = self.flows.first_packet(place).flags;
        let direction = self.flows.pair(place).direction;
        let plan = self.plan(&asked, direction, &known, work, recorder, &mut ());
        match plan.forward.end {
            End::Forward => {
                let syn = asked.flags.has(TcpFlags::SYN);
                let compiled = self.compiled(&asked, direction, syn, &plan, known);
                self.rebind(place, &compiled.remembered);
                self.flows.replace(place, &compiled, self.generation);
                if self.flows.pair(place).offloaded {
                    let flows = self.offload_flows(place);
                    work.offload_commands += flows.iter().flatten().count() as u32;
                    offloads.push(Offload::Update {
                        handle: self.flows.handle(place),
                        flows,
                    });
                }
            }
            End::Pending { .. } => {}
            End::Drop { .. } | End::Reply => self.remove(place, now, offloads, work),
        }
        plan.forward.end
    }

    /// What the layers that are still there, and still stateful, know of a pair.
    pub(super) fn kept(&self, place: u32) -> Remembered {
        let stateful = self.policy.source().layers.iter().filter(|layer| layer.stateful);
        let mask = stateful.fold(0, |mask, layer| mask | 1 << layer.id.0);
        let mut known = self.flows.remembered(place);
        known.mask &= mask;
        known.states.retain(|state| mask >> state.layer.0 & 1 == 1);
        known
    }

    /// The SNAT ports of a pair become those of `remembered`.
    fn rebind(&mut self, place: u32, remembered: &Remembered) {
        let before: Vec<_> = self.flows.bindings(place).collect();
        for binding in before {
            self.bindings.release(binding);
        }
        for binding in remembered.states.iter().filter_map(|state| state.binding) {
            self.bindings.take(binding);
        }
    }

    /// The verdict for a walk that ended so, with these headers.
    fn ended(&mut self, now: Time, end: End, after: &Headers) -> Verdict {
        match end {
            End::Forward => Verdict::Forward(*after),
            End::Reply => Verdict::Reply(*after),
            End::Drop { reason, .. } => self.drop_packet(reason),
            End::Pending { space, ca } => {
                let (entries, packets) = (
                    self.settings.max_pending_entries,
                    self.settings.max_pending_packets,
                );
                if self.pending.wait((space, ca), now, entries, packets) {
                    Verdict::Pending { space, ca }
                } else {
                    self.drop_packet(DropReason::Resources)
                }
            }
        }
    }

    /// A packet of a flow that is in the table.
    fn hit<R: Recorder>(
        &mut self,
        place: u32,
        way: Way,
        arrival: Arrival<'_>,
        notes: &mut Notes<'_, R>,
    ) -> Verdict {
        let Arrival {
            now,
            headers,
            direction,
            bytes,
        } = arrival;
        let side = side(direction);
        let protocol = headers.tuple.protocol;
        for class in Port::classes(protocol) {
            self.stats.of_mut(side, class).matched += 1;
        }
        let after = if self.settings.unified_flows {
            self.flows.action(place, way).apply(headers).map_err(misfit)
        } else {
            let known = self.flows.remembered(place);
            let trip = Trip {
                direction,
                way,
                remembered: &known,
            };
            let walked = self
                .walker()
                .walk(headers, trip, &mut notes.work, &mut notes.recorder);
            match walked.end {
                End::Drop { reason, .. } => Err(reason),
                _ => Ok(walked.after),
            }
        };
        let after = match after {
            Ok(after) => after,
            Err(reason) => return self.drop_packet(reason),
        };
        self.seen(place, way, now, 1, u64::from(bytes));
        self.track(place, way, headers.flags, now);
        self.offload(place, notes.offloads, &mut notes.work);
        Verdict::Forward(after)
    }

    /// Packets of a flow were seen, the last of them at `at`.
    pub(super) fn seen(&mut self, place: u32, way: Way, at: Time, packets: u64, bytes: u64) {
        let pair = self.flows.pair_mut(place);
        pair.last_seen = pair.last_seen.max(at);
        pair.packets[way as usize] += packets;
        pair.bytes[way as usize] += bytes;
        self.meter(place, way, packets, bytes);
    }

    /// Tracks TCP.
    pub(super) fn track(&mut self, place: u32, way: Way, flags: TcpFlags, now: Time) {
        let pair = self.flows.pair_mut(place);
        if pair.state == FlowState::Untracked {
            return;
        }
        let (state, change) = tcp::step(pair.state, &mut pair.fins, flags, way);
        self.change_state(place, state, change, now);
    }

    /// A packet that belongs to no flow.
    fn miss<R: Recorder>(
        &mut self,
        arrival: Arrival<'_>,
        notes: &mut Notes<'_, R>,
    ) -> (Verdict, Option<u32>) {
        let Arrival {
            now,
            headers,
            direction,
            bytes,
        } = arrival;
        let Notes {
            offloads,
            work,
            recorder,
        } = notes;
        let tracked = self.settings.tcp_tracking && headers.tuple.protocol == Protocol::TCP;
        let syn = is_syn(headers);
        if tracked && !syn {
            self.counters.non_syn_stateful += 1;
            if self.settings.mid_stream == MidStream::Drop {
                return (self.drop_packet(DropReason::NoConnection), None);
            }
        }
        let state = match (tracked, syn) {
            (false, _) => FlowState::Untracked,
            (true, true) => FlowState::SynSent,
            (true, false) => FlowState::Established,
        };
        // A reset opens nothing: it passes or not, and is forgotten.
        let keep = !(tracked && headers.flags.has(TcpFlags::RST));
        // The limit comes before the walk, so that a full table costs none (our choice).
        if keep && !self.has_room(headers.tuple.protocol, state.is_half_open()) {
            let reason = DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit;
            return (self.drop_packet(reason), None);
        }
        let known = Remembered::default();
        let plan = self.plan(headers, direction, &known, work, recorder, &mut ());
        let end = plan.forward.end;
        if end != End::Forward || !keep {
            return (self.ended(now, end, &plan.forward.after), None);
        }
        let compiled = self.compiled(headers, direction, syn, &plan, known);
        match self.create(now, &compiled, state, bytes, offloads, work) {
            Some(place) => {
                let handle = self.flows.handle(place);
                (Verdict::Forward(plan.forward.after), Some(handle))
            }
            None => {
                let reason = DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit;
                (self.drop_packet(reason), None)
            }
        }
    }

    fn create(
        &mut self,
        now: Time,
        compiled: &Compiled,
        state: FlowState,
        bytes: u32,
        offloads: &mut Vec<Offload>,
        work: &mut Work,
    ) -> Option<u32> {
        let deadline = now.saturating_add(state.ttl(&self.settings.timers));
        let place = self.flows.add(compiled, self.generation, state, now, deadline)?;
        for binding in compiled
            .remembered
            .states
            .iter()
            .filter_map(|state| state.binding)
        {
            self.bindings.take(binding);
        }
        work.created += 2;
        for side in 0..2 {
            for class in Port::classes(compiled.ingress.tuple.protocol) {
                self.stats.created(side, class, now);
            }
            if state.is_half_open() {
                self.stats.created(side, FlowClass::HalfOpenFlow, now);
            }
        }
        self.seen(place, Way::Forward, now, 1, u64::from(bytes));
        self.offload(place, offloads, work);
        Some(place)
    }

    /// The hardware has forwarded a packet and sent a copy: the flow's TCP state follows, nothing is forwarded. `headers` are
    /// those that the hardware matched. The hardware's counters tell of its bytes.
    ///
    /// A SYN that the hardware has let through by the entries of a connection that is over opens the next one on them. Opened
    /// from the other side it counts as established at once, as a pair can't be turned round (our choice).
    pub fn observe(&mut self, now: Time, headers: &Headers, direction: Direction) -> Work {
        self.count_flags(headers);
        if let Some((place, way)) = self.flows.find(&headers.key(self.number, direction)) {
            self.seen(place, way, now, 0, 0);
            let pair = self.flows.pair_mut(place);
            if pair.state.is_over() && is_syn(headers) {
                pair.fins = Fins::default();
                let state = match way {
                    Way::Forward => FlowState::SynSent,
                    Way::Answer => FlowState::Established,
                };
                self.change_state(place, state, Change::None, now);
            } else {
                self.track(place, way, headers.flags, now);
            }
        }
        Work {
            lookups: 1,
            ..Work::default()
        }
    }

    /// The hardware reports packets and bytes of a flow since its last report, the last of them seen at `last`. A report of a
    /// flow that is gone is ignored.
    ///
    /// Of a handshake the hardware copies SYN and SYN-ACK; that its last acknowledgment has passed is known from here.
    pub fn counted(&mut self, handle: u32, direction: Direction, packets: u64, bytes: u64, last: Time) {
        let Some(place) = self.flows.of_handle(handle) else {
            return;
        };
        let pair = self.flows.pair(place);
        let way = if pair.direction == direction {
            Way::Forward
        } else {
            Way::Answer
        };
        let verified = packets > 0 && way == Way::Forward && pair.state == FlowState::SynRcvd;
        self.seen(place, way, last, packets, bytes);
        if verified {
            self.change_state(place, FlowState::Established, Change::Verified, last);
        }
    }
}

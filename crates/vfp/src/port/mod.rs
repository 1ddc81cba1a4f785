//! A port: the policy of one vNIC, its flows, and what becomes of its packets.

mod ageing;
mod inspect;
mod packet;
mod pending;
mod update;

pub use ageing::{Expired, InjectedReset};
pub use inspect::{EntryView, FlowView, Inspection};
pub use packet::{Answer, Verdict};

use crate::drop::DropReason;
use crate::flows::{Compiled, Flows, TableMemory, way_direction};
use crate::offload::{Offload, TCP_COPIES};
use crate::policy::{CompiledPolicy, side};
use crate::settings::{FlowClass, MAX_PAIRS, OffloadWhen, Settings};
use crate::snat::Bindings;
use crate::stats::{Counters, FlowStats, MeterCount};
use crate::tcp::{Change, FlowState};
use crate::walk::{End, Matches, Recorder, Remembered, Trip, Walked, Walker, Way, answer};
use crate::work::Work;
use gft::{CacheHint, CopyFlags, Direction, Flow, Headers, Protocol};
use kernel::Time;
use pending::Pending;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One VFP port. It has no clock: every call says what time it is, never earlier than the call before.
#[derive(Clone, Debug)]
pub struct Port {
    /// The settings. What is changed holds for the packets that come.
    pub settings: Settings,
    number: u16,
    seed: u64,
    policy: Arc<CompiledPolicy>,
    generation: u32,
    flows: Flows,
    bindings: Bindings,
    pending: Pending,
    counters: Counters,
    stats: FlowStats,
    meters: BTreeMap<u16, [MeterCount; 2]>,
    matches: Matches,
}

/// The walks of both ways of a flow.
#[derive(Clone, Debug)]
struct Plan {
    forward: Walked,
    /// Where answers come through; with the headers they come with.
    answer: Option<(Headers, Walked)>,
    /// Where answers end, if the packet itself gets through.
    answer_end: Option<End>,
}

impl Port {
    /// A port without flows. `seed` is that of the hash of its flow table and of the one that spreads connections over
    /// backends.
    pub fn new(number: u16, seed: u64, settings: Settings, policy: CompiledPolicy) -> Port {
        Port {
            settings,
            number,
            seed,
            matches: Matches::of(&policy),
            policy: Arc::new(policy),
            generation: 1,
            flows: Flows::new(number, seed),
            bindings: Bindings::default(),
            pending: Pending::default(),
            counters: Counters::default(),
            stats: FlowStats::default(),
            meters: BTreeMap::new(),
        }
    }

    /// The port's number.
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// The generation of its policy, from 1. Every change of the policy makes it one higher.
    pub const fn generation(&self) -> u32 {
        self.generation
    }

    /// The policy in force.
    pub fn policy(&self) -> &CompiledPolicy {
        &self.policy
    }

    /// Events so far.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Flow statistics.
    pub const fn stats(&self) -> &FlowStats {
        &self.stats
    }

    /// Packets and bytes by meter class, out and in.
    pub const fn meters(&self) -> &BTreeMap<u16, [MeterCount; 2]> {
        &self.meters
    }

    /// In how many walks a rule has decided its layer since its policy is in force: those of flows' first packets and of
    /// reconciliations, since packets of known flows ask no rule. The rule is named by the positions of its layer, its group
    /// and itself in the policy's lists; `None` where there is none.
    pub fn matches(&self, layer: usize, group: usize, rule: usize) -> Option<u64> {
        let number = self.policy.rule_number(layer, group, rule)?;
        Some(self.matches.get(number))
    }

    /// Pairs of flows in the table.
    pub const fn pairs(&self) -> usize {
        self.flows.len()
    }

    /// SNAT ports in use, each destination of a reused one counted.
    pub const fn snat_ports(&self) -> usize {
        self.bindings.count()
    }

    /// Addresses that wait for their mapping, and packets that wait with them.
    pub fn pending(&self) -> (usize, u32) {
        self.pending.count()
    }

    /// Memory of the flow table. Walks the whole table.
    pub fn memory(&self) -> TableMemory {
        self.flows.memory()
    }

    /// Different header transpositions that the flows share.
    pub const fn transpositions(&self) -> usize {
        self.flows.shapes()
    }

    fn walker(&self) -> Walker<'_> {
        Walker {
            policy: &self.policy,
            bindings: &self.bindings,
            seed: self.seed,
        }
    }

    /// Walks a flow's first packet, and the answer to what it becomes.
    fn plan<R: Recorder, B: Recorder>(
        &self,
        first: &Headers,
        direction: Direction,
        remembered: &Remembered,
        work: &mut Work,
        forward: &mut R,
        back: &mut B,
    ) -> Plan {
        let walker = self.walker();
        let trip = Trip {
            direction,
            way: Way::Forward,
            remembered,
        };
        let walked = walker.walk(first, trip, work, forward);
        if walked.end != End::Forward {
            return Plan {
                forward: walked,
                answer: None,
                answer_end: None,
            };
        }
        let reply = answer(&walked.after);
        let mut known = remembered.clone();
        known.extend(&walked.learned);
        let trip = Trip {
            direction: direction.reversed(),
            way: Way::Answer,
            remembered: &known,
        };
        let answered = walker.walk(&reply, trip, work, back);
        let end = answered.end;
        Plan {
            forward: walked,
            answer: (end == End::Forward).then_some((reply, answered)),
            answer_end: Some(end),
        }
    }

    /// A plan as the flow table wants it.
    fn compiled(
        &self,
        first: &Headers,
        direction: Direction,
        syn: bool,
        plan: &Plan,
        known: Remembered,
    ) -> Compiled {
        let mut remembered = known;
        remembered.extend(&plan.forward.learned);
        let answer = plan.answer.as_ref().map(|(reply, walked)| {
            let key = reply.key(self.number, direction.reversed());
            (key, walked.transposition)
        });
        Compiled {
            ingress: *first,
            direction,
            syn,
            answer,
            forward: plan.forward.transposition,
            remembered,
            meters: [
                plan.forward.meter,
                plan.answer.as_ref().map_or(0, |(_, w)| w.meter),
            ],
        }
    }

    /// The classes that a flow counts in, beside half-open.
    const fn classes(protocol: Protocol) -> [FlowClass; 3] {
        let own = match protocol {
            Protocol::TCP => FlowClass::TcpFlow,
            Protocol::UDP => FlowClass::UdpFlow,
            _ => FlowClass::OtherFlow,
        };
        [FlowClass::TotalEntry, FlowClass::TotalFlow, own]
    }

    /// Whether a new pair fits the limits. Both its flows count, whether answers turn out to come through or not.
    fn has_room(&self, protocol: Protocol, half_open: bool) -> bool {
        let room = |side: usize, class: FlowClass| {
            let limit = self.settings.limits[side].of(class);
            self.stats.0[side][class as usize].count < limit
        };
        let classes = Port::classes(protocol);
        self.flows.len() < MAX_PAIRS as usize
            && [0, 1].into_iter().all(|side| {
                classes.iter().all(|&class| room(side, class))
                    && (!half_open || room(side, FlowClass::HalfOpenFlow))
            })
    }

    /// Takes a pair out of the table and gives back what it had.
    fn remove(&mut self, place: u32, now: Time, offloads: &mut Vec<Offload>, work: &mut Work) {
        let pair = self.flows.pair(place);
        if pair.offloaded {
            offloads.push(Offload::Remove {
                handle: self.flows.handle(place),
            });
            work.offload_commands += 1;
        }
        work.removed += 2;
        let half_open = pair.state.is_half_open();
        let protocol = self.flows.key(place, Way::Forward).tuple.protocol;
        for side in 0..2 {
            for class in Port::classes(protocol) {
                self.stats.deleted(side, class, now);
            }
            if half_open {
                self.stats.deleted(side, FlowClass::HalfOpenFlow, now);
            }
        }
        let bindings: Vec<_> = self.flows.bindings(place).collect();
        for binding in bindings {
            self.bindings.release(binding);
        }
        self.flows.remove(place);
    }

    /// The entries of a pair for the hardware.
    fn offload_flows(&self, place: u32) -> [Option<Flow>; 2] {
        let pair = self.flows.pair(place);
        let copy = match pair.state {
            FlowState::Untracked => CopyFlags::NONE,
            _ => TCP_COPIES,
        };
        let entry = |way| Flow {
            key: self.flows.key(place, way),
            transposition: self.flows.action(place, way),
            generation: pair.generation,
            copy,
            hint: CacheHint::default(),
            handle: self.flows.handle(place),
        };
        [
            Some(entry(Way::Forward)),
            pair.answered.then(|| entry(Way::Answer)),
        ]
    }

    /// Tells the hardware of a pair if it is time to and has not been done.
    fn offload(&mut self, place: u32, offloads: &mut Vec<Offload>, work: &mut Work) {
        let pair = self.flows.pair(place);
        let ready = match self.settings.offload {
            OffloadWhen::Never => false,
            OffloadWhen::FirstPacket => true,
            OffloadWhen::HandshakeComplete => !pair.state.is_half_open(),
        };
        if ready && self.settings.unified_flows && !pair.offloaded && !pair.state.is_over() {
            self.flows.pair_mut(place).offloaded = true;
            self.install(place, offloads, work);
        }
    }

    fn install(&self, place: u32, offloads: &mut Vec<Offload>, work: &mut Work) {
        let flows = self.offload_flows(place);
        work.offload_commands += flows.iter().flatten().count() as u32;
        offloads.push(Offload::Install {
            handle: self.flows.handle(place),
            flows,
        });
    }

    fn drop_packet(&mut self, reason: DropReason) -> Verdict {
        self.counters.dropped[reason as usize] += 1;
        Verdict::Drop(reason)
    }

    fn meter(&mut self, place: u32, way: Way, packets: u64, bytes: u64) {
        let pair = self.flows.pair(place);
        let class = pair.meters[way as usize];
        if class != 0 {
            let count = &mut self.meters.entry(class).or_default()[side(way_direction(pair.direction, way))];
            count.packets += packets;
            count.bytes += bytes;
        }
    }

    /// Puts a tracked flow into another state: counts it in and out of the half-open class, and sets its deadline.
    fn change_state(&mut self, place: u32, state: FlowState, change: Change, now: Time) {
        let counters = &mut self.counters;
        match change {
            Change::None => {}
            Change::Verified => counters.tcp_connections_verified += 1,
            Change::ClosedByFin => counters.tcp_connections_closed_by_fin += 1,
            Change::TimeWait => counters.tcp_connections_time_wait += 1,
            Change::Reset => {
                counters.tcp_connections_reset += 1;
                counters.tcp_connections_reset_half_ttl += 1;
            }
            Change::ResetBySyn => counters.tcp_connections_reset_by_syn += 1,
        }
        let pair = self.flows.pair_mut(place);
        let before = std::mem::replace(&mut pair.state, state);
        if before == state {
            return;
        }
        for side in 0..2 {
            match (before.is_half_open(), state.is_half_open()) {
                (true, false) => self.stats.deleted(side, FlowClass::HalfOpenFlow, now),
                (false, true) => self.stats.created(side, FlowClass::HalfOpenFlow, now),
                _ => {}
            }
        }
        let deadline = self.deadline(place);
        self.flows.schedule(place, deadline);
    }

    /// Until when a pair lives without another packet.
    fn deadline(&self, place: u32) -> Time {
        let pair = self.flows.pair(place);
        pair.last_seen
            .saturating_add(pair.state.ttl(&self.settings.timers))
    }
}

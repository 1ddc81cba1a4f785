//! The walk of a packet through the layers: the rules that match, and the one transposition they come to.
//!
//! Semantics (facts/accelnet.md, sections 1.3 and 1.4): outbound packets cross the layers in order, inbound packets in the
//! opposite order. In a layer the groups of the packet's direction are processed in sequence; in a group only the match of
//! the best priority counts; over the groups the last match wins, unless a terminating rule matched before it. No match at
//! all is the layer's default. A layer that remembers the flow does not ask its rules.

mod inverse;
mod matches;
mod report;

pub(crate) use inverse::answer;
pub(crate) use matches::{Counting, Matches};
pub use report::{GroupOutcome, GroupStep, LayerDecision, LayerStep, Walk};

use crate::drop::DropReason;
use crate::hash;
use crate::mapping::Unmapped;
use crate::policy::{
    Action, Backend, CompiledGroup, CompiledPolicy, Group, LayerId, Rule, RuleFlags, SpaceId, side,
};
use crate::snat::{Binding, Bindings};
use crate::work::Work;
use gft::{Address, Direction, Encap, Headers, Protocol, TransposeError, Transposition};

/// Where a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It came through all layers.
    Forward,
    /// It was dropped here.
    Drop {
        /// The layer; `None` where no layer was asked.
        layer: Option<LayerId>,
        /// Why.
        reason: DropReason,
    },
    /// It waits for this address's mapping.
    Pending {
        /// The mapping space.
        space: SpaceId,
        /// The customer address.
        ca: Address,
    },
    /// It is answered here; the headers are the answer's.
    Reply,
}

/// Which of a flow's two ways a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// As the flow's first packet.
    Forward,
    /// The answers.
    Answer,
}

/// What one layer knows of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LayerState {
    pub(crate) layer: LayerId,
    /// Forward, answer.
    pub(crate) ways: [Transposition; 2],
    pub(crate) binding: Option<Binding>,
}

/// What the layers know of a flow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remembered {
    /// The layers that know it, a bit each.
    pub(crate) mask: u32,
    /// What they do to it, where that is anything.
    pub(crate) states: Vec<LayerState>,
}

impl Remembered {
    /// A layer has done this to a flow's first packet for a stateful rule.
    fn learn(&mut self, layer: LayerId, effect: &Effect, before: &Headers) {
        self.mask |= 1 << layer.0;
        let done = effect.transposition;
        if done != Transposition::default() {
            self.states.push(LayerState {
                layer,
                ways: [done, inverse::inverse(&done, before)],
                binding: effect.binding,
            });
        }
    }

    /// What is known beside it.
    pub(crate) fn extend(&mut self, more: &Remembered) {
        self.mask |= more.mask;
        self.states.extend_from_slice(&more.states);
    }

    fn of(&self, layer: LayerId, way: Way) -> Option<Transposition> {
        if self.mask >> layer.0 & 1 == 0 {
            return None;
        }
        let state = self.states.iter().find(|state| state.layer == layer);
        Some(state.map_or_else(Transposition::default, |state| state.ways[way as usize]))
    }
}

/// Takes note of a walk. `()` takes none and costs nothing.
pub(crate) trait Recorder {
    /// Whether anybody looks.
    const ON: bool;
    /// A layer was crossed.
    fn layer(&mut self, step: LayerStep);
    /// The rule with this number in the policy decided a layer.
    fn matched(&mut self, _: usize) {}
}

impl Recorder for () {
    const ON: bool = false;
    fn layer(&mut self, _: LayerStep) {}
}

impl Recorder for Vec<LayerStep> {
    const ON: bool = true;
    fn layer(&mut self, step: LayerStep) {
        self.push(step);
    }
}

/// The result of a walk.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    pub(crate) end: End,
    pub(crate) after: Headers,
    pub(crate) transposition: Transposition,
    /// What layers have learned on this walk (forward only).
    pub(crate) learned: Remembered,
    /// The last meter class, 0 without.
    pub(crate) meter: u16,
}

/// What a layer does to one packet.
#[derive(Clone, Copy, Debug, Default)]
struct Effect {
    transposition: Transposition,
    binding: Option<Binding>,
    meter: u16,
    stop: Option<End>,
}

impl From<Transposition> for Effect {
    fn from(transposition: Transposition) -> Effect {
        Effect {
            transposition,
            ..Effect::default()
        }
    }
}

impl From<End> for Effect {
    fn from(end: End) -> Effect {
        Effect {
            stop: Some(end),
            ..Effect::default()
        }
    }
}

/// How a packet comes to the layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trip<'a> {
    pub(crate) direction: Direction,
    pub(crate) way: Way,
    /// What the layers know of its flow.
    pub(crate) remembered: &'a Remembered,
}

/// The rule that decides a layer.
#[derive(Clone, Copy, Debug)]
struct Decision<'a> {
    /// The place of its group in the order of processing.
    group: usize,
    rule: &'a Rule,
    /// Its number in the policy.
    number: usize,
}

/// Everything a walk reads. It changes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker<'a> {
    pub(crate) policy: &'a CompiledPolicy,
    pub(crate) bindings: &'a Bindings,
    /// Of the hash that spreads connections over backends.
    pub(crate) seed: u64,
}

impl Walker<'_> {
    /// Walks `headers` through all layers.
    pub(crate) fn walk<R: Recorder>(
        &self,
        headers: &Headers,
        trip: Trip<'_>,
        work: &mut Work,
        recorder: &mut R,
    ) -> Walked {
        let mut walked = Walked {
            end: End::Forward,
            after: *headers,
            transposition: Transposition::default(),
            learned: Remembered::default(),
            meter: 0,
        };
        let layers = self.policy.source.layers.len();
        for step in 0..layers {
            let at = match trip.direction {
                Direction::Out => step,
                Direction::In => layers - 1 - step,
            };
            self.cross(at, trip, &mut walked, work, recorder);
            if walked.end != End::Forward {
                break;
            }
        }
        if walked.end == End::Reply {
            walked.after = answer(headers);
        }
        walked
    }

    /// Crosses the layer at this place of the policy.
    fn cross<R: Recorder>(
        &self,
        at: usize,
        trip: Trip<'_>,
        walked: &mut Walked,
        work: &mut Work,
        recorder: &mut R,
    ) {
        let layer = &self.policy.source.layers[at];
        let before = walked.after;
        let mut groups = Vec::new();
        work.layers += 1;
        let (decision, effect) = match trip.remembered.of(layer.id, trip.way) {
            Some(known) => (LayerDecision::Remembered, Effect::from(known)),
            None => match self.decide::<R>(at, trip.direction, &before, work, &mut groups) {
                Some(Decision { group, rule, number }) => {
                    recorder.matched(number);
                    let effect = self.effect(layer.id, rule, &before, trip.way);
                    let stateful = rule.flags.has(RuleFlags::STATEFUL);
                    if trip.way == Way::Forward && stateful && effect.stop.is_none() {
                        walked.learned.learn(layer.id, &effect, &before);
                    }
                    (LayerDecision::Rule { group }, effect)
                }
                None if layer.default_allow => (LayerDecision::Default { allow: true }, Effect::default()),
                None => {
                    let end = End::Drop {
                        layer: Some(layer.id),
                        reason: DropReason::DroppedNoRuleMatch,
                    };
                    (LayerDecision::Default { allow: false }, end.into())
                }
            },
        };
        let mut done = Transposition::default();
        let fit = |done: &Transposition| Ok((done.apply(&before)?, walked.transposition.then(done)?));
        match (effect.stop, fit(&effect.transposition)) {
            (Some(end), _) => walked.end = end,
            (None, Ok((after, composed))) => {
                done = effect.transposition;
                walked.after = after;
                walked.transposition = composed;
                if effect.meter != 0 {
                    walked.meter = effect.meter;
                }
            }
            (None, Err(error)) => {
                walked.end = End::Drop {
                    layer: Some(layer.id),
                    reason: misfit(error),
                };
            }
        }
        if R::ON {
            recorder.layer(LayerStep {
                layer: layer.id,
                name: layer.name.clone(),
                groups,
                decision,
                before,
                transposition: done,
                composed: walked.transposition,
                after: walked.after,
            });
        }
    }

    /// The rule that decides a layer.
    fn decide<R: Recorder>(
        &self,
        at: usize,
        direction: Direction,
        headers: &Headers,
        work: &mut Work,
        steps: &mut Vec<GroupStep>,
    ) -> Option<Decision<'_>> {
        let source = &self.policy.source.layers[at];
        let mut last = None;
        let mut ended = false;
        for (position, group) in self.policy.layers[at].groups[side(direction)].iter().enumerate() {
            let rules = &source.groups[group.index].rules;
            let mut taken = 0;
            let outcome = if ended {
                GroupOutcome::NotReached
            } else if group.condition.as_ref().is_some_and(|own| !own.matches(headers)) {
                work.groups += 1;
                GroupOutcome::ConditionNotMet
            } else {
                work.groups += 1;
                let found = group.classifier.find(&group.matchers, headers);
                work.steps += found.steps;
                taken = found.steps;
                match found.rule {
                    None => GroupOutcome::NoMatch,
                    Some(rule) => {
                        let index = group.order[rule as usize] as usize;
                        let rule = &rules[index];
                        last = Some(Decision {
                            group: position,
                            rule,
                            number: group.first_rule + index,
                        });
                        ended = rule.flags.has(RuleFlags::TERMINATING);
                        if R::ON {
                            matched(index, rule)
                        } else {
                            GroupOutcome::NoMatch
                        }
                    }
                }
            };
            if R::ON {
                steps.push(group_step(&source.groups[group.index], group, taken, outcome));
            } else if ended {
                break;
            }
        }
        last
    }

    fn effect(&self, layer: LayerId, rule: &Rule, headers: &Headers, way: Way) -> Effect {
        let drop = |reason| {
            Effect::from(End::Drop {
                layer: Some(layer),
                reason,
            })
        };
        let transpose = Effect::from;
        let nothing = Transposition::default();
        match &rule.action {
            Action::Allow => transpose(nothing),
            Action::Block => drop(DropReason::DroppedAcl),
            Action::Meter { class } => Effect {
                meter: *class,
                ..Effect::default()
            },
            &Action::Nat {
                src,
                dst,
                src_port,
                dst_port,
            } => transpose(Transposition {
                src,
                dst,
                src_port,
                dst_port,
                ..nothing
            }),
            // A choice is made by a flow's first packet. Answers that meet one have no flow to belong to.
            Action::DynNat { .. } | Action::LbNat { .. } if way == Way::Answer => {
                drop(DropReason::InvalidConfig)
            }
            Action::DynNat { pool } => {
                let pool = &self.policy.pools[usize::from(pool.0)];
                match self.bindings.find(pool, &headers.tuple) {
                    None => drop(DropReason::SnatPortsExhausted),
                    Some(binding) => Effect {
                        transposition: Transposition {
                            src: Some(binding.address),
                            src_port: Some(binding.port),
                            ..nothing
                        },
                        binding: Some(binding),
                        ..Effect::default()
                    },
                }
            }
            Action::LbNat {
                backends,
                distribution,
                port,
            } => match choose(backends, distribution.hash(self.seed, &headers.tuple)) {
                None => drop(DropReason::NoBackend),
                Some(dip) => transpose(Transposition {
                    dst: Some(dip),
                    dst_port: *port,
                    ..nothing
                }),
            },
            &Action::MapEncap { space, kind, src } => {
                let space_id = space;
                let space = &self.policy.source.spaces[usize::from(space.0)];
                match (space.mappings.get(&headers.tuple.dst), space.unmapped) {
                    (Some(mapping), _) => transpose(Transposition {
                        push: [
                            Some(Encap {
                                kind,
                                src,
                                dst: mapping.pa,
                                tni: mapping.tni,
                                dst_mac: mapping.pa_mac,
                            }),
                            None,
                        ],
                        dst_mac: Some(mapping.ca_mac),
                        ..nothing
                    }),
                    (None, Unmapped::Drop) => drop(DropReason::NoMapping),
                    (None, Unmapped::Pending) => Effect::from(End::Pending {
                        space: space_id,
                        ca: headers.tuple.dst,
                    }),
                }
            }
            Action::RouteEncap(encap) => transpose(Transposition {
                push: [Some(*encap), None],
                ..nothing
            }),
            Action::Decap => transpose(Transposition { pop: 1, ..nothing }),
            &Action::PaRoute { next_hop } => transpose(match headers.encaps[0] {
                Some(outer) => Transposition {
                    pop: 1,
                    push: [
                        Some(Encap {
                            dst_mac: next_hop,
                            ..outer
                        }),
                        None,
                    ],
                    ..nothing
                },
                None => Transposition {
                    dst_mac: Some(next_hop),
                    ..nothing
                },
            }),
            Action::Mark { dscp } => transpose(Transposition {
                dscp: Some(*dscp),
                ..nothing
            }),
            Action::Transpose(transposition) => transpose(*transposition),
            Action::PingResponse => match headers.tuple.protocol {
                Protocol::ICMP | Protocol::ICMPV6 => End::Reply.into(),
                _ => transpose(nothing),
            },
        }
    }
}

/// The reason for which a packet is dropped that a transposition does not fit.
pub(crate) const fn misfit(error: TransposeError) -> DropReason {
    match error {
        TransposeError::TtlExpired => DropReason::TtlExpired,
        TransposeError::NotPresent { .. } | TransposeError::TooMany => DropReason::InvalidConfig,
    }
}

/// The backend with the highest hash of connection and address among those that are up (rendezvous hashing, Thaler and
/// Ravishankar 1998): when one goes, only its connections move.
fn choose(backends: &[Backend], connection: u64) -> Option<Address> {
    backends
        .iter()
        .filter(|backend| backend.up)
        .max_by_key(|backend| hash::of_u128(connection, backend.dip.0))
        .map(|backend| backend.dip)
}

fn matched(index: usize, rule: &Rule) -> GroupOutcome {
    GroupOutcome::Matched {
        rule: index,
        name: rule.name.clone(),
        priority: rule.priority,
        action: rule.action.name(),
        terminating: rule.flags.has(RuleFlags::TERMINATING),
        stateful: rule.flags.has(RuleFlags::STATEFUL),
    }
}

fn group_step(group: &Group, compiled: &CompiledGroup, steps: u32, outcome: GroupOutcome) -> GroupStep {
    GroupStep {
        group: compiled.index,
        name: group.name.clone(),
        priority: group.priority,
        classifier: compiled.classifier.kind(),
        steps,
        outcome,
    }
}

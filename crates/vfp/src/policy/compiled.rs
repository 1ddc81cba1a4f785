//! A policy made ready for packets: checked, in the order of priority, with a classifier for each group.

use super::{
    Action, AddressTerm, Condition, Layer, MAX_GROUPS, MAX_LAYERS, MAX_RULES, Policy, Rule, RuleFlags,
    SpaceId,
};
use crate::classifier::{Classifier, Expander, Matcher};
use crate::mapping::MappingSpace;
use crate::snat::Pool;
use gft::Direction;
use thiserror::Error;

/// What is wrong with a policy, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct PolicyError {
    /// Layer, group and rule.
    pub place: String,
    /// What is wrong and what was expected.
    pub problem: String,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledGroup {
    /// Its position in the layer's list.
    pub(crate) index: usize,
    pub(crate) condition: Option<Matcher>,
    /// The number in the policy of the first rule of its list; the others follow.
    pub(crate) first_rule: usize,
    /// Positions of the rules in the group's list, in the order of priority.
    pub(crate) order: Vec<u32>,
    pub(crate) matchers: Vec<Matcher>,
    pub(crate) classifier: Classifier,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledLayer {
    /// Groups by direction (out, in), in the order of processing.
    pub(crate) groups: [Vec<CompiledGroup>; 2],
}

/// A checked policy.
#[derive(Clone, Debug)]
pub struct CompiledPolicy {
    pub(crate) source: Policy,
    pub(crate) layers: Vec<CompiledLayer>,
    pub(crate) pools: Vec<Pool>,
    rules: usize,
}

impl CompiledPolicy {
    /// Checks and compiles a policy.
    ///
    /// # Errors
    /// [`PolicyError`] names the first thing that is wrong.
    pub fn new(source: Policy) -> Result<CompiledPolicy, PolicyError> {
        check_tables(&source)?;
        let mut expander = Expander::new(&source.tags);
        let mut layers = Vec::with_capacity(source.layers.len());
        let mut rules = 0;
        for layer in &source.layers {
            layers.push(compile_layer(&source, layer, &mut rules, &mut expander)?);
        }
        let pools = source.pools.iter().map(Pool::new).collect();
        Ok(CompiledPolicy {
            source,
            layers,
            pools,
            rules,
        })
    }

    /// How many rules there are, all layers and groups together.
    pub(crate) const fn rules(&self) -> usize {
        self.rules
    }

    /// The number of a rule, by the positions of its layer, its group and itself in the lists of the policy as it was written.
    pub(crate) fn rule_number(&self, layer: usize, group: usize, rule: usize) -> Option<usize> {
        let mut groups = self.layers.get(layer)?.groups.iter().flatten();
        let group = groups.find(|compiled| compiled.index == group)?;
        (rule < group.order.len()).then_some(group.first_rule + rule)
    }

    /// A mapping space, to be changed. Mappings are looked up as they are written, so nothing has to be compiled.
    pub(crate) fn space_mut(&mut self, space: SpaceId) -> Option<&mut MappingSpace> {
        self.source.spaces.get_mut(usize::from(space.0))
    }

    /// The policy as it was written.
    pub const fn source(&self) -> &Policy {
        &self.source
    }
}

/// Position of a direction in pairs.
pub(crate) const fn side(direction: Direction) -> usize {
    match direction {
        Direction::Out => 0,
        Direction::In => 1,
    }
}

fn error(place: impl Into<String>, problem: impl Into<String>) -> PolicyError {
    PolicyError {
        place: place.into(),
        problem: problem.into(),
    }
}

fn check_tables(policy: &Policy) -> Result<(), PolicyError> {
    if policy.layers.len() > MAX_LAYERS {
        let found = policy.layers.len();
        return Err(error(
            "policy",
            format!("{found} layers; at most {MAX_LAYERS} are possible"),
        ));
    }
    let mut ids = 0u32;
    for layer in &policy.layers {
        let place = format!("layer {}", layer.name);
        if usize::from(layer.id.0) >= MAX_LAYERS {
            return Err(error(
                place,
                format!("its id is {}; ids go from 0 to 31", layer.id.0),
            ));
        }
        if ids >> layer.id.0 & 1 == 1 {
            return Err(error(place, format!("another layer has id {} too", layer.id.0)));
        }
        ids |= 1 << layer.id.0;
    }
    for (tag, ranges) in &policy.tags {
        if let Some(range) = ranges.iter().find(|r| r.first > r.last) {
            return Err(error(
                format!("tag {}", tag.0),
                format!("range {range} ends before it begins"),
            ));
        }
    }
    for pool in &policy.pools {
        let place = format!("SNAT pool {}", pool.name);
        if pool.frontends.is_empty() {
            return Err(error(place, "it has no frontend address"));
        }
        if let Some(f) = pool
            .frontends
            .iter()
            .find(|f| f.first_port > f.last_port || f.first_port == 0)
        {
            let (address, first, last) = (f.address, f.first_port, f.last_port);
            let problem = format!("ports {first} to {last} of {address}; expected 1 to 65535, lower first");
            return Err(error(place, problem));
        }
    }
    Ok(())
}

fn compile_layer(
    policy: &Policy,
    layer: &Layer,
    rules: &mut usize,
    expander: &mut Expander<'_>,
) -> Result<CompiledLayer, PolicyError> {
    let place = format!("layer {}", layer.name);
    if layer.groups.len() > MAX_GROUPS {
        let found = layer.groups.len();
        return Err(error(
            place,
            format!("{found} groups; at most {MAX_GROUPS} are possible"),
        ));
    }
    let mut groups = [Vec::new(), Vec::new()];
    let mut order: Vec<usize> = (0..layer.groups.len()).collect();
    order.sort_by_key(|&index| layer.groups[index].priority);
    for index in order {
        let group = &layer.groups[index];
        let place = format!("{place}, group {}", group.name);
        groups[side(group.direction)].push(compile_group(policy, layer, (index, *rules), &place, expander)?);
        *rules += group.rules.len();
    }
    Ok(CompiledLayer { groups })
}

fn compile_group(
    policy: &Policy,
    layer: &Layer,
    (index, first_rule): (usize, usize),
    place: &str,
    expander: &mut Expander<'_>,
) -> Result<CompiledGroup, PolicyError> {
    let group = &layer.groups[index];
    if group.rules.len() > MAX_RULES {
        let found = group.rules.len();
        return Err(error(
            place,
            format!("{found} rules; at most {MAX_RULES} are possible"),
        ));
    }
    let condition = match &group.condition {
        Some(condition) => {
            check_condition(policy, condition, place)?;
            Some(Matcher::new(condition, RuleFlags::NONE, expander))
        }
        None => None,
    };
    for rule in &group.rules {
        let place = format!("{place}, rule {}", rule.name);
        check_condition(policy, &rule.condition, &place)?;
        check_rule(policy, layer, rule, &place)?;
    }
    let mut order: Vec<u32> = (0..group.rules.len() as u32).collect();
    order.sort_by_key(|&rule| group.rules[rule as usize].priority);
    let matchers: Vec<Matcher> = order
        .iter()
        .map(|&rule| &group.rules[rule as usize])
        .map(|rule| Matcher::new(&rule.condition, rule.flags, expander))
        .collect();
    let classifier = Classifier::new(group.classifier, &matchers);
    Ok(CompiledGroup {
        index,
        condition,
        first_rule,
        order,
        matchers,
        classifier,
    })
}

fn check_condition(policy: &Policy, condition: &Condition, place: &str) -> Result<(), PolicyError> {
    for term in condition.src.iter().chain(&condition.dst) {
        match term {
            AddressTerm::Range(range) if range.first > range.last => {
                return Err(error(
                    place,
                    format!("address range {range} ends before it begins"),
                ));
            }
            AddressTerm::Tag(tag) if !policy.tags.contains_key(tag) => {
                return Err(error(place, format!("tag {} is not defined", tag.0)));
            }
            _ => {}
        }
    }
    for range in condition.src_ports.iter().chain(&condition.dst_ports) {
        if range.first > range.last {
            return Err(error(place, format!("port range {range} ends before it begins")));
        }
    }
    match condition.tni {
        Some((first, last)) if first > last || last >= 1 << 24 => Err(error(
            place,
            format!("TNI {first} to {last}; expected 24-bit numbers, lower first"),
        )),
        _ => Ok(()),
    }
}

fn check_rule(policy: &Policy, layer: &Layer, rule: &Rule, place: &str) -> Result<(), PolicyError> {
    let stateful = rule.flags.has(RuleFlags::STATEFUL);
    if stateful && !layer.stateful {
        return Err(error(place, "a stateful rule needs a stateful layer"));
    }
    if rule.flags.has(RuleFlags::SYN_ONLY.with(RuleFlags::NON_SYN_ONLY)) {
        return Err(error(
            place,
            "it is for SYN only and for all but SYN: it could never match",
        ));
    }
    let problem = match &rule.action {
        Action::DynNat { .. } | Action::LbNat { .. } if !stateful => {
            let name = rule.action.name();
            Some(format!(
                "{name} keeps a choice for each flow: flag the rule stateful"
            ))
        }
        Action::DynNat { pool } if usize::from(pool.0) >= policy.pools.len() => {
            Some(format!("there is no SNAT pool {}", pool.0))
        }
        Action::MapEncap { space, .. } if usize::from(space.0) >= policy.spaces.len() => {
            Some(format!("there is no mapping space {}", space.0))
        }
        Action::RouteEncap(encap) if encap.tni >= 1 << 24 => {
            Some(format!("TNI {} has more than 24 bits", encap.tni))
        }
        Action::Transpose(t) if t.push.iter().flatten().any(|encap| encap.tni >= 1 << 24) => {
            Some("a TNI has 24 bits".to_owned())
        }
        Action::Mark { dscp } if *dscp > 63 => Some(format!("DSCP {dscp}; expected 0 to 63")),
        Action::Transpose(t) if t.dscp.is_some_and(|dscp| dscp > 63) => {
            Some("a DSCP has 6 bits: expected 0 to 63".to_owned())
        }
        Action::Meter { class: 0 } => Some("meter classes go from 1 to 65535".to_owned()),
        _ => None,
    };
    problem.map_or(Ok(()), |problem| Err(error(place, problem)))
}

//! Changes of policy and state from outside.

use super::Port;
use crate::mapping::Mapping;
use crate::offload::Offload;
use crate::policy::{CompiledPolicy, Group, Layer, LayerId, Policy, PolicyError, SpaceId};
use crate::walk::Matches;
use crate::work::Work;
use gft::Address;
use kernel::Time;
use std::sync::Arc;

impl Port {
    /// Puts another policy in force and gives its generation. Flows are not touched: each is reconciled with its next packet,
    /// and keeps what the stateful layers that are still there know of it. So a rule that is added to a stateful layer does not cut
    /// a flow that exists.
    pub fn set_policy(&mut self, policy: CompiledPolicy) -> u32 {
        self.matches = Matches::of(&policy);
        self.policy = Arc::new(policy);
        self.invalidate()
    }

    /// Changes a copy of the policy and puts it in force.
    ///
    /// # Errors
    /// [`PolicyError`]; the policy in force stays as it is then.
    pub fn change_policy(&mut self, change: impl FnOnce(&mut Policy)) -> Result<u32, PolicyError> {
        let mut policy = self.policy.source().clone();
        change(&mut policy);
        Ok(self.set_policy(CompiledPolicy::new(policy)?))
    }

    /// Puts a layer in place of the one with its id, or at the wire's end if there is none.
    ///
    /// # Errors
    /// [`PolicyError`]; the policy in force stays as it is then.
    pub fn replace_layer(&mut self, layer: Layer) -> Result<u32, PolicyError> {
        self.change_policy(
            |policy| match policy.layers.iter_mut().find(|old| old.id == layer.id) {
                Some(old) => *old = layer,
                None => policy.layers.push(layer),
            },
        )
    }

    /// Puts a group in place of the one of its name and direction in a layer, or adds it: all its rules change at once.
    ///
    /// # Errors
    /// [`PolicyError`] when there is no such layer or the group is wrong; the policy in force stays as it is then.
    pub fn replace_group(&mut self, layer: LayerId, group: Group) -> Result<u32, PolicyError> {
        if !self.policy.source().layers.iter().any(|known| known.id == layer) {
            return Err(PolicyError {
                place: format!("group {}", group.name),
                problem: format!("there is no layer with id {}", layer.0),
            });
        }
        self.change_policy(|policy| {
            let layers = policy.layers.iter_mut().filter(|known| known.id == layer);
            for known in layers {
                let same = |old: &&mut Group| old.name == group.name && old.direction == group.direction;
                match known.groups.iter_mut().find(same) {
                    Some(old) => *old = group.clone(),
                    None => known.groups.push(group.clone()),
                }
            }
        })
    }

    /// Says where a customer address lives, and gives how many packets have waited for it: they may come again now. Flows are
    /// reconciled only if the address had another mapping before.
    ///
    /// # Errors
    /// [`PolicyError`] when there is no such mapping space or the TNI has more than 24 bits.
    pub fn resolve(&mut self, space: SpaceId, ca: Address, mapping: Mapping) -> Result<u32, PolicyError> {
        let wrong = |problem: String| PolicyError {
            place: format!("mapping of {ca}"),
            problem,
        };
        if mapping.tni >= 1 << 24 {
            return Err(wrong(format!("TNI {} has more than 24 bits", mapping.tni)));
        }
        let policy = Arc::make_mut(&mut self.policy);
        let known = policy
            .space_mut(space)
            .ok_or_else(|| wrong(format!("there is no mapping space {}", space.0)))?;
        let before = known.mappings.insert(ca, mapping);
        if before.is_some_and(|before| before != mapping) {
            self.invalidate();
        }
        Ok(self.pending.resolve((space, ca)))
    }

    /// Forgets where a customer address lives. False when it was not known.
    pub fn forget(&mut self, space: SpaceId, ca: Address) -> bool {
        let policy = Arc::make_mut(&mut self.policy);
        let known = policy
            .space_mut(space)
            .is_some_and(|known| known.mappings.remove(&ca).is_some());
        if known {
            self.invalidate();
        }
        known
    }

    /// Makes every unified flow be reconciled with its next packet (`clear-port-unified-flow-state`: what layers know stays), and
    /// gives the new generation.
    pub const fn invalidate(&mut self) -> u32 {
        self.generation += 1;
        self.generation
    }

    /// Forgets all flows, and what layers know of them (`clear-port-flow-state`).
    pub fn clear_flows(&mut self, now: Time, offloads: &mut Vec<Offload>) -> Work {
        let mut work = Work::default();
        let places: Vec<u32> = self.flows.places().collect();
        for place in places {
            self.remove(place, now, offloads, &mut work);
        }
        work
    }

    /// Tells the hardware of a flow again that it has lost. False when the flow is gone or not meant for the hardware.
    pub fn reinstall(&mut self, handle: u32, offloads: &mut Vec<Offload>) -> bool {
        let Some(place) = self.flows.of_handle(handle) else {
            return false;
        };
        let told = self.flows.pair(place).offloaded;
        if told {
            self.install(place, offloads, &mut Work::default());
        }
        told
    }

    /// Other hardware, or none: every flow is told to it again with its next packet in software.
    pub fn forget_offloads(&mut self) {
        let places: Vec<u32> = self.flows.places().collect();
        for place in places {
            self.flows.pair_mut(place).offloaded = false;
        }
    }
}

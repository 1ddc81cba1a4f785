//! What a packet cost, in operations that can be counted. What an operation costs in time is for a model to say.

use std::ops::AddAssign;

/// Operations done in software.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Layers whose rules or memory were asked.
    pub layers: u32,
    /// Groups searched.
    pub groups: u32,
    /// Steps of classifiers: nodes visited and rules examined.
    pub steps: u32,
    /// Searches of the unified flow table.
    pub lookups: u32,
    /// Unified flows created; a connection has two.
    pub created: u32,
    /// Unified flows removed.
    pub removed: u32,
    /// Pairs that were reconciled with a changed policy.
    pub reconciled: u32,
    /// Commands to the hardware: entries added, changed or removed.
    pub offload_commands: u32,
}

impl AddAssign for Work {
    fn add_assign(&mut self, more: Work) {
        self.layers += more.layers;
        self.groups += more.groups;
        self.steps += more.steps;
        self.lookups += more.lookups;
        self.created += more.created;
        self.removed += more.removed;
        self.reconciled += more.reconciled;
        self.offload_commands += more.offload_commands;
    }
}

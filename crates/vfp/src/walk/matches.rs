//! How often each rule decided.

use super::{LayerStep, Recorder};
use crate::policy::CompiledPolicy;

/// Counts, for each rule of a policy, of the walks in which it decided its layer: those of first packets and of
/// reconciliations. Packets that the flow table knows ask no rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matches(Vec<u64>);

impl Matches {
    /// No matches yet of a policy's rules.
    pub(crate) fn of(policy: &CompiledPolicy) -> Matches {
        Matches(vec![0; policy.rules()])
    }

    /// Of the rule with this number; see [`CompiledPolicy::rule_number`].
    pub(crate) fn get(&self, rule: usize) -> u64 {
        self.0.get(rule).copied().unwrap_or(0)
    }
}

/// Counts, and passes on what a walk was like.
#[derive(Debug)]
pub(crate) struct Counting<'a, R> {
    pub(crate) matches: &'a mut Matches,
    pub(crate) steps: R,
}

impl<R: Recorder> Recorder for Counting<'_, R> {
    const ON: bool = R::ON;

    fn layer(&mut self, step: LayerStep) {
        self.steps.layer(step);
    }

    fn matched(&mut self, rule: usize) {
        self.matches.0[rule] += 1;
    }
}

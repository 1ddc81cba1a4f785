//! What a walk through the layers was like, for people.

use super::End;
use crate::classifier::ClassifierKind;
use crate::policy::LayerId;
use gft::{Direction, Headers, Transposition};

/// What became of a packet at one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupOutcome {
    /// The packet does not meet the group's own condition.
    ConditionNotMet,
    /// None of its rules matches.
    NoMatch,
    /// This rule matches. It decides the layer unless a later group has a match too.
    Matched {
        /// Position of the rule in the group's list.
        rule: usize,
        /// Its name.
        name: String,
        /// Its priority.
        priority: u32,
        /// Its type, as the shipped tool names it.
        action: &'static str,
        /// Whether it ends the layer.
        terminating: bool,
        /// Whether the layer remembers the flow for it.
        stateful: bool,
    },
    /// A terminating rule of an earlier group ended the layer.
    NotReached,
}

/// One group of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupStep {
    /// Position of the group in the layer's list.
    pub group: usize,
    /// Its name.
    pub name: String,
    /// Its priority.
    pub priority: u32,
    /// How rules are found here.
    pub classifier: ClassifierKind,
    /// Steps that took.
    pub steps: u32,
    /// What became of the packet.
    pub outcome: GroupOutcome,
}

/// Why a layer did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerDecision {
    /// The rule at this place of [`LayerStep::groups`] decided: the last match.
    Rule {
        /// Position in [`LayerStep::groups`].
        group: usize,
    },
    /// No rule matched: the layer's default.
    Default {
        /// Whether it lets packets through.
        allow: bool,
    },
    /// The layer knows the flow: its rules are not asked.
    Remembered,
}

/// One layer of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerStep {
    /// The layer.
    pub layer: LayerId,
    /// Its name.
    pub name: String,
    /// Its groups of this direction, in the order of processing. Empty when the flow is remembered.
    pub groups: Vec<GroupStep>,
    /// Why it did what it did.
    pub decision: LayerDecision,
    /// The headers as they came in.
    pub before: Headers,
    /// What this layer does to them.
    pub transposition: Transposition,
    /// What all layers up to this one do to them.
    pub composed: Transposition,
    /// The headers as they go on.
    pub after: Headers,
}

/// A packet's way through all layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Which way.
    pub direction: Direction,
    /// The layers crossed, in order. A packet that is dropped ends at the last of them.
    pub layers: Vec<LayerStep>,
    /// Where it ended.
    pub end: End,
    /// The composed transposition: what the unified flow does to every packet.
    pub transposition: Transposition,
    /// The headers at the end.
    pub after: Headers,
}

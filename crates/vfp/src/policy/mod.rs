//! A port's policy as controllers write it: layers of groups of rules, and the tables that rules refer to.

mod compiled;
mod condition;
mod rule;

pub(crate) use compiled::{CompiledGroup, side};
pub use compiled::{CompiledPolicy, PolicyError};
pub use condition::{AddressRange, AddressTerm, Condition, PortRange, TagId};
pub use rule::{Action, Backend, PoolId, Rule, RuleFlags, SpaceId};

use crate::classifier::ClassifierChoice;
use crate::mapping::MappingSpace;
use crate::snat::PoolSpec;
use gft::Direction;
use std::collections::BTreeMap;

/// Layers of one port at most. A flow remembers in which layers it has state by one bit each.
pub const MAX_LAYERS: usize = 32;
/// Groups of one layer at most (our choice).
pub const MAX_GROUPS: usize = 1_024;
/// Rules of one group at most (our choice; a network security group has up to 1,000).
pub const MAX_RULES: usize = 1 << 20;

/// Names a layer across changes of policy: what a flow remembers of it stays with it. 0 to 31, unique in a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerId(pub u8);

/// Rules of one direction that are replaced as a whole (a transaction).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Which packets it sees.
    pub direction: Direction,
    /// Groups of a layer are processed in the order of this number, lower first; among equals in the order of the list.
    pub priority: u32,
    /// Packets that do not meet it skip the group.
    pub condition: Option<Condition>,
    /// How a packet's rule is found. It never changes which.
    pub classifier: ClassifierChoice,
    /// The rules, in any order.
    pub rules: Vec<Rule>,
}

/// One layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What flows remember it by.
    pub id: LayerId,
    /// Its name, see [`crate::names`].
    pub name: String,
    /// Whether stateful rules may stand here.
    pub stateful: bool,
    /// Whether a packet passes that no rule matched (flag 1 of the shipped tool); else it is dropped.
    pub default_allow: bool,
    /// The groups, in any order.
    pub groups: Vec<Group>,
}

/// What a port does with its packets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// From the VM to the wire: outbound packets cross them in this order, inbound packets in the opposite one.
    pub layers: Vec<Layer>,
    /// Address sets by tag.
    pub tags: BTreeMap<TagId, Vec<AddressRange>>,
    /// Mapping spaces, by [`SpaceId`].
    pub spaces: Vec<MappingSpace>,
    /// SNAT pools, by [`PoolId`].
    pub pools: Vec<PoolSpec>,
}

//! Rules: a condition, and what is done to a packet that meets it.

use super::condition::Condition;
use crate::hash::Distribution;
use gft::{Address, Encap, EncapKind, Mac, Transposition};

/// Flags of a rule, with the numbers of the shipped tool (facts/accelnet.md, section 1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleFlags(pub u32);

impl RuleFlags {
    /// None.
    pub const NONE: RuleFlags = RuleFlags(0);
    /// A match ends the layer: no later group can override it.
    pub const TERMINATING: RuleFlags = RuleFlags(1);
    /// The layer remembers the flow: answers need no rule.
    pub const STATEFUL: RuleFlags = RuleFlags(2);
    /// Only packets that are not a TCP SYN match.
    pub const NON_SYN_ONLY: RuleFlags = RuleFlags(4);
    /// Only TCP SYN packets (without ACK) match.
    pub const SYN_ONLY: RuleFlags = RuleFlags(16);

    /// Both sets together.
    pub const fn with(self, other: RuleFlags) -> RuleFlags {
        RuleFlags(self.0 | other.0)
    }

    /// Whether all of `other` are set.
    pub const fn has(self, other: RuleFlags) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Index of a mapping space of the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpaceId(pub u16);

/// Index of a SNAT pool of the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolId(pub u16);

/// A backend of a load-balanced address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backend {
    /// Its own (dedicated) address.
    pub dip: Address,
    /// Whether its probe succeeds. New flows go to backends that are up; existing flows stay where they are.
    pub up: bool,
}

/// What a rule does. The comment names the rule type of the shipped tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `allow`: the packet passes unchanged.
    Allow,
    /// `block`: the packet is dropped, unless a later group's match overrides a rule that is not terminating.
    Block,
    /// Counts the flow's packets and bytes under this class, 1 to 65,535.
    Meter {
        /// The class.
        class: u16,
    },
    /// `nat`: addresses and ports get these fixed values; the answer gets them back.
    Nat {
        /// New source address.
        src: Option<Address>,
        /// New destination address.
        dst: Option<Address>,
        /// New source port.
        src_port: Option<u16>,
        /// New destination port.
        dst_port: Option<u16>,
    },
    /// `dynnat`: the source becomes an address and port of a SNAT pool, kept as long as the flow.
    DynNat {
        /// The pool.
        pool: PoolId,
    },
    /// `lbnat`: the destination (a VIP) becomes one of the backends, chosen by hash and kept as long as the flow.
    LbNat {
        /// The backends.
        backends: Vec<Backend>,
        /// Fields that choose.
        distribution: Distribution,
        /// The backend's port; `None` leaves it (floating port, `backendPort` 0).
        port: Option<u16>,
    },
    /// `mapencap`: looks the destination (CA) up in a mapping space and encapsulates towards its host (PA).
    MapEncap {
        /// The mapping space.
        space: SpaceId,
        /// The format.
        kind: EncapKind,
        /// Outer source: this host's PA.
        src: Address,
    },
    /// `routeencap`: this encapsulation.
    RouteEncap(Encap),
    /// `decap`: the outermost encapsulation comes off.
    Decap,
    /// `paroute`: the outermost encapsulation goes to this next hop.
    PaRoute {
        /// The next hop's MAC address.
        next_hop: Mac,
    },
    /// `mark`: this DSCP, 0 to 63.
    Mark {
        /// The code point.
        dscp: u8,
    },
    /// `transpose`, `mapmacin`, `mapmacout`: this transposition.
    Transpose(Transposition),
    /// `pingresponse`: ICMP is answered here, in the name of the destination, other packets pass. Not cached.
    PingResponse,
}

impl Action {
    /// The name of the rule type.
    pub const fn name(&self) -> &'static str {
        match self {
            Action::Allow => "allow",
            Action::Block => "block",
            Action::Meter { .. } => "meter",
            Action::Nat { .. } => "nat",
            Action::DynNat { .. } => "dynnat",
            Action::LbNat { .. } => "lbnat",
            Action::MapEncap { .. } => "mapencap",
            Action::RouteEncap(_) => "routeencap",
            Action::Decap => "decap",
            Action::PaRoute { .. } => "paroute",
            Action::Mark { .. } => "mark",
            Action::Transpose(_) => "transpose",
            Action::PingResponse => "pingresponse",
        }
    }
}

/// One rule of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Lower numbers are evaluated first; among equals the earlier in the list.
    pub priority: u32,
    /// What it asks of a packet.
    pub condition: Condition,
    /// Flags.
    pub flags: RuleFlags,
    /// What it does.
    pub action: Action,
}

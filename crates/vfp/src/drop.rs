//! Why a packet is dropped.

use std::fmt;

/// Why a packet is dropped. Spelled as the public sources spell their counters and reasons (facts/accelnet.md, sections
/// 1.2 and 1.6), except where the comment says that the name is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// A rule blocks it.
    DroppedAcl,
    /// No rule of a layer matches, and the layer lets nothing through by default.
    DroppedNoRuleMatch,
    /// The VM does not own the source address.
    DropIPv4Spoofing,
    /// The VM does not own the source MAC address.
    MacSpoofing,
    /// The port is blocked.
    DropBlocked,
    /// The port is not enabled.
    NicDisabled,
    /// The tenant network identifier is none of the port's.
    VirtualSubnetId,
    /// A flow limit is reached.
    DroppedResourcesUnifiedFlowMaxFlowsLimit,
    /// No room for another packet or address that waits for its mapping.
    Resources,
    /// The headers do not fit what the policy does: an encapsulation to take off is missing, or too many are put on.
    InvalidConfig,
    /// No SNAT port is free (our name).
    SnatPortsExhausted,
    /// No backend is up (our name).
    NoBackend,
    /// The destination has no mapping (our name).
    NoMapping,
    /// The packet's time to live ends here (our name).
    TtlExpired,
    /// A TCP packet that opens no connection belongs to none (our name).
    NoConnection,
}

impl DropReason {
    /// All, in the order of their numbers.
    pub const ALL: [DropReason; 15] = [
        DropReason::DroppedAcl,
        DropReason::DroppedNoRuleMatch,
        DropReason::DropIPv4Spoofing,
        DropReason::MacSpoofing,
        DropReason::DropBlocked,
        DropReason::NicDisabled,
        DropReason::VirtualSubnetId,
        DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit,
        DropReason::Resources,
        DropReason::InvalidConfig,
        DropReason::SnatPortsExhausted,
        DropReason::NoBackend,
        DropReason::NoMapping,
        DropReason::TtlExpired,
        DropReason::NoConnection,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            DropReason::DroppedAcl => "DroppedAcl",
            DropReason::DroppedNoRuleMatch => "DroppedNoRuleMatch",
            DropReason::DropIPv4Spoofing => "DropIPv4Spoofing",
            DropReason::MacSpoofing => "MacSpoofing",
            DropReason::DropBlocked => "DropBlocked",
            DropReason::NicDisabled => "NICDisabled",
            DropReason::VirtualSubnetId => "VirtualSubnetID",
            DropReason::DroppedResourcesUnifiedFlowMaxFlowsLimit => {
                "DroppedResourcesUnifiedFlowMaxFlowsLimit"
            }
            DropReason::Resources => "Resources",
            DropReason::InvalidConfig => "InvalidConfig",
            DropReason::SnatPortsExhausted => "SnatPortsExhausted",
            DropReason::NoBackend => "NoBackend",
            DropReason::NoMapping => "NoMapping",
            DropReason::TtlExpired => "TtlExpired",
            DropReason::NoConnection => "NoConnection",
        }
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! What a fault comes down to: single changes.

use crate::place::{LinkName, SwitchName};
use crate::quantity::Time;
use crate::schema::{Direction, FaultKind, Refusal, Tier};

/// One change of the fabric's health, or of a NIC's.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultEvent {
    /// When.
    pub at: Time,
    /// Index in [`Scenario::faults`](crate::Scenario::faults) of the fault that it belongs to.
    pub cause: usize,
    /// What.
    pub what: Effect,
}

/// What changes. The fields are those of [`FaultKind`].
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A link stops.
    LinkDown {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        direction: Direction,
    },
    /// A link works.
    LinkUp {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        direction: Direction,
    },
    /// A link loses packets from now on.
    LinkLoss {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        direction: Direction,
        /// Probability per packet.
        rate: f64,
    },
    /// A link damages packets from now on.
    LinkCorrupt {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        direction: Direction,
        /// Probability per packet.
        rate: f64,
    },
    /// All links of a tier lose packets from now on.
    TierLoss {
        /// Which links.
        tier: Tier,
        /// Which of their directions.
        direction: Direction,
        /// Probability per packet and link.
        rate: f64,
    },
    /// A switch stops forwarding.
    SwitchDown {
        /// Which switch.
        switch: SwitchName,
    },
    /// A switch forwards.
    SwitchUp {
        /// Which switch.
        switch: SwitchName,
    },
    /// A switch damages payloads from now on.
    SwitchCorrupt {
        /// Which switch.
        switch: SwitchName,
        /// Probability per packet.
        rate: f64,
    },
    /// A NIC refuses packets from now on.
    NicRefuses {
        /// Which NIC.
        nic: u32,
        /// Probability per packet.
        rate: f64,
        /// The NACK's reason.
        reason: Refusal,
    },
    /// A NIC reports this penalty from now on.
    NicPenalty {
        /// Which NIC.
        nic: u32,
        /// The penalty.
        penalty: u32,
    },
}

/// The fault that is this one change.
impl From<Effect> for FaultKind {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::LinkDown { link, direction } => Self::LinkDown { link, direction },
            Effect::LinkUp { link, direction } => Self::LinkUp { link, direction },
            Effect::LinkLoss {
                link,
                direction,
                rate,
            } => Self::LinkLoss {
                link,
                direction,
                rate,
            },
            Effect::LinkCorrupt {
                link,
                direction,
                rate,
            } => Self::LinkCorrupt {
                link,
                direction,
                rate,
            },
            Effect::TierLoss {
                tier,
                direction,
                rate,
            } => Self::TierLoss {
                tier,
                direction,
                rate,
            },
            Effect::SwitchDown { switch } => Self::SwitchDown { switch },
            Effect::SwitchUp { switch } => Self::SwitchUp { switch },
            Effect::SwitchCorrupt { switch, rate } => Self::SwitchCorrupt { switch, rate },
            Effect::NicRefuses { nic, rate, reason } => Self::NicRefuses { nic, rate, reason },
            Effect::NicPenalty { nic, penalty } => Self::NicPenalty { nic, penalty },
        }
    }
}

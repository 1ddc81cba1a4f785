//! What breaks and heals.

use crate::defaults;
use crate::json_form::FaultForm;
use crate::place::{LinkName, SwitchName};
use crate::quantity::Time;
use serde::{Deserialize, Serialize};

/// A change of the fabric's health at a given time, applied before any packet event of that time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "FaultForm")]
pub struct Fault {
    /// When.
    pub at: Time,
    /// What.
    #[serde(flatten)]
    pub what: FaultKind,
}

/// What breaks or heals.
///
/// Some kinds are short for several events: [`Scenario::fault_events`](crate::Scenario::fault_events) spells them out.
/// A link is up or down as the last event on it says, whichever fault that belongs to (our choice).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum FaultKind {
    /// A link stops; what is queued for it or on it is lost.
    LinkDown {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        #[serde(default, skip_serializing_if = "defaults::is_default")]
        direction: Direction,
    },
    /// The link works again.
    LinkUp {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        #[serde(default, skip_serializing_if = "defaults::is_default")]
        direction: Direction,
    },
    /// Each packet crossing the link is lost with this probability, 0 to 1; 0 ends it.
    LinkLoss {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        #[serde(default, skip_serializing_if = "defaults::is_default")]
        direction: Direction,
        /// Probability per packet.
        rate: f64,
    },
    /// Each packet crossing the link is damaged with this probability, 0 to 1; 0 ends it. The frame check at the far end
    /// drops it.
    LinkCorrupt {
        /// Which link.
        link: LinkName,
        /// Which of its directions.
        #[serde(default, skip_serializing_if = "defaults::is_default")]
        direction: Direction,
        /// Probability per packet.
        rate: f64,
    },
    /// The link goes down and up again and again, and stays up in the end.
    LinkFlap {
        /// Which link.
        link: LinkName,
        /// How long it is down each time, 1 µs to 100 s.
        down: Time,
        /// How long it is up in between, 1 µs to 100 s.
        up: Time,
        /// True: `down` and `up` are means of exponentially distributed times. False: they are exact.
        #[serde(default = "defaults::yes", skip_serializing_if = "defaults::is_yes")]
        random: bool,
        /// When it ends, after the fault's time.
        until: Time,
    },
    /// Several links of one tier, chosen by the seed, go down one after the other.
    LinksDown {
        /// Which links to choose from.
        tier: Tier,
        /// Those of this plane; of all planes where left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        plane: Option<u32>,
        /// How many.
        count: u32,
        /// Time from one to the next, up to 100 s.
        #[serde(default, skip_serializing_if = "defaults::is_default")]
        spacing: Time,
        /// How long each stays down, above 0; for good where left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        duration: Option<Time>,
    },
    /// Each packet crossing a link of the tier is lost with this probability, 0 to 1; 0 ends it. It adds to what a single
    /// link loses.
    TierLoss {
        /// Which links.
        tier: Tier,
        /// Which of their directions.
        #[serde(default, skip_serializing_if = "defaults::is_default")]
        direction: Direction,
        /// Probability per packet and link.
        rate: f64,
    },
    /// A switch stops forwarding; its links stay up in the eyes of its neighbours.
    SwitchDown {
        /// Which switch.
        switch: SwitchName,
    },
    /// The switch forwards again.
    SwitchUp {
        /// Which switch.
        switch: SwitchName,
    },
    /// All links of the switch are down for a while, which its neighbours see.
    SwitchReboot {
        /// Which switch.
        switch: SwitchName,
        /// For how long, above 0.
        duration: Time,
    },
    /// The switch forwards, but damages the payload of a data packet with this probability, 0 to 1; 0 ends it. It
    /// computes the frame check anew, so that only the receiving NIC's iCRC finds it.
    SwitchCorrupt {
        /// Which switch.
        switch: SwitchName,
        /// Probability per packet.
        rate: f64,
    },
    /// One port of a NIC is down, and with it the link to its T0.
    NicPortDown {
        /// Which NIC.
        nic: u32,
        /// The port's plane.
        plane: u32,
        /// For how long, above 0; for good where left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        duration: Option<Time>,
    },
    /// All ports of a NIC are down for a while: its transceiver flaps.
    NicFlap {
        /// Which NIC.
        nic: u32,
        /// For how long, above 0.
        duration: Time,
    },
    /// The receiving NIC refuses a data packet with this probability, 0 to 1, and says so by a NACK; 0 ends it.
    NicRefuses {
        /// Which NIC.
        nic: u32,
        /// Probability per packet.
        rate: f64,
        /// The NACK's reason.
        reason: Refusal,
    },
    /// The penalty that the NIC reports in its SACKs, 0 to 127; 0 ends it. NSCC shrinks the window by
    /// penalty / 128 of the bytes received: 127 leaves about one packet per RTT (UET 1.0 §3.6.13).
    NicPenalty {
        /// Which NIC.
        nic: u32,
        /// The penalty.
        penalty: u32,
    },
}

impl FaultKind {
    /// Both directions of a link go down.
    pub const fn link_down(link: LinkName) -> Self {
        let direction = Direction::Both;
        Self::LinkDown { link, direction }
    }

    /// Both directions of a link work again.
    pub const fn link_up(link: LinkName) -> Self {
        let direction = Direction::Both;
        Self::LinkUp { link, direction }
    }

    /// Both directions of a link lose packets at this rate, 0 to 1.
    pub const fn link_loss(link: LinkName, rate: f64) -> Self {
        let direction = Direction::Both;
        Self::LinkLoss {
            link,
            direction,
            rate,
        }
    }

    /// The one link that it is about.
    pub const fn link(&self) -> Option<LinkName> {
        match *self {
            Self::LinkDown { link, .. }
            | Self::LinkUp { link, .. }
            | Self::LinkLoss { link, .. }
            | Self::LinkCorrupt { link, .. }
            | Self::LinkFlap { link, .. } => Some(link),
            Self::NicPortDown { nic, plane, .. } => Some(LinkName::Nic { plane, nic }),
            _ => None,
        }
    }

    /// The switch that it is about.
    pub const fn switch(&self) -> Option<SwitchName> {
        match *self {
            Self::SwitchDown { switch }
            | Self::SwitchUp { switch }
            | Self::SwitchReboot { switch, .. }
            | Self::SwitchCorrupt { switch, .. } => Some(switch),
            _ => None,
        }
    }

    /// The NIC that it is about.
    pub const fn nic(&self) -> Option<u32> {
        match *self {
            Self::NicPortDown { nic, .. }
            | Self::NicFlap { nic, .. }
            | Self::NicRefuses { nic, .. }
            | Self::NicPenalty { nic, .. } => Some(nic),
            _ => None,
        }
    }

    /// True when it heals and breaks nothing.
    pub fn is_repair(&self) -> bool {
        match *self {
            Self::LinkUp { .. } | Self::SwitchUp { .. } | Self::NicPenalty { penalty: 0, .. } => true,
            Self::LinkLoss { rate, .. }
            | Self::LinkCorrupt { rate, .. }
            | Self::TierLoss { rate, .. }
            | Self::SwitchCorrupt { rate, .. }
            | Self::NicRefuses { rate, .. } => rate == 0.0,
            _ => false,
        }
    }

    /// The kind as JSON spells it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::LinkDown { .. } => "link_down",
            Self::LinkUp { .. } => "link_up",
            Self::LinkLoss { .. } => "link_loss",
            Self::LinkCorrupt { .. } => "link_corrupt",
            Self::LinkFlap { .. } => "link_flap",
            Self::LinksDown { .. } => "links_down",
            Self::TierLoss { .. } => "tier_loss",
            Self::SwitchDown { .. } => "switch_down",
            Self::SwitchUp { .. } => "switch_up",
            Self::SwitchReboot { .. } => "switch_reboot",
            Self::SwitchCorrupt { .. } => "switch_corrupt",
            Self::NicPortDown { .. } => "nic_port_down",
            Self::NicFlap { .. } => "nic_flap",
            Self::NicRefuses { .. } => "nic_refuses",
            Self::NicPenalty { .. } => "nic_penalty",
        }
    }
}

/// Which directions of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Both.
    #[default]
    Both,
    /// Away from the NICs.
    Up,
    /// Towards the NICs.
    Down,
}

/// The links between two tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// NIC–T0 links.
    Nic,
    /// T0–T1 links.
    T0T1,
    /// T1–T2 links.
    T1T2,
}

/// Why a NIC refuses packets: NACK reasons of the MRC specification that mean a lack of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// 0x06 NO_BITMAP.
    NoBitmap,
    /// 0x07 NO_PKT_BUFFER.
    NoPktBuffer,
    /// 0x0A NO_RESOURCE.
    NoResource,
}

//! Elements of `faults`.

use super::{FormError, Kind, form};
use crate::place::{LinkName, SwitchName};
use crate::quantity::Time;
use crate::schema::{Direction, Fault, FaultKind, Refusal, Tier};
use serde::Deserialize;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tag {
    LinkDown,
    LinkUp,
    LinkLoss,
    LinkCorrupt,
    LinkFlap,
    LinksDown,
    TierLoss,
    SwitchDown,
    SwitchUp,
    SwitchReboot,
    SwitchCorrupt,
    NicPortDown,
    NicFlap,
    NicRefuses,
    NicPenalty,
}

impl Tag {
    /// The kind and its fields, besides `at`.
    const fn kind(self) -> Kind {
        let (name, fields): (_, &'static [&'static str]) = match self {
            Self::LinkDown => ("link_down", &["at", "link", "direction"]),
            Self::LinkUp => ("link_up", &["at", "link", "direction"]),
            Self::LinkLoss => ("link_loss", &["at", "link", "direction", "rate"]),
            Self::LinkCorrupt => ("link_corrupt", &["at", "link", "direction", "rate"]),
            Self::LinkFlap => ("link_flap", &["at", "link", "down", "up", "random", "until"]),
            Self::LinksDown => (
                "links_down",
                &["at", "tier", "plane", "count", "spacing", "duration"],
            ),
            Self::TierLoss => ("tier_loss", &["at", "tier", "direction", "rate"]),
            Self::SwitchDown => ("switch_down", &["at", "switch"]),
            Self::SwitchUp => ("switch_up", &["at", "switch"]),
            Self::SwitchReboot => ("switch_reboot", &["at", "switch", "duration"]),
            Self::SwitchCorrupt => ("switch_corrupt", &["at", "switch", "rate"]),
            Self::NicPortDown => ("nic_port_down", &["at", "nic", "plane", "duration"]),
            Self::NicFlap => ("nic_flap", &["at", "nic", "duration"]),
            Self::NicRefuses => ("nic_refuses", &["at", "nic", "rate", "reason"]),
            Self::NicPenalty => ("nic_penalty", &["at", "nic", "penalty"]),
        };
        Kind { name, fields }
    }
}

form! {
    /// Any fault.
    FaultForm {
        at: Time,
        kind: Tag,
        ;
        link: LinkName,
        direction: Direction,
        switch: SwitchName,
        tier: Tier,
        nic: u32,
        plane: u32,
        rate: f64,
        reason: Refusal,
        penalty: u32,
        down: Time,
        up: Time,
        random: bool,
        until: Time,
        count: u32,
        spacing: Time,
        duration: Time,
    }
}

impl TryFrom<FaultForm> for Fault {
    type Error = FormError;

    fn try_from(form: FaultForm) -> Result<Self, FormError> {
        let kind = form.kind.kind();
        kind.admits(form.there())?;
        let link = || kind.needs("link", form.link);
        let switch = || kind.needs("switch", form.switch);
        let tier = || kind.needs("tier", form.tier);
        let nic = || kind.needs("nic", form.nic);
        let rate = || kind.needs("rate", form.rate);
        let duration = || kind.needs("duration", form.duration);
        let direction = form.direction.unwrap_or_default();
        let what = match form.kind {
            Tag::LinkDown => FaultKind::LinkDown {
                link: link()?,
                direction,
            },
            Tag::LinkUp => FaultKind::LinkUp {
                link: link()?,
                direction,
            },
            Tag::LinkLoss => FaultKind::LinkLoss {
                link: link()?,
                direction,
                rate: rate()?,
            },
            Tag::LinkCorrupt => FaultKind::LinkCorrupt {
                link: link()?,
                direction,
                rate: rate()?,
            },
            Tag::LinkFlap => FaultKind::LinkFlap {
                link: link()?,
                down: kind.needs("down", form.down)?,
                up: kind.needs("up", form.up)?,
                random: form.random.unwrap_or(true),
                until: kind.needs("until", form.until)?,
            },
            Tag::LinksDown => FaultKind::LinksDown {
                tier: tier()?,
                plane: form.plane,
                count: kind.needs("count", form.count)?,
                spacing: form.spacing.unwrap_or_default(),
                duration: form.duration,
            },
            Tag::TierLoss => FaultKind::TierLoss {
                tier: tier()?,
                direction,
                rate: rate()?,
            },
            Tag::SwitchDown => FaultKind::SwitchDown { switch: switch()? },
            Tag::SwitchUp => FaultKind::SwitchUp { switch: switch()? },
            Tag::SwitchReboot => FaultKind::SwitchReboot {
                switch: switch()?,
                duration: duration()?,
            },
            Tag::SwitchCorrupt => FaultKind::SwitchCorrupt {
                switch: switch()?,
                rate: rate()?,
            },
            Tag::NicPortDown => FaultKind::NicPortDown {
                nic: nic()?,
                plane: kind.needs("plane", form.plane)?,
                duration: form.duration,
            },
            Tag::NicFlap => FaultKind::NicFlap {
                nic: nic()?,
                duration: duration()?,
            },
            Tag::NicRefuses => FaultKind::NicRefuses {
                nic: nic()?,
                rate: rate()?,
                reason: kind.needs("reason", form.reason)?,
            },
            Tag::NicPenalty => FaultKind::NicPenalty {
                nic: nic()?,
                penalty: kind.needs("penalty", form.penalty)?,
            },
        };
        Ok(Self { at: form.at, what })
    }
}

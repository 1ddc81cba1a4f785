//! Breaking and healing by hand: which faults fit a thing, what has to be said of each, and the fault that comes of it.

mod field;
mod form;

pub use field::{Field, Input};
pub use form::{Trouble, check, make};

use crate::inspect::Target;
use scenario::{Fabric, LinkName, SwitchName};

/// What a fault can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A link.
    Link(LinkName),
    /// A switch.
    Switch(SwitchName),
    /// A NIC, and the plane of the port that was pointed at, if any was.
    Nic(u32, Option<u32>),
    /// The fabric as a whole.
    Fabric,
}

impl Subject {
    /// The subject of a fault on a thing; none where a fault has to be about one of its members.
    pub fn of(target: &Target) -> Option<Subject> {
        match *target {
            Target::Link(link) => Some(Subject::Link(link)),
            Target::Switch(switch) => Some(Subject::Switch(switch)),
            Target::Nic(nic) => Some(Subject::Nic(nic, None)),
            Target::Qp(_)
            | Target::Packet(_)
            | Target::Fault(_)
            | Target::Bundle { .. }
            | Target::Group { .. } => None,
        }
    }

    /// As scenarios and people name it.
    pub fn name(&self) -> String {
        match self {
            Subject::Link(link) => link.to_string(),
            Subject::Switch(switch) => switch.to_string(),
            Subject::Nic(nic, _) => format!("NIC {nic}"),
            Subject::Fabric => "the fabric".into(),
        }
    }

    /// The ways in which it can break or heal, the usual ones first.
    pub const fn ways(&self) -> &'static [Way] {
        match self {
            Subject::Link(_) => &[
                Way::LinkDown,
                Way::LinkLoss,
                Way::LinkCorrupt,
                Way::LinkFlap,
                Way::LinkUp,
            ],
            Subject::Switch(_) => &[
                Way::SwitchDown,
                Way::SwitchReboot,
                Way::SwitchCorrupt,
                Way::SwitchUp,
            ],
            Subject::Nic(..) => &[Way::NicPortDown, Way::NicFlap, Way::NicRefuses, Way::NicPenalty],
            Subject::Fabric => &[Way::LinksDown, Way::TierLoss],
        }
    }
}

/// A way to break or to heal: a kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the kinds of scenario::FaultKind")]
pub enum Way {
    LinkDown,
    LinkUp,
    LinkLoss,
    LinkCorrupt,
    LinkFlap,
    SwitchDown,
    SwitchUp,
    SwitchReboot,
    SwitchCorrupt,
    NicPortDown,
    NicFlap,
    NicRefuses,
    NicPenalty,
    LinksDown,
    TierLoss,
}

/// What a way needs to be told where the fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// A link's name.
    Link,
    /// A switch's name.
    Switch,
    /// A NIC's number.
    Nic,
    /// Nothing: it is about the whole fabric.
    Fabric,
}

impl Noun {
    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Noun::Link => "A link",
            Noun::Switch => "A switch",
            Noun::Nic => "A NIC",
            Noun::Fabric => "The fabric",
        }
    }

    /// True when a place has to be named.
    pub const fn needs_place(self) -> bool {
        !matches!(self, Noun::Fabric)
    }
}

impl Way {
    /// All ways.
    pub const ALL: [Way; 15] = [
        Way::LinkDown,
        Way::LinkLoss,
        Way::LinkCorrupt,
        Way::LinkFlap,
        Way::LinkUp,
        Way::SwitchDown,
        Way::SwitchReboot,
        Way::SwitchCorrupt,
        Way::SwitchUp,
        Way::NicPortDown,
        Way::NicFlap,
        Way::NicRefuses,
        Way::NicPenalty,
        Way::LinksDown,
        Way::TierLoss,
    ];

    /// The kind as scenarios spell it.
    pub const fn slug(self) -> &'static str {
        match self {
            Way::LinkDown => "link_down",
            Way::LinkUp => "link_up",
            Way::LinkLoss => "link_loss",
            Way::LinkCorrupt => "link_corrupt",
            Way::LinkFlap => "link_flap",
            Way::SwitchDown => "switch_down",
            Way::SwitchUp => "switch_up",
            Way::SwitchReboot => "switch_reboot",
            Way::SwitchCorrupt => "switch_corrupt",
            Way::NicPortDown => "nic_port_down",
            Way::NicFlap => "nic_flap",
            Way::NicRefuses => "nic_refuses",
            Way::NicPenalty => "nic_penalty",
            Way::LinksDown => "links_down",
            Way::TierLoss => "tier_loss",
        }
    }

    /// The way of that slug.
    pub fn named(slug: &str) -> Option<Way> {
        Way::ALL.into_iter().find(|way| way.slug() == slug)
    }

    /// What happens to the thing, in a few words that follow its name.
    pub const fn label(self) -> &'static str {
        match self {
            Way::LinkDown => "goes down",
            Way::LinkUp => "comes up",
            Way::LinkLoss => "loses packets",
            Way::LinkCorrupt => "damages packets",
            Way::LinkFlap => "flaps",
            Way::SwitchDown => "dies",
            Way::SwitchUp => "comes back",
            Way::SwitchReboot => "reboots",
            Way::SwitchCorrupt => "damages packets",
            Way::NicPortDown => "loses a port",
            Way::NicFlap => "loses all ports for a while",
            Way::NicRefuses => "refuses packets",
            Way::NicPenalty => "reports a penalty",
            Way::LinksDown => "loses random links",
            Way::TierLoss => "loses packets in a tier",
        }
    }

    /// What it means, in a sentence.
    pub const fn doc(self) -> &'static str {
        match self {
            Way::LinkDown => "What is queued for it and on it is lost; what is sent into it, too.",
            Way::LinkUp => "It works again.",
            Way::LinkLoss => "A share of the packets that cross it is lost without a trace. 0 % ends it.",
            Way::LinkCorrupt => {
                "A share of the packets is damaged on it; the frame check at its far end drops them. 0 % ends it."
            }
            Way::LinkFlap => {
                "It goes down and up again and again, and is up in the end. Means: the times are exponentially distributed."
            }
            Way::SwitchDown => {
                "It forwards nothing more; its links stay up, so that its neighbours notice nothing."
            }
            Way::SwitchUp => "It forwards again.",
            Way::SwitchReboot => "All its links are down for a while, which its neighbours see.",
            Way::SwitchCorrupt => {
                "It forwards, but damages a share of the payloads; only the receiving NIC's iCRC finds out. 0 % ends it."
            }
            Way::NicPortDown => "The link to its T0 in one plane is down. The NIC notices after a while.",
            Way::NicFlap => "Its transceiver flaps: all its links are down at once.",
            Way::NicRefuses => {
                "It refuses a share of the data packets that reach it, by a NACK. 0 % ends it."
            }
            Way::NicPenalty => {
                "Its SACKs report a penalty, 0 to 127: the senders' NSCC shrinks the window by penalty / 128. 0 ends it."
            }
            Way::LinksDown => "So many links of a tier, chosen by the seed, go down one after the other.",
            Way::TierLoss => {
                "Every link of a tier loses a share of its packets, beside what single links lose. 0 % ends it."
            }
        }
    }

    /// What the fault is about.
    pub const fn noun(self) -> Noun {
        match self {
            Way::LinkDown | Way::LinkUp | Way::LinkLoss | Way::LinkCorrupt | Way::LinkFlap => Noun::Link,
            Way::SwitchDown | Way::SwitchUp | Way::SwitchReboot | Way::SwitchCorrupt => Noun::Switch,
            Way::NicPortDown | Way::NicFlap | Way::NicRefuses | Way::NicPenalty => Noun::Nic,
            Way::LinksDown | Way::TierLoss => Noun::Fabric,
        }
    }

    /// What has to be said of it, besides its place.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Way::LinkDown | Way::LinkUp => &[Field::Direction],
            Way::LinkLoss | Way::LinkCorrupt => &[Field::Rate, Field::Direction],
            Way::LinkFlap => &[Field::Down, Field::Up, Field::Lengths, Field::Lasts],
            Way::SwitchDown | Way::SwitchUp => &[],
            Way::SwitchReboot | Way::NicFlap => &[Field::Duration],
            Way::SwitchCorrupt => &[Field::Rate],
            Way::NicPortDown => &[Field::Port, Field::Duration],
            Way::NicRefuses => &[Field::Rate, Field::Reason],
            Way::NicPenalty => &[Field::Penalty],
            Way::LinksDown => &[
                Field::Count,
                Field::Tier,
                Field::Plane,
                Field::Spacing,
                Field::Duration,
            ],
            Way::TierLoss => &[Field::Rate, Field::Tier, Field::Direction],
        }
    }

    /// What a field says until somebody says otherwise. Lengths suit runs of a millisecond.
    pub fn default(self, field: Field, fabric: &Fabric) -> String {
        let text = match field {
            Field::Place | Field::Spacing => "",
            Field::Direction => "both",
            Field::Rate if matches!(self, Way::NicRefuses) => "10 %",
            Field::Rate if matches!(self, Way::TierLoss) => "0.1 %",
            Field::Rate => "1 %",
            Field::Down => "20 µs",
            Field::Up => "50 µs",
            Field::Lengths => "random",
            Field::Lasts => "500 µs",
            Field::Duration if self.may_last() => "",
            Field::Duration => "200 µs",
            Field::Port => "0",
            Field::Plane => "",
            Field::Count => "4",
            // Two tiers of one rack have no other links that matter.
            Field::Tier if fabric.t0_per_plane == 1 => "nic",
            Field::Tier => "t0_t1",
            Field::Reason => "no_pkt_buffer",
            Field::Penalty => "64",
        };
        text.into()
    }

    /// True when it heals whatever is said of it.
    pub const fn is_repair(self) -> bool {
        matches!(self, Way::LinkUp | Way::SwitchUp)
    }

    /// True where a duration may be left out: it lasts for good then.
    pub const fn may_last(self) -> bool {
        matches!(self, Way::NicPortDown | Way::LinksDown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_fits_exactly_one_kind_of_subject_and_is_found_by_its_slug() {
        let subjects = [
            Subject::Link("p0/n0".parse().unwrap()),
            Subject::Switch("p0/t0.0".parse().unwrap()),
            Subject::Nic(0, None),
            Subject::Fabric,
        ];
        for way in Way::ALL {
            let fitting = subjects.iter().filter(|subject| subject.ways().contains(&way));
            assert_eq!(fitting.count(), 1, "{way:?}");
            assert_eq!(Way::named(way.slug()), Some(way));
        }
        assert_eq!(Way::named("nonsense"), None);
    }
}

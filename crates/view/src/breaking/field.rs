//! What has to be said of a fault.

use super::Way;
use scenario::Fabric;

/// One thing that has to be said of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Which link, switch or NIC.
    Place,
    /// Which directions of a link.
    Direction,
    /// A share of packets.
    Rate,
    /// How long a flapping link is down each time.
    Down,
    /// How long it is up in between.
    Up,
    /// Whether those lengths are means or exact.
    Lengths,
    /// How long the flapping goes on.
    Lasts,
    /// How long something stays broken.
    Duration,
    /// The plane of a NIC's port.
    Port,
    /// A plane, or all.
    Plane,
    /// How many links.
    Count,
    /// Time from one link to the next.
    Spacing,
    /// Links between which tiers.
    Tier,
    /// A NACK's reason.
    Reason,
    /// A receiver's penalty.
    Penalty,
}

/// How a field is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A text, with an example of what it may be.
    Text(&'static str),
    /// One of several: value and name.
    Choice(Vec<(String, String)>),
}

impl Field {
    /// The name for tests and in the style sheet.
    pub const fn slug(self) -> &'static str {
        match self {
            Field::Place => "place",
            Field::Direction => "direction",
            Field::Rate => "rate",
            Field::Down => "down",
            Field::Up => "up",
            Field::Lengths => "lengths",
            Field::Lasts => "lasts",
            Field::Duration => "duration",
            Field::Port => "port",
            Field::Plane => "plane",
            Field::Count => "count",
            Field::Spacing => "spacing",
            Field::Tier => "tier",
            Field::Reason => "reason",
            Field::Penalty => "penalty",
        }
    }

    /// The name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Field::Place => "where",
            Field::Direction => "direction",
            Field::Rate => "share of packets",
            Field::Down => "down for",
            Field::Up => "up for",
            Field::Lengths => "these times are",
            Field::Lasts => "goes on for",
            Field::Duration => "for",
            Field::Port | Field::Plane => "plane",
            Field::Count => "how many",
            Field::Spacing => "one every",
            Field::Tier => "links",
            Field::Reason => "NACK reason",
            Field::Penalty => "penalty",
        }
    }

    /// The field of a scenario's fault that holds it.
    pub(super) const fn json(self, way: Way) -> &'static str {
        match self {
            Field::Place => match way.noun() {
                super::Noun::Link => "link",
                super::Noun::Switch => "switch",
                super::Noun::Nic | super::Noun::Fabric => "nic",
            },
            Field::Lengths => "random",
            Field::Lasts => "until",
            Field::Port => "plane",
            other => other.slug(),
        }
    }

    /// How it is filled in.
    pub fn input(self, way: Way, fabric: &Fabric) -> Input {
        let choice = |list: &[(&str, &str)]| {
            Input::Choice(
                list.iter()
                    .map(|&(value, name)| (value.into(), name.into()))
                    .collect(),
            )
        };
        let planes = || (0..fabric.planes).map(|plane| (plane.to_string(), format!("plane {plane}")));
        match self {
            Field::Place => Input::Text(match way.noun() {
                super::Noun::Link => "p0/t0.0-t1.1",
                super::Noun::Switch => "p0/t1.2",
                super::Noun::Nic | super::Noun::Fabric => "5",
            }),
            Field::Direction => choice(&[
                ("both", "both ways"),
                ("up", "up, away from NICs"),
                ("down", "down, towards NICs"),
            ]),
            Field::Rate => Input::Text("1 %"),
            Field::Down | Field::Up | Field::Lasts => Input::Text("50 µs"),
            Field::Duration if way.may_last() => Input::Text("for good"),
            Field::Duration => Input::Text("200 µs"),
            Field::Spacing => Input::Text("all at once"),
            Field::Lengths => choice(&[("random", "means"), ("exact", "exact")]),
            Field::Port => Input::Choice(planes().collect()),
            Field::Plane => {
                let all = (String::new(), "all planes".to_owned());
                Input::Choice(std::iter::once(all).chain(planes()).collect())
            }
            Field::Count => Input::Text("4"),
            Field::Tier => {
                let tiers = [("nic", "NIC–T0"), ("t0_t1", "T0–T1"), ("t1_t2", "T1–T2")];
                choice(&tiers[..fabric.tiers() as usize])
            }
            Field::Reason => choice(&[
                ("no_bitmap", "NO_BITMAP"),
                ("no_pkt_buffer", "NO_PKT_BUFFER"),
                ("no_resource", "NO_RESOURCE"),
            ]),
            Field::Penalty => Input::Text("0 to 127"),
        }
    }
}

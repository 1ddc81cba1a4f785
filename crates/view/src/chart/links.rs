//! What links carry, as cells of a heat map.

use super::{Axis, Body, Chart, Groups, Heat, Quantity};
use fabric::LinkKind;
use serde::{Deserialize, Serialize};

/// Which links are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hop {
    /// NIC to T0.
    NicUp,
    /// T0 to NIC: the last hop.
    NicDown,
    /// T0 to T1.
    #[default]
    Up,
    /// T1 to T0.
    Down,
    /// T1 to T2.
    CoreUp,
    /// T2 to T1.
    CoreDown,
}

impl Hop {
    /// All of them, in the order of a packet's way.
    pub const ALL: [Hop; 6] = [
        Hop::NicUp,
        Hop::Up,
        Hop::CoreUp,
        Hop::CoreDown,
        Hop::Down,
        Hop::NicDown,
    ];

    /// The fabric's kind of link.
    pub const fn kind(self) -> LinkKind {
        match self {
            Hop::NicUp => LinkKind::NicUp,
            Hop::NicDown => LinkKind::NicDown,
            Hop::Up => LinkKind::Up,
            Hop::Down => LinkKind::Down,
            Hop::CoreUp => LinkKind::CoreUp,
            Hop::CoreDown => LinkKind::CoreDown,
        }
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Hop::NicUp => "NIC → T0",
            Hop::NicDown => "T0 → NIC",
            Hop::Up => "T0 → T1",
            Hop::Down => "T1 → T0",
            Hop::CoreUp => "T1 → T2",
            Hop::CoreDown => "T2 → T1",
        }
    }

    /// True where a fabric of so many tiers has such links.
    pub const fn is_in(self, tiers: u32) -> bool {
        tiers > 2 || !matches!(self, Hop::CoreUp | Hop::CoreDown)
    }

    /// What rows and columns are: the switches below, and the numbers of their links.
    pub const fn sides(self) -> (&'static str, &'static str) {
        match self {
            Hop::NicUp | Hop::NicDown => ("T0", "NIC of the T0"),
            Hop::Up | Hop::Down => ("T0", "T1"),
            Hop::CoreUp | Hop::CoreDown => ("T1", "uplink"),
        }
    }
}

/// What of a link is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Share of its rate that was used since the run began.
    #[default]
    Load,
    /// Share of its rate that was used of late.
    Lately,
    /// Bytes that wait for it now, what is being sent included.
    Queue,
    /// Packets dropped at it.
    Drops,
    /// Packets trimmed in front of it.
    Trims,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 5] = [
        Measure::Load,
        Measure::Lately,
        Measure::Queue,
        Measure::Drops,
        Measure::Trims,
    ];

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Load => "mean load",
            Measure::Lately => "load of late",
            Measure::Queue => "queue now",
            Measure::Drops => "drops",
            Measure::Trims => "trims",
        }
    }

    const fn quantity(self) -> Quantity {
        match self {
            Measure::Load | Measure::Lately => Quantity::Share,
            Measure::Queue => Quantity::Bytes,
            Measure::Drops | Measure::Trims => Quantity::Count,
        }
    }

    /// How the links of a group become one value.
    pub fn together(self, values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Measure::Load | Measure::Lately => {
                let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
                if count > 0.0 { sum / count } else { 0.0 }
            }
            Measure::Queue => values.fold(0.0, f64::max),
            Measure::Drops | Measure::Trims => values.sum(),
        }
    }
}

/// Which links, and what of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinksAsk {
    /// Which.
    pub hop: Hop,
    /// Their plane.
    pub plane: u32,
    /// What of them.
    pub measure: Measure,
}

/// The links of a plane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinksAnswer {
    /// What was asked for; its plane is one that there is.
    pub of: LinksAsk,
    /// The switches below, in groups.
    pub rows: Groups,
    /// Their links, in groups.
    pub columns: Groups,
    /// Values row by row.
    pub values: Vec<f64>,
}

impl LinksAnswer {
    /// As a heat map.
    pub fn chart(&self) -> Chart {
        let (hop, measure) = (self.of.hop, self.of.measure);
        let (below, above) = hop.sides();
        let group = if self.rows.each > 1 || self.columns.each > 1 {
            match measure {
                Measure::Load | Measure::Lately => " A cell is the mean of several links.",
                Measure::Queue => " A cell is the deepest of several queues.",
                Measure::Drops | Measure::Trims => " A cell is the sum over several links.",
            }
        } else {
            ""
        };
        Chart {
            slug: "links",
            title: format!(
                "Links {}, plane {}: {}",
                hop.name(),
                self.of.plane,
                measure.name()
            ),
            doc: format!("{}{group}", doc(measure)),
            empty: "Nothing yet.",
            x: Axis::new(above, Quantity::Count),
            y: Axis::new(below, Quantity::Count),
            body: Body::Heat(Heat {
                rows: self.rows.names(below),
                columns: self
                    .columns
                    .names(if above == "T1" { "T1" } else { "" })
                    .iter()
                    .map(|name| name.trim().to_owned())
                    .collect(),
                values: self.values.clone(),
                quantity: measure.quantity(),
                what: measure.name().into(),
                top: matches!(measure, Measure::Load | Measure::Lately).then_some(1.0),
                log: false,
            }),
            ..Chart::default()
        }
    }
}

const fn doc(measure: Measure) -> &'static str {
    match measure {
        Measure::Load => "The share of its rate that each link has used since the run began.",
        Measure::Lately => {
            "The share of its rate that each link has used of late: over one to two base RTTs, in very large fabrics over longer."
        }
        Measure::Queue => "Bytes in front of each link now, the packet that is being sent included.",
        Measure::Drops => "Packets dropped at each link since the run began, for any reason.",
        Measure::Trims => "Packets trimmed in front of each link since the run began.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_become_one_value_by_what_is_measured() {
        let of = |measure: Measure| measure.together([1.0, 3.0, 2.0].into_iter());
        assert_eq!(Measure::ALL.map(of), [2.0, 2.0, 3.0, 6.0, 6.0]);
        assert_eq!(Measure::Load.together(std::iter::empty()), 0.0);
    }

    #[test]
    fn a_link_is_named_by_both_of_its_ends() {
        let answer = LinksAnswer {
            rows: Groups { of: 2, each: 1 },
            columns: Groups { of: 3, each: 2 },
            values: vec![0.25, 0.5, 0.75, 1.0],
            ..LinksAnswer::default()
        };
        let chart = answer.chart();
        let reading = chart.read_cell(1, 0).unwrap();
        assert_eq!(
            (reading.at.as_str(), reading.values[0]),
            ("T0 1 → T1 0–1", Some(0.75))
        );
        assert_eq!(chart.sentence(&reading), "T0 1 → T1 0–1: 75 %");
        assert!(chart.doc.ends_with("A cell is the mean of several links."));
    }
}

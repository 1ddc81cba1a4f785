//! A fabric's card for people: the figures of [`Card`] in words, in the order of the MRC paper's comparison (§2.2).

use crate::units;
use fabric::Clos;
use fabric::card::{Card, Loss, Lost};
use scenario::Fabric;

/// The card of a valid scenario's fabric.
pub fn of(fabric: &Fabric) -> Card {
    let clos = Clos {
        planes: fabric.planes,
        t0s: fabric.t0_per_plane,
        t1s: fabric.t1_per_plane,
        nics_per_t0: fabric.nics_per_t0,
        pods: fabric.pods,
        t2s: fabric.t2_per_plane,
    };
    let rates = [fabric.nic_link_rate, fabric.t1_rate(), fabric.t2_rate()];
    Card::of(&clos, rates.map(|rate| rate.0))
}

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// What they have in common.
    pub title: &'static str,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One figure and what it is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// What the figure is of, with its unit where the figure does not have it.
    pub label: &'static str,
    /// The figure.
    pub figure: Figure,
}

/// A figure, which knows how it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// The fabric has no such thing.
    None,
    /// So many.
    Count(u64),
    /// Bits per second.
    Rate(f64),
    /// A part of one.
    Share(f64),
    /// A number without a unit.
    Number(f64),
}

impl Figure {
    /// As a text, with its unit.
    pub fn text(self) -> String {
        match self {
            Figure::None => "–".into(),
            Figure::Count(n) => units::count(n),
            Figure::Rate(bps) => units::rate(bps),
            Figure::Share(share) => format!("{} %", significant(share * 100.0)),
            Figure::Number(number) => significant(number),
        }
    }

    /// By how much it is larger than `first`: the quotient of the two, as a text. None where one of them is missing, or `first` is 0.
    pub fn by(self, first: Figure) -> Option<String> {
        let (first, second) = (first.value()?, self.value()?);
        (first != 0.0).then(|| significant(second / first))
    }

    fn value(self) -> Option<f64> {
        match self {
            Figure::None => None,
            Figure::Count(n) => Some(n as f64),
            Figure::Rate(x) | Figure::Share(x) | Figure::Number(x) => Some(x),
        }
    }
}

/// Four significant figures without zeros at the end, however small the number is; whole numbers keep all their digits.
fn significant(value: f64) -> String {
    // No figure of a valid fabric is below it: a share is at least one by the 20,000,000 links that a fabric has at most.
    const SMALLEST: f64 = 1e-12;
    let mut decimals = 3;
    let mut scaled = value.abs();
    while scaled < 1.0 && scaled > SMALLEST && decimals < 15 {
        scaled *= 10.0;
        decimals += 1;
    }
    while scaled >= 10.0 && decimals > 0 {
        scaled /= 10.0;
        decimals -= 1;
    }
    let text = format!("{value:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    units::grouped(text)
}

/// The rows of a card. They are the same for every fabric, so that those of several can stand side by side.
pub fn sections(card: &Card) -> Vec<Section> {
    let section = |title, rows: Vec<(&'static str, Figure)>| Section {
        title,
        rows: (rows.into_iter().map(|(label, figure)| Row { label, figure })).collect(),
    };
    vec![
        section("Size", size(card)),
        section("Switches", switches(card)),
        section("Links", links(card)),
        section("Paths", paths(card)),
        section(
            "NICs concerned when one is lost",
            losses(card, |loss| Figure::Count(loss.nics.into())),
        ),
        section("Share of the uplinks of what is below", uplinks(card)),
        section(
            "Share that each NIC concerned loses",
            losses(card, |loss| Figure::Share(loss.of_nic)),
        ),
        section(
            "Share that all NICs together lose",
            losses(card, |loss| Figure::Share(loss.of_fabric)),
        ),
    ]
}

type Rows = Vec<(&'static str, Figure)>;

fn size(card: &Card) -> Rows {
    let port = card.link_bps[0];
    vec![
        ("NICs", count(card.nics)),
        ("rate of a NIC", rate(card.nic_bps)),
        ("ports of a NIC, one a plane", Figure::Count(card.nic_bps / port)),
        ("rate of the largest switch", rate(card.switch_bps)),
        (
            "its ports, at a NIC port's rate",
            Figure::Count(card.switch_bps / port),
        ),
        ("NICs at most with such switches", Figure::Count(card.most_nics)),
    ]
}

fn switches(card: &Card) -> Rows {
    let [t0, t1, t2] = card.switches;
    vec![
        ("T0", count(t0)),
        ("T1", count(t1)),
        ("T2", count_of_t2(card, t2)),
        ("in all", count(card.all_switches())),
        (
            "per thousand NICs",
            Figure::Number(card.switches_per_nic() * 1000.0),
        ),
    ]
}

fn links(card: &Card) -> Rows {
    let [nic, t0_t1, t1_t2] = card.links;
    vec![
        ("NIC–T0", count(nic)),
        ("T0–T1", count(t0_t1)),
        ("T1–T2", count_of_t2(card, t1_t2)),
        ("ends of links, each a port", Figure::Count(card.link_ends())),
        (
            "transceivers, each of a NIC's rate",
            Figure::Count(card.transceivers()),
        ),
        (
            "layers of optics for a NIC's rate",
            Figure::Number(card.optical_layers()),
        ),
    ]
}

fn paths(card: &Card) -> Rows {
    let ratio = |tier: Option<f64>| tier.map_or(Figure::None, Figure::Number);
    let [t0, t1] = card.oversubscription;
    vec![
        ("switches on the longest path", count(card.longest_path)),
        ("NICs at a T0, one switch away", count(card.nics_at_t0)),
        ("paths from end to end", count(card.paths)),
        ("oversubscription of a T0", ratio(t0)),
        ("oversubscription of a T1", ratio(t1)),
        ("bisection", Figure::Rate(card.bisection_bps as f64)),
    ]
}

const LOST: [(Lost, &str); 7] = [
    (Lost::NicLink, "NIC–T0 link"),
    (Lost::T0T1Link, "T0–T1 link"),
    (Lost::T1T2Link, "T1–T2 link"),
    (Lost::T0, "T0"),
    (Lost::T1, "T1"),
    (Lost::T2, "T2"),
    (Lost::NicTransceiver, "NIC's transceiver, all ports"),
];

/// A row for each thing that can be lost.
fn losses(card: &Card, figure: impl Fn(&Loss) -> Figure) -> Rows {
    let lost = LOST.into_iter();
    lost.map(|(what, label)| (label, card.loss_of(what).map_or(Figure::None, &figure)))
        .collect()
}

/// A row for each kind of link.
fn uplinks(card: &Card) -> Rows {
    let share = |loss: &Loss| loss.of_uplinks.map_or(Figure::None, Figure::Share);
    let mut rows = losses(card, share);
    rows.truncate(3);
    rows
}

fn count(n: u32) -> Figure {
    Figure::Count(n.into())
}

fn count_of_t2(card: &Card, n: u32) -> Figure {
    if card.switches[2] > 0 {
        count(n)
    } else {
        Figure::None
    }
}

fn rate(bps: u64) -> Figure {
    Figure::Rate(bps as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_figures_however_small_they_are() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (46.875, "46.88"),
            (78.125, "78.12"),
            (131_072.0, "131\u{202f}072"),
            (0.6, "0.6"),
            // 1/2048 and 1/8/131072 in per cent.
            (0.048_828_125, "0.04883"),
            (0.000_095_367_431_640_625, "0.00009537"),
            (99.999, "100"),
        ] {
            assert_eq!(significant(value), text);
        }
    }

    #[test]
    fn ratios_need_two_figures() {
        assert_eq!(Figure::Count(3).by(Figure::Count(5)), Some("0.6".into()));
        assert_eq!(Figure::Count(3).by(Figure::None), None);
        assert_eq!(Figure::None.by(Figure::Count(5)), None);
        assert_eq!(Figure::Count(3).by(Figure::Count(0)), None);
    }

    /// T2s and their links are rows of every card, so that cards can stand side by side.
    #[test]
    fn two_and_three_tiers_have_the_same_rows() {
        let two = scenario::presets()[0].scenario().fabric;
        let mut three = two.clone();
        (three.pods, three.t2_per_plane) = (2, 4);
        let [two, three] = [&two, &three].map(|fabric| sections(&of(fabric)));
        let labels = |sections: &[Section]| -> Vec<&str> {
            let rows = sections.iter().flat_map(|section| &section.rows);
            rows.map(|row| row.label).collect()
        };
        assert_eq!(labels(&two), labels(&three));
        let t2 = |sections: &[Section]| sections[1].rows[2].figure;
        // 4 planes of 4 T2s.
        assert_eq!((t2(&two), t2(&three)), (Figure::None, Figure::Count(16)));
        assert_eq!(t2(&two).text(), "–");
    }

    /// The rates of the links between switches are those of the NICs' links unless the scenario says otherwise.
    #[test]
    fn rates_of_links_follow_from_the_scenario() {
        let mut fabric = scenario::presets()[0].scenario().fabric;
        assert_eq!(of(&fabric).link_bps, [100_000_000_000; 3]);
        fabric.t1_link_rate = Some(scenario::Rate::gbps(400));
        assert_eq!(
            of(&fabric).link_bps,
            [100_000_000_000, 400_000_000_000, 400_000_000_000]
        );
    }
}

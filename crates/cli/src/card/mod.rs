//! The cards of several fabrics as a value; `docs/results-json.md` says what each field means.

pub mod table;

use crate::input::Loaded;
use crate::json::list;
use crate::results::About;
use fabric::card::{Card, Loss, Lost};
use serde::Serialize;
use std::io::{self, Write};

/// Version of this form; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// The cards, in the order in which they were asked for.
pub struct Cards(Vec<(About, Card)>);

impl Cards {
    /// The cards of these scenarios' fabrics.
    pub fn of(loaded: Vec<Loaded>) -> Cards {
        let card = |loaded: Loaded| {
            let card = view::card::of(&loaded.scenario.fabric);
            (About::of(&loaded.scenario, loaded.source), card)
        };
        Cards(loaded.into_iter().map(card).collect())
    }

    /// Writes them as JSON, one card a line.
    ///
    /// # Errors
    /// When `out` has one.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let cards: Vec<Entry> = self.0.iter().map(Entry::of).collect();
        writeln!(out, "{{")?;
        writeln!(out, "\"format\": {FORMAT},")?;
        writeln!(out, "\"version\": \"{}\",", env!("CARGO_PKG_VERSION"))?;
        list(out, "cards", &cards)?;
        writeln!(out, "}}")
    }
}

/// A card, as it is written.
#[derive(Serialize)]
struct Entry<'a> {
    scenario: &'a About,
    nics: u32,
    nic_gbps: f64,
    nic_ports: u64,
    switch_gbps: f64,
    most_nics: u64,
    switches: Switches,
    links: Links<u32>,
    link_gbps: Links<f64>,
    link_ends: u64,
    transceivers: u64,
    optical_layers: f64,
    longest_path: u32,
    nics_at_t0: u32,
    paths: u32,
    oversubscription: Oversubscription,
    bisection_gbps: f64,
    losses: Vec<LossEntry>,
}

#[derive(Serialize)]
struct Switches {
    t0: u32,
    t1: u32,
    t2: u32,
    all: u32,
    per_1000_nics: f64,
}

/// Something by tier.
#[derive(Serialize)]
struct Links<T> {
    nic: T,
    t0_t1: T,
    /// None where there are no T2s.
    t1_t2: Option<T>,
}

#[derive(Serialize)]
struct Oversubscription {
    t0: Option<f64>,
    t1: Option<f64>,
}

#[derive(Serialize)]
struct LossEntry {
    what: &'static str,
    nics: u32,
    of_uplinks: Option<f64>,
    of_nic: f64,
    of_fabric: f64,
}

impl<'a> Entry<'a> {
    fn of((about, card): &'a (About, Card)) -> Entry<'a> {
        let [t0, t1, t2] = card.switches;
        let [nic_rate, t1_rate, t2_rate] = card.link_bps.map(|bps| gbps(bps.into()));
        let [over_t0, over_t1] = card.oversubscription;
        let three = t2 > 0;
        Entry {
            scenario: about,
            nics: card.nics,
            nic_gbps: gbps(card.nic_bps.into()),
            nic_ports: card.nic_bps / card.link_bps[0],
            switch_gbps: gbps(card.switch_bps.into()),
            most_nics: card.most_nics,
            switches: Switches {
                t0,
                t1,
                t2,
                all: card.all_switches(),
                per_1000_nics: card.switches_per_nic() * 1000.0,
            },
            links: Links {
                nic: card.links[0],
                t0_t1: card.links[1],
                t1_t2: three.then_some(card.links[2]),
            },
            link_gbps: Links {
                nic: nic_rate,
                t0_t1: t1_rate,
                t1_t2: three.then_some(t2_rate),
            },
            link_ends: card.link_ends(),
            transceivers: card.transceivers(),
            optical_layers: card.optical_layers(),
            longest_path: card.longest_path,
            nics_at_t0: card.nics_at_t0,
            paths: card.paths,
            oversubscription: Oversubscription {
                t0: over_t0,
                t1: over_t1,
            },
            bisection_gbps: gbps(card.bisection_bps),
            losses: card.losses.iter().map(LossEntry::of).collect(),
        }
    }
}

impl LossEntry {
    fn of(loss: &Loss) -> LossEntry {
        LossEntry {
            what: match loss.what {
                Lost::NicLink => "nic_link",
                Lost::T0T1Link => "t0_t1_link",
                Lost::T1T2Link => "t1_t2_link",
                Lost::T0 => "t0",
                Lost::T1 => "t1",
                Lost::T2 => "t2",
                Lost::NicTransceiver => "nic_transceiver",
            },
            nics: loss.nics,
            of_uplinks: loss.of_uplinks,
            of_nic: loss.of_nic,
            of_fabric: loss.of_fabric,
        }
    }
}

fn gbps(bps: u128) -> f64 {
    bps as f64 / 1e9
}

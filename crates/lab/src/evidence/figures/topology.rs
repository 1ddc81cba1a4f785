//! The two designs that the paper compares: figures that follow from the topology (§2.2 and its table).

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use fabric::Clos;
use fabric::card::{Card, Lost};

pub(super) fn all() -> Vec<Experiment> {
    vec![Experiment {
        id: "topology",
        title: "Two tiers of eight planes beside three tiers of one",
        source: "§2.2 and its table: 8 × 100 Gb/s (512 T0s and 256 T1s a plane) and 1 × 800 Gb/s (64 pods of 32 T0s and 32 T1s, 1,024 \
                 T2s), 51.2 Tb/s switches",
        scaling: "none",
        measured: "computed from the topology as it is built",
        cases: vec![
            Case {
                work: Work::Compute(compared),
                rows: vec![
                    printed("NICs, two tiers", 131_072.0),
                    printed("NICs, three tiers", 65_536.0),
                    derived("switches, two tiers", 6_144.0),
                    derived("switches, three tiers", 5_120.0),
                    printed("switches per NIC, two tiers by three (3/5)", 0.6),
                    printed("optics per NIC bandwidth, two tiers by three, times 3 (2/3)", 2.0),
                    printed("switches on the longest path, two tiers", 3.0),
                    printed("switches on the longest path, three tiers", 5.0),
                    printed("NICs one switch away, two tiers", 256.0),
                    printed("NICs one switch away, three tiers", 32.0),
                ],
                quick: true,
            },
            Case {
                work: Work::Compute(lost),
                rows: vec![
                    percent("loss of one T0–T1 link, two tiers", 0.4, 0.05),
                    percent("loss of one T0–T1 link, three tiers", 3.0, 0.5),
                    percent("loss of one NIC–T0 link, two tiers", 12.0, 0.5),
                    percent("loss of one NIC–T0 link, three tiers", 100.0, 0.5),
                ],
                quick: true,
            },
            Case {
                work: Work::Compute(|| vec![f64::from(card(Clos::two_tiers(4, 256, 128, 128), 200).nics)]),
                rows: vec![derived("NICs, 4 × 200 Gb/s in two tiers", 32_768.0)],
                quick: true,
            },
        ],
    }]
}

fn printed(quantity: &str, value: f64) -> Row {
    Row::number(quantity, "", value, Known::Printed).within(0.01)
}

fn derived(quantity: &str, value: f64) -> Row {
    Row::number(quantity, "", value, Known::Derived).within(0.01)
}

/// The paper rounds to the digits that it shows.
fn percent(quantity: &str, value: f64, rounding: f64) -> Row {
    Row::number(quantity, "%", value, Known::Printed).within_absolute(rounding, "rounding")
}

fn two_tiers() -> Card {
    card(Clos::two_tiers(8, 512, 256, 256), 100)
}

fn three_tiers() -> Card {
    let clos = Clos {
        planes: 1,
        t0s: 2_048,
        t1s: 2_048,
        nics_per_t0: 32,
        pods: 64,
        t2s: 1_024,
    };
    card(clos, 800)
}

/// The figures of a fabric whose links all have the same rate.
fn card(clos: Clos, gbps: u64) -> Card {
    Card::of(&clos, [gbps * 1_000_000_000; 3])
}

fn compared() -> Vec<f64> {
    let (two, three) = (two_tiers(), three_tiers());
    vec![
        f64::from(two.nics),
        f64::from(three.nics),
        f64::from(two.all_switches()),
        f64::from(three.all_switches()),
        two.switches_per_nic() / three.switches_per_nic(),
        3.0 * two.optical_layers() / three.optical_layers(),
        f64::from(two.longest_path),
        f64::from(three.longest_path),
        f64::from(two.nics_at_t0),
        f64::from(three.nics_at_t0),
    ]
}

/// In percent of the uplinks of what is below the link.
fn lost() -> Vec<f64> {
    let (two, three) = (two_tiers(), three_tiers());
    let share = |card: &Card, what| {
        let loss = card.loss_of(what).and_then(|loss| loss.of_uplinks);
        loss.map_or(f64::NAN, |share| share * 100.0)
    };
    vec![
        share(&two, Lost::T0T1Link),
        share(&three, Lost::T0T1Link),
        share(&two, Lost::NicLink),
        share(&three, Lost::NicLink),
    ]
}

//! The ledger's published numbers.

use crate::evidence::experiment::{Case, Experiment, Known, Row, Work};
use ledger::{Inputs, Statement};

pub(super) fn all() -> Vec<Experiment> {
    vec![Experiment {
        id: "ledger",
        title: "What a core earns and the card burns",
        source: "summaries of the paper, and what follows (facts 4)",
        scaling: "one core always sold, no share of the building's energy, a million hosts",
        measured: "the ledger's formulas (`flowglass ledger`) with the published inputs: 0.105 $/h, 18 W",
        cases: vec![Case {
            work: Work::Compute(|| {
                let inputs = Inputs {
                    cores_returned: 1.0,
                    utilisation: 1.0,
                    pue: 1.0,
                    ..Inputs::default()
                };
                match Statement::of(&inputs) {
                    Ok(s) => vec![s.cores, s.energy_kwh, s.energy, s.fleet_mw],
                    Err(_) => vec![f64::NAN; 4],
                }
            }),
            rows: vec![
                Row::number("a core's year", "$", 900.0, Known::Summary).from_to(
                    876.0,
                    964.0,
                    "0.10 to 0.11 $/h",
                ),
                Row::statement("energy of a card in a year", "kWh", "149 to 166", Known::Derived).from_to(
                    149.0,
                    166.0,
                    "17 to 19 W",
                ),
                Row::statement("its cost at 0.10 $/kWh", "$", "15 to 17", Known::Derived).from_to(
                    14.9,
                    16.6,
                    "17 to 19 W",
                ),
                Row::statement("a million cards", "MW", "17 to 19", Known::Derived).from_to(
                    17.0,
                    19.0,
                    "17 to 19 W",
                ),
            ],
            quick: true,
        }],
    }]
}

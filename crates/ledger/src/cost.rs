//! What the card returns and costs in a year.

use crate::breakeven::BreakEven;
use crate::input::{InputError, Inputs};
use crate::reliability::Failures;
use serde::Serialize;

/// Hours of a year of 365 days.
pub(crate) const HOURS: f64 = 8760.0;

/// Both sides of the ledger for one host and one year, in $, and what follows for the fleet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Statement {
    /// Value of the cores returned: cores × price × 8,760 h × utilisation.
    pub cores: f64,
    /// The card's energy in kWh: power × 8,760 h × PUE.
    pub energy_kwh: f64,
    /// What that energy costs.
    pub energy: f64,
    /// A low-priced card, spread evenly over the host's life.
    pub card_low: f64,
    /// A high-priced card, likewise.
    pub card_high: f64,
    /// Repairs, with a low-priced card for each that fails.
    pub repairs_low: f64,
    /// Repairs, with a high-priced card for each that fails.
    pub repairs_high: f64,
    /// The people, spread over the fleet.
    pub people: f64,
    /// What is left with a high-priced card.
    pub net_low: f64,
    /// What is left with a low-priced card.
    pub net_high: f64,
    /// Power of all cards with their cooling, in MW.
    pub fleet_mw: f64,
    /// What fails in the fleet, and what its VMs notice.
    pub failures: Failures,
    /// Where gain and loss meet.
    pub break_even: BreakEven,
}

impl Statement {
    /// Computes the statement.
    ///
    /// # Errors
    /// [`InputError`] for inputs out of range.
    pub fn of(inputs: &Inputs) -> Result<Statement, InputError> {
        inputs.check()?;
        let failures = Failures::of(inputs);
        let cores = inputs.cores_returned * core_year(inputs);
        let energy_kwh = inputs.card_power / 1000.0 * HOURS * inputs.pue;
        let energy = energy_kwh * inputs.kwh_price;
        let people = inputs.engineers * inputs.engineer_cost / inputs.fleet;
        let repairs = |price: f64| failures.per_card * (price + inputs.repair_cost);
        let card = |price: f64| price / inputs.life;
        let net = |price: f64| cores - energy - card(price) - repairs(price) - people;
        Ok(Statement {
            cores,
            energy_kwh,
            energy,
            card_low: card(inputs.card_price_low),
            card_high: card(inputs.card_price_high),
            repairs_low: repairs(inputs.card_price_low),
            repairs_high: repairs(inputs.card_price_high),
            people,
            net_low: net(inputs.card_price_high),
            net_high: net(inputs.card_price_low),
            fleet_mw: inputs.card_power * inputs.pue * inputs.fleet / 1e6,
            failures,
            break_even: BreakEven::of(inputs, failures.per_card),
        })
    }
}

/// What one core earns in a year.
pub(crate) fn core_year(inputs: &Inputs) -> f64 {
    inputs.core_price * HOURS * inputs.utilisation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
    }

    /// Facts 4: a core at 0.105 $/h earns 919.80 $ a year when always sold; 18 W are 157.68 kWh a year, 15.77 $ at 0.10 $/kWh;
    /// a million cards draw 18 MW (all without the building's share).
    #[test]
    fn the_published_inputs_give_the_known_orders() {
        let inputs = Inputs {
            cores_returned: 1.0,
            utilisation: 1.0,
            pue: 1.0,
            ..Inputs::default()
        };
        let statement = Statement::of(&inputs).unwrap();
        assert!(close(statement.cores, 919.8));
        assert!(close(statement.energy_kwh, 157.68));
        assert!(close(statement.energy, 15.768));
        assert!(close(statement.fleet_mw, 18.0));
    }

    /// Defaults by hand: 4 × 0.105 × 8760 × 0.7 = 2575.44; 0.018 × 8760 × 1.2 × 0.1 = 18.9216; cards 80 and 240 a year;
    /// 0.8 % fail: 0.008 × 550 = 4.4 and 0.008 × 1350 = 10.8; people 50 × 300,000 / 10^6 = 15.
    #[test]
    fn the_defaults_by_hand() {
        let statement = Statement::of(&Inputs::default()).unwrap();
        assert!(close(statement.cores, 2575.44));
        assert!(close(statement.energy, 18.9216));
        assert!(close(statement.card_low, 80.0) && close(statement.card_high, 240.0));
        assert!(close(statement.repairs_low, 4.4) && close(statement.repairs_high, 10.8));
        assert!(close(statement.people, 15.0));
        assert!(close(statement.net_high, 2575.44 - 18.9216 - 80.0 - 4.4 - 15.0));
        assert!(close(statement.net_low, 2575.44 - 18.9216 - 240.0 - 10.8 - 15.0));
    }
}

//! Where gain and loss meet, one input at a time.

use crate::cost::{HOURS, core_year};
use crate::input::{InputError, Inputs};
use serde::Serialize;

/// For each input the value at which nothing is left, all others as they are and the card at its high price; `None` where no
/// positive value does that.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BreakEven {
    /// Cores that must be returned, per host.
    pub cores: Option<f64>,
    /// Price of a core in $/h.
    pub core_price: Option<f64>,
    /// Share of the hours sold; may be above 1, which says that no utilisation is enough.
    pub utilisation: Option<f64>,
    /// Price of the card in $.
    pub card_price: Option<f64>,
    /// Price of energy in $/kWh.
    pub kwh_price: Option<f64>,
    /// Hosts over which the people are spread.
    pub fleet: Option<f64>,
}

fn positive(value: f64) -> Option<f64> {
    (value.is_finite() && value >= 0.0).then_some(value)
}

impl BreakEven {
    /// `failing` is the share of the cards that fail in a year.
    pub(crate) fn of(inputs: &Inputs, failing: f64) -> BreakEven {
        let kwh = inputs.card_power / 1000.0 * HOURS * inputs.pue;
        let energy = kwh * inputs.kwh_price;
        let people = inputs.engineers * inputs.engineer_cost;
        let price = inputs.card_price_high;
        let card = price / inputs.life + failing * (price + inputs.repair_cost);
        let gain = inputs.cores_returned * core_year(inputs);
        let costs = energy + card + people / inputs.fleet;
        BreakEven {
            cores: positive(costs / core_year(inputs)),
            core_price: positive(costs / (inputs.cores_returned * HOURS * inputs.utilisation)),
            utilisation: positive(costs / (inputs.cores_returned * inputs.core_price * HOURS)),
            card_price: positive(highest_card_price(inputs, failing, gain)),
            kwh_price: positive((gain - card - people / inputs.fleet) / kwh),
            fleet: positive(people / (gain - energy - card)),
        }
    }
}

/// The price of the card at which nothing is left of `gain`.
fn highest_card_price(inputs: &Inputs, failing: f64, gain: f64) -> f64 {
    let kwh = inputs.card_power / 1000.0 * HOURS * inputs.pue;
    let people = inputs.engineers * inputs.engineer_cost / inputs.fleet;
    let left = gain - kwh * inputs.kwh_price - people - failing * inputs.repair_cost;
    left / (1.0 / inputs.life + failing)
}

/// One point of the line between gain and loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrontierPoint {
    /// Cores returned.
    pub cores: f64,
    /// The card's price in $ at which nothing is left; negative where even a card for nothing costs more than it returns.
    pub card_price: f64,
}

/// The line between gain and loss, from 0 to `most` cores in `steps` (1 to 10,000) equal steps.
///
/// # Errors
/// [`InputError`] for inputs out of range.
pub fn frontier(inputs: &Inputs, most: f64, steps: usize) -> Result<Vec<FrontierPoint>, InputError> {
    inputs.check()?;
    let steps = steps.clamp(1, 10_000);
    let failing = crate::reliability::Failures::of(inputs).per_card;
    let points = (0..=steps).map(|step| {
        let cores = most * step as f64 / steps as f64;
        FrontierPoint {
            cores,
            card_price: highest_card_price(inputs, failing, cores * core_year(inputs)),
        }
    });
    Ok(points.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statement;

    /// Putting each break-even value in the place of its input leaves nothing, with a high-priced card.
    #[test]
    fn at_each_break_even_nothing_is_left() {
        let inputs = Inputs {
            cores_returned: 0.6,
            ..Inputs::default()
        };
        let found = Statement::of(&inputs).unwrap().break_even;
        let left = |key: &str, value: Option<f64>| {
            let mut changed = inputs;
            let value = value.unwrap_or_else(|| panic!("{key} has a break-even"));
            changed.set(key, value).unwrap_or_else(|error| panic!("{error}"));
            Statement::of(&changed).unwrap().net_low
        };
        for (key, value) in [
            ("cores_returned", found.cores),
            ("core_price", found.core_price),
            ("utilisation", found.utilisation),
            ("kwh_price", found.kwh_price),
            ("fleet", found.fleet),
            ("card_price_high", found.card_price),
        ] {
            assert!(left(key, value).abs() < 1e-6, "{key} {value:?}");
        }
    }

    #[test]
    fn no_fleet_is_large_enough_for_a_card_that_returns_nothing() {
        let inputs = Inputs {
            cores_returned: 0.0,
            ..Inputs::default()
        };
        let found = Statement::of(&inputs).unwrap().break_even;
        assert_eq!(
            (found.fleet, found.card_price, found.core_price),
            (None, None, None)
        );
        // 18.9216 + 240 + 10.8 + 15 over 643.86 $ for a core.
        assert!((found.cores.unwrap() - 284.7216 / 643.86).abs() < 1e-9);
    }

    #[test]
    fn the_frontier_is_a_line_through_the_break_even() {
        let inputs = Inputs::default();
        let points = frontier(&inputs, 8.0, 8).unwrap();
        assert_eq!(points.len(), 9);
        let found = Statement::of(&inputs).unwrap().break_even;
        assert!(
            (points[4].card_price - found.card_price.unwrap()).abs() < 1e-9,
            "4 cores are the default"
        );
        assert!(points[0].card_price < 0.0);
        assert_eq!(frontier(&inputs, 8.0, 0).unwrap().len(), 2);
    }
}

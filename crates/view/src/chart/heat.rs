//! Heat maps: a cell's shade says its value.

use super::Quantity;
use serde::{Deserialize, Serialize};

/// Shades that are told apart; 0 is the shade of nothing.
pub const LEVELS: usize = 9;

/// Cells in rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heat {
    /// What rows and columns are called: `T0 3`, `NICs 8–15`.
    pub rows: Vec<String>,
    /// The columns.
    pub columns: Vec<String>,
    /// Row by row; no number where there is no such thing.
    pub values: Vec<f64>,
    /// What a value measures.
    pub quantity: Quantity,
    /// What a value is, for people.
    pub what: String,
    /// The value of the deepest shade; the greatest value where none is given.
    pub top: Option<f64>,
    /// Whether shades follow the values' logarithms.
    pub log: bool,
}

impl Heat {
    /// The value of a cell.
    pub fn at(&self, row: usize, column: usize) -> Option<f64> {
        if column >= self.columns.len() {
            return None;
        }
        let value = *self.values.get(row * self.columns.len() + column)?;
        value.is_finite().then_some(value)
    }

    /// The value of the deepest shade.
    pub fn most(&self) -> f64 {
        let most = || {
            self.values
                .iter()
                .copied()
                .filter(|value| value.is_finite())
                .fold(0.0, f64::max)
        };
        self.top.unwrap_or_else(most)
    }

    /// The least value above 0, where a logarithmic scale of shades begins.
    fn least(&self) -> f64 {
        let above = self.values.iter().copied().filter(|&value| value > 0.0);
        above.fold(f64::INFINITY, f64::min)
    }

    /// The ends of the scale of shades.
    pub fn ends(&self) -> (f64, f64) {
        let (least, most) = (self.least(), self.most());
        if self.log && least < most {
            (least, most)
        } else {
            (0.0, most)
        }
    }

    /// The shade of a value, 0 to [`LEVELS`] − 1: 0 for nothing alone.
    pub fn level(&self, value: f64) -> usize {
        let (low, high) = self.ends();
        if value <= 0.0 || high <= 0.0 {
            return 0;
        }
        let share = if low > 0.0 {
            (value / low).ln() / (high / low).ln()
        } else {
            value / high
        };
        1 + ((share.clamp(0.0, 1.0) * (LEVELS - 1) as f64) as usize).min(LEVELS - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heat(values: &[f64], log: bool) -> Heat {
        Heat {
            rows: vec!["T0 0".into()],
            columns: (0..values.len()).map(|n| format!("T1 {n}")).collect(),
            values: values.to_vec(),
            log,
            ..Heat::default()
        }
    }

    #[test]
    fn shades_follow_values() {
        let map = heat(&[0.0, 1.0, 40.0, 80.0, f64::NAN], false);
        let levels: Vec<usize> = [0.0, 1.0, 40.0, 80.0].map(|value| map.level(value)).to_vec();
        assert_eq!(levels, [0, 1, 5, 8]);
        assert_eq!((map.at(0, 4), map.at(0, 5), map.at(1, 0)), (None, None, None));
        assert_eq!(map.at(0, 2), Some(40.0));
    }

    #[test]
    fn logarithmic_shades_tell_small_values_apart() {
        let map = heat(&[0.0, 1.0, 100.0, 1e8], true);
        assert_eq!([0.0, 1.0, 100.0, 1e8].map(|value| map.level(value)), [0, 1, 3, 8]);
        assert_eq!(map.ends(), (1.0, 1e8));
    }

    #[test]
    fn nothing_at_all_has_the_shade_of_nothing() {
        let map = heat(&[0.0, 0.0], false);
        assert_eq!(map.level(0.0), 0);
        assert_eq!(heat(&[], true).ends(), (0.0, 0.0));
    }
}

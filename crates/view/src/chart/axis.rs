//! Axes: from values to places along them, and where they have their marks.

use super::Quantity;
use crate::ticks;

/// Decades of a logarithmic axis at most: what is smaller than that beside the greatest value is at its end.
const MOST_DECADES: i32 = 15;

/// What is measured along an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Its title, without a unit.
    pub title: String,
    /// What it measures.
    pub quantity: Quantity,
    /// Whether equal ratios are equally far apart.
    pub log: bool,
    /// Whether that makes sense here, so that it can be switched.
    pub can_log: bool,
    /// Where it begins and ends; otherwise that follows from the values.
    pub ends: Option<(f64, f64)>,
}

impl Axis {
    /// An axis that begins and ends where its values do.
    pub fn new(title: impl Into<String>, quantity: Quantity) -> Axis {
        Axis {
            title: title.into(),
            quantity,
            ..Axis::default()
        }
    }

    /// The same, which may be switched to a logarithmic one.
    pub fn switchable(self) -> Axis {
        Axis {
            can_log: true,
            ..self
        }
    }

    /// The same, from `low` to `high`.
    pub fn between(self, low: f64, high: f64) -> Axis {
        Axis {
            ends: Some((low, high)),
            ..self
        }
    }

    /// The scale for these values. A linear one begins at 0, or below where there is less.
    pub fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        let (mut least, mut low, mut high) = (f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
            if value > 0.0 {
                least = least.min(value);
            }
        }
        if self.log {
            if let Some((from, to)) = self.ends
                && from > 0.0
                && to > from
            {
                return Scale::logarithmic(from, to);
            }
            let to = self.ends.map_or(high, |(_, to)| to);
            return if least.is_finite() && to > 0.0 {
                Scale::logarithmic(round_down(least), round_up_log(to))
            } else {
                Scale::logarithmic(1.0, 10.0)
            };
        }
        if let Some((from, to)) = self.ends {
            return Scale::linear(from, to);
        }
        if low > high {
            return Scale::linear(0.0, 1.0);
        }
        let below = if low < 0.0 { -ticks::round_up(-low) } else { 0.0 };
        let above = if high > 0.0 || below == 0.0 {
            ticks::round_up(high)
        } else {
            0.0
        };
        Scale::linear(below, above)
    }

    /// The unit of the axis' marks, and its size in the base unit; none where every mark has its own.
    pub fn unit(&self, scale: &Scale) -> Option<(&'static str, f64)> {
        (!scale.log).then(|| self.quantity.unit(scale.high.abs().max(scale.low.abs())))
    }

    /// The title with the unit of the marks: `Goodput, Gb/s`.
    pub fn heading(&self, scale: &Scale) -> String {
        match self.unit(scale) {
            Some((unit, _)) if !unit.is_empty() => format!("{}, {unit}", self.title),
            _ => self.title.clone(),
        }
    }

    /// Marks, at most about `most` of them with texts.
    pub fn marks(&self, scale: &Scale, most: usize) -> Vec<Tick> {
        if let Some((_, size)) = self.unit(scale) {
            return ticks::ticks(scale.low / size, scale.high / size, most)
                .into_iter()
                .map(|at| Tick {
                    at: at * size,
                    text: Quantity::mark(at, 1.0),
                })
                .collect();
        }
        let texts = |at: f64, told: bool| Tick {
            at,
            text: if told {
                self.quantity.round(at)
            } else {
                String::new()
            },
        };
        let (first, last) = (floor_log(scale.low), floor_log(scale.high));
        let every = ((last - first) as usize / most.max(1) + 1) as i32;
        let is_short = last - first <= 1;
        let mut marks = Vec::new();
        for power in first..=last {
            for factor in 1..10 {
                let at = power_of_ten(power) * f64::from(factor);
                if at < scale.low * (1.0 - 1e-9) || at > scale.high * (1.0 + 1e-9) {
                    continue;
                }
                // Where there is hardly a power of ten, 2 and 5 are told as well.
                let told = match factor {
                    1 => (power - first) % every == 0,
                    2 | 5 => is_short,
                    _ => false,
                };
                if factor == 1 || last - first <= 5 {
                    marks.push(texts(at, told));
                }
            }
        }
        marks
    }
}

/// A mark of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where.
    pub at: f64,
    /// What stands beside it; empty at one that only shows the way.
    pub text: String,
}

/// From values to places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Its beginning.
    pub low: f64,
    /// Its end.
    pub high: f64,
    /// Whether equal ratios are equally far apart. Both ends are above 0 then.
    pub log: bool,
}

impl Scale {
    /// A linear scale; one without a length gets one.
    pub fn linear(low: f64, high: f64) -> Scale {
        let low = if low.is_finite() { low } else { 0.0 };
        let high = if high.is_finite() && high > low {
            high
        } else {
            low + 1.0
        };
        Scale {
            low,
            high,
            log: false,
        }
    }

    /// A logarithmic scale; one without a length gets a decade, one that is too long loses its lower end.
    pub fn logarithmic(low: f64, high: f64) -> Scale {
        let low = if low.is_finite() && low > 0.0 { low } else { 1.0 };
        let high = if high.is_finite() && high > low {
            high
        } else {
            low * 10.0
        };
        let low = low.max(high / power_of_ten(MOST_DECADES));
        Scale { low, high, log: true }
    }

    /// Where a value is, from 0 to 1; beyond the ends at the ends.
    pub fn share(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0)
        }
    }

    /// The value at a share of the length.
    pub fn value(&self, share: f64) -> f64 {
        let share = share.clamp(0.0, 1.0);
        if self.log {
            self.low * (self.high / self.low).powf(share)
        } else {
            self.low + (self.high - self.low) * share
        }
    }
}

/// The exponent of the power of ten that is not above `value`.
fn floor_log(value: f64) -> i32 {
    // One that rounding has put just below a power of ten means that power.
    (value.log10() + 1e-9).floor() as i32
}

fn power_of_ten(power: i32) -> f64 {
    // Exact up to 10^22, unlike `powi` with a negative exponent.
    if power < 0 {
        1.0 / 10f64.powi(-power)
    } else {
        10f64.powi(power)
    }
}

/// The greatest of 1, 2 and 5 times a power of ten that is not above `value`.
fn round_down(value: f64) -> f64 {
    let power = power_of_ten(floor_log(value));
    [5.0, 2.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&round| round <= value * (1.0 + 1e-9))
        .unwrap_or(power)
}

/// The least of them that is not below it.
fn round_up_log(value: f64) -> f64 {
    let power = power_of_ten(floor_log(value));
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&round| round >= value * (1.0 - 1e-9))
        .unwrap_or(power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(marks: &[Tick]) -> Vec<&str> {
        marks
            .iter()
            .map(|mark| mark.text.as_str())
            .filter(|text| !text.is_empty())
            .collect()
    }

    #[test]
    fn a_linear_axis_is_marked_in_its_unit() {
        let axis = Axis::new("Goodput", Quantity::Rate);
        let scale = axis.scale([120e9, 391e9].into_iter());
        assert_eq!((scale.low, scale.high), (0.0, 400e9));
        assert_eq!(axis.heading(&scale), "Goodput, Gb/s");
        assert_eq!(texts(&axis.marks(&scale, 5)), ["0", "100", "200", "300", "400"]);
        let counts = Axis::new("Packets", Quantity::Count);
        assert_eq!(counts.heading(&counts.scale([3.0].into_iter())), "Packets");
    }

    #[test]
    fn a_logarithmic_axis_is_marked_at_powers_of_ten() {
        let axis = Axis {
            log: true,
            ..Axis::new("Share", Quantity::Share)
        };
        let scale = axis.scale([1.0, 0.1, 0.0013].into_iter());
        assert_eq!((scale.low, scale.high), (0.001, 1.0));
        let marks = axis.marks(&scale, 5);
        assert_eq!(texts(&marks), ["0.1 %", "1 %", "10 %", "100 %"]);
        assert_eq!(marks.len(), 3 * 9 + 1, "the others show the way");
        let short = Axis {
            log: true,
            ..Axis::new("Time", Quantity::Time)
        };
        let scale = short.scale([13e6, 41e6].into_iter());
        assert_eq!((scale.low, scale.high), (10e6, 50e6));
        assert_eq!(texts(&short.marks(&scale, 5)), ["10 µs", "20 µs", "50 µs"]);
    }

    #[test]
    fn what_has_no_length_gets_one() {
        let mut axis = Axis::new("", Quantity::Count);
        assert_eq!(axis.scale([].into_iter()), Scale::linear(0.0, 1.0));
        assert_eq!(axis.scale([0.0].into_iter()), Scale::linear(0.0, 1.0));
        assert_eq!(axis.scale([7.0].into_iter()), Scale::linear(0.0, 7.5));
        assert_eq!(axis.scale([-3.0].into_iter()), Scale::linear(-3.0, 0.0));
        axis.log = true;
        assert_eq!(axis.scale([].into_iter()), Scale::logarithmic(1.0, 10.0));
        assert_eq!(axis.scale([-1.0, 0.0].into_iter()), Scale::logarithmic(1.0, 10.0));
        assert_eq!(axis.scale([100.0].into_iter()), Scale::logarithmic(100.0, 1000.0));
        assert_eq!(
            axis.scale([f64::NAN, f64::INFINITY, 2.0, 40.0].into_iter()),
            Scale::logarithmic(2.0, 50.0)
        );
    }

    proptest! {
        #[test]
        fn a_place_along_a_scale_leads_back_to_its_value(low in 1e-3..1e3f64, ratio in 1.01..1e9f64, share in 0.0..1.0f64, log: bool) {
            let scale = if log { Scale::logarithmic(low, low * ratio) } else { Scale::linear(low, low * ratio) };
            prop_assert!((scale.share(scale.value(share)) - share).abs() < 1e-6);
        }

        #[test]
        fn all_values_are_on_the_scale_and_few_marks_are_told(values in prop::collection::vec(-1e15..1e15f64, 0..20), log: bool, most in 2usize..12) {
            let axis = Axis { log, ..Axis::new("", Quantity::Time) };
            let scale = axis.scale(values.iter().copied());
            for value in values {
                if !log {
                    prop_assert!(scale.low <= value && value <= scale.high * (1.0 + 1e-9));
                }
            }
            let marks = axis.marks(&scale, most);
            prop_assert!(marks.iter().filter(|mark| !mark.text.is_empty()).count() <= most.max(6));
            prop_assert!(marks.iter().all(|mark| (0.0..=1.0).contains(&scale.share(mark.at))));
        }
    }
}

//! What a chart says at a place.

use super::{Body, Chart, Line, Shape};

/// A chart's values at a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The place in words: `412 µs`, `T0 3, T1 2`.
    pub at: String,
    /// Each line's value there; none where it has none. A heat map has one.
    pub values: Vec<Option<f64>>,
}

impl Line {
    /// Its value at `x`: of the nearest point of a straight line; of the step or the bin that `x` is in.
    pub fn at(&self, x: f64) -> Option<f64> {
        let after = self.points.partition_point(|&(at, _)| at <= x);
        let before = after.checked_sub(1).map(|place| self.points[place]);
        let value = match self.shape {
            Shape::Joined => {
                let next = self.points.get(after).copied();
                match (before, next) {
                    (Some(a), Some(b)) => Some(if x - a.0 <= b.0 - x { a.1 } else { b.1 }),
                    (one, other) => one.or(other).map(|(_, y)| y),
                }
            }
            Shape::Steps | Shape::Bins => {
                let &(end, last) = self.points.last()?;
                if x > end {
                    None
                } else if after == self.points.len() {
                    Some(last)
                } else {
                    before.map(|(_, y)| y)
                }
            }
        };
        value.filter(|value| value.is_finite())
    }

    /// Where the bin that `x` is in begins and ends.
    pub fn bin(&self, x: f64) -> Option<(f64, f64)> {
        let after = self.points.partition_point(|&(at, _)| at <= x);
        let last = self.points.len().checked_sub(1)?;
        let after = after.min(last);
        let before = after.checked_sub(1)?;
        Some((self.points[before].0, self.points[after].0))
    }
}

impl Chart {
    /// What it says at a value of its horizontal axis.
    pub fn read(&self, x: f64) -> Reading {
        let lines = self.lines();
        let bin = lines
            .iter()
            .filter(|line| line.shape == Shape::Bins)
            .find_map(|line| line.bin(x));
        let words = |value: f64| self.x.quantity.words(value);
        Reading {
            at: match bin {
                Some((from, to)) => format!("{} to {}", words(from), words(to)),
                None => words(x),
            },
            values: lines.iter().map(|line| line.at(x)).collect(),
        }
    }

    /// What a heat map says of a cell; none of another chart, and where there is no cell.
    pub fn read_cell(&self, row: usize, column: usize) -> Option<Reading> {
        let Body::Heat(heat) = &self.body else { return None };
        Some(Reading {
            at: format!("{} → {}", heat.rows.get(row)?, heat.columns.get(column)?),
            values: vec![heat.at(row, column)],
        })
    }

    /// A value of line number `line` in words, with its unit.
    pub fn words(&self, value: f64) -> String {
        match &self.body {
            Body::Lines(_) => self.y.quantity.words(value),
            Body::Heat(heat) => heat.quantity.words(value),
        }
    }

    /// All that a reading says, in one line, for screen readers.
    pub fn sentence(&self, reading: &Reading) -> String {
        let lines = self.lines();
        let mut text = format!("{}: ", reading.at);
        for (number, value) in reading.values.iter().enumerate() {
            let Some(value) = value else { continue };
            if !text.ends_with(": ") {
                text += ", ";
            }
            if let Some(line) = lines.get(number).filter(|line| !line.name.is_empty()) {
                text += &line.name;
                text.push(' ');
            }
            text += &self.words(*value);
        }
        if text.ends_with(": ") {
            text += "nothing";
        }
        text
    }
}

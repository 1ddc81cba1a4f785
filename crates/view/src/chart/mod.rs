//! Charts: what they show, where its lines and cells are, and what they are as a picture and as a file. Nothing here knows a browser.

pub mod axis;
mod csv;
mod distribution;
mod draw;
pub mod fabric;
pub mod heat;
mod histogram;
pub mod links;
mod path;
mod quantity;
mod reading;
#[cfg(test)]
mod tests;
mod traffic;

pub use axis::{Axis, Scale};
pub use distribution::{MOST_POINTS, Sample, View};
pub use draw::{Drawn, Edges};
pub use heat::{Heat, LEVELS};
pub use histogram::histogram;
pub use quantity::Quantity;
pub use reading::Reading;
pub use traffic::{Groups, Matrix, groups};

/// Lines that are told apart by colour and dashes: classes `s0` to `s7` of the style sheet. More begin again at the first.
pub const INKS: [&str; 8] = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];

/// The class of line number `number`.
pub fn ink(number: usize) -> &'static str {
    INKS[number % INKS.len()]
}

/// How a line goes from point to point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Straight.
    #[default]
    Joined,
    /// A point's value holds until the next point; the last point ends the line.
    Steps,
    /// The same, with what is below it filled: bins.
    Bins,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its class in the style sheet: colour and dashes.
    pub ink: &'static str,
    /// How it goes from point to point.
    pub shape: Shape,
    /// Its points, from left to right. A value that is no number is a gap.
    pub points: Vec<(f64, f64)>,
}

/// Something to be marked at a value of the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What it is.
    pub name: String,
    /// Its class in the style sheet.
    pub ink: &'static str,
}

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Lines.
    Lines(Vec<Line>),
    /// Cells whose colour says their value.
    Heat(Heat),
}

impl Default for Body {
    fn default() -> Body {
        Body::Lines(Vec::new())
    }
}

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Its name for tests and in names of files.
    pub slug: &'static str,
    /// Its title.
    pub title: String,
    /// What it shows, in a sentence.
    pub doc: String,
    /// What there is to say where there is nothing to show.
    pub empty: &'static str,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is between them.
    pub body: Body,
    /// Marks at values of the horizontal axis.
    pub marks: Vec<Mark>,
    /// Intervals around points: where, and their two ends.
    pub intervals: Vec<(f64, [f64; 2])>,
}

impl Chart {
    /// The lines; none of a heat map.
    pub fn lines(&self) -> &[Line] {
        match &self.body {
            Body::Lines(lines) => lines,
            Body::Heat(_) => &[],
        }
    }

    /// True where there is nothing to show.
    pub fn is_empty(&self) -> bool {
        match &self.body {
            Body::Lines(lines) => !lines
                .iter()
                .any(|line| line.points.iter().any(|(_, value)| value.is_finite())),
            Body::Heat(heat) => !heat.values.iter().any(|value| value.is_finite()),
        }
    }
}

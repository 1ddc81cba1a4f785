//! A line chart as SVG: one quantity against another, with the spread of the runs. Legible on light and dark.

use std::fmt::Write;

use super::spread::Spread;

/// Size of the picture, and of the margins around the plot: left, right, top, bottom; in pixels.
const SIZE: (f64, f64) = (720.0, 340.0);
const MARGIN: (f64, f64, f64, f64) = (64.0, 28.0, 52.0, 52.0);

/// Lines of the grid that the vertical axis has at the least.
const TICKS: f64 = 4.0;

/// What is drawn.
pub struct Chart<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub across: &'a str,
    /// Above the vertical axis, which begins at 0.
    pub up: &'a str,
    /// Whether equal steps across are equal factors.
    pub factors: bool,
    /// Where across, by which words there, and how high. Ascending; at least one.
    pub points: Vec<(f64, String, Spread)>,
}

const STYLE: &str = "\
    text{font:13px system-ui,sans-serif;fill:#3b4252}.title{font-weight:600;font-size:15px}.dim{fill:#6b7280}\
    .grid{stroke:#9ca3af;stroke-opacity:.35}.line{fill:none;stroke:#0b6bcb;stroke-width:2.5}\
    .dot{fill:#0b6bcb}.range{stroke:#0b6bcb;stroke-opacity:.55;stroke-width:1.5}\
    @media(prefers-color-scheme:dark){text{fill:#e5e9f0}.dim{fill:#a6adbb}.line,.range{stroke:#5ab0ff}.dot{fill:#5ab0ff}}";

impl Chart<'_> {
    /// The picture.
    pub fn svg(&self) -> String {
        let (width, height) = SIZE;
        let (left, right, top, bottom) = MARGIN;
        let (x0, x1, y0, y1) = (left, width - right, height - bottom, top);
        let highest = self.points.iter().map(|point| point.2.max).fold(0.0, f64::max);
        let step = round_step(highest / TICKS);
        let ceiling = (highest / step).ceil().max(1.0) * step;
        let y = |value: f64| y0 + (y1 - y0) * value / ceiling;
        let scale = |at: f64| if self.factors { at.log2() } else { at };
        let ends = [self.points.first(), self.points.last()].map(|end| end.map_or(0.0, |end| scale(end.0)));
        // Half a label's room at both ends.
        let span = (ends[1] - ends[0]).max(f64::MIN_POSITIVE);
        let x = |at: f64| x0 + 24.0 + (x1 - x0 - 48.0) * (scale(at) - ends[0]) / span;

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{title}\">\n<style>{STYLE}</style>\n\
             <text class=\"title\" x=\"{left}\" y=\"20\">{title}</text>\n\
             <text class=\"dim\" x=\"{left}\" y=\"39\">{}</text>\n\
             <text class=\"dim\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            self.up,
            f64::midpoint(x0, x1),
            height - 10.0,
            self.across,
            title = self.title,
        );
        let mut add = |line: String| {
            // Writing to a string does not fail.
            let _ = writeln!(svg, "{line}");
        };
        let mut tick = 0.0;
        while tick <= ceiling + step / 2.0 {
            let at = y(tick);
            add(format!(
                r#"<path class="grid" d="M{x0:.1} {at:.1}H{x1:.1}"/><text class="dim" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
                x0 - 8.0,
                at + 4.5,
                (tick * 1e3).round() / 1e3
            ));
            tick += step;
        }
        let places: Vec<String> = self
            .points
            .iter()
            .map(|(at, _, spread)| format!("{:.1} {:.1}", x(*at), y(spread.median)))
            .collect();
        add(format!(r#"<path class="line" d="M{}"/>"#, places.join("L")));
        for (at, words, spread) in &self.points {
            let (x, middle) = (x(*at), y(spread.median));
            add(format!(
                r#"<path class="range" d="M{x:.1} {:.1}V{:.1}"/><circle class="dot" cx="{x:.1}" cy="{middle:.1}" r="4.5"/>"#,
                y(spread.min),
                y(spread.max),
            ));
            add(format!(
                r#"<text x="{:.1}" y="{:.1}">{:.0}</text><text class="dim" x="{x:.1}" y="{:.1}" text-anchor="middle">{words}</text>"#,
                x + 7.0,
                middle + 18.0,
                spread.median,
                y0 + 20.0
            ));
        }
        svg + "</svg>\n"
    }
}

/// The largest of 1, 2 and 5 times a power of ten that is at most this.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.max(f64::MIN_POSITIVE).log10().floor());
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&round| round <= step)
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([0.7, 1.0, 49.0, 300.0].map(round_step), [0.5, 1.0, 20.0, 200.0]);
    }

    #[test]
    fn points_are_where_their_values_are() {
        let spread = |median| Spread {
            median,
            min: median,
            max: median,
        };
        let chart = Chart {
            title: "T",
            across: "A",
            up: "U",
            factors: true,
            points: vec![
                (1.0, "one".into(), spread(0.0)),
                (4.0, "four".into(), spread(50.0)),
                (16.0, "sixteen".into(), spread(100.0)),
            ],
        };
        let svg = chart.svg();
        // Equal factors are equal steps; the line goes from the bottom to the top of the plot.
        assert!(svg.contains(r#"d="M88.0 288.0L378.0 170.0L668.0 52.0""#), "{svg}");
        assert_eq!(svg.matches("class=\"dot\"").count(), 3);
        assert!(svg.contains(">sixteen</text>"));
    }
}

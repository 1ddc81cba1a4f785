//! A chart as a picture: SVG whose colours are those of the style sheet's classes.

use super::heat::LEVELS;
use super::path::path;
use super::{Body, Chart, Heat, Line, Quantity, Scale, Shape};
use std::fmt::Write;

/// Room around the plot, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edges {
    /// On the left: the vertical axis' texts.
    pub left: f64,
    /// On the right.
    pub right: f64,
    /// Above: the vertical axis' title.
    pub top: f64,
    /// Below: the horizontal axis' texts and title.
    pub bottom: f64,
}

/// Width of a sign of a text of 11 px, about.
const SIGN: f64 = 6.3;
/// Height of a line of text.
const LINE: f64 = 14.0;
/// Width of the scale of shades beside a heat map.
const SHADES: f64 = 12.0;
/// The least picture that can be read.
const LEAST: (f64, f64) = (160.0, 110.0);

/// A chart in a picture of some size.
pub struct Drawn<'a> {
    chart: &'a Chart,
    width: f64,
    height: f64,
    /// Room around the plot.
    pub edges: Edges,
    /// The horizontal scale; of a heat map in columns.
    pub x: Scale,
    /// The vertical scale; of a heat map in rows.
    pub y: Scale,
}

impl<'a> Drawn<'a> {
    /// Lays a chart out in `width` × `height` CSS pixels.
    pub fn new(chart: &'a Chart, width: f64, height: f64) -> Drawn<'a> {
        let (width, height) = (width.max(LEAST.0), height.max(LEAST.1));
        let (x, y) = match &chart.body {
            Body::Lines(lines) => {
                let points = || lines.iter().flat_map(|line| line.points.iter());
                let ends = chart.intervals.iter().flat_map(|(_, ends)| *ends);
                (
                    chart.x.scale(points().map(|(x, _)| *x)),
                    chart.y.scale(points().map(|(_, y)| *y).chain(ends)),
                )
            }
            Body::Heat(heat) => (
                Scale::linear(0.0, heat.columns.len() as f64),
                Scale::linear(0.0, heat.rows.len() as f64),
            ),
        };
        let longest = match &chart.body {
            Body::Lines(_) => {
                let marks = chart.y.marks(&y, marks_up(height));
                marks.iter().map(|mark| signs(&mark.text)).max()
            }
            Body::Heat(heat) => heat.rows.iter().map(|name| signs(name)).max(),
        };
        let right = match &chart.body {
            Body::Lines(_) => 14.0,
            Body::Heat(heat) => SHADES + 14.0 + SIGN * signs(&heat.quantity.words(heat.ends().1)) as f64,
        };
        Drawn {
            chart,
            width,
            height,
            edges: Edges {
                left: (longest.unwrap_or(0) as f64 * SIGN + 8.0).clamp(18.0, width / 3.0),
                right: right.min(width / 3.0),
                top: LINE + 6.0,
                bottom: 2.0 * LINE + 5.0,
            },
            x,
            y,
        }
    }

    /// Width and height of the plot.
    pub fn plot(&self) -> (f64, f64) {
        (
            self.width - self.edges.left - self.edges.right,
            self.height - self.edges.top - self.edges.bottom,
        )
    }

    /// Where a value of the horizontal axis is in the picture.
    pub fn place_x(&self, value: f64) -> f64 {
        self.edges.left + self.x.share(value) * self.plot().0
    }

    /// Where a value of the vertical axis is. On a logarithmic axis nothing is below its end.
    pub fn place_y(&self, value: f64) -> f64 {
        self.edges.top + (1.0 - self.y.share(value)) * self.plot().1
    }

    /// The value of the horizontal axis at a place in the picture.
    pub fn x_at(&self, place: f64) -> f64 {
        self.x.value((place - self.edges.left) / self.plot().0)
    }

    /// The row and the column of a heat map's cell at a place in the picture.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let Body::Heat(heat) = &self.chart.body else {
            return None;
        };
        let (width, height) = self.plot();
        let column = ((x - self.edges.left) / width * heat.columns.len() as f64).floor();
        let row = ((y - self.edges.top) / height * heat.rows.len() as f64).floor();
        let inside = |at: f64, of: usize| (at >= 0.0 && at < of as f64).then_some(at as usize);
        Some((inside(row, heat.rows.len())?, inside(column, heat.columns.len())?))
    }

    /// A cell's left, top, width and height in the picture.
    pub fn cell(&self, row: usize, column: usize) -> [f64; 4] {
        let (width, height) = self.plot();
        let (width, height) = (width / self.x.high, height / self.y.high);
        [
            self.edges.left + column as f64 * width,
            self.edges.top + row as f64 * height,
            width,
            height,
        ]
    }

    /// The picture, without a legend: the page has one of its own.
    pub fn svg(&self) -> String {
        let mut svg = Svg::begin(self.width, self.height, " aria-hidden=\"true\"");
        self.draw(&mut svg);
        svg.end()
    }

    /// The picture as a file has it: with title and legend, which are below and above the plot.
    pub fn whole(&self) -> String {
        let legend = self.legend();
        let rows = legend.last().map_or(0, |(_, row, _)| row + 1);
        let (above, below) = (LINE + 8.0, rows as f64 * (LINE + 2.0));
        let mut svg = Svg::begin(
            self.width,
            self.height + above + below,
            " xmlns=\"http://www.w3.org/2000/svg\" font-family=\"system-ui, sans-serif\"",
        );
        let _ = write!(svg.text, "<title>{}</title>", escaped(&self.chart.title));
        let _ = write!(svg.text, "<desc>{}</desc>", escaped(&self.chart.doc));
        svg.text += "<rect class=\"c-ground\" width=\"100%\" height=\"100%\"/>";
        svg.words("c-head", 6.0, LINE, "start", &self.chart.title);
        let _ = write!(svg.text, "<g transform=\"translate(0 {above})\">");
        self.draw(&mut svg);
        for ((ink, name), row, x) in legend {
            let y = self.height + row as f64 * (LINE + 2.0) + 4.0;
            let _ = write!(svg.text, "<path class=\"line {ink}\" d=\"M{x:.1} {y:.1}h22\"/>");
            svg.words("c-tick", x + 27.0, y + 4.0, "start", &name);
        }
        svg.text += "</g>";
        svg.end()
    }

    /// Entries of the legend, each with its row and where it begins.
    fn legend(&self) -> Vec<((&'static str, String), usize, f64)> {
        let lines = self.chart.lines();
        let marks = self.chart.marks.iter().map(|mark| (mark.ink, mark.name.clone()));
        let named = lines.iter().filter(|line| !line.name.is_empty());
        let mut all: Vec<(&'static str, String)> = named.map(|line| (line.ink, line.name.clone())).collect();
        for mark in marks {
            if !all.contains(&mark) {
                all.push(mark);
            }
        }
        let (mut row, mut x) = (0, self.edges.left);
        let place = |entry: (&'static str, String)| {
            let width = 27.0 + SIGN * signs(&entry.1) as f64 + 14.0;
            if x + width > self.width && x > self.edges.left {
                (row, x) = (row + 1, self.edges.left);
            }
            let at = x;
            x += width;
            (entry, row, at)
        };
        all.into_iter().map(place).collect()
    }

    fn draw(&self, svg: &mut Svg) {
        match &self.chart.body {
            Body::Lines(lines) => {
                self.axes(svg);
                self.lines(svg, lines);
            }
            Body::Heat(heat) => self.heat(svg, heat),
        }
    }

    /// Titles, marks and grid of both axes.
    fn axes(&self, svg: &mut Svg) {
        let (width, height) = self.plot();
        let (left, top) = (self.edges.left, self.edges.top);
        let (right, floor) = (left + width, top + height);
        for mark in self.chart.y.marks(&self.y, marks_up(self.height)) {
            let y = self.place_y(mark.at);
            let class = if mark.text.is_empty() { "c-fine" } else { "c-grid" };
            svg.line(class, left, y, right, y);
            svg.words("c-tick", left - 5.0, y + 3.5, "end", &mark.text);
        }
        for (x, text) in self.marks_along() {
            let long = if text.is_empty() { 2.0 } else { 4.0 };
            svg.line("c-mark", x, floor, x, floor + long);
            let anchor = anchor(x, SIGN * signs(&text) as f64 / 2.0, self.width);
            svg.words("c-tick", x, floor + LINE + 1.0, anchor, &text);
        }
        svg.line("c-axis", left, floor, right, floor);
        svg.words(
            "c-title",
            2.0,
            LINE - 2.0,
            "start",
            &self.chart.y.heading(&self.y),
        );
        let middle = left + width / 2.0;
        svg.words(
            "c-title",
            middle,
            self.height - 3.0,
            "middle",
            &self.chart.x.heading(&self.x),
        );
    }

    /// Marks of the horizontal axis whose texts do not touch each other: where, and the text.
    fn marks_along(&self) -> Vec<(f64, String)> {
        let most = ((self.plot().0 / 62.0) as usize).clamp(2, 12);
        let mut end = f64::NEG_INFINITY;
        let place = |tick: super::axis::Tick| {
            let x = self.place_x(tick.at);
            let half = SIGN * signs(&tick.text) as f64 / 2.0;
            if !tick.text.is_empty() && x - half < end + 6.0 {
                return (x, String::new());
            }
            if !tick.text.is_empty() {
                end = x + half;
            }
            (x, tick.text)
        };
        self.chart.x.marks(&self.x, most).into_iter().map(place).collect()
    }

    fn lines(&self, svg: &mut Svg, lines: &[Line]) {
        let (top, floor) = (self.edges.top, self.edges.top + self.plot().1);
        for mark in &self.chart.marks {
            let x = self.place_x(mark.x);
            svg.line(&format!("line {}", mark.ink), x, top, x, floor);
        }
        // The first line is drawn last, above the others.
        for line in lines.iter().rev() {
            let d = path(line.shape, &self.placed(line), floor);
            if line.shape == Shape::Bins {
                svg.path(&format!("c-bins {}", line.ink), &d);
            }
            svg.path(&format!("line {}", line.ink), &d);
        }
        for &(x, ends) in &self.chart.intervals {
            let (x, [low, high]) = (self.place_x(x), ends.map(|end| self.place_y(end)));
            let (from, to) = (x - 3.0, x + 3.0);
            let d =
                format!("M{from:.1} {low:.1}H{to:.1}M{x:.1} {low:.1}V{high:.1}M{from:.1} {high:.1}H{to:.1}");
            svg.path("interval", &d);
        }
    }

    /// A line's points as places in the picture. What is 0 or less has no place on a logarithmic axis: a line has a gap there, bins
    /// that are filled stand on its end.
    fn placed(&self, line: &Line) -> Vec<(f64, f64)> {
        let mut placed: Vec<(f64, f64)> = Vec::with_capacity(line.points.len());
        for &(x, y) in &line.points {
            let is_nowhere = self.y.log && y <= 0.0 && line.shape != Shape::Bins;
            let x = self.place_x(x);
            if y.is_finite() && !is_nowhere {
                placed.push((x, self.place_y(y)));
                continue;
            }
            // A step is as wide before a gap as anywhere.
            if let Some(&(_, last)) = placed.last()
                && line.shape == Shape::Steps
                && last.is_finite()
            {
                placed.push((x, last));
            }
            placed.push((x, f64::NAN));
        }
        placed
    }

    fn heat(&self, svg: &mut Svg, heat: &Heat) {
        let (width, height) = self.plot();
        let (left, top) = (self.edges.left, self.edges.top);
        // One path a shade, rows of equal cells as one: thousands of cells are few elements.
        let mut paths = [const { String::new() }; LEVELS];
        for row in 0..heat.rows.len() {
            let mut column = 0;
            while column < heat.columns.len() {
                let level = heat.at(row, column).map(|value| heat.level(value));
                let same = |&other: &usize| heat.at(row, other).map(|value| heat.level(value)) == level;
                let end = column + (column..heat.columns.len()).take_while(same).count();
                if let Some(level) = level {
                    let [x, y, cell_width, cell_height] = self.cell(row, column);
                    let span = cell_width * (end - column) as f64;
                    let _ = write!(
                        paths[level],
                        "M{x:.2} {y:.2}h{span:.2}v{cell_height:.2}h-{span:.2}z"
                    );
                }
                column = end;
            }
        }
        svg.path(
            "c-none",
            &format!("M{left:.1} {top:.1}h{width:.1}v{height:.1}h-{width:.1}z"),
        );
        for (level, d) in paths.iter().enumerate() {
            svg.path(&format!("h{level}"), d);
        }
        self.names(svg, heat);
        self.shades(svg, heat);
    }

    /// The names of a heat map's rows and columns, as many as have room.
    fn names(&self, svg: &mut Svg, heat: &Heat) {
        let (width, height) = self.plot();
        let floor = self.edges.top + height;
        let every = ((LINE / (height / self.y.high)).ceil() as usize).max(1);
        for (row, name) in heat.rows.iter().enumerate().step_by(every) {
            let [_, y, _, tall] = self.cell(row, 0);
            svg.words("c-tick", self.edges.left - 5.0, y + tall / 2.0 + 3.5, "end", name);
        }
        let longest = heat.columns.iter().map(|name| signs(name)).max().unwrap_or(1);
        let every = ((SIGN * (longest + 2) as f64 / (width / self.x.high)).ceil() as usize).max(1);
        for (column, name) in heat.columns.iter().enumerate().step_by(every) {
            let [x, _, wide, _] = self.cell(0, column);
            let middle = x + wide / 2.0;
            let anchor = anchor(
                middle,
                SIGN * signs(name) as f64 / 2.0,
                self.width - self.edges.right + 20.0,
            );
            svg.words("c-tick", middle, floor + LINE, anchor, name);
        }
        svg.words("c-title", 2.0, LINE - 2.0, "start", &self.chart.y.title);
        let middle = self.edges.left + width / 2.0;
        svg.words(
            "c-title",
            middle,
            self.height - 3.0,
            "middle",
            &self.chart.x.title,
        );
    }

    /// The scale of shades, with its ends.
    fn shades(&self, svg: &mut Svg, heat: &Heat) {
        let height = self.plot().1;
        let (low, high) = heat.ends();
        let x = self.width - self.edges.right + 8.0;
        let each = height / (LEVELS - 1) as f64;
        for level in 1..LEVELS {
            let y = self.edges.top + height - level as f64 * each;
            svg.path(
                &format!("h{level}"),
                &format!("M{x:.1} {y:.1}h{SHADES}v{each:.1}h-{SHADES}z"),
            );
        }
        let words = |value: f64| match heat.quantity {
            Quantity::Count | Quantity::Share => heat.quantity.round(value),
            _ => heat.quantity.words(value),
        };
        let beside = x + SHADES + 3.0;
        svg.words("c-tick", beside, self.edges.top + 9.0, "start", &words(high));
        svg.words("c-tick", beside, self.edges.top + height, "start", &words(low));
        svg.words("c-title", self.width - 2.0, LINE - 2.0, "end", &heat.what);
    }
}

/// Marks of a vertical axis of a picture so high.
fn marks_up(height: f64) -> usize {
    ((height / 34.0) as usize).clamp(3, 8)
}

fn signs(text: &str) -> usize {
    text.chars().count()
}

/// A text around `x` that would leave the picture begins or ends there instead.
fn anchor(x: f64, half: f64, width: f64) -> &'static str {
    if x + half > width {
        "end"
    } else if x < half {
        "start"
    } else {
        "middle"
    }
}

/// A text as SVG has it.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// SVG in the making.
struct Svg {
    text: String,
}

impl Svg {
    fn begin(width: f64, height: f64, more: &str) -> Svg {
        Svg {
            text: format!(
                "<svg class=\"chart-svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\"{more}>"
            ),
        }
    }

    fn end(self) -> String {
        self.text + "</svg>"
    }

    fn line(&mut self, class: &str, x1: f64, y1: f64, x2: f64, y2: f64) {
        self.path(class, &format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}"));
    }

    fn path(&mut self, class: &str, d: &str) {
        if !d.is_empty() {
            for part in ["<path class=\"", class, "\" d=\"", d, "\"/>"] {
                self.text += part;
            }
        }
    }

    fn words(&mut self, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
        if !text.is_empty() {
            let _ = write!(
                self.text,
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
                escaped(text)
            );
        }
    }
}

//! A chart as comma-separated values. The head says the units.

use super::{Body, Chart, Heat, Line, Shape};

impl Chart {
    /// Its values: a column for each line where all have points at the same places; otherwise a row for each point, which says its line.
    /// Fields without a value are empty.
    pub fn csv(&self) -> String {
        match &self.body {
            Body::Heat(heat) => cells(heat, &self.y.title, &self.x.title),
            Body::Lines(lines) => {
                let places = |line: &Line| line.points.iter().map(|&(x, _)| x).collect::<Vec<f64>>();
                let first = lines.first().map(places).unwrap_or_default();
                let is_binned = lines.iter().any(|line| line.shape == Shape::Bins);
                if !is_binned && lines.iter().all(|line| places(line) == first) {
                    self.side_by_side(lines, &first)
                } else {
                    self.one_by_one(lines)
                }
            }
        }
    }

    fn side_by_side(&self, lines: &[Line], places: &[f64]) -> String {
        let (x_unit, x_size) = self.x.quantity.column();
        let (y_unit, y_size) = self.y.quantity.column();
        let mut text = column(&self.x.title) + x_unit;
        for line in lines {
            let name = if line.name.is_empty() {
                &self.y.title
            } else {
                &line.name
            };
            text += &format!(",{}{y_unit}", column(name));
        }
        text.push('\n');
        for (row, &x) in places.iter().enumerate() {
            text += &number(x, x_size);
            for line in lines {
                text.push(',');
                text += &number(line.points[row].1, y_size);
            }
            text.push('\n');
        }
        text
    }

    fn one_by_one(&self, lines: &[Line]) -> String {
        let (x_unit, x_size) = self.x.quantity.column();
        let (y_unit, y_size) = self.y.quantity.column();
        let x = column(&self.x.title);
        let is_binned = lines.iter().any(|line| line.shape == Shape::Bins);
        let mut text = if is_binned {
            format!("line,{x}_from{x_unit},{x}_to{x_unit}")
        } else {
            format!("line,{x}{x_unit}")
        };
        text += &format!(",{}{y_unit}\n", column(&self.y.title));
        for line in lines {
            let ends = line.points.iter().skip(1).map(|&(x, _)| Some(x)).chain([None]);
            for (&(x, y), end) in line.points.iter().zip(ends) {
                let to = match (line.shape, end) {
                    // The last point is the end of the last bin.
                    (Shape::Bins, None) => continue,
                    (Shape::Bins, Some(end)) => number(end, x_size) + ",",
                    _ if is_binned => ",".into(),
                    _ => String::new(),
                };
                text += &format!(
                    "{},{},{to}{}\n",
                    quoted(&line.name),
                    number(x, x_size),
                    number(y, y_size)
                );
            }
        }
        text
    }
}

fn cells(heat: &Heat, rows: &str, columns: &str) -> String {
    let (unit, size) = heat.quantity.column();
    let mut text = format!(
        "{},{},{}{unit}\n",
        column(rows),
        column(columns),
        column(&heat.what)
    );
    for (row, from) in heat.rows.iter().enumerate() {
        for (number_of, to) in heat.columns.iter().enumerate() {
            let value = heat.at(row, number_of).unwrap_or(f64::NAN);
            text += &format!("{},{},{}\n", quoted(from), quoted(to), number(value, size));
        }
    }
    text
}

/// A name as the head of a column: small letters, digits and `_`.
fn column(name: &str) -> String {
    let mut text = String::new();
    for sign in name.to_lowercase().chars() {
        if sign.is_ascii_alphanumeric() {
            text.push(sign);
        } else if !text.ends_with('_') && !text.is_empty() {
            text.push('_');
        }
    }
    text.trim_end_matches('_').to_owned()
}

/// A field that may have commas, as RFC 4180 has it.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A value in a unit of `size`; nothing where it is no number.
fn number(value: f64, size: f64) -> String {
    if value.is_finite() {
        // 12 figures: what follows is rounding.
        let text = format!("{:.12}", value / size);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    } else {
        String::new()
    }
}

//! The lanes that are lines: their values, scales, and what they come to at a time.

use crate::model::History;
use view::message::{Lane, Timeline};
use view::series::recent;
use view::{Counted, ticks, units};

/// A line of the timeline.
pub struct Row {
    /// Its class in the style sheet.
    pub class: &'static str,
    /// What it is called, as a label and where it is chosen.
    pub name: String,
    /// What it shows.
    pub doc: String,
    /// A value a bin.
    pub values: Vec<f64>,
    /// Top of its scale.
    pub most: f64,
    /// A value in words.
    pub words: fn(f64) -> String,
    /// The sum or the last value up to now, when nothing is pointed at.
    pub rest: String,
    /// True when that is the mean of the whole run.
    pub is_mean: bool,
}

/// The lines from the history, with their values at `now`.
pub fn rows(history: &History, now: u64, finished: bool) -> Vec<Row> {
    let timeline = &history.timeline;
    let done = timeline.bins_at(now);
    let bin_s = timeline.bin_ps.max(1) as f64 / 1e12;
    let lane = |wanted: fn(&Lane) -> bool| {
        timeline
            .lanes
            .iter()
            .zip(&history.values)
            .filter(move |(lane, _)| wanted(lane))
    };
    let rates = |values: &[f32]| -> Vec<f64> {
        values
            .iter()
            .map(|&bytes| f64::from(bytes) * 8.0 / bin_s)
            .collect()
    };
    let planes: Vec<(&Lane, Vec<f64>)> = lane(|lane| matches!(lane, Lane::Plane(_)))
        .map(|(lane, values)| (lane, rates(values)))
        .collect();
    let most = |lists: &[&[f64]]| {
        ticks::round_up(
            lists
                .iter()
                .flat_map(|list| list.iter())
                .copied()
                .fold(0.0, f64::max),
        )
    };
    // While it runs, the rate of late; in the end, the mean.
    let latest = |values: &[f64]| {
        let values = &values[..done.min(values.len())];
        let mean = || values.iter().sum::<f64>() * timeline.bin_ps as f64 / now.max(1) as f64;
        match recent(values) {
            Some(_) if finished => units::rate(mean()),
            Some(value) => units::rate(value),
            None => String::new(),
        }
    };
    let mut rows = Vec::new();
    let bins = timeline.bins as usize;
    let total: Vec<f64> = (0..bins)
        .map(|bin| {
            planes
                .iter()
                .map(|(_, values)| values.get(bin).copied().unwrap_or(0.0))
                .sum()
        })
        .collect();
    let top = most(&[&total]);
    rows.push(Row {
        class: "total",
        name: "Goodput".into(),
        doc: format!(
            "Message bits placed per second, all planes; 0 to {}",
            units::rate(top)
        ),
        rest: latest(&total),
        is_mean: finished,
        most: top,
        values: total,
        words: units::rate,
    });
    let plane_lists: Vec<&[f64]> = planes.iter().map(|(_, values)| values.as_slice()).collect();
    let top = most(&plane_lists);
    let rated = planes
        .iter()
        .map(|(lane, values)| (**lane, values.clone(), top))
        .chain(lane(|lane| matches!(lane, Lane::Qp(_))).map(|(lane, values)| {
            let values = rates(values);
            let top = most(&[&values]);
            (*lane, values, top)
        }));
    for (lane, values, top) in rated {
        let words = lane.words();
        rows.push(Row {
            class: words.slug,
            name: words.name,
            doc: format!("{}; 0 to {}", words.doc, units::rate(top)),
            rest: latest(&values),
            is_mean: finished,
            most: top,
            values,
            words: units::rate,
        });
    }
    for (lane, values) in lane(|lane| lane.words().counted != Counted::Bytes) {
        let words = lane.words();
        let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        let is_level = words.counted == Counted::Level;
        let rest = if is_level {
            values.get(done.saturating_sub(1)).copied().unwrap_or(0.0)
        } else {
            values.iter().take(done).sum()
        };
        // The bin of now holds what comes after now, too.
        let is_more = !is_level
            && timeline.is_within_known(now)
            && values.get(done.saturating_sub(1)).is_some_and(|&last| last > 0.0);
        rows.push(Row {
            class: words.slug,
            name: words.name,
            doc: if is_level {
                words.doc
            } else {
                format!(
                    "{}, in each bin of {}{}",
                    words.doc,
                    units::span(timeline.bin_ps as f64),
                    if is_more {
                        "; the bin of now is known to its end, and counted whole"
                    } else {
                        ""
                    }
                )
            },
            most: values.iter().copied().fold(1.0, f64::max),
            rest: match is_more {
                true => format!("≤ {}", units::count(rest as u64)),
                false => units::count(rest as u64),
            },
            is_mean: false,
            values,
            words: |value| units::count(value as u64),
        });
    }
    rows
}

/// What the heights and widths of the plots stand for.
pub fn scales(rows: &[Row], timeline: &Timeline) -> String {
    let scale = |class: &str, noun: &str| {
        let row = rows.iter().find(|row| row.class == class)?;
        Some(format!("{noun} 0 to {}", units::rate(row.most)))
    };
    let parts: Vec<String> = [
        scale("total", "goodput"),
        scale("plane", "planes"),
        scale("qp", "QP"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if timeline.bins == 0 || timeline.known_ps == 0 || parts.is_empty() {
        return String::new();
    }
    format!(
        "Heights: {}. A bin is {}.",
        parts.join(", "),
        units::span(timeline.bin_ps as f64)
    )
}

//! The lanes that are lines: their values, scales, and what they come to at a time.

use crate::model::History;
use view::message::{Lane, Timeline};
use view::series::recent;
use view::{ticks, units};

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
    for (number, (_, values)) in planes.iter().enumerate() {
        rows.push(Row {
            class: "plane",
            name: format!("Plane {number}"),
            doc: format!(
                "Message bits placed per second through plane {number}; 0 to {}",
                units::rate(top)
            ),
            rest: latest(values),
            is_mean: finished,
            most: top,
            values: values.clone(),
            words: units::rate,
        });
    }
    for (lane, values) in lane(|lane| matches!(lane, Lane::Qp(_))) {
        let Lane::Qp(qp) = lane else { continue };
        let values = rates(values);
        let top = most(&[&values]);
        rows.push(Row {
            class: "qp",
            name: format!("QP {qp}"),
            doc: format!(
                "Message bits of QP {qp} placed per second; 0 to {}",
                units::rate(top)
            ),
            rest: latest(&values),
            is_mean: finished,
            most: top,
            values,
            words: units::rate,
        });
    }
    let counted = [
        (
            "messages",
            "Messages",
            "Messages that were complete at their senders",
            Lane::Messages,
        ),
        ("drops", "Drops", "Packets dropped", Lane::Drops),
        ("trims", "Trims", "Packets trimmed", Lane::Trims),
        ("rtx", "Rtx", "Data packets sent again", Lane::Retransmissions),
        (
            "cnps",
            "CNPs",
            "Congestion notifications that senders heard",
            Lane::Cnps,
        ),
        ("skips", "SKIP", "EVs that went from GOOD to SKIP", Lane::Skips),
        (
            "ecn",
            "ECN marks",
            "Data packets that arrived with an ECN mark",
            Lane::Marks,
        ),
        (
            "nacks",
            "NACKs",
            "NACKs (of RoCE: NAKs) that senders heard",
            Lane::Nacks,
        ),
        (
            "pauses",
            "Pauses",
            "Times that PFC paused a directed link",
            Lane::Pauses,
        ),
    ];
    for (class, name, doc, wanted) in counted {
        let Some((_, values)) = timeline
            .lanes
            .iter()
            .zip(&history.values)
            .find(|(lane, _)| **lane == wanted)
        else {
            continue;
        };
        let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        let sum: f64 = values.iter().take(done).sum();
        rows.push(Row {
            class,
            name: name.into(),
            doc: format!("{doc}, in each bin of {}", units::span(timeline.bin_ps as f64)),
            most: values.iter().copied().fold(1.0, f64::max),
            rest: units::count(sum as u64),
            is_mean: false,
            values,
            words: |value| units::count(value as u64),
        });
    }
    let levels = [
        (
            "paused",
            "Paused",
            "Directed links that are paused by their far ends (PFC), at the end of each bin",
            Lane::Paused,
        ),
        (
            "bad",
            "Bad EVs",
            "EVs that are ASSUMED_BAD or DENIED, of all QPs",
            Lane::BadEvs,
        ),
    ];
    for (class, name, doc, wanted) in levels {
        let mut of = timeline.lanes.iter().zip(&history.values);
        let Some((_, values)) = of.find(|(lane, _)| **lane == wanted) else {
            continue;
        };
        let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        rows.push(Row {
            class,
            name: name.into(),
            doc: doc.into(),
            most: values.iter().copied().fold(1.0, f64::max),
            rest: units::count(values.get(done.saturating_sub(1)).copied().unwrap_or(0.0) as u64),
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

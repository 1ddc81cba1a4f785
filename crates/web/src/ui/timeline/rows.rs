//! The lanes that are lines: their values, scales, and what they come to at a time.

use crate::model::History;
use view::message::{Lane, Timeline};
use view::series::recent;
use view::{Counted, ticks, units};

/// Bins before a fault whose mean is the level that later ones are compared with, at most and at least.
const BINS_BEFORE: std::ops::RangeInclusive<usize> = 4..=16;

/// What a rate was before the first fault.
#[derive(Clone, Copy)]
pub struct Level {
    /// The bin of the fault.
    bin: usize,
    /// The mean of the bins before it.
    mean: f64,
}

impl Level {
    /// The level before a bin; none where too few are before it, or nothing was sent in them.
    fn before(bin: usize, values: &[f64]) -> Option<Level> {
        let values = values.get(bin.saturating_sub(*BINS_BEFORE.end())..bin)?;
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        (values.len() >= *BINS_BEFORE.start() && mean > 0.0).then_some(Level { bin, mean })
    }
}

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
    /// What is drawn on top of that: classes and values a bin.
    pub bands: Vec<(&'static str, Vec<f64>)>,
    /// Top of its scale.
    pub most: f64,
    /// A value in words.
    pub words: fn(f64) -> String,
    /// The sum or the last value up to now, when nothing is pointed at.
    pub rest: String,
    /// True when that is the mean of the whole run.
    pub is_mean: bool,
    /// What it was before the first fault, where it is a rate and a fault has come.
    pub level: Option<Level>,
    /// The rate of late, where it is a rate.
    pub latest: Option<f64>,
}

/// The lines from the history, with their values at `now`; `fault` is when the first fault comes.
pub fn rows(history: &History, now: u64, finished: bool, fault: Option<u64>) -> Vec<Row> {
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
    let of_late = |values: &[f64]| recent(&values[..done.min(values.len())]);
    // While it runs, the rate of late; in the end, the mean.
    let rest = |values: &[f64]| {
        let mean = || values.iter().take(done).sum::<f64>() * timeline.bin_ps as f64 / now.max(1) as f64;
        match of_late(values) {
            Some(_) if finished => units::rate(mean()),
            Some(value) => units::rate(value),
            None => String::new(),
        }
    };
    let broken = fault
        .filter(|&at| at < now)
        .map(|at| (at / timeline.bin_ps.max(1)) as usize);
    let level = |values: &[f64]| broken.and_then(|bin| Level::before(bin, values));
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
        rest: rest(&total),
        is_mean: finished,
        level: level(&total),
        latest: of_late(&total),
        most: top,
        values: total,
        bands: Vec::new(),
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
            rest: rest(&values),
            is_mean: finished,
            level: level(&values),
            latest: of_late(&values),
            most: top,
            values,
            bands: Vec::new(),
            words: units::rate,
        });
    }
    let counts = |values: &[f32]| -> Vec<f64> { values.iter().map(|&value| value.into()).collect() };
    // On those that are GOOD; what is out of use has a lane of its own beside.
    let states = [Lane::EvsSkip, Lane::BadEvs].map(|state| {
        let of = timeline.lanes.iter().position(|lane| *lane == state);
        let values = of.and_then(|place| history.values.get(place));
        let values = values.map(|values| counts(values)).unwrap_or_default();
        (state.words().slug, values)
    });
    let own = |lane: &Lane| *lane != Lane::EvsSkip && lane.words().counted != Counted::Bytes;
    for (lane, values) in lane(own) {
        let words = lane.words();
        let values = counts(values);
        let bands = match lane {
            Lane::EvsGood => states.to_vec(),
            _ => Vec::new(),
        };
        let is_level = matches!(words.counted, Counted::Level | Counted::Depth);
        let in_words: fn(f64) -> String = match words.counted {
            Counted::Depth => units::bytes,
            _ => |value| units::count(value as u64),
        };
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
            most: (0..values.len())
                .map(|bin| height(&values, &bands, bin))
                .fold(1.0, f64::max),
            rest: match is_more {
                true => format!("≤ {}", in_words(rest)),
                false if bands.is_empty() => in_words(rest),
                false => all_at(&values, &bands, done.saturating_sub(1), in_words),
            },
            is_mean: false,
            level: None,
            latest: None,
            values,
            bands,
            words: in_words,
        });
    }
    rows
}

/// What a bin comes to with all that is drawn on top.
fn height(values: &[f64], bands: &[(&str, Vec<f64>)], bin: usize) -> f64 {
    let on_top = bands
        .iter()
        .map(|(_, band)| band.get(bin).copied().unwrap_or(0.0));
    values.get(bin).copied().unwrap_or(0.0) + on_top.sum::<f64>()
}

/// A bin's value and those on top of it, in words.
fn all_at(values: &[f64], bands: &[(&str, Vec<f64>)], bin: usize, words: fn(f64) -> String) -> String {
    let all = std::iter::once(values).chain(bands.iter().map(|(_, band)| band.as_slice()));
    let texts: Vec<String> = all
        .filter_map(|values| values.get(bin))
        .map(|&value| words(value))
        .collect();
    texts.join("/")
}

impl Row {
    /// What it comes to in a bin, in words; none where nothing is known.
    pub fn at(&self, bin: usize) -> Option<String> {
        self.values
            .get(bin)
            .map(|_| all_at(&self.values, &self.bands, bin, self.words))
    }

    /// How much more or less that is than before the first fault, as `−14 %`; none where it is the same, or before the fault.
    /// Without a bin it is the rate of late.
    pub fn change(&self, bin: Option<usize>) -> Option<String> {
        let level = self.level?;
        let value = match bin {
            Some(bin) => self.values.get(bin).copied().filter(|_| bin > level.bin),
            None => self.latest.filter(|_| !self.is_mean),
        };
        let percent = ((value? / level.mean - 1.0) * 100.0).round();
        let sign = if percent < 0.0 { "−" } else { "+" };
        (percent != 0.0).then(|| format!("{sign}{}\u{a0}%", units::count(percent.abs() as u64)))
    }

    /// The areas to draw, the highest first: each covers the one before.
    pub fn areas(&self) -> Vec<(&'static str, Vec<f64>)> {
        let mut areas = vec![(self.class, self.values.clone())];
        for (count, (class, _)) in (1..).zip(&self.bands) {
            let up_to = &self.bands[..count];
            let heights = (0..self.values.len()).map(|bin| height(&self.values, up_to, bin));
            areas.push((class, heights.collect()));
        }
        areas.reverse();
        areas
    }
}

/// What the heights and widths of the plots stand for.
pub fn scales(rows: &[Row], timeline: &Timeline) -> String {
    let scale = |class: &str, noun: &str| {
        let row = rows.iter().find(|row| row.class == class && row.most > 1.0)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        History {
            timeline: Timeline {
                now_ps: 3_000,
                known_ps: 3_000,
                bin_ps: 1_000,
                bins: 3,
                lanes: vec![
                    Lane::Plane(0),
                    Lane::Queue,
                    Lane::EvsGood,
                    Lane::EvsSkip,
                    Lane::BadEvs,
                ],
                ..Timeline::default()
            },
            values: vec![
                vec![0.0; 3],
                vec![0.0, 52_000.0, 4_096.0],
                vec![96.0, 80.0, 90.0],
                vec![0.0, 10.0, 2.0],
                vec![0.0, 6.0, 4.0],
            ],
        }
    }

    #[test]
    fn states_of_evs_stand_on_each_other() {
        let rows = rows(&history(), 2_500, false, None);
        let row = rows.iter().find(|row| row.name == "EV states").unwrap();
        assert_eq!(row.at(1).as_deref(), Some("80/10/6"));
        assert_eq!(row.at(3), None);
        assert_eq!(row.rest, "90/2/4");
        assert_eq!(row.most, 96.0);
        let areas = row.areas();
        let heights: Vec<(&str, f64)> = areas.iter().map(|(class, values)| (*class, values[1])).collect();
        assert_eq!(heights, [("bad", 96.0), ("evs-skip", 90.0), ("evs", 80.0)]);
        // Those at SKIP have no lane of their own, those out of use have.
        assert!(rows.iter().all(|row| row.class != "evs-skip"));
        assert!(rows.iter().any(|row| row.name == "Bad EVs"));
    }

    #[test]
    fn a_rate_after_a_fault_is_compared_with_that_before_it() {
        let mut history = history();
        // Bytes placed: 20 bins at 1000, of which the first does not count as only 16 do; then 860, then 1000 again.
        let mut placed = vec![5_000.0; 4];
        placed.extend([1_000.0; 16]);
        placed.extend([860.0; 12]);
        placed.push(1_000.0);
        history.timeline.bins = placed.len() as u32;
        history.timeline.lanes = vec![Lane::Plane(0)];
        history.values = vec![placed];
        let of = |now, finished, fault| rows(&history, now, finished, fault).remove(0);
        let row = of(32_500, false, Some(20_000));
        assert_eq!(row.change(Some(25)).as_deref(), Some("−14\u{a0}%"));
        assert_eq!(row.change(Some(32)), None, "as before");
        assert_eq!(row.change(Some(19)), None, "before the fault");
        assert_eq!(row.change(None).as_deref(), Some("−14\u{a0}%"), "of late");
        assert_eq!(
            of(32_500, true, Some(20_000)).change(None),
            None,
            "the mean of the run"
        );
        assert_eq!(of(32_500, false, None).change(Some(25)), None, "no fault");
        assert_eq!(of(19_500, false, Some(20_000)).change(None), None, "not yet");
        assert_eq!(
            of(32_500, false, Some(3_000)).change(Some(25)),
            None,
            "too soon to have a level"
        );
    }

    #[test]
    fn a_queue_has_bytes_and_is_a_level() {
        let rows = rows(&history(), 2_500, false, None);
        let row = rows.iter().find(|row| row.name == "Queue").unwrap();
        assert_eq!(
            (row.at(1).as_deref(), row.rest.as_str()),
            (Some("52 kB"), "4.10 kB")
        );
        assert!(row.doc.contains("look at all queues"), "{}", row.doc);
    }
}

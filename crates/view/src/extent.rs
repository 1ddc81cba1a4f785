//! The part of a run's time that the timeline shows: zooming, panning, and what its axis says.

use crate::ticks;
use crate::units;

/// The shortest time that is shown, in ps: 10 ns, which leaves 1 ns some room.
pub const LEAST_PS: u64 = 10_000;

/// From one time to another, both in ps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Where it begins.
    pub from: u64,
    /// Where it ends; later than that.
    pub to: u64,
}

impl Extent {
    /// From 0 to `end` ps.
    pub fn whole(end: u64) -> Extent {
        Extent {
            from: 0,
            to: end.max(1),
        }
    }

    /// How long it is, in ps.
    pub fn len(self) -> u64 {
        self.to.saturating_sub(self.from).max(1)
    }

    /// True where nothing is shown; never.
    pub fn is_empty(self) -> bool {
        self.to <= self.from
    }

    /// Where a time is: 0 at the beginning, 1 at the end, less or more outside.
    pub fn share(self, ps: u64) -> f64 {
        (ps as f64 - self.from as f64) / self.len() as f64
    }

    /// The time at a share of the extent, in ps.
    pub fn at(self, share: f64) -> u64 {
        let share = if share.is_finite() { share } else { 0.0 };
        let offset = share * self.len() as f64;
        if offset < 0.0 {
            self.from.saturating_sub(-offset as u64)
        } else {
            self.from.saturating_add(offset.round() as u64)
        }
    }

    /// True when a time is within it.
    pub fn contains(self, ps: u64) -> bool {
        (self.from..=self.to).contains(&ps)
    }

    /// Magnified by `factor` around the time at a `share` of it, which stays where it is as far as 0 and `end` allow.
    pub fn zoomed(self, factor: f64, share: f64, end: u64) -> Extent {
        let factor = if factor.is_finite() && factor > 0.0 {
            factor
        } else {
            1.0
        };
        let end = end.max(1);
        let share = share.clamp(0.0, 1.0);
        let fixed = self.at(share);
        let len = (self.len() as f64 / factor).clamp(LEAST_PS.min(end) as f64, end as f64) as u64;
        let from = fixed.saturating_sub((share * len as f64).round() as u64);
        Extent::placed(from, len, end)
    }

    /// Moved by a share of its length, as far as 0 and `end` allow.
    pub fn panned(self, by: f64, end: u64) -> Extent {
        Extent::placed(self.at(by), self.len(), end)
    }

    /// Moved as little as it takes to show a time with some room around it.
    pub fn showing(self, ps: u64, end: u64) -> Extent {
        let room = self.len() / 10;
        if self.contains(ps) {
            return self;
        }
        let from = if ps < self.from {
            ps.saturating_sub(room)
        } else {
            ps.saturating_sub(self.len() - room)
        };
        Extent::placed(from, self.len(), end)
    }

    /// The same within other bounds; none where it would show everything.
    pub fn within(self, end: u64) -> Option<Extent> {
        let extent = Extent::placed(self.from, self.len(), end);
        (extent != Extent::whole(end)).then_some(extent)
    }

    fn placed(from: u64, len: u64, end: u64) -> Extent {
        let end = end.max(1);
        let len = len.min(end);
        let from = from.min(end - len);
        Extent { from, to: from + len }
    }

    /// The marks of its axis: where they are, in ps, and what they say. `most` is as many as have room where labels are short.
    pub fn ticks(self, most: usize) -> Vec<(u64, String)> {
        // Long labels need more room: those in the middle of a run that are a nanosecond apart.
        let wide = self
            .label(self.to, ticks::step(self.len() as f64, most))
            .chars()
            .count();
        let most = match wide {
            0..=9 => most,
            10..=12 => most * 2 / 3,
            _ => most / 2,
        };
        let step = ticks::step(self.len() as f64, most);
        // From the last round time before, so that no precision is lost in the middle of a long run.
        let whole_step = (step.round() as u64).max(1);
        let first = self.from.div_ceil(whole_step).saturating_mul(whole_step);
        (0..most.max(2) as u64 + 1)
            .map(|number| first.saturating_add(number.saturating_mul(whole_step)))
            .take_while(|&at| at <= self.to)
            .map(|at| (at, self.label(at, step)))
            .collect()
    }

    /// A time in words, exact enough to tell it from one that is `step` ps away.
    pub fn label(self, at: u64, step: f64) -> String {
        if self.from == 0 && step >= 1e3 {
            return if at == 0 {
                "0".into()
            } else {
                units::round_span(at as f64)
            };
        }
        units::moment(at, step)
    }

    /// A time that is pointed at, in words, as exact as it can be pointed at.
    pub fn words(self, at: u64) -> String {
        units::moment(at, self.len() as f64 / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    #[test]
    fn the_pointer_stays_where_it_is() {
        let whole = Extent::whole(800 * US);
        let near = whole.zoomed(4.0, 0.25, 800 * US);
        assert_eq!(
            near,
            Extent {
                from: 150 * US,
                to: 350 * US
            }
        );
        assert_eq!(near.at(0.25), 200 * US);
        assert_eq!(whole.at(0.25), 200 * US);
        let back = near.zoomed(0.25, 0.25, 800 * US);
        assert_eq!(back, whole);
        assert_eq!(back.within(800 * US), None);
        // Beyond the ends there is nothing.
        assert_eq!(near.zoomed(0.01, 0.9, 800 * US), whole);
        assert_eq!(
            whole.zoomed(2.0, 1.0, 800 * US),
            Extent {
                from: 400 * US,
                to: 800 * US
            }
        );
    }

    #[test]
    fn it_goes_down_to_single_nanoseconds_anywhere() {
        let mut extent = Extent::whole(3_000_000 * US);
        for _ in 0..200 {
            extent = extent.zoomed(1.5, 0.7, 3_000_000 * US);
        }
        assert_eq!(extent.len(), LEAST_PS);
        // 0.7 of 3 s; each zoom rounds to a picosecond.
        assert!(extent.at(0.7).abs_diff(2_100_000 * US) < 200, "{extent:?}");
        let ticks = extent.ticks(8);
        assert!((2..=5).contains(&ticks.len()), "{ticks:?}");
        let labels: Vec<&str> = ticks.iter().map(|(_, label)| label.as_str()).collect();
        assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
    }

    #[test]
    fn a_run_shorter_than_that_is_shown_whole() {
        let whole = Extent::whole(5_000);
        assert_eq!(whole.zoomed(8.0, 0.5, 5_000), whole);
        assert_eq!(Extent::whole(0), Extent { from: 0, to: 1 });
        assert!(!Extent::whole(0).is_empty());
    }

    #[test]
    fn panning_stops_at_the_ends() {
        let part = Extent { from: 100, to: 300 };
        assert_eq!(part.panned(0.5, 1_000), Extent { from: 200, to: 400 });
        assert_eq!(part.panned(-2.0, 1_000), Extent { from: 0, to: 200 });
        assert_eq!(part.panned(9.0, 1_000), Extent { from: 800, to: 1_000 });
    }

    #[test]
    fn a_time_is_brought_into_sight() {
        let part = Extent {
            from: 1_000,
            to: 2_000,
        };
        assert_eq!(part.showing(1_500, 10_000), part);
        assert_eq!(part.showing(500, 10_000), Extent { from: 400, to: 1_400 });
        assert_eq!(
            part.showing(5_000, 10_000),
            Extent {
                from: 4_100,
                to: 5_100
            }
        );
        assert_eq!(
            part.showing(10_000, 10_000),
            Extent {
                from: 9_000,
                to: 10_000
            }
        );
    }

    #[test]
    fn the_axis_says_as_much_as_it_takes() {
        let labels = |from, to| -> Vec<String> {
            let ticks = Extent { from, to }.ticks(8);
            ticks.into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(labels(0, 800 * US), ["0", "200 µs", "400 µs", "600 µs", "800 µs"]);
        assert_eq!(
            labels(412 * US, 412 * US + 20_000),
            [
                "412.000 µs",
                "412.005 µs",
                "412.010 µs",
                "412.015 µs",
                "412.020 µs"
            ]
        );
        assert_eq!(labels(1_500 * US, 1_504 * US)[1], "1.501 ms");
    }
}

//! The progress of a run, counted as it goes and shown on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kernel::Time;
use scenario::Scenario;
use sim::{Observer, Sim};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Whole of a run, as positions of the bar.
const FULL: u64 = 10_000;
/// Shorter runs show no bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// The bar is redrawn this often at most.
const REDRAW: Duration = Duration::from_millis(100);

/// The bar of a run.
pub struct Progress {
    began: Instant,
    drawn: Instant,
    bar: Option<ProgressBar>,
    wanted: bool,
    flows: u64,
    bytes: u64,
    until: Time,
}

impl Progress {
    /// A bar for a run of `flows` with `bytes` in all; it is never shown when `quiet`, or when standard error is
    /// no terminal.
    pub fn new(quiet: bool, flows: u64, bytes: u64, until: Time) -> Progress {
        let now = Instant::now();
        Progress {
            began: now,
            drawn: now,
            bar: None,
            wanted: !quiet && std::io::stderr().is_terminal(),
            flows,
            bytes,
            until,
        }
    }

    /// A bar for a run of a scenario.
    pub fn of(scenario: &Scenario, quiet: bool) -> Progress {
        let flows = scenario.flows();
        let bytes = flows
            .iter()
            .fold(0u64, |sum, flow| sum.saturating_add(flow.bytes));
        Progress::new(quiet, flows.len() as u64, bytes, Time(scenario.until.0))
    }

    /// Shows how far the run is, if it is time to.
    pub fn update<O: Observer>(&mut self, sim: &Sim<O>) {
        if !self.wanted || self.began.elapsed() < PATIENCE || self.drawn.elapsed() < REDRAW {
            return;
        }
        self.drawn = Instant::now();
        let now = sim.now();
        let position = position(now, self.until, sim.placed_bytes(), self.bytes);
        let elapsed = self.began.elapsed().as_secs_f64();
        let message = format!(
            "ETA {:.0} s · {} of {} flows · {:.1} µs · {:.1} M packet-hops/s",
            eta(elapsed, position),
            sim.finished_flows(),
            self.flows,
            now.0 as f64 / 1e6,
            sim.network().counters().packet_hops as f64 / elapsed / 1e6
        );
        let bar = self.bar.get_or_insert_with(bar);
        bar.set_position(position);
        bar.set_message(message);
    }

    /// Takes the bar off the terminal.
    pub fn clear(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(FULL), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:16} {percent:>3} % · {wide_msg}")
        .expect("the template is constant and tested");
    bar.set_style(style);
    bar
}

/// How much is done, of [`FULL`]: by bytes or by simulated time, whichever is further, since either ends the run.
fn position(now: Time, until: Time, placed: u64, bytes: u64) -> u64 {
    let share =
        |part: u64, whole: u64| (u128::from(part) * u128::from(FULL) / u128::from(whole.max(1))) as u64;
    share(now.0, until.0).max(share(placed, bytes)).min(FULL)
}

/// Seconds to go, if the rest goes as what is done went.
fn eta(elapsed: f64, position: u64) -> f64 {
    elapsed * (FULL - position) as f64 / position.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearer_end_counts() {
        assert_eq!(position(Time(10), Time(100), 1, 100), 1_000);
        assert_eq!(position(Time(1), Time(100), 50, 100), 5_000);
        assert_eq!(position(Time(u64::MAX), Time(1), u64::MAX, 1), FULL);
        assert_eq!(position(Time(0), Time(100), 0, 0), 0);
    }

    #[test]
    fn the_rest_takes_its_share() {
        assert_eq!(eta(3.0, FULL / 4), 9.0);
        assert_eq!(eta(3.0, FULL), 0.0);
        assert!(eta(3.0, 0).is_finite());
    }

    #[test]
    fn the_style_is_well_formed() {
        assert_eq!(bar().length(), Some(FULL));
    }

    #[test]
    fn nothing_is_shown_when_quiet() {
        let mut progress = Progress::new(true, 1, 1, Time(1));
        progress.began -= Duration::from_secs(10);
        progress.drawn -= Duration::from_secs(10);
        progress.update(&Sim::new(&scenario::presets()[0].scenario()).expect("presets can be run"));
        assert!(progress.bar.is_none());
    }
}

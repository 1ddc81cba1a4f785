//! The progress of a sweep, shown on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::Overall;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Whole of a sweep, as positions of the bar.
const FULL: u64 = 10_000;
/// Shorter sweeps show no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The bar of a sweep; all threads tell it how far they are.
pub struct Progress {
    began: Instant,
    bar: ProgressBar,
    runs: usize,
}

impl Progress {
    /// A bar for so many runs; it is never shown when `quiet`, or when standard error is no terminal.
    pub fn new(quiet: bool, runs: usize) -> Progress {
        let shown = !quiet && std::io::stderr().is_terminal();
        let target = if shown {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(FULL), target);
        bar.set_style(style());
        Progress {
            began: Instant::now(),
            bar,
            runs,
        }
    }

    /// Shows how far the sweep is, if it is time to.
    pub fn update(&self, overall: Overall) {
        let elapsed = self.began.elapsed();
        if elapsed < PATIENCE || self.bar.is_hidden() {
            return;
        }
        self.bar
            .set_message(message(overall, self.runs, elapsed.as_secs_f64()));
        self.bar.set_position((overall.share * FULL as f64) as u64);
    }

    /// Takes the bar off the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Runs that are over, and the time to go if the rest goes as what is done went.
fn message(overall: Overall, runs: usize, elapsed: f64) -> String {
    let eta = elapsed * (1.0 - overall.share) / overall.share.max(1.0 / FULL as f64);
    format!("{} of {runs} runs · ETA {eta:.0} s", overall.done)
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:16} {percent:>3} % · {wide_msg}")
        .expect("the template is constant and tested")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_its_share() {
        let at = |done, share| message(Overall { done, share }, 12, 3.0);
        assert_eq!(at(2, 0.25), "2 of 12 runs · ETA 9 s");
        assert_eq!(at(12, 1.0), "12 of 12 runs · ETA 0 s");
        assert_eq!(at(0, 0.0), "0 of 12 runs · ETA 30000 s");
    }

    #[test]
    fn the_style_is_well_formed_and_a_quiet_bar_hidden() {
        let progress = Progress::new(true, 2);
        assert!(progress.bar.is_hidden());
        assert_eq!(progress.bar.length(), Some(FULL));
    }
}

//! The progress of many runs: a bar on a terminal, and now and then a line elsewhere.

use crate::output::complain;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::Overall;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Whole of a sweep, as positions of the bar.
const FULL: u64 = 10_000;
/// Shorter sweeps show no bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// Where there is no terminal, a line for a run that is over comes this often at most.
const LINES: Duration = Duration::from_secs(30);

/// The progress of many runs; all threads tell it how far they are.
pub struct Progress {
    began: Instant,
    bar: ProgressBar,
    runs: usize,
    /// What the last line said; none where lines are not wanted.
    line: Option<Mutex<Line>>,
}

/// The last line, where there is no terminal.
struct Line {
    done: usize,
    at: Duration,
}

impl Line {
    /// Whether it is time for another one: a run is over since, and some time has passed.
    fn is_due(&self, done: usize, now: Duration) -> bool {
        done > self.done && now.saturating_sub(self.at) >= LINES
    }
}

impl Progress {
    /// For so many runs; nothing is ever shown when `quiet`.
    pub fn new(quiet: bool, runs: usize) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let shown = !quiet && terminal;
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
            line: (!quiet && !terminal).then(|| {
                Mutex::new(Line {
                    done: 0,
                    at: Duration::ZERO,
                })
            }),
        }
    }

    /// Shows how far the sweep is, if it is time to.
    pub fn update(&self, overall: Overall) {
        let elapsed = self.began.elapsed();
        // Another thread is about to say the same where the line is taken.
        if let Some(mut last) = self.line.as_ref().and_then(|line| line.try_lock().ok())
            && last.is_due(overall.done, elapsed)
        {
            let (done, at) = (overall.done, elapsed);
            *last = Line { done, at };
            complain(&message(overall, self.runs, elapsed.as_secs_f64()));
        }
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

    #[test]
    fn a_line_comes_when_a_run_is_over_and_not_too_often() {
        let last = Line {
            done: 2,
            at: Duration::from_secs(40),
        };
        for (done, seconds, expected) in [(3, 70, true), (3, 69, false), (2, 500, false), (3, 0, false)] {
            let due = last.is_due(done, Duration::from_secs(seconds));
            assert_eq!(due, expected, "{done} runs after {seconds} s");
        }
    }
}

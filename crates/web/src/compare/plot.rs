//! Lines of several runs in one plot, told apart by colour and by dashes.

use yew::prelude::*;

/// The classes of the runs' lines in charts.
pub const RUN_INKS: [&str; 4] = ["run run-0", "run run-1", "run run-2", "run run-3"];

/// The class of a run's colour and dashes, by its number from 0.
pub fn ink(run: usize) -> String {
    format!("run-{run}")
}

/// A short piece of a run's line, for keys.
pub fn swatch(run: usize) -> Html {
    html! {
        <svg class="swatch" viewBox="0 0 24 8" aria-hidden="true">
            <line class={classes!("run", ink(run))} x1="1" y1="4" x2="23" y2="4" />
        </svg>
    }
}

/// A line that steps from bin to bin, in a plot of `bins` bins and a height from `low` to `high`.
pub fn stepped(values: &[f64], low: f64, high: f64) -> String {
    let height = (high - low).max(f64::MIN_POSITIVE);
    let mut path = String::new();
    for (bin, value) in values.iter().enumerate() {
        let y = ((high - value) / height * 100.0).clamp(0.0, 100.0);
        if bin == 0 {
            path = format!("M0 {y:.2}");
        } else {
            path += &format!("V{y:.2}");
        }
        path += &format!("H{}", bin + 1);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_steps_from_bin_to_bin_between_its_bounds() {
        assert_eq!(
            stepped(&[0.0, 10.0, 5.0], 0.0, 10.0),
            "M0 100.00H1V0.00H2V50.00H3"
        );
        assert_eq!(stepped(&[-5.0, 5.0], -5.0, 5.0), "M0 100.00H1V0.00H2");
        assert_eq!(
            stepped(&[20.0], 0.0, 10.0),
            "M0 0.00H1",
            "beyond the scale is its border"
        );
        assert_eq!(stepped(&[], 0.0, 1.0), "");
    }
}

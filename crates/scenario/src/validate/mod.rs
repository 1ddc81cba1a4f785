//! Says everything that is wrong with a scenario at once.

mod clustermapper;
mod dcqcn;
mod fabric;
mod faults;
mod nscc;
mod pfc;
mod places;
mod roce;
mod routing;
mod traffic;
mod transport;

use crate::limits;
use crate::problem::{Problem, Problems};
use crate::quantity::Time;
use crate::schema::{Scenario, VERSION};
use clustermapper::check_clustermapper;
use fabric::{check_links, check_queue, check_shape};
use faults::check_faults;
use pfc::check_pfc;
use roce::{check_protocol, check_roce};
use routing::check_routing;
use std::fmt::Display;
use std::ops::RangeInclusive;
use traffic::check_traffic;
use transport::check_transport;

impl Scenario {
    /// Checks every bound of [`limits`] and that all that is named exists.
    ///
    /// # Errors
    /// All problems in the order of the fields, at most [`limits::MAX_PROBLEMS`] of them one by one; if there
    /// are more, one last entry with an empty `field` gives their number.
    pub fn validate(&self) -> Result<(), Vec<Problem>> {
        let mut problems = Problems::default();
        check_head(self, &mut problems);
        let shape_is_sound = check_shape(&self.fabric, &mut problems);
        check_links(&self.fabric, &mut problems);
        check_queue(&self.fabric.queue, &mut problems);
        check_routing(self, &mut problems);
        if let Some(pfc) = &self.fabric.pfc {
            check_pfc(pfc, self.transport.pmtu, &mut problems);
        }
        check_transport(&self.transport, self.fabric.planes, &mut problems);
        check_roce(&self.transport.roce, &mut problems);
        check_protocol(self, &mut problems);
        if let Some(clustermapper) = &self.clustermapper {
            check_clustermapper(clustermapper, &mut problems);
        }
        // What refers to NICs and links can only be judged in a fabric that exists.
        let fabric = shape_is_sound.then_some(&self.fabric);
        check_traffic(&self.traffic, fabric, self.transport.qps, &mut problems);
        check_faults(self, fabric, &mut problems);
        problems.into_result()
    }
}

/// "is 0; expected 1 to 8" if the value is outside.
pub(crate) fn within<T: PartialOrd + Display>(
    problems: &mut Problems,
    field: impl FnOnce() -> String,
    value: T,
    range: &RangeInclusive<T>,
    hint: &str,
) -> bool {
    let inside = range.contains(&value);
    if !inside {
        problems.add(
            field,
            format!("is {value}; expected {} to {}", range.start(), range.end()),
            hint,
        );
    }
    inside
}

/// The same for a factor that may not be 0 and has to be a number.
fn factor(problems: &mut Problems, field: &str, value: f64, max: f64) -> bool {
    let inside = value > 0.0 && value <= max;
    if !inside {
        let reason = format!("is {value}; expected a number above 0 and up to {max}");
        problems.add(|| field.into(), reason, "a multiple of the BDP");
    }
    inside
}

/// "is 2; expected 0 to 1" if the value is no share.
fn share(problems: &mut Problems, field: impl FnOnce() -> String, value: f64, hint: &str) -> bool {
    let inside = (0.0..=1.0).contains(&value);
    if !inside {
        problems.add(field, format!("is {value}; expected 0 to 1"), hint);
    }
    inside
}

fn check_head(scenario: &Scenario, problems: &mut Problems) {
    if scenario.version != VERSION {
        let reason = format!("is {}; expected {VERSION}", scenario.version);
        problems.add(|| "version".into(), reason, "");
    }
    check_text(problems, "name", &scenario.name, limits::MAX_NAME_CHARS, false);
    check_text(problems, "about", &scenario.about, limits::MAX_ABOUT_CHARS, true);
    within(
        problems,
        || "until".into(),
        scenario.until,
        &(Time(1)..=limits::MAX_TIME),
        "the run ends here at the latest",
    );
}

/// Bounds a text and keeps out control characters, which could act on a terminal that prints it.
pub(crate) fn check_text(problems: &mut Problems, field: &str, text: &str, max: usize, lines: bool) {
    let count = text.chars().count();
    if count > max {
        let reason = format!("has {count} characters; expected at most {max}");
        problems.add(|| field.into(), reason, "");
    }
    if !lines && !text.is_empty() && text.trim().is_empty() {
        let reason = "has nothing but blanks".to_owned();
        problems.add(|| field.into(), reason, "write something, or leave it empty");
    }
    if let Some(c) = text
        .chars()
        .find(|&c| c.is_control() && !(lines && (c == '\n' || c == '\t')))
    {
        let reason = format!("contains the control character U+{:04X}", u32::from(c));
        problems.add(|| field.into(), reason, "use plain text");
    }
}

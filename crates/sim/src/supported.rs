//! What a scenario may say and this simulator does not run: refused by name, not left out in silence.

use crate::build::BuildError;
use scenario::{Problem, Scenario};

/// # Errors
/// Every setting that would have no effect.
pub(crate) fn check(scenario: &Scenario) -> Result<(), BuildError> {
    let lacking = [("fabric.pfc", scenario.fabric.pfc.is_some())];
    let problems: Vec<Problem> = lacking
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(field, _)| Problem {
            field: field.into(),
            reason: "has a value that this Flowglass can read and not run".into(),
            hint: "a newer one is needed".into(),
        })
        .collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(BuildError::Invalid(problems))
    }
}

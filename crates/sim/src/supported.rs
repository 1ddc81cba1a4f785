//! What a scenario may say and this simulator does not run: refused by name, not left out in silence.

use crate::build::BuildError;
use scenario::{Balancer, Problem, Scenario};

/// # Errors
/// Every setting that would have no effect.
pub(crate) fn check(scenario: &Scenario) -> Result<(), BuildError> {
    let transport = &scenario.transport;
    let lacking = [
        (
            "transport.balancer",
            !matches!(transport.balancer, Balancer::Mrc | Balancer::Oblivious),
        ),
        ("transport.rccc", transport.rccc),
    ];
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

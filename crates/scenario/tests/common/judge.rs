//! What [`Scenario::validate`] says about the small scenario after a change.

use super::small;
use scenario::Scenario;

/// The problems of `small()` after a change, as text.
pub fn problems(change: impl FnOnce(&mut Scenario)) -> Vec<String> {
    let mut s = small();
    change(&mut s);
    s.validate()
        .err()
        .unwrap_or_default()
        .iter()
        .map(ToString::to_string)
        .collect()
}

pub fn ok(change: impl FnOnce(&mut Scenario)) {
    assert_eq!(problems(change), [""; 0]);
}

/// Exactly one problem, with this text.
pub fn one(expected: &str, change: impl FnOnce(&mut Scenario)) {
    assert_eq!(problems(change), [expected]);
}

//! What the inspector's numbers count, in which unit, and by whose rule.

mod fabric;
mod host;

/// A number, or another value with a name, of a view of the inspector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// What it is called there.
    pub name: &'static str,
    /// Its unit, or of what kind it is.
    pub unit: &'static str,
    /// What it counts or says.
    pub what: &'static str,
    /// By whose word it is so.
    pub source: &'static str,
}

/// Short, as there are many.
const fn n(name: &'static str, unit: &'static str, what: &'static str, source: &'static str) -> Number {
    Number {
        name,
        unit,
        what,
        source,
    }
}

/// The source of what no rule is behind.
const COUNTED: &str = "Counted by the simulator";

/// The numbers of a view.
type View = (&'static str, &'static [Number]);

/// A number by its view and its name there; none that has nothing to be explained.
pub fn number(view: &str, name: &str) -> Option<&'static Number> {
    let views = fabric::VIEWS.iter().chain(host::VIEWS);
    let mut views = views.filter(|(known, _)| *known == view);
    views.find_map(|(_, numbers)| numbers.iter().find(|number| number.name == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_has_a_unit_a_meaning_and_a_source_and_stands_once() {
        let mut seen = BTreeSet::new();
        for (view, numbers) in fabric::VIEWS.iter().chain(host::VIEWS) {
            for number in *numbers {
                let name = format!("{view}: {}", number.name);
                for text in [number.name, number.unit, number.what, number.source] {
                    assert!(!text.is_empty() && text.trim() == text, "{name}");
                }
                assert!(number.what.ends_with('.'), "{name} is a sentence");
                assert!(seen.insert(name.clone()), "{name} twice");
            }
        }
    }

    #[test]
    fn numbers_are_found_by_their_view() {
        assert_eq!(number("qp", "window").unwrap().unit, "bytes on the wire");
        assert_ne!(number("qp", "in flight"), number("roce", "in flight"));
        assert_eq!(number("qp", "xoff"), None);
    }
}

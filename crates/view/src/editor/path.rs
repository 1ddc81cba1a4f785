//! Where in a JSON text a value is.

use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::ops::Range;

/// One step from a value to one in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Field(String),
    Item(usize),
}

/// The steps of a path such as `traffic[3].bytes`. What is no number between brackets ends it.
pub(super) fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let (name, items) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !name.is_empty() {
            steps.push(Step::Field(name.into()));
        }
        for item in items.split(['[', ']']).filter(|item| !item.is_empty()) {
            match item.parse() {
                Ok(index) => steps.push(Step::Item(index)),
                Err(_) => return steps,
            }
        }
    }
    steps
}

/// JSON and nothing more.
pub(super) fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// The bytes of a field with its name, or of an item, at a path; of the last one along the path that the text has. The whole
/// text where that is none, nothing where the text is no JSON.
pub fn locate(text: &str, path: &str) -> Option<Range<usize>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &strict()).ok()?;
    let mut at = parsed.value.as_ref()?;
    let mut found = at.range();
    for step in steps(path) {
        let (value, range) = match (&step, at) {
            (Step::Field(name), Value::Object(fields)) => {
                let is_it = |field: &&ObjectProp| field.name.as_str() == name;
                // Of two with one name, the one that counts.
                let Some(field) = fields.properties.iter().rev().find(is_it) else {
                    break;
                };
                (&field.value, field.range())
            }
            (Step::Item(index), Value::Array(items)) => {
                let Some(item) = items.elements.get(*index) else {
                    break;
                };
                (item, item.range())
            }
            _ => break,
        };
        (at, found) = (value, range);
    }
    Some(found.start..found.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_field_with_its_name_or_an_item() {
        let text = r#"{ "a": { "b": [10, {"c": "x"}] }, "d": 1 }"#;
        let at = |path| &text[locate(text, path).unwrap()];
        assert_eq!(at("d"), r#""d": 1"#);
        assert_eq!(at("a.b[0]"), "10");
        assert_eq!(at("a.b[1].c"), r#""c": "x""#);
        assert_eq!(at(""), text);
    }

    #[test]
    fn what_is_not_there_is_where_it_would_be() {
        let text = r#"{ "a": { "b": [10] } }"#;
        let at = |path| &text[locate(text, path).unwrap()];
        assert_eq!(at("a.b[7].c"), r#""b": [10]"#);
        assert_eq!(at("a.z"), r#""a": { "b": [10] }"#);
        assert_eq!(at("z"), text);
        assert_eq!(locate("{", "a"), None);
        assert_eq!(locate("// c\n{}", "a"), None, "JSON has no comments");
    }
}

//! Tells what kind of file a text is, for files that are dropped without further word.

use super::text::lines;

/// What a text seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A connection matrix.
    Matrix,
    /// A topology.
    Topology,
    /// A scenario (or another JSON object).
    ScenarioJson,
    /// None of these.
    Unknown,
}

/// Lines that are looked at; both formats show themselves within a few.
const LINES: usize = 1000;

/// Guesses the kind of a text from its beginning. Only parsing it shows whether it is right.
pub fn sniff(text: &str) -> FileKind {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('{') {
        return FileKind::ScenarioJson;
    }
    for line in lines(text).take(LINES) {
        let first = line.tokens[0];
        if ["Tiers", "Podsize", "Tier"].iter().any(|key| first.is(key)) {
            return FileKind::Topology;
        }
        let begins_with_host = first.text.starts_with(|c: char| c.is_ascii_digit());
        let arrow = begins_with_host && line.tokens.iter().take(2).any(|t| t.text.contains("->"));
        if arrow
            || ["Connections", "Triggers", "Failures"]
                .iter()
                .any(|key| first.is(key))
        {
            return FileKind::Matrix;
        }
        if !first.is("Nodes") {
            return FileKind::Unknown;
        }
    }
    FileKind::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_its_own_files() {
        assert_eq!(sniff("# x\nNodes 4\nConnections 1\n"), FileKind::Matrix);
        assert_eq!(sniff("0->1 id 1 start 0 size 5"), FileKind::Matrix);
        assert_eq!(sniff("\u{feff}nodes 4\r\ntiers 2\r\n"), FileKind::Topology);
        assert_eq!(sniff("Podsize 4"), FileKind::Topology);
        assert_eq!(sniff(" \n{\"version\": 1}"), FileKind::ScenarioJson);
    }

    #[test]
    fn anything_else_is_unknown() {
        for text in [
            "",
            "Nodes 4",
            "hello world",
            "num_ranks 4\nrank 0 {",
            "<system>",
            "\0\0\0",
            "fn f() -> u32",
        ] {
            assert_eq!(sniff(text), FileKind::Unknown, "{text:?}");
        }
    }
}

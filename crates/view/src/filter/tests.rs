//! What filters mean, by rows that are written out here; and that nothing breaks the reader.

use super::{Event, Filter, Flag, MAX_DEPTH, MAX_LENGTH, MAX_SET, Number, Problem};
use crate::log::{Kind, PacketWord};
use proptest::prelude::*;
use scenario::{LinkName, SwitchName};

/// A trimmed packet at a link of plane 2; nothing is known of its NIC.
struct Trim;

impl Event for Trim {
    fn kind(&self) -> Kind {
        Kind::Trim
    }
    fn packet(&self) -> Option<PacketWord> {
        Some(PacketWord::Data)
    }
    fn number(&self, number: Number) -> Option<u64> {
        match number {
            Number::Time => Some(120_500_000),
            Number::Qp => Some(3),
            Number::Flow => Some(4),
            Number::Psn => Some(100),
            Number::Ev => Some(7),
            Number::Src => Some(0),
            Number::Dst => Some(9),
            Number::Nic => None,
            Number::Plane => Some(2),
            Number::Bytes => Some(4096),
            Number::Job => None,
        }
    }
    fn flag(&self, flag: Flag) -> bool {
        matches!(flag, Flag::Trimmed | Flag::Control)
    }
    fn link(&self) -> Option<LinkName> {
        "p2/t0.3-t1.1".parse().ok()
    }
    fn switches(&self) -> [Option<SwitchName>; 2] {
        ["p2/t0.3", "p2/t1.1"].map(|name| name.parse().ok())
    }
    fn reason(&self) -> Option<String> {
        Some("queue_full".into())
    }
    fn text(&self) -> String {
        "data PSN 100 of QP 3 is trimmed in front of T1 1".into()
    }
}

fn read(text: &str) -> Filter {
    text.parse().unwrap_or_else(|problem| panic!("{text}: {problem}"))
}

fn is(text: &str) -> bool {
    read(text).matches(&Trim)
}

#[test]
fn comparisons() {
    for yes in [
        "",
        "  ",
        "qp == 3",
        "qp eq 3",
        "qp != 4",
        "qp ne 4",
        "psn >= 100",
        "psn ge 100 and psn le 100",
        "psn < 101",
        "psn gt 99",
        "time > 120us && time < 1ms",
        "time == 120.5us",
        "time == 120500ns",
        "time in {120us..121us}",
        "bytes == 4KiB",
        "bytes == 4096",
        "bytes < 5kB",
        "psn in {1, 5..9, 100}",
        "plane == 2",
        "kind == trim",
        "kind == data",
        "kind in {timeout, trim}",
        "kind == nack || kind in {timeout, trim}",
        "packet == data",
        "packet != sack",
        "link == \"p2/t0.3-t1.1\"",
        "link == p2/t0.3-t1.1",
        "link in {p0/n1, p2/t0.3-t1.1}",
        "link contains \"t0.3\"",
        "switch == p2/t1.1",
        "switch != p2/t1.2",
        "text contains \"t1\"",
        "reason == queue_full",
        "reason == \"QUEUE_FULL\"",
        "!ecn",
        "not ecn",
        "trimmed && trim",
        "QP == 3 && Trimmed",
        "qp",
        "!nic",
    ] {
        assert!(is(yes), "{yes}");
    }
    for no in [
        "qp == 4",
        "qp != 3",
        "psn > 100",
        "time < 120us",
        "kind == drop",
        "kind != trim",
        "packet in {sack, nack}",
        "link == p2/t0.3-t1.0",
        "link != p2/t0.3-t1.1",
        "switch == p2/t1.2",
        "switch != p2/t1.1",
        "text contains \"T2\"",
        "ecn",
        "retransmission",
        "nic",
    ] {
        assert!(!is(no), "{no}");
    }
}

#[test]
fn what_is_not_there_compares_as_false() {
    for no in ["nic == 1", "nic != 1", "nic < 5", "nic in {0..99}"] {
        assert!(!is(no), "{no}");
    }
    assert!(is("!(nic == 1)"));
}

#[test]
fn not_binds_closest_and_and_before_or() {
    // The packet is trimmed and not marked.
    assert!(is("trimmed || ecn && ecn"));
    assert!(!is("(trimmed || ecn) && ecn"));
    assert!(is("!ecn && trimmed"));
    assert!(!is("!(trimmed || ecn)"));
    assert!(is("!!trimmed"));
}

fn refused(text: &str) -> Problem {
    text.parse::<Filter>().expect_err(text)
}

#[test]
fn problems_name_the_place_and_what_was_expected() {
    for (text, column, length, part) in [
        ("qp = 3", 3, 1, "=="),
        ("qp == x", 6, 1, "whole number"),
        ("qp ==", 5, 0, "whole number"),
        ("time > 120", 7, 3, "unit"),
        ("time > 1Gb", 7, 3, "unit"),
        ("qp == 3 psn", 8, 3, "&&"),
        ("(qp == 3", 8, 0, ")"),
        ("quack", 0, 5, "no field or word"),
        ("retransmit", 0, 10, "did you mean retransmission"),
        ("kind < trim", 5, 1, "no order"),
        ("kind == cat", 8, 3, "trim"),
        ("packet == trim", 10, 4, "sack"),
        ("link == p0", 8, 2, "p0/t0.3-t1.2"),
        ("text contains T1", 14, 2, "quotes"),
        ("text contains \"T1", 14, 3, "closing quote"),
        ("ecn == 1", 4, 2, "compared with nothing"),
        ("qp contains \"1\"", 3, 8, "no text"),
        ("psn in {9..1}", 11, 1, "not before its start"),
        ("psn in {1 2}", 10, 1, ", or }"),
        ("psn in 1", 7, 1, "{"),
        ("µ == 1", 0, 1, "no meaning"),
        ("qp == 3 && ", 11, 0, "expected a field"),
        ("qp == 18446744073709551616", 6, 20, "whole number"),
        ("qp == 3 # 4", 8, 1, "no meaning"),
    ] {
        let problem = refused(text);
        assert_eq!(
            (problem.column, problem.length),
            (column, length),
            "{text}: {problem}"
        );
        assert!(problem.message.contains(part), "{text}: {problem}");
    }
}

#[test]
fn length_depth_and_sets_have_limits() {
    let nested = |depth: usize| format!("{}ecn{}", "(".repeat(depth), ")".repeat(depth));
    read(&nested(MAX_DEPTH));
    assert!(refused(&nested(MAX_DEPTH + 1)).message.contains("nested"));
    assert!(
        refused(&format!("{}ecn", "!".repeat(MAX_DEPTH + 1)))
            .message
            .contains("nested")
    );
    let long = |length: usize| format!("ecn{}", " ".repeat(length - 3));
    read(&long(MAX_LENGTH));
    assert_eq!(refused(&long(MAX_LENGTH + 1)).column, MAX_LENGTH);
    let set = |count: usize| format!("qp in {{{}}}", vec!["1"; count].join(","));
    read(&set(MAX_SET));
    assert!(refused(&set(MAX_SET + 1)).message.contains("64"));
    // A chain may be as long as the text: it is no nesting.
    read(&vec!["ecn"; 140].join("&&"));
}

#[test]
fn the_examples_of_the_help_are_filters() {
    for (name, example, _) in super::HELP {
        read(example);
        read(name);
    }
}

/// Pieces of filters, in any order: mostly nonsense, often nearly right.
const PIECES: [&str; 34] = [
    "qp",
    "time",
    "kind",
    "link",
    "text",
    "ecn",
    "trim",
    "nack",
    "==",
    "!=",
    "<",
    ">=",
    "in",
    "{",
    "}",
    "(",
    ")",
    "!",
    "&&",
    "||",
    ",",
    "..",
    "3",
    "120us",
    "4KiB",
    "\"T1\"",
    "p0/t0.0-t1.1",
    "contains",
    "not",
    "and",
    "\"",
    "é",
    "\\",
    "switch",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused_with_a_place_in_it(text in "\\PC{0,60}") {
        check(&text)?;
    }

    #[test]
    fn any_pieces_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24), gap in any::<bool>()) {
        check(&pieces.join(if gap { " " } else { "" }))?;
    }
}

/// What is accepted comes back from its own text and means the same; what is refused says where.
fn check(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Filter>() {
        Ok(filter) => {
            let printed = filter.to_string();
            // Printing writes parentheses: a filter at the limits can come out longer or deeper than may be read.
            if let Ok(again) = printed.parse::<Filter>() {
                prop_assert_eq!(filter.matches(&Trim), again.matches(&Trim));
                prop_assert_eq!(again.to_string(), printed);
            } else {
                prop_assert!(printed.len() > text.len(), "{}", printed);
            }
        }
        Err(problem) => {
            let length = text.chars().count();
            prop_assert!(problem.column + problem.length <= length);
            prop_assert!(!problem.message.is_empty());
        }
    }
    Ok(())
}

#[test]
fn a_problem_shows_its_place_and_what_is_near() {
    let shown = |text: &str| text.parse::<Filter>().unwrap_err().shown(text);
    assert_eq!(shown("qp == x"), ["qp == ", "x", ""]);
    // Far into the text, 30 characters on both sides are enough to find it.
    let long = format!("{}nothing{}", "trim || ".repeat(20), " || trim".repeat(20));
    let [before, place, after] = shown(&long);
    assert_eq!(
        (place.as_str(), before.chars().count(), after.chars().count()),
        ("nothing", 31, 31)
    );
    assert!(
        before.starts_with('…') && after.ends_with('…'),
        "{before} {after}"
    );
    // A text that is pasted may be of any length, and so may a word.
    for text in ["a".repeat(200_000), "a".repeat(900)] {
        let problem = text.parse::<Filter>().unwrap_err();
        let length: usize = problem.shown(&text).iter().map(|part| part.chars().count()).sum();
        assert!(
            length <= 110 && problem.to_string().len() < 150,
            "{length}: {problem}"
        );
    }
}

//! `flowglass card`: fabrics side by side, and the page that is made by it.

use crate::folder::{Folder, Outcome};
use crate::json_output::{documented, leaves};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The repository, from where the page's files have the names that stand in it.
fn root() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect()
}

const PAPER: [&str; 3] = [
    "docs/topologies/1x800g.json",
    "docs/topologies/4x200g.json",
    "docs/topologies/8x100g.json",
];

/// Calls the command in the repository.
fn card(arguments: &[&str]) -> String {
    let mut command = Folder::new().command(&[&["card"], arguments].concat());
    let output = command.current_dir(root()).output().expect("the command starts");
    let outcome = Outcome {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    };
    let outcome = outcome.succeeds();
    assert_eq!(outcome.stderr, "");
    outcome.stdout
}

/// The MRC paper's comparison (§2.2, facts 5): of 1,000 NICs, 78.1 and 46.9 switches, exactly 3/5 of them, and 2/3 of the optics.
#[test]
fn two_have_their_ratio() {
    let text = card(&[PAPER[0], PAPER[2]]);
    let line = |label: &str| -> Vec<&str> {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("  ")?.strip_prefix(label));
        line.unwrap_or_else(|| panic!("no {label}: {text}"))
            .split_whitespace()
            .collect()
    };
    assert!(
        text.starts_with("A  1 × 800 Gb/s, three tiers (docs/topologies/1x800g.json)\nB  8 × 100"),
        "{text}"
    );
    assert_eq!(line("NICs "), ["65,536", "131,072", "2"]);
    assert_eq!(line("per thousand NICs "), ["78.12", "46.88", "0.6"]);
    assert_eq!(line("layers of optics for a NIC's rate "), ["3", "2", "0.6667"]);
    assert_eq!(line("switches on the longest path "), ["5", "3", "0.6"]);
    assert_eq!(line("T2 "), ["1,024", "–", "–"]);
    let head = text.lines().nth(2).expect("a head");
    assert!(head.starts_with("Size ") && head.ends_with("B ÷ A"), "{head}");
    // Only two have a ratio.
    for some in [&PAPER[..], &PAPER[..1]] {
        assert!(!card(some).contains('÷'));
    }
}

/// docs/topologies.md holds what the command writes.
#[test]
fn the_page_is_made_by_the_command() {
    let page = include_str!("../../../../docs/topologies.md");
    let made = card(&[&PAPER[..], &["--markdown", "-"]].concat());
    assert!(page.contains(&made), "expected in docs/topologies.md:\n{made}");
    // And beside the paper's figures stand the command's.
    let cells = |line: &str| -> Vec<String> {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    let rows = made.lines().filter(|line| line.starts_with('|'));
    let rows: Vec<Vec<String>> = rows.map(cells).collect();
    let (_, beside) = page
        .split_once("\n## Beside the paper\n")
        .expect("a part of the page");
    let (beside, _) = beside.split_once("\n## ").expect("there is another part");
    let mut compared = 0;
    for line in beside.lines().filter(|line| line.starts_with('|')).skip(2) {
        let stated = cells(line);
        let known = rows
            .iter()
            .any(|row| (&row[0], &row[1], &row[3]) == (&stated[0], &stated[2], &stated[4]));
        assert!(known, "{line}");
        compared += 1;
    }
    assert_eq!(compared, 13);
}

#[test]
fn every_field_is_documented_and_every_documented_field_exists() {
    let mut found = BTreeSet::new();
    let json = card(&["three-tiers", "link-dies", "--json", "-"]);
    let cards: serde_json::Value = serde_json::from_str(&json).expect("JSON and nothing else");
    leaves(&cards, "", &mut found);
    assert_eq!(found, documented("Cards"));
    // By hand from the presets: 8 + 16 + 8 switches; 4 planes of 4 + 4.
    let switches = |i: usize| cards["cards"][i]["switches"]["all"].as_u64();
    assert_eq!((switches(0), switches(1)), (Some(32), Some(32)));
    assert_eq!(cards["cards"][1]["links"]["t1_t2"], serde_json::Value::Null);
    assert_eq!(cards["cards"][0]["losses"].as_array().map(Vec::len), Some(7));
    assert_eq!(cards["cards"][1]["losses"][0]["of_nic"], 0.25);
    assert_eq!(cards["cards"][0]["scenario"]["source"], "preset:three-tiers");
}

#[test]
fn the_table_goes_to_the_screen_unless_something_else_does() {
    let folder = Folder::new();
    let json = folder.call(&["convert", "incast"]).succeeds().stdout;
    let table = folder
        .call_with(&["card", "-"], json.as_bytes())
        .succeeds()
        .stdout;
    assert!(table.contains("(<stdin>)\nSize "), "{table}");
    folder.write("s.json", &json);
    let arguments = ["card", "s.json", "--json", "c.json", "--markdown", "c.md"];
    let outcome = folder.call(&arguments).succeeds();
    assert!(outcome.stdout.contains("(s.json)\nSize "), "{outcome:?}");
    assert_eq!(folder.json("c.json")["cards"][0]["scenario"]["source"], "s.json");
    let markdown = std::fs::read_to_string(folder.path("c.md")).expect("written");
    assert!(
        markdown.contains("\n\n| | A |\n|---|--:|\n| **Size** | |\n"),
        "{markdown}"
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let json = folder.call(&["convert", "incast"]).succeeds().stdout;
    folder.write("s.json", &json);
    folder.write("bad.json", json.replace(r#""planes": "#, r#""planes": 9"#));
    let many = ["incast"; 17];
    for (arguments, status, texts) in [
        (
            &["nothing"][..],
            2,
            &["there is no file and no preset \"nothing\""][..],
        ),
        (&["incast", "bad.json"], 2, &["bad.json:", "planes"]),
        (&many, 2, &["17 scenarios; expected 1 to 16"]),
        (&["-", "-"], 2, &["standard input can be read only once"]),
        (
            &["incast", "--json", "x", "--markdown", "x"],
            2,
            &["--json and --markdown name the same place"],
        ),
        (
            &["incast", "s.json", "--markdown", "s.json"],
            2,
            &["--markdown s.json: is the file that a scenario is read from"],
        ),
        (
            &["incast", "--json", "none/x"],
            3,
            &["none/x: cannot be written: there is no such folder"],
        ),
    ] {
        let outcome = folder.call(&[&["card"], arguments].concat());
        assert_eq!(outcome.stdout, "");
        outcome.fails(status, texts);
    }
    assert_eq!(
        std::fs::read_to_string(folder.path("s.json")).expect("there"),
        json
    );
}

//! `flowglass evidence`: the paper's numbers beside ours.

use crate::folder::Folder;

#[test]
fn the_list_names_what_only_accepts() {
    let folder = Folder::new();
    let list = folder.call(&["evidence", "--list"]).succeeds().stdout;
    assert!(list.lines().any(|line| line.starts_with("fig9a ")), "{list}");
    let quick = folder.call(&["evidence", "--list", "--quick"]).succeeds().stdout;
    assert!(
        !quick.is_empty() && quick.lines().count() < list.lines().count(),
        "{quick}"
    );
    let refused = folder.call(&["evidence", "--only", "fig99"]);
    assert_eq!(refused.status, 2);
    assert!(
        refused
            .stderr
            .starts_with("error: there is no experiment \"fig99\"; there are "),
        "{}",
        refused.stderr
    );
}

/// As Markdown and as JSON, and the number of runs at a time changes neither.
#[test]
fn the_table_is_written_and_does_not_depend_on_the_jobs() {
    let folder = Folder::new();
    let call = |jobs: &str, out: &[&str]| {
        let arguments = [
            "evidence", "--only", "fig12", "--seeds", "2", "--jobs", jobs, "-q",
        ];
        let outcome = folder.call(&[&arguments, out].concat());
        assert!(outcome.status <= 1, "{outcome:?}");
        outcome.stdout
    };
    let page = call("2", &["--json", "t.json"]);
    assert!(page.starts_with("# Flowglass beside the MRC paper\n"), "{page}");
    assert_eq!(page.matches("\n## ").count(), 1, "{page}");
    assert_eq!(call("1", &["--out", "t.md"]), "");
    assert_eq!(
        std::fs::read_to_string(folder.path("t.md")).expect("written"),
        page
    );
    let json = folder.json("t.json");
    let row = &json["experiments"][0]["rows"][0];
    assert_eq!(json["seeds"], 2);
    assert_eq!(row["ours"]["n"], 2);
    assert!(page.contains(row["quantity"].as_str().expect("a text")), "{page}");
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_run() {
    let folder = Folder::new();
    for arguments in [&["--json", "-"][..], &["--json", "t", "--out", "t"]] {
        let refused = folder.call(&[&["evidence"], arguments].concat());
        assert_eq!(refused.status, 2);
        assert!(
            refused.stderr.contains("to the same place as --json"),
            "{refused:?}"
        );
    }
    assert_eq!(folder.call(&["evidence", "--seeds", "0"]).status, 2);
    let refused = folder.call(&["evidence", "--out", "none/t.md"]);
    assert_eq!(refused.status, 3);
    assert!(refused.stderr.contains("there is no such folder"), "{refused:?}");
}

const KEPT: [&str; 7] = ["evidence", "--only", "fig12", "--seeds", "3", "--keep", "k.jsonl"];

/// A crash may leave half a line; what is whole is not run again, and the table is the same.
#[test]
fn finished_runs_are_kept_and_not_run_again() {
    let folder = Folder::new();
    let call = |arguments: &[&str]| {
        let outcome = folder.call(arguments);
        assert!(outcome.status <= 1, "{outcome:?}");
        outcome
    };
    let all = call(&KEPT);
    let text = std::fs::read_to_string(folder.path("k.jsonl")).expect("written");
    let lines: Vec<&str> = text.lines().collect();
    let runs = lines.len() - 1;
    assert!(runs >= 3 && text.ends_with('\n'), "{text}");
    assert!(
        all.stderr
            .contains(&format!("note: 0 of {runs} runs are taken from what was kept")),
        "{all:?}"
    );

    // The head, the first run and half of the second.
    folder.write(
        "k.jsonl",
        format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..30]),
    );
    let resumed = call(&KEPT);
    assert_eq!(resumed.stdout, all.stdout);
    for note in [
        "k.jsonl:3: the line is broken and left out".into(),
        format!("note: 1 of {runs} runs are taken from what was kept"),
    ] {
        assert!(resumed.stderr.contains(&note), "{note}: {resumed:?}");
    }
    let again = call(&KEPT);
    assert!(
        again
            .stderr
            .contains(&format!("note: {runs} of {runs} runs are taken")),
        "{again:?}"
    );
    assert_eq!(again.stdout, all.stdout);

    // What other processes have kept is read, too, and the first file alone is written.
    folder.write("other.jsonl", &text);
    let arguments = [&KEPT[..6], &["new.jsonl", "--keep", "other.jsonl"]].concat();
    let several = call(&arguments);
    assert_eq!(several.stdout, all.stdout);
    let new = std::fs::read_to_string(folder.path("new.jsonl")).expect("written");
    assert_eq!(new.lines().count(), 1, "its head: nothing was missing");
}

#[test]
fn runs_of_another_version_are_not_used() {
    let folder = Folder::new();
    assert!(folder.call(&KEPT).status <= 1);
    let text = std::fs::read_to_string(folder.path("k.jsonl")).expect("written");
    let other = text.replace("\"fingerprint\":\"", "\"fingerprint\":\"0");
    folder.write("k.jsonl", other);
    let outcome = folder.call(&KEPT);
    let runs = text.lines().count() - 1;
    assert!(
        outcome.stderr.contains(&format!(
            "{runs} kept runs are not used: of another version or another scenario"
        )),
        "{outcome:?}"
    );
}

#[test]
fn what_is_no_file_of_finished_runs_is_left_alone() {
    let folder = Folder::new();
    folder.write("t.md", "# Mine\n");
    let refused = |keep: &[&str], status: i32, text: &str| {
        folder
            .call(&[&["evidence", "--only", "fig12"], keep].concat())
            .fails(status, &[text]);
    };
    refused(
        &["--keep", "t.md"],
        2,
        "t.md:1:1: this is no file of finished runs",
    );
    refused(&["--keep", "-"], 2, "expected the name of a file");
    refused(&["--keep", "k", "--keep", "k"], 2, "--keep k is given twice");
    refused(
        &["--keep", "k", "--json", "k"],
        2,
        "--keep k is also where the table goes",
    );
    refused(&["--keep", "k", "--keep", "none"], 3, "there is no such file");
    refused(
        &["--keep", "none/k"],
        3,
        "none/k: cannot be written: there is no such f",
    );
    assert_eq!(
        std::fs::read_to_string(folder.path("t.md")).expect("still there"),
        "# Mine\n"
    );
}

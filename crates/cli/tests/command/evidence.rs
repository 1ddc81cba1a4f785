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

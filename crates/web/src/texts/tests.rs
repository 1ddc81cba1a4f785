//! No view that has its texts here has any of its own.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that have sentences of their own still. It can only become shorter: a file that has none any more must leave the list.
const STILL_HAVE_THEIR_OWN: &[&str] = &[
    "app/edit.rs",
    "app/input.rs",
    "app/keys.rs",
    "app/mod.rs",
    "app/run.rs",
    "app/seek.rs",
    "app/share.rs",
    "app/story.rs",
    "app/sweep.rs",
    "compare/charts.rs",
    "compare/clock.rs",
    "compare/dialog.rs",
    "compare/differences.rs",
    "compare/hand.rs",
    "compare/input.rs",
    "compare/mod.rs",
    "compare/page.rs",
    "compare/pane.rs",
    "compare/pane_view.rs",
    "compare/share.rs",
    "compare/table.rs",
    "desk.rs",
    "dom.rs",
    "edition/keeper.rs",
    "edition/mod.rs",
    "edition/notice.rs",
    "files.rs",
    "host/app.rs",
    "host/charts.rs",
    "host/controls.rs",
    "host/cost.rs",
    "host/flows.rs",
    "host/inspector.rs",
    "host/model.rs",
    "host/panel.rs",
    "host/parts.rs",
    "host/process.rs",
    "host/share.rs",
    "host/stage.rs",
    "host/tables.rs",
    "host/view.rs",
    "host/worker.rs",
    "import.rs",
    "root.rs",
    "share/dialog.rs",
    "share/embed_bar.rs",
    "share/keeping.rs",
    "share/mod.rs",
    "share/picture.rs",
    "share/recorder.rs",
    "share/symbols.rs",
    "stage/gl.rs",
    "stage/mod.rs",
    "stage/overlay.rs",
    "stage/palette.rs",
    "stage/soft.rs",
    "ui/break_form.rs",
    "ui/break_menu.rs",
    "ui/controls.rs",
    "ui/dock.rs",
    "ui/editor.rs",
    "ui/editor_forms.rs",
    "ui/editor_host_forms.rs",
    "ui/editor_lists.rs",
    "ui/editor_text.rs",
    "ui/ev_grid.rs",
    "ui/events.rs",
    "ui/events/field.rs",
    "ui/events/list.rs",
    "ui/fault_view.rs",
    "ui/import_view.rs",
    "ui/inspector.rs",
    "ui/life.rs",
    "ui/mod.rs",
    "ui/packet.rs",
    "ui/presets.rs",
    "ui/qp_view.rs",
    "ui/roce_view.rs",
    "ui/scenario_panel.rs",
    "ui/settings.rs",
    "ui/stage_view.rs",
    "ui/stopped.rs",
    "ui/story.rs",
    "ui/sweep_tables.rs",
    "ui/timeline.rs",
    "ui/timeline/chooser.rs",
    "ui/timeline/marked.rs",
    "ui/timeline/overview.rs",
    "ui/timeline/rows.rs",
    "worker_link.rs",
];

/// The string literals of a source up to its tests, comments left out.
fn literals(source: &str) -> Vec<&str> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let (mut found, mut rest) = (Vec::new(), source);
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let here = &rest[at..];
        if here.starts_with("//") {
            rest = here.find('\n').map_or("", |end| &here[end..]);
        } else if let Some(inside) = here.strip_prefix('"') {
            let mut escaped = false;
            let end = inside.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let end = end.unwrap_or(inside.len());
            found.push(&inside[..end]);
            rest = inside.get(end + 1..).unwrap_or_default();
        } else if here.starts_with("'\"'") || here.starts_with("'/'") {
            rest = &here[3..];
        } else {
            rest = &here[1..];
        }
    }
    found
}

/// True for what reads like a sentence: two words of letters beside each other, the second not followed by more of a name.
fn is_sentence(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_end_matches([',', '.', ':', ';', '?', ')']);
        word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic() || c == '\'')
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    // Classes of the style sheet come in pairs as well, but begin small and have no small words between them.
    let small = [
        "the", "a", "an", "of", "to", "is", "in", "on", "no", "by", "it", "and", "for", "with", "are",
        "that", "as", "this", "be", "has",
    ];
    words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1]))
        && (text.starts_with(|c: char| c.is_uppercase()) || words.iter().any(|word| small.contains(word)))
}

/// The views: all of the page's sources but the texts themselves.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "texts") {
                sources(&path, into);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn texts_are_here_and_not_in_the_views() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    let mut wrong = Vec::new();
    for file in files {
        let name = file
            .strip_prefix(&root)
            .expect("it is in there")
            .to_string_lossy()
            .replace('\\', "/");
        let source = fs::read_to_string(&file).expect("it can be read");
        let sentence = literals(&source).into_iter().find(|text| is_sentence(text));
        match (sentence, STILL_HAVE_THEIR_OWN.contains(&&*name)) {
            (Some(text), false) => {
                wrong.push(format!("{name} says {text:?}: put it into a module of texts/"))
            }
            (None, true) => wrong.push(format!("{name} has no sentence any more: take it off the list")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sentences_are_told_from_names() {
    for text in [
        "Run to the end",
        "running at {}, limited by this machine",
        "The link is down",
    ] {
        assert!(is_sentence(text), "{text}");
    }
    for text in [
        "quiet legend-toggle",
        "sweep-empty dim",
        "M 3 4 L 5 6",
        "data-testid",
        "Play",
        "{} B",
        "tool play",
    ] {
        assert!(!is_sentence(text), "{text}");
    }
    let source = "let a = \"one\"; // \"two\"\nlet b = '\"'; let c = \"th\\\"ree\";\n#[cfg(test)] \"four\"";
    assert_eq!(literals(source), ["one", "th\\\"ree"]);
}

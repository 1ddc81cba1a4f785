//! The pages of documentation say what the program does now.

use lab::Seeds;
use lab::evidence::{Keep, Paper, run_experiments};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// A paper's page.
fn page(paper: Paper) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::fs::read_to_string(format!("{root}/{}", paper.page()))
        .unwrap_or_else(|e| panic!("`flowglass evidence` writes {}: {e}", paper.page()))
}

/// The cells of each row of each section's table, by the section's title.
fn tables(page: &str) -> BTreeMap<&str, Vec<Vec<&str>>> {
    let mut tables: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    let mut title = "";
    for line in page.lines() {
        if let Some(found) = line.strip_prefix("## ") {
            title = found;
        } else if line.starts_with("| ") && !line.starts_with("| Quantity |") {
            let cells = line.trim_matches('|').split(" | ").map(str::trim).collect();
            tables.entry(title).or_default().push(cells);
        }
    }
    tables
}

fn name(quantity: &str, unit: &str) -> String {
    match unit {
        "" => quantity.into(),
        unit => format!("{quantity}, {unit}"),
    }
}

#[test]
fn the_pages_have_every_row_of_the_registry_and_no_other() {
    for paper in [Paper::Mrc, Paper::Accelnet] {
        let page = page(paper);
        let tables = tables(&page);
        for experiment in paper.experiments() {
            let found = tables
                .get(experiment.title)
                .unwrap_or_else(|| panic!("{}", experiment.title));
            let found: Vec<(String, &str)> = found.iter().map(|cells| (cells[0].into(), cells[1])).collect();
            let expected: Vec<(String, &str)> = experiment
                .cases
                .iter()
                .flat_map(|case| &case.rows)
                .map(|row| (name(&row.quantity, row.unit), row.paper.as_str()))
                .collect();
            assert_eq!(found, expected, "{}", experiment.title);
        }
        assert_eq!(tables.len(), paper.experiments().len());
        assert!(!page.contains("**failed**"));
    }
}

/// The page of comparisons has a table of systems by figures.
#[test]
fn the_page_of_comparisons_has_every_system_and_figure() {
    let page = page(Paper::Versus);
    let sections: BTreeMap<&str, &str> = page
        .split("\n## ")
        .skip(1)
        .map(|section| section.split_once('\n').unwrap())
        .collect();
    let experiments = Paper::Versus.experiments();
    let mut read = 0;
    for experiment in experiments {
        let Some(section) = sections.get(experiment.title) else {
            // The largest sizes take hours: a page without them says so.
            let said = page
                .lines()
                .find(|line| line.starts_with("**Still to be measured**"));
            assert!(
                said.is_some_and(|line| line.contains(experiment.id)),
                "{}",
                experiment.title
            );
            continue;
        };
        read += 1;
        let cells: Vec<&str> = section
            .lines()
            .filter(|line| line.starts_with('|'))
            .flat_map(|line| line.trim_matches('|').split(" | ").map(str::trim))
            .collect();
        for row in experiment.cases.iter().flat_map(|case| &case.rows) {
            let (system, figure) = row.quantity.split_once(": ").unwrap();
            assert!(cells.contains(&system), "{}: {system}", experiment.title);
            assert!(
                cells.contains(&name(figure, row.unit).as_str()),
                "{}: {figure}",
                experiment.title
            );
        }
        assert!(section.contains("Over "), "{}: how many seeds", experiment.title);
    }
    assert_eq!(read, sections.len());
    assert!(!page.contains("**failed**"));
}

/// What takes little is run again, with fewer seeds than the page has.
fn quick_rows_have_the_verdicts_of_the_page(paper: Paper) {
    let mut quick = paper.experiments();
    for experiment in &mut quick {
        experiment.cases.retain(|case| case.quick);
    }
    quick.retain(|experiment| !experiment.cases.is_empty());
    let seeds = Seeds { first: 1, count: 2 };
    let table = run_experiments(
        paper,
        &quick,
        seeds,
        2,
        &AtomicBool::new(false),
        &Keep::nothing(),
        |_| {},
    )
    .expect("threads can be started")
    .expect("nobody stopped it");
    assert_eq!(table.faults(), [] as [String; 0]);
    let page = page(paper);
    let tables = tables(&page);
    for experiment in &table.experiments {
        for row in &experiment.rows {
            let name = name(&row.quantity, row.unit);
            let on_page = tables[experiment.title].iter().find(|cells| cells[0] == name);
            let verdict = on_page.map(|cells| cells[6]);
            assert_eq!(
                verdict,
                Some(row.verdict.words()),
                "{}: {name}: {row:?}",
                experiment.title
            );
        }
    }
}

#[test]
fn quick_rows_of_the_mrc_paper() {
    quick_rows_have_the_verdicts_of_the_page(Paper::Mrc);
}

#[test]
fn quick_rows_of_accelnet() {
    quick_rows_have_the_verdicts_of_the_page(Paper::Accelnet);
}

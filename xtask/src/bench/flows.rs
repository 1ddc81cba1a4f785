//! The NIC's flow table beside a well-known hash table.

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::report::count;
use super::spread::Spread;

/// What can be compared.
#[derive(Clone, Debug, Deserialize)]
pub struct Choice {
    /// Operations.
    pub operations: Vec<String>,
    /// Designs of tables.
    pub designs: Vec<String>,
}

/// One operation with one design.
#[derive(Clone, Debug, Deserialize)]
pub struct Run {
    /// The operation.
    pub operation: String,
    /// The design.
    pub design: String,
    /// Flows in the table.
    pub flows: u64,
    /// Time of one operation.
    pub ns: f64,
    /// Bytes of the table afterwards.
    pub bytes: u64,
    /// Of what was found.
    pub checksum: String,
}

impl Choice {
    /// Every operation with every design.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.operations.iter().flat_map(|operation| {
            self.designs
                .iter()
                .map(move |design| (operation.as_str(), design.as_str()))
        })
    }
}

/// The medians as Markdown, a row for an operation in each place that it was done in; none for no runs.
///
/// # Errors
/// When two runs of an operation found different flows, here or there.
pub fn table(choice: &Choice, native: &[Run], chromium: &[Run]) -> Result<String> {
    let Some(first) = native.first().or(chromium.first()) else {
        return Ok(String::new());
    };
    let mut text = format!(
        "\n### Flow tables\n\n{} flows, random order, medians of ns (least to most) and millions of operations a second.\n\n\
         | Operation | Where | {} |\n|---|---|{}\n",
        count(first.flows),
        choice
            .designs
            .iter()
            .map(|design| format!("{design}, ns | M/s"))
            .collect::<Vec<_>>()
            .join(" | "),
        "--:|".repeat(2 * choice.designs.len())
    );
    let places: Vec<(&str, &[Run])> = [("native", native), ("Chromium", chromium)]
        .into_iter()
        .filter(|(_, runs)| !runs.is_empty())
        .collect();
    for operation in &choice.operations {
        let mut all = native
            .iter()
            .chain(chromium)
            .filter(|run| run.operation == *operation);
        let first = all.next().with_context(|| format!("{operation} was not run"))?;
        if all.any(|run| run.checksum != first.checksum) {
            bail!("the tables found different flows in {operation}");
        }
        for (place, runs) in &places {
            write!(text, "| {operation} | {place} |")?;
            for design in &choice.designs {
                let spread = Spread::of(of(runs, operation, design).map(|run| run.ns))
                    .with_context(|| format!("{design} did not do {operation}"))?;
                write!(
                    text,
                    " {:.0} ({:.0}–{:.0}) | {:.2} |",
                    spread.median,
                    spread.min,
                    spread.max,
                    1e3 / spread.median
                )?;
            }
            text.push('\n');
        }
    }
    for (place, runs) in &places {
        write!(text, "| bytes of a flow | {place} |")?;
        for design in &choice.designs {
            let run = of(runs, "fill", design).next();
            let run = run.with_context(|| format!("{design} was not filled"))?;
            write!(text, " {:.0} |  |", run.bytes as f64 / run.flows as f64)?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// The runs of an operation with a design.
fn of<'a>(runs: &'a [Run], operation: &'a str, design: &'a str) -> impl Iterator<Item = &'a Run> {
    runs.iter()
        .filter(move |run| run.operation == operation && run.design == design)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(operation: &str, design: &str, ns: f64) -> Run {
        Run {
            operation: operation.into(),
            design: design.into(),
            flows: 1_000,
            ns,
            bytes: 64_000,
            checksum: "1".into(),
        }
    }

    #[test]
    fn designs_stand_side_by_side_and_must_agree() {
        let choice = Choice {
            operations: vec!["find".into(), "fill".into()],
            designs: vec!["a".into(), "b".into()],
        };
        let mut runs = vec![
            run("find", "a", 40.0),
            run("find", "a", 60.0),
            run("find", "b", 100.0),
            run("fill", "a", 200.0),
            run("fill", "b", 500.0),
        ];
        let mut browser: Vec<Run> = runs.clone();
        browser[2].ns = 250.0;
        let text = table(&choice, &runs, &browser).unwrap();
        for line in [
            "| find | native | 50 (40–60) | 20.00 | 100 (100–100) | 10.00 |\n",
            "| find | Chromium | 50 (40–60) | 20.00 | 250 (250–250) | 4.00 |\n",
            "| bytes of a flow | native | 64 |  | 64 |  |\n",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let alone = table(&choice, &runs, &[]).unwrap();
        assert!(!alone.contains("Chromium"), "{alone}");
        // A browser that finds other flows is wrong, whatever the two designs say there.
        browser[2].checksum = "2".into();
        assert_eq!(
            table(&choice, &runs, &browser).unwrap_err().to_string(),
            "the tables found different flows in find"
        );
        runs[2].checksum = "2".into();
        assert!(table(&choice, &runs, &[]).is_err());
        assert_eq!(table(&choice, &[], &[]).unwrap(), "");
    }
}

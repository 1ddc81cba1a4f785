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

/// The medians as Markdown; none for no runs.
///
/// # Errors
/// When two runs of an operation found different flows.
pub fn table(choice: &Choice, runs: &[Run]) -> Result<String> {
    let Some(first) = runs.first() else {
        return Ok(String::new());
    };
    let mut text = format!(
        "\n### Flow tables\n\n{} flows, random order, medians of ns (least to most) and millions of operations a second.\n\n\
         | Operation | {} |\n|---|{}\n",
        count(first.flows),
        choice
            .designs
            .iter()
            .map(|design| format!("{design}, ns | M/s"))
            .collect::<Vec<_>>()
            .join(" | "),
        "--:|".repeat(2 * choice.designs.len())
    );
    for operation in &choice.operations {
        let of: Vec<&Run> = runs.iter().filter(|run| run.operation == *operation).collect();
        let first = of.first().with_context(|| format!("{operation} was not run"))?;
        if of.iter().any(|run| run.checksum != first.checksum) {
            bail!("the tables found different flows in {operation}");
        }
        write!(text, "| {operation} |")?;
        for design in &choice.designs {
            let ns = of.iter().filter(|run| run.design == *design).map(|run| run.ns);
            let spread = Spread::of(ns).with_context(|| format!("{design} did not do {operation}"))?;
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
    write!(text, "| bytes of a flow |")?;
    for design in &choice.designs {
        let of = runs
            .iter()
            .find(|run| run.design == *design && run.operation == "fill");
        let run = of.with_context(|| format!("{design} was not filled"))?;
        write!(text, " {:.0} |  |", run.bytes as f64 / run.flows as f64)?;
    }
    text.push('\n');
    Ok(text)
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
        let text = table(&choice, &runs).unwrap();
        assert!(
            text.contains("| find | 50 (40–60) | 20.00 | 100 (100–100) | 10.00 |\n"),
            "{text}"
        );
        assert!(text.ends_with("| bytes of a flow | 64 |  | 64 |  |\n"), "{text}");
        runs[2].checksum = "2".into();
        assert_eq!(
            table(&choice, &runs).unwrap_err().to_string(),
            "the tables found different flows in find"
        );
        assert_eq!(table(&choice, &[]).unwrap(), "");
    }
}

//! Event queues compared on recorded streams.

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::report::count;
use super::spread::Spread;

/// What can be compared.
#[derive(Clone, Debug, Deserialize)]
pub struct Choice {
    /// Recorded streams.
    pub streams: Vec<String>,
    /// Designs of queues.
    pub designs: Vec<String>,
}

/// One design on one stream.
#[derive(Clone, Debug, Deserialize)]
pub struct Hold {
    /// The stream.
    pub stream: String,
    /// The design.
    pub design: String,
    /// Events waiting.
    pub waiting: u64,
    /// Time to take an event and to schedule what it schedules.
    pub ns: f64,
    /// Of what came out, in order.
    pub checksum: String,
}

/// The medians as Markdown; none for no runs.
///
/// # Errors
/// When two runs on a stream gave different orders.
pub fn table(choice: &Choice, holds: &[Hold]) -> Result<String> {
    if holds.is_empty() {
        return Ok(String::new());
    }
    let mut text = format!(
        "\n### Event queues\n\n| Stream | Waiting | {} |\n|---|--:|{}\n",
        choice.designs.join(", ns | ") + ", ns",
        "--:|".repeat(choice.designs.len())
    );
    for stream in &choice.streams {
        let of_stream: Vec<&Hold> = holds.iter().filter(|hold| hold.stream == *stream).collect();
        let first = of_stream
            .first()
            .with_context(|| format!("no queue was run on {stream}"))?;
        if let Some(other) = of_stream.iter().find(|hold| hold.checksum != first.checksum) {
            bail!(
                "on {stream} the queues {} and {} give different orders",
                first.design,
                other.design
            );
        }
        write!(text, "| {stream} | {} |", count(first.waiting))?;
        for design in &choice.designs {
            let ns = of_stream
                .iter()
                .filter(|hold| hold.design == *design)
                .map(|hold| hold.ns);
            let spread = Spread::of(ns).with_context(|| format!("{design} was not run on {stream}"))?;
            write!(
                text,
                " {:.0} ({:.0}–{:.0}) |",
                spread.median, spread.min, spread.max
            )?;
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(design: &str, ns: f64, checksum: &str) -> Hold {
        Hold {
            stream: "s".into(),
            design: design.into(),
            waiting: 5_120,
            ns,
            checksum: checksum.into(),
        }
    }

    #[test]
    fn designs_stand_side_by_side_and_must_agree() {
        let choice = Choice {
            streams: vec!["s".into()],
            designs: vec!["a".into(), "b".into()],
        };
        let mut holds = vec![hold("a", 40.0, "1"), hold("b", 90.0, "1"), hold("a", 50.0, "1")];
        let text = table(&choice, &holds).unwrap();
        assert!(text.contains("| Stream | Waiting | a, ns | b, ns |\n"), "{text}");
        assert!(text.contains("| s | 5,120 | 45 (40–50) | 90 (90–90) |"), "{text}");
        holds.push(hold("b", 90.0, "2"));
        let error = table(&choice, &holds).unwrap_err().to_string();
        assert_eq!(error, "on s the queues a and b give different orders");
        assert_eq!(table(&choice, &[]).unwrap(), "");
    }
}

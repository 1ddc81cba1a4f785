//! Where the results of many runs go.

use crate::failure::Failure;
use crate::json::Sink;
use crate::output::{complain, print};
use std::io::{self, Write};
use std::path::Path;

/// Where the results go.
pub struct Sinks {
    /// All of them, as JSON.
    pub json: Option<Sink>,
    /// The runs, as comma-separated values.
    pub csv: Option<Sink>,
}

impl Sinks {
    /// Makes sure, before anything is computed, that the results can be written.
    ///
    /// # Errors
    /// When they cannot, or both would go to the same place.
    pub fn check(json: Option<&Path>, csv: Option<&Path>) -> Result<Sinks, Failure> {
        if json.is_some() && json == csv {
            return Err(Failure::Input(
                "error: --json and --csv name the same place; expected two".into(),
            ));
        }
        Ok(Sinks {
            json: json.map(Sink::check).transpose()?,
            csv: csv.map(Sink::check).transpose()?,
        })
    }

    /// Prints the summary, where there is to be one, and writes the results.
    ///
    /// # Errors
    /// When something cannot be written; everything else is written all the same.
    pub fn write(
        &self,
        summary: Option<&str>,
        json: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        csv: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let mut outcome = summary.map_or(Ok(()), |text| self.summary(text));
        // What could not be written in one place is no reason to lose the others.
        if let Some(sink) = &self.json {
            outcome = sink.write_with(json).and(outcome);
        }
        if let Some(sink) = &self.csv {
            outcome = sink
                .write_with(|out| out.write_all(csv().as_bytes()))
                .and(outcome);
        }
        outcome
    }

    /// Prints the summary, where it is not in the way of results.
    ///
    /// # Errors
    /// When standard output cannot be written.
    fn summary(&self, text: &str) -> Result<(), Failure> {
        if [&self.json, &self.csv]
            .iter()
            .any(|sink| matches!(sink, Some(Sink::Stdout)))
        {
            complain(text.trim_end());
            return Ok(());
        }
        print(text)
    }
}

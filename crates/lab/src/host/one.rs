//! One run of a sweep over a host, and all of them as a table.

use super::Figure;
use crate::row::{plain, quoted};
use host::{BuildError, Run};
use kernel::Time;
use scenario::host::HostScenario;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Events between two looks at Cancel: some milliseconds.
const SLICE: u64 = 16_384;

/// Figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct HostResult {
    /// The run's digest.
    pub digest: u64,
    /// Simulated time at the end, in µs.
    pub sim_us: f64,
    /// Events worked off.
    pub events: u64,
    /// Each of [`Figure::ALL`]; none where the run has none.
    pub figures: [Option<f64>; Figure::ALL.len()],
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct HostRow {
    /// Its place in the plan, from 0.
    pub run: usize,
    /// The value of the varied field; none where no field is varied.
    pub value: Option<Value>,
    /// Its seed.
    pub seed: u64,
    /// What came out, or why nothing did.
    pub result: Result<HostResult, String>,
}

/// Runs a scenario to its end. None when `go_on` stopped it; it is told how far the run is, 0 to 1.
///
/// # Errors
/// When the scenario cannot be run.
pub fn run_host(
    scenario: &HostScenario,
    mut go_on: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<HostResult>, BuildError> {
    let mut run = match Run::new_unless(scenario, &mut || go_on(0.0).is_break()) {
        Err(BuildError::Stopped) => return Ok(None),
        built => built?,
    };
    while !run.is_finished() {
        let share = run.now().0 as f64 / scenario.until.0.max(1) as f64;
        if go_on(share.min(1.0)).is_break() {
            return Ok(None);
        }
        run.run_events(SLICE, Time::MAX);
    }
    Ok(Some(HostResult {
        digest: run.digest(),
        sim_us: run.now().as_us(),
        events: run.events(),
        figures: Figure::ALL.map(|figure| figure.of(&run)),
    }))
}

impl Serialize for HostRow {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("run", &self.run)?;
        if let Some(value) = &self.value {
            map.serialize_entry("value", value)?;
        }
        map.serialize_entry("seed", &self.seed)?;
        match &self.result {
            Err(failed) => map.serialize_entry("failed", failed)?,
            Ok(result) => {
                map.serialize_entry("digest", &format_args!("{:016x}", result.digest))?;
                map.serialize_entry("sim_us", &result.sim_us)?;
                map.serialize_entry("events", &result.events)?;
                for (figure, value) in Figure::ALL.iter().zip(&result.figures) {
                    map.serialize_entry(figure.field(), value)?;
                }
            }
        }
        map.end()
    }
}

/// The rows as comma-separated values, one line a run, with the figures' names as in JSON. What a run does not have is empty;
/// `digest` of a run that failed is `failed: ` and the reason.
pub fn csv(rows: &[HostRow]) -> String {
    let mut text = String::from("run,value,seed,digest,sim_us,events");
    for figure in Figure::ALL {
        let _ = write!(text, ",{}", figure.field());
    }
    text.push('\n');
    for row in rows {
        let value = row.value.as_ref().map(plain).unwrap_or_default();
        let _ = write!(text, "{},{},{},", row.run, quoted(&value), row.seed);
        match &row.result {
            Err(failed) => {
                let _ = write!(text, "{},,", quoted(&format!("failed: {failed}")));
                text.push_str(&",".repeat(Figure::ALL.len()));
            }
            Ok(result) => {
                let _ = write!(text, "{:016x},{},{}", result.digest, result.sim_us, result.events);
                for value in result.figures {
                    let _ = match value {
                        Some(value) => write!(text, ",{value}"),
                        None => write!(text, ","),
                    };
                }
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::find_host_preset;

    fn ran() -> HostResult {
        let scenario = find_host_preset("host-first-packet").unwrap().scenario();
        run_host(&scenario, |_| ControlFlow::Continue(()))
            .unwrap()
            .unwrap()
    }

    #[test]
    fn a_run_in_a_sweep_is_the_run_by_itself() {
        let scenario = find_host_preset("host-first-packet").unwrap().scenario();
        let mut alone = Run::new(&scenario).unwrap();
        alone.run_until(Time::MAX);
        let result = ran();
        assert_eq!((result.digest, result.events), (alone.digest(), alone.events()));
        assert_eq!(result.sim_us, 5_000.0);
        assert_eq!(run_host(&scenario, |_| ControlFlow::Break(())).unwrap(), None);
    }

    #[test]
    fn every_line_has_as_many_fields_as_the_head() {
        let row = |result| HostRow {
            run: 0,
            value: Some(Value::from("a,b")),
            seed: 7,
            result,
        };
        let text = csv(&[row(Ok(ran())), row(Err("no memory".into()))]);
        let fields: Vec<usize> = text
            .replace("\"a,b\"", "ab")
            .lines()
            .map(|line| line.split(',').count())
            .collect();
        assert_eq!(fields, [6 + Figure::ALL.len(); 3], "{text}");
        let json = serde_json::to_value(row(Ok(ran()))).unwrap();
        assert_eq!((&json["opened_share"], &json["seed"]), (&1.0.into(), &7.into()));
        assert!(json["synthetic_mean_us"].is_null());
        let json = serde_json::to_value(row(Err("no memory".into()))).unwrap();
        assert_eq!(json["failed"], "no memory");
    }
}

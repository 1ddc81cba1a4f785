//! What came out of one run of a sweep, and all of them as a table.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its place in the plan, from 0.
    pub run: usize,
    /// The value of the varied field; none where no field is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Its seed.
    pub seed: u64,
    /// What came out.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    /// It ran to its end.
    Done(RunResult),
    /// It could not be built, or whoever computed it broke down.
    Failed {
        /// Why.
        failed: String,
    },
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Every flow was complete.
    Finished,
    /// The scenario's end came first.
    Until,
    /// Every flow was over, and some had failed.
    Failed,
}

/// Figures of one run that ran to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Why it ended.
    pub end: End,
    /// The run's digest.
    #[serde(with = "hex")]
    pub digest: u64,
    /// Simulated time at the end, in µs.
    pub sim_us: f64,
    /// Flows in the scenario.
    pub flows: u64,
    /// Flows that finished.
    pub finished: u64,
    /// Completion times of those; none when no flow finished.
    pub fct_us: Option<Fct>,
    /// Placed bytes of all flows over the time from the first posting to the end of the run, in Gb/s.
    pub goodput_gbps: f64,
    /// Packets dropped, for whatever reason.
    pub drops: u64,
    /// Data packets trimmed, the last hop included.
    pub trims: u64,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// Completed link crossings.
    pub packet_hops: u64,
    /// Events processed.
    pub events: u64,
}

/// Completion times of a run's finished flows in µs, from posting to the last acknowledgement; by nearest rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fct {
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Longest.
    pub max: f64,
}

impl Row {
    /// The figures; none when the run failed.
    pub fn result(&self) -> Option<&RunResult> {
        match &self.outcome {
            Outcome::Done(result) => Some(result),
            Outcome::Failed { .. } => None,
        }
    }
}

/// A digest is 16 hex digits in files: not every reader of JSON keeps 64 bits.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(digest: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{digest:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16)
            .map_err(|_| de::Error::invalid_value(de::Unexpected::Str(&text), &"16 hex digits"))
    }
}

const HEAD: &str = "run,value,seed,end,digest,sim_us,flows,finished,fct_p50_us,fct_p99_us,fct_max_us,\
                    goodput_gbps,drops,trims,retransmissions,packet_hops,events\n";

/// The rows as comma-separated values with units in the head, one line a run. `value` is empty where no field is
/// varied, and what a run did not get to know is empty; `end` of a failed run is `failed: ` and the reason.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(HEAD);
    for row in rows {
        let value = row.value.as_ref().map(plain).unwrap_or_default();
        let _ = write!(text, "{},{},{},", row.run, quoted(&value), row.seed);
        let _ = match &row.outcome {
            Outcome::Failed { failed } => {
                writeln!(text, "{},,,,,,,,,,,,,", quoted(&format!("failed: {failed}")))
            }
            Outcome::Done(r) => {
                let end = match r.end {
                    End::Finished => "finished",
                    End::Until => "until",
                    End::Failed => "flows failed",
                };
                let [p50, p99, max] = match r.fct_us {
                    Some(t) => [t.p50, t.p99, t.max].map(|us| us.to_string()),
                    None => Default::default(),
                };
                writeln!(
                    text,
                    "{end},{:016x},{},{},{},{p50},{p99},{max},{},{},{},{},{},{}",
                    r.digest,
                    r.sim_us,
                    r.flows,
                    r.finished,
                    r.goodput_gbps,
                    r.drops,
                    r.trims,
                    r.retransmissions,
                    r.packet_hops,
                    r.events
                )
            }
        };
    }
    text
}

/// A value without the quotes that JSON puts around text.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A field in quotes where it needs them (RFC 4180).
pub(crate) fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run whose completion times and counters follow from `n`.
    pub(crate) fn done(run: usize, n: u32) -> Row {
        let us = f64::from(n);
        Row {
            run,
            value: None,
            seed: run as u64,
            outcome: Outcome::Done(RunResult {
                end: End::Finished,
                digest: u64::MAX - u64::from(n),
                sim_us: us * 4.0,
                flows: 2,
                finished: 2,
                fct_us: Some(Fct {
                    p50: us,
                    p99: us * 2.0,
                    max: us * 3.0,
                }),
                goodput_gbps: us / 2.0,
                drops: u64::from(n),
                trims: 0,
                retransmissions: 5,
                packet_hops: 6,
                events: 7,
            }),
        }
    }

    pub(crate) fn failed(run: usize, why: &str) -> Row {
        Row {
            outcome: Outcome::Failed { failed: why.into() },
            ..done(run, 1)
        }
    }

    #[test]
    fn rows_survive_json_with_all_their_bits() {
        for row in [done(0, 1), failed(1, "out of memory")] {
            let text = serde_json::to_string(&row).unwrap();
            assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row, "{text}");
        }
        let text = serde_json::to_string(&done(0, 1)).unwrap();
        assert!(text.contains(r#""digest":"fffffffffffffffe""#), "{text}");
        let text = text.replace("fffffffffffffffe", "x");
        assert!(serde_json::from_str::<Row>(&text).is_err());
    }

    #[test]
    fn every_line_of_the_table_has_as_many_fields_as_its_head() {
        let mut unfinished = done(2, 3);
        if let Outcome::Done(result) = &mut unfinished.outcome {
            (result.end, result.fct_us, result.finished) = (End::Until, None, 0);
        }
        unfinished.value = Some(Value::from("100Gbps"));
        let text = csv(&[done(0, 4), failed(1, "a; b"), unfinished]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "0,,0,finished,fffffffffffffffb,16,2,2,4,8,12,2,4,0,5,6,7"
        );
        assert_eq!(lines[2], "1,,1,failed: a; b,,,,,,,,,,,,,");
        assert_eq!(
            lines[3],
            "2,100Gbps,2,until,fffffffffffffffc,12,2,0,,,,1.5,3,0,5,6,7"
        );
        let fields = lines[0].split(',').count();
        assert!(
            lines.iter().all(|line| line.split(',').count() == fields),
            "{text}"
        );
    }

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("a,\"b\"\nc"), "\"a,\"\"b\"\"\nc\"");
        assert_eq!(quoted("plain"), "plain");
    }
}

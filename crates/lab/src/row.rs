//! What came out of one run of a sweep, and all of them as a table.

use crate::dip::{Before, Dip};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim::summary::CompletionTimes;
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
    Done(Box<RunResult>),
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
    /// Completion times of those, from posting to the last acknowledgement; none when no flow finished.
    pub fct_us: Option<Quantiles>,
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
    /// Times of the complete steps of all jobs, from posting to the completion of the slowest transfer; none where there is none.
    pub step_us: Option<Quantiles>,
    /// What the first fault did; none where it is not known.
    pub dip: Option<Dip>,
    /// What priority flow control did; none where there is none.
    pub pfc: Option<PfcResult>,
    /// Congestion notifications sent; none where the protocol has none.
    pub cnps: Option<u64>,
}

impl RunResult {
    /// Whether it came to a deadlock of paused links.
    pub fn deadlocked(&self) -> bool {
        self.pfc.is_some_and(|pfc| pfc.deadlock_us.is_some())
    }
}

/// What priority flow control did in a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PfcResult {
    /// PAUSE frames sent, those that say to go on not counted.
    pub pauses: u64,
    /// Share of the run that a link was paused, the mean over all directed links, in %.
    pub paused_percent: f64,
    /// When a deadlock was found, µs; none where there was none.
    pub deadlock_us: Option<f64>,
}

/// Times of a run in µs, by nearest rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Longest.
    pub max: f64,
}

impl From<CompletionTimes> for Quantiles {
    fn from(times: CompletionTimes) -> Quantiles {
        let CompletionTimes { p50, p99, max, .. } = times;
        Quantiles { p50, p99, max }
    }
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
                    goodput_gbps,drops,trims,retransmissions,packet_hops,events,step_p50_us,step_p99_us,step_max_us,\
                    fault_us,before_gbps,before_bin_us,before_step_us,dip_depth_percent,dip_lost_us,dip_recovery_us,\
                    pauses,paused_percent,deadlock_us,cnps\n";

/// The rows as comma-separated values with units in the head, one line a run. `value` is empty where no field is
/// varied, and what a run did not get to know is empty; `end` of a failed run is `failed: ` and the reason.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(HEAD);
    let after_end = HEAD.split(',').count() - 4;
    for row in rows {
        let value = row.value.as_ref().map(plain).unwrap_or_default();
        let _ = write!(text, "{},{},{},", row.run, quoted(&value), row.seed);
        let _ = match &row.outcome {
            Outcome::Failed { failed } => {
                let end = quoted(&format!("failed: {failed}"));
                writeln!(text, "{end}{}", ",".repeat(after_end))
            }
            Outcome::Done(run) => writeln!(text, "{}", fields(run).join(",")),
        };
    }
    text
}

/// The fields of a run, from `end` on.
fn fields(r: &RunResult) -> Vec<String> {
    let end = match r.end {
        End::Finished => "finished",
        End::Until => "until",
        End::Failed => "flows failed",
    };
    let mut fields = vec![
        end.to_owned(),
        format!("{:016x}", r.digest),
        r.sim_us.to_string(),
        r.flows.to_string(),
        r.finished.to_string(),
    ];
    fields.extend(quantiles(r.fct_us));
    fields.push(r.goodput_gbps.to_string());
    fields.extend([r.drops, r.trims, r.retransmissions, r.packet_hops, r.events].map(|n| n.to_string()));
    fields.extend(quantiles(r.step_us));
    let dip = r.dip.as_ref();
    let (level, bin, step) = match dip.map(|dip| &dip.before) {
        Some(&Before::Goodput { level_gbps, bin_us }) => (Some(level_gbps), Some(bin_us), None),
        Some(&Before::Steps { step_us }) => (None, None, Some(step_us)),
        None => (None, None, None),
    };
    fields.extend([
        known(dip.map(|dip| dip.fault_us)),
        known(level),
        known(bin),
        known(step),
        known(dip.map(|dip| dip.depth_percent)),
        known(dip.map(|dip| dip.lost_us)),
        known(dip.and_then(|dip| dip.recovery_us)),
        known(r.pfc.map(|pfc| pfc.pauses)),
        known(r.pfc.map(|pfc| pfc.paused_percent)),
        known(r.pfc.and_then(|pfc| pfc.deadlock_us)),
        known(r.cnps),
    ]);
    fields
}

fn quantiles(times: Option<Quantiles>) -> [String; 3] {
    let all = times.map(|t| [t.p50, t.p99, t.max]);
    [0, 1, 2].map(|n| known(all.map(|all| all[n])))
}

/// What is not known is empty.
fn known(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
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
            outcome: Outcome::Done(Box::new(RunResult {
                end: End::Finished,
                digest: u64::MAX - u64::from(n),
                sim_us: us * 4.0,
                flows: 2,
                finished: 2,
                fct_us: Some(Quantiles {
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
                step_us: None,
                dip: None,
                pfc: None,
                cnps: None,
            })),
        }
    }

    pub(crate) fn failed(run: usize, why: &str) -> Row {
        Row {
            outcome: Outcome::Failed { failed: why.into() },
            ..done(run, 1)
        }
    }

    /// A run that has everything that there is only in some.
    pub(crate) fn eventful(run: usize, before: Before) -> Row {
        let mut row = done(run, 1);
        if let Outcome::Done(result) = &mut row.outcome {
            result.step_us = Some(Quantiles {
                p50: 10.5,
                p99: 11.5,
                max: 12.5,
            });
            result.dip = Some(Dip {
                fault_us: 100.0,
                before,
                depth_percent: 60.0,
                lost_us: 18.0,
                recovery_us: None,
            });
            result.pfc = Some(PfcResult {
                pauses: 8,
                paused_percent: 0.25,
                deadlock_us: Some(400.0),
            });
            result.cnps = Some(9);
        }
        row
    }

    const BINS: Before = Before::Goodput {
        level_gbps: 99.5,
        bin_us: 20.0,
    };

    #[test]
    fn rows_survive_json_with_all_their_bits() {
        let steps = Before::Steps { step_us: 50.5 };
        for row in [
            done(0, 1),
            failed(1, "out of memory"),
            eventful(2, BINS),
            eventful(3, steps),
        ] {
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
        let steps = Before::Steps { step_us: 50.5 };
        let text = csv(&[
            done(0, 4),
            failed(1, "a; b"),
            unfinished,
            eventful(3, BINS),
            eventful(4, steps),
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "0,,0,finished,fffffffffffffffb,16,2,2,4,8,12,2,4,0,5,6,7,,,,,,,,,,,,,,"
        );
        assert_eq!(lines[2], format!("1,,1,failed: a; b{}", ",".repeat(27)));
        assert_eq!(
            lines[3],
            "2,100Gbps,2,until,fffffffffffffffc,12,2,0,,,,1.5,3,0,5,6,7,,,,,,,,,,,,,,"
        );
        assert!(
            lines[4].ends_with(",10.5,11.5,12.5,100,99.5,20,,60,18,,8,0.25,400,9"),
            "{text}"
        );
        assert!(
            lines[5].ends_with(",10.5,11.5,12.5,100,,,50.5,60,18,,8,0.25,400,9"),
            "{text}"
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

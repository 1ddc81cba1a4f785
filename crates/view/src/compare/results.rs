//! The figures of several runs in a table, with what each is beside the first.

use crate::message::Report;
use crate::units;

/// What one run has come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Its figures.
    pub report: Report,
    /// Flows in all.
    pub flows: u32,
    /// How long the steps of its jobs communicated, in ps: those that were kept.
    pub steps_ps: Vec<u64>,
}

/// A line of the table.
#[derive(Clone, Debug)]
pub struct Figure {
    /// A name for tests.
    pub slug: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// A value for each run; none where there is none yet.
    pub values: Vec<Option<f64>>,
    /// A value in words.
    words: fn(f64) -> String,
}

impl Figure {
    /// The value of a run in words.
    pub fn value(&self, run: usize) -> String {
        match self.values.get(run).copied().flatten() {
            Some(value) => (self.words)(value),
            None => "–".into(),
        }
    }

    /// How much more the run has than the first, with its sign; none where either has no value.
    pub fn difference(&self, run: usize) -> Option<String> {
        let more = (*self.values.get(run)?)? - self.values[0]?;
        let sign = if more > 0.0 {
            "+"
        } else if more < 0.0 {
            "−"
        } else {
            "±"
        };
        Some(format!("{sign}{}", (self.words)(more.abs())))
    }

    /// The run's value divided by the first's; none where either is missing, or where the first is 0.
    pub fn ratio(&self, run: usize) -> Option<f64> {
        let (value, first) = ((*self.values.get(run)?)?, self.values[0]?);
        (first > 0.0).then(|| value / first)
    }
}

/// The lines of the table. A line that is 0 or missing in every run is left out, except where it is a result.
pub fn figures(runs: &[Outcome]) -> Vec<Figure> {
    let count = |value: f64| units::count(value as u64);
    let figure = |slug, name, doc, words: fn(f64) -> String, of: &dyn Fn(&Outcome) -> Option<f64>| Figure {
        slug,
        name,
        doc,
        values: runs.iter().map(of).collect(),
        words,
    };
    let counted = |slug, name, doc, of: fn(&Report) -> u64| {
        figure(slug, name, doc, count, &move |run| Some(of(&run.report) as f64))
    };
    let fct = |slug, name, doc, number: usize| {
        figure(slug, name, doc, units::span, &move |run| {
            Some(run.report.fct_ps?[number] as f64)
        })
    };
    let mut all = vec![
        figure(
            "time",
            "time",
            "Simulated time: where it ended, of a run that is over",
            units::span,
            &|run| Some(run.report.now_ps as f64),
        ),
        figure(
            "goodput",
            "mean goodput",
            "Message bits placed, by the time that has passed",
            units::rate,
            &|run| {
                let now = run.report.now_ps;
                (now > 0).then(|| run.report.placed_bytes as f64 * 8e12 / now as f64)
            },
        ),
        counted(
            "flows",
            "flows complete",
            "Flows whose messages are all complete",
            |r| u64::from(r.flows_done),
        ),
        counted("failed", "flows failed", "Flows whose QP is in ERROR", |r| {
            u64::from(r.flows_failed)
        }),
        fct(
            "fct-p50",
            "FCT p50",
            "Completion time of the flows that are complete: the median",
            0,
        ),
        fct("fct-p99", "FCT p99", "The same: 99th percentile", 1),
        fct("fct-max", "FCT max", "The same: the slowest", 2),
        figure(
            "step-mean",
            "step time, mean",
            "How long the steps of jobs communicated, those that were kept",
            units::span,
            &|run| {
                let steps = &run.steps_ps;
                (!steps.is_empty())
                    .then(|| steps.iter().map(|&ps| ps as f64).sum::<f64>() / steps.len() as f64)
            },
        ),
        figure(
            "step-max",
            "step time, max",
            "The same: the longest",
            units::span,
            &|run| Some(run.steps_ps.iter().copied().max()? as f64),
        ),
        counted(
            "drops",
            "dropped",
            "Packets lost in the network, for any reason, probes included",
            Report::packets_dropped,
        ),
        counted(
            "probes-dropped",
            "of them probes",
            "Those of them that were probes of EVs (entropy values, each a path) and of links, or answers to them: they find out whether a path works again",
            |r| r.probes_dropped,
        ),
        counted("trims", "trimmed", "Data packets trimmed in switches", |r| {
            r.trims + r.trims_last_hop
        }),
        counted(
            "retransmissions",
            "retransmissions",
            "Data packets sent again",
            |r| r.retransmissions,
        ),
        counted(
            "pauses",
            "PAUSE frames",
            "PFC's frames that stop data on a link, those that let it go on not counted",
            |r| r.pfc.as_ref().map_or(0, |pfc| pfc.pauses),
        ),
        figure(
            "paused",
            "paused in all",
            "Time that links were paused, all of them together",
            units::span,
            &|run| Some(run.report.pfc.as_ref()?.paused_ps as f64),
        ),
        counted(
            "ecn-marks",
            "ECN marks",
            "Data packets that got an ECN mark",
            |r| r.ecn_marks,
        ),
    ];
    const RESULTS: [&str; 5] = ["time", "goodput", "flows", "drops", "retransmissions"];
    all.retain(|figure| {
        RESULTS.contains(&figure.slug) || figure.values.iter().flatten().any(|&value| value != 0.0)
    });
    all
}

impl Report {
    /// Packets lost, for any reason, probes included: what the lane of drops comes to.
    pub fn packets_dropped(&self) -> u64 {
        self.drops.iter().map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(now_ps: u64, placed_bytes: u64, retransmissions: u64, fct_ps: Option<[u64; 3]>) -> Outcome {
        Outcome {
            report: Report {
                now_ps,
                placed_bytes,
                retransmissions,
                fct_ps,
                ..Report::default()
            },
            ..Outcome::default()
        }
    }

    #[test]
    fn each_is_set_against_the_first() {
        const US: u64 = 1_000_000;
        // 1 MB in 100 µs is 80 Gb/s; in 50 µs it is 160 Gb/s.
        let runs = [
            run(100 * US, 1_000_000, 0, Some([40 * US, 90 * US, 100 * US])),
            run(50 * US, 1_000_000, 12, None),
        ];
        let all = figures(&runs);
        let of = |slug: &str| all.iter().find(|figure| figure.slug == slug).unwrap();
        assert_eq!(of("goodput").values, [Some(80e9), Some(160e9)]);
        assert_eq!(of("goodput").ratio(1), Some(2.0));
        assert_eq!(
            of("goodput").difference(1).unwrap(),
            format!("+{}", units::rate(80e9))
        );
        assert_eq!(
            of("time").difference(1).unwrap(),
            format!("−{}", units::span(50e6))
        );
        assert_eq!(of("drops").difference(1).unwrap(), "±0");
        assert_eq!(
            of("retransmissions").ratio(1),
            None,
            "twelve times nothing is no ratio"
        );
        assert_eq!(of("retransmissions").difference(1).unwrap(), "+12");
        assert_eq!(
            (of("fct-max").difference(1), of("fct-max").ratio(1)),
            (None, None)
        );
        assert_eq!(of("fct-max").value(1), "–");
        assert_eq!(of("fct-max").value(0), units::span(100e6));
        assert!(
            all.iter().all(|figure| figure.slug != "trims"),
            "what no run has is left out"
        );
        assert!(all.iter().all(|figure| figure.slug != "step-mean"));
    }

    #[test]
    fn lost_probes_have_a_line_of_their_own() {
        let mut one = run(1, 0, 0, None);
        one.report.drops = vec![("link_down".into(), 30), ("queue_full".into(), 5)];
        one.report.probes_dropped = 12;
        let all = figures(&[one.clone(), run(1, 0, 0, None)]);
        let of = |slug: &str| all.iter().find(|figure| figure.slug == slug).unwrap();
        assert_eq!(of("drops").values, [Some(35.0), Some(0.0)]);
        assert_eq!(of("probes-dropped").values, [Some(12.0), Some(0.0)]);
    }

    #[test]
    fn pauses_are_counted_where_a_run_has_pfc() {
        let mut one = run(1, 0, 0, None);
        one.report.pfc = Some(crate::message::PfcTotals {
            pauses: 7,
            paused_ps: 3_000_000,
            ..Default::default()
        });
        let all = figures(&[one, run(1, 0, 0, None)]);
        let of = |slug: &str| all.iter().find(|figure| figure.slug == slug).unwrap();
        assert_eq!(of("pauses").values, [Some(7.0), Some(0.0)]);
        assert_eq!(
            (of("paused").value(0), of("paused").value(1)),
            (units::span(3e6), "–".into())
        );
    }

    #[test]
    fn steps_have_a_mean_and_a_longest() {
        let mut one = run(1, 0, 0, None);
        one.steps_ps = vec![2_000_000, 4_000_000];
        let all = figures(&[one.clone(), one]);
        let of = |slug: &str| all.iter().find(|figure| figure.slug == slug).unwrap();
        assert_eq!(of("step-mean").values, [Some(3e6); 2]);
        assert_eq!(of("step-max").values, [Some(4e6); 2]);
        assert_eq!(of("step-max").ratio(1), Some(1.0));
    }
}

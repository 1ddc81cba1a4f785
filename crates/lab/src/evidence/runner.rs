//! Runs the experiments, with as many runs at a time as wanted.

use crate::evidence::experiment::{Case, Experiment, Row, Work};
use crate::evidence::fingerprint::fingerprint;
use crate::evidence::host_run::HostRun;
use crate::evidence::keep::{Keep, line, taken};
use crate::evidence::paper::Paper;
use crate::evidence::results::{Evidence, ExperimentResult, RowResult, rule};
use crate::evidence::run::{Run, Stopped};
use crate::evidence::verdict::{Verdict, judge};
use crate::evidence::{accelnet, versus};
use crate::field::with_field;
use crate::parallel::Overall;
use crate::plan::Seeds;
use crate::stats::Stats;
use crate::subject::Subject;
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge, ParallelIterator};
use scenario::Scenario;
use scenario::host::{HostScenario, find_host_preset};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// One run of a case.
pub(crate) struct Job<'a> {
    experiment: usize,
    id: &'static str,
    number: usize,
    /// What is run.
    pub case: &'a Case,
    /// With which seed.
    pub seed: u64,
}

impl Job<'_> {
    /// Which run of all it is: experiment, case, seed.
    pub fn place(&self) -> (String, usize, u64) {
        (self.id.to_owned(), self.number, self.seed)
    }
}

/// What one run of a case yielded: a value for each row, or why there is none.
type Values = Result<Vec<f64>, String>;

/// Runs the experiments with every seed, `jobs` runs at a time (at least one); what `keep` knows is not run again. None when
/// `stop` became true before all were over. `watch` is called by every thread when a run is over, and counts only what is run.
///
/// # Errors
/// When the threads cannot be started; says why.
pub fn run_experiments(
    paper: Paper,
    experiments: &[Experiment],
    seeds: Seeds,
    jobs: usize,
    stop: &AtomicBool,
    keep: &Keep,
    watch: impl Fn(Overall) + Sync,
) -> Result<Option<Evidence>, String> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(jobs.max(1))
        .build()
        .map_err(|error| format!("{jobs} threads cannot be started: {error}"))?;
    let work = work(experiments, seeds);
    let done = AtomicUsize::new(0);
    let missing = taken(experiments, seeds, keep.kept).missing();
    let cancelled = || stop.load(Ordering::Relaxed);
    let mut values: Vec<(usize, Values)> = pool.install(|| {
        work.iter()
            .enumerate()
            .par_bridge()
            .filter_map(|(number, job)| {
                let own = fingerprint(job.case, job.seed);
                let known = own
                    .as_deref()
                    .and_then(|own| keep.kept.values(&job.place(), own, job.case.rows.len()));
                if let Some(values) = known {
                    return Some((number, Ok(values)));
                }
                let values = match run(job, &cancelled) {
                    Ok(values) => {
                        if let Some(own) = own {
                            (keep.finished)(&line(job.place(), own, &values));
                        }
                        Ok(values)
                    }
                    Err(Stopped::Cancelled) => return None,
                    Err(Stopped::Failed(why)) => Err(format!("seed {}: {why}", job.seed)),
                };
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                watch(Overall {
                    done,
                    share: done as f64 / missing.max(1) as f64,
                });
                Some((number, values))
            })
            .collect()
    });
    if values.len() < work.len() {
        return Ok(None);
    }
    values.sort_unstable_by_key(|(number, _)| *number);
    let runs: Vec<(&Job, Values)> = work
        .iter()
        .zip(values.into_iter().map(|(_, values)| values))
        .collect();
    Ok(Some(Evidence {
        paper,
        first_seed: seeds.first,
        seeds: seeds.count,
        experiments: experiments
            .iter()
            .enumerate()
            .map(|(number, experiment)| {
                let of = |case: usize| {
                    runs.iter()
                        .filter(move |(job, _)| (job.experiment, job.number) == (number, case))
                        .map(|(_, values)| values)
                };
                summed_up(experiment, |case| of(case).collect())
            })
            .collect(),
    }))
}

/// Every run: simulations for each seed, computations once.
pub(crate) fn work(experiments: &[Experiment], seeds: Seeds) -> Vec<Job<'_>> {
    let mut work = Vec::new();
    for (experiment, it) in experiments.iter().enumerate() {
        for (number, case) in it.cases.iter().enumerate() {
            let seeds = match case.work {
                Work::Simulate { .. } | Work::Host { .. } | Work::Seeded(_) => seeds.first..=seeds.last(),
                Work::Compute(_) => seeds.first..=seeds.first,
                Work::NotSimulated(_) | Work::Input(_) => continue,
            };
            work.extend(seeds.map(|seed| Job {
                experiment,
                id: it.id,
                number,
                case,
                seed,
            }));
        }
    }
    work
}

fn run(job: &Job, cancelled: &(dyn Fn() -> bool + Sync)) -> Result<Vec<f64>, Stopped> {
    if cancelled() {
        return Err(Stopped::Cancelled);
    }
    let values = match &job.case.work {
        Work::Simulate {
            preset,
            changes,
            measure,
        } => {
            let mut scenario = scenario_of(preset, changes)?;
            scenario.seed = job.seed;
            measure(&mut Run::new(&scenario, cancelled)?)?
        }
        Work::Host {
            preset,
            changes,
            measure,
        } => {
            let mut scenario = host_scenario_of(preset, changes)?;
            scenario.seed = job.seed;
            measure(&mut HostRun::new(&scenario, cancelled)?)?
        }
        Work::Seeded(values) => values(job.seed)?,
        Work::Compute(formula) => formula(),
        Work::NotSimulated(_) | Work::Input(_) => Vec::new(),
    };
    let rows = job.case.rows.len();
    if values.len() != rows {
        return Err(Stopped::Failed(format!(
            "{} values were measured for {rows} rows",
            values.len()
        )));
    }
    Ok(values)
}

/// The preset with other values in some fields.
///
/// # Errors
/// When there is no such preset, or the values make no sense in it.
pub(crate) fn scenario_of(preset: &str, changes: &[(&str, Value)]) -> Result<Scenario, Stopped> {
    let found = scenario::find_preset(preset).ok_or_else(|| unknown(preset))?;
    changed(found.scenario(), changes)
}

/// The same for a preset of a host.
///
/// # Errors
/// As above.
pub(crate) fn host_scenario_of(preset: &str, changes: &[(&str, Value)]) -> Result<HostScenario, Stopped> {
    let found = find_host_preset(preset).ok_or_else(|| unknown(preset))?;
    changed(found.scenario(), changes)
}

fn unknown(preset: &str) -> Stopped {
    Stopped::Failed(format!("there is no preset {preset:?}"))
}

fn changed<S: Subject>(mut scenario: S, changes: &[(&str, Value)]) -> Result<S, Stopped> {
    for (path, value) in changes {
        scenario = with_field(&scenario, path, value, path).map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Stopped::Failed(problems.join("; "))
        })?;
    }
    Ok(scenario)
}

/// The experiment's table; `of` gives the values of the runs of one of its cases.
fn summed_up<'a>(experiment: &Experiment, of: impl Fn(usize) -> Vec<&'a Values>) -> ExperimentResult {
    let mut presets = Vec::new();
    let mut rows = Vec::new();
    for (number, case) in experiment.cases.iter().enumerate() {
        if let Work::Simulate { preset, .. } | Work::Host { preset, .. } = case.work
            && !presets.contains(&preset)
        {
            presets.push(preset);
        }
        rows.extend(case_rows(case, &of(number)));
    }
    ExperimentResult {
        id: experiment.id,
        title: experiment.title,
        source: experiment.source,
        scaling: experiment.scaling,
        measured: experiment.measured,
        answer: accelnet::answer(experiment.id, &rows).or_else(|| versus::answer(experiment.id, &rows)),
        presets,
        rows,
    }
}

fn case_rows(case: &Case, runs: &[&Values]) -> Vec<RowResult> {
    let failure = runs.iter().find_map(|run| run.as_ref().err());
    let row_of = |index: usize, row: &Row| match (&case.work, failure) {
        (Work::NotSimulated(why), _) => result(row, None, Verdict::NotSimulated, (*why).into()),
        (Work::Input(why), _) => result(row, None, Verdict::NotComparable, (*why).into()),
        (_, Some(failure)) => result(row, None, Verdict::Failed, failure.clone()),
        (_, None) => {
            let values: Vec<f64> = runs
                .iter()
                .filter_map(|run| run.as_ref().ok()?.get(index).copied())
                .collect();
            let stats = Stats::of(&values);
            let verdict = judge(row, stats.as_ref());
            let reason = match verdict {
                Verdict::Match => String::new(),
                _ => row.reason.into(),
            };
            result(row, stats, verdict, reason)
        }
    };
    case.rows
        .iter()
        .enumerate()
        .map(|(index, row)| row_of(index, row))
        .collect()
}

fn result(row: &Row, ours: Option<Stats>, verdict: Verdict, reason: String) -> RowResult {
    RowResult {
        quantity: row.quantity.clone(),
        unit: row.unit,
        paper: row.paper.clone(),
        value: row.value,
        known: row.known,
        ratio: ours
            .zip(row.value)
            .filter(|(_, value)| *value != 0.0)
            .map(|(stats, value)| stats.mean / value),
        ours,
        rule: match verdict {
            Verdict::NotSimulated => String::new(),
            _ => rule(&row.accept),
        },
        verdict,
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::experiment::Known;
    use crate::evidence::keep::{KEPT_HEAD, Kept, Taken};
    use serde_json::json;
    use std::sync::Mutex;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn row() -> Row {
        Row::number("goodput", "Gb/s", 100.0, Known::Printed).within(50.0)
    }

    fn experiment(work: Work, rows: Vec<Row>) -> Experiment {
        Experiment {
            id: "x",
            title: "X",
            source: "",
            scaling: "",
            measured: "",
            cases: vec![Case {
                work,
                rows,
                quick: true,
            }],
        }
    }

    /// Goodput of a preset in its first 20 µs, with another message size; with each seed another one.
    fn goodput() -> Work {
        Work::Simulate {
            preset: "incast",
            changes: vec![("traffic[0].bytes", json!("1MB"))],
            measure: Box::new(|run| {
                let total = run.goodput(kernel::Time::ZERO, kernel::Time::from_us(20))?;
                let seed = run.sim().scenario().seed;
                Ok(vec![total, seed as f64])
            }),
        }
    }

    fn table(experiments: &[Experiment], jobs: usize) -> Evidence {
        let seeds = Seeds { first: 3, count: 4 };
        run_experiments(
            Paper::Mrc,
            experiments,
            seeds,
            jobs,
            &NEVER,
            &Keep::nothing(),
            |_| {},
        )
        .expect("threads can be started")
        .expect("nobody stopped it")
    }

    #[test]
    fn each_seed_is_run_and_the_number_of_jobs_does_not_matter() {
        let all = [experiment(goodput(), vec![row(), row()])];
        let (one, three) = (table(&all, 1), table(&all, 3));
        assert_eq!(one, three);
        let rows = &one.experiments[0].rows;
        // Seeds 3 to 6.
        assert_eq!(rows[1].ours.map(|stats| (stats.n, stats.mean)), Some((4, 4.5)));
        assert!(
            rows[0].ours.is_some_and(|stats| stats.min < stats.max),
            "{:?}",
            rows[0]
        );
        assert_eq!(one.experiments[0].presets, ["incast"]);
    }

    #[test]
    fn computations_are_done_once_and_the_ratio_is_ours_by_the_papers() {
        let all = [experiment(Work::Compute(|| vec![120.0]), vec![row()])];
        let table = table(&all, 2);
        let row = &table.experiments[0].rows[0];
        assert_eq!(row.ours.map(|stats| (stats.n, stats.ci95)), Some((1, None)));
        assert_eq!((row.ratio, row.verdict), (Some(1.2), Verdict::Match));
    }

    #[test]
    fn what_has_no_value_says_why() {
        let all = [
            experiment(Work::NotSimulated("not yet"), vec![row()]),
            experiment(Work::Input("they put it in"), vec![row()]),
        ];
        let table = table(&all, 1);
        let found: Vec<(Verdict, &str)> = table
            .rows()
            .map(|(_, row)| (row.verdict, row.reason.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (Verdict::NotSimulated, "not yet"),
                (Verdict::NotComparable, "they put it in")
            ]
        );
        assert_eq!(table.faults(), [] as [String; 0]);
    }

    #[test]
    fn a_run_that_fails_is_told_and_so_is_a_difference_without_a_reason() {
        let simulate = |preset, changes| Work::Simulate {
            preset,
            changes,
            measure: Box::new(|_| Ok(vec![1.0])),
        };
        let all = [
            experiment(simulate("none", Vec::new()), vec![row()]),
            experiment(
                simulate("incast", vec![("fabric.planes", json!(99))]),
                vec![row()],
            ),
            experiment(simulate("incast", Vec::new()), vec![row(), row()]),
            experiment(simulate("incast", Vec::new()), vec![row()]),
            experiment(simulate("incast", Vec::new()), vec![row().because("known")]),
        ];
        let faults = table(&all, 2).faults();
        let expected = [
            "a run failed: seed 3: there is no preset \"none\"",
            "a run failed: seed 3: fabric.planes: fabric.planes: is 99; expected 1 to 8",
            "a run failed: seed 3: 1 values were measured for 2 rows",
            "a run failed: seed 3: 1 values were measured for 2 rows",
            "differs from the paper, and no reason is given",
        ];
        assert_eq!(faults.len(), expected.len(), "{faults:?}");
        for (fault, expected) in faults.iter().zip(expected) {
            assert!(fault.contains(expected), "{fault}");
        }
    }

    #[test]
    fn when_it_is_stopped_there_is_no_table() {
        let all = [experiment(goodput(), vec![row(), row()])];
        let stop = AtomicBool::new(false);
        let seeds = Seeds { first: 1, count: 50 };
        let table = run_experiments(Paper::Mrc, &all, seeds, 2, &stop, &Keep::nothing(), |overall| {
            stop.fetch_or(overall.done >= 2, Ordering::Relaxed);
        });
        assert_eq!(table, Ok(None));
    }

    /// Finished runs as a file, up to a number of them.
    fn file(lines: &[String]) -> Kept {
        let mut kept = Kept::default();
        let text = format!("{KEPT_HEAD}\n{}\n", lines.join("\n"));
        assert_eq!(kept.read("k", &text), Ok(Vec::new()));
        kept
    }

    #[test]
    fn what_was_finished_before_a_stop_is_not_run_again() {
        let mut all = [
            experiment(goodput(), vec![row(), row()]),
            experiment(Work::Seeded(Box::new(|seed| Ok(vec![seed as f64]))), vec![row()]),
            experiment(Work::Compute(|| vec![120.0]), vec![row()]),
        ];
        for (experiment, id) in all.iter_mut().zip(["x", "y", "z"]) {
            experiment.id = id;
        }
        let seeds = Seeds { first: 3, count: 4 };
        let lines = Mutex::new(Vec::new());
        let stop = AtomicBool::new(false);
        let finished = |line: &str| lines.lock().unwrap().push(line.to_owned());
        let once = |kept: &Kept, stop: &AtomicBool, after: usize| {
            let counted = AtomicUsize::new(0);
            let keep = Keep {
                kept,
                finished: &finished,
            };
            let table = run_experiments(Paper::Mrc, &all, seeds, 1, stop, &keep, |overall| {
                counted.fetch_max(overall.done, Ordering::Relaxed);
                stop.fetch_or(overall.done >= after, Ordering::Relaxed);
            });
            (table.unwrap(), counted.load(Ordering::Relaxed))
        };
        assert_eq!(once(&Kept::default(), &stop, 3), (None, 3));
        let kept = file(&lines.lock().unwrap());
        // Four runs of each of the first two, one computation, of which nothing is kept.
        let expected = Taken {
            runs: 9,
            taken: 3,
            outdated: 0,
        };
        assert_eq!(taken(&all, seeds, &kept), expected);
        let (resumed, run) = once(&kept, &NEVER, usize::MAX);
        assert_eq!((resumed.unwrap(), run), (table(&all, 1), 6));
        assert_eq!(lines.lock().unwrap().len(), 8, "each run once");
    }

    #[test]
    fn runs_of_another_scenario_are_not_used() {
        let mut all = [experiment(goodput(), vec![row(), row()])];
        let seeds = Seeds { first: 1, count: 1 };
        let lines = Mutex::new(Vec::new());
        let finished = |line: &str| lines.lock().unwrap().push(line.to_owned());
        let keep = Keep {
            kept: &Kept::default(),
            finished: &finished,
        };
        run_experiments(Paper::Mrc, &all, seeds, 1, &NEVER, &keep, |_| {}).unwrap();
        let kept = file(&lines.lock().unwrap());
        assert_eq!(taken(&all, seeds, &kept).missing(), 0);
        if let Work::Simulate { changes, .. } = &mut all[0].cases[0].work {
            changes[0].1 = json!("2MB");
        }
        let expected = Taken {
            runs: 1,
            taken: 0,
            outdated: 1,
        };
        assert_eq!(taken(&all, seeds, &kept), expected);
    }
}

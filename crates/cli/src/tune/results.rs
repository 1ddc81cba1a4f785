//! The results of a search as a value; `docs/results-json.md` says what each field means.

pub use super::csv::{csv, origin};
use crate::input::Loaded;
use crate::json::{list, part};
use crate::results::About;
use crate::summary::{counted, seeds};
use crate::sweep::results::{Machine, SweepEnd};
use lab::tune::held_out::{Compared, complete};
use lab::tune::sensitivity::Sensitivity;
use lab::tune::{Goal, Measured, Parameter, PutBack, Score, Tune, Tuned};
use lab::{Row, Seeds};
use scenario::{Scenario, limits, link};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Version of this form; it grows when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// Everything that `--json` writes.
pub struct Results {
    /// What was asked for.
    pub tune: Tune,
    /// What came out.
    pub tuned: Tuned,
    /// The workload with its default setting and the search's first seed.
    pub scenario: About,
    /// The scenario with the best setting; none when the search was stopped before there was any.
    pub best: Option<Scenario>,
    /// What depends on the machine; nothing else does.
    pub machine: Machine,
    /// How the input was understood.
    pub notes: Vec<String>,
    /// The command that does it again.
    pub command: String,
}

/// The search itself.
#[derive(Serialize)]
struct Outline<'a> {
    end: SweepEnd,
    metric: &'static str,
    budget: usize,
    spent: usize,
    seeds: Seeds,
    held_out: Option<Seeds>,
    settings: usize,
    with_every_seed: usize,
    refused: usize,
    first_refusal: Option<&'a str>,
    put_back: PutBack,
    command: &'a str,
    version: &'static str,
}

/// The best setting.
#[derive(Serialize)]
struct Best {
    setting: usize,
    values: Map<String, Value>,
    link: Option<String>,
}

/// Default and best with the seeds held out.
#[derive(Serialize)]
struct HeldOut<'a> {
    verdict: Option<lab::tune::HeldOut>,
    default_complete: usize,
    best_complete: usize,
    compared: &'a [Compared],
    default: &'a [Row],
    best: &'a [Row],
}

/// A setting that was tried.
#[derive(Serialize)]
struct Setting<'a> {
    setting: usize,
    origin: String,
    rank: Option<usize>,
    finished: f64,
    mean: Option<f64>,
    levels: &'a [usize],
    runs: &'a [Measured],
}

/// A field with what each of its bands has.
#[derive(Serialize)]
struct Alone<'a> {
    path: &'a str,
    #[serde(flatten)]
    sensitivity: &'a Sensitivity,
}

/// What the best setting was tuned for, in place of the text about the workload.
fn about(tune: &Tune, tuned: &Tuned) -> String {
    let metric = tune.metric;
    let direction = if Goal::of(metric).more {
        "greatest"
    } else {
        "least"
    };
    let mut text = format!(
        "Settings found by flowglass tune for the {direction} {} of this workload, in the mean over {}, with {}.",
        metric.name(),
        seeds(tune.seeds),
        counted(tuned.found.spent() as u64, "run"),
    );
    let levels = tuned.best.map(|best| &tuned.found.candidates[best].levels);
    let changed: Vec<String> = (tune.space.parameters.iter())
        .zip(levels.into_iter().flatten())
        .filter(|(parameter, level)| parameter.own != **level)
        .map(|(parameter, level)| format!("{} {}", parameter.path, parameter.text(*level)))
        .collect();
    let changes = format!(" What it changes: {}.", changed.join(", "));
    if text.chars().count() + changes.chars().count() <= limits::MAX_ABOUT_CHARS {
        text += &changes;
    }
    text
}

impl Results {
    /// The results of a search.
    pub fn of(tune: Tune, tuned: Tuned, loaded: Loaded, machine: Machine, command: String) -> Results {
        let mut scenario = loaded.scenario;
        scenario.seed = tune.seeds.first;
        let best = tuned.scenario.clone().map(|mut best| {
            // A file or a link says by itself what it is, where there is room for it. The default is what it was.
            if tuned.best != Some(0) {
                let name = format!("{} (tuned)", best.name);
                if !best.name.is_empty() && name.chars().count() <= limits::MAX_NAME_CHARS {
                    best.name = name;
                }
                best.about = about(&tune, &tuned);
            }
            best
        });
        Results {
            scenario: About::of(&scenario, loaded.source),
            best,
            tune,
            tuned,
            machine,
            notes: loaded.notes,
            command,
        }
    }

    /// The settings that have met every seed, the best one first, with what they had.
    pub fn ranking(&self) -> Vec<(usize, Score)> {
        let found = &self.tuned.found;
        let scored = |at: usize| (at, Score::of(&found.candidates[at].runs));
        found.ranking().into_iter().map(scored).collect()
    }

    /// The share link of the best setting; none where it does not fit one.
    pub fn link(&self) -> Option<String> {
        let best = self.best.as_ref()?;
        link::encode(best).ok().map(|link| format!("#{link}"))
    }

    /// Writes them as JSON: one line for each part, parameter and setting.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Results { tune, tuned, .. } = self;
        let found = &tuned.found;
        let ranking = self.ranking();
        let outline = Outline {
            end: match tuned.stopped {
                true => SweepEnd::Cancelled,
                false => SweepEnd::Finished,
            },
            metric: tune.metric.field(),
            budget: tune.budget,
            spent: found.spent(),
            seeds: tune.seeds,
            held_out: tune.held_out_seeds(),
            settings: found.candidates.len(),
            with_every_seed: ranking.len(),
            refused: found.refused,
            first_refusal: found.first_refusal.as_deref(),
            put_back: found.put_back,
            command: &self.command,
            version: env!("CARGO_PKG_VERSION"),
        };
        let parameters: &[Parameter] = &tune.space.parameters;
        let best = tuned.best.map(|best| {
            let levels = &found.candidates[best].levels;
            let values = parameters.iter().zip(levels);
            Best {
                setting: best,
                values: values
                    .map(|(p, level)| (p.path.clone(), p.levels[*level].clone()))
                    .collect(),
                link: self.link(),
            }
        });
        let [default, best_rows] = &tuned.held_out;
        let held_out = (!tuned.compared.is_empty()).then(|| HeldOut {
            verdict: tuned.verdict,
            default_complete: complete(default),
            best_complete: complete(best_rows),
            compared: &tuned.compared,
            default,
            best: best_rows,
        });
        let settings: Vec<Setting> = (found.candidates.iter().enumerate())
            .map(|(at, candidate)| {
                let score = Score::of(&candidate.runs);
                Setting {
                    setting: at,
                    origin: origin(&candidate.origin),
                    rank: ranking
                        .iter()
                        .position(|(ranked, _)| *ranked == at)
                        .map(|rank| rank + 1),
                    finished: score.finished,
                    mean: score.mean,
                    levels: &candidate.levels,
                    runs: &candidate.runs,
                }
            })
            .collect();
        let alone: Vec<Alone> = (tuned.sensitivity.iter())
            .map(|sensitivity| Alone {
                path: &parameters[sensitivity.parameter].path,
                sensitivity,
            })
            .collect();
        writeln!(out, "{{")?;
        part(out, "format", &FORMAT)?;
        part(out, "tune", &outline)?;
        part(out, "scenario", &self.scenario)?;
        part(out, "machine", &self.machine)?;
        part(out, "notes", &self.notes)?;
        part(out, "best", &best)?;
        part(out, "held_out", &held_out)?;
        list(out, "parameters", parameters)?;
        writeln!(out, ",")?;
        list(out, "alone", &alone)?;
        writeln!(out, ",")?;
        list(out, "settings", &settings)?;
        writeln!(out, "}}")
    }
}

//! From the command line to a scenario that can be run.

use crate::args::{BalancerName, Input};
use crate::failure::Failure;
use crate::fault_option;
use crate::locate::locate;
use crate::output::plain;
use crate::text_file::{self, TextFile};
use scenario::htsim::{self, FileKind, Options};
use scenario::{LinkError, LoadError, Problem, Scenario, find_preset, link, presets};
use std::ffi::OsStr;
use std::path::Path;

/// A scenario to run.
pub struct Loaded {
    /// The scenario, valid, with all changes of the command line.
    pub scenario: Scenario,
    /// Where it came from, for messages.
    pub source: String,
    /// How files and options were understood.
    pub notes: Vec<String>,
}

/// No scenario packs into fewer characters; what is shorter and begins like a link may be the name of a file.
const SHORTEST_LINK: usize = 60;
/// Problems that are shown with their line; each costs a walk through the text.
const PROBLEMS_SHOWN: usize = 20;

impl Input {
    /// Reads and checks the input.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn load(&self) -> Result<Loaded, Failure> {
        let mut loaded = match (&self.scenario, &self.matrix, &self.topology) {
            (Some(given), ..) => named(given)?,
            (None, Some(matrix), Some(topology)) => self.import(matrix, topology)?,
            _ => {
                return Err(Failure::Input(
                    "error: expected a SCENARIO, or --matrix and --topology".into(),
                ));
            }
        };
        let scenario = &mut loaded.scenario;
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        scenario.until = self.until.unwrap_or(scenario.until);
        if let Some(name) = self.balancer {
            scenario.transport.balancer = name.balancer();
        }
        fault_option::add(scenario, &self.faults).map_err(Failure::input)?;
        if self.balancer == Some(BalancerName::Bitmap) {
            loaded.notes.push(
                "--balancer bitmap: Flowglass does not have htsim's bitmap; mrc, MRC's own EV steering, is used"
                    .into(),
            );
        }
        Ok(loaded)
    }

    fn import(&self, matrix: &Path, topology: &Path) -> Result<Loaded, Failure> {
        let (matrix, topology) = (text_file::read(matrix)?, text_file::read(topology)?);
        expect_kind(&matrix, FileKind::Matrix)?;
        expect_kind(&topology, FileKind::Topology)?;
        let source = format!("{} on {}", matrix.name, topology.name);
        let parsed = (
            htsim::parse_matrix(&matrix.name, &matrix.text),
            htsim::parse_topology(&topology.name, &topology.text),
        );
        let (matrix, topology) = match parsed {
            (Ok(matrix), Ok(topology)) => (matrix, topology),
            (matrix, topology) => {
                let problems = [matrix.err(), topology.err()];
                return Err(Failure::input(problems.into_iter().flatten().flatten()));
            }
        };
        let options = Options {
            model: self.model.into(),
            balancer: self
                .balancer
                .map_or_else(Default::default, BalancerName::balancer),
            start_unit: self.start_unit.into(),
            until: self.until,
            link_rate: self.link_rate,
        };
        let (scenario, notes) = htsim::to_scenario(&matrix, &topology, &options).map_err(Failure::input)?;
        Ok(Loaded {
            scenario,
            source,
            notes,
        })
    }
}

/// Refuses a file that is obviously another kind of file than the option it was given to.
fn expect_kind(file: &TextFile, expected: FileKind) -> Result<(), Failure> {
    let found = htsim::sniff(&file.text);
    let hint = match (expected, found) {
        (FileKind::Matrix, FileKind::Topology) => "this is a topology (give it to --topology)",
        (FileKind::Topology, FileKind::Matrix) => "this is a connection matrix (give it to --matrix)",
        (_, FileKind::ScenarioJson) => {
            "this looks like a scenario in JSON (run it without --matrix and --topology)"
        }
        _ => return Ok(()),
    };
    Err(Failure::Input(format!("{}:1:1: {hint}", file.name)))
}

/// The scenario that SCENARIO means, checked.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn named(given: &OsStr) -> Result<Loaded, Failure> {
    let text = given.to_string_lossy();
    if text == "-" {
        return from_json(&text_file::read_stdin()?);
    }
    if let Some(slug) = text.strip_prefix("preset:") {
        return by_slug(slug).ok_or_else(|| {
            Failure::Input(format!(
                "error: there is no preset {:?}; {}",
                plain(slug),
                known_presets()
            ))
        });
    }
    let path = Path::new(given);
    if path.is_file() {
        return from_json(&text_file::read(path)?);
    }
    if let Some((_, fragment)) = text.split_once('#') {
        return from_link(fragment);
    }
    if let Some(loaded) = by_slug(&text) {
        return Ok(loaded);
    }
    let bare_link = text.starts_with("1.") && text.len() >= SHORTEST_LINK;
    if text.starts_with("preset/") || bare_link {
        return from_link(&text);
    }
    if path.exists() {
        // A directory, which is refused, or a pipe or device.
        return from_json(&text_file::read(path)?);
    }
    if text.contains("://") {
        return Err(Failure::Input(format!(
            "error: {:?} has no part after `#`, which is what holds a scenario (put the whole link in quotes)",
            clip(&text)
        )));
    }
    Err(Failure::Input(format!(
        "error: there is no file and no preset {:?}; {}",
        clip(&text),
        known_presets()
    )))
}

fn clip(text: &str) -> String {
    let mut clipped = plain(text);
    if let Some((end, _)) = clipped.char_indices().nth(200) {
        clipped.truncate(end);
        clipped.push('…');
    }
    clipped
}

fn known_presets() -> String {
    let slugs: Vec<&str> = presets().iter().map(|p| p.slug).collect();
    format!("presets are {}", slugs.join(", "))
}

fn by_slug(slug: &str) -> Option<Loaded> {
    let preset = find_preset(slug)?;
    Some(Loaded {
        scenario: preset.scenario(),
        source: format!("preset:{slug}"),
        notes: Vec::new(),
    })
}

fn from_link(fragment: &str) -> Result<Loaded, Failure> {
    let scenario = link::decode(fragment).map_err(|e| match e {
        LinkError::Invalid(problems) => {
            Failure::input(problems.iter().map(|p| format!("the link's scenario: {p}")))
        }
        other => Failure::Input(format!("error: {other}")),
    })?;
    Ok(Loaded {
        scenario,
        source: "link".into(),
        notes: Vec::new(),
    })
}

fn from_json(file: &TextFile) -> Result<Loaded, Failure> {
    let name = &file.name;
    let wrong_kind = match htsim::sniff(&file.text) {
        FileKind::Matrix => Some("this is a connection matrix (run it with --matrix FILE --topology FILE)"),
        FileKind::Topology => Some("this is a topology (run it with --matrix FILE --topology FILE)"),
        FileKind::Unknown if !file.text.trim_start().starts_with('{') => {
            Some("expected a scenario in JSON, which starts with {")
        }
        FileKind::ScenarioJson | FileKind::Unknown => None,
    };
    if let Some(hint) = wrong_kind {
        return Err(Failure::Input(format!("{name}:1:1: {hint}")));
    }
    let scenario = Scenario::from_json(&file.text).map_err(|e| Failure::Input(load_error(file, &e)))?;
    scenario
        .validate()
        .map_err(|problems| Failure::input(located(file, &problems)))?;
    Ok(Loaded {
        scenario,
        source: name.clone(),
        notes: Vec::new(),
    })
}

fn load_error(file: &TextFile, error: &LoadError) -> String {
    let name = &file.name;
    match error {
        LoadError::Field {
            path,
            line,
            column,
            reason,
        } => {
            // At the very end of an empty text there is no line yet.
            let (line, column) = (line.max(&1), column.max(&1));
            let field = if path.is_empty() {
                String::new()
            } else {
                format!("{}: ", plain(path))
            };
            format!("{name}:{line}:{column}: {field}{}", plain(reason))
        }
        LoadError::NewerVersion { .. } | LoadError::BadVersion { .. } => {
            let (line, column) = locate(&file.text, "version");
            format!("{name}:{line}:{column}: {error}")
        }
        LoadError::NoVersion | LoadError::TooLarge { .. } => format!("{name}:1:1: {error}"),
    }
}

/// Each problem with the place of its field.
fn located(file: &TextFile, problems: &[Problem]) -> Vec<String> {
    let mut lines: Vec<String> = problems
        .iter()
        .take(PROBLEMS_SHOWN)
        .map(|problem| {
            let (line, column) = locate(&file.text, &problem.field);
            format!("{}:{line}:{column}: {}", file.name, plain(&problem.to_string()))
        })
        .collect();
    if problems.len() > PROBLEMS_SHOWN {
        lines.push(format!(
            "{}: there are more problems; these are the first {PROBLEMS_SHOWN}",
            file.name
        ));
    }
    lines
}

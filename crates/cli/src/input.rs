//! From the command line to a scenario that can be run.

use crate::args::Input;
use crate::failure::Failure;
use crate::fault_option;
use crate::locate::locate;
use crate::output::plain;
use crate::text_file::{self, TextFile};
use scenario::host::{HostScenario, find_host_preset, host_presets};
use scenario::htsim::{self, FileKind, Options};
use scenario::link::Linked;
use scenario::{LinkError, LoadError, Problem, Scenario, find_preset, link, presets};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A scenario to run, of a fabric where nothing else is said.
pub struct Loaded<S = Scenario> {
    /// The scenario, valid, with all changes of the command line.
    pub scenario: S,
    /// Where it came from, for messages.
    pub source: String,
    /// How files and options were understood.
    pub notes: Vec<String>,
}

/// A scenario of either kind.
pub enum Given {
    /// A fabric.
    Fabric(Box<Loaded>),
    /// A host with VMs.
    Host(Box<Loaded<HostScenario>>),
}

impl Given {
    /// The scenario of a fabric.
    ///
    /// # Errors
    /// When it is a host's.
    fn fabric(self) -> Result<Loaded, Failure> {
        match self {
            Given::Fabric(loaded) => Ok(*loaded),
            Given::Host(loaded) => Err(Failure::Input(format!(
                "{}: this is the scenario of a host, and the command takes a fabric's",
                loaded.source
            ))),
        }
    }
}

/// No scenario packs into fewer characters; what is shorter and begins like a link may be the name of a file.
const SHORTEST_LINK: usize = 60;
/// Problems that are shown with their line; each costs a walk through the text.
const PROBLEMS_SHOWN: usize = 20;

impl Input {
    /// Reads and checks the input, which must be a fabric's.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn load(&self) -> Result<Loaded, Failure> {
        self.load_any()?.fabric()
    }

    /// Reads and checks the input.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn load_any(&self) -> Result<Given, Failure> {
        let given = match (&self.scenario, &self.matrix, &self.topology) {
            (Some(given), ..) => named_any(given)?,
            (None, Some(matrix), Some(topology)) => Given::Fabric(Box::new(self.import(matrix, topology)?)),
            _ => {
                return Err(Failure::Input(
                    "error: expected a SCENARIO, or --matrix and --topology".into(),
                ));
            }
        };
        Ok(match given {
            Given::Fabric(loaded) => Given::Fabric(Box::new(self.change(*loaded)?)),
            Given::Host(loaded) => Given::Host(Box::new(self.change_host(*loaded)?)),
        })
    }

    /// What the command line changes in a fabric.
    ///
    /// # Errors
    /// When a change makes no sense in it.
    pub fn change(&self, mut loaded: Loaded) -> Result<Loaded, Failure> {
        let scenario = &mut loaded.scenario;
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        if let Some(until) = self.until {
            let most = scenario::limits::MAX_TIME;
            if until > most {
                return Err(Failure::Input(format!(
                    "error: --until: is {until}; expected {} to {most} for a fabric",
                    scenario::Time(1)
                )));
            }
            scenario.until = until;
        }
        scenario.transport.balancer = self.balancer.unwrap_or(scenario.transport.balancer);
        fault_option::add(scenario, &self.faults).map_err(Failure::input)?;
        Ok(loaded)
    }

    fn change_host(&self, mut loaded: Loaded<HostScenario>) -> Result<Loaded<HostScenario>, Failure> {
        for (given, option) in [
            (self.balancer.is_some(), "--balancer"),
            (!self.faults.is_empty(), "--fault"),
        ] {
            if given {
                return Err(Failure::Input(format!(
                    "error: {option} is for fabrics, and {} is a host (what happens to it stands in its events)",
                    loaded.source
                )));
            }
        }
        let scenario = &mut loaded.scenario;
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        if let Some(until) = self.until {
            scenario.until = until;
            // What the scenario has after this end may not be.
            scenario
                .validate()
                .map_err(|problems| Failure::input(problems.iter().map(|p| format!("--until: {p}"))))?;
        }
        let notes = scenario.notes();
        loaded.notes.extend(notes);
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
            balancer: self.balancer.unwrap_or_default(),
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

/// The fabric's scenario that SCENARIO means, checked.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn named(given: &OsStr) -> Result<Loaded, Failure> {
    named_any(given)?.fabric()
}

/// The fabrics' scenarios that several SCENARIOs mean, checked.
///
/// # Errors
/// Everything that is wrong with the first bad one, with its place; standard input twice.
pub fn named_all(given: &[OsString]) -> Result<Vec<Loaded>, Failure> {
    once(given)?;
    given.iter().map(|scenario| named(scenario)).collect()
}

/// The same, where the link of a comparison stands for all of its scenarios.
///
/// # Errors
/// As [`named_all`].
pub fn compared(given: &[OsString]) -> Result<Vec<Loaded>, Failure> {
    once(given)?;
    let mut all = Vec::new();
    for scenario in given {
        if !is_comparison(scenario) {
            all.push(named(scenario)?);
            continue;
        }
        let text = scenario.to_string_lossy();
        let fragment = fragment_of(&text);
        let scenarios = link::decode_compare(fragment).map_err(|e| Failure::Input(format!("error: {e}")))?;
        all.extend(scenarios.into_iter().enumerate().map(|(index, scenario)| Loaded {
            scenario,
            source: format!("link, scenario {}", index + 1),
            notes: Vec::new(),
        }));
    }
    Ok(all)
}

/// Whether a SCENARIO is the link of a comparison.
pub fn is_comparison(given: &OsStr) -> bool {
    !Path::new(given).is_file() && link::is_comparison(fragment_of(&given.to_string_lossy()))
}

/// What follows `#`, or all where there is none.
fn fragment_of(text: &str) -> &str {
    text.split_once('#').map_or(text, |(_, fragment)| fragment)
}

/// Refuses to read standard input twice.
fn once(given: &[OsString]) -> Result<(), Failure> {
    match given.iter().filter(|&scenario| scenario == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Input(
            "error: `-` is given twice, but standard input can be read only once".into(),
        )),
    }
}

/// The scenario that SCENARIO means, checked.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn named_any(given: &OsStr) -> Result<Given, Failure> {
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
    let fabrics = presets().iter().map(|p| p.slug);
    let slugs: Vec<&str> = fabrics.chain(host_presets().iter().map(|p| p.slug)).collect();
    format!("presets are {}", slugs.join(", "))
}

fn by_slug(slug: &str) -> Option<Given> {
    let source = format!("preset:{slug}");
    if let Some(preset) = find_host_preset(slug) {
        return Some(host(preset.scenario(), source));
    }
    Some(fabric(find_preset(slug)?.scenario(), source))
}

fn fabric(scenario: Scenario, source: String) -> Given {
    Given::Fabric(Box::new(Loaded {
        scenario,
        source,
        notes: Vec::new(),
    }))
}

fn host(scenario: HostScenario, source: String) -> Given {
    Given::Host(Box::new(Loaded {
        scenario,
        source,
        notes: Vec::new(),
    }))
}

fn from_link(fragment: &str) -> Result<Given, Failure> {
    let linked = link::decode_any(fragment).map_err(|e| match e {
        LinkError::Invalid(problems) => {
            Failure::input(problems.iter().map(|p| format!("the link's scenario: {p}")))
        }
        other => Failure::Input(format!("error: {other}")),
    })?;
    Ok(match linked {
        Linked::Fabric(scenario) => fabric(scenario, "link".into()),
        Linked::Host(scenario) => host(scenario, "link".into()),
    })
}

fn from_json(file: &TextFile) -> Result<Given, Failure> {
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
    let malformed = |e| Failure::Input(load_error(file, &e));
    let invalid = |problems: Vec<Problem>| Failure::input(located(file, &problems));
    if HostScenario::is_meant_by(&file.text) {
        let scenario = HostScenario::from_json(&file.text).map_err(malformed)?;
        scenario.validate().map_err(invalid)?;
        return Ok(host(scenario, name.clone()));
    }
    let scenario = Scenario::from_json(&file.text).map_err(malformed)?;
    scenario.validate().map_err(invalid)?;
    Ok(fabric(scenario, name.clone()))
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

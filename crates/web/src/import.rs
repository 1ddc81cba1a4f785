//! Files that are dropped on the page: scenarios, and htsim's matrices and topologies, which need each other.

use scenario::htsim::{
    FileKind, FileProblem, Matrix, Options, StartUnit, parse_matrix, parse_topology, sniff, to_scenario,
};
use scenario::{Balancer, Model, Scenario};
use view::topology::matching;

/// A text and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct TextFile {
    /// The file's name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// An import of htsim's files, as far as it has got.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// The connection matrix.
    pub matrix: Option<TextFile>,
    /// The topology.
    pub topology: Option<TextFile>,
    /// True when the topology is ours, for want of one.
    pub made_up: bool,
    /// How to turn them into a scenario.
    pub options: Options,
    /// What came of it.
    pub outcome: Outcome,
}

/// What an import came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Outcome {
    /// A file is missing.
    #[default]
    Waiting,
    /// The files cannot be used.
    Problems(Vec<FileProblem>),
    /// They are a scenario.
    Done {
        /// How they were understood.
        notes: Vec<String>,
        /// True when the unit of `start` matters.
        has_starts: bool,
    },
}

/// What a dropped file is.
pub enum Dropped {
    /// A scenario.
    Scenario(Box<Scenario>),
    /// One of htsim's files: an import goes on.
    Htsim,
    /// Nothing that can be used.
    Refused {
        /// What is wrong.
        title: String,
        /// In detail.
        details: Vec<String>,
    },
}

impl Import {
    /// Takes a file of whatever kind. One of htsim's files becomes part of this import.
    pub fn take(&mut self, file: TextFile) -> Dropped {
        match sniff(&file.text) {
            FileKind::Matrix => {
                self.matrix = Some(file);
                if self.made_up {
                    // It was made for the matrix before.
                    self.topology = None;
                    self.made_up = false;
                }
            }
            FileKind::Topology => {
                self.topology = Some(file);
                self.made_up = false;
            }
            FileKind::ScenarioJson => {
                return match Scenario::from_json(&file.text) {
                    Ok(scenario) => Dropped::Scenario(Box::new(scenario)),
                    Err(error) => Dropped::Refused {
                        title: format!("{} is not a scenario", file.name),
                        details: error.to_string().lines().map(str::to_owned).collect(),
                    },
                };
            }
            FileKind::Unknown => {
                return Dropped::Refused {
                    title: format!("{} is of no kind that can be opened here", file.name),
                    details: vec![
                        "Expected a scenario (JSON), a connection matrix (.cm) or a two-tier topology (.topo).".into(),
                    ],
                };
            }
        }
        Dropped::Htsim
    }

    /// Uses a topology of our own for the matrix.
    pub fn make_up_topology(&mut self) {
        let Some(Ok(matrix)) = self.matrix.as_ref().map(parsed) else {
            return;
        };
        if let Some(text) = matching(matrix.nodes) {
            let name = format!("default-{}.topo", matrix.nodes);
            self.topology = Some(TextFile { name, text });
            self.made_up = true;
        }
    }

    /// Uses other rules.
    pub fn set_model(&mut self, model: Model) {
        self.options.model = model;
    }

    /// Chooses paths in another way.
    pub fn set_balancer(&mut self, balancer: Balancer) {
        self.options.balancer = balancer;
    }

    /// Reads `start` in another unit.
    pub fn set_unit(&mut self, unit: StartUnit) {
        self.options.start_unit = unit;
    }

    /// Reads the files. A scenario, if they make one; the outcome says more.
    pub fn evaluate(&mut self) -> Option<Scenario> {
        let result = match (&self.matrix, &self.topology) {
            (Some(matrix), topology) => convert(matrix, topology.as_ref(), &self.options),
            (None, Some(topology)) => parse_topology(&topology.name, &topology.text).map(|_| None),
            (None, None) => Ok(None),
        };
        match result {
            Err(problems) => {
                self.outcome = Outcome::Problems(problems);
                None
            }
            Ok(None) => {
                self.outcome = Outcome::Waiting;
                None
            }
            Ok(Some((scenario, notes, has_starts))) => {
                self.outcome = Outcome::Done { notes, has_starts };
                Some(scenario)
            }
        }
    }
}

fn parsed(file: &TextFile) -> Result<Matrix, Vec<FileProblem>> {
    parse_matrix(&file.name, &file.text)
}

type Converted = (Scenario, Vec<String>, bool);

fn convert(
    matrix: &TextFile,
    topology: Option<&TextFile>,
    options: &Options,
) -> Result<Option<Converted>, Vec<FileProblem>> {
    let matrix = parsed(matrix)?;
    let Some(topology) = topology else {
        return Ok(None);
    };
    let topology = parse_topology(&topology.name, &topology.text)?;
    let (scenario, notes) = to_scenario(&matrix, &topology, options)?;
    let has_starts = matrix
        .connections
        .iter()
        .any(|connection| connection.start != Default::default());
    Ok(Some((scenario, notes, has_starts)))
}

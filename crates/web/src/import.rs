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
                        "Expected a scenario (JSON), a connection matrix (.cm), a two-tier topology (.topo); or security groups, load balancers, service tags, flow logs or DASH tables (JSON), or a capture (.pcap, .pcapng).".into(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> TextFile {
        TextFile {
            name: name.into(),
            text: text.into(),
        }
    }

    fn matrix(hosts: u32, start: u32) -> TextFile {
        let text = format!(
            "Nodes {hosts}\nConnections 1\n0->{} id 1 start {start} size 1000\n",
            hosts - 1
        );
        file("a.cm", &text)
    }

    #[test]
    fn a_matrix_waits_for_a_topology() {
        let mut import = Import::default();
        assert!(matches!(import.take(matrix(8, 0)), Dropped::Htsim));
        assert_eq!(import.evaluate(), None);
        assert_eq!(import.outcome, Outcome::Waiting);
        import.take(file("b.topo", &matching(8).unwrap()));
        let scenario = import.evaluate().expect("both files are there");
        assert_eq!(scenario.fabric.nics(), 8);
        assert!(matches!(
            import.outcome,
            Outcome::Done {
                has_starts: false,
                ..
            }
        ));
    }

    #[test]
    fn a_topology_made_up_for_one_matrix_is_not_kept_for_the_next() {
        let mut import = Import::default();
        import.take(matrix(8, 0));
        import.make_up_topology();
        assert!(import.evaluate().is_some());
        import.take(matrix(32, 0));
        assert_eq!(import.evaluate(), None);
        import.make_up_topology();
        assert_eq!(import.evaluate().unwrap().fabric.nics(), 32);
    }

    #[test]
    fn the_unit_of_start_is_asked_for_only_where_it_matters() {
        let mut import = Import::default();
        import.take(matrix(8, 5));
        import.make_up_topology();
        let inferred = import.evaluate().unwrap();
        assert!(matches!(import.outcome, Outcome::Done { has_starts: true, .. }));
        import.set_unit(StartUnit::Ps);
        assert_ne!(import.evaluate().unwrap().traffic, inferred.traffic);
    }

    #[test]
    fn problems_name_their_line() {
        let mut import = Import::default();
        import.take(file(
            "bad.cm",
            "Nodes 4\nConnections 1\n0->9 id 1 start 0 size 5\n",
        ));
        assert_eq!(import.evaluate(), None);
        let Outcome::Problems(problems) = &import.outcome else {
            panic!("{:?}", import.outcome);
        };
        assert_eq!((problems[0].file.as_str(), problems[0].line), ("bad.cm", 3));
    }

    #[test]
    fn other_files_are_scenarios_or_refused() {
        let mut import = Import::default();
        let preset = scenario::presets()[0].json;
        assert!(matches!(
            import.take(file("a.json", preset)),
            Dropped::Scenario(_)
        ));
        assert!(matches!(
            import.take(file("a.json", "{")),
            Dropped::Refused { .. }
        ));
        assert!(matches!(
            import.take(file("a.txt", "hello")),
            Dropped::Refused { .. }
        ));
    }
}

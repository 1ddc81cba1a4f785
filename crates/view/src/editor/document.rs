//! The text that is edited, and the scenario that it says.

use super::check::{Problem, check};
use super::edited::Edited;
use super::history::History;
use super::patch::patch;
use super::typing::difference;
use std::ops::Range;

/// A larger text is not shown: a browser could not edit it. Forms and files do for it.
const MAX_SHOWN: usize = 1 << 20;

/// What is taken back and done again.
#[derive(Clone)]
struct State {
    text: String,
    preset: Option<&'static str>,
    of_host: bool,
}

/// What has come of a change of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The scenario is the same.
    Same,
    /// The text has problems: the last valid scenario goes on.
    Invalid,
    /// Another scenario is to be run; it is this preset as it comes, or none.
    Run(Box<Edited>, Option<&'static str>),
}

/// The text that is edited, and the scenario that it says.
#[derive(Default)]
pub struct Document {
    text: String,
    /// The last valid text and scenario.
    valid: Option<(String, Edited)>,
    preset: Option<&'static str>,
    /// The text means a host.
    of_host: bool,
    problems: Vec<Problem>,
    /// The text has been typed into since it was looked at.
    is_pending: bool,
    /// What the last change that was not typed has changed, in bytes of the text.
    changed: Option<Range<usize>>,
    history: History<State>,
}

impl Document {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// False where the text is too long to be edited.
    pub fn is_shown(&self) -> bool {
        self.text.len() <= MAX_SHOWN
    }

    /// What is wrong with the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// True while what was typed is not looked at yet.
    pub fn is_pending(&self) -> bool {
        self.is_pending
    }

    /// What a form, undo or redo has changed last, in bytes of the text.
    pub fn changed(&self) -> Option<Range<usize>> {
        self.changed.clone()
    }

    /// What undo would take back.
    pub fn can_undo(&self) -> Option<&str> {
        self.history.last()
    }

    /// What redo would do again.
    pub fn can_redo(&self) -> Option<&str> {
        self.history.next()
    }

    /// The text as it was written, where it says the scenario that runs.
    pub fn as_written(&self, running: &Edited) -> Option<&str> {
        let (text, scenario) = self.valid.as_ref()?;
        (scenario == running).then_some(text)
    }

    /// Another scenario was opened: a preset, or one in a text of its own.
    pub fn open(&mut self, scenario: &Edited, text: Option<String>, preset: Option<&'static str>) {
        self.keep_typed();
        self.text = text.unwrap_or_else(|| scenario.to_json_pretty());
        self.valid = Some((self.text.clone(), scenario.clone()));
        self.preset = preset;
        self.of_host = scenario.is_of_host();
        self.problems.clear();
        self.changed = None;
        let name = match scenario.name() {
            "" => "a scenario",
            name => name,
        };
        self.push(format!("open {name}"));
    }

    /// A form, or something on the stage, has changed the scenario. A text with problems goes back to the last valid one, with
    /// this change; undo brings it back.
    pub fn change(&mut self, scenario: &Edited, by: &str) {
        self.keep_typed();
        let text = match &self.valid {
            Some((text, old)) if old == scenario => text.clone(),
            Some((text, old)) if old.is_of_host() == scenario.is_of_host() => patch(text, old, scenario),
            _ => scenario.to_json_pretty(),
        };
        self.of_host = scenario.is_of_host();
        self.changed = difference(&self.text, &text);
        self.text = text;
        self.valid = Some((self.text.clone(), scenario.clone()));
        self.preset = None;
        self.problems.clear();
        self.push(by);
    }

    /// The text was typed into.
    pub fn type_in(&mut self, text: String) {
        if text != self.text {
            self.text = text;
            self.is_pending = true;
            self.changed = None;
        }
    }

    /// Looks at what was typed.
    pub fn apply(&mut self) -> Outcome {
        if !self.is_pending {
            return if self.problems.is_empty() {
                Outcome::Same
            } else {
                Outcome::Invalid
            };
        }
        self.preset = None;
        self.push("typing");
        self.look()
    }

    /// Takes the last change back. None where there is nothing to take back.
    pub fn undo(&mut self) -> Option<Outcome> {
        self.keep_typed();
        let state = self.history.undo()?.clone();
        Some(self.go_to(state))
    }

    /// Does again what was taken back last.
    pub fn redo(&mut self) -> Option<Outcome> {
        self.keep_typed();
        let state = self.history.redo()?.clone();
        Some(self.go_to(state))
    }

    fn go_to(&mut self, state: State) -> Outcome {
        self.changed = difference(&self.text, &state.text);
        self.text = state.text;
        self.preset = state.preset;
        self.of_host = state.of_host;
        self.look()
    }

    /// What was typed becomes a state of its own, to which undo can come back.
    fn keep_typed(&mut self) {
        if self.is_pending {
            self.preset = None;
            self.push("typing");
            self.look();
        }
    }

    fn push(&mut self, by: impl Into<String>) {
        self.is_pending = false;
        let state = State {
            text: self.text.clone(),
            preset: self.preset,
            of_host: self.of_host,
        };
        self.history.push(state, by, self.text.len());
    }

    fn look(&mut self) -> Outcome {
        match check(&self.text, self.of_host) {
            Err(problems) => {
                self.problems = problems;
                Outcome::Invalid
            }
            Ok(scenario) => {
                self.problems.clear();
                let is_same = self.valid.as_ref().is_some_and(|(_, old)| *old == scenario);
                self.valid = Some((self.text.clone(), scenario.clone()));
                if is_same {
                    Outcome::Same
                } else {
                    Outcome::Run(Box::new(scenario), self.preset)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::host::find_host_preset;
    use scenario::{Scenario, presets};

    fn opened() -> (Document, Scenario) {
        let mut document = Document::default();
        let scenario = presets()[0].scenario();
        document.open(&scenario.clone().into(), None, Some(presets()[0].slug));
        (document, scenario)
    }

    fn seed(of: &Edited) -> u64 {
        match of {
            Edited::Fabric(scenario) => scenario.seed,
            Edited::Host(scenario) => scenario.seed,
        }
    }

    fn typed(document: &mut Document, from: &str, to: &str) -> Outcome {
        assert!(document.text().contains(from), "{}", document.text());
        document.type_in(document.text().replacen(from, to, 1));
        assert!(document.is_pending());
        document.apply()
    }

    #[test]
    fn a_form_changes_the_text_and_the_text_the_scenario() {
        let (mut document, scenario) = opened();
        let changed = Edited::Fabric(Scenario {
            seed: 77,
            ..scenario.clone()
        });
        document.change(&changed, "seed");
        assert!(document.text().contains("\"seed\": 77"));
        let place = document.changed().unwrap();
        assert!(document.text()[place].contains("77"));
        let Outcome::Run(other, None) = typed(&mut document, "\"seed\": 77", "\"seed\": 78") else {
            panic!("another seed is another scenario");
        };
        assert_eq!(seed(&other), 78);
        assert_eq!(
            typed(&mut document, "\"seed\": 78", "\"seed\":    78"),
            Outcome::Same
        );
    }

    #[test]
    fn a_text_with_problems_leaves_the_scenario_and_comes_back_by_undo() {
        let (mut document, scenario) = opened();
        assert_eq!(
            typed(&mut document, "\"version\": 1", "\"version\": one"),
            Outcome::Invalid
        );
        assert_eq!(document.problems()[0].line, 2);
        let bad = document.text().to_owned();
        let changed = Edited::Fabric(Scenario {
            seed: 5,
            ..scenario.clone()
        });
        document.change(&changed, "seed");
        assert!(document.problems().is_empty() && document.as_written(&changed) == Some(document.text()));
        assert_eq!(document.undo(), Some(Outcome::Invalid));
        assert_eq!(document.text(), bad);
        let Some(Outcome::Run(back, preset)) = document.undo() else {
            panic!("the form's change was taken back, too");
        };
        assert_eq!((*back, preset), (scenario.into(), Some(presets()[0].slug)));
    }

    #[test]
    fn undo_and_redo_go_over_all_kinds_of_changes() {
        let (mut document, first) = opened();
        assert_eq!(document.can_undo(), None, "before it there was nothing");
        document.change(
            &Edited::Fabric(Scenario {
                seed: 5,
                ..first.clone()
            }),
            "seed",
        );
        let second = presets()[1].scenario().into();
        document.open(&second, None, Some(presets()[1].slug));
        // Typed, and not looked at yet.
        document.type_in(document.text().replacen("\"version\": 1", "\"version\":  1", 1));
        assert_eq!(document.undo(), Some(Outcome::Same));
        assert_eq!(document.can_redo(), Some("typing"));
        let Some(Outcome::Run(back, None)) = document.undo() else {
            panic!("the preset before, with its seed");
        };
        assert_eq!(seed(&back), 5);
        assert_eq!(document.can_undo(), Some("seed"));
        let Some(Outcome::Run(_, Some(slug))) = document.redo() else {
            panic!("the second preset again");
        };
        assert_eq!(slug, presets()[1].slug);
        assert_eq!(document.redo(), Some(Outcome::Same));
        assert_eq!(document.redo(), None);
    }

    #[test]
    fn a_file_keeps_its_own_form() {
        let scenario = presets()[0].scenario();
        let text = scenario.to_json_compact();
        let mut document = Document::default();
        let scenario = scenario.into();
        document.open(&scenario, Some(text.clone()), None);
        assert_eq!(document.as_written(&scenario), Some(text.as_str()));
        assert_eq!(document.as_written(&presets()[1].scenario().into()), None);
    }

    #[test]
    fn undo_goes_over_hosts_and_fabrics() {
        let (mut document, fabric) = opened();
        let mut host = find_host_preset("host-latency").unwrap().scenario();
        document.open(&host.clone().into(), None, Some("host-latency"));
        host.host.nic.l1_entries = 4_096;
        document.change(&host.into(), "L1 entries");
        assert!(
            document.text().contains("\"l1_entries\": 4096"),
            "{}",
            document.text()
        );
        let Some(Outcome::Run(back, Some("host-latency"))) = document.undo() else {
            panic!("the preset of a host");
        };
        assert!(back.is_of_host());
        let Some(Outcome::Run(back, Some(_))) = document.undo() else {
            panic!("the fabric before");
        };
        assert_eq!(*back, fabric.into());
        // The preset, and the change of it.
        for _ in 0..2 {
            assert!(matches!(document.redo(), Some(Outcome::Run(host, _)) if host.is_of_host()));
        }
        // What is typed means a host again.
        let typed = typed(&mut document, "\"l1_entries\": 4096", "\"l1_entries\": 8192");
        assert!(matches!(typed, Outcome::Run(host, None) if host.is_of_host()));
    }
}

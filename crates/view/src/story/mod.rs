//! Stories: guided ways through ready-made runs. A step says in plain words what has happened at a time, and moves the time and
//! the view there. What the words claim is data too ([`Claim`]), and a test of the worker plays every story and measures it.

mod host;
mod link;
mod list;

pub use host::HostFigure;
pub use link::{PREFIX, StoryError, decode, encode};
pub use list::stories;

use crate::compare::counterparts;
use crate::message::MarkKind;
use scenario::host::{HostScenario, find_host_preset};
use scenario::{Scenario, find_preset};

/// A guided way through one run, or through two that differ in one thing.
#[derive(Debug)]
pub struct Story {
    /// Its name in links.
    pub slug: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What is simulated, in the order in which steps come to it.
    pub runs: &'static [Variant],
    /// Its steps; the last is a thing to try.
    pub steps: &'static [Step],
}

/// A preset of a fabric or of a host, or one of a fabric's [`counterparts`].
#[derive(Debug)]
pub struct Variant {
    /// The preset.
    pub preset: &'static str,
    /// Its counterpart; none for the preset itself.
    pub counterpart: Option<&'static str>,
}

/// One step of a story.
#[derive(Debug)]
pub struct Step {
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What is to be seen, in one to three short sentences.
    pub text: &'static str,
    /// Which of the story's runs it is in.
    pub run: usize,
    /// The simulated time that it shows, in ps.
    pub at_ps: u64,
    /// What it selects, by the name that [`find`](crate::find::find) takes, or [that of hosts](crate::host::find).
    pub selects: &'static str,
    /// By how much the stage is magnified around the selection; 1 shows everything.
    pub zoom: f64,
    /// The panel that it opens.
    pub panel: Panel,
    /// What its text claims.
    pub claims: &'static [Claim],
}

/// A panel that a step opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// The timeline.
    Timeline,
    /// The results of the flows.
    Flows,
    /// The steps of the jobs.
    Jobs,
    /// The details of the selection; wide windows always show them.
    Inspector,
    /// Of a host: its charts.
    Charts,
    /// Of a host: the SmartNIC's flow table.
    Tables,
    /// Of a host: what would become of a packet.
    Process,
    /// Of a host: what can be done to it, and its parameters; wide windows always show them.
    Scenario,
}

/// A number in a step's text, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The number as it stands in the text, with its unit.
    pub said: &'static str,
    /// What it is.
    pub figure: Figure,
}

/// A figure of a run at the time of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A value of the scenario, by its JSON pointer (RFC 6901).
    Setting(&'static str),
    /// The time of the step itself.
    Now,
    /// NICs of the fabric.
    Nics,
    /// When the first moment of a kind was.
    At(MarkKind),
    /// How long after the first fault the first moment of a kind was.
    AfterFault(MarkKind),
    /// From the first fault to the last packet that was sent into it.
    Exposure,
    /// Packets dropped so far.
    Dropped,
    /// Packets trimmed so far, the last hop included.
    Trimmed,
    /// Data packets sent again so far.
    SentAgain,
    /// Flows that are complete.
    Complete,
    /// Flows whose QP is in ERROR.
    Failed,
    /// The selected QP's EVs.
    Evs,
    /// Those of them that are ASSUMED_BAD.
    EvsBad,
    /// PAUSE frames sent so far.
    Pauses,
    /// How many steps the first job has done.
    JobSteps,
    /// How long the first job's step of this number took, counted from 1.
    JobStep(usize),
    /// Completion time of the flow in the middle.
    MedianTime,
    /// Completion time of the slowest flow.
    SlowestTime,
    /// Completion time of the flow of this QP.
    TimeOf(u32),
    /// Message bytes of this QP that have arrived.
    PlacedOf(u32),
    /// A figure of a host.
    Host(HostFigure),
}

impl Variant {
    /// The scenario of a host; none where it is a fabric's.
    pub fn host_scenario(&self) -> Option<HostScenario> {
        Some(find_host_preset(self.preset)?.scenario())
    }

    /// The scenario of a fabric.
    ///
    /// # Panics
    /// Where it is a host's; otherwise never: tests of this crate find the scenarios of all stories.
    pub fn scenario(&self) -> Scenario {
        let preset = find_preset(self.preset).expect("a preset").scenario();
        match self.counterpart {
            None => preset,
            Some(slug) => {
                counterparts(&preset)
                    .into_iter()
                    .find(|counterpart| counterpart.slug == slug)
                    .expect("a counterpart")
                    .scenario
            }
        }
    }
}

impl Story {
    /// Whether it is told on the host's page.
    pub fn is_of_host(&self) -> bool {
        self.runs.iter().all(|run| find_host_preset(run.preset).is_some())
    }

    /// How long it is, for lists.
    pub fn length(&self) -> String {
        format!("Story · {} steps", self.steps.len())
    }
}

/// The story with this slug.
pub fn find_story(slug: &str) -> Option<&'static Story> {
    stories().iter().find(|story| story.slug == slug)
}

#[cfg(test)]
mod tests;

//! Every story is played, and what its steps say is measured in the run.

#[path = "stories/host.rs"]
mod host;

use std::cell::RefCell;
use view::find::find;
use view::geometry::Rect;
use view::inspect::{Detail, EvState};
use view::jobs::Job;
use view::message::{FlowRow, FromWorker, Look, Report, Timeline, ToWorker};
use view::story::{Figure, Step, Story, Variant, find_story, stories};
use view::units;
use worker::Session;

/// A run that is asked about.
struct Played {
    session: RefCell<Session>,
    scenario: scenario::Scenario,
}

/// What a run says at a time.
struct Seen {
    report: Report,
    timeline: Timeline,
    flows: Vec<FlowRow>,
    jobs: Vec<Job>,
}

impl Played {
    fn new(variant: &Variant) -> Played {
        let scenario = variant.scenario();
        let played = Played {
            session: RefCell::default(),
            scenario: scenario.clone(),
        };
        played.ask(ToWorker::Look(Look {
            width: 800.0,
            height: 500.0,
            visible: Rect::new(0.0, 0.0, 800.0, 500.0),
        }));
        let answers = played.ask(ToWorker::Load {
            run: 1,
            scenario: Box::new(scenario),
            seekable: false,
            logged: false,
        });
        assert!(matches!(answers[0], FromWorker::Loaded { .. }), "{answers:?}");
        played
    }

    fn ask(&self, ask: ToWorker) -> Vec<FromWorker> {
        let answers = self.session.borrow_mut().handle(ask, || 0.0);
        answers.into_iter().map(|answer| answer.message).collect()
    }

    fn flows(&self) -> Vec<FlowRow> {
        match self.ask(ToWorker::Flows { run: 1 }).remove(0) {
            FromWorker::Flows { rows, .. } => rows,
            other => panic!("{other:?}"),
        }
    }

    /// Goes on to a step's time and looks at what it selects.
    fn at(&self, step: &Step) -> Seen {
        let fabric = &self.scenario.fabric;
        let clos = fabric::Clos {
            planes: fabric.planes,
            t0s: fabric.t0_per_plane,
            t1s: fabric.t1_per_plane,
            nics_per_t0: fabric.nics_per_t0,
            pods: fabric.pods,
            t2s: fabric.t2_per_plane,
        };
        let target = find(step.selects, &clos, self.flows().len() as u32)
            .unwrap_or_else(|why| panic!("{}: {} cannot be selected: {why}", step.title, step.selects));
        self.ask(ToWorker::Watch { target: Some(target) });
        let advance = ToWorker::Advance {
            run: 1,
            target_ps: step.at_ps,
            budget_ms: f64::INFINITY,
            report: true,
        };
        let report = self
            .ask(advance)
            .into_iter()
            .find_map(|message| match message {
                FromWorker::Report(report) => Some(*report),
                _ => None,
            })
            .expect("a report");
        let is_there = report.now_ps == step.at_ps || report.finished;
        assert!(is_there, "{}: {} ps", step.title, report.now_ps);
        let timeline = ToWorker::Timeline {
            run: 1,
            qps: Vec::new(),
        };
        let timeline = match self.ask(timeline).remove(0) {
            FromWorker::Timeline(timeline) => timeline,
            other => panic!("{other:?}"),
        };
        let jobs = match self.ask(ToWorker::Jobs { run: 1 }).remove(0) {
            FromWorker::Jobs { jobs, .. } => jobs,
            other => panic!("{other:?}"),
        };
        Seen {
            report,
            timeline,
            flows: self.flows(),
            jobs,
        }
    }

    /// A figure as the page prints it; none where there is nothing to print.
    fn measure(&self, figure: Figure, step: &Step, seen: &Seen) -> Option<String> {
        let report = &seen.report;
        let span = |ps: u64| units::span(ps as f64);
        let mark = |kind| {
            let marks = seen.timeline.marks.iter();
            marks
                .filter(|mark| mark.kind == kind)
                .map(|mark| mark.at_ps)
                .min()
        };
        let fault = self.scenario.faults.first().map(|fault| fault.at.0);
        let qp = match &report.detail {
            Some(Detail::Qp(qp)) => Some(qp),
            _ => None,
        };
        let flow = |qp: u32| seen.flows.iter().find(|row| row.qp.qp == qp);
        let count = |n: u64| Some(units::count(n));
        match figure {
            Figure::Setting(pointer) => {
                let json = serde_json::to_value(&self.scenario).ok()?;
                let value = json.pointer(pointer)?;
                Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            }
            Figure::Now => Some(units::round_span(step.at_ps as f64)),
            Figure::Nics => {
                let fabric = &self.scenario.fabric;
                count(u64::from(fabric.t0_per_plane) * u64::from(fabric.nics_per_t0))
            }
            Figure::At(kind) => mark(kind).map(span),
            Figure::AfterFault(kind) => Some(span(mark(kind)? - fault?)),
            Figure::Exposure => {
                let exposure = seen.timeline.exposures.first()?;
                Some(span(exposure.last_ps - exposure.at_ps))
            }
            Figure::Dropped => count(report.drops.iter().map(|(_, count)| count).sum()),
            Figure::Trimmed => count(report.trims + report.trims_last_hop),
            Figure::SentAgain => count(report.retransmissions),
            Figure::Pauses => count(report.pfc.as_ref()?.pauses),
            Figure::Complete => count(u64::from(report.flows_done)),
            Figure::Failed => count(u64::from(report.flows_failed)),
            Figure::Evs => count(qp?.evs.len() as u64),
            Figure::EvsBad => {
                let bad = qp?.evs.iter().filter(|ev| ev.state == EvState::AssumedBad);
                count(bad.count() as u64)
            }
            Figure::JobSteps => count(u64::from(seen.jobs.first()?.done)),
            Figure::JobStep(number) => {
                let job = seen.jobs.first()?;
                let first = job.done as usize - job.latest.len();
                Some(span(job.latest.get(number.checked_sub(first + 1)?)?.time_ps()))
            }
            Figure::MedianTime => Some(span(report.fct_ps?[0])),
            Figure::SlowestTime => Some(span(report.fct_ps?[2])),
            Figure::TimeOf(qp) => Some(span(flow(qp)?.fct_ps?)),
            Figure::PlacedOf(qp) => Some(units::bytes(flow(qp)?.qp.placed as f64)),
            Figure::Host(_) => None,
        }
    }
}

/// Whether a text says a figure: as it is printed, as scenarios write it (`100us` for `100 µs`), or in a word where it is small.
fn says(said: &str, measured: &str) -> bool {
    let plain = |text: &str| text.replace([' ', '\u{a0}', '\u{202f}'], "").replace('µ', "u");
    let word = said.to_lowercase();
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven"];
    plain(said) == plain(measured)
        || (measured == "0" && ["none", "nothing"].contains(&word.as_str()))
        || (words.iter().position(|known| *known == word))
            .is_some_and(|number| measured == number.to_string())
}

/// Plays a story run by run, by what begins a run, goes on to a step and measures there; each thing that does not hold is a line.
fn wrong<P, S>(
    story: &Story,
    new: impl Fn(&Variant) -> P,
    at: impl Fn(&P, &Step) -> S,
    measure: impl Fn(&P, Figure, &Step, &S) -> Option<String>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, variant) in story.runs.iter().enumerate() {
        let mut steps: Vec<&Step> = story.steps.iter().filter(|step| step.run == number).collect();
        assert!(!steps.is_empty(), "{}: run {number} is in no step", story.slug);
        steps.sort_by_key(|step| step.at_ps);
        let played = new(variant);
        for step in steps {
            let seen = at(&played, step);
            for claim in step.claims {
                let measured = measure(&played, claim.figure, step, &seen);
                if !measured
                    .as_deref()
                    .is_some_and(|measured| says(claim.said, measured))
                {
                    wrong.push(format!(
                        "{}, {:?}: says {:?} for {:?}, which is {measured:?}",
                        story.slug, step.title, claim.said, claim.figure
                    ));
                }
            }
        }
    }
    wrong
}

fn wrong_of_fabric(story: &Story) -> Vec<String> {
    wrong(story, Played::new, Played::at, Played::measure)
}

#[test]
fn what_stories_say_is_what_their_runs_show() {
    let small = stories()
        .iter()
        .filter(|story| !story.is_of_host() && story.slug != "whole-fabric");
    let wrong: Vec<String> = small.flat_map(wrong_of_fabric).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 131,072 NICs take their time, so they have a test of their own.
#[test]
fn what_the_story_of_the_whole_fabric_says_is_what_its_run_shows() {
    let wrong = wrong_of_fabric(find_story("whole-fabric").expect("a story"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The check itself: a number that is off in its last digit is found.
#[test]
fn a_text_that_says_something_else_is_found() {
    assert!(says("100 µs", "100us") && says("1\u{202f}768", "1\u{202f}768") && says("none", "0"));
    assert!(says("Two", "2") && !says("two", "3") && !says("no", "1"));
    assert!(!says("100 µs", "101us") && !says("none", "1") && !says("1\u{202f}769", "1\u{202f}768"));
}

//! Stories of hosts are played likewise.

use super::wrong;
use std::cell::RefCell;
use view::host::find::find;
use view::host::message::{Ask, Charts, Detail, Facts, Report, Tables, Tell};
use view::message::FromWorker;
use view::story::{Figure, HostFigure, Step, Story, Variant, stories};
use view::units;
use worker::HostSession;

struct Played {
    session: RefCell<HostSession>,
    scenario: scenario::host::HostScenario,
    facts: Facts,
}

struct Seen {
    report: Report,
    tables: Tables,
    charts: Charts,
}

impl Played {
    fn new(scenario: scenario::host::HostScenario) -> Played {
        let mut played = Played {
            session: RefCell::default(),
            scenario: scenario.clone(),
            facts: Facts::default(),
        };
        let scenario = Box::new(scenario);
        match played.ask(Ask::Load { run: 1, scenario }).remove(0) {
            Tell::Loaded { facts, .. } => played.facts = facts,
            other => panic!("{other:?}"),
        }
        played
    }

    fn ask(&self, ask: Ask) -> Vec<Tell> {
        let answers = self.session.borrow_mut().handle(ask, || 0.0);
        answers
            .into_iter()
            .filter_map(|answer| match answer.message {
                FromWorker::Host { host } => Some(host.open().unwrap()),
                _ => None,
            })
            .collect()
    }

    fn report(&self, target_ps: u64) -> Report {
        let advance = Ask::Advance {
            run: 1,
            target_ps,
            budget_ms: f64::INFINITY,
            report: true,
        };
        let answers = self.ask(advance).into_iter();
        let mut reports = answers.filter_map(|tell| match tell {
            Tell::Report(report) => Some(*report),
            _ => None,
        });
        reports.next().expect("a report")
    }

    /// Goes on to a step's time and looks at what it selects, which has to be there.
    fn at(&self, step: &Step) -> Seen {
        let now = self.report(step.at_ps).now_ps;
        assert_eq!(now, step.at_ps, "{}", step.title);
        let target = find(step.selects, &self.facts)
            .unwrap_or_else(|why| panic!("{}: {} cannot be selected: {why}", step.title, step.selects));
        self.ask(Ask::Watch { target: Some(target) });
        let report = self.report(step.at_ps);
        let gone = matches!(report.detail, None | Some(Detail::PacketGone | Detail::FlowGone));
        assert!(!gone, "{}: {} is not there", step.title, step.selects);
        let tables = match self.ask(Ask::Tables { run: 1 }).remove(0) {
            Tell::Tables(tables) => *tables,
            other => panic!("{other:?}"),
        };
        let charts = Ask::Charts {
            run: 1,
            traffic: Some(0),
        };
        let charts = match self.ask(charts).remove(0) {
            Tell::Charts(charts) => *charts,
            other => panic!("{other:?}"),
        };
        Seen {
            report,
            tables,
            charts,
        }
    }

    fn measure(&self, figure: Figure, step: &Step, seen: &Seen) -> Option<String> {
        match figure {
            Figure::Setting(pointer) => {
                let json = serde_json::to_value(&self.scenario).ok()?;
                let value = json.pointer(pointer)?;
                Some(match value.as_u64() {
                    Some(number) => units::count(number),
                    None => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
                })
            }
            Figure::Now => Some(units::round_span(step.at_ps as f64)),
            Figure::Host(figure) => host_figure(figure, seen),
            _ => None,
        }
    }
}

fn host_figure(
    figure: HostFigure,
    Seen {
        report,
        tables,
        charts,
    }: &Seen,
) -> Option<String> {
    let walk = || match &report.detail {
        Some(Detail::Packet {
            walk, walked: true, ..
        }) => walk.as_ref(),
        _ => None,
    };
    let span = |ps: u64| units::span(ps as f64);
    let lost: u64 = report.lost.iter().map(|(_, count)| count).sum();
    let count = match figure {
        HostFigure::Sent => report.created,
        HostFigure::Evicted => tables.evictions[1],
        HostFigure::Exceptions => report.exceptions.iter().sum(),
        HostFigure::StaleExceptions => report.exceptions[1],
        HostFigure::Copies => report.copies,
        HostFigure::Installed => report.entries[0],
        HostFigure::Entries => u64::from(report.resident[0]),
        HostFigure::InDram => u64::from(report.resident[2]),
        HostFigure::Arrived(route) => report.delivered[route],
        HostFigure::Lost("") => lost,
        HostFigure::Lost(reason) => {
            let of = report.lost.iter().filter(|(name, _)| name == reason);
            of.map(|(_, count)| count).sum()
        }
        HostFigure::LostShare => return Some(format!("{} %", 100 * lost / report.created)),
        HostFigure::Challenged => report.challenged,
        HostFigure::Reconciled => report.reconciled,
        HostFigure::Stale => tables.unified[3],
        HostFigure::Flows => u64::from(report.flows),
        HostFigure::HalfOpen => u64::from(report.half_open),
        HostFigure::Generation => u64::from(report.vms[0].generation),
        HostFigure::Connections(which) => report.connections[which],
        HostFigure::SentAgain => report.retransmissions,
        HostFigure::Layers => walk()?.layers.len() as u64,
        HostFigure::WalkTime => return Some(span(walk()?.core_ps)),
        HostFigure::Waiting => u64::from(report.waiting[0]),
        HostFigure::Mean(route) => return Some(span(charts.latency[route]?[0]?)),
        HostFigure::Mark(words) => {
            let (at, _) = report.marks.iter().find(|(_, what)| what.contains(words))?;
            return Some(span(*at));
        }
    };
    Some(units::count(count))
}

fn wrong_of_host(story: &Story) -> Vec<String> {
    let new = |variant: &Variant| Played::new(variant.host_scenario().expect("a host's scenario"));
    wrong(story, new, Played::at, Played::measure)
}

#[test]
fn what_stories_of_hosts_say_is_what_their_runs_show() {
    let of_hosts = stories().iter().filter(|story| story.is_of_host());
    let wrong: Vec<String> = of_hosts.flat_map(wrong_of_host).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

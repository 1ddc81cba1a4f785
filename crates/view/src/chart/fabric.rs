//! The charts of a fabric's run: from what the worker says of it.

use super::links::{Hop, LinksAnswer, LinksAsk};
use super::{Axis, Body, Chart, Heat, Line, Mark, Matrix, Quantity, Sample, Shape, View, ink};
use crate::lane_words::Counted;
use crate::message::{Lane, Timeline};
use crate::units;
use scenario::Fault;
use serde::{Deserialize, Serialize};

/// Rows and columns of a heat map at most.
pub const MOST_CELLS: u32 = 48;
/// Steps of a job that are drawn at most.
pub const MOST_STEPS: usize = 512;
/// Jobs that have lines at most.
pub const MOST_JOBS: usize = 8;
/// Bins of a chart over time at most: as many as can be told apart.
const MOST_BINS: usize = 128;
/// Faults that are marked in a chart at most.
const MOST_MARKS: usize = 100;

/// What the page asks of the worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Which links, and what of them.
    pub links: LinksAsk,
}

/// What the worker answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Simulated time in ps.
    pub now_ps: u64,
    /// Completion times of the flows that are complete, in ps.
    pub fct: Sample,
    /// When each step of a job ended and how long it took, in ps; by job.
    pub steps: Vec<(u32, Vec<(u64, u64)>)>,
    /// The average queueing delay that the congestion control of each QP under way sees, in ps.
    pub delays: Sample,
    /// Who sent how much to whom.
    pub traffic: Matrix,
    /// The links asked for.
    pub links: LinksAnswer,
    /// The deepest queues over time.
    pub queues: Queues,
}

/// The deepest queue in front of each kind of link, looked at from time to time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Queues {
    /// False where there are too many links to look at all of them often.
    pub are_kept: bool,
    /// When it was looked at, in ps.
    pub times: Vec<u64>,
    /// Bytes in the deepest queue, by kind of link.
    pub deepest: Vec<(Hop, Vec<u32>)>,
}

fn time(end: u64) -> Axis {
    Axis::new("Time", Quantity::Time).between(0.0, end.max(1) as f64)
}

/// Faults and repairs as marks of charts over time, up to `end`.
pub fn marks(faults: &[Fault], end: u64) -> Vec<Mark> {
    faults
        .iter()
        .filter(|fault| fault.at.0 <= end)
        .take(MOST_MARKS)
        .map(|fault| {
            let (name, ink) = if fault.what.is_repair() {
                ("repair", "healed")
            } else {
                ("fault", "broke")
            };
            Mark {
                x: fault.at.0 as f64,
                name: name.into(),
                ink,
            }
        })
        .collect()
}

/// Up to where the charts over time reach.
fn end(timeline: &Timeline) -> u64 {
    timeline.known_ps.max(timeline.now_ps)
}

/// How many of a timeline's bins are one of a chart's.
fn each(timeline: &Timeline) -> usize {
    (timeline.bins as usize).div_ceil(MOST_BINS).max(1)
}

/// Width of a chart's bins in words.
fn width(timeline: &Timeline) -> String {
    units::span((timeline.bin_ps * each(timeline) as u64) as f64)
}

/// The points of a lane's bins, several together where there are many: what is `rated` as their mean, other things as their sum. The last
/// bin of a run that goes on is not complete and would look like a fall: it is left out.
fn bins(timeline: &Timeline, values: &[f32], rated: bool) -> Vec<(f64, f64)> {
    let known = values.len().min(timeline.bins as usize);
    let complete = if timeline.known_to_the_end {
        known
    } else {
        known.saturating_sub(1)
    };
    let each = each(timeline);
    let place = |bin: usize| (bin as u64 * timeline.bin_ps) as f64;
    let mut points: Vec<(f64, f64)> = values[..complete]
        .chunks(each)
        .enumerate()
        .map(|(number, chunk)| {
            let sum: f64 = chunk.iter().map(|&value| f64::from(value)).sum();
            let of = if rated { chunk.len() as f64 } else { 1.0 };
            (place(number * each), sum / of)
        })
        .collect();
    if let Some(&(_, value)) = points.last() {
        points.push((place(complete).min(end(timeline).max(1) as f64), value));
    }
    points
}

/// Goodput by plane.
pub fn goodput(timeline: &Timeline, values: &[Vec<f32>], faults: &[Fault]) -> Chart {
    let bits = 8e12 / timeline.bin_ps.max(1) as f64;
    let lanes = timeline.lanes.iter().zip(values);
    let lines = lanes
        .filter(|(lane, _)| matches!(lane, Lane::Plane(_)))
        .enumerate()
        .map(|(number, (lane, values))| Line {
            name: lane.words().name,
            ink: ink(number),
            shape: Shape::Steps,
            points: bins(timeline, values, true)
                .into_iter()
                .map(|(at, bytes)| (at, bytes * bits))
                .collect(),
        })
        .collect();
    Chart {
        slug: "goodput",
        title: "Goodput by plane".into(),
        doc: format!(
            "Message bits placed at receivers per second, by the plane that they came through; means of bins of {}.",
            width(timeline)
        ),
        empty: "Nothing has been placed yet.",
        x: time(end(timeline)),
        y: Axis::new("Goodput", Quantity::Rate),
        body: Body::Lines(lines),
        marks: marks(faults, end(timeline)),
        ..Chart::default()
    }
}

/// What congestion and faults do to packets, over time: lanes that count things, those without any left out.
pub fn losses(timeline: &Timeline, values: &[Vec<f32>], faults: &[Fault]) -> Chart {
    let lanes = timeline.lanes.iter().zip(values);
    let lines = lanes
        .filter(|(lane, values)| {
            let is_wanted = **lane != Lane::Messages && lane.words().counted == Counted::Things;
            is_wanted && values.iter().any(|&value| value > 0.0)
        })
        .map(|(lane, values)| Line {
            name: match lane {
                Lane::Retransmissions => "Retransmissions".into(),
                Lane::Skips => "EVs to SKIP".into(),
                other => other.words().name,
            },
            // By lane, so that a line that appears later changes none of the others.
            ink: match lane {
                Lane::Drops => "s3",
                Lane::Trims => "s2",
                Lane::Retransmissions => "s1",
                Lane::Marks => "s4",
                Lane::Skips => "s5",
                Lane::Nacks => "s7",
                Lane::Pauses => "s0",
                _ => "s6",
            },
            shape: Shape::Steps,
            points: bins(timeline, values, false),
        })
        .collect();
    Chart {
        slug: "losses",
        title: "Drops, trims, marks".into(),
        doc: format!(
            "Packets dropped, trimmed, marked and sent again, and what senders make of it, in each bin of {}.",
            width(timeline)
        ),
        empty: "No packet was dropped, trimmed, marked or sent again so far.",
        x: time(end(timeline)),
        y: Axis::new(
            format!("Packets in a bin of {}", width(timeline)),
            Quantity::Count,
        )
        .switchable(),
        body: Body::Lines(lines),
        marks: marks(faults, end(timeline)),
        ..Chart::default()
    }
}

impl Answer {
    /// Completion times of the flows.
    pub fn completion(&self, view: View, log: bool) -> Chart {
        let chart = Chart {
            slug: "fct",
            title: "Completion times of flows".into(),
            doc: distribution_doc(view, "flows", "from posting to completion", &self.fct),
            empty: "No flow is complete yet.",
            ..Chart::default()
        };
        view.chart(
            chart,
            "Completion time",
            "flows",
            &[(String::new(), "s0", &self.fct)],
            log,
        )
    }

    /// Queueing delays that QPs see.
    pub fn delay(&self, view: View, log: bool) -> Chart {
        let chart = Chart {
            slug: "delay",
            title: "Queueing delay that QPs see, now".into(),
            doc: distribution_doc(
                view,
                "QPs under way",
                "the average of measured RTTs less the base RTT that congestion control keeps",
                &self.delays,
            ),
            empty: "No QP is under way, or its congestion control measures no delay.",
            ..Chart::default()
        };
        view.chart(
            chart,
            "Queueing delay",
            "QPs",
            &[(String::new(), "s0", &self.delays)],
            log,
        )
    }

    /// How long the steps of jobs took.
    pub fn steps(&self, end: u64, faults: &[Fault]) -> Chart {
        let lines = self.steps.iter().enumerate().map(|(number, (job, steps))| Line {
            name: format!("Job {job}"),
            ink: ink(number),
            shape: Shape::Joined,
            points: steps
                .iter()
                .map(|&(ended, took)| (ended as f64, took as f64))
                .collect(),
        });
        Chart {
            slug: "steps",
            title: "Step times of jobs".into(),
            doc: format!(
                "From posting to the completion of a step's slowest transfer, at the time at which the step ended; the latest {MOST_STEPS} of a job."
            ),
            empty: "No step is complete yet.",
            x: time(end),
            y: Axis::new("Step time", Quantity::Time).switchable(),
            body: Body::Lines(lines.collect()),
            marks: marks(faults, end),
            ..Chart::default()
        }
    }

    /// The deepest queues over time.
    pub fn queues(&self, end: u64, faults: &[Fault]) -> Chart {
        let lines = self
            .queues
            .deepest
            .iter()
            .enumerate()
            .map(|(number, (hop, deepest))| Line {
                name: hop.name().into(),
                ink: ink(number),
                shape: Shape::Joined,
                points: self
                    .queues
                    .times
                    .iter()
                    .zip(deepest)
                    .map(|(&at, &bytes)| (at as f64, f64::from(bytes)))
                    .collect(),
            });
        Chart {
            slug: "queues",
            title: "Deepest queues".into(),
            doc: "Bytes in the deepest queue in front of each kind of link, the packet being sent included; looked at from time to time, the greatest where there is no room for all.".into(),
            empty: if self.queues.are_kept {
                "Not looked at yet."
            } else {
                "This fabric has too many queues to look at all of them often: see the links beside."
            },
            x: time(end),
            y: Axis::new("Queue", Quantity::Bytes),
            body: Body::Lines(lines.collect()),
            marks: marks(faults, end),
            ..Chart::default()
        }
    }

    /// The traffic matrix.
    pub fn traffic(&self, log: bool) -> Chart {
        let names = self.traffic.names();
        let values: Vec<f64> = self.traffic.bytes.iter().map(|&bytes| bytes as f64).collect();
        let sent = values.iter().any(|&bytes| bytes > 0.0);
        Chart {
            slug: "traffic",
            title: "Traffic matrix".into(),
            doc: "Message bytes placed at receivers so far, by sender (rows) and receiver (columns).".into(),
            empty: "Nothing has been placed yet.",
            x: Axis::new("to", Quantity::Count),
            y: Axis::new("from", Quantity::Count),
            body: Body::Heat(Heat {
                rows: names.clone(),
                columns: names,
                values: if sent { values } else { Vec::new() },
                quantity: Quantity::Bytes,
                what: "placed".into(),
                top: None,
                log,
            }),
            ..Chart::default()
        }
    }
}

fn distribution_doc(view: View, things: &str, what: &str, sample: &Sample) -> String {
    let of = match view {
        View::Cdf => format!("The share of {things} within this time"),
        View::Ccdf => format!("The share of {things} above this time"),
        View::Histogram => format!("How many {things} took so long"),
    };
    let mut text = format!(
        "{of}: {what}; {} of {}.",
        units::count(sample.count()),
        units::count(sample.of)
    );
    if sample.count() as usize > super::MOST_POINTS {
        text += " So many values are shown in groups, the greatest ones each.";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(over: bool) -> Timeline {
        Timeline {
            known_ps: 2_500_000,
            known_to_the_end: over,
            bin_ps: 1_000_000,
            bins: 3,
            lanes: vec![
                Lane::Plane(0),
                Lane::Plane(1),
                Lane::Drops,
                Lane::Trims,
                Lane::BadEvs,
            ],
            ..Timeline::default()
        }
    }

    /// 125,000 B in a µs are 1 Tb/s.
    fn values() -> Vec<Vec<f32>> {
        vec![
            vec![125_000.0, 0.0, 10.0],
            vec![250_000.0, 125_000.0, 0.0],
            vec![0.0, 3.0, 0.0],
            vec![0.0; 3],
            vec![9.0; 3],
        ]
    }

    #[test]
    fn goodput_is_by_plane_and_leaves_out_the_bin_that_is_not_complete() {
        let chart = goodput(&timeline(false), &values(), &[]);
        assert_eq!(chart.lines().len(), 2);
        assert_eq!(chart.lines()[0].points, [(0.0, 1e12), (1e6, 0.0), (2e6, 0.0)]);
        assert_eq!(chart.read(1.5e6).values, [Some(0.0), Some(1e12)]);
        let over = goodput(&timeline(true), &values(), &[]);
        assert_eq!(
            over.lines()[1].points,
            [(0.0, 2e12), (1e6, 1e12), (2e6, 0.0), (2.5e6, 0.0)]
        );
    }

    #[test]
    fn many_bins_are_put_together() {
        let long = Timeline {
            known_ps: 300,
            known_to_the_end: true,
            bin_ps: 1,
            bins: 300,
            lanes: vec![Lane::Plane(0), Lane::Drops],
            ..Timeline::default()
        };
        let values = vec![(0..300).map(|n| n as f32).collect(), vec![1.0; 300]];
        let drops = losses(&long, &values, &[]);
        let points = &drops.lines()[0].points;
        // Three in each of a hundred, and the end.
        assert_eq!(
            (points.len(), points[1], points[100]),
            (101, (3.0, 3.0), (300.0, 3.0))
        );
        assert_eq!(
            goodput(&long, &values, &[]).lines()[0].points[1],
            (3.0, 4.0 * 8e12)
        );
    }

    #[test]
    fn only_what_there_was_has_a_line() {
        let chart = losses(&timeline(true), &values(), &[]);
        let names: Vec<&str> = chart.lines().iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["Drops"]);
        assert_eq!(
            chart.sentence(&chart.read(1.2e6)),
            format!("{}: Drops 3", units::span(1.2e6))
        );
    }

    #[test]
    fn a_run_without_a_history_has_empty_charts() {
        let nothing = Timeline::default();
        assert!(goodput(&nothing, &[], &[]).is_empty());
        assert!(losses(&nothing, &[], &[]).is_empty());
        let answer = Answer::default();
        for chart in [
            answer.completion(View::Ccdf, true),
            answer.delay(View::Histogram, false),
            answer.steps(0, &[]),
            answer.queues(0, &[]),
            answer.traffic(false),
        ] {
            assert!(chart.is_empty(), "{}", chart.slug);
            assert!(!chart.empty.is_empty());
        }
    }

    #[test]
    fn faults_are_marked_as_far_as_the_chart_reaches() {
        let fault = |at: u64, text: &str| Fault {
            at: scenario::Time(at),
            what: scenario::FaultKind::link_down(text.parse().unwrap()),
        };
        let all = marks(&[fault(5, "p0/n1"), fault(50, "p0/n1")], 20);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].x, all[0].ink), (5.0, "broke"));
    }
}

//! What a fault does to a run: how deep goodput falls, how much is missing, and how long it takes to come back.
//!
//! The rules are our choice; `docs/compare.md` has them for readers. They look at the first fault that breaks something after the
//! first flow has begun. Where the scenario has jobs, their steps are looked at, because goodput falls in every compute phase;
//! otherwise the bytes placed by all flows together, in bins around the fault.

use kernel::Time;
use scenario::{Flow, Scenario};
use serde::{Deserialize, Serialize};
use sim::jobs::JobStep;
use sim::{Observer, Sim};

/// A bin has at least so many base RTTs: congestion control and loss recovery work in round trips, and what is over within one
/// is not a dip of the transport.
const RTTS_PER_BIN: u64 = 3;
/// Bins before the fault whose mean is the level, at most: long enough to even out a few round trips, short enough to be about the
/// time of the fault.
const BINS_BEFORE: u64 = 16;
/// Bins after the fault, at most: some 200 ms of a fabric with a base RTT of 7 µs, in 80 kB.
const BINS_AFTER: usize = 10_000;
/// A bin or step with at least this share of the level is no part of the dip.
const BACK: f64 = 0.95;

/// What the first fault did to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dip {
    /// When the fault came, µs.
    pub fault_us: f64,
    /// What the run was like before.
    #[serde(flatten)]
    pub before: Before,
    /// What is missing in the worst bin after the fault, or in the longest step, in % of the level before; 0 where none is
    /// slower.
    pub depth_percent: f64,
    /// What is missing until it is back, as so many µs at the level before; up to the end of what was looked at where it does
    /// not come back; 0 where the dip is at most 5 % deep.
    pub lost_us: f64,
    /// From the fault until bins or steps are back at 95 % of the level, µs; 0 where the dip is at most 5 % deep, none where it was
    /// not seen to come back.
    pub recovery_us: Option<f64>,
}

/// What a run was like before its first fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Before {
    /// Bytes placed in bins, where the scenario has no job.
    Goodput {
        /// Mean goodput of the bins before the fault, all flows together, Gb/s.
        level_gbps: f64,
        /// Width of a bin, µs.
        bin_us: f64,
    },
    /// Steps of a job: the one with the deepest dip.
    Steps {
        /// Median time of the steps that were over before the fault, µs.
        step_us: f64,
    },
}

/// When the first fault comes that breaks something after the first flow has begun; none where there is none.
pub(crate) fn first_fault(scenario: &Scenario, flows: &[Flow]) -> Option<Time> {
    first_fault_of(scenario, flows).map(|(time, _)| time)
}

/// The same, with its place among the scenario's faults; of several at that time the first.
pub(crate) fn first_fault_of(scenario: &Scenario, flows: &[Flow]) -> Option<(Time, usize)> {
    let begin = flows.iter().map(|flow| flow.start_ps).min()?;
    scenario
        .fault_events()
        .iter()
        .filter(|event| event.at.0 > begin && !scenario.faults[event.cause].what.is_repair())
        .map(|event| (Time(event.at.0), event.cause))
        .min()
}

/// Watches goodput around a fault.
#[derive(Clone, Debug)]
pub(crate) struct GoodputWatch {
    fault: Time,
    width: Time,
    /// Other flows begin here, and bins beyond are about something else.
    until: Time,
    /// When to look next; none when all is seen.
    next: Option<Time>,
    last: Option<Look>,
    before: Vec<u64>,
    after: Vec<u64>,
}

/// A look at a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    placed: u64,
    unplaced: u64,
}

impl GoodputWatch {
    /// Around a fault of a run without jobs. None where a bin before it has no room.
    pub fn new(fault: Time, flows: &[Flow], base_rtt: Time) -> Option<GoodputWatch> {
        let width = bin_width(base_rtt);
        let starts = flows.iter().map(|flow| flow.start_ps);
        // The first bin of a flow holds its way up, and no bin may hold a beginning.
        let begun = starts.clone().filter(|&start| start <= fault.0).max()?;
        let room = (fault.0 - begun) / width.0;
        let bins = room.saturating_sub(1).min(BINS_BEFORE);
        (bins > 0).then(|| GoodputWatch {
            fault,
            width,
            until: Time(starts.filter(|&start| start > fault.0).min().unwrap_or(u64::MAX)),
            next: Some(Time(fault.0 - bins * width.0)),
            last: None,
            before: Vec::new(),
            after: Vec::new(),
        })
    }

    /// When to look next; the end of time when all is seen.
    pub fn next(&self) -> Time {
        self.next.unwrap_or(Time::MAX)
    }

    /// Looks at a run that has come to [`next`](Self::next).
    pub fn look<O: Observer>(&mut self, sim: &Sim<O>) {
        if self.next == Some(sim.now()) {
            self.note(Look {
                placed: sim.placed_bytes(),
                unplaced: sim.unplaced_qps(),
            });
        }
    }

    fn note(&mut self, look: Look) {
        let Some(now) = self.next else { return };
        if let Some(last) = self.last.replace(look) {
            let bin = look.placed - last.placed;
            // A flow that is done leaves room or idle lines: what comes then is about other traffic.
            let same_flows = look.unplaced == last.unplaced && now <= self.until;
            match (now <= self.fault, same_flows) {
                (true, true) => self.before.push(bin),
                (true, false) => self.before.clear(),
                (false, true) => self.after.push(bin),
                (false, false) => return self.next = None,
            }
        }
        let blind = now >= self.fault && self.before.is_empty();
        let following = now.0.checked_add(self.width.0).map(Time);
        self.next = following.filter(|_| !blind && self.after.len() < BINS_AFTER);
    }

    /// What was seen; none where nothing was placed before the fault, or no bin came after it.
    pub fn dip(&self) -> Option<Dip> {
        let level = self.before.iter().sum::<u64>() as f64 / self.before.len() as f64;
        if self.after.is_empty() || level.is_nan() || level == 0.0 {
            return None;
        }
        let width = us(self.width);
        let spans = self.after.iter().enumerate().map(|(number, &bytes)| Span {
            share: bytes as f64 / level,
            length: width,
            end: (number + 1) as f64 * width,
            over: true,
        });
        let before = Before::Goodput {
            level_gbps: level * 8e-3 / width,
            bin_us: width,
        };
        Some(Dip::of(self.fault, before, &spans.collect::<Vec<_>>()))
    }
}

/// The width of a bin: the least of 1, 2, 5, 10, 20, … µs that has three base RTTs, so that fabrics that are much alike have
/// the same.
fn bin_width(base_rtt: Time) -> Time {
    let least = base_rtt.0.saturating_mul(RTTS_PER_BIN);
    let mut decade = 1_000_000_u64;
    loop {
        for factor in [1, 2, 5] {
            let width = decade.saturating_mul(factor);
            if width >= least {
                return Time(width);
            }
        }
        decade = decade.saturating_mul(10);
    }
}

/// The dip of the job that it hits most; none where no job had completed a step before the fault, or the run was over.
pub(crate) fn of_jobs<O: Observer>(sim: &Sim<O>, fault: Time) -> Option<Dip> {
    let jobs = sim.job_steps().enumerate();
    jobs.filter_map(|(number, (_, steps))| {
        let open = match (sim.job_failure(number), sim.job_under_way(number)) {
            (Some(_), _) => Open::GivenUp,
            (None, Some((_, posted))) => Open::Since(posted),
            (None, None) => Open::None,
        };
        of_steps(steps, open, fault, sim.now())
    })
    .max_by(|a, b| a.depth_percent.total_cmp(&b.depth_percent))
}

/// What comes after a job's last complete step.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// Nothing: they are all complete.
    None,
    /// A step that communicates since then, or will.
    Since(Time),
    /// Nothing any more: the job was given up.
    GivenUp,
}

fn of_steps(steps: &[JobStep], open: Open, fault: Time, now: Time) -> Option<Dip> {
    let time = |step: &JobStep| us(Time(step.ended_ps - step.posted_ps));
    let split = steps.partition_point(|step| step.ended_ps <= fault.0);
    let (before, after) = steps.split_at(split);
    let median = crate::Stats::of(&before.iter().map(time).collect::<Vec<_>>())?.median;
    let mut spans: Vec<Span> = after
        .iter()
        .map(|step| Span {
            share: median / time(step),
            length: time(step),
            end: us(Time(step.ended_ps - fault.0)),
            over: true,
        })
        .collect();
    let last_end = steps.last().map_or(0, |step| step.ended_ps);
    let (since, share) = match open {
        Open::None => (now.0, 1.0),
        // It takes at least as long as it has taken; before it is slow, nothing is known of it.
        Open::Since(posted) => (posted.0, median / us(Time(now.0.saturating_sub(posted.0)))),
        Open::GivenUp => (last_end, 0.0),
    };
    if share < BACK && now > fault {
        spans.push(Span {
            share,
            length: us(Time(now.0.saturating_sub(since))),
            end: us(now - fault),
            over: false,
        });
    }
    (!spans.is_empty()).then(|| Dip::of(fault, Before::Steps { step_us: median }, &spans))
}

/// A bin or a step after the fault.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Its pace, as a share of that before the fault.
    share: f64,
    /// How long it took, µs.
    length: f64,
    /// When it ended, µs after the fault.
    end: f64,
    /// It is complete, so it may show that the dip is over.
    over: bool,
}

impl Dip {
    /// From at least one bin or step, in order of time.
    fn of(fault: Time, before: Before, spans: &[Span]) -> Dip {
        let worst = spans
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| a.share.total_cmp(&b.share))
            .map_or(0, |(number, _)| number);
        let depth = (1.0 - spans[worst].share).max(0.0);
        let (lost_us, recovery_us) = if spans[worst].share >= BACK {
            (0.0, Some(0.0))
        } else {
            let after = &spans[worst..];
            let back = after.iter().position(|span| span.over && span.share >= BACK);
            let dip = &spans[..back.map_or(spans.len(), |back| worst + back)];
            let missing = dip.iter().map(|span| (1.0 - span.share).max(0.0) * span.length);
            (missing.sum(), back.and_then(|_| dip.last()).map(|last| last.end))
        };
        Dip {
            fault_us: us(fault),
            before,
            depth_percent: depth * 100.0,
            lost_us,
            recovery_us,
        }
    }
}

fn us(t: Time) -> f64 {
    t.0 as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(start_us: u64) -> Flow {
        let scenario = Scenario::from_json(&format!(
            r#"{{ "version": 1, "until": "1ms",
                "fabric": {{ "planes": 1, "t0_per_plane": 2, "t1_per_plane": 1, "nics_per_t0": 1, "nic_link_rate": "100Gbps" }},
                "traffic": [ {{ "kind": "flow", "src": 0, "dst": 1, "bytes": 1000, "start": "{start_us}us" }} ] }}"#
        ));
        scenario.expect("it is valid").flows().remove(0)
    }

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// A watch with bins of 20 µs around 100 µs, shown so many bytes placed in each bin until the fault and after it.
    fn watched(before: &[u64], after: &[u64]) -> GoodputWatch {
        let mut watch = GoodputWatch::new(at(100), &[flow(0)], Time(6_620_800)).expect("there is room");
        let mut placed = 0;
        let mut look = |watch: &mut GoodputWatch, bytes| {
            placed += bytes;
            watch.note(Look { placed, unplaced: 1 });
        };
        look(&mut watch, 7);
        for &bytes in before.iter().chain(after) {
            look(&mut watch, bytes);
        }
        watch
    }

    #[test]
    fn bins_have_three_round_trips_and_a_round_width() {
        for (rtt_ns, width_us) in [
            (1, 1),
            (333, 1),
            (334, 2),
            (6_620, 20),
            (6_667, 50),
            (40_000, 200),
        ] {
            assert_eq!(bin_width(Time(rtt_ns * 1_000)), at(width_us), "{rtt_ns} ns");
        }
        assert!(bin_width(Time::MAX).0 > 0);
    }

    #[test]
    fn the_level_is_that_of_the_bins_between_the_way_up_and_the_fault() {
        let new = |fault_us, starts: &[u64]| {
            let flows: Vec<Flow> = starts.iter().map(|&start| flow(start)).collect();
            GoodputWatch::new(at(fault_us), &flows, at(6))
        };
        // Bins of 20 µs before 100 µs begin at 0, 20, …, 80; that at 0 is the flow's way up.
        assert_eq!(new(100, &[0]).unwrap().next(), at(20));
        // At 15 the first bin begins after the start of the second flow, and is dropped.
        assert_eq!(new(100, &[0, 15]).unwrap().next(), at(40));
        // At most 16 bins.
        assert_eq!(new(1_000, &[0]).unwrap().next(), at(1_000 - 16 * 20));
        // No room for a bin after the first; nothing sent before.
        assert!(new(39, &[0]).is_none());
        assert!(new(100, &[200]).is_none());
        let later = new(100, &[0, 130]).unwrap();
        assert_eq!(later.until, at(130));
    }

    #[test]
    fn depth_loss_and_recovery_by_hand() {
        // Level (90 + 110 + 100 + 100) / 4 = 100 B in 20 µs: 800 b in 20 µs are 0.04 Gb/s.
        // After: 80 is the beginning, 40 the worst, 90 still below 95, 96 is back: at the end of the third bin, after 60 µs.
        // Missing: 20 + 60 + 10 of 100, times 20 µs: 18 µs.
        let dip = watched(&[90, 110, 100, 100], &[80, 40, 90, 96, 50])
            .dip()
            .unwrap();
        let Before::Goodput { level_gbps, bin_us } = dip.before else {
            panic!("{dip:?}");
        };
        assert_eq!((dip.fault_us, level_gbps, bin_us), (100.0, 0.04, 20.0));
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        close(dip.depth_percent, 60.0);
        close(dip.lost_us, 18.0);
        assert_eq!(dip.recovery_us, Some(60.0));
    }

    #[test]
    fn what_does_not_come_back_has_no_time_to_it() {
        let dip = watched(&[100; 4], &[100, 0, 50]).dip().unwrap();
        assert_eq!((dip.depth_percent, dip.lost_us), (100.0, 30.0));
        assert_eq!(dip.recovery_us, None);
    }

    #[test]
    fn less_than_a_twentieth_is_no_dip() {
        let dip = watched(&[100; 4], &[96, 104, 95]).dip().unwrap();
        assert!((dip.depth_percent - 5.0).abs() < 1e-9, "{dip:?}");
        assert_eq!((dip.lost_us, dip.recovery_us), (0.0, Some(0.0)));
        let dip = watched(&[100; 4], &[101, 102]).dip().unwrap();
        assert_eq!(dip.depth_percent, 0.0);
    }

    #[test]
    fn without_bins_on_both_sides_or_traffic_nothing_is_known() {
        assert_eq!(watched(&[100; 4], &[]).dip(), None);
        assert_eq!(watched(&[0; 4], &[100]).dip(), None);
        assert_eq!(watched(&[], &[]).dip(), None);
    }

    #[test]
    fn bins_in_which_a_flow_ends_or_begins_do_not_count() {
        let mut watch = watched(&[100; 4], &[90]);
        watch.note(Look {
            placed: 500,
            unplaced: 0,
        });
        assert_eq!((watch.next(), watch.after.as_slice()), (Time::MAX, &[90][..]));

        // One ends before the fault: the bins before its end are about other traffic.
        let mut watch = GoodputWatch::new(at(100), &[flow(0)], at(6)).unwrap();
        for (placed, unplaced) in [(0, 2), (100, 2), (200, 1), (250, 1)] {
            watch.note(Look { placed, unplaced });
        }
        assert_eq!(watch.before, [50]);

        let mut watch = watched(&[100; 4], &[]);
        watch.until = at(139);
        for placed in [500, 600] {
            watch.note(Look { placed, unplaced: 1 });
        }
        assert_eq!((watch.next(), watch.after.len()), (Time::MAX, 1));
    }

    fn step(posted_us: u64, ended_us: u64) -> JobStep {
        JobStep {
            began_ps: at(posted_us).0,
            posted_ps: at(posted_us).0,
            ended_ps: at(ended_us).0,
        }
    }

    #[test]
    fn steps_of_a_job_by_hand() {
        // Before 150: 40, 50 and 60 µs, median 50. After: 100 (it was under way), 125, 52 (50/52 > 0.95), 200.
        let steps = [
            step(0, 40),
            step(40, 90),
            step(90, 150),
            step(150, 250),
            step(300, 425),
            step(500, 552),
        ];
        let dip = of_steps(&steps, Open::None, at(150), at(552)).unwrap();
        assert_eq!(dip.before, Before::Steps { step_us: 50.0 });
        // 1 − 50/125; (100 − 50) + (125 − 50) µs; until the end of the second at 425.
        assert_eq!(
            (dip.depth_percent, dip.lost_us, dip.recovery_us),
            (60.0, 125.0, Some(275.0))
        );
        // No step before; none after.
        assert_eq!(of_steps(&steps, Open::None, at(39), at(552)), None);
        assert_eq!(of_steps(&steps, Open::None, at(552), at(552)), None);
    }

    #[test]
    fn a_step_under_way_is_at_least_as_long_as_it_has_been() {
        let steps = [step(0, 50), step(100, 150)];
        let open = |posted, now| of_steps(&steps, Open::Since(at(posted)), at(160), at(now));
        let dip = open(200, 400).unwrap();
        assert_eq!(
            (dip.depth_percent, dip.lost_us, dip.recovery_us),
            (75.0, 150.0, None)
        );
        // It has only begun: nothing is known to be slow.
        assert_eq!(open(200, 210), None);
        assert_eq!(open(200, 190), None);
        // A job that was given up is down to nothing.
        let dip = of_steps(&steps, Open::GivenUp, at(160), at(400)).unwrap();
        assert_eq!(
            (dip.depth_percent, dip.lost_us, dip.recovery_us),
            (100.0, 250.0, None)
        );
    }
}

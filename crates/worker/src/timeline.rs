//! From the recorder's history to the page's timeline.

mod marks;

pub use marks::fault_mark;

use crate::run::Run;
use crate::{depths, jobs};
use sim::recorder::{BINS, Look};
use view::message::{Exposure, Lane, Timeline};

/// Exposures sent at most: those of the latest faults.
const MAX_EXPOSURES: usize = 400;

/// QPs whose throughput is sent at most.
const MAX_QPS: usize = 16;

/// The timeline as far as it is known, and its values as bytes.
pub fn timeline(run: &mut Run, qps: &[u32]) -> (Timeline, Vec<u8>) {
    let mut qps = qps.to_vec();
    qps.sort_unstable();
    qps.dedup();
    qps.retain(|&qp| qp < run.sim.qp_count());
    qps.truncate(MAX_QPS);
    for &qp in &qps {
        run.sim.observer_mut().watch(qp);
    }
    let now_ps = run.sim.now().ps();
    let (timeline, values) = run.at_its_furthest(|run| furthest(run, &qps));
    (Timeline { now_ps, ..timeline }, values)
}

/// The timeline up to where the run is.
fn furthest(run: &mut Run, qps: &[u32]) -> (Timeline, Vec<u8>) {
    for &qp in qps {
        run.sim.observer_mut().watch(qp);
    }
    let (now, is_roce) = (run.sim.now(), run.is_roce());
    run.sim.observer_mut().cover(now);
    let looks = looks(run);
    let recorder = run.sim.observer();
    let bins = ((now.ps() / recorder.width_ps()) as usize + 1).min(BINS);
    let (bad_evs, paused) = (recorder.bad_evs(now), recorder.paused_links(now));
    let has_pfc = run.sim.scenario().fabric.pfc.is_some();
    let mut lanes = Vec::new();
    let mut values = Vec::new();
    let mut add = |lane: Lane, series: &[u64]| {
        lanes.push(lane);
        values.extend(
            series[..bins]
                .iter()
                .flat_map(|&value| (value as f32).to_le_bytes()),
        );
    };
    for (plane, series) in recorder.planes().iter().enumerate() {
        add(Lane::Plane(plane as u32), series);
    }
    for &qp in qps {
        if let Some(series) = recorder.qp(qp) {
            add(Lane::Qp(qp), series);
        }
    }
    if run.has_messages {
        add(Lane::Messages, recorder.messages());
    }
    add(Lane::Drops, recorder.drops());
    add(Lane::Trims, recorder.trims());
    add(Lane::Retransmissions, recorder.retransmissions());
    add(Lane::Marks, recorder.marks());
    add(Lane::Nacks, recorder.nacks());
    if is_roce {
        add(Lane::Cnps, recorder.cnps());
    }
    if has_pfc {
        add(Lane::Paused, &paused);
        add(Lane::Pauses, recorder.pauses());
    }
    if let Some(looks) = &looks {
        let series = |of: fn(&Look) -> u64| looks.iter().map(of).collect::<Vec<_>>();
        add(Lane::Queue, &series(|look| depths::deepest(look).into()));
        if !is_roce {
            add(Lane::EvsGood, &series(|look| look.evs.good));
            add(Lane::EvsSkip, &series(|look| look.evs.skip));
        }
    }
    if !is_roce {
        add(Lane::Skips, recorder.skips());
        add(Lane::BadEvs, &bad_evs);
    }
    let (marks, marks_left_out) = marks::marks(run);
    let timeline = Timeline {
        run: run.number,
        now_ps: now.ps(),
        known_ps: now.ps(),
        known_to_the_end: run.sim.is_finished(),
        bin_ps: recorder.width_ps(),
        bins: bins as u32,
        reach_ps: recorder.width_ps() * BINS as u64,
        lanes,
        jobs: jobs::lanes(run),
        exposures: exposures(run),
        marks,
        marks_left_out,
    };
    (timeline, values)
}

/// What was seen at the end of each bin, and what is seen now for the one under way; none where nobody looks. At least as many as
/// there are bins.
fn looks(run: &mut Run) -> Option<Vec<Look>> {
    let mut looks = run.sim.observer().looks()?.to_vec();
    let bin = (run.sim.now().ps() / run.sim.observer().width_ps()) as usize;
    let now = run.sim.look();
    match looks.get_mut(bin) {
        Some(half) => *half = half.and(now),
        None => looks.resize(bin + 1, now),
    }
    Some(looks)
}

/// From each fault to the last packet that was sent into it.
fn exposures(run: &Run) -> Vec<Exposure> {
    let all = run.sim.observer().recoveries();
    let mut latest: Vec<Exposure> = all
        .iter()
        .rev()
        .filter_map(|seen| {
            let (_, last) = seen.sent.span()?;
            (last > seen.at).then_some(Exposure {
                fault: seen.cause as u32,
                at_ps: seen.at.ps(),
                last_ps: last.ps(),
            })
        })
        .take(MAX_EXPOSURES)
        .collect();
    latest.reverse();
    latest
}

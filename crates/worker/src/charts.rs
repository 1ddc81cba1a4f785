//! What the page's charts show beside the timeline: distributions, the traffic matrix, links and queues.

use crate::depths;
use crate::run::Run;
use fabric::{Clos, LinkKind};
use view::chart::fabric::{Answer, Ask, MOST_CELLS, MOST_JOBS, MOST_STEPS};
use view::chart::links::{LinksAnswer, LinksAsk, Measure};
use view::chart::{Groups, Matrix, Sample, groups};

/// What the charts show now.
pub fn charts(run: &mut Run, want: &Ask) -> Answer {
    let queues = depths::queues(run);
    run.sim.settle();
    let clos = run.sim.network().config().clos;
    let qps = run.sim.qp_count();
    let mut traffic = Matrix::new(clos.nics(), clos.nics_per_t0, MOST_CELLS);
    let (mut fct, mut delays) = (Vec::new(), Vec::new());
    // RoCE measures no delay, and a receiver that gives credit none either.
    let transport = &run.sim.scenario().transport;
    let measures_delay = !run.is_roce() && !transport.rccc;
    for qp in 0..qps {
        let view = run.sim.qp(qp);
        traffic.add(view.src, view.dst, view.placed_bytes);
        match view.finished_ps {
            Some(end) => fct.push(end - view.start_ps),
            None if measures_delay && view.started && view.error.is_none() => {
                delays.push(view.avg_delay_ps as u64);
            }
            None => {}
        }
    }
    let of = delays.len() as u64;
    Answer {
        now_ps: run.sim.now().ps(),
        fct: Sample::new(fct, u64::from(qps)),
        steps: steps(run),
        delays: Sample::new(delays, of),
        traffic,
        links: links(run, &clos, want.links),
        queues,
    }
}

/// When the steps of the first jobs ended and how long they took.
fn steps(run: &Run) -> Vec<(u32, Vec<(u64, u64)>)> {
    let jobs = run.sim.job_steps().take(MOST_JOBS);
    (0u32..)
        .zip(jobs)
        .map(|(number, (_, steps))| {
            let latest = &steps[steps.len().saturating_sub(MOST_STEPS)..];
            let times = latest
                .iter()
                .map(|step| (step.ended_ps, step.ended_ps - step.posted_ps));
            (number, times.collect())
        })
        .collect()
}

/// The links of one kind in a plane, in groups where there are many.
fn links(run: &Run, clos: &Clos, want: LinksAsk) -> LinksAnswer {
    // What a page asks for may be of a run before.
    let of = LinksAsk {
        plane: want.plane.min(clos.planes - 1),
        hop: if want.hop.is_in(clos.tiers()) {
            want.hop
        } else {
            LinksAsk::default().hop
        },
        ..want
    };
    let kind = of.hop.kind();
    let (below, uplinks) = match kind {
        LinkKind::NicUp | LinkKind::NicDown => (clos.t0s, clos.nics_per_t0),
        LinkKind::Up | LinkKind::Down => (clos.t0s, clos.t1s_per_pod()),
        LinkKind::CoreUp | LinkKind::CoreDown => (clos.t1s, clos.t2s_per_t1()),
    };
    let rows = groups(below, 1, MOST_CELLS);
    let columns = groups(uplinks, 1, MOST_CELLS);
    let mut values = Vec::with_capacity((rows.count() * columns.count()) as usize);
    for row in 0..rows.count() {
        for column in 0..columns.count() {
            let cell = members(rows, row).flat_map(|switch| {
                members(columns, column).map(move |uplink| link(clos, kind, of.plane, switch, uplink))
            });
            values.push(
                of.measure
                    .together(cell.map(|link| measured(run, of.measure, link))),
            );
        }
    }
    LinksAnswer {
        of,
        rows,
        columns,
        values,
    }
}

fn members(groups: Groups, group: u32) -> std::ops::Range<u32> {
    let first = group * groups.each;
    first..(first + groups.each).min(groups.of)
}

/// The directed link of a switch below (of a NIC's T0) and the number of its link.
fn link(clos: &Clos, kind: LinkKind, plane: u32, switch: u32, uplink: u32) -> u32 {
    match kind {
        LinkKind::NicUp => clos.nic_up(plane, switch * clos.nics_per_t0 + uplink),
        LinkKind::NicDown => clos.nic_down(plane, switch * clos.nics_per_t0 + uplink),
        LinkKind::Up => clos.up(plane, switch, clos.t1s_above(switch).start + uplink),
        LinkKind::Down => clos.down(plane, clos.t1s_above(switch).start + uplink, switch),
        LinkKind::CoreUp => clos.core_up(plane, switch, clos.t2s_above(switch).start + uplink),
        LinkKind::CoreDown => clos.core_down(plane, clos.t2s_above(switch).start + uplink, switch),
    }
}

fn measured(run: &Run, measure: Measure, link: u32) -> f64 {
    let network = run.sim.network();
    let now = run.sim.now();
    let port = network.port(link);
    match measure {
        Measure::Load => {
            let rate = network.config().class(port.kind).rate_bps as f64;
            // A packet counts from the moment its first bit leaves, so a short time may hold more than fits.
            (port.tx_bytes as f64 * 8e12 / (rate * now.ps().max(1) as f64)).min(1.0)
        }
        Measure::Lately => run.loads.of(network, link, now),
        Measure::Queue => f64::from(port.data_bytes) + f64::from(port.control_bytes),
        Measure::Drops => run
            .drops(std::iter::once(link))
            .iter()
            .map(|(_, count)| *count as f64)
            .sum(),
        Measure::Trims => run.trims(std::iter::once(link)) as f64,
    }
}

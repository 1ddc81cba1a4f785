//! Figures of a run so far.

use super::{look, words};
use host::{Counters, Loss, MarkKind, Place, Run, Step};
use kernel::Time;
use scenario::host::{HostEvent, Traffic};
use view::host::losses::{LossPlace, Lost};
use view::host::message::{AttackView, Count, DataPath, Report, VmState};
use view::units;

/// Marks that a report has at most.
const MARKS: usize = 100;

/// What the cores had worked at the last report, in ps.
#[derive(Default)]
pub struct CoreLoad {
    at: u64,
    worked: Vec<f64>,
    shown: Vec<f64>,
}

impl CoreLoad {
    /// Share of the time since the last report that each core has worked; the last figures where no time has passed.
    fn since(&mut self, run: &Run) -> Vec<f64> {
        let now = run.now().ps();
        let worked: Vec<f64> = run.core_load().iter().map(|load| load * now as f64).collect();
        if now > self.at || self.shown.len() != worked.len() {
            let span = now.saturating_sub(self.at).max(1) as f64;
            self.shown = worked
                .iter()
                .enumerate()
                .map(|(core, done)| {
                    let before = self.worked.get(core).copied().unwrap_or(0.0);
                    ((done - before) / span).clamp(0.0, 1.0)
                })
                .collect();
            self.at = now;
            self.worked = worked;
        }
        self.shown.clone()
    }
}

/// The figures, without details of a selection.
pub fn report(number: u32, run: &Run, load: &mut CoreLoad) -> Report {
    let counters = run.counters();
    let gauges = run.gauges();
    let statistics = run.nic().tables().statistics();
    let mut waiting = vec![0; run.scenario().host.software.cores as usize];
    for (_, packet) in run.packets() {
        if let Place::CoreQueue(core) = packet.place
            && let Some(count) = waiting.get_mut(core as usize)
        {
            *count += 1;
        }
    }
    let marks = &run.metrics().marks;
    let wire_dead = marks
        .iter()
        .rev()
        .find_map(|mark| match mark.what {
            MarkKind::Wire(dead) => Some(dead),
            _ => None,
        })
        .unwrap_or(false);
    Report {
        run: number,
        now_ps: run.now().ps(),
        finished: run.is_finished(),
        digest: run.digest(),
        events: run.events(),
        created: counters.created,
        delivered: counters.delivered,
        lost: losses(counters),
        lost_at: lost_at(run),
        challenged: counters.challenged,
        under_way: run.packets().filter(|(_, packet)| !packet.copy).count() as u64,
        exceptions: counters.exceptions,
        copies: counters.copies,
        entries: [counters.installed, counters.refused, counters.removed],
        reconciled: counters.reconciled,
        retransmissions: counters.retransmissions,
        connections: [
            counters.connections[Counters::BEGUN],
            counters.connections[Counters::OPENED],
            counters.connections[Counters::CLOSED],
            counters.connections[Counters::CLOSED + 1..].iter().sum(),
        ],
        lookups: [
            statistics.l1_cache_hits,
            statistics.l2_cache_hits,
            statistics.l3_cache_hits,
            statistics.miss,
        ],
        resident: [gauges.entries, gauges.l1, gauges.l2],
        flows: gauges.flows,
        half_open: gauges.half_open,
        snat_ports: gauges.snat_ports,
        core_load: load.since(run),
        waiting,
        vms: vms(run),
        walking: look::walking(run),
        wire_dead,
        servicing: servicing(run),
        marks: marks
            .iter()
            .skip(marks.len().saturating_sub(MARKS))
            .map(|mark| (mark.at.ps(), words::mark(mark)))
            .collect(),
        busy_ms: 0.0,
        attacks: attacks(run),
        detail: None,
    }
}

fn attacks(run: &Run) -> Vec<AttackView> {
    let results = &run.metrics().attacks;
    let of = |(number, traffic): (u32, &Traffic)| {
        let Traffic::Attack { vm, attempt, .. } = traffic else {
            return None;
        };
        let result = results.get(&number)?;
        Some(AttackView {
            title: format!("{}, VM {vm}", words::attempt(*attempt)),
            attempted: result.attempted,
            stopped: result
                .stopped_by()
                .map(|(loss, count)| (loss.name().to_owned(), count))
                .collect(),
            through: result.through,
            honest: [result.honest, result.honest_lost],
            timing: result.timing.map(|seen| [seen.accuracy(), seen.information()]),
        })
    };
    (0..).zip(&run.scenario().traffic).filter_map(of).collect()
}

/// Packets lost by reason, those that have occurred.
pub fn losses(counters: &Counters) -> Vec<Count> {
    Loss::all()
        .map(|loss| (loss.name().to_owned(), counters.lost[loss.number()]))
        .filter(|&(_, count)| count > 0)
        .collect()
}

/// Losses by the place where they happen.
fn lost_at(run: &Run) -> Vec<Lost> {
    let lost = &run.counters().lost;
    Loss::all()
        .filter(|loss| lost[loss.number()] > 0)
        .map(|loss| Lost {
            place: place_of(loss, run),
            why: loss.name().to_owned(),
            count: lost[loss.number()],
        })
        .collect()
}

fn place_of(loss: Loss, run: &Run) -> LossPlace {
    match loss {
        Loss::Vfp(_) => LossPlace::Layers,
        Loss::Resources => LossPlace::Queue,
        // One counter for a dead wire and for a VM that stands still: a scenario has hardly ever both.
        Loss::NotReady => {
            let events = &run.scenario().events;
            let is_of_wire = |event: &HostEvent| matches!(event, HostEvent::FpgaReconfig { wire_outage, .. } if wire_outage.0 > 0);
            if events.iter().any(is_of_wire) {
                LossPlace::Wire
            } else {
                LossPlace::Guest
            }
        }
        Loss::StormLimit => LossPlace::Match,
        Loss::QoS => LossPlace::Wire,
        Loss::PipelineBufferFull => LossPlace::Buffer,
        Loss::TransposeFailed => LossPlace::Action,
        Loss::VfRemoved | Loss::VfMacSpoofing | Loss::IommuFault => LossPlace::Vf,
        Loss::UnseenByDriver | Loss::NoDevice | Loss::TxRingFull | Loss::TooManyUnderWay => LossPlace::Guest,
    }
}

fn vms(run: &Run) -> Vec<VmState> {
    let marks = &run.metrics().marks;
    let of = |(number, vm): (u32, &scenario::host::Vm)| {
        let (port, devices) = (run.port(number)?, run.devices(number)?);
        let last = marks.iter().rev().find_map(|mark| match mark.what {
            MarkKind::Vf(step) if mark.vm.is_none_or(|vm| vm == number) => Some(step),
            _ => None,
        });
        Some(VmState {
            name: if vm.name.is_empty() {
                format!("VM {number}")
            } else {
                vm.name.clone()
            },
            has_vf: devices.has_vf(),
            data_path: match devices.data_path() {
                host::DataPath::Vf => DataPath::Vf,
                host::DataPath::Synthetic => DataPath::Synthetic,
                host::DataPath::None => DataPath::None,
            },
            step: last
                .filter(|&step| step != Step::SwitchedTo)
                .map(|step| step.message().to_owned()),
            generation: port.generation(),
            pairs: port.pairs() as u32,
            half_open: port.stats().0[0][vfp::FlowClass::HalfOpenFlow as usize].count,
        })
    };
    (0..).zip(&run.scenario().vms).filter_map(of).collect()
}

/// Servicing of the host as a whole that is under way: from the signal to the return of the VFs.
fn servicing(run: &Run) -> Vec<String> {
    let times = &run.scenario().host.servicing;
    let before = times.takeover.0 + times.removal.0;
    let is_on = |at: scenario::Time, duration: scenario::Time| {
        let (begin, end) = (Time(at.0), Time(at.0 + before + duration.0));
        run.now() >= begin && run.now() < end
    };
    run.scenario()
        .events
        .iter()
        .filter_map(|event| match event {
            HostEvent::FpgaReconfig { at, duration, .. } if is_on(*at, *duration) => Some(format!(
                "FPGA is being loaded, until {}",
                back(*at, before, *duration)
            )),
            HostEvent::DriverUpdate { at, duration } if is_on(*at, *duration) => Some(format!(
                "NIC driver is being replaced, until {}",
                back(*at, before, *duration)
            )),
            _ => None,
        })
        .collect()
}

fn back(at: scenario::Time, before: u64, duration: scenario::Time) -> String {
    units::span((at.0 + before + duration.0) as f64)
}

//! The vSwitch: cores that run VFP, what VFP's operations cost, and what becomes of its orders to the NIC.

use crate::core::{Job, Task};
use crate::event::Event;
use crate::loss::Loss;
use crate::packet::{Place, Route};
use crate::run::{Run, core_of};
use crate::walks::KeptWalk;
use gft::{Direction, EntryId, ExceptionReason, Flow, FlowKey, Nic};
use kernel::Time;
use scenario::host::Software;
use vfp::{Offload, Verdict, Work};

/// Old flows that one job takes out at most; our choice, so that packets do not wait long behind it.
const EXPIRED_AT_ONCE: u32 = 2;

/// What a core's job came to; it takes effect when the job is done.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    job: Job,
    vm: u32,
    verdict: Option<Verdict>,
    offloads: Vec<Offload>,
    // Old flows: there are more.
    more: bool,
}

/// What the NIC was told of a flow: the entries of both ways.
pub(crate) type Told = [Option<EntryId>; 2];

/// What an entry of the NIC had counted at its last report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reported {
    serial: u32,
    packets: u64,
    bytes: u64,
}

/// What operations cost a core.
fn cost_of_work(software: &Software, work: &Work) -> Time {
    let times = |count: u32, each: scenario::Time| u64::from(count) * each.0;
    Time(
        times(work.layers, software.layer)
            + times(work.steps, software.rule_step)
            + times(work.lookups.saturating_sub(1), software.table)
            + times(work.created + work.removed + 2 * work.reconciled, software.entry)
            + times(work.offload_commands, software.offload),
    )
}

/// What passing on a packet costs a core.
pub fn cost_of_packet(software: &Software, bytes: u32, work: &Work) -> Time {
    let passing = Time(software.packet.0 + u64::from(bytes) * software.byte.0);
    passing + cost_of_work(software, work)
}

impl Run {
    /// A packet or a copy reaches the queue of a core.
    pub(crate) fn enqueue(&mut self, number: u32) {
        let software = &self.scenario.host.software;
        let packet = &self.packets[number];
        let copy = packet.copy;
        let cores = if copy || packet.route == Route::Exception {
            software.exception_cores
        } else {
            software.cores
        };
        let core = core_of(self.scenario.seed, &packet.headers.tuple, cores);
        let job = Job {
            packet: number,
            task: if copy { Task::Copy } else { Task::Forward },
        };
        if self.cores[core as usize].offer(job, software.queue) {
            let packet = &mut self.packets[number];
            packet.place = Place::CoreQueue(core);
            packet.since = self.now;
            packet.until = Time::MAX;
            self.serve(core);
        } else if copy {
            self.metrics.counters.copies_lost += 1;
            self.packets.remove(number);
        } else {
            self.lose(number, Loss::Resources);
        }
    }

    /// Asks the first core for a look for old flows of a VM.
    pub(crate) fn look_for_old_flows(&mut self, vm: u32) {
        if self.cores[0].age(vm) {
            self.serve(0);
        }
    }

    /// Lets a core begin with the next job, if it is idle.
    fn serve(&mut self, core: u32) {
        let Some(job) = self.cores[core as usize].take() else {
            return;
        };
        let mut offloads = Vec::new();
        let now = self.now;
        let software = &self.scenario.host.software;
        let (vm, verdict, cost, more, creates) = match job.task {
            Task::Forward => {
                let packet = &self.packets[job.packet];
                let port = &mut self.vms[packet.vm as usize].port;
                let (headers, direction, bytes) = (&packet.headers, packet.direction, packet.bytes);
                let (answer, steps) = match self.walks {
                    Some(_) => port.process_with_walk(now, headers, direction, bytes, &mut offloads),
                    None => (
                        port.process(now, headers, direction, bytes, &mut offloads),
                        Vec::new(),
                    ),
                };
                // The NIC has lost a flow that it was told of: it is told again.
                if packet.exception == Some(ExceptionReason::Miss)
                    && offloads.is_empty()
                    && let Some(handle) = answer.flow
                    && !held(
                        &self.nic,
                        &packet.headers.key(port.number(), packet.direction),
                        now + self.nic_ahead,
                    )
                {
                    self.vms[packet.vm as usize].port.reinstall(handle, &mut offloads);
                }
                let packet = &self.packets[job.packet];
                let extra = offloads.len() as u32 * 2;
                let work = Work {
                    offload_commands: answer.work.offload_commands.max(extra),
                    ..answer.work
                };
                let cost = cost_of_packet(software, packet.bytes, &work);
                if packet.route == Route::Exception {
                    self.metrics.exception_wait.add(now.saturating_sub(packet.since));
                }
                let counters = &mut self.metrics.counters;
                counters.flows_created += u64::from(work.created);
                counters.reconciled += u64::from(work.reconciled);
                let creates = work.created > 0 || work.reconciled > 0;
                if let Some(walks) = &mut self.walks {
                    let port = &self.vms[packet.vm as usize].port;
                    let flow = answer.flow.filter(|_| !steps.is_empty());
                    walks.keep(KeptWalk {
                        packet: job.packet,
                        owner: packet.owner,
                        sent: packet.sent,
                        at: now,
                        direction: packet.direction,
                        bytes: packet.bytes,
                        before: packet.headers,
                        verdict: answer.verdict,
                        steps: steps.into(),
                        flow: flow.and_then(|handle| port.flow(handle)),
                        work,
                        cost,
                    });
                }
                (packet.vm, Some(answer.verdict), cost, false, creates)
            }
            Task::Copy => {
                let packet = &self.packets[job.packet];
                let port = &mut self.vms[packet.vm as usize].port;
                let work = port.observe(now, &packet.headers, packet.direction);
                self.metrics.counters.copies += 1;
                let cost = Time(software.copy.0) + cost_of_work(software, &work);
                (packet.vm, None, cost, false, false)
            }
            Task::Expire => {
                let port = &mut self.vms[job.packet as usize].port;
                let expired = port.expire(now, EXPIRED_AT_ONCE, &mut offloads);
                let cost = cost_of_work(software, &expired.work);
                (job.packet, None, cost, expired.more, false)
            }
        };
        let mut done = now + cost;
        if creates {
            // Flows of a port are created one at a time: its lock is held meanwhile (our choice).
            let port = &mut self.vms[vm as usize];
            done = port.lock_free.max(now) + cost;
            port.lock_free = done;
        }
        if job.task != Task::Expire {
            let packet = &mut self.packets[job.packet];
            packet.place = Place::Core(core);
            packet.since = now;
            packet.until = done;
        }
        let busy = done - now;
        self.cores[core as usize].busy += busy;
        self.metrics.counters.busy += busy.0;
        if core < self.scenario.host.software.exception_cores {
            self.metrics.counters.exception_busy += busy.0;
        }
        self.outcomes[core as usize] = Some(Outcome {
            job,
            vm,
            verdict,
            offloads,
            more,
        });
        self.at(done, Event::CoreDone(core));
    }

    pub(crate) fn core_done(&mut self, core: u32) {
        if let Some(outcome) = self.outcomes[core as usize].take() {
            let Outcome {
                job,
                vm,
                verdict,
                offloads,
                more,
            } = outcome;
            for offload in offloads {
                self.order(vm, offload);
            }
            match job.task {
                Task::Copy => {
                    self.packets.remove(job.packet);
                }
                Task::Expire if more => {
                    self.cores[core as usize].age(vm);
                }
                Task::Expire => {}
                Task::Forward => self.decided(job.packet, verdict),
            }
        }
        self.cores[core as usize].done();
        self.serve(core);
        let low = self.scenario.host.software.queue / (2 * crate::run::GUEST_SHARE);
        if self.cores[core as usize].waiting() <= low as usize {
            for (conn, serial) in std::mem::take(&mut self.cores[core as usize].blocked) {
                self.unblock(conn, serial, crate::event::End::Guest);
            }
        }
    }

    fn decided(&mut self, number: u32, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::Forward(headers)) => {
                let packet = &mut self.packets[number];
                packet.headers = headers;
                match packet.direction {
                    Direction::Out => self.reaches_link(number),
                    Direction::In => self.deliver(number, self.now),
                }
            }
            Some(Verdict::Drop(reason)) => self.lose(number, Loss::Vfp(reason)),
            // The policies made here drop what has no mapping, and answer nothing themselves.
            Some(Verdict::Pending { .. } | Verdict::Reply(_)) | None => {
                self.lose(number, Loss::Vfp(vfp::DropReason::NoMapping));
            }
        }
    }

    /// VFP's order to the NIC.
    pub(crate) fn order(&mut self, vm: u32, offload: Offload) {
        match offload {
            Offload::Install { handle, flows } | Offload::Update { handle, flows } => {
                let old = self.vms[vm as usize].told.remove(&handle).unwrap_or_default();
                let told = flows.map(|flow| flow.and_then(|flow| self.install(&flow)));
                for gone in old.into_iter().flatten() {
                    if !told.contains(&Some(gone)) {
                        self.take_out(gone);
                    }
                }
                self.vms[vm as usize].told.insert(handle, told);
            }
            Offload::Remove { handle } => {
                let told = self.vms[vm as usize].told.remove(&handle).unwrap_or_default();
                for entry in told.into_iter().flatten() {
                    self.take_out(entry);
                }
            }
        }
    }

    fn take_out(&mut self, entry: EntryId) {
        let now = self.nic_now();
        if self.nic.remove(now, entry).is_some() {
            self.metrics.counters.removed += 1;
        }
    }

    /// First phase of an installation; the second is an event.
    fn install(&mut self, flow: &Flow) -> Option<EntryId> {
        let now = self.nic_now();
        match self.nic.add(now, flow) {
            Ok((entry, ready)) => {
                self.metrics.counters.installed += 1;
                self.at(ready.saturating_sub(self.nic_ahead), Event::Activate(entry));
                Some(entry)
            }
            Err(_) => {
                self.metrics.counters.refused += 1;
                None
            }
        }
    }

    /// An entry that was there before the run began: both phases, on the NIC's own clock.
    pub(crate) fn install_before(&mut self, vm: u32, offload: &Offload) {
        let Offload::Install { handle, flows } = offload else {
            return;
        };
        let told = flows.map(|flow| {
            let (entry, active) = self.nic.install(self.nic_ahead, &flow?).ok()?;
            self.nic_ahead = self.nic_ahead.max(active);
            Some(entry)
        });
        self.vms[vm as usize].told.insert(*handle, told);
    }

    /// The NIC reports what flows have counted.
    pub(crate) fn poll_counters(&mut self) {
        let mut updates = Vec::new();
        let now = self.nic_now();
        self.nic.poll_counters(now, &mut updates);
        for update in updates {
            let Some(entry) = self.nic.tables().entry(update.entry, now) else {
                continue;
            };
            let key = entry.flow.key;
            let Some(vm) = self.vms.get_mut(usize::from(key.port).wrapping_sub(1)) else {
                continue;
            };
            let slot = update.entry.slot as usize;
            if slot >= self.reported.len() {
                self.reported.resize(slot + 1, Reported::default());
            }
            // An entry that is put in again keeps its name and its counters.
            let last = &mut self.reported[slot];
            if last.serial != update.entry.serial {
                *last = Reported::default();
            }
            let counter = update.counter;
            let (packets, bytes) = (counter.packets - last.packets, counter.bytes - last.bytes);
            *last = Reported {
                serial: update.entry.serial,
                packets: counter.packets,
                bytes: counter.bytes,
            };
            let seen = counter.last_update.saturating_sub(self.nic_ahead);
            vm.port
                .counted(update.handle, key.direction, packets, bytes, seen);
        }
        let next = self.nic.next_report().saturating_sub(self.nic_ahead);
        self.at(next, Event::Counters);
    }
}

/// Whether the NIC has a place for a flow, so that it is there or will be in a moment.
fn held(nic: &Nic, key: &FlowKey, now: Time) -> bool {
    let tables = nic.tables();
    let entry = tables.id_of(key).and_then(|id| tables.entry(id, now));
    entry.is_some_and(|entry| entry.level.is_some())
}

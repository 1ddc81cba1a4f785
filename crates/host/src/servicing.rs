//! What is done to the host: policies replaced, VFs taken away and given back, FPGA and driver replaced, VMs moved.

use crate::addresses as at;
use crate::build::{offload_when, peers_of};
use crate::event::Change;
use crate::metrics::MarkKind;
use crate::netvsc::{DataPath, Step};
use crate::policy;
use crate::run::Run;
use crate::vms_of;
use kernel::Time;
use scenario::host::HostEvent;
use vfp::OffloadWhen;

impl Run {
    /// An event of the scenario happens.
    pub(crate) fn scenario_event(&mut self, index: u32) {
        match self.scenario.events[index as usize].clone() {
            HostEvent::PolicyChange { vm, add, .. } => {
                self.vms[vm as usize].added.extend(add);
                self.replace_acls(vm);
            }
            HostEvent::VfRevoke { vm, duration, .. } => {
                for vm in vms_of(vm, self.vms.len()) {
                    self.revoke(vm, Time(duration.0));
                }
            }
            HostEvent::VfStorm { vm, duration, .. } => {
                self.revoke(vm, Time(duration.0));
            }
            HostEvent::FpgaReconfig {
                duration,
                wire_outage,
                ..
            } => {
                let removed = self.revoke_all(Time(duration.0));
                self.change_at(removed, Change::ClearTables);
                if wire_outage.0 > 0 {
                    self.change_at(removed, Change::WireDown);
                    self.change_at(removed + Time(wire_outage.0), Change::WireBack);
                }
            }
            HostEvent::DriverUpdate { duration, .. } => {
                let removed = self.revoke_all(Time(duration.0));
                self.change_at(removed, Change::ClearTables);
            }
            HostEvent::Migrate {
                vm,
                blackout,
                carry_state,
                ..
            } => {
                // The VM stands still once its VF is gone, and has one again on the other host.
                let removed = self.revoke(vm, Time(blackout.0));
                self.change_at(removed, Change::Pause(vm));
                self.change_at(removed + Time(blackout.0), Change::Resume { vm, carry_state });
            }
        }
    }

    fn replace_acls(&mut self, vm: u32) {
        let given = &self.scenario.vms[vm as usize].policy;
        let state = &mut self.vms[vm as usize];
        let layer = policy::acl_layer(given, &state.added);
        // A layer of rules that validation has checked compiles as the first one did.
        let Ok(generation) = state.port.replace_layer(layer) else {
            return;
        };
        self.new_generation(vm, generation);
    }

    /// The NIC learns of a port's new generation: entries of older ones are stale.
    pub(crate) fn new_generation(&mut self, vm: u32, generation: u32) {
        let (nic_now, now) = (self.nic_now(), self.now);
        let port = self.vms[vm as usize].port.number();
        self.nic.set_generation(nic_now, port, generation);
        self.metrics.mark(now, Some(vm), MarkKind::Policy(generation));
    }

    /// Takes the VF of a VM away for `duration`, counted from its removal; returns when it is gone.
    fn revoke(&mut self, vm: u32, duration: Time) -> Time {
        let servicing = self.scenario.host.servicing.clone();
        let devices = &self.vms[vm as usize].devices;
        let mut removed = self.now;
        for (after, step) in devices.removal(&servicing) {
            removed = self.now + after;
            self.change_at(removed, Change::Vf { vm, step });
        }
        let back = self.vms[vm as usize]
            .devices
            .return_steps(removed + duration, &servicing);
        for (at, step) in back {
            self.change_at(at, Change::Vf { vm, step });
        }
        removed
    }

    fn revoke_all(&mut self, duration: Time) -> Time {
        let mut removed = self.now;
        for vm in 0..self.vms.len() as u32 {
            removed = self.revoke(vm, duration);
        }
        removed
    }

    /// A step of taking a VF away or giving it back.
    pub(crate) fn vf_step(&mut self, vm: u32, step: Step) {
        let (now, nic_now) = (self.now, self.nic_now());
        let state = &mut self.vms[vm as usize];
        if !state.devices.step(step) {
            return;
        }
        self.metrics.mark(now, Some(vm), MarkKind::Vf(step));
        match step {
            Step::Removed => {
                state.port.settings.offload = OffloadWhen::Never;
                state.port.forget_offloads();
                state.told.clear();
                let port = state.port.number();
                let removed = self.nic.remove_port(nic_now, port);
                self.metrics.counters.removed += u64::from(removed);
                self.rdma_vf_gone(vm);
            }
            Step::Returned => {
                let when = offload_when(&self.scenario, &state.devices);
                self.vms[vm as usize].port.settings.offload = when;
            }
            Step::Signal | Step::SwitchedFrom | Step::Registered | Step::SwitchedTo => {}
        }
        self.unblock_guests(vm);
    }

    /// Guests that waited for room on another path look again.
    fn unblock_guests(&mut self, vm: u32) {
        let waiting: Vec<(u32, u32)> = self
            .conns
            .iter()
            .filter(|(_, conn)| conn.vm == vm && conn.blocked[0])
            .map(|(number, conn)| (number, conn.serial))
            .collect();
        for (conn, serial) in waiting {
            self.unblock(conn, serial, crate::event::End::Guest);
        }
    }

    /// The FPGA is loaded, or the NIC driver replaced: whatever is in the NIC is gone.
    pub(crate) fn clear_tables(&mut self) {
        let (now, nic_now) = (self.now, self.nic_now());
        self.metrics.counters.removed += u64::from(self.nic.tables().len());
        self.nic.reconfigure(nic_now);
        for vm in &mut self.vms {
            vm.port.forget_offloads();
            vm.told.clear();
            let (port, generation) = (vm.port.number(), vm.port.generation());
            self.nic.set_generation(nic_now, port, generation);
        }
        self.metrics.mark(now, None, MarkKind::TablesCleared);
    }

    pub(crate) fn wire_down(&mut self) {
        self.wire_dead += 1;
        self.metrics.mark(self.now, None, MarkKind::Wire(false));
    }

    pub(crate) fn wire_back(&mut self) {
        self.wire_dead = self.wire_dead.saturating_sub(1);
        if self.wire_dead == 0 {
            self.metrics.mark(self.now, None, MarkKind::Wire(true));
        }
    }

    /// The VM stands still.
    pub(crate) fn pause(&mut self, vm: u32) {
        self.vms[vm as usize].paused = true;
        self.metrics.mark(self.now, Some(vm), MarkKind::Paused(true));
    }

    /// It goes on, on the other host: with the flow state of its port, or without.
    pub(crate) fn resume(&mut self, vm: u32, carry_state: bool) {
        let now = self.now;
        let peers = peers_of(&self.scenario, vm);
        let given = &self.scenario.vms[vm as usize].policy;
        let state = &mut self.vms[vm as usize];
        state.paused = false;
        state.pa = if state.pa == at::HOST_PA {
            at::OTHER_PA
        } else {
            at::HOST_PA
        };
        if !carry_state {
            // There is no hardware any more to tell.
            state.port.clear_flows(now, &mut Vec::new());
            state.port.settings.mid_stream = vfp::MidStream::Drop;
        }
        // The same rules, compiled there for the other provider address.
        if let Ok(compiled) = policy::compile(given, vm, state.pa, peers, &state.added) {
            let generation = state.port.set_policy(compiled);
            self.new_generation(vm, generation);
        }
        self.metrics.mark(now, Some(vm), MarkKind::Paused(false));
        let all: Vec<(u32, u32)> = self
            .conns
            .iter()
            .filter(|(_, conn)| conn.vm == vm)
            .map(|(number, conn)| (number, conn.serial))
            .collect();
        for (conn, serial) in all {
            self.unblock(conn, serial, crate::event::End::Guest);
        }
    }

    /// Whether the guest of a VM sends by the VF.
    pub fn on_vf(&self, vm: u32) -> bool {
        self.devices(vm)
            .is_some_and(|devices| devices.data_path() == DataPath::Vf)
    }
}

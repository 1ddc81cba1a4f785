//! Looking at a run.

use crate::core::Core;
use crate::metrics::{Counters, Gauges, Metrics};
use crate::netvsc::{DataPath, NetVsc};
use crate::packet::Packet;
use crate::run::Run;
use crate::tcp;
use gft::Nic;
use kernel::Time;
use kernel::rng::mix;
use scenario::host::HostScenario;
use vfp::{FlowClass, Port};

/// A TCP connection as it stands.
#[derive(Clone, Copy, Debug)]
pub struct Connection<'a> {
    /// Its number; numbers are used again.
    pub number: u32,
    /// Whose it is.
    pub vm: u32,
    /// Index in the scenario's traffic.
    pub traffic: u32,
    /// As the guest sees it.
    pub tuple: gft::Tuple,
    /// The guest's end.
    pub guest: &'a tcp::Tcp,
    /// The peer's end.
    pub peer: &'a tcp::Tcp,
    /// When its SYN was sent.
    pub begun: Time,
    /// When it was open for its client.
    pub opened: Option<Time>,
}

/// A core of the vSwitch as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreView {
    /// Packets that wait for it.
    pub waiting: u32,
    /// The most that ever waited.
    pub most_waiting: u32,
    /// What it has worked so far; a job that it has begun counts in full.
    pub busy: Time,
    /// Jobs done.
    pub served: u64,
}

impl Run {
    /// The simulated time up to which everything has happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Whether the scenario's end has come.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The scenario.
    pub fn scenario(&self) -> &HostScenario {
        &self.scenario
    }

    /// What was measured so far.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Totals so far.
    pub fn counters(&self) -> &Counters {
        &self.metrics.counters
    }

    /// Events worked off.
    pub fn events(&self) -> u64 {
        self.handled
    }

    /// The SmartNIC.
    pub fn nic(&self) -> &Nic {
        &self.nic
    }

    /// A VM's VFP port.
    pub fn port(&self, vm: u32) -> Option<&Port> {
        self.vms.get(vm as usize).map(|vm| &vm.port)
    }

    /// A VM's devices.
    pub fn devices(&self, vm: u32) -> Option<&NetVsc> {
        self.vms.get(vm as usize).map(|vm| &vm.devices)
    }

    /// How things stand.
    pub fn gauges(&self) -> Gauges {
        let [l1, l2] = self.nic.tables().resident();
        let exception_cores = self.scenario.host.software.exception_cores as usize;
        let waiting = |cores: &[Core]| cores.iter().map(|c| c.waiting() as u32).sum();
        Gauges {
            flows: self.vms.iter().map(|vm| 2 * vm.port.pairs() as u32).sum(),
            half_open: self
                .vms
                .iter()
                .map(|vm| vm.port.stats().0[0][FlowClass::HalfOpenFlow as usize].count)
                .sum(),
            entries: self.nic.tables().len(),
            l1,
            l2,
            exception_queue: waiting(&self.cores[..exception_cores]),
            queues: waiting(&self.cores),
            connections: self.conns.len() as u32,
            on_vf: self
                .vms
                .iter()
                .filter(|vm| vm.devices.data_path() == DataPath::Vf)
                .count() as u32,
            snat_ports: self.vms.iter().map(|vm| vm.port.snat_ports() as u32).sum(),
        }
    }

    /// The cores of the vSwitch.
    pub fn cores(&self) -> impl Iterator<Item = CoreView> {
        self.cores.iter().map(|core| CoreView {
            waiting: core.waiting() as u32,
            most_waiting: core.most_waiting,
            busy: core.busy,
            served: core.served,
        })
    }

    /// TCP connections between guests and peers, by number.
    pub fn connections(&self) -> impl Iterator<Item = Connection<'_>> {
        self.conns.iter().map(|(number, conn)| Connection {
            number,
            vm: conn.vm,
            traffic: conn.traffic,
            tuple: conn.out.tuple,
            guest: &conn.guest,
            peer: &conn.peer,
            begun: conn.begun,
            opened: conn.opened,
        })
    }

    /// Packets under way, by number.
    pub fn packets(&self) -> impl Iterator<Item = (u32, &Packet)> {
        self.packets.iter()
    }

    /// Share of its time that each core has worked, 0 to 1.
    pub fn core_load(&self) -> Vec<f64> {
        let elapsed = self.now.0.max(1) as f64;
        self.cores
            .iter()
            .map(|c| (c.busy.0 as f64 / elapsed).min(1.0))
            .collect()
    }

    /// Whether every packet handed over has arrived, was lost with a reason, was answered by the SmartNIC, or is under way.
    pub fn packets_balance(&self) -> bool {
        let counters = &self.metrics.counters;
        // Copies are packets of nobody: they are only in the slab.
        let copies = self.packets.iter().filter(|(_, p)| p.copy).count() as u64;
        let flying = self.packets.len() as u64 - copies;
        counters.created == counters.all_delivered() + counters.all_lost() + counters.challenged + flying
    }

    /// A number that two runs share only if they did the same: every arrival and loss with its time goes into it. It is the same
    /// natively and in WebAssembly, however the run was sliced.
    pub fn digest(&self) -> u64 {
        let counters = &self.metrics.counters;
        let tail = [
            counters.created,
            counters.copies,
            counters.installed,
            counters.removed,
            counters.reconciled,
            counters.busy,
        ];
        tail.iter().fold(self.digest, |digest, value| mix(digest ^ value))
    }
}

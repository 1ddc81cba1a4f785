//! What an untrusted guest with a VF can try, and what stops it.

mod headers;
pub mod iommu;
mod timing;

pub(crate) use timing::Spy;

use crate::addresses as at;
use crate::loss::{LOSSES, Loss};
use crate::packet::{Owner, Packet};
use crate::run::Run;
use gft::probe::Seen;
use gft::{Address, Direction, Headers, Prefix};
use headers::Wrapped;
use kernel::Time;
use kernel::rng::{below, draw, mix};
use scenario::host::{Attempt, Guard, Traffic};

/// Peers that a VM with an attack has at least.
pub(crate) const PEERS: u32 = 64;
/// IP bytes of each packet.
const BYTES: u32 = 64;
/// The source port of attempts.
const PORT: u16 = 2_000;
const PS_PER_S: f64 = 1e12;

/// What a packet of an attack is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing that is not allowed.
    Honest,
    /// What should be stopped.
    Attempt,
    /// A packet of its own that is timed.
    Reading,
}

/// What came of an attack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackResult {
    /// Attempts; of cache timing the readings.
    pub attempted: u64,
    /// Attempts that were stopped, by [`Loss::number`].
    pub stopped: [u64; LOSSES],
    /// Attempts that got where they should not.
    pub through: u64,
    /// Packets beside them that are allowed.
    pub honest: u64,
    /// Such packets that were lost all the same.
    pub honest_lost: u64,
    /// Of cache timing: what was seen.
    pub timing: Option<Seen>,
}

impl Default for AttackResult {
    fn default() -> AttackResult {
        AttackResult {
            attempted: 0,
            stopped: [0; LOSSES],
            through: 0,
            honest: 0,
            honest_lost: 0,
            timing: None,
        }
    }
}

impl AttackResult {
    /// What stopped attempts, and how many.
    pub fn stopped_by(&self) -> impl Iterator<Item = (Loss, u64)> + '_ {
        let all = Loss::all().map(|loss| (loss, self.stopped[loss.number()]));
        all.filter(|&(_, count)| count > 0)
    }
}

/// A VFP port's guard of VM `vm`.
pub(crate) fn guard(guard: &Guard, vm: u32) -> vfp::Guard {
    let provider = Prefix::new(Address::v4(100, 64, 0, 0), 96 + 10);
    vfp::Guard {
        mac: guard.spoofing.then(|| at::vm_mac(vm)),
        addresses: guard
            .spoofing
            .then(|| Prefix::new(at::vm(vm), 128))
            .into_iter()
            .collect(),
        // 0 is what comes without encapsulation, from outside of the VNET.
        tnis: if guard.tenant {
            vec![0, at::TNI]
        } else {
            Vec::new()
        },
        forbidden: guard.provider.then_some(provider).into_iter().collect(),
    }
}

impl Run {
    pub(crate) fn attack_result(&mut self, traffic: u32) -> &mut AttackResult {
        self.metrics.attacks.entry(traffic).or_default()
    }

    /// The next attempt, or the next packet that belongs to one.
    pub(crate) fn next_attempt(&mut self, number: u32) {
        let Traffic::Attack {
            vm,
            attempt,
            victim,
            per_second,
            start,
            stop,
        } = self.scenario.traffic[number as usize]
        else {
            return;
        };
        if stop.is_some_and(|stop| self.now.0 >= stop.0) {
            return;
        }
        let app = &mut self.apps[number as usize];
        let count = app.count;
        app.count += 1;
        let bits = draw(app.key, count);
        // A round of timing has three parts.
        let parts = if attempt == Attempt::CacheTiming { 3.0 } else { 1.0 };
        let next = ((count + 1) as f64 / (parts * per_second) * PS_PER_S) as u64;
        self.at(Time(start.0) + Time(next), crate::event::Event::Traffic(number));
        let how = self.scenario.host.guard.guest_encap;
        let out = Direction::Out;
        match (attempt, victim) {
            (Attempt::SourceAddress, Some(victim)) => {
                let headers = headers::with_address(vm, victim, PORT);
                self.send_attempt(number, vm, Role::Attempt, out, headers, 0);
            }
            (Attempt::SourceMac, Some(victim)) if count > 0 => {
                let headers = headers::with_mac(vm, victim, PORT);
                self.send_attempt(number, vm, Role::Attempt, out, headers, 0);
            }
            // The first packet makes the flow known.
            (Attempt::SourceMac, Some(_)) => {
                let headers = headers::own(vm, PORT, 0);
                self.send_attempt(number, vm, Role::Honest, out, headers, 0);
            }
            (Attempt::Encapsulation, _) => {
                let wrapped = Wrapped::nth(count);
                let role = match wrapped {
                    Wrapped::Overlay => Role::Honest,
                    _ => Role::Attempt,
                };
                self.send_attempt(number, vm, role, out, wrapped.parsed(vm, how), 0);
            }
            (Attempt::TenantFromWire, _) => {
                let headers = headers::from_other_tenant(vm, self.vms[vm as usize].pa);
                self.send_attempt(number, vm, Role::Attempt, Direction::In, headers, 0);
            }
            (Attempt::Dma, _) => {
                let address = below(mix(bits), iommu::TRIED);
                let headers = headers::own(vm, PORT, 0);
                let role = if iommu::allows(&iommu::WINDOWS, address, self.dma_bytes()) {
                    Role::Honest
                } else {
                    Role::Attempt
                };
                self.send_attempt(number, vm, role, out, headers, address);
            }
            (Attempt::CacheTiming, _) => self.next_reading(number, vm, victim, count),
            (Attempt::SourceAddress | Attempt::SourceMac, None) => {}
        }
    }

    /// Bytes that the NIC reads for a packet of an attack: the frame without its check sequence, which it makes itself.
    fn dma_bytes(&self) -> u32 {
        const ETHERNET_HEADER: u32 = 14;
        BYTES + ETHERNET_HEADER
    }

    fn send_attempt(
        &mut self,
        traffic: u32,
        vm: u32,
        role: Role,
        direction: Direction,
        headers: Headers,
        noted: u64,
    ) {
        if direction == Direction::Out && self.vms[vm as usize].paused {
            return;
        }
        let result = self.attack_result(traffic);
        match role {
            Role::Honest => result.honest += 1,
            Role::Attempt => result.attempted += 1,
            // Counted when it is read.
            Role::Reading => {}
        }
        let owner = Owner::Attack { traffic, role };
        let mut packet = Packet::new(owner, vm, direction, headers, BYTES, self.now);
        packet.segment.seq = noted;
        let app = &self.apps[traffic as usize];
        packet.bits = mix(draw(app.key, app.count) ^ 1);
        match direction {
            Direction::Out => self.guest_sends(packet),
            Direction::In => self.peer_sends(packet),
        }
    }

    /// Why the NIC takes nothing of a packet that a guest has handed to its VF.
    pub(crate) fn vf_refuses(&self, number: u32) -> Option<Loss> {
        let packet = &self.packets[number];
        let guard = &self.scenario.host.guard;
        if let Owner::Attack { traffic, .. } = packet.owner
            && let Traffic::Attack {
                attempt: Attempt::Dma,
                ..
            } = self.scenario.traffic[traffic as usize]
            && guard.iommu
            && !iommu::allows(&iommu::WINDOWS, packet.segment.seq, self.dma_bytes())
        {
            return Some(Loss::IommuFault);
        }
        let spoofed = guard.vf_mac && packet.headers.src_mac != at::vm_mac(packet.vm);
        spoofed.then_some(Loss::VfMacSpoofing)
    }

    /// A packet of an attack was lost.
    pub(crate) fn attack_stopped(&mut self, traffic: u32, role: Role, why: Loss) {
        let result = self.attack_result(traffic);
        match role {
            Role::Honest => result.honest_lost += 1,
            Role::Attempt => result.stopped[why.number()] += 1,
            Role::Reading => {}
        }
    }

    /// A packet of an attack has arrived.
    pub(crate) fn attack_through(&mut self, traffic: u32, role: Role) {
        self.attack_result(traffic).through += u64::from(role == Role::Attempt);
    }
}

//! UDP: many flows at a rate, and recorded flows.

use super::Kind;
use crate::addresses as at;
use crate::event::Event;
use crate::packet::{Owner, Packet};
use crate::policy::from_peer;
use crate::run::Run;
use gft::{Direction, Headers, Protocol, Tuple};
use kernel::Time;
use kernel::rng::{below, draw, mix};
use scenario::host::{From, Traffic};
use std::ops::ControlFlow;

/// Ports of the VM that flows are spread over, from 1,024 on.
const PORTS: u32 = 60_000;
/// Spreads flows over ports and peers: odd, and no multiple of 3 or 5.
const SCATTER: u64 = 1_234_567_891;
/// The peers' port.
const PEER_PORT: u16 = 7;
const PS_PER_S: f64 = 1e12;
/// Flows that are put into the tables between two looks at whether to stop: some milliseconds.
const FILLED_AT_ONCE: u32 = 1_024;

/// Which flow has the next packet.
#[derive(Clone, Debug)]
pub(crate) struct Datagrams {
    // Shares of the flows, summed up; empty where all are alike.
    cumulative: Vec<f64>,
    flows: u32,
}

impl Datagrams {
    /// `flows` flows; the i-th has a share in proportion to i^−skew (Zipf).
    pub fn new(flows: u32, skew: f64) -> Datagrams {
        let mut sum = 0.0;
        let cumulative = if skew > 0.0 {
            let weight = |i: u32| {
                sum += libm::pow(f64::from(i + 1), -skew);
                sum
            };
            (0..flows).map(weight).collect()
        } else {
            Vec::new()
        };
        Datagrams { cumulative, flows }
    }

    /// The flow that belongs to 64 random bits.
    pub fn draw(&self, bits: u64) -> u32 {
        match self.cumulative.last() {
            None => below(bits, u64::from(self.flows)) as u32,
            Some(sum) => {
                let at = (bits >> 11) as f64 / (1u64 << 53) as f64 * sum;
                let flow = self.cumulative.partition_point(|&upto| upto <= at);
                flow.min(self.cumulative.len() - 1) as u32
            }
        }
    }
}

impl Run {
    /// Headers of the `flow`-th flow's packets from that side, in its `life`-th life.
    fn datagram_headers(
        &self,
        number: u32,
        vm: u32,
        from: From,
        flow: u32,
        flows: u32,
        life: u64,
    ) -> Headers {
        // Lives and traffics have flows of their own, as long as ports and peers last; SCATTER has no divisor in common with
        // their number, so all differ. In order they would fill the NIC's sets unevenly: Toeplitz is linear.
        let all = u64::from(PORTS) * u64::from(at::PEERS);
        let first = below(mix(self.apps[number as usize].key), all);
        let n = (first + u64::from(flow) + life * u64::from(flows)) % all * SCATTER % all;
        let peer = (n / u64::from(PORTS)) as u32;
        let tuple = Tuple {
            src: at::vm(vm),
            dst: at::peer(peer),
            src_port: 1_024 + (n % u64::from(PORTS)) as u16,
            dst_port: PEER_PORT + number as u16,
            protocol: Protocol::UDP,
        };
        let vnet = self.scenario.vms[vm as usize].policy.vnet;
        match from {
            From::Vm => Headers {
                src_mac: at::vm_mac(vm),
                dst_mac: at::ROUTER_MAC,
                tuple,
                ttl: 64,
                ..Headers::default()
            },
            From::Peer => from_peer(tuple.reversed(), vm, Some(peer), vnet, self.vms[vm as usize].pa),
        }
    }

    pub(super) fn next_datagram(&mut self, number: u32) {
        let Traffic::Flows {
            vm,
            flows,
            per_second,
            bytes,
            from,
            lifetime,
            start,
            stop,
            ..
        } = self.scenario.traffic[number as usize]
        else {
            return;
        };
        if stop.is_some_and(|stop| self.now.0 >= stop.0) {
            return;
        }
        let app = &mut self.apps[number as usize];
        app.count += 1;
        let bits = draw(app.key, app.count);
        let Kind::Datagrams(datagrams) = &app.kind else {
            return;
        };
        let flow = datagrams.draw(bits);
        // From the start each time, so that nothing adds up.
        let next = Time(start.0) + Time((app.count as f64 / per_second * PS_PER_S) as u64);
        self.at(next, Event::Traffic(number));
        let life = lifetime.map_or(0, |lifetime| {
            // Flows end at different times.
            let phase = below(mix(self.apps[number as usize].key ^ u64::from(flow)), lifetime.0);
            (self.now.0 + phase) / lifetime.0
        });
        let headers = self.datagram_headers(number, vm, from, flow, flows, life);
        self.send_datagram(number, vm, from, headers, bytes, mix(bits));
    }

    fn send_datagram(&mut self, number: u32, vm: u32, from: From, headers: Headers, bytes: u32, bits: u64) {
        let direction = match from {
            From::Vm => Direction::Out,
            From::Peer => Direction::In,
        };
        if direction == Direction::Out && self.vms[vm as usize].paused {
            return;
        }
        let owner = Owner::Datagram { traffic: number };
        let mut packet = Packet::new(owner, vm, direction, headers, bytes, self.now);
        packet.bits = bits;
        match direction {
            Direction::Out => self.guest_sends(packet),
            Direction::In => self.peer_sends(packet),
        }
    }

    /// A recorded flow has its next packet.
    pub(crate) fn replay(&mut self, traffic: u32, index: u32) {
        let Traffic::Replay { vm, flows } = &self.scenario.traffic[traffic as usize] else {
            return;
        };
        let (vm, flow) = (*vm, flows[index as usize].clone());
        let Kind::Replay(sent) = &mut self.apps[traffic as usize].kind else {
            return;
        };
        let sent = &mut sent[index as usize];
        *sent += 1;
        let n = *sent;
        if n < flow.packets {
            // Evenly from the first to the last.
            let span = u128::from(flow.duration.0) * u128::from(n) / u128::from(flow.packets - 1);
            let next = Time(flow.at.0) + Time(span as u64);
            let flow = index;
            self.at(next, Event::Replay { traffic, flow });
        }
        let Ok(peer) = flow.peer.parse::<gft::Address>() else {
            return;
        };
        let tuple = Tuple {
            src: at::vm(vm),
            dst: peer,
            src_port: flow.vm_port,
            dst_port: flow.peer_port,
            protocol: Protocol::UDP,
        };
        let inside = at::vnet().contains(peer);
        let headers = match flow.from {
            From::Vm => Headers {
                src_mac: at::vm_mac(vm),
                dst_mac: at::ROUTER_MAC,
                tuple,
                ttl: 64,
                ..Headers::default()
            },
            From::Peer => {
                let mut seen = tuple.reversed();
                if !inside {
                    seen.dst = at::public(vm);
                }
                let vnet = self.scenario.vms[vm as usize].policy.vnet;
                let index = at::peer_index(peer).unwrap_or(0);
                from_peer(seen, vm, inside.then_some(index), vnet, self.vms[vm as usize].pa)
            }
        };
        let bits = draw(
            self.apps[traffic as usize].key,
            u64::from(index) << 32 | u64::from(n),
        );
        self.send_datagram(traffic, vm, flow.from, headers, flow.bytes, bits);
    }

    /// Puts flows that are known from the start into VFP and the NIC, unless `stop` says so meanwhile.
    pub(crate) fn fill_warm_flows(&mut self, stop: &mut dyn FnMut() -> bool) -> ControlFlow<()> {
        for number in 0..self.scenario.traffic.len() as u32 {
            let Traffic::Flows {
                vm,
                flows,
                from,
                bytes,
                warm: true,
                ..
            } = self.scenario.traffic[number as usize]
            else {
                continue;
            };
            let direction = match from {
                From::Vm => Direction::Out,
                From::Peer => Direction::In,
            };
            let mut offloads = Vec::new();
            for flow in 0..flows {
                if flow % FILLED_AT_ONCE == 0 && stop() {
                    return ControlFlow::Break(());
                }
                let headers = self.datagram_headers(number, vm, from, flow, flows, 0);
                let port = &mut self.vms[vm as usize].port;
                port.process(Time::ZERO, &headers, direction, bytes, &mut offloads);
                for offload in offloads.drain(..) {
                    self.install_before(vm, &offload);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No common divisor with 60,000 · 32,768 = 2^20 · 3 · 5^4, and the product stays within 64 bits.
    #[test]
    fn scattered_flows_differ() {
        let all = u64::from(PORTS) * u64::from(at::PEERS);
        assert_eq!(all, (1 << 20) * 3 * 625);
        assert!(
            [2, 3, 5]
                .into_iter()
                .all(|divisor| !SCATTER.is_multiple_of(divisor))
        );
        assert!(all.checked_mul(SCATTER).is_some());
    }

    /// Zipf with exponent 1 over 4 flows: 12/25, 6/25, 4/25, 3/25.
    #[test]
    fn skewed_shares_by_hand() {
        let flows = Datagrams::new(4, 1.0);
        let mut counts = [0u32; 4];
        for i in 0..100_000 {
            counts[flows.draw(draw(5, i)) as usize] += 1;
        }
        // Sigma is at most 158; 800 is five of them.
        for (count, share) in counts.into_iter().zip([0.48, 0.24, 0.16, 0.12]) {
            assert!((f64::from(count) - share * 1e5).abs() < 800.0, "{counts:?}");
        }
        assert_eq!((flows.draw(0), flows.draw(u64::MAX)), (0, 3));
        assert_eq!(Datagrams::new(8, 0.0).draw(u64::MAX), 7);
    }
}

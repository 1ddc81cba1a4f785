//! SYN floods, and the listener that they are aimed at.

use super::exponential;
use crate::addresses as at;
use crate::event::{End, Event};
use crate::packet::{Owner, Packet, TCP_HEADERS};
use crate::policy::from_peer;
use crate::run::Run;
use crate::tcp::Segment;
use gft::{Direction, Headers, Protocol, TcpFlags, Tuple};
use kernel::Time;
use kernel::rng::{below, draw, mix};
use scenario::host::Traffic;
use std::collections::VecDeque;

/// Half-open connections of a guest's listener.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listener {
    // When those of floods are given up, the first first: all wait equally long. Their SYN-ACKs are not sent again (our choice).
    floods: VecDeque<Time>,
    /// Those of real connections.
    pub connections: u32,
}

impl Listener {
    /// How many there are.
    pub fn half_open(&self) -> u32 {
        self.floods.len() as u32 + self.connections
    }

    /// Gives up those that have waited long enough.
    pub fn forget_old(&mut self, now: Time) {
        while self.floods.front().is_some_and(|&end| end <= now) {
            self.floods.pop_front();
        }
    }
}

impl Run {
    /// The next SYN of a flood, from a source that is drawn.
    pub(super) fn next_syn(&mut self, number: u32) {
        let Traffic::SynFlood {
            vm,
            per_second,
            sources,
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
        let next = self.now + exponential(mix(bits), per_second);
        self.at(next, Event::Traffic(number));
        let source = below(mix(bits ^ 1), u64::from(sources)) as u32;
        let tuple = Tuple {
            src: at::flood_source(source),
            dst: at::public(vm),
            src_port: 1_024 + below(mix(bits ^ 2), 64_512) as u16,
            dst_port: at::SERVICE,
            protocol: Protocol::TCP,
        };
        let headers = Headers {
            flags: TcpFlags::SYN,
            ..from_peer(tuple, vm, None, false, self.vms[vm as usize].pa)
        };
        let owner = Owner::Flood { traffic: number };
        let mut packet = Packet::new(owner, vm, Direction::In, headers, TCP_HEADERS, self.now);
        packet.segment.flags = TcpFlags::SYN;
        packet.bits = mix(bits ^ 3);
        self.metrics.counters.flood_syns += 1;
        // Floods come from many hosts: no vNIC of a peer's holds them up.
        self.flood_sends(packet);
    }

    /// A packet of a flood has arrived: at the guest it takes a slot of the listener and is answered; the answer goes nowhere.
    pub(crate) fn flood_arrival(&mut self, traffic: u32, end: End, packet: &Packet) {
        if end == End::Peer {
            return;
        }
        let now = self.now;
        let tcp = &self.scenario.host.tcp;
        let listener = &mut self.vms[packet.vm as usize].listener;
        listener.forget_old(now);
        if listener.half_open() < tcp.backlog {
            listener.floods.push_back(now + Time(tcp.backlog_timeout.0));
        } else if !self.scenario.host.defences.guest_syn_cookies {
            self.metrics.counters.backlog_overflows += 1;
            return;
        }
        let flags = TcpFlags::SYN.with(TcpFlags::ACK);
        let headers = Headers {
            src_mac: at::vm_mac(packet.vm),
            dst_mac: at::ROUTER_MAC,
            tuple: packet.headers.tuple.reversed(),
            ttl: 64,
            flags,
            ..Headers::default()
        };
        let owner = Owner::Flood { traffic };
        let mut answer = Packet::new(owner, packet.vm, Direction::Out, headers, TCP_HEADERS, now);
        answer.segment = Segment {
            ack: 1,
            flags,
            ..Segment::default()
        };
        answer.bits = mix(packet.bits);
        self.guest_sends(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_free_again_after_the_timeout() {
        let mut listener = Listener {
            connections: 1,
            ..Listener::default()
        };
        for ms in [1, 2, 5] {
            listener.floods.push_back(Time::from_ms(ms));
        }
        listener.forget_old(Time::from_ms(2));
        assert_eq!(listener.half_open(), 2);
    }
}

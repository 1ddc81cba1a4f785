//! What the applications of guests and peers do.

mod connections;
mod datagrams;
mod flood;
mod rdma;

pub(crate) use datagrams::Datagrams;
pub(crate) use flood::Listener;
pub(crate) use rdma::Rdma;

use crate::addresses as at;
use crate::attack::Spy;
use crate::event::{End, Event};
use crate::policy::from_peer;
use crate::run::{Run, domain};
use gft::{Headers, Protocol, Tuple};
use kernel::Time;
use kernel::rng::{draw, key};
use scenario::host::limits::CLIENT_PORTS;
use scenario::host::{Attempt, From, HostScenario, Traffic};

/// What an entry of the traffic list remembers.
#[derive(Clone, Debug)]
pub(crate) struct App {
    /// Connections, SYNs or packets so far.
    pub count: u64,
    /// Key of its random numbers.
    pub key: u64,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// All that is to know is in the connection.
    Plain,
    Datagrams(Datagrams),
    Replay(Vec<u32>),
    Rdma(Rdma),
    Spy(Box<Spy>),
}

impl App {
    pub fn all(scenario: &HostScenario) -> Vec<App> {
        let make = |(i, traffic): (u64, &Traffic)| App {
            count: 0,
            key: key(scenario.seed, domain::TRAFFIC, i),
            kind: match traffic {
                Traffic::Flows { flows, skew, .. } => Kind::Datagrams(Datagrams::new(*flows, *skew)),
                Traffic::Replay { flows, .. } => Kind::Replay(vec![0; flows.len()]),
                Traffic::Rdma { bytes, .. } => Kind::Rdma(Rdma::new(bytes.0)),
                Traffic::Attack {
                    vm,
                    attempt: Attempt::CacheTiming,
                    victim: Some(victim),
                    ..
                } => Kind::Spy(Box::new(Spy::new(scenario, *vm, *victim))),
                _ => Kind::Plain,
            },
        };
        (0..).zip(&scenario.traffic).map(make).collect()
    }
}

/// The time between two events of a Poisson process of `rate` events per second, from 64 random bits.
pub(crate) fn exponential(bits: u64, rate: f64) -> Time {
    let share = ((bits >> 11) + 1) as f64 / (1u64 << 53) as f64;
    let span = -libm::log(share) / rate * 1e12;
    // At least 1 ps, and no longer than any run.
    Time(span.clamp(1.0, 1e16) as u64)
}

/// Both ends of the n-th conversation with a peer: the guest's headers, and what the peer's look like as they come in.
pub(crate) fn conversation(
    vm: u32,
    peer: u32,
    n: u64,
    from: From,
    internet: bool,
    pa: gft::Address,
    vnet: bool,
) -> (Headers, Headers) {
    let client_port = 1_024 + (n % u64::from(CLIENT_PORTS)) as u16;
    let far = if internet {
        at::outside(peer)
    } else {
        at::peer(peer)
    };
    let (vm_port, far_port) = match from {
        From::Vm => (client_port, at::SERVICE),
        From::Peer => (at::SERVICE, client_port),
    };
    let tuple = Tuple {
        src: at::vm(vm),
        dst: far,
        src_port: vm_port,
        dst_port: far_port,
        protocol: Protocol::TCP,
    };
    let out = Headers {
        src_mac: at::vm_mac(vm),
        dst_mac: at::ROUTER_MAC,
        tuple,
        ttl: 64,
        ..Headers::default()
    };
    let mut seen = tuple.reversed();
    if internet {
        seen.dst = at::public(vm);
    }
    (out, from_peer(seen, vm, (!internet).then_some(peer), vnet, pa))
}

impl Run {
    /// Puts the beginning of every traffic on the calendar.
    pub(crate) fn begin_traffic(&mut self) {
        for i in 0..self.scenario.traffic.len() {
            let number = i as u32;
            let bits = draw(self.apps[i].key, 0);
            let first = match &self.scenario.traffic[i] {
                Traffic::Ping { start, .. }
                | Traffic::Stream { start, .. }
                | Traffic::Flows { start, .. }
                | Traffic::Rdma { start, .. }
                | Traffic::Attack { start, .. } => Time(start.0),
                Traffic::Connections {
                    start, per_second, ..
                }
                | Traffic::SynFlood {
                    start, per_second, ..
                } => Time(start.0) + exponential(bits, *per_second),
                Traffic::Replay { flows, .. } => {
                    let starts: Vec<Time> = flows.iter().map(|flow| Time(flow.at.0)).collect();
                    for (flow, start) in (0..).zip(starts) {
                        let traffic = number;
                        self.at(start, Event::Replay { traffic, flow });
                    }
                    continue;
                }
            };
            self.at(first, Event::Traffic(number));
        }
    }

    /// A traffic's time has come.
    pub(crate) fn traffic(&mut self, number: u32) {
        match self.scenario.traffic[number as usize] {
            Traffic::Ping { vm, .. } => self.open_plain(number, vm, From::Vm),
            Traffic::Stream {
                vm,
                connections,
                from,
                ..
            } => {
                for _ in 0..connections {
                    self.open_plain(number, vm, from);
                }
            }
            Traffic::Connections { .. } => self.next_connection(number),
            Traffic::SynFlood { .. } => self.next_syn(number),
            Traffic::Flows { .. } => self.next_datagram(number),
            Traffic::Rdma { .. } => self.rdma_open(number),
            Traffic::Attack { .. } => self.next_attempt(number),
            Traffic::Replay { .. } => {}
        }
    }

    pub(crate) fn open_plain(&mut self, traffic: u32, vm: u32, from: From) {
        let n = self.apps[traffic as usize].count;
        self.apps[traffic as usize].count += 1;
        self.open_conversation(traffic, vm, n, from, 1, false);
    }

    pub(crate) fn open_conversation(
        &mut self,
        traffic: u32,
        vm: u32,
        n: u64,
        from: From,
        peers: u32,
        internet: bool,
    ) {
        let vnet = self.scenario.vms[vm as usize].policy.vnet;
        let peers = u64::from(peers.max(1));
        let peer = (n % peers) as u32;
        // Traffics take turns, so that no two have the same ports.
        let n = n / peers * self.apps.len() as u64 + u64::from(traffic);
        let pa = self.vms[vm as usize].pa;
        let (out, back) = conversation(vm, peer, n, from, internet, pa, vnet);
        self.open(crate::guest::Opening {
            traffic,
            vm,
            from,
            out,
            back: (from == From::Peer).then_some(back),
        });
    }

    /// Something was delivered at an end, or the connection opened: its application goes on.
    pub(crate) fn progress(&mut self, number: u32, end: End) {
        let conn = &mut self.conns[number];
        let traffic = conn.traffic as usize;
        let which = crate::run::place(end);
        let delivered = conn.tcp(end).delivered();
        let news = delivered - std::mem::replace(&mut conn.seen[which], delivered);
        self.metrics.traffic[traffic].delivered += news;
        self.note_opened(number, end);
        match self.scenario.traffic[traffic] {
            Traffic::Ping {
                count, bytes, pause, ..
            } => self.ping(number, end, news, count, bytes, Time(pause.0)),
            Traffic::Stream { from, bytes, .. } => self.stream(number, end, from, bytes.map(|bytes| bytes.0)),
            Traffic::Connections {
                request,
                response,
                hold,
                ..
            } => self.exchange(number, end, request, response, Time(hold.0)),
            Traffic::Rdma { .. } => self.stream(number, end, From::Vm, None),
            Traffic::SynFlood { .. }
            | Traffic::Flows { .. }
            | Traffic::Replay { .. }
            | Traffic::Attack { .. } => {}
        }
    }

    fn note_opened(&mut self, number: u32, end: End) {
        let now = self.now;
        let conn = &mut self.conns[number];
        if conn.opened.is_none() && end == conn.client() && conn.tcp(end).is_open() {
            conn.opened = Some(now);
            let (traffic, took) = (conn.traffic as usize, now.saturating_sub(conn.begun));
            self.metrics.counters.connections[crate::Counters::OPENED] += 1;
            let result = &mut self.metrics.traffic[traffic];
            result.connections[crate::Counters::OPENED] += 1;
            if matches!(self.scenario.traffic[traffic], Traffic::Connections { .. }) {
                result.round_trip.add(took);
            }
        }
    }

    /// A pause is over.
    pub(crate) fn application(&mut self, number: u32, serial: u32) {
        if self.conn(number, serial).is_none() {
            return;
        }
        let conn = &self.conns[number];
        let traffic = conn.traffic as usize;
        let client = conn.client();
        match self.scenario.traffic[traffic] {
            Traffic::Ping { bytes, .. } => self.ask(number, bytes),
            _ => self.conns[number].tcp(client).close(),
        }
        self.pump(number, client);
    }

    fn ping(&mut self, number: u32, end: End, news: u64, count: u32, bytes: u32, pause: Time) {
        let now = self.now;
        let conn = &mut self.conns[number];
        if end == End::Peer {
            conn.peer.write(news);
            if conn.peer.peer_closed() {
                conn.peer.close();
            }
            return;
        }
        if !conn.guest.is_open() {
            return;
        }
        if conn.awaited > 0 {
            if conn.guest.delivered() < conn.awaited {
                return;
            }
            conn.done += 1;
            let (traffic, took) = (conn.traffic as usize, now.saturating_sub(conn.asked));
            self.metrics.traffic[traffic].round_trip.add(took);
        }
        let conn = &mut self.conns[number];
        if conn.done >= count {
            conn.awaited = u64::MAX;
            conn.guest.close();
        } else if pause > Time::ZERO && conn.done > 0 {
            conn.awaited = u64::MAX;
            let (conn, serial) = (number, conn.serial);
            self.at(now + pause, Event::Application { conn, serial });
        } else {
            self.ask(number, bytes);
        }
    }

    fn ask(&mut self, number: u32, bytes: u32) {
        let now = self.now;
        let conn = &mut self.conns[number];
        conn.guest.write(u64::from(bytes));
        conn.awaited = conn.guest.delivered() + u64::from(bytes);
        conn.asked = now;
    }

    fn stream(&mut self, number: u32, end: End, from: From, bytes: Option<u64>) {
        /// Without end: more than any run can send.
        const ENDLESS: u64 = 1 << 50;
        let sender = match from {
            From::Vm => End::Guest,
            From::Peer => End::Peer,
        };
        let conn = &mut self.conns[number];
        if end == sender && conn.tcp(sender).is_open() && !conn.answered {
            conn.answered = true;
            conn.tcp(sender).write(bytes.unwrap_or(ENDLESS));
            if bytes.is_some() {
                conn.tcp(sender).close();
            }
        }
        if end != sender && conn.tcp(end).peer_closed() {
            conn.tcp(end).close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of 100,000 spans at 1,000 a second is 1 ms; sigma of the mean is 1/316 of it.
    #[test]
    fn spans_have_the_right_mean() {
        let sum: u64 = (0..100_000).map(|i| exponential(draw(3, i), 1_000.0).0).sum();
        let mean = sum as f64 / 1e5 / 1e9;
        assert!((mean - 1.0).abs() < 0.015, "{mean}");
        assert_eq!(exponential(u64::MAX, 1e7), Time(1));
    }

    #[test]
    fn conversations_differ() {
        let pa = at::HOST_PA;
        let (out, back) = conversation(0, 0, 0, From::Vm, false, pa, true);
        assert_eq!(
            out.tuple.to_string(),
            "TCP 10.1.0.4 port 1024 to 10.1.128.0 port 443"
        );
        assert_eq!(back.tuple, out.tuple.reversed());
        assert_eq!(back.encaps[0].map(|e| (e.tni, e.dst)), Some((at::TNI, pa)));
        let (out, back) = conversation(1, 1, 60_001, From::Peer, true, pa, true);
        assert_eq!(
            out.tuple.to_string(),
            "TCP 10.1.0.5 port 443 to 198.18.0.1 port 1025"
        );
        assert_eq!(
            back.tuple.to_string(),
            "TCP 198.18.0.1 port 1025 to 20.0.0.5 port 443"
        );
        assert_eq!(back.encaps, [None; 2]);
    }
}

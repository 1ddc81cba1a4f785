//! NICs that send what they are told to, and note what comes.
#![allow(dead_code, reason = "each test file uses its own part")]

use fabric::packet::flags;
use fabric::port::state;
use fabric::{
    Clos, Common, Config, Cut, DropReason, Inbox, LinkClass, LinkKind, Network, Packet, PacketKind, Part,
    Routing, Scope, Way,
};
use kernel::Time;
use std::collections::VecDeque;

/// 100 Gb/s links, where a byte takes 80 ps, and wires of 500 ns; queues of any length, with trimming.
pub fn config(clos: Clos) -> Config {
    Config {
        clos,
        classes: [LinkClass::new(100_000_000_000, Time(500_000)); LinkKind::COUNT],
        routing: Routing::Source,
        local_reroute: false,
        trimming: true,
        trim_coin: false,
        trimmed_size: 64,
        pfc: None,
        seed: 3,
    }
}

/// A packet to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Post {
    pub at: u64,
    pub from: u32,
    pub to: u32,
    pub plane: u32,
    pub path: u32,
    pub number: u32,
    /// Wire bytes: of data, or of a control packet.
    pub size: u16,
    pub control: bool,
}

impl Post {
    pub fn packet(&self, clos: &Clos) -> Packet {
        let (kind, class) = if self.control {
            (PacketKind::Sack, flags::CONTROL)
        } else {
            (PacketKind::Data, 0)
        };
        Packet {
            usids: Way::between(clos, self.from, self.to).usids(self.plane, self.path),
            sent: self.at,
            conn: self.to,
            psn: self.number,
            size: self.size,
            kind,
            flags: class,
            ..Packet::default()
        }
    }
}

/// Something that breaks or heals.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    LinkDown(u32),
    LinkUp(u32),
    LinkLoss(u32, f64),
    SwitchDown(u16),
    SwitchUp(u16),
    /// A NIC pauses its T0 in a plane, or stops doing so.
    Jam(u32, u32, bool),
    /// Switches come to believe that a cable is in order, or out.
    Believe(u32, bool, Scope),
}

/// A packet that a NIC received.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Received {
    pub at: u64,
    pub nic: u32,
    pub link: u32,
    pub packet: Packet,
}

/// What was dropped, but for PAUSE frames: when, on which link, which packet and why.
pub type Dropped = (u64, u32, u32, DropReason);

#[derive(Default)]
struct Watcher {
    dropped: Vec<Dropped>,
    paused: Vec<(u64, u32, bool)>,
}

impl fabric::network::Observer for Watcher {
    fn dropped(&mut self, now: Time, link: u32, packet: &Packet, reason: DropReason) {
        if packet.kind != PacketKind::Pause {
            self.dropped.push((now.0, link, packet.psn, reason));
        }
    }

    fn paused(&mut self, now: Time, link: u32, paused: bool) {
        self.paused.push((now.0, link, paused));
    }
}

/// What became of the packets of a run, in an order that does not depend on the parts.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    pub received: Vec<Received>,
    pub dropped: Vec<Dropped>,
    /// When data was paused on which link, or went on.
    pub paused: Vec<(u64, u32, bool)>,
    pub digest: u64,
}

impl Outcome {
    /// How many packets were dropped for a reason.
    pub fn drops(&self, reason: DropReason) -> usize {
        self.dropped.iter().filter(|drop| drop.3 == reason).count()
    }

    /// The numbers of the packets that were received, in order.
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.received.iter().map(|r| r.packet.psn).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// Every NIC sends a data packet of 1,000 B and a control packet of 150 B to every other one by every path.
pub fn everybody_to_everybody(clos: &Clos) -> Vec<Post> {
    let mut posts = Vec::new();
    for (from, to) in (0..clos.nics()).flat_map(|from| (0..clos.nics()).map(move |to| (from, to))) {
        let paths = if from == to { 0 } else { clos.paths(from, to) };
        for (plane, path) in (0..clos.planes).flat_map(|plane| (0..paths).map(move |path| (plane, path))) {
            for (size, control) in [(1_000, false), (150, true)] {
                let number = posts.len() as u32;
                posts.push(Post {
                    at: 0,
                    from,
                    to,
                    plane,
                    path,
                    number,
                    size,
                    control,
                });
            }
        }
    }
    posts
}

/// Sends what is posted, and goes on until nothing is under way, checking the books after each window.
pub fn run(network: &mut Network, posts: &[Post]) -> Outcome {
    run_with_faults(network, posts, &[])
}

/// The same with faults, which are in order of time.
pub fn run_with_faults(network: &mut Network, posts: &[Post], faults: &[(u64, Fault)]) -> Outcome {
    let clos = network.config().clos;
    run_packets(network, posts, faults, |post| post.packet(&clos))
}

/// The same with packets that the caller makes of what is posted.
pub fn run_packets(
    network: &mut Network,
    posts: &[Post],
    faults: &[(u64, Fault)],
    packet_of: impl Fn(&Post) -> Packet,
) -> Outcome {
    let packets: Vec<(Post, Packet)> = posts.iter().map(|post| (*post, packet_of(post))).collect();
    run_in_windows(network, &packets, faults, &Windows::default())
}

/// Up to when a run goes at most, and how long its windows are.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    pub until: u64,
    /// A part of the look-ahead.
    pub part: u64,
}

impl Default for Windows {
    fn default() -> Self {
        Windows {
            until: u64::MAX,
            part: 1,
        }
    }
}

/// A NIC's port: what it has still to send, and up to when its line was looked at.
#[derive(Clone, Default)]
struct Sender {
    waiting: VecDeque<(Post, Packet)>,
    now: u64,
}

impl Sender {
    /// Sends what can be sent up to and including `to`. A control packet may wait in the port; a data packet waits for the line,
    /// and while data is paused, and what is behind it waits with it.
    fn send(
        &mut self,
        common: &Common,
        watcher: &mut Watcher,
        part: &mut Part,
        (plane, nic): (u32, u32),
        to: u64,
    ) {
        while let Some((post, packet)) = self.waiting.front().filter(|(post, _)| post.at <= to) {
            self.now = post.at.max(self.now);
            part.serve_nic(common, plane, nic, self.now);
            if post.control {
                part.send_control(common, watcher, plane, nic, packet, Time(self.now));
                self.waiting.pop_front();
                continue;
            }
            while part.nic_port(plane, nic).is(state::BUSY) && part.nic_port(plane, nic).free_at <= to {
                self.now = part.nic_port(plane, nic).free_at;
                part.serve_nic(common, plane, nic, self.now);
            }
            if part.nic_port(plane, nic).is(state::BUSY | state::PAUSED) {
                self.now = to;
                break;
            }
            // A line that was cut off by a fault became free then.
            self.now = self.now.max(part.nic_port(plane, nic).free_at);
            part.send_data(common, plane, nic, packet, self.now);
            self.waiting.pop_front();
        }
        part.serve_nic(common, plane, nic, to);
    }
}

/// Sends packets when they are posted, and goes on until nothing is under way, checking the books after each window.
pub fn run_in_windows(
    network: &mut Network,
    packets: &[(Post, Packet)],
    mut faults: &[(u64, Fault)],
    windows: &Windows,
) -> Outcome {
    let clos = network.config().clos;
    let mut senders = vec![Sender::default(); (clos.nics() * clos.planes) as usize];
    let mut packets = packets.to_vec();
    packets.sort_by_key(|(post, _)| (post.at, post.number));
    let start = packets.first().map_or(0, |(post, _)| post.at);
    for (post, packet) in packets {
        let sender = &mut senders[(post.from * clos.planes + post.plane) as usize];
        sender.waiting.push_back((post, packet));
    }
    let (mut outcome, mut watcher, mut inbox) = (Outcome::default(), Watcher::default(), Inbox::default());
    let step = network.common().look_ahead().0 / windows.part;
    let mut cut = Cut::after(start);
    let is_under_way = |network: &Network, senders: &[Sender]| {
        network.in_flight() > 0 || senders.iter().any(|sender| !sender.waiting.is_empty())
    };
    while cut.at <= windows.until && (!faults.is_empty() || is_under_way(network, &senders)) {
        let (common, parts) = network.split();
        for part in parts {
            for switch in 0..part.switch_count() {
                part.work_off_switch(common, &mut watcher, switch, cut);
            }
            for nic in part.span().nics() {
                part.take_in(common, &mut watcher, nic, cut, &mut inbox);
                let mut i = 0;
                loop {
                    let arrival = inbox.when(i);
                    let to = arrival.map_or(cut.at, |(at, _)| at);
                    for plane in 0..clos.planes {
                        let sender = &mut senders[(nic * clos.planes + plane) as usize];
                        sender.send(common, &mut watcher, part, (plane, nic), to);
                    }
                    let Some((at, link)) = arrival else { break };
                    let packet = *inbox.packet(i);
                    if packet.kind == PacketKind::Pause {
                        let plane = clos.describe(link).plane;
                        part.pause_nic(common, &mut watcher, plane, nic, &packet, Time(at));
                    } else {
                        outcome.received.push(Received {
                            at,
                            nic,
                            link,
                            packet,
                        });
                    }
                    i += 1;
                }
                part.note_nic(common, nic);
            }
        }
        network.exchange();
        network.unpack();
        network.close_window();
        network.audit().expect("the books balance");
        // A fault comes before everything else of its time.
        while let Some((&(at, fault), rest)) = faults.split_first()
            && at <= cut.at + 1
        {
            let now = Time(at);
            let done = match fault {
                Fault::LinkDown(link) => network.link_down(&mut watcher, link, now),
                Fault::LinkUp(link) => network.link_up(link),
                Fault::LinkLoss(link, rate) => network.link_loss(link, rate),
                Fault::SwitchDown(switch) => network.switch_down(&mut watcher, switch, now),
                Fault::SwitchUp(switch) => network.switch_up(switch),
                Fault::Jam(plane, nic, jams) => {
                    network.jam_nic(&mut watcher, plane, nic, jams, now);
                    Ok(())
                }
                Fault::Believe(link, up, scope) => network.believe(link, up, scope),
            };
            done.expect("a place of the fabric");
            // What it lets go on does so now.
            for sender in &mut senders {
                sender.now = sender.now.max(at);
            }
            network.close_window();
            faults = rest;
        }
        let fault = faults.first().map_or(u64::MAX, |&(at, _)| at);
        cut = Cut::after((cut.at + step).min(fault - 1));
    }
    outcome.dropped = watcher.dropped;
    outcome.dropped.sort_unstable();
    outcome.paused = watcher.paused;
    outcome.paused.sort_unstable();
    outcome.received.sort_by_key(|r| (r.at, r.link, r.packet.psn));
    outcome.digest = network.digest();
    outcome
}

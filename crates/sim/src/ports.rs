//! What NICs know of their own ports.
//!
//! A link that fails is dead at once; its NIC notices later (`port_detect`), leaves the port later still (`port_remap`), and
//! tells its peers then (MRC paper §3 and §5.2.2; facts 2.5). Until it does, losses speak. A repair is noticed as slowly
//! as a failure (our choice).

use crate::nic::Turn;
use crate::observer::Observer;
use crate::run::{Change, Sim};
use fabric::{Cut, LinkKind};
use kernel::Time;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The ports that are, or were, down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ports {
    // By NIC and plane: when the link changed last, and which of its directions (bit 0 up, bit 1 down) are dead.
    links: BTreeMap<(u32, u32), (Time, u8)>,
    // By NIC: bit p says that it knows its port in plane p to be down.
    known: BTreeMap<u32, u8>,
}

impl<O: Observer> Sim<O> {
    /// A directed link was broken or repaired; if it is a NIC's, the NIC will notice.
    pub(crate) fn note_link(&mut self, link: u32, dead: bool, now: Time) {
        let end = self.clos().describe(link);
        let bit = match end.kind {
            LinkKind::NicUp => 1,
            LinkKind::NicDown => 2,
            _ => return,
        };
        let (nic, plane) = (end.lower, end.plane);
        let state = self.ports.links.entry((nic, plane)).or_insert((now, 0));
        let before = state.1;
        state.1 = if dead { before | bit } else { before & !bit };
        if (before == 0) != (state.1 == 0) {
            state.0 = now;
            let transport = &self.scenario.transport;
            let noticed = now
                .saturating_add(Time(transport.port_detect.0))
                .saturating_add(Time(transport.port_remap.0));
            let change = Change::Port {
                nic,
                plane,
                since: now,
            };
            self.faults.insert((noticed, change));
        }
        if end.kind == LinkKind::NicUp {
            self.at_nic(nic, now, |turn| {
                turn.note_port(nic, plane);
                turn.pull(nic, now);
            });
        }
    }

    /// A fault may have ended a pause of the NICs' ports at these links: who could tell them to go on is gone.
    pub(crate) fn look_at_nics(&mut self, links: &[u32], now: Time) {
        if self.network.config().pfc.is_none() {
            return;
        }
        for &link in links {
            let end = self.clos().describe(link);
            if let LinkKind::NicUp | LinkKind::NicDown = end.kind {
                self.at_nic(end.lower, now, |turn| {
                    turn.note_port(end.lower, end.plane);
                    turn.pull(end.lower, now);
                });
            }
        }
    }

    /// A NIC has had time to notice: all its QPs leave the port or return to it, and their peers are told.
    pub(crate) fn notice_port(&mut self, nic: u32, plane: u32, since: Time, now: Time) {
        let Some(&(changed, dead)) = self.ports.links.get(&(nic, plane)) else {
            return;
        };
        if changed != since {
            return;
        }
        let known = self.ports.known.entry(nic).or_insert(0);
        *known = *known & !(1 << plane) | u8::from(dead != 0) << plane;
        let known = *known;
        let link = self.clos().nic_up(plane, nic);
        self.watcher.port_noticed(now, nic, plane, link, dead != 0);
        let tell = self.scenario.transport.port_status == scenario::PortStatus::Update;
        let conns = (0..).zip(&self.shared.conns);
        let ends: Vec<(u32, bool)> = conns
            .filter(|(_, ends)| ends.src == nic || ends.dst == nic)
            .map(|(conn, ends)| (conn, ends.src == nic))
            .collect();
        self.at_nic(nic, now, |turn| {
            for (conn, is_source) in ends {
                let ends = turn.shared.conns[conn as usize];
                if is_source {
                    let sender = &mut turn.side.senders[ends.sender as usize];
                    // A QP of RoCE stays in its plane, whatever becomes of its port (our choice).
                    let Some(requester) = sender.requester.mrc_mut() else {
                        continue;
                    };
                    requester.set_ports_down(now.0, known, tell);
                    turn.rearm(ends.sender, now);
                } else {
                    let receiver = &mut turn.side.receivers[ends.receiver as usize];
                    let Some(responder) = receiver.responder.mrc_mut() else {
                        continue;
                    };
                    responder.set_ports_down(now.0, known, tell);
                    turn.rearm_responder(conn, now);
                }
            }
            turn.pull(nic, now);
        });
    }

    /// Lets a NIC act at `now`, between two windows.
    pub(crate) fn at_nic(&mut self, nic: u32, now: Time, act: impl FnOnce(&mut Turn<'_, O>)) {
        let number = self.part_of_nic(nic);
        let (common, parts) = self.network.split();
        let mut turn = Turn {
            shared: &self.shared,
            common,
            part: &mut parts[number],
            side: &mut self.sides[number],
            watcher: &mut self.watcher,
            cut: Cut::after(now.0),
        };
        act(&mut turn);
        // What that put on the agenda is due now.
        while let Some(Reverse((at, key))) = turn.side.agenda.pop() {
            turn.side.timers.push(Time(at), key as u32);
        }
        turn.part.note_nic(common, nic);
    }
}

//! MRC's packets at a NIC: what its endpoints make of them, and what they send back.

use super::Turn;
use crate::endpoint::{Requester, Responder};
use crate::observer::Observer;
use crate::side::{Event, NONE, Receiver};
use fabric::{Packet, PacketKind, Way};
use kernel::Time;
use mrc::Reply;

impl<O: Observer> Turn<'_, O> {
    /// A data packet arrived, whole or trimmed.
    #[inline]
    pub(super) fn data(&mut self, nic: u32, packet: &Packet, now: Time) {
        let conn = self.shared.conns[packet.conn as usize];
        let config = &self.shared.mrc;
        let Receiver { responder, way, .. } = &mut self.side.receivers[conn.receiver as usize];
        let Responder::Mrc(responder) = responder else {
            return self.roce_data(nic, packet, now);
        };
        let way = *way;
        let before = (responder.stats().placed_bytes, responder.delivered());
        let reply = match self.side.nics[(nic - self.side.first_nic) as usize].refuses {
            Some(refuses) if refuses.applies_to(self.shared.refusal_key, packet) => {
                Some(responder.refuse(config, packet, refuses.reason))
            }
            _ => responder.on_data(config, now.0, packet),
        };
        let placed = responder.stats().placed_bytes - before.0;
        let delivered = responder.delivered();
        if placed > 0 {
            self.side.placed_bytes += placed;
            self.side.unplaced -= usize::from(responder.is_complete());
            let plane = self.shared.plane(packet.ev);
            self.watcher.placed(now, packet.conn, plane, placed as u32);
        }
        if responder.has_more() {
            let mut replies = core::mem::take(&mut self.side.replies);
            responder.more(config, now.0, packet, &mut replies);
            self.send_replies(nic, way, reply, &mut replies, now);
            self.side.replies = replies;
        } else if let Some(Reply { packet, via }) = reply {
            self.send_control(nic, way, packet, via, now);
        }
        if config.rccc.is_some() {
            self.note_credit(packet.conn, nic, now);
        }
        if delivered > before.1 && conn.feeds != NONE {
            self.feed(conn, nic, (before.1, delivered), now);
        }
    }

    /// A requester's packet arrived that is no data.
    #[inline]
    pub(super) fn receive_as_responder(&mut self, nic: u32, packet: &Packet, now: Time) {
        let conn = self.shared.conns[packet.conn as usize];
        let config = &self.shared.mrc;
        let Receiver {
            responder,
            way,
            timer,
        } = &mut self.side.receivers[conn.receiver as usize];
        let Responder::Mrc(responder) = responder else {
            return;
        };
        let way = *way;
        match packet.kind {
            PacketKind::Probe => {
                let Reply { packet, via } = responder.on_probe(config, packet);
                self.send_control(nic, way, packet, via, now);
            }
            PacketKind::AckProbe => {
                let mut replies = core::mem::take(&mut self.side.replies);
                responder.on_ack_probe(config, now.0, packet, &mut replies);
                self.send_replies(nic, way, None, &mut replies, now);
                self.side.replies = replies;
                self.note_credit(packet.conn, nic, now);
            }
            PacketKind::PortStatus => {
                let answer = responder.on_port_status(config, packet);
                let via = responder.any_way(config, packet.psn);
                self.send_control(nic, way, answer, via, now);
            }
            PacketKind::ProbeReply => responder.on_probe_reply(packet),
            PacketKind::PortStatusReply => {
                responder.on_port_status_reply(packet);
                *timer = Time::MAX;
            }
            PacketKind::Data
            | PacketKind::Sack
            | PacketKind::Nack
            | PacketKind::Ack
            | PacketKind::Cnp
            | PacketKind::Credit
            | PacketKind::Pause
            | PacketKind::MapperProbe => {
                debug_assert!(false, "{:?} does not come here", packet.kind);
            }
        }
    }

    fn send_replies(
        &mut self,
        nic: u32,
        way: Way,
        first: Option<Reply>,
        replies: &mut Vec<Reply>,
        now: Time,
    ) {
        for Reply { packet, via } in first.into_iter().chain(replies.drain(..)) {
            self.send_control(nic, way, packet, via, now);
        }
    }

    /// A responder's packet arrived.
    #[inline]
    pub(super) fn receive_as_requester(&mut self, nic: u32, packet: &Packet, now: Time) {
        let index = self.shared.conns[packet.conn as usize].sender;
        let sender = &mut self.side.senders[index as usize];
        let Requester::Mrc(requester) = &mut sender.requester else {
            return self.roce_answer(nic, packet, now);
        };
        let config = &self.shared.mrc;
        let rearm = requester.may_be_due_earlier();
        let complete = requester.completed();
        match packet.kind {
            PacketKind::Sack => requester.on_sack(config, self.watcher, now.0, packet),
            PacketKind::Nack => requester.on_nack(config, self.watcher, now.0, packet),
            PacketKind::Ack => requester.on_ack(self.watcher, now.0, packet),
            PacketKind::ProbeReply => requester.on_probe_reply(config, self.watcher, now.0, packet),
            PacketKind::PortStatusReply => requester.on_port_status_reply(packet),
            PacketKind::Credit => requester.on_credit(now.0, packet),
            PacketKind::PortStatus | PacketKind::Probe => {
                // The responder asks: it hears from us in the plane by which it asked.
                let answer = if packet.kind == PacketKind::Probe {
                    Packet {
                        kind: PacketKind::ProbeReply,
                        size: config.probe_reply_size,
                        ..*packet
                    }
                } else {
                    requester.on_port_status(config, packet)
                };
                let way = sender.way;
                return self.send_control(nic, way, answer, packet.ev, now);
            }
            PacketKind::Data
            | PacketKind::AckProbe
            | PacketKind::Cnp
            | PacketKind::Pause
            | PacketKind::MapperProbe => {
                debug_assert!(false, "{:?} does not come here", packet.kind);
            }
        }
        self.heard(index, nic, now, complete, rearm);
    }

    /// A responder has a port status to tell.
    pub(super) fn responder_timer(&mut self, conn: u32, nic: u32, now: Time) {
        let index = self.shared.conns[conn as usize].receiver as usize;
        let Receiver {
            responder,
            way,
            timer,
        } = &mut self.side.receivers[index];
        if *timer != now {
            return;
        }
        *timer = Time::MAX;
        let Responder::Mrc(responder) = responder else {
            return;
        };
        let way = *way;
        if let Some(update) = responder.on_timer(&self.shared.mrc, now.0, conn) {
            let via = responder.any_way(&self.shared.mrc, update.psn);
            self.send_control(nic, way, Packet { ev: via, ..update }, via, now);
        }
        self.rearm_responder(conn, now);
    }

    /// Sets a responder's timer.
    pub fn rearm_responder(&mut self, conn: u32, now: Time) {
        let receiver = &mut self.side.receivers[self.shared.conns[conn as usize].receiver as usize];
        let deadline = receiver
            .responder
            .mrc_mut()
            .and_then(|responder| responder.deadline());
        if let Some(due) = deadline.map(|due| Time(due).max(now)) {
            receiver.timer = due;
            self.set_timer(due, self.shared.object(conn, Event::Responder));
        }
    }
}

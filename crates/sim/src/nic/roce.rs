//! RoCE's packets at a NIC: what its endpoints make of them, what they send back, and the pace at which they send.

use super::Turn;
use crate::endpoint::{Requester, Responder};
use crate::observer::Observer;
use crate::side::{Event, NONE, Receiver};
use fabric::{Packet, PacketKind};
use kernel::Time;

impl<O: Observer> Turn<'_, O> {
    /// A data packet arrived.
    pub(super) fn roce_data(&mut self, nic: u32, packet: &Packet, now: Time) {
        let conn = self.shared.conns[packet.conn as usize];
        let Receiver { responder, way, .. } = &mut self.side.receivers[conn.receiver as usize];
        let Responder::Roce(responder) = responder else {
            return;
        };
        let way = *way;
        let before = (responder.stats().placed_bytes, responder.delivered());
        let replies = responder.on_data(&self.shared.roce, now.0, packet);
        let placed = responder.stats().placed_bytes - before.0;
        let delivered = responder.delivered();
        if placed > 0 {
            self.side.placed_bytes += placed;
            self.side.unplaced -= usize::from(responder.is_complete());
            let plane = self.shared.plane(packet.ev);
            self.watcher.placed(now, packet.conn, plane, placed as u32);
        }
        for reply in replies {
            self.send_control(nic, way, reply, packet.ev, now);
        }
        if delivered > before.1 && conn.feeds != NONE {
            self.feed(conn, nic, (before.1, delivered), now);
        }
    }

    /// An ACK, a NAK or a CNP arrived.
    pub(super) fn roce_answer(&mut self, nic: u32, packet: &Packet, now: Time) {
        let index = self.shared.conns[packet.conn as usize].sender;
        let Requester::Roce(requester) = &mut self.side.senders[index as usize].requester else {
            return;
        };
        let config = &self.shared.roce;
        let complete = requester.completed();
        match packet.kind {
            PacketKind::Ack => requester.on_ack(config, self.watcher, now.0, packet),
            PacketKind::Cnp => requester.on_cnp(config, self.watcher, now.0, packet),
            _ => debug_assert!(false, "{:?} does not come here", packet.kind),
        }
        self.heard(index, nic, now, complete, true);
    }

    /// A sender's pace lets it send again at `until`.
    pub(super) fn pace_until(&mut self, index: u32, until: Time) {
        let sender = &mut self.side.senders[index as usize];
        // A timer that is too early only asks again.
        if until < sender.paced {
            sender.paced = until;
            let object = self.shared.object(sender.conn, Event::Pace);
            self.set_timer(until, object);
        }
    }

    /// That time has come.
    pub(super) fn pace(&mut self, conn: u32, nic: u32, now: Time) {
        let index = self.shared.conns[conn as usize].sender;
        let sender = &mut self.side.senders[index as usize];
        if sender.paced == now {
            sender.paced = Time::MAX;
            self.wake(index, nic, now);
        }
    }
}

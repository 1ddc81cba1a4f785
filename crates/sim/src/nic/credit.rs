//! Receiver credit at a NIC: what its responders need, its pacer hands out (see [`::mrc::rccc`]).

use super::Turn;
use crate::observer::Observer;
use kernel::Time;
use mrc::Reply;

impl<O: Observer> Turn<'_, O> {
    /// A packet of connection `conn` arrived at `nic`, where it ends: its responder may need credit, or have some to tell.
    pub(super) fn note_credit(&mut self, conn: u32, nic: u32, now: Time) {
        let config = &self.shared.mrc;
        let Some(rccc) = &config.rccc else { return };
        let receiver = &mut self.side.receivers[self.shared.conns[conn as usize].receiver as usize];
        let way = receiver.way;
        let Some((news, reply)) = receiver
            .responder
            .mrc_mut()
            .and_then(|responder| responder.credit_news(config, conn))
        else {
            return;
        };
        self.state(nic).pacer.note(rccc, now.0, conn, news);
        if let Some(Reply { packet, via }) = reply {
            self.send_control(nic, way, packet, via, now);
        }
        self.hand_out(nic, now);
    }

    /// The pacer's time has come.
    pub(super) fn pacer_timer(&mut self, nic: u32, now: Time) {
        let state = self.state(nic);
        if state.grants_at == Some(now) {
            state.grants_at = None;
            self.hand_out(nic, now);
        }
    }

    /// Sends the credit that is due, and sets the timer for what follows.
    fn hand_out(&mut self, nic: u32, now: Time) {
        let config = &self.shared.mrc;
        let Some(rccc) = &config.rccc else { return };
        while let Some(conn) = self.state(nic).pacer.next(rccc, now.0) {
            let receiver = &mut self.side.receivers[self.shared.conns[conn as usize].receiver as usize];
            let way = receiver.way;
            let Some((bytes, Reply { packet, via }, more)) = receiver
                .responder
                .mrc_mut()
                .and_then(|responder| responder.grant(config, conn))
            else {
                continue;
            };
            self.state(nic).pacer.granted(rccc, now.0, conn, bytes, more);
            self.send_control(nic, way, packet, via, now);
        }
        let state = self.state(nic);
        let Some(due) = state.pacer.due(rccc).map(|due| Time(due).max(now)) else {
            return;
        };
        // A timer that is too late is set again; one that is too early only looks again.
        if state.grants_at.is_none_or(|at| due < at) {
            state.grants_at = Some(due);
            self.set_timer(due, self.shared.pacer_object(nic));
        }
    }
}

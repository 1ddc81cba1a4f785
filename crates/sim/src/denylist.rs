//! What Clustermapper's policy asks of QPs.
//!
//! An EV that meets something to be avoided on its way is DENIED at the sender, and no way back at the receiver. Where the
//! receiver's own port or T0 is to be avoided, its SACKs ask the sender to leave the plane (ALWAYS_SKIP). Everybody is told at
//! once (our choice: what carries a controller's word to the NICs is not public).

use crate::observer::Observer;
use crate::run::Sim;
use kernel::Time;
use mapper::{Route, Stop, Topology};
use mrc::EvState;

impl<O: Observer> Sim<O> {
    /// Brings every QP in line with the denylist, which has changed in some planes (bit p: plane p); between two windows.
    pub(crate) fn enforce(&mut self, planes: u8, now: Time) {
        for conn in 0..self.qp_count() {
            self.deny_evs(conn, planes, now);
            self.ask_to_leave(conn);
        }
    }

    fn route(&self, topology: &Topology, conn: u32, ev: u16) -> Route {
        let (ends, path) = (self.conn(conn), self.shared.t1(conn, ev));
        let pod = |nic| topology.pod_of_t0(topology.t0_of(nic));
        Route {
            src: ends.src,
            dst: ends.dst,
            plane: self.shared.plane(ev),
            // Within a pod a path is a T1's number, between pods a T2's.
            t1: if pod(ends.src) == pod(ends.dst) {
                path
            } else {
                path / topology.t2s_per_t1()
            },
            t2: path,
        }
    }

    fn is_stopped(&self, conn: u32, ev: u16, how: Stop) -> bool {
        let (Some(plan), Some(mapper)) = (&self.shared.plan, &self.mapper) else {
            return false;
        };
        let route = self.route(plan.topology(), conn, ev);
        mapper.denylist.stops(plan.topology(), &route, how)
    }

    /// DENIED or not, EV by EV.
    fn deny_evs(&mut self, conn: u32, planes: u8, now: Time) {
        // Only MRC leaves a way because it is told to.
        let Some(requester) = self.sender(conn).requester.mrc() else {
            return;
        };
        let evs = requester.evs();
        // First those in reserve: they shall not take the place of others only to be denied next.
        let (mut changed, mut in_use) = (Vec::new(), Vec::new());
        for ev in (0..evs.len()).filter(|&ev| planes >> evs.plane(ev) & 1 == 1) {
            let denied = self.is_stopped(conn, ev, Stop::Deny);
            if denied != (evs.state(ev) == EvState::Denied) {
                if evs.is_active(ev) {
                    in_use.push((ev, denied));
                } else {
                    changed.push((ev, denied));
                }
            }
        }
        changed.extend(in_use);
        if changed.is_empty() {
            return;
        }
        let ends = *self.conn(conn);
        let part = self.part_of_nic(ends.dst);
        if let Some(responder) = self.sides[part].receivers[ends.receiver as usize]
            .responder
            .mrc_mut()
        {
            for &(ev, denied) in &changed {
                responder.set_denied(ev, denied);
            }
        }
        self.at_nic(ends.src, now, |turn| {
            if let Some(requester) = turn.side.senders[ends.sender as usize].requester.mrc_mut() {
                for (ev, denied) in changed {
                    requester.set_denied(turn.watcher, now.0, ev, denied);
                }
            }
            turn.pull(ends.src, now);
        });
    }

    /// Tells the receiver which planes its sender is to leave.
    fn ask_to_leave(&mut self, conn: u32) {
        // The first EVs belong to the planes in turn, and the ends of all paths of a plane are the same.
        let planes = 0..self.clos().planes as u16;
        let unwelcome = planes
            .filter(|&plane| self.is_stopped(conn, plane, Stop::AlwaysSkip))
            .fold(0, |mask, plane| mask | 1 << plane);
        let ends = *self.conn(conn);
        let part = self.part_of_nic(ends.dst);
        let receiver = &mut self.sides[part].receivers[ends.receiver as usize];
        if let Some(responder) = receiver.responder.mrc_mut() {
            responder.set_unwelcome(unwelcome);
        }
    }
}

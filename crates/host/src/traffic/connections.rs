//! Short connections at a rate.

use super::exponential;
use crate::event::{End, Event};
use crate::run::Run;
use kernel::Time;
use kernel::rng::draw;
use scenario::host::Traffic;

/// How far the client of a short connection is; kept in `Conn::done`.
const NEW: u32 = 0;
const ASKED: u32 = 1;
const ENDING: u32 = 2;

impl Run {
    /// The next connection begins, and the one after it gets its time.
    pub(super) fn next_connection(&mut self, number: u32) {
        let Traffic::Connections {
            vm,
            per_second,
            from,
            peers,
            internet,
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
        let n = app.count;
        app.count += 1;
        let next = self.now + exponential(draw(app.key, app.count), per_second);
        self.at(next, Event::Traffic(number));
        if !(from == scenario::host::From::Vm && self.vms[vm as usize].paused) {
            self.open_conversation(number, vm, n, from, peers, internet);
        }
    }

    pub(super) fn exchange(&mut self, number: u32, end: End, request: u32, response: u32, hold: Time) {
        let now = self.now;
        let conn = &mut self.conns[number];
        let client = conn.client();
        if end != client {
            let server = conn.tcp(end);
            if server.delivered() >= u64::from(request) && !std::mem::replace(&mut conn.answered, true) {
                conn.tcp(end).write(u64::from(response));
            }
            if conn.tcp(end).peer_closed() {
                conn.tcp(end).close();
            }
            return;
        }
        if !conn.tcp(client).is_open() {
            return;
        }
        if conn.done == NEW {
            conn.done = ASKED;
            conn.tcp(client).write(u64::from(request));
        }
        let tcp = conn.tcp(client);
        let answered = tcp.delivered() >= u64::from(response);
        let heard = response > 0 || tcp.acknowledged() >= u64::from(request);
        if conn.done == ASKED && answered && heard {
            conn.done = ENDING;
            if hold == Time::ZERO {
                conn.tcp(client).close();
            } else {
                let (conn, serial) = (number, conn.serial);
                self.at(now + hold, Event::Application { conn, serial });
            }
        }
    }
}

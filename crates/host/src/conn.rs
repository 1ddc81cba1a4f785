//! A TCP connection between a guest and a peer: both its ends, and the pipes between them.

use crate::event::End;
use crate::tcp::{Settings, Tcp};
use gft::Headers;
use kernel::Time;
use scenario::host::From;

/// Packets closer than this to the one before share its latency (our choice): what delays one, an interrupt that comes late or a
/// scheduler, delays all that are there.
const BURST_GAP: Time = Time::from_us(10);
/// A burst is no longer than this.
const BURST: Time = Time::from_us(50);

/// One direction of a connection's latency.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pipe {
    // The latest arrival at the host's side by VF and by the synthetic path, and beyond the wire: what follows does not overtake.
    last: [Time; 3],
    bits: u64,
    begun: Time,
    used: Time,
    draws: u64,
}

impl Pipe {
    /// Random bits for a packet sent at `now`; `key` is the pipe's own.
    pub fn draw(&mut self, now: Time, key: u64) -> u64 {
        let gap = now.saturating_sub(self.used);
        if self.draws == 0 || gap >= BURST_GAP || now.saturating_sub(self.begun) >= BURST {
            self.bits = kernel::rng::draw(key, self.draws);
            self.draws += 1;
            self.begun = now;
        }
        self.used = now;
        self.bits
    }

    /// The arrival of a packet that would come at `at` at place `which` if no other was before it, and that takes `span` on the
    /// line.
    pub fn in_order(&mut self, which: usize, at: Time, span: Time) -> Time {
        let at = at.max(self.last[which] + span.max(Time(1)));
        self.last[which] = at;
        at
    }
}

/// A connection.
#[derive(Clone, Debug)]
pub(crate) struct Conn {
    pub serial: u32,
    pub traffic: u32,
    pub vm: u32,
    /// Who opened it.
    pub from: From,
    pub guest: Tcp,
    pub peer: Tcp,
    /// Headers of the guest's packets.
    pub out: Headers,
    /// Headers of the peer's packets, once it knows them.
    pub back: Option<Headers>,
    /// From the guest, from the peer.
    pub pipes: [Pipe; 2],
    /// When a timer event is due, guest's and peer's.
    pub timers: [Time; 2],
    /// The guest or the peer waits for room to send.
    pub blocked: [bool; 2],
    /// A slot of the guest's listener is held.
    pub in_backlog: bool,
    /// The peer has returned a cookie.
    pub verified: bool,
    /// Bytes handed to the application so far, guest's and peer's.
    pub seen: [u64; 2],
    /// Bytes that the current exchange waits for, at the client.
    pub awaited: u64,
    /// When the question of a ping went out.
    pub asked: Time,
    /// What the application counts: pings done.
    pub done: u32,
    /// The server has answered.
    pub answered: bool,
    pub begun: Time,
    pub opened: Option<Time>,
}

impl Conn {
    pub fn tcp(&mut self, end: End) -> &mut Tcp {
        match end {
            End::Guest => &mut self.guest,
            End::Peer => &mut self.peer,
        }
    }

    /// The end that opened it.
    pub fn client(&self) -> End {
        match self.from {
            From::Vm => End::Guest,
            From::Peer => End::Peer,
        }
    }

    /// Both ends, the opener's first.
    pub fn ends(settings: &Settings, from: From) -> (Tcp, Tcp) {
        match from {
            From::Vm => (Tcp::connect(settings), Tcp::listen(settings)),
            From::Peer => (Tcp::listen(settings), Tcp::connect(settings)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_share_a_draw_and_nothing_overtakes() {
        let mut pipe = Pipe::default();
        let us = Time::from_us;
        let first = pipe.draw(us(0), 7);
        assert_eq!((pipe.draw(us(9), 7), pipe.draw(us(18), 7)), (first, first));
        let second = pipe.draw(us(28), 7);
        assert_ne!(second, first, "10 µs after the one before");
        let all: Vec<u64> = (1..=6).map(|i| pipe.draw(us(28 + 9 * i), 7)).collect();
        assert_eq!(all[..5], [second; 5]);
        assert_ne!(all[5], second, "54 µs after the burst began");
        assert_eq!(pipe.in_order(0, us(5), Time(1)), us(5));
        assert_eq!(pipe.in_order(0, us(4), us(2)), us(7));
        assert_eq!(pipe.in_order(1, us(4), us(2)), us(4));
    }
}

//! Telling the peer which of one's ports are down, until it has answered (ENDPOINT_REQUEST, op 0; facts 1.4 and 2.5).

use crate::config::Config;
use fabric::packet::{Packet, PacketKind, flags};

/// What one end of a connection tells the other about its NIC's ports.
#[derive(Clone, Debug, Default)]
pub struct PortStatus {
    // Bit p: the port in plane p is down.
    mask: u8,
    number: u32,
    tries: u32,
    // When to tell it (again); 0 when there is nothing to tell.
    next: u64,
}

impl PortStatus {
    /// The ports changed: the peer has to know.
    pub fn set(&mut self, now: u64, mask: u8) {
        if mask != self.mask {
            self.mask = mask;
            self.number = self.number.wrapping_add(1);
            self.tries = 0;
            self.next = now.max(1);
        }
    }

    /// Bit p: the port in plane p is down.
    pub fn mask(&self) -> u8 {
        self.mask
    }

    /// When [`poll`](Self::poll) has something to send.
    #[inline]
    pub fn deadline(&self) -> Option<u64> {
        (self.next > 0).then_some(self.next)
    }

    /// The update to send, if one is due. It is repeated like a timed-out packet is, and given up like one.
    pub fn poll(&mut self, config: &Config, now: u64, conn: u32, from_responder: bool) -> Option<Packet> {
        if self.next == 0 || self.next > now {
            return None;
        }
        if config.gives_up(self.tries) {
            self.next = 0;
            return None;
        }
        self.next = now + config.timeout(self.tries);
        self.tries += 1;
        Some(Packet {
            kind: PacketKind::PortStatus,
            size: config.probe_size,
            flags: flags::CONTROL | if from_responder { flags::FROM_RESPONDER } else { 0 },
            bitmap: u64::from(self.mask),
            conn,
            psn: self.number,
            sent: now,
            ..Packet::default()
        })
    }

    /// The peer has answered.
    pub fn on_reply(&mut self, reply: &Packet) {
        if reply.psn == self.number {
            self.next = 0;
        }
    }
}

/// The answer to a port status update.
pub fn reply(config: &Config, update: &Packet) -> Packet {
    Packet {
        kind: PacketKind::PortStatusReply,
        size: config.probe_reply_size,
        ..*update
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requester::tests::config;

    #[test]
    fn an_update_is_repeated_until_it_is_answered() {
        let (config, mut status) = (config(), PortStatus::default());
        assert_eq!(status.deadline(), None);
        status.set(1_000, 0b100);
        assert_eq!(status.deadline(), Some(1_000));
        let first = status.poll(&config, 1_000, 9, true).expect("due");
        assert_eq!(
            (first.bitmap, first.conn, first.is_to_responder()),
            (0b100, 9, false)
        );
        assert_eq!(status.poll(&config, 1_001, 9, true), None, "under way");
        // 262.144 µs later, the fixed interval of the timeouts.
        assert_eq!(status.deadline(), Some(1_000 + 262_144_000));
        let again = status
            .poll(&config, 1_000 + 262_144_000, 9, true)
            .expect("repeated");
        status.on_reply(&reply(&config, &again));
        assert_eq!(status.deadline(), None);
        status.set(5, 0b100);
        assert_eq!(status.deadline(), None, "nothing new");
    }

    #[test]
    fn an_old_answer_does_not_count_and_a_silent_peer_is_given_up() {
        let (config, mut status) = (config(), PortStatus::default());
        status.set(10, 1);
        let old = status.poll(&config, 10, 0, false).expect("due");
        status.set(20, 3);
        status.on_reply(&reply(&config, &old));
        let mut sent = 0;
        while let Some(at) = status.deadline() {
            sent += u32::from(status.poll(&config, at, 0, false).is_some());
        }
        // 7 linear and 8 exponential repetitions of the first.
        assert_eq!(sent, 1 + config.linear_retries + config.exponential_retries);
    }
}

//! The message layer: what is posted, and what is complete (MSN and ACK; facts 1.1).

use super::{Observer, QpError, Requester};
use crate::config::Config;
use fabric::packet::Packet;
use std::collections::BTreeSet;
use wire::Syndrome;

/// Messages of one QP.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages {
    posted: u32,
    // All below this one are complete.
    complete: u32,
    // Those beyond that are: a WRITE may complete before an earlier one. At most as many as the PSN window has room for.
    early: BTreeSet<u32>,
}

impl Messages {
    fn note(&mut self, message: u32) {
        if message < self.complete || message >= self.posted {
            return;
        }
        self.early.insert(message);
        while self.early.remove(&self.complete) {
            self.complete += 1;
        }
    }

    fn note_up_to(&mut self, end: u32) {
        self.complete = self.complete.max(end.min(self.posted));
        self.early = self.early.split_off(&self.complete);
        while self.early.remove(&self.complete) {
            self.complete += 1;
        }
    }
}

impl Requester {
    /// Posts messages until there are `messages` in all, or as many as the stream has. Says whether any is new.
    pub fn post(&mut self, now: u64, messages: u32) -> bool {
        let messages = messages.min(self.stream.messages);
        if messages <= self.messages.posted || self.finished {
            return false;
        }
        if self.cack() == self.end {
            self.cc.on_resume();
        }
        self.messages.posted = messages;
        self.end = messages * self.stream.per_message();
        self.ack_probe.heard(now);
        true
    }

    /// Messages posted so far.
    pub fn posted(&self) -> u32 {
        self.messages.posted
    }

    /// Messages complete so far, in whatever order.
    pub fn completed(&self) -> u32 {
        self.messages.complete + self.messages.early.len() as u32
    }

    /// False where a WRITE with immediate has to wait for earlier ones: no more than agreed may be under way.
    #[inline]
    pub(super) fn may_begin(&self, config: &Config, psn: u32) -> bool {
        !self.stream.immediate
            || self.stream.message(psn) < self.messages.complete.saturating_add(config.max_immediate)
    }

    /// An ACK arrived.
    pub fn on_ack<O: Observer>(&mut self, watcher: &mut O, now: u64, ack: &Packet) {
        if self.finished {
            return;
        }
        self.ack_probe.heard(now);
        self.timeouts_in_row = 0;
        match Syndrome::from_code(ack.reason) {
            Some(Syndrome::Ack) => self.messages.note(ack.psn),
            Some(Syndrome::UpTo) => self.messages.note_up_to(ack.psn.saturating_add(1)),
            Some(Syndrome::TooManyImmediates) => {
                return self.fail(watcher, now, QpError::TooManyImmediate);
            }
            None => return,
        }
        self.finish_if_complete();
    }

    /// Where no ACKs are sent, a message is complete when all its packets are acknowledged, and all before it.
    #[inline]
    pub(super) fn complete_by_sack(&mut self, config: &Config) {
        if config.message_acks || self.stream.messages == 1 && self.cack() != self.end {
            return;
        }
        let whole = self.cack() / self.stream.per_message();
        if whole > self.messages.complete {
            self.messages.note_up_to(whole);
            self.finish_if_complete();
        }
    }

    fn finish_if_complete(&mut self) {
        if self.messages.complete == self.stream.messages {
            self.finished = true;
            self.probing.clear();
        }
    }

    /// True while packets or messages wait for an answer.
    #[inline]
    pub(super) fn is_waiting(&self) -> bool {
        let sent = if self.stream.messages == 1 {
            u32::from(self.next_psn == self.stream.per_message())
        } else {
            self.next_psn / self.stream.per_message()
        };
        self.cack() < self.next_psn || sent > self.completed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_complete_in_any_order() {
        let mut messages = Messages {
            posted: 5,
            ..Messages::default()
        };
        messages.note(2);
        messages.note(1);
        assert_eq!((messages.complete, messages.early.len()), (0, 2));
        messages.note(0);
        assert_eq!((messages.complete, messages.early.len()), (3, 0));
        messages.note(0);
        messages.note(7);
        assert_eq!(messages.complete, 3, "old news and what was not posted");
        messages.note(4);
        messages.note_up_to(4);
        assert_eq!((messages.complete, messages.early.len()), (5, 0));
    }
}

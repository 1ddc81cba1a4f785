//! The receiving half: what has come in, and when to say so.

use super::ranges::Ranges;
use super::{Segment, Settings};
use gft::TcpFlags;
use kernel::Time;

/// Segments after which an acknowledgment is due (RFC 5681, section 4.2: at least every second full one).
const ACK_EVERY: u32 = 2;

#[derive(Clone, Debug)]
pub(super) struct Receive {
    next: u64,
    // Beyond `next`, with holes.
    early: Ranges,
    // Where the latest early segment began: its block is reported first (RFC 2018, section 4).
    latest: u64,
    fin: Option<u64>,
    unacknowledged: u32,
    ack_now: bool,
    ack_by: Time,
}

impl Default for Receive {
    fn default() -> Receive {
        Receive {
            next: 0,
            early: Ranges::default(),
            latest: 0,
            fin: None,
            unacknowledged: 0,
            ack_now: false,
            ack_by: Time::MAX,
        }
    }
}

impl Receive {
    pub(super) fn skip_handshake(&mut self) {
        self.next = 1;
    }

    pub(super) fn on_segment(&mut self, now: Time, segment: &Segment, settings: &Settings) {
        let (start, end) = (segment.seq, segment.seq + segment.span());
        if start == end {
            return;
        }
        let last = self.next.saturating_add(settings.window);
        if end <= self.next || end > last {
            // Seen before, or beyond the window: say where we are.
            self.ack_now = true;
            return;
        }
        if segment.flags.has(TcpFlags::FIN) {
            self.fin = Some(end - 1);
        }
        if start > self.next {
            self.early.insert(start, end);
            self.latest = start;
            self.ack_now = true;
            return;
        }
        // Something that fills a hole is acknowledged at once (RFC 5681, section 4.2).
        self.ack_now |= !self.early.is_empty();
        self.next = end;
        self.early.insert(start, end);
        if let Some(&(s, e)) = self.early.as_slice().first()
            && s <= self.next
        {
            self.next = self.next.max(e);
        }
        self.early.forget_before(self.next);
        self.unacknowledged += 1;
        self.ack_now |=
            self.finished() || segment.flags.has(TcpFlags::SYN) || self.unacknowledged >= ACK_EVERY;
        if self.ack_by == Time::MAX {
            self.ack_by = now.saturating_add(settings.delayed_ack);
        }
    }

    pub(super) fn on_timer(&mut self, now: Time) {
        self.ack_now |= now >= self.ack_by;
    }

    pub(super) fn deadline(&self) -> Time {
        if self.ack_now { Time::MAX } else { self.ack_by }
    }

    pub(super) fn wants_ack(&self) -> bool {
        self.ack_now
    }

    pub(super) fn acknowledged(&mut self) {
        self.ack_now = false;
        self.unacknowledged = 0;
        self.ack_by = Time::MAX;
    }

    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn finished(&self) -> bool {
        self.fin.is_some_and(|fin| self.next > fin)
    }

    pub(super) fn delivered(&self) -> u64 {
        self.next
            .saturating_sub(1)
            .saturating_sub(u64::from(self.finished()))
    }

    pub(super) fn sack(&self) -> [(u64, u64); 3] {
        let mut blocks = [(0, 0); 3];
        if self.early.is_empty() {
            return blocks;
        }
        let ranges = self.early.as_slice();
        let first = ranges.iter().rposition(|r| r.0 <= self.latest).unwrap_or(0);
        let others = (0..ranges.len()).rev().filter(|&i| i != first);
        for (slot, i) in blocks.iter_mut().zip([first].into_iter().chain(others)) {
            *slot = ranges[i];
        }
        blocks
    }
}

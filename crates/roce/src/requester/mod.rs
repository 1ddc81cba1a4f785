//! The sending side of a QP: what to send next, when, and what the answers mean.

mod selective;
#[cfg(test)]
pub(crate) mod tests;

use self::selective::Missing;
use crate::aeth;
use crate::config::{Config, MAX_OUTSTANDING, Recovery};
use crate::dcqcn::ReactionPoint;
use fabric::packet::{Packet, PacketKind, flags};
use rdma::stream::Part;
use rdma::{QpError, QpState, Stream};

const NEVER: u64 = u64::MAX;

/// Hooks for whoever watches a requester.
pub trait Observer {
    /// A NAK says that `psn` is missing.
    fn nak_heard(&mut self, _now: u64, _conn: u32, _psn: u32) {}
    /// No progress for too long: everything from `psn` on that is not known to have arrived is sent again.
    fn timed_out(&mut self, _now: u64, _conn: u32, _psn: u32) {}
    /// A CNP arrived; the QP's rate is now `rate` bit/s.
    fn cnp_heard(&mut self, _now: u64, _conn: u32, _rate: u64) {}
    /// The QP went to ERROR.
    fn qp_failed(&mut self, _now: u64, _conn: u32, _why: QpError) {}
}

/// The answer to "what do you send now?"
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poll {
    /// This packet.
    Send(Packet),
    /// Nothing before this time (ps): to be asked again then, or when an answer arrives.
    Wait(u64),
    /// Nothing until an answer arrives, a deadline passes, or messages are posted.
    Idle,
}

/// Counts of what a requester did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequesterStats {
    /// Data packets sent, retransmissions included.
    pub sent: u64,
    /// Data packets sent again.
    pub retransmissions: u64,
    /// NAKs that made it send again.
    pub naks: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// CNPs.
    pub cnps: u64,
}

/// The requester of one QP: RDMA WRITEs, one after the other.
#[derive(Clone, Debug)]
pub struct Requester {
    stream: Stream,
    conn: u32,
    // UDP source port: the path's entropy.
    port: u16,
    state: QpState,
    finished: bool,
    posted: u32,
    // PSNs of the messages that are posted.
    end: u32,
    // The PSN to send next, if nothing is missing.
    next: u32,
    // One beyond the highest PSN ever sent.
    highest: u32,
    // All PSNs below are acknowledged.
    cack: u32,
    // Packets sent since an ACK was last asked for.
    since_asked: u32,
    // One beyond the highest PSN with which an ACK was asked for.
    asked_end: u32,
    // Since when an answer is awaited; NEVER: none is.
    asked_at: u64,
    // Timeouts and NAKs without progress, in a row.
    retries: u32,
    // With selective repeat.
    missing: Option<Box<Missing>>,
    cc: ReactionPoint,
    stats: RequesterStats,
}

impl Requester {
    /// A requester for connection `conn` that will write what `stream` says, message by message as they are
    /// [posted](Self::post), all with UDP source port `port`.
    pub fn new(config: &Config, conn: u32, stream: Stream, port: u16) -> Requester {
        Requester {
            stream,
            conn,
            port,
            state: QpState::Rts,
            finished: false,
            posted: 0,
            end: 0,
            next: 0,
            highest: 0,
            cack: 0,
            since_asked: 0,
            asked_end: 0,
            asked_at: NEVER,
            retries: 0,
            missing: match config.recovery {
                Recovery::GoBackN => None,
                Recovery::SelectiveRepeat { .. } => Some(Box::default()),
            },
            cc: ReactionPoint::new(&config.dcqcn),
            stats: RequesterStats::default(),
        }
    }

    /// Posts messages until there are `messages` in all, or as many as the stream has. Says whether any is new.
    pub fn post(&mut self, _now: u64, messages: u32) -> bool {
        let messages = messages.min(self.stream.messages);
        if messages <= self.posted || self.finished {
            return false;
        }
        self.posted = messages;
        self.end = messages * self.stream.per_message();
        true
    }

    /// Messages posted so far.
    pub fn posted(&self) -> u32 {
        self.posted
    }

    /// Messages complete so far: they complete in order, when all their packets are acknowledged.
    pub fn completed(&self) -> u32 {
        messages_below(&self.stream, self.cack)
    }

    /// True when every message is complete, or the QP is in ERROR.
    #[inline]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// What it writes.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The UDP source port that it sends with.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// RTS or ERROR.
    pub fn state(&self) -> QpState {
        self.state
    }

    /// Data packets of all messages.
    pub fn packets(&self) -> u32 {
        self.stream.packets()
    }

    /// The lowest PSN not yet acknowledged.
    pub fn cack(&self) -> u32 {
        self.cack
    }

    /// The PSN of the next packet, if nothing is missing. Go-back-N sets it back.
    pub fn next_psn(&self) -> u32 {
        self.next
    }

    /// Wire bytes from the lowest unacknowledged PSN up to the next one.
    pub fn in_flight(&self, config: &Config) -> u64 {
        self.wire_bytes(config, self.next)
    }

    /// Timeouts and NAKs without progress, in a row.
    pub fn timeouts_in_row(&self) -> u32 {
        self.retries
    }

    /// True while the deadline can move to an earlier time.
    #[inline]
    pub fn may_be_due_earlier(&self) -> bool {
        self.asked_at != NEVER
    }

    /// The congestion controller, as of its last look; see [`rate`](Self::rate).
    pub fn cc(&self) -> &ReactionPoint {
        &self.cc
    }

    /// The congestion controller at `now`, not before the time of the last call.
    pub fn cc_at(&self, config: &Config, now: u64) -> ReactionPoint {
        let mut cc = self.cc.clone();
        cc.advance(&config.dcqcn, now);
        cc
    }

    /// The rate at `now` (bit/s), not before the time of the last call.
    pub fn rate(&self, config: &Config, now: u64) -> u64 {
        self.cc_at(config, now).rate()
    }

    /// Counts so far.
    pub fn stats(&self) -> &RequesterStats {
        &self.stats
    }

    /// Bytes on the wire of the packets from the lowest unacknowledged PSN up to `end`.
    fn wire_bytes(&self, config: &Config, end: u32) -> u64 {
        let packets = u64::from(end - self.cack);
        let whole = messages_below(&self.stream, end) - self.completed();
        let short = u64::from(config.pmtu) - u64::from(self.stream.payload(self.stream.per_message() - 1));
        packets * u64::from(config.pmtu + config.sizes.header) - u64::from(whole) * short
    }

    /// The window has room for a new packet.
    #[inline]
    fn has_room(&self, config: &Config) -> bool {
        let outstanding = self.next - self.cack;
        let most = match config.recovery {
            Recovery::GoBackN => MAX_OUTSTANDING,
            Recovery::SelectiveRepeat { window, .. } => window.clamp(1, MAX_OUTSTANDING),
        };
        let fits = || {
            config.window.is_none_or(|window| {
                self.next >= self.end || self.wire_bytes(config, self.next + 1) <= window
            })
        };
        outstanding == 0 || outstanding < most && fits()
    }

    /// What to send at `now`, given that the port is free.
    #[inline]
    pub fn poll_transmit(&mut self, config: &Config, now: u64) -> Poll {
        if self.finished {
            return Poll::Idle;
        }
        let missing = self.next_missing(config);
        if missing.is_none() && (self.next >= self.end || !self.has_room(config)) {
            return Poll::Idle;
        }
        self.cc.advance(&config.dcqcn, now);
        if self.cc.next_send() > now {
            // With a higher rate it may be sooner.
            return Poll::Wait(self.cc.next_send().min(self.cc.increases_at()));
        }
        Poll::Send(self.transmit(config, now, missing))
    }

    /// The lowest PSN that selective repeat has to send again.
    #[inline]
    fn next_missing(&mut self, config: &Config) -> Option<u32> {
        match (&mut self.missing, config.recovery) {
            (Some(missing), Recovery::SelectiveRepeat { reorder, .. }) => missing.lowest(self.cack, reorder),
            _ => None,
        }
    }

    fn transmit(&mut self, config: &Config, now: u64, missing: Option<u32>) -> Packet {
        let psn = missing.unwrap_or(self.next);
        let again = psn < self.highest;
        match (missing, &mut self.missing) {
            (Some(psn), Some(missing)) => missing.note_sent(psn),
            _ => self.next += 1,
        }
        self.highest = self.highest.max(self.next);
        self.since_asked += 1;
        self.stats.sent += 1;
        self.stats.retransmissions += u64::from(again);

        let part = self.stream.part(psn);
        let first = matches!(part, Part::First | Part::Only);
        let last = matches!(part, Part::Last | Part::Only);
        // Without an answer to come nothing may go on: so it asks too with what fills the window and what was missing.
        let ask = last || missing.is_some() || self.since_asked >= config.ack_every || !self.has_room(config);
        if ask {
            self.since_asked = 0;
            self.asked_end = self.asked_end.max(psn + 1);
            self.asked_at = self.asked_at.min(now);
        }
        let payload = self.stream.payload(psn);
        let mut size = payload.next_multiple_of(4) + config.sizes.header;
        if first {
            size += config.sizes.reth;
        }
        if last && self.stream.immediate {
            size += config.sizes.immdt;
        }
        self.cc.on_sent(&config.dcqcn, now, size);
        let mut bits = 0;
        if again {
            bits |= flags::RTX;
        }
        if ask {
            bits |= flags::ACK_REQUEST;
        }
        Packet {
            conn: self.conn,
            psn,
            ev: self.port,
            size,
            payload,
            sent: now,
            kind: PacketKind::Data,
            flags: bits,
            ..Packet::default()
        }
    }

    /// An ACK or NAK arrived.
    pub fn on_ack<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, ack: &Packet) {
        if self.finished {
            return;
        }
        match ack.reason {
            // What was never sent is not acknowledged.
            aeth::ACK if ack.psn < self.highest => {
                self.acknowledge(now, ack.psn + 1);
            }
            aeth::NAK_PSN_SEQUENCE if ack.psn < self.highest => self.on_nak(config, watcher, now, ack),
            _ => {}
        }
    }

    /// All PSNs below `to` have arrived. Says whether that is news.
    fn acknowledge(&mut self, now: u64, to: u32) -> bool {
        if to <= self.cack {
            return false;
        }
        self.cack = to;
        self.next = self.next.max(to);
        self.retries = 0;
        if let Some(missing) = &mut self.missing {
            missing.forget_below(to);
        }
        // The timer starts anew with progress (IBTA, o9-85: with an acknowledgement, while more are expected; that it
        // must be progress is our choice).
        self.asked_at = if self.asked_end > to { now } else { NEVER };
        self.finished = to == self.stream.packets();
        true
    }

    /// A NAK says that its PSN is expected, and so that everything before has arrived (IBTA, chapter 9).
    fn on_nak<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, nak: &Packet) {
        if nak.psn < self.cack {
            return;
        }
        let progress = self.acknowledge(now, nak.psn);
        if let Some(missing) = &mut self.missing {
            // It names what arrived out of order too.
            let arrived = u32::try_from(nak.bitmap).unwrap_or(u32::MAX);
            if arrived > nak.psn && arrived < self.highest && missing.note_arrived(arrived) {
                self.stats.naks += 1;
                watcher.nak_heard(now, self.conn, nak.psn);
            }
            return;
        }
        if self.next <= nak.psn {
            return;
        }
        self.stats.naks += 1;
        watcher.nak_heard(now, self.conn, nak.psn);
        self.go_back();
        if !progress {
            self.retry(config, watcher, now);
        }
    }

    /// A CNP arrived.
    pub fn on_cnp<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64, _cnp: &Packet) {
        if self.finished || !config.dcqcn.enabled {
            return;
        }
        self.stats.cnps += 1;
        self.cc.on_cnp(&config.dcqcn, now);
        watcher.cnp_heard(now, self.conn, self.cc.rate());
    }

    /// Sends from the lowest unacknowledged PSN on again. Answers that were asked for may not come any more.
    fn go_back(&mut self) {
        self.next = self.cack;
        self.since_asked = 0;
        self.asked_end = self.cack;
        self.asked_at = NEVER;
    }

    /// Counts one more retry, which may have been the last.
    fn retry<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64) {
        self.retries += 1;
        if config.gives_up(self.retries) {
            self.fail(watcher, now, QpError::RetriesExceeded);
        }
    }

    /// When [`on_timer`](Self::on_timer) must be called at the latest, if ever: when an answer is overdue.
    pub fn deadline(&self, config: &Config) -> Option<u64> {
        let awaited = self.asked_at != NEVER && !self.finished;
        let timeout = config.timeout_after(self.retries).filter(|_| awaited)?;
        Some(self.asked_at.saturating_add(timeout))
    }

    /// A deadline has passed.
    pub fn on_timer<O: Observer>(&mut self, config: &Config, watcher: &mut O, now: u64) {
        if self.deadline(config).is_none_or(|at| at > now) {
            return;
        }
        self.stats.timeouts += 1;
        watcher.timed_out(now, self.conn, self.cack);
        match &mut self.missing {
            None => self.go_back(),
            Some(missing) => {
                missing.give_up_below(self.highest, self.cack);
                self.asked_at = NEVER;
            }
        }
        self.retry(config, watcher, now);
    }

    /// The job that the QP belongs to is given up.
    pub fn abort<O: Observer>(&mut self, watcher: &mut O, now: u64) {
        if !self.finished {
            self.fail(watcher, now, QpError::JobAborted);
        }
    }

    fn fail<O: Observer>(&mut self, watcher: &mut O, now: u64, why: QpError) {
        self.state = QpState::Error(why);
        self.finished = true;
        watcher.qp_failed(now, self.conn, why);
    }
}

/// Messages all of whose packets have PSNs below `psn`.
pub(crate) fn messages_below(stream: &Stream, psn: u32) -> u32 {
    if psn == stream.packets() {
        stream.messages
    } else {
        stream.message(psn)
    }
}

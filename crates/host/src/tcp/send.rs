//! The sending half: window, loss detection, retransmission.

use super::cubic::Cubic;
use super::ranges::Ranges;
use super::rtt::Rtt;
use super::{Segment, Settings};
use gft::TcpFlags;
use kernel::Time;

/// RFC 6675, section 2: segments that must have been received above a hole before it counts as lost.
const DUP_THRESH: u64 = 3;

/// RFC 6675, IsLost: more than (DupThresh − 1) segments' worth of bytes above.
fn loss_bytes(settings: &Settings) -> u64 {
    (DUP_THRESH - 1) * u64::from(settings.mss) + 1
}

#[derive(Clone, Debug)]
pub(super) struct Send {
    pub(super) cubic: Cubic,
    pub(super) rtt: Rtt,
    pub(super) retransmissions: u32,
    pub(super) timeouts: u32,
    una: u64,
    next: u64,
    // After the last byte that the application wrote.
    end: u64,
    closed: bool,
    peer_closed_first: bool,
    sacked: Ranges,
    // What was sent again in this recovery lies below.
    high_rxt: u64,
    // Everything lost was sent again when `next` stood here: what is still missing once data from beyond is acknowledged was lost
    // again.
    pass_end: Option<u64>,
    // Everything below that is missing counts as lost since the timer ran out.
    forced_lost: u64,
    recovery: Option<u64>,
    // The recovery began with a timeout: the window grows in it.
    from_timeout: bool,
    // A position and when it was sent, for a round-trip sample.
    timed: Option<(u64, Time)>,
    timer: Time,
    tries: u32,
    mss: f64,
}

impl Send {
    pub(super) fn new(settings: &Settings) -> Send {
        Send {
            cubic: Cubic::new(settings.initial_window),
            rtt: Rtt::new(settings.min_rto),
            retransmissions: 0,
            timeouts: 0,
            una: 0,
            next: 0,
            end: 1,
            closed: false,
            peer_closed_first: false,
            sacked: Ranges::default(),
            high_rxt: 0,
            pass_end: None,
            forced_lost: 0,
            recovery: None,
            from_timeout: false,
            timed: None,
            timer: Time::MAX,
            tries: 0,
            mss: f64::from(settings.mss),
        }
    }

    pub(super) fn skip_handshake(&mut self) {
        self.una = 1;
        self.next = 1;
    }

    pub(super) fn rewind_handshake(&mut self) {
        if self.una == 0 {
            self.next = 0;
        }
    }

    pub(super) fn write(&mut self, bytes: u64) {
        if !self.closed {
            self.end = self.end.saturating_add(bytes);
        }
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    pub(super) fn note_peer_fin(&mut self, received: bool) {
        if !self.fin_sent() {
            self.peer_closed_first = received;
        }
    }

    pub(super) fn fin_after_peers(&self) -> bool {
        self.peer_closed_first
    }

    /// After the last position that may ever be sent.
    fn limit(&self) -> u64 {
        self.end + u64::from(self.closed)
    }

    pub(super) fn fin_sent(&self) -> bool {
        self.closed && self.next > self.end
    }

    pub(super) fn finished(&self) -> bool {
        self.closed && self.una > self.end
    }

    pub(super) fn next_position(&self) -> u64 {
        self.next
    }

    pub(super) fn acknowledged(&self) -> u64 {
        self.una.min(self.end).saturating_sub(1)
    }

    pub(super) fn unsent(&self) -> u64 {
        self.end.saturating_sub(self.next.max(1))
    }

    pub(super) fn deadline(&self) -> Time {
        self.timer
    }

    /// Below this everything that is missing is lost.
    fn lost_below(&self, settings: &Settings) -> u64 {
        // RFC 6675, IsLost: more than (DupThresh − 1) segments' worth of bytes above.
        let bytes = (DUP_THRESH - 1) * u64::from(settings.mss) + 1;
        self.sacked.lost_below(bytes).max(self.forced_lost).min(self.next)
    }

    /// RFC 6675, SetPipe: bytes that are taken to be in the network.
    fn pipe(&self, lost_below: u64) -> u64 {
        let outstanding = self.sacked.missing(self.una, self.next);
        let lost = self.sacked.missing(self.una, lost_below);
        let again = self.sacked.missing(self.una, self.high_rxt.min(lost_below));
        outstanding - lost + again
    }

    pub(super) fn on_ack(&mut self, now: Time, segment: &Segment, settings: &Settings) {
        let mss = u64::from(settings.mss);
        let flight = self.next - self.una;
        for &(start, end) in &segment.sack {
            if start >= self.una && end <= self.next {
                self.sacked.insert(start, end);
            }
        }
        if segment.ack > self.next {
            return;
        }
        if segment.ack > self.una {
            let acked = segment.ack - self.una;
            self.una = segment.ack;
            self.sacked.forget_before(self.una);
            self.tries = 0;
            self.rtt.progress();
            if let Some((position, sent)) = self.timed
                && self.una > position
            {
                self.rtt.sample(now.saturating_sub(sent));
                self.timed = None;
            }
            if self.recovery.is_some_and(|point| self.una >= point) {
                self.recovery = None;
                self.from_timeout = false;
                self.forced_lost = 0;
            }
            let segments = acked as f64 / mss as f64;
            let used = flight as f64 / mss as f64;
            let limited = if self.cubic.in_slow_start() {
                self.cubic.window() < 2.0 * used
            } else {
                self.cubic.window() <= used + 1.0
            };
            if limited && (self.recovery.is_none() || self.from_timeout) {
                let rtt = self.rtt.smoothed().unwrap_or(Time::ZERO);
                self.cubic.on_ack(segments, now, rtt);
            }
            self.arm(now);
        }
        if self.recovery.is_none() {
            let lost = self.lost_below(settings);
            if lost > self.una && self.sacked.missing(self.una, lost) > 0 {
                self.recovery = Some(self.next);
                self.begin_pass();
                self.timed = None;
                self.cubic.on_loss(flight as f64 / mss as f64);
            }
        } else if let Some(end) = self.pass_end
            && self.next - end - self.sacked.missing(end, self.next) >= loss_bytes(settings)
        {
            self.begin_pass();
        }
    }

    /// Everything lost is to be sent again, from the first hole on. RFC 6675 does so once and leaves what is lost again to the timer;
    /// that it is noticed here is the idea of RFC 8985, by positions instead of times (our choice).
    fn begin_pass(&mut self) {
        self.high_rxt = self.una;
        self.pass_end = None;
    }

    fn arm(&mut self, now: Time) {
        self.timer = if self.una < self.next {
            now.saturating_add(self.rtt.timeout())
        } else {
            Time::MAX
        };
    }

    /// The timer ran out. Returns how often in a row it has.
    pub(super) fn on_timeout(&mut self) -> u32 {
        self.tries += 1;
        self.timeouts += 1;
        self.timer = Time::MAX;
        self.timed = None;
        self.rtt.back_off();
        if self.una == 0 {
            // The SYN goes out anew.
            self.next = 0;
            return self.tries;
        }
        let flight = self.next - self.una;
        if !self.from_timeout {
            self.cubic.on_timeout(flight as f64 / self.mss);
        }
        self.recovery = Some(self.next);
        self.from_timeout = true;
        self.forced_lost = self.next;
        self.begin_pass();
        self.tries
    }

    pub(super) fn poll(&mut self, now: Time, open: bool, settings: &Settings) -> Option<Segment> {
        if self.next == 0 {
            self.next = 1;
            if self.tries > 0 {
                self.retransmissions += 1;
            } else {
                self.timed = Some((0, now));
            }
            self.arm(now);
            return Some(Segment {
                flags: TcpFlags::SYN,
                ..Segment::default()
            });
        }
        if !open {
            return None;
        }
        let mss = u64::from(settings.mss);
        let lost_below = self.lost_below(settings);
        let window = (self.cubic.window() * mss as f64) as u64;
        let pipe = self.pipe(lost_below);
        // A segment more only if it fits, but one always may be in the network.
        if pipe > 0 && pipe + mss > window {
            return None;
        }
        if self.recovery.is_some() {
            let from = self.high_rxt.max(self.una);
            if let Some((start, hole_end)) = self.sacked.next_hole(from, lost_below) {
                let end = hole_end.min(start + mss);
                self.high_rxt = end;
                self.retransmissions += 1;
                self.timed = None;
                if self.timer == Time::MAX {
                    self.arm(now);
                }
                return Some(self.cut(start, end));
            }
            if self.high_rxt > self.una {
                self.pass_end.get_or_insert(self.next);
            }
        }
        let room = (self.una + settings.window).saturating_sub(self.next);
        let end = self.end.min(self.next + mss.min(room));
        // The FIN goes with the last byte, or alone.
        let end = if self.closed && end == self.end && self.next <= self.end && room > 0 {
            end + 1
        } else {
            end
        };
        if end <= self.next || self.next >= self.limit() {
            return None;
        }
        let start = self.next;
        self.next = end;
        if self.timed.is_none() && self.recovery.is_none() {
            self.timed = Some((start, now));
        }
        if self.timer == Time::MAX {
            self.arm(now);
        }
        Some(self.cut(start, end))
    }

    fn cut(&self, start: u64, end: u64) -> Segment {
        let fin = self.closed && end > self.end;
        Segment {
            seq: start,
            len: (end - start - u64::from(fin)) as u32,
            flags: if fin { TcpFlags::FIN } else { TcpFlags::default() },
            ..Segment::default()
        }
    }
}

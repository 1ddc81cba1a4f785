//! One end of a TCP connection as a state machine: segments and timers in, segments out. No clock, no I/O.
//!
//! Follows RFC 9293 for the states, RFC 9438 (CUBIC) for the window, RFC 6675 (NewReno with SACK) for recovery, RFC 6298 for the
//! timer, RFC 1122 and 5681 for delayed acknowledgments. Positions in the stream are 64-bit numbers that never wrap: the SYN is at
//! 0, the first byte at 1, the FIN after the last byte. Left out, as it decides nothing here: urgent data, window scaling (the window
//! is a constant, the application reads at once), simultaneous open, tail loss probes.

mod cubic;
mod ranges;
mod receive;
mod rtt;
mod send;
#[cfg(test)]
mod tests;

pub use cubic::Cubic;
pub use ranges::Ranges;
pub use rtt::Rtt;

use gft::TcpFlags;
use kernel::Time;
use receive::Receive;
use send::Send;

/// What all connections of a host have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Maximum segment size in bytes of payload.
    pub mss: u32,
    /// Receive window in bytes.
    pub window: u64,
    /// Initial window in segments (RFC 6928: 10).
    pub initial_window: u32,
    /// Least retransmission timeout.
    pub min_rto: Time,
    /// Longest wait of an acknowledgment (RFC 1122: below 500 ms).
    pub delayed_ack: Time,
    /// How often a SYN or SYN-ACK is sent again before the connection fails.
    pub syn_retries: u32,
    /// How often in a row other segments are sent again before the connection fails.
    pub retries: u32,
}

/// A segment: what TCP's header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Position of the first thing in it.
    pub seq: u64,
    /// The next position that its sender expects, if `flags` has ACK.
    pub ack: u64,
    /// Bytes of payload.
    pub len: u32,
    /// SYN, ACK, FIN, RST.
    pub flags: TcpFlags,
    /// SACK blocks, the latest first; empty ones at the end.
    pub sack: [(u64, u64); 3],
}

impl Segment {
    /// Positions that it takes: payload, and one each for SYN and FIN.
    pub fn span(&self) -> u64 {
        u64::from(self.len)
            + u64::from(self.flags.has(TcpFlags::SYN))
            + u64::from(self.flags.has(TcpFlags::FIN))
    }
}

/// Why a connection ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// The other side answered with RST.
    Reset,
    /// No answer to the SYN, however often it was sent.
    NoAnswer,
    /// No answer in the middle of it.
    TimedOut,
}

/// States of RFC 9293, section 3.3.2. CLOSED is one that failed or is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the RFC's")]
pub enum State {
    Listen,
    SynSent,
    SynReceived,
    Established,
    FinWait1,
    FinWait2,
    CloseWait,
    Closing,
    LastAck,
    TimeWait,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handshake {
    Listen,
    SynSent,
    SynReceived,
    Done,
}

/// One end of a connection.
#[derive(Clone, Debug)]
pub struct Tcp {
    handshake: Handshake,
    failure: Option<Failure>,
    send: Send,
    receive: Receive,
}

impl Tcp {
    /// The end that opens: its first segment is a SYN.
    pub fn connect(settings: &Settings) -> Tcp {
        Tcp::new(Handshake::SynSent, settings)
    }

    /// The end that waits for a SYN.
    pub fn listen(settings: &Settings) -> Tcp {
        Tcp::new(Handshake::Listen, settings)
    }

    /// Both ends of a connection that was opened before the run began.
    pub fn opened(settings: &Settings) -> Tcp {
        let mut tcp = Tcp::new(Handshake::Done, settings);
        tcp.send.skip_handshake();
        tcp.receive.skip_handshake();
        tcp
    }

    fn new(handshake: Handshake, settings: &Settings) -> Tcp {
        Tcp {
            handshake,
            failure: None,
            send: Send::new(settings),
            receive: Receive::default(),
        }
    }

    /// The application has `bytes` more to send.
    pub fn write(&mut self, bytes: u64) {
        self.send.write(bytes);
    }

    /// The application sends nothing after what it wrote.
    pub fn close(&mut self) {
        self.send.close();
    }

    /// A segment came in.
    pub fn on_segment(&mut self, now: Time, segment: &Segment, settings: &Settings) {
        if self.failure.is_some() {
            return;
        }
        let flags = segment.flags;
        if flags.has(TcpFlags::RST) {
            if self.handshake != Handshake::Listen {
                self.failure = Some(Failure::Reset);
            }
            return;
        }
        match self.handshake {
            Handshake::Listen => {
                if !flags.has(TcpFlags::SYN) || flags.has(TcpFlags::ACK) {
                    return;
                }
                self.handshake = Handshake::SynReceived;
            }
            Handshake::SynSent => {
                if !flags.has(TcpFlags::SYN.with(TcpFlags::ACK)) || segment.ack != 1 {
                    return;
                }
                self.handshake = Handshake::Done;
            }
            Handshake::SynReceived => {
                if flags.has(TcpFlags::SYN) {
                    // Our SYN-ACK was lost.
                    self.send.rewind_handshake();
                    return;
                }
                if !flags.has(TcpFlags::ACK) || segment.ack < 1 {
                    return;
                }
                self.handshake = Handshake::Done;
            }
            Handshake::Done => {}
        }
        if flags.has(TcpFlags::ACK) {
            self.send.on_ack(now, segment, settings);
        }
        self.receive.on_segment(now, segment, settings);
        if self.handshake == Handshake::SynReceived {
            // The SYN-ACK acknowledges.
            self.receive.acknowledged();
        }
    }

    /// The next segment to send at `now`, if any may be sent.
    pub fn poll(&mut self, now: Time, settings: &Settings) -> Option<Segment> {
        if self.failure.is_some() || self.handshake == Handshake::Listen {
            return None;
        }
        let open = self.handshake == Handshake::Done;
        let mut segment = match self.send.poll(now, open, settings) {
            Some(segment) => segment,
            None if open && self.receive.wants_ack() => Segment {
                seq: self.send.next_position(),
                ..Segment::default()
            },
            None => return None,
        };
        if self.handshake != Handshake::SynSent {
            segment.flags = segment.flags.with(TcpFlags::ACK);
            segment.ack = self.receive.next();
            segment.sack = self.receive.sack();
            self.receive.acknowledged();
        }
        Some(segment)
    }

    /// When [`Tcp::on_timer`] has something to do; [`Time::MAX`] for never.
    pub fn deadline(&self) -> Time {
        if self.failure.is_some() {
            return Time::MAX;
        }
        self.send.deadline().min(self.receive.deadline())
    }

    /// Time has come to `now`.
    pub fn on_timer(&mut self, now: Time, settings: &Settings) {
        if self.failure.is_some() {
            return;
        }
        self.receive.on_timer(now);
        let limit = match self.handshake {
            Handshake::Done => settings.retries,
            _ => settings.syn_retries,
        };
        if now >= self.send.deadline() && self.send.on_timeout() > limit {
            self.failure = Some(match self.handshake {
                Handshake::Done => Failure::TimedOut,
                _ => Failure::NoAnswer,
            });
        }
    }

    /// Whether both sides have agreed on the connection, and it did not fail.
    pub fn is_open(&self) -> bool {
        self.handshake == Handshake::Done && self.failure.is_none()
    }

    /// Why it failed.
    pub fn failure(&self) -> Option<Failure> {
        self.failure
    }

    /// Bytes handed to the application, in order and each once.
    pub fn delivered(&self) -> u64 {
        self.receive.delivered()
    }

    /// Bytes that the other side has acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.send.acknowledged()
    }

    /// Bytes that the application wrote and that were not sent yet.
    pub fn unsent(&self) -> u64 {
        self.send.unsent()
    }

    /// Whether the other side has said that nothing more comes.
    pub fn peer_closed(&self) -> bool {
        self.receive.finished()
    }

    /// Whether both directions are closed and acknowledged.
    pub fn is_over(&self) -> bool {
        self.failure.is_some() || (self.send.finished() && self.receive.finished())
    }

    /// Segments that were sent again.
    pub fn retransmissions(&self) -> u32 {
        self.send.retransmissions
    }

    /// Times the retransmission timer ran out.
    pub fn timeouts(&self) -> u32 {
        self.send.timeouts
    }

    /// Congestion window in segments.
    pub fn window(&self) -> f64 {
        self.send.cubic.window()
    }

    /// Smoothed round-trip time, once there is a sample.
    pub fn rtt(&self) -> Option<Time> {
        self.send.rtt.smoothed()
    }

    /// The state's name.
    pub fn state(&self) -> State {
        if self.failure.is_some() {
            return State::Closed;
        }
        match self.handshake {
            Handshake::Listen => return State::Listen,
            Handshake::SynSent => return State::SynSent,
            Handshake::SynReceived => return State::SynReceived,
            Handshake::Done => {}
        }
        match (
            self.send.fin_sent(),
            self.send.finished(),
            self.receive.finished(),
        ) {
            (false, _, false) => State::Established,
            (false, _, true) => State::CloseWait,
            (true, false, false) => State::FinWait1,
            (true, true, false) => State::FinWait2,
            // Who closed first can't be told from the flags alone once both have; the passive end sends its FIN last.
            (true, false, true) if self.send.fin_after_peers() => State::LastAck,
            (true, false, true) => State::Closing,
            (true, true, true) if self.send.fin_after_peers() => State::Closed,
            (true, true, true) => State::TimeWait,
        }
    }

    /// For [`State`]: the other side's FIN was in before ours went out.
    pub(crate) fn note_close_order(&mut self) {
        self.send.note_peer_fin(self.receive.finished());
    }
}

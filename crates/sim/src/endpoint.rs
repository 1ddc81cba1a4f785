//! The endpoints of a run: those of MRC or of RoCE, behind the questions that both answer.
//!
//! What only one protocol knows is asked of it directly, in `nic::mrc` and `nic::roce`.

use crate::observer::Observer;
use crate::side::Shared;
use fabric::Packet;
use rdma::{QpState, Stream};

/// The sending end of a connection.
// Not boxed: one is asked for each packet, and all of a run are of one kind.
#[allow(clippy::large_enum_variant, reason = "all of a run are of one kind")]
#[derive(Clone, Debug)]
pub(crate) enum Requester {
    Mrc(mrc::Requester),
    Roce(roce::Requester),
}

/// The answer to "what do you send now?"
#[derive(Clone, Copy, Debug)]
pub(crate) enum Poll {
    /// This packet, into the plane of its EV.
    Send(Packet),
    /// Something, but not before this time, ps.
    Wait(u64),
    /// Something, once the port of its plane is free.
    Blocked,
    /// Nothing until an answer arrives or a deadline passes.
    Idle,
}

/// The receiving end of a connection.
#[allow(clippy::large_enum_variant, reason = "all of a run are of one kind")]
#[derive(Clone, Debug)]
pub(crate) enum Responder {
    Mrc(mrc::Responder),
    Roce(roce::Responder),
}

/// Asks whichever endpoint it is.
macro_rules! ask {
    ($self:ident, $of:ident, $end:ident => $answer:expr) => {
        match $self {
            $of::Mrc($end) => $answer,
            $of::Roce($end) => $answer,
        }
    };
}

impl Requester {
    /// MRC's; none of another protocol.
    #[inline]
    pub fn mrc(&self) -> Option<&mrc::Requester> {
        match self {
            Requester::Mrc(requester) => Some(requester),
            Requester::Roce(_) => None,
        }
    }

    /// MRC's, to change it; none of another protocol.
    #[inline]
    pub fn mrc_mut(&mut self) -> Option<&mut mrc::Requester> {
        match self {
            Requester::Mrc(requester) => Some(requester),
            Requester::Roce(_) => None,
        }
    }

    /// True when every message is complete, or the QP is in ERROR.
    #[inline]
    pub fn is_finished(&self) -> bool {
        ask!(self, Requester, end => end.is_finished())
    }

    /// What it writes.
    pub fn stream(&self) -> &Stream {
        ask!(self, Requester, end => end.stream())
    }

    /// Messages posted so far.
    pub fn posted(&self) -> u32 {
        ask!(self, Requester, end => end.posted())
    }

    /// Messages complete so far.
    #[inline]
    pub fn completed(&self) -> u32 {
        ask!(self, Requester, end => end.completed())
    }

    /// The lowest PSN not yet acknowledged.
    pub fn cack(&self) -> u32 {
        ask!(self, Requester, end => end.cack())
    }

    /// The PSN of the next new packet.
    pub fn next_psn(&self) -> u32 {
        ask!(self, Requester, end => end.next_psn())
    }

    /// Wire bytes sent and neither acknowledged nor declared lost.
    pub fn in_flight(&self, shared: &Shared) -> u64 {
        match self {
            Requester::Mrc(end) => end.in_flight(),
            Requester::Roce(end) => end.in_flight(&shared.roce),
        }
    }

    /// Data packets sent so far, retransmissions included.
    pub fn sent(&self) -> u64 {
        ask!(self, Requester, end => end.stats().sent)
    }

    /// Data packets sent again so far.
    pub fn retransmissions(&self) -> u64 {
        ask!(self, Requester, end => end.stats().retransmissions)
    }

    /// Timeouts in a row so far.
    #[inline]
    pub fn timeouts_in_row(&self) -> u32 {
        ask!(self, Requester, end => end.timeouts_in_row())
    }

    /// Why the QP is in ERROR, if it is.
    pub fn error(&self) -> Option<&'static str> {
        match ask!(self, Requester, end => end.state()) {
            QpState::Rts => None,
            QpState::Error(why) => Some(why.text()),
        }
    }

    /// Messages up to number `messages` may be sent; true when that is news.
    pub fn post(&mut self, now: u64, messages: u32) -> bool {
        ask!(self, Requester, end => end.post(now, messages))
    }

    /// What to send at `now`, given the planes whose port is free (bit p for plane p).
    #[inline]
    pub fn poll_transmit(&mut self, shared: &Shared, now: u64, free_planes: u8) -> Poll {
        match self {
            Requester::Mrc(end) => match end.poll_transmit(&shared.mrc, now, free_planes) {
                mrc::Poll::Send(packet) => Poll::Send(packet),
                mrc::Poll::Blocked(_) => Poll::Blocked,
                mrc::Poll::Idle => Poll::Idle,
            },
            Requester::Roce(end) => {
                // It stays in the plane of its UDP source port.
                if free_planes >> shared.plane(end.port()) & 1 == 0 {
                    return Poll::Blocked;
                }
                match end.poll_transmit(&shared.roce, now) {
                    roce::Poll::Send(packet) => Poll::Send(packet),
                    roce::Poll::Wait(until) => Poll::Wait(until),
                    roce::Poll::Idle => Poll::Idle,
                }
            }
        }
    }

    /// True while its deadline can move to an earlier time without an answer.
    #[inline]
    pub fn may_be_due_earlier(&self) -> bool {
        match self {
            Requester::Mrc(end) => end.may_be_due_earlier(),
            Requester::Roce(_) => false,
        }
    }

    /// When [`on_timer`](Self::on_timer) has something to do, ps.
    #[inline]
    pub fn deadline(&mut self, shared: &Shared) -> Option<u64> {
        match self {
            Requester::Mrc(end) => end.deadline(&shared.mrc),
            Requester::Roce(end) => end.deadline(&shared.roce),
        }
    }

    /// A deadline has passed. `requests` takes what is to be sent.
    pub fn on_timer<O: Observer>(
        &mut self,
        shared: &Shared,
        watcher: &mut O,
        now: u64,
        requests: &mut Vec<Packet>,
    ) {
        match self {
            Requester::Mrc(end) => end.on_timer(&shared.mrc, watcher, now, requests),
            Requester::Roce(end) => end.on_timer(&shared.roce, watcher, now),
        }
    }

    /// True when the next timeout may be its last.
    #[inline]
    pub fn may_give_up(&self, shared: &Shared) -> bool {
        match self {
            Requester::Mrc(end) => shared.mrc.gives_up(end.timeouts_in_row() + 1),
            Requester::Roce(end) => shared.roce.gives_up(end.timeouts_in_row() + 1),
        }
    }

    /// After how many timeouts in a row it goes to ERROR; none where it never does.
    pub fn most_timeouts(&self, shared: &Shared) -> Option<u32> {
        match self {
            Requester::Mrc(_) => shared.mrc.most_timeouts(),
            Requester::Roce(_) => Some(shared.roce.retry_count + 1),
        }
    }

    /// How long the next timeout takes, ps; none where none comes.
    pub fn timeout(&self, shared: &Shared) -> Option<u64> {
        match self {
            Requester::Mrc(end) => Some(shared.mrc.timeout(end.timeouts_in_row())),
            Requester::Roce(end) => shared.roce.timeout_after(end.timeouts_in_row()),
        }
    }

    /// The QP is given up because its job is.
    pub fn abort<O: Observer>(&mut self, watcher: &mut O, now: u64) {
        ask!(self, Requester, end => end.abort(watcher, now));
    }
}

impl Responder {
    /// MRC's; none of another protocol.
    #[inline]
    pub fn mrc_mut(&mut self) -> Option<&mut mrc::Responder> {
        match self {
            Responder::Mrc(responder) => Some(responder),
            Responder::Roce(_) => None,
        }
    }

    /// What it expects.
    pub fn stream(&self) -> &Stream {
        ask!(self, Responder, end => end.stream())
    }

    /// Message bytes placed, each once.
    #[inline]
    pub fn placed_bytes(&self) -> u64 {
        ask!(self, Responder, end => end.stats().placed_bytes)
    }

    /// Data packets that had been placed before.
    pub fn duplicates(&self) -> u64 {
        ask!(self, Responder, end => end.stats().duplicates)
    }

    /// Messages of which all bytes have been placed, all before them too.
    pub fn delivered(&self) -> u32 {
        ask!(self, Responder, end => end.delivered())
    }

    /// True when all messages were placed.
    #[inline]
    pub fn is_complete(&self) -> bool {
        ask!(self, Responder, end => end.is_complete())
    }
}

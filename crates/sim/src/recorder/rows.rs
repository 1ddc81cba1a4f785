//! What happened, packet by packet, for a list of events: rows that somebody takes away as the run goes on.

use crate::clustermapper::Place;
use fabric::packet::flags;
use fabric::{DropReason, Packet, PacketKind};
use kernel::Time;
use mrc::{EvState, QpError};
use scenario::FaultKind;
use std::collections::HashSet;

/// Rows that wait to be taken at most; later ones are only counted.
pub const MAX_WAITING: usize = 1 << 20;
/// Stands for no connection, no link, or no detail.
pub const NONE: u32 = u32::MAX;

/// What happened. The order is that of rows of one time: causes before what follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RowKind {
    /// A fault or a repair took effect; [`Row::detail`] is its note.
    Fault,
    /// A NIC noticed that its port is down.
    PortDown,
    /// A NIC noticed that its port is up.
    PortUp,
    /// Clustermapper found something bad or in order; the detail is its note.
    Verdict,
    /// Paused links wait for each other; the detail is its note.
    Deadlock,
    /// A data packet got its ECN mark in the queue of the link; told when it has crossed the link.
    Marked,
    /// A data packet was trimmed in front of the link.
    Trimmed,
    /// A packet was dropped at the link or on it; the detail is the [`DropReason`].
    Dropped,
    /// Data was paused on the link.
    Paused,
    /// Data may go on on the link.
    Resumed,
    /// A data packet arrived whole, and its payload was placed.
    Placed,
    /// Any other packet arrived at a NIC, or data of which nothing was placed.
    Received,
    /// The sender inferred a loss without having been told.
    Lost,
    /// A sender had heard nothing for too long. RoCE's sends again from this PSN; the detail of MRC's is how many there were in a row.
    TimedOut,
    /// RoCE's sender heard a NAK for this PSN.
    NakHeard,
    /// RoCE's sender slowed down after a CNP; the detail is its new rate in Mbit/s.
    Slowed,
    /// An EV loses its next turn.
    EvSkip,
    /// An EV went out of use.
    EvOut,
    /// An EV came back into use.
    EvBack,
    /// An EV of the reserve, the detail, took the place of another.
    EvSwapped,
    /// So many messages, the detail, were complete at their sender.
    Message,
    /// All messages of a flow were complete.
    Finished,
    /// A step of a job was complete: the connection is the job's number, the PSN the step's, and the detail how long it lasted in ns.
    Step,
    /// A QP went to ERROR; the detail is its note.
    Failed,
    /// A NIC's endpoint sent a packet for the first time.
    Sent,
    /// A data packet was sent again.
    Resent,
}

/// One thing that happened: 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// When, in ps.
    pub at: u64,
    /// The connection, the agent that a packet belongs to, the NIC of a port, or [`NONE`].
    pub conn: u32,
    /// The packet's PSN or number, or [`NONE`].
    pub psn: u32,
    /// The directed link, or [`NONE`].
    pub link: u32,
    /// What the kind says, or [`NONE`].
    pub detail: u32,
    /// The packet's EV, or the one that it is about.
    pub ev: u16,
    /// Bytes of the packet on the wire; 0 where there is no packet.
    pub size: u16,
    /// What happened.
    pub kind: RowKind,
    /// What the packet is, if there is one.
    pub packet: PacketKind,
    /// The packet's flags.
    pub flags: u8,
    /// A NACK's reason, an ACK's syndrome.
    pub reason: u8,
}

impl Row {
    /// A row without a packet.
    const fn bare(at: u64, kind: RowKind, conn: u32) -> Row {
        Row {
            at,
            conn,
            psn: NONE,
            link: NONE,
            detail: NONE,
            ev: 0,
            size: 0,
            kind,
            packet: PacketKind::Data,
            flags: 0,
            reason: 0,
        }
    }

    /// A row about a packet at a link.
    #[inline]
    const fn of(at: Time, kind: RowKind, link: u32, packet: &Packet) -> Row {
        Row {
            at: at.0,
            conn: packet.conn,
            psn: packet.psn,
            link,
            detail: NONE,
            ev: packet.ev,
            size: packet.size,
            kind,
            packet: packet.kind,
            flags: packet.flags,
            reason: packet.reason,
        }
    }
}

/// What a row says besides numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A change of the scenario's fault with this index.
    Fault(usize, FaultKind),
    /// What Clustermapper finds, and whether it is bad.
    Verdict(Place, bool),
    /// The links that wait for each other.
    Deadlock(Vec<u32>),
    /// Why a QP went to ERROR.
    Failed(QpError),
}

/// Rows since they were taken last, in no order of time.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    is_on: bool,
    rows: Vec<Row>,
    notes: Vec<Note>,
    left_out: u64,
    // Marked packets that are under way: only the first link that a mark was seen on has given it.
    marked: HashSet<u64>,
}

/// What was taken away.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// The rows, in no order of time.
    pub rows: Vec<Row>,
    /// Their notes.
    pub notes: Vec<Note>,
    /// Rows for which there was no room.
    pub left_out: u64,
}

/// Tells packets under way apart, retransmissions of one another too.
#[inline]
fn key(packet: &Packet) -> u64 {
    kernel::rng::draw(u64::from(packet.conn) << 32 | u64::from(packet.psn), packet.sent)
}

impl Rows {
    /// Begins to write rows, or stops.
    pub fn set_on(&mut self, is_on: bool) {
        self.is_on = is_on;
    }

    /// True when rows are written.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Takes all rows away that there are. `spare` holds the next ones, if it has room.
    pub fn take(&mut self, spare: Vec<Row>) -> Taken {
        debug_assert!(spare.is_empty());
        Taken {
            rows: core::mem::replace(&mut self.rows, spare),
            notes: core::mem::take(&mut self.notes),
            left_out: core::mem::take(&mut self.left_out),
        }
    }

    #[inline]
    fn push(&mut self, row: Row) {
        if !self.is_on {
            return;
        }
        if self.rows.len() < MAX_WAITING {
            self.rows.push(row);
        } else {
            self.left_out += 1;
        }
    }

    #[cold]
    fn push_with(&mut self, mut row: Row, note: Note) {
        if self.is_on && self.rows.len() < MAX_WAITING {
            row.detail = self.notes.len() as u32;
            self.notes.push(note);
        }
        self.push(row);
    }

    #[inline]
    pub(super) fn sent(&mut self, now: Time, link: u32, packet: &Packet) {
        let is_again = packet.kind == PacketKind::Data && packet.has(flags::RTX);
        let kind = if is_again { RowKind::Resent } else { RowKind::Sent };
        self.push(Row::of(now, kind, link, packet));
    }

    #[inline]
    pub(super) fn received(&mut self, now: Time, link: u32, packet: &Packet, placed: u32) {
        if packet.kind == PacketKind::Data && packet.has(flags::ECN) {
            self.marked.remove(&key(packet));
        }
        let kind = if placed > 0 {
            RowKind::Placed
        } else {
            RowKind::Received
        };
        self.push(Row::of(now, kind, link, packet));
    }

    #[inline]
    pub(super) fn crossed(&mut self, now: Time, link: u32, packet: &Packet) {
        let is_marked = packet.kind == PacketKind::Data && packet.has(flags::ECN);
        if is_marked && self.is_on && self.marked.insert(key(packet)) {
            self.push(Row::of(now, RowKind::Marked, link, packet));
        }
    }

    pub(super) fn dropped(&mut self, now: Time, link: u32, packet: &Packet, reason: DropReason) {
        if packet.has(flags::ECN) {
            self.marked.remove(&key(packet));
        }
        let mut row = Row::of(now, RowKind::Dropped, link, packet);
        row.detail = reason as u32;
        self.push(row);
    }

    pub(super) fn trimmed(&mut self, now: Time, link: u32, packet: &Packet) {
        self.push(Row::of(now, RowKind::Trimmed, link, packet));
    }

    pub(super) fn paused(&mut self, now: Time, link: u32, paused: bool) {
        let kind = if paused { RowKind::Paused } else { RowKind::Resumed };
        let mut row = Row::bare(now.0, kind, NONE);
        row.link = link;
        self.push(row);
    }

    pub(super) fn ev(&mut self, now: u64, conn: u32, ev: u16, to: EvState) {
        let kind = match to {
            EvState::Skip => RowKind::EvSkip,
            EvState::Good => RowKind::EvBack,
            EvState::AssumedBad | EvState::Denied => RowKind::EvOut,
        };
        let mut row = Row::bare(now, kind, conn);
        row.ev = ev;
        self.push(row);
    }

    pub(super) fn ev_swapped(&mut self, now: u64, conn: u32, out: u16, by: u16) {
        let mut row = Row::bare(now, RowKind::EvSwapped, conn);
        (row.ev, row.detail) = (out, u32::from(by));
        self.push(row);
    }

    /// Something about a PSN of a connection, but about no packet.
    pub(super) fn about(&mut self, now: u64, kind: RowKind, conn: u32, psn: u32, ev: u16) {
        let mut row = Row::bare(now, kind, conn);
        (row.psn, row.ev) = (psn, ev);
        self.push(row);
    }

    /// Something about a connection, with a number.
    pub(super) fn number(&mut self, now: u64, kind: RowKind, conn: u32, number: u32) {
        let mut row = Row::bare(now, kind, conn);
        row.detail = number;
        self.push(row);
    }

    /// A job's step, counted from 1, that lasted `lasted`.
    pub(super) fn step(&mut self, now: Time, job: u32, step: u32, lasted: Time) {
        let mut row = Row::bare(now.0, RowKind::Step, job);
        (row.psn, row.detail) = (step, u32::try_from(lasted.0 / 1_000).unwrap_or(NONE));
        self.push(row);
    }

    pub(super) fn port(&mut self, now: Time, nic: u32, link: u32, down: bool) {
        let kind = if down { RowKind::PortDown } else { RowKind::PortUp };
        let mut row = Row::bare(now.0, kind, nic);
        row.link = link;
        self.push(row);
    }

    /// Something that needs words.
    pub(super) fn note(&mut self, now: Time, kind: RowKind, conn: u32, link: u32, note: Note) {
        let mut row = Row::bare(now.0, kind, conn);
        row.link = link;
        self.push_with(row, note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(psn: u32, flags: u8) -> Packet {
        Packet {
            psn,
            flags,
            ..Packet::default()
        }
    }

    #[test]
    fn a_row_is_small() {
        assert_eq!(size_of::<Row>(), 32);
    }

    #[test]
    fn a_mark_is_told_once_where_it_was_given() {
        let mut rows = Rows::default();
        rows.set_on(true);
        rows.crossed(Time(1), 10, &data(7, 0));
        for link in [11, 12] {
            rows.crossed(Time(2), link, &data(7, flags::ECN));
        }
        rows.received(Time(3), 12, &data(7, flags::ECN), 100);
        let taken = rows.take(Vec::new());
        let seen: Vec<_> = taken.rows.iter().map(|row| (row.kind, row.link)).collect();
        assert_eq!(seen, [(RowKind::Marked, 11), (RowKind::Placed, 12)]);
        assert!(
            rows.marked.is_empty(),
            "nothing is remembered of what has arrived"
        );
    }

    #[test]
    fn nothing_is_written_unless_somebody_reads() {
        let mut rows = Rows::default();
        rows.sent(Time(1), 0, &data(0, 0));
        rows.crossed(Time(1), 0, &data(0, flags::ECN));
        rows.note(
            Time(1),
            RowKind::Failed,
            0,
            NONE,
            Note::Failed(QpError::RetriesExceeded),
        );
        assert!(rows.rows.is_empty() && rows.notes.is_empty() && rows.marked.is_empty());
    }
}

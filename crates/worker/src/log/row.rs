//! A row's fields and its words.

use crate::names::{circle, ends, switch_usid};
use crate::run::Run;
use crate::words::{packet_word, packet_words};
use fabric::packet::{AGENT, flags};
use fabric::{DropReason, LinkKind, Packet, PacketKind};
use scenario::{FaultKind, LinkName, SwitchName};
use sim::clustermapper::Place;
use sim::recorder::rows::{NONE, Note, Row, RowKind};
use view::filter::{Event, Flag, Number};
use view::inspect::Target;
use view::log::{self, Kind, PacketWord};
use view::names::cable;
use view::{units, words};

/// A row of a run.
pub struct Seen<'a> {
    pub run: &'a Run,
    pub notes: &'a [Note],
    pub row: &'a Row,
}

/// What happened, for filters.
pub fn kind(row: &Row, notes: &[Note]) -> Kind {
    match row.kind {
        RowKind::Fault => match notes.get(row.detail as usize) {
            Some(Note::Fault(_, what)) if is_repair(what) => Kind::Repair,
            _ => Kind::Fault,
        },
        RowKind::PortDown => Kind::PortDown,
        RowKind::PortUp => Kind::PortUp,
        RowKind::Verdict => Kind::Verdict,
        RowKind::Deadlock => Kind::Deadlock,
        RowKind::Marked => Kind::Mark,
        RowKind::Trimmed => Kind::Trim,
        RowKind::Dropped => Kind::Drop,
        RowKind::Paused => Kind::Pause,
        RowKind::Resumed => Kind::Resume,
        RowKind::Placed => Kind::Placed,
        RowKind::Received => Kind::Received,
        RowKind::Lost => Kind::Loss,
        RowKind::TimedOut => Kind::Timeout,
        RowKind::NakHeard => Kind::NakHeard,
        RowKind::Slowed => Kind::Slow,
        RowKind::EvSkip => Kind::EvSkip,
        RowKind::EvOut => Kind::EvOut,
        RowKind::EvBack => Kind::EvBack,
        RowKind::EvSwapped => Kind::EvSwap,
        RowKind::Message => Kind::Message,
        RowKind::Finished => Kind::Finished,
        RowKind::Step => Kind::Step,
        RowKind::Failed => Kind::Error,
        RowKind::Sent => Kind::Sent,
        RowKind::Resent => Kind::Resent,
    }
}

fn is_repair(what: &FaultKind) -> bool {
    crate::timeline::fault_mark(what) == view::message::MarkKind::Healed
}

impl Seen<'_> {
    /// True where a packet is what it is about.
    const fn has_packet(&self) -> bool {
        self.row.size > 0
    }

    /// The connection, if there is one.
    fn conn(&self) -> Option<u32> {
        let Row { conn, kind, .. } = *self.row;
        // Of ports it is the NIC, of steps the job.
        let is_other = matches!(kind, RowKind::PortDown | RowKind::PortUp | RowKind::Step);
        (conn != NONE && conn & AGENT == 0 && !is_other).then_some(conn)
    }

    fn cable(&self) -> Option<LinkName> {
        let Row { link, .. } = *self.row;
        (link != NONE).then(|| cable(&self.run.sim.network().config().clos, link))
    }

    fn note(&self) -> Option<&Note> {
        self.notes.get(self.row.detail as usize)
    }

    /// The NIC at which it happened.
    fn nic(&self) -> Option<u32> {
        let Row { kind, link, conn, .. } = *self.row;
        let clos = &self.run.sim.network().config().clos;
        match kind {
            RowKind::PortDown | RowKind::PortUp => Some(conn),
            RowKind::Sent | RowKind::Resent | RowKind::Placed | RowKind::Received => {
                Some(clos.describe(link).lower)
            }
            RowKind::Lost
            | RowKind::TimedOut
            | RowKind::NakHeard
            | RowKind::Slowed
            | RowKind::EvSkip
            | RowKind::EvOut
            | RowKind::EvBack
            | RowKind::EvSwapped
            | RowKind::Message
            | RowKind::Finished
            | RowKind::Failed => Some(self.run.sim.qp(conn).src),
            _ => None,
        }
    }

    /// What the row keeps of its packet.
    fn shown_packet(&self) -> Packet {
        let row = self.row;
        Packet {
            conn: row.conn,
            psn: row.psn,
            ev: row.ev,
            size: row.size,
            kind: row.packet,
            flags: row.flags,
            reason: row.reason,
            ..Packet::default()
        }
    }

    /// The packet in words. A SACK's ranges are not kept: it is named by the PSN that triggered it.
    fn packet_words(&self) -> String {
        let packet = self.shown_packet();
        match packet.kind {
            PacketKind::Sack => format!("SACK of QP {} after PSN {}", packet.conn, packet.psn),
            PacketKind::Credit => format!("credit of QP {}", packet.conn),
            PacketKind::PortStatus => format!("port status of QP {}", packet.conn),
            _ => packet_words(&packet, self.run.is_roce()),
        }
    }

    fn words(&self) -> String {
        let row = self.row;
        let clos = &self.run.sim.network().config().clos;
        let nic = || self.nic().unwrap_or_default();
        let (qp, ev) = (row.conn, row.ev);
        let place = || self.cable().map_or_else(String::new, |link| link.to_string());
        match row.kind {
            RowKind::Sent | RowKind::Resent => {
                let by = if row.packet == PacketKind::Data && !self.run.is_roce() {
                    format!(" by EV {ev}")
                } else {
                    String::new()
                };
                format!("NIC {} sends {}{by}", nic(), self.packet_words())
            }
            RowKind::Placed => format!("NIC {} places {}", nic(), self.packet_words()),
            RowKind::Received => format!("NIC {} receives {}", nic(), self.packet_words()),
            RowKind::Marked => format!("{} is marked (ECN) at {}", self.packet_words(), place()),
            RowKind::Trimmed => format!(
                "data PSN {} of QP {qp} is trimmed in front of {}",
                row.psn,
                place()
            ),
            RowKind::Dropped => format!(
                "{} is dropped at {}: {}",
                self.packet_words(),
                place(),
                self.reason().unwrap_or_default().replace('_', " ")
            ),
            RowKind::Paused | RowKind::Resumed => {
                let (from, to) = ends(clos, row.link);
                match row.kind {
                    RowKind::Paused => format!("{to} pauses data from {from}"),
                    _ => format!("{to} lets data from {from} go on"),
                }
            }
            RowKind::Lost => format!("QP {qp} infers that PSN {} was lost", row.psn),
            RowKind::TimedOut if row.psn == NONE => match row.detail {
                0 | 1 => format!("QP {qp} has heard nothing for too long"),
                many => format!("QP {qp} has heard nothing for too long, {many} times in a row"),
            },
            RowKind::TimedOut => format!(
                "QP {qp} has heard nothing for too long: again from PSN {}",
                row.psn
            ),
            RowKind::NakHeard => format!("QP {qp} hears that PSN {} is missing", row.psn),
            RowKind::Slowed => {
                let rate = units::rate(f64::from(row.detail) * 1e6);
                format!("QP {qp} sends at {rate} after a CNP")
            }
            RowKind::EvSkip => format!("EV {ev} of QP {qp} skips a turn"),
            RowKind::EvOut => format!("EV {ev} of QP {qp} goes out of use"),
            RowKind::EvBack => format!("EV {ev} of QP {qp} is back in use"),
            RowKind::EvSwapped => {
                format!(
                    "QP {qp}: EV {} from the reserve in the place of EV {ev}",
                    row.detail
                )
            }
            RowKind::Message => match row.detail {
                1 => format!("a message of QP {qp} is complete"),
                many => format!("{many} messages of QP {qp} are complete"),
            },
            RowKind::Step => format!(
                "step {} of job {} is complete, {} after its first message could be posted",
                row.psn,
                row.conn,
                units::span(f64::from(row.detail) * 1e3)
            ),
            RowKind::Finished => format!("flow {} complete: QP {qp}", self.run.sim.qp(qp).id),
            RowKind::PortDown | RowKind::PortUp => {
                let state = if row.kind == RowKind::PortDown {
                    "down"
                } else {
                    "up"
                };
                let plane = clos.describe(row.link).plane;
                format!("NIC {qp} notices that its port of plane {plane} is {state}")
            }
            RowKind::Fault | RowKind::Verdict | RowKind::Deadlock | RowKind::Failed => match self.note() {
                Some(Note::Fault(_, what)) => words::fault(what),
                Some(Note::Verdict(place, true)) => format!("Clustermapper finds {place} bad"),
                Some(Note::Verdict(place, false)) => format!("Clustermapper finds {place} in order again"),
                Some(Note::Deadlock(links)) => format!(
                    "{} paused links wait for each other: {}",
                    links.len(),
                    circle(clos, links)
                ),
                Some(Note::Failed(why)) => format!("QP {qp} in ERROR: {}", why.text()),
                None => String::new(),
            },
        }
    }

    /// What a click selects.
    fn target(&self) -> Option<Target> {
        let of_link = || self.cable().map(Target::Link);
        match self.row.kind {
            RowKind::Fault => match self.note() {
                Some(Note::Fault(cause, _)) => Some(Target::Fault(*cause as u32)),
                _ => None,
            },
            RowKind::Verdict => match self.note() {
                Some(Note::Verdict(Place::Link(link), _)) => Some(Target::Link(*link)),
                Some(Note::Verdict(Place::Switch(switch), _)) => Some(Target::Switch(*switch)),
                _ => None,
            },
            RowKind::PortDown | RowKind::PortUp => Some(Target::Nic(self.row.conn)),
            _ => self.conn().map(Target::Qp).or_else(of_link),
        }
    }

    /// For the page.
    pub fn row(&self) -> log::Row {
        let number = |number| self.number(number);
        let small = |of| number(of).and_then(|value| u32::try_from(value).ok());
        log::Row {
            at_ps: self.row.at,
            kind: Event::kind(self),
            packet: self.packet(),
            qp: self.conn(),
            flow: number(Number::Flow),
            psn: small(Number::Psn),
            ev: number(Number::Ev).and_then(|ev| u16::try_from(ev).ok()),
            link: self.cable(),
            plane: small(Number::Plane),
            bytes: number(Number::Bytes),
            text: self.words(),
            target: self.target(),
        }
    }
}

impl Event for Seen<'_> {
    fn kind(&self) -> Kind {
        kind(self.row, self.notes)
    }

    fn packet(&self) -> Option<PacketWord> {
        if !self.has_packet() {
            return None;
        }
        let row = self.row;
        Some(packet_word(row.packet, row.reason, self.run.is_roce()))
    }

    fn number(&self, number: Number) -> Option<u64> {
        let Row { psn, ev, size, .. } = *self.row;
        let qp = || self.conn().map(|conn| self.run.sim.qp(conn));
        match number {
            Number::Time => Some(self.row.at),
            Number::Qp => self.conn().map(u64::from),
            Number::Flow => qp().map(|qp| qp.id),
            Number::Psn => (psn != NONE).then_some(u64::from(psn)),
            Number::Job => (self.row.kind == RowKind::Step).then_some(u64::from(self.row.conn)),
            Number::Ev => {
                let is_about_ev = matches!(
                    self.row.kind,
                    RowKind::EvSkip | RowKind::EvOut | RowKind::EvBack | RowKind::EvSwapped | RowKind::Lost
                );
                let has_ev = self.has_packet() && self.conn().is_some() || is_about_ev;
                // RoCE has a UDP source port in its place.
                (has_ev && !self.run.is_roce()).then_some(u64::from(ev))
            }
            Number::Src => qp().map(|qp| u64::from(qp.src)),
            Number::Dst => qp().map(|qp| u64::from(qp.dst)),
            Number::Nic => self.nic().map(u64::from),
            Number::Plane => {
                let Row { link, .. } = *self.row;
                let clos = &self.run.sim.network().config().clos;
                (link != NONE).then(|| u64::from(clos.describe(link).plane))
            }
            Number::Bytes => self.has_packet().then_some(u64::from(size)),
        }
    }

    fn flag(&self, flag: Flag) -> bool {
        let packet = self.shown_packet();
        let is_data = packet.kind == PacketKind::Data;
        // Bits of flags mean other things on answers.
        self.has_packet()
            && match flag {
                Flag::Ecn => packet.has(flags::ECN),
                Flag::Trimmed => is_data && packet.has(flags::TRIMMED),
                Flag::Retransmission => is_data && packet.has(flags::RTX),
                Flag::Control => packet.is_control(),
            }
    }

    fn link(&self) -> Option<LinkName> {
        self.cable()
    }

    fn switches(&self) -> [Option<SwitchName>; 2] {
        let Row { link, .. } = *self.row;
        if link == NONE {
            return [None; 2];
        }
        let clos = &self.run.sim.network().config().clos;
        let end = clos.describe(link);
        let plane = end.plane;
        let named = |name: SwitchName| switch_usid(clos, name).map(|_| name);
        let (t0, t1, t2) = (
            |index| named(SwitchName::T0 { plane, index }),
            |index| named(SwitchName::T1 { plane, index }),
            |index| named(SwitchName::T2 { plane, index }),
        );
        match end.kind {
            LinkKind::NicUp | LinkKind::NicDown => [t0(end.upper), None],
            LinkKind::Up | LinkKind::Down => [t0(end.lower), t1(end.upper)],
            LinkKind::CoreUp | LinkKind::CoreDown => [t1(end.lower), t2(end.upper)],
        }
    }

    fn reason(&self) -> Option<String> {
        let row = self.row;
        match (row.kind, row.packet) {
            (RowKind::Dropped, _) => DropReason::ALL
                .into_iter()
                .find(|&reason| reason as u32 == row.detail)
                .map(|reason| reason.name().to_owned()),
            (RowKind::Sent | RowKind::Received, PacketKind::Nack) => {
                mrc::NackReason::from_code(row.reason).map(|reason| reason.to_string())
            }
            _ => None,
        }
    }

    fn text(&self) -> String {
        self.words()
    }
}

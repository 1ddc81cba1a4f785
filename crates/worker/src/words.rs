//! One event in words.

use crate::names::ends;
use crate::run::Run;
use fabric::packet::flags;
use fabric::{Packet, PacketKind};
use mrc::Syndrome;
use scenario::Refusal;
use sim::{Arrival, StepEvent, StepKind};
use view::inspect::Target;
use view::log::PacketWord;
use view::names::cable;

/// What an event was, and where.
pub fn step(run: &Run, event: &StepEvent) -> (String, Option<Target>) {
    let clos = &run.sim.network().config().clos;
    match event.kind {
        StepKind::Arrival { link, outcome } => {
            let (from, to) = ends(clos, link);
            let target = Some(Target::Link(cable(clos, link)));
            let text = match outcome {
                Arrival::Nic(nic, packet) => {
                    format!(
                        "NIC {nic} receives {} from {from}",
                        packet_words(&packet, run.is_roce())
                    )
                }
                Arrival::Forwarded(out) => {
                    format!("{to} forwards a packet from {from} to {}", ends(clos, out).1)
                }
                Arrival::Dropped(reason) => {
                    format!("a packet from {from} to {to} is dropped: {}", reason.name())
                }
            };
            (text, target)
        }
        StepKind::Timer { conn } => (format!("timer of QP {conn}"), Some(Target::Qp(conn))),
        StepKind::Start { conn } => {
            let qp = run.sim.qp(conn);
            let text = format!(
                "NIC {} posts flow {}: {} B to NIC {}",
                qp.src, qp.id, qp.bytes, qp.dst
            );
            (text, Some(Target::Qp(conn)))
        }
        StepKind::Credit { nic } => (format!("NIC {nic} hands out credit"), Some(Target::Nic(nic))),
        StepKind::Agent { nic } => (
            format!("Clustermapper's agent at NIC {nic} sends a probe or gives one up"),
            Some(Target::Nic(nic)),
        ),
        StepKind::Round => ("Clustermapper judges a round of probes".into(), None),
        StepKind::Fault { index } => {
            let what = index.and_then(|index| run.sim.scenario().faults.get(index));
            match what {
                Some(fault) => (view::words::fault(&fault.what), Target::of_fault(&fault.what)),
                None => ("a NIC notices its port, or a job is given up".into(), None),
            }
        }
    }
}

/// What a packet is, as filters of the events list name it; `reason` is an ACK's syndrome.
pub const fn packet_word(kind: PacketKind, reason: u8, is_roce: bool) -> PacketWord {
    match kind {
        PacketKind::Data => PacketWord::Data,
        PacketKind::Sack => PacketWord::Sack,
        PacketKind::Nack => PacketWord::Nack,
        PacketKind::Probe => PacketWord::Probe,
        PacketKind::ProbeReply => PacketWord::ProbeReply,
        PacketKind::Ack if is_roce && reason == roce::aeth::NAK_PSN_SEQUENCE => PacketWord::Nak,
        PacketKind::Ack => PacketWord::Ack,
        PacketKind::AckProbe => PacketWord::AckProbe,
        PacketKind::PortStatus => PacketWord::PortStatus,
        PacketKind::PortStatusReply => PacketWord::PortStatusReply,
        PacketKind::MapperProbe => PacketWord::MapperProbe,
        PacketKind::Cnp => PacketWord::Cnp,
        PacketKind::Pause => PacketWord::PauseFrame,
        PacketKind::Credit => PacketWord::Credit,
    }
}

/// A packet in words; with RoCE, ACKs are of packets, and not of messages.
pub fn packet_words(packet: &Packet, is_roce: bool) -> String {
    match packet.kind {
        PacketKind::Ack if is_roce => roce_ack(packet),
        PacketKind::Data => {
            let how = if packet.has(flags::TRIMMED_LAST_HOP) {
                "trimmed (last hop) "
            } else if packet.has(flags::TRIMMED) {
                "trimmed "
            } else {
                ""
            };
            let again = if packet.has(flags::RTX) {
                ", retransmission"
            } else {
                ""
            };
            format!("{how}data PSN {} of QP {}{again}", packet.psn, packet.conn)
        }
        PacketKind::Sack => {
            let probe = if packet.has(flags::PROBE_RESPONSE) {
                ", answers a reliability probe"
            } else {
                ""
            };
            // What it says of the EV that it echoes (SETH's M).
            let mark = if packet.has(flags::ALWAYS_SKIP) {
                format!(", ALWAYS_SKIP EV {}", packet.ev)
            } else if packet.has(flags::ECN) {
                format!(", SKIP_ONCE EV {}", packet.ev)
            } else {
                String::new()
            };
            let penalty = match packet.penalty {
                0 => String::new(),
                penalty => format!(", penalty {penalty}"),
            };
            format!(
                "SACK of QP {} up to PSN {}{probe}{mark}{penalty}",
                packet.conn, packet.cack
            )
        }
        PacketKind::Nack => {
            let reason = mrc::NackReason::from_code(packet.reason);
            let reason = reason.map_or_else(String::new, |reason| format!(", {reason}"));
            format!("NACK of QP {} for PSN {}{reason}", packet.conn, packet.psn)
        }
        // Messages are numbered from 1, as MSNs are.
        PacketKind::Ack => match Syndrome::from_code(packet.reason) {
            Some(Syndrome::TooManyImmediates) => format!(
                "NAK of QP {} for message {}: too many WRITEs with immediate",
                packet.conn,
                packet.psn + 1
            ),
            Some(Syndrome::UpTo) => format!("ACK of QP {} up to message {}", packet.conn, packet.psn + 1),
            _ => format!("ACK of QP {} for message {}", packet.conn, packet.psn + 1),
        },
        PacketKind::Cnp => format!("CNP of QP {}: PSN {} came marked", packet.conn, packet.psn),
        PacketKind::Credit => format!(
            "credit of QP {}: {} B allowed in all",
            packet.conn, packet.rcvd_bytes
        ),
        PacketKind::Pause if packet.psn == 0 => "resume frame (PFC): data may go on".into(),
        PacketKind::Pause => format!("PAUSE frame (PFC): no data for {} quanta", packet.psn),
        PacketKind::AckProbe => format!("reliability probe {} of QP {}", packet.psn, packet.conn),
        PacketKind::PortStatus => format!("port status of QP {}: {}", packet.conn, ports(packet.bitmap)),
        PacketKind::PortStatusReply => format!("answer to a port status of QP {}", packet.conn),
        PacketKind::Probe => format!("probe {} of EV {} of QP {}", packet.psn, packet.ev, packet.conn),
        PacketKind::MapperProbe => {
            let nic = packet.agent().unwrap_or_default();
            format!("Clustermapper's probe {} of NIC {nic}", packet.psn)
        }
        PacketKind::ProbeReply => {
            let mark = if packet.has(flags::ECN) { ", marked" } else { "" };
            format!(
                "answer to probe {} of EV {} of QP {}{mark}",
                packet.psn, packet.ev, packet.conn
            )
        }
    }
}

/// An ACK or NAK of RoCE.
fn roce_ack(packet: &Packet) -> String {
    let Packet { conn, psn, .. } = *packet;
    match packet.reason {
        roce::aeth::NAK_PSN_SEQUENCE if packet.bitmap > 0 => {
            format!(
                "NAK of QP {conn}: PSN {psn} expected, PSN {} has arrived",
                packet.bitmap
            )
        }
        roce::aeth::NAK_PSN_SEQUENCE => format!("NAK of QP {conn}: PSN {psn} expected"),
        _ => format!("ACK of QP {conn} up to PSN {psn}"),
    }
}

/// What a mask of ports that are down says.
fn ports(mask: u64) -> String {
    let down: Vec<String> = (0..64)
        .filter(|plane| mask >> plane & 1 == 1)
        .map(|plane: u32| plane.to_string())
        .collect();
    match down.len() {
        0 => "all ports up".into(),
        1 => format!("port of plane {} down", down[0]),
        _ => format!("ports of planes {} down", down.join(", ")),
    }
}

/// The name of a NACK's reason.
pub const fn refusal(reason: Refusal) -> &'static str {
    match reason {
        Refusal::NoBitmap => "NO_BITMAP",
        Refusal::NoPktBuffer => "NO_PKT_BUFFER",
        Refusal::NoResource => "NO_RESOURCE",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(kind: PacketKind, flags: u8) -> Packet {
        Packet {
            kind,
            flags,
            conn: 3,
            psn: 7,
            cack: 5,
            ev: 9,
            ..Packet::default()
        }
    }

    #[test]
    fn packets_say_what_they_say() {
        let nack = Packet {
            reason: 0x07,
            ..packet(PacketKind::Nack, 0)
        };
        let late = Packet {
            reason: 0x65,
            ..packet(PacketKind::Ack, 0)
        };
        let ack = Packet {
            reason: 0x1f,
            ..packet(PacketKind::Ack, 0)
        };
        let down = Packet {
            bitmap: 0b101,
            ..packet(PacketKind::PortStatus, 0)
        };
        for (packet, words) in [
            (packet(PacketKind::Sack, 0), "SACK of QP 3 up to PSN 5"),
            (
                packet(PacketKind::Sack, flags::ECN),
                "SACK of QP 3 up to PSN 5, SKIP_ONCE EV 9",
            ),
            (
                packet(PacketKind::Sack, flags::ALWAYS_SKIP | flags::ECN),
                "SACK of QP 3 up to PSN 5, ALWAYS_SKIP EV 9",
            ),
            (
                packet(PacketKind::Sack, flags::PROBE_RESPONSE),
                "SACK of QP 3 up to PSN 5, answers a reliability probe",
            ),
            (nack, "NACK of QP 3 for PSN 7, NO_PKT_BUFFER"),
            (ack, "ACK of QP 3 for message 8"),
            (late, "NAK of QP 3 for message 8: too many WRITEs with immediate"),
            (packet(PacketKind::AckProbe, 0), "reliability probe 7 of QP 3"),
            (down, "port status of QP 3: ports of planes 0, 2 down"),
            (
                packet(PacketKind::PortStatus, 0),
                "port status of QP 3: all ports up",
            ),
        ] {
            assert_eq!(packet_words(&packet, false), words);
        }
    }

    #[test]
    fn roce_s_packets_say_what_they_say() {
        let answer = |reason, bitmap| Packet {
            reason,
            bitmap,
            ..packet(PacketKind::Ack, 0)
        };
        let resume = Packet {
            psn: 0,
            ..packet(PacketKind::Pause, 0)
        };
        for (packet, words) in [
            (answer(0x1f, 0), "ACK of QP 3 up to PSN 7"),
            (answer(0x60, 0), "NAK of QP 3: PSN 7 expected"),
            (answer(0x60, 9), "NAK of QP 3: PSN 7 expected, PSN 9 has arrived"),
            (packet(PacketKind::Cnp, 0), "CNP of QP 3: PSN 7 came marked"),
            (
                packet(PacketKind::Pause, 0),
                "PAUSE frame (PFC): no data for 7 quanta",
            ),
            (resume, "resume frame (PFC): data may go on"),
        ] {
            assert_eq!(packet_words(&packet, true), words);
        }
    }
}

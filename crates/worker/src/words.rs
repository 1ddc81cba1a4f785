//! One event in words.

use crate::names::ends;
use crate::run::Run;
use fabric::packet::flags;
use fabric::{Packet, PacketKind};
use sim::{Arrival, StepEvent, StepKind};
use view::inspect::Target;
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
                    format!("NIC {nic} receives {} from {from}", packet_words(&packet))
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

/// A packet in words.
pub fn packet_words(packet: &Packet) -> String {
    match packet.kind {
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
        PacketKind::Sack => format!("SACK of QP {} up to PSN {}", packet.conn, packet.cack),
        PacketKind::Nack => {
            let reason = mrc::NackReason::from_code(packet.reason);
            let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
            format!("NACK of QP {} for PSN {}{reason}", packet.conn, packet.psn)
        }
        PacketKind::Ack => format!("ACK of QP {} for message {}", packet.conn, packet.psn + 1),
        PacketKind::AckProbe => format!("reliability probe {} of QP {}", packet.psn, packet.conn),
        PacketKind::PortStatus => format!(
            "port status update of QP {}: ports down {:#010b}",
            packet.conn, packet.bitmap
        ),
        PacketKind::PortStatusReply => format!("answer to a port status update of QP {}", packet.conn),
        PacketKind::Probe => format!("probe {} of EV {} of QP {}", packet.psn, packet.ev, packet.conn),
        PacketKind::MapperProbe => {
            let nic = packet.agent().unwrap_or_default();
            format!("Clustermapper's probe {} of NIC {nic}", packet.psn)
        }
        PacketKind::ProbeReply => {
            format!(
                "answer to probe {} of EV {} of QP {}",
                packet.psn, packet.ev, packet.conn
            )
        }
    }
}

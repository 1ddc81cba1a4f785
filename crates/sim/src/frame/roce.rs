//! RoCEv2's packets and PAUSE frames as bytes.

use super::{BASE_ADDRESS, FIRST_QPN, HOP_LIMIT, P_KEY, RKEY};
use crate::observer::Observer;
use crate::run::Sim;
use fabric::packet::{Packet, PacketKind, flags};
use roce::aeth;
use scenario::{Model, Protocol};
use wire::{
    Bits, Dscp, Ecn, ImmDt, Payload, PfcFrame, Psn, Qpn, Reth, RoceAeth, RoceBase, RoceBody, RoceFrame,
    RoceNetwork, RoceSegment, RoceSyndrome, dscp, ipv4,
};

// Our choice: data as NVIDIA's guides have RoCE, answers as the CNP in Scapy's capture of a ConnectX-4 Lx.
const DATA: Dscp = Dscp::wrapping(26);
const ANSWER: Dscp = Dscp::wrapping(48);
// Our choice: the class that is paused; DSCP 26 belongs to it where switches take DSCP / 8 for the class, as they do by default.
const LOSSLESS_CLASS: usize = 3;

impl<O: Observer> Sim<O> {
    /// A packet's bytes as it is on (or waits for) directed link `link`, without the frame check sequence: MRC's [frame](Self::frame),
    /// RoCEv2's over IPv4, or PFC's.
    ///
    /// # Errors
    /// Why it has none, in words.
    pub fn bytes(&self, link: u32, packet: &Packet) -> Result<Vec<u8>, &'static str> {
        if self.scenario.model != Model::Mrc {
            return Err("under htsim's rules packets have no real headers");
        }
        match packet.kind {
            PacketKind::Pause => Ok(self.pause_frame(link, packet).emit()),
            PacketKind::Credit => Err("receiver credit has no form in MRC"),
            _ if self.scenario.transport.protocol == Protocol::Roce => {
                self.roce_bytes(link, packet).ok_or("RoCEv2 has no such packet")
            }
            _ if self.shared.is_hashed => Err(
                "where switches choose the path, MRC's packets have no SRv6 header, and their form is not public",
            ),
            _ => self
                .frame(link, packet)
                .map(|frame| frame.emit())
                .ok_or("MRC has no such packet"),
        }
    }

    fn pause_frame(&self, link: u32, packet: &Packet) -> PfcFrame {
        let mut times = [None; 8];
        times[LOSSLESS_CLASS] = Some(packet.psn.min(u32::from(u16::MAX)) as u16);
        PfcFrame {
            src: self.addresses(link).src,
            times,
        }
    }

    fn roce_bytes(&self, link: u32, packet: &Packet) -> Option<Vec<u8>> {
        let (from, to) = self.endpoints(packet);
        let is_data = packet.kind == PacketKind::Data;
        let towards_responder = packet.is_to_responder();
        let frame = RoceFrame {
            link: self.addresses(link),
            ip: RoceNetwork {
                dscp: if is_data { DATA } else { ANSWER },
                ecn: if is_data && packet.has(flags::ECN) {
                    Ecn::Ce
                } else {
                    Ecn::Ect0
                },
                identification: 0,
                ttl: HOP_LIMIT - self.hops_before(link, packet),
                src: ipv4::nic_address(from),
                dst: ipv4::nic_address(to),
            },
            src_port: packet.ev,
            base: RoceBase {
                se: false,
                m: false,
                p_key: P_KEY,
                dest_qp: Qpn::wrapping(u64::from(
                    FIRST_QPN + 2 * packet.conn + u32::from(towards_responder),
                )),
                a: packet.has(flags::ACK_REQUEST),
                // A CNP has none (IBTA, annex A17).
                psn: match packet.kind {
                    PacketKind::Cnp => Psn::default(),
                    _ => Psn::wrapping(u64::from(packet.psn)),
                },
            },
            body: self.roce_body(packet)?,
        };
        if is_data && packet.has(flags::TRIMMED_LAST_HOP) {
            return Some(frame.trimmed(dscp::TRIMMED_LAST_HOP));
        }
        if is_data && packet.has(flags::TRIMMED) {
            return Some(frame.trimmed(dscp::TRIMMED));
        }
        Some(frame.emit())
    }

    /// What follows the BTH.
    fn roce_body(&self, packet: &Packet) -> Option<RoceBody> {
        let stream = self.receiver(packet.conn).stream();
        let ack = |next: u32, syndrome| RoceAeth {
            syndrome,
            // Messages of which all packets lie below the PSN that is expected next.
            msn: Bits::wrapping(u64::from(if next >= stream.packets() {
                stream.messages
            } else {
                stream.message(next)
            })),
        };
        Some(match packet.kind {
            PacketKind::Data => {
                let (message, within) = (stream.message(packet.psn), stream.within(packet.psn));
                let immediate = stream.immediate.then_some(ImmDt { data: message });
                let reth = Reth {
                    va: BASE_ADDRESS + u64::from(message) * stream.bytes,
                    rkey: RKEY,
                    // IBTA: at most 2^31 bytes a message; a longer one is cut short here.
                    dma_len: u32::try_from(stream.bytes).unwrap_or(u32::MAX),
                };
                let segment = match (within == 0, within + 1 == stream.per_message()) {
                    (true, true) => RoceSegment::Only(reth, immediate),
                    (true, false) => RoceSegment::First(reth),
                    (false, true) => RoceSegment::Last(immediate),
                    (false, false) => RoceSegment::Middle,
                };
                let payload = Payload::new(usize::from(packet.payload)).unwrap_or_default();
                RoceBody::Write(segment, payload)
            }
            PacketKind::Ack if packet.reason == aeth::ACK => {
                RoceBody::Ack(ack(packet.psn.saturating_add(1), RoceSyndrome::ACK))
            }
            PacketKind::Ack => {
                let aeth = ack(packet.psn, RoceSyndrome::from_code(packet.reason)?);
                if self.roce_config().recovery == roce::Recovery::GoBackN {
                    RoceBody::Ack(aeth)
                } else {
                    RoceBody::SelectiveNak(aeth, Psn::wrapping(packet.bitmap))
                }
            }
            PacketKind::Cnp => RoceBody::Cnp,
            _ => return None,
        })
    }
}

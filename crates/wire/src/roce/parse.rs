//! From bytes to value.

use super::{
    CNP_RESERVED, RoceAeth, RoceBase, RoceBody, RoceBth, RoceFrame, RoceNetwork, RoceOpcode, RoceSegment,
    SackPsn,
};
use crate::{Ethernet, Header, ImmDt, Ipv4, Link, Payload, Udp, WireError, icrc};

impl RoceFrame {
    /// The frame that `bytes` (from the Ethernet header on, without FCS) are. It accepts exactly the bytes that
    /// [`RoceFrame::emit`] makes of some frame.
    ///
    /// # Errors
    /// The first header that is cut off or has a reserved bit set or an unknown code, a body that its opcode does not allow, or the first
    /// byte that a sender would have written otherwise: a length, a checksum, the iCRC.
    pub fn parse(bytes: &[u8]) -> Result<RoceFrame, WireError> {
        let mut rest = bytes;
        let ethernet: Ethernet = take(&mut rest)?;
        let ip: Ipv4 = take(&mut rest)?;
        let udp: Udp = take(&mut rest)?;
        let bth: RoceBth = take(&mut rest)?;
        let Some((rest, _)) = rest.split_last_chunk::<{ icrc::LEN }>() else {
            return Err(WireError::Truncated {
                header: "iCRC",
                need: icrc::LEN,
                have: rest.len(),
            });
        };
        let frame = RoceFrame {
            link: Link {
                dst: ethernet.dst,
                src: ethernet.src,
            },
            ip: RoceNetwork {
                dscp: ip.dscp,
                ecn: ip.ecn,
                identification: ip.identification,
                ttl: ip.ttl,
                src: ip.src,
                dst: ip.dst,
            },
            src_port: udp.src_port,
            base: RoceBase {
                se: bth.se,
                m: bth.m,
                p_key: bth.p_key,
                dest_qp: bth.dest_qp,
                a: bth.a,
                psn: bth.psn,
            },
            body: body(&bth, rest)?,
        };
        let again = frame.emit();
        // All lengths follow from the body, which fills what is between the headers and the iCRC.
        match again
            .iter()
            .zip(bytes)
            .position(|(wanted, found)| wanted != found)
        {
            None => Ok(frame),
            Some(offset) => Err(differs(offset, bytes[offset], again[offset], again.len())),
        }
    }
}

fn differs(offset: usize, found: u8, expected: u8, len: usize) -> WireError {
    let ends = [
        (Ethernet::LEN, Ethernet::NAME),
        (Ethernet::LEN + Ipv4::LEN, Ipv4::NAME),
        (Ethernet::LEN + Ipv4::LEN + Udp::LEN, Udp::NAME),
        (Ethernet::LEN + Ipv4::LEN + Udp::LEN + RoceBth::LEN, RoceBth::NAME),
        (len - icrc::LEN, "body"),
    ];
    let header = ends.iter().find(|(end, _)| offset < *end);
    WireError::Differs {
        header: header.map_or("iCRC", |(_, name)| name),
        field: "what follows from the others",
        offset,
        found,
        expected,
    }
}

fn take<H: Header>(rest: &mut &[u8]) -> Result<H, WireError> {
    let header = H::parse(rest)?;
    *rest = &rest[H::LEN..];
    Ok(header)
}

/// What the opcode says that `rest`, up to the iCRC, is.
fn body(bth: &RoceBth, mut rest: &[u8]) -> Result<RoceBody, WireError> {
    let segment = match bth.opcode {
        RoceOpcode::Acknowledge => {
            let aeth: RoceAeth = take(&mut rest)?;
            if rest.is_empty() {
                return Ok(RoceBody::Ack(aeth));
            }
            let sack: SackPsn = take(&mut rest)?;
            ended(SackPsn::NAME, rest.len())?;
            return Ok(RoceBody::SelectiveNak(aeth, sack.psn));
        }
        RoceOpcode::Cnp => {
            let Some((_, rest)) = rest.split_at_checked(CNP_RESERVED) else {
                return Err(WireError::Truncated {
                    header: "CNP",
                    need: CNP_RESERVED,
                    have: rest.len(),
                });
            };
            ended("CNP", rest.len())?;
            return Ok(RoceBody::Cnp);
        }
        RoceOpcode::WriteFirst => RoceSegment::First(take(&mut rest)?),
        RoceOpcode::WriteMiddle => RoceSegment::Middle,
        RoceOpcode::WriteLast => RoceSegment::Last(None),
        RoceOpcode::WriteLastWithImmediate => RoceSegment::Last(Some(take::<ImmDt>(&mut rest)?)),
        RoceOpcode::WriteOnly => RoceSegment::Only(take(&mut rest)?, None),
        RoceOpcode::WriteOnlyWithImmediate => {
            let reth = take(&mut rest)?;
            RoceSegment::Only(reth, Some(take(&mut rest)?))
        }
    };
    let pad = bth.pad.get() as usize;
    let Some(len) = rest.len().checked_sub(pad) else {
        return Err(WireError::Truncated {
            header: "padding",
            need: pad,
            have: rest.len(),
        });
    };
    let payload = Payload::parse(&rest[..len])?;
    if payload.pad() != bth.pad {
        return Err(WireError::Field {
            header: RoceBth::NAME,
            field: "pad",
            found: bth.pad.get().into(),
            expected: "what rounds the payload up to a multiple of four",
        });
    }
    Ok(RoceBody::Write(segment, payload))
}

fn ended(after: &'static str, len: usize) -> Result<(), WireError> {
    match len {
        0 => Ok(()),
        len => Err(WireError::Trailing { after, len }),
    }
}

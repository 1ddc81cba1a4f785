//! From bytes to value.

use super::body::CUT_LEN;
use super::{Base, Body, Cut, Frame, Link, Network, Segment, Trimmed, Write};
use crate::ethernet::ETHERTYPE_IPV6;
use crate::ipv6::{NEXT_HEADER_IPV6, NEXT_HEADER_UDP};
use crate::srh::NEXT_HEADER_ROUTING;
use crate::udp::ROCE_PORT;
use crate::{
    Bth, Ethernet, Header, ImmDt, Ipv6, Opcode, Payload, SegmentList, Seth, Srh, Tseth, Udp, WireError,
    WriteOpcode, icrc, sizes,
};

impl Frame {
    /// The frame that `bytes` (from the Ethernet header on, without FCS) are. A data packet that is exactly
    /// [`sizes::TRIM_LEN`] bytes long ([`sizes::TRIM_LEN_WITH_SRH`] with an SRH) is a trimmed one: no whole data packet is
    /// that short.
    ///
    /// It accepts exactly the bytes that [`Frame::emit`] makes of some frame. To look into other bytes, use
    /// [`describe`](crate::layout::describe).
    ///
    /// # Errors
    /// The first thing that is not as it must be: a header cut off, a reserved bit set, a length that disagrees
    /// with the bytes, a wrong iCRC, a payload that is not the pattern.
    pub fn parse(bytes: &[u8]) -> Result<Frame, WireError> {
        let mut rest = bytes;
        let ethernet: Ethernet = take(&mut rest)?;
        expect(
            Ethernet::NAME,
            "ethertype",
            ethernet.ethertype.into(),
            ETHERTYPE_IPV6.into(),
            "0x86dd (IPv6)",
        )?;
        let (outer, next_header) = take_network(&mut rest, "outer IPv6")?;
        let srh = match next_header {
            NEXT_HEADER_ROUTING => Some(segment_list(&mut rest)?),
            _ => {
                let expected = "41 (IPv6) or 43 (routing)";
                expect(
                    "outer IPv6",
                    "next_header",
                    next_header.into(),
                    NEXT_HEADER_IPV6.into(),
                    expected,
                )?;
                None
            }
        };
        let trim_len = if srh.is_some() {
            sizes::TRIM_LEN_WITH_SRH
        } else {
            sizes::TRIM_LEN
        };
        let inner_packet = rest;
        let (inner, next_header) = take_network(&mut rest, "inner IPv6")?;
        expect(
            "inner IPv6",
            "next_header",
            next_header.into(),
            NEXT_HEADER_UDP.into(),
            "17 (UDP)",
        )?;
        let datagram = rest.len();
        let udp: Udp = take(&mut rest)?;
        expect(
            Udp::NAME,
            "dst_port",
            udp.dst_port.into(),
            ROCE_PORT.into(),
            "4791 (RoCEv2)",
        )?;
        expect(Udp::NAME, "checksum", udp.checksum.into(), 0, "0 (left out)")?;
        expect_length(Udp::NAME, "length", udp.length, datagram)?;
        let bth: Bth = take(&mut rest)?;
        let body = match bth.opcode {
            Opcode::Write(opcode) if bytes.len() == trim_len => Body::Trimmed(trimmed(&bth, opcode, rest)?),
            _ => body(&bth, strip_icrc(inner_packet, rest)?)?,
        };
        let base = Base {
            se: bth.se,
            m: bth.m,
            p_key: bth.p_key,
            dest_qp: bth.dest_qp,
            a: bth.a,
            rtx: bth.rtx,
            psn: bth.psn,
        };
        let link = Link {
            dst: ethernet.dst,
            src: ethernet.src,
        };
        Ok(Frame {
            link,
            outer,
            srh,
            inner,
            src_port: udp.src_port,
            base,
            body,
        })
    }
}

/// Takes a header off the front.
fn take<H: Header>(rest: &mut &[u8]) -> Result<H, WireError> {
    let header = H::parse(rest)?;
    *rest = &rest[H::LEN..];
    Ok(header)
}

fn expect(
    header: &'static str,
    field: &'static str,
    found: u128,
    wanted: u128,
    expected: &'static str,
) -> Result<(), WireError> {
    if found == wanted {
        Ok(())
    } else {
        Err(WireError::Field {
            header,
            field,
            found,
            expected,
        })
    }
}

fn expect_length(
    header: &'static str,
    field: &'static str,
    claimed: u16,
    actual: usize,
) -> Result<(), WireError> {
    let claimed = claimed.into();
    if claimed == actual {
        Ok(())
    } else {
        Err(WireError::Length {
            header,
            field,
            claimed,
            actual,
        })
    }
}

/// Takes an IPv6 header, and tells what follows it.
fn take_network(rest: &mut &[u8], header: &'static str) -> Result<(Network, u8), WireError> {
    let ip: Ipv6 = take(rest).map_err(|error| error.in_header(header))?;
    expect_length(header, "payload_len", ip.payload_len, rest.len())?;
    let network = Network {
        dscp: ip.dscp,
        ecn: ip.ecn,
        flow_label: ip.flow_label,
        hop_limit: ip.hop_limit,
        src: ip.src,
        dst: ip.dst,
    };
    Ok((network, ip.next_header))
}

fn segment_list(rest: &mut &[u8]) -> Result<SegmentList, WireError> {
    let srh: Srh = take(rest)?;
    expect(
        Srh::NAME,
        "next_header",
        srh.next_header.into(),
        NEXT_HEADER_IPV6.into(),
        "41 (IPv6)",
    )?;
    Ok(SegmentList {
        left: srh.segments_left,
        tag: srh.tag,
        segment: srh.segment,
    })
}

/// Checks the iCRC at the end of the inner packet and takes it off `rest`, which ends there too.
fn strip_icrc<'a>(inner_packet: &[u8], rest: &'a [u8]) -> Result<&'a [u8], WireError> {
    let Some((rest, found)) = rest.split_last_chunk::<{ icrc::LEN }>() else {
        return Err(WireError::Truncated {
            header: "iCRC",
            need: icrc::LEN,
            have: rest.len(),
        });
    };
    let found = u32::from_le_bytes(*found);
    let computed = icrc::compute(&inner_packet[..inner_packet.len() - icrc::LEN])?;
    if found == computed {
        Ok(rest)
    } else {
        Err(WireError::Icrc { found, computed })
    }
}

/// What the opcode says that `rest`, up to the iCRC, is.
fn body(bth: &Bth, rest: &[u8]) -> Result<Body, WireError> {
    Ok(match bth.opcode {
        Opcode::Write(opcode) => Body::Write(write(bth, opcode, rest)?),
        Opcode::Acknowledge => Body::Ack(control(bth, rest)?),
        Opcode::EndpointRequest => Body::EndpointRequest(control(bth, rest)?),
        Opcode::EndpointResponse => Body::EndpointResponse(control(bth, rest)?),
        Opcode::Sack => {
            let (seth, cc_state) = rest.split_at(rest.len().min(Seth::LEN));
            Body::Sack(control(bth, seth)?, control(bth, cc_state)?)
        }
        Opcode::Nack => Body::Nack(control(bth, rest)?),
        Opcode::ProbeRequest => Body::ProbeRequest(control(bth, rest)?),
    })
}

/// The body of a data packet, which fills `rest`.
fn write(bth: &Bth, opcode: WriteOpcode, mut rest: &[u8]) -> Result<Write, WireError> {
    let meth = take(&mut rest)?;
    let tseth = bth.ts.then(|| take(&mut rest)).transpose()?;
    let reth = take(&mut rest)?;
    let immediate: Option<ImmDt> = opcode.has_immediate().then(|| take(&mut rest)).transpose()?;
    let segment = match opcode {
        WriteOpcode::First => Segment::First,
        WriteOpcode::Middle => Segment::Middle,
        WriteOpcode::Last | WriteOpcode::LastWithImmediate => Segment::Last(immediate),
        WriteOpcode::Only | WriteOpcode::OnlyWithImmediate => Segment::Only(immediate),
    };
    Ok(Write {
        segment,
        meth,
        tseth,
        reth,
        payload: padded_payload(bth, rest)?,
    })
}

/// The payload in `bytes`, which are a multiple of four and end with the padding that the BTH announces.
fn padded_payload(bth: &Bth, bytes: &[u8]) -> Result<Payload, WireError> {
    let pad = bth.pad.get() as usize;
    if !bytes.len().is_multiple_of(4) || bytes.len() < pad {
        let expected = "a multiple of four that holds the padding";
        return Err(WireError::OutOfRange {
            what: "length of payload and padding",
            value: bytes.len() as u64,
            expected,
        });
    }
    let (payload, padding) = bytes.split_at(bytes.len() - pad);
    if let Some(&byte) = padding.iter().find(|&&byte| byte != 0) {
        return Err(WireError::Field {
            header: "payload",
            field: "padding",
            found: byte.into(),
            expected: "0",
        });
    }
    Payload::parse(payload)
}

/// The body of a trimmed packet, which fills `rest`.
fn trimmed(bth: &Bth, opcode: WriteOpcode, mut rest: &[u8]) -> Result<Trimmed, WireError> {
    let meth = take(&mut rest)?;
    let Some(cut) = rest.first_chunk::<CUT_LEN>() else {
        return Err(WireError::Truncated {
            header: "trimmed packet",
            need: CUT_LEN,
            have: rest.len(),
        });
    };
    let cut = if bth.ts {
        let tseth = Tseth::parse(cut)?;
        Cut::Timestamped(tseth, std::array::from_fn(|i| cut[Tseth::LEN + i]))
    } else {
        Cut::Plain(*cut)
    };
    Ok(Trimmed {
        opcode,
        pad: bth.pad,
        meth,
        cut,
    })
}

/// A packet without data: a header that fills `rest`.
fn control<H: Header>(bth: &Bth, rest: &[u8]) -> Result<H, WireError> {
    expect(
        Bth::NAME,
        "pad",
        bth.pad.get().into(),
        0,
        "0 in a packet without data",
    )?;
    expect(Bth::NAME, "ts", bth.ts.into(), 0, "0 in a packet without data")?;
    let header = H::parse(rest)?;
    match rest.len() - H::LEN {
        0 => Ok(header),
        len => Err(WireError::Trailing { after: H::NAME, len }),
    }
}

//! What comes after the base transport header.

use crate::header::Header;
use crate::{
    Aeth, Bits, CcState, Eeth, Erth, ImmDt, Meth, Neth, Opcode, Payload, Peth, Reth, Seth, Tseth,
    WriteOpcode, sizes,
};

/// What an MRC packet is, with the headers that its opcode names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A data packet.
    Write(Write),
    /// A data packet that a switch has trimmed.
    Trimmed(Trimmed),
    /// Acknowledgement of a message.
    Ack(Aeth),
    /// Selective acknowledgement of packets.
    Sack(Seth, CcState),
    /// A packet could not be accepted.
    Nack(Neth),
    /// Asks for a SACK.
    ProbeRequest(Peth),
    /// Port status update or EV probe.
    EndpointRequest(Erth),
    /// Answer to an endpoint request.
    EndpointResponse(Eeth),
}

/// A data packet of an RDMA WRITE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Which packet of its message.
    pub segment: Segment,
    /// Message numbers.
    pub meth: Meth,
    /// When it was sent.
    pub tseth: Option<Tseth>,
    /// Where the payload goes.
    pub reth: Reth,
    /// The payload.
    pub payload: Payload,
}

/// Which packet of its message a data packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// The first of several.
    First,
    /// Neither first nor last.
    Middle,
    /// The last of several, with immediate data or without.
    Last(Option<ImmDt>),
    /// The only one, with immediate data or without.
    Only(Option<ImmDt>),
}

/// A trimmed data packet: what is left of it in 128 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trimmed {
    /// Which packet of its message it was.
    pub opcode: WriteOpcode,
    /// The padding that the BTH still announces.
    pub pad: Bits<2>,
    /// Message numbers.
    pub meth: Meth,
    /// What follows up to the cut.
    pub cut: Cut,
}

/// The last ten bytes of a trimmed packet, which end inside the RETH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// With a timestamp: the TSETH and the RETH's first six bytes (the upper 48 bits of the address).
    Timestamped(Tseth, [u8; CUT_LEN - Tseth::LEN]),
    /// Without: the RETH's first ten bytes (the address and half of the key).
    Plain([u8; CUT_LEN]),
}

/// Bytes of a trimmed packet after its METH.
pub(super) const CUT_LEN: usize = sizes::TRIMMED_L3 - sizes::COMMON_L3 - Meth::LEN;

impl Body {
    /// The BTH opcode.
    pub fn opcode(&self) -> Opcode {
        match self {
            Body::Write(write) => Opcode::Write(write.segment.opcode()),
            Body::Trimmed(trimmed) => Opcode::Write(trimmed.opcode),
            Body::Ack(_) => Opcode::Acknowledge,
            Body::Sack(..) => Opcode::Sack,
            Body::Nack(_) => Opcode::Nack,
            Body::ProbeRequest(_) => Opcode::ProbeRequest,
            Body::EndpointRequest(_) => Opcode::EndpointRequest,
            Body::EndpointResponse(_) => Opcode::EndpointResponse,
        }
    }

    /// The BTH's pad count.
    pub(super) fn pad(&self) -> Bits<2> {
        match self {
            Body::Write(write) => write.payload.pad(),
            Body::Trimmed(trimmed) => trimmed.pad,
            _ => Bits::default(),
        }
    }

    /// The BTH's TS bit.
    pub(super) fn has_timestamp(&self) -> bool {
        match self {
            Body::Write(write) => write.tseth.is_some(),
            Body::Trimmed(trimmed) => matches!(trimmed.cut, Cut::Timestamped(..)),
            _ => false,
        }
    }

    /// L3 bytes of the whole packet if it has no SRH.
    pub(super) fn l3_len(&self) -> usize {
        match self {
            Body::Write(write) => {
                let immediate = write.segment.immediate().is_some();
                sizes::data_l3(write.payload, write.tseth.is_some(), immediate)
            }
            Body::Trimmed(_) => sizes::TRIMMED_L3,
            Body::Ack(_) => sizes::ACK_L3,
            Body::Sack(..) => sizes::SACK_L3,
            Body::Nack(_) => sizes::NACK_L3,
            Body::ProbeRequest(_) => sizes::PROBE_L3,
            Body::EndpointRequest(_) => sizes::ENDPOINT_REQUEST_L3,
            Body::EndpointResponse(_) => sizes::ENDPOINT_RESPONSE_L3,
        }
    }
}

impl Write {
    /// What trimming leaves.
    pub(super) fn trim(&self) -> Trimmed {
        let mut reth = [0; Reth::LEN];
        self.reth.emit(&mut reth);
        let cut = match self.tseth {
            Some(tseth) => Cut::Timestamped(tseth, std::array::from_fn(|i| reth[i])),
            None => Cut::Plain(std::array::from_fn(|i| reth[i])),
        };
        Trimmed {
            opcode: self.segment.opcode(),
            pad: self.payload.pad(),
            meth: self.meth,
            cut,
        }
    }
}

impl Segment {
    /// The data packet's opcode.
    pub fn opcode(&self) -> WriteOpcode {
        match self {
            Segment::First => WriteOpcode::First,
            Segment::Middle => WriteOpcode::Middle,
            Segment::Last(None) => WriteOpcode::Last,
            Segment::Last(Some(_)) => WriteOpcode::LastWithImmediate,
            Segment::Only(None) => WriteOpcode::Only,
            Segment::Only(Some(_)) => WriteOpcode::OnlyWithImmediate,
        }
    }

    /// The immediate data, if there is any.
    pub fn immediate(&self) -> Option<ImmDt> {
        match *self {
            Segment::Last(immediate) | Segment::Only(immediate) => immediate,
            Segment::First | Segment::Middle => None,
        }
    }
}

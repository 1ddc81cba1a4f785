//! BTH opcodes of MRC.

use crate::Value;
use crate::value::codes;
use std::fmt;

/// BTH opcode. Bits 7 to 5 are 110, which IBTA leaves to vendors; the low five bits are those of the RC
/// opcode where there is one (values as third-party code gives them from the MRC specification).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Opcode {
    /// 0xc6 to 0xcb: a data packet.
    Write(WriteOpcode),
    /// 0xd1: acknowledges a message.
    Acknowledge,
    /// 0xd8: port status update or EV probe.
    EndpointRequest,
    /// 0xd9: answer to an endpoint request.
    EndpointResponse,
    /// 0xdc: selective acknowledgement of packets.
    Sack,
    /// 0xdd: a packet arrived trimmed or could not be accepted.
    Nack,
    /// 0xde: asks for a SACK without sending data.
    ProbeRequest,
}

codes! {
    /// The opcodes of data packets, all of them RDMA WRITE.
    pub enum WriteOpcode(8 bits, expected "a WRITE opcode, 0xc6 to 0xcb") {
        First = 0xc6 "RDMA_WRITE_FIRST" "First packet of a longer message.";
        Middle = 0xc7 "RDMA_WRITE_MIDDLE" "Neither first nor last packet.";
        Last = 0xc8 "RDMA_WRITE_LAST" "Last packet of a longer message.";
        LastWithImmediate = 0xc9 "RDMA_WRITE_LAST_IMM" "Last packet, with immediate data.";
        Only = 0xca "RDMA_WRITE_ONLY" "Message of one packet.";
        OnlyWithImmediate = 0xcb "RDMA_WRITE_ONLY_IMM" "Message of one packet, with immediate data.";
    }
}

impl WriteOpcode {
    /// Whether an ImmDt header follows the RETH.
    pub const fn has_immediate(self) -> bool {
        matches!(
            self,
            WriteOpcode::LastWithImmediate | WriteOpcode::OnlyWithImmediate
        )
    }
}

impl Opcode {
    /// Every value, by ascending code.
    pub const ALL: [Opcode; 12] = [
        Opcode::Write(WriteOpcode::First),
        Opcode::Write(WriteOpcode::Middle),
        Opcode::Write(WriteOpcode::Last),
        Opcode::Write(WriteOpcode::LastWithImmediate),
        Opcode::Write(WriteOpcode::Only),
        Opcode::Write(WriteOpcode::OnlyWithImmediate),
        Opcode::Acknowledge,
        Opcode::EndpointRequest,
        Opcode::EndpointResponse,
        Opcode::Sack,
        Opcode::Nack,
        Opcode::ProbeRequest,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        match self {
            Opcode::Write(write) => write.code(),
            Opcode::Acknowledge => 0xd1,
            Opcode::EndpointRequest => 0xd8,
            Opcode::EndpointResponse => 0xd9,
            Opcode::Sack => 0xdc,
            Opcode::Nack => 0xdd,
            Opcode::ProbeRequest => 0xde,
        }
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opcode::Write(write) => write.fmt(f),
            Opcode::Acknowledge => f.write_str("ACKNOWLEDGE"),
            Opcode::EndpointRequest => f.write_str("ENDPOINT_REQUEST"),
            Opcode::EndpointResponse => f.write_str("ENDPOINT_RESPONSE"),
            Opcode::Sack => f.write_str("RELIABILITY_SACK"),
            Opcode::Nack => f.write_str("RELIABILITY_NACK"),
            Opcode::ProbeRequest => f.write_str("RELIABILITY_PROBE_REQ"),
        }
    }
}

impl Value for Opcode {
    const BITS: u32 = 8;
    const EXPECTED: &'static str = "an MRC opcode: 0xc6 to 0xcb, 0xd1, 0xd8, 0xd9 or 0xdc to 0xde";
    fn to_raw(self) -> u128 {
        self.code().into()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        Self::ALL.into_iter().find(|opcode| opcode.to_raw() == raw)
    }
    fn show(raw: u128) -> String {
        match Self::from_raw(raw) {
            Some(opcode) => format!("{raw:#04x} {opcode}"),
            None => format!("{raw:#04x} unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's table, as far as third parties cite it.
    #[test]
    fn each_opcode_has_its_code() {
        use WriteOpcode::*;
        let codes = [
            (0xc6, Opcode::Write(First)),
            (0xc7, Opcode::Write(Middle)),
            (0xc8, Opcode::Write(Last)),
            (0xc9, Opcode::Write(LastWithImmediate)),
            (0xca, Opcode::Write(Only)),
            (0xcb, Opcode::Write(OnlyWithImmediate)),
            (0xd1, Opcode::Acknowledge),
            (0xd8, Opcode::EndpointRequest),
            (0xd9, Opcode::EndpointResponse),
            (0xdc, Opcode::Sack),
            (0xdd, Opcode::Nack),
            (0xde, Opcode::ProbeRequest),
        ];
        for code in 0..=u8::MAX {
            let opcode = codes.iter().find(|(known, _)| *known == code);
            assert_eq!(
                Opcode::from_raw(code.into()),
                opcode.map(|&(_, opcode)| opcode),
                "{code:#x}"
            );
        }
    }

    #[test]
    fn all_are_in_the_vendor_range_and_writes_keep_rc_numbers() {
        for (i, opcode) in Opcode::ALL.into_iter().enumerate() {
            assert_eq!(opcode.code() >> 5, 0b110);
            let rc_write = (0x06..=0x0b).contains(&(opcode.code() & 0x1f));
            assert_eq!(matches!(opcode, Opcode::Write(_)), rc_write);
            assert_eq!(Opcode::from_raw(opcode.to_raw()), Some(opcode));
            assert!(
                Opcode::ALL[..i]
                    .iter()
                    .all(|before| before.code() < opcode.code())
            );
        }
        assert!(
            WriteOpcode::ALL
                .iter()
                .all(|&write| Opcode::ALL.contains(&Opcode::Write(write)))
        );
    }
}

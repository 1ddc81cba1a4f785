//! BTH opcodes of RoCEv2.

use crate::value::codes;

codes! {
    /// The opcodes of a reliable connection's RDMA WRITEs and their answers (IBTA, table of BTH opcodes: bits 7 to 5 are 000 for RC), and
    /// that of a CNP (IBTA, annex A17).
    pub enum RoceOpcode(8 bits, expected "an RC opcode of RDMA WRITE, 0x06 to 0x0b, 0x11 ACKNOWLEDGE or 0x81 CNP") {
        WriteFirst = 0x06 "RC_RDMA_WRITE_FIRST" "First packet of a longer message; RETH.";
        WriteMiddle = 0x07 "RC_RDMA_WRITE_MIDDLE" "Neither first nor last packet.";
        WriteLast = 0x08 "RC_RDMA_WRITE_LAST" "Last packet of a longer message.";
        WriteLastWithImmediate = 0x09 "RC_RDMA_WRITE_LAST_IMM" "Last packet, with immediate data.";
        WriteOnly = 0x0a "RC_RDMA_WRITE_ONLY" "Message of one packet; RETH.";
        WriteOnlyWithImmediate = 0x0b "RC_RDMA_WRITE_ONLY_IMM" "Message of one packet, with immediate data; RETH.";
        Acknowledge = 0x11 "RC_ACKNOWLEDGE" "ACK or NAK; AETH.";
        Cnp = 0x81 "CNP" "Congestion notification packet.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// IBTA: the low five bits of an RC opcode; a CNP's is 100 00001.
    #[test]
    fn each_opcode_has_its_code() {
        let codes: Vec<u8> = RoceOpcode::ALL.iter().map(|opcode| opcode.code()).collect();
        assert_eq!(codes, [6, 7, 8, 9, 10, 11, 0b000_10001, 0b100_00001]);
    }
}

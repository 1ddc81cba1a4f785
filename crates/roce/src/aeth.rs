//! What the AETH of an acknowledgement says (IBTA, AETH syndrome): bits 6 and 5 are 00 for ACK and 11 for NAK, the low five a
//! credit count or a NAK code. It travels in `Packet::reason`.

/// ACK without end-to-end credits: a credit count of ones says that there are none.
pub const ACK: u8 = 0b000_11111;

/// NAK, code 0: PSN sequence error.
pub const NAK_PSN_SEQUENCE: u8 = 0b011_00000;

#[cfg(test)]
mod tests {
    #[test]
    fn codes_as_on_the_wire() {
        assert_eq!((super::ACK, super::NAK_PSN_SEQUENCE), (0x1f, 0x60));
    }
}

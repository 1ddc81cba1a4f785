//! Endpoint Request Header.

use crate::header::header;
use crate::value::codes;

header! {
    /// A request to an endpoint rather than to a queue pair (MRC specification, tables 7-20 and 7-21); sent to
    /// queue pair 2, with the request's number in the low 16 bits of the BTH's PSN.
    pub struct Erth("ERTH", 16 bytes) {
        [0..14] "reserved" = 0, "Reserved.";
        [14..16] op: EndpointOp, "What is asked.";
        [16..24] "reserved" = 0, "Reserved.";
        [24..32] vendor: u8 as hex, "Free for the vendor.";
        [32..64] port_status_mask: u32 as bits32, "Port status update: the sender's ports that are up; bit 1, the second lowest, is port 1.";
        [64..96] "reserved" = 0, "Reserved.";
        [96..112] tx_timestamp: u16 as ticks, "The sender's clock in units of 128 ns.";
        [112..113] tsr: bool, "TSR flag; its meaning is not in the public sources.";
        [113..124] "reserved" = 0, "Reserved.";
        [124..128] "ftype" = 1, "Format of the timestamp.";
    }
}

codes! {
    /// What an endpoint request asks.
    pub enum EndpointOp(2 bits, expected "0 PORT_STATUS_UPDATE or 1 EV_PROBE") {
        PortStatusUpdate = 0 "PORT_STATUS_UPDATE" "Tells which of the sender's ports are up.";
        EvProbe = 1 "EV_PROBE" "Tests the path of an EV.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Erth {
            op: EndpointOp::EvProbe,
            vendor: 9,
            port_status_mask: 0x0102_03ff,
            tx_timestamp: 0xabcd,
            tsr: true,
        };
        let mut bytes = [0xff; 16];
        header.emit(&mut bytes);
        assert_eq!(
            bytes,
            [0, 1, 0, 9, 1, 2, 3, 0xff, 0, 0, 0, 0, 0xab, 0xcd, 0x80, 1]
        );
        assert_eq!(Erth::parse(&bytes), Ok(header));
    }

    /// Ports 1 and 8 of a NIC: bits 1 and 8, since bitmaps count ports from 1 (companion API).
    #[test]
    fn bytes_of_a_port_status_update() {
        let header = Erth {
            op: EndpointOp::PortStatusUpdate,
            vendor: 0,
            port_status_mask: 1 << 1 | 1 << 8,
            tx_timestamp: 0,
            tsr: false,
        };
        let mut bytes = [0xff; 16];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(Erth::parse(&bytes), Ok(header));
        bytes[1] = 2;
        let error = Erth::parse(&bytes).unwrap_err().to_string();
        assert_eq!(
            error,
            "ERTH: op is 0x2, expected 0 PORT_STATUS_UPDATE or 1 EV_PROBE"
        );
    }
}

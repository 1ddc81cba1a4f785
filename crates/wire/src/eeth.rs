//! Endpoint Response Header.

use crate::EndpointOp;
use crate::header::header;

header! {
    /// The answer to an endpoint request (MRC specification, tables 7-22 and 7-23). Third-party MRC code puts
    /// `op` four bits further left than in the request; followed here, not confirmed elsewhere.
    pub struct Eeth("EETH", 36 bytes) {
        [0..10] "reserved" = 0, "Reserved.";
        [10..12] op: EndpointOp, "The request that is answered.";
        [12..32] "reserved" = 0, "Reserved.";
        [32..128] "reserved" = 0, "Reserved.";
        [128..224] "reserved" = 0, "Reserved.";
        [224..240] tx_timestamp: u16 as ticks, "The request's timestamp, echoed; units of 128 ns.";
        [240..288] "reserved" = 0, "Reserved.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Eeth {
            op: EndpointOp::EvProbe,
            tx_timestamp: 0xabcd,
        };
        let mut bytes = [0xff; 36];
        header.emit(&mut bytes);
        let mut expected = [0; 36];
        expected[1] = 0x10;
        expected[28..30].copy_from_slice(&[0xab, 0xcd]);
        assert_eq!(bytes, expected);
        assert_eq!(Eeth::parse(&bytes), Ok(header));

        let header = Eeth {
            op: EndpointOp::PortStatusUpdate,
            ..header
        };
        header.emit(&mut bytes);
        expected[1] = 0;
        assert_eq!(bytes, expected);
        assert_eq!(Eeth::parse(&bytes), Ok(header));
    }
}

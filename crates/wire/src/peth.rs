//! Reliability Probe Request Header.

use crate::header::header;

header! {
    /// Asks for a SACK without sending data (MRC specification, tables 7-18 and 7-19).
    pub struct Peth("PETH", 16 bytes) {
        [0..24] "reserved" = 0, "Reserved.";
        [24..32] vendor: u8 as hex, "Free for the vendor.";
        [32..48] probe_id: u16, "The probe's number.";
        [48..64] "reserved" = 0, "Reserved.";
        [64..80] spdcid: u16, "Source connection identifier (UET heritage).";
        [80..96] dpdcid: u16, "Destination connection identifier (UET heritage).";
        [96..112] tx_timestamp: u16 as ticks, "The sender's clock in units of 128 ns.";
        [112..113] tsr: bool, "TSR flag; its meaning is not in the public sources.";
        [113..124] "reserved" = 0, "Reserved.";
        [124..128] "ftype" = 1, "Format of the timestamp.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Peth {
            vendor: 9,
            probe_id: 0x0102,
            spdcid: 3,
            dpdcid: 4,
            tx_timestamp: 0xabcd,
            tsr: false,
        };
        let mut bytes = [0xff; 16];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0, 0, 0, 9, 1, 2, 0, 0, 0, 3, 0, 4, 0xab, 0xcd, 0, 1]);
        assert_eq!(Peth::parse(&bytes), Ok(header));

        let header = Peth { tsr: true, ..header };
        header.emit(&mut bytes);
        assert_eq!(bytes[12..], [0xab, 0xcd, 0x80, 1]);
        assert_eq!(Peth::parse(&bytes), Ok(header));
    }
}

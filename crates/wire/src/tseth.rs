//! Timestamp Extended Transport Header.

use crate::header::header;

/// Unit of every 16-bit `tx_timestamp`, in nanoseconds.
pub const TIMESTAMP_TICK_NS: u32 = 128;

header! {
    /// When a data packet left its sender (MRC specification, tables 6-6 and 6-7).
    pub struct Tseth("TSETH", 4 bytes) {
        [0..16] tx_timestamp: u16 as ticks, "The sender's clock in units of 128 ns, wrapping after 8.4 ms; echoed by the SACK.";
        [16..17] tsr: bool, "TSR flag; its meaning is not in the public sources.";
        [17..28] "reserved" = 0, "Reserved.";
        [28..32] "ftype" = 1, "Format of the timestamp.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, WireError};

    #[test]
    fn bytes_of_a_header() {
        let header = Tseth {
            tx_timestamp: 0xabcd,
            tsr: true,
        };
        let mut bytes = [0xff; 4];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0xab, 0xcd, 0x80, 0x01]);
        assert_eq!(Tseth::parse(&bytes), Ok(header));
    }

    #[test]
    fn another_format_is_refused() {
        let error = Tseth::parse(&[0, 0, 0, 2]).unwrap_err();
        assert_eq!(
            error,
            WireError::Field {
                header: "TSETH",
                field: "ftype",
                found: 2,
                expected: "1"
            }
        );
    }
}

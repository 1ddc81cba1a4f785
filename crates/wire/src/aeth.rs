//! ACK Extended Transport Header.

use crate::Bits;
use crate::header::header;

header! {
    /// Acknowledges messages, as in IBTA.
    pub struct Aeth("AETH", 4 bytes) {
        [0..8] syndrome: u8 as hex, "Kind of acknowledgement and its code.";
        [8..32] msn: Bits<24>, "Message sequence number.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Aeth {
            syndrome: 0x1f,
            msn: Bits::wrapping(0x01_0203),
        };
        let mut bytes = [0; 4];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0x1f, 1, 2, 3]);
        assert_eq!(Aeth::parse(&bytes), Ok(header));
    }
}

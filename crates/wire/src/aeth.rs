//! ACK Extended Transport Header.

use crate::Bits;
use crate::header::header;
use crate::value::codes;

header! {
    /// Acknowledges messages, as in IBTA.
    pub struct Aeth("AETH", 4 bytes) {
        [0..8] syndrome: Syndrome, "Kind of acknowledgement and its code.";
        [8..32] msn: Bits<24>, "Message sequence number.";
    }
}

codes! {
    /// What an acknowledgement says. Bits 6 and 5 are 00 for ACK and 11 for NAK, the low five a credit count or a code
    /// (IBTA, AETH syndrome). MRC has no end-to-end credits; its values are not in the public sources.
    pub enum Syndrome(8 bits, expected "0x00 ACK_UP_TO, 0x1f ACK or 0x65 NAK_TOO_MANY_WIMM") {
        UpTo = 0x00 "ACK_UP_TO" "The message and all before it are complete; our choice.";
        Ack = 0x1f "ACK" "The message is complete; the credit count of ones is IBTA's for no credits.";
        TooManyImmediates = 0x65 "NAK_TOO_MANY_WIMM" "More WRITEs with immediate in flight than agreed; our choice: the first NAK code that IBTA leaves free.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Aeth {
            syndrome: Syndrome::Ack,
            msn: Bits::wrapping(0x01_0203),
        };
        let mut bytes = [0; 4];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0x1f, 1, 2, 3]);
        assert_eq!(Aeth::parse(&bytes), Ok(header));
    }

    /// IBTA's AETH syndrome: bit 7 is 0, bits 6 and 5 tell ACK (00) from NAK (11).
    #[test]
    fn a_nak_is_one_in_ibta_s_terms() {
        let kind = |syndrome: Syndrome| syndrome.code() >> 5;
        assert_eq!(kind(Syndrome::Ack), 0b000);
        assert_eq!(kind(Syndrome::UpTo), 0b000);
        assert_eq!(kind(Syndrome::TooManyImmediates), 0b011);
        let error = Aeth::parse(&[0x60, 0, 0, 0]).unwrap_err().to_string();
        assert_eq!(
            error,
            "AETH: syndrome is 0x60, expected 0x00 ACK_UP_TO, 0x1f ACK or 0x65 NAK_TOO_MANY_WIMM"
        );
    }
}

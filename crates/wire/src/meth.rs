//! Message Extended Transport Header.

use crate::header::header;

header! {
    /// Numbers of the message that a data packet belongs to (MRC specification, tables 6-8 and 6-9).
    pub struct Meth("METH", 4 bytes) {
        [0..16] rqmsn: u16, "Number of the message among those that use up a receive-queue entry (WRITE with immediate).";
        [16..32] msn: u16, "Message sequence number.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Meth {
            rqmsn: 0x0102,
            msn: 0xfffe,
        };
        let mut bytes = [0; 4];
        header.emit(&mut bytes);
        assert_eq!(bytes, [1, 2, 0xff, 0xfe]);
        assert_eq!(Meth::parse(&bytes), Ok(header));
    }
}

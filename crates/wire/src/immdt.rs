//! Immediate data.

use crate::header::header;

header! {
    /// Immediate Data Extended Transport Header: 32 bits handed to the receiving application (IBTA).
    pub struct ImmDt("ImmDt", 4 bytes) {
        [0..32] data: u32 as hex32, "The application's value.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = ImmDt { data: 0xdead_beef };
        let mut bytes = [0; 4];
        header.emit(&mut bytes);
        assert_eq!(bytes, [0xde, 0xad, 0xbe, 0xef]);
        assert_eq!(ImmDt::parse(&bytes), Ok(header));
    }
}

//! RDMA Extended Transport Header.

use crate::header::header;

header! {
    /// Where a data packet's payload goes (MRC specification, table 6-5). Unlike in RoCEv2 every data packet
    /// has one, so that it can be placed on arrival in any order.
    pub struct Reth("RETH", 16 bytes) {
        [0..64] va: u64 as hex64, "Virtual address of this packet's first byte; it advances with the packet.";
        [64..96] rkey: u32 as hex32, "Key of the remote memory region.";
        [96..128] dma_len: u32, "DMA length in bytes.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_a_header() {
        let header = Reth {
            va: 0x0102_0304_0506_0708,
            rkey: 0xa1b2_c3d4,
            dma_len: 0x0001_0000,
        };
        let mut bytes = [0; 16];
        header.emit(&mut bytes);
        assert_eq!(
            bytes,
            [1, 2, 3, 4, 5, 6, 7, 8, 0xa1, 0xb2, 0xc3, 0xd4, 0, 1, 0, 0]
        );
        assert_eq!(Reth::parse(&bytes), Ok(header));
    }
}

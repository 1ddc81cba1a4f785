//! Classic pcap: a header of 24 bytes, then records of 16 bytes and their packet.

use super::{CaptureError, Captured, Order, Reason, SECOND_PS, take};

const HEADER_LEN: usize = 24;
const RECORD_LEN: usize = 16;

pub(super) struct Reader<'a> {
    file: &'a [u8],
    at: usize,
    order: Order,
    /// Picoseconds in a unit of the timestamps' fraction.
    fraction_ps: i128,
    link_type: u16,
    packets: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a [u8]) -> Result<Reader<'a>, CaptureError> {
        let error = |reason| CaptureError {
            packet: 1,
            offset: 0,
            reason,
        };
        let mut rest = file;
        let magic: [u8; 4] = take(&mut rest).ok_or_else(|| error(not_a_capture(file)))?;
        let (order, fraction_ps) = match magic {
            [0xd4, 0xc3, 0xb2, 0xa1] => (Order::Little, SECOND_PS / 1_000_000),
            [0xa1, 0xb2, 0xc3, 0xd4] => (Order::Big, SECOND_PS / 1_000_000),
            [0x4d, 0x3c, 0xb2, 0xa1] => (Order::Little, SECOND_PS / 1_000_000_000),
            [0xa1, 0xb2, 0x3c, 0x4d] => (Order::Big, SECOND_PS / 1_000_000_000),
            _ => return Err(error(not_a_capture(file))),
        };
        let truncated = || {
            error(Reason::Truncated {
                what: "the pcap header",
                need: HEADER_LEN as u64,
                have: file.len(),
            })
        };
        let [major, minor]: [u16; 2] = [
            order.u16(take(&mut rest).ok_or_else(truncated)?),
            order.u16(take(&mut rest).ok_or_else(truncated)?),
        ];
        if major != 2 {
            return Err(error(Reason::Version {
                format: "pcap",
                major,
                minor,
                expected: "2.4",
            }));
        }
        // Two reserved words and the snapshot length.
        let _: [u8; 12] = take(&mut rest).ok_or_else(truncated)?;
        let link = order.u32(take(&mut rest).ok_or_else(truncated)?);
        Ok(Reader {
            file,
            at: HEADER_LEN,
            order,
            fraction_ps,
            // The upper half says whether frames end with an FCS.
            link_type: link as u16,
            packets: 0,
        })
    }

    pub(super) fn next(&mut self) -> Result<Option<Captured<'a>>, CaptureError> {
        let mut rest = self.file.get(self.at..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(None);
        }
        let number = self.packets + 1;
        let error = |what, need: usize, have| CaptureError {
            packet: number,
            offset: self.at,
            reason: Reason::Truncated {
                what,
                need: need as u64,
                have,
            },
        };
        let have = rest.len();
        let Some(record) = take::<RECORD_LEN>(&mut rest) else {
            return Err(error("the record's header", RECORD_LEN, have));
        };
        let (words, _) = record.as_chunks::<4>();
        let word = |i: usize| words.get(i).map_or(0, |&word| self.order.u32(word));
        let captured = word(2) as usize;
        let Some(bytes) = rest.get(..captured) else {
            return Err(error("the packet", captured, rest.len()));
        };
        self.packets = number;
        self.at += RECORD_LEN + captured;
        Ok(Some(Captured {
            number,
            time_ps: Some(i128::from(word(0)) * SECOND_PS + i128::from(word(1)) * self.fraction_ps),
            interface: 0,
            link_type: self.link_type,
            bytes,
            original_len: word(3),
        }))
    }
}

/// What the bytes are instead, if that is easily told.
fn not_a_capture(file: &[u8]) -> Reason {
    match file {
        [] => Reason::NotACapture("nothing".into()),
        [0x1f, 0x8b, ..] => Reason::Compressed("gzip"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Reason::Compressed("zstd"),
        [b'P', b'K', 3, 4, ..] => Reason::Compressed("zip"),
        _ => Reason::NotACapture(file.iter().take(4).map(|byte| format!("{byte:02x}")).collect()),
    }
}

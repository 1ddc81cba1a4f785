//! pcapng: blocks of a type, a length at both ends and a body; sections with a byte order and interfaces of their own.

use super::{CaptureError, Captured, Order, Reason, SECOND_PS, take};
use crate::pcapng::{BYTE_ORDER_MAGIC, ENHANCED_PACKET, IF_TSRESOL, INTERFACE_DESCRIPTION, SECTION_HEADER};

/// Obsolete, but old captures have it.
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const IF_TSOFFSET: u16 = 14;
const OPT_END: u16 = 0;

/// Type and length before a block's body, and the length behind it.
const FRAME_LEN: u32 = 12;

/// Interfaces that are kept of a section (our choice).
const MAX_INTERFACES: usize = 65_536;

/// Microseconds, unless an interface says otherwise.
const DEFAULT_RESOLUTION: u8 = 6;

pub(super) struct Reader<'a> {
    file: &'a [u8],
    at: usize,
    order: Order,
    interfaces: Vec<Interface>,
    packets: u64,
}

#[derive(Clone, Copy)]
struct Interface {
    link_type: u16,
    /// Most bytes kept of a packet, 0 for all.
    snap_len: u32,
    /// As the option has it: the exponent, of 2 if the uppermost bit is set and of 10 otherwise.
    resolution: u8,
    /// Seconds to be added to its timestamps.
    offset: i64,
}

/// A block's type and body.
struct Block<'a> {
    block_type: u32,
    body: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a [u8]) -> Reader<'a> {
        Reader {
            file,
            at: 0,
            order: Order::Little,
            interfaces: Vec::new(),
            packets: 0,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Captured<'a>>, CaptureError> {
        while self.at < self.file.len() {
            let offset = self.at;
            let found = self.block().and_then(|block| self.look_at(&block));
            match found {
                Ok(None) => {}
                Ok(Some(packet)) => return Ok(Some(packet)),
                Err(reason) => {
                    return Err(CaptureError {
                        packet: self.packets + 1,
                        offset,
                        reason,
                    });
                }
            }
        }
        Ok(None)
    }

    /// Takes the next block.
    fn block(&mut self) -> Result<Block<'a>, Reason> {
        let all = &self.file[self.at..];
        let truncated = |need: u32| Reason::Truncated {
            what: "the block",
            need: need.into(),
            have: all.len(),
        };
        let mut rest = all;
        let first = take(&mut rest).ok_or_else(|| truncated(FRAME_LEN))?;
        // A section's header says what the order is, and its type is the same in both.
        if u32::from_le_bytes(first) == SECTION_HEADER {
            let magic = all.get(8..12).and_then(|bytes| bytes.first_chunk());
            let magic = u32::from_le_bytes(*magic.ok_or_else(|| truncated(28))?);
            self.order = match magic {
                BYTE_ORDER_MAGIC => Order::Little,
                _ if magic.swap_bytes() == BYTE_ORDER_MAGIC => Order::Big,
                _ => return Err(Reason::ByteOrder(magic)),
            };
        }
        let block_type = self.order.u32(first);
        let len = self
            .order
            .u32(take(&mut rest).ok_or_else(|| truncated(FRAME_LEN))?);
        let least = FRAME_LEN
            + match block_type {
                SECTION_HEADER => 16,
                INTERFACE_DESCRIPTION => 8,
                PACKET | ENHANCED_PACKET => 20,
                SIMPLE_PACKET => 4,
                _ => 0,
            };
        if len < least || !len.is_multiple_of(4) {
            return Err(Reason::BlockLength {
                block_type,
                len,
                least,
            });
        }
        let body = usize::try_from(len).ok().and_then(|len| all.get(8..len - 4));
        let behind = body.and_then(|body| all.get(8 + body.len()..)?.first_chunk());
        let (Some(body), Some(&last)) = (body, behind) else {
            return Err(truncated(len));
        };
        let last = self.order.u32(last);
        if last != len {
            return Err(Reason::LengthsDiffer {
                block_type,
                first: len,
                last,
            });
        }
        self.at += body.len() + FRAME_LEN as usize;
        Ok(Block { block_type, body })
    }

    /// The packet in a block, if there is one; the block is long enough for its type.
    fn look_at(&mut self, block: &Block<'a>) -> Result<Option<Captured<'a>>, Reason> {
        let mut rest = block.body;
        match block.block_type {
            SECTION_HEADER => self.section(rest).map(|()| None),
            INTERFACE_DESCRIPTION => self.interface(rest).map(|()| None),
            SIMPLE_PACKET => {
                let original_len = self.word(&mut rest);
                let interface = self.described(0)?;
                let most = match interface.snap_len {
                    0 => original_len,
                    snap_len => original_len.min(snap_len),
                };
                self.packet(rest, 0, None, most, original_len).map(Some)
            }
            PACKET | ENHANCED_PACKET => {
                let number = self.word(&mut rest);
                // The obsolete block has the interface in 16 bits and counts drops in the others.
                let number = match (block.block_type, self.order) {
                    (ENHANCED_PACKET, _) => number,
                    (_, Order::Little) => number & 0xffff,
                    (_, Order::Big) => number >> 16,
                };
                let interface = self.described(number)?;
                let (high, low) = (self.word(&mut rest), self.word(&mut rest));
                let (captured, original_len) = (self.word(&mut rest), self.word(&mut rest));
                let time = interface.time_ps(u64::from(high) << 32 | u64::from(low));
                self.packet(rest, number, Some(time), captured, original_len)
                    .map(Some)
            }
            _ => Ok(None),
        }
    }

    fn word(&self, rest: &mut &[u8]) -> u32 {
        take(rest).map_or(0, |word| self.order.u32(word))
    }

    fn section(&mut self, mut rest: &[u8]) -> Result<(), Reason> {
        self.word(&mut rest);
        let [major, minor] = [(); 2].map(|()| take(&mut rest).map_or(0, |half| self.order.u16(half)));
        if major != 1 {
            return Err(Reason::Version {
                format: "pcapng",
                major,
                minor,
                expected: "1.0",
            });
        }
        self.interfaces.clear();
        Ok(())
    }

    fn interface(&mut self, mut rest: &[u8]) -> Result<(), Reason> {
        if self.interfaces.len() == MAX_INTERFACES {
            return Err(Reason::Interfaces(MAX_INTERFACES));
        }
        let link_type = take(&mut rest).map_or(0, |half| self.order.u16(half));
        let _: Option<[u8; 2]> = take(&mut rest);
        let mut interface = Interface {
            link_type,
            snap_len: self.word(&mut rest),
            resolution: DEFAULT_RESOLUTION,
            offset: 0,
        };
        while let Some(code) = take(&mut rest) {
            let code = self.order.u16(code);
            let len = take(&mut rest).map_or(0, |half| usize::from(self.order.u16(half)));
            match (code, rest.get(..len)) {
                (OPT_END, _) | (_, None) => break,
                (IF_TSRESOL, Some(&[resolution])) => interface.resolution = resolution,
                (IF_TSOFFSET, Some(value)) => {
                    interface.offset = value.first_chunk().map_or(0, |&value| self.order.i64(value));
                }
                _ => {}
            }
            rest = rest.get(len.next_multiple_of(4)..).unwrap_or_default();
        }
        if (51..128).contains(&interface.resolution) {
            return Err(Reason::Resolution(interface.resolution));
        }
        self.interfaces.push(interface);
        Ok(())
    }

    fn described(&self, number: u32) -> Result<Interface, Reason> {
        let interface = usize::try_from(number)
            .ok()
            .and_then(|number| self.interfaces.get(number));
        interface.copied().ok_or(Reason::Interface {
            interface: number,
            described: self.interfaces.len(),
        })
    }

    fn packet(
        &mut self,
        rest: &'a [u8],
        interface: u32,
        time_ps: Option<i128>,
        captured: u32,
        original_len: u32,
    ) -> Result<Captured<'a>, Reason> {
        let link_type = self.described(interface)?.link_type;
        let Some(bytes) = rest.get(..captured as usize) else {
            let room = rest.len();
            return Err(Reason::Captured { captured, room });
        };
        self.packets += 1;
        Ok(Captured {
            number: self.packets,
            time_ps,
            interface,
            link_type,
            bytes,
            original_len,
        })
    }
}

impl Interface {
    /// A timestamp in picoseconds since 1970, rounded down.
    fn time_ps(&self, timestamp: u64) -> i128 {
        let units = i128::from(timestamp);
        let exponent = u32::from(self.resolution & 0x7f);
        let time = match (self.resolution >= 0x80, exponent) {
            (true, _) => (units * SECOND_PS) >> exponent,
            (false, 0..=12) => units * 10i128.pow(12 - exponent),
            (false, _) => units / 10i128.pow(exponent - 12),
        };
        time + i128::from(self.offset) * SECOND_PS
    }
}

//! Writes captures in pcapng (IETF draft-ietf-opsawg-pcapng), which Wireshark and its kin read.

use crate::capture::LINKTYPE_ETHERNET;
use std::io::{self, Write};

pub(crate) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
pub(crate) const INTERFACE_DESCRIPTION: u32 = 1;
pub(crate) const ENHANCED_PACKET: u32 = 6;

const OPT_COMMENT: u16 = 1;
const SHB_USERAPPL: u16 = 4;
const IF_NAME: u16 = 2;
const IF_SPEED: u16 = 8;
pub(crate) const IF_TSRESOL: u16 = 9;
const EPB_FLAGS: u16 = 2;

pub(crate) const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
const VERSION: [u16; 2] = [1, 0];
const SECTION_LENGTH_UNKNOWN: u64 = u64::MAX;

/// Writes one section of a pcapng file, little-endian: its interfaces and their packets, in any order but each
/// interface before its packets.
pub struct Writer<W> {
    out: W,
    interfaces: u32,
    block: Vec<u8>,
}

/// An interface of the capture, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceId(u32);

/// An Ethernet interface of the capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interface<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its speed in bit/s.
    pub bits_per_second: Option<u64>,
    /// The most bytes that are kept of a packet; 0 for all.
    pub snap_len: u32,
    /// Unit of its packets' timestamps.
    pub resolution: Resolution,
}

/// Unit of an interface's timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// 10⁻⁹ s: what every reader understands.
    #[default]
    Nanoseconds,
    /// 10⁻¹² s: exact, but Wireshark cuts such times to nanoseconds, and 4.0.17 shows a wrong time where the
    /// fraction of the second exceeds 18.4 ms (its conversion overflows 64 bits).
    Picoseconds,
}

/// Which way a packet went, as the interface sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The interface received it.
    Inbound,
    /// The interface sent it.
    Outbound,
}

/// A captured packet.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// Where it was seen.
    pub interface: InterfaceId,
    /// When, in the interface's unit.
    pub timestamp: u64,
    /// The frame's bytes, from the Ethernet header on and without the FCS.
    pub bytes: &'a [u8],
    /// Its length before anything cut it, in bytes; at least that of `bytes`.
    pub original_len: u32,
    /// Which way it went, where that is known.
    pub direction: Option<Direction>,
    /// What a reader should know about it.
    pub comment: Option<&'a str>,
}

impl<W: Write> Writer<W> {
    /// Starts a section; `application` is the program that writes it.
    ///
    /// # Errors
    /// Those of `out`; [`io::ErrorKind::InvalidInput`] if the name has more than 65,535 bytes.
    pub fn new(out: W, application: &str) -> io::Result<Self> {
        let mut writer = Writer {
            out,
            interfaces: 0,
            block: Vec::new(),
        };
        writer.begin(SECTION_HEADER);
        writer.block.extend(BYTE_ORDER_MAGIC.to_le_bytes());
        for part in VERSION {
            writer.block.extend(part.to_le_bytes());
        }
        writer.block.extend(SECTION_LENGTH_UNKNOWN.to_le_bytes());
        writer.option("application name", SHB_USERAPPL, application.as_bytes())?;
        writer.end_options();
        writer.finish()?;
        Ok(writer)
    }

    /// Adds an Ethernet interface.
    ///
    /// # Errors
    /// Those of the output; [`io::ErrorKind::InvalidInput`] if the name has more than 65,535 bytes.
    pub fn interface(&mut self, interface: &Interface<'_>) -> io::Result<InterfaceId> {
        let tsresol = match interface.resolution {
            Resolution::Nanoseconds => 9,
            Resolution::Picoseconds => 12,
        };
        self.begin(INTERFACE_DESCRIPTION);
        self.block.extend(LINKTYPE_ETHERNET.to_le_bytes());
        self.block.extend([0, 0]);
        self.block.extend(interface.snap_len.to_le_bytes());
        self.option("interface name", IF_NAME, interface.name.as_bytes())?;
        if let Some(speed) = interface.bits_per_second {
            self.option("interface speed", IF_SPEED, &speed.to_le_bytes())?;
        }
        self.option("timestamp resolution", IF_TSRESOL, &[tsresol])?;
        self.end_options();
        self.finish()?;
        let id = InterfaceId(self.interfaces);
        self.interfaces += 1;
        Ok(id)
    }

    /// Adds a packet.
    ///
    /// # Errors
    /// Those of the output; [`io::ErrorKind::InvalidInput`] if the interface is not one of this writer's, the
    /// original length is below that of the bytes, or the comment has more than 65,535 bytes.
    pub fn packet(&mut self, packet: &Packet<'_>) -> io::Result<()> {
        if packet.interface.0 >= self.interfaces {
            let text = format!(
                "interface {} is not one of this capture's {}",
                packet.interface.0, self.interfaces
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let captured = u32::try_from(packet.bytes.len())
            .ok()
            .filter(|&len| len <= packet.original_len);
        let Some(captured) = captured else {
            let (original, captured) = (packet.original_len, packet.bytes.len());
            let text = format!("packet's original length is {original}, but {captured} bytes are given");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        };
        self.begin(ENHANCED_PACKET);
        self.block.extend(packet.interface.0.to_le_bytes());
        self.block.extend(((packet.timestamp >> 32) as u32).to_le_bytes());
        self.block.extend((packet.timestamp as u32).to_le_bytes());
        self.block.extend(captured.to_le_bytes());
        self.block.extend(packet.original_len.to_le_bytes());
        self.block.extend(packet.bytes);
        self.align();
        if let Some(comment) = packet.comment {
            self.option("packet comment", OPT_COMMENT, comment.as_bytes())?;
        }
        if let Some(direction) = packet.direction {
            let bits: u32 = match direction {
                Direction::Inbound => 1,
                Direction::Outbound => 2,
            };
            self.option("packet flags", EPB_FLAGS, &bits.to_le_bytes())?;
        }
        if packet.comment.is_some() || packet.direction.is_some() {
            self.end_options();
        }
        self.finish()
    }

    /// The output. Nothing is held back: every block has been handed to it whole.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Starts a block with its type and room for its length.
    fn begin(&mut self, block_type: u32) {
        self.block.clear();
        self.block.extend(block_type.to_le_bytes());
        self.block.extend([0; 4]);
    }

    fn option(&mut self, what: &str, code: u16, value: &[u8]) -> io::Result<()> {
        let Ok(len) = u16::try_from(value.len()) else {
            let text = format!("{what} has {} bytes, expected at most 65535", value.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        };
        self.block.extend(code.to_le_bytes());
        self.block.extend(len.to_le_bytes());
        self.block.extend(value);
        self.align();
        Ok(())
    }

    /// Writes opt_endofopt.
    fn end_options(&mut self) {
        self.block.extend([0; 4]);
    }

    /// Pads to a multiple of four bytes.
    fn align(&mut self) {
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    /// Writes the block's length at both ends and hands it to the output.
    fn finish(&mut self) -> io::Result<()> {
        let Ok(len) = u32::try_from(self.block.len() + 4) else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a pcapng block must be shorter than 4 GiB",
            ));
        };
        let len = len.to_le_bytes();
        self.block[4..8].copy_from_slice(&len);
        self.block.extend(len);
        self.out.write_all(&self.block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8]) -> usize {
        u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize
    }

    /// Types and bodies of a file's blocks; checks that each block's two lengths agree.
    fn blocks(mut file: &[u8]) -> Vec<(u32, &[u8])> {
        let mut blocks = Vec::new();
        while !file.is_empty() {
            let len = word(&file[4..]);
            assert_eq!(len % 4, 0);
            let (block, rest) = file.split_at(len);
            assert_eq!(word(&block[len - 4..]), len);
            blocks.push((word(block) as u32, &block[8..len - 4]));
            file = rest;
        }
        blocks
    }

    #[test]
    fn the_bytes_of_a_small_file() {
        let mut writer = Writer::new(Vec::new(), "app").unwrap();
        let port = Interface {
            name: "nic0",
            resolution: Resolution::Picoseconds,
            ..Interface::default()
        };
        let port = writer.interface(&port).unwrap();
        let packet = Packet {
            interface: port,
            timestamp: 0x0102_0304_0506_0708,
            bytes: &[1, 2, 3, 4, 5],
            original_len: 9,
            direction: None,
            comment: Some("trimmed"),
        };
        writer.packet(&packet).unwrap();
        writer
            .packet(&Packet {
                comment: None,
                ..packet
            })
            .unwrap();
        let file = writer.into_inner();
        let blocks = blocks(&file);
        let types: Vec<u32> = blocks.iter().map(|block| block.0).collect();
        assert_eq!(
            types,
            [
                SECTION_HEADER,
                INTERFACE_DESCRIPTION,
                ENHANCED_PACKET,
                ENHANCED_PACKET
            ]
        );
        assert_eq!(
            blocks[0].1,
            b"\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x04\0\x03\0app\0\0\0\0\0"
        );
        assert_eq!(
            blocks[1].1,
            b"\x01\0\0\0\0\0\0\0\x02\0\x04\0nic0\x09\0\x01\0\x0c\0\0\0\0\0\0\0"
        );
        let bare = b"\0\0\0\0\x04\x03\x02\x01\x08\x07\x06\x05\x05\0\0\0\x09\0\0\0\x01\x02\x03\x04\x05\0\0\0";
        assert_eq!(blocks[3].1, bare);
        assert_eq!(
            blocks[2].1,
            [&bare[..], b"\x01\0\x07\0trimmed\0\0\0\0\0"].concat()
        );
    }

    /// Codes 8 (if_speed) and 2 (epb_flags) of the format.
    #[test]
    fn the_bytes_of_what_may_be_left_out() {
        let mut writer = Writer::new(Vec::new(), "app").unwrap();
        let port = Interface {
            name: "p0",
            bits_per_second: Some(0x0102),
            snap_len: 96,
            resolution: Resolution::Nanoseconds,
        };
        let interface = writer.interface(&port).unwrap();
        for direction in [Direction::Inbound, Direction::Outbound] {
            let packet = Packet {
                interface,
                timestamp: 0,
                bytes: &[1, 2, 3, 4],
                original_len: 4,
                direction: Some(direction),
                comment: None,
            };
            writer.packet(&packet).unwrap();
        }
        let file = writer.into_inner();
        let blocks = blocks(&file);
        let expected = [
            &b"\x01\0\0\0\x60\0\0\0\x02\0\x02\0p0\0\0"[..],
            b"\x08\0\x08\0\x02\x01\0\0\0\0\0\0\x09\0\x01\0\x09\0\0\0\0\0\0\0",
        ];
        assert_eq!(blocks[1].1, expected.concat());
        for (block, bits) in [(2, 1), (3, 2)] {
            let options = &blocks[block].1[20 + 4..];
            assert_eq!(options, [2, 0, 4, 0, bits, 0, 0, 0, 0, 0, 0, 0]);
        }
    }

    #[test]
    fn what_the_format_cannot_hold_is_refused_and_leaves_the_file_whole() {
        let mut writer = Writer::new(Vec::new(), "app").unwrap();
        let interface = writer.interface(&Interface::default()).unwrap();
        let fine = Packet {
            interface,
            timestamp: 0,
            bytes: &[0; 10],
            original_len: 10,
            direction: None,
            comment: None,
        };
        let long = "x".repeat(65_536);
        for (bad, text) in [
            (
                Packet {
                    interface: InterfaceId(1),
                    ..fine
                },
                "interface 1 is not one of this capture's 1",
            ),
            (
                Packet {
                    original_len: 9,
                    ..fine
                },
                "packet's original length is 9, but 10 bytes are given",
            ),
            (
                Packet {
                    comment: Some(&long),
                    ..fine
                },
                "packet comment has 65536 bytes, expected at most 65535",
            ),
        ] {
            let error = writer.packet(&bad).unwrap_err();
            assert_eq!(
                (error.kind(), error.to_string().as_str()),
                (io::ErrorKind::InvalidInput, text)
            );
        }
        let bad = Interface {
            name: &long,
            ..Interface::default()
        };
        assert!(writer.interface(&bad).is_err());
        writer.packet(&fine).unwrap();
        assert_eq!(blocks(&writer.into_inner()).len(), 3);
    }
}

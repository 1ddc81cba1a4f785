//! What is wrong with a capture, and where.

/// The place and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("packet {packet}, at byte {offset} of the capture: {reason}")]
pub struct CaptureError {
    /// Number of the packet that was to come next, from 1.
    pub packet: u64,
    /// Where its record or block begins, from the file's first byte.
    pub offset: usize,
    /// What is wrong there.
    pub reason: Reason,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The first bytes are those of no capture.
    #[error(
        "the file begins with {0}, expected pcap (d4c3b2a1, a1b2c3d4, 4d3cb2a1 or a1b23c4d) or pcapng (0a0d0d0a)"
    )]
    NotACapture(String),
    /// The first bytes are those of a compressed file.
    #[error("the file is compressed ({0}), expected it to be unpacked")]
    Compressed(&'static str),
    /// The file ends in the middle.
    #[error("{what} needs {need} bytes, but {have} are left")]
    Truncated {
        /// What it ends in.
        what: &'static str,
        /// Bytes that it needs.
        need: u64,
        /// Bytes that there are.
        have: usize,
    },
    /// A version that the format's description does not give.
    #[error("{format} version {major}.{minor}, expected {expected}")]
    Version {
        /// pcap or pcapng.
        format: &'static str,
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
        /// What is read.
        expected: &'static str,
    },
    /// A section does not say in which byte order it is.
    #[error("byte-order magic {0:#010x}, expected 0x1a2b3c4d in either order")]
    ByteOrder(u32),
    /// A block with an impossible length.
    #[error("block of type {block_type:#x} with length {len}, expected a multiple of 4 and at least {least}")]
    BlockLength {
        /// The block's type.
        block_type: u32,
        /// Its length in bytes.
        len: u32,
        /// The shortest that its type can be.
        least: u32,
    },
    /// A block's two lengths.
    #[error(
        "block of type {block_type:#x} with length {first} before and {last} behind it, expected the same"
    )]
    LengthsDiffer {
        /// The block's type.
        block_type: u32,
        /// The length at its beginning.
        first: u32,
        /// The length at its end.
        last: u32,
    },
    /// More bytes are said to be captured than the block has.
    #[error("{captured} captured bytes in a block with room for {room}")]
    Captured {
        /// What the block says.
        captured: u32,
        /// What fits.
        room: usize,
    },
    /// A packet of an interface that was not described.
    #[error("interface {interface}, but the section has described {described} so far")]
    Interface {
        /// The packet's interface.
        interface: u32,
        /// How many there are.
        described: usize,
    },
    /// More interfaces than are kept.
    #[error("more than {0} interfaces in a section")]
    Interfaces(usize),
    /// A unit of time that is too small to be meant.
    #[error("timestamps in units of 10^-{0} s, expected 10^-0 to 10^-50")]
    Resolution(u8),
}

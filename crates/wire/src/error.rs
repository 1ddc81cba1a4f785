//! Why bytes are not the header or frame that they were taken for.

/// The reason that bytes were refused, or that a value cannot be built; it names the place and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The bytes end before the header does.
    #[error("{header} needs {need} bytes, but {have} are left")]
    Truncated {
        /// The header's name.
        header: &'static str,
        /// Its length in bytes.
        need: usize,
        /// Bytes that are there.
        have: usize,
    },
    /// A field holds a value that the format does not allow there. Reserved bits must be zero.
    #[error("{header}: {field} is {found:#x}, expected {expected}")]
    Field {
        /// The header's name.
        header: &'static str,
        /// The field's name.
        field: &'static str,
        /// The field's bits.
        found: u128,
        /// What would have been accepted.
        expected: &'static str,
    },
    /// A length field disagrees with the number of bytes there are.
    #[error("{header}: {field} says {claimed} bytes, but there are {actual}")]
    Length {
        /// The header's name.
        header: &'static str,
        /// The field's name.
        field: &'static str,
        /// What the field says.
        claimed: usize,
        /// What the frame holds.
        actual: usize,
    },
    /// Bytes follow where the frame should have ended.
    #[error("{len} bytes too many after {after}")]
    Trailing {
        /// The last part that belongs there.
        after: &'static str,
        /// How many bytes follow.
        len: usize,
    },
    /// The invariant CRC does not match the packet.
    #[error("iCRC is {found:#010x}, but the packet's is {computed:#010x}")]
    Icrc {
        /// The value in the packet.
        found: u32,
        /// The value computed over the packet.
        computed: u32,
    },
    /// The payload is not the pattern of [`Payload`](crate::Payload), so a `Frame` cannot hold it.
    #[error(
        "payload byte {offset} is {found:#04x}, expected {expected:#04x} (only pattern payloads are carried)"
    )]
    Payload {
        /// Position from the payload's first byte.
        offset: usize,
        /// The byte in the packet.
        found: u8,
        /// The pattern's byte there.
        expected: u8,
    },
    /// The bytes make sense, but not all of them are what a sender would write.
    #[error("{header}: {field}: byte {offset} is {found:#04x}, expected {expected:#04x}")]
    Differs {
        /// The header's name.
        header: &'static str,
        /// The field's name.
        field: &'static str,
        /// Position from the frame's first byte.
        offset: usize,
        /// The byte in the frame.
        found: u8,
        /// What a sender would have written there.
        expected: u8,
    },
    /// A number that a caller gave does not fit where it should go.
    #[error("{what} is {value}, expected {expected}")]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: u64,
        /// The range that would have been accepted.
        expected: &'static str,
    },
}

impl WireError {
    /// The same error under a more telling name of the header, where it names one.
    pub(crate) fn in_header(mut self, name: &'static str) -> WireError {
        match &mut self {
            WireError::Truncated { header, .. }
            | WireError::Field { header, .. }
            | WireError::Length { header, .. } => *header = name,
            _ => {}
        }
        self
    }
}

//! Any frame's bytes taken apart for a reader: a header tree whose every field knows its bits.

mod walk;

use serde::Serialize;

/// One header, or another run of bytes, of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeaderView {
    /// The header's name; [`MALFORMED`] where the bytes stop making sense.
    pub name: &'static str,
    /// Its first byte, from the frame's start.
    pub offset: usize,
    /// Its length in bytes.
    pub len: usize,
    /// What matters most in it, in one line; may be empty.
    pub summary: String,
    /// Its fields in order.
    pub fields: Vec<FieldView>,
}

/// One field of a header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldView {
    /// The field's name.
    pub name: &'static str,
    /// Its value as text, with its meaning where it is a code.
    pub value: String,
    /// Its first bit, from the frame's start, most significant bit of each byte first.
    pub bit_offset: usize,
    /// Its length in bits.
    pub bit_len: usize,
    /// What it means.
    pub doc: &'static str,
}

/// Name of the entry that says why the bytes could not be read on.
pub const MALFORMED: &str = "Malformed";

/// The longest input that is described: an Ethernet frame with the largest IPv6 payload and its FCS.
pub const MAX_LEN: usize = 14 + 40 + 65_535 + 4;

/// Takes a frame apart, from its Ethernet header on, with its FCS or without. It works on any bytes.
///
/// The views follow each other and cover every byte exactly once. If something is wrong that keeps the bytes
/// from being read as their headers say, the last view is named [`MALFORMED`] and tells what. Input beyond
/// [`MAX_LEN`] is not looked at, which is said in the same way.
pub fn describe(bytes: &[u8]) -> Vec<HeaderView> {
    walk::Walk::new(bytes).run()
}

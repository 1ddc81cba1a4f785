//! A packet: its path, its headers, its bytes, and the field that is looked at.

pub const AHEAD: &str = "ahead";
pub const PATH: &str = "Path";
pub const ABOUT_ADDRESSES: &str = "The IPv6 destination on each link: 32 bits of locator block, six uSIDs of 16 bits. Each switch finds its own in the first place and shifts the others left (RFC 9800).";
pub const HEADERS_AND_THEIR_FIELDS: &str = "Headers and their fields";
pub const BYTES_SHOWN_AS: &str = "Bytes shown as";
pub const AS_HEX: &str = "A byte as two hexadecimal digits";
pub const AS_BITS: &str = "A byte as eight bits, the most significant first";
pub const POINT_AT_SOMETHING: &str = "Point at a field or at a byte. In the tree, the arrow keys walk.";
pub const NO_COPYING: &str = "The browser does not let this page copy.";
pub const FIND_EVENTS: &str = "Find events: ";
pub const SOURCE: &str = "Source: ";
pub const A_ROW: &str = "16 a row";

/// A past hop leads to the time at which the packet left for it.
pub fn go_to(left: &str, from: &str, waits: &str) -> String {
    format!("Go to {left}, when its first bit leaves {from}. It waits {waits} in the queue before.")
}

/// A destination address, for screen readers.
pub fn address(active: &str, names: &str, left: usize) -> String {
    format!("Active uSID {active}, {names}; {left} left")
}

/// The bytes, for screen readers.
pub fn bytes(count: usize) -> String {
    format!("{count} bytes, as the tree beside them says")
}

/// Bytes for which there is no room.
pub fn more_bytes(count: &str) -> String {
    format!("and {count} more bytes")
}

/// What a button copies.
pub fn copy(text: &str) -> String {
    format!("Copy {text}")
}

/// What was copied.
pub fn copied(text: &str) -> String {
    format!("Copied {text}")
}

/// What a filter finds.
pub fn find(filter: &str) -> String {
    format!("List the events that match {filter}")
}

/// Where a field is, after its size.
pub fn extent(size: &str, first: usize, last: usize) -> String {
    match first == last {
        true => format!(" {size}, byte {first}"),
        false => format!(" {size}, bytes {first}–{last}"),
    }
}

/// One packet of a SACK's bitmap.
pub fn arrived(psn: u32, has: bool) -> String {
    let state = if has { "has arrived" } else { "has not" };
    format!("PSN {psn} {state}")
}

/// A SACK's bitmap, for screen readers.
pub fn of_64(count: u32) -> String {
    format!("{count} of 64 packets have arrived")
}

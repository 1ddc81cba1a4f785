//! Reads captures: classic pcap (draft-ietf-opsawg-pcap) in microseconds or nanoseconds, and pcapng
//! (draft-ietf-opsawg-pcapng), in either byte order.
//!
//! It works on a slice, so it needs no files and holds nothing but the list of interfaces. An own reader because the crates at
//! hand do not name the place of an error and leave out what captures do hold (resolutions of 2⁻ⁿ, packet blocks of old files).

mod error;
mod pcap;
mod pcapng;

pub use error::{CaptureError, Reason};

/// Link type of Ethernet (the numbers are those of draft-ietf-opsawg-pcaplinktype).
pub const LINKTYPE_ETHERNET: u16 = 1;
/// Link type of packets that begin with their IPv4 or IPv6 header.
pub const LINKTYPE_RAW: u16 = 101;
/// Link type of Linux "cooked" captures, which `tcpdump -i any` used to write.
pub const LINKTYPE_LINUX_SLL: u16 = 113;
/// Link type of the second version of Linux "cooked" captures.
pub const LINKTYPE_LINUX_SLL2: u16 = 276;

/// Picoseconds in a second.
const SECOND_PS: i128 = 1_000_000_000_000;

/// A packet of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// When it was captured, in picoseconds since 1970; a simple packet block does not say.
    pub time_ps: Option<i128>,
    /// The interface's number in its section; 0 in pcap.
    pub interface: u32,
    /// What its bytes begin with.
    pub link_type: u16,
    /// The bytes that were kept.
    pub bytes: &'a [u8],
    /// How many it had.
    pub original_len: u32,
}

/// The packets of a capture, in the file's order. After an error there is nothing more.
pub struct Packets<'a> {
    state: Option<State<'a>>,
}

enum State<'a> {
    Pcap(pcap::Reader<'a>),
    Pcapng(pcapng::Reader<'a>),
}

/// The packets of the capture `file`.
///
/// # Errors
/// [`Reason::NotACapture`], [`Reason::Compressed`], or what is wrong with the file's header. What is wrong behind it comes from
/// the iterator.
pub fn packets(file: &[u8]) -> Result<Packets<'_>, CaptureError> {
    let state = match file {
        [0x0a, 0x0d, 0x0d, 0x0a, ..] => State::Pcapng(pcapng::Reader::new(file)),
        _ => State::Pcap(pcap::Reader::new(file)?),
    };
    Ok(Packets { state: Some(state) })
}

impl<'a> Iterator for Packets<'a> {
    type Item = Result<Captured<'a>, CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match self.state.as_mut()? {
            State::Pcap(reader) => reader.next(),
            State::Pcapng(reader) => reader.next(),
        };
        if let Err(_) | Ok(None) = next {
            self.state = None;
        }
        next.transpose()
    }
}

/// The byte order of a file or section.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Order::Little => u16::from_le_bytes(bytes),
            Order::Big => u16::from_be_bytes(bytes),
        }
    }

    fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Order::Little => u32::from_le_bytes(bytes),
            Order::Big => u32::from_be_bytes(bytes),
        }
    }

    fn i64(self, bytes: [u8; 8]) -> i64 {
        match self {
            Order::Little => i64::from_le_bytes(bytes),
            Order::Big => i64::from_be_bytes(bytes),
        }
    }
}

/// Takes `N` bytes off the front.
fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(*head)
}

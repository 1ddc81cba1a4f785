//! The walk from header to header.

mod mrc;
mod network;
mod roce;
mod transport;
mod tunnel;

use super::{FieldView, HeaderView, MALFORMED, MAX_LEN};
use crate::ethernet::{self, FCS_LEN};
use crate::{Field, Header, WireError, sizes};

/// Position in a frame. `at <= end <= bytes.len()` always; views cover `..at`.
pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    /// The next byte to describe.
    at: usize,
    /// Where the innermost length field read so far ends the packet.
    end: usize,
    views: Vec<HeaderView>,
    /// The first length field that promises more bytes than there are.
    cut: Option<WireError>,
    /// Bytes of input beyond the limit.
    beyond: usize,
    /// How long a trimmed packet is.
    trim_len: usize,
    /// How many packets are around the one that is being read.
    depth: u32,
    /// Whether something of MRC was met, whose DSCP names apply then.
    mrc: bool,
}

/// Packets that are looked for in one another; what is deeper is data (our choice: VFP wraps twice at most).
const MAX_DEPTH: u32 = 3;

impl<'a> Walk<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let end = bytes.len().min(MAX_LEN);
        Walk {
            bytes: &bytes[..end],
            at: 0,
            end,
            views: Vec::new(),
            cut: None,
            beyond: bytes.len() - end,
            trim_len: sizes::TRIM_LEN,
            depth: 0,
            mrc: false,
        }
    }

    pub(super) fn run(mut self) -> Vec<HeaderView> {
        let broken = self.ethernet().err();
        if !self.mrc {
            self.plain_dscp();
        }
        if broken.is_none() {
            self.trailer();
        }
        let too_long = WireError::Trailing {
            after: "the longest frame that is described",
            len: self.beyond,
        };
        if let Some(reason) = self
            .cut
            .take()
            .or(broken)
            .or((self.beyond > 0).then_some(too_long))
        {
            self.malformed(&reason);
        }
        self.views
    }

    /// What follows the packet: the FCS, or something else.
    fn trailer(&mut self) {
        const DOC: &str = "Frame check sequence: CRC-32 over the whole frame.";
        self.end = self.bytes.len();
        let (frame, rest) = self.bytes.split_at(self.at);
        if rest.len() == FCS_LEN && rest == ethernet::fcs(frame) {
            let value = u32::from_le_bytes(ethernet::fcs(frame));
            self.raw("FCS", "fcs", FCS_LEN, DOC);
            self.value(format!("{value:#010x} (correct)"));
        } else {
            self.raw(
                "Trailer",
                "data",
                rest.len(),
                "Bytes after the end that the packet's lengths give.",
            );
        }
    }

    /// Takes the names of MRC's traffic classes off the IPv6 headers of a packet that is none of MRC's.
    fn plain_dscp(&mut self) {
        let fields = self.views.iter_mut().flat_map(|view| &mut view.fields);
        for field in fields.filter(|field| field.name == "dscp") {
            if let Some((number, _)) = field.value.split_once(' ') {
                field.value.truncate(number.len());
            }
        }
    }

    /// Everything up to the end, undecoded.
    fn data(&mut self) -> Result<(), WireError> {
        self.raw(
            "Data",
            "data",
            self.end - self.at,
            "Bytes that are not decoded here.",
        );
        Ok(())
    }

    /// A header, whatever its reserved bits hold.
    fn header<H: Header>(&mut self, name: &'static str) -> Result<H, WireError> {
        let bytes = &self.bytes[self.at..self.end];
        self.fields::<H>(name);
        H::read(bytes)
    }

    /// A header's view, or as much of it as there is.
    fn fields<H: Header>(&mut self, name: &'static str) {
        let bytes = &self.bytes[self.at..self.end];
        let bytes = &bytes[..bytes.len().min(H::LEN)];
        if bytes.is_empty() {
            return;
        }
        let base = self.at * 8;
        let fields = H::FIELDS
            .iter()
            .filter_map(|field| view(field, bytes, base))
            .collect();
        self.views.push(HeaderView {
            name,
            offset: self.at,
            len: bytes.len(),
            summary: String::new(),
            fields,
        });
        self.at += bytes.len();
    }

    /// A run of bytes as one view with one field; none if it is empty.
    fn raw(&mut self, name: &'static str, field: &'static str, len: usize, doc: &'static str) {
        if len == 0 {
            return;
        }
        let value = format!("{len} {}", if len == 1 { "byte" } else { "bytes" });
        let field = FieldView {
            name: field,
            value,
            bit_offset: self.at * 8,
            bit_len: len * 8,
            doc,
        };
        let summary = String::new();
        self.views.push(HeaderView {
            name,
            offset: self.at,
            len,
            summary,
            fields: vec![field],
        });
        self.at += len;
    }

    fn malformed(&mut self, reason: &WireError) {
        let len = self.bytes.len() - self.at + self.beyond;
        let text = reason.to_string();
        let field = FieldView {
            name: "reason",
            value: text.clone(),
            bit_offset: self.at * 8,
            bit_len: len.saturating_mul(8),
            doc: "Why the bytes cannot be read on.",
        };
        let fields = vec![field];
        self.views.push(HeaderView {
            name: MALFORMED,
            offset: self.at,
            len,
            summary: text,
            fields,
        });
        self.at = self.bytes.len();
    }

    /// Sets the last view's one-line summary.
    fn summary(&mut self, text: String) {
        if let Some(view) = self.views.last_mut() {
            view.summary = text;
        }
    }

    /// Sets the value of the last view's last field.
    fn value(&mut self, text: String) {
        if let Some(field) = self.views.last_mut().and_then(|view| view.fields.last_mut()) {
            field.value = text;
        }
    }

    /// Sets the value of the last view's field of this name.
    fn set(&mut self, name: &'static str, text: String) {
        let fields = self.views.last_mut().map(|view| &mut view.fields);
        if let Some(field) = fields.into_iter().flatten().find(|field| field.name == name) {
            field.value = text;
        }
    }

    /// Says of the last header's checksum whether it is right. `sum` is the checksum over all it covers, so 0 if it is; what
    /// was cut off the frame cannot be checked.
    fn verdict(&mut self, found: u16, sum: u16) {
        // What the sum misses, added to the value found, is the right one (RFC 1071; `internet` answers the complement).
        let right = !crate::checksum::internet(&[&sum.to_be_bytes(), &found.to_be_bytes()]);
        let verdict = match sum {
            0 => "correct".into(),
            _ => format!("wrong, the packet's is {right:#06x}"),
        };
        self.set("checksum", format!("{found:#06x} ({verdict})"));
    }

    /// Follows a length field of the last header: `len` bytes from `start` on belong to the packet.
    fn narrow(&mut self, field: &'static str, start: usize, len: usize) {
        let actual = self.end - start;
        if len <= actual {
            self.end = self.at.max(start + len);
        } else if self.cut.is_none() {
            self.cut = Some(WireError::Length {
                header: self.views.last().map_or("", |view| view.name),
                field,
                claimed: len,
                actual,
            });
        }
    }
}

/// A field's view; what is left of it if `header` ends inside it, nothing if it ends before.
fn view(field: &Field, header: &[u8], base: usize) -> Option<FieldView> {
    let have = (header.len() * 8) as u32;
    if field.lo >= have {
        return None;
    }
    let hi = field.hi.min(have);
    let kept = Field { hi, ..*field }.get(header);
    let value = if hi < field.hi {
        format!(
            "{kept:#x} (first {} of {} bits)",
            hi - field.lo,
            field.hi - field.lo
        )
    } else {
        field.text(kept)
    };
    Some(FieldView {
        name: field.name,
        value,
        bit_offset: base + field.lo as usize,
        bit_len: (hi - field.lo) as usize,
        doc: field.doc,
    })
}

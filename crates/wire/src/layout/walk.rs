//! The walk from header to header.

use super::{FieldView, HeaderView, MALFORMED, MAX_LEN};
use crate::ethernet::{self, ETHERTYPE_IPV6, FCS_LEN};
use crate::ipv6::{NEXT_HEADER_IPV6, NEXT_HEADER_UDP};
use crate::srh::{NEXT_HEADER_ROUTING, ROUTING_TYPE};
use crate::udp::ROCE_PORT;
use crate::usid::USIDS;
use crate::{
    Aeth, Bth, CcState, Eeth, Erth, Ethernet, Field, Header, ImmDt, Ipv6, Meth, Neth, Opcode, Peth, Reth,
    Seth, Srh, Tseth, Udp, Usid, UsidContainer, WireError, WriteOpcode, icrc, sizes,
};

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
}

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
        }
    }

    pub(super) fn run(mut self) -> Vec<HeaderView> {
        let broken = self.ethernet().err();
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

    fn ethernet(&mut self) -> Result<(), WireError> {
        let ethernet: Ethernet = self.header("Ethernet")?;
        self.summary(format!("{} → {}", ethernet.src, ethernet.dst));
        match ethernet.ethertype {
            ETHERTYPE_IPV6 => self.outer_ip(),
            _ => self.data(),
        }
    }

    fn outer_ip(&mut self) -> Result<(), WireError> {
        let start = self.at;
        let ip: Ipv6 = self.header("IPv6")?;
        self.summary(format!("{} → {}", ip.src, ip.dst));
        let routed = ip.next_header == NEXT_HEADER_ROUTING && self.has_srh();
        if routed || ip.next_header == NEXT_HEADER_IPV6 {
            self.as_outer_ip(&ip);
        }
        self.narrow("payload_len", ip.payload_len.into());
        match ip.next_header {
            NEXT_HEADER_ROUTING if routed => self.srh(),
            NEXT_HEADER_IPV6 => self.inner_ip(),
            NEXT_HEADER_UDP => self.udp(start),
            _ => self.data(),
        }
    }

    /// Whether an SRH of the one length that there is a table for comes next, or the beginning of one.
    fn has_srh(&self) -> bool {
        let head = [(Srh::LEN / 8 - 1) as u8, ROUTING_TYPE];
        self.bytes.get(self.at + 1..self.at + 3) == Some(&head)
    }

    fn srh(&mut self) -> Result<(), WireError> {
        let srh: Srh = self.header(Srh::NAME)?;
        let segment = UsidContainer::from(srh.segment);
        self.summary(format!(
            "{segment} ({}), left: {}",
            segment.list(),
            srh.segments_left
        ));
        self.trim_len = sizes::TRIM_LEN_WITH_SRH;
        match srh.next_header {
            NEXT_HEADER_IPV6 => self.inner_ip(),
            _ => self.data(),
        }
    }

    /// Shows the IPv6 header as one around another: its destination is the SRv6 route, a list of uSIDs.
    fn as_outer_ip(&mut self, ip: &Ipv6) {
        const NAMES: [&str; USIDS] = ["usid_1", "usid_2", "usid_3", "usid_4", "usid_5", "usid_6"];
        let route = UsidContainer::from(ip.dst);
        self.summary(format!("{} → {route} ({})", ip.src, route.list()));
        let Some(view) = self.views.last_mut() else { return };
        view.name = "Outer IPv6";
        let Some(dst) = view.fields.pop_if(|field| field.name == "dst") else {
            return;
        };
        view.fields.push(FieldView {
            name: "usid_block",
            value: format!("{:#010x}", route.block()),
            bit_len: 32,
            doc: "Destination, first part: the fabric's locator block, the same at each hop.",
            ..dst
        });
        for (i, (name, usid)) in NAMES.into_iter().zip(route.slots()).enumerate() {
            view.fields.push(FieldView {
                name,
                value: format!("{:#06x} {usid}", usid.raw()),
                bit_offset: dst.bit_offset + 32 + 16 * i,
                bit_len: Usid::BITS as usize,
                doc: "Destination, a uSID: a node whose own is the first one shifts all of them left by one place.",
            });
        }
    }

    fn inner_ip(&mut self) -> Result<(), WireError> {
        let start = self.at;
        let ip: Ipv6 = self.header("Inner IPv6")?;
        self.summary(format!("{} → {}", ip.src, ip.dst));
        self.narrow("payload_len", ip.payload_len.into());
        match ip.next_header {
            NEXT_HEADER_UDP => self.udp(start),
            _ => self.data(),
        }
    }

    fn udp(&mut self, ip_start: usize) -> Result<(), WireError> {
        let udp: Udp = self.header("UDP")?;
        self.summary(format!("{} → {}", udp.src_port, udp.dst_port));
        let Some(len) = usize::from(udp.length).checked_sub(Udp::LEN) else {
            let found = udp.length.into();
            return Err(WireError::Field {
                header: Udp::NAME,
                field: "length",
                found,
                expected: "at least 8",
            });
        };
        self.narrow("length", len);
        match udp.dst_port {
            ROCE_PORT => self.bth(ip_start),
            _ => self.data(),
        }
    }

    fn bth(&mut self, ip_start: usize) -> Result<(), WireError> {
        let bth: Bth = self.header("BTH")?;
        let rtx = if bth.rtx { ", retransmitted" } else { "" };
        self.summary(format!(
            "{}, QP {:#x}, PSN {}{rtx}",
            bth.opcode,
            bth.dest_qp.get(),
            bth.psn
        ));
        let packet_end = self.end;
        match bth.opcode {
            Opcode::Write(_) if packet_end == self.trim_len => return self.trimmed(&bth),
            _ if self.cut.is_none() => self.end = packet_end.saturating_sub(icrc::LEN).max(self.at),
            _ => {}
        }
        match bth.opcode {
            Opcode::Write(opcode) => self.write(&bth, opcode)?,
            Opcode::Acknowledge => self.last::<Aeth>()?,
            Opcode::EndpointRequest => self.last::<Erth>()?,
            Opcode::EndpointResponse => self.last::<Eeth>()?,
            Opcode::Sack => {
                self.header::<Seth>(Seth::NAME)?;
                self.last::<CcState>()?;
            }
            Opcode::Nack => self.last::<Neth>()?,
            Opcode::ProbeRequest => self.last::<Peth>()?,
        }
        self.end = packet_end;
        if self.cut.is_none() {
            self.icrc(ip_start)
        } else {
            Ok(())
        }
    }

    fn write(&mut self, bth: &Bth, opcode: WriteOpcode) -> Result<(), WireError> {
        self.header::<Meth>(Meth::NAME)?;
        if bth.ts {
            self.header::<Tseth>(Tseth::NAME)?;
        }
        self.header::<Reth>(Reth::NAME)?;
        if opcode.has_immediate() {
            self.header::<ImmDt>(ImmDt::NAME)?;
        }
        let left = self.end - self.at;
        let pad = (bth.pad.get() as usize).min(left);
        self.raw("Payload", "data", left - pad, "Bytes of the message.");
        self.raw("Padding", "padding", pad, "Zero bytes up to a multiple of four.");
        Ok(())
    }

    /// A data packet that ends inside its RETH.
    fn trimmed(&mut self, bth: &Bth) -> Result<(), WireError> {
        self.header::<Meth>(Meth::NAME)?;
        if bth.ts {
            self.header::<Tseth>(Tseth::NAME)?;
        }
        self.fields::<Reth>("RETH, cut by trimming");
        Ok(())
    }

    /// The last header of a packet without data.
    fn last<H: Header>(&mut self) -> Result<(), WireError> {
        self.header::<H>(H::NAME)?;
        match self.end - self.at {
            0 => Ok(()),
            len => Err(WireError::Trailing { after: H::NAME, len }),
        }
    }

    fn icrc(&mut self, ip_start: usize) -> Result<(), WireError> {
        const DOC: &str = "Invariant CRC: CRC-32 over the inner packet but for what may change on the way.";
        let Some(found) = self.bytes[self.at..self.end].first_chunk() else {
            return Err(WireError::Truncated {
                header: "iCRC",
                need: icrc::LEN,
                have: self.end - self.at,
            });
        };
        let found = u32::from_le_bytes(*found);
        let verdict = match icrc::compute(&self.bytes[ip_start..self.at]) {
            Ok(computed) if computed == found => "correct".into(),
            Ok(computed) => format!("wrong, the packet's is {computed:#010x}"),
            Err(error) => error.to_string(),
        };
        self.raw("iCRC", "icrc", icrc::LEN, DOC);
        self.value(format!("{found:#010x} ({verdict})"));
        Ok(())
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

    /// Follows a length field of the last header: `len` bytes from here on belong to the packet.
    fn narrow(&mut self, field: &'static str, len: usize) {
        let actual = self.end - self.at;
        if len <= actual {
            self.end = self.at + len;
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

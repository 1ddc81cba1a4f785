//! What only MRC has: SRv6 routes, and everything behind RoCEv2's UDP port.

use super::Walk;
use crate::ipv6::NEXT_HEADER_IPV6;
use crate::layout::FieldView;
use crate::srh::ROUTING_TYPE;
use crate::usid::USIDS;
use crate::{
    Aeth, Bits, Bth, CcState, Eeth, Erth, Header, ImmDt, Ipv6, Meth, Neth, Opcode, Peth, Reth, Seth, Srh,
    Tseth, Usid, UsidContainer, WireError, WriteOpcode, icrc, sizes,
};

impl Walk<'_> {
    /// Whether an SRH of the one length that there is a table for comes next, or the beginning of one.
    pub(super) fn has_srh(&self) -> bool {
        let head = [(Srh::LEN / 8 - 1) as u8, ROUTING_TYPE];
        self.bytes.get(self.at + 1..self.at + 3) == Some(&head)
    }

    pub(super) fn srh(&mut self) -> Result<(), WireError> {
        let srh: Srh = self.header(Srh::NAME)?;
        let segment = UsidContainer::from(srh.segment);
        self.summary(format!(
            "{segment} ({}), left: {}",
            segment.list(),
            srh.segments_left
        ));
        self.trim_len = sizes::TRIM_LEN_WITH_SRH;
        match srh.next_header {
            NEXT_HEADER_IPV6 => self.nested(Self::ipv6),
            _ => self.data(),
        }
    }

    /// Shows the IPv6 header as one around another: its destination is the SRv6 route, a list of uSIDs.
    pub(super) fn as_outer_ip(&mut self, ip: &Ipv6) {
        const NAMES: [&str; USIDS] = ["usid_1", "usid_2", "usid_3", "usid_4", "usid_5", "usid_6"];
        self.mrc = true;
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

    pub(super) fn bth(&mut self, ip_start: usize) -> Result<(), WireError> {
        let bth: Bth = self.header("BTH")?;
        self.mrc = true;
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
        self.payload(bth.pad);
        Ok(())
    }

    /// A payload up to the end, and the padding that the BTH announces.
    pub(super) fn payload(&mut self, pad: Bits<2>) {
        let left = self.end - self.at;
        let pad = (pad.get() as usize).min(left);
        self.raw("Payload", "data", left - pad, "Bytes of the message.");
        self.raw("Padding", "padding", pad, "Zero bytes up to a multiple of four.");
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
    pub(super) fn last<H: Header>(&mut self) -> Result<(), WireError> {
        self.header::<H>(H::NAME)?;
        match self.end - self.at {
            0 => Ok(()),
            len => Err(WireError::Trailing { after: H::NAME, len }),
        }
    }

    pub(super) fn icrc(&mut self, ip_start: usize) -> Result<(), WireError> {
        const DOC: &str = "Invariant CRC: CRC-32 over the (inner) packet but for what may change on the way.";
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
}

//! What follows RoCEv2's UDP port where it is RoCEv2's own, and PFC.

use super::Walk;
use crate::pfc::OPCODE_PFC;
use crate::roce::CNP_RESERVED;
use crate::{Header, ImmDt, Pfc, Reth, RoceAeth, RoceBth, RoceOpcode, SackPsn, WireError, icrc};

impl Walk<'_> {
    /// Whether the BTH that comes next has one of RoCEv2's opcodes that are read here.
    pub(super) fn is_roce(&self) -> bool {
        let opcode = self.bytes[..self.end].get(self.at);
        opcode.is_some_and(|&code| RoceOpcode::from_code(code).is_some())
    }

    pub(super) fn roce_bth(&mut self, ip_start: usize) -> Result<(), WireError> {
        let bth: RoceBth = self.header(RoceBth::NAME)?;
        self.summary(format!(
            "{}, QP {:#x}, PSN {}",
            bth.opcode,
            bth.dest_qp.get(),
            bth.psn
        ));
        let packet_end = self.end;
        if self.cut.is_none() {
            self.end = packet_end.saturating_sub(icrc::LEN).max(self.at);
        }
        match bth.opcode {
            RoceOpcode::Acknowledge => {
                let aeth: RoceAeth = self.header(RoceAeth::NAME)?;
                self.summary(aeth.syndrome.to_string());
                if self.at < self.end {
                    self.last::<SackPsn>()?;
                }
            }
            RoceOpcode::Cnp => {
                let len = CNP_RESERVED.min(self.end - self.at);
                self.raw("CNP", "reserved", len, "Sixteen reserved bytes, zero.");
            }
            RoceOpcode::WriteFirst => self.roce_write(&bth, true, false)?,
            RoceOpcode::WriteMiddle | RoceOpcode::WriteLast => self.roce_write(&bth, false, false)?,
            RoceOpcode::WriteLastWithImmediate => self.roce_write(&bth, false, true)?,
            RoceOpcode::WriteOnly => self.roce_write(&bth, true, false)?,
            RoceOpcode::WriteOnlyWithImmediate => self.roce_write(&bth, true, true)?,
        }
        if self.at < self.end {
            self.data()?;
        }
        self.end = packet_end;
        match self.cut {
            None => self.icrc(ip_start),
            Some(_) => Ok(()),
        }
    }

    fn roce_write(&mut self, bth: &RoceBth, reth: bool, immediate: bool) -> Result<(), WireError> {
        if reth {
            self.header::<Reth>(Reth::NAME)?;
        }
        if immediate {
            self.header::<ImmDt>(ImmDt::NAME)?;
        }
        self.payload(bth.pad);
        Ok(())
    }

    pub(super) fn mac_control(&mut self) -> Result<(), WireError> {
        if self.bytes[self.at..self.end].first_chunk() != Some(&OPCODE_PFC.to_be_bytes()) {
            return self.data();
        }
        let pfc: Pfc = self.header(Pfc::NAME)?;
        let times = [
            pfc.time_0, pfc.time_1, pfc.time_2, pfc.time_3, pfc.time_4, pfc.time_5, pfc.time_6, pfc.time_7,
        ];
        let said = (0..8).filter(|class| pfc.class_enable >> class & 1 == 1);
        let said: Vec<String> = said
            .map(|class| match times[class] {
                0 => format!("class {class} goes on"),
                quanta => format!("class {class} pauses for {quanta} quanta"),
            })
            .collect();
        self.summary(said.join(", "));
        let left = self.end - self.at;
        self.raw(
            "Padding",
            "padding",
            left,
            "Zero bytes up to the shortest Ethernet frame.",
        );
        Ok(())
    }
}

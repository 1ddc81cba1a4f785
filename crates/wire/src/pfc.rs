//! Priority flow control: the frame that pauses classes of a link.

use crate::ethernet::FCS_LEN;
use crate::header::header;
use crate::{Ethernet, Header, Mac, WireError};

/// Ethertype of MAC control frames (IEEE 802.3 annex 31A).
pub const ETHERTYPE_MAC_CONTROL: u16 = 0x8808;

/// Opcode of priority flow control (IEEE 802.1Qbb; IEEE 802.3 annex 31D).
pub const OPCODE_PFC: u16 = 0x0101;

/// Where PAUSE frames go: the link's other end, and no further (IEEE 802.1Q: reserved address).
pub const DESTINATION: Mac = Mac([0x01, 0x80, 0xc2, 0x00, 0x00, 0x01]);

/// The shortest Ethernet frame, FCS included (IEEE 802.3).
const SHORTEST: usize = 64;

header! {
    /// What a frame of priority flow control says (IEEE 802.1Qbb). Times are pause quanta: 512 bit times each.
    pub struct Pfc("PFC", 20 bytes) {
        [0..16] "opcode" = 0x0101, "MAC control opcode: priority flow control.";
        [16..24] "reserved" = 0, "Reserved: the upper half of the class enable vector.";
        [24..32] class_enable: u8 as hex, "Classes that the times are for: bit c for class c.";
        [32..48] time_0: u16, "Pause of class 0 in quanta of 512 bit times; 0 ends it.";
        [48..64] time_1: u16, "Pause of class 1 in quanta of 512 bit times; 0 ends it.";
        [64..80] time_2: u16, "Pause of class 2 in quanta of 512 bit times; 0 ends it.";
        [80..96] time_3: u16, "Pause of class 3 in quanta of 512 bit times; 0 ends it.";
        [96..112] time_4: u16, "Pause of class 4 in quanta of 512 bit times; 0 ends it.";
        [112..128] time_5: u16, "Pause of class 5 in quanta of 512 bit times; 0 ends it.";
        [128..144] time_6: u16, "Pause of class 6 in quanta of 512 bit times; 0 ends it.";
        [144..160] time_7: u16, "Pause of class 7 in quanta of 512 bit times; 0 ends it.";
    }
}

/// A frame of priority flow control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PfcFrame {
    /// The port that sends it.
    pub src: Mac,
    /// By class: for how long, in quanta, where the frame speaks of it.
    pub times: [Option<u16>; 8],
}

impl PfcFrame {
    /// The frame's bytes without the FCS: with it, the shortest frame that Ethernet has.
    pub fn emit(&self) -> Vec<u8> {
        let mut out = vec![0; SHORTEST - FCS_LEN];
        Ethernet {
            dst: DESTINATION,
            src: self.src,
            ethertype: ETHERTYPE_MAC_CONTROL,
        }
        .emit(&mut out);
        let class_enable = (0..8).filter(|&class| self.times[class].is_some());
        let [time_0, time_1, time_2, time_3, time_4, time_5, time_6, time_7] =
            self.times.map(Option::unwrap_or_default);
        Pfc {
            class_enable: class_enable.fold(0, |bits, class| bits | 1 << class),
            time_0,
            time_1,
            time_2,
            time_3,
            time_4,
            time_5,
            time_6,
            time_7,
        }
        .emit(&mut out[Ethernet::LEN..]);
        out
    }

    /// The frame that `bytes`, without FCS, are; it accepts exactly the bytes that [`PfcFrame::emit`] makes of some frame.
    ///
    /// # Errors
    /// A header cut off, a reserved bit set, or the first byte that a sender would have written otherwise: the destination, a time of a
    /// class that is not named, the padding.
    pub fn parse(bytes: &[u8]) -> Result<PfcFrame, WireError> {
        let ethernet = Ethernet::parse(bytes)?;
        let pfc = Pfc::parse(&bytes[Ethernet::LEN..])?;
        let times = [
            pfc.time_0, pfc.time_1, pfc.time_2, pfc.time_3, pfc.time_4, pfc.time_5, pfc.time_6, pfc.time_7,
        ];
        let is_named = |class: usize| pfc.class_enable >> class & 1 == 1;
        let frame = PfcFrame {
            src: ethernet.src,
            times: std::array::from_fn(|class| is_named(class).then_some(times[class])),
        };
        let again = frame.emit();
        if bytes.len() < again.len() {
            return Err(WireError::Truncated {
                header: "PFC frame",
                need: again.len(),
                have: bytes.len(),
            });
        }
        if bytes.len() > again.len() {
            return Err(WireError::Trailing {
                after: "PFC frame",
                len: bytes.len() - again.len(),
            });
        }
        match again
            .iter()
            .zip(bytes)
            .position(|(wanted, found)| wanted != found)
        {
            None => Ok(frame),
            Some(offset) => Err(WireError::Differs {
                header: "PFC frame",
                field: "what follows from the others",
                offset,
                found: bytes[offset],
                expected: again[offset],
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bits;

    fn pause() -> PfcFrame {
        let mut times = [None; 8];
        times[3] = Some(0xffff);
        PfcFrame {
            src: Mac::nic(1, Bits::wrapping(7)),
            times,
        }
    }

    /// IEEE 802.1Qbb: destination 01-80-C2-00-00-01, 88-08, 01-01, enable vector, eight times; padded to 60 bytes and FCS.
    #[test]
    fn bytes_of_a_frame() {
        let bytes = pause().emit();
        let mut expected = vec![
            1, 0x80, 0xc2, 0, 0, 1, 2, 0, 1, 0, 0, 7, 0x88, 0x08, 1, 1, 0, 0b1000,
        ];
        expected.extend([0, 0, 0, 0, 0, 0, 0xff, 0xff]);
        expected.resize(60, 0);
        assert_eq!(bytes, expected);
        assert_eq!(PfcFrame::parse(&bytes), Ok(pause()));
    }

    #[test]
    fn what_is_no_such_frame_is_refused() {
        let bytes = pause().emit();
        for len in 0..bytes.len() {
            assert!(PfcFrame::parse(&bytes[..len]).is_err(), "{len}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert!(PfcFrame::parse(&long).is_err());
        // Any bit but those of the sender, the enabled class and its time.
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 0x80 >> (bit % 8);
            let back = PfcFrame::parse(&changed);
            assert!(back.is_err() || back.is_ok_and(|frame| frame != pause() && frame.emit() == changed));
        }
    }
}

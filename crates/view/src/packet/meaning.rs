//! What a field comes to: units multiplied out, offsets added up, bitmaps as ranges.

use super::source::is_usid;
use super::{Bits, value};
use crate::units;
use wire::layout::{FieldView, HeaderView};
use wire::{Ev, Header, Seth, Usid};

/// The packets that a SACK's bitmap speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitmap {
    /// The PSN of the lowest bit.
    pub base: u32,
    /// Bit i: the packet `i` PSNs later has arrived.
    pub bits: u64,
}

impl Bitmap {
    /// The PSN of bit `i`, 24 bits and wrapping.
    pub const fn psn(self, i: u32) -> u32 {
        self.base.wrapping_add(i) & 0xff_ffff
    }

    /// The PSNs that have arrived, neighbours together, as first and last.
    pub fn ranges(self) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        let mut last = None;
        for i in (0..64).filter(|i| self.bits >> i & 1 == 1) {
            match ranges.last_mut() {
                Some(range) if last.is_some_and(|last| last + 1 == i) => range.1 = self.psn(i),
                _ => ranges.push((self.psn(i), self.psn(i))),
            }
            last = Some(i);
        }
        ranges
    }
}

fn seth(bytes: &[u8], header: &HeaderView) -> Option<Seth> {
    if header.name != Seth::NAME {
        return None;
    }
    Seth::read(bytes.get(header.offset..header.offset + header.len)?).ok()
}

/// The bitmap of a SACK's header; none of another header.
pub fn bitmap(bytes: &[u8], header: &HeaderView) -> Option<Bitmap> {
    let seth = seth(bytes, header)?;
    Some(Bitmap {
        base: seth.bitmap_base().get(),
        bits: seth.sack_bitmap,
    })
}

/// What a field's number comes to, in words, where that is more than the number itself.
pub fn meaning(bytes: &[u8], header: &HeaderView, field: &FieldView) -> Option<String> {
    let raw = value(bytes, Bits::of(field));
    match (header.name, field.name) {
        ("SETH", name) => of_sack(&seth(bytes, header)?, bitmap(bytes, header)?, name),
        ("CC_STATE", "rcvd_bytes") => {
            let bytes = raw? * wire::seth::RCVD_BYTES_UNIT;
            Some(format!("{} B, modulo 2^32", units::count(bytes)))
        }
        ("CC_STATE", "rcv_cwnd_pen") => Some(format!(
            "{} of the acknowledged bytes",
            units::percent(raw? as f64 / 128.0)
        )),
        ("NETH", "entropy") => entropy(raw?),
        ("Outer IPv6" | "Inner IPv6" | "IPv6", "payload_len")
        | ("IPv4", "total_len")
        | ("UDP", "length")
        | ("RETH", "dma_len") => Some(format!("{} B", units::count(raw?))),
        ("Outer IPv6", name) if is_usid(name) => {
            let usid = Usid::from_raw(u16::try_from(raw?).ok()?);
            let tier = usid.tier()?;
            Some(format!(
                "plane {} (bits 15–13), tier {tier} (bits 12–11), index {} (bits 10–0)",
                usid.plane(),
                usid.index()
            ))
        }
        ("PFC", name) if name.starts_with("time_") => Some(match raw? {
            0 => "data of the class may go on, where the class is enabled".into(),
            quanta => format!("{} bit times", units::count(quanta * 512)),
        }),
        _ => None,
    }
}

/// A field of a SACK's header.
fn of_sack(seth: &Seth, bitmap: Bitmap, field: &str) -> Option<String> {
    match field {
        "ack_psn_offset" => Some(format!("PSN {} triggered this SACK", seth.ack_psn())),
        "sack_offset" => Some(format!("the bitmap begins with PSN {}", bitmap.base)),
        "mpr" => Some(units::things(
            u64::from(seth.mpr) * u64::from(wire::seth::MPR_UNIT),
            "packet",
        )),
        "entropy" => entropy(u64::from(seth.entropy.0)),
        "sack_bitmap" => {
            let ranges = bitmap.ranges();
            let (first, last) = (bitmap.psn(0), bitmap.psn(63));
            if ranges.is_empty() {
                return Some(format!("of PSN {first} to {last} none has arrived"));
            }
            let list: Vec<String> = ranges
                .iter()
                .map(|&(from, to)| match to == from {
                    true => from.to_string(),
                    false => format!("{from}–{to}"),
                })
                .collect();
            Some(format!(
                "of PSN {first} to {last} {} arrived: {}",
                bitmap.bits.count_ones(),
                list.join(", ")
            ))
        }
        _ => None,
    }
}

/// The two halves of an EV, as the simulator makes it.
fn entropy(raw: u64) -> Option<String> {
    let ev = Ev(u32::try_from(raw).ok()?);
    let turn = Usid::from_raw((ev.0 >> 16) as u16);
    Some(format!(
        "turns round at {turn} (flow label {:#x}), UDP source port {}",
        ev.flow_label().get(),
        ev.src_port()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::samples;
    use wire::layout::describe;

    fn of(frame: &[u8], header: &str, field: &str) -> Option<String> {
        let headers = describe(frame);
        let header = headers.iter().find(|view| view.name == header).expect("header");
        let field = header
            .fields
            .iter()
            .find(|view| view.name == field)
            .expect("field");
        meaning(frame, header, field)
    }

    /// Of PSNs 12 to 75 those of bits 1, 2, 3 and 63.
    #[test]
    fn a_bitmap_becomes_ranges_of_psns() {
        let bitmap = Bitmap {
            base: 12,
            bits: 0b1110 | 1 << 63,
        };
        assert_eq!(bitmap.ranges(), [(13, 15), (75, 75)]);
        let wraps = Bitmap {
            base: 0xff_ffff,
            bits: 0b11,
        };
        assert_eq!(wraps.ranges(), [(0xff_ffff, 0)], "PSNs have 24 bits");
        assert!(Bitmap { base: 1, bits: 0 }.ranges().is_empty());
    }

    /// The sample says cack_psn 10, ack_psn_offset +5, sack_offset +2, bits 1 and 3, mpr 3, rcvd_bytes 4.
    #[test]
    fn offsets_are_added_and_units_multiplied_out() {
        let sack = samples::sack();
        let seen = |header, field| of(&sack, header, field).unwrap();
        assert_eq!(seen("SETH", "ack_psn_offset"), "PSN 15 triggered this SACK");
        assert_eq!(seen("SETH", "sack_offset"), "the bitmap begins with PSN 12");
        assert_eq!(seen("SETH", "sack_bitmap"), "of PSN 12 to 75 2 arrived: 13, 15");
        assert_eq!(seen("SETH", "mpr"), "384 packets");
        assert_eq!(seen("CC_STATE", "rcvd_bytes"), "1\u{202f}024 B, modulo 2^32");
        assert_eq!(seen("CC_STATE", "rcv_cwnd_pen"), "25 % of the acknowledged bytes");
        assert_eq!(of(&sack, "SETH", "cack_psn"), None, "the number says it");
    }

    /// Plane 3 in bits 15 to 13, tier 2 (T1) in 12 and 11, index 17: 0x7011.
    #[test]
    fn a_usid_says_what_its_bits_are() {
        let text = of(&samples::data(), "Outer IPv6", "usid_2").unwrap();
        assert_eq!(
            text,
            "plane 3 (bits 15–13), tier t1 (bits 12–11), index 17 (bits 10–0)"
        );
        assert_eq!(
            of(&samples::data(), "Outer IPv6", "usid_6"),
            None,
            "the list has ended"
        );
    }
}

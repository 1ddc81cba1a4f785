//! From a field of a packet to the filter of the events list that finds what has the same value there.

use super::source::is_usid;
use super::{Bits, value};
use crate::inspect::PacketDetail;
use crate::log::PacketWord;
use scenario::SwitchName;
use wire::layout::{FieldView, HeaderView};
use wire::{NackReason, Tier, Usid};

/// ECN's code point for congestion experienced (RFC 3168).
const CE: u64 = 3;

/// The filter; none where the list's rows know nothing of the field.
pub fn filter(packet: &PacketDetail, header: &HeaderView, field: Option<&FieldView>) -> Option<String> {
    let Some(field) = field else {
        return of_header(packet, header);
    };
    let raw = value(&packet.bytes, Bits::of(field));
    let flag = |name: &str, is_set: bool| Some(format!("{}{name}", if is_set { "" } else { "!" }));
    match (header.name, field.name) {
        ("BTH", "opcode") => Some(format!("packet == {}", packet.word.slug())),
        ("BTH", "dest_qp") => packet.qp.map(|qp| format!("qp == {qp}")),
        ("BTH", "rtx") if packet.is_data => flag("retransmission", raw? == 1),
        ("BTH", "psn") | ("NETH", "nack_psn") if raw? == u64::from(packet.psn) => {
            Some(format!("psn == {}", packet.psn))
        }
        ("NETH", "nack_reason") => {
            let reason = NackReason::from_code(u8::try_from(raw?).ok()?)?;
            Some(format!("reason == {}", reason.to_string().to_lowercase()))
        }
        ("Outer IPv6" | "IPv4", "ecn") if packet.is_data => flag("ecn", raw? == CE),
        ("Inner IPv6" | "IPv4", end @ ("src" | "dst")) => {
            let (src, dst) = packet.ends?;
            // Fields of the list speak of the QP's data; an answer goes the other way.
            Some(match (end == "src") != packet.is_answer {
                true => format!("src == {src}"),
                false => format!("dst == {dst}"),
            })
        }
        ("Outer IPv6" | "Inner IPv6", "flow_label") | ("UDP", "src_port") | ("SETH" | "NETH", "entropy") => {
            packet.ev.map(|ev| format!("ev == {ev}"))
        }
        ("Outer IPv6", name) if is_usid(name) => {
            let usid = Usid::from_raw(u16::try_from(raw?).ok()?);
            let (plane, index) = (u32::from(usid.plane()), u32::from(usid.index()));
            let switch = match usid.tier()? {
                Tier::T0 => SwitchName::T0 { plane, index },
                Tier::T1 => SwitchName::T1 { plane, index },
                Tier::T2 => SwitchName::T2 { plane, index },
                Tier::Nic => return None,
            };
            Some(format!("switch == {switch}"))
        }
        _ => None,
    }
}

fn of_header(packet: &PacketDetail, header: &HeaderView) -> Option<String> {
    let word = packet.word.slug();
    match header.name {
        "RETH, cut by trimming" => Some("trimmed".into()),
        "SETH" | "NETH" | "PETH" | "AETH" | "CNP" | "PFC" => Some(format!("packet == {word}")),
        "METH" | "Payload" if packet.word == PacketWord::Data => Some(format!("packet == {word}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::packet::samples;
    use wire::layout::describe;

    fn packet(bytes: Vec<u8>, word: PacketWord) -> PacketDetail {
        PacketDetail {
            title: String::new(),
            qp: Some(3),
            psn: 15,
            is_data: word == PacketWord::Data,
            word,
            ev: Some(7),
            ends: Some((5, 9)),
            is_answer: word != PacketWord::Data,
            size: 0,
            sent_ps: 0,
            place: String::new(),
            path: Vec::new(),
            hop: 0,
            bytes,
            no_bytes: None,
        }
    }

    fn of(packet: &PacketDetail, header: &str, field: &str) -> Option<String> {
        let headers = describe(&packet.bytes);
        let header = headers.iter().find(|view| view.name == header).expect("header");
        let field = header
            .fields
            .iter()
            .find(|view| view.name == field)
            .expect("field");
        filter(packet, header, Some(field))
    }

    /// The sample is a retransmission with CE, from NIC 5 to 9 by p3/t1.17.
    #[test]
    fn fields_of_data_become_tests_of_the_list() {
        let data = packet(samples::data(), PacketWord::Data);
        for (header, field, expected) in [
            ("BTH", "opcode", "packet == data"),
            ("BTH", "dest_qp", "qp == 3"),
            ("BTH", "psn", "psn == 15"),
            ("BTH", "rtx", "retransmission"),
            ("Outer IPv6", "ecn", "ecn"),
            ("Outer IPv6", "usid_2", "switch == p3/t1.17"),
            ("Inner IPv6", "src", "src == 5"),
            ("Inner IPv6", "dst", "dst == 9"),
            ("UDP", "src_port", "ev == 7"),
        ] {
            assert_eq!(
                of(&data, header, field).as_deref(),
                Some(expected),
                "{header}.{field}"
            );
        }
        assert_eq!(of(&data, "Outer IPv6", "usid_4"), None, "a downlink is no switch");
        assert_eq!(
            of(&data, "Outer IPv6", "hop_limit"),
            None,
            "rows know nothing of it"
        );
    }

    #[test]
    fn answers_go_the_other_way() {
        let nack = packet(samples::nack(), PacketWord::Nack);
        assert_eq!(of(&nack, "Inner IPv6", "src").unwrap(), "dst == 9");
        assert_eq!(of(&nack, "NETH", "nack_reason").unwrap(), "reason == trimmed");
        assert_eq!(of(&nack, "NETH", "nack_psn").unwrap(), "psn == 15");
    }

    #[test]
    fn every_filter_can_be_read() {
        let mut seen = 0;
        for (_, bytes) in samples::frames() {
            for word in [PacketWord::Data, PacketWord::Nack] {
                let packet = packet(bytes.clone(), word);
                for header in describe(&packet.bytes) {
                    let fields = header.fields.iter().map(Some).chain([None]);
                    for text in fields.filter_map(|field| filter(&packet, &header, field)) {
                        assert!(text.parse::<Filter>().is_ok(), "{text}");
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }
}

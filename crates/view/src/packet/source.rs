//! By whose word a header is as it is.

/// Headers by the names that [`wire::layout`] gives them.
const HEADERS: &[(&str, &str)] = &[
    ("Ethernet", "IEEE 802.3; the MAC addresses are our choice"),
    ("Inner Ethernet", "IEEE 802.3"),
    ("VLAN", "IEEE 802.1Q"),
    ("IPv4", "RFC 791; DSCP and ECN: RFC 2474, RFC 3168"),
    ("Outer IPv4", "RFC 791"),
    ("Inner IPv4", "RFC 791"),
    ("IPv4 options", "RFC 791"),
    ("IPv6", "RFC 8200; DSCP and ECN: RFC 2474, RFC 3168"),
    (
        "Outer IPv6",
        "RFC 8200; its destination holds uSIDs: RFC 9800 (NEXT-CSID), MRC paper (arXiv 2605.04333)",
    ),
    (
        "Inner IPv6",
        "RFC 8200; IPv6 in IPv6: MRC paper (arXiv 2605.04333)",
    ),
    ("SRH", "RFC 8754 section 2"),
    ("UDP", "RFC 768; port 4791: RoCEv2"),
    ("TCP", "RFC 9293"),
    ("TCP options", "RFC 9293, RFC 7323, RFC 2018"),
    ("ICMP", "RFC 792"),
    ("ICMPv6", "RFC 4443"),
    ("ICMP echo", "RFC 792, RFC 4443"),
    ("ICMP rest of header", "RFC 792, RFC 4443"),
    ("VXLAN", "RFC 7348"),
    ("GRE", "RFC 2784, RFC 2890"),
    ("GRE checksum", "RFC 2784"),
    ("GRE key", "RFC 2890"),
    ("GRE sequence", "RFC 2890"),
    ("NVGRE", "RFC 7637"),
    (
        "BTH",
        "InfiniBand (IBTA) chapter 9; A, RTX and TS as MRC has them: third-party code",
    ),
    (
        "METH",
        "MRC specification, tables 6-8 and 6-9 (as third parties cite them)",
    ),
    (
        "TSETH",
        "MRC specification, tables 6-6 and 6-7 (as third parties cite them)",
    ),
    (
        "RETH",
        "InfiniBand (IBTA) chapter 9; MRC specification, table 6-5 (as third parties cite it)",
    ),
    (
        "RETH, cut by trimming",
        "MRC specification, table 6-5 (as third parties cite it); a trimmed packet ends inside it",
    ),
    ("ImmDt", "InfiniBand (IBTA) chapter 9"),
    (
        "AETH",
        "InfiniBand (IBTA) chapter 9; MRC's syndromes are our choice",
    ),
    (
        "SETH",
        "MRC specification, tables 7-14 and 7-15 (as third parties cite them)",
    ),
    (
        "CC_STATE",
        "MRC specification, tables 7-12 and 7-13 (as third parties cite them)",
    ),
    (
        "NETH",
        "MRC specification, tables 7-16 and 7-17 (as third parties cite them); reasons: UET 1.0",
    ),
    (
        "PETH",
        "MRC specification, tables 7-18 and 7-19 (as third parties cite them)",
    ),
    (
        "ERTH",
        "MRC specification, tables 7-20 and 7-21 (as third parties cite them)",
    ),
    (
        "EETH",
        "MRC specification, tables 7-22 and 7-23 (as third parties cite them)",
    ),
    (
        "SACK",
        "Our choice of form, after IRN (Mittal et al., SIGCOMM 2018)",
    ),
    ("CNP", "InfiniBand (IBTA) annex A17"),
    ("PFC", "IEEE 802.1Qbb"),
    (
        "iCRC",
        "InfiniBand (IBTA) annex A17; over the inner packet: our choice",
    ),
    ("FCS", "IEEE 802.3"),
    (
        "Payload",
        "A pattern: the simulator counts payload bytes and moves none",
    ),
    ("Padding", "Zero bytes"),
    ("Trailer", "Bytes behind the packet"),
    ("Data", "Not decoded"),
    ("Malformed", "The bytes do not follow the headers' rules"),
];

/// Fields whose form or values the public record leaves open, or that have a rule of their own.
const FIELDS: &[(&str, &str, &str)] = &[
    (
        "Outer IPv6",
        "usid_block",
        "RFC 9800: a locator block of 32 bits; its value fc00:0::/32 is our choice",
    ),
    (
        "Outer IPv6",
        "usid",
        "RFC 9800: identifiers of 16 bits, shifted left at each hop; plane 3 bits, tier 2, index 11: our choice",
    ),
    (
        "Outer IPv6",
        "dscp",
        "The classes are MRC's; their code points are left to the operator: our choice",
    ),
    (
        "Inner IPv6",
        "dscp",
        "The classes are MRC's; their code points are left to the operator: our choice",
    ),
    (
        "Outer IPv6",
        "flow_label",
        "MRC: half of the entropy value; which half is our choice",
    ),
    (
        "Inner IPv6",
        "flow_label",
        "MRC: half of the entropy value; which half is our choice",
    ),
    (
        "UDP",
        "src_port",
        "MRC: half of the entropy value, which half is our choice; RoCEv2: free for hashing (annex A17)",
    ),
    ("BTH", "psn", "InfiniBand (IBTA) chapter 9: 24 bits, wrapping"),
    (
        "SETH",
        "pr",
        "Third-party MRC code has it here; UET's like-named flag is two bits to the left",
    ),
    (
        "SETH",
        "sack_bitmap",
        "MRC specification, table 7-14: 64 bits; that the lowest bit is the base PSN is our choice",
    ),
    (
        "SETH",
        "mpr",
        "MRC specification, table 7-14: units of 128 packets",
    ),
    (
        "CC_STATE",
        "rcvd_bytes",
        "MRC specification, table 7-12: units of 256 bytes",
    ),
    (
        "RETH",
        "va",
        "Where the memory begins is our choice: the simulator moves no data",
    ),
    ("RETH", "rkey", "Our choice: the simulator moves no data"),
];

/// By whose word a header, or one of its fields, is as it is; none for a header that this does not know.
pub fn source(header: &str, field: Option<&str>) -> Option<&'static str> {
    // All uSIDs of a container have one rule.
    let is_it = |known: &str, field: &str| field == known || known == "usid" && is_usid(field);
    let of_field = field.and_then(|field| {
        FIELDS
            .iter()
            .find(|(of, known, _)| *of == header && is_it(known, field))
            .map(|(.., source)| *source)
    });
    of_field.or_else(|| {
        let known = HEADERS.iter().find(|(name, _)| *name == header);
        known.map(|(_, source)| *source)
    })
}

/// True for the name of a uSID's place in a container: `usid_1` to `usid_6`.
pub(super) fn is_usid(field: &str) -> bool {
    field
        .strip_prefix("usid_")
        .is_some_and(|place| place.len() == 1 && ("1"..="6").contains(&place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::samples;

    #[test]
    fn every_header_that_a_frame_of_the_fabric_has_is_known() {
        let mut seen = 0;
        for (name, frame) in samples::frames() {
            for header in wire::layout::describe(&frame) {
                assert!(source(header.name, None).is_some(), "{name}: {}", header.name);
                seen += 1;
            }
        }
        assert!(seen > 20);
    }

    /// The fields of the table are those that headers have.
    #[test]
    fn every_field_of_the_table_is_one_of_a_header() {
        let all: Vec<_> = samples::frames()
            .into_iter()
            .flat_map(|(_, frame)| wire::layout::describe(&frame))
            .collect();
        for (header, field, source) in FIELDS {
            let found = all.iter().any(|view| {
                view.name == *header
                    && view
                        .fields
                        .iter()
                        .any(|of| of.name == *field || *field == "usid" && is_usid(of.name))
            });
            assert!(found, "{header}.{field}");
            assert!(!source.is_empty());
        }
    }

    #[test]
    fn a_field_with_a_rule_of_its_own_says_it() {
        assert!(source("Outer IPv6", Some("usid_3")).unwrap().contains("RFC 9800"));
        assert_eq!(
            source("Outer IPv6", Some("hop_limit")),
            source("Outer IPv6", None)
        );
        assert_eq!(source("Token Ring", None), None);
    }
}

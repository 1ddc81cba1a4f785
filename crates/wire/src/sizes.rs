//! How many bytes each kind of packet takes, from the headers' own lengths.
//!
//! "L3" counts from the outer IPv6 header to the iCRC, "L2" the Ethernet frame with its header and FCS, "wire"
//! also the preamble and the inter-packet gap: what a link is busy for. Packets with a Segment Routing Header are longer
//! by [`SRH`].

use crate::ethernet::FCS_LEN;
use crate::seth::SACK_LEN;
use crate::{
    Aeth, Bth, Eeth, Erth, Ethernet, Header, ImmDt, Ipv6, Meth, Neth, Payload, Peth, Reth, Srh, Tseth, Udp,
    icrc,
};

/// Preamble with start-of-frame delimiter (8) and smallest inter-packet gap (12) of Ethernet (IEEE 802.3).
pub const PREAMBLE_AND_GAP: usize = 20;

/// Headers that every MRC packet has in front of those that its opcode names: outer and inner IPv6, UDP, BTH.
pub const COMMON_L3: usize = 2 * Ipv6::LEN + Udp::LEN + Bth::LEN;

/// Bytes that a Segment Routing Header adds to a packet.
pub const SRH: usize = Srh::LEN;

/// L3 bytes of a SACK.
pub const SACK_L3: usize = COMMON_L3 + SACK_LEN + icrc::LEN;
/// L3 bytes of a NACK.
pub const NACK_L3: usize = COMMON_L3 + Neth::LEN + icrc::LEN;
/// L3 bytes of an acknowledgement.
pub const ACK_L3: usize = COMMON_L3 + Aeth::LEN + icrc::LEN;
/// L3 bytes of a reliability probe request.
pub const PROBE_L3: usize = COMMON_L3 + Peth::LEN + icrc::LEN;
/// L3 bytes of an endpoint request (port status update, EV probe).
pub const ENDPOINT_REQUEST_L3: usize = COMMON_L3 + Erth::LEN + icrc::LEN;
/// L3 bytes of an endpoint response.
pub const ENDPOINT_RESPONSE_L3: usize = COMMON_L3 + Eeth::LEN + icrc::LEN;

/// Length that a switch cuts a trimmed packet to, from the Ethernet header on, FCS not counted
/// (the default of SAI and SONiC).
pub const TRIM_LEN: usize = 128;
/// L3 bytes of a trimmed packet; it has no iCRC.
pub const TRIMMED_L3: usize = TRIM_LEN - Ethernet::LEN;
/// The length that stands for [`TRIM_LEN`] where packets have a Segment Routing Header (our choice): as much of the inner
/// packet is left. A cut to 128 bytes would leave two bytes of the BTH, so no PSN that a NACK could name.
pub const TRIM_LEN_WITH_SRH: usize = TRIM_LEN + SRH;

/// L3 bytes of a data packet, padding included.
pub const fn data_l3(payload: Payload, timestamp: bool, immediate: bool) -> usize {
    let timestamp = if timestamp { Tseth::LEN } else { 0 };
    let immediate = if immediate { ImmDt::LEN } else { 0 };
    let payload = payload.len() + payload.pad().get() as usize;
    COMMON_L3 + Meth::LEN + timestamp + Reth::LEN + immediate + payload + icrc::LEN
}

/// Bytes of the Ethernet frame, FCS included, that carries `l3` bytes.
pub const fn l2(l3: usize) -> usize {
    Ethernet::LEN + l3 + FCS_LEN
}

/// Bytes of link time, preamble and gap included, that `l3` bytes take.
pub const fn wire(l3: usize) -> usize {
    l2(l3) + PREAMBLE_AND_GAP
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper reports about 770 of 800 Gb/s, 96 %; 4096 of 4262 bytes are 96.1 %.
    #[test]
    fn a_full_packet_takes_4262_bytes_of_the_wire() {
        let full = Payload::new(4096).unwrap();
        assert_eq!(data_l3(full, true, false), 124 + 4096 + 4);
        assert_eq!(l2(data_l3(full, true, false)), 4242);
        assert_eq!(wire(data_l3(full, true, false)), 4262);
        let percent = 4096.0 / wire(data_l3(full, true, false)) as f64 * 100.0;
        assert_eq!(format!("{percent:.1}"), "96.1");
    }

    #[test]
    fn control_packets() {
        assert_eq!(SACK_L3, 140);
        assert_eq!(NACK_L3, 124);
        assert_eq!(ACK_L3, 108);
        assert_eq!(PROBE_L3, 120);
        assert_eq!(ENDPOINT_REQUEST_L3, 120);
        assert_eq!(ENDPOINT_RESPONSE_L3, 140);
        assert_eq!(TRIMMED_L3, 114);
        assert_eq!(wire(TRIMMED_L3), 152);
    }

    /// RFC 8754 section 2: 8 bytes and 16 for each segment. Trimmed, 14 + 40 + 24 + 40 + 8 + 12 bytes reach the BTH's end.
    #[test]
    fn a_segment_routing_header_takes_24_bytes() {
        assert_eq!(SRH, 24);
        assert_eq!(TRIM_LEN_WITH_SRH, 152);
        assert_eq!(TRIM_LEN_WITH_SRH - (14 + 40 + 24 + 40 + 8 + 12), 14);
    }

    #[test]
    fn padding_and_optional_headers_count() {
        let one = Payload::new(1).unwrap();
        let four = Payload::new(4).unwrap();
        assert_eq!(data_l3(one, false, false), data_l3(four, false, false));
        assert_eq!(data_l3(four, true, true), data_l3(four, false, false) + 8);
        assert_eq!(data_l3(Payload::default(), false, false), 124);
    }
}

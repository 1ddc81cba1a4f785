//! How long packets are on the wire, under a model, a protocol and a routing.

use scenario::{Model, Protocol, Routing, Scenario};
use wire::sizes::{self, wire};
use wire::{Aeth, Bth, Header, Ipv6, Reth, Udp, icrc};

// IPv4 without options (RFC 791).
const IPV4: usize = 20;
// A CNP's 16 reserved bytes after the BTH (IBTA annex A17.9.3).
const CNP_RESERVED: usize = 16;
// Every packet of the peer's that carries no data, and the header of those that do.
const HTSIM: u16 = 64;

/// Wire sizes, with preamble and gap where the model counts them.
pub(crate) struct Sizes {
    /// Of a data packet beyond its payload.
    pub header: u16,
    /// What a message's first packet has beyond that.
    pub first: u16,
    pub sack: u16,
    pub nack: u16,
    pub ack: u16,
    pub cnp: u16,
    pub ack_probe: u16,
    pub probe: u16,
    pub probe_reply: u16,
    pub trimmed: u16,
}

impl Sizes {
    pub fn of(scenario: &Scenario) -> Sizes {
        match scenario.model {
            Model::Mrc => Sizes::in_full(scenario.transport.protocol, scenario.fabric.routing),
            Model::Htsim => Sizes {
                header: HTSIM,
                first: 0,
                sack: HTSIM,
                nack: HTSIM,
                ack: HTSIM,
                cnp: HTSIM,
                ack_probe: HTSIM,
                probe: HTSIM,
                probe_reply: HTSIM,
                trimmed: HTSIM,
            },
        }
    }

    /// From the headers' own lengths. Where switches choose the path, MRC does without the outer IPv6 header (facts 1.3), and
    /// RoCE goes over IPv4, as its published rates have it (facts 1.3: 392.1 of 400 Gb/s).
    fn in_full(protocol: Protocol, routing: Routing) -> Sizes {
        let outer = if routing == Routing::Source { 0 } else { Ipv6::LEN };
        let mrc = |l3: usize| wire(l3 - outer) as u16;
        let network = if routing == Routing::Source { 2 * Ipv6::LEN } else { IPV4 };
        let roce = |more: usize| wire(network + Udp::LEN + Bth::LEN + more + icrc::LEN) as u16;
        let is_roce = protocol == Protocol::Roce;
        Sizes {
            header: if is_roce {
                roce(0)
            } else {
                mrc(sizes::data_l3(wire::Payload::default(), true, false))
            },
            // Only the first packet of a WRITE has a RETH (IBTA 9.3), with MRC each has one.
            first: if is_roce { Reth::LEN as u16 } else { 0 },
            sack: mrc(sizes::SACK_L3),
            nack: mrc(sizes::NACK_L3),
            ack: if is_roce { roce(Aeth::LEN) } else { mrc(sizes::ACK_L3) },
            cnp: roce(CNP_RESERVED),
            ack_probe: mrc(sizes::PROBE_L3),
            probe: mrc(sizes::ENDPOINT_REQUEST_L3),
            probe_reply: mrc(sizes::ENDPOINT_RESPONSE_L3),
            trimmed: wire(sizes::TRIMMED_L3) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mrc_with_srv6_takes_4262_bytes_and_without_4222() {
        // Facts 1.3: 4,096 of 4,262 bytes are 96.1 %; 40 bytes less without the outer header are 97.0 %, 388.1 of 400 Gb/s.
        assert_eq!(Sizes::in_full(Protocol::Mrc, Routing::Source).header, 4_262 - 4_096);
        assert_eq!(Sizes::in_full(Protocol::Mrc, Routing::Ecmp).header, 4_222 - 4_096);
        assert_eq!(Sizes::in_full(Protocol::Mrc, Routing::Source).sack, 178);
    }

    #[test]
    fn roce_over_ipv4_takes_4178_bytes() {
        // Facts 1.3: 392.1 of 400 Gb/s. 8 + 14 + 20 + 8 + 12 + 4 + 4 + 12 bytes besides the payload.
        let sizes = Sizes::in_full(Protocol::Roce, Routing::Ecmp);
        assert_eq!((sizes.header, sizes.first), (82, 16));
        assert_eq!(format!("{:.1}", 400.0 * 4_096.0 / (4_096.0 + 82.0)), "392.1");
        // The AETH has 4 bytes, a CNP 16 reserved ones.
        assert_eq!((sizes.ack, sizes.cnp), (86, 98));
        // Source routing takes an IPv6 header in front of an inner one: 80 bytes instead of 20.
        assert_eq!(Sizes::in_full(Protocol::Roce, Routing::Source).header, 142);
    }
}

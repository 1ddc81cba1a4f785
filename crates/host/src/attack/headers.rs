//! The packets that attacks are made of.

use crate::addresses as at;
use gft::{Address, Encap, EncapKind, Headers, Protocol, Tuple};
use scenario::host::GuestEncap;

/// Another tenant's network, and a VM in it.
const OTHER_TNI: u32 = 6_001;
const OTHER_VM: Address = Address::v4(10, 9, 0, 4);
/// Addresses of an overlay that VMs of one tenant have made among themselves.
const OVERLAY: [Address; 2] = [Address::v4(192, 168, 7, 1), Address::v4(192, 168, 7, 2)];
/// VXLAN's UDP port (RFC 7348).
const VXLAN: u16 = 4_789;
/// The services at the far ends.
const SERVICE: u16 = 7;

fn udp(vm: u32, src: Address, src_port: u16, dst: Address, dst_port: u16) -> Headers {
    Headers {
        src_mac: at::vm_mac(vm),
        dst_mac: at::ROUTER_MAC,
        tuple: Tuple {
            src,
            dst,
            src_port,
            dst_port,
            protocol: Protocol::UDP,
        },
        ttl: 64,
        ..Headers::default()
    }
}

/// A packet of a VM's own to peer `peer`.
pub fn own(vm: u32, src_port: u16, peer: u32) -> Headers {
    udp(vm, at::vm(vm), src_port, at::peer(peer), SERVICE)
}

/// One with the victim's address as its source.
pub fn with_address(vm: u32, victim: u32, src_port: u16) -> Headers {
    udp(vm, at::vm(victim), src_port, at::peer(0), SERVICE)
}

/// One with the victim's MAC address as its source.
pub fn with_mac(vm: u32, victim: u32, src_port: u16) -> Headers {
    Headers {
        src_mac: at::vm_mac(victim),
        ..own(vm, src_port, 0)
    }
}

/// A VXLAN packet that a VM has made itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapped {
    /// For another tenant's VM, from the VM's own address to the provider address of that one's host.
    FromItself,
    /// The same from the provider address of its host.
    FromItsHost,
    /// Of an overlay between VMs of its own network: harmless.
    Overlay,
}

impl Wrapped {
    /// The `n`-th of an attack.
    pub fn nth(n: u64) -> Wrapped {
        [Wrapped::FromItself, Wrapped::FromItsHost, Wrapped::Overlay][(n % 3) as usize]
    }

    /// The headers that the host's parser finds.
    pub fn parsed(self, vm: u32, how: GuestEncap) -> Headers {
        let (src, dst) = match self {
            Wrapped::FromItself => (at::vm(vm), at::peer_pa(0)),
            Wrapped::FromItsHost => (at::HOST_PA, at::peer_pa(0)),
            Wrapped::Overlay => (at::vm(vm), at::peer(0)),
        };
        if how == GuestEncap::Payload {
            return udp(vm, src, VXLAN, dst, VXLAN);
        }
        // The inner source is the VM's own address, so that a guard that looks at the inner one lets it pass.
        let ((inner_src, inner_dst), tni) = match self {
            Wrapped::Overlay => ((OVERLAY[0], OVERLAY[1]), 1),
            _ => ((at::vm(vm), OTHER_VM), OTHER_TNI),
        };
        let encap = Encap {
            kind: EncapKind::Vxlan,
            src,
            dst,
            tni,
            dst_mac: at::ROUTER_MAC,
        };
        Headers {
            encaps: [Some(encap), None],
            ..udp(vm, inner_src, SERVICE, inner_dst, SERVICE)
        }
    }
}

/// A packet from the wire for a VM, from its peer but with another tenant's TNI.
pub fn from_other_tenant(vm: u32, pa: Address) -> Headers {
    let tuple = own(vm, SERVICE, 0).tuple.reversed();
    let mut headers = crate::policy::from_peer(tuple, vm, Some(0), true, pa);
    if let Some(encap) = &mut headers.encaps[0] {
        encap.tni = OTHER_TNI;
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;
    use gft::Direction;

    /// A guest's VXLAN packet is a UDP packet of its outer addresses to the parser, and its key has no TNI; parsed like the
    /// host's own it would have the one that the guest wrote.
    #[test]
    fn what_the_parser_makes_of_it() {
        let payload = Wrapped::FromItself.parsed(0, GuestEncap::Payload);
        assert_eq!(
            payload.tuple.to_string(),
            "UDP 10.1.0.4 port 4789 to 100.64.1.0 port 4789"
        );
        assert_eq!(payload.key(1, Direction::Out).tni, 0);
        let parsed = Wrapped::FromItself.parsed(0, GuestEncap::Parse);
        assert_eq!(parsed.tuple.to_string(), "UDP 10.1.0.4 port 7 to 10.9.0.4 port 7");
        assert_eq!(parsed.key(1, Direction::Out).tni, 6_001);
        assert_eq!(
            Wrapped::nth(4).parsed(0, GuestEncap::Payload).tuple.src,
            at::HOST_PA
        );
    }
}

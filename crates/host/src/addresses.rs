//! Who has which address (our choice): VMs and peers in 10.1.0.0/16, provider addresses in 100.64.0.0/10, public addresses of the
//! VMs in 20.0.0.0/24, peers outside in the range for benchmarks (RFC 2544) 198.18.0.0/15.

use gft::{Address, Mac, Prefix};

/// The tenant network of every VM here.
pub const TNI: u32 = 5_001;
/// This host's provider address.
pub const HOST_PA: Address = Address::v4(100, 64, 0, 10);
/// The provider address of the host that a VM migrates to.
pub const OTHER_PA: Address = Address::v4(100, 64, 0, 11);
/// The rack switch.
pub const ROUTER_MAC: Mac = Mac(0x0200_0064_0001);
/// The port that VMs serve on.
pub const SERVICE: u16 = 443;
/// Peers in the VNET, and as many outside.
pub const PEERS: u32 = 65_536 - 32_768;

/// The VNET.
pub const fn vnet() -> Prefix {
    Prefix::new(Address::v4(10, 1, 0, 0), 96 + 16)
}

/// VM i: 10.1.0.(4 + i).
pub const fn vm(i: u32) -> Address {
    Address::from_v4_bits(0x0a01_0004 + i)
}

/// VM i's public address.
pub const fn public(i: u32) -> Address {
    Address::from_v4_bits(0x1400_0004 + i)
}

/// VM i's MAC address.
pub const fn vm_mac(i: u32) -> Mac {
    Mac(0x0022_4800_0000 + i as u64)
}

/// Peer i in the VNET: 10.1.128.0 and on.
pub const fn peer(i: u32) -> Address {
    Address::from_v4_bits(0x0a01_8000 + i % PEERS)
}

/// Its MAC address.
pub const fn peer_mac(i: u32) -> Mac {
    Mac(0x0022_4900_0000 + (i % PEERS) as u64)
}

/// The provider address of its host: 256 peers share one.
pub const fn peer_pa(i: u32) -> Address {
    Address::from_v4_bits(0x6440_0100 + (i % PEERS) / 256)
}

/// Peer i outside.
pub const fn outside(i: u32) -> Address {
    Address::from_v4_bits(0xc612_0000 + i % (1 << 17))
}

/// Source i of a flood, spread over 1.0.0.0/8 and on.
pub const fn flood_source(i: u32) -> Address {
    Address::from_v4_bits(0x0100_0000 + i)
}

/// Which peer in the VNET has this address.
pub fn peer_index(address: Address) -> Option<u32> {
    address
        .v4_bits()
        .and_then(|bits| bits.checked_sub(0x0a01_8000))
        .filter(|&i| i < PEERS)
}

//! A flow's key as the table stores it.

use crate::hash;
use gft::{Address, Direction, FlowKey, Protocol, Tuple};

/// A [`FlowKey`] in 40 bytes. The port is the table's, the direction the entry's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedKey {
    src: [u64; 2],
    dst: [u64; 2],
    ports: u32,
    /// Tenant network identifier in the upper 24 bits, protocol in the lower 8.
    tni_protocol: u32,
}

const fn split(address: Address) -> [u64; 2] {
    [(address.0 >> 64) as u64, address.0 as u64]
}

const fn join([high, low]: [u64; 2]) -> Address {
    Address((high as u128) << 64 | low as u128)
}

impl PackedKey {
    pub(super) const fn new(key: &FlowKey) -> PackedKey {
        let tuple = &key.tuple;
        PackedKey {
            src: split(tuple.src),
            dst: split(tuple.dst),
            ports: (tuple.src_port as u32) << 16 | tuple.dst_port as u32,
            tni_protocol: key.tni << 8 | tuple.protocol.0 as u32,
        }
    }

    pub(super) const fn unpack(&self, port: u16, direction: Direction) -> FlowKey {
        FlowKey {
            tuple: Tuple {
                src: join(self.src),
                dst: join(self.dst),
                src_port: (self.ports >> 16) as u16,
                dst_port: self.ports as u16,
                protocol: self.protocol(),
            },
            tni: self.tni_protocol >> 8,
            port,
            direction,
        }
    }

    pub(super) const fn protocol(&self) -> Protocol {
        Protocol(self.tni_protocol as u8)
    }

    /// The hash in the table with this seed. What comes in and what goes out may have the same key.
    pub(super) const fn hash(&self, seed: u64, direction: Direction) -> u64 {
        let seed = match direction {
            Direction::Out => seed,
            Direction::In => !seed,
        };
        let addresses = hash::fold(
            hash::fold(seed ^ self.src[0], self.src[1]) ^ self.dst[0],
            self.dst[1],
        );
        hash::fold(addresses, (self.ports as u64) << 32 | self.tni_protocol as u64)
    }
}

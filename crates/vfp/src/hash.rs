//! One hash for tables and for spreading flows: fast, the same on every machine, seeded.

use gft::Tuple;
use std::hash::{BuildHasher, Hasher};

/// Two words folded into one: the halves of their product (Wang Yi's wyhash is built on this step). Both words are
/// masked first so that a zero does not swallow the other.
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    let product = (a ^ 0x9e37_79b9_7f4a_7c15) as u128 * (b ^ 0xd1b5_4a32_d192_ed03) as u128;
    (product >> 64) as u64 ^ product as u64
}

/// The hash of an address.
pub(crate) const fn of_u128(seed: u64, value: u128) -> u64 {
    fold(seed ^ (value >> 64) as u64, value as u64)
}

/// Which fields of a connection choose its backend; the names are those of `loadDistribution`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Distribution {
    /// Addresses, ports and protocol.
    #[default]
    Default,
    /// Addresses only: a client stays with its backend.
    SourceIp,
    /// Addresses and protocol.
    SourceIpProtocol,
}

impl Distribution {
    /// The hash of the fields that count.
    pub(crate) fn hash(self, seed: u64, tuple: &Tuple) -> u64 {
        let addresses = of_u128(of_u128(seed, tuple.src.0), tuple.dst.0);
        let (ports, protocol) = match self {
            Distribution::Default => (
                u64::from(tuple.src_port) << 16 | u64::from(tuple.dst_port),
                u64::from(tuple.protocol.0),
            ),
            Distribution::SourceIp => (0, 0),
            Distribution::SourceIpProtocol => (0, u64::from(tuple.protocol.0)),
        };
        fold(addresses, ports << 8 | protocol)
    }
}

/// A [`Hasher`] of the same step, for maps that are only ever asked, never walked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Folding(u64);

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        fold(self.0, 0)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = fold(self.0, value);
    }

    fn write_u128(&mut self, value: u128) {
        self.0 = of_u128(self.0, value);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

/// Makes [`Folding`]s.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BuildFolding;

impl BuildHasher for BuildFolding {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding(0)
    }
}

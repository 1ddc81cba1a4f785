//! The entropy value and where it travels.

use crate::{Bits, Value};
use std::fmt;

/// An MRC entropy value (EV): 32 bits that name a path.
///
/// It is striped over the UDP source port (16 bits) and the low 16 bits of the flow label; the receiver
/// echoes it in SACK and NACK. Which half goes where is our choice: flow label high, source port low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ev(pub u32);

impl Ev {
    /// The part that goes into the flow label.
    pub const fn flow_label(self) -> Bits<20> {
        Bits::wrapping(self.0 as u64 >> 16)
    }

    /// The part that goes into the UDP source port.
    pub const fn src_port(self) -> u16 {
        self.0 as u16
    }

    /// The EV of a packet, from its two parts.
    pub const fn from_parts(flow_label: Bits<20>, src_port: u16) -> Ev {
        Ev(flow_label.get() << 16 | src_port as u32)
    }
}

impl fmt::Display for Ev {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

impl Value for Ev {
    const BITS: u32 = 32;
    const EXPECTED: &'static str = "an entropy value";
    fn to_raw(self) -> u128 {
        self.0.into()
    }
    fn from_raw(raw: u128) -> Option<Self> {
        raw.try_into().ok().map(Ev)
    }
    fn show(raw: u128) -> String {
        Ev(raw as u32).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole() {
        let ev = Ev(0xdead_beef);
        assert_eq!((ev.flow_label().get(), ev.src_port()), (0xdead, 0xbeef));
        assert_eq!(Ev::from_parts(ev.flow_label(), ev.src_port()), ev);
        assert_eq!(
            Ev::from_parts(Bits::MAX, 1),
            Ev(0xffff_0001),
            "the label's top four bits are not part of it"
        );
    }
}

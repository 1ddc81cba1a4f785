//! The traffic classes of an MRC fabric.
//!
//! MRC names the classes and leaves their code points to the operator. The values here are our choice.

use crate::Bits;

/// A differentiated services code point (RFC 2474).
pub type Dscp = Bits<6>;

/// Data that must not be trimmed.
pub const NO_TRIM: Dscp = Dscp::wrapping(0);
/// Data that a full queue may trim.
pub const TRIMMABLE: Dscp = Dscp::wrapping(4);
/// Retransmitted data that a full queue may trim.
pub const TRIMMABLE_RETX: Dscp = Dscp::wrapping(8);
/// Data that a switch has trimmed.
pub const TRIMMED: Dscp = Dscp::wrapping(12);
/// Data that the last switch before the receiver has trimmed: the receiver is overloaded, not the path.
pub const TRIMMED_LAST_HOP: Dscp = Dscp::wrapping(16);
/// SACK, NACK and acknowledgements.
pub const CONTROL: Dscp = Dscp::wrapping(46);

/// The class that a code point stands for here, by its MRC name.
pub fn name(dscp: Dscp) -> Option<&'static str> {
    Some(match dscp {
        NO_TRIM => "NO_TRIM",
        TRIMMABLE => "TRIMMABLE",
        TRIMMABLE_RETX => "TRIMMABLE_RETX",
        TRIMMED => "TRIMMED",
        TRIMMED_LAST_HOP => "TRIMMED_LASTHOP",
        CONTROL => "CONTROL",
        _ => return None,
    })
}

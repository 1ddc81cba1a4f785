//! ICMP, for IPv4 and IPv6.

use crate::header::header;

/// Protocol number of ICMP over IPv4.
pub const PROTOCOL_ICMP: u8 = 1;

/// Next header of ICMPv6.
pub const PROTOCOL_ICMPV6: u8 = 58;

/// Type of an echo request over IPv4 (RFC 792).
pub const ECHO_REQUEST: u8 = 8;

/// Type of an echo reply over IPv4 (RFC 792).
pub const ECHO_REPLY: u8 = 0;

/// Type of an echo request over IPv6 (RFC 4443 section 4.1).
pub const ECHO_REQUEST_V6: u8 = 128;

/// Type of an echo reply over IPv6 (RFC 4443 section 4.2).
pub const ECHO_REPLY_V6: u8 = 129;

header! {
    /// What every ICMP and ICMPv6 message begins with (RFC 792, RFC 4443 section 2.1).
    pub struct Icmp("ICMP", 4 bytes) {
        [0..8] icmp_type: u8, "What the message is for.";
        [8..16] code: u8, "Which of the type's cases.";
        [16..32] checksum: u16 as hex, "Internet checksum over the message, in IPv6 over the pseudo header too.";
    }
}

header! {
    /// What follows in an echo request or reply (RFC 792, RFC 4443 section 4.1).
    pub struct IcmpEcho("ICMP echo", 4 bytes) {
        [0..16] identifier: u16, "Which ping this belongs to.";
        [16..32] sequence: u16, "Which of its requests.";
    }
}

/// The name of a type, where it is one of the common ones.
pub(crate) fn name(v6: bool, icmp_type: u8) -> Option<&'static str> {
    Some(match (v6, icmp_type) {
        (false, ECHO_REPLY) | (true, ECHO_REPLY_V6) => "echo reply",
        (false, ECHO_REQUEST) | (true, ECHO_REQUEST_V6) => "echo request",
        (false, 3) | (true, 1) => "destination unreachable",
        (false, 5) | (true, 137) => "redirect",
        (false, 11) | (true, 3) => "time exceeded",
        (true, 2) => "packet too big",
        (true, 133) => "router solicitation",
        (true, 134) => "router advertisement",
        (true, 135) => "neighbor solicitation",
        (true, 136) => "neighbor advertisement",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Header;

    #[test]
    fn bytes_of_an_echo_request() {
        let head = Icmp {
            icmp_type: ECHO_REQUEST,
            code: 0,
            checksum: 0xf7fc,
        };
        let echo = IcmpEcho {
            identifier: 0x0102,
            sequence: 3,
        };
        let mut bytes = [0xff; 8];
        head.emit(&mut bytes);
        echo.emit(&mut bytes[4..]);
        assert_eq!(bytes, [8, 0, 0xf7, 0xfc, 1, 2, 0, 3]);
        assert_eq!(Icmp::parse(&bytes), Ok(head));
        assert_eq!(IcmpEcho::parse(&bytes[4..]), Ok(echo));
    }
}

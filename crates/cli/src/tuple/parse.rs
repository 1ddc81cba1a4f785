//! A packet in words, in the order in which `vfpctrl /process-tuples` takes them (facts of the shipped tool): protocol, source
//! address and port, destination address and port, in or out, flag.

use crate::output::plain;
use gft::{Address, Direction, Protocol, TcpFlags, Tuple};

/// A packet as it was described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described {
    /// Addresses, ports and protocol.
    pub tuple: Tuple,
    /// Seen from the VM.
    pub direction: Direction,
    /// TCP flags: SYN with flag 1, ACK with 0; none for other protocols.
    pub flags: TcpFlags,
}

/// What a line has, for messages.
const FIELDS: &str = "protocol, source address, source port, destination address, destination port, in or out, and for TCP \
                      a flag (1: SYN, as where left out; 0: a later packet)";

/// Reads a line; its words may be separated by spaces or commas.
///
/// # Errors
/// Which field is wrong, and what was expected.
pub fn parse(line: &str) -> Result<Described, String> {
    let split = |c: char| c.is_whitespace() || c == ',';
    // One more than there may be, to know whether there are too many.
    let words: Vec<&str> = line
        .split(split)
        .filter(|word| !word.is_empty())
        .take(8)
        .collect();
    let (required, flag) = match words[..] {
        [a, b, c, d, e, f] => ([a, b, c, d, e, f], None),
        [a, b, c, d, e, f, flag] => ([a, b, c, d, e, f], Some(flag)),
        _ => {
            let found = match words.len() {
                8 => "more than 7 fields".into(),
                1 => "1 field".into(),
                n => format!("{n} fields"),
            };
            return Err(format!("{found}; expected 6 or 7: {FIELDS}"));
        }
    };
    let [protocol, src, src_port, dst, dst_port, direction] = required;
    let protocol = match protocol.to_ascii_lowercase().as_str() {
        "tcp" => Protocol::TCP,
        "udp" => Protocol::UDP,
        "icmp" => Protocol::ICMP,
        number => Protocol(
            digits(number)
                .ok_or_else(|| wrong("protocol", protocol, "tcp, udp, icmp or a number from 0 to 255"))?,
        ),
    };
    let tuple = Tuple {
        protocol,
        src: address("source address", src)?,
        src_port: port("source port", src_port, protocol)?,
        dst: address("destination address", dst)?,
        dst_port: port("destination port", dst_port, protocol)?,
    };
    let v4 = |address: Address| address.v4_bits().is_some();
    if v4(tuple.src) != v4(tuple.dst) {
        return Err("source and destination are of different IP versions; expected one".into());
    }
    let direction = match direction.to_ascii_lowercase().as_str() {
        "out" => Direction::Out,
        "in" => Direction::In,
        _ => return Err(wrong("direction", direction, "in or out, seen from the VM")),
    };
    let tcp = protocol == Protocol::TCP;
    let flags = match flag {
        None if tcp => TcpFlags::SYN,
        None => TcpFlags::default(),
        Some("1") if tcp => TcpFlags::SYN,
        Some("0") if tcp => TcpFlags::ACK,
        Some("0") => TcpFlags::default(),
        Some("1") => return Err(wrong("flag", "1", "0: only TCP has a SYN")),
        Some(other) => return Err(wrong("flag", other, "1 for a TCP SYN, or 0")),
    };
    Ok(Described {
        tuple,
        direction,
        flags,
    })
}

fn wrong(field: &str, found: &str, expected: &str) -> String {
    let found: String = plain(found).chars().take(60).collect();
    format!("the {field} is {found:?}; expected {expected}")
}

fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    let whole = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| whole)
}

fn address(field: &str, text: &str) -> Result<Address, String> {
    text.parse()
        .map_err(|_| wrong(field, text, "an IP address such as 10.1.0.4"))
}

fn port(field: &str, text: &str, protocol: Protocol) -> Result<u16, String> {
    let port = digits(text).ok_or_else(|| wrong(field, text, "a number from 0 to 65535"))?;
    let without = ![Protocol::TCP, Protocol::UDP, Protocol::ICMP].contains(&protocol);
    if without && port != 0 {
        return Err(wrong(field, text, "0: this protocol has no ports"));
    }
    Ok(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_tool_reads_them() {
        let tuple = Tuple {
            src: Address::v4(10, 1, 0, 4),
            dst: Address::v4(10, 1, 128, 0),
            src_port: 50_000,
            dst_port: 443,
            protocol: Protocol::TCP,
        };
        let expected = |flags| {
            Ok(Described {
                tuple,
                direction: Direction::Out,
                flags,
            })
        };
        assert_eq!(
            parse("6 10.1.0.4 50000 10.1.128.0 443 out 1"),
            expected(TcpFlags::SYN)
        );
        assert_eq!(
            parse("TCP,10.1.0.4,50000,10.1.128.0,443,OUT"),
            expected(TcpFlags::SYN)
        );
        assert_eq!(
            parse("tcp 10.1.0.4 50000 10.1.128.0 443 out 0"),
            expected(TcpFlags::ACK)
        );
        let v6 = parse("udp fd00::4 5353 fd00::5 53 in").expect("IPv6 is read");
        assert_eq!((v6.direction, v6.flags), (Direction::In, TcpFlags::default()));
    }

    #[test]
    fn each_field_is_named_when_it_is_wrong() {
        for (line, message) in [
            ("", "0 fields; expected 6 or 7: protocol, source address"),
            ("tcp", "1 field; expected 6 or 7"),
            ("6 a 1 b 2 out 0 x y", "more than 7 fields; expected 6 or 7"),
            (
                "256 10.1.0.4 1 10.1.0.5 2 out",
                "the protocol is \"256\"; expected tcp, udp, icmp or a number from 0 to 255",
            ),
            (
                "6 10.1.0 1 10.1.0.5 2 out",
                "the source address is \"10.1.0\"; expected an IP address such as 10.1.0.4",
            ),
            (
                "6 10.1.0.4 65536 10.1.0.5 2 out",
                "the source port is \"65536\"; expected a number from 0 to 65535",
            ),
            ("6 10.1.0.4 1 ten 2 out", "the destination address is \"ten\""),
            ("6 10.1.0.4 1 10.1.0.5 +2 out", "the destination port is \"+2\""),
            (
                "6 10.1.0.4 1 10.1.0.5 2 up",
                "the direction is \"up\"; expected in or out, seen from the VM",
            ),
            (
                "6 10.1.0.4 1 10.1.0.5 2 out 2",
                "the flag is \"2\"; expected 1 for a TCP SYN, or 0",
            ),
            (
                "udp 10.1.0.4 1 10.1.0.5 2 out 1",
                "the flag is \"1\"; expected 0: only TCP has a SYN",
            ),
            (
                "47 10.1.0.4 1 10.1.0.5 0 out",
                "the source port is \"1\"; expected 0: this protocol has no ports",
            ),
            (
                "6 10.1.0.4 1 fd00::5 2 out",
                "of different IP versions; expected one",
            ),
        ] {
            let found = parse(line).expect_err(line);
            assert!(found.contains(message), "{line:?}: {found}");
        }
    }
}

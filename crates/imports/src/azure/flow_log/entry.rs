//! One tuple of a flow log.

use crate::node::clip;
use crate::place::Place;
use crate::report::Report;
use gft::{Address, Direction, Protocol, Tuple};

/// How encryption is said (documented); it does not change the replay.
const ENCRYPTION: [&str; 8] = [
    "X",
    "NX",
    "NX_HW_NOT_SUPPORTED",
    "NX_SW_NOT_READY",
    "NX_NOT_ACCEPTED",
    "NX_NOT_SUPPORTED",
    "NX_LOCAL_DST",
    "NX_FALLBACK",
];

/// Which log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Vnet4,
    Nsg2,
    Nsg1,
}

impl Version {
    const fn name(self) -> &'static str {
        match self {
            Version::Vnet4 => "VNet flow log version 4",
            Version::Nsg2 => "NSG flow log version 2",
            Version::Nsg1 => "NSG flow log version 1",
        }
    }

    const fn fields(self) -> usize {
        match self {
            Version::Vnet4 | Version::Nsg2 => 13,
            Version::Nsg1 => 8,
        }
    }
}

/// What an entry says of its flow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Begin,
    Continue,
    End,
    Denied,
    /// Version 1 has no states: each entry is a flow.
    Once,
}

pub(super) struct Entry {
    pub(super) time_ns: i64,
    pub(super) tuple: Tuple,
    pub(super) direction: Direction,
    pub(super) state: State,
    pub(super) counts: [u64; 4],
}

/// Reads one tuple; the error names the field by its number, from 1.
pub(super) fn entry(
    text: &str,
    version: Version,
    report: &mut Report,
    place: &Place<'_>,
) -> Result<Entry, String> {
    let fields: Vec<&str> = text.split(',').collect();
    if fields.len() != version.fields() {
        return Err(format!(
            "{} fields in {:?}, expected {} ({})",
            fields.len(),
            clip(text),
            version.fields(),
            version.name()
        ));
    }
    let field = |at: usize| fields.get(at).copied().unwrap_or_default().trim();
    let wrong = |at: usize, what: &str, expected: &str| {
        format!(
            "field {} ({what}) is {:?}, expected {expected}",
            at + 1,
            clip(field(at))
        )
    };
    let number = |at: usize, most: u64| {
        let digits = field(at);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u64>().ok().filter(|&n| whole && n <= most)
    };
    // Far enough: the year 2200.
    let unit: i64 = match version {
        Version::Vnet4 => 1_000_000,
        _ => 1_000_000_000,
    };
    let most = 7_258_118_400_000_000_000 / unit as u64;
    let unit_name = match version {
        Version::Vnet4 => "milliseconds since 1970, up to the year 2200",
        _ => "seconds since 1970, up to the year 2200",
    };
    let time = number(0, most).ok_or_else(|| wrong(0, "time", unit_name))?;
    let address = |at: usize, what: &str| {
        let expected = "an IPv4 or IPv6 address";
        field(at)
            .parse::<Address>()
            .map_err(|_| wrong(at, what, expected))
    };
    let port = |at: usize, what: &str| {
        number(at, 65_535)
            .map(|port| port as u16)
            .ok_or_else(|| wrong(at, what, "0 to 65535"))
    };
    let src = address(1, "source")?;
    let dst = address(2, "destination")?;
    let src_port = port(3, "source port")?;
    let dst_port = port(4, "destination port")?;
    let protocol = match (version, field(5)) {
        (Version::Nsg1 | Version::Nsg2, "T") => Protocol::TCP,
        (Version::Nsg1 | Version::Nsg2, "U") => Protocol::UDP,
        (Version::Nsg1 | Version::Nsg2, _) => return Err(wrong(5, "protocol", "T or U")),
        (Version::Vnet4, _) => number(5, 255)
            .map(|number| Protocol(number as u8))
            .ok_or_else(|| wrong(5, "protocol", "an IP protocol number, 0 to 255"))?,
    };
    let direction = match field(6) {
        "I" => Direction::In,
        "O" => Direction::Out,
        _ => return Err(wrong(6, "direction", "I or O")),
    };
    let state = match version {
        Version::Vnet4 => match field(7) {
            "B" => State::Begin,
            "C" => State::Continue,
            "E" => State::End,
            "D" => State::Denied,
            _ => return Err(wrong(7, "state", "B, C, E or D")),
        },
        Version::Nsg1 | Version::Nsg2 => {
            let denied = match field(7) {
                "A" => false,
                "D" => true,
                _ => return Err(wrong(7, "decision", "A or D")),
            };
            match (version, field(8)) {
                _ if denied => State::Denied,
                (Version::Nsg1, _) => State::Once,
                (_, "B") => State::Begin,
                (_, "C") => State::Continue,
                (_, "E") => State::End,
                _ => return Err(wrong(8, "state", "B, C or E")),
            }
        }
    };
    if version == Version::Vnet4 && !ENCRYPTION.contains(&field(8)) {
        report.note(
            place,
            format!("the encryption {:?} is not known", clip(field(8))),
            "encryption does not change the replay",
        );
    }
    let mut counts = [0; 4];
    if version != Version::Nsg1 {
        let names = ["packets forth", "bytes forth", "packets back", "bytes back"];
        for (i, (count, what)) in counts.iter_mut().zip(names).enumerate() {
            let at = 9 + i;
            // NSG flow logs leave the counts out of entries that begin a flow or refuse it.
            if field(at).is_empty() && version == Version::Nsg2 {
                continue;
            }
            *count = number(at, u64::MAX).ok_or_else(|| wrong(at, what, "a whole number"))?;
        }
    }
    Ok(Entry {
        time_ns: time as i64 * unit,
        tuple: Tuple {
            src,
            dst,
            src_port,
            dst_port,
            protocol,
        },
        direction,
        state,
        counts,
    })
}

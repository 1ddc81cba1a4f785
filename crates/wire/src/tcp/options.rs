//! TCP's options.

use crate::WireError;

/// Bytes that options can take: the header's length is at most 60.
const MAX_LEN: usize = 40;

const END: u8 = 0;
const NOP: u8 = 1;
const MSS: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;

/// The options of a TCP segment that a simulated end takes part in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpOptions {
    /// Largest segment that the sender takes, in bytes (RFC 9293 section 3.7.1); in a SYN only.
    pub mss: Option<u16>,
    /// By how many bits the window is shifted, 0 to 14 (RFC 7323 section 2); in a SYN only.
    pub window_scale: Option<u8>,
    /// The sender understands SACK (RFC 2018 section 2); in a SYN only.
    pub sack_permitted: bool,
    /// Timestamps (RFC 7323 section 3).
    pub timestamps: Option<Timestamps>,
}

/// TCP's timestamps option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// TSval: the sender's clock.
    pub value: u32,
    /// TSecr: the other side's clock, echoed.
    pub echo: u32,
}

impl TcpOptions {
    /// The options' bytes: 0 to 20, a multiple of four. The order is that of Linux (our choice): each option ends on a multiple
    /// of four, with no-operations before it where it needs them.
    pub fn emit(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(MAX_LEN);
        if let Some(mss) = self.mss {
            out.extend([MSS, 4]);
            out.extend(mss.to_be_bytes());
        }
        match (self.sack_permitted, self.timestamps.is_some()) {
            (true, true) => out.extend([SACK_PERMITTED, 2]),
            (true, false) => out.extend([NOP, NOP, SACK_PERMITTED, 2]),
            (false, true) => out.extend([NOP, NOP]),
            (false, false) => {}
        }
        if let Some(timestamps) = self.timestamps {
            out.extend([TIMESTAMPS, 10]);
            out.extend(timestamps.value.to_be_bytes());
            out.extend(timestamps.echo.to_be_bytes());
        }
        if let Some(shift) = self.window_scale {
            out.extend([NOP, WINDOW_SCALE, 3, shift]);
        }
        out
    }

    /// The options among `bytes`, which are those between a TCP header and its data. Options of other kinds are passed over,
    /// and of several of a kind the last counts.
    ///
    /// # Errors
    /// [`WireError::Truncated`] for an option that is longer than what is left, [`WireError::Field`] for a length that is not
    /// its kind's.
    pub fn read(bytes: &[u8]) -> Result<TcpOptions, WireError> {
        let mut options = TcpOptions::default();
        for option in list(bytes) {
            let option = option?;
            match (option.kind, option.value(bytes)) {
                (MSS, &[a, b]) => options.mss = Some(u16::from_be_bytes([a, b])),
                (WINDOW_SCALE, &[shift]) => options.window_scale = Some(shift),
                (SACK_PERMITTED, []) => options.sack_permitted = true,
                (TIMESTAMPS, value) => {
                    let (words, _) = value.as_chunks::<4>();
                    options.timestamps = match *words {
                        [value, echo] => Some(Timestamps {
                            value: u32::from_be_bytes(value),
                            echo: u32::from_be_bytes(echo),
                        }),
                        _ => options.timestamps,
                    };
                }
                _ => {}
            }
        }
        Ok(options)
    }
}

/// One option among the bytes of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TcpOption {
    kind: u8,
    /// Its first byte.
    pub(crate) at: usize,
    /// Its length with kind and length byte.
    pub(crate) len: usize,
}

impl TcpOption {
    /// What stands behind kind and length.
    fn value<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.at + 2..self.at + self.len).unwrap_or_default()
    }

    /// Name, value as text and meaning, for a reader.
    pub(crate) fn describe(&self, bytes: &[u8]) -> (&'static str, String, &'static str) {
        let value = self.value(bytes);
        let word = |at: usize| {
            value.get(at..at + 4).map_or(0, |word| {
                word.iter().fold(0u32, |acc, &byte| acc << 8 | u32::from(byte))
            })
        };
        match self.kind {
            END => (
                "end",
                format!("{} {}", self.len, if self.len == 1 { "byte" } else { "bytes" }),
                "End of the options, and padding up to the data.",
            ),
            NOP => (
                "no_operation",
                "0x01".into(),
                "No operation: fills up to a boundary.",
            ),
            MSS => (
                "mss",
                value
                    .iter()
                    .fold(0u32, |acc, &byte| acc << 8 | u32::from(byte))
                    .to_string(),
                "Maximum segment size: the largest segment that the sender takes, in bytes.",
            ),
            WINDOW_SCALE => (
                "window_scale",
                value.first().copied().unwrap_or_default().to_string(),
                "Bits by which the sender's window is shifted.",
            ),
            SACK_PERMITTED => (
                "sack_permitted",
                "yes".into(),
                "The sender understands selective acknowledgments.",
            ),
            SACK => {
                let blocks: Vec<String> = (0..value.len() / 8)
                    .map(|i| format!("{}–{}", word(8 * i), word(8 * i + 4)))
                    .collect();
                (
                    "sack",
                    blocks.join(", "),
                    "Selective acknowledgment: blocks that have arrived, first and one past the last sequence number.",
                )
            }
            TIMESTAMPS => (
                "timestamps",
                format!("value {}, echo {}", word(0), word(4)),
                "The sender's clock, and the other side's, echoed.",
            ),
            kind => (
                "option",
                format!("kind {kind}, {} bytes", self.len),
                "An option that is not decoded here.",
            ),
        }
    }
}

/// The options in `bytes`, one after the other; they cover every byte up to the first error.
pub(crate) fn list(bytes: &[u8]) -> impl Iterator<Item = Result<TcpOption, WireError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let kind = *bytes.get(at)?;
        let option = measure(bytes, at, kind).map(|len| TcpOption { kind, at, len });
        at = option.as_ref().map_or(bytes.len(), |option| at + option.len);
        Some(option)
    })
}

/// The length of the option of `kind` at `at`.
fn measure(bytes: &[u8], at: usize, kind: u8) -> Result<usize, WireError> {
    let left = bytes.len() - at;
    let expected: (&[u8], &'static str) = match kind {
        END => return Ok(left),
        NOP => return Ok(1),
        MSS => (&[4], "4 for MSS"),
        WINDOW_SCALE => (&[3], "3 for window scale"),
        SACK_PERMITTED => (&[2], "2 for SACK permitted"),
        SACK => (&[10, 18, 26, 34], "10, 18, 26 or 34 for SACK"),
        TIMESTAMPS => (&[10], "10 for timestamps"),
        _ => (&[], "at least 2"),
    };
    let Some(&len) = bytes.get(at + 1) else {
        return Err(WireError::Truncated {
            header: "TCP option",
            need: 2,
            have: left,
        });
    };
    let fits = if expected.0.is_empty() {
        len >= 2
    } else {
        expected.0.contains(&len)
    };
    if !fits {
        return Err(WireError::Field {
            header: "TCP option",
            field: "length",
            found: len.into(),
            expected: expected.1,
        });
    }
    if usize::from(len) > left {
        return Err(WireError::Truncated {
            header: "TCP option",
            need: len.into(),
            have: left,
        });
    }
    Ok(len.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn options() -> impl Strategy<Value = TcpOptions> {
        let timestamps = any::<(u32, u32)>().prop_map(|(value, echo)| Timestamps { value, echo });
        (
            any::<Option<u16>>(),
            any::<Option<u8>>(),
            any::<bool>(),
            prop::option::of(timestamps),
        )
            .prop_map(|(mss, window_scale, sack_permitted, timestamps)| TcpOptions {
                mss,
                window_scale,
                sack_permitted,
                timestamps,
            })
    }

    /// What a Linux SYN carries: MSS 1460, SACK permitted with timestamps, a no-operation and the scale 7 (RFC 9293, 2018,
    /// 7323 for kinds and lengths).
    #[test]
    fn bytes_of_a_syns_options() {
        let options = TcpOptions {
            mss: Some(1460),
            window_scale: Some(7),
            sack_permitted: true,
            timestamps: Some(Timestamps {
                value: 0x0102_0304,
                echo: 0,
            }),
        };
        #[rustfmt::skip]
        let expected = [2, 4, 0x05, 0xb4, 4, 2, 8, 10, 1, 2, 3, 4, 0, 0, 0, 0, 1, 3, 3, 7];
        assert_eq!(options.emit(), expected);
        assert_eq!(TcpOptions::read(&expected), Ok(options));
    }

    #[test]
    fn other_kinds_are_passed_over_and_the_end_is_the_end() {
        let sack = [1, 1, 5, 10, 0, 0, 0, 9, 0, 0, 0, 19, 30, 3, 0xff, 0];
        assert_eq!(TcpOptions::read(&sack), Ok(TcpOptions::default()));
        let text: Vec<_> = list(&sack)
            .map(|option| option.unwrap().describe(&sack))
            .collect();
        assert_eq!((text[2].0, text[2].1.as_str()), ("sack", "9–19"));
        assert_eq!(text[3].1, "kind 30, 3 bytes");
        assert_eq!((text[4].0, text[4].1.as_str()), ("end", "1 byte"));
        let ended = [0, 2, 4, 1];
        assert_eq!(TcpOptions::read(&ended), Ok(TcpOptions::default()));
    }

    #[test]
    fn wrong_lengths_are_named() {
        let text = |bytes: &[u8]| TcpOptions::read(bytes).unwrap_err().to_string();
        assert_eq!(text(&[2]), "TCP option needs 2 bytes, but 1 are left");
        assert_eq!(
            text(&[2, 3, 0, 0]),
            "TCP option: length is 0x3, expected 4 for MSS"
        );
        assert_eq!(text(&[1, 2, 4, 5]), "TCP option needs 4 bytes, but 3 are left");
        assert_eq!(
            text(&[77, 0, 0, 0]),
            "TCP option: length is 0x0, expected at least 2"
        );
        assert_eq!(
            text(&[5, 12, 0, 0]),
            "TCP option: length is 0xc, expected 10, 18, 26 or 34 for SACK"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(options in options()) {
            let bytes = options.emit();
            prop_assert!(bytes.len() <= 20 && bytes.len().is_multiple_of(4));
            prop_assert_eq!(TcpOptions::read(&bytes), Ok(options));
        }

        #[test]
        fn any_bytes_are_walked_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..=40)) {
            let mut at = 0;
            for option in list(&bytes) {
                let Ok(option) = option else { return Ok(()) };
                prop_assert_eq!(option.at, at);
                prop_assert!(!option.describe(&bytes).0.is_empty());
                at += option.len;
            }
            prop_assert_eq!(at, bytes.len());
        }
    }
}

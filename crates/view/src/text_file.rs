//! The text of a file, from its bytes.

/// The text: from UTF-8 or, where a byte-order mark says so, from UTF-16, as editors and PowerShell of Windows write it. The mark
/// is no part of the text. What is no character of the encoding becomes U+FFFD, as browsers have it.
pub fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Whether a byte-order mark says that the text is UTF-16.
pub fn is_wide(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_tell_the_encoding_and_are_no_text() {
        // U+00B5 is B5 00 in UTF-16LE, 00 B5 in UTF-16BE, C2 B5 in UTF-8.
        for bytes in [
            &[0xff, 0xfe, 0xb5, 0, b's', 0][..],
            &[0xfe, 0xff, 0, 0xb5, 0, b's'],
            &[0xef, 0xbb, 0xbf, 0xc2, 0xb5, b's'],
            &[0xc2, 0xb5, b's'],
        ] {
            assert_eq!(decode(bytes), "µs", "{bytes:?}");
        }
        // Half a character at the end is none.
        assert_eq!(decode(&[0xff, 0xfe, b'a', 0, b'b']), "a");
        assert_eq!(decode(&[b'a', 0xff]), "a\u{fffd}");
    }
}

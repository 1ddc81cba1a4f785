//! Version numbers as programs print them.

/// The first `major.minor.patch` in a program's answer to `--version`.
///
/// Words before it and a leading `v` are skipped; anything after the third number is dropped.
pub fn parse(answer: &str) -> Option<(u32, u32, u32)> {
    answer.split_whitespace().find_map(|word| {
        let mut numbers = word.trim_start_matches('v').splitn(3, '.');
        let mut next = || {
            let digits = numbers.next()?;
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits[..end].parse().ok()
        };
        Some((next()?, next()?, next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_of_the_programs_used_are_understood() {
        assert_eq!(parse("v20.20.2\n"), Some((20, 20, 2)));
        assert_eq!(parse("wasm-bindgen 0.2.126\n"), Some((0, 2, 126)));
        assert_eq!(parse("wasm-pack 0.15.1 (abc 2026-01-01)"), Some((0, 15, 1)));
        assert_eq!(
            parse("Chromium 156.0.8078.73 built on Debian"),
            Some((156, 0, 8078))
        );
        assert_eq!(parse("tool 1.2.3-rc.4"), Some((1, 2, 3)));
    }

    #[test]
    fn what_is_no_version_is_none() {
        for answer in ["", "node", "1.2", "v.1.2", "1..3", "99999999999.1.1"] {
            assert_eq!(parse(answer), None, "{answer}");
        }
    }
}

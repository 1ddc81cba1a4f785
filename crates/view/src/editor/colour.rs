//! A JSON text in pieces that are coloured alike: names, texts, numbers, words. It need not be valid.

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// `name`, `string`, `number`, `word`, or nothing for brackets, commas and blanks.
    pub class: &'static str,
    /// The piece.
    pub text: String,
}

/// A line in pieces.
pub fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (class, end) = match first {
            '"' => {
                let end = string_end(rest);
                let is_name = rest[end..].trim_start().starts_with(':');
                (if is_name { "name" } else { "string" }, end)
            }
            '-' | '0'..='9' => (
                "number",
                run(rest, |c| c.is_ascii_alphanumeric() || "+-.".contains(c)),
            ),
            c if c.is_alphabetic() => ("word", run(rest, char::is_alphanumeric)),
            c => ("", c.len_utf8()),
        };
        let (text, after) = rest.split_at(end);
        rest = after;
        match pieces.last_mut() {
            Some(last) if last.class.is_empty() && class.is_empty() => last.text.push_str(text),
            _ => pieces.push(Piece {
                class,
                text: text.into(),
            }),
        }
    }
    pieces
}

fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Where a string ends that the text begins with: behind its quote, or with the line.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_texts_numbers_and_words_are_told_apart() {
        let classes: Vec<(&str, String)> = pieces(r#"  "a\"b" : ["1us", -2.5e3, true, "open"#)
            .into_iter()
            .filter(|piece| !piece.class.is_empty())
            .map(|piece| (piece.class, piece.text))
            .collect();
        let expected = [
            ("name", r#""a\"b""#),
            ("string", r#""1us""#),
            ("number", "-2.5e3"),
            ("word", "true"),
            ("string", r#""open"#),
        ];
        assert_eq!(classes, expected.map(|(class, text)| (class, text.to_owned())));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(line in "\\PC{0,60}") {
            let all: String = pieces(&line).into_iter().map(|piece| piece.text).collect();
            prop_assert_eq!(all, line);
        }
    }
}

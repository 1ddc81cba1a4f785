//! Help with typing, and how a browser counts what was typed.

use std::ops::Range;

/// What one level is indented by.
const INDENT: &str = "  ";

/// The place of a byte as a browser counts: in UTF-16 code units from the start. Behind the end, the end.
pub fn utf16(text: &str, byte: usize) -> u32 {
    text.char_indices()
        .take_while(|(at, _)| *at < byte)
        .map(|(_, c)| c.len_utf16() as u32)
        .sum()
}

/// The byte at a place that a browser counts.
fn byte(text: &str, utf16: u32) -> usize {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        if units >= utf16 {
            return at;
        }
        units += c.len_utf16() as u32;
    }
    text.len()
}

/// The bytes of `new` that `old` has not, between what both begin and end with; none where they are the same.
pub fn difference(old: &str, new: &str) -> Option<Range<usize>> {
    if old == new {
        return None;
    }
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = old
        .chars()
        .zip(new.chars())
        .take_while(same)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end: usize = old_rest
        .chars()
        .rev()
        .zip(new_rest.chars().rev())
        .take_while(same)
        .map(|(c, _)| c.len_utf8())
        .sum();
    Some(start..new.len() - end)
}

/// A line break typed over the selection: the text then and where the cursor is. The next line begins as the one before, one
/// level deeper after an opening bracket; a closing one right after it goes to a line of its own.
pub fn line_break(text: &str, selection: Range<u32>) -> (String, u32) {
    let (start, end) = (byte(text, selection.start), byte(text, selection.end));
    let (before, after) = (&text[..start], &text[end.max(start)..]);
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let indent: String = line.chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    let opens = line.trim_end().ends_with(['{', '[']);
    let closes = after.trim_start_matches(' ').starts_with(['}', ']']);
    let deeper = if opens { INDENT } else { "" };
    let own_line = if opens && closes {
        format!("\n{indent}")
    } else {
        String::new()
    };
    let typed = format!("{before}\n{indent}{deeper}");
    let cursor = utf16(&typed, typed.len());
    let after = if closes {
        after.trim_start_matches(' ')
    } else {
        after
    };
    (format!("{typed}{own_line}{after}"), cursor)
}

/// The lines of the selection one level deeper, or less deep; the text then and what is selected.
pub fn indented(text: &str, selection: Range<u32>, deeper: bool) -> (String, Range<u32>) {
    let (start, end) = (byte(text, selection.start), byte(text, selection.end));
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let lines: Vec<String> = text[first..last]
        .split('\n')
        .map(|line| match (deeper, line) {
            (true, "") => String::new(),
            (true, line) => format!("{INDENT}{line}"),
            (false, line) => {
                let blanks = line.len() - line.trim_start_matches(' ').len();
                line[blanks.min(INDENT.len())..].to_owned()
            }
        })
        .collect();
    let middle = lines.join("\n");
    let all = format!("{}{middle}{}", &text[..first], &text[last..]);
    let selection = utf16(&all, first)..utf16(&all, first + middle.len());
    (all, selection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_as_the_one_before() {
        assert_eq!(line_break("  \"a\": 1,", 9..9), ("  \"a\": 1,\n  ".into(), 12));
        assert_eq!(line_break("  \"a\": {", 8..8), ("  \"a\": {\n    ".into(), 13));
        assert_eq!(line_break("{}", 1..1), ("{\n  \n}".into(), 4));
        assert_eq!(
            line_break("abcd", 1..3),
            ("a\nd".into(), 2),
            "what is selected goes"
        );
        // The emoji has two UTF-16 code units.
        assert_eq!(line_break("😀x", 2..2), ("😀\nx".into(), 3));
        assert_eq!(
            line_break("x", 7..9),
            ("x\n".into(), 2),
            "behind the end is the end"
        );
    }

    #[test]
    fn lines_go_deeper_and_back() {
        let text = "a\n  b\n\nc";
        let (deeper, selected) = indented(text, 0..4, true);
        assert_eq!((deeper.as_str(), selected), ("  a\n    b\n\nc", 0..9));
        let (back, _) = indented(&deeper, 0..6, false);
        assert_eq!(back, text);
        assert_eq!(indented(" x", 2..2, false).0, "x");
    }

    #[test]
    fn the_difference_is_what_is_new() {
        assert_eq!(difference("abc", "abc"), None);
        assert_eq!(difference("abc", "abXc"), Some(2..3));
        assert_eq!(difference("aXbc", "abc"), Some(1..1));
        assert_eq!(difference("aa", "aaa"), Some(2..3));
        assert_eq!(difference("µ1", "µ2"), Some(2..3));
    }
}

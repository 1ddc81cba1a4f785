//! Names that somebody may have meant.

/// The three of `known` that it takes the fewest changes of single characters to make of `name`, the nearest first.
pub fn nearest<'a>(name: &str, mut known: Vec<&'a str>) -> Vec<&'a str> {
    // Nothing has a name that long: what comes after that is as wrong whatever it is.
    let name: Vec<char> = name.to_lowercase().chars().take(64).collect();
    known.sort_by_cached_key(|other| distance(&name, other));
    known.truncate(3);
    known
}

/// Levenshtein's distance: the fewest characters to insert, leave out or replace.
fn distance(name: &[char], other: &str) -> usize {
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (line, character) in other.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for at in 1..row.len() {
            let replaced = diagonal + usize::from(name[at - 1] != character);
            diagonal = row[at];
            row[at] = replaced.min(row[at] + 1).min(row[at - 1] + 1);
        }
    }
    row[name.len()]
}

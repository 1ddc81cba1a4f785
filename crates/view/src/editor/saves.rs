//! The scenarios that were worked on last, as the browser keeps them.

use serde::{Deserialize, Serialize};

/// Scenarios kept at most.
const MAX_SAVES: usize = 8;
/// Bytes of text kept at most, all together.
const MAX_BYTES: usize = 1 << 20;

/// A scenario that was worked on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Save {
    /// Tells it from others: when work on it began, in ms since 1970.
    pub began_ms: f64,
    /// When it was changed last, in ms since 1970.
    pub at_ms: f64,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The scenarios that were worked on last, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saves(Vec<Save>);

impl Saves {
    /// Reads what was written before. What is none is as if nothing had been.
    pub fn read(text: &str) -> Saves {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// As it is kept.
    pub fn written(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// All, the latest first.
    pub fn all(&self) -> &[Save] {
        &self.0
    }

    /// Keeps one, in the place of what it was before; the oldest make room. False where it alone is too large.
    pub fn put(&mut self, save: Save) -> bool {
        self.forget(save.began_ms);
        if save.text.len() > MAX_BYTES {
            return false;
        }
        self.0.insert(0, save);
        self.0.truncate(MAX_SAVES);
        let mut bytes = 0;
        self.0.retain(|save| {
            bytes += save.text.len();
            bytes <= MAX_BYTES
        });
        true
    }

    /// Takes one away.
    pub fn forget(&mut self, began_ms: f64) {
        self.0.retain(|save| save.began_ms != began_ms);
    }
}

/// A span of wall-clock time in words, as in `5 minutes ago`.
pub fn ago(ms: f64) -> String {
    let (count, unit) = match ms / 1000.0 {
        s if s < 60.0 => return "just now".into(),
        s if s < 3600.0 => (s / 60.0, "minute"),
        s if s < 86_400.0 => (s / 3600.0, "hour"),
        s => (s / 86_400.0, "day"),
    };
    let count = count as u64;
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(began_ms: f64, size: usize) -> Save {
        Save {
            began_ms,
            at_ms: began_ms + 1.0,
            name: format!("number {began_ms}"),
            text: "x".repeat(size),
        }
    }

    #[test]
    fn the_latest_are_kept_and_one_is_kept_once() {
        let mut saves = Saves::default();
        for began in 0..12 {
            assert!(saves.put(save(f64::from(began), 10)));
        }
        assert!(saves.put(save(5.0, 20)));
        let began: Vec<f64> = saves.all().iter().map(|save| save.began_ms).collect();
        assert_eq!(began, [5.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 4.0]);
        assert_eq!(Saves::read(&saves.written()), saves);
        saves.forget(5.0);
        assert_eq!(saves.all().len(), 7);
    }

    #[test]
    fn size_is_bounded_and_what_is_no_list_is_none() {
        let mut saves = Saves::default();
        saves.put(save(1.0, MAX_BYTES / 2));
        saves.put(save(2.0, MAX_BYTES / 2));
        saves.put(save(3.0, MAX_BYTES / 2));
        assert_eq!(saves.all().len(), 2);
        assert!(!saves.put(save(4.0, MAX_BYTES + 1)));
        assert_eq!(Saves::read("[1, 2"), Saves::default());
        assert_eq!(Saves::read("{}"), Saves::default());
    }

    #[test]
    fn times_are_told_in_words() {
        assert_eq!(ago(59_000.0), "just now");
        assert_eq!(ago(60_000.0), "1 minute ago");
        assert_eq!(ago(7_200_000.0), "2 hours ago");
        assert_eq!(ago(86_400_000.0 * 3.0), "3 days ago");
    }
}

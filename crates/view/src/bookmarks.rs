//! Times that somebody marked in a run, with names; and how the browser keeps them, scenario by scenario.

use scenario::Time;
use scenario::link::{MAX_MARK_NAME, MAX_MARKS, Mark};
use serde::{Deserialize, Serialize};

/// Bookmarks of one scenario at most: as many as a link takes.
pub const MOST: usize = MAX_MARKS;
/// Scenarios whose bookmarks are kept at most; the oldest make room.
const SCENARIOS: usize = 40;

/// A marked time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// When, in ps.
    pub at_ps: u64,
    /// What somebody calls it.
    pub name: String,
}

/// The bookmarks of one scenario, in order of time, one at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmarks(Vec<Bookmark>);

impl Bookmarks {
    /// All of them.
    pub fn list(&self) -> &[Bookmark] {
        &self.0
    }

    /// Their times and names.
    pub fn times(&self) -> impl Iterator<Item = (u64, &str)> {
        self.0.iter().map(|mark| (mark.at_ps, mark.name.as_str()))
    }

    /// Sets one at a time, or takes away the one that is there. False where there are too many already.
    pub fn toggle(&mut self, at_ps: u64) -> bool {
        match self.0.binary_search_by_key(&at_ps, |mark| mark.at_ps) {
            Ok(place) => {
                self.0.remove(place);
            }
            Err(_) if self.0.len() >= MOST => return false,
            Err(place) => {
                let name = format!("Bookmark {}", self.free_number());
                self.0.insert(place, Bookmark { at_ps, name });
            }
        }
        true
    }

    /// The lowest number that no bookmark is called by.
    fn free_number(&self) -> usize {
        let is_taken = |number: &usize| {
            let name = format!("Bookmark {number}");
            self.0.iter().any(|mark| mark.name == name)
        };
        (1..).find(|number| !is_taken(number)).unwrap_or(0)
    }

    /// Calls the one at a time by another name; an empty one is none.
    pub fn rename(&mut self, at_ps: u64, name: &str) {
        let plain = name.trim().chars().filter(|c| !c.is_control());
        let name: String = plain.take(MAX_MARK_NAME).collect();
        let name = name.trim_end();
        if let Some(mark) = self.0.iter_mut().find(|mark| mark.at_ps == at_ps)
            && !name.is_empty()
        {
            mark.name = name.to_owned();
        }
    }

    /// As a link has them.
    pub fn to_link(&self) -> Vec<Mark> {
        let mark = |mark: &Bookmark| Mark {
            at: Time(mark.at_ps),
            name: mark.name.clone(),
        };
        self.0.iter().map(mark).collect()
    }

    /// Adds those of a link, which give their names to those at the same times. Those after the end of the run and those that there
    /// is no room for are left out: the number of these, and of those.
    pub fn add(&mut self, linked: Vec<Mark>, until_ps: u64) -> (usize, usize) {
        let (mut late, mut surplus) = (0, 0);
        for Mark { at, name } in linked {
            match self.0.binary_search_by_key(&at.0, |mark| mark.at_ps) {
                _ if at.0 > until_ps => late += 1,
                Ok(place) => self.0[place].name = name,
                Err(_) if self.0.len() >= MOST => surplus += 1,
                Err(place) => self.0.insert(place, Bookmark { at_ps: at.0, name }),
            }
        }
        (late, surplus)
    }

    /// The one at a time.
    pub fn at(&self, at_ps: u64) -> Option<&Bookmark> {
        self.0.iter().find(|mark| mark.at_ps == at_ps)
    }
}

/// The bookmarks of many scenarios, the one that was changed last at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shelf(Vec<(u64, Bookmarks)>);

impl Shelf {
    /// From what was stored; an empty one where that is something else.
    pub fn parse(text: &str) -> Shelf {
        let mut shelf: Shelf = serde_json::from_str(text).unwrap_or_default();
        for (_, marks) in &mut shelf.0 {
            marks.0.sort_by_key(|mark| mark.at_ps);
            marks.0.dedup_by_key(|mark| mark.at_ps);
            marks.0.truncate(MOST);
        }
        shelf
    }

    /// To be stored.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The bookmarks of the scenario with a key.
    pub fn take(&self, key: u64) -> Bookmarks {
        let own = self.0.iter().find(|(other, _)| *other == key);
        own.map(|(_, marks)| marks.clone()).unwrap_or_default()
    }

    /// Keeps the bookmarks of a scenario.
    pub fn put(&mut self, key: u64, marks: Bookmarks) {
        self.0.retain(|(other, _)| *other != key);
        if !marks.0.is_empty() {
            self.0.push((key, marks));
        }
        let surplus = self.0.len().saturating_sub(SCENARIOS);
        self.0.drain(..surplus);
    }
}

/// The key of a scenario: FNV-1a of its text, 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>).
pub fn key(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bookmark_is_set_named_and_taken_away() {
        let mut marks = Bookmarks::default();
        assert!(marks.toggle(50) && marks.toggle(20) && marks.toggle(70));
        let names = |marks: &Bookmarks| {
            marks
                .times()
                .map(|(at, name)| format!("{at} {name}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&marks), ["20 Bookmark 2", "50 Bookmark 1", "70 Bookmark 3"]);
        marks.rename(20, "  the dip ");
        marks.rename(50, " ");
        assert!(marks.toggle(70) && marks.toggle(60));
        assert_eq!(names(&marks), ["20 the dip", "50 Bookmark 1", "60 Bookmark 2"]);
        assert_eq!(marks.at(20).map(|mark| mark.name.as_str()), Some("the dip"));
        for at in 100..100 + MOST as u64 {
            marks.toggle(at);
        }
        assert_eq!(marks.list().len(), MOST);
        assert!(!marks.toggle(5), "there is no room");
    }

    #[test]
    fn those_of_a_link_are_added() {
        let mark = |at, name: &str| Mark {
            at: Time(at),
            name: name.into(),
        };
        let mut marks = Bookmarks::default();
        assert!(marks.toggle(50) && marks.toggle(20));
        let linked = vec![mark(20, "the dip"), mark(101, "too late"), mark(10, "before")];
        assert_eq!(marks.add(linked, 100), (1, 0));
        let expected = [mark(10, "before"), mark(20, "the dip"), mark(50, "Bookmark 1")];
        assert_eq!(marks.to_link(), expected);
        // Those that are there stay.
        let many = (0..MOST as u64).map(|at| mark(at, "of the link")).collect();
        assert_eq!(marks.add(many, 100), (0, 0), "three are at the times of others");
        let more = vec![mark(99, "one"), mark(100, "and another")];
        assert_eq!(marks.add(more, 100), (0, 1));
        assert_eq!(marks.list().len(), MOST);
        assert_eq!(marks.at(50).map(|mark| mark.name.as_str()), Some("of the link"));
    }

    /// A name is one that a link takes.
    #[test]
    fn a_name_goes_through_a_link() {
        let mut marks = Bookmarks::default();
        marks.toggle(5);
        for name in [
            "a\u{7}b",
            &format!("{} {}", "x".repeat(79), "y"),
            "ü, 100 % & more",
        ] {
            marks.rename(5, name);
            let link = scenario::link::with_marks("preset/incast", &marks.to_link());
            assert_eq!(scenario::link::marks(&link), Ok(marks.to_link()), "{name}");
        }
    }

    #[test]
    fn each_scenario_has_its_own() {
        let mut shelf = Shelf::default();
        let mut marks = Bookmarks::default();
        marks.toggle(5);
        for scenario in 0..50 {
            shelf.put(key(&scenario.to_string()), marks.clone());
        }
        let shelf = Shelf::parse(&shelf.to_text());
        assert_eq!(shelf.take(key("49")), marks);
        assert_eq!(shelf.take(key("3")), Bookmarks::default(), "the oldest made room");
        assert_eq!(Shelf::parse("{]"), Shelf::default());
        let mut shelf = shelf;
        shelf.put(key("49"), Bookmarks::default());
        assert_eq!(shelf.0.len(), SCENARIOS - 1);
    }

    #[test]
    fn keys_are_fnv_1a() {
        // Test vectors of the reference.
        assert_eq!(key(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(key("a"), 0xaf63_dc4c_8601_ec8c);
    }
}

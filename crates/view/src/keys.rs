//! The keys of the page, once: what the page does when one is pressed, and what the sheet of keys says about it, are read from the
//! same [table](BINDINGS).

mod table;

pub use table::BINDINGS;

/// A page under the one root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Page {
    /// A fabric.
    Fabric = 1,
    /// A host.
    Host = 2,
    /// Runs side by side.
    Compare = 4,
}

/// Where a key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Anywhere but where letters are typed.
    Anywhere,
    /// On the stage.
    Stage,
    /// On the timeline's plots.
    Timeline,
    /// On the strip of the whole run below them.
    Strip,
    /// On a fault in the timeline's lane of faults.
    Faults,
    /// On a story's card.
    Story,
    /// In the list of events.
    Events,
    /// In the tree of a packet's headers.
    Headers,
    /// On one of the charts that have a cursor of their own.
    Chart,
    /// On the charts of runs side by side.
    Charts,
}

impl Place {
    /// All of them, in the order in which the sheet lists them.
    pub const ALL: [Place; 10] = [
        Place::Anywhere,
        Place::Stage,
        Place::Timeline,
        Place::Strip,
        Place::Faults,
        Place::Story,
        Place::Events,
        Place::Headers,
        Place::Chart,
        Place::Charts,
    ];

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Place::Anywhere => "Anywhere",
            Place::Stage => "On the stage",
            Place::Timeline => "On the timeline",
            Place::Strip => "On the strip of the whole run",
            Place::Faults => "On a fault in the timeline",
            Place::Story => "On a story’s card",
            Place::Events => "In the list of all events",
            Place::Headers => "In a packet’s headers",
            Place::Chart => "On a chart",
            Place::Charts => "On the charts of all runs",
        }
    }

    /// Its name for tests.
    pub const fn slug(self) -> &'static str {
        match self {
            Place::Anywhere => "anywhere",
            Place::Stage => "stage",
            Place::Timeline => "timeline",
            Place::Strip => "strip",
            Place::Faults => "faults",
            Place::Story => "story",
            Place::Events => "events",
            Place::Headers => "headers",
            Place::Chart => "chart",
            Place::Charts => "charts",
        }
    }
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play or pause.
    Play,
    /// One event.
    Step,
    /// Back by one event.
    StepBack,
    /// To the next mark, or to the one before.
    Mark {
        /// To the next one.
        next: bool,
    },
    /// Bookmark this time, or no longer.
    Bookmark,
    /// Run to the end.
    RunToEnd,
    /// Begin again.
    Restart,
    /// Slower.
    Slower,
    /// Faster.
    Faster,
    /// Select the next of a kind, or the one before.
    Select(Kind, bool),
    /// Select the next packet.
    NextPacket,
    /// Find by name.
    Find,
    /// The break tool, on or off.
    BreakTool,
    /// Break what is selected, or heal it.
    BreakSelected,
    /// Ways to break what is selected.
    BreakMenu,
    /// Magnify.
    Larger,
    /// Reduce.
    Smaller,
    /// Show everything.
    ShowAll,
    /// Move what is seen, by so many steps to the right and down.
    Pan(i8, i8),
    /// Open or close the editor.
    Edit,
    /// Take an edit back.
    Undo,
    /// Do it again.
    Redo,
    /// Put away what is open, select nothing.
    Cancel,
    /// List the keys.
    Help,
    /// Go by so many hundredths of what is shown.
    Move(i8),
    /// Go to the first one, or to the last.
    End {
        /// To the last one.
        last: bool,
    },
    /// Go by a page.
    Page {
        /// To the next one.
        next: bool,
    },
    /// Open what the cursor is on.
    Open,
    /// Select it.
    Choose,
    /// Remove it.
    Remove,
    /// Move its end by so many steps.
    Stretch(i8),
    /// To what is beside it: the next one, or the one before.
    Go {
        /// To the next one.
        next: bool,
    },
    /// Into what the cursor is on, or out of what it is in.
    Enter(bool),
}

/// A kind of thing on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Links.
    Link,
    /// Switches.
    Switch,
    /// NICs.
    Nic,
    /// QPs.
    Qp,
}

/// Keys, where they are pressed, and what for.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// What for.
    pub command: Command,
    /// Any of these, as [`stroke`] spells them.
    pub keys: &'static [&'static str],
    /// Where.
    pub place: Place,
    /// On which pages: the sum of their numbers in [`Page`].
    pub pages: u8,
    /// What the sheet says.
    pub words: &'static str,
}

/// Modifiers that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Control, or Command on a Mac.
    pub control: bool,
    /// Alt, or Option on a Mac.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
}

/// How the table spells a key: `B`, `Shift+B`, `Ctrl+Z`, `Space`, `ArrowLeft`, `[`. None for those that are the browser's.
///
/// `key` is what the key stands for, as `KeyboardEvent.key` has it. Letters are told apart by Shift and not by their case: Caps Lock
/// changes nothing. Signs are taken as they come, since Shift, or AltGr on many layouts, is how they are typed.
pub fn stroke(key: &str, held: Held) -> Option<String> {
    let mut letters = key.chars();
    let (first, rest) = (letters.next()?, letters.next());
    let is_sign = rest.is_none() && !first.is_alphanumeric() && first != ' ';
    if is_sign {
        // AltGr comes as Control and Alt together.
        let is_shortcut = held.control && !held.alt;
        return (!is_shortcut).then(|| key.to_owned());
    }
    if held.alt {
        return None;
    }
    let mut text = String::new();
    if held.control {
        text.push_str("Ctrl+");
    }
    if held.shift {
        text.push_str("Shift+");
    }
    match (first, rest) {
        (' ', None) => text.push_str("Space"),
        (_, None) => text.extend(first.to_uppercase()),
        _ => text.push_str(key),
    }
    Some(text)
}

/// What a stroke is for at a place of a page.
pub fn command(page: Page, place: Place, stroke: &str) -> Option<Command> {
    let binding = BINDINGS
        .iter()
        .find(|binding| binding.place == place && binding.is_on(page) && binding.keys.contains(&stroke));
    binding.map(|binding| binding.command)
}

impl Binding {
    /// Whether a page has it.
    pub const fn is_on(&self, page: Page) -> bool {
        self.pages & page as u8 != 0
    }
}

/// A key of the table as keycaps bear it: `Shift+ArrowLeft` is `Shift` and `←`.
pub fn caps(key: &str) -> impl Iterator<Item = &str> {
    // The sign + is itself a key.
    let between = if key == "+" { '\0' } else { '+' };
    key.split(between).map(|part| match part {
        "ArrowLeft" => "←",
        "ArrowRight" => "→",
        "ArrowUp" => "↑",
        "ArrowDown" => "↓",
        "PageUp" => "Page Up",
        "PageDown" => "Page Down",
        "Escape" => "Esc",
        "-" => "−",
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Held = Held {
        control: false,
        alt: false,
        shift: false,
    };
    const SHIFT: Held = Held { shift: true, ..NONE };
    const CONTROL: Held = Held {
        control: true,
        ..NONE
    };

    #[test]
    fn strokes_are_spelled_as_in_the_table() {
        let spelled = [
            ("b", NONE, Some("B")),
            // Caps Lock is on.
            ("B", NONE, Some("B")),
            ("B", SHIFT, Some("Shift+B")),
            ("b", SHIFT, Some("Shift+B")),
            ("z", CONTROL, Some("Ctrl+Z")),
            (
                "Z",
                Held {
                    shift: true,
                    ..CONTROL
                },
                Some("Ctrl+Shift+Z"),
            ),
            (" ", NONE, Some("Space")),
            ("ArrowLeft", NONE, Some("ArrowLeft")),
            ("ArrowLeft", SHIFT, Some("Shift+ArrowLeft")),
            // Shift is how it is typed, on some layouts.
            ("?", SHIFT, Some("?")),
            // So is AltGr, as Windows and a Mac report it.
            ("[", Held { alt: true, ..CONTROL }, Some("[")),
            ("[", Held { alt: true, ..NONE }, Some("[")),
            // The browser's own.
            ("+", CONTROL, None),
            ("d", Held { alt: true, ..NONE }, None),
            ("", NONE, None),
        ];
        for (key, held, expected) in spelled {
            assert_eq!(stroke(key, held).as_deref(), expected, "{key:?} {held:?}");
        }
    }

    #[test]
    fn no_key_has_two_meanings_at_a_place_of_a_page() {
        for (at, one) in BINDINGS.iter().enumerate() {
            for other in &BINDINGS[at + 1..] {
                let shared = one.keys.iter().find(|key| other.keys.contains(key));
                let same = one.place == other.place && one.pages & other.pages != 0;
                assert!(
                    !same || shared.is_none(),
                    "{shared:?}: {} and {}",
                    one.words,
                    other.words
                );
            }
        }
    }

    #[test]
    fn every_key_of_the_table_can_be_pressed() {
        for binding in BINDINGS {
            assert!(binding.pages != 0 && binding.pages < 8, "{}", binding.words);
            for key in binding.keys {
                let parts: Vec<&str> = if *key == "+" {
                    vec![key]
                } else {
                    key.split('+').collect()
                };
                let (name, modifiers) = parts.split_last().unwrap();
                let held = Held {
                    control: modifiers.contains(&"Ctrl"),
                    shift: modifiers.contains(&"Shift"),
                    alt: false,
                };
                let name = if *name == "Space" { " " } else { name };
                assert_eq!(stroke(name, held).as_deref(), Some(*key));
            }
        }
    }

    #[test]
    fn a_stroke_means_what_the_table_says() {
        assert_eq!(
            command(Page::Fabric, Place::Anywhere, "B"),
            Some(Command::BreakTool)
        );
        assert_eq!(
            command(Page::Fabric, Place::Anywhere, "Shift+B"),
            Some(Command::Bookmark)
        );
        // A host has no break tool, and M is its way to the next mark.
        assert_eq!(command(Page::Host, Place::Anywhere, "B"), None);
        assert_eq!(
            command(Page::Host, Place::Anywhere, "M"),
            Some(Command::Mark { next: true })
        );
        assert_eq!(command(Page::Fabric, Place::Anywhere, "ArrowLeft"), None);
        assert_eq!(
            command(Page::Fabric, Place::Stage, "ArrowLeft"),
            Some(Command::Pan(-1, 0))
        );
    }

    #[test]
    fn keycaps() {
        let all = |key| caps(key).collect::<Vec<_>>();
        assert_eq!(all("Shift+ArrowLeft"), ["Shift", "←"]);
        assert_eq!(all("+"), ["+"]);
        assert_eq!(all("Escape"), ["Esc"]);
    }
}

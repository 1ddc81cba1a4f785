//! The words of the table that are of a few kinds.

/// Whether ours agrees with the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The mean of ours lies where the row's rule says.
    Match,
    /// It does not, or what the row asks for did not happen in each run.
    Differs,
    /// There is no rule by which to judge it.
    NotComparable,
    /// There is nothing of ours yet.
    NotSimulated,
    /// A run failed.
    Failed,
}

impl Verdict {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Verdict; 5] = [
        Verdict::Match,
        Verdict::Differs,
        Verdict::NotComparable,
        Verdict::NotSimulated,
        Verdict::Failed,
    ];

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Match => "match",
            Verdict::Differs => "differs",
            Verdict::NotComparable => "not comparable",
            Verdict::NotSimulated => "not simulated",
            Verdict::Failed => "failed",
        }
    }

    /// The verdict of these words, with or without marks of emphasis.
    pub fn named(words: &str) -> Option<Verdict> {
        let plain = words.trim_matches('*');
        Verdict::ALL.into_iter().find(|verdict| verdict.words() == plain)
    }
}

/// How a value of the paper is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is printed there.
    Printed,
    /// It was read off a plot.
    Plot,
    /// It follows from what is printed.
    Derived,
}

impl Known {
    /// All of them.
    pub const ALL: [Known; 3] = [Known::Printed, Known::Plot, Known::Derived];

    /// The word for tables.
    pub const fn word(self) -> &'static str {
        match self {
            Known::Printed => "printed",
            Known::Plot => "plot",
            Known::Derived => "derived",
        }
    }

    /// The one of this word.
    pub fn named(word: &str) -> Option<Known> {
        Known::ALL.into_iter().find(|known| known.word() == word)
    }
}

// What writes the page is no part of the page's module, so that it can only be asked natively.
#[cfg(test)]
mod tests {
    use super::*;
    use lab::evidence;

    #[test]
    fn each_word_that_the_command_writes_is_known() {
        let written = evidence::Verdict::ALL.map(evidence::Verdict::words);
        assert_eq!(written.map(Verdict::named), Verdict::ALL.map(Some));
        let written = [
            evidence::Known::Printed,
            evidence::Known::Plot,
            evidence::Known::Derived,
        ];
        assert_eq!(written.map(|way| Known::named(way.word())), Known::ALL.map(Some));
        assert_eq!((Verdict::named("same"), Known::named("guessed")), (None, None));
    }
}

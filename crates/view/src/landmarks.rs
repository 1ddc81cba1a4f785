//! From one notable moment to the next: by kind, and by what somebody marked.

use crate::message::{Mark, MarkKind};

/// The moments that are gone to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Landmark {
    /// Any of them.
    #[default]
    Any,
    /// Faults and repairs.
    Fault,
    /// Drops.
    Drop,
    /// Trims.
    Trim,
    /// Losses inferred.
    Loss,
    /// EVs out of use, swapped, denied, and back.
    Ev,
    /// Pauses and deadlocks.
    Pause,
    /// Ports noticed, and what Clustermapper finds.
    Notice,
    /// Flows complete and QPs in ERROR.
    Flow,
    /// Steps of jobs.
    Step,
    /// Bookmarks.
    Bookmark,
}

impl Landmark {
    /// All of them, in the order shown.
    pub const ALL: [Landmark; 11] = [
        Landmark::Any,
        Landmark::Fault,
        Landmark::Drop,
        Landmark::Trim,
        Landmark::Loss,
        Landmark::Ev,
        Landmark::Pause,
        Landmark::Notice,
        Landmark::Flow,
        Landmark::Step,
        Landmark::Bookmark,
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Landmark::Any => "any event",
            Landmark::Fault => "fault or repair",
            Landmark::Drop => "first drop at a link",
            Landmark::Trim => "first trim at a link",
            Landmark::Loss => "loss inferred",
            Landmark::Ev => "EV out of use or back",
            Landmark::Pause => "PFC pause or deadlock",
            Landmark::Notice => "port or Clustermapper",
            Landmark::Flow => "QP done or in ERROR",
            Landmark::Step => "job step",
            Landmark::Bookmark => "bookmark",
        }
    }

    /// The one with a name.
    pub fn named(name: &str) -> Option<Landmark> {
        Landmark::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a mark is of the kind.
    pub const fn is(self, kind: MarkKind) -> bool {
        match self {
            Landmark::Any => true,
            Landmark::Bookmark => false,
            Landmark::Fault => matches!(kind, MarkKind::Broke | MarkKind::Healed),
            Landmark::Drop => matches!(kind, MarkKind::Drop),
            Landmark::Trim => matches!(kind, MarkKind::Trim),
            Landmark::Loss => matches!(kind, MarkKind::Inferred),
            Landmark::Ev => matches!(
                kind,
                MarkKind::EvsLost | MarkKind::Swapped | MarkKind::Denied | MarkKind::EvsRevived
            ),
            Landmark::Pause => matches!(kind, MarkKind::Paused | MarkKind::Deadlock),
            Landmark::Notice => matches!(kind, MarkKind::Port | MarkKind::Verdict),
            Landmark::Flow => matches!(kind, MarkKind::Flow | MarkKind::Failed),
            Landmark::Step => matches!(kind, MarkKind::Step),
        }
    }

    /// Whether there is any among these.
    pub fn is_among(self, marks: &[Mark]) -> bool {
        marks.iter().any(|mark| self.is(mark.kind))
    }
}

/// The next moment of a kind after `now`, or the last one before it; its time in ps and what it is. Bookmarks come with their
/// names.
pub fn next<'a>(
    marks: &'a [Mark],
    bookmarks: impl Iterator<Item = (u64, &'a str)>,
    kind: Landmark,
    now: u64,
    forwards: bool,
) -> Option<(u64, &'a str)> {
    let own = marks
        .iter()
        .filter(|mark| kind.is(mark.kind))
        .map(|mark| (mark.at_ps, mark.text.as_str()));
    let by_hand = bookmarks.filter(|_| matches!(kind, Landmark::Any | Landmark::Bookmark));
    let all = own.chain(by_hand);
    if forwards {
        all.filter(|&(at, _)| at > now).min_by_key(|&(at, _)| at)
    } else {
        all.filter(|&(at, _)| at < now).max_by_key(|&(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_of_a_kind_is_found() {
        let mark = |at_ps, kind, text: &str| Mark {
            at_ps,
            kind,
            text: text.into(),
            target: None,
        };
        let marks = [
            mark(10, MarkKind::Broke, "down"),
            mark(20, MarkKind::Drop, "drop"),
            mark(30, MarkKind::Flow, "flow"),
        ];
        let go = |kind, now, forwards| {
            let own = [(25, "here"), (5, "start")];
            next(&marks, own.into_iter(), kind, now, forwards).map(|(at, text)| (at, text.to_owned()))
        };
        let found = |at, text: &str| Some((at, text.to_owned()));
        assert_eq!(go(Landmark::Any, 10, true), found(20, "drop"));
        assert_eq!(go(Landmark::Any, 20, true), found(25, "here"));
        assert_eq!(go(Landmark::Any, 10, false), found(5, "start"));
        assert_eq!(go(Landmark::Flow, 0, true), found(30, "flow"));
        assert_eq!(go(Landmark::Fault, 30, false), found(10, "down"));
        assert_eq!(go(Landmark::Bookmark, 6, true), found(25, "here"));
        assert_eq!(go(Landmark::Trim, 0, true), None);
        assert!(Landmark::Drop.is_among(&marks) && !Landmark::Step.is_among(&marks));
    }

    #[test]
    fn names_are_unambiguous() {
        for kind in Landmark::ALL {
            assert_eq!(Landmark::named(kind.name()), Some(kind));
        }
        assert_eq!(Landmark::named("x"), None);
    }
}

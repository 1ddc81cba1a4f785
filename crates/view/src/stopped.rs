//! Why a worker has stopped, in plain words, and whether the page starts another one by itself.

/// What made a worker stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It could get no more memory.
    Memory,
    /// Its script or its module could not be loaded, or is none.
    Unloadable(String),
    /// It ran into a mistake in Flowglass.
    Mistake(String),
    /// It has not answered for so many seconds: it was ended from outside, or goes round in circles.
    Silent(u32),
}

/// What browsers say when a module can get no more memory. An abort is `unreachable` (V8), `unreachable executed` (SpiderMonkey)
/// or `Unreachable code should not be executed` (JavaScriptCore): without a panic's words before it, it comes from the allocator.
const OF_MEMORY: [&str; 5] = [
    "out of memory",
    "memory allocation",
    "memory access",
    "could not allocate",
    "unreachable",
];
/// What is said of scripts that are not there, or are none; the last is that of [`UNLOADABLE`].
const OF_SCRIPTS: [&str; 9] = [
    "syntaxerror",
    "failed to fetch",
    "networkerror",
    "load failed",
    "importing a module script failed",
    "wasm validation",
    "webassembly.",
    "compileerror",
    "could not be loaded",
];
/// What the page says of a worker whose script did not come: browsers give no reason.
pub const UNLOADABLE: &str = "its script could not be loaded";

impl Cause {
    /// The cause behind what the worker or the browser has said.
    pub fn of(said: &str) -> Cause {
        let said = said.strip_prefix("Uncaught ").unwrap_or(said);
        let lower = said.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        // A panic's own words come first, and it says where it happened.
        if lower.contains("panicked at") && !lower.contains("memory allocation") {
            Cause::Mistake(said.to_owned())
        } else if has(&OF_SCRIPTS) {
            Cause::Unloadable(said.to_owned())
        } else if has(&OF_MEMORY) {
            Cause::Memory
        } else {
            Cause::Mistake(said.to_owned())
        }
    }

    /// What happened, in one or two sentences.
    pub fn words(&self) -> String {
        match self {
            Cause::Memory => "It ran out of memory. A browser tab gives it 4 GB at most, often less: try fewer NICs, or fewer or smaller flows.".into(),
            Cause::Unloadable(said) => format!("A part of Flowglass did not load: {}. Is its server still there?", trimmed(said)),
            Cause::Mistake(said) => format!("It ran into a mistake in Flowglass: {}.", trimmed(said)),
            Cause::Silent(seconds) => format!(
                "It has not answered for {seconds} s. The browser may have ended it, or it goes round in circles."
            ),
        }
    }
}

/// Without the full stop at its end, and not longer than can be read.
fn trimmed(said: &str) -> String {
    const MOST: usize = 300;
    let said = said.trim().trim_end_matches('.');
    match said.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None => said.to_owned(),
    }
}

/// How far a run had got when its worker stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The worker had not announced itself.
    Starting,
    /// It was building the run.
    Building,
    /// The run was there.
    Running,
}

/// Whether the page starts a worker again by itself: once for each scenario that is opened, and not where it would stop for the
/// same reason again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revival {
    used: bool,
}

impl Revival {
    /// Another scenario is opened: its worker may be started again.
    pub fn renew(&mut self) {
        self.used = false;
    }

    /// A worker has stopped. True when the page is to start another one without being asked.
    pub fn wanted(&mut self, cause: &Cause, stage: Stage) -> bool {
        // Building does the same again, and so does running out of memory.
        let is_futile = stage == Stage::Building || *cause == Cause::Memory;
        let wanted = !self.used && !is_futile;
        self.used |= wanted;
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Chromium, Firefox and Safari say it.
    #[test]
    fn causes_are_told_apart() {
        for said in [
            "Uncaught RuntimeError: unreachable",
            "RuntimeError: unreachable executed",
            "Unreachable code should not be executed (evaluating 'wasm')",
            "RangeError: WebAssembly.Memory(): could not allocate memory",
            "panicked at library/alloc/src/alloc.rs:435: memory allocation of 64 bytes failed",
        ] {
            // A memory that cannot be made is a failure to load, which is worth another try.
            let is_memory = Cause::of(said) == Cause::Memory;
            assert_eq!(is_memory, !said.contains("WebAssembly.Memory"), "{said}");
        }
        for said in [
            UNLOADABLE,
            "Uncaught SyntaxError: Unexpected token '<'",
            "TypeError: Failed to fetch dynamically imported module",
            "CompileError: WebAssembly.instantiateStreaming(): expected magic word",
        ] {
            assert!(matches!(Cause::of(said), Cause::Unloadable(_)), "{said}");
        }
        let panic = "panicked at crates/sim/src/run.rs:1:2:\nindex out of bounds";
        assert_eq!(Cause::of(panic), Cause::Mistake(panic.into()));
    }

    #[test]
    fn words_are_bounded_and_end_once() {
        let words = Cause::of(&format!("panicked at {}.", "x".repeat(5000))).words();
        assert!(words.chars().count() < 400 && words.ends_with("…."), "{words}");
        assert_eq!(
            Cause::of("Uncaught Error: no luck.").words(),
            "It ran into a mistake in Flowglass: Error: no luck."
        );
    }

    #[test]
    fn a_worker_is_started_again_once_for_each_scenario() {
        let mistake = Cause::of("Error: x");
        let mut revival = Revival::default();
        assert!(revival.wanted(&mistake, Stage::Running));
        assert!(!revival.wanted(&mistake, Stage::Running));
        assert!(!revival.wanted(&Cause::Silent(30), Stage::Starting));
        revival.renew();
        assert!(revival.wanted(&Cause::Silent(30), Stage::Running));
    }

    #[test]
    fn what_would_happen_again_is_not_tried_again() {
        let mut revival = Revival::default();
        assert!(!revival.wanted(&Cause::Memory, Stage::Running));
        assert!(!revival.wanted(&Cause::of("Error: x"), Stage::Building));
        // Neither has used the one that there is.
        assert!(revival.wanted(&Cause::of(UNLOADABLE), Stage::Starting));
    }
}

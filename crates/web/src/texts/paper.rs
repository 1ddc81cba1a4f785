//! An experiment of the paper: its figures beside ours.

pub const PAPER_BESIDE_OURS: &str = "Paper beside ours";
pub const THE_RUN_ON_SCREEN_IS_A: &str = ". The run on screen is a single one and changes nothing here.";
pub const HIDE_REASONS: &str = "Hide reasons";
pub const SHOW_ALL_REASONS: &str = "Show all reasons";
pub const QUANTITY: &str = "Quantity";
pub const PAPER: &str = "Paper";
pub const MEAN_AND_HALF_THE_WIDTH_OF: &str = "Mean and half the width of its 95 % confidence interval";
pub const OURS: &str = "Ours ";
pub const VERDICT: &str = "Verdict";
pub const THE_SCENARIO_HAS_BEEN_EDITED_THIS: &str =
    "The scenario has been edited. This table is of the unedited preset: ";
pub const OPEN_IT_AGAIN: &str = "open it again";
pub const RULE_FOR_A_MATCH: &str = "Rule for a match: ";
pub const OURS_PAPER: &str = "Ours / paper: ";
pub const REASON: &str = "Reason: ";

/// How ours came about; a command follows.
pub fn recorded(seeds: impl core::fmt::Display) -> String {
    format!(
        "Ours is recorded: the mean of {seeds} runs, each with another seed, and its 95 % confidence interval, from "
    )
}

/// How many of the rows agree.
pub fn rows_match(matches: usize, rows: usize) -> String {
    format!("{matches} of {rows} rows match")
}

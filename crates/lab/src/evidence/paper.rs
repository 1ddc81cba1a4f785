//! Whose numbers are put beside ours.

use super::experiment::Experiment;
use super::{accelnet, figures};
use serde::Serialize;

/// A paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// The MRC fabric.
    Mrc,
    /// AccelNet, and what is documented of its surroundings.
    Accelnet,
}

impl Paper {
    /// Both.
    pub const ALL: [Paper; 2] = [Paper::Mrc, Paper::Accelnet];

    /// Every experiment, in the order of the paper.
    pub fn experiments(self) -> Vec<Experiment> {
        match self {
            Paper::Mrc => figures::experiments(),
            Paper::Accelnet => accelnet::experiments(),
        }
    }

    /// Its page in the documentation.
    pub const fn page(self) -> &'static str {
        match self {
            Paper::Mrc => "docs/evidence.md",
            Paper::Accelnet => "docs/accelnet-evidence.md",
        }
    }

    /// What the command line adds so that this paper is meant.
    pub(crate) const fn option(self) -> &'static str {
        match self {
            Paper::Mrc => "",
            Paper::Accelnet => " --paper accelnet",
        }
    }
}

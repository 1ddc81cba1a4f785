//! Whose numbers are put beside ours.

use super::experiment::Experiment;
use super::{accelnet, figures, versus};
use serde::Serialize;

/// A paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// The MRC fabric.
    Mrc,
    /// AccelNet, and what is documented of its surroundings.
    Accelnet,
    /// Nobody's: what neither paper answers about RoCE and MRC.
    Versus,
}

impl Paper {
    /// All of them.
    pub const ALL: [Paper; 3] = [Paper::Mrc, Paper::Accelnet, Paper::Versus];

    /// Every experiment, in the order of the paper.
    pub fn experiments(self) -> Vec<Experiment> {
        match self {
            Paper::Mrc => figures::experiments(),
            Paper::Accelnet => accelnet::experiments(),
            Paper::Versus => versus::experiments(),
        }
    }

    /// Its page in the documentation.
    pub const fn page(self) -> &'static str {
        match self {
            Paper::Mrc => "docs/evidence.md",
            Paper::Accelnet => "docs/accelnet-evidence.md",
            Paper::Versus => "docs/roce-and-mrc.md",
        }
    }

    /// What the command line adds so that this paper is meant.
    pub(crate) const fn option(self) -> &'static str {
        match self {
            Paper::Mrc => "",
            Paper::Accelnet => " --paper accelnet",
            Paper::Versus => " --paper versus",
        }
    }
}

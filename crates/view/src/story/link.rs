//! Links to a step of a story: `story/NAME/STEP`, and `story/NAME` for the first one. They mean the story as it is today.

use super::{Story, find_story, stories};

/// What such links begin with.
pub const PREFIX: &str = "story/";

/// Why a link leads to no step of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoryError {
    /// There is none of that name.
    Unknown {
        /// The name given.
        name: String,
    },
    /// Its link has options, as scenarios' links have.
    Options {
        /// The options given.
        given: String,
    },
    /// It has no such step.
    NoStep {
        /// The step given.
        given: String,
        /// How many there are.
        steps: usize,
    },
}

impl std::fmt::Display for StoryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoryError::Unknown { name } => {
                let known: Vec<&str> = stories().iter().map(|story| story.slug).collect();
                let count = known.len();
                let near = scenario::nearest(name, known).join(", ");
                write!(f, "there is no story {name:?}; the nearest of {count} are {near}")
            }
            StoryError::Options { given } => {
                write!(
                    f,
                    "a story's link ends with the step's number, and cannot have {given:?}: a story sets its time itself"
                )
            }
            StoryError::NoStep { given, steps } => {
                write!(f, "the story has no step {given:?}; its steps are 1 to {steps}")
            }
        }
    }
}

/// The link of a step, counted from 0, without `#`.
pub fn encode(story: &Story, step: usize) -> String {
    format!("{PREFIX}{}/{}", story.slug, step + 1)
}

/// The story of a link and its step, counted from 0; none where the link is of another form.
pub fn decode(link: &str) -> Option<Result<(&'static Story, usize), StoryError>> {
    let rest = link.strip_prefix(PREFIX)?;
    // What a link says may be very long.
    let shown = |text: &str| text.chars().take(40).collect::<String>();
    if let Some((_, options)) = rest.split_once('&') {
        return Some(Err(StoryError::Options {
            given: shown(options),
        }));
    }
    let (name, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let Some(story) = find_story(name) else {
        return Some(Err(StoryError::Unknown { name: shown(name) }));
    };
    let number = step.parse::<usize>().ok();
    Some(match number {
        Some(number) if (1..=story.steps.len()).contains(&number) => Ok((story, number - 1)),
        _ => Err(StoryError::NoStep {
            given: shown(step),
            steps: story.steps.len(),
        }),
    })
}

//! Playing a run: buttons, speed and seed.

pub const THIS_IS_NO_SEED: &str = "This is no seed";
pub const GO_TO_THE_START: &str = "Go to the start";
pub const HOME_WITH_THE_TIMELINE_FOCUSED: &str = "Home, with the timeline focused";
pub const PREVIOUS_MARK: &str = "Previous mark";
pub const BACK_ONE_EVENT: &str = "Back one event";
pub const STEP_ONE_EVENT: &str = "Step one event";
pub const NEXT_MARK: &str = "Next mark";
pub const RUN_TO_THE_END: &str = "Run to the end";
pub const AS_FAST_AS_THIS_MACHINE_CAN: &str = "as fast as this machine can";
pub const SIMULATED_TIME_PER_SECOND: &str = "simulated time per second";
pub const SPEED: &str = "Speed ";
pub const SLOWER_OR_FASTER: &str = "Slower ([) or faster (])";
pub const NO_FLOWS: &str = "no flows in this scenario";
pub const SEED: &str = "Seed";
pub const SEED_OF_EVERY_RANDOM_CHOICE_ANOTHER: &str = "Seed of every random choice; another one begins again";

/// The speed that is reached, where it is less than the one asked for.
pub fn limited(reached: &str) -> String {
    format!("running at {reached}, limited by this machine")
}

/// What was typed for a seed, and what is one.
pub fn expected_seed(typed: &str) -> String {
    format!("{typed:?}; expected a whole number from 0 to {}", u64::MAX)
}

//! The line at the top of every page.

pub const COLOURS_AS_THE_SYSTEM: &str = "Colours: as the system";
pub const COLOURS_LIGHT: &str = "Colours: light";
pub const COLOURS_DARK: &str = "Colours: dark";
pub const SKIP_TO_THE_STAGE: &str = "Skip to the stage";
pub const FLOWGLASS: &str = "Flowglass";
pub const SHARE: &str = "Share";
pub const KEYS_AND_SYMBOLS: &str = "Keys and symbols";
pub const KEYS_TITLE: &str = "Keys and symbols (?)";

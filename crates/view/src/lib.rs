//! What the page and its Web Worker say to each other, and the geometry that both need to agree on.
//!
//! Everything here is plain data and pure functions: it knows no browser and runs no simulation, and its tests run
//! natively.

pub mod bookmarks;
pub mod breaking;
mod by_hand;
pub mod camera;
pub mod card;
pub mod chart;
pub mod compare;
pub mod editor;
pub mod encoding;
pub mod extent;
pub mod fault_lane;
pub mod filter;
pub mod find;
pub mod frame;
pub mod geometry;
pub mod gesture;
pub mod grouping;
pub mod herald;
pub mod hit;
pub mod host;
pub mod inspect;
pub mod jobs;
pub mod keys;
pub mod landmarks;
mod lane_words;
pub mod lanes;
pub mod layout;
pub mod life;
pub mod log;
pub mod marks;
pub mod message;
pub mod names;
pub mod neighbour;
pub mod numbers;
pub mod pace;
pub mod packet;
pub mod paper;
pub mod picture;
pub mod place;
pub mod recovery;
pub mod series;
pub mod settings;
pub mod share;
pub mod sight;
pub mod speed;
pub mod stopped;
pub mod story;
pub mod sweep;
pub mod text_file;
pub mod ticks;
pub mod topology;
pub mod units;
pub mod words;

pub use bookmarks::Bookmarks;
pub use by_hand::by_hand;
pub use camera::Camera;
pub use extent::Extent;
pub use geometry::{Point, Rect, Segment};
pub use grouping::{Grouping, Level};
pub use lane_words::{Counted, LaneWords};
pub use layout::Layout;
pub use sight::Sight;

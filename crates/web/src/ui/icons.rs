//! Icons: 16 × 16, in the colour of the text around them.

use yew::prelude::*;

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Play,
    Pause,
    Step,
    End,
    Restart,
    Share,
    Compare,
    Auto,
    Light,
    Dark,
    Help,
    Plus,
    Minus,
    Fit,
    Select,
    Break,
    Close,
    File,
    Save,
    Copy,
    Warning,
    Widen,
    Info,
    Start,
    StepBack,
    Previous,
    Next,
    Bookmark,
    Bookmarked,
    Pin,
    Edit,
    Undo,
    Redo,
    Up,
    Down,
    Record,
}

/// The icon as a picture that says nothing by itself: the button that holds it has a name.
pub fn icon(icon: Icon) -> Html {
    let filled = matches!(
        icon,
        Icon::Play
            | Icon::Pause
            | Icon::Step
            | Icon::End
            | Icon::Start
            | Icon::StepBack
            | Icon::Previous
            | Icon::Next
            | Icon::Bookmarked
    );
    let path = match icon {
        Icon::Play => "M4.5 2.8v10.4L13 8z",
        Icon::Pause => "M4 3h3v10H4zM9 3h3v10H9z",
        Icon::Step => "M3.5 3v10L10 8zM11 3h2v10h-2z",
        Icon::End => "M2 3v10l5-5zM7.5 3v10l5-5zM12.6 3h1.6v10h-1.6z",
        Icon::Restart => "M3.2 8a4.8 4.8 0 1 0 1.6-3.6M3 2.5v2.8h2.8",
        Icon::Share => "M8 9.5v-7M5.5 4.8 8 2.3l2.5 2.5M4.5 7H3v6.5h10V7h-1.5",
        Icon::Compare => "M2 3h5v10H2zM9 3h5v10H9zM3.5 10l2-3M10.5 7l2 3",
        Icon::Auto => "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
        Icon::Light => {
            "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.2v1.6M8 13.2v1.6M1.2 8h1.6M13.2 8h1.6M3.2 3.2l1.1 1.1M11.7 11.7l1.1 1.1M3.2 12.8l1.1-1.1M11.7 4.3l1.1-1.1"
        }
        Icon::Dark => "M13.2 9.6A5.6 5.6 0 1 1 6.4 2.8a4.6 4.6 0 0 0 6.8 6.8",
        Icon::Help => {
            "M8 1.9a6.1 6.1 0 1 0 0 12.2A6.1 6.1 0 0 0 8 1.9M6.2 6.3c.1-1.1.9-1.7 1.9-1.7s1.8.7 1.8 1.6c0 1.4-1.8 1.5-1.8 3M8 11.3v.2"
        }
        Icon::Plus => "M8 3v10M3 8h10",
        Icon::Minus => "M3 8h10",
        Icon::Fit => "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
        Icon::Select => "M3.5 2.5 12.6 7 8.6 8.5 7 12.6z",
        Icon::Break => "M9 1.8 3.8 9h3.6L6.6 14.2 12.2 6.6H8.4z",
        Icon::Close => "M4 4l8 8M12 4l-8 8",
        Icon::File => "M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.2h3.3",
        Icon::Save => "M8 2.5v7M5.3 7 8 9.7 10.7 7M3 11.5v2h10v-2",
        Icon::Copy => "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
        Icon::Widen => "M6 4 2.5 8 6 12M10 4l3.5 4L10 12M2.5 8h11",
        Icon::Warning => "M8 2.2 14.4 13.5H1.6zM8 6.4v3.4M8 11.6v.2",
        Icon::Start => "M14 3v10L9 8zM8.5 3v10l-5-5zM1.8 3h1.6v10H1.8z",
        Icon::StepBack => "M12.5 3v10L6 8zM3 3h2v10H3z",
        Icon::Previous => "M9 3v10L3 8zM12.2 5.2 15 8l-2.8 2.8L9.4 8z",
        Icon::Next => "M7 3v10l6-5zM3.8 5.2 6.6 8l-2.8 2.8L1 8z",
        Icon::Bookmark | Icon::Bookmarked => "M4.5 2.5h7v11L8 10.2l-3.5 3.3z",
        Icon::Pin => "M6 2.5h4M6.8 2.5v4.2L4.8 9.4h6.4L9.2 6.7V2.5M8 9.4v4.1",
        Icon::Edit => "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.2 4.6l2.2 2.2",
        Icon::Undo => "M5.5 3 2.5 6l3 3M2.8 6h6.4a3.6 3.6 0 0 1 0 7.2H6",
        Icon::Redo => "M10.5 3l3 3-3 3M13.2 6H6.8a3.6 3.6 0 0 0 0 7.2H10",
        Icon::Up => "M8 13V3M4 7l4-4 4 4",
        Icon::Down => "M8 3v10M4 9l4 4 4-4",
        Icon::Record => "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
        Icon::Info => "M8 1.9a6.1 6.1 0 1 0 0 12.2A6.1 6.1 0 0 0 8 1.9M8 7.2v4M8 4.8V5",
    };
    html! {
        <svg class={classes!("icon", filled.then_some("filled"))} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d={path} />
        </svg>
    }
}

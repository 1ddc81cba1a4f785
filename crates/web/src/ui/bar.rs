//! A bar that shows a share of something.

use yew::prelude::*;

/// What a bar shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// 0 to 1.
    pub share: f64,
    /// What it is a share of, for screen readers.
    pub label: AttrValue,
    /// A class for its colour.
    #[prop_or_default]
    pub tone: &'static str,
}

/// A bar.
#[component]
pub fn Bar(props: &Props) -> Html {
    let share = if props.share.is_finite() {
        props.share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    html! {
        <svg
            class={classes!("bar", props.tone)}
            role="img"
            aria-label={format!("{}: {:.0} %", props.label, share * 100.0)}
            preserveAspectRatio="none"
            viewBox="0 0 100 1"
        >
            <rect class="rest" width="100" height="1" />
            <rect class="fill" width={format!("{:.2}", share * 100.0)} height="1" />
        </svg>
    }
}

//! The bar below the stage where the page is a frame in another one.

use super::address;
use crate::model::Playing;
use crate::ui::icons::{Icon, icon};
use view::units;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};
use yew::prelude::*;

/// What the bar shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// True when the run can go on, or waits for the first click.
    pub ready: bool,
    /// How it goes on.
    pub playing: Playing,
    /// True when it is over.
    pub over: bool,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// When it ends at the latest, in ps.
    pub until_ps: u64,
    /// The scenario's name.
    pub title: AttrValue,
    /// Says the link of what is shown, without `#`.
    pub link: Callback<(), String>,
    /// Play or pause.
    pub on_toggle: Callback<()>,
    /// Begin again.
    pub on_restart: Callback<()>,
}

/// The bar.
#[component]
pub fn EmbedBar(props: &Props) -> Html {
    let (name, picture) = match (props.over, props.playing) {
        (true, _) => ("Restart", Icon::Restart),
        (false, Playing::No) => ("Play", Icon::Play),
        (false, _) => ("Pause", Icon::Pause),
    };
    let onclick = if props.over {
        &props.on_restart
    } else {
        &props.on_toggle
    }
    .reform(|_: MouseEvent| ());
    // Writing the link takes some time, and what it holds changes with every moment: it is written when it is wanted.
    let write = {
        let link = props.link.clone();
        move |event: Event| {
            // Yew listens at the root: what was clicked is in the anchor, or the anchor.
            let anchor = event
                .target()
                .and_then(|target| target.dyn_into::<Element>().ok())
                .and_then(|element| element.closest("a").ok().flatten());
            if let Some(anchor) = anchor {
                let _ = anchor.set_attribute("href", &address("", &link.emit(())));
            }
        }
    };
    let onpointerdown = {
        let write = write.clone();
        Callback::from(move |event: PointerEvent| write(event.into()))
    };
    let open = Callback::from(move |event: MouseEvent| write(event.into()));
    html! {
        <section class="embed-bar" aria-label="Player">
            <button
                class="tool play"
                aria-label={name}
                title={format!("{name} ({})", if props.over { "R" } else { "space" })}
                data-testid="play"
                disabled={!props.ready}
                {onclick}
            >{ icon(picture) }</button>
            <p class="embed-time">
                <output data-testid="time" data-ps={props.now_ps.to_string()}>{ units::clock(props.now_ps) }</output>
                if props.until_ps > 0 {
                    <span class="dim">{ format!(" of {}", units::round_span(props.until_ps as f64)) }</span>
                }
            </p>
            <h1 class="embed-title" data-testid="scenario-name">{ &props.title }</h1>
            <a class="embed-open" href="./" target="_blank" rel="noopener" data-testid="open-page" {onpointerdown} onclick={open}>
                <img src="./icons/flowglass.svg" alt="" width="18" height="18" />
                <span>{ "Open in Flowglass" }</span>
            </a>
        </section>
    }
}

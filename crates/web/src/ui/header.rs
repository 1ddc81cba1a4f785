//! The line at the top.

use super::On;
use super::icons::{Icon, icon};
use crate::dom;
use crate::model::{Action, Theme};
use crate::texts::header as texts;
use yew::prelude::*;

/// The stage of every page; the first one, where runs are side by side.
const STAGE: &str = ".canvases canvas[tabindex]";

/// What the header shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario's name.
    pub title: AttrValue,
    /// Light or dark.
    pub theme: Theme,
    /// What stands before the button for sharing.
    #[prop_or_default]
    pub extra: Html,
    /// True when there is something to share.
    pub can_share: bool,
    /// What the user does.
    pub on: On,
}

/// The header.
#[component]
pub fn Header(props: &Props) -> Html {
    let (theme, theme_name) = match props.theme {
        Theme::Auto => (Icon::Auto, texts::COLOURS_AS_THE_SYSTEM),
        Theme::Light => (Icon::Light, texts::COLOURS_LIGHT),
        Theme::Dark => (Icon::Dark, texts::COLOURS_DARK),
    };
    html! {
        <header class="top">
            <button class="skip-link" data-testid="skip" onclick={|_| dom::focus(STAGE)}>{ texts::SKIP_TO_THE_STAGE }</button>
            <img class="logo" src="./icons/flowglass.svg" alt="" width="24" height="24" />
            <h1>{ texts::FLOWGLASS }</h1>
            <p class="title" data-testid="scenario-name">{ &props.title }</p>
            { props.extra.clone() }
            <button
                class="primary"
                data-testid="share"
                disabled={!props.can_share}
                onclick={props.on.reform(|_| Action::Share)}
            >{ icon(Icon::Share) }{ texts::SHARE }</button>
            <button
                class="quiet"
                aria-label={theme_name}
                title={theme_name}
                data-testid="theme"
                onclick={props.on.reform(|_| Action::NextTheme)}
            >{ icon(theme) }</button>
            <button
                class="quiet"
                aria-label={texts::KEYS_AND_SYMBOLS}
                title={texts::KEYS_TITLE}
                data-testid="help"
                onclick={props.on.reform(|_| Action::Help)}
            >{ icon(Icon::Help) }</button>
        </header>
    }
}

//! What the user is told.

use super::On;
use super::icons::{Icon, icon};
use crate::model::{Action, Notice};
use crate::texts::notices as texts;
use yew::prelude::*;

/// Details that are shown before the reader asks for more.
const DETAILS: usize = 12;

/// The notices, the newest last.
pub fn notices(list: &[Notice], on: &On) -> Html {
    html! {
        <div class="notices">
            { for list.iter().map(|notice| one(notice, on)) }
        </div>
    }
}

fn one(notice: &Notice, on: &On) -> Html {
    let id = notice.id;
    let (role, picture, class) = if notice.is_error {
        ("alert", Icon::Warning, "error")
    } else {
        ("status", Icon::Info, "info")
    };
    let more = notice.details.len().saturating_sub(DETAILS);
    html! {
        <div key={id} class={classes!("notice", class)} {role} data-testid="notice">
            { icon(picture) }
            <div>
                <strong>{ &notice.title }</strong>
                <ul>
                    { for notice.details.iter().take(DETAILS).map(|line| html! { <li>{ line }</li> }) }
                    if more > 0 { <li>{ format!("and {more} more") }</li> }
                </ul>
            </div>
            <button class="quiet" aria-label={texts::DISMISS} onclick={on.reform(move |_| Action::Dismiss(id))}>
                { icon(Icon::Close) }
            </button>
        </div>
    }
}

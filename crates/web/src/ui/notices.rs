//! What the user is told.

use super::On;
use super::icons::{Icon, icon};
use crate::model::{Action, Notice};
use crate::texts::notices as texts;
use yew::prelude::*;

/// Details that are shown before the reader asks for more.
const DETAILS: usize = 12;

/// Notices that are shown at once: the stage below has to be seen.
const AT_ONCE: usize = 2;

/// The newest of the notices, the very newest last; how many older ones wait until these are put away.
pub fn notices(list: &[Notice], on: &On) -> Html {
    let older = list.len().saturating_sub(AT_ONCE);
    html! {
        <div class="notices">
            { for list.iter().skip(older).map(|notice| one(notice, on)) }
            if older > 0 {
                <p class="notices-more" data-testid="notices-more">{ texts::older(older) }</p>
            }
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

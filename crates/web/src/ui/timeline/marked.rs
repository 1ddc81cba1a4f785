//! Bookmarks as a list: to go to, to name, to take away.

use super::super::On;
use super::super::icons::{Icon, icon};
use crate::model::Action;
use crate::shared::Shared;
use view::bookmarks::Bookmark;
use view::{Bookmarks, units};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the list shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The bookmarks.
    pub bookmarks: Shared<Bookmarks>,
    /// Now, in ps.
    pub now: u64,
    /// What the user does.
    pub on: On,
}

/// The list.
#[component]
pub fn BookmarkList(props: &Props) -> Html {
    let (now, on) = (props.now, &props.on);
    let is_here = props.bookmarks.at(now).is_some();
    let row = |mark: &Bookmark| {
        let at = mark.at_ps;
        let text = units::moment(at, 1_000.0);
        let onchange = on.reform(move |event: Event| {
            Action::NameBookmark(at, event.target_unchecked_into::<HtmlInputElement>().value())
        });
        html! {
            <li key={at} data-testid="bookmark">
                <button class="link" title="Go there" onclick={on.reform(move |_| Action::Seek(at))}>{ &text }</button>
                <input type="text" aria-label={format!("Name of the bookmark at {text}")} value={mark.name.clone()} {onchange} />
                <button class="quiet" aria-label={format!("Take the bookmark at {text} away")} onclick={on.reform(move |_| Action::ToggleBookmark(Some(at)))}>{ icon(Icon::Close) }</button>
            </li>
        }
    };
    html! {
        <>
            <button
                class="quiet"
                aria-label={if is_here { "Take the bookmark here away" } else { "Set a bookmark here" }}
                aria-pressed={is_here.to_string()}
                title="Bookmark this time, or no longer (Shift+B)"
                data-testid="set-bookmark"
                onclick={on.reform(|_| Action::ToggleBookmark(None))}
            >{ icon(if is_here { Icon::Bookmarked } else { Icon::Bookmark }) }</button>
            if !props.bookmarks.list().is_empty() {
                <details class="tl-pop" data-testid="bookmarks">
                    <summary>{ units::things(props.bookmarks.list().len() as u64, "bookmark") }</summary>
                    <div class="tl-card"><ul>{ for props.bookmarks.list().iter().map(row) }</ul></div>
                </details>
            }
        </>
    }
}

//! The sheet of keys: the table of `view::keys`, as far as a page has it.

use view::keys::{BINDINGS, Binding, Page, Place, caps};
use yew::prelude::*;

/// What is listed.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The page whose keys are listed.
    pub page: Page,
    /// What the page's symbols mean: it comes after the keys, in the same columns.
    pub children: Html,
}

/// The sheet.
#[component]
pub fn KeySheet(props: &Props) -> Html {
    let page = props.page;
    html! {
        <div class="key-sheet">
            { for Place::ALL.into_iter().map(|place| group(page, place)) }
            <section class="symbols">{ props.children.clone() }</section>
        </div>
    }
}

fn group(page: Page, place: Place) -> Html {
    let mut lines = BINDINGS
        .iter()
        .filter(|binding| binding.place == place && binding.is_on(page))
        .peekable();
    if lines.peek().is_none() {
        return html! {};
    }
    html! {
        <section aria-labelledby={format!("keys-{}", place.slug())}>
            <h3 id={format!("keys-{}", place.slug())}>{ place.name() }</h3>
            <dl class="key-list" data-place={place.slug()}>{ for lines.map(line) }</dl>
        </section>
    }
}

fn line(binding: &Binding) -> Html {
    html! {
        <div data-testid="key" data-keys={binding.keys.join(" ")}>
            <dt>{ for binding.keys.iter().map(|key| html! { <span>{ for caps(key).map(|cap| html! { <kbd>{ cap.to_owned() }</kbd> }) }</span> }) }</dt>
            <dd>{ binding.words }</dd>
        </div>
    }
}

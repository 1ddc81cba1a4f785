//! What there is to choose of a chart.

use crate::texts::charts as texts;
use view::chart::View;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The choice between the views of a distribution.
pub fn views(slug: &'static str, shown: &UseStateHandle<View>) -> Html {
    let set = shown.clone();
    let on = Callback::from(move |to: usize| set.set(View::ALL[to]));
    let at = View::ALL.iter().position(|view| *view == **shown).unwrap_or(0);
    let names = View::ALL.map(|view| view.name().to_owned());
    choice(&format!("view-{slug}"), texts::KIND_OF_CHART, &names, at, on)
}

/// A choice between things; `on` hears the number of the one that was chosen.
pub fn choice(testid: &str, label: &'static str, all: &[String], at: usize, on: Callback<usize>) -> Html {
    let onchange = on.reform(|event: Event| {
        let select = event.target_unchecked_into::<HtmlSelectElement>();
        select.selected_index().max(0) as usize
    });
    html! {
        <select aria-label={label} data-testid={testid.to_owned()} {onchange}>
            { for all.iter().enumerate().map(|(number, name)| html! { <option selected={number == at}>{ name }</option> }) }
        </select>
    }
}

//! What differs between the scenarios, above the runs.

use super::plot::swatch;
use crate::model::Action;
use crate::shared::Shared;
use crate::ui::On;
use scenario::Scenario;
use view::compare::{differences as find, letter};
use yew::prelude::*;

/// What the list shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenarios.
    pub scenarios: Vec<Shared<Scenario>>,
    /// What the user does.
    pub on: On,
}

/// The list.
#[component]
pub fn DifferencesView(props: &Props) -> Html {
    let all: Vec<&Scenario> = props.scenarios.iter().map(|scenario| &**scenario).collect();
    let found = find(&all);
    let count = found.fields.len() + found.more;
    let summary = match (count, found.fields.first()) {
        (0, _) => "The scenarios are the same".to_owned(),
        (1, Some(only)) => format!("One field differs: {}", only.path),
        (_, _) => format!("{count} fields differ"),
    };
    let seed = all[0].seed;
    let seeds_differ = all.iter().any(|scenario| scenario.seed != seed);
    html! {
        <details class="cmp-differences" data-testid="differences">
            <summary>
                <b>{ summary }</b>
                { for found.warnings.iter().map(|warning| html! { <span class="chip lossy" data-testid="unfair">{ warning }</span> }) }
                if seeds_differ {
                    <button data-testid="same-seed" onclick={props.on.reform(move |event: MouseEvent| {
                        // It lies in the summary, which would open.
                        event.prevent_default();
                        Action::SetSeed(seed)
                    })}>{ format!("Seed {seed} for all") }</button>
                }
            </summary>
            <div class="cmp-table">
                <table class="rules">
                    <thead>
                        <tr>
                            <th scope="col">{ "Field" }</th>
                            { for (0..all.len()).map(|run| html! { <th scope="col">{ swatch(run) }{ letter(run).to_string() }</th> }) }
                        </tr>
                    </thead>
                    <tbody>
                        { for found.fields.iter().map(|field| html! {
                            <tr key={field.path.clone()}>
                                <th scope="row" class="mono">{ &field.path }</th>
                                { for field.values.iter().map(|value| match value {
                                    Some(value) => html! { <td>{ value }</td> },
                                    None => html! { <td class="dim">{ "not said" }</td> },
                                }) }
                            </tr>
                        }) }
                    </tbody>
                </table>
                if found.more > 0 { <p class="dim">{ format!("and {} more", found.more) }</p> }
            </div>
        </details>
    }
}

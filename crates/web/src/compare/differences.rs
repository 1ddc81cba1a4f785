//! What differs between the scenarios, above the runs.

use super::plot::swatch;
use crate::model::Action;
use crate::shared::Shared;
use crate::ui::On;
use lab::compare::{differences as find, letter, warnings};
use scenario::Scenario;
use serde_json::Value;
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
    // Counting flows takes time where there are very many: not whenever something else on the page changes.
    let found = use_memo(props.scenarios.clone(), |scenarios| {
        let all: Vec<Scenario> = scenarios.iter().map(|scenario| (**scenario).clone()).collect();
        (find(&all), warnings(&all))
    });
    let (found, unfair) = &*found;
    let all = &props.scenarios;
    let count = found.fields.len() as u64 + found.more;
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
                { for unfair.iter().map(|warning| html! { <span class="chip lossy" data-testid="unfair">{ warning }</span> }) }
                if seeds_differ {
                    <span class="chip lossy" data-testid="unfair">{ "other seeds" }</span>
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
                                    Some(value) => html! { <td>{ words(value) }</td> },
                                    None => html! { <td class="dim">{ "none" }</td> },
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

/// Characters of a value that are shown.
const MOST_CHARS: usize = 120;

/// A value as people write it: texts without quotes, and not without end.
fn words(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_no_quotes_and_an_end() {
        assert_eq!(words(&Value::from("100Gbps")), "100Gbps");
        assert_eq!(words(&Value::from(64)), "64");
        assert_eq!(
            words(&Value::from("x".repeat(500))).chars().count(),
            MOST_CHARS + 1
        );
    }
}

//! The filter's field: what it says is checked while it is typed.

use super::super::On;
use crate::dom;
use crate::model::Action;
use view::filter::{Filter, HELP, Problem};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Filters to begin with, and what they find.
const EXAMPLES: [(&str, &str); 5] = [
    ("trim || drop", "what was lost on the way"),
    ("kind in {nack, loss, timeout, resent}", "what was done about it"),
    (
        "fault || repair || port_down || port_up || verdict",
        "faults, and who noticed",
    ),
    (
        "ev_out || ev_back || ev_swap",
        "entropy values that went and came",
    ),
    ("qp == 0 && data", "the data of one QP"),
];
/// Where the browser keeps saved filters, one to a line.
const SHELF: &str = "filters";
/// Saved filters at most.
const MOST: usize = 12;

/// What the field shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The filter in force.
    pub filter: AttrValue,
    /// What the user does.
    pub on: On,
}

fn saved() -> Vec<String> {
    let lines = dom::stored(SHELF).unwrap_or_default();
    lines
        .lines()
        .filter(|line| line.parse::<Filter>().is_ok())
        .take(MOST)
        .map(str::to_owned)
        .collect()
}

fn save(filters: &[String]) {
    dom::store(SHELF, &filters.join("\n"));
}

/// The field.
#[component]
pub fn FilterField(props: &Props) -> Html {
    let typed = use_state_eq(|| props.filter.to_string());
    // Another part of the page may have set it.
    use_effect_with(props.filter.clone(), {
        let typed = typed.clone();
        move |filter| {
            if typed.trim() != filter.as_str() {
                typed.set(filter.to_string());
            }
        }
    });
    let shelf = use_state_eq(saved);
    let input = use_node_ref();
    let problem = typed.parse::<Filter>().err();
    // A filter takes effect as soon as it is one.
    let set = {
        let (typed, on) = (typed.clone(), props.on.clone());
        Callback::from(move |text: String| {
            if text.parse::<Filter>().is_ok() {
                on.emit(Action::FilterEvents(text.trim().to_owned()));
            }
            typed.set(text);
        })
    };
    let oninput = set.reform(|event: InputEvent| event.target_unchecked_into::<HtmlInputElement>().value());
    let take = |text: String| {
        let (set, input) = (set.clone(), input.clone());
        Callback::from(move |_: MouseEvent| {
            set.emit(text.clone());
            if let Some(input) = input.cast::<HtmlInputElement>() {
                let _ = input.focus();
            }
        })
    };
    let is_kept = shelf.contains(&typed);
    let keep = {
        let (shelf, text) = (shelf.clone(), typed.trim().to_owned());
        Callback::from(move |_: MouseEvent| {
            let mut filters = (*shelf).clone();
            if filters.contains(&text) {
                filters.retain(|other| *other != text);
            } else {
                filters.insert(0, text.clone());
                filters.truncate(MOST);
            }
            save(&filters);
            shelf.set(filters);
        })
    };
    let (class, sign, says) = match (&problem, typed.trim().is_empty()) {
        (Some(_), _) => ("bad", "✕", "no filter yet"),
        (None, true) => ("empty", "", ""),
        (None, false) => ("good", "✓", "in force"),
    };
    let own = shelf
        .iter()
        .map(|text| (text.clone(), "saved".to_owned()))
        .collect::<Vec<_>>();
    let chips = own.into_iter().chain(
        EXAMPLES
            .iter()
            .map(|(text, what)| ((*text).to_owned(), (*what).to_owned())),
    );
    html! {
        <div class="filter">
            <div class={classes!("filter-field", class)}>
                <input
                    ref={input.clone()}
                    type="text"
                    value={(*typed).clone()}
                    {oninput}
                    placeholder="Filter, such as qp == 3 && trimmed"
                    aria-label="Filter of events"
                    aria-invalid={problem.is_some().to_string()}
                    aria-describedby="filter-says"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    maxlength="1000"
                    data-testid="event-filter"
                />
                <span class="filter-sign" title={says} data-testid="filter-sign"><span aria-hidden="true">{ sign }</span><span class="unseen">{ says }</span></span>
                if !typed.is_empty() {
                    <button class="quiet" aria-label="No filter" title="No filter" onclick={take(String::new())} data-testid="filter-clear">{ "×" }</button>
                    <button
                        class="quiet"
                        aria-pressed={is_kept.to_string()}
                        aria-label="Keep this filter"
                        title={if is_kept { "Keep this filter no longer" } else { "Keep this filter" }}
                        disabled={problem.is_some()}
                        onclick={keep}
                        data-testid="filter-keep"
                    >{ if is_kept { "★" } else { "☆" } }</button>
                }
            </div>
            <div id="filter-says" class="filter-says" role="status">
                if let Some(problem) = &problem { { pointed(&typed, problem) } }
            </div>
            <div class="chips" role="group" aria-label="Filters to choose">
                { for chips.map(|(text, what)| html! {
                    <button class="chip" title={what} aria-pressed={(*typed == text).to_string()} onclick={take(text.clone())} data-testid="filter-chip">{ text }</button>
                }) }
                { help() }
            </div>
        </div>
    }
}

/// The text with the part in question underlined, and what is wrong with it.
fn pointed(text: &str, problem: &Problem) -> Html {
    let [before, part, after] = problem.shown(text);
    let part = if part.is_empty() {
        "\u{a0}".to_owned()
    } else {
        part
    };
    html! {
        <p class="filter-problem" data-testid="filter-problem">
            <code>{ before }<mark>{ part }</mark>{ after }</code>
            <span>{ problem.to_string() }</span>
        </p>
    }
}

/// All fields with an example each.
fn help() -> Html {
    html! {
        <details class="filter-help">
            <summary data-testid="filter-help">{ "Fields" }</summary>
            <table>
                <tbody>
                    { for HELP.iter().map(|(name, example, what)| html! {
                        <tr><th scope="row"><code>{ *name }</code></th><td><code>{ *example }</code></td><td>{ *what }</td></tr>
                    }) }
                </tbody>
            </table>
            <p class="small">{ "Every kind of event (trim, drop, mark, loss, timeout, placed, sent, resent, fault …) and of packet (data, sack, nack, cnp …) is a word of its own. Join with && and ||, turn around with !, group with ( )." }</p>
        </details>
    }
}

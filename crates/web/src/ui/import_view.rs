//! An import of htsim's files: what is missing, what is wrong, how they were understood.

use super::On;
use crate::import::{Import, Outcome, TextFile};
use crate::model::Action;
use crate::shared::Shared;
use scenario::htsim::StartUnit;
use scenario::{Balancer, Model as Rules};
use web_sys::{Element, HtmlSelectElement};
use yew::prelude::*;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The import.
    pub import: Shared<Import>,
    /// What the user does.
    pub on: On,
}

/// The import.
#[component]
pub fn ImportView(props: &Props) -> Html {
    let import = &props.import;
    let shown = use_node_ref();
    // What was dropped may have to be completed, and has choices: they come into sight.
    let names = [&import.matrix, &import.topology].map(|file| file.as_ref().map(|file| file.name.clone()));
    use_effect_with(names, {
        let shown = shown.clone();
        move |_| {
            if let Some(element) = shown.cast::<Element>() {
                element.scroll_into_view_with_bool(false);
            }
        }
    });
    if import.matrix.is_none() && import.topology.is_none() {
        return html! {};
    }
    let name = |file: &Option<TextFile>| {
        file.as_ref()
            .map_or_else(|| "–".to_owned(), |file| file.name.clone())
    };
    html! {
        <div ref={shown} class="import" data-testid="import">
            <dl>
                <dt>{ "matrix" }</dt><dd>{ name(&import.matrix) }</dd>
                <dt>{ "topology" }</dt><dd>{ name(&import.topology) }</dd>
            </dl>
            { outcome(props) }
        </div>
    }
}

fn outcome(props: &Props) -> Html {
    match &props.import.outcome {
        Outcome::Waiting if props.import.matrix.is_some() => html! {
            <>
                <p>{ "The matrix says who sends to whom, not over which network. Drop its topology (.topo) as well, or:" }</p>
                <button data-testid="make-topology" onclick={props.on.reform(|_| Action::MakeUpTopology)}>
                    { "Use a matching default: non-blocking, 400 Gb/s, 1 µs a link" }
                </button>
            </>
        },
        Outcome::Waiting => html! { <p>{ "Drop a connection matrix (.cm) as well." }</p> },
        Outcome::Problems(problems) => html! {
            <ul class="problems" role="alert" data-testid="import-problems">
                { for problems.iter().take(20).map(|problem| html! { <li>{ problem.to_string() }</li> }) }
                if problems.len() > 20 { <li>{ format!("and {} more", problems.len() - 20) }</li> }
            </ul>
        },
        Outcome::Done { notes, has_starts } => html! {
            <>
                { choices(props, *has_starts) }
                if !notes.is_empty() {
                    <ul class="import-notes" data-testid="import-notes">{ for notes.iter().map(|note| html! { <li>{ note }</li> }) }</ul>
                }
            </>
        },
    }
}

fn choices(props: &Props, has_starts: bool) -> Html {
    let choose = |make: fn(&str) -> Action| {
        props
            .on
            .reform(move |event: Event| make(&event.target_unchecked_into::<HtmlSelectElement>().value()))
    };
    let options = &props.import.options;
    let (rules, balancer, unit) = (options.model, options.balancer, options.start_unit);
    html! {
        <div class="choices">
            <label>{ "rules" }
                <select data-testid="import-rules" onchange={choose(|value| Action::SetRules(if value == "htsim" { Rules::Htsim } else { Rules::Mrc }))}>
                    <option value="mrc" selected={rules == Rules::Mrc}>{ "MRC" }</option>
                    <option value="htsim" selected={rules == Rules::Htsim}>{ "as htsim does it" }</option>
                </select>
            </label>
            <label title="How a sender chooses the path of each packet">{ "balancer (path choice)" }
                <select data-testid="import-balancer" onchange={choose(|value| {
                    let named = Balancer::ALL.into_iter().find(|balancer| balancer.name() == value);
                    Action::SetBalancer(named.unwrap_or_default())
                })}>
                    { for Balancer::ALL.into_iter().map(|offered| html! {
                        <option key={offered.name()} value={offered.name()} selected={balancer == offered}>{ balancer_name(offered) }</option>
                    }) }
                </select>
            </label>
            if has_starts {
                <label>{ "unit of start" }
                    <select data-testid="import-unit" onchange={choose(|value| Action::SetUnit(match value { "us" => StartUnit::Us, "ps" => StartUnit::Ps, _ => StartUnit::Auto }))}>
                        <option value="auto" selected={unit == StartUnit::Auto}>{ "inferred, see below" }</option>
                        <option value="us" selected={unit == StartUnit::Us}>{ "µs (uet-htsim)" }</option>
                        <option value="ps" selected={unit == StartUnit::Ps}>{ "ps (csg-htsim)" }</option>
                    </select>
                </label>
            }
        </div>
    }
}

const fn balancer_name(balancer: Balancer) -> &'static str {
    match balancer {
        Balancer::Mrc => "by EV state (MRC)",
        Balancer::Oblivious => "oblivious",
        Balancer::Reps => "REPS",
        Balancer::Bitmap => "bitmap",
        Balancer::Mixed => "mixed",
    }
}

//! Names and values; a name that has something to be explained is a button that does.

use super::bar::Bar;
use crate::texts::facts as texts;
use view::numbers::{Number, number};
use yew::prelude::*;

/// Which name of a view is explained, if one is.
pub struct Explain {
    view: &'static str,
    open: UseStateHandle<Option<AttrValue>>,
}

/// Names of a view that can be explained, one at a time.
#[hook]
pub fn use_explain(view: &'static str) -> Explain {
    Explain {
        view,
        open: use_state_eq(|| None),
    }
}

impl Explain {
    /// A name: a button, where something is known of it.
    pub fn label(&self, name: impl Into<AttrValue>) -> Html {
        let name = name.into();
        if number(self.view, &name).is_none() {
            return html! { name };
        }
        let is_open = self.is_open(&name);
        let (open, own) = (self.open.clone(), name.clone());
        let onclick = Callback::from(move |_: MouseEvent| open.set((!is_open).then(|| own.clone())));
        html! {
            <button class="explain" aria-expanded={is_open.to_string()} title={texts::WHAT_IS_THIS} data-testid="explain" {onclick}>{ name }</button>
        }
    }

    /// Whether a name is being explained.
    pub fn is_open(&self, name: &str) -> bool {
        self.open.as_deref() == Some(name)
    }

    /// What is known of the name that is being explained.
    pub fn why(&self) -> Html {
        let known = self.open.as_ref().and_then(|name| number(self.view, name));
        known.map_or_else(Html::default, why)
    }
}

/// What a number counts, its unit, and by whose word.
fn why(number: &Number) -> Html {
    html! {
        <div class="why" data-testid="why">
            <p>{ number.what }</p>
            <p><span class="dim">{ texts::UNIT }</span>{ number.unit }</p>
            <p><span class="dim">{ texts::SOURCE }</span>{ number.source }</p>
        </div>
    }
}

/// A list of names and values.
#[derive(PartialEq, Properties)]
pub struct FactsProps {
    /// Of which view they are: where the names are looked up.
    pub view: &'static str,
    /// Names and values.
    pub rows: Vec<(AttrValue, Html)>,
}

/// The list.
#[component]
pub fn Facts(props: &FactsProps) -> Html {
    let explain = use_explain(props.view);
    html! {
        <dl class="facts">
            { for props.rows.iter().map(|(name, value)| html! {
                <>
                    <dt>{ explain.label(name.clone()) }</dt>
                    <dd>{ value.clone() }</dd>
                    if explain.is_open(name) { <dd class="because">{ explain.why() }</dd> }
                </>
            }) }
        </dl>
    }
}

/// Names and values of a view.
pub fn facts(view: &'static str, rows: &[(&'static str, String)]) -> Html {
    let rows: Vec<(AttrValue, Html)> = rows
        .iter()
        .map(|(name, value)| ((*name).into(), value.into()))
        .collect();
    html! { <Facts {view} {rows} /> }
}

/// A share with its name and its value.
#[derive(PartialEq, Properties)]
pub struct MeterProps {
    /// Of which view it is.
    pub view: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// 0 to 1.
    pub share: f64,
    /// A class for the bar's colour.
    pub tone: &'static str,
    /// The value in words.
    pub text: AttrValue,
}

/// The share as a bar.
#[component]
pub fn Meter(props: &MeterProps) -> Html {
    let explain = use_explain(props.view);
    html! {
        <div class="meter">
            <span>{ explain.label(props.name) }</span>
            <Bar share={props.share} label={props.name} tone={props.tone} />
            <span>{ &props.text }</span>
            { explain.why() }
        </div>
    }
}

//! The form that makes a fault: what happens, what has to be said of it, and when.

use super::On;
use super::icons::{Icon, icon};
use crate::model::Action;
use crate::shared::Shared;
use scenario::{Fault, Scenario, Time};
use std::collections::BTreeMap;
use view::breaking::{Field, Input, Subject, Trouble, Way, check, make};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the form needs.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Tells the fields of this form from those of others.
    pub id: &'static str,
    /// What the fault is about; without it, a field asks for the place.
    pub subject: Option<Subject>,
    /// The scenario: what there is to break.
    pub scenario: Shared<Scenario>,
    /// Simulated time in ps.
    pub now_ps: u64,
    /// True when faults can take effect now.
    pub ready: bool,
    /// True when a time may be given too.
    #[prop_or_default]
    pub plans: bool,
    /// What the user does.
    pub on: On,
}

/// The form.
#[component]
pub fn BreakForm(props: &Props) -> Html {
    let ways = props.subject.map_or(&Way::ALL[..], |subject| subject.ways());
    let chosen = use_state_eq(|| ways[0]);
    // What was filled in; what was not is as the way has it.
    let said = use_state_eq(BTreeMap::<Field, String>::new);
    let time = use_state_eq(String::new);
    let troubles = use_state_eq(Vec::<Trouble>::new);
    // Another subject may have other ways.
    let way = if ways.contains(&chosen) { *chosen } else { ways[0] };
    let fabric = &props.scenario.fabric;
    let text = {
        let (said, subject) = (said.clone(), props.subject);
        let fabric = fabric.clone();
        move |field: Field| match (said.get(&field), subject) {
            (Some(text), _) => text.clone(),
            (None, Some(Subject::Nic(_, Some(plane)))) if field == Field::Port => plane.to_string(),
            (None, _) => way.default(field, &fabric),
        }
    };
    let onsubmit = {
        let (on, troubles, text, time) = (props.on.clone(), troubles.clone(), text.clone(), time.clone());
        let (subject, scenario, ready) = (props.subject, props.scenario.clone(), props.ready);
        let now = Time(props.now_ps + 1);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if !ready {
                return;
            }
            let found = moment(&time, now).and_then(|(at, planned)| {
                let what = make(way, subject, at, &text).map_err(|trouble| vec![trouble])?;
                let fault = Fault { at, what };
                let wrong = check(way, &scenario.fabric, &fault);
                if wrong.is_empty() {
                    Ok((fault, planned))
                } else {
                    Err(wrong)
                }
            });
            match found {
                Ok((fault, planned)) => {
                    troubles.set(Vec::new());
                    on.emit(if planned {
                        Action::AddFault(fault)
                    } else {
                        Action::Inject(fault.what)
                    });
                }
                Err(wrong) => troubles.set(wrong),
            }
        })
    };
    let choose = {
        let (chosen, said, troubles) = (chosen.clone(), said.clone(), troubles.clone());
        Callback::from(move |event: Event| {
            let slug = event.target_unchecked_into::<HtmlSelectElement>().value();
            if let Some(way) = Way::named(&slug) {
                chosen.set(way);
                // The place stays; the rest may mean something else now.
                said.set(
                    said.iter()
                        .filter(|(field, _)| **field == Field::Place)
                        .map(|(f, t)| (*f, t.clone()))
                        .collect(),
                );
                troubles.set(Vec::new());
            }
        })
    };
    let say = |field: Field| {
        let said = said.clone();
        Callback::from(move |text: String| {
            let mut all = (*said).clone();
            all.insert(field, text);
            said.set(all);
        })
    };
    let wrong = |field: Field| troubles.iter().any(|trouble| trouble.field == Some(field));
    let place = (props.subject.is_none() && way.noun().needs_place()).then_some(Field::Place);
    let fields = place.into_iter().chain(way.fields().iter().copied());
    let id = props.id;
    html! {
        <form class="break-form" {onsubmit}>
            <select class="way" aria-label="What happens" data-testid={format!("{id}-kind")} onchange={choose}>
                { options(props.subject, ways, way) }
            </select>
            // An element of their own: what comes and goes beside the others would take their places, and the focus.
            <div class="fields">{ for fields.map(|field| html! {
                <label key={field.slug()} class={classes!("field", format!("of-{}", field.slug()))}>
                    <span>{ field.label() }</span>
                    { input(field, field.input(way, fabric), text(field), wrong(field), format!("{id}-{}", field.slug()), say(field)) }
                </label>
            }) }</div>
            if props.plans {
                <label class="field of-time">
                    <span>{ "when" }</span>
                    <input
                        type="text"
                        autocomplete="off"
                        placeholder="now, or 120 µs"
                        title="Now, or a time; with a time the run begins again"
                        value={(*time).clone()}
                        data-testid={format!("{id}-at")}
                        oninput={Callback::from(move |event: InputEvent| time.set(event.target_unchecked_into::<HtmlInputElement>().value()))}
                    />
                </label>
            }
            <button class="fail" disabled={!props.ready} data-testid={format!("{id}-do")}>
                { icon(Icon::Break) }{ if way.is_repair() { "Heal" } else { "Break" } }
            </button>
            <p class="dim small doc">{ way.doc() }</p>
            if !troubles.is_empty() {
                <ul class="problems" role="alert" data-testid={format!("{id}-problem")}>
                    { for troubles.iter().map(|trouble| html! {
                        <li>{ trouble.field.map(|field| format!("{}: ", field.label())).unwrap_or_default() }{ &trouble.why }</li>
                    }) }
                </ul>
            }
        </form>
    }
}

/// The fault's time, and whether somebody gave one.
fn moment(text: &str, now: Time) -> Result<(Time, bool), Vec<Trouble>> {
    match text.trim() {
        "" | "now" => Ok((now, false)),
        time => match time.parse() {
            Ok(at) => Ok((at, true)),
            Err(error) => Err(vec![Trouble {
                field: None,
                why: format!("when: {error}"),
            }]),
        },
    }
}

/// The ways; those for different things in groups.
pub(super) fn options(subject: Option<Subject>, ways: &[Way], current: Way) -> Html {
    let option = |way: &Way| {
        html! { <option value={way.slug()} selected={*way == current}>{ way.label() }</option> }
    };
    if subject.is_some() {
        return ways.iter().map(option).collect();
    }
    ways.chunk_by(|a, b| a.noun() == b.noun())
        .map(|group| html! { <optgroup label={group[0].noun().name()}>{ for group.iter().map(option) }</optgroup> })
        .collect()
}

/// What fills in a field.
pub(super) fn input(
    field: Field,
    kind: Input,
    value: String,
    wrong: bool,
    testid: String,
    say: Callback<String>,
) -> Html {
    match kind {
        Input::Text(example) => html! {
            <input
                type="text"
                autocomplete="off"
                spellcheck="false"
                placeholder={example}
                aria-invalid={wrong.to_string()}
                data-testid={testid}
                {value}
                oninput={say.reform(|event: InputEvent| event.target_unchecked_into::<HtmlInputElement>().value())}
            />
        },
        Input::Choice(list) => html! {
            <select
                aria-invalid={wrong.to_string()}
                data-testid={testid}
                onchange={say.reform(|event: Event| event.target_unchecked_into::<HtmlSelectElement>().value())}
            >
                { for list.into_iter().map(|(option, name)| {
                    let selected = option == value;
                    html! { <option key={format!("{} {option}", field.slug())} value={option} {selected}>{ name }</option> }
                }) }
            </select>
        },
    }
}

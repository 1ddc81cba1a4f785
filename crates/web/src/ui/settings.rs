//! The settings that decide the run, with where they come from; most can be changed, which begins again.

use super::On;
use crate::model::Action;
use crate::shared::Shared;
use scenario::Scenario;
use view::message::Facts;
use view::settings::{Group, Input, Origin, Setting, settings};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Names of choices up to so many letters have room beside the setting's name and its origin.
const SHORT: usize = 4;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario.
    pub scenario: Shared<Scenario>,
    /// What follows from it.
    pub facts: Shared<Facts>,
    /// The setting that was refused last, with the reasons.
    pub refused: Option<(String, Vec<String>)>,
    /// What the user does.
    pub on: On,
}

/// The settings.
#[component]
pub fn Settings(props: &Props) -> Html {
    html! {
        <section>
            <details class="settings" data-testid="settings">
                <summary><h2>{ "Settings" }</h2></summary>
                <p class="dim small">{ "Change a value and the run begins again; an empty field is as if nothing were said." }</p>
                { for settings(&props.scenario, &props.facts).iter().map(|group| group_view(group, props)) }
            </details>
        </section>
    }
}

fn group_view(group: &Group, props: &Props) -> Html {
    html! {
        <>
            <h3>{ group.name }</h3>
            <table>
                <tbody>{ for group.settings.iter().map(|setting| row(setting, props)) }</tbody>
            </table>
        </>
    }
}

fn row(setting: &Setting, props: &Props) -> Html {
    let (mark, doc) = match setting.origin {
        _ if setting.is_given => ("", "The scenario says it"),
        Origin::Required => ("", "The scenario has to say it"),
        Origin::Published(source) => ("published", source),
        Origin::Chosen(reason) => ("our choice", reason),
        Origin::Derived(rule) => ("derived", rule),
    };
    let refused = props
        .refused
        .as_ref()
        .filter(|(path, _)| Some(path.as_str()) == setting.path);
    html! {
        <>
            <tr role="row" title={doc} class={classes!(setting.is_given.then_some("given"), is_long(setting).then_some("long"))}>
                <th scope="row">{ setting.name }</th>
                <td>{ field(setting, refused.is_some(), &props.on) }</td>
                <td class="origin">{ mark }</td>
            </tr>
            if let Some((_, problems)) = refused {
                <tr>
                    <td colspan="3">
                        <ul class="problems" role="alert" data-testid="setting-problem">
                            { for problems.iter().take(5).map(|problem| html! { <li>{ problem }</li> }) }
                        </ul>
                    </td>
                </tr>
            }
        </>
    }
}

/// Whether the names of the choices need a line of their own.
fn is_long(setting: &Setting) -> bool {
    matches!(setting.input, Input::Choice(list) if list.iter().any(|(_, name)| name.len() > SHORT))
}

fn field(setting: &Setting, wrong: bool, on: &On) -> Html {
    let Some(path) = setting.path else {
        return html! { <span class="fixed">{ &setting.value }</span> };
    };
    let testid = format!("setting-{path}");
    match setting.input {
        Input::Fixed => html! { <span class="fixed">{ &setting.value }</span> },
        Input::Text => {
            let value = setting.value.clone();
            let onchange = {
                let (on, value) = (on.clone(), value.clone());
                Callback::from(move |event: Event| {
                    let text = event.target_unchecked_into::<HtmlInputElement>().value();
                    if text != value {
                        on.emit(Action::Edit(path, text));
                    }
                })
            };
            html! {
                <input
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    aria-label={setting.name}
                    aria-invalid={wrong.to_string()}
                    data-testid={testid}
                    {value}
                    {onchange}
                />
            }
        }
        Input::Choice(list) => {
            let onchange = on.reform(move |event: Event| {
                Action::Edit(path, event.target_unchecked_into::<HtmlSelectElement>().value())
            });
            html! {
                <select aria-label={setting.name} aria-invalid={wrong.to_string()} data-testid={testid} {onchange}>
                    { for list.iter().map(|(value, name)| html! {
                        <option key={*value} value={*value} selected={*value == setting.value}>{ *name }</option>
                    }) }
                </select>
            }
        }
    }
}

//! One field of the editor's forms, with what it means on demand.

use super::On;
use super::icons::{Icon, icon};
use crate::model::{Action, EditorAct};
use view::editor::Change;
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// How a field is filled in.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// It is not.
    Fixed,
    /// As one line of text.
    Line,
    /// As one line of text that may be long: it is shown on as many as it takes.
    Long,
    /// As several lines of text.
    Lines,
    /// One of several: value, name.
    Choice(&'static [(&'static str, &'static str)]),
}

/// A field.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Where it is in the scenario.
    pub path: AttrValue,
    /// The name for people.
    pub label: AttrValue,
    /// What it is.
    pub value: AttrValue,
    /// How it is filled in.
    pub shape: Shape,
    /// True when the scenario says so.
    pub is_given: bool,
    /// Where its value comes from, in a word.
    #[prop_or_default]
    pub origin: AttrValue,
    /// What it means, its unit and range, its default and source, in paragraphs.
    pub help: Callback<(), Vec<String>>,
    /// Why what was filled in was refused.
    pub problems: Vec<String>,
    /// What the user does.
    pub on: On,
}

/// The field.
#[component]
pub fn EditorField(props: &Props) -> Html {
    let open = use_state_eq(|| false);
    // What is being typed. It stays while it is refused, and goes when the value has changed.
    let draft = use_state_eq(|| None::<String>);
    use_effect_with(props.value.clone(), {
        let draft = draft.clone();
        move |_| draft.set(None)
    });
    let wrong = !props.problems.is_empty();
    let id = format!("field-{}", props.path);
    let about = format!("{id}-about");
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let title = format!("What “{}” means", props.label);
    html! {
        <div class={classes!("field-row", props.is_given.then_some("given"), matches!(props.shape, Shape::Long | Shape::Lines).then_some("long"))} data-path={props.path.clone()}>
            if props.shape == Shape::Fixed {
                <span class="name">{ &props.label }</span>
            } else {
                <label class="name" for={id.clone()}>{ &props.label }</label>
            }
            { input(props, &id, &about, draft, wrong) }
            <span class="origin">{ &props.origin }</span>
            <button class="quiet about" type="button" aria-label={title.clone()} {title} aria-expanded={open.to_string()} onclick={toggle}>{ icon(Icon::Help) }</button>
            if wrong {
                <ul class="problems" role="alert" id={about.clone()} data-testid="field-problem">
                    { for props.problems.iter().take(5).map(|problem| html! { <li>{ problem }</li> }) }
                </ul>
            }
            if *open {
                <div class="field-doc" data-testid="field-doc">{ for props.help.emit(()).into_iter().map(|text| html! { <p>{ text }</p> }) }</div>
            }
        </div>
    }
}

fn input(props: &Props, id: &str, about: &str, draft: UseStateHandle<Option<String>>, wrong: bool) -> Html {
    let describedby = wrong.then(|| about.to_owned());
    let change = {
        let (on, path) = (props.on.clone(), props.path.to_string());
        Callback::from(move |text: String| {
            let path = path.clone();
            on.emit(Action::Editor(EditorAct::Change(Change::Set { path, text })));
        })
    };
    let shown = draft
        .as_ref()
        .map_or_else(|| props.value.to_string(), Clone::clone);
    let commit = {
        let (draft, change, value) = (draft.clone(), change.clone(), props.value.clone());
        Callback::from(move |_: Event| match &*draft {
            Some(text) if *text != *value => change.emit(text.clone()),
            _ => draft.set(None),
        })
    };
    let testid = format!("form-{}", props.path);
    match props.shape {
        Shape::Fixed => html! { <output class="fixed">{ &props.value }</output> },
        Shape::Choice(list) => html! {
            <select id={id.to_owned()} aria-invalid={wrong.to_string()} aria-describedby={describedby} data-testid={testid}
                onchange={change.reform(|event: Event| event.target_unchecked_into::<HtmlSelectElement>().value())}>
                { for list.iter().map(|(value, name)| html! {
                    <option key={*value} value={*value} selected={*value == shown}>{ *name }</option>
                }) }
            </select>
        },
        Shape::Long | Shape::Lines => {
            let is_one = props.shape == Shape::Long;
            let oninput = {
                let draft = draft.clone();
                Callback::from(move |event: InputEvent| {
                    let text = event.target_unchecked_into::<HtmlTextAreaElement>().value();
                    // What is pasted may have several lines.
                    draft.set(Some(if is_one { text.replace('\n', " ") } else { text }));
                })
            };
            let onkeydown = {
                let (commit, typed) = (commit.clone(), typed(props, draft.clone()));
                Callback::from(move |event: KeyboardEvent| {
                    if is_one && event.key() == "Enter" {
                        event.prevent_default();
                        commit.emit(event.into());
                    } else if is_one {
                        typed.emit(event);
                    }
                })
            };
            html! {
                <textarea id={id.to_owned()} rows={if is_one { "2" } else { "4" }} spellcheck="false" aria-invalid={wrong.to_string()} aria-describedby={describedby} data-testid={testid} value={shown}
                    {oninput}
                    onchange={commit}
                    {onkeydown}
                />
            }
        }
        Shape::Line => {
            let onkeydown = typed(props, draft.clone());
            html! {
                <input id={id.to_owned()} type="text" autocomplete="off" spellcheck="false" aria-invalid={wrong.to_string()} aria-describedby={describedby} data-testid={testid} value={shown}
                    oninput={Callback::from(move |event: InputEvent| draft.set(Some(event.target_unchecked_into::<HtmlInputElement>().value())))}
                    onchange={commit}
                    {onkeydown}
                />
            }
        }
    }
}

/// What keys do in a line of text.
fn typed(props: &Props, draft: UseStateHandle<Option<String>>) -> Callback<KeyboardEvent> {
    let on = props.on.clone();
    Callback::from(move |event: KeyboardEvent| {
        let control = event.ctrl_key() || event.meta_key();
        // While somebody types, the browser's own undo is nearer.
        if control && draft.is_none() && event.key().eq_ignore_ascii_case("z") {
            event.prevent_default();
            on.emit(Action::Editor(if event.shift_key() {
                EditorAct::Redo
            } else {
                EditorAct::Undo
            }));
        } else if event.key() == "Escape" && draft.is_some() {
            event.prevent_default();
            draft.set(None);
        }
    })
}

//! What the forms of fabrics and of hosts have in common: name and seed, lists of elements, and the scenarios that are kept.

use super::On;
use super::editor_field::{EditorField, Shape};
use super::icons::{Icon, icon};
use crate::model::{Action, EditorAct, SavedView};
use scenario::help;
use view::editor::{Change, Edited, Entry, FieldInput, List, Refused, entries};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Elements of a list that have a form; the text has all.
const FORMS: usize = 60;

/// What every form needs.
#[derive(Clone, Copy)]
pub struct Lists<'a> {
    /// The change that was not made last.
    pub refused: Option<&'a Refused>,
    /// What the user does.
    pub on: &'a On,
}

/// The field that says which settings are wanted.
pub fn find_field(wanted: &UseStateHandle<String>) -> Html {
    let wanted = wanted.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let text = event.target_unchecked_into::<HtmlInputElement>().value();
        wanted.set(text.trim().to_lowercase());
    });
    html! { <input type="text" class="find-setting" placeholder="Find a setting" aria-label="Find a setting" autocomplete="off" data-testid="find-setting" {oninput} /> }
}

/// Says that the forms show the scenario before, where they do.
pub fn behind(is_behind: bool) -> Html {
    html! {
        if is_behind {
            <p class="warn small" data-testid="forms-behind">{ "The text has problems. The forms show the last valid scenario; a change here goes back to its text, and Undo brings yours back." }</p>
        }
    }
}

/// Name, description, seed, and what more there is of the whole.
pub fn general(name: &str, about: &str, seed: u64, more: Html, lists: Lists<'_>) -> Html {
    let field = |path: &'static str, label: &'static str, value: String, shape: Shape| {
        html! {
            <EditorField {path} {label} is_given={!value.is_empty() && value != "0"} {value} {shape}
                help={Callback::from(move |()| help(path).map(plain).into_iter().collect())}
                problems={problems(lists.refused, path)} on={lists.on.clone()} />
        }
    };
    html! {
        <details open=true>
            <summary><h3>{ "Scenario" }</h3></summary>
            { field("name", "name", name.to_owned(), Shape::Long) }
            { field("about", "what to look for", about.to_owned(), Shape::Lines) }
            { field("seed", "seed", seed.to_string(), Shape::Line) }
            { more }
        </details>
    }
}

/// The forms of a list.
pub fn list(scenario: &Edited, list: List, name: &'static str, lists: Lists<'_>) -> Html {
    let (rows, count) = entries(scenario, list, FORMS);
    let last = count.saturating_sub(1);
    let noun = list.noun();
    let add = lists.on.reform(move |event: Event| {
        let select = event.target_unchecked_into::<HtmlSelectElement>();
        let kind = select.value();
        select.set_value("");
        Action::Editor(EditorAct::Change(Change::Add(list, kind)))
    });
    html! {
        <details open=true class="entries">
            <summary><h3>{ name }</h3><span class="dim small">{ count }</span></summary>
            <ol data-testid={format!("entries-{}", list.name())}>
                { for rows.iter().enumerate().map(|(index, entry)| entry_view(lists, list, (index, last), entry)) }
            </ol>
            if count > FORMS {
                <p class="dim small">{ format!("and {} more, in the text", count - FORMS) }</p>
            }
            <select class="add" aria-label={format!("Add {noun}")} data-testid={format!("add-{}", list.name())} onchange={add}>
                <option value="" selected=true>{ format!("Add {noun}…") }</option>
                { for list.kinds().iter().filter(|kind| kind.can_be_added).map(|kind| html! { <option value={kind.name} title={kind.help}>{ kind.label }</option> }) }
            </select>
            { complaint(problems(lists.refused, &format!("{}[{count}]", list.name()))) }
        </details>
    }
}

fn entry_view(lists: Lists<'_>, list: List, (index, last): (usize, usize), entry: &Entry) -> Html {
    // VMs are numbered from 0, as everywhere.
    let first = usize::from(list != List::Vms);
    let act = |change: Change| {
        lists
            .on
            .reform(move |_: MouseEvent| Action::Editor(EditorAct::Change(change.clone())))
    };
    let button = |name: &'static str, picture: Icon, disabled: bool, change: Change| {
        let label = format!("{name} {} {}", list.noun(), index + first);
        html! {
            <button class="quiet" aria-label={label.clone()} title={label} {disabled} onclick={act(change)}>{ icon(picture) }</button>
        }
    };
    let set_kind = lists.on.reform(move |event: Event| {
        let kind = event.target_unchecked_into::<HtmlSelectElement>().value();
        Action::Editor(EditorAct::Change(Change::SetKind(list, index, kind)))
    });
    html! {
        <li key={index} class="entry" data-testid={format!("entry-{}-{index}", list.name())} title={entry.title.clone()}>
            <div class="entry-head">
                <span class="number dim">{ index + first }</span>
                if list.kinds().len() == 1 {
                    <strong>{ &entry.title }</strong>
                } else {
                <select aria-label={format!("Kind of {} {}", list.name(), index + first)} data-testid={format!("kind-{}-{index}", list.name())} onchange={set_kind}>
                    { for list.kinds().iter().map(|kind| html! {
                        <option key={kind.name} value={kind.name} selected={kind.name == entry.kind.name} disabled={!kind.can_be_added}>{ kind.label }</option>
                    }) }
                </select>
                }
                <span class="entry-buttons">
                    { button("Move up", Icon::Up, index == 0, Change::Move(list, index, true)) }
                    { button("Move down", Icon::Down, index == last, Change::Move(list, index, false)) }
                    { button("Duplicate", Icon::Copy, false, Change::Duplicate(list, index)) }
                    { button("Remove", Icon::Close, false, Change::Remove(list, index)) }
                </span>
            </div>
            <p class="dim small">{ entry.kind.help }</p>
            { for entry.fields.iter().map(|field| {
                let shape = match field.input {
                    FieldInput::InText => Shape::Fixed,
                    FieldInput::Choice(list) => Shape::Choice(list),
                    _ => Shape::Line,
                };
                let words = field.help;
                html! {
                    <EditorField key={field.path.clone()} path={field.path.clone()} label={field.label} value={field.value.clone()} {shape}
                        is_given={field.default.is_none_or(|default| default != field.value)}
                        help={Callback::from(move |()| vec![words.to_owned()])} problems={problems(lists.refused, &field.path)} on={lists.on.clone()} />
                }
            }) }
            { complaint(problems(lists.refused, &format!("{}[{index}]", list.name()))) }
        </li>
    }
}

fn complaint(problems: Vec<String>) -> Html {
    html! {
        if !problems.is_empty() {
            <ul class="problems" role="alert" data-testid="entry-problem">{ for problems.iter().take(5).map(|problem| html! { <li>{ problem }</li> }) }</ul>
        }
    }
}

/// The scenarios that the browser keeps.
pub fn kept(saves: &[SavedView], on: &On) -> Html {
    if saves.is_empty() {
        return html! {};
    }
    html! {
        <details>
            <summary><h3>{ "Worked on lately" }</h3><span class="dim small">{ "kept in this browser" }</span></summary>
            <ul class="kept" data-testid="kept">
                { for saves.iter().map(|save| {
                    let began = save.began_ms;
                    let forget = format!("Forget {}", save.name);
                    html! {
                        <li>
                            <button class="link" onclick={on.reform(move |_| Action::Editor(EditorAct::Restore(began)))}>{ &save.name }</button>
                            <span class="dim small">{ &save.ago }</span>
                            <button class="quiet" aria-label={forget.clone()} title={forget} onclick={on.reform(move |_| Action::Editor(EditorAct::Forget(began)))}>{ icon(Icon::Close) }</button>
                        </li>
                    }
                }) }
            </ul>
        </details>
    }
}

/// Why what was filled in at a path was refused.
pub fn problems(refused: Option<&Refused>, path: &str) -> Vec<String> {
    match refused {
        Some(refused) if refused.path == path => refused.problems.clone(),
        _ => Vec::new(),
    }
}

/// A field's documentation without its Markdown.
pub fn plain(doc: &str) -> String {
    doc.replace('\n', " ").replace('`', "")
}

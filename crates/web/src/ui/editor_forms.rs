//! The forms of a scenario: its name and seed, settings, traffic and faults.

use super::On;
use super::editor_field::{EditorField, Shape};
use super::icons::{Icon, icon};
use crate::model::{Action, EditorAct, SavedView};
use crate::shared::Shared;
use scenario::{Scenario, help};
use view::editor::{Change, Entry, FieldInput, List, Refused, entries};
use view::message::Facts;
use view::settings::{Group, Input, Origin, Setting, default_of, settings};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Elements of a list that have a form; the text has all.
const FORMS: usize = 60;
/// Groups that are open from the start.
const OPEN: [&str; 2] = ["Run", "Fabric"];

/// What the forms show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario that runs.
    pub scenario: Shared<Scenario>,
    /// What follows from it.
    pub facts: Shared<Facts>,
    /// The change that was not made last.
    pub refused: Option<Refused>,
    /// True when the text has problems, so that the forms show the scenario before.
    pub is_behind: bool,
    /// The scenarios that the browser keeps.
    pub saves: Shared<Vec<SavedView>>,
    /// What the user does.
    pub on: On,
}

/// The forms.
#[component]
pub fn EditorForms(props: &Props) -> Html {
    let wanted = use_state_eq(String::new);
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| {
            wanted.set(
                event
                    .target_unchecked_into::<HtmlInputElement>()
                    .value()
                    .trim()
                    .to_lowercase(),
            );
        })
    };
    let groups = settings(&props.scenario, &props.facts);
    html! {
        <>
            <input type="text" class="find-setting" placeholder="Find a setting" aria-label="Find a setting" autocomplete="off" data-testid="find-setting" {oninput} />
            if props.is_behind {
                <p class="warn small" data-testid="forms-behind">{ "The text has problems. The forms show the last valid scenario; a change here goes back to its text, and Undo brings yours back." }</p>
            }
            if wanted.is_empty() {
                { general(props) }
                { list(props, List::Traffic, "Traffic") }
                { list(props, List::Faults, "Faults") }
            }
            { for groups.iter().filter_map(|group| group_view(group, &wanted, props)) }
            if wanted.is_empty() { { kept(props) } }
        </>
    }
}

fn general(props: &Props) -> Html {
    let field = |path: &'static str, label: &'static str, value: String, shape: Shape| {
        html! {
            <EditorField {path} {label} is_given={!value.is_empty() && value != "0"} {value} {shape}
                help={Callback::from(move |()| help(path).map(plain).into_iter().collect())}
                problems={problems(props, path)} on={props.on.clone()} />
        }
    };
    html! {
        <details open=true>
            <summary><h3>{ "Scenario" }</h3></summary>
            { field("name", "name", props.scenario.name.clone(), Shape::Line) }
            { field("about", "what to look for", props.scenario.about.clone(), Shape::Lines) }
            { field("seed", "seed", props.scenario.seed.to_string(), Shape::Line) }
        </details>
    }
}

fn group_view(group: &Group, wanted: &str, props: &Props) -> Option<Html> {
    let is_wanted = |setting: &&Setting| {
        wanted.is_empty()
            || setting.name.to_lowercase().contains(wanted)
            || setting.path.is_some_and(|path| path.contains(wanted))
    };
    let rows: Vec<&Setting> = group.settings.iter().filter(is_wanted).collect();
    if rows.is_empty() {
        return None;
    }
    let given = rows
        .iter()
        .filter(|setting| setting.is_given && setting.path.is_some())
        .count();
    let open = !wanted.is_empty() || OPEN.contains(&group.name);
    Some(html! {
        <details key={format!("{} {}", group.name, wanted.is_empty())} {open}>
            <summary><h3>{ group.name }</h3><span class="dim small">{ format!("{given} of {} set", rows.len()) }</span></summary>
            { for rows.into_iter().map(|setting| setting_row(setting, props)) }
        </details>
    })
}

fn setting_row(setting: &Setting, props: &Props) -> Html {
    let shape = match (setting.path, setting.input) {
        (None, _) | (_, Input::Fixed) => Shape::Fixed,
        (_, Input::Text) => Shape::Line,
        (_, Input::Choice(list)) => Shape::Choice(list),
    };
    let (mark, source) = match setting.origin {
        Origin::Required => ("", None),
        Origin::Published(source) => ("published", Some(format!("Published: {source}."))),
        Origin::Chosen(reason) => ("our choice", Some(format!("Our choice: {reason}."))),
        Origin::Derived(rule) => ("derived", Some(format!("Derived: {rule}."))),
    };
    let about = {
        let (path, is_required) = (setting.path, setting.origin == Origin::Required);
        let (scenario, facts) = (props.scenario.clone(), props.facts.clone());
        Callback::from(move |()| {
            let default = path.map(|path| match default_of(&scenario, &facts, path) {
                Some(default) => format!("Where nothing is said: {default}."),
                None if is_required => "It has to be said.".to_owned(),
                None => "Other settings need it.".to_owned(),
            });
            let doc = path.and_then(help).map(plain);
            doc.into_iter()
                .chain(default)
                .chain(source.clone())
                .chain(path.map(|path| format!("In the text: {path}")))
                .collect()
        })
    };
    let path = setting.path.unwrap_or(setting.name);
    html! {
        <EditorField key={path} {path} label={setting.name} value={setting.value.clone()} {shape} is_given={setting.is_given}
            origin={if setting.is_given { "set" } else { mark }} help={about} problems={problems(props, path)} on={props.on.clone()} />
    }
}

fn list(props: &Props, list: List, name: &'static str) -> Html {
    let (rows, count) = entries(&props.scenario, list, FORMS);
    let last = count.saturating_sub(1);
    let noun = if list == List::Traffic { "traffic" } else { "fault" };
    let add = props.on.reform(move |event: Event| {
        let select = event.target_unchecked_into::<HtmlSelectElement>();
        let kind = select.value();
        select.set_value("");
        Action::Editor(EditorAct::Change(Change::Add(list, kind)))
    });
    html! {
        <details open=true class="entries">
            <summary><h3>{ name }</h3><span class="dim small">{ count }</span></summary>
            <ol data-testid={format!("entries-{}", list.name())}>
                { for rows.iter().enumerate().map(|(index, entry)| entry_view(props, list, (index, last), entry)) }
            </ol>
            if count > FORMS {
                <p class="dim small">{ format!("and {} more, in the text", count - FORMS) }</p>
            }
            <select class="add" aria-label={format!("Add {noun}")} data-testid={format!("add-{}", list.name())} onchange={add}>
                <option value="" selected=true>{ format!("Add {noun}…") }</option>
                { for list.kinds().iter().filter(|kind| kind.name != "flows").map(|kind| html! { <option value={kind.name} title={kind.help}>{ kind.label }</option> }) }
            </select>
            { complaint(problems(props, &format!("{}[{count}]", list.name()))) }
        </details>
    }
}

fn entry_view(props: &Props, list: List, (index, last): (usize, usize), entry: &Entry) -> Html {
    let act = |change: Change| {
        props
            .on
            .reform(move |_: MouseEvent| Action::Editor(EditorAct::Change(change.clone())))
    };
    let button = |name: &'static str, picture: Icon, disabled: bool, change: Change| {
        let label = format!(
            "{name} {} {}",
            if list == List::Traffic { "traffic" } else { "fault" },
            index + 1
        );
        html! {
            <button class="quiet" aria-label={label.clone()} title={label} {disabled} onclick={act(change)}>{ icon(picture) }</button>
        }
    };
    let set_kind = props.on.reform(move |event: Event| {
        let kind = event.target_unchecked_into::<HtmlSelectElement>().value();
        Action::Editor(EditorAct::Change(Change::SetKind(list, index, kind)))
    });
    html! {
        <li key={index} class="entry" data-testid={format!("entry-{}-{index}", list.name())} title={entry.title.clone()}>
            <div class="entry-head">
                <span class="number dim">{ index + 1 }</span>
                <select aria-label={format!("Kind of {} {}", list.name(), index + 1)} data-testid={format!("kind-{}-{index}", list.name())} onchange={set_kind}>
                    { for list.kinds().iter().map(|kind| html! {
                        <option key={kind.name} value={kind.name} selected={kind.name == entry.kind.name} disabled={kind.name == "flows"}>{ kind.label }</option>
                    }) }
                </select>
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
                        help={Callback::from(move |()| vec![words.to_owned()])} problems={problems(props, &field.path)} on={props.on.clone()} />
                }
            }) }
            { complaint(problems(props, &format!("{}[{index}]", list.name()))) }
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
fn kept(props: &Props) -> Html {
    if props.saves.is_empty() {
        return html! {};
    }
    html! {
        <details>
            <summary><h3>{ "Worked on lately" }</h3><span class="dim small">{ "kept in this browser" }</span></summary>
            <ul class="kept" data-testid="kept">
                { for props.saves.iter().map(|save| {
                    let began = save.began_ms;
                    let forget = format!("Forget {}", save.name);
                    html! {
                        <li>
                            <button class="link" onclick={props.on.reform(move |_| Action::Editor(EditorAct::Restore(began)))}>{ &save.name }</button>
                            <span class="dim small">{ &save.ago }</span>
                            <button class="quiet" aria-label={forget.clone()} title={forget} onclick={props.on.reform(move |_| Action::Editor(EditorAct::Forget(began)))}>{ icon(Icon::Close) }</button>
                        </li>
                    }
                }) }
            </ul>
        </details>
    }
}

fn problems(props: &Props, path: &str) -> Vec<String> {
    match &props.refused {
        Some(refused) if refused.path == path => refused.problems.clone(),
        _ => Vec::new(),
    }
}

/// A field's documentation without its Markdown.
fn plain(doc: &str) -> String {
    doc.replace('\n', " ").replace('`', "")
}

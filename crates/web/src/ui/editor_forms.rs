//! The forms of a fabric's scenario: its name and seed, settings, traffic and faults.

use super::On;
use super::editor_field::{EditorField, Shape};
use super::editor_lists::{Lists, behind, find_field, general, kept, list, plain, problems};
use crate::model::SavedView;
use crate::shared::Shared;
use scenario::{Scenario, help};
use view::editor::{Edited, List, Refused};
use view::message::Facts;
use view::settings::{Group, Input, Origin, Setting, default_of, settings};
use yew::prelude::*;

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
    let edited = Edited::Fabric((*props.scenario).clone());
    let lists = Lists {
        refused: props.refused.as_ref(),
        on: &props.on,
    };
    let groups = settings(&props.scenario, &props.facts);
    html! {
        <>
            { find_field(&wanted) }
            { behind(props.is_behind) }
            if wanted.is_empty() {
                { general(&props.scenario.name, &props.scenario.about, props.scenario.seed, html! {}, lists) }
                { list(&edited, List::Traffic, "Traffic", lists) }
                { list(&edited, List::Faults, "Faults", lists) }
            }
            { for groups.iter().filter_map(|group| group_view(group, &wanted, props)) }
            if wanted.is_empty() { { kept(&props.saves, &props.on) } }
        </>
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
            origin={if setting.is_given { "set" } else { mark }} help={about} problems={problems(props.refused.as_ref(), path)} on={props.on.clone()} />
    }
}

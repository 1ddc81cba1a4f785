//! The forms of a host's scenario: its name, seed and end, VMs, traffic, events, and the machine's parameters.

use super::On;
use super::editor_field::{EditorField, Shape};
use super::editor_lists::{Lists, behind, find_field, general, kept, list, plain, problems};
use crate::model::SavedView;
use crate::shared::Shared;
use scenario::host::{HostScenario, help};
use view::editor::{Edited, List, Refused};
use view::host::settings::{Group, Row, choices, groups, label, status};
use yew::prelude::*;

/// What the forms show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The scenario that runs.
    pub scenario: Shared<HostScenario>,
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
pub fn HostForms(props: &Props) -> Html {
    let wanted = use_state_eq(String::new);
    let scenario = &*props.scenario;
    let edited = Edited::Host(scenario.clone());
    let lists = Lists {
        refused: props.refused.as_ref(),
        on: &props.on,
    };
    let until = html! {
        <EditorField path="until" label="until" is_given=true value={scenario.until.to_string()} shape={Shape::Line}
            help={Callback::from(|()| vec![help("until").map(plain).unwrap_or_default(), "A time, at most 1\u{202f}000 s.".to_owned()])}
            problems={problems(lists.refused, "until")} on={props.on.clone()} />
    };
    html! {
        <>
            { find_field(&wanted) }
            { behind(props.is_behind) }
            if wanted.is_empty() {
                { general(&scenario.name, &scenario.about, scenario.seed, until, lists) }
                { list(&edited, List::Vms, "VMs", lists) }
                { list(&edited, List::HostTraffic, "Traffic", lists) }
                { list(&edited, List::Events, "Events", lists) }
            }
            { for groups(scenario).iter().filter_map(|group| group_view(group, &wanted, lists)) }
            if wanted.is_empty() { { kept(&props.saves, &props.on) } }
        </>
    }
}

fn group_view(group: &Group, wanted: &str, lists: Lists<'_>) -> Option<Html> {
    let name = |row: &Row| label(row.parameter.path);
    let is_wanted = |row: &&Row| {
        wanted.is_empty() || name(row).to_lowercase().contains(wanted) || row.parameter.path.contains(wanted)
    };
    let rows: Vec<&Row> = group.rows.iter().filter(is_wanted).collect();
    if rows.is_empty() {
        return None;
    }
    let given = rows.iter().filter(|row| row.given).count();
    Some(html! {
        <details key={format!("{} {}", group.name, wanted.is_empty())} open={!wanted.is_empty()}>
            <summary><h3>{ group.name }</h3><span class="dim small">{ format!("{given} of {} set", rows.len()) }</span></summary>
            { for rows.into_iter().map(|row| parameter(row, lists)) }
        </details>
    })
}

fn parameter(row: &Row, lists: Lists<'_>) -> Html {
    let parameter = row.parameter;
    let path = parameter.path;
    let shape = choices(row).map_or(Shape::Line, Shape::Choice);
    // The group has the first part of the name already.
    let name = label(path);
    let short = name
        .split_once(": ")
        .map_or(name.as_str(), |(_, rest)| rest)
        .to_owned();
    let unit = match parameter.unit {
        "" | "time" => String::new(),
        unit => format!(", {unit}"),
    };
    let about = Callback::from(move |()| {
        let doc = help(path).map(plain);
        let source = format!("Default: {}: {}.", status(parameter.status), parameter.source);
        doc.into_iter()
            .chain([source, format!("In the text: {path}")])
            .collect::<Vec<String>>()
    });
    html! {
        <EditorField key={path} {path} label={format!("{short}{unit}")} value={row.value.clone()} {shape} is_given={row.given}
            origin={if row.given { "set" } else { status(parameter.status) }} help={about} problems={problems(lists.refused, path)} on={lists.on.clone()} />
    }
}

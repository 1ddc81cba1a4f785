//! What became of files: what they are, what is not used of them, what is wrong, and what they leave open.

use super::{Importer, Msg, Stage};
use crate::texts::importer as text;
use crate::ui::icons::{Icon, icon};
use view::host::import::{Field, Found, Said};
use view::units::things;
use web_sys::HtmlInputElement;
use yew::html::Scope;
use yew::prelude::*;

/// Notes that are shown before the reader asks for more.
const SHOWN: usize = 3;

/// The card; nothing while there is nothing to say.
pub fn card(
    stage: &Stage,
    names: &[String],
    said: &Said,
    unclear: Option<&(Field, String)>,
    link: &Scope<Importer>,
) -> Html {
    let (class, role, picture, title) = match stage {
        Stage::Nothing => return Html::default(),
        Stage::Working => (
            "working",
            "status",
            Icon::File,
            format!("Reading {}", listed(names)),
        ),
        Stage::Done { .. } => ("done", "status", Icon::File, text::made_of(&listed(names))),
        Stage::Refused { title, .. } => ("error", "alert", Icon::Warning, title.clone()),
    };
    let close = link.callback(|_: MouseEvent| Msg::Close);
    html! {
        <aside class={classes!("import-card", class)} aria-label="Import" data-testid="import-card" data-stage={class}>
            <div class="import-head">
                { icon(picture) }
                <strong {role}>{ title }</strong>
                if matches!(stage, Stage::Working) {
                    <button data-testid="import-cancel" onclick={close}>{ "Cancel" }</button>
                } else {
                    <button class="quiet" aria-label="Close" title="Close" data-testid="import-close" onclick={close}>{ icon(Icon::Close) }</button>
                }
            </div>
            { match stage {
                Stage::Nothing | Stage::Working => Html::default(),
                Stage::Done { found, notes, minor } => html! {
                    <>
                        <ul class="import-found">{ for found.iter().map(what) }</ul>
                        { list(text::WHAT_IS_NOT_USED, notes, "import-card-notes") }
                        { folded(&format!("{} about what says nothing about packets", things(minor.len() as u64, "note")), minor) }
                    </>
                },
                Stage::Refused { problems, .. } => html! {
                    <ul class="problems" data-testid="import-card-problems">{ for problems.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
                },
            } }
            // Always there, so that the focus stays in it while the files are read again.
            { form(said, unclear, link) }
        </aside>
    }
}

/// Names of files in a title.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [one, other] => format!("{one} and {other}"),
        [first, ..] => format!("{first} and {} more", names.len() - 1),
    }
}

fn what(found: &Found) -> Html {
    html! { <li><span class="file">{ &found.name }</span>{ ": " }{ &found.what }</li> }
}

/// Lines, the first few of them unfolded.
fn list(title: &str, lines: &[String], testid: &'static str) -> Html {
    if lines.is_empty() {
        return Html::default();
    }
    let (first, rest) = lines.split_at(lines.len().min(SHOWN));
    html! {
        <div class="import-told" data-testid={testid}>
            <h3>{ title }</h3>
            <ul>{ for first.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
            { folded(&things(rest.len() as u64, "more note"), rest) }
        </div>
    }
}

fn folded(title: &str, lines: &[String]) -> Html {
    if lines.is_empty() {
        return Html::default();
    }
    html! {
        <details>
            <summary>{ title }</summary>
            <ul>{ for lines.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
        </details>
    }
}

/// The name of a field's element.
pub fn id(field: Field) -> String {
    format!("import-said-{}", field.slug())
}

/// What the files leave open.
fn form(said: &Said, unclear: Option<&(Field, String)>, link: &Scope<Importer>) -> Html {
    let onsubmit = link.callback(|event: SubmitEvent| {
        event.prevent_default();
        Msg::Again
    });
    let row = |field: Field| {
        let oninput = link.callback(move |event: InputEvent| {
            Msg::Say(field, event.target_unchecked_into::<HtmlInputElement>().value())
        });
        let wrong = unclear.is_some_and(|(which, _)| *which == field);
        html! {
            <label key={field.slug()} class="field">
                <span>{ field.label() }</span>
                <input
                    id={id(field)}
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder={field.otherwise()}
                    aria-invalid={wrong.to_string()}
                    value={said.of(field).to_owned()}
                    data-testid={id(field)}
                    {oninput}
                />
            </label>
        }
    };
    html! {
        <details class="import-open" open={unclear.is_some()}>
            <summary data-testid="import-open">{ text::WHAT_THE_FILES_LEAVE_OPEN }</summary>
            <form {onsubmit}>
                { for Field::ALL.into_iter().map(row) }
                <p class="dim small">{ text::SEVERAL_ARE_SET_APART }</p>
                <button class="primary" data-testid="import-again">{ text::IMPORT_AGAIN }</button>
            </form>
        </details>
    }
}

//! The editor: forms and the scenario's JSON side by side.

use super::editor_text::EditorText;
use super::icons::{Icon, icon};
use super::{On, OnFiles};
use crate::desk::DeskView;
use crate::dom;
use crate::files;
use crate::model::{Action, EditorAct, EditorView, SavedView};
use crate::shared::Shared;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What the editor shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The text and what is wrong with it.
    pub view: Shared<EditorView>,
    /// True where a scenario runs that can be saved.
    pub can_save: bool,
    /// The forms of the scenario.
    pub forms: Html,
    /// What the user does.
    pub on: On,
    /// What is done with files.
    pub files: OnFiles,
}

/// The button that opens and closes the editor.
pub fn edit_button(editing: bool, on: &On) -> Html {
    let act = if editing {
        EditorAct::Close
    } else {
        EditorAct::Open
    };
    html! {
        <button
            id="edit"
            data-testid="edit"
            title="Edit the scenario: forms and JSON (Shift+E)"
            aria-pressed={editing.to_string()}
            onclick={on.reform(move |_| Action::Editor(act.clone()))}
        >{ icon(Icon::Edit) }<span>{ "Edit" }</span></button>
    }
}

/// The editor where it is open, otherwise what was worked on last where it is offered.
pub fn editor_or_offer(desk: &DeskView, can_save: bool, forms: Html, on: &On, files: OnFiles) -> Html {
    if desk.open {
        return html! { <Editor view={desk.text.clone()} {can_save} {forms} on={on.clone()} {files} /> };
    }
    match &desk.offer {
        Some(offer) => html! { <RestoreOffer offer={offer.clone()} on={on.clone()} /> },
        None => html! {},
    }
}

/// The editor.
#[component]
pub fn Editor(props: &Props) -> Html {
    // Which half a narrow window shows.
    let json = use_state_eq(|| false);
    let root = use_node_ref();
    use_effect_with((), {
        let root = root.clone();
        move |()| {
            focus(root.cast::<HtmlElement>());
            // Back to the button that opened it.
            || {
                focus(
                    dom::document()
                        .get_element_by_id("edit")
                        .and_then(|button| button.dyn_into().ok()),
                )
            }
        }
    });
    let act = |act: EditorAct| props.on.reform(move |_: MouseEvent| Action::Editor(act.clone()));
    let half = |name: &'static str, is_json: bool| {
        let onclick = {
            let json = json.clone();
            Callback::from(move |_: MouseEvent| json.set(is_json))
        };
        let testid = format!("editor-half-{}", name.to_lowercase());
        html! { <button aria-pressed={(*json == is_json).to_string()} data-testid={testid} {onclick}>{ name }</button> }
    };
    let view = &props.view;
    let step = |done: &Option<String>, verb: &str, key: &str| match done {
        Some(what) => format!("{verb}: {what} ({key})"),
        None => format!("{verb} ({key})"),
    };
    let (undo, redo) = (
        step(&view.undo, "Take back", "Ctrl+Z"),
        step(&view.redo, "Do again", "Ctrl+Shift+Z"),
    );
    html! {
        <main ref={root} tabindex="-1" class="editor" aria-label="Scenario editor" data-testid="editor" data-half={if *json { "json" } else { "form" }}>
            <h2 class="sr">{ "Scenario editor" }</h2>
            <div class="editor-bar">
                <div class="segmented" role="group" aria-label="Undo and redo">
                    <button aria-label={undo.clone()} title={undo} disabled={view.undo.is_none()} data-testid="undo" onclick={act(EditorAct::Undo)}>{ icon(Icon::Undo) }</button>
                    <button aria-label={redo.clone()} title={redo} disabled={view.redo.is_none()} data-testid="redo" onclick={act(EditorAct::Redo)}>{ icon(Icon::Redo) }</button>
                </div>
                <div class="segmented halves" role="group" aria-label="What is shown">{ half("Form", false) }{ half("JSON", true) }</div>
                { status(view) }
                <label class="button" title="Open a file; it can be dropped on the page, too">
                    { icon(Icon::File) }<span>{ "Open" }</span>
                    <input type="file" class="sr" multiple=true accept={files::ACCEPTED} aria-label="Open a file" data-testid="editor-open" onchange={files::chosen(props.files.clone())} />
                </label>
                <button title="Save the scenario as a file (Ctrl+S in the text)" data-testid="editor-save" disabled={!props.can_save} onclick={props.on.reform(|_| Action::SaveScenario)}>
                    { icon(Icon::Save) }<span>{ "Save as" }</span>
                </button>
                <button class="quiet" aria-label="Close the editor" title="Close (Esc)" data-testid="editor-close" onclick={act(EditorAct::Close)}>{ icon(Icon::Close) }</button>
            </div>
            <div class="editor-forms">
                { props.forms.clone() }
            </div>
            <EditorText view={view.clone()} on={props.on.clone()} />
        </main>
    }
}

fn focus(element: Option<HtmlElement>) {
    if let Some(element) = element {
        let _ = element.focus();
    }
}

fn status(view: &EditorView) -> Html {
    let (class, picture, text) = match view.problems.len() {
        _ if view.is_pending => ("dim", Icon::Edit, "Typing…".to_owned()),
        0 => ("good", Icon::Info, "Valid: the run is of this text".to_owned()),
        1 => (
            "bad",
            Icon::Warning,
            "1 problem: the last valid scenario runs on".to_owned(),
        ),
        count => (
            "bad",
            Icon::Warning,
            format!("{count} problems: the last valid scenario runs on"),
        ),
    };
    html! {
        <p class={classes!("editor-status", class)} role="status" data-testid="editor-status">{ icon(picture) }<span>{ text }</span></p>
    }
}

/// What the offer shows.
#[derive(PartialEq, Properties)]
pub struct OfferProps {
    /// The scenario that was worked on last.
    pub offer: SavedView,
    /// What the user does.
    pub on: On,
}

/// Offers the scenario that was worked on last; nothing happens unless the user wants it.
#[component]
pub fn RestoreOffer(props: &OfferProps) -> Html {
    let act = |act: EditorAct| props.on.reform(move |_: MouseEvent| Action::Editor(act.clone()));
    html! {
        <div class="offer" role="region" aria-label="Your last scenario" data-testid="offer">
            <p>{ "Restore the scenario you worked on? " }<strong>{ &props.offer.name }</strong>{ format!(", {}", props.offer.ago) }</p>
            <button class="primary" data-testid="offer-restore" onclick={act(EditorAct::Restore(props.offer.began_ms))}>{ "Restore" }</button>
            <button data-testid="offer-dismiss" onclick={act(EditorAct::DismissOffer)}>{ "Not now" }</button>
        </div>
    }
}

//! The frame of dialogs, and sharing.

use super::On;
use super::icons::{Icon, icon};
use crate::model::{Action, ShareView};
use view::units;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Links of more characters than this may be cut off in chats and mails.
const SAFE_LENGTH: usize = 2000;

/// A dialog's frame.
#[derive(PartialEq, Properties)]
pub struct FrameProps {
    /// What it is about.
    pub title: AttrValue,
    /// A name for tests.
    pub testid: AttrValue,
    /// What the user does.
    pub on: On,
    /// What is in it.
    pub children: Html,
}

/// A dialog that is open while it is there.
#[component]
pub fn Frame(props: &FrameProps) -> Html {
    let node = use_node_ref();
    use_effect_with((), {
        let node = node.clone();
        move |()| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                let _ = dialog.show_modal();
            }
        }
    });
    let close = props.on.reform(|_: MouseEvent| Action::CloseDialog);
    // Escape closes the dialog by itself, and says so.
    let onclose = props.on.reform(|_: Event| Action::CloseDialog);
    let onclick = {
        let (on, node) = (props.on.clone(), node.clone());
        Callback::from(move |event: MouseEvent| {
            // A click on the backdrop is a click on the dialog itself, not on what is in it.
            let outside = event
                .target()
                .zip(node.get())
                .is_some_and(|(target, node)| target.dyn_ref::<web_sys::Node>() == Some(&node));
            if outside {
                on.emit(Action::CloseDialog);
            }
        })
    };
    html! {
        <dialog ref={node} data-testid={props.testid.clone()} aria-labelledby="dialog-title" {onclose} {onclick}>
            <div class="dialog">
                <header>
                    <h2 id="dialog-title">{ &props.title }</h2>
                    <button class="quiet" aria-label="Close" data-testid="close-dialog" onclick={close}>{ icon(Icon::Close) }</button>
                </header>
                { props.children.clone() }
            </div>
        </dialog>
    }
}

/// What the share dialog shows.
#[derive(PartialEq, Properties)]
pub struct ShareProps {
    /// The link and what became of it.
    pub view: ShareView,
    /// True where it can be a file as well.
    #[prop_or(true)]
    pub files: bool,
    /// What the user does.
    pub on: On,
}

/// The share dialog.
#[component]
pub fn ShareDialog(props: &ShareProps) -> Html {
    let field = use_node_ref();
    use_effect_with(props.view.copied, {
        let field = field.clone();
        move |copied| {
            // Ready for Ctrl-C where the browser does not copy for us.
            if *copied == Some(false)
                && let Some(field) = field.cast::<HtmlTextAreaElement>()
            {
                field.select();
            }
        }
    });
    let save = html! {
        if props.files { <button data-testid="save-scenario" onclick={props.on.reform(|_| Action::SaveScenario)}>
            { icon(Icon::Save) }{ "Save as a JSON file" }
        </button> }
    };
    let body = match &props.view.url {
        None => html! {
            <>
                <p class="bad" role="alert">{ props.view.problem.as_deref().unwrap_or_default() }</p>
                if props.files { <p>{ "Save it as a file instead: dropped on this page, it opens the same run." }</p> }
                <p class="row">{ save }</p>
            </>
        },
        Some(url) => {
            let length = url.chars().count();
            let (class, text) = match props.view.copied {
                Some(true) => ("good", "Copied. "),
                Some(false) => (
                    "bad",
                    "This browser does not let the page copy: copy the link from the field. ",
                ),
                None => ("dim", ""),
            };
            html! {
                <>
                    <p>{ "This link opens the same experiment, with its seed and every fault by hand. It runs the same, bit for bit." }</p>
                    <textarea
                        ref={field}
                        readonly=true
                        rows="4"
                        aria-label="Link"
                        data-testid="share-link"
                        value={url.clone()}
                        onfocus={Callback::from(|event: FocusEvent| {
                            event.target_unchecked_into::<HtmlTextAreaElement>().select();
                        })}
                    />
                    <p role="status" data-testid="share-status">
                        <span class={class}>{ text }</span>
                        <span class="dim">{ format!("{} characters", units::count(length as u64)) }</span>
                    </p>
                    if length > SAFE_LENGTH {
                        <p class="bad" data-testid="share-long">
                            { format!("Links of more than {} characters are often cut off in chats and mails.{}", units::count(SAFE_LENGTH as u64), if props.files { " A file is safer." } else { "" }) }
                        </p>
                    }
                    <p class="row">
                        <button class="primary" data-testid="copy-link" onclick={props.on.reform(|_| Action::CopyLink)}>
                            { icon(Icon::Copy) }{ "Copy the link" }
                        </button>
                        { save }
                    </p>
                </>
            }
        }
    };
    html! { <Frame title="Share this experiment" testid="share-dialog" on={props.on.clone()}>{ body }</Frame> }
}

//! The frame of dialogs.

use super::On;
use super::icons::{Icon, icon};
use crate::model::Action;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

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

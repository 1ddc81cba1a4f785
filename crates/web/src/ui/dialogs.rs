//! The frame of dialogs, and keys and symbols.

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

/// What the help dialog needs.
#[derive(PartialEq, Properties)]
pub struct HelpProps {
    /// What the user does.
    pub on: On,
}

/// Keys and symbols.
#[component]
pub fn HelpDialog(props: &HelpProps) -> Html {
    const KEYS: [(&str, &str); 22] = [
        ("Space", "play or pause"),
        (".  ,", "step one event, back by one event"),
        (">  <", "next mark, previous mark"),
        ("⇧ B", "bookmark this time, or no longer"),
        ("E", "run to the end"),
        ("R", "restart, with all faults"),
        ("[  ]", "slower, faster"),
        ("B", "break tool on or off"),
        ("M", "ways to break what is selected"),
        ("N", "select the next packet"),
        ("/", "find by name"),
        ("+  −", "larger, smaller"),
        ("0", "show everything"),
        ("Arrows", "move the view, on the stage"),
        ("←  →", "go through time, in the timeline; with ⇧ farther"),
        (
            "Home  End",
            "to the start, to as far as is known, in the timeline",
        ),
        ("+  −  0", "magnify time, in the timeline; the wheel does so too"),
        ("PgUp  PgDn", "step before, next step, on a story's card"),
        ("Shift+E", "edit the scenario: forms and JSON"),
        ("Ctrl+Z", "take an edit back; with Shift, do it again"),
        ("Esc", "put the tool away, select nothing"),
        ("?", "this list"),
    ];
    html! {
        <Frame title="Keys and symbols" testid="help-dialog" on={props.on.clone()}>
            <div class="columns">
                <dl class="keys">
                    { for KEYS.into_iter().map(|(key, what)| html! { <><dt><kbd>{ key }</kbd></dt><dd>{ what }</dd></> }) }
                </dl>
                <div>
                    <p>{ "A packet with a body is drawn as long as its bits are on the wire: from its last bit to its first. It enters a link as it is sent, and is gone when its last bit has arrived and the switch has decided." }</p>
                    <p>{ "A data packet with a light core carries an ECN mark. Packets that fade are on a link that went down, or belong to another QP than the one selected." }</p>
                    <p>{ "Each cable is two lanes, one a direction, on the right as on a road. A lane grows darker with its load. The bar at its beginning is its output queue; it turns red when packets are about to be trimmed." }</p>
                    <p>{ "A cross marks where packets were dropped, a diamond where they were trimmed." }</p>
                    <p>{ "Links with a fault have a sign: × down, % loses packets, ≠ damages them, ~ flaps; an arrow beside it says that it is so in one direction only, ↑ away from the NICs. A right click or a held finger on a link, a switch or a NIC offers all ways to break it; beside everything, those for the whole fabric." }</p>
                    <p>{ "In the timeline, the span from a fault to the last packet that was sent into it is tinted. A click on a mark selects what it is about; a click or a drag elsewhere goes there in time, back as well as on." }</p>
                    <p>{ "Names: p0/t0.3-t1.2 is the link between T0 3 and T1 2 in plane 0; p0/n17 is NIC 17's link to its T0." }</p>
                </div>
            </div>
            <p class="dim" data-testid="edition">{ crate::edition::words() }</p>
        </Frame>
    }
}

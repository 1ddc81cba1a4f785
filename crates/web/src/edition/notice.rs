//! A new version asks before it replaces the one that is open.

use super::keeper;
use crate::dom;
use crate::share::keeping;
use crate::ui::icons::{Icon, icon};
use web_sys::ServiceWorker;
use yew::prelude::*;

/// What is heard of the versions, and what the user wants.
pub enum Msg {
    /// A new version has all its files and waits.
    Found(ServiceWorker),
    /// A new version has replaced the one that this page belongs to.
    Replaced,
    /// The user wants it.
    Use,
    /// Not now.
    Later,
}

/// What there is to say.
enum State {
    Nothing,
    Waiting(ServiceWorker),
    /// The user wants the new version, which has not replaced the old one yet.
    Asked,
    /// Another window of the same browser did.
    Elsewhere,
    /// What is open would be lost, for this reason; the version that waits, if it does.
    Loses(String, Option<ServiceWorker>),
}

fn take_over(worker: ServiceWorker) -> State {
    match keeper::take_over(&worker) {
        Ok(()) => State::Asked,
        Err(_) => State::Waiting(worker),
    }
}

fn load_again() -> State {
    let _ = dom::window().location().reload();
    State::Asked
}

/// The notice, where there is something to say.
pub struct NewVersion {
    state: State,
}

impl Component for NewVersion {
    type Message = Msg;
    type Properties = ();

    fn create(_: &Context<NewVersion>) -> NewVersion {
        NewVersion {
            state: State::Nothing,
        }
    }

    fn rendered(&mut self, ctx: &Context<NewVersion>, first: bool) {
        if first {
            keeper::keep(ctx.link().callback(|msg| msg));
        }
    }

    fn update(&mut self, _: &Context<NewVersion>, msg: Msg) -> bool {
        let state = std::mem::replace(&mut self.state, State::Nothing);
        self.state = match (msg, state) {
            (Msg::Found(_), State::Asked) | (Msg::Use, State::Asked) => State::Asked,
            (Msg::Found(worker), _) => State::Waiting(worker),
            // What is open is put into the address, so that the new version has it: before it takes over, while there is a way back.
            (Msg::Use, State::Waiting(worker)) => match keeping::into_address() {
                Ok(()) => take_over(worker),
                Err(why) => State::Loses(why, Some(worker)),
            },
            (Msg::Use, State::Loses(_, Some(worker))) => take_over(worker),
            (Msg::Use, State::Elsewhere) => match keeping::into_address() {
                Ok(()) => load_again(),
                Err(why) => State::Loses(why, None),
            },
            (Msg::Use, _) => load_again(),
            // As it is by now; if it fits nowhere, that was said.
            (Msg::Replaced, State::Asked) => {
                let _ = keeping::into_address();
                load_again()
            }
            (Msg::Replaced, _) => State::Elsewhere,
            (Msg::Later, _) => State::Nothing,
        };
        true
    }

    fn view(&self, ctx: &Context<NewVersion>) -> Html {
        let text = match &self.state {
            State::Nothing => return Html::default(),
            State::Waiting(_) => "A new version of Flowglass is ready. Using it loads this page again; what is open stays, faults by hand included.".to_owned(),
            State::Asked => "The new version is being opened.".to_owned(),
            State::Elsewhere => {
                "Another window has changed to a new version of Flowglass. Load this page again to use it here too; what is open stays."
                    .to_owned()
            }
            State::Loses(why, _) => format!(
                "The new version is ready, but what is open would be lost: {why}. Save it as a file first (Share, Save as a JSON file)."
            ),
        };
        html! {
            <aside class="new-version" role="status" data-testid="new-version">
                { icon(Icon::Info) }
                <p>{ text }</p>
                if !matches!(self.state, State::Asked) {
                    <button class="primary" data-testid="use-new-version" onclick={ctx.link().callback(|_| Msg::Use)}>{ if matches!(self.state, State::Loses(..)) { "Use it and lose this" } else { "Use it now" } }</button>
                    <button data-testid="keep-version" onclick={ctx.link().callback(|_| Msg::Later)}>{ "Later" }</button>
                }
            </aside>
        }
    }
}

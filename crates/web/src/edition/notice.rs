//! A new version asks before it replaces the one that is open.

use super::keeper;
use crate::dom;
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
            (Msg::Use, State::Waiting(worker)) => match keeper::take_over(&worker) {
                Ok(()) => State::Asked,
                Err(_) => State::Waiting(worker),
            },
            (Msg::Replaced, State::Asked) | (Msg::Use, _) => {
                let _ = dom::window().location().reload();
                State::Asked
            }
            (Msg::Replaced, _) => State::Elsewhere,
            (Msg::Later, _) => State::Nothing,
        };
        true
    }

    fn view(&self, ctx: &Context<NewVersion>) -> Html {
        let text = match self.state {
            State::Nothing => return Html::default(),
            State::Waiting(_) => "A new version of Flowglass is ready. Using it loads this page again.",
            State::Asked => "The new version is being opened.",
            State::Elsewhere => {
                "Another window has changed to a new version of Flowglass. Load this page again to use it here too."
            }
        };
        html! {
            <aside class="new-version" role="status" data-testid="new-version">
                { icon(Icon::Info) }
                <p>{ text }</p>
                if !matches!(self.state, State::Asked) {
                    <button class="primary" data-testid="use-new-version" onclick={ctx.link().callback(|_| Msg::Use)}>{ "Use it now" }</button>
                    <button data-testid="keep-version" onclick={ctx.link().callback(|_| Msg::Later)}>{ "Later" }</button>
                }
            </aside>
        }
    }
}

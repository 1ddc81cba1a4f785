//! What is shown over a stage whose worker has stopped, or does not answer.

use super::icons::{Icon, icon};
use yew::prelude::*;

/// That the worker has stopped, why, what is kept, and what can be done.
pub fn stopped(
    title: &'static str,
    why: &str,
    kept: &'static str,
    restart: Callback<MouseEvent>,
    save: Option<Callback<MouseEvent>>,
) -> Html {
    html! {
        <div class="veil" role="alert" data-testid="broken">
            <div class="card">
                <h2>{ title }</h2>
                <p>{ why }</p>
                <p class="dim">{ kept }</p>
                <p class="row">
                    <button class="primary" data-testid="restart-worker" onclick={restart}>
                        { icon(Icon::Restart) }{ "Start again" }
                    </button>
                    if let Some(save) = save {
                        <button data-testid="save-stopped" onclick={save}>{ icon(Icon::Save) }{ "Save the scenario" }</button>
                    }
                </p>
            </div>
        </div>
    }
}

/// That the worker has owed an answer for so many seconds. It may only be busy: the stage stays as it is.
pub fn silent(seconds: u32, restart: Callback<MouseEvent>) -> Html {
    html! {
        <div class="silent" data-testid="silent">
            // Said once, and not with every second.
            <p class="sr" role="status">{ "The simulation does not answer" }</p>
            <p>{ format!("The simulation has not answered for {seconds} s. It may be busy.") }</p>
            <button data-testid="restart-silent" onclick={restart}>{ icon(Icon::Restart) }{ "Start again" }</button>
        </div>
    }
}

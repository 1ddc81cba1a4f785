//! What the controls of both pages have: the buttons, the speed and the seed.

use super::icons::{Icon, icon};
use crate::model::Playing;
use crate::texts::playing as texts;
use view::{speed, units};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Title of the notice that a text is no seed.
pub const NO_SEED: &str = texts::THIS_IS_NO_SEED;

/// What one of the buttons asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Begin again.
    Restart,
    /// Play or pause.
    TogglePlay,
    /// One event.
    Step,
    /// As fast as can be, to the end.
    ToEnd,
}

/// What one of the buttons that go through a run's time asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// To time 0, from where what is known of later times stays.
    ToStart,
    /// Back by one event.
    StepBack,
    /// To the last mark before now.
    Previous,
    /// To the next mark.
    Next,
}

/// Where a run can be gone to, for the buttons that do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether it is at its start.
    pub at_start: bool,
    /// Whether there is a mark before now.
    pub has_previous: bool,
    /// Whether one is known after it.
    pub has_next: bool,
}

/// Going through a run's time: where to, and what is done then.
pub type Travel<'a> = (Reach, &'a Callback<Through>);

/// The buttons; those that go through its time where a run can do so.
pub fn buttons(
    playing: Playing,
    ready: bool,
    over: bool,
    travel: Option<Travel<'_>>,
    on: &Callback<Go>,
) -> Html {
    let button = |name: &'static str, keys: &str, testid: &'static str, picture: Icon, off: bool, go: Go| {
        tool(name, keys, testid, picture, !ready || off, on.reform(move |_| go))
    };
    let through = |name: &'static str, keys: &str, testid: &'static str, picture: Icon, to: Through| {
        let Some((reach, on)) = travel else {
            return html! {};
        };
        let off = match to {
            Through::ToStart | Through::StepBack => reach.at_start,
            Through::Previous => !reach.has_previous,
            Through::Next => !reach.has_next,
        };
        tool(name, keys, testid, picture, !ready || off, on.reform(move |_| to))
    };
    let (name, picture) = match playing {
        Playing::No => ("Play", Icon::Play),
        Playing::AtSpeed | Playing::ToEnd => ("Pause", Icon::Pause),
    };
    html! {
        <div class="buttons">
            { button("Restart", "R", "restart", Icon::Restart, false, Go::Restart) }
            { through(texts::GO_TO_THE_START, texts::HOME_WITH_THE_TIMELINE_FOCUSED, "to-start", Icon::Start, Through::ToStart) }
            { through(texts::PREVIOUS_MARK, "<", "previous-mark", Icon::Previous, Through::Previous) }
            { through(texts::BACK_ONE_EVENT, ",", "step-back", Icon::StepBack, Through::StepBack) }
            <button
                class="tool play"
                aria-label={name}
                title={format!("{name} (space)")}
                data-testid="play"
                disabled={!ready || over}
                onclick={on.reform(|_| Go::TogglePlay)}
            >{ icon(picture) }</button>
            { button(texts::STEP_ONE_EVENT, ".", "step", Icon::Step, over, Go::Step) }
            { through(texts::NEXT_MARK, ">", "next-mark", Icon::Next, Through::Next) }
            { button(texts::RUN_TO_THE_END, "E", "run-to-end", Icon::End, over, Go::ToEnd) }
        </div>
    }
}

/// One of the buttons.
fn tool(
    name: &'static str,
    keys: &str,
    testid: &'static str,
    picture: Icon,
    disabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button class="tool" aria-label={name} title={format!("{name} ({keys})")} data-testid={testid} {disabled} {onclick}>
            { icon(picture) }
        </button>
    }
}

/// The speed: the step of the scale, and the speed reached where it is less than the one asked for.
pub fn speed_slider(step: u32, playing: Playing, limited: Option<f64>, on: &Callback<u32>) -> Html {
    let wanted = units::speed(speed::of_step(step) as f64);
    let oninput = on.reform(|event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        value.parse().unwrap_or(0)
    });
    let (class, note) = match (playing, limited) {
        (Playing::ToEnd, _) => ("dim", texts::AS_FAST_AS_THIS_MACHINE_CAN.into()),
        (_, Some(reached)) => ("bad", texts::limited(&units::speed(reached))),
        _ => ("dim", texts::SIMULATED_TIME_PER_SECOND.into()),
    };
    html! {
        <div class="speed">
            <label for="speed">{ texts::SPEED }<output data-testid="speed-label">{ &wanted }</output></label>
            <input
                id="speed"
                type="range"
                min="0"
                max={speed::LAST_STEP.to_string()}
                step="1"
                value={step.to_string()}
                aria-valuetext={wanted}
                data-testid="speed"
                title={texts::SLOWER_OR_FASTER}
                {oninput}
            />
            <span class={classes!("note", class)} data-testid="speed-note">{ note }</span>
        </div>
    }
}

/// Why a text is no seed: the title and the detail of a notice.
pub fn no_seed(text: &str) -> (&'static str, String) {
    let text: String = text.chars().take(40).collect();
    (NO_SEED, texts::expected_seed(&text))
}

/// The seed. Says the new one, or the text that is none; the field has the old one again then.
pub fn seed_field(seed: u64, ready: bool, on: Callback<Result<u64, String>>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let input = event.target_unchecked_into::<HtmlInputElement>();
        let text = input.value();
        match text.trim().parse::<u64>() {
            Ok(value) if value == seed => {}
            Ok(value) => on.emit(Ok(value)),
            Err(_) => {
                input.set_value(&seed.to_string());
                on.emit(Err(text));
            }
        }
    });
    html! {
        <div class="seed">
            <label for="seed">{ texts::SEED }</label>
            <input
                id="seed"
                type="text"
                inputmode="numeric"
                autocomplete="off"
                value={seed.to_string()}
                title={texts::SEED_OF_EVERY_RANDOM_CHOICE_ANOTHER}
                disabled={!ready}
                data-testid="seed"
                {onchange}
            />
        </div>
    }
}

//! The card of a story: what its step says, and the way to the others.

use super::On;
use super::icons::{Icon, icon};
use crate::dom;
use crate::model::{Action, StoryView};
use view::keys::{Command, Page, Place};
use view::story::Step;
use yew::prelude::*;

/// Under which name the browser keeps whether the card is folded.
const FOLDED: &str = "story-folded";

/// Puts the focus on the card, so that its keys work at once.
pub fn focus_story() {
    dom::focus("#story");
}

/// What the card shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The story and its step.
    pub view: StoryView,
    /// True when time or scenario are other than the step has them.
    pub strayed: bool,
    /// What the user does.
    pub on: On,
}

/// The card.
#[component]
pub fn StoryCard(props: &Props) -> Html {
    let StoryView { story, step: number } = props.view;
    let steps = story.steps;
    let step = props.view.current();
    let go = |to: usize| props.on.reform(move |_| Action::StoryStep(to));
    let onkeydown = {
        let on = props.on.clone();
        Callback::from(move |event: KeyboardEvent| {
            let Some(command) = dom::command(Page::Fabric, Place::Story, &event) else {
                return;
            };
            let to = match command {
                Command::Page { next: true } => Some(number + 1),
                Command::Page { next: false } => number.checked_sub(1),
                Command::End { last } => Some(if last { steps.len() - 1 } else { 0 }),
                _ => return,
            };
            event.prevent_default();
            if let Some(to) = to.filter(|to| *to < steps.len()) {
                on.emit(Action::StoryStep(to));
            }
        })
    };
    let folded = use_state_eq(|| dom::stored(FOLDED).as_deref() == Some("yes"));
    let fold = {
        let folded = folded.clone();
        Callback::from(move |_: MouseEvent| {
            dom::store(FOLDED, if *folded { "no" } else { "yes" });
            folded.set(!*folded);
        })
    };
    let fold_title = if *folded {
        "Show the text"
    } else {
        "Fold the text away"
    };
    let is_last = number + 1 == steps.len();
    // A button that is disabled loses the focus: these stay, and do nothing at an end.
    let next = if is_last { Callback::noop() } else { go(number + 1) };
    let back = number.checked_sub(1).map_or_else(Callback::noop, go);
    // The button is gone then, and the focus would be with it.
    let again = {
        let on = props.on.clone();
        Callback::from(move |_| {
            on.emit(Action::StoryStep(number));
            on.emit(Action::FocusStory);
        })
    };
    html! {
        <section
            id="story"
            class={classes!("story", is_last.then_some("last"), folded.then_some("folded"))}
            tabindex="-1"
            aria-label={format!("Story: {}", story.title)}
            data-testid="story"
            data-story={story.slug}
            data-step={(number + 1).to_string()}
            {onkeydown}
        >
            <header>
                <button class="quiet story-fold" aria-expanded={(!*folded).to_string()} aria-controls="story-text" aria-label={fold_title} title={fold_title} data-testid="story-fold" onclick={fold}>
                    { icon(if *folded { Icon::Down } else { Icon::Up }) }
                </button>
                <p class="story-name"><span class="story-badge">{ "Story" }</span>{ if *folded { step.title } else { story.title } }</p>
                <ol class="story-dots" aria-label="Steps">
                    { for steps.iter().enumerate().map(|(at, step)| dot(at, step, number, go(at))) }
                </ol>
            </header>
            <div class="story-text" id="story-text">
                // The longest text says how high the card is: it does not jump from step to step.
                { for steps.iter().map(|step| html! { <div class="ghost" aria-hidden="true">{ words(step) }</div> }) }
                <div role="status" aria-live="polite" aria-atomic="true">
                    <p class="sr">{ format!("Step {} of {}", number + 1, steps.len()) }</p>
                    <h2 data-testid="story-title">{ step.title }</h2>
                    { " " }
                    <p data-testid="story-text">{ step.text }</p>
                </div>
            </div>
            <footer>
                <button
                    class={classes!("story-return", (!props.strayed).then_some("away"))}
                    data-testid="story-return"
                    onclick={again}
                >{ "Back to the story" }</button>
                <button aria-disabled={(number == 0).to_string()} data-testid="story-back" title="The step before (Page Up)" onclick={back}>{ "Back" }</button>
                <button class="primary" aria-disabled={is_last.to_string()} data-testid="story-next" title="The next step (Page Down)" onclick={next}>{ "Next" }</button>
                <button class="quiet story-close" aria-label="Leave the story" title="Leave the story; its run stays" data-testid="story-close" onclick={props.on.reform(|_| Action::CloseStory)}>{ icon(Icon::Close) }</button>
            </footer>
        </section>
    }
}

/// A step as it is set, to be measured.
fn words(step: &Step) -> Html {
    html! { <><span class="run-in">{ step.title }</span>{ " " }{ step.text }</> }
}

/// The way to a step: a dot, filled as far as the story has come, wide where it is.
fn dot(at: usize, step: &Step, current: usize, onclick: Callback<MouseEvent>) -> Html {
    let class = match at.cmp(&current) {
        std::cmp::Ordering::Less => "past",
        std::cmp::Ordering::Equal => "now",
        std::cmp::Ordering::Greater => "to-come",
    };
    html! {
        <li>
            <button
                {class}
                aria-label={format!("Step {}: {}", at + 1, step.title)}
                aria-current={(at == current).then_some("step")}
                title={step.title}
                {onclick}
            ></button>
        </li>
    }
}

//! The card of a story: what its step says, and the way to the others.

use super::On;
use crate::dom;
use crate::model::{Action, StoryView};
use view::keys::{Command, Page, Place};
use view::story::Step;
use yew::prelude::*;

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
            class={classes!("story", is_last.then_some("last"))}
            tabindex="-1"
            aria-label={format!("Story: {}", story.title)}
            data-testid="story"
            data-story={story.slug}
            data-step={(number + 1).to_string()}
            {onkeydown}
        >
            <header>
                <p class="story-name"><span class="story-badge">{ "Story" }</span>{ story.title }</p>
                <ol class="story-dots" aria-label="Steps">
                    { for steps.iter().enumerate().map(|(at, step)| dot(at, step, number, go(at))) }
                </ol>
                <button class="link" data-testid="story-close" onclick={props.on.reform(|_| Action::CloseStory)}>{ "Leave the story" }</button>
            </header>
            <div class="story-text" role="status" aria-live="polite" aria-atomic="true">
                <p class="sr">{ format!("Step {} of {}", number + 1, steps.len()) }</p>
                <h2 data-testid="story-title">{ step.title }</h2>
                <p data-testid="story-text">{ step.text }</p>
            </div>
            <footer>
                <button
                    class={classes!("story-return", (!props.strayed).then_some("away"))}
                    data-testid="story-return"
                    onclick={again}
                >{ "Back to the story" }</button>
                <button aria-disabled={(number == 0).to_string()} data-testid="story-back" title="The step before (Page Up)" onclick={back}>{ "Back" }</button>
                <button class="primary" aria-disabled={is_last.to_string()} data-testid="story-next" title="The next step (Page Down)" onclick={next}>{ "Next" }</button>
            </footer>
        </section>
    }
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

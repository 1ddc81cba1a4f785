//! The lists of stories and presets: those of the fabric and those of the host.

use super::On;
use crate::model::Action;
use scenario::host::host_presets;
use scenario::{paper_presets, presets, versus_presets};
use std::sync::LazyLock;
use view::story::{Story, find_story, stories};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What is read of a preset.
struct Told {
    slug: &'static str,
    name: String,
    about: String,
}

/// What is read of each preset, list by list. The lists are shown many times a second while a run plays, and reading the scenarios
/// takes as long as a frame.
struct AllTold {
    fabric: Vec<Told>,
    versus: Vec<Told>,
    paper: Vec<Told>,
    host: Vec<Told>,
}

static TOLD: LazyLock<AllTold> = LazyLock::new(|| {
    let of = |presets: &[scenario::Preset]| {
        let told = presets.iter().map(|preset| {
            let scenario = preset.scenario();
            Told {
                slug: preset.slug,
                name: scenario.name,
                about: scenario.about,
            }
        });
        told.collect()
    };
    let host = host_presets().iter().map(|preset| {
        let scenario = preset.scenario();
        Told {
            slug: preset.slug,
            name: scenario.name,
            about: scenario.about,
        }
    });
    AllTold {
        fabric: of(presets()),
        versus: of(versus_presets()),
        paper: of(paper_presets()),
        host: host.collect(),
    }
});

/// What the lists show.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The preset that is open.
    pub current: Option<&'static str>,
    /// The story that is told.
    #[prop_or_default]
    pub story: Option<&'static str>,
    /// What comes below its description.
    #[prop_or_default]
    pub below: Html,
    /// What the user does.
    pub on: On,
}

/// All lists; the one with the preset that is open comes first.
#[component]
pub fn PresetLists(props: &Props) -> Html {
    let lists = use_node_ref();
    use_shown(lists.clone(), props.current);
    let entries = |told: &'static [Told]| told.iter().map(|preset| one(preset, props));
    let host_first = props.current.is_some_and(|slug| slug.starts_with("host-"))
        || props.story.and_then(find_story).is_some_and(Story::is_of_host);
    let stories_of = |host: bool| {
        let of = stories().iter().filter(move |story| story.is_of_host() == host);
        html! {
            <>
                <h3 class="stories-of">{ if host { "AccelNet host" } else { "MRC fabric" } }</h3>
                <ul class="stories">{ for of.map(|story| one_story(story, props)) }</ul>
            </>
        }
    };
    let stories = html! {
        <section data-testid="stories">
            <h2>{ "Stories" }</h2>
            { stories_of(host_first) }
            { stories_of(!host_first) }
        </section>
    };
    let fabric = html! {
        <section>
            <h2>{ "Fabric presets" }</h2>
            <div class="presets" data-testid="presets">
                <ul>{ for entries(&TOLD.fabric) }</ul>
                <h3>{ "RoCE against MRC" }</h3>
                <ul>{ for entries(&TOLD.versus) }</ul>
                <h3>{ "Experiments of the MRC paper" }</h3>
                <ul>{ for entries(&TOLD.paper) }</ul>
            </div>
        </section>
    };
    let hosts = html! {
        <section>
            <h2>{ "AccelNet host presets" }</h2>
            <div class="presets" data-testid="host-presets">
                <ul>{ for entries(&TOLD.host) }</ul>
            </div>
        </section>
    };
    html! {
        <div ref={lists} class="preset-lists">
            if !host_first {
                { stories }{ fabric }{ hosts }
            } else if props.story.is_some() {
                { stories }{ hosts }{ fabric }
            } else {
                { hosts }{ stories }{ fabric }
            }
        </div>
    }
}

fn one_story(story: &'static Story, props: &Props) -> Html {
    let slug = story.slug;
    let current = props.story == Some(slug);
    let onclick = props.on.reform(move |_| Action::OpenStory(slug));
    html! {
        <li key={slug}>
            <button class="story-link" aria-pressed={current.to_string()} data-testid={format!("story-{slug}")} {onclick}>
                <span>{ story.title }</span>
                <span class="dim">{ story.length() }</span>
            </button>
        </li>
    }
}

fn one(preset: &'static Told, props: &Props) -> Html {
    let slug = preset.slug;
    let current = props.current == Some(slug);
    let onclick = props.on.reform(move |_| Action::OpenPreset(slug));
    html! {
        <li key={slug} class={classes!("preset", current.then_some("current"))}>
            <button aria-pressed={current.to_string()} data-testid={format!("preset-{slug}")} {onclick}>{ &preset.name }</button>
            if current {
                <p class="about" data-testid="about">{ &preset.about }</p>
                { props.below.clone() }
            }
        </li>
    }
}

/// The list moves until the preset that is open can be seen.
#[hook]
fn use_shown(lists: NodeRef, preset: Option<&'static str>) {
    use_effect_with(preset, move |_| {
        let current = lists
            .cast::<HtmlElement>()
            .and_then(|lists| lists.query_selector(".preset.current").ok().flatten())
            .map(|current| current.unchecked_into::<HtmlElement>());
        let list = current
            .as_ref()
            .and_then(|current| current.closest(".presets").ok().flatten());
        if let (Some(current), Some(list)) = (current, list) {
            let (top, bottom) = (
                current.offset_top(),
                current.offset_top() + current.offset_height(),
            );
            let (first, last) = (list.scroll_top(), list.scroll_top() + list.client_height());
            if top < first || bottom > last {
                list.set_scroll_top(top);
            }
        }
    });
}

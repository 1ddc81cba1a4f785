//! The header tree: by mouse and touch, and by the keys of a tree (WAI-ARIA's pattern; one tab stop).

use crate::dom;
use crate::texts::packet as texts;
use std::rc::Rc;
use view::keys::{Command, Page, Place};
use view::packet::{Item, Move, Tree};
use wasm_bindgen::JsCast;
use web_sys::Element;
use wire::layout::HeaderView;
use yew::prelude::*;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The headers.
    pub headers: Rc<Vec<HeaderView>>,
    /// What is open, and where the cursor is.
    pub walk: Tree,
    /// The line that is looked at.
    pub shown: Option<Item>,
    /// Hears of a walk that has gone on.
    pub change: Callback<Tree>,
    /// Hears what is pointed at.
    pub point: Callback<Option<Item>>,
}

/// A line as an attribute of its element.
fn code(item: Item) -> String {
    match item {
        Item::Header(header) => header.to_string(),
        Item::Field(header, field) => format!("{header}.{field}"),
    }
}

/// The line that an event is about.
fn item_of(event: &Event) -> Option<Item> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let code = element.closest("[data-item]").ok()??.get_attribute("data-item")?;
    match code.split_once('.') {
        None => Some(Item::Header(code.parse().ok()?)),
        Some((header, field)) => Some(Item::Field(header.parse().ok()?, field.parse().ok()?)),
    }
}

fn id(item: Item) -> String {
    format!("packet-line-{}", code(item))
}

/// The tree.
#[component]
pub fn HeaderTree(props: &Props) -> Html {
    let (headers, walk) = (&props.headers, &props.walk);
    let cursor = walk.cursor(headers);
    let onclick = {
        let (headers, walk, change) = (headers.clone(), walk.clone(), props.change.clone());
        Callback::from(move |event: MouseEvent| {
            let Some(item) = item_of(&event) else { return };
            let mut walk = walk.clone();
            if let Item::Header(at) = item
                && let Some(header) = headers.get(at)
            {
                walk.toggle(header);
            }
            walk.point(&headers, item);
            change.emit(walk);
        })
    };
    let onkeydown = {
        let (headers, walk, change) = (headers.clone(), walk.clone(), props.change.clone());
        Callback::from(move |event: KeyboardEvent| {
            let by = match dom::command(Page::Fabric, Place::Headers, &event) {
                Some(Command::Go { next: false }) => Some(Move::Up),
                Some(Command::Go { next: true }) => Some(Move::Down),
                Some(Command::Enter(false)) => Some(Move::Left),
                Some(Command::Enter(true)) => Some(Move::Right),
                Some(Command::End { last: false }) => Some(Move::First),
                Some(Command::End { last: true }) => Some(Move::Last),
                Some(Command::Open) => None,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            let mut walk = walk.clone();
            match (by, walk.cursor(&headers)) {
                (Some(by), _) => walk.step(&headers, by),
                (None, Some(Item::Header(at))) => walk.toggle(&headers[at]),
                (None, _) => {}
            }
            change.emit(walk);
        })
    };
    let onmouseover = {
        let point = props.point.clone();
        Callback::from(move |event: MouseEvent| point.emit(item_of(&event)))
    };
    // The cursor stays in sight.
    let node = use_node_ref();
    use_effect_with(cursor, {
        let node = node.clone();
        move |cursor| {
            let tree = node.cast::<Element>();
            let line = cursor.zip(tree).and_then(|(item, tree)| {
                let line = format!("[data-item=\"{}\"]", code(item));
                tree.query_selector(&line).ok().flatten()
            });
            if let Some(line) = line {
                dom::show(&line);
            }
        }
    });
    html! {
        <div
            ref={node}
            class="tree"
            role="tree"
            tabindex="0"
            aria-label={texts::HEADERS_AND_THEIR_FIELDS}
            aria-activedescendant={cursor.map(id)}
            data-testid="headers"
            {onclick}
            {onkeydown}
            {onmouseover}
            onmouseleave={props.point.reform(|_: MouseEvent| None)}
        >
            { for headers.iter().enumerate().map(|(at, header)| header_view(props, cursor, at, header)) }
        </div>
    }
}

fn header_view(props: &Props, cursor: Option<Item>, at: usize, header: &HeaderView) -> Html {
    let is_open = props.walk.is_open(header);
    let own = Item::Header(at);
    let class = |item: Item| {
        classes!(
            "tree-line",
            (cursor == Some(item)).then_some("current"),
            (props.shown == Some(item)).then_some("shown"),
        )
    };
    let field = |number: usize| {
        let (item, field) = (Item::Field(at, number), &header.fields[number]);
        html! {
            <div
                class={class(item)}
                role="treeitem"
                id={id(item)}
                aria-level="2"
                aria-selected={(cursor == Some(item)).to_string()}
                data-item={code(item)}
                data-field={field.name}
            >
                <span class="name">{ field.name }</span><span class="value">{ &field.value }</span>
            </div>
        }
    };
    html! {
        <div class="header" role="treeitem" id={id(own)} aria-level="1" aria-expanded={is_open.to_string()} aria-selected={(cursor == Some(own)).to_string()} data-testid="header" data-header={header.name}>
            <div class={class(own)} data-item={code(own)}>
                <span class={classes!("twist", is_open.then_some("open"))} aria-hidden="true"></span>
                <span><strong>{ header.name }</strong>{ " " }<span class="dim">{ &header.summary }</span></span>
            </div>
            if is_open {
                <div role="group">{ for (0..header.fields.len()).map(field) }</div>
            }
        </div>
    }
}

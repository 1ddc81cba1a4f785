//! The JSON text of the editor: line numbers, colours, and what is wrong at its place.

use super::On;
use super::icons::{Icon, icon};
use crate::model::{Action, EditorAct, EditorView};
use crate::shared::Shared;
use std::ops::Range;
use view::editor::{Problem, indented, line_break, pieces, utf16};
use view::units;
use web_sys::{Element, HtmlTextAreaElement};
use yew::prelude::*;

/// Lines that are coloured; a longer text is plain.
const COLOURED: usize = 3_000;
/// Problems that are listed.
const LISTED: usize = 20;

/// What the text needs.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The text and what is wrong with it.
    pub view: Shared<EditorView>,
    /// What the user does.
    pub on: On,
}

/// The text.
#[component]
pub fn EditorText(props: &Props) -> Html {
    let (area, paint, gutter) = (use_node_ref(), use_node_ref(), use_node_ref());
    let view = &props.view;
    use_effect_with(view.revision, {
        let (area, view) = (area.clone(), view.clone());
        move |_| {
            if let (Some(area), Some(changed)) = (area.cast::<HtmlTextAreaElement>(), view.changed.clone()) {
                // The keyboard's focus stays where it is: a form may have it.
                if area.matches(":focus").unwrap_or(false) {
                    let at = utf16(&view.text, changed.end);
                    let _ = area.set_selection_range(at, at);
                }
                scroll_to(&area, &view.text, changed.start);
            }
        }
    });
    if !view.is_shown {
        return html! {
            <div class="editor-json">
                <p class="dim" data-testid="text-too-long">{ format!("The text has {}: too much to be edited here. The forms change it, and a file saves it.", units::bytes(view.bytes as f64)) }</p>
                if !view.problems.is_empty() {
                    <ol class="text-problems" data-testid="text-problems">
                        { for view.problems.iter().take(LISTED).map(|problem| html! {
                            <li>{ place_of(problem) }<span>{ &problem.reason }</span></li>
                        }) }
                        { more(view.problems.len()) }
                    </ol>
                }
            </div>
        };
    }
    let act = {
        let on = props.on.clone();
        move |act: EditorAct| on.emit(Action::Editor(act))
    };
    let oninput = {
        let act = act.clone();
        Callback::from(move |event: InputEvent| {
            act(EditorAct::Type(
                event.target_unchecked_into::<HtmlTextAreaElement>().value(),
            ))
        })
    };
    let onscroll = {
        let (paint, gutter) = (paint.clone(), gutter.clone());
        Callback::from(move |event: Event| {
            let area = event.target_unchecked_into::<Element>();
            for other in [&paint, &gutter]
                .into_iter()
                .filter_map(|node| node.cast::<Element>())
            {
                other.set_scroll_top(area.scroll_top());
                other.set_scroll_left(area.scroll_left());
            }
        })
    };
    let onkeydown = {
        let (on, act) = (props.on.clone(), act);
        Callback::from(move |event: KeyboardEvent| key(&event, &on, &act))
    };
    let lines: Vec<&str> = view.text.split('\n').collect();
    let wrong: Vec<usize> = view.problems.iter().map(|problem| problem.line).collect();
    let changed = view
        .changed
        .clone()
        .map_or(0..0, |bytes| lines_of(&view.text, &bytes));
    let is_coloured = lines.len() <= COLOURED;
    html! {
        <div class="editor-json">
            <div class={classes!("code", is_coloured.then_some("coloured"))}>
                <pre class="gutter" ref={gutter} aria-hidden="true">{ numbers(lines.len(), &wrong) }</pre>
                <div class="code-area">
                    <div class="paint" ref={paint} aria-hidden="true">
                        if is_coloured {
                            { for lines.iter().enumerate().map(|(index, line)| html! {
                                <Line text={(*line).to_owned()} wrong={wrong.contains(&(index + 1))} changed={changed.contains(&(index + 1))} />
                            }) }
                        }
                    </div>
                    <textarea
                        ref={area.clone()}
                        wrap="off"
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        aria-label="The scenario as JSON"
                        aria-invalid={(!view.problems.is_empty()).to_string()}
                        aria-describedby="editor-problems"
                        data-testid="editor-text"
                        value={view.text.clone()}
                        {oninput}
                        {onscroll}
                        {onkeydown}
                    />
                </div>
            </div>
            <div class="editor-foot" id="editor-problems">
                if view.problems.is_empty() {
                    <p class="dim small">{ "Applied after a pause, or at once by Ctrl+Enter. Ctrl+] and Ctrl+[ indent." }</p>
                } else {
                    <ol class="text-problems" data-testid="text-problems">
                        { for view.problems.iter().take(LISTED).map(|problem| problem_view(problem, &area, view)) }
                        { more(view.problems.len()) }
                    </ol>
                }
            </div>
        </div>
    }
}

/// How many problems are not listed.
fn more(problems: usize) -> Html {
    html! {
        if problems > LISTED { <li class="dim">{ format!("and {} more", problems - LISTED) }</li> }
    }
}

/// Where a problem is.
fn place_of(problem: &Problem) -> Html {
    html! {
        <>
            { icon(Icon::Warning) }<span class="place">{ format!("line {}, column {}", problem.line, problem.column) }</span>
            if !problem.path.is_empty() { <code>{ &problem.path }</code> }
        </>
    }
}

fn problem_view(problem: &Problem, area: &NodeRef, view: &Shared<EditorView>) -> Html {
    let onclick = {
        let (area, view, span) = (area.clone(), view.clone(), problem.span.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                let _ = area.focus();
                let _ = area.set_selection_range(utf16(&view.text, span.start), utf16(&view.text, span.end));
                scroll_to(&area, &view.text, span.start);
            }
        })
    };
    html! {
        <li>
            <button class="link" {onclick}>
                { place_of(problem) }
            </button>
            <span>{ &problem.reason }</span>
        </li>
    }
}

fn key(event: &KeyboardEvent, on: &On, act: &dyn Fn(EditorAct)) {
    if event.is_composing() || event.alt_key() {
        return;
    }
    let area = event.target_unchecked_into::<HtmlTextAreaElement>();
    let selection = || {
        let start = area.selection_start().ok().flatten().unwrap_or(0);
        start..area.selection_end().ok().flatten().unwrap_or(start)
    };
    let replace = |text: String, selection: Range<u32>| {
        area.set_value(&text);
        let _ = area.set_selection_range(selection.start, selection.end);
        act(EditorAct::Type(text));
    };
    let control = event.ctrl_key() || event.meta_key();
    match (control, event.key().as_str()) {
        (true, "Enter") => act(EditorAct::Apply),
        (true, "z" | "Z") if event.shift_key() => act(EditorAct::Redo),
        (true, "z") => act(EditorAct::Undo),
        (true, "y") => act(EditorAct::Redo),
        (true, "s") => {
            act(EditorAct::Apply);
            on.emit(Action::SaveScenario);
        }
        (true, bracket @ ("]" | "[")) => {
            let (text, selection) = indented(&area.value(), selection(), bracket == "]");
            replace(text, selection);
        }
        (false, "Enter") if !event.shift_key() => {
            let (text, cursor) = line_break(&area.value(), selection());
            replace(text, cursor..cursor);
        }
        _ => return,
    }
    event.prevent_default();
}

/// Brings a byte of the text into sight, a few lines below the top.
fn scroll_to(area: &HtmlTextAreaElement, text: &str, byte: usize) {
    let lines = text.matches('\n').count() + 1;
    let line = text.get(..byte).map_or(0, |before| before.matches('\n').count());
    let height = area.scroll_height() as usize / lines;
    let (top, seen) = (line * height, area.scroll_top().max(0) as usize);
    if top < seen || top + 2 * height > seen + area.client_height().max(0) as usize {
        area.set_scroll_top(top.saturating_sub(4 * height) as i32);
    }
}

/// The lines, from 1, that a range of bytes touches.
fn lines_of(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let line = |at: usize| text.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
    line(bytes.start)..line(bytes.end) + 1
}

/// The numbers of lines, with a mark at those where something is wrong.
fn numbers(count: usize, wrong: &[usize]) -> Html {
    let mut chunks = Vec::new();
    let mut plain = String::new();
    for line in 1..=count {
        if wrong.contains(&line) {
            chunks.push(html! { <>{ std::mem::take(&mut plain) }<span class="wrong">{ format!("▸{line}\n") }</span></> });
        } else {
            plain.push_str(&format!("{line}\n"));
        }
    }
    chunks.push(html! { { plain } });
    chunks.into_iter().collect()
}

/// A line of the text.
#[derive(PartialEq, Properties)]
struct LineProps {
    text: String,
    wrong: bool,
    changed: bool,
}

#[component]
fn Line(props: &LineProps) -> Html {
    html! {
        <div class={classes!(props.wrong.then_some("wrong"), props.changed.then_some("changed"))}>
            { for pieces(&props.text).into_iter().map(|piece| html! {
                if piece.class.is_empty() { { piece.text } } else { <span class={piece.class}>{ piece.text }</span> }
            }) }
            { "\n" }
        </div>
    }
}

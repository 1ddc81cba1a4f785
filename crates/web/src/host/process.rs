//! process-tuples: what would become of a packet, layer by layer, without sending one.

use super::model::{Do, On, Process};
use crate::ui::facts::Facts;
use view::host::message::{Change, Fact, LayerView, Verdict};
use view::host::tuple::FIELDS;
use view::units;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the view shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The form and the answer.
    pub process: Process,
    /// VMs of the host.
    pub vms: u32,
    /// What the user does.
    pub on: On,
}

/// The view.
#[component]
pub fn ProcessView(props: &Props) -> Html {
    let process = &props.process;
    let onsubmit = props.on.reform(|event: SubmitEvent| {
        event.prevent_default();
        Do::Process
    });
    let line = {
        let on = props.on.clone();
        Callback::from(move |event: Event| {
            on.emit(Do::ProcessLine(
                event.target_unchecked_into::<HtmlInputElement>().value(),
            ));
        })
    };
    let form = &process.form;
    let wrong = form.problem.as_ref();
    let before = !form.is_as_asked();
    html! {
        <div class="process">
            <form class="process-form" {onsubmit}>
                { vm_choice(props) }
                { for FIELDS.iter().enumerate().map(|(field, name)| input(field, name, props)) }
                <button class="primary" type="submit" data-testid="process">{ "Process" }</button>
                <label class="line">{ "As vfpctrl takes it: " }
                    <input
                        type="text"
                        spellcheck="false"
                        autocomplete="off"
                        value={form.line()}
                        aria-invalid={wrong.is_some_and(|problem| problem.field.is_none()).to_string()}
                        data-testid="tuple-line"
                        onchange={line}
                    />
                </label>
                if let Some(problem) = wrong {
                    <p class="problem" role="alert" id="tuple-problem" data-testid="tuple-problem">{ &problem.text }</p>
                }
            </form>
            if let Some(answer) = &process.answer {
                <div class={classes!("answered", before.then_some("before"))} data-testid="verdict">
                    if before { <p class="warn" data-testid="of-before">{ "Of the tuple before: press Process to ask about this one." }</p> }
                    <p class="dim small">{ format!("As the policy stood at {}.", units::span(answer.at_ps as f64)) }</p>
                    { verdict(answer) }
                </div>
            } else {
                <p class="dim">{ "Says for each layer which rule of which group matches, and what all of them come to as one entry of the flow table. The policy is that of now; nothing is sent." }</p>
            }
        </div>
    }
}

fn vm_choice(props: &Props) -> Html {
    let onchange = props.on.reform(|event: Event| {
        Do::ProcessVm(
            event
                .target_unchecked_into::<HtmlSelectElement>()
                .value()
                .parse()
                .unwrap_or(0),
        )
    });
    html! {
        <label>{ "port of" }
            <select data-testid="tuple-vm" {onchange}>
                { for (0..props.vms).map(|vm| html! { <option value={vm.to_string()} selected={vm == props.process.form.vm}>{ format!("VM {vm}") }</option> }) }
            </select>
        </label>
    }
}

fn input(field: usize, name: &'static str, props: &Props) -> Html {
    let problem = props
        .process
        .form
        .problem
        .as_ref()
        .filter(|problem| problem.field == Some(field));
    let oninput = props.on.reform(move |event: InputEvent| {
        Do::ProcessField(field, event.target_unchecked_into::<HtmlInputElement>().value())
    });
    html! {
        <label class={classes!((field == 1 || field == 3).then_some("address"))}>{ name }
            <input
                type="text"
                spellcheck="false"
                autocomplete="off"
                value={props.process.form.fields.all()[field].to_owned()}
                aria-invalid={problem.is_some().to_string()}
                aria-describedby={problem.map(|_| "tuple-problem")}
                data-testid={format!("tuple-{}", name.replace(' ', "-"))}
                {oninput}
            />
        </label>
    }
}

/// A verdict with all layers.
pub fn verdict(answer: &Verdict) -> Html {
    let class = match answer.word.as_str() {
        "Forward" => "good",
        "Drop" => "bad",
        _ => "warn",
    };
    html! {
        <div class="verdict">
            <p class="outcome"><span class={class} data-testid="verdict-word">{ &answer.word }</span>
                if !answer.why.is_empty() { <span data-testid="verdict-why">{ format!(": {}", answer.why) }</span> }
            </p>
            <p class="mono dim">{ &answer.packet }</p>
            if let Some(known) = &answer.known { <p class="dim" data-testid="known">{ known }</p> }
            <ol class="layers">{ for answer.layers.iter().map(layer) }</ol>
            if !answer.composed.is_empty() {
                <h3 class="sub">{ "Composed: one transposition" }</h3>
                { changes(&answer.composed) }
            }
            if !answer.entries.is_empty() {
                <h3 class="sub">{ "Entries that it would leave" }</h3>
                <div data-testid="entries">
                    { for answer.entries.iter().map(|(key, what)| html! { <><p class="mono">{ key }</p>{ changes(what) }</> }) }
                </div>
            }
            if !answer.answer.is_empty() {
                <details>
                    <summary>{ format!("The answer to it: {}", answer.answer_word) }</summary>
                    <ol class="layers">{ for answer.answer.iter().map(layer) }</ol>
                </details>
            }
            if answer.core_ps > 0 { <p class="dim small" data-testid="work">{ work(answer) }</p> }
        </div>
    }
}

/// What was done, and what it costs a core.
fn work(answer: &Verdict) -> String {
    let time = format!(
        "{} of a core for a packet of {} B.",
        units::span(answer.core_ps as f64),
        units::count(u64::from(answer.bytes))
    );
    let done = answer.work.iter().filter(|(_, count)| *count > 0);
    done.map(|(what, count)| format!("{} {what}", units::count(*count)))
        .chain(std::iter::once(time))
        .collect::<Vec<_>>()
        .join(", ")
}

fn layer(layer: &LayerView) -> Html {
    html! {
        <li data-testid="walk-layer">
            <p><strong>{ &layer.name }</strong>{ " " }<span>{ &layer.decision }</span></p>
            <ul class="groups">
                { for layer.groups.iter().map(|(group, outcome)| html! { <li><span class="dim">{ format!("{group}: ") }</span>{ outcome }</li> }) }
            </ul>
            { changes(&layer.changes) }
            if !layer.changes.is_empty() && layer.composed != layer.changes {
                <p class="dim small">{ "so far:" }</p>
                { changes(&layer.composed) }
            }
        </li>
    }
}

/// What a transposition does.
pub fn changes(list: &[Change]) -> Html {
    if list.is_empty() {
        return html! {};
    }
    html! {
        <ul class="changes">
            { for list.iter().map(|[header, action, to]| html! {
                <li><span class={classes!("action", action.to_lowercase())}>{ action }</span><span>{ header }</span><span class="mono">{ to }</span></li>
            }) }
        </ul>
    }
}

/// Facts as a list.
pub fn facts(view: &'static str, list: &[Fact]) -> Html {
    let rows: Vec<(AttrValue, Html)> = list
        .iter()
        .map(|(what, value)| (what.clone().into(), value.into()))
        .collect();
    html! { <Facts {view} {rows} /> }
}

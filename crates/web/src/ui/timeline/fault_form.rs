//! The small forms of the lane of faults: a new fault, and the times of one that is there.

use super::super::On;
use super::super::break_form::{input, options};
use super::super::icons::{Icon, icon};
use super::faults::{ADD, focus, id};
use crate::model::{Action, EditorAct};
use crate::shared::Shared;
use crate::texts::fault_lane as texts;
use scenario::{Fault, Scenario, Time};
use std::collections::BTreeMap;
use view::breaking::{Field, Noun, Subject, Trouble, Way, check, make};
use view::fault_lane::{Edit, End, bars};
use view::inspect::Target;
use view::words;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What a form is about. Times are in ps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A new fault, from a time to another; none: for as long as such a fault lasts.
    New(u64, Option<u64>),
    /// The fault with this number.
    Of(usize),
}

/// What the form needs.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// What it is about.
    pub form: Form,
    /// The scenario.
    pub scenario: Shared<Scenario>,
    /// What is selected: a new fault is about it where it can be.
    pub selected: Option<Target>,
    /// Closes the form.
    pub close: Callback<()>,
    /// What the user does.
    pub on: On,
}

/// The form.
#[component]
pub fn FaultForm(props: &Props) -> Html {
    let first = use_node_ref();
    use_effect_with(props.form, {
        let first = first.clone();
        move |_| {
            if let Some(element) = first.cast::<HtmlElement>() {
                let _ = element.focus();
            }
        }
    });
    let close = {
        let (close, form) = (props.close.clone(), props.form);
        Callback::from(move |()| {
            close.emit(());
            // Back to where it was opened from.
            match form {
                Form::New(..) => focus(ADD),
                Form::Of(fault) => focus(&id(fault)),
            }
        })
    };
    let onkeydown = {
        let close = close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                close.emit(());
            }
        })
    };
    let (title, body) = match props.form {
        Form::New(from, to) => (
            texts::A_NEW_FAULT.to_owned(),
            html! { <NewFault {from} {to} first={first} scenario={props.scenario.clone()} selected={props.selected.clone()} close={close.clone()} on={props.on.clone()} /> },
        ),
        Form::Of(fault) => {
            let Some(known) = props.scenario.faults.get(fault) else {
                return html! {};
            };
            (
                words::fault(&known.what),
                html! { <Times key={fault} {fault} first={first} scenario={props.scenario.clone()} close={close.clone()} on={props.on.clone()} /> },
            )
        }
    };
    html! {
        <section class="fault-card" role="dialog" aria-label={title.clone()} data-testid="fault-card" {onkeydown}>
            <div class="fault-card-head">
                <h3>{ title }</h3>
                <button class="quiet" aria-label="Close" title="Close (Esc)" data-testid="fault-card-close" onclick={close.reform(|_: MouseEvent| ())}>{ icon(Icon::Close) }</button>
            </div>
            { body }
        </section>
    }
}

/// A time that is typed; empty where none is asked for.
fn time(
    label: &'static str,
    testid: &'static str,
    placeholder: &'static str,
    value: &UseStateHandle<String>,
    first: Option<NodeRef>,
) -> Html {
    let state = value.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        state.set(event.target_unchecked_into::<HtmlInputElement>().value());
    });
    html! {
        <label class="field">
            <span>{ label }</span>
            <input ref={first.unwrap_or_default()} type="text" autocomplete="off" spellcheck="false" {placeholder} value={(**value).clone()} data-testid={testid} {oninput} />
        </label>
    }
}

/// What was typed as a time; the label tells which where it is none.
fn parsed(label: &str, text: &str) -> Result<Time, String> {
    text.trim().parse().map_err(|why| format!("{label}: {why}"))
}

fn problems(list: &[String]) -> Html {
    if list.is_empty() {
        return html! {};
    }
    html! {
        <ul class="problems" role="alert" data-testid="fault-card-problem">{ for list.iter().map(|why| html! { <li>{ why }</li> }) }</ul>
    }
}

/// What the form of one fault needs.
#[derive(PartialEq, Properties)]
struct TimesProps {
    fault: usize,
    first: NodeRef,
    scenario: Shared<Scenario>,
    close: Callback<()>,
    on: On,
}

/// When a fault begins and ends, to the picosecond.
#[component]
fn Times(props: &TimesProps) -> Html {
    let fault = props.fault;
    let bar = bars(&props.scenario).into_iter().find(|bar| bar.fault == fault);
    let end = bar.map_or(End::Point, |bar| bar.end);
    let ended = bar
        .filter(|_| matches!(end, End::Own | End::Healed(_)))
        .map(|bar| bar.to);
    let begins = use_state_eq(|| {
        props
            .scenario
            .faults
            .get(fault)
            .map(|fault| fault.at.canonical())
            .unwrap_or_default()
    });
    let ends = use_state_eq(|| ended.map(|to| Time(to).canonical()).unwrap_or_default());
    let wrong = use_state_eq(Vec::<String>::new);
    let onsubmit = {
        let (begins, ends, wrong) = (begins.clone(), ends.clone(), wrong.clone());
        let (scenario, on, close) = (props.scenario.clone(), props.on.clone(), props.close.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let edit = parsed("begins", &begins)
                .and_then(|from| match (end, ends.trim()) {
                    (End::Point, _) => Ok(Edit::Move(fault, from.0)),
                    (_, "") => Ok(Edit::Set(fault, from.0, None)),
                    (_, text) => Ok(Edit::Set(fault, from.0, Some(parsed("ends", text)?.0))),
                })
                .map_err(|why| vec![why]);
            match edit.and_then(|edit| edit.apply(&scenario).map(|_| edit)) {
                Ok(edit) => {
                    on.emit(Action::EditFault(edit));
                    close.emit(());
                }
                Err(why) => wrong.set(why),
            }
        })
    };
    let remove = {
        let (on, close) = (props.on.clone(), props.close.clone());
        Callback::from(move |_: MouseEvent| {
            close.emit(());
            focus(ADD);
            on.emit(Action::EditFault(Edit::Remove(fault)));
        })
    };
    let edit = {
        let (on, close) = (props.on.clone(), props.close.clone());
        Callback::from(move |_: MouseEvent| {
            close.emit(());
            on.emit(Action::Editor(EditorAct::Open));
        })
    };
    html! {
        <form {onsubmit}>
            <div class="fields">
                { time("begins", "fault-begins", "120 µs", &begins, Some(props.first.clone())) }
                if end != End::Point {
                    { time("ends", "fault-ends", texts::WITH_THE_RUN, &ends, None) }
                }
            </div>
            { problems(&wrong) }
            <div class="row">
                <button class="primary" data-testid="fault-apply">{ "Apply" }</button>
                <button type="button" data-testid="fault-remove" onclick={remove}>{ "Remove" }</button>
                <button type="button" class="link" onclick={edit}>{ texts::MORE_IN_THE_EDITOR }</button>
            </div>
        </form>
    }
}

/// What the form of a new fault needs.
#[derive(PartialEq, Properties)]
struct NewProps {
    from: u64,
    to: Option<u64>,
    first: NodeRef,
    scenario: Shared<Scenario>,
    selected: Option<Target>,
    close: Callback<()>,
    on: On,
}

/// Kind, place and times of a new fault.
#[component]
fn NewFault(props: &NewProps) -> Html {
    let subject = props.selected.as_ref().and_then(Subject::of);
    let ways = subject.map_or(&Way::ALL[..], |subject| subject.ways());
    let way = use_state_eq(|| ways[0]);
    let said = use_state_eq(BTreeMap::<Field, String>::new);
    let begins = use_state_eq(|| Time(props.from).canonical());
    let ends = use_state_eq(|| props.to.map(|to| Time(to).canonical()).unwrap_or_default());
    let wrong = use_state_eq(Vec::<String>::new);
    let fabric = &props.scenario.fabric;
    let text = {
        let (said, way, fabric) = (said.clone(), *way, fabric.clone());
        move |field: Field| match said.get(&field) {
            Some(text) => text.clone(),
            None if field == Field::Place => place(way, subject, fabric.t1_per_plane > 0),
            None => way.default(field, &fabric),
        }
    };
    let onsubmit = {
        let (begins, ends, wrong, text, way) =
            (begins.clone(), ends.clone(), wrong.clone(), text.clone(), *way);
        let (scenario, on, close) = (props.scenario.clone(), props.on.clone(), props.close.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            match made(way, &scenario, &begins, &ends, &text) {
                Ok(edit) => {
                    on.emit(Action::EditFault(edit));
                    close.emit(());
                }
                Err(why) => wrong.set(why),
            }
        })
    };
    let choose = {
        let (way, said, wrong) = (way.clone(), said.clone(), wrong.clone());
        Callback::from(move |event: Event| {
            let slug = event.target_unchecked_into::<HtmlSelectElement>().value();
            if let Some(next) = Way::named(&slug) {
                if next.noun() != way.noun() {
                    said.set(BTreeMap::new());
                }
                way.set(next);
                wrong.set(Vec::new());
            }
        })
    };
    let say = |field: Field| {
        let said = said.clone();
        Callback::from(move |text: String| {
            let mut all = (*said).clone();
            all.insert(field, text);
            said.set(all);
        })
    };
    let place = way.noun().needs_place().then_some(Field::Place);
    // How long it lasts, its end says.
    let others = way
        .fields()
        .iter()
        .copied()
        .filter(|field| !matches!(field, Field::Duration | Field::Lasts));
    html! {
        <form {onsubmit}>
            <div class="fields">
                <label class="field">
                    <span>{ "what" }</span>
                    <select ref={props.first.clone()} data-testid="fault-way" onchange={choose}>{ options(None, &Way::ALL, *way) }</select>
                </label>
                { for place.into_iter().chain(others).map(|field| html! {
                    <label key={field.slug()} class="field">
                        <span>{ field.label() }</span>
                        { input(field, field.input(*way, fabric), text(field), false, format!("new-fault-{}", field.slug()), say(field)) }
                    </label>
                }) }
                { time("begins", "fault-begins", "120 µs", &begins, None) }
                if !way.is_repair() {
                    { time("ends", "fault-ends", texts::AS_IS_USUAL, &ends, None) }
                }
            </div>
            <p class="dim small">{ way.doc() }</p>
            { problems(&wrong) }
            <div class="row"><button class="primary" data-testid="fault-apply">{ texts::ADD_IT }</button></div>
        </form>
    }
}

/// What a new fault is about until somebody says otherwise: what is selected where it can be, or the first of its kind.
fn place(way: Way, subject: Option<Subject>, has_t1: bool) -> String {
    match (way.noun(), subject) {
        (Noun::Nic, Some(Subject::Nic(nic, _))) => nic.to_string(),
        (Noun::Link, Some(Subject::Link(link))) => link.to_string(),
        (Noun::Switch, Some(Subject::Switch(switch))) => switch.to_string(),
        (Noun::Link, _) if has_t1 => "p0/t0.0-t1.0".into(),
        (Noun::Link, _) => "p0/n0".into(),
        (Noun::Switch, _) if has_t1 => "p0/t1.0".into(),
        (Noun::Switch, _) => "p0/t0.0".into(),
        (Noun::Nic, _) => "0".into(),
        (Noun::Fabric, _) => String::new(),
    }
}

/// The fault that was filled in.
fn made(
    way: Way,
    scenario: &Scenario,
    begins: &str,
    ends: &str,
    text: impl Fn(Field) -> String,
) -> Result<Edit, Vec<String>> {
    let in_words = |trouble: &Trouble| {
        let field = trouble.field.map(|field| format!("{}: ", field.label()));
        format!("{}{}", field.unwrap_or_default(), trouble.why)
    };
    let at = parsed("begins", begins).map_err(|why| vec![why])?;
    let to = match ends.trim() {
        "" => None,
        _ if way.is_repair() => None,
        text => Some(parsed("ends", text).map_err(|why| vec![why])?),
    };
    let what = make(way, None, at, text).map_err(|trouble| vec![in_words(&trouble)])?;
    let fault = Fault { at, what };
    let wrong = check(way, &scenario.fabric, &fault);
    if !wrong.is_empty() {
        return Err(wrong.iter().map(in_words).collect());
    }
    let edit = Edit::Add(fault, to.map(|to| to.0));
    edit.apply(scenario).map(|_| edit)
}

//! The editor's desk: the text, undo and redo, and the scenarios that the browser keeps. The pages of the fabric and of the host
//! work at the same one, so that undo goes over both; each does what [`Effect`] says.

use crate::dom;
use crate::model::{EditorAct, EditorView, SavedView};
use crate::shared::Shared;
use scenario::host::HostScenario;
use std::cell::RefCell;
use std::rc::Rc;
use view::editor::{Document, Edited, Outcome, Refused, Save, Saves, ago, check};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// A pause in typing after which the text is looked at, in ms.
const PAUSE_MS: i32 = 400;
/// Where the browser keeps the scenarios.
const KEY: &str = "scenarios";

/// What the editor shows.
#[derive(Clone, Default, PartialEq)]
pub struct DeskView {
    /// True while it is open.
    pub open: bool,
    /// The text.
    pub text: Shared<EditorView>,
    /// The change by a form that was not made last, and why.
    pub refused: Option<Refused>,
    /// The scenarios that the browser keeps.
    pub saves: Shared<Vec<SavedView>>,
    /// The one that was worked on last, if it is offered.
    pub offer: Option<SavedView>,
}

/// What a page is to do.
pub enum Effect {
    /// Run this scenario; it is this preset as it comes, or none.
    Run(Edited, Option<&'static str>),
    /// Run this scenario, which somebody opens. The desk has it already.
    Open(Edited),
    /// Tell screen readers.
    Announce(&'static str),
    /// Tell the user.
    Tell {
        /// Whether something went wrong.
        is_error: bool,
        /// In one line.
        title: String,
        /// In detail.
        details: Vec<String>,
    },
}

/// The desk.
#[derive(Default)]
pub struct Desk {
    /// What the editor shows.
    pub view: DeskView,
    document: Document,
    // Keys typed so far.
    typed: u32,
    // When work on the scenario began, by the clock on the wall; none before the first change.
    began_ms: Option<f64>,
    // The user knows that the browser stores nothing.
    storage_told: bool,
    // What the page that comes next is to show: the desk has it already.
    handed_over: Option<(Edited, Option<&'static str>)>,
}

/// The desk as both pages have it.
#[derive(Clone, Default)]
pub struct SharedDesk(Rc<RefCell<Desk>>);

impl PartialEq for SharedDesk {
    fn eq(&self, other: &SharedDesk) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl SharedDesk {
    /// Does something at the desk.
    pub fn at<T>(&self, work: impl FnOnce(&mut Desk) -> T) -> T {
        work(&mut self.0.borrow_mut())
    }

    /// What the editor shows.
    pub fn view(&self) -> DeskView {
        self.0.borrow().view.clone()
    }

    /// Whether the editor is open.
    pub fn is_open(&self) -> bool {
        self.0.borrow().view.open
    }
}

impl Desk {
    /// Does what was asked for. `running` is the scenario that runs; `paused` hears of a pause in typing, with the number of the
    /// last key.
    pub fn act(
        &mut self,
        act: EditorAct,
        running: Option<&Edited>,
        paused: impl FnOnce(u32) + 'static,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        match act {
            EditorAct::Open => {
                self.view.open = true;
                self.list_saves();
            }
            EditorAct::Close => self.view.open = false,
            EditorAct::Type(text) => {
                self.document.type_in(text);
                self.typed += 1;
                let typed = self.typed;
                let alarm = Closure::once_into_js(move || paused(typed));
                let _ = dom::window()
                    .set_timeout_with_callback_and_timeout_and_arguments_0(alarm.unchecked_ref(), PAUSE_MS);
            }
            EditorAct::Apply => self.apply(&mut effects),
            EditorAct::Change(change) => {
                // What was typed last counts.
                self.apply(&mut effects);
                let typed = effects.iter().find_map(|effect| match effect {
                    Effect::Run(edited, _) => Some(edited.clone()),
                    _ => None,
                });
                if let Some(scenario) = typed.as_ref().or(running) {
                    match change.apply(scenario) {
                        Ok(changed) => {
                            self.changed(&changed, &change.name());
                            effects.clear();
                            effects.push(Effect::Run(changed, None));
                        }
                        Err(refused) => self.view.refused = Some(refused),
                    }
                }
            }
            EditorAct::Undo => {
                let outcome = self.document.undo();
                self.went(outcome, "Nothing to take back", &mut effects);
            }
            EditorAct::Redo => {
                let outcome = self.document.redo();
                self.went(outcome, "Nothing to do again", &mut effects);
            }
            EditorAct::Restore(began_ms) => self.restore(began_ms, &mut effects),
            EditorAct::Forget(began_ms) => {
                let mut saves = saves();
                saves.forget(began_ms);
                dom::store(KEY, &saves.written());
                self.list_saves();
            }
            EditorAct::DismissOffer => self.view.offer = None,
        }
        self.show(false);
        effects
    }

    /// A pause in typing. None where more was typed since.
    pub fn paused(&mut self, typed: u32) -> Option<Vec<Effect>> {
        (typed == self.typed).then(|| {
            let mut effects = Vec::new();
            self.apply(&mut effects);
            self.show(false);
            effects
        })
    }

    /// A scenario was opened that makes sense, with the text that it was read from, if it was.
    pub fn open(&mut self, scenario: &Edited, text: Option<String>, preset: Option<&'static str>) {
        self.document.open(scenario, text, preset);
        self.view.offer = None;
        self.began_ms = None;
        self.view.refused = None;
        self.show(true);
    }

    /// The scenario was changed, by a form or on the stage.
    pub fn changed(&mut self, scenario: &Edited, by: &str) {
        self.document.change(scenario, by);
        self.view.refused = None;
        self.show(true);
    }

    /// The text as it was written, where it says the scenario that runs.
    pub fn as_written(&self, running: &Edited) -> Option<String> {
        self.document.as_written(running).map(str::to_owned)
    }

    /// Leaves a scenario of the other kind to the page that comes next.
    pub fn hand_over(&mut self, scenario: Edited, preset: Option<&'static str>) {
        self.handed_over = Some((scenario, preset));
    }

    /// What the page before has left.
    pub fn taken_over(&mut self) -> Option<(Edited, Option<&'static str>)> {
        self.handed_over.take()
    }

    fn apply(&mut self, effects: &mut Vec<Effect>) {
        let outcome = self.document.apply();
        self.follow(outcome, effects);
    }

    fn went(&mut self, outcome: Option<Outcome>, nothing: &'static str, effects: &mut Vec<Effect>) {
        match outcome {
            None => effects.push(Effect::Announce(nothing)),
            Some(outcome) => {
                self.follow(outcome, effects);
                self.show(true);
            }
        }
    }

    fn follow(&mut self, outcome: Outcome, effects: &mut Vec<Effect>) {
        if let Outcome::Run(scenario, preset) = outcome {
            self.view.refused = None;
            effects.push(Effect::Run(*scenario, preset));
        }
    }

    /// Hands the document on to the components. `by_form`: the text has changed by something else than typing.
    fn show(&mut self, by_form: bool) {
        let document = &self.document;
        self.view.text = Shared::new(EditorView {
            text: if document.is_shown() {
                document.text().into()
            } else {
                String::new()
            },
            bytes: document.text().len(),
            is_shown: document.is_shown(),
            problems: document.problems().to_vec(),
            is_pending: document.is_pending(),
            changed: document.changed(),
            revision: self.view.text.revision + u32::from(by_form),
            undo: document.can_undo().map(str::to_owned),
            redo: document.can_redo().map(str::to_owned),
        });
    }

    /// Keeps the scenario that is worked on in the browser, if the browser lets us; says once if not.
    pub fn autosave(&mut self, running: &Edited) -> Option<Effect> {
        let text = self.as_written(running)?;
        let now_ms = js_sys::Date::now();
        let began_ms = *self.began_ms.get_or_insert(now_ms);
        let name = match running.name() {
            "" => "A scenario without a name".into(),
            name => name.chars().take(200).collect(),
        };
        let mut saves = saves();
        let fits = saves.put(Save {
            began_ms,
            at_ms: now_ms,
            name,
            text,
        });
        let kept = match dom::storage() {
            _ if !fits => Err("The scenario is too large for that".to_owned()),
            None => Err("The browser does not let the page store anything".to_owned()),
            Some(storage) => storage
                .set_item(KEY, &saves.written())
                .map_err(|error| why_not_stored(&error)),
        };
        self.list_saves();
        match kept {
            Ok(()) => {
                self.view.offer = None;
                None
            }
            // Once is enough to know.
            Err(_) if self.storage_told => None,
            Err(why) => {
                self.storage_told = true;
                Some(Effect::Tell {
                    is_error: false,
                    title: "Your changes are not kept in this browser".into(),
                    details: vec![format!(
                        "{why}. They last until the page is closed: save them as a file."
                    )],
                })
            }
        }
    }

    /// Offers what was worked on last.
    pub fn offer_saved(&mut self) {
        self.list_saves();
        self.view.offer = self.view.saves.first().cloned();
    }

    /// Whoever goes on with another scenario has answered the offer.
    pub fn withdraw_offer(&mut self) {
        self.view.offer = None;
    }

    fn list_saves(&mut self) {
        let now_ms = js_sys::Date::now();
        let view = |save: &Save| SavedView {
            began_ms: save.began_ms,
            name: save.name.clone(),
            ago: ago(now_ms - save.at_ms),
        };
        self.view.saves = Shared::new(saves().all().iter().map(view).collect());
    }

    fn restore(&mut self, began_ms: f64, effects: &mut Vec<Effect>) {
        self.view.offer = None;
        let saves = saves();
        let Some(save) = saves.all().iter().find(|save| save.began_ms == began_ms) else {
            return effects.push(Effect::Tell {
                is_error: true,
                title: "That scenario is not kept any more".into(),
                details: Vec::new(),
            });
        };
        match check(&save.text, HostScenario::is_meant_by(&save.text)) {
            Ok(scenario) => {
                self.open(&scenario, Some(save.text.clone()), None);
                self.began_ms = Some(began_ms);
                effects.push(Effect::Open(scenario));
            }
            Err(problems) => effects.push(Effect::Tell {
                is_error: true,
                title: format!("{} cannot be run", save.name),
                details: problems.into_iter().map(|problem| problem.reason).collect(),
            }),
        }
    }
}

/// What the browser keeps; nothing where it keeps nothing.
fn saves() -> Saves {
    dom::stored(KEY).map_or_else(Saves::default, |text| Saves::read(&text))
}

/// Why the browser stores nothing, without a full stop. Its own words name what no user knows.
fn why_not_stored(error: &JsValue) -> String {
    let name = js_sys::Reflect::get(error, &"name".into())
        .ok()
        .and_then(|name| name.as_string())
        .unwrap_or_default();
    // Firefox has a name of its own for it.
    if name == "QuotaExceededError" || name == "NS_ERROR_DOM_QUOTA_REACHED" {
        return "The browser's storage for this page is full".into();
    }
    let words = crate::worker_link::words(error);
    words.trim_end_matches('.').to_owned()
}

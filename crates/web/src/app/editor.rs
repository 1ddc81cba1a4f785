//! The editor's text and forms, undo and redo, and the scenarios that the browser keeps.

use super::{App, Msg};
use crate::dom;
use crate::model::{EditorAct, EditorView, SavedView};
use crate::shared::Shared;
use scenario::{Scenario, find_preset, link};
use view::editor::{Change, Outcome, Save, Saves, ago, check};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use yew::Context;

/// A pause in typing after which the text is looked at, in ms.
const PAUSE_MS: i32 = 400;
/// Where the browser keeps the scenarios.
const KEY: &str = "scenarios";

impl App {
    /// Does what was asked for in the editor.
    pub(super) fn editor_act(&mut self, ctx: &Context<App>, act: EditorAct) {
        match act {
            EditorAct::Open => {
                self.model.editing = true;
                self.model.menu = None;
                self.list_saves();
            }
            EditorAct::Close => self.model.editing = false,
            EditorAct::Type(text) => {
                self.document.type_in(text);
                self.typed += 1;
                let (typed, link) = (self.typed, ctx.link().clone());
                let alarm = Closure::once_into_js(move || link.send_message(Msg::Typed(typed)));
                let _ = dom::window()
                    .set_timeout_with_callback_and_timeout_and_arguments_0(alarm.unchecked_ref(), PAUSE_MS);
            }
            EditorAct::Apply => self.apply_text(ctx),
            EditorAct::Change(change) => self.change_by_form(ctx, &change),
            EditorAct::Undo => {
                let outcome = self.document.undo();
                self.go_to(ctx, outcome, "Nothing to take back");
            }
            EditorAct::Redo => {
                let outcome = self.document.redo();
                self.go_to(ctx, outcome, "Nothing to do again");
            }
            EditorAct::Restore(began_ms) => self.restore(ctx, began_ms),
            EditorAct::Forget(began_ms) => {
                let mut saves = saves();
                saves.forget(began_ms);
                dom::store(KEY, &saves.written());
                self.list_saves();
            }
            EditorAct::DismissOffer => self.model.offer = None,
        }
        self.show_document(false);
    }

    /// A pause in typing. True when the page shows something else then.
    pub(super) fn typing_paused(&mut self, ctx: &Context<App>, typed: u32) -> bool {
        if typed != self.typed {
            return false;
        }
        self.apply_text(ctx);
        self.show_document(false);
        true
    }

    fn apply_text(&mut self, ctx: &Context<App>) {
        let outcome = self.document.apply();
        self.follow(ctx, outcome);
    }

    fn change_by_form(&mut self, ctx: &Context<App>, change: &Change) {
        // What was typed last counts.
        self.apply_text(ctx);
        let Some(scenario) = self.model.scenario.clone() else {
            return;
        };
        match change.apply(&scenario) {
            Ok(changed) => {
                self.model.refused_change = None;
                self.edited(ctx, changed, &change.name());
            }
            Err(refused) => self.model.refused_change = Some(refused),
        }
    }

    /// The scenario was changed by hand: it is no preset any more, and begins again.
    pub(super) fn edited(&mut self, ctx: &Context<App>, changed: Scenario, by: &str) {
        self.document.change(&changed, by);
        self.model.preset = None;
        self.set_hash("");
        self.load(ctx, changed);
        self.show_document(true);
        self.autosave();
    }

    fn go_to(&mut self, ctx: &Context<App>, outcome: Option<Outcome>, nothing: &str) {
        match outcome {
            None => self.model.announcement = nothing.into(),
            Some(outcome) => {
                self.follow(ctx, outcome);
                self.show_document(true);
            }
        }
    }

    fn follow(&mut self, ctx: &Context<App>, outcome: Outcome) {
        let Outcome::Run(scenario, preset) = outcome else {
            return;
        };
        self.model.refused_change = None;
        self.model.preset = preset;
        if let Some(preset) = preset.and_then(find_preset) {
            self.model.first_faults = Shared::new(preset.scenario().faults);
        }
        self.set_hash(&preset.map(|slug| link::preset(slug, None)).unwrap_or_default());
        self.load(ctx, *scenario);
        self.autosave();
    }

    /// Hands the document on to the components. `by_form`: the text has changed by something else than typing.
    pub(super) fn show_document(&mut self, by_form: bool) {
        let document = &self.document;
        self.model.editor = Shared::new(EditorView {
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
            revision: self.model.editor.revision + u32::from(by_form),
            undo: document.can_undo().map(str::to_owned),
            redo: document.can_redo().map(str::to_owned),
        });
    }

    /// Keeps the scenario that is worked on in the browser, if the browser lets us.
    pub(super) fn autosave(&mut self) {
        // A frame in somebody else's page keeps nothing.
        let Some(scenario) = self
            .model
            .scenario
            .as_ref()
            .filter(|_| self.model.embed.is_none())
        else {
            return;
        };
        let Some(text) = self.document.as_written(scenario).map(str::to_owned) else {
            return;
        };
        let now_ms = js_sys::Date::now();
        let began_ms = *self.work_began_ms.get_or_insert(now_ms);
        let name = match scenario.name.as_str() {
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
            _ if !fits => Err("it is too large".to_owned()),
            None => Err("the browser does not let the page store anything".to_owned()),
            Some(storage) => storage
                .set_item(KEY, &saves.written())
                .map_err(|error| crate::worker_link::words(&error)),
        };
        match kept {
            Ok(()) => self.model.offer = None,
            // Once is enough to know.
            Err(_) if self.storage_told => {}
            Err(why) => {
                self.storage_told = true;
                self.tell(
                    false,
                    "Your changes are not kept in this browser",
                    vec![format!(
                        "{why}. They last until the page is closed: save them as a file."
                    )],
                );
            }
        }
        self.list_saves();
    }

    /// Offers what was worked on last.
    pub(super) fn offer_saved(&mut self) {
        self.list_saves();
        self.model.offer = self.model.saves.first().cloned();
    }

    fn list_saves(&mut self) {
        let now_ms = js_sys::Date::now();
        let view = |save: &Save| SavedView {
            began_ms: save.began_ms,
            name: save.name.clone(),
            ago: ago(now_ms - save.at_ms),
        };
        self.model.saves = Shared::new(saves().all().iter().map(view).collect());
    }

    fn restore(&mut self, ctx: &Context<App>, began_ms: f64) {
        self.model.offer = None;
        let saves = saves();
        let Some(save) = saves.all().iter().find(|save| save.began_ms == began_ms) else {
            return self.tell_error("That scenario is not kept any more", vec![]);
        };
        match check(&save.text) {
            Ok(scenario) => {
                self.open_written(ctx, scenario, None, Some(save.text.clone()));
                self.work_began_ms = Some(began_ms);
                self.set_hash("");
            }
            Err(problems) => self.tell_error(
                format!("{} cannot be run", save.name),
                problems.into_iter().map(|problem| problem.reason).collect(),
            ),
        }
    }
}

/// What the browser keeps; nothing where it keeps nothing.
fn saves() -> Saves {
    dom::stored(KEY).map_or_else(Saves::default, |text| Saves::read(&text))
}

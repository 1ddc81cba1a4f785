//! Opening scenarios, and changing the one that is open.

use super::{App, Msg};
use crate::compare::MOST_ADDRESS;
use crate::desk::Desk;
use crate::dom;
use crate::import::{Dropped, Import};
use crate::model::{Notice, Phase, Playing, Rates};
use crate::root::{Files, Opened, host_story};
use crate::shared::Shared;
use crate::stage::clos_of;
use crate::texts::notices;
use crate::ui::playing::{NO_SEED, no_seed};
use scenario::link::Linked;
use scenario::{Fault, FaultKind, Scenario, find_preset, link};
use view::editor::Edited;
use view::herald::Herald;
use view::host::ledger_link;
use view::inspect::Target;
use view::message::ToWorker;
use view::story::stories;
use view::{speed, units};
use yew::Context;

/// Titles of what is said of a link that leads nowhere: one that is opened after it makes that old.
const DEAD_LINKS: [&str; 3] = [NO_COMPARISON, notices::BAD_LINK, NO_STORY];
/// See [`DEAD_LINKS`].
const NO_COMPARISON: &str = "This link holds no comparison";
/// See [`DEAD_LINKS`].
pub(super) const NO_STORY: &str = "This link leads to no story";

/// How long a run should take to watch, in seconds.
const WATCH_S: u64 = 60;

impl App {
    /// Opens what the page's address asks for; the first preset when it asks for nothing.
    pub(super) fn open_address(&mut self, ctx: &Context<App>) {
        let hash = dom::window().location().hash().unwrap_or_default();
        let text = hash.trim_start_matches('#');
        let is_old = |title: &str| DEAD_LINKS.contains(&title);
        self.model.notices.retain(|notice| !is_old(&notice.title));
        if text.is_empty() {
            self.show_step(ctx, &stories()[0], 0);
            if self.model.embed.is_none() {
                self.desk.at(Desk::offer_saved);
            }
            return;
        }
        if let Some(opened) = host_story(text) {
            return ctx.props().leave.emit(opened);
        }
        if let Some(place) = view::story::decode(text) {
            return self.open_story_link(ctx, place);
        }
        if link::is_comparison(text) {
            return match link::decode_compare(text) {
                Ok(scenarios) => ctx.props().compare.emit(scenarios),
                Err(error) => self.tell_error(
                    NO_COMPARISON,
                    vec![
                        error.to_string(),
                        "Choose one of the presets instead, or ask for the link again.".into(),
                    ],
                ),
            };
        }
        let (plain, _) = ledger_link::split(text);
        match ledger_link::decode(text) {
            Ok(Linked::Fabric(scenario)) => {
                let until = scenario.until.0;
                let preset = preset_of(text);
                let told = preset.is_none().then(|| view::share::faults_of_link(&scenario));
                self.open(ctx, scenario, preset);
                if let Some(words) = told.flatten() {
                    self.model.announcement = words;
                }
                self.open_at(&plain, until);
                self.add_bookmarks(&plain, until);
            }
            Ok(Linked::Host(scenario)) => ctx.props().leave.emit(Opened::of_link(scenario, text)),
            Err(error) => {
                self.tell_error(
                    notices::BAD_LINK,
                    vec![
                        error,
                        "Choose one of the presets instead, or ask for the link again.".into(),
                    ],
                );
            }
        }
    }

    /// The run that is being loaded opens at the time that its link names, if it names one.
    fn open_at(&mut self, link: &str, until_ps: u64) {
        self.at_next = link::moment(link).ok().flatten().map(|time| time.0);
        if let Some(why) = self.at_next.and_then(|at| view::share::beyond(at, until_ps)) {
            self.tell(false, notices::NOT_IN_THE_RUN, vec![why]);
        }
    }

    pub(super) fn hash_changed(&mut self, ctx: &Context<App>) -> bool {
        let hash = dom::window().location().hash().unwrap_or_default();
        if self.own_hash.as_deref() != Some(&hash) {
            self.own_hash = Some(hash);
            self.open_address(ctx);
        }
        true
    }

    /// Puts something after `#` in the page's address without opening it.
    pub(super) fn set_hash(&mut self, text: &str) {
        self.own_hash = Some(dom::replace_hash(text));
    }

    /// Sets the scenario that is open beside another one. The browser's Back button finds it again, faults by hand included.
    pub(super) fn compare(&mut self, ctx: &Context<App>, other: Scenario) {
        let Some(scenario) = self.model.scenario.clone() else {
            return;
        };
        let scenarios = vec![(*scenario).clone(), other];
        match (link::encode(&scenario), link::encode_compare(&scenarios)) {
            (Ok(own), Ok(both)) => {
                self.set_hash(&own);
                self.own_hash = Some(dom::push_hash(&both));
            }
            // It is compared all the same; only there is no link to it.
            _ => self.set_hash(""),
        }
        ctx.props().compare.emit(scenarios);
    }

    pub(super) fn open_preset(&mut self, ctx: &Context<App>, slug: &'static str) {
        if let Some(preset) = find_preset(slug) {
            self.open(ctx, preset.scenario(), Some(preset.slug));
            self.own_hash = Some(dom::push_hash(&link::preset(slug, None)));
        } else if let Some(opened) = Opened::of_preset(slug) {
            self.own_hash = Some(dom::push_hash(&link::preset(slug, None)));
            ctx.props().leave.emit(opened);
        }
    }

    /// Opens a scenario that has not been open before.
    pub(super) fn open(&mut self, ctx: &Context<App>, scenario: Scenario, preset: Option<&'static str>) {
        self.open_written(ctx, scenario, preset, None);
    }

    /// The same, with the text that it was read from.
    pub(super) fn open_written(
        &mut self,
        ctx: &Context<App>,
        scenario: Scenario,
        preset: Option<&'static str>,
        text: Option<String>,
    ) {
        if scenario.validate().is_ok() {
            let opened = Edited::Fabric(scenario.clone());
            self.desk.at(|desk| desk.open(&opened, text, preset));
        }
        self.open_known(ctx, scenario, preset);
    }

    /// Opens a scenario that is at the desk already.
    pub(super) fn open_known(
        &mut self,
        ctx: &Context<App>,
        scenario: Scenario,
        preset: Option<&'static str>,
    ) {
        self.model.first_faults = Shared::new(scenario.faults.clone());
        self.model.preset = preset;
        self.model.story = None;
        self.revival.renew();
        self.model.import = Shared::default();
        self.model.notices.retain(|notice| !notice.is_error);
        // The first QP's EVs are worth seeing from the start.
        self.model.selected = Some(Target::Qp(0));
        let hop = scenario.fabric.t1_link_delay.0 + scenario.fabric.switch_latency.0;
        self.model.speed = speed::comfortable(scenario.until.0, hop, WATCH_S);
        self.load(ctx, scenario);
    }

    /// Gives up building the run. Its scenario stays open.
    pub(super) fn stop_loading(&mut self, ctx: &Context<App>) {
        if self.model.phase == Phase::Loading {
            self.start_worker(ctx);
            if self.model.phase == Phase::Loading {
                self.model.phase = Phase::Empty;
            }
        }
    }

    /// Begins again with the scenario that is open.
    pub(super) fn reload(&mut self, ctx: &Context<App>) {
        if let Some(scenario) = self.model.scenario.clone() {
            self.load(ctx, (*scenario).clone());
        }
    }

    pub(super) fn load(&mut self, ctx: &Context<App>, scenario: Scenario) {
        if let Err(problems) = scenario.validate() {
            let problems = problems.iter().map(ToString::to_string).collect();
            return self.tell_error(notices::CANNOT_BE_RUN, problems);
        }
        Notice::forget_run(&mut self.model.notices);
        self.at_next = None;
        self.model.silent_s = None;
        if self.model.asleep {
            // As it will be, with nothing under way.
            self.stage.open(clos_of(&scenario.fabric));
            self.stage.rest();
            self.model.scenario = Some(Shared::new(scenario));
            self.open_bookmarks();
            return self.keep_ticking(ctx);
        }
        if self.model.phase == Phase::Loading || self.worker.is_none() {
            // The worker may be busy with a run that nobody wants any more.
            self.start_worker(ctx);
        }
        if matches!(self.model.phase, Phase::Broken(_)) && self.worker.is_none() {
            self.model.scenario = Some(Shared::new(scenario));
            return;
        }
        self.run += 1;
        self.model.returning = false;
        self.asked = None;
        self.seeking = None;
        self.model.seeking = None;
        self.refreshing = false;
        self.refresh_later = false;
        self.reports.clear();
        self.herald = Herald::default();
        self.stage.open(clos_of(&scenario.fabric));
        self.model.phase = Phase::Loading;
        self.model.playing = Playing::No;
        self.model.limited = None;
        self.model.report = Shared::default();
        self.model.facts = Shared::default();
        self.model.history = Shared::default();
        self.model.flows = Shared::default();
        self.model.jobs = Shared::default();
        self.model.charts = Shared::default();
        self.model.menu = None;
        self.model.refused_edit = None;
        self.model.rates = Rates::default();
        self.model.step = None;
        self.model.capped = None;
        self.model.at_home = self.stage.is_home();
        // What was selected stays so, except for a packet, which is not there yet.
        self.select_next = self
            .model
            .selected
            .take()
            .filter(|target| !matches!(target, Target::Packet(_)));
        self.model.detail = None;
        self.model.gone = false;
        self.model.scenario = Some(Shared::new(scenario.clone()));
        self.open_bookmarks();
        self.send_look();
        self.send(ToWorker::Load {
            run: self.run,
            scenario: Box::new(scenario),
            seekable: true,
            logged: true,
        });
        self.keep_ticking(ctx);
    }

    /// Changes the scenario and begins again.
    fn change(&mut self, ctx: &Context<App>, by: &str, change: impl FnOnce(&mut Scenario)) {
        let Some(scenario) = &self.model.scenario else {
            return;
        };
        let mut changed = (**scenario).clone();
        change(&mut changed);
        if changed.validate().is_ok() {
            let changed = Edited::Fabric(changed.clone());
            self.desk.at(|desk| desk.changed(&changed, by));
        }
        self.load(ctx, changed);
        self.autosave();
    }

    pub(super) fn set_seed(&mut self, ctx: &Context<App>, seed: u64) {
        self.model.notices.retain(|notice| notice.title != NO_SEED);
        self.change(ctx, "seed", |scenario| scenario.seed = seed);
    }

    pub(super) fn refuse_seed(&mut self, text: &str) {
        let (title, why) = no_seed(text);
        self.tell_error(title, vec![why]);
    }

    /// Changes a setting, or says at its place why not.
    pub(super) fn edit(&mut self, ctx: &Context<App>, path: &str, text: &str) {
        let Some(scenario) = &self.model.scenario else {
            return;
        };
        match view::settings::edit(scenario, path, text) {
            Ok(changed) => self.edited(ctx, changed, path),
            Err(problems) => self.model.refused_edit = Some((path.to_owned(), problems)),
        }
    }

    pub(super) fn add_fault(&mut self, ctx: &Context<App>, fault: Fault) {
        // At the end of the list: what random choices of the others come out as depends on their places.
        self.change(ctx, "add fault", |scenario| scenario.faults.push(fault));
    }

    pub(super) fn remove_fault(&mut self, ctx: &Context<App>, index: usize) {
        if let Some(Target::Fault(_)) = self.model.selected {
            // Those after it have other numbers then.
            self.model.selected = None;
        }
        self.change(ctx, "remove fault", |scenario| {
            if index < scenario.faults.len() {
                scenario.faults.remove(index);
            }
        });
    }

    /// Breaks or heals something now.
    pub(super) fn inject(&mut self, fault: FaultKind) {
        self.model.menu = None;
        if self.is_ready() {
            self.stop_seek();
            self.send(ToWorker::Inject { run: self.run, fault });
            self.ask_for_all();
        }
    }

    /// Breaks what works, heals what is broken: the worker knows which it is, however quickly clicks follow each other.
    pub(super) fn toggle(&mut self, target: Target) {
        self.model.menu = None;
        if self.is_ready() {
            self.stop_seek();
            let run = self.run;
            self.send(ToWorker::Toggle { run, target });
            self.ask_for_all();
        }
    }

    /// The run's faults, after one was added by hand.
    pub(super) fn faults(&mut self, faults: Vec<Fault>, refused: Option<String>, forgotten: u32) -> bool {
        if let Some(why) = refused {
            self.tell_error(notices::CANNOT_BE_BROKEN, vec![why]);
            return true;
        }
        if forgotten > 0 {
            let which = match forgotten {
                1 => "A fault made by hand was later than now, and is forgotten".into(),
                more => format!("{more} faults made by hand were later than now, and are forgotten"),
            };
            let why = "The run takes another way from here: what was known of later times is no longer so.";
            self.tell(false, which, vec![why.into()]);
        }
        if let Some(scenario) = &self.model.scenario {
            if let Some(added) = faults
                .last()
                .filter(|_| faults.len() + forgotten as usize > scenario.faults.len())
            {
                let words = view::words::fault(&added.what);
                self.model.announcement = format!("{words} at {}", units::span(added.at.0 as f64));
            }
            let changed = Scenario {
                faults,
                ..(**scenario).clone()
            };
            if changed != **scenario {
                self.model.scenario = Some(Shared::new(changed.clone()));
                let changed = Edited::Fabric(changed);
                self.desk.at(|desk| desk.changed(&changed, "fault by hand"));
                self.autosave();
            }
        }
        true
    }

    /// Files were dropped on the page, or chosen.
    pub(super) fn take_files(&mut self, ctx: &Context<App>, files: Files) -> bool {
        let mut import = (*self.model.import).clone();
        let mut htsim = false;
        for file in files {
            if let Some(read) = file
                .as_ref()
                .ok()
                .and_then(|file| link::read_comparison_file(&file.text))
            {
                match read {
                    Ok(scenarios) => {
                        let both = link::encode_compare(&scenarios).ok();
                        let both = both.filter(|both| both.len() <= MOST_ADDRESS).unwrap_or_default();
                        // What is open is one step back.
                        self.own_hash = Some(match self.model.scenario {
                            Some(_) => dom::push_hash(&both),
                            None => dom::replace_hash(&both),
                        });
                        ctx.props().compare.emit(scenarios);
                        return true;
                    }
                    Err(why) => self.tell_error("The file holds no comparison", vec![why.to_string()]),
                }
                continue;
            }
            if let Some(found) = file.as_ref().ok().and_then(Opened::of_file) {
                match found {
                    Ok(opened) => {
                        self.set_hash("");
                        ctx.props().leave.emit(opened);
                        return true;
                    }
                    Err((title, details)) => self.tell_error(title, details),
                }
                continue;
            }
            let (name, text) = match &file {
                Ok(file) => (file.name.clone(), file.text.clone()),
                Err(_) => Default::default(),
            };
            match file.map(|file| import.take(file)) {
                Err((title, details)) => self.tell_error(title, details),
                Ok(Dropped::Scenario(scenario)) => {
                    // What cannot be run takes nothing away.
                    if let Err(problems) = scenario.validate() {
                        let problems = problems.iter().map(ToString::to_string).collect();
                        self.tell_error(format!("{name} cannot be run"), problems);
                        continue;
                    }
                    self.open_written(ctx, *scenario, None, Some(text));
                    self.set_hash("");
                    return true;
                }
                Ok(Dropped::Refused { title, details }) => self.tell_error(title, details),
                Ok(Dropped::Htsim) => htsim = true,
            }
        }
        if htsim {
            self.apply_import(ctx, import);
        }
        true
    }

    pub(super) fn change_import(&mut self, ctx: &Context<App>, change: impl FnOnce(&mut Import)) {
        let mut import = (*self.model.import).clone();
        change(&mut import);
        self.apply_import(ctx, import);
    }

    fn apply_import(&mut self, ctx: &Context<App>, mut import: Import) {
        if let Some(scenario) = import.evaluate() {
            self.open(ctx, scenario, None);
            self.set_hash("");
        }
        self.model.import = Shared::new(import);
        ctx.link().send_message(Msg::Resized);
    }
}

/// The preset that a link names.
fn preset_of(link: &str) -> Option<&'static str> {
    let name = link.strip_prefix("preset/")?.split('&').next()?;
    find_preset(name).map(|preset| preset.slug)
}

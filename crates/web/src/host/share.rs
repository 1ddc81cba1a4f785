//! Giving the experiment away.

use super::app::HostApp;
use crate::app::share::file_name;
use crate::dom;
use crate::model::{Dialog, Playing, ShareView, StoryView};
use scenario::Time;
use scenario::host::HostScenario;
use scenario::link::{self, LinkError};
use view::editor::Edited;
use yew::Callback;

impl HostApp {
    /// Offers ways to give the experiment away.
    pub(super) fn share(&mut self) {
        let costs = self.model.costs.to_option();
        let link = link::encode_host(&self.model.scenario).map(|text| text + &costs);
        if let Ok(link) = &link {
            self.set_hash(link);
        }
        self.model.dialog = Dialog::Share(ShareView {
            marks: Vec::new(),
            link: link.map_err(|error| error.to_string()),
            name: self.model.scenario.name.clone(),
            now_ps: self.model.report.now_ps,
        });
    }

    /// Records the stage, and plays if the run rests.
    pub(super) fn record(&mut self, seconds: u32) {
        self.model.dialog = Dialog::None;
        self.model.recording = Some(seconds);
        if self.model.playing == Playing::No {
            self.play(Playing::AtSpeed);
        }
    }

    /// A recording is over.
    pub(super) fn recorded(&mut self, result: Result<String, String>) {
        self.model.recording = None;
        let (is_error, title, details) = crate::share::recorded(result);
        self.tell(is_error, title, details);
    }

    /// Writes the link of what is open at the time that is shown, when it is asked for.
    fn link_now(&self) -> impl Fn() -> Result<String, LinkError> + 'static {
        let (scenario, costs) = (self.model.scenario.clone(), self.model.costs);
        let now = self.model.report.now_ps;
        move || now_link(&scenario, now).map(|link| link + &costs.to_option())
    }

    /// The same for those who can do without one.
    pub(super) fn link_if_any(&self) -> Callback<(), String> {
        let link = self.link_now();
        Callback::from(move |()| link().unwrap_or_default())
    }

    /// What loading the page again needs.
    pub(super) fn hold(&self) {
        let link = self.link_now();
        let (story, scenario) = (self.model.story.clone(), self.model.scenario.clone());
        crate::share::keeping::hold(move || {
            let tells = |view: &StoryView| view.variant().host_scenario().as_ref() == Some(&*scenario);
            if story.as_ref().is_some_and(tells) {
                return None;
            }
            Some(link().map_err(|error| error.to_string()))
        });
    }

    pub(super) fn save_scenario(&mut self) {
        let scenario = &self.model.scenario;
        let name = format!("{}.json", file_name(&scenario.name));
        // As it was written, where somebody wrote it.
        let running = Edited::Host((**scenario).clone());
        let written = self.desk.at(|desk| desk.as_written(&running));
        let text = written.unwrap_or_else(|| running.to_json_pretty());
        let saved = dom::download(&name, "application/json", &text);
        if let Err(error) = saved {
            self.tell(
                true,
                "The file could not be saved",
                vec![crate::worker_link::words(&error)],
            );
        }
    }
}

/// The link of a scenario at a time; at its start where that is 0.
fn now_link(scenario: &HostScenario, now_ps: u64) -> Result<String, LinkError> {
    let link = link::encode_host(scenario)?;
    Ok(match now_ps {
        0 => link,
        now => link::at_moment(&link, Time(now)),
    })
}

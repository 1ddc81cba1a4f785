//! Giving the comparison away.

use super::CompareApp;
use crate::app::share::file_name;
use crate::dom;
use crate::model::{Dialog, Playing, ShareView};
use crate::shared::Shared;
use scenario::link::{self, LinkError, at_moment};
use scenario::{Scenario, Time};
use yew::Callback;

impl CompareApp {
    /// Offers ways to give the comparison away.
    pub(super) fn share(&mut self) {
        let link = self.encoded();
        if let Ok(link) = &link {
            self.own_hash = Some(dom::replace_hash(link));
        }
        self.dialog = Dialog::Share(ShareView {
            marks: Vec::new(),
            link: link.map_err(|error| error.to_string()),
            name: self.title(),
            now_ps: self.now_ps(),
        });
    }

    /// Saves the scenarios as one file, which opens them side by side again.
    pub(super) fn save(&mut self) {
        let scenarios: Vec<Scenario> = self.panes.iter().map(|pane| (*pane.scenario).clone()).collect();
        let name = format!("{}.json", self.file());
        let saved = dom::download(&name, "application/json", &link::comparison_file(&scenarios));
        if let Err(error) = saved {
            let details = vec![crate::worker_link::words(&error)];
            self.tell(true, "The file could not be saved", details);
        }
    }

    /// What files are called, but for their end.
    pub(super) fn file(&self) -> String {
        format!("compare-{}", file_name(&self.panes[0].scenario.name))
    }

    /// Records the stages, and plays if the runs rest.
    pub(super) fn record(&mut self, seconds: u32) {
        self.dialog = Dialog::None;
        self.recording = Some(seconds);
        if self.playing == Playing::No {
            self.play(Playing::AtSpeed);
        }
    }

    /// A recording is over.
    pub(super) fn recorded(&mut self, result: Result<String, String>) {
        self.recording = None;
        let (is_error, title, details) = crate::share::recorded(result);
        self.tell(is_error, title, details);
    }

    /// Writes the link of what is open at the time that is shown, when it is asked for.
    fn link_now(&self) -> impl Fn() -> Result<String, LinkError> + 'static {
        let scenarios: Vec<Shared<Scenario>> = self.panes.iter().map(|pane| pane.scenario.clone()).collect();
        let now = self.now_ps();
        move || {
            let scenarios: Vec<Scenario> = scenarios.iter().map(|scenario| (**scenario).clone()).collect();
            let link = link::encode_compare(&scenarios)?;
            Ok(match now {
                0 => link,
                now => at_moment(&link, Time(now)),
            })
        }
    }

    /// The same for those who can do without one.
    pub(super) fn link_if_any(&self) -> Callback<(), String> {
        let link = self.link_now();
        Callback::from(move |()| link().unwrap_or_default())
    }

    /// What loading the page again needs.
    pub(super) fn hold(&self) {
        let link = self.link_now();
        crate::share::keeping::hold(move || Some(link().map_err(|error| error.to_string())));
    }
}

//! Giving the experiment away.

use super::app::{HostApp, Msg};
use crate::app::share::file_name;
use crate::dom;
use crate::model::{Dialog, ShareView};
use scenario::link;
use view::editor::Edited;
use yew::Context;

impl HostApp {
    /// Offers the link, and tries to copy it.
    pub(super) fn share(&mut self, ctx: &Context<HostApp>) {
        let encoded = link::encode_host(&self.model.scenario);
        let costs = self.model.costs.to_option();
        let view = ShareView::of(encoded.map(|text| self.set_hash(&format!("{text}{costs}"))));
        self.model.dialog = Dialog::Share(view);
        self.copy_link(ctx);
    }

    pub(super) fn copy_link(&mut self, ctx: &Context<HostApp>) {
        self.model.dialog.copy_link(ctx.link().callback(Msg::Copied));
    }

    pub(super) fn copied(&mut self, done: bool) -> bool {
        self.model.dialog.link_copied(done);
        true
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

//! Giving the experiment away.

use super::app::{HostApp, Msg};
use crate::app::share::{copy, file_name};
use crate::dom;
use crate::model::{Dialog, ShareView};
use scenario::link;
use yew::Context;

impl HostApp {
    /// Offers the link, and tries to copy it.
    pub(super) fn share(&mut self, ctx: &Context<HostApp>) {
        let view = match link::encode_host(&self.model.scenario) {
            Ok(text) => {
                self.set_hash(&format!("{text}{}", self.model.costs.to_option()));
                ShareView {
                    url: dom::window().location().href().ok(),
                    ..ShareView::default()
                }
            }
            Err(error) => ShareView {
                problem: Some(error.to_string()),
                ..ShareView::default()
            },
        };
        self.model.dialog = Dialog::Share(view);
        self.copy_link(ctx);
    }

    pub(super) fn copy_link(&mut self, ctx: &Context<HostApp>) {
        let Dialog::Share(ShareView { url: Some(url), .. }) = &self.model.dialog else {
            return;
        };
        let (url, link) = (url.clone(), ctx.link().clone());
        wasm_bindgen_futures::spawn_local(async move {
            let done = copy(&url).await;
            link.send_message(Msg::Copied(done));
        });
    }

    pub(super) fn copied(&mut self, done: bool) -> bool {
        if let Dialog::Share(view) = &mut self.model.dialog {
            view.copied = Some(done);
        }
        true
    }

    pub(super) fn save_scenario(&mut self) {
        let scenario = &self.model.scenario;
        let name = format!("{}.json", file_name(&scenario.name));
        let saved = dom::download(&name, "application/json", &scenario.to_json_pretty());
        if let Err(error) = saved {
            self.tell(
                true,
                "The file could not be saved",
                vec![crate::worker_link::words(&error)],
            );
        }
    }
}

//! The page: a Yew application that draws what the simulation's worker computes.

mod app;
mod chart;
mod compare;
mod desk;
mod dom;
mod edition;
mod files;
mod host;
mod import;
mod importer;
mod listeners;
mod model;
mod root;
mod share;
mod shared;
mod stage;
mod texts;
mod ui;
mod worker_link;

fn main() {
    if let Some(root) = dom::document().get_element_by_id("app") {
        yew::Renderer::<root::Root>::with_root(root).render();
    }
}

//! The page: a Yew application that draws what the simulation's worker computes.

mod app;
mod dom;
mod files;
mod import;
mod model;
mod shared;
mod stage;
mod ui;
mod worker_link;

fn main() {
    if let Some(root) = dom::document().get_element_by_id("app") {
        yew::Renderer::<app::App>::with_root(root).render();
    }
}

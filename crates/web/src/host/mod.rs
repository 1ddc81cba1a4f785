//! The host page: one component that owns its worker, its stage and its model, and shows the others.

mod app;
mod cells;
mod charts;
mod controls;
mod cost;
mod editor;
mod embed;
mod flows;
mod ink;
mod inspector;
mod keys;
mod model;
mod panel;
mod parts;
mod process;
mod share;
mod stage;
mod story;
mod tables;
mod view;
mod worker;

pub use app::HostApp;

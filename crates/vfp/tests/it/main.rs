//! Integration tests of VFP.

mod cost;
mod errors;
mod flows;
mod layers;
mod limits;
mod matches;
mod nat;
mod nsg;
mod property;
mod standard;
mod support;
mod tcp;

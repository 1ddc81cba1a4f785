//! Integration tests of VFP.

mod errors;
mod flows;
mod layers;
mod limits;
mod nat;
mod nsg;
mod property;
mod standard;
mod support;
mod tcp;

//! Tests of whole frames.

mod any;
mod frame;
mod fuzz;
mod layout;
mod samples;
mod tshark;

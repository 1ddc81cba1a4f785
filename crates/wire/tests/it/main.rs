//! Tests of whole frames.

mod any;
mod capture;
mod frame;
mod fuzz;
mod layout;
mod samples;
mod tenant;
mod tenant_layout;
mod tshark;

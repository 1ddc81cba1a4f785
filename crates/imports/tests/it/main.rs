//! Tests of the imports: what good inputs give, and what each bad one is told.

mod balancer;
mod capture;
mod dash;
mod effective;
mod flow_log;
mod fuzz;
mod general;
mod host;
mod nsg;
mod service_tags;
mod support;

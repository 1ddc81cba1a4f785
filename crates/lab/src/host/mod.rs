//! Many runs of a host scenario. What a sweep is, is said by [`Sweep`](crate::Sweep) and [`Plan`](crate::Plan) as for fabrics;
//! the figures of a run are others.

mod figure;
mod one;
#[cfg(not(target_arch = "wasm32"))]
mod parallel;
mod report;

pub use figure::Figure;
pub use one::{HostResult, HostRow, csv, run_host};
#[cfg(not(target_arch = "wasm32"))]
pub use parallel::run_all_hosts;
pub use report::{HostPoint, HostReport};

//! Going on with a run, with looks between.

use kernel::Time;
use sim::{Observer, Sim};
use std::ops::ControlFlow;

/// Events between two looks at the clock and at Cancel: some milliseconds.
const SLICE: u64 = 16_384;

/// Goes on up to and including `t`, or to the end of the run. `go_on` is asked before the first event and after every few
/// thousand; when it breaks, so does this, and the run may be half-way through a window. Otherwise it is not.
pub(crate) fn advance<O: Observer>(
    sim: &mut Sim<O>,
    t: Time,
    mut go_on: impl FnMut(&Sim<O>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    while !sim.is_finished() && (sim.now() < t || sim.is_half_way()) {
        go_on(sim)?;
        sim.run_events(SLICE, t);
    }
    ControlFlow::Continue(())
}

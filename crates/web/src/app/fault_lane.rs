//! Faults that are changed on the timeline.

use super::App;
use crate::texts::fault_lane as texts;
use view::fault_lane::Edit;
use view::inspect::Target;
use yew::Context;

impl App {
    /// Changes a fault, which is one step to take back. The run begins again and comes back to the time that was shown.
    pub(super) fn edit_fault(&mut self, ctx: &Context<App>, edit: &Edit) {
        let Some(scenario) = self.model.scenario.clone() else {
            return;
        };
        match edit.apply(&scenario) {
            Ok((changed, fault, text)) => {
                if changed == *scenario {
                    return;
                }
                // A key that is pressed again before the run is there moves the fault on, not the time back.
                let at = self.at_next.unwrap_or_else(|| self.bound_for());
                if let Some(fault) = fault {
                    self.model.selected = Some(Target::Fault(fault as u32));
                } else if matches!(self.model.selected, Some(Target::Fault(_))) {
                    // Those after it have other numbers then.
                    self.model.selected = None;
                }
                self.edited(ctx, changed, edit.name());
                self.at_next = (at > 0).then_some(at);
                self.model.returning = at > 0;
                self.model.announcement = text;
            }
            Err(problems) => self.tell_error(texts::CANNOT_BE_SO, problems),
        }
    }
}

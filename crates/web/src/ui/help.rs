//! Keys and symbols of the fabric page.

use super::On;
use super::dialogs::Frame;
use super::keys::KeySheet;
use view::keys::Page;
use yew::prelude::*;

/// What the help dialog needs.
#[derive(PartialEq, Properties)]
pub struct HelpProps {
    /// What the user does.
    pub on: On,
}

/// Keys and symbols.
#[component]
pub fn HelpDialog(props: &HelpProps) -> Html {
    html! {
        <Frame title="Keys and symbols" testid="help-dialog" on={props.on.clone()}>
            <div class="columns">
                <KeySheet page={Page::Fabric} />
                <div>
                    <p>{ "A packet with a body is drawn as long as its bits are on the wire: from its last bit to its first. It enters a link as it is sent, and is gone when its last bit has arrived and the switch has decided." }</p>
                    <p>{ "A data packet with a light core carries an ECN mark. Packets that fade are on a link that went down, or belong to another QP than the one selected." }</p>
                    <p>{ "Each cable is two lanes, one a direction, on the right as on a road. A lane grows darker with its load. The bar at its beginning is its output queue; it turns red when packets are about to be trimmed." }</p>
                    <p>{ "A cross marks where packets were dropped, a diamond where they were trimmed." }</p>
                    <p>{ "Links with a fault have a sign: × down, % loses packets, ≠ damages them, ~ flaps; an arrow beside it says that it is so in one direction only, ↑ away from the NICs. A right click or a held finger on a link, a switch or a NIC offers all ways to break it; beside everything, those for the whole fabric." }</p>
                    <p>{ "In the timeline, the span from a fault to the last packet that was sent into it is tinted. A click on a mark selects what it is about; a click or a drag elsewhere goes there in time, back as well as on." }</p>
                    <p>{ "Names: p0/t0.3-t1.2 is the link between T0 3 and T1 2 in plane 0; p0/n17 is NIC 17's link to its T0." }</p>
                </div>
            </div>
            <p class="dim" data-testid="edition">{ crate::edition::words() }</p>
        </Frame>
    }
}

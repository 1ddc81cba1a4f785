//! Keys and symbols of the fabric page.

use super::On;
use super::dialogs::Frame;
use super::keys::KeySheet;
use crate::texts::help as texts;
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
        <Frame title={texts::KEYS_AND_SYMBOLS} testid="help-dialog" on={props.on.clone()}>
            <KeySheet page={Page::Fabric}>
                <p>{ texts::A_PACKET_WITH_A_BODY_IS }</p>
                <p>{ texts::A_DATA_PACKET_WITH_A_LIGHT }</p>
                <p>{ texts::EACH_CABLE_IS_TWO_LANES_ONE }</p>
                <p>{ texts::A_CROSS_MARKS_WHERE_PACKETS_WERE }</p>
                <p>{ texts::LINKS_WITH_A_FAULT_HAVE_A }</p>
                <p>{ texts::IN_THE_TIMELINE_THE_SPAN_FROM }</p>
                <p>{ texts::NAMES_P0_T0_3_T1_2 }</p>
            </KeySheet>
            <p class="dim" data-testid="edition">{ crate::edition::words() }</p>
        </Frame>
    }
}

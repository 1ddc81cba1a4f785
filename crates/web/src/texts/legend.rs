//! The legend of the stage.

pub const EV_PROBE: &str = "EV probe";
pub const RELIABILITY_PROBE: &str = "reliability probe";
pub const PORT_STATUS: &str = "port status";
pub const SHOW: &str = "Show";
pub const HIDE: &str = "Hide";
pub const THE_OUTPUT_QUEUE_AT_THE_BEGINNING: &str =
    "The output queue at the beginning of a lane; red when it is about to trim, to drop, or to pause";
pub const A_LINK_WHOSE_FAR_END_HAS: &str =
    "A link whose far end has paused it (PFC): control packets go on, data waits where the bars are";
pub const PAUSED_LINKS_THAT_WAIT_FOR_EACH: &str =
    "Paused links that wait for each other in a circle, for ever";
pub const A_LINK_THAT_IS_DOWN_AN: &str =
    "A link that is down; an arrow beside the cross: in that direction only";
pub const A_LINK_THAT_LOSES_PACKETS_AT: &str = "A link that loses packets at random";
pub const A_LINK_OR_A_SWITCH_THAT: &str = "A link or a switch that damages packets";
pub const A_LINK_THAT_GOES_DOWN_AND: &str = "A link that goes down and up again and again";
pub const A_NIC_THAT_REFUSES_PACKETS: &str = "A NIC that refuses packets";
pub const A_NIC_THAT_REPORTS_A_PENALTY: &str = "A NIC that reports a penalty to its senders";
pub const SYMBOLS: &str = "Symbols";
pub const MRC_ACK: &str = "MRC ACK";
pub const ROCE_ACK: &str = "RoCE ACK";

/// What a kind of packets is, and what a click does: `verb` is [`SHOW`] or [`HIDE`].
pub fn on_the_stage(what: &str, verb: &str) -> String {
    format!("{what}. {verb} on the stage")
}

//! The results of flows.

pub const THE_FLOW_S_NUMBER: &str = "The flow's number, as in the scenario or from 1";
pub const THE_QP_S_NUMBER: &str =
    "The QP that carries it, as the inspector, the events and the timeline number it: from 0";
pub const FROM_NIC: &str = "from NIC";
pub const SENDING_NIC: &str = "Sending NIC";
pub const TO_NIC: &str = "to NIC";
pub const RECEIVING_NIC: &str = "Receiving NIC";
pub const MESSAGE_BYTES: &str = "Message bytes";
pub const WHEN_THE_MESSAGE_WAS_POSTED: &str = "When the message was posted";
pub const COMPLETION_TIME_FROM_POSTING_TO_THE: &str =
    "Completion time: from posting to the last acknowledgement";
pub const MESSAGE_BITS_OVER_COMPLETION_TIME: &str = "Message bits over completion time";
pub const SHARE_OF_THE_MESSAGE_AT_THE: &str = "Share of the message at the receiver";
pub const DATA_PACKETS_SENT_AGAIN: &str = "Data packets sent again";
pub const FCT_P50: &str = "FCT p50 ";
pub const MAX: &str = ", max ";
pub const NO_FLOW_IS_COMPLETE_YET: &str = "No flow is complete yet.";
pub const CSV: &str = "CSV";

/// Only these are listed.
pub fn first_rows(rows: usize, all: &str) -> String {
    format!("The first {rows} of {all} in this order; the file has all.")
}

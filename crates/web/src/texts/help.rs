//! Symbols, as the list of keys explains them.

pub const KEYS_AND_SYMBOLS: &str = "Keys and symbols";
pub const A_PACKET_WITH_A_BODY_IS: &str = "A packet with a body is drawn as long as its bits are on the wire: from its last bit to its first. It enters a link as it is sent, and is gone when its last bit has arrived and the switch has decided.";
pub const A_DATA_PACKET_WITH_A_LIGHT: &str = "A data packet with a light core carries an ECN mark. Packets that fade are on a link that went down, or belong to another QP than the one selected.";
pub const EACH_CABLE_IS_TWO_LANES_ONE: &str = "Each cable is two lanes, one a direction, on the right as on a road. A lane grows darker with its load. The bar at its beginning is its output queue; it turns red when packets are about to be trimmed.";
pub const A_CROSS_MARKS_WHERE_PACKETS_WERE: &str =
    "A cross marks where packets were dropped, a diamond where they were trimmed.";
pub const LINKS_WITH_A_FAULT_HAVE_A: &str = "Links with a fault have a sign: × down, % loses packets, ≠ damages them, ~ flaps; an arrow beside it says that it is so in one direction only, ↑ away from the NICs. A right click or a held finger on a link, a switch or a NIC offers all ways to break it; beside everything, those for the whole fabric.";
pub const IN_THE_TIMELINE_THE_SPAN_FROM: &str = "In the timeline, the span from a fault to the last packet that was sent into it is tinted. A click on a mark selects what it is about; a click or a drag elsewhere goes there in time, back as well as on.";
pub const NAMES_P0_T0_3_T1_2: &str =
    "Names: p0/t0.3-t1.2 is the link between T0 3 and T1 2 in plane 0; p0/n17 is NIC 17's link to its T0.";

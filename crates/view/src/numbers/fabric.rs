//! Those of the fabric's page.

use super::{COUNTED as SIM, Number, View, n};

const WIRE: &str = "bytes on the wire";
const SCENARIO: &str = "The scenario";
const DIGEST: &str = "MRC specification (as third parties cite it)";

/// By view.
pub const VIEWS: &[View] = &[
    ("link", LINK),
    ("direction", DIRECTION),
    ("pfc", PFC),
    ("switch", SWITCH),
    ("ports", PORTS),
    ("nic", NIC),
    ("bundle", BUNDLE),
    ("group", GROUP),
    ("qp", QP),
    ("evs", EVS),
    ("roce", ROCE),
    ("fault", FAULT),
    ("packet", PACKET),
];

const LINK: &[Number] = &[
    n(
        "rate",
        "bits per second",
        "Of each direction, Ethernet's preamble and gap included.",
        SCENARIO,
    ),
    n(
        "delay",
        "time",
        "From a bit's leaving to its arrival, with the latency of the receiving switch.",
        "The scenario: fabric's link delays and switch_latency",
    ),
    n(
        "load over",
        "time",
        "The span of the past over which loads are measured.",
        "Our choice",
    ),
];

const DIRECTION: &[Number] = &[
    n(
        "load",
        "percent of the rate",
        "Bytes sent lately, preamble and gap included, against what the link can send.",
        SIM,
    ),
    n(
        "queue",
        WIRE,
        "Data that waits for this port, the packet being sent included, and how much trims or drops what comes.",
        "Store-and-forward output queue; its length: the scenario (trim_bdp), a multiple of the BDP",
    ),
    n(
        "control",
        WIRE,
        "SACKs, NACKs, ACKs, probes and trimmed packets that wait; they go before data.",
        "Strict priority, or the scenario's weight; capacity: our choice",
    ),
    n(
        "on the wire",
        "packets",
        "Packets of which a bit has left and which are not wholly at the far end.",
        SIM,
    ),
    n(
        "sent",
        "packets, and bytes on the wire",
        "Since the run began.",
        SIM,
    ),
    n(
        "dropped",
        "packets",
        "Lost in front of this port or on this wire since the run began, by reason.",
        SIM,
    ),
    n(
        "trimmed",
        "packets",
        "Data packets whose payload was cut off because this queue was full: 128 bytes of headers go on.",
        "MRC paper (arXiv 2605.04333), UET 1.0",
    ),
];

const PFC: &[Number] = &[
    n(
        "PFC",
        "time",
        "Whether the far end has paused data on this direction, since when, and for how long.",
        "IEEE 802.1Qbb",
    ),
    n(
        "paused in all",
        "time, and percent of the run",
        "The sum of all pauses so far.",
        SIM,
    ),
    n(
        "PAUSE frames heard",
        "frames",
        "Those that pause; frames that say to go on are not counted.",
        "IEEE 802.1Qbb",
    ),
    n(
        "pause above, go on from",
        WIRE,
        "What the switch at the far end holds of this direction when it pauses it (xoff), and lets it go on (xon).",
        "The scenario (fabric.pfc); 1 MB and two PMTUs less: our choice",
    ),
    n(
        "headroom",
        WIRE,
        "Room beyond xoff for what still comes after a PAUSE was decided.",
        "Derived from rate, delay and PMTU (docs/roce.md), or the scenario",
    ),
    n(
        "held there",
        WIRE,
        "What came in by this direction and has not left the switch yet.",
        "IEEE 802.1Qbb; that it is counted by port: our choice",
    ),
];

const SWITCH: &[Number] = &[
    n(
        "uSID",
        "16 bits, hexadecimal",
        "The identifier by which packets name this switch: plane, tier, index.",
        "RFC 9800; the plan of the bits: our choice",
    ),
    n("queued", WIRE, "Data in all its output queues.", SIM),
    n(
        "dropped",
        "packets",
        "At its ports since the run began, by reason.",
        SIM,
    ),
    n(
        "trimmed",
        "packets",
        "Data packets whose payload it cut off since the run began.",
        "MRC paper (arXiv 2605.04333), UET 1.0",
    ),
];

const PORTS: &[Number] = &[
    n("link", "a cable", "By plane and the names of its ends.", SCENARIO),
    n(
        "out",
        "percent of the rate",
        "What left by the port lately, preamble and gap included, against what it can send.",
        SIM,
    ),
    n("in", "percent of the rate", "What came in by it lately.", SIM),
    n(
        "queue",
        WIRE,
        "Data that waits to leave by the port; a word instead where something is wrong with the link.",
        SIM,
    ),
];

const NIC: &[Number] = &[n(
    "T0 in each plane",
    "a switch",
    "The rack switch to which its ports lead, one port a plane.",
    "MRC paper (arXiv 2605.04333)",
)];

const BUNDLE: &[Number] = &[
    n(
        "links",
        "cables",
        "Cables that are drawn as one, and how many of them are down.",
        SIM,
    ),
    n(
        "load up",
        "percent of the rate",
        "Mean and most of the cables' loads, upwards.",
        SIM,
    ),
    n(
        "load down",
        "percent of the rate",
        "Mean and most of the cables' loads, downwards.",
        SIM,
    ),
    n(
        "longest queue up",
        WIRE,
        "The longest of their data queues, upwards.",
        SIM,
    ),
    n(
        "longest queue down",
        WIRE,
        "The longest of their data queues, downwards.",
        SIM,
    ),
    n(
        "dropped",
        "packets",
        "At all of them since the run began, by reason.",
        SIM,
    ),
    n(
        "trimmed",
        "packets",
        "In front of all of them since the run began.",
        SIM,
    ),
];

const GROUP: &[Number] = &[
    n(
        "members",
        "switches or NICs",
        "What is drawn as one.",
        "The layout of the stage: our choice",
    ),
    n("dead", "switches", "Members that forward nothing.", SIM),
];

const QP: &[Number] = &[
    n(
        "placed",
        "payload bytes",
        "Bytes that are in the receiver's memory, each counted once.",
        SIM,
    ),
    n(
        "messages",
        "messages",
        "Complete at the sender, of all that the flow has.",
        SIM,
    ),
    n(
        "window",
        "bytes on the wire",
        "The congestion window: how much may be under way, of its upper limit.",
        "NSCC, UET 1.0 section 3.6.13; the limit: the scenario (max_window_bdp, max_cwnd)",
    ),
    n(
        "in flight",
        WIRE,
        "Sent and neither acknowledged nor given up.",
        "NSCC, UET 1.0 section 3.6.13",
    ),
    n(
        "planes without port",
        "planes",
        "Planes in which this NIC or its peer has no port: nothing is sent there.",
        "MRC paper (arXiv 2605.04333); times of noticing: our choice",
    ),
    n(
        "timeouts in a row",
        "timeouts",
        "Waits for a whole RTO without news; progress sets it to 0.",
        "MRC's companion API; eight retries: our choice",
    ),
    n(
        "next",
        "time",
        "What follows if nothing is heard from now on.",
        "MRC's companion API: rto, base_retries, exponential_retries",
    ),
    n(
        "losses inferred",
        "packets",
        "Given up without a NACK: one sent much later was acknowledged, or a timeout passed.",
        "MRC specification (as third parties cite it); the reorder window of three base RTTs: our choice",
    ),
    n(
        "NACKs for trims",
        "packets",
        "NACKs that led to a retransmission.",
        "UET 1.0; MRC specification (as third parties cite it)",
    ),
    n(
        "retransmissions",
        "packets",
        "Data packets sent again since the run began.",
        SIM,
    ),
    n(
        "EV probes",
        "packets",
        "Sent to EVs that are ASSUMED_BAD, to learn whether they work again.",
        "MRC paper (arXiv 2605.04333); interval and number of answers: our choice",
    ),
    n(
        "reliability probes",
        "packets",
        "Requests for a SACK where nothing was heard (PETH).",
        "MRC specification (as third parties cite it); the timer: our choice",
    ),
    n(
        "flow",
        "a number",
        "The flow's number in results and files.",
        SCENARIO,
    ),
    n(
        "operation",
        "an RDMA operation",
        "Every packet carries its address, so it is placed in whatever order it comes.",
        "MRC paper (arXiv 2605.04333)",
    ),
    n(
        "messages posted",
        "messages",
        "Handed to the QP so far, of all that the flow has.",
        "One after the other, all of one size: our choice",
    ),
    n(
        "complete",
        "messages",
        "Acknowledged as a whole by the receiver (AETH).",
        "MRC's companion API; InfiniBand (IBTA)",
    ),
    n(
        "first posted",
        "time since the run began",
        "When the first message was posted.",
        SCENARIO,
    ),
    n(
        "all complete",
        "time since the run began",
        "When the last message was acknowledged.",
        SIM,
    ),
    n(
        "acknowledged",
        "PSNs",
        "The cumulative acknowledgement: everything below has arrived.",
        DIGEST,
    ),
    n(
        "next new PSN",
        "a PSN",
        "What a packet that was not sent before gets: 24 bits on the wire, counted here without wrapping.",
        "InfiniBand (IBTA) chapter 9",
    ),
    n(
        "next PSN",
        "a PSN",
        "What is sent next; after a gap it goes back.",
        "InfiniBand (IBTA) chapter 9",
    ),
    n(
        "to send again",
        "packets",
        "Known as lost or trimmed; they go before new data.",
        DIGEST,
    ),
    n(
        "queueing delay",
        "time",
        "Average of what SACKs show beyond the base RTT, as the congestion control filters it.",
        "NSCC, UET 1.0 section 3.6.13; the filter: uet-htsim's",
    ),
];

const EVS: &[Number] = &[
    n(
        "GOOD",
        "EVs",
        "In use.",
        "MRC specification (as third parties cite it)",
    ),
    n(
        "SKIP",
        "EVs",
        "Lose their next turn: a packet by them was marked, or trimmed inside the fabric.",
        "MRC specification (as third parties cite it)",
    ),
    n(
        "ASSUMED_BAD",
        "EVs",
        "Out of use after a loss without a trim, until enough probes were answered.",
        "MRC paper (arXiv 2605.04333); how many probes: our choice",
    ),
    n(
        "DENIED",
        "EVs",
        "Out of use until a controller allows them.",
        "MRC's companion API",
    ),
    n(
        "reserve",
        "EVs",
        "Fit for use, but not in rotation.",
        "MRC paper (arXiv 2605.04333); a quarter of the EVs: our choice",
    ),
    n(
        "stands in",
        "EVs",
        "From the reserve, in the place of one of the same plane that went out of use.",
        "MRC paper (arXiv 2605.04333)",
    ),
];

const DCQCN: &str = "DCQCN: Zhu et al., SIGCOMM 2015, section 3.1";

const ROCE: &[Number] = &[
    n(
        "rate",
        "bits per second",
        "R_C: what the QP may send, of its port's rate.",
        DCQCN,
    ),
    n(
        "target rate",
        "bits per second",
        "R_T: what the rate recovers to.",
        DCQCN,
    ),
    n(
        "DCQCN",
        "a stage",
        "What the rate is doing since the last cut.",
        DCQCN,
    ),
    n(
        "α",
        "a share, 0 to 1",
        "The estimate of congestion: half of it is cut from the rate with the next CNP.",
        DCQCN,
    ),
    n(
        "CNPs heard",
        "packets",
        "Congestion notifications that came to the sender.",
        "InfiniBand (IBTA) annex A17",
    ),
    n(
        "recovery",
        "a rule",
        "What is sent again after a gap.",
        "Go-back-N: InfiniBand (IBTA), C9-114; selective repeat: IRN (Mittal et al., SIGCOMM 2018)",
    ),
    n(
        "in flight",
        WIRE,
        "Sent and not acknowledged, of the window where there is one.",
        "IRN section 3.2 for the window; RC itself has none",
    ),
    n(
        "retries without progress",
        "retries",
        "Timeouts, and NAKs, in a row; beyond the limit the QP is in ERROR.",
        "InfiniBand (IBTA): Retry Count",
    ),
    n(
        "next",
        "time",
        "What follows if nothing is heard from now on.",
        "InfiniBand (IBTA), o9-85: 4.096 µs × 2^t",
    ),
    n(
        "NAKs heard",
        "packets",
        "PSN sequence errors that made it send again.",
        "InfiniBand (IBTA), AETH syndromes",
    ),
    n(
        "timeouts",
        "timeouts",
        "Since the run began.",
        "InfiniBand (IBTA), o9-85",
    ),
    n(
        "retransmissions",
        "packets",
        "Data packets sent again since the run began.",
        SIM,
    ),
    n(
        "PSN expected",
        "a PSN",
        "The lowest that the responder has not got, of all that the flow has.",
        "InfiniBand (IBTA) chapter 9",
    ),
    n("out of order", "packets", "Arrived before an earlier one.", SIM),
    n(
        "duplicates",
        "packets",
        "Had been placed before; they are acknowledged again.",
        "InfiniBand (IBTA), C9-110",
    ),
    n(
        "no use",
        "packets",
        "Arrived and were not taken: behind a gap, with go-back-N, or beyond what is tracked.",
        "InfiniBand (IBTA), C9-114; IRN",
    ),
    n("ACKs sent", "packets", "By the responder.", "InfiniBand (IBTA)"),
    n(
        "NAKs sent",
        "packets",
        "By the responder, one for each gap.",
        "InfiniBand (IBTA), C9-114",
    ),
    n(
        "CNPs sent",
        "packets",
        "By the responder, for packets that came marked; at most one in an interval.",
        "InfiniBand (IBTA) annex A17; the interval: DCQCN",
    ),
];

const FAULT: &[Number] = &[n(
    "at",
    "time since the run began",
    "When it takes effect.",
    SCENARIO,
)];

const PACKET: &[Number] = &[
    n(
        "QP",
        "a number",
        "The QP pair that it belongs to, by its number in the run.",
        SIM,
    ),
    n(
        "size",
        WIRE,
        "From preamble to gap: what the line is busy for. The frame below has 24 bytes less: preamble 8, FCS 4, gap 12.",
        "IEEE 802.3",
    ),
    n(
        "sent",
        "time since the run began",
        "When its endpoint handed it to the port.",
        SIM,
    ),
];

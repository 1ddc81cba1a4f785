//! Names of the counters, and what each counts.

pub const COUNTERS: &str = "Counters";
pub const PACKETS_CREATED: &str = "packets created";
pub const PACKETS_THAT_NICS_HANDED_TO_THE: &str = "Packets that NICs handed to the network";
pub const PACKETS_HANDED_TO_A_NIC_TRIMMED: &str = "Packets handed to a NIC, trimmed ones included";
pub const IN_FLIGHT: &str = "in flight";
pub const PACKETS_QUEUED_OR_ON_A_WIRE: &str = "Packets queued or on a wire";
pub const PACKETS_LOST_IN_THE_NETWORK_FOR: &str =
    "Packets lost in the network, for any reason, probes included";
pub const OF_THEM_PROBES: &str = "of them probes";
pub const PROBES_OF_EVS_AND_OF_LINKS: &str =
    "Probes of EVs and of links, and answers to them, among the packets lost";
pub const DATA_PACKETS_TRIMMED_IN_SWITCHES_THE: &str =
    "Data packets trimmed in switches, the last hop not counted";
pub const TRIMS_LAST_HOP: &str = "trims, last hop";
pub const DATA_PACKETS_TRIMMED_ON_THE_LAST: &str = "Data packets trimmed on the last hop";
pub const ECN_MARKS: &str = "ECN marks";
pub const DATA_PACKETS_THAT_GOT_AN_ECN: &str = "Data packets that got an ECN mark";
pub const DATA_PACKETS_SENT_AGAIN: &str = "Data packets sent again";
pub const OUT_OF_ORDER: &str = "out of order";
pub const DATA_PACKETS_THAT_ARRIVED_BEFORE_AN: &str = "Data packets that arrived before an earlier one: thrown away with go-back-N, placed with selective repeat";
pub const ACKNOWLEDGEMENTS_THAT_RESPONDERS_SENT: &str = "Acknowledgements that responders sent";
pub const NAKS_THAT_RESPONDERS_SENT_A_PSN: &str = "NAKs that responders sent: a PSN was missing";
pub const CONGESTION_NOTIFICATION_PACKETS_THAT_RESPONDERS_SENT: &str =
    "Congestion notification packets that responders sent";
pub const TIMES_THAT_A_SENDER_HEARD_NOTHING: &str = "Times that a sender heard nothing new for too long";
pub const LOSSES_INFERRED: &str = "losses inferred";
pub const LOSSES_THAT_SENDERS_INFERRED_WITHOUT_A: &str = "Losses that senders inferred without a NACK";
pub const NACKS_FOR_OTHER_REASONS_THAN_A: &str = "NACKs for other reasons than a trim";
pub const EV_PROBES: &str = "EV probes";
pub const PROBES_OF_EVS_THAT_ARE_ASSUMED: &str = "Probes of EVs that are ASSUMED_BAD";
pub const RELIABILITY_PROBES: &str = "reliability probes";
pub const REQUESTS_FOR_A_SACK_AFTER_A: &str = "Requests for a SACK after a time without news";
pub const PAUSE_FRAMES: &str = "PAUSE frames";
pub const PFC_S_FRAMES_THAT_STOP_DATA: &str =
    "PFC's frames that stop data on a link, those that let it go on not counted";
pub const LINKS_PAUSED_NOW: &str = "links paused now";
pub const DIRECTED_LINKS_ON_WHICH_NO_DATA: &str = "Directed links on which no data may leave";
pub const PAUSED_IN_ALL: &str = "paused in all";
pub const TIME_THAT_LINKS_WERE_PAUSED_ALL: &str = "Time that links were paused, all of them together";
pub const PACKET_HOPS: &str = "packet hops";
pub const COMPLETED_LINK_CROSSINGS: &str = "Completed link crossings";
pub const MESSAGE_BYTES_AT_THEIR_RECEIVERS_EACH: &str = "Message bytes at their receivers, each counted once";
pub const SIMULATOR: &str = "Simulator";
pub const EVENTS_PROCESSED: &str = "Events processed";
pub const EVENT_RATE: &str = "event rate";
pub const EVENTS_PER_SECOND_OF_COMPUTING: &str = "Events per second of computing";
pub const HOP_RATE: &str = "hop rate";
pub const PACKET_HOPS_PER_SECOND_OF_COMPUTING: &str = "Packet hops per second of computing";
pub const TIME_RATE: &str = "time rate";
pub const SIMULATED_TIME_PER_SECOND_OF_COMPUTING: &str = "Simulated time per second of computing";
pub const WEBASSEMBLY_MEMORY_OF_THE_SIMULATION_S: &str =
    "WebAssembly memory of the simulation's worker, which never shrinks";
pub const RUN_DIGEST: &str = "run digest";
pub const TWO_RUNS_HAVE_THE_SAME_DIGEST: &str =
    "Two runs have the same digest only if they did the same; final when the run is over";

pub const ACKS_SENT: &str = "ACKs sent";
pub const NAKS_SENT: &str = "NAKs sent";
pub const CNPS_SENT: &str = "CNPs sent";

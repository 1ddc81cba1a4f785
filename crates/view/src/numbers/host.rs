//! Those of the host's page.

use super::{COUNTED as SIM, Number, View, n};

const VFP: &str = "VFP: Firestone, NSDI 2017";
const GFT: &str = "AccelNet: Firestone et al., NSDI 2018";
const NDIS: &str = "The public NDIS interface of GFT";

/// By view.
pub const VIEWS: &[View] = &[
    ("host packet", PACKET),
    ("host flow", FLOW),
    ("host layer", LAYER),
    ("host vm", VM),
    ("host nic", NIC),
    ("host totals", TOTALS),
];

const PACKET: &[Number] = &[
    n(
        "Kind",
        "a kind",
        "What the packet is for its way: data, SYN, exception, copy.",
        SIM,
    ),
    n("VM", "a number", "The VM that sends or gets it.", "The scenario"),
    n(
        "Direction",
        "outbound or inbound",
        "Outbound is from the VM to the network.",
        VFP,
    ),
    n(
        "Where",
        "a place",
        "Between guest, SmartNIC, vSwitch and wire.",
        SIM,
    ),
    n(
        "Way",
        "hardware, exception or synthetic",
        "Whether the SmartNIC applies the flow's entry, or software has to look at it.",
        GFT,
    ),
    n(
        "Exception",
        "a reason",
        "Why the SmartNIC handed it to software: no entry, one of an old policy, or one that is not active.",
        GFT,
    ),
    n("IP bytes", "bytes", "From the outermost IP header on.", SIM),
    n("Payload", "bytes", "Behind the innermost header.", SIM),
    n("Under way for", "time", "Since its sender handed it over.", SIM),
];

const FLOW: &[Number] = &[
    n(
        "State",
        "a state of TCP",
        "As VFP tracks it: from the packets that it sees, not from the endpoints.",
        "VFP: Firestone, NSDI 2017; RFC 9293",
    ),
    n(
        "Generation",
        "a number",
        "The policy under which the flow was made; each change of policy raises the port's. A stale flow is reconciled with its next packet.",
        VFP,
    ),
    n(
        "Offloaded",
        "yes or no",
        "Whether entries for it were given to the SmartNIC.",
        GFT,
    ),
    n("Age", "time", "Since its first packet.", SIM),
    n(
        "Idle for",
        "time",
        "Since VFP or the SmartNIC saw its last packet.",
        SIM,
    ),
    n(
        "Lives for",
        "time",
        "Until it is removed, if no packet comes.",
        "Timers by TCP state: docs/host-scenario.md has the source of each",
    ),
    n(
        "Packets",
        "packets",
        "That this direction's entry was applied to.",
        NDIS,
    ),
    n("Bytes", "IP bytes", "Of these packets.", NDIS),
    n(
        "Entry in the NIC",
        "a state and a place",
        "Entries are added deactivated and then activated; L1 is on the chip, L2 in the card's DRAM.",
        "The public NDIS interface of GFT; AccelNet: Firestone et al., NSDI 2018",
    ),
];

const LAYER: &[Number] = &[
    n("Layer", "a name", "What VFP calls it.", "The shipped tool's help"),
    n("VM", "a number", "Whose port it is part of.", "The scenario"),
    n(
        "Kind",
        "stateful or stateless",
        "A stateful layer lets answers pass because of what it let pass in the other direction.",
        VFP,
    ),
    n(
        "No match",
        "passes or is dropped",
        "What becomes of a packet that no rule matches.",
        VFP,
    ),
    n(
        "Order",
        "a place",
        "Outbound packets cross layers in this order, inbound ones in the opposite one.",
        VFP,
    ),
];

const VM: &[Number] = &[
    n(
        "VM",
        "a number and a name",
        "As the scenario has it.",
        "The scenario",
    ),
    n(
        "Path",
        "a driver model",
        "What the guest sees: NetVSC, with or without a VF below it, or DPDK.",
        "Azure's and Linux's documentation",
    ),
    n(
        "VF",
        "there or away",
        "Whether its virtual function is plugged in.",
        "Azure's and Linux's documentation",
    ),
    n(
        "Data path",
        "VF or synthetic",
        "By which way the guest sends now.",
        "Azure's and Linux's documentation",
    ),
    n(
        "Switches of the data path",
        "times",
        "Between VF and synthetic path, since the run began.",
        SIM,
    ),
    n(
        "Policy generation",
        "a number",
        "Raised by each change of policy.",
        VFP,
    ),
    n(
        "Pairs of flows",
        "pairs",
        "Unified flows of its port, both directions together.",
        VFP,
    ),
    n(
        "SNAT ports in use",
        "ports",
        "Source ports that NAT has given to its flows.",
        "Azure's documentation of SNAT",
    ),
];

const NIC: &[Number] = &[
    n(
        "Entries",
        "entries",
        "Flow entries, one for each direction of a flow.",
        GFT,
    ),
    n(
        "L1",
        "entries",
        "Of them on the chip, of so many, and how many places an entry may have.",
        "AccelNet: Firestone et al., NSDI 2018; one way (direct-mapped) as summaries have it",
    ),
    n(
        "L2",
        "entries",
        "Of them in the card's DRAM, of so many.",
        "AccelNet: Firestone et al., NSDI 2018; ways and LRU: our choice",
    ),
    n(
        "Outbound",
        "packets, bytes",
        "Through the pipeline from the host to the network.",
        SIM,
    ),
    n(
        "Inbound",
        "packets, bytes",
        "Through the pipeline from the network to the host.",
        SIM,
    ),
    n(
        "Commands waiting",
        "commands",
        "Additions, changes and removals of entries that the card has not done yet.",
        "The public NDIS interface of GFT; the time of each: our choice",
    ),
];

const TOTALS: &[Number] = &[
    n("Events", "events", "Worked off since the run began.", SIM),
    n(
        "Packets handed over",
        "packets",
        "By guests and peers since the run began.",
        SIM,
    ),
    n(
        "Arrived: hardware",
        "packets",
        "Of which the SmartNIC alone applied the policy.",
        GFT,
    ),
    n(
        "Arrived: exception",
        "packets",
        "Handed to software by the SmartNIC.",
        GFT,
    ),
    n(
        "Arrived: synthetic",
        "packets",
        "That came or went by the software path.",
        GFT,
    ),
    n(
        "SYNs that the NIC answered",
        "packets",
        "By SYN cookies.",
        "Our choice: GFT is not known to have them",
    ),
    n("Under way", "packets", "Neither arrived nor lost yet.", SIM),
    n("Exceptions: Miss", "packets", "The SmartNIC had no entry.", NDIS),
    n(
        "Exceptions: Stale",
        "packets",
        "Its entry was of an older policy.",
        NDIS,
    ),
    n(
        "Exceptions: Deactivated",
        "packets",
        "Its entry was not active.",
        NDIS,
    ),
    n(
        "Copies to VFP",
        "packets",
        "SYN, FIN and RST go to software too, so that it can track TCP.",
        GFT,
    ),
    n("Entries installed", "entries", "Since the run began.", NDIS),
    n("Entries refused", "entries", "For want of room.", NDIS),
    n("Entries removed", "entries", "Since the run began.", NDIS),
    n(
        "Pairs reconciled",
        "pairs of flows",
        "Whose stale entries were made anew after a change of policy.",
        VFP,
    ),
    n(
        "Segments sent again",
        "segments",
        "By TCP, since the run began.",
        "RFC 9293, RFC 6298",
    ),
    n("Unified flows", "pairs", "In VFP's tables now.", VFP),
    n(
        "Half-open",
        "pairs",
        "Of them without a finished handshake; a class with a limit of its own.",
        "The shipped tool's help",
    ),
    n(
        "SNAT ports in use",
        "ports",
        "Source ports that NAT has given to flows.",
        "Azure's documentation of SNAT",
    ),
    n(
        "Digest",
        "64 bits",
        "Of all that happened: the same scenario gives the same, natively and in the browser.",
        SIM,
    ),
];

//! What the parts that all flows of a host share can take.

use super::{MS, STEP, claim, of_host};
use crate::story::{Figure, HostFigure, Panel, Step, Story, Variant};

pub const SYN_FLOOD: Story = Story {
    slug: "syn-flood",
    title: "SYN flood",
    runs: &[
        Variant {
            preset: "host-syn-flood",
            counterpart: None,
        },
        Variant {
            preset: "host-syn-flood-limited",
            counterpart: None,
        },
        Variant {
            preset: "host-syn-flood-hardened",
            counterpart: None,
        },
    ],
    steps: &[
        Step {
            title: "An honest load",
            text: "Clients open connections to VM 0. All 61 so far were served. Each cost the exception path one packet, its SYN; the \
                   rest went by hardware.",
            at_ps: 99 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            claims: &[
                of_host("61", HostFigure::Connections(0)),
                of_host("61", HostFigure::Connections(2)),
                of_host("61", HostFigure::Exceptions),
            ],
            ..STEP
        },
        Step {
            title: "The flood begins",
            text: "At 100 ms SYNs from random sources begin, and nobody will ever answer for them. Each is a new flow: an exception, a \
                   walk, two entries. One core serves exceptions, and 954 packets wait for it already.",
            at_ps: 110 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            claims: &[
                claim("100 ms", Figure::Setting("/traffic/1/start")),
                of_host("954", HostFigure::Waiting),
            ],
            ..STEP
        },
        Step {
            title: "Friend and foe alike",
            text: "The queue is full: 15\u{202f}512 packets were lost as Resources, honest SYNs among them. Of 152 clients 75 were \
                   served. 3\u{202f}879 flows are half-open, and live as long as established ones here.",
            at_ps: 300 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            claims: &[
                of_host("15\u{202f}512", HostFigure::Lost("Resources")),
                of_host("152", HostFigure::Connections(0)),
                of_host("75", HostFigure::Connections(2)),
                of_host("3\u{202f}879", HostFigure::HalfOpen),
            ],
            ..STEP
        },
        Step {
            title: "A limit for half-open flows",
            text: "The same flood, with 500 half-open flows at most. VFP turned 18\u{202f}610 SYNs away without a walk, and no packet \
                   waits: the host is safe. The service is not, for the limit can't tell friend from foe: 62 of 152 clients were served.",
            run: 1,
            at_ps: 300 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            claims: &[
                claim("500", Figure::Setting("/vms/0/limits/half_open")),
                of_host(
                    "18\u{202f}610",
                    HostFigure::Lost("DroppedResourcesUnifiedFlowMaxFlowsLimit"),
                ),
                of_host("no", HostFigure::Waiting),
                of_host("62", HostFigure::Connections(2)),
                of_host("152", HostFigure::Connections(0)),
            ],
            ..STEP
        },
        Step {
            title: "Answered by the card",
            text: "Here the SmartNIC answers SYNs itself, by a cookie, and keeps nothing: 20\u{202f}369 so far. Only who returns the \
                   cookie reaches software, and all 152 clients were served. (That GFT could do so is our assumption.)",
            run: 2,
            at_ps: 300 * MS,
            selects: "SmartNIC",
            panel: Panel::Charts,
            claims: &[
                of_host("20\u{202f}369", HostFigure::Challenged),
                of_host("152", HostFigure::Connections(0)),
                of_host("152", HostFigure::Connections(2)),
            ],
            ..STEP
        },
        Step {
            title: "Now you: defend it",
            text: "This is the host without defences again. In Parameters, set “Defences: NIC SYN cookies” to true, or shorten “Timers: \
                   half open”, and play. Which of them helps the clients?",
            at_ps: 99 * MS,
            selects: "VM 0",
            panel: Panel::Scenario,
            ..STEP
        },
    ],
};

pub const FULL_CACHE: Story = Story {
    slug: "full-cache",
    title: "A full flow table",
    runs: &[Variant {
        preset: "host-cache-cliff-l2",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "More flows than places",
            text: "VM 0 has 24\u{202f}576 flows, each with two entries: 49\u{202f}152. The table in the card's DRAM has 16\u{202f}384 \
                   places (scaled down), and all are taken.",
            selects: "SmartNIC",
            panel: Panel::Tables,
            claims: &[
                claim("24\u{202f}576", Figure::Setting("/traffic/0/flows")),
                of_host("49\u{202f}152", HostFigure::Entries),
                claim("16\u{202f}384", Figure::Setting("/host/nic/l2_entries")),
                of_host("16\u{202f}384", HostFigure::InDram),
            ],
            ..STEP
        },
        Step {
            title: "Known, and yet exceptions",
            text: "All flows send alike. Of the first 501 packets 320 were exceptions, though VFP has known their flows for long: their \
                   entries had no place.",
            at_ps: MS,
            selects: "SmartNIC",
            panel: Panel::Tables,
            claims: &[
                of_host("501", HostFigure::Sent),
                of_host("320", HostFigure::Exceptions),
            ],
            ..STEP
        },
        Step {
            title: "One in, one out",
            text: "VFP puts the entry of such a packet back, and that pushes out another flow's: 543 times so far. Its next packet will \
                   be an exception, too.",
            at_ps: 5 * MS,
            selects: "SmartNIC",
            panel: Panel::Tables,
            claims: &[of_host("543", HostFigure::Evicted)],
            ..STEP
        },
        Step {
            title: "The core is what is left",
            text: "1\u{202f}024 packets wait, as many as the core's queue holds, and 4\u{202f}374 more were lost as Resources. What hits takes \
                   17.48 µs; what misses and gets through, 8.331 ms.",
            at_ps: 20 * MS,
            selects: "SmartNIC",
            panel: Panel::Charts,
            claims: &[
                of_host("1\u{202f}024", HostFigure::Waiting),
                of_host("4\u{202f}374", HostFigure::Lost("Resources")),
                of_host("17.48 µs", HostFigure::Mean(0)),
                of_host("8.331 ms", HostFigure::Mean(1)),
            ],
            ..STEP
        },
        Step {
            title: "A cliff, not a slope",
            text: "8\u{202f}584 packets went by hardware, 2\u{202f}992 by the core, and 49 % were lost. Not the table's speed is the \
                   limit, but the exception path behind it.",
            at_ps: 50 * MS,
            selects: "SmartNIC",
            panel: Panel::Charts,
            claims: &[
                of_host("8\u{202f}584", HostFigure::Arrived(0)),
                of_host("2\u{202f}992", HostFigure::Arrived(1)),
                of_host("49 %", HostFigure::LostShare),
            ],
            ..STEP
        },
        Step {
            title: "Now you: make room",
            text: "In Parameters, double “NIC: L2 entries”, play to the end, and look at the losses. Double it again. How large must the \
                   table be until they end?",
            selects: "SmartNIC",
            panel: Panel::Scenario,
            ..STEP
        },
    ],
};

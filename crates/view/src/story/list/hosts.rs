//! A flow's life in a host with a SmartNIC: set up once, repaired when the policy changes, kept while the card is serviced.

use super::{MS, STEP, US, claim, of_host};
use crate::story::{Figure, HostFigure, Panel, Step, Story, Variant};

pub const FIRST_PACKET: Story = Story {
    slug: "first-packet",
    title: "The first packet of a flow",
    runs: &[Variant {
        preset: "host-first-packet",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "A SYN leaves the VM",
            text: "VM 0 opens a TCP connection. Its SYN goes over the VF, past the hypervisor, to the SmartNIC, whose flow table has \
                   no entry yet. Press Next, or Page Down.",
            at_ps: 2 * US,
            selects: "packet 0",
            panel: Panel::Inspector,
            claims: &[of_host("no", HostFigure::Entries)],
            ..STEP
        },
        Step {
            title: "No entry: an exception",
            text: "The SmartNIC cannot match it, so the packet climbs to a core of the vSwitch. VFP walks it through six layers: two \
                   firewalls, metering, NAT, encapsulation, routing. The inspector has the rule that decided in each. All that takes \
                   51.41 µs of the core.",
            at_ps: 20 * US,
            selects: "packet 0",
            panel: Panel::Inspector,
            claims: &[
                of_host("six", HostFigure::Layers),
                of_host("51.41 µs", HostFigure::WalkTime),
            ],
            ..STEP
        },
        Step {
            title: "Compiled into two entries",
            text: "What six layers decided is one header transposition for each direction now: two entries in the SmartNIC, which \
                   the inspector shows with their Push and Modify. The SYN itself goes on to the wire.",
            at_ps: 70 * US,
            selects: "flow 0",
            panel: Panel::Tables,
            claims: &[of_host("two", HostFigure::Installed)],
            ..STEP
        },
        Step {
            title: "The answer stays in hardware",
            text: "The SYN-ACK finds its entry. The SmartNIC takes the encapsulation off and hands the packet to the VF. VFP gets a \
                   copy of it, one so far, to follow the connection's state; the packet itself does not wait for that.",
            at_ps: 105 * US,
            selects: "packet 0",
            panel: Panel::Tables,
            claims: &[of_host("one", HostFigure::Copies)],
            ..STEP
        },
        Step {
            title: "And so does the rest",
            text: "20 messages and their answers later the connection is closed. 45 packets went by hardware, in 17.08 µs on average, \
                   and one by software: the first. Rules cost once per flow, not once per packet.",
            at_ps: 5 * MS,
            selects: "flow 0",
            panel: Panel::Charts,
            claims: &[
                claim("20", Figure::Setting("/traffic/0/count")),
                of_host("45", HostFigure::Arrived(0)),
                of_host("17.08 µs", HostFigure::Mean(0)),
                of_host("one", HostFigure::Arrived(1)),
            ],
            ..STEP
        },
        Step {
            title: "Now you: ask about another packet",
            text: "process-tuples says what VFP would do with any packet. Press Process and read what each layer decides. Then press “Deny \
                   new to 443” under Servicing and policy, change the source port, and ask again.",
            at_ps: 200 * US,
            selects: "VM 0",
            panel: Panel::Process,
            ..STEP
        },
    ],
};

pub const LAZY: Story = Story {
    slug: "lazy-reconciliation",
    title: "A policy changes under load",
    runs: &[Variant {
        preset: "host-lazy-reconcile",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "All flows in hardware",
            text: "VM 0 has 2\u{202f}000 UDP flows, a few of them busy and most of them rare. Each has two entries in the SmartNIC, \
                   4\u{202f}000 in all, compiled from the policy's generation 1.",
            at_ps: 19 * MS,
            selects: "VM 0",
            panel: Panel::Tables,
            claims: &[
                claim("2\u{202f}000", Figure::Setting("/traffic/0/flows")),
                of_host("4\u{202f}000", HostFigure::Entries),
                of_host("1", HostFigure::Generation),
            ],
            ..STEP
        },
        Step {
            title: "A rule is added",
            text: "At 20 ms the ACLs are replaced. Nothing stops and nothing is compiled: the port's generation goes up to 2. A packet \
                   that meets an entry of generation 1 is an exception, and VFP reconciles that one flow: two so far, 1\u{202f}998 are \
                   stale.",
            at_ps: 20_100 * US,
            selects: "VM 0",
            panel: Panel::Tables,
            claims: &[
                claim("20 ms", Figure::Setting("/events/0/at")),
                of_host("2", HostFigure::Generation),
                of_host("two", HostFigure::Reconciled),
                of_host("1\u{202f}998", HostFigure::Stale),
            ],
            ..STEP
        },
        Step {
            title: "The busy ones come first",
            text: "Busy flows are back in hardware soon: 193 are reconciled. For a while stale packets come faster than a core can \
                   reconcile, and 272 wait in its queue.",
            at_ps: 30 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            claims: &[
                of_host("193", HostFigure::Reconciled),
                of_host("272", HostFigure::Waiting),
            ],
            ..STEP
        },
        Step {
            title: "They wait, and pass",
            text: "1\u{202f}051 packets have come through the core by now, after 9.252 ms on average. Packets of flows that are repaired \
                   take 17.30 µs. Nothing was lost.",
            at_ps: 60 * MS,
            selects: "SmartNIC",
            panel: Panel::Charts,
            claims: &[
                of_host("1\u{202f}051", HostFigure::Arrived(1)),
                of_host("9.252 ms", HostFigure::Mean(1)),
                of_host("17.30 µs", HostFigure::Mean(0)),
                of_host("Nothing", HostFigure::Lost("")),
            ],
            ..STEP
        },
        Step {
            title: "Some stay stale",
            text: "1\u{202f}331 flows are reconciled. 669 have had no packet since, and still carry generation 1. That does no harm: \
                   their next packet will be an exception. A change of policy costs work for flows that are used, when they are used.",
            at_ps: 100 * MS,
            selects: "SmartNIC",
            panel: Panel::Tables,
            claims: &[
                of_host("1\u{202f}331", HostFigure::Reconciled),
                of_host("669", HostFigure::Stale),
            ],
            ..STEP
        },
        Step {
            title: "Now you: change it again",
            text: "Most flows are repaired here. Press “Change the policy” under Servicing and policy: all are stale once more. Play, \
                   and see in the charts how the exceptions rise and fade.",
            at_ps: 80 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            ..STEP
        },
    ],
};

pub const VF_REVOKE: Story = Story {
    slug: "vf-revoke",
    title: "The card is serviced",
    runs: &[Variant {
        preset: "host-vf-revoke",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "Two VMs at work",
            text: "VM 0 pings, VM 1 sends at 1 Gbps. Both have a VF: two packets went by software, the first of each connection, and \
                   all others by hardware. A ping takes 17.43 µs one way.",
            at_ps: 95 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            claims: &[
                claim("1 Gbps", Figure::Setting("/vms/1/rate")),
                of_host("two", HostFigure::Arrived(1)),
                of_host("17.43 µs", HostFigure::Mean(0)),
            ],
            ..STEP
        },
        Step {
            title: "The VFs are to go",
            text: "At 100 ms the host signals that all VFs go, because the FPGA is to be loaded anew. For 2 ms the guests go on as before.",
            at_ps: 101 * MS,
            selects: "SmartNIC",
            panel: Panel::Charts,
            claims: &[
                claim("100 ms", Figure::Setting("/events/0/at")),
                claim("2 ms", Figure::Setting("/host/servicing/takeover")),
            ],
            ..STEP
        },
        Step {
            title: "NetVSC changes the path",
            text: "At 102 ms NetVSC switched to its synthetic device, below connections that do not notice: 86 packets have gone through \
                   the vSwitch since.",
            at_ps: 103 * MS,
            selects: "VM 0",
            panel: Panel::Charts,
            claims: &[
                of_host("102 ms", HostFigure::Mark("VM 0: Data path switched from VF")),
                of_host("86", HostFigure::Arrived(2)),
            ],
            ..STEP
        },
        Step {
            title: "Slower, and alive",
            text: "The FPGA is being loaded, and its tables are empty. Every packet goes through the vSwitch: a ping takes 50.14 µs \
                   instead of 17.45 µs. Nothing was lost, and nothing was sent again.",
            at_ps: 250 * MS,
            selects: "SmartNIC",
            panel: Panel::Charts,
            claims: &[
                of_host("50.14 µs", HostFigure::Mean(2)),
                of_host("17.45 µs", HostFigure::Mean(0)),
                of_host("Nothing", HostFigure::Lost("")),
                of_host("nothing", HostFigure::SentAgain),
            ],
            ..STEP
        },
        Step {
            title: "Back, one exception at a time",
            text: "At 435 ms the data path of VM 0 went back to the VF. The new tables knew nobody, so the next packet of each way was \
                   an exception: four in all by now, two from the beginning. Their entries are back, four of them.",
            at_ps: 440 * MS,
            selects: "VM 0",
            panel: Panel::Tables,
            claims: &[
                of_host("435 ms", HostFigure::Mark("VM 0: Data path switched to VF")),
                of_host("four", HostFigure::Exceptions),
                of_host("four", HostFigure::Entries),
            ],
            ..STEP
        },
        Step {
            title: "No connection paid for it",
            text: "Of 97\u{202f}278 packets none was lost, and no connection failed. Servicing costs latency while it lasts, and a burst \
                   of exceptions after it.",
            at_ps: 600 * MS,
            selects: "VM 1",
            panel: Panel::Charts,
            claims: &[
                of_host("97\u{202f}278", HostFigure::Sent),
                of_host("none", HostFigure::Lost("")),
                of_host("no", HostFigure::Connections(3)),
            ],
            ..STEP
        },
        Step {
            title: "Now you: what is not carried",
            text: "Press “Revoke the VF” under Servicing and policy: only that of one VM goes. Then go back to the story and press \
                   “Migrate, state lost”: VFP does not know the connection there. Which of the two does it live through?",
            at_ps: 95 * MS,
            selects: "VM 0",
            panel: Panel::Scenario,
            ..STEP
        },
    ],
};

//! Something breaks, and MRC's senders find out by themselves; one failure that they cannot get around.

use super::{MS, STEP, US, claim};
use crate::message::MarkKind;
use crate::story::{Figure, Panel, Step, Story, Variant};

pub const LINK_DIES: Story = Story {
    slug: "link-dies",
    title: "A link dies",
    runs: &[Variant {
        preset: "link-dies",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "Before it begins",
            text: "16 NICs each send 20 MB to the next rack, over four planes at once. QP 0 is selected: the grid in the inspector \
                   holds its EVs (entropy values), the paths that it sprays its packets over. Press Next, or Page Down.",
            claims: &[
                claim("16", Figure::Nics),
                claim("20 MB", Figure::Setting("/traffic/0/bytes")),
            ],
            ..STEP
        },
        Step {
            title: "The link goes down",
            text: "At 100 µs the link between T0 0 and T1 2 of plane 1 goes down, and the senders do not know. They go on using \
                   it: 164 packets are lost by now.",
            at_ps: 110 * US,
            selects: "p1/t0.0-t1.2",
            zoom: 2.5,
            claims: &[
                claim("100 µs", Figure::Setting("/faults/0/at")),
                claim("164", Figure::Dropped),
            ],
            ..STEP
        },
        Step {
            title: "What is missing gives it away",
            text: "The first sender infers a loss 21.57 µs after the fault, from packets that came and one that did not. QP 0 has \
                   taken 8 of its 160 EVs out of use (ASSUMED_BAD) and sends what was lost again over the others.",
            at_ps: 150 * US,
            panel: Panel::Inspector,
            claims: &[
                claim("21.57 µs", Figure::AfterFault(MarkKind::Inferred)),
                claim("8", Figure::EvsBad),
                claim("160", Figure::Evs),
            ],
            ..STEP
        },
        Step {
            title: "No more data goes there",
            text: "In the timeline, the tinted span goes from the fault to the last data packet that was sent into it, \
                   79.99 µs later. 817 packets of all kinds are lost by now.",
            at_ps: 200 * US,
            selects: "p1/t0.0-t1.2",
            claims: &[claim("79.99 µs", Figure::Exposure), claim("817", Figure::Dropped)],
            ..STEP
        },
        Step {
            title: "Back in use",
            text: "At 300 µs the link works again. Probes over the EVs that were out of use are answered now, so they come \
                   back: none of QP 0's is ASSUMED_BAD.",
            at_ps: 420 * US,
            panel: Panel::Inspector,
            claims: &[
                claim("300 µs", Figure::Setting("/faults/1/at")),
                claim("none", Figure::EvsBad),
            ],
            ..STEP
        },
        Step {
            title: "Now you: break another link",
            text: "It is 50 µs, before the fault. Press B, click a link or a switch, then press Space to play. Look for lost \
                   packets and the planes' dip in the timeline; Share makes a link of your run.",
            at_ps: 50 * US,
            claims: &[claim("50 µs", Figure::Now)],
            ..STEP
        },
    ],
};

pub const T1_STOPS: Story = Story {
    slug: "t1-reboots",
    title: "A T1 stops, and comes back",
    runs: &[Variant {
        preset: "t1-dies",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "Sixteen T1s",
            text: "16 NICs send to the next rack over four planes of four T1s each. T1 1 of plane 1 is about to stop.",
            selects: "p1/t1.1",
            claims: &[claim("16", Figure::Nics)],
            ..STEP
        },
        Step {
            title: "It stops, its links stay up",
            text: "At 100 µs it stops forwarding. No port goes down, so no neighbour notices: 441 packets have gone into it by now.",
            at_ps: 120 * US,
            selects: "p1/t1.1",
            zoom: 2.5,
            claims: &[
                claim("100 µs", Figure::Setting("/faults/0/at")),
                claim("441", Figure::Dropped),
            ],
            ..STEP
        },
        Step {
            title: "Each sender finds out by itself",
            text: "The first loss is inferred 23.29 µs after the fault. No controller is asked: QP 0 has taken 8 of its 160 EVs \
                   (entropy values, each a path) out of use, and 306 packets were sent again over other T1s.",
            at_ps: 150 * US,
            panel: Panel::Inspector,
            claims: &[
                claim("23.29 µs", Figure::AfterFault(MarkKind::Inferred)),
                claim("8", Figure::EvsBad),
                claim("160", Figure::Evs),
                claim("306", Figure::SentAgain),
            ],
            ..STEP
        },
        Step {
            title: "What it cost",
            text: "1\u{202f}768 packets went into the dead T1. QP 0 has 27 EVs out of use by now; its traffic goes through the \
                   other T1s.",
            at_ps: 300 * US,
            panel: Panel::Inspector,
            claims: &[
                claim("1\u{202f}768", Figure::Dropped),
                claim("27", Figure::EvsBad),
            ],
            ..STEP
        },
        Step {
            title: "It is back",
            text: "At 300 µs it forwards again. Probes find that out, and the first EV comes back at 358.7 µs. QP 0 has 5 left \
                   that are ASSUMED_BAD.",
            at_ps: 500 * US,
            panel: Panel::Inspector,
            claims: &[
                claim("300 µs", Figure::Setting("/faults/1/at")),
                claim("358.7 µs", Figure::At(MarkKind::EvsRevived)),
                claim("5", Figure::EvsBad),
            ],
            ..STEP
        },
        Step {
            title: "Now you: make it worse",
            text: "It is 50 µs. Right-click a T1 of another plane, or press M, and stop it too. Look for the loss in the \
                   timeline, and for the EVs in QP 0's grid: do the two planes that are left hold the traffic?",
            at_ps: 50 * US,
            selects: "p2/t1.1",
            claims: &[claim("50 µs", Figure::Now)],
            ..STEP
        },
    ],
};

pub const NIC_OPTIC: Story = Story {
    slug: "nic-optic",
    title: "The NIC's optic",
    runs: &[Variant {
        preset: "nic-optic",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "A job runs",
            text: "16 NICs run a ring all-reduce, step after step; 3 steps are done. NIC 5 has four ports, and one transceiver \
                   for them all.",
            at_ps: 900 * US,
            selects: "NIC 5",
            panel: Panel::Jobs,
            claims: &[claim("16", Figure::Nics), claim("3", Figure::JobSteps)],
            ..STEP
        },
        Step {
            title: "The optic fails",
            text: "At 1 ms it fails, and all four ports with it. 58 packets are lost. There is no other path into this NIC, \
                   however many planes there are.",
            at_ps: 1200 * US,
            selects: "NIC 5",
            zoom: 2.5,
            claims: &[
                claim("1 ms", Figure::Setting("/faults/0/at")),
                claim("58", Figure::Dropped),
            ],
            ..STEP
        },
        Step {
            title: "Try again",
            text: "QP 4 sends to NIC 5. It cannot tell a dead NIC from a slow one, so it tries again: 10 packets were sent \
                   again by 5 ms.",
            at_ps: 5 * MS,
            selects: "QP 4",
            panel: Panel::Inspector,
            claims: &[claim("10", Figure::SentAgain), claim("5 ms", Figure::Now)],
            ..STEP
        },
        Step {
            title: "Ever more slowly",
            text: "By 100 ms it is 15. All others wait: a ring is as slow as its slowest link, and no step has ended since.",
            at_ps: 100 * MS,
            selects: "QP 4",
            panel: Panel::Jobs,
            claims: &[claim("100 ms", Figure::Now), claim("15", Figure::SentAgain)],
            ..STEP
        },
        Step {
            title: "The job is given up",
            text: "At 136.8 ms the retries of QP 4 are over and it goes to ERROR. The job cannot go on without it: 16 QPs are in \
                   ERROR.",
            at_ps: 140 * MS,
            selects: "QP 4",
            panel: Panel::Inspector,
            claims: &[
                claim("136.8 ms", Figure::At(MarkKind::Failed)),
                claim("16", Figure::Failed),
            ],
            ..STEP
        },
        Step {
            title: "Now you: repair it in time",
            text: "It is 900 µs, before the fault. Open the editor with Shift+E, make the flap much shorter, and run to the end \
                   with E. Look at the jobs: does this one survive, and how long is its slow step?",
            at_ps: 900 * US,
            selects: "NIC 5",
            panel: Panel::Jobs,
            claims: &[claim("900 µs", Figure::Now)],
            ..STEP
        },
    ],
};

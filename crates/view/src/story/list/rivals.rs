//! RoCE and MRC under the same failure.

use super::{MS, STEP, US, claim};
use crate::message::MarkKind;
use crate::story::{Figure, Panel, Step, Story, Variant};

pub const ROCE_AND_MRC: Story = Story {
    slug: "roce-against-mrc",
    title: "RoCE against MRC",
    runs: &[
        Variant {
            preset: "roce-t1-dies",
            counterpart: None,
        },
        Variant {
            preset: "roce-t1-dies",
            counterpart: Some("mrc"),
        },
    ],
    steps: &[
        Step {
            title: "RoCE over ECMP",
            text: "16 NICs send 25 MB each to the next rack. Switches hash each QP to one path, and it stays there.",
            claims: &[
                claim("16", Figure::Nics),
                claim("25 MB", Figure::Setting("/traffic/0/bytes")),
            ],
            ..STEP
        },
        Step {
            title: "A T1 reboots",
            text: "At 200 µs T1 1 loses all its links. Its neighbours go on hashing QPs to it until routing has noticed. 397 \
                   packets are lost, and nothing has been sent again.",
            at_ps: 250 * US,
            selects: "p0/t1.1",
            zoom: 2.0,
            claims: &[
                claim("200 µs", Figure::Setting("/faults/0/at")),
                claim("397", Figure::Dropped),
                claim("nothing", Figure::SentAgain),
            ],
            ..STEP
        },
        Step {
            title: "Routing notices",
            text: "Its neighbours see it after 500 µs in this run. The first sender hears of a loss 507.1 µs after the fault; by \
                   now 3\u{202f}927 packets are lost.",
            at_ps: 720 * US,
            selects: "p0/t1.1",
            claims: &[
                claim("500 µs", Figure::Setting("/fabric/convergence/detect")),
                claim("507.1 µs", Figure::AfterFault(MarkKind::Inferred)),
                claim("3\u{202f}927", Figure::Dropped),
            ],
            ..STEP
        },
        Step {
            title: "The slowest flow",
            text: "All 16 flows are complete. The slowest took 12.16 ms: QPs that share a path share it as long as they live.",
            at_ps: 13 * MS,
            panel: Panel::Flows,
            claims: &[
                claim("16", Figure::Complete),
                claim("12.16 ms", Figure::SlowestTime),
            ],
            ..STEP
        },
        Step {
            title: "The same with MRC",
            text: "The same fabric, traffic and failure; senders choose the paths. The first loss is inferred 19.85 µs after the \
                   fault. QP 0 has 13 of its 160 EVs (entropy values, each a path) out of use, and 241 packets were sent again.",
            run: 1,
            at_ps: 250 * US,
            panel: Panel::Inspector,
            claims: &[
                claim("19.85 µs", Figure::AfterFault(MarkKind::Inferred)),
                claim("13", Figure::EvsBad),
                claim("160", Figure::Evs),
                claim("241", Figure::SentAgain),
            ],
            ..STEP
        },
        Step {
            title: "The slowest flow with MRC",
            text: "It took 3.554 ms. More packets were lost, 13\u{202f}001, SACKs and probes over the dead paths among them, but \
                   no flow waited for routing.",
            run: 1,
            at_ps: 4 * MS,
            panel: Panel::Flows,
            claims: &[
                claim("3.554 ms", Figure::SlowestTime),
                claim("13\u{202f}001", Figure::Dropped),
            ],
            ..STEP
        },
        Step {
            title: "Now you: both on one clock",
            text: "It is 199 µs, in RoCE's run. Choose Compare with…, then “with MRC”, and play. Look at the goodput of both when \
                   the T1 goes; break something else in both at once.",
            at_ps: 199 * US,
            claims: &[claim("199 µs", Figure::Now)],
            ..STEP
        },
    ],
};

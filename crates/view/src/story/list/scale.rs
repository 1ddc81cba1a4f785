//! What failures cost a job, and the fabric of the MRC paper.

use super::{STEP, US, claim};
use crate::message::MarkKind;
use crate::story::{Figure, Panel, Step, Story, Variant};

pub const TRAINING: Story = Story {
    slug: "training-step",
    title: "A job on a fabric that breaks",
    runs: &[Variant {
        preset: "training-step",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "A step without failure",
            text: "16 NICs run a ring all-reduce of 16 MB, step after step, and compute in between. The first step took 716.3 µs.",
            at_ps: 820 * US,
            panel: Panel::Jobs,
            claims: &[
                claim("16", Figure::Nics),
                claim("16 MB", Figure::Setting("/traffic/0/bytes")),
                claim("716.3 µs", Figure::JobStep(1)),
            ],
            ..STEP
        },
        Step {
            title: "A link dies in the second",
            text: "At 1200 µs a link of T0 1 goes down. The first loss is inferred 24.77 µs later, and 111 packets are lost by now.",
            at_ps: 1250 * US,
            selects: "p1/t0.1-t1.2",
            zoom: 2.5,
            claims: &[
                claim("1200 µs", Figure::Setting("/faults/0/at")),
                claim("24.77 µs", Figure::AfterFault(MarkKind::Inferred)),
                claim("111", Figure::Dropped),
            ],
            ..STEP
        },
        Step {
            title: "What that costs the job",
            text: "The step took 773.3 µs. All members wait for the slowest transfer, so a step shows what a failure costs.",
            at_ps: 1700 * US,
            panel: Panel::Jobs,
            claims: &[claim("773.3 µs", Figure::JobStep(2))],
            ..STEP
        },
        Step {
            title: "The link flaps",
            text: "From 1900 µs on the same link flaps: down, up, and down again. EVs (entropy values, each a path) over it go out of \
                   use and stay so while \
                   probes are lost. The step took 747.2 µs.",
            at_ps: 2560 * US,
            selects: "p1/t0.1-t1.2",
            panel: Panel::Jobs,
            claims: &[
                claim("1900 µs", Figure::Setting("/faults/1/at")),
                claim("747.2 µs", Figure::JobStep(3)),
            ],
            ..STEP
        },
        Step {
            title: "A T1 dies",
            text: "At 2600 µs T1 3 of plane 2 stops forwarding, for good. The step took 761.1 µs.",
            at_ps: 3430 * US,
            selects: "p2/t1.3",
            panel: Panel::Jobs,
            claims: &[
                claim("2600 µs", Figure::Setting("/faults/2/at")),
                claim("761.1 µs", Figure::JobStep(4)),
            ],
            ..STEP
        },
        Step {
            title: "As fast as before",
            text: "The T1 is still dead, and step six took 716.7 µs: nobody uses what is broken, and a ring leaves room enough.",
            at_ps: 5070 * US,
            selects: "p2/t1.3",
            panel: Panel::Jobs,
            claims: &[claim("716.7 µs", Figure::JobStep(6))],
            ..STEP
        },
        Step {
            title: "Now you: the worst moment",
            text: "It is 1.19 ms, within the second step. Break a NIC's link instead of a T1's: press B and click it, then press E. \
                   Look at the jobs: which failure costs a step most?",
            at_ps: 1190 * US,
            selects: "p1/n5",
            panel: Panel::Jobs,
            claims: &[claim("1.19 ms", Figure::Now)],
            ..STEP
        },
    ],
};

pub const WHOLE_FABRIC: Story = Story {
    slug: "whole-fabric",
    title: "The whole fabric",
    runs: &[Variant {
        preset: "whole-fabric",
        counterpart: None,
    }],
    steps: &[
        Step {
            title: "All of it",
            text: "131\u{202f}072 NICs in eight planes, every packet simulated. It is drawn in groups; zoom in to open them. \
                   Simulating a microsecond takes a while here.",
            claims: &[claim("131\u{202f}072", Figure::Nics)],
            ..STEP
        },
        Step {
            title: "One of 2\u{202f}048 T1s will stop",
            text: "At 2 µs the T1 that is selected stops forwarding, just before the first packets reach it. Its links stay up, so \
                   nobody is told.",
            selects: "p1/t1.1",
            claims: &[claim("2 µs", Figure::Setting("/faults/0/at"))],
            ..STEP
        },
        Step {
            title: "Now you: play it",
            text: "Press Space, and give it a minute. These messages are too short for later packets to show what is missing, so QPs \
                   whose packets went into that T1 wait for a timeout. Look at the packets dropped there, and at the flows that \
                   are complete.",
            selects: "p1/t1.1",
            ..STEP
        },
    ],
};

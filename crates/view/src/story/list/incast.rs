//! Many send to one: what a full queue does with packets, and what that does to others.

use super::{STEP, US, claim};
use crate::message::MarkKind;
use crate::story::{Figure, Panel, Step, Story, Variant};

pub const TRIM_OR_DROP: Story = Story {
    slug: "trim-against-drop",
    title: "Trim against drop",
    runs: &[
        Variant {
            preset: "incast",
            counterpart: None,
        },
        Variant {
            preset: "incast",
            counterpart: Some("untrimmed"),
        },
    ],
    steps: &[
        Step {
            title: "Seven to one",
            text: "Seven NICs send 2 MB each to NIC 0 at once. The link to it is selected: it carries a seventh of what arrives.",
            selects: "p0/n0",
            claims: &[claim("2 MB", Figure::Setting("/traffic/0/bytes"))],
            ..STEP
        },
        Step {
            title: "Trimmed, not lost",
            text: "At 3.890 µs the queue is full. The switch cuts the payload off and sends the header on, ahead of the data: 245 \
                   times so far. NIC 0 sees what is missing and asks for it, and 74 packets have been sent again already.",
            at_ps: 10 * US,
            selects: "p0/n0",
            zoom: 2.5,
            claims: &[
                claim("3.890 µs", Figure::At(MarkKind::Trim)),
                claim("245", Figure::Trimmed),
                claim("74", Figure::SentAgain),
            ],
            ..STEP
        },
        Step {
            title: "No path is blamed",
            text: "1\u{202f}032 packets were trimmed, and as many were sent again. A trimmed packet says congestion, so QP 0 has \
                   no EV (entropy value: a path) out of use. Half of the flows were complete after 259.7 µs.",
            at_ps: 301 * US,
            panel: Panel::Flows,
            claims: &[
                claim("1\u{202f}032", Figure::Trimmed),
                claim("1\u{202f}032", Figure::SentAgain),
                claim("no", Figure::EvsBad),
                claim("259.7 µs", Figure::MedianTime),
            ],
            ..STEP
        },
        Step {
            title: "The same without trimming",
            text: "The same run, but the queue drops what does not fit: 445 packets so far. Nobody tells the senders, and \
                   nothing has been sent again.",
            run: 1,
            at_ps: 20 * US,
            selects: "p0/n0",
            zoom: 2.5,
            claims: &[claim("445", Figure::Dropped), claim("nothing", Figure::SentAgain)],
            ..STEP
        },
        Step {
            title: "Taken for broken paths",
            text: "A packet that is simply gone looks like a broken path. From 29.39 µs on senders take EVs out of use, 33 of \
                   QP 0's 160 by now, though every path is sound.",
            run: 1,
            at_ps: 100 * US,
            panel: Panel::Inspector,
            claims: &[
                claim("29.39 µs", Figure::At(MarkKind::EvsLost)),
                claim("33", Figure::EvsBad),
                claim("160", Figure::Evs),
            ],
            ..STEP
        },
        Step {
            title: "Later, too",
            text: "Half of the flows were complete after 295.8 µs. 1\u{202f}114 packets were sent again, somewhat more than \
                   with trimming; what trimming saves is the wait.",
            run: 1,
            at_ps: 304 * US,
            panel: Panel::Flows,
            claims: &[
                claim("295.8 µs", Figure::MedianTime),
                claim("1\u{202f}114", Figure::SentAgain),
            ],
            ..STEP
        },
        Step {
            title: "Now you: side by side",
            text: "This is the run with trimming again. Choose Compare with…, then “without trimming”, and play both on one \
                   clock. Look at when the first packets are sent again.",
            selects: "p0/n0",
            ..STEP
        },
    ],
};

pub const VICTIM: Story = Story {
    slug: "incast-victim",
    title: "An incast and its victim",
    runs: &[
        Variant {
            preset: "roce-pfc-incast",
            counterpart: None,
        },
        Variant {
            preset: "roce-pfc-incast",
            counterpart: Some("mrc"),
        },
    ],
    steps: &[
        Step {
            title: "A neighbour",
            text: "Seven NICs send 2 MB each to NIC 0. NIC 14 sends 12 MB to NIC 2, in the same rack as NIC 0: that is QP 7. The \
                   transport is RoCE, kept lossless by priority flow control (PFC) alone.",
            selects: "QP 7",
            claims: &[
                claim("2 MB", Figure::Setting("/traffic/0/bytes")),
                claim("12 MB", Figure::Setting("/traffic/1/bytes")),
            ],
            ..STEP
        },
        Step {
            title: "Pauses spread",
            text: "Nothing may be lost, so a switch that is full pauses who sends to it. The first PAUSE is sent at 8.555 µs; 19 \
                   were by now, and they have gone from the rack of NIC 0 through the spines to other racks.",
            at_ps: 20 * US,
            selects: "p0/t0.0",
            claims: &[
                claim("8.555 µs", Figure::At(MarkKind::Paused)),
                claim("19", Figure::Pauses),
            ],
            ..STEP
        },
        Step {
            title: "The victim",
            text: "QP 7 has nothing to do with NIC 0, yet its packets wait behind those of the incast (head-of-line blocking). At \
                   200 µs 430 kB of its 12 MB have arrived.",
            at_ps: 200 * US,
            selects: "QP 7",
            panel: Panel::Inspector,
            claims: &[
                claim("200 µs", Figure::Now),
                claim("430 kB", Figure::PlacedOf(7)),
                claim("12 MB", Figure::Setting("/traffic/1/bytes")),
            ],
            ..STEP
        },
        Step {
            title: "Nothing lost but time",
            text: "No packet was dropped. QP 7 took 522.3 µs.",
            at_ps: 523 * US,
            selects: "QP 7",
            panel: Panel::Flows,
            claims: &[claim("No", Figure::Dropped), claim("522.3 µs", Figure::TimeOf(7))],
            ..STEP
        },
        Step {
            title: "The same with MRC",
            text: "The same traffic and fabric with MRC and without PFC. The senders to NIC 0 slow down, and not the fabric: at \
                   200 µs 9.26 MB of QP 7 have arrived.",
            run: 1,
            at_ps: 200 * US,
            selects: "QP 7",
            panel: Panel::Inspector,
            claims: &[
                claim("200 µs", Figure::Now),
                claim("9.26 MB", Figure::PlacedOf(7)),
            ],
            ..STEP
        },
        Step {
            title: "Half the time",
            text: "QP 7 took 259.7 µs. The incast paid with 1\u{202f}032 packets that were trimmed at the link to NIC 0 and sent \
                   again.",
            run: 1,
            at_ps: 302 * US,
            selects: "QP 7",
            panel: Panel::Flows,
            claims: &[
                claim("259.7 µs", Figure::TimeOf(7)),
                claim("1\u{202f}032", Figure::Trimmed),
                claim("1\u{202f}032", Figure::SentAgain),
            ],
            ..STEP
        },
        Step {
            title: "Now you: another seed",
            text: "This is RoCE again. Change the seed below the stage: switches hash QP 7 to another spine. Look in the flows for \
                   how long it takes then; or choose Compare with… and “with MRC”.",
            selects: "QP 7",
            panel: Panel::Flows,
            ..STEP
        },
    ],
};

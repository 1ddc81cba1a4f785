//! The words of `docs/peer.md`.

/// Why a statistic of a matrix differs from the peer's by more than 5 %.
pub struct Reason {
    /// File name of the matrix.
    pub matrix: &'static str,
    /// One of [`super::STATISTICS`].
    pub statistic: &'static str,
    /// What was found; one paragraph.
    pub why: &'static str,
}

/// What comes before the tables.
pub const HEAD: &str = "\
# Flowglass beside uet-htsim

<!-- Written by `cargo xtask peer`; the words are in xtask/src/peer/text.rs. -->

The same connection matrices on the same topologies, run by uet-htsim (NSCC, sender control only; its answers are
`tests/peer/results.csv`) and by Flowglass with `--model htsim`, which takes over the peer's packet sizes, queues, ECN
thresholds on every hop, trimming coin, SACK threshold, window, timeout and hashed entropies. So this compares two
implementations of one model. Flowglass's default model, `mrc`, differs on purpose and is not meant to match.

- **Ours** is the median of the seeds 1 to {seeds}, with the smallest and the largest in brackets where they differ. The
  peer's figure is one run each.
- **Balancers**: `oblivious`, `bitmap`, `reps` and `mixed` stand beside the peer's of the same name. MRC's EV steering
  (`mrc`), which the peer does not have, stands beside its `bitmap`, which also avoids paths by feedback.
- **Completion time** is, on both sides, from the start of the flow to the acknowledgement that completes it at the
  sender. Percentiles are by nearest rank.
- Each difference of more than 5 % has its reason below its table; `cargo xtask peer` refuses to write this page
  otherwise.

## At a glance
";

/// Reasons, one for each matrix and statistic that needs one.
pub const REASONS: &[Reason] = &[
    Reason {
        matrix: "incast_8to1_n128_2000000.cm",
        statistic: "min",
        why: IN_RACK_8,
    },
    Reason {
        matrix: "incast_8to1_n128_2000000.cm",
        statistic: "mean",
        why: "the same flow. The other seven alone have a mean of 309 to 330 µs over the five seeds and all balancers.",
    },
    Reason {
        matrix: "incast_32to1_n128_1000000.cm",
        statistic: "min",
        why: IN_RACK_32,
    },
    Reason {
        matrix: "incast_32to1_n128_1000000.cm",
        statistic: "mean",
        why: "the same four flows: they take 191 to 235 µs on average with `mixed` (seeds 1 to 5), and the other 28 take 577 to 583 µs.",
    },
];

const IN_RACK_8: &str = "\
with every seed the fastest flow is the one from host 1, the only sender in the receiver's own rack. Its base RTT is \
4.17 µs instead of 8.34 µs, so it has the bottleneck for itself for the first 2.2 µs; 45 to 51 of its packets are trimmed \
and 118 to 137 of each other sender's; from 30 to 130 µs it keeps a window of 136 to 166 kB, on average, beside 61 to \
119 kB, over a shorter RTT (`mrc`, seeds 1 to 5). With that sender moved to another rack (17→0) the fastest of the eight \
needs 274 µs (234 to 301 over 20 seeds), close to the peer's figure. What holds the peer's in-rack flow back is not known. \
A copy of uet-htsim's source (with local additions, and perhaps not the version that gave the peer's figures) differs from the \
UET text that we follow in five places: the delay sample of a NACK is the network's RTT and not the flow's; the adjustment \
period likewise; NACKs lower the base RTT, too; the first packet is acknowledged at once; quick adapt counts the NACKed \
packet as in flight. Tried one by one and together, they moved the median over 20 seeds from 144 µs to 158 µs at most.";

const IN_RACK_32: &str = "\
as in the 8-to-1 incast. Here four senders (1, 4, 8, 12) are in the receiver's rack; in 37 of 40 runs (20 seeds, `mrc` \
and `oblivious`) they are the four that finish first. With these four moved to other racks the fastest flow \
needs 384 µs (267 to 476 over 20 seeds), later than the peer's: so in-rack senders gain in both simulators, and more in ours.";

/// What comes after the tables.
pub const TAIL: &str = "
## Counts that are not the same thing

- **Packet-hops.** Ours count link crossings: 4 for a packet that crosses two tiers, 2 inside a rack. The peer's count
  each link and each switch queue, 7 in two tiers. Divide by 4 and by 7 before comparing work or speed.
- **Retransmissions** depend on the seed where few packets are trimmed: with `oblivious` on the 128-host permutation
  the range over our seeds is several times its distance to the peer's single run. On both sides their number is the
  number of NACKs.
- **Timeouts.** The 32-to-1 incast has up to six timeouts (65.3 µs) a run in ours. The one that was traced: nearly all
  of a flow's first window is trimmed, and its window falls to one packet; the last packet that did arrive is below the
  SACK threshold of 16,384 B, has no ECN mark and carried no request for an acknowledgement; so it counts as in flight,
  and nothing more is sent until the timeout. The default model acknowledges every packet and cannot stall in this way.
- **Data packets** are first transmissions, on both sides.
";

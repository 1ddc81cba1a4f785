//! Elements of the traffic.

use super::time;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use scenario::{Bytes, Collective, Time, Traffic, limits};

/// Sizes and numbers of messages that make no more than a flow may send.
fn messages() -> impl Strategy<Value = (Bytes, u64, bool)> {
    let bytes = prop_oneof![1u64..=1 << 40, (1u64..=64).prop_map(|n| n << 20)];
    (bytes, 1..=*limits::MESSAGES.end(), any::<[bool; 2]>()).prop_map(|(bytes, messages, [one, imm])| {
        let most = limits::FLOW_BYTES.end().0 / bytes;
        (Bytes(bytes), if one { 1 } else { messages.min(most) }, imm)
    })
}

fn start() -> impl Strategy<Value = Time> {
    time(0, limits::MAX_TIME)
}

fn job(nics: u32) -> impl Strategy<Value = Traffic> {
    let collective = prop::sample::select(vec![
        Collective::RingAllReduce,
        Collective::ReduceScatter,
        Collective::AllGather,
        Collective::AllToAll,
        Collective::SendReceive,
        Collective::Permutation,
        Collective::Incast,
    ]);
    // At most 2 · 63 messages a step, each of 2^32 B: 2^39 B.
    let places = (2..=nics.min(64), any::<u32>(), any::<u32>());
    let sizes = (1u64..=1 << 32, any::<u32>(), option::of(any::<u32>()));
    (collective, places, sizes, start(), start()).prop_map(
        move |(collective, (ranks, first, stride), (bytes, steps, many), compute, start)| {
            let ranks = match collective {
                Collective::SendReceive => ranks / 2 * 2,
                _ => ranks,
            };
            let stride = 1 + stride % ((nics - 1) / (ranks - 1));
            let first_rank = first % (nics - (ranks - 1) * stride);
            let per_step = u64::from(collective.messages_per_step(ranks));
            let size = collective.message_bytes(bytes, ranks);
            let messages = (*limits::MESSAGES.end()).min(limits::FLOW_BYTES.end().0 / size);
            let most = (messages / per_step).min(u64::from(*limits::STEPS.end())) as u32;
            let steps = many.map_or(1, |_| 1 + steps % most);
            Traffic::Job {
                collective,
                ranks,
                first_rank,
                stride,
                bytes: Bytes(bytes),
                steps,
                compute,
                start,
            }
        },
    )
}

/// One element; ids are filled in by [`super::scenario`].
pub fn element(nics: u32) -> impl Strategy<Value = Traffic> {
    let pair = move || {
        (0..nics, 1..nics)
            .prop_map(move |(src, d)| (src, ((u64::from(src) + u64::from(d)) % u64::from(nics)) as u32))
    };
    prop_oneof![
        (pair(), messages(), start(), option::of(Just(1))).prop_map(
            |((src, dst), (bytes, messages, imm), start, id)| Traffic::Flow {
                src,
                dst,
                bytes,
                messages,
                imm,
                start,
                id,
            }
        ),
        (1..nics, messages(), start()).prop_map(|(shift, (bytes, messages, imm), start)| {
            Traffic::Permutation {
                shift,
                bytes,
                messages,
                imm,
                start,
            }
        }),
        (0..nics, 1..nics, messages(), start()).prop_map(|(dst, senders, (bytes, messages, imm), start)| {
            Traffic::Incast {
                dst,
                senders,
                bytes,
                messages,
                imm,
                start,
            }
        }),
        (2..=nics.min(64), messages(), start()).prop_map(|(nics, (bytes, messages, imm), start)| {
            Traffic::AllToAll {
                nics,
                bytes,
                messages,
                imm,
                start,
            }
        }),
        vec((pair(), messages(), start()), 0..20).prop_map(|list| Traffic::Flows {
            list: list
                .into_iter()
                .map(|((src, dst), (bytes, ..), start)| (src, dst, bytes.0, start.0, 1))
                .collect(),
        }),
        job(nics),
    ]
}

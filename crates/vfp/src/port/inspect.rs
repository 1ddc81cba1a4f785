//! Looking at flows, and at what would become of a packet. Nothing changes.

use super::Port;
use crate::drop::DropReason;
use crate::tcp::FlowState;
use crate::walk::{End, Remembered, Trip, Walk, Way};
use crate::work::Work;
use gft::{Direction, Encap, EncapKind, FlowKey, Headers, TcpFlags, Transposition, Tuple};
use kernel::Time;

/// One flow of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryView {
    /// Its key.
    pub key: FlowKey,
    /// What is done to its packets.
    pub transposition: Transposition,
    /// Packets seen, in software and as the hardware has reported.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A pair of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowView {
    /// Its handle.
    pub handle: u32,
    /// The flow of its first packet.
    pub forward: EntryView,
    /// The flow of the answers, where they come through.
    pub answer: Option<EntryView>,
    /// Its state.
    pub state: FlowState,
    /// The policy's generation it was compiled from.
    pub generation: u32,
    /// Whether the policy has changed since.
    pub stale: bool,
    /// Whether the hardware was told of it.
    pub offloaded: bool,
    /// When it came.
    pub created: Time,
    /// When its last packet came, as far as is known.
    pub last_seen: Time,
    /// Until when it lives without another packet.
    pub deadline: Time,
}

/// What would become of a packet (`/process-tuples`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The port does not even look at it. What its layers would do is told all the same; there is no answer and no entry then.
    pub refused: Option<DropReason>,
    /// The flow it belongs to. Its layers are walked all the same.
    pub existing: Option<FlowView>,
    /// Every layer it crosses, as if it were the first of its flow; as if it came again where the flow exists.
    pub walk: Walk,
    /// The same for the answer to it, also where that is dropped.
    pub answer: Option<Walk>,
    /// The entries that would be made: key and transposition of the packet's flow, and of the answers' where they get through.
    pub entries: Option<[Option<(FlowKey, Transposition)>; 2]>,
    /// What the walks cost.
    pub work: Work,
}

impl Port {
    /// The headers with which a packet that is described by its tuple comes to the port: as the VM sends it, with its own MAC
    /// address, or as its peer's host does, in the encapsulation in which the VM's own packets to that peer go out.
    pub fn headers_of(&self, tuple: Tuple, flags: TcpFlags, direction: Direction) -> Headers {
        let mac = self.settings.guard.mac.unwrap_or_default();
        let sent = |tuple| Headers {
            src_mac: mac,
            tuple,
            flags,
            ttl: 64,
            ..Headers::default()
        };
        if direction == Direction::Out {
            return sent(tuple);
        }
        let out = self
            .process_tuple(&sent(tuple.reversed()), Direction::Out)
            .walk
            .after;
        let encaps = out.encaps.map(|around| {
            around.map(|around| Encap {
                src: around.dst,
                dst: around.src,
                ..around
            })
        });
        // A tunnel through the provider's network alone is taken off before the port.
        let tenants = |around: &Encap| around.kind == EncapKind::Vxlan || around.tni > 0;
        Headers {
            encaps: if encaps.iter().flatten().any(tenants) {
                encaps
            } else {
                [None; 2]
            },
            src_mac: out.dst_mac,
            dst_mac: mac,
            ..sent(tuple)
        }
    }

    /// What would become of a packet, layer by layer, and which entries it would leave. For a packet of a flow that is in the
    /// table it is the walk of a reconciliation: layers that know the flow are not asked, and rules for SYN only are asked as
    /// for the flow's first packet.
    pub fn process_tuple(&self, headers: &Headers, direction: Direction) -> Inspection {
        let key = headers.key(self.number, direction);
        let found = self.flows.find(&key);
        let mut work = Work::default();
        let (mut forward, mut back) = (Vec::new(), Vec::new());
        let (walked, answered) = match found {
            // An answer is walked as one, with what the layers would know after the first packet came again.
            Some((place, Way::Answer)) => {
                let first = self.flows.first_packet(place);
                let mut known = self.kept(place);
                let plan = self.plan(&first, direction.reversed(), &known, &mut work, &mut (), &mut ());
                known.extend(&plan.forward.learned);
                let trip = Trip {
                    direction,
                    way: Way::Answer,
                    remembered: &known,
                };
                let walked = self.walker().walk(headers, trip, &mut work, &mut forward);
                (walked, None)
            }
            Some((place, Way::Forward)) => {
                let known = self.kept(place);
                let asked = Headers {
                    flags: self.flows.first_packet(place).flags,
                    ..*headers
                };
                let mut plan = self.plan(&asked, direction, &known, &mut work, &mut forward, &mut back);
                plan.forward.after.flags = headers.flags;
                for step in &mut forward {
                    step.before.flags = headers.flags;
                    step.after.flags = headers.flags;
                }
                (plan.forward, Some((plan.answer, plan.answer_end)))
            }
            None => {
                let known = Remembered::default();
                let plan = self.plan(headers, direction, &known, &mut work, &mut forward, &mut back);
                (plan.forward, Some((plan.answer, plan.answer_end)))
            }
        };
        let existing = found.map(|(place, _)| self.view(place));
        let refused = self.refused(headers, direction);
        let entries = answered.as_ref().and_then(|(answer, _)| {
            let through = walked.end == End::Forward && refused.is_none();
            let back = answer
                .as_ref()
                .map(|(reply, back)| (reply.key(self.number, direction.reversed()), back.transposition));
            through.then_some([Some((key, walked.transposition)), back])
        });
        let back_way = direction.reversed();
        let answer = answered.filter(|_| refused.is_none()).and_then(|(answer, end)| {
            let after = back.last().map(|step| step.after);
            Some(Walk {
                direction: back_way,
                layers: back,
                end: end?,
                transposition: answer
                    .as_ref()
                    .map(|(_, walked)| walked.transposition)
                    .unwrap_or_default(),
                after: answer.map(|(_, walked)| walked.after).or(after)?,
            })
        });
        Inspection {
            refused,
            existing,
            walk: Walk {
                direction,
                layers: forward,
                end: walked.end,
                transposition: walked.transposition,
                after: walked.after,
            },
            answer,
            entries,
            work,
        }
    }

    fn view(&self, place: u32) -> FlowView {
        let pair = self.flows.pair(place);
        let entry = |way: Way| EntryView {
            key: self.flows.key(place, way),
            transposition: self.flows.action(place, way),
            packets: pair.packets[way as usize],
            bytes: pair.bytes[way as usize],
        };
        FlowView {
            handle: self.flows.handle(place),
            forward: entry(Way::Forward),
            answer: pair.answered.then(|| entry(Way::Answer)),
            state: pair.state,
            generation: pair.generation,
            stale: pair.generation != self.generation,
            offloaded: pair.offloaded,
            created: pair.created,
            last_seen: pair.last_seen,
            deadline: self.deadline(place),
        }
    }

    /// All pairs, in the order of their places in the table.
    pub fn flows(&self) -> impl Iterator<Item = FlowView> + '_ {
        self.flows.places().map(|place| self.view(place))
    }

    /// The pair with this handle.
    pub fn flow(&self, handle: u32) -> Option<FlowView> {
        self.flows.of_handle(handle).map(|place| self.view(place))
    }

    /// The handle of the pair that a packet with this key belongs to: one look-up.
    pub fn handle_of(&self, key: &FlowKey) -> Option<u32> {
        self.flows.find(key).map(|(place, _)| self.flows.handle(place))
    }

    /// The pair that a packet with this key belongs to.
    pub fn flow_of(&self, key: &FlowKey) -> Option<FlowView> {
        self.flows.find(key).map(|(place, _)| self.view(place))
    }
}

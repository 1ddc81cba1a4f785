//! What has grown too old.

use super::Port;
use crate::offload::Offload;
use crate::policy::SpaceId;
use crate::tcp::FlowState;
use crate::walk::{Way, answer};
use crate::work::Work;
use gft::{Address, Direction, Headers, TcpFlags};
use kernel::Time;

/// Resets for both ends of a connection that grew too old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectedReset {
    /// The way of its first packet.
    pub direction: Direction,
    /// Goes on that way, as the first packet did.
    pub onward: Headers,
    /// Goes back to where the first packet came from.
    pub back: Headers,
}

/// What a call of [`Port::expire`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expired {
    /// Pairs taken out.
    pub pairs: u32,
    /// Addresses that were given up, and how many packets had waited for each: they are lost.
    pub given_up: Vec<(SpaceId, Address, u32)>,
    /// Resets to send.
    pub resets: Vec<InjectedReset>,
    /// What it cost.
    pub work: Work,
    /// Whether `most` stopped it: there is more to do at this time.
    pub more: bool,
}

impl Port {
    /// Takes out flows that are too old, and gives up addresses that could not be resolved; looks at `most` of them at most.
    /// Without packets a flow may stay up to [`TICK`](crate::TICK) longer than its time to live.
    pub fn expire(&mut self, now: Time, most: u32, offloads: &mut Vec<Offload>) -> Expired {
        let mut expired = Expired::default();
        let mut looks = 0;
        while let Some(address) = self.pending.give_up(now, self.settings.timers.pending) {
            expired.given_up.push(address);
            looks += 1;
            if looks >= most {
                expired.more = true;
                return expired;
            }
        }
        while let Some(place) = self.flows.pop_due(now) {
            let deadline = self.deadline(place);
            if deadline <= now {
                expired.resets.extend(self.injected_reset(place));
                self.expire_pair(place, now, offloads, &mut expired.work);
                expired.pairs += 1;
            } else {
                self.flows.schedule(place, deadline);
            }
            looks += 1;
            if looks >= most {
                expired.more = true;
                return expired;
            }
        }
        expired
    }

    /// The resets for a pair that is too old, where they are wanted. Sequence numbers are none of a port's business.
    fn injected_reset(&mut self, place: u32) -> Option<InjectedReset> {
        let established = self.flows.pair(place).state == FlowState::Established;
        if !self.settings.inject_resets || !established {
            return None;
        }
        let first = Headers {
            flags: TcpFlags::RST.with(TcpFlags::ACK),
            ..self.flows.first_packet(place)
        };
        let onward = self.flows.action(place, Way::Forward).apply(&first).ok()?;
        self.counters.tcp_connections_reset_by_injected_reset += 1;
        Some(InjectedReset {
            direction: self.flows.pair(place).direction,
            onward,
            back: Headers {
                flags: first.flags,
                ..answer(&first)
            },
        })
    }

    /// When [`Port::expire`] next has something to look at.
    pub fn next_expiry(&self) -> Option<Time> {
        let pending = self.pending.next(self.settings.timers.pending);
        match (self.flows.next_due(), pending) {
            (Some(flow), Some(address)) => Some(flow.min(address)),
            (flow, address) => flow.or(address),
        }
    }

    /// Takes out a pair whose time is over, and counts why.
    pub(super) fn expire_pair(
        &mut self,
        place: u32,
        now: Time,
        offloads: &mut Vec<Offload>,
        work: &mut Work,
    ) {
        let counters = &mut self.counters;
        match self.flows.pair(place).state {
            FlowState::Untracked => counters.transient_flow_timeouts += 1,
            FlowState::SynSent | FlowState::SynRcvd => counters.tcp_half_open_timeouts += 1,
            FlowState::Established | FlowState::FinWait | FlowState::LastAck => {
                counters.tcp_connections_timed_out += 1;
            }
            FlowState::TimeWait | FlowState::Closed => {}
        }
        self.remove(place, now, offloads, work);
    }
}

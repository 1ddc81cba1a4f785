//! Prime and probe on the cache that VMs share on the NIC's chip, with real traffic beside it. [`gft::probe`] has the same without.

use super::{PEERS, Role, headers};
use crate::packet::Owner;
use crate::run::Run;
use crate::traffic::Kind;
use gft::probe::Seen;
use gft::{Direction, Headers, Lookup, Passage, RSS_KEY, Toeplitz};
use kernel::Time;
use kernel::rng::{draw, mix};
use scenario::host::HostScenario;

/// Ports that the spy tries, from 1,024 on.
const PORTS: u32 = 60_000;
/// The victim's flow that is watched.
const WATCHED_PORT: u16 = 1_000;

/// What a spy sends, and what he watches.
#[derive(Clone, Debug)]
pub(crate) struct Spy {
    own: Headers,
    watched: Headers,
    /// Whether the victim was active in this round.
    active: bool,
}

impl Spy {
    /// Looks for a flow of the spy's in the set of the watched flow, under the key that everybody knows and as if the cache had one
    /// part. Of 3.8 million one is found for any size of the cache that is allowed; were there none, the first has to do.
    pub fn new(scenario: &HostScenario, vm: u32, victim: u32) -> Spy {
        let hash = Toeplitz::new(&RSS_KEY);
        let mask = scenario.host.nic.l1_entries - 1;
        let set = |headers: &Headers, vm: u32| {
            let key = headers.key(vm as u16 + 1, Direction::Out);
            hash.hash_key(&key) & mask
        };
        let watched = headers::own(victim, WATCHED_PORT, 0);
        let aim = set(&watched, victim);
        let all = (0..PEERS)
            .flat_map(|peer| (0..PORTS).map(move |port| headers::own(vm, 1_024 + port as u16, peer)));
        let found = all.into_iter().find(|own| set(own, vm) == aim);
        Spy {
            own: found.unwrap_or_else(|| headers::own(vm, 1_024, 0)),
            watched,
            active: false,
        }
    }
}

impl Run {
    /// A third of a round: the spy's packet, the victim's or none, the spy's again.
    pub(super) fn next_reading(&mut self, number: u32, vm: u32, victim: Option<u32>, count: u64) {
        let app = &mut self.apps[number as usize];
        let coin = mix(draw(app.key, count)) & 1 == 1;
        let (Kind::Spy(spy), Some(victim)) = (&mut app.kind, victim) else {
            return;
        };
        match count % 3 {
            0 => {
                let own = spy.own;
                self.send_attempt(number, vm, Role::Honest, Direction::Out, own, 0);
            }
            1 => {
                spy.active = coin;
                let watched = spy.watched;
                if coin {
                    self.send_attempt(number, victim, Role::Honest, Direction::Out, watched, 0);
                }
            }
            _ => {
                let (own, active) = (spy.own, u64::from(spy.active));
                self.send_attempt(number, vm, Role::Reading, Direction::Out, own, active);
            }
        }
    }

    /// The spy reads how long his packet took through the NIC that it reached at `now`: his device reports when a packet has left.
    /// Slower than half a read of the DRAM beyond the fastest means that the victim has been there.
    pub(crate) fn time_reading(&mut self, number: u32, passage: &Passage, now: Time) {
        let packet = &self.packets[number];
        let Owner::Attack {
            traffic,
            role: Role::Reading,
        } = packet.owner
        else {
            return;
        };
        // One that VFP had to look at tells nothing.
        if !matches!(passage.lookup, Lookup::Hit { .. }) {
            return;
        }
        let active = (packet.segment.seq & 1) as usize;
        let shape = &self.nic.config().pipeline;
        let fast = gft::Pipeline::new(shape)
            .accept(Time::ZERO, packet.frame_bytes(), gft::Level::L1)
            .unwrap_or_default();
        let limit = fast + Time(shape.dram_access.0 / 2);
        let saw = if passage.departure.saturating_sub(now) > limit {
            2
        } else {
            0
        };
        let result = self.attack_result(traffic);
        result.attempted += 1;
        result.timing.get_or_insert_with(Seen::default).rounds[active][saw] += 1;
    }
}

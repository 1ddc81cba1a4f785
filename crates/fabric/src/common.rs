//! What all parts of a fabric share and read.

use crate::DropReason;
use crate::clos::{Clos, LinkKind};
use crate::config::Config;
use crate::hazards::Hazards;
use crate::order::{LONGEST_WINDOW, MOST_ARRIVALS};
use crate::packet::flags;
use crate::part::{Far, Line};
use crate::pfc::{self, Limits};
use crate::port::state;
use crate::routing::{Routes, Routing};
use crate::span::Span;
use kernel::rng::key;
use kernel::{TieRule, Time};

/// Settings, faults and the partition. Changes between windows only.
#[derive(Clone, Debug)]
pub struct Common {
    /// The settings.
    pub config: Config,
    /// Who owns what.
    pub spans: Vec<Span>,
    /// Decides the order of events of the same time.
    pub ties: TieRule,
    // A link's LOSSY bit is set while it is threatened by any of them.
    pub(crate) hazards: Hazards,
    pub(crate) dead: Vec<u16>,
    // What switches believe of links and switches.
    pub(crate) routes: Routes,
    draw_key: u64,
    hash_key: u64,
    // The fabric does not fit the caches: reading ahead pays (measured: BENCHMARKS.md).
    pub(crate) reads_ahead: bool,
    /// The ports of a switch influence each other: see `ordered`.
    pub(crate) is_ordered: bool,
    /// The limits of lossless switches' ports, by the kind of the link that leaves by them.
    pub(crate) limits: [Limits; LinkKind::COUNT],
}

// A link's draws for which of two packets is trimmed, beside those of marking and hazards.
pub(crate) const COIN: u64 = 2;

// Wire bytes that no packet is shorter than: headers alone are 64 B under either model (sim::build).
const SMALLEST_PACKET: u16 = 32;

// From this many links on a fabric does not fit the caches.
const READ_AHEAD_FROM_LINKS: u32 = 2_048;

impl Common {
    pub(crate) fn new(config: Config, parts: u32) -> Common {
        Common {
            spans: Span::cut(config.clos, parts),
            ties: TieRule::new(config.seed),
            draw_key: key(config.seed, 0x6661_6272, 0),
            hash_key: key(config.seed, 0x6563_6d70, 0),
            reads_ahead: config.clos.links() >= READ_AHEAD_FROM_LINKS,
            limits: pfc::limits(&config),
            is_ordered: config.pfc.is_some() || config.routing == Routing::Adaptive,
            config,
            hazards: Hazards::default(),
            dead: Vec::new(),
            routes: Routes::default(),
        }
    }

    pub(crate) fn clos(&self) -> &Clos {
        &self.config.clos
    }

    /// The key of a link's draws.
    #[inline]
    pub(crate) fn port_key(&self, link: u32) -> u64 {
        self.draw_key ^ (u64::from(link) << 20)
    }

    /// A port at work, by the directed link that leaves it.
    pub(crate) fn line(&self, link: u32) -> Line<'_> {
        let clos = self.clos();
        let end = clos.describe(link);
        let (part, port) = self.port_of(clos.reverse(link));
        let span = &self.spans[part];
        let place = match end.kind {
            LinkKind::NicUp => span.t0_place(end.plane, end.upper),
            LinkKind::NicDown => span.nic_place(end.lower),
            LinkKind::Up => span.t1_place(end.plane, end.upper),
            LinkKind::Down => span.t0_place(end.plane, end.lower),
            LinkKind::CoreUp => span.t2_place(end.plane, end.upper),
            LinkKind::CoreDown => span.t1_place(end.plane, end.lower),
        };
        let part = part as u32;
        Line {
            link,
            class: self.config.class(end.kind),
            far: Far { part, port, place },
        }
    }

    /// The key of a switch's hash: each has its own, so that those above do not repeat the choice of those below (polarisation).
    #[inline]
    pub(crate) fn hash_key(&self, switch: u16) -> u64 {
        self.hash_key ^ u64::from(switch)
    }

    /// The part that a rack belongs to.
    #[inline]
    pub fn part_of_rack(&self, rack: u32) -> usize {
        if self.spans.len() == 1 {
            return 0;
        }
        self.spans.partition_point(|span| span.racks.end <= rack)
    }

    #[inline]
    pub(crate) fn part_of_t1(&self, t1: u32) -> usize {
        if self.spans.len() == 1 {
            return 0;
        }
        self.spans.partition_point(|span| span.t1s.end <= t1)
    }

    #[inline]
    pub(crate) fn part_of_t2(&self, t2: u32) -> usize {
        if self.spans.len() == 1 {
            return 0;
        }
        self.spans.partition_point(|span| span.t2s.end <= t2)
    }

    /// The part of a port and its number there, by the directed link that leaves it.
    pub(crate) fn port_of(&self, link: u32) -> (usize, u32) {
        if self.spans.len() == 1 {
            return (0, link);
        }
        let clos = self.clos();
        let end = clos.describe(link);
        match end.kind {
            LinkKind::NicUp | LinkKind::NicDown => {
                let part = self.part_of_rack(clos.t0_of(end.lower));
                let span = &self.spans[part];
                let port = if end.kind == LinkKind::NicUp {
                    span.nic_up(end.plane, end.lower)
                } else {
                    span.nic_down(end.plane, end.lower)
                };
                (part, port)
            }
            LinkKind::Up => {
                let part = self.part_of_rack(end.lower);
                let t1 = end.upper % clos.t1s_per_pod();
                (part, self.spans[part].up(end.plane, end.lower, t1))
            }
            LinkKind::Down => {
                let part = self.part_of_t1(end.upper);
                let t0 = end.lower % clos.t0s_per_pod();
                (part, self.spans[part].down(end.plane, end.upper, t0))
            }
            LinkKind::CoreUp => {
                let part = self.part_of_t1(end.lower);
                let t2 = end.upper % clos.t2s_per_t1();
                (part, self.spans[part].core_up(end.plane, end.lower, t2))
            }
            LinkKind::CoreDown => {
                let part = self.part_of_t2(end.upper);
                let pod = clos.pod_of_t1(end.lower);
                (part, self.spans[part].core_down(end.plane, end.upper, pod))
            }
        }
    }

    /// Why a packet that comes in over `link` is lost, if it is. `state_in` are the bits of that link.
    #[cold]
    pub(crate) fn lost(&self, link: u32, state_in: u8, bits: u8, now: u64) -> Option<DropReason> {
        if bits & flags::DOOMED != 0 {
            return Some(DropReason::LinkDown);
        }
        if state_in & state::DEAD_IN != 0 {
            return Some(DropReason::SwitchDead);
        }
        let kind = self.clos().describe(link).kind;
        if state_in & state::LOSSY_IN != 0
            && let Some(reason) = self.hazards.strikes(link, kind, self.port_key(link), now)
        {
            return Some(reason);
        }
        (bits & flags::CORRUPT != 0 && kind == LinkKind::NicDown).then_some(DropReason::Icrc)
    }

    /// How long a window may be in which switches are worked off first and NICs after them: the shortest delay of any link
    /// to a switch.
    pub fn look_ahead(&self) -> Time {
        let to_switches = self.kinds().filter(|&kind| kind != LinkKind::NicDown);
        let shortest = to_switches.map(|kind| self.config.class(kind).delay).min();
        let shortest = shortest.unwrap_or(Time(LONGEST_WINDOW));
        shortest.min(Time(LONGEST_WINDOW)).min(self.countable())
    }

    /// The kinds of links that packets cross.
    fn kinds(&self) -> impl Iterator<Item = LinkKind> {
        let clos = *self.clos();
        LinkKind::ALL.into_iter().filter(move |kind| match kind {
            LinkKind::NicUp | LinkKind::NicDown => true,
            LinkKind::Up | LinkKind::Down => clos.t0s > 1,
            LinkKind::CoreUp | LinkKind::CoreDown => clos.pods > 1,
        })
    }

    /// A time in which no more packets can come to one place than a window may hold.
    fn countable(&self) -> Time {
        let clos = self.clos();
        let at_t0 = clos.nics_per_t0 + clos.t1s_per_pod();
        let at_t1 = clos.t0s_per_pod() + clos.t2s_per_t1();
        let ports = at_t0.max(at_t1).max(clos.pods).max(clos.planes);
        let shortest = self
            .kinds()
            .map(|kind| self.config.class(kind).serialise(SMALLEST_PACKET).0);
        let shortest = shortest.min().unwrap_or(1).max(1);
        // One more at each port than fit the time, since the first may be there at its very beginning.
        let at_each = MOST_ARRIVALS as u64 / u64::from(ports) - 1;
        Time(shortest.saturating_mul(at_each))
    }

    /// How long a window may be in which switches and NICs are worked off in any order: the shortest delay of any link.
    pub fn narrow_look_ahead(&self) -> Time {
        self.look_ahead().min(self.config.class(LinkKind::NicDown).delay)
    }

    /// True when the switch with this uSID is dead.
    pub(crate) fn is_dead(&self, switch: u16) -> bool {
        self.dead.contains(&switch)
    }
}

//! What is wrong just now, beside what ports say of themselves: what faults have in force, and how a thing is broken or
//! healed by one click.

use crate::names::switch_usid;
use crate::run::Run;
use fabric::port::state;
use fabric::{LinkKind, Network};
use scenario::{Direction, FaultKind, LinkName, Refusal, SwitchName};
use std::collections::BTreeMap;
use view::frame::{self, Ailing, ailment};
use view::inspect::Target;
use view::names::{cable, directions};
use view::words;

/// What faults have in force that nothing else tells.
#[derive(Debug, Default)]
pub struct Health {
    /// Links that flap, and until when, in ps.
    pub flapping: BTreeMap<LinkName, u64>,
    /// NICs that refuse packets: share and reason.
    pub refusing: BTreeMap<u32, (f64, Refusal)>,
    /// NICs that report a penalty.
    pub penalties: BTreeMap<u32, u32>,
    /// Switches that damage packets: share.
    pub damaging: BTreeMap<SwitchName, f64>,
}

impl Health {
    /// What is in force now.
    pub fn of(run: &Run) -> Health {
        let now = run.sim.now().ps();
        let mut health = Health::default();
        let mut past: Vec<_> = run
            .sim
            .scenario()
            .faults
            .iter()
            .filter(|fault| fault.at.0 <= now)
            .collect();
        // As they took effect; the sort keeps the scenario's order of those of one time.
        past.sort_by_key(|fault| fault.at);
        for fault in past {
            match fault.what {
                FaultKind::LinkFlap { link, until, .. } if until.0 > now => {
                    health.flapping.insert(link, until.0);
                }
                FaultKind::NicRefuses { nic, rate, reason } => {
                    set(&mut health.refusing, nic, (rate > 0.0).then_some((rate, reason)));
                }
                FaultKind::NicPenalty { nic, penalty } => {
                    set(&mut health.penalties, nic, (penalty > 0).then_some(penalty));
                }
                FaultKind::SwitchCorrupt { switch, rate } => {
                    set(&mut health.damaging, switch, (rate > 0.0).then_some(rate));
                }
                _ => {}
            }
        }
        health
    }
}

fn set<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => drop(map.insert(key, value)),
        None => drop(map.remove(&key)),
    }
}

/// What a directed link's own ports say, as bits of [`frame::state`]; what all links of its tier lose is not its fault.
pub fn link_bits(network: &Network, link: u32) -> u8 {
    let bit = |is: bool, bit: u8| if is { bit } else { 0 };
    bit(network.port(link).is(state::DOWN), frame::state::DOWN)
        | bit(network.loss_threshold(link) > 0, frame::state::LOSSY)
        | bit(network.damage_threshold(link) > 0, frame::state::CORRUPT)
}

/// The same of a cable: both directions, and whether it flaps.
pub fn cable_bits(network: &Network, health: &Health, link: u32) -> u8 {
    let clos = &network.config().clos;
    let flaps = health.flapping.contains_key(&cable(clos, link));
    link_bits(network, link)
        | link_bits(network, clos.reverse(link))
        | if flaps { frame::state::FLAPPING } else { 0 }
}

/// A threshold of 2^32 as a share.
pub fn share(threshold: u64) -> f64 {
    threshold as f64 / (1u64 << 32) as f64
}

/// Switches and NICs that something is wrong with.
pub fn ailing(run: &Run, health: &Health) -> Vec<Ailing> {
    let mut list: BTreeMap<(u8, u8, u32), u8> = BTreeMap::new();
    for switch in dead_switches(run) {
        *list.entry(place(switch)).or_default() |= ailment::DEAD;
    }
    for &switch in health.damaging.keys() {
        *list.entry(place(switch)).or_default() |= ailment::CORRUPT;
    }
    for &nic in health.refusing.keys() {
        *list.entry((0, Ailing::NIC, nic)).or_default() |= ailment::REFUSES;
    }
    for &nic in health.penalties.keys() {
        *list.entry((0, Ailing::NIC, nic)).or_default() |= ailment::PENALTY;
    }
    list.into_iter()
        .map(|((plane, tier, index), what)| Ailing {
            plane,
            tier,
            what,
            index,
        })
        .collect()
}

fn place(switch: SwitchName) -> (u8, u8, u32) {
    match switch {
        SwitchName::T0 { plane, index } => (plane as u8, 0, index),
        SwitchName::T1 { plane, index } => (plane as u8, 1, index),
        SwitchName::T2 { plane, index } => (plane as u8, 2, index),
    }
}

/// Dead switches: only those that a fault names can be.
fn dead_switches(run: &Run) -> impl Iterator<Item = SwitchName> + '_ {
    let network = run.sim.network();
    let named = run.sim.scenario().faults.iter();
    named
        .filter_map(|fault| match fault.what {
            FaultKind::SwitchDown { switch } => Some(switch),
            _ => None,
        })
        .filter(|&switch| {
            switch_usid(&network.config().clos, switch).is_some_and(|usid| network.is_dead(usid))
        })
}

/// What is wrong with whole tiers, in words.
pub fn tier_faults(network: &Network) -> Vec<String> {
    let tiers = [
        ("NIC–T0", LinkKind::NicUp, LinkKind::NicDown),
        ("T0–T1", LinkKind::Up, LinkKind::Down),
        ("T1–T2", LinkKind::CoreUp, LinkKind::CoreDown),
    ];
    let rate = |kind| share(network.kind_loss_threshold(kind));
    let mut words = Vec::new();
    for (name, up, down) in tiers {
        let (up, down) = (rate(up), rate(down));
        let mut say = |rate: f64, way: &str| {
            if rate > 0.0 {
                words.push(format!("{name} links lose {}{way}", words::percent(rate)));
            }
        };
        if up == down {
            say(up, "");
        } else {
            say(up, " upward");
            say(down, " downward");
        }
    }
    words
}

/// The faults that one click stands for: all that is wrong with the thing is healed, or else it is broken.
///
/// # Errors
/// When the thing is no link or switch of the fabric.
pub fn toggle(run: &Run, target: &Target) -> Result<Vec<FaultKind>, String> {
    let network = run.sim.network();
    let clos = &network.config().clos;
    match *target {
        Target::Link(link) => {
            let both = directions(clos, link).ok_or_else(|| format!("there is no link {link}"))?;
            let bits = both.iter().fold(0, |bits, &link| bits | link_bits(network, link));
            let direction = Direction::Both;
            let cures = [
                (frame::state::DOWN, FaultKind::link_up(link)),
                (frame::state::LOSSY, FaultKind::link_loss(link, 0.0)),
                (
                    frame::state::CORRUPT,
                    FaultKind::LinkCorrupt {
                        link,
                        direction,
                        rate: 0.0,
                    },
                ),
            ];
            Ok(or_break(
                cures
                    .into_iter()
                    .filter(|(bit, _)| bits & bit != 0)
                    .map(|(_, cure)| cure),
                FaultKind::link_down(link),
            ))
        }
        Target::Switch(switch) => {
            let usid = switch_usid(clos, switch).ok_or_else(|| format!("there is no switch {switch}"))?;
            let up = network.is_dead(usid).then_some(FaultKind::SwitchUp { switch });
            let damages = network.switch_damage_threshold(usid) > 0;
            let sound = damages.then_some(FaultKind::SwitchCorrupt { switch, rate: 0.0 });
            Ok(or_break(
                up.into_iter().chain(sound),
                FaultKind::SwitchDown { switch },
            ))
        }
        _ => Err("only a link or a switch is broken by a click".into()),
    }
}

fn or_break(cures: impl Iterator<Item = FaultKind>, fault: FaultKind) -> Vec<FaultKind> {
    let cures: Vec<FaultKind> = cures.collect();
    if cures.is_empty() { vec![fault] } else { cures }
}

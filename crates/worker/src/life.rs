//! A packet's whole life: the run is simulated once more, with an observer that watches that packet alone. Determinism makes it the
//! same life; nothing has to be kept for it meanwhile.

use crate::names::{ends, of_usid};
use crate::run::Run;
use scenario::Protocol;
use sim::Sim;
use sim::life::{Happening, LifeWatch, Moment};
use view::life::{End, Hop, Inferred, Life, Signal, Transmission};
use view::names::cable;

/// Events between two looks at the clock.
const SLICE: u64 = 8_192;

/// A run that is repeated for one packet.
pub struct Repeat {
    qp: u32,
    psn: u32,
    sim: Sim<LifeWatch>,
}

impl Repeat {
    /// Begins with a run's scenario, at time 0.
    fn new(run: &Run, qp: u32, psn: u32) -> Result<Repeat, String> {
        let mut watch = LifeWatch::new(qp, psn, run.is_roce());
        if run.sim.scenario().fabric.pfc.is_some() {
            let port = run.sim.roce_qp(qp).map_or(0, |qp| qp.port);
            watch.watch_pauses(run.sim.possible_links(qp, port));
        }
        let sim = Sim::with_observer(run.sim.scenario(), watch).map_err(|error| error.to_string())?;
        Ok(Repeat { qp, psn, sim })
    }

    /// True when it is a repetition of this run for this packet, and not ahead of it.
    fn fits(&self, run: &Run, qp: u32, psn: u32) -> bool {
        (self.qp, self.psn) == (qp, psn)
            && self.sim.now() <= run.sim.now()
            && self.sim.scenario() == run.sim.scenario()
    }
}

/// The life of a packet, as far as it can be found in `budget_ms`; the next call goes on from there.
pub fn life(
    repeat: &mut Option<Repeat>,
    run: &Run,
    qp: u32,
    psn: u32,
    budget_ms: f64,
    clock: impl Fn() -> f64,
) -> Life {
    let now = run.sim.now();
    let nothing = |problem: String| Life {
        qp,
        psn,
        now_ps: now.ps(),
        problem: Some(problem),
        ..Life::default()
    };
    if qp >= run.sim.qp_count() {
        return nothing(format!("there is no QP {qp}"));
    }
    let known = repeat.take().filter(|repeat| repeat.fits(run, qp, psn));
    let repeat = match known.map_or_else(|| Repeat::new(run, qp, psn), Ok) {
        Ok(known) => repeat.insert(known),
        Err(problem) => return nothing(problem),
    };
    let sim = &mut repeat.sim;
    let start = clock();
    while !sim.is_finished() && sim.now() < now && clock() - start < budget_ms {
        sim.run_events(SLICE, now);
    }
    let is_there = sim.is_finished() || sim.now() >= now;
    if is_there && !sim.is_half_way() {
        sim.settle();
    }
    Life {
        qp,
        psn,
        is_roce: run.is_roce(),
        upto_ps: if is_there { now.ps() } else { sim.now().ps() },
        now_ps: now.ps(),
        problem: sim
            .observer()
            .is_full()
            .then(|| "More happened to it than can be shown.".into()),
        ..told(sim)
    }
}

/// What was seen, as transmissions, answers and inferences.
fn told(sim: &Sim<LifeWatch>) -> Life {
    let mut life = Life::default();
    let watch = sim.observer();
    let clos = &sim.network().config().clos;
    for moment in watch.moments() {
        let (at_ps, packet) = (moment.at.ps(), &moment.packet);
        match moment.what {
            Happening::Lost => life.inferred.push(Inferred {
                at_ps,
                text: "the sender infers that it was lost".into(),
            }),
            Happening::TimedOut => life.inferred.push(Inferred {
                at_ps,
                text: "the sender has heard nothing for too long".into(),
            }),
            _ if packet.kind != fabric::PacketKind::Data => signal(&mut life, sim, &moment),
            Happening::Sent => life.transmissions.push(Transmission {
                sent_ps: at_ps,
                ev: packet.ev,
                plane: clos.describe(moment.link).plane,
                first: cable(clos, moment.link),
                hops: Vec::new(),
                end: End::UnderWay,
            }),
            what => {
                // A packet carries when it was sent: transmissions of one PSN differ in it.
                let own = |one: &&mut Transmission| one.sent_ps == packet.sent;
                if let Some(one) = life.transmissions.iter_mut().rev().find(own) {
                    follow(one, sim, &moment, what);
                }
            }
        }
    }
    life
}

/// Something happened to a transmission.
fn follow(one: &mut Transmission, sim: &Sim<LifeWatch>, moment: &Moment, what: Happening) {
    let at_ps = moment.at.ps();
    let config = sim.network().config();
    let clos = &config.clos;
    let packet = &moment.packet;
    match what {
        Happening::Crossed => {
            let class = config.class(clos.describe(moment.link).kind);
            let was = one.hops.last();
            let was_marked = one.hops.iter().any(|hop| hop.marked);
            let was_trimmed = one.hops.iter().any(|hop| hop.trimmed);
            let sent = moment.at.ps().saturating_sub(class.delay.ps());
            let left = sent.saturating_sub(class.serialise(packet.size).ps());
            let (from, to) = ends(clos, moment.link);
            let active = (packet.usids >> 48) as u16;
            let queued = was.map_or(one.sent_ps, |hop| hop.reached_ps);
            let paused_ps = sim.observer().paused_for(moment.link, queued, left);
            one.hops.push(Hop {
                link: cable(clos, moment.link),
                from,
                to,
                queued_ps: queued,
                paused_ps,
                left_ps: left,
                sent_ps: sent,
                reached_ps: at_ps,
                bytes: packet.size,
                marked: packet.has(fabric::packet::flags::ECN) && !was_marked,
                trimmed: packet.has(fabric::packet::flags::TRIMMED) && !was_trimmed,
                usid: (active != 0).then(|| (active, of_usid(active))),
            });
        }
        Happening::Dropped(reason) => {
            one.end = End::Dropped {
                at_ps,
                link: cable(clos, moment.link),
                reason: reason.name().into(),
            };
        }
        Happening::Received(placed) => {
            one.end = if placed > 0 {
                End::Placed { at_ps }
            } else if packet.has(fabric::packet::flags::TRIMMED) {
                End::ArrivedTrimmed { at_ps }
            } else {
                End::NotPlaced { at_ps }
            };
        }
        // The crossing that follows says it.
        Happening::Trimmed | Happening::Sent | Happening::Lost | Happening::TimedOut => {}
    }
}

/// An answer was sent or heard.
fn signal(life: &mut Life, sim: &Sim<LifeWatch>, moment: &Moment) {
    let packet = &moment.packet;
    let is_roce = sim.scenario().transport.protocol == Protocol::Roce;
    let acknowledges = sim.observer().acknowledges(packet);
    let at_ps = moment.at.ps();
    match moment.what {
        Happening::Sent => life.signals.push(Signal {
            name: match packet.kind {
                fabric::PacketKind::Nack => "NACK",
                fabric::PacketKind::Sack => "SACK",
                fabric::PacketKind::Cnp => "CNP",
                _ if acknowledges => "ACK",
                _ => "NAK",
            }
            .into(),
            text: crate::words::packet_words(packet, is_roce),
            sent_ps: at_ps,
            heard_ps: None,
            acknowledges,
        }),
        // Of several under way the first one is heard first, unless it was lost: then the next one's time is right all the same.
        Happening::Received(_) => {
            let is_cnp = packet.kind == fabric::PacketKind::Cnp;
            let waits = |signal: &&mut Signal| {
                signal.heard_ps.is_none()
                    && signal.acknowledges == acknowledges
                    && (signal.name == "CNP") == is_cnp
            };
            if let Some(signal) = life.signals.iter_mut().find(waits) {
                signal.heard_ps = Some(at_ps);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;

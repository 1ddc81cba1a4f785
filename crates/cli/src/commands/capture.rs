//! `flowglass capture`.

use crate::args::Capture;
use crate::commands::run::refuse_own_input;
use crate::failure::{Failure, INTERRUPTED};
use crate::json::Sink;
use crate::output::{complain, note, plain, print};
use crate::progress::Progress;
use crate::runner::{SLICE, build, stop_on_signal, threads_for};
use crate::summary::{count, counted};
use crate::tap::{Fate, Seen, Tap, Watch};
use fabric::{Clos, Packet, PacketKind, packet::flags};
use kernel::Time;
use scenario::{LinkName, Model, Protocol, Routing};
use sim::Sim;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use view::find::find;
use view::names::{cable, directions};
use wire::pcapng::{Direction, Interface, InterfaceId, Packet as Record, Resolution, Writer};

/// Links that one capture may have; our choice. Wireshark lists them all.
const MAX_LINKS: usize = 4_096;

/// Runs a scenario and writes what crossed some of its links.
///
/// # Errors
/// When the input cannot be run, its fabric has no such links, its packets have no headers, or the capture cannot be written.
pub fn run(options: &Capture) -> Result<ExitCode, Failure> {
    let loaded = options.input.load()?;
    let source = plain(&loaded.source);
    refuse_own_input(&options.input, "--out", &options.out)?;
    let scenario = &loaded.scenario;
    if scenario.model == Model::Htsim {
        return Err(Failure::Input(format!(
            "{source}: the packets of the model htsim have no real headers; expected the model mrc"
        )));
    }
    if scenario.fabric.routing != Routing::Source && scenario.transport.protocol == Protocol::Mrc {
        return Err(Failure::Input(format!(
            "{source}: MRC's packets have SRv6 headers in a capture, and where switches choose the path they have none; expected \
             fabric.routing \"source\" or transport.protocol \"roce\""
        )));
    }
    let (from, to) = (
        options.from.unwrap_or_default(),
        options.to.unwrap_or(scenario.until),
    );
    if from > to {
        return Err(Failure::Input(format!(
            "error: the capture would begin at {from} and end at {to}; expected an end after the beginning"
        )));
    }
    let threads = options.threads.unwrap_or_else(|| threads_for(scenario));
    let mut sim = build(scenario, &loaded.source, Tap::new(), threads)?;
    let cables = cables(&sim.network().config().clos, options)
        .map_err(|reason| Failure::Input(format!("{source}: {reason}")))?;
    let sink = Sink::check(&options.out)?;
    if !options.quiet {
        note(&loaded.notes);
    }
    watch(&mut sim, &cables, options, from, to);

    let mut progress = Progress::of(scenario, options.quiet);
    let mut ended = None;
    let outcome = sink.write_with(|out| {
        let mut capture = Writing::begin(out, &sim, &cables, options)?;
        let end = record(&mut sim, &mut capture, &mut progress, Time(to.0))?;
        let at = match end {
            // The run has gone on to the end of its window meanwhile.
            End::Packets => capture.last,
            _ => sim.now(),
        };
        ended = Some((end.words(at), end, capture.packets, capture.left_out));
        Ok(())
    });
    progress.clear();
    outcome?;
    // A reader of standard output that has gone away wants to hear no more.
    let Some((words, end, packets, left_out)) = ended else {
        return Ok(ExitCode::SUCCESS);
    };
    if !options.quiet {
        let left_out = match left_out {
            0 => String::new(),
            credits => format!(
                "; {} left out, which MRC has no form for",
                counted(credits, "credit packet")
            ),
        };
        let text = format!(
            "{}: {} on {}, {words}{left_out}\n",
            plain(&options.out.to_string_lossy()),
            counted(packets, "packet"),
            counted(cables.len() as u64, "link")
        );
        if matches!(sink, Sink::Stdout) {
            complain(text.trim_end());
        } else {
            print(&text)?;
        }
    }
    Ok(match end {
        End::Interrupted => ExitCode::from(INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

/// Why a capture ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The run was over.
    Run,
    /// Its time was over.
    Time,
    /// It has as many packets as it may have.
    Packets,
    /// The user stopped it.
    Interrupted,
}

impl End {
    fn words(self, at: Time) -> String {
        let at = scenario::Time(at.0);
        match self {
            End::Run => format!("up to the end of the run at {at}"),
            End::Time => format!("up to {at}"),
            End::Packets => format!("as many as --packets allows, the last one at {at}"),
            End::Interrupted => format!("interrupted at {at}"),
        }
    }
}

/// The links that were asked for, each once, in order of their names.
fn cables(clos: &Clos, options: &Capture) -> Result<BTreeSet<LinkName>, String> {
    let mut cables = BTreeSet::new();
    if options.links.is_empty() && options.nics.is_empty() {
        let all = clos.links() as usize / 2;
        if all > MAX_LINKS {
            return Err(format!(
                "the fabric has {} links, and a capture at most {}; expected --link or --nic",
                count(all as u64),
                count(MAX_LINKS as u64)
            ));
        }
        cables.extend((0..clos.links()).map(|link| cable(clos, link)));
        return Ok(cables);
    }
    for &name in &options.links {
        find(&name.to_string(), clos, 0).map_err(|reason| format!("--link {name}: {reason}"))?;
        cables.insert(name);
    }
    for &nic in &options.nics {
        find(&format!("n{nic}"), clos, 0).map_err(|reason| format!("--nic {nic}: {reason}"))?;
        cables.extend((0..clos.planes).map(|plane| LinkName::Nic { plane, nic }));
    }
    if cables.len() > MAX_LINKS {
        return Err(format!(
            "these are {} links, and a capture has at most {}",
            count(cables.len() as u64),
            count(MAX_LINKS as u64)
        ));
    }
    Ok(cables)
}

/// Puts the taps on both directions of these links.
fn watch(
    sim: &mut Sim<Tap>,
    cables: &BTreeSet<LinkName>,
    options: &Capture,
    from: scenario::Time,
    to: scenario::Time,
) {
    let clos = sim.network().config().clos;
    let mut links = vec![false; clos.links() as usize];
    for &cable in cables {
        for link in directions(&clos, cable).into_iter().flatten() {
            links[link as usize] = true;
        }
    }
    sim.observer_mut().watch(Watch {
        links,
        from: Time(from.0),
        to: Time(to.0),
        drops: options.drops,
    });
}

/// Runs on until the capture is complete.
fn record(
    sim: &mut Sim<Tap>,
    capture: &mut Writing<'_>,
    progress: &mut Progress,
    to: Time,
) -> io::Result<End> {
    let stop = stop_on_signal();
    loop {
        sim.run_events(SLICE, to);
        progress.update(sim);
        let interrupted = stop.load(Ordering::Relaxed);
        if interrupted {
            // A window that is under way is finished: what was seen in it is not yet complete.
            sim.settle();
        }
        if sim.is_half_way() {
            continue;
        }
        for seen in sim.observer_mut().take() {
            if capture.is_full() {
                return Ok(End::Packets);
            }
            capture.add(sim, &seen)?;
        }
        if interrupted {
            return Ok(End::Interrupted);
        } else if sim.is_finished() {
            return Ok(End::Run);
        } else if capture.is_full() {
            return Ok(End::Packets);
        } else if sim.now() >= to {
            return Ok(End::Time);
        }
    }
}

/// A capture that is being written.
struct Writing<'a> {
    writer: Writer<&'a mut dyn Write>,
    // By directed link: the interface, and which way its packets go.
    ports: BTreeMap<u32, (InterfaceId, Direction)>,
    packets: u64,
    // Packets that have no form on a wire: receiver credit.
    left_out: u64,
    most: u64,
    // When the last one was seen.
    last: Time,
    snap: Option<u32>,
}

impl<'a> Writing<'a> {
    /// Begins with the interfaces: one for each link, as seen from its lower end, which is the NIC or the lower switch.
    fn begin(
        out: &'a mut dyn Write,
        sim: &Sim<Tap>,
        cables: &BTreeSet<LinkName>,
        options: &Capture,
    ) -> io::Result<Self> {
        let mut writer = Writer::new(out, concat!("flowglass ", env!("CARGO_PKG_VERSION")))?;
        let config = sim.network().config();
        let mut ports = BTreeMap::new();
        for &cable in cables {
            let Some([up, down]) = directions(&config.clos, cable) else {
                continue;
            };
            let rate = config.class(config.clos.describe(up).kind).rate_bps;
            let interface = writer.interface(&Interface {
                name: &cable.to_string(),
                bits_per_second: Some(rate),
                snap_len: options.snap.unwrap_or(0),
                resolution: Resolution::Nanoseconds,
            })?;
            ports.insert(up, (interface, Direction::Outbound));
            ports.insert(down, (interface, Direction::Inbound));
        }
        Ok(Writing {
            writer,
            ports,
            packets: 0,
            left_out: 0,
            most: options.packets,
            last: Time::ZERO,
            snap: options.snap,
        })
    }

    fn is_full(&self) -> bool {
        self.packets >= self.most
    }

    fn add(&mut self, sim: &Sim<Tap>, seen: &Seen) -> io::Result<()> {
        let Some(&(interface, direction)) = self.ports.get(&seen.link) else {
            return Ok(());
        };
        let Ok(bytes) = sim.bytes(seen.link, &seen.packet) else {
            self.left_out += 1;
            return Ok(());
        };
        let kept = self
            .snap
            .map_or(bytes.len(), |snap| bytes.len().min(snap as usize));
        let comment = comment(seen);
        self.packets += 1;
        self.last = seen.at;
        self.writer.packet(&Record {
            interface,
            timestamp: seen.at.0 / 1_000,
            bytes: &bytes[..kept],
            original_len: bytes.len() as u32,
            direction: Some(direction),
            comment: comment.as_deref(),
        })
    }
}

/// What the bytes do not say.
fn comment(seen: &Seen) -> Option<String> {
    let Packet { kind, payload, .. } = seen.packet;
    let mut said = Vec::new();
    if kind == PacketKind::Data && seen.packet.has(flags::TRIMMED) {
        let place = if seen.packet.has(flags::TRIMMED_LAST_HOP) {
            "on the last hop"
        } else {
            "in the fabric"
        };
        said.push(format!("trimmed {place}, {payload} bytes of payload cut off"));
    }
    if let Fate::Dropped(reason) = seen.fate {
        said.push(format!("dropped: {}", reason.name()));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

//! Topologies (`.topo`) of two tiers.
//!
//! Tier 0 are the switches that hosts are attached to (our T0), Tier 1 those above (our T1). `Radix_Down` of
//! a switch counts its links down, `Radix_Up` its links up; the speed of a link belongs to the switch above it.

use super::settings::{Key, Setting, Settings};
use super::text::{FileProblem, FileProblems, Place, check_size, lines, unfinished};
use crate::defaults;
use crate::limits;
use crate::quantity::{Rate, Time};
use crate::schema::{Convergence, Fabric, Queue, Routing};

/// A two-tier topology that has been checked for contradictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// The file's name as the caller gave it.
    pub file: String,
    /// Hosts.
    pub nodes: u32,
    /// T0 switches.
    pub t0: u32,
    /// T1 switches.
    pub t1: u32,
    /// Hosts attached to each T0.
    pub nodes_per_t0: u32,
    /// Rate of a host's link.
    pub nic_link_rate: Rate,
    /// Rate of a T0–T1 link.
    pub t1_link_rate: Rate,
    /// One-way delay of a host's link.
    pub nic_link_delay: Time,
    /// One-way delay of a T0–T1 link.
    pub t1_link_delay: Time,
    /// Time in a switch.
    pub switch_latency: Time,
    /// What the reader should know.
    pub notes: Vec<String>,
    pub(super) speed_at: Place,
}

impl Topology {
    /// The topology as a fabric of one plane with the default queues.
    pub fn fabric(&self) -> Fabric {
        Fabric {
            planes: 1,
            pods: 1,
            t0_per_plane: self.t0,
            t1_per_plane: self.t1,
            t2_per_plane: 0,
            nics_per_t0: self.nodes_per_t0,
            rails: 1,
            nic_link_rate: self.nic_link_rate,
            t1_link_rate: (self.t1_link_rate != self.nic_link_rate).then_some(self.t1_link_rate),
            t2_link_rate: None,
            nic_link_delay: self.nic_link_delay,
            t1_link_delay: self.t1_link_delay,
            t2_link_delay: defaults::link_delay(),
            switch_latency: self.switch_latency,
            queue: Queue::default(),
            routing: Routing::default(),
            convergence: Convergence::default(),
            local_reroute: false,
            pfc: None,
        }
    }
}

/// Reads a topology. `name` is used in messages.
///
/// Spaces, tabs, CRLF, a byte order mark and comments (`#`) are accepted anywhere, keywords in any case.
///
/// # Errors
/// All problems by line, at most [`limits::MAX_PROBLEMS`] one by one: what cannot be understood, what
/// contradicts something else in the file, and what is not supported (three tiers, bundles, queue sizes).
pub fn parse_topology(name: &str, text: &str) -> Result<Topology, Vec<FileProblem>> {
    let mut problems = FileProblems::new(name);
    if !check_size(text, &mut problems) {
        return Err(problems.into_sorted());
    }
    let mut settings = Settings::new(problems);
    for line in lines(text) {
        settings.line(&line);
    }
    settings.build(name, text)
}

impl Settings {
    /// Refuses what a fabric here does not have.
    fn refuse_unsupported(&mut self) {
        for i in 0..self.list.len() {
            let Setting { tier, key, value, at } = self.list[i];
            match key {
                Key::QueueDown | Key::QueueUp => {
                    let reason = format!(
                        "{} is not supported: queues are sized by the plane's BDP",
                        key.name()
                    );
                    self.problems.add(at, reason, "remove the line");
                }
                Key::Bundle if value != 1 => {
                    let reason = format!("Bundle is {value}; expected 1");
                    self.problems
                        .add(at, reason, "several links between two switches are not supported");
                }
                Key::RadixUp if tier == Some(1) => {
                    let hint = "the upper of two tiers has nothing above it";
                    self.problems.add(at, "Tier 1 has a Radix_Up", hint);
                }
                Key::Oversubscribed if tier == Some(1) && value != 1 => {
                    let reason = format!("Tier 1 has Oversubscribed {value}");
                    self.problems
                        .add(at, reason, "the upper of two tiers has nothing above it");
                }
                _ => {}
            }
        }
    }

    fn build(mut self, name: &str, text: &str) -> Result<Topology, Vec<FileProblem>> {
        if let Some(tiers) = self.need(None, Key::Tiers, 0, u64::MAX)
            && tiers.value != 2
        {
            let reason = format!(
                "Tiers is {}, but only two tiers are supported so far",
                tiers.value
            );
            self.problems
                .add(tiers.at, reason, "use a two-tier (leaf-spine) topology");
            return Err(self.problems.into_sorted());
        }
        for tier in [0, 1] {
            if self.tier_place(tier).is_none() {
                self.problems
                    .add(Place::START, format!("there is no `Tier {tier}`"), "");
            }
        }
        if let Some(at) = self.tier_place(2) {
            self.problems.add(
                at,
                "there is a `Tier 2`, but Tiers is 2",
                "two tiers are Tier 0 and Tier 1",
            );
        }
        self.refuse_unsupported();
        let shape = self.shape();
        let links = self.links();
        let notes = self.notes(name, text);
        match (self.problems.is_empty(), shape, links) {
            (true, Some(shape), Some(links)) => Ok(Topology {
                file: name.to_owned(),
                nodes: shape.nodes,
                t0: shape.t0,
                t1: shape.t1,
                nodes_per_t0: shape.nodes_per_t0,
                nic_link_rate: links.nic_rate,
                t1_link_rate: links.t1_rate,
                nic_link_delay: links.nic_delay,
                t1_link_delay: links.t1_delay,
                switch_latency: links.switch_latency,
                notes,
                speed_at: links.speed_at,
            }),
            _ => Err(self.problems.into_sorted()),
        }
    }

    /// Counts of hosts and switches, checked against each other.
    fn shape(&mut self) -> Option<Shape> {
        let (nics, radix) = (limits::NICS, limits::RADIX);
        let (min, max) = (u64::from(*radix.start()), u64::from(*radix.end()));
        let nodes = self.need(None, Key::Nodes, *nics.start(), *nics.end());
        let per_t0 = self.need(Some(0), Key::RadixDown, min, max);
        let up = self.need(Some(0), Key::RadixUp, min, max);
        let t1_down = self.need(Some(1), Key::RadixDown, min, max);
        let (nodes, per_t0, up, t1_down) = (nodes?, per_t0?, up?, t1_down?);
        if let Some(pod) = self.get(None, Key::Podsize)
            && pod.value != nodes.value
        {
            let reason = format!("Podsize is {}, but Nodes is {}", pod.value, nodes.value);
            self.problems
                .add(pod.at, reason, "in two tiers one pod holds every host");
        }
        let t0 = nodes.value / per_t0.value;
        if !nodes.value.is_multiple_of(per_t0.value) {
            let reason = format!(
                "Radix_Down of Tier 0 is {}, which does not divide Nodes ({})",
                per_t0.value, nodes.value
            );
            self.problems.add(
                per_t0.at,
                reason,
                "each Tier 0 switch has the same number of hosts",
            );
            return None;
        }
        if t1_down.value != t0 {
            let reason = format!(
                "Radix_Down of Tier 1 is {}, but there are {t0} Tier 0 switches ({} hosts / {})",
                t1_down.value, nodes.value, per_t0.value
            );
            let hint = format!("each Tier 1 switch has one link to each Tier 0 switch: expected {t0}");
            self.problems.add(t1_down.at, reason, hint);
            return None;
        }
        if t0 > max {
            let reason = format!("makes {t0} Tier 0 switches; expected at most {max}");
            self.problems.add(per_t0.at, reason, "");
            return None;
        }
        Some(Shape {
            nodes: nodes.value as u32,
            t0: t0 as u32,
            t1: up.value as u32,
            nodes_per_t0: per_t0.value as u32,
        })
    }

    /// Rates and times, checked against each other and against the radices.
    fn links(&mut self) -> Option<Links> {
        let (rate, delay) = (limits::RATE, limits::LINK_DELAY);
        let nic_rate = self.need(Some(0), Key::Speed, rate.start().0, rate.end().0);
        let t1_rate = self.need(Some(1), Key::Speed, rate.start().0, rate.end().0);
        let nic_delay = self.need(Some(0), Key::LinkLatency, delay.start().0, delay.end().0);
        let t1_delay = self.need(Some(1), Key::LinkLatency, delay.start().0, delay.end().0);
        let switch_latency = self.switch_latency();
        let (nic_rate, t1_rate) = (nic_rate?, t1_rate?);
        self.check_oversubscription(nic_rate.value, t1_rate.value);
        Some(Links {
            nic_rate: Rate(nic_rate.value),
            t1_rate: Rate(t1_rate.value),
            nic_delay: Time(nic_delay?.value),
            t1_delay: Time(t1_delay?.value),
            switch_latency: switch_latency?,
            speed_at: nic_rate.at,
        })
    }

    /// A fabric here has one switch latency; a tier that says none has 0, as in htsim.
    fn switch_latency(&mut self) -> Option<Time> {
        let lower = self.get(Some(0), Key::SwitchLatency);
        let upper = self.get(Some(1), Key::SwitchLatency);
        let value = |setting: Option<Setting>| setting.map_or(0, |s| s.value);
        let max = limits::SWITCH_LATENCY.end().0;
        for setting in [lower, upper].into_iter().flatten() {
            if setting.value > max {
                let reason = format!("Switch_Latency_ns is above {} ns", max / 1_000);
                self.problems.add(setting.at, reason, "");
                return None;
            }
        }
        if value(lower) != value(upper) {
            let reason = format!(
                "the switch latencies differ: {} in Tier 0, {} in Tier 1",
                Time(value(lower)),
                Time(value(upper))
            );
            let at = upper.or(lower).map_or(Place::START, |s| s.at);
            self.problems.add(
                at,
                reason,
                "only one latency for all switches is supported so far",
            );
            return None;
        }
        Some(Time(value(lower)))
    }

    /// Capacity down must be `Oversubscribed` times the capacity up.
    fn check_oversubscription(&mut self, nic_rate: u64, t1_rate: u64) {
        let radix = |key| self.get(Some(0), key).map(|s| (s.value, s.at));
        let (Some((down, _)), Some((up, up_at))) = (radix(Key::RadixDown), radix(Key::RadixUp)) else {
            return;
        };
        if down == 0 || up == 0 {
            return;
        }
        let given = self.get(Some(0), Key::Oversubscribed);
        let ratio = given.map_or(1, |s| s.value);
        let capacity_down = u128::from(down) * u128::from(nic_rate);
        let capacity_up = u128::from(up) * u128::from(t1_rate);
        if u128::from(ratio).checked_mul(capacity_up) == Some(capacity_down) {
            return;
        }
        let (reason_end, at) = match given {
            Some(s) => (format!("Oversubscribed is {ratio}"), s.at),
            None => ("Oversubscribed is left out, which means 1".to_owned(), up_at),
        };
        let reason = format!(
            "each Tier 0 switch has {down} × {} down and {up} × {} up, but {reason_end}",
            Rate(nic_rate),
            Rate(t1_rate)
        );
        let hint = if capacity_down.is_multiple_of(capacity_up) {
            format!("expected Oversubscribed {}", capacity_down / capacity_up)
        } else {
            "capacity down must be Oversubscribed times the capacity up; correct a speed or a radix"
                .to_owned()
        };
        self.problems.add(at, reason, hint);
    }

    fn notes(&self, name: &str, text: &str) -> Vec<String> {
        let podsize_note =
            || format!("{name}: there is no `Podsize` line; one pod with every host is assumed");
        let podsize = self.get(None, Key::Podsize).is_none().then(podsize_note);
        podsize.into_iter().chain(unfinished(name, text)).collect()
    }
}

struct Shape {
    nodes: u32,
    t0: u32,
    t1: u32,
    nodes_per_t0: u32,
}

struct Links {
    nic_rate: Rate,
    t1_rate: Rate,
    nic_delay: Time,
    t1_delay: Time,
    switch_latency: Time,
    speed_at: Place,
}

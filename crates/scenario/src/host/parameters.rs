//! Where each default comes from.

/// How certain a default is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In the AccelNet or VFP paper, or a summary of it.
    Published,
    /// In public documentation, a standard or source code.
    Documented,
    /// The public record is silent.
    OurChoice,
}

/// A field and where its default comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its path below the scenario, as in `host.nic.l1_entries`; `vm.` stands for any VM.
    pub path: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// How certain its default is.
    pub status: Status,
    /// Where it comes from, or why it was chosen.
    pub source: &'static str,
}

use Status::{Documented, OurChoice, Published};

const fn of(path: &'static str, unit: &'static str, status: Status, source: &'static str) -> Parameter {
    Parameter {
        path,
        unit,
        status,
        source,
    }
}

/// All parameters of [`Host`](super::Host) and [`Vm`](super::Vm) that have a number, and their defaults' sources.
pub const PARAMETERS: &[Parameter] = &[
    of("host.link_rate", "bit/s", Documented, "first generation: 40 GbE"),
    of("host.link_buffer", "bytes", OurChoice, "about 100 µs of the link"),
    of("host.nic.l1_entries", "flows", Published, "2K on the chip"),
    of("host.nic.l1_ways", "ways", Published, "direct-mapped"),
    of(
        "host.nic.l1_replacement",
        "",
        OurChoice,
        "without effect when direct-mapped",
    ),
    of(
        "host.nic.l1_partitions",
        "parts",
        OurChoice,
        "nothing is published that would part it by VM",
    ),
    of(
        "host.nic.hash_key",
        "",
        OurChoice,
        "Toeplitz is published, its key is not",
    ),
    of("host.nic.l2_entries", "flows", Published, "1M in the card's DRAM"),
    of("host.nic.l2_ways", "ways", OurChoice, "believed to be 8"),
    of("host.nic.l2_replacement", "", OurChoice, "least recently used"),
    of(
        "host.nic.l3",
        "",
        OurChoice,
        "none; the public API counts a third level",
    ),
    of(
        "host.nic.l2_access",
        "time",
        OurChoice,
        "a DDR access with its queueing",
    ),
    of(
        "host.nic.l2_accesses_per_second",
        "1/s",
        OurChoice,
        "ten accesses under way at a time",
    ),
    of(
        "host.nic.counter_period",
        "time",
        OurChoice,
        "the public interface has updates by period and gives none",
    ),
    of("host.nic.l3_access", "time", OurChoice, "a read over PCIe"),
    of(
        "host.nic.install_latency",
        "time",
        OurChoice,
        "two writes over PCIe and a completion",
    ),
    of("host.nic.offload", "", Published, "GFT offload is on"),
    of(
        "host.software.cores",
        "cores",
        OurChoice,
        "so that 8 connections reach line rate, as published",
    ),
    of(
        "host.software.exception_cores",
        "cores",
        OurChoice,
        "one vPort takes the exceptions",
    ),
    of(
        "host.software.queue",
        "packets",
        OurChoice,
        "a ring of 1\u{202f}024",
    ),
    of(
        "host.software.packet",
        "time",
        OurChoice,
        "set so that one connection has the published 5 Gb/s",
    ),
    of(
        "host.software.byte",
        "time",
        OurChoice,
        "set so that one connection has the published 5 Gb/s",
    ),
    of(
        "host.software.layer",
        "time",
        OurChoice,
        "set so that a core sets up about 15\u{202f}000 connections/s",
    ),
    of("host.software.rule_step", "time", OurChoice, "a few cache hits"),
    of("host.software.table", "time", OurChoice, "two cache misses"),
    of(
        "host.software.entry",
        "time",
        OurChoice,
        "set so that a core sets up about 15\u{202f}000 connections/s",
    ),
    of(
        "host.software.offload",
        "time",
        OurChoice,
        "set so that a core sets up about 15\u{202f}000 connections/s",
    ),
    of(
        "host.software.copy",
        "time",
        OurChoice,
        "less than a packet that passes",
    ),
    of(
        "host.latency.hardware.mean",
        "time",
        Published,
        "17 µs one way, 4-byte TCP pings",
    ),
    of(
        "host.latency.hardware.p99",
        "time",
        Published,
        "25 µs, the same test",
    ),
    of(
        "host.latency.hardware.p999",
        "time",
        Published,
        "80 µs, the same test",
    ),
    of(
        "host.latency.software.mean",
        "time",
        Published,
        "50 µs, the same test",
    ),
    of(
        "host.latency.software.p99",
        "time",
        Published,
        "about 100 µs, the same test",
    ),
    of(
        "host.latency.software.p999",
        "time",
        Published,
        "about 300 µs, the same test",
    ),
    of(
        "host.tcp.mss",
        "bytes",
        Published,
        "MTU 1\u{202f}500 less 40 bytes of headers",
    ),
    of(
        "host.tcp.window",
        "bytes",
        OurChoice,
        "above the bandwidth-delay product of either path",
    ),
    of("host.tcp.initial_window", "segments", Documented, "RFC 6928"),
    of("host.tcp.min_rto", "time", Documented, "Linux"),
    of("host.tcp.delayed_ack", "time", Documented, "Linux"),
    of("host.tcp.syn_retries", "times", Documented, "Linux"),
    of("host.tcp.retries", "times", Documented, "Linux"),
    of(
        "host.tcp.backlog",
        "connections",
        OurChoice,
        "of the order of common servers",
    ),
    of(
        "host.tcp.backlog_timeout",
        "time",
        Documented,
        "Linux: 5 SYN-ACK retries",
    ),
    of(
        "host.timers.half_open",
        "time",
        Documented,
        "OPTE: 5 s, against SYN floods",
    ),
    of("host.timers.established", "time", Documented, "Azure: 4 minutes"),
    of("host.timers.time_wait", "time", Documented, "OPTE: 120 s"),
    of("host.timers.reset", "time", Documented, "DASH: TTL cut to 5 s"),
    of(
        "host.defences.nic_syn_cookies",
        "",
        OurChoice,
        "off: GFT is not known to have them",
    ),
    of("host.defences.guest_syn_cookies", "", OurChoice, "off"),
    of(
        "host.guard.spoofing",
        "",
        Documented,
        "guard flags of a VFP port; drop reasons",
    ),
    of("host.guard.vf_mac", "", Documented, "SR-IOV NICs: VF spoof check"),
    of(
        "host.guard.tenant",
        "",
        Documented,
        "a VFP port's list of allowed TNIs",
    ),
    of(
        "host.guard.provider",
        "",
        OurChoice,
        "a host would take off an encapsulation that a VM has made",
    ),
    of(
        "host.guard.guest_encap",
        "",
        OurChoice,
        "VMs may run overlays of their own",
    ),
    of("host.guard.iommu", "", Documented, "SR-IOV needs one"),
    of(
        "host.servicing.takeover",
        "time",
        Documented,
        "Linux: VF_TAKEOVER_INT",
    ),
    of(
        "host.servicing.removal",
        "time",
        Documented,
        "a log in Azure's documentation",
    ),
    of("host.servicing.registration", "time", Documented, "the same log"),
    of(
        "host.servicing.failsafe_poll",
        "time",
        Documented,
        "DPDK's failsafe driver",
    ),
    of(
        "vm.tx_ring",
        "packets",
        Documented,
        "Linux: send queue of mlx5, the VF's driver",
    ),
    of("vm.path", "", Published, "accelerated networking"),
    of("vm.policy.filler_rules", "rules", OurChoice, "a tenant's NSGs"),
    of("vm.policy.classifier", "", Published, "chosen by condition"),
    of("vm.policy.meter", "", Published, "a metering layer"),
    of("vm.policy.vnet", "", Published, "VNET encapsulation"),
    of(
        "vm.limits.total",
        "flows",
        Documented,
        "Azure: 500\u{202f}000 in and 500\u{202f}000 out",
    ),
];

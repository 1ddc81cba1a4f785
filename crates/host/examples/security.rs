//! The numbers of docs/security.md, over some seeds: `cargo run --release -p flowglass-host --example security -- 10`.

#![expect(clippy::print_stdout, reason = "it is a command")]

use gft::config::{CacheShape, Replacement};
use gft::probe::{Aim, Probe, prime_and_probe};
use host::attack::AttackResult;
use host::{Counters, Run};
use kernel::Time;
use scenario::host::{GuestEncap, HashKey, HostScenario, Traffic, find_host_preset};

/// Two-sided 95 % points of Student's t for 1 to 30 degrees of freedom.
const T95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Mean and half the width of its 95 % interval.
fn interval(of: &[f64]) -> String {
    let n = of.len() as f64;
    let mean = of.iter().sum::<f64>() / n;
    let variance = of.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    let t = T95[(of.len() - 2).min(T95.len() - 1)];
    format!("{mean:.4} ± {:.4}", t * (variance / n).sqrt())
}

fn preset(slug: &str, change: impl Fn(&mut HostScenario)) -> HostScenario {
    let mut scenario = find_host_preset(slug).expect("a preset").scenario();
    change(&mut scenario);
    scenario
}

fn finish(scenario: &HostScenario, seed: u64) -> Run {
    let mut scenario = scenario.clone();
    scenario.seed = seed;
    let mut run = Run::new(&scenario).expect("a valid preset");
    run.run_until(Time::MAX);
    run
}

/// Attempts, what stopped them, and what got through, over all seeds.
fn outcomes(name: &str, scenario: &HostScenario, seeds: u64) {
    let runs: Vec<Run> = (1..=seeds).map(|seed| finish(scenario, seed)).collect();
    let attacks: Vec<u32> = runs[0].metrics().attacks.keys().copied().collect();
    for traffic in attacks {
        let of = |count: &dyn Fn(&AttackResult) -> u64| -> u64 {
            runs.iter()
                .map(|run| count(&run.metrics().attacks[&traffic]))
                .sum()
        };
        let stopped: Vec<String> = host::Loss::all()
            .map(|why| (why, of(&|result| result.stopped[why.number()])))
            .filter(|&(_, count)| count > 0)
            .map(|(why, count)| format!("{why} {count}"))
            .collect();
        println!(
            "{name} | traffic {traffic} | attempted {} | stopped: {} | through {} | allowed {}, lost {}",
            of(&|result| result.attempted),
            stopped.join(", "),
            of(&|result| result.through),
            of(&|result| result.honest),
            of(&|result| result.honest_lost),
        );
    }
}

fn neighbour(name: &str, scenario: &HostScenario, seeds: u64) {
    let (mut lost, mut opened, mut hardware) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=seeds {
        let run = finish(scenario, seed);
        let [flows, connections] = [0, 1].map(|i| &run.metrics().traffic[i]);
        let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        lost.push(share(flows.lost, flows.packets));
        hardware.push(share(flows.in_hardware, flows.packets));
        opened.push(share(
            connections.connections[Counters::OPENED],
            connections.connections[Counters::BEGUN],
        ));
    }
    println!(
        "{name} | packets of its flows lost {} % | in hardware {} % | connections opened {} %",
        interval(&lost),
        interval(&hardware),
        interval(&opened)
    );
}

/// What a VM feels of a SYN flood at another.
fn beside_a_flood(name: &str, slug: &str, change: impl Fn(&mut HostScenario), seeds: u64) {
    let scenario = preset(slug, |scenario| {
        change(scenario);
        scenario.vms.push(scenario::host::Vm::default());
        let mut own = scenario.traffic[0].clone();
        if let Traffic::Connections { vm, start, .. } = &mut own {
            *vm = 1;
            *start = scenario::Time::ms(150);
        }
        scenario.traffic.push(own);
    });
    let opened: Vec<f64> = (1..=seeds)
        .map(|seed| {
            let [begun, opened, ..] = finish(&scenario, seed).metrics().traffic[2].connections;
            100.0 * opened as f64 / begun.max(1) as f64
        })
        .collect();
    println!("{name} | connections opened {} %", interval(&opened));
}

fn watched(name: &str, scenario: &HostScenario, seeds: u64) {
    let seen: Vec<_> = (1..=seeds)
        .filter_map(|seed| finish(scenario, seed).metrics().attacks[&0].timing)
        .collect();
    let accuracy: Vec<f64> = seen.iter().map(|seen| seen.accuracy()).collect();
    let bits: Vec<f64> = seen.iter().map(|seen| seen.information()).collect();
    println!(
        "{name} | accuracy {} | bits {}",
        interval(&accuracy),
        interval(&bits)
    );
}

fn probed(name: &str, seeds: u64, change: impl Fn(&mut Probe)) {
    let (mut accuracy, mut bits) = (Vec::new(), Vec::new());
    for seed in 1..=seeds {
        let mut probe = Probe {
            config: gft::Config::default(),
            aim: Aim::Set,
            others: 0,
            passes: 1,
            noise: Time::ZERO,
            rounds: 4_000,
            seed,
        };
        probe.config.seed = seed;
        change(&mut probe);
        let seen = prime_and_probe(&probe).expect("a valid experiment");
        accuracy.push(seen.accuracy());
        bits.push(seen.information());
    }
    println!(
        "{name} | accuracy {} | bits {}",
        interval(&accuracy),
        interval(&bits)
    );
}

fn ways(probe: &mut Probe, replacement: Replacement) {
    probe.config.l1 = CacheShape {
        entries: 2_048,
        ways: 8,
        replacement,
    };
    probe.rounds = 1_000;
}

fn main() {
    let seeds: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10);
    let seeds = seeds.clamp(2, 1_000);
    outcomes("spoofing", &preset("host-attack-spoofing", |_| {}), seeds);
    outcomes(
        "spoofing, no vf_mac",
        &preset("host-attack-spoofing", |s| s.host.guard.vf_mac = false),
        seeds,
    );
    outcomes(
        "encapsulation",
        &preset("host-attack-encapsulation", |_| {}),
        seeds,
    );
    outcomes(
        "encapsulation, no provider",
        &preset("host-attack-encapsulation", |s| s.host.guard.provider = false),
        seeds,
    );
    let parse = |s: &mut HostScenario| s.host.guard.guest_encap = GuestEncap::Parse;
    outcomes(
        "encapsulation, parse",
        &preset("host-attack-encapsulation", parse),
        seeds,
    );
    let open = |s: &mut HostScenario| {
        s.host.guard.guest_encap = GuestEncap::Parse;
        s.host.guard.tenant = false;
    };
    outcomes(
        "encapsulation, parse, no tenant",
        &preset("host-attack-encapsulation", open),
        seeds,
    );
    outcomes("dma", &preset("host-attack-dma", |_| {}), seeds);
    outcomes(
        "dma, no iommu",
        &preset("host-attack-dma", |s| s.host.guard.iommu = false),
        seeds,
    );
    neighbour("exhaustion", &preset("host-attack-exhaustion", |_| {}), seeds);
    neighbour(
        "exhaustion, limited",
        &preset("host-attack-exhaustion-limited", |_| {}),
        seeds,
    );
    let idle = |s: &mut HostScenario| s.traffic.truncate(2);
    neighbour(
        "exhaustion, no attacker",
        &preset("host-attack-exhaustion", idle),
        seeds,
    );
    let unpoliced = |s: &mut HostScenario| s.vms[0].limits.exceptions_per_second = None;
    neighbour(
        "a million a second, limited",
        &preset("host-attack-exhaustion-policed", unpoliced),
        seeds,
    );
    neighbour(
        "a million a second, limited and policed",
        &preset("host-attack-exhaustion-policed", |_| {}),
        seeds,
    );
    beside_a_flood("beside a flood", "host-syn-flood", |_| {}, seeds);
    beside_a_flood("beside a flood, 100 ms", "host-syn-flood-limited", |_| {}, seeds);
    let seconds = |s: &mut HostScenario| s.host.timers.half_open = scenario::Time::s(5);
    beside_a_flood("beside a flood, 5 s", "host-syn-flood-limited", seconds, seeds);
    watched(
        "timing in a run",
        &preset("host-attack-cache-timing", |_| {}),
        seeds,
    );
    let secret = |s: &mut HostScenario| s.host.nic.hash_key = HashKey::Secret;
    watched(
        "timing in a run, secret key",
        &preset("host-attack-cache-timing", secret),
        seeds,
    );
    watched(
        "timing in a run, parted",
        &preset("host-attack-cache-timing-parted", |_| {}),
        seeds,
    );
    probed("idle card", seeds, |_| {});
    for others in [64, 512, 2_048] {
        probed(&format!("{others} other packets"), seeds, |p| p.others = others);
    }
    probed("secret key", seeds, |p| {
        p.config.rss_key = gft::secret_key(p.seed)
    });
    probed("secret key, everywhere", seeds, |p| {
        p.config.rss_key = gft::secret_key(p.seed);
        p.aim = Aim::Everywhere;
        p.rounds = 128;
    });
    probed("parted", seeds, |p| p.config.l1_partitions = 2);
    probed("parted, everywhere", seeds, |p| {
        p.config.l1_partitions = 2;
        p.aim = Aim::Everywhere;
        p.rounds = 128;
    });
    probed("8 ways, LRU", seeds, |p| ways(p, Replacement::Lru));
    for passes in [1, 4, 64] {
        probed(&format!("8 ways, random, {passes} passes"), seeds, |p| {
            ways(p, Replacement::Random);
            p.passes = passes;
        });
    }
    for us in [2, 20] {
        probed(&format!("noise of {us} us"), seeds, |p| {
            p.noise = Time::from_us(us)
        });
    }
}

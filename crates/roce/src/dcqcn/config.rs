//! DCQCN's parameters. Each is named here in plain words and beside that as the vendors name it.

/// Alpha and increase periods are at least this long: 1 µs, the unit of the vendors' lists. A shorter one is taken as this.
pub const SHORTEST_PERIOD: u64 = 1_000_000;

/// Which of two published forms of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// SIGCOMM 2015: α rises with each CNP, after the cut, and falls with each period without one. Its memory is never lost.
    Paper,
    /// NVIDIA's and AMD's parameter lists: each period α rises if a CNP came within it, and falls if not. A QP that is back at
    /// line rate is free of its limiter; its next CNP counts as the first.
    Vendor,
}

/// Parameters of reaction and notification point. Rates are bits a second, times are picoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// CNPs are sent and heeded.
    pub enabled: bool,
    /// The form of the algorithm.
    pub rule: Rule,
    /// Rate at which a QP starts, and which it never exceeds (rpg_max_rate 0).
    pub line_rate: u64,
    /// Gain of α, 0 to 1 (g; vendors: 1 − dce_tcp_g / 1024).
    pub g: f64,
    /// α at the first CNP, 0 to 1 (initial_alpha_value / 1024).
    pub initial_alpha: f64,
    /// Time between updates of α (the paper's K; dce_tcp_rtt).
    pub alpha_period: u64,
    /// A cut is to the share 1 − α / `divisor` of the rate (the paper: 2; vendors: 2^(rpg_gd − 10), at least 1).
    pub divisor: f64,
    /// Share of the rate that a cut leaves at least, 0 to 1 (rpg_min_dec_fac).
    pub least_share: f64,
    /// Rate that no cut goes below, at least 1 (rpg_min_rate).
    pub min_rate: u64,
    /// Time between two cuts at least (rate_reduce_monitor_period).
    pub cut_period: u64,
    /// Rate that the first CNP sets instead of a cut; 0: it cuts as all others (rate_to_set_on_first_cnp).
    pub first_rate: u64,
    /// Every cut lowers the target rate to the rate before it; if not, only one that follows an increase does
    /// (clamp_tgt_rate; the paper: always).
    pub clamp_target: bool,
    /// An increase by the timer counts for that, not only one by bytes (clamp_tgt_rate_after_time_inc).
    pub clamp_target_after_timer: bool,
    /// Time between increases (the paper's T; rpg_time_reset).
    pub increase_period: u64,
    /// Bytes on the wire between increases; 0: time alone counts (the paper's B; rpg_byte_reset).
    pub increase_bytes: u64,
    /// Increases of each kind that only halve the distance to the target rate: fast recovery (F; rpg_threshold).
    pub fast_recovery: u32,
    /// Step of the target rate in additive increase (R_AI; rpg_ai_rate).
    pub additive: u64,
    /// Step of the target rate in hyper increase (R_HAI; rpg_hai_rate).
    pub hyper: u64,
    /// Time between two CNPs of a QP at least (the paper's N; min_time_between_cnps).
    pub cnp_interval: u64,
}

const MBPS: u64 = 1_000_000;
const US: u64 = 1_000_000;

impl Config {
    /// The values of SIGCOMM 2015 (§3.1, and its table of parameters), R_AI by the same group's "ECN or Delay" (CoNEXT 2016); R_HAI and the
    /// lowest rate, of which they say nothing, are the vendors'.
    pub fn sigcomm15(line_rate: u64) -> Config {
        Config {
            enabled: true,
            rule: Rule::Paper,
            line_rate,
            g: 1.0 / 256.0,
            initial_alpha: 1.0,
            alpha_period: 55 * US,
            divisor: 2.0,
            least_share: 0.5,
            min_rate: MBPS,
            cut_period: 0,
            first_rate: 0,
            clamp_target: true,
            clamp_target_after_timer: true,
            increase_period: 55 * US,
            increase_bytes: 10_000_000,
            fast_recovery: 5,
            additive: 40 * MBPS,
            hyper: 50 * MBPS,
            cnp_interval: 50 * US,
        }
    }

    /// The defaults of NVIDIA's NICs from ConnectX-4 on ("DCQCN CC Parameters", DOCA documentation; the firmware's own list
    /// says the same). Its byte counter counts units of 64 B.
    pub fn nvidia(line_rate: u64) -> Config {
        Config {
            rule: Rule::Vendor,
            g: 5.0 / 1024.0,
            initial_alpha: 1023.0 / 1024.0,
            alpha_period: US,
            cut_period: 4 * US,
            clamp_target: false,
            increase_period: 300 * US,
            increase_bytes: 32_767 * 64,
            fast_recovery: 1,
            additive: 5 * MBPS,
            hyper: 50 * MBPS,
            cnp_interval: 4 * US,
            ..Config::sigcomm15(line_rate)
        }
    }

    /// The defaults of AMD's Pensando NICs (their Linux driver, `ionic`). The driver has no interval of CNPs; the paper's is
    /// taken.
    pub fn amd(line_rate: u64) -> Config {
        Config {
            alpha_period: 55 * US,
            increase_period: 5 * 55 * US,
            increase_bytes: 131_068,
            fast_recovery: 5,
            cnp_interval: 50 * US,
            ..Config::nvidia(line_rate)
        }
    }
}

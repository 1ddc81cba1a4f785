//! DCQCN's parameters.

use crate::defaults;
use crate::quantity::{Bytes, Rate, Time};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// DCQCN, the congestion control of RoCEv2 (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM
/// 2015). Defaults are that paper's, which were chosen for 40 Gb/s; each field also names the parameter of NVIDIA's NICs
/// ("DCQCN Parameters" in their documentation) and its default there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Dcqcn {
    /// Congestion control at all. Off: each QP sends at line rate.
    #[serde(skip_serializing_if = "defaults::is_dcqcn_enabled")]
    pub enabled: bool,
    /// Which of two published forms of the algorithm.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub rule: DcqcnRule,
    /// Gain of alpha, above 0 and up to 1: it becomes (1 − g) · alpha + g when it rises, (1 − g) · alpha when it falls.
    /// 1/256. Vendor: `dce_tcp_g`, 1019 of 1024 for 1 − g.
    #[serde(skip_serializing_if = "defaults::is_g")]
    pub g: f64,
    /// Alpha before the first CNP, above 0 and up to 1. 1. Vendor: `initial_alpha_value`, 1023 of 1024.
    #[serde(skip_serializing_if = "defaults::is_initial_alpha")]
    pub initial_alpha: f64,
    /// Time between two updates of alpha, 1 µs to 1 s. 55 µs. Vendor: `dce_tcp_rtt`, 1 µs.
    #[serde(skip_serializing_if = "defaults::is_alpha_timer")]
    pub alpha_timer: Time,
    /// Least time between two cuts of the rate, up to 1 s. 0: each CNP cuts it. Vendor: `rate_reduce_monitor_period`, 4 µs.
    #[serde(skip_serializing_if = "defaults::is_default")]
    pub rate_decrease_interval: Time,
    /// A cut leaves the share 1 − alpha / `divisor` of the rate; 1 to 32. 2. Vendor: `rpg_gd`, 11, which stands for 2.
    #[serde(skip_serializing_if = "defaults::is_divisor")]
    pub divisor: f64,
    /// What one cut leaves of the rate at least, 0 to 1. 0.5, which is no bound where the divisor is 2. Vendor: `rpg_min_dec_fac`, 50 %.
    #[serde(skip_serializing_if = "defaults::is_min_decrease_factor")]
    pub min_decrease_factor: f64,
    /// The rate that the first CNP sets, instead of a cut; left out: it cuts like the others. Vendor:
    /// `rate_to_set_on_first_cnp`, 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_on_first_cnp: Option<Rate>,
    /// The least rate, as far as the port is no slower. Vendor: `rpg_min_rate`, 1 Mb/s;
    /// the paper has none.
    #[serde(skip_serializing_if = "defaults::is_min_rate")]
    pub min_rate: Rate,
    /// Each cut sets the target rate to the rate before it, as in the paper. Off: only the first cut after an increase
    /// does. On. Vendor: `clamp_tgt_rate`, off.
    #[serde(skip_serializing_if = "defaults::is_clamp_target_rate")]
    pub clamp_target_rate: bool,
    /// With `clamp_target_rate` off: increases by time count, and not only those by bytes. On. Vendor:
    /// `clamp_tgt_rate_after_time_inc`, on.
    #[serde(skip_serializing_if = "defaults::is_clamp_after_timer")]
    pub clamp_after_timer: bool,
    /// Time without a CNP after which the rate is increased, and again each time, 1 µs to 1 s. 55 µs. Vendor:
    /// `rpg_time_reset`, 300 µs.
    #[serde(skip_serializing_if = "defaults::is_increase_timer")]
    pub increase_timer: Time,
    /// Bytes sent after which the rate is increased, and again each time, 1 KiB to 1 TiB; 0: by time alone. 10 MB. Vendor:
    /// `rpg_byte_reset`, 32767 units of 64 B.
    #[serde(skip_serializing_if = "defaults::is_byte_counter")]
    pub byte_counter: Bytes,
    /// Increases by time, or by bytes, that are fast recovery: halfway to the target rate; 1 to 31. After so many of one
    /// kind the target rate grows by `rate_ai`, after so many of both by `rate_hai`. 5. Vendor: `rpg_threshold`, 1.
    #[serde(skip_serializing_if = "defaults::is_fast_recovery_steps")]
    pub fast_recovery_steps: u32,
    /// Additive increase of the target rate. 40 Mb/s (the same authors' "ECN or Delay", CoNEXT 2016). Vendor: `rpg_ai_rate`, 5 Mb/s.
    #[serde(skip_serializing_if = "defaults::is_rate_ai")]
    pub rate_ai: Rate,
    /// Hyper increase of the target rate. Vendor: `rpg_hai_rate`, 50 Mb/s; the paper does not say.
    #[serde(skip_serializing_if = "defaults::is_rate_hai")]
    pub rate_hai: Rate,
    /// Least time between two CNPs of a QP, up to 1 s; 0: one for each marked packet. 50 µs. Vendor:
    /// `min_time_between_cnps`, 4 µs.
    #[serde(skip_serializing_if = "defaults::is_cnp_interval")]
    pub cnp_interval: Time,
}

/// Which of two published forms of DCQCN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DcqcnRule {
    /// SIGCOMM 2015: alpha rises with each CNP, after the cut, and falls with each `alpha_timer` without one.
    #[default]
    Paper,
    /// The vendors' lists: with each `alpha_timer` alpha rises if a CNP came within it, and falls if not. A QP back at line rate
    /// forgets, and its next CNP is a first one.
    Vendor,
}

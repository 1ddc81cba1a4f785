//! Default values, and which fields a scenario may leave out because they have them.
//!
//! Within a schema version a default never changes: short scenarios and old links keep their meaning.

use crate::quantity::{Bytes, Rate, Time};
use crate::schema::{
    Balancer, Clustermapper, Convergence, Dcqcn, DcqcnRule, Nscc, Pfc, PortStatus, Protocol, Queue, Recovery,
    Roce, Transport,
};
use std::cell::Cell;

/// One-way delay of a link: our choice; with the switch latency about 0.7 µs per hop, which is half of the
/// 1.45 µs that two more switches and fibres add in the MRC paper's latency measurement (arXiv:2605.04333 §5.2).
pub(crate) fn link_delay() -> Time {
    Time::ns(500)
}

/// Time in a switch: our choice, see [`link_delay`].
pub(crate) fn switch_latency() -> Time {
    Time::ns(200)
}

/// Thresholds of the UEC specification v1.0.3 (pp. 418–419), as multiples of the plane's BDP.
impl Default for Queue {
    fn default() -> Self {
        Self {
            ecn_min_bdp: 0.2,
            ecn_max_bdp: 0.8,
            ecn_pmax: 1.0,
            ecn_last_hop: None,
            trim_bdp: 1.0,
            trim_last_hop_bdp: 1.5,
            control_bdp: 1.0,
            trimming: true,
            control_weight: None,
        }
    }
}

/// PMTU: inferred from the MRC paper's 96 % payload efficiency (§5.2.1). EVs: the paper's 128 to 256.
/// MPR and the linear retries: OCP companion API. Window: UET 1.0 NSCC, 1.5 BDP. Ports: the paper's testbed recovers
/// within less than a second. The rest is our choice (the public record is silent).
impl Default for Transport {
    fn default() -> Self {
        Self {
            protocol: Protocol::Mrc,
            qps: 1,
            pmtu: Bytes(4096),
            evs: 128,
            backup_evs: None,
            ev_floor: None,
            balancer: Balancer::Mrc,
            reverse_evs: true,
            sack_every: Bytes(4096),
            message_acks: true,
            mpr: 4096,
            max_wimm: 16,
            rto: None,
            linear_retries: 7,
            exponential_retries: 8,
            reorder_window: None,
            reliability_probe: None,
            probe_interval: Time::us(100),
            probes_to_revive: 2,
            port_detect: Time::ms(300),
            port_remap: Time(0),
            port_status: PortStatus::Update,
            host_latency: Time(0),
            max_window_bdp: 1.5,
            nscc: Nscc::default(),
            rccc: false,
            roce: Box::default(),
        }
    }
}

/// Our choice, within RFC 7938 §7.
impl Default for Convergence {
    fn default() -> Self {
        Self {
            detect: Time::ms(10),
            converge: Time::ms(100),
        }
    }
}

/// Our choice.
impl Default for Pfc {
    fn default() -> Self {
        Self {
            xoff: Bytes(1_000_000),
            xon: None,
            headroom: None,
        }
    }
}

/// Timeout and retries: rdma-core's and perftest's.
impl Default for Roce {
    fn default() -> Self {
        Self {
            recovery: Recovery::GoBackN,
            reorder: 1,
            tracked: 4096,
            window: None,
            ack_every: 1,
            timeout: 14,
            longest_timeout: None,
            retry_count: 7,
            dcqcn: Dcqcn::default(),
        }
    }
}

/// Zhu et al., SIGCOMM 2015, and for the additive increase CoNEXT 2016; the least rate and the hyper increase are NVIDIA's.
impl Default for Dcqcn {
    fn default() -> Self {
        Self {
            enabled: true,
            rule: DcqcnRule::Paper,
            g: 1.0 / 256.0,
            initial_alpha: 1.0,
            alpha_timer: Time::us(55),
            rate_decrease_interval: Time(0),
            divisor: 2.0,
            min_decrease_factor: 0.5,
            rate_on_first_cnp: None,
            min_rate: Rate(1_000_000),
            clamp_target_rate: true,
            clamp_after_timer: true,
            increase_timer: Time::us(55),
            byte_counter: Bytes(10_000_000),
            fast_recovery_steps: 5,
            rate_ai: Rate(40_000_000),
            rate_hai: Rate(50_000_000),
            cnp_interval: Time::us(50),
        }
    }
}

/// UET 1.0 §3.6.13; the delay filter and the idle delay are uet-htsim's.
impl Default for Nscc {
    fn default() -> Self {
        Self {
            enabled: true,
            disable_qa: false,
            target_delay: None,
            base_rtt: None,
            max_cwnd: None,
            gamma: 0.8,
            max_md_jump: 0.5,
            fi: None,
            fi_scale: None,
            eta: None,
            alpha: None,
            qa_gate: 3,
            qa_threshold: None,
            adjust_bytes_threshold: None,
            adjust_period_threshold: None,
            delay_weight: 0.0125,
            idle_delay: Time::us(1),
        }
    }
}

/// Interval and policies: the MRC paper (§3). How many probes make a verdict is our choice.
impl Default for Clustermapper {
    fn default() -> Self {
        Self {
            interval: Time::ms(1),
            t1_probes: None,
            denylist: false,
            degraded_planes: true,
            window: 16,
            threshold: 0.25,
        }
    }
}

thread_local! {
    /// Fields that have their default are written, too: serde gives the functions below nothing but the value.
    static WRITTEN: Cell<bool> = const { Cell::new(false) };
}

/// What `write` writes meanwhile has all fields, those with their default included.
pub(crate) fn written<R>(write: impl FnOnce() -> R) -> R {
    /// Puts it back, whatever happens.
    struct Back(bool);
    impl Drop for Back {
        fn drop(&mut self) {
            WRITTEN.set(self.0);
        }
    }
    let _back = Back(WRITTEN.replace(true));
    write()
}

/// Whether a field is left out; `is_default` says whether it has its default.
fn left_out(is_default: bool) -> bool {
    is_default && !WRITTEN.get()
}

/// True when a value equals its type's default, and is to be left out.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    left_out(*value == T::default())
}

/// One, for counts that multiply.
pub(crate) fn one() -> u32 {
    1
}

pub(crate) fn is_one(value: &u32) -> bool {
    left_out(*value == 1)
}

pub(crate) fn is_one_message(value: &u64) -> bool {
    left_out(*value == 1)
}

pub(crate) fn yes() -> bool {
    true
}

pub(crate) fn is_yes(value: &bool) -> bool {
    left_out(*value)
}

pub(crate) fn is_link_delay(value: &Time) -> bool {
    left_out(*value == link_delay())
}

pub(crate) fn is_switch_latency(value: &Time) -> bool {
    left_out(*value == switch_latency())
}

/// `skip_serializing_if` functions for fields whose default is their owner's, not their type's.
macro_rules! owner_defaults {
    ($($name:ident: $owner:ident.$field:ident: $type:ty;)*) => {$(
        pub(crate) fn $name(value: &$type) -> bool {
            left_out(*value == $owner::default().$field)
        }
    )*};
}

owner_defaults! {
    is_ecn_min: Queue.ecn_min_bdp: f64;
    is_ecn_max: Queue.ecn_max_bdp: f64;
    is_ecn_pmax: Queue.ecn_pmax: f64;
    is_trim: Queue.trim_bdp: f64;
    is_trim_last_hop: Queue.trim_last_hop_bdp: f64;
    is_control: Queue.control_bdp: f64;
    is_trimming: Queue.trimming: bool;
    is_detect: Convergence.detect: Time;
    is_converge: Convergence.converge: Time;
    is_xoff: Pfc.xoff: Bytes;
    is_pmtu: Transport.pmtu: Bytes;
    is_evs: Transport.evs: u32;
    is_reverse_evs: Transport.reverse_evs: bool;
    is_sack_every: Transport.sack_every: Bytes;
    is_message_acks: Transport.message_acks: bool;
    is_mpr: Transport.mpr: u32;
    is_max_wimm: Transport.max_wimm: u32;
    is_linear_retries: Transport.linear_retries: u32;
    is_exponential_retries: Transport.exponential_retries: u32;
    is_probe_interval: Transport.probe_interval: Time;
    is_probes_to_revive: Transport.probes_to_revive: u32;
    is_port_detect: Transport.port_detect: Time;
    is_port_remap: Transport.port_remap: Time;
    is_max_window: Transport.max_window_bdp: f64;
    is_nscc_enabled: Nscc.enabled: bool;
    is_nscc_disable_qa: Nscc.disable_qa: bool;
    is_nscc_gamma: Nscc.gamma: f64;
    is_nscc_max_md_jump: Nscc.max_md_jump: f64;
    is_nscc_qa_gate: Nscc.qa_gate: u32;
    is_nscc_delay_weight: Nscc.delay_weight: f64;
    is_nscc_idle_delay: Nscc.idle_delay: Time;
    is_ack_every: Roce.ack_every: u32;
    is_reorder: Roce.reorder: u32;
    is_tracked: Roce.tracked: u32;
    is_timeout: Roce.timeout: u32;
    is_retry_count: Roce.retry_count: u32;
    is_dcqcn_enabled: Dcqcn.enabled: bool;
    is_g: Dcqcn.g: f64;
    is_initial_alpha: Dcqcn.initial_alpha: f64;
    is_alpha_timer: Dcqcn.alpha_timer: Time;
    is_divisor: Dcqcn.divisor: f64;
    is_min_decrease_factor: Dcqcn.min_decrease_factor: f64;
    is_min_rate: Dcqcn.min_rate: Rate;
    is_clamp_target_rate: Dcqcn.clamp_target_rate: bool;
    is_clamp_after_timer: Dcqcn.clamp_after_timer: bool;
    is_increase_timer: Dcqcn.increase_timer: Time;
    is_byte_counter: Dcqcn.byte_counter: Bytes;
    is_fast_recovery_steps: Dcqcn.fast_recovery_steps: u32;
    is_rate_ai: Dcqcn.rate_ai: Rate;
    is_rate_hai: Dcqcn.rate_hai: Rate;
    is_cnp_interval: Dcqcn.cnp_interval: Time;
    is_mapper_interval: Clustermapper.interval: Time;
    is_mapper_denylist: Clustermapper.denylist: bool;
    is_mapper_degraded_planes: Clustermapper.degraded_planes: bool;
    is_mapper_window: Clustermapper.window: u32;
    is_mapper_threshold: Clustermapper.threshold: f64;
}

//! Default values; [`PARAMETERS`](super::PARAMETERS) says where each comes from. Within a version none ever changes.

use super::machine::{
    Defences, Guard, GuestEncap, HashKey, Host, Latency, Nic, PathLatency, Replacement, Servicing, Software,
    Tcp, Timers,
};
use super::policy::{Classifier, Policy};
use super::vm::{FlowLimits, Path, Vm};
use crate::quantity::{Bytes, Rate, Time};

impl Default for Host {
    fn default() -> Host {
        Host {
            link_rate: Rate::gbps(40),
            link_buffer: Bytes(512 << 10),
            nic: Nic::default(),
            software: Software::default(),
            latency: Latency::default(),
            tcp: Tcp::default(),
            timers: Timers::default(),
            defences: Defences::default(),
            guard: Guard::default(),
            servicing: Servicing::default(),
            sample: None,
        }
    }
}

impl Default for Nic {
    fn default() -> Nic {
        Nic {
            offload: true,
            l1_entries: 2_048,
            l1_ways: 1,
            l1_replacement: Replacement::Lru,
            l1_partitions: 1,
            hash_key: HashKey::Public,
            l2_entries: 1 << 20,
            l2_ways: 8,
            l2_replacement: Replacement::Lru,
            l3: false,
            l2_access: Time::ns(200),
            l2_accesses_per_second: 50_000_000,
            l3_access: Time::us(1),
            install_latency: Time::us(4),
            counter_period: Time::s(1),
        }
    }
}

impl Default for Software {
    fn default() -> Software {
        Software {
            cores: 8,
            exception_cores: 1,
            queue: 1_024,
            packet: Time::ns(1_200),
            byte: Time(350),
            layer: Time::us(2),
            rule_step: Time::ns(20),
            table: Time::ns(200),
            entry: Time::us(5),
            offload: Time::us(8),
            copy: Time::ns(800),
        }
    }
}

impl Default for Latency {
    fn default() -> Latency {
        Latency {
            hardware: PathLatency {
                mean: Time::us(17),
                p99: Time::us(25),
                p999: Time::us(80),
            },
            software: PathLatency {
                mean: Time::us(50),
                p99: Time::us(100),
                p999: Time::us(300),
            },
        }
    }
}

impl Default for Tcp {
    fn default() -> Tcp {
        Tcp {
            mss: 1_460,
            window: Bytes(4 << 20),
            initial_window: 10,
            min_rto: Time::ms(200),
            delayed_ack: Time::ms(40),
            syn_retries: 6,
            retries: 15,
            backlog: 1_024,
            backlog_timeout: Time::s(63),
        }
    }
}

impl Default for Timers {
    fn default() -> Timers {
        Timers {
            half_open: Time::s(5),
            established: Time::s(240),
            time_wait: Time::s(120),
            reset: Time::s(5),
        }
    }
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            filler_rules: 100,
            classifier: Classifier::Auto,
            meter: true,
            vnet: true,
            snat: None,
            nsg: None,
        }
    }
}

impl Default for Vm {
    fn default() -> Vm {
        Vm {
            name: String::new(),
            rate: None,
            tx_ring: 1_024,
            path: Path::Vf,
            policy: Policy::default(),
            limits: FlowLimits::default(),
        }
    }
}

impl Default for FlowLimits {
    fn default() -> FlowLimits {
        FlowLimits {
            total: 1_000_000,
            half_open: None,
            exceptions_per_second: None,
        }
    }
}

impl Default for Guard {
    fn default() -> Guard {
        Guard {
            spoofing: true,
            vf_mac: true,
            tenant: true,
            provider: true,
            guest_encap: GuestEncap::Payload,
            iommu: true,
        }
    }
}

impl Default for Servicing {
    fn default() -> Servicing {
        Servicing {
            takeover: Time::ms(100),
            removal: Time::ms(1_110),
            registration: Time::ms(460),
            failsafe_poll: Time::s(2),
        }
    }
}

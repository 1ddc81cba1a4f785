//! What is done to the host while it runs.

use super::policy::NsgRule;
use crate::quantity::Time;
use serde::{Deserialize, Serialize};

/// A change at a given time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum HostEvent {
    /// A VM's ACL layer is replaced by one with these rules besides its old ones; none: by an equal one. Either way the port's
    /// generation goes up, and every flow is reconciled when its next packet comes.
    PolicyChange {
        /// When.
        at: Time,
        /// Which VM.
        vm: u32,
        /// Rules that are added.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        add: Vec<NsgRule>,
    },
    /// The VF of one VM, or of all where left out, is taken away and comes back.
    VfRevoke {
        /// When the host signals it.
        at: Time,
        /// Which VM.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        vm: Option<u32>,
        /// From the removal of the VF to its return, 1 ms to 1,000 s. Documented: typically 30 s.
        duration: Time,
    },
    /// All VFs go, the FPGA is loaded anew (its tables are empty then), all VFs come back.
    FpgaReconfig {
        /// When the host signals it.
        at: Time,
        /// From the removal of the VFs to their return, 1 ms to 1,000 s. Documented: 30 s typically, 63 s in the one log.
        duration: Time,
        /// How long of it the wire is dead as well, up to `duration`. Our choice: 0, the bridge between NIC and rack switch
        /// goes on.
        #[serde(default)]
        wire_outage: Time,
    },
    /// All VFs go, the host's NIC driver is replaced (the NIC's tables are empty then), all VFs come back.
    DriverUpdate {
        /// When the host signals it.
        at: Time,
        /// From the removal of the VFs to their return, 1 ms to 1,000 s.
        duration: Time,
    },
    /// The VM moves to another host like this one: its VF goes, it stands still, and goes on there with its flow state; the VF
    /// comes back.
    Migrate {
        /// When the host signals it.
        at: Time,
        /// Which VM.
        vm: u32,
        /// How long the VM stands still, 0 to 100 s. Our choice: 200 ms.
        #[serde(default = "blackout")]
        blackout: Time,
        /// Whether VFP's flow state goes with it. Documented as a function of VFP.
        #[serde(default = "yes")]
        carry_state: bool,
    },
    /// VFs of one VM go and come back again and again.
    VfStorm {
        /// When the first goes.
        at: Time,
        /// Which VM.
        vm: u32,
        /// How often, 1 to 10,000. Documented: 900 in an hour.
        count: u32,
        /// Time from one to the next, 1 ms to 1,000 s, above `duration`.
        period: Time,
        /// How long it is away each time, 1 ms to 1,000 s.
        duration: Time,
    },
}

fn blackout() -> Time {
    Time::ms(200)
}
fn yes() -> bool {
    true
}

impl HostEvent {
    /// When.
    pub fn at(&self) -> Time {
        match *self {
            HostEvent::PolicyChange { at, .. }
            | HostEvent::VfRevoke { at, .. }
            | HostEvent::FpgaReconfig { at, .. }
            | HostEvent::DriverUpdate { at, .. }
            | HostEvent::Migrate { at, .. }
            | HostEvent::VfStorm { at, .. } => at,
        }
    }

    /// The same at another time.
    #[must_use]
    pub fn at_time(&self, time: Time) -> HostEvent {
        let mut event = self.clone();
        match &mut event {
            HostEvent::PolicyChange { at, .. }
            | HostEvent::VfRevoke { at, .. }
            | HostEvent::FpgaReconfig { at, .. }
            | HostEvent::DriverUpdate { at, .. }
            | HostEvent::Migrate { at, .. }
            | HostEvent::VfStorm { at, .. } => *at = time,
        }
        event
    }

    /// Its kind as JSON spells it.
    pub fn name(&self) -> &'static str {
        match self {
            HostEvent::PolicyChange { .. } => "policy_change",
            HostEvent::VfRevoke { .. } => "vf_revoke",
            HostEvent::FpgaReconfig { .. } => "fpga_reconfig",
            HostEvent::DriverUpdate { .. } => "driver_update",
            HostEvent::Migrate { .. } => "migrate",
            HostEvent::VfStorm { .. } => "vf_storm",
        }
    }
}

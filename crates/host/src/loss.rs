//! Why packets are lost.

use std::fmt;
use vfp::DropReason;

/// Why a packet did not arrive. Besides VFP's reasons these have the names of NDIS where it has one (facts 1.2); the others
/// are ours and say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// VFP dropped it.
    Vfp(DropReason),
    /// The queue of a vSwitch core was full.
    Resources,
    /// The wire was dead while the FPGA was loaded, or the VM stood still.
    NotReady,
    /// A policer of the SmartNIC dropped a SYN, or an exception.
    StormLimit,
    /// The buffer before the link was full.
    QoS,
    /// The buffer of the SmartNIC's pipeline was full (our name).
    PipelineBufferFull,
    /// The headers do not allow what the entry does (our name).
    TransposeFailed,
    /// It was on its way to or from a VF that went (our name).
    VfRemoved,
    /// It came by the synthetic path to a guest whose driver polls the VF alone (our name).
    UnseenByDriver,
    /// The guest had no device to send with (our name).
    NoDevice,
    /// It came over a VF with another source MAC address than the VF's (our name).
    VfMacSpoofing,
    /// Its descriptor was beyond the memory that the IOMMU lets the VF reach (our name).
    IommuFault,
    /// The vNIC's transmit ring was full (our name).
    TxRingFull,
    /// So many packets were under way that the simulator takes no more (our name):
    /// [`MOST_PACKETS`](crate::MOST_PACKETS).
    TooManyUnderWay,
}

/// VFP's reasons and ours.
pub const LOSSES: usize = DropReason::ALL.len() + 13;

impl Loss {
    /// All, by number.
    pub fn all() -> impl Iterator<Item = Loss> {
        let own = [
            Loss::Resources,
            Loss::NotReady,
            Loss::StormLimit,
            Loss::QoS,
            Loss::PipelineBufferFull,
            Loss::TransposeFailed,
            Loss::VfRemoved,
            Loss::UnseenByDriver,
            Loss::NoDevice,
            Loss::VfMacSpoofing,
            Loss::IommuFault,
            Loss::TxRingFull,
            Loss::TooManyUnderWay,
        ];
        DropReason::ALL.into_iter().map(Loss::Vfp).chain(own)
    }

    /// Its number, below [`LOSSES`].
    pub const fn number(self) -> usize {
        let own = match self {
            Loss::Vfp(reason) => return reason as usize,
            Loss::Resources => 0,
            Loss::NotReady => 1,
            Loss::StormLimit => 2,
            Loss::QoS => 3,
            Loss::PipelineBufferFull => 4,
            Loss::TransposeFailed => 5,
            Loss::VfRemoved => 6,
            Loss::UnseenByDriver => 7,
            Loss::NoDevice => 8,
            Loss::VfMacSpoofing => 9,
            Loss::IommuFault => 10,
            Loss::TxRingFull => 11,
            Loss::TooManyUnderWay => 12,
        };
        DropReason::ALL.len() + own
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Loss::Vfp(DropReason::Resources) => "VFP Resources",
            Loss::Vfp(reason) => reason.name(),
            Loss::Resources => "Resources",
            Loss::NotReady => "NotReady",
            Loss::StormLimit => "StormLimit",
            Loss::QoS => "QoS",
            Loss::PipelineBufferFull => "PipelineBufferFull",
            Loss::TransposeFailed => "TransposeFailed",
            Loss::VfRemoved => "VfRemoved",
            Loss::UnseenByDriver => "UnseenByDriver",
            Loss::NoDevice => "NoDevice",
            Loss::VfMacSpoofing => "VfMacSpoofing",
            Loss::IommuFault => "IommuFault",
            Loss::TxRingFull => "TxRingFull",
            Loss::TooManyUnderWay => "TooManyUnderWay",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_and_names_are_unique() {
        let all: Vec<Loss> = Loss::all().collect();
        assert_eq!(all.len(), LOSSES);
        assert!(all.iter().enumerate().all(|(i, loss)| loss.number() == i));
        assert_eq!(
            all.iter().map(|l| l.name()).collect::<BTreeSet<_>>().len(),
            LOSSES
        );
    }
}

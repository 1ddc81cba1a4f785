//! VXLAN, GRE and NVGRE.

use super::Walk;
use crate::ethernet::{ETHERTYPE_IPV4, ETHERTYPE_IPV6};
use crate::gre::PROTOCOL_TYPE_ETHERNET;
use crate::{Gre, GreChecksum, GreKey, GreSequence, Header, NvgreKey, Vxlan, WireError};

impl Walk<'_> {
    pub(super) fn vxlan(&mut self) -> Result<(), WireError> {
        let vxlan: Vxlan = self.header(Vxlan::NAME)?;
        self.summary(format!("VNI {}", vxlan.vni));
        self.nested(Self::ethernet)
    }

    pub(super) fn gre(&mut self) -> Result<(), WireError> {
        let gre: Gre = self.header(Gre::NAME)?;
        if gre.checksum_present {
            self.header::<GreChecksum>(GreChecksum::NAME)?;
        }
        let ethernet = gre.protocol_type == PROTOCOL_TYPE_ETHERNET;
        if gre.key_present && ethernet {
            let key: NvgreKey = self.header(NvgreKey::NAME)?;
            self.summary(format!("VSID {}", key.vsid));
        } else if gre.key_present {
            let key: GreKey = self.header(GreKey::NAME)?;
            self.summary(format!("key {}", key.key));
        }
        if gre.sequence_present {
            self.header::<GreSequence>(GreSequence::NAME)?;
        }
        match gre.protocol_type {
            PROTOCOL_TYPE_ETHERNET => self.nested(Self::ethernet),
            ETHERTYPE_IPV4 => self.nested(Self::ipv4),
            ETHERTYPE_IPV6 => self.nested(Self::ipv6),
            _ => self.data(),
        }
    }
}

//! Priority flow control.

use crate::defaults;
use crate::quantity::Bytes;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Priority flow control (IEEE 802.1Qbb) of the data class: each switch counts what waits in it of each port's data, and
/// pauses who sends on that port before it has to drop. Data is then lossless: it is neither trimmed nor dropped at the end
/// of a queue, but only where more than `xoff` + `headroom` of one port's waits. The control class is never paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, DocumentedFields)]
#[serde(deny_unknown_fields, default)]
pub struct Pfc {
    /// Above this a port's sender is paused: two PMTUs to 1 GiB. Our choice: 1 MB. Switches share their buffer and lower
    /// the threshold as it fills: published is 1/16 of what is free (Guo et al., SIGCOMM 2016).
    #[serde(skip_serializing_if = "defaults::is_xoff")]
    pub xoff: Bytes,
    /// From this on down the sender may go on, at most `xoff`. Left out: `xoff` less two PMTUs (our choice; the Linux
    /// driver mlx5 has one below, uet-htsim three).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xon: Option<Bytes>,
    /// Room for what still comes in after a pause was asked for, up to 1 GiB. Left out: what rate, delay and packet size
    /// of the port's link make necessary, so that nothing is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<Bytes>,
}

impl Pfc {
    /// Where a paused sender may go on, where that is left out too. `pmtu` is the transport's.
    pub const fn xon_or_default(&self, pmtu: Bytes) -> Bytes {
        match self.xon {
            Some(xon) => xon,
            None => Bytes(self.xoff.0.saturating_sub(pmtu.0.saturating_mul(2))),
        }
    }
}

//! A weight for the control class instead of strict priority. (UEC v1.0.3 gives trimmed packets 25 % of the line by weighted deficit
//! round robin, and at most 50 %; facts 3.5.)
//!
//! While packets of both classes wait, control gets its weight w of the bytes and data the rest. A control packet of s bytes reserves
//! s / w bytes of the line, itself included: the next one may go when so many have been sent. A port keeps the number of sent bytes at
//! which that is, and nothing needs to be done for data packets. What was not reserved for a while may be made up for, as far as the
//! longest packet goes, since a data packet is not cut in two. So of any n bytes that are sent while data waits, control has at most
//! w · (n + [`DEPTH`]) and a packet. Where no data waits control has the line to itself and reserves nothing. (The rule is our choice, and differs
//! from deficit round robin by less than a packet.)

use crate::common::Common;
use crate::part::{Line, Part};
use crate::port::Port;
use crate::span::Span;

/// Longer than any packet: 9,216 B of payload with headers.
const DEPTH: u64 = 10_000;

// The whole line, as weights count it.
const WHOLE: u64 = 1 << 16;

/// For each port of a part, bytes sent when control may go again; empty where all kinds of links give strict priority.
pub(crate) fn turns(common: &Common, span: &Span) -> Vec<u64> {
    let mut classes = common.config.classes.iter();
    let is_weighted = classes.any(|class| class.control_weight > 0);
    vec![0; if is_weighted { span.ports() as usize } else { 0 }]
}

impl Part {
    /// Whether the control packet at the head of its queue goes next, before the data that waits. If it does, its reservation is made.
    #[inline(never)]
    pub(crate) fn takes_controls_turn(&mut self, common: &Common, port: &Port, line: &Line<'_>) -> bool {
        let Some(packet) = self.control.front(port.control) else {
            return false;
        };
        if port.data.is_empty() {
            return true;
        }
        let turn = &mut self.turns[common.port_of(line.link).1 as usize];
        if port.tx_bytes < *turn {
            return false;
        }
        let reserved = (u64::from(packet.size) * WHOLE).div_ceil(u64::from(line.class.control_weight));
        *turn = (*turn).max(port.tx_bytes.saturating_sub(DEPTH)) + reserved;
        true
    }
}

#[cfg(test)]
mod tests;

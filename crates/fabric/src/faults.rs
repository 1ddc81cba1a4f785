//! Links and switches that fail and come back. Between windows only: every line has been served up to just before.

use crate::clos::LinkKind;
use crate::common::Common;
use crate::counters::DropReason;
use crate::hazards::OnLink;
use crate::network::{Network, Observer};
use crate::packet::{Control, Data};
use crate::part::Part;
use crate::port::state;
use kernel::rng::threshold;
use kernel::{Fifo, Time};

/// Why a fault could not be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No such link.
    NoSuchLink,
    /// No such switch.
    NoSuchSwitch,
}

/// Where a directed link starts and ends: a part and a port in it, each.
struct Ends {
    from: (usize, usize),
    to: (usize, usize),
}

fn ends(common: &Common, link: u32) -> Ends {
    let (part, port) = common.port_of(link);
    let (far_part, far_port) = common.port_of(common.clos().reverse(link));
    Ends {
        from: (part, port as usize),
        to: (far_part, far_port as usize),
    }
}

impl Network {
    /// Takes a directed link down: what waits for it, is in service or on the wire is lost. A switch drops at once
    /// what it would send into it; a NIC goes on sending into it until its endpoint knows better.
    pub fn link_down<O: Observer>(&mut self, watcher: &mut O, link: u32, now: Time) -> Result<(), Refusal> {
        self.check_link(link)?;
        let ends = ends(self.common(), link);
        if self.port(link).is(state::DOWN) {
            return Ok(());
        }
        self.lose_queue(ends.from, now);
        let parts = self.split_mut().1;
        let port = &mut parts[ends.from.0].ports[ends.from.1];
        let (control, data) = (port.control, port.data);
        (port.control, port.data) = (Fifo::EMPTY, Fifo::EMPTY);
        (port.data_bytes, port.control_bytes) = (0, 0);
        port.state = port.state & !(state::BUSY | state::SERVING_CONTROL) | state::DOWN;
        port.free_at = port.free_at.min(now.0);
        let far = &mut parts[ends.to.0].ports[ends.to.1];
        let (control_in, data_in) = (far.control_in, far.data_in);
        (far.control_in, far.data_in) = (Fifo::EMPTY, Fifo::EMPTY);
        let mut discard = |part: &mut Part, data: Fifo, control: Fifo| {
            part.discard_all::<Data, O>(watcher, link, data, now.0, DropReason::LinkDown);
            part.discard_all::<Control, O>(watcher, link, control, now.0, DropReason::LinkDown);
        };
        discard(&mut parts[ends.to.0], data_in, control_in);
        discard(&mut parts[ends.from.0], data, control);
        self.forget_pause(watcher, ends.from, ends.to, now);
        Ok(())
    }

    /// Brings a directed link back.
    pub fn link_up(&mut self, link: u32) -> Result<(), Refusal> {
        self.check_link(link)?;
        let (common, parts) = self.split_mut();
        let ends = ends(common, link);
        parts[ends.from.0].ports[ends.from.1].state &= !state::DOWN;
        Ok(())
    }

    /// Sets the probability (0 to 1) with which a packet that crosses a directed link is lost.
    pub fn link_loss(&mut self, link: u32, rate: f64) -> Result<(), Refusal> {
        self.change_hazard(link, |hazard| hazard.loss = threshold(rate))
    }

    /// Sets the probability (0 to 1) with which a packet that crosses a directed link is damaged; the far end's check of the
    /// frame finds out and drops it.
    pub fn link_corrupt(&mut self, link: u32, rate: f64) -> Result<(), Refusal> {
        self.change_hazard(link, |hazard| hazard.damage = threshold(rate))
    }

    fn change_hazard(&mut self, link: u32, change: impl FnOnce(&mut OnLink)) -> Result<(), Refusal> {
        self.check_link(link)?;
        let (common, parts) = self.split_mut();
        let mut hazard = common.hazards.on_link(link);
        change(&mut hazard);
        common.hazards.set_link(link, hazard);
        threaten(common, parts, link);
        Ok(())
    }

    /// Sets the probability (0 to 1) with which a packet is lost on each directed link of a kind, beside what is set for the
    /// link itself.
    pub fn kind_loss(&mut self, kind: LinkKind, rate: f64) {
        let (common, parts) = self.split_mut();
        common.hazards.set_kind(kind, threshold(rate));
        for link in common.clos().links_of_kind(kind) {
            threaten(common, parts, link);
        }
    }

    /// Sets the probability (0 to 1) with which a switch damages a packet that it forwards. The frame is sent with a right check
    /// sequence, so only the NIC that receives it finds out, by the iCRC.
    pub fn switch_corrupt(&mut self, switch: u16, rate: f64) -> Result<(), Refusal> {
        self.links_of(switch)?;
        self.split_mut().0.hazards.set_switch(switch, threshold(rate));
        Ok(())
    }

    /// Kills a switch: its queues are lost and so is whatever reaches it. What its ports have begun to send still
    /// leaves. Its neighbours notice nothing.
    pub fn switch_down<O: Observer>(
        &mut self,
        watcher: &mut O,
        switch: u16,
        now: Time,
    ) -> Result<(), Refusal> {
        let out = self.links_of(switch)?;
        if self.is_dead(switch) {
            return Ok(());
        }
        for &link in &out {
            let ends = ends(self.common(), link);
            self.lose_port(watcher, ends.from, ends.to, now);
        }
        let (common, parts) = self.split_mut();
        common.dead.push(switch);
        for link in out {
            set(common, parts, common.clos().reverse(link), state::TO_DEAD, true);
            let (number, at) = ends(common, link).from;
            let part = &mut parts[number];
            let mut port = part.ports[at];
            let (data, control) = (port.data, port.control);
            (port.data, port.control) = (Fifo::EMPTY, Fifo::EMPTY);
            (port.data_bytes, port.control_bytes) = (0, 0);
            if port.is(state::SERVING_CONTROL) {
                port.control_bytes = u32::from(port.serving);
            } else if port.is(state::BUSY) {
                port.data_bytes = u32::from(port.serving);
            }
            part.ports[at] = port;
            part.discard_all::<Control, O>(watcher, link, control, now.0, DropReason::SwitchDead);
            part.discard_all::<Data, O>(watcher, link, data, now.0, DropReason::SwitchDead);
        }
        Ok(())
    }

    /// Revives a switch.
    pub fn switch_up(&mut self, switch: u16) -> Result<(), Refusal> {
        for link in self.links_of(switch)? {
            let (common, parts) = self.split_mut();
            let back = common.clos().reverse(link);
            set(common, parts, back, state::TO_DEAD, false);
            let ends = ends(common, back);
            self.tell_again(ends.from);
        }
        self.split_mut().0.dead.retain(|&s| s != switch);
        Ok(())
    }

    fn check_link(&self, link: u32) -> Result<(), Refusal> {
        if link < self.config().clos.links() {
            Ok(())
        } else {
            Err(Refusal::NoSuchLink)
        }
    }

    /// The directed links that leave a switch; see [`Clos::links_from`](crate::Clos::links_from).
    pub fn links_of(&self, switch: u16) -> Result<Vec<u32>, Refusal> {
        let links = self.config().clos.links_from(switch);
        links.ok_or(Refusal::NoSuchSwitch)
    }
}

/// Brings the LOSSY bit of a directed link up to date.
fn threaten(common: &Common, parts: &mut [Part], link: u32) {
    let on = common.hazards.threatens(link, common.clos().describe(link).kind);
    set(common, parts, link, state::LOSSY, on);
}

/// Sets or clears a bit (LOSSY or TO_DEAD) of a directed link at its two ends.
fn set(common: &Common, parts: &mut [Part], link: u32, bit: u8, on: bool) {
    let ends = ends(common, link);
    for ((part, port), bit) in [(ends.from, bit), (ends.to, bit << state::TO_IN)] {
        let state = &mut parts[part].ports[port].state;
        *state = if on { *state | bit } else { *state & !bit };
    }
}

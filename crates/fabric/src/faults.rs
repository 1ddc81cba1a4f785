//! Links and switches that fail and come back.

use crate::counters::DropReason;
use crate::network::{Network, Observer};
use crate::port::{Fifo, state};
use crate::usid;
use kernel::Time;
use kernel::rng::threshold;

/// Why a fault could not be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No such link.
    NoSuchLink,
    /// No such switch.
    NoSuchSwitch,
}

impl Network {
    /// Takes a directed link down: what waits for it, is in service or on the wire is lost. A switch drops at once
    /// what it would send into it; a NIC goes on sending into it until its endpoint knows better.
    pub fn link_down<O: Observer>(&mut self, watcher: &mut O, link: u32, now: Time) -> Result<(), Refusal> {
        self.check_link(link)?;
        self.settle(link, now);
        let port = &mut self.ports[link as usize];
        if port.is(state::DOWN) {
            return Ok(());
        }
        let lists = [port.wire, port.control, port.data];
        (port.wire, port.control, port.data) = (Fifo::EMPTY, Fifo::EMPTY, Fifo::EMPTY);
        (port.data_bytes, port.control_bytes) = (0, 0);
        port.state = port.state & !state::BUSY | state::DOWN;
        port.free_at = port.free_at.min(now.0);
        for list in lists {
            self.discard_all(watcher, link, list, now, DropReason::LinkDown);
        }
        Ok(())
    }

    /// Brings a directed link back.
    pub fn link_up(&mut self, link: u32, now: Time) -> Result<(), Refusal> {
        self.check_link(link)?;
        self.settle(link, now);
        self.ports[link as usize].state &= !state::DOWN;
        Ok(())
    }

    /// Sets the probability (0 to 1) with which a packet that crosses a directed link is lost.
    pub fn link_loss(&mut self, link: u32, rate: f64) -> Result<(), Refusal> {
        self.check_link(link)?;
        let port = &mut self.ports[link as usize];
        if rate > 0.0 {
            port.state |= state::LOSSY;
            self.losses.insert(link, threshold(rate));
        } else {
            port.state &= !state::LOSSY;
            self.losses.remove(&link);
        }
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
        self.dead.push(switch);
        for link in out {
            self.settle(link, now);
            self.ports[self.config.clos.reverse(link) as usize].state |= state::TO_DEAD;
            let port = &mut self.ports[link as usize];
            let lists = [port.control, port.data];
            (port.control, port.data) = (Fifo::EMPTY, Fifo::EMPTY);
            (port.data_bytes, port.control_bytes) = (0, 0);
            if port.is(state::BUSY)
                && let Some(serving) = port.wire.tail()
            {
                let packet = &self.packets[serving];
                let bytes = u32::from(packet.size);
                *(if packet.is_control() {
                    &mut port.control_bytes
                } else {
                    &mut port.data_bytes
                }) = bytes;
            }
            for list in lists {
                self.discard_all(watcher, link, list, now, DropReason::SwitchDead);
            }
        }
        Ok(())
    }

    /// Revives a switch.
    pub fn switch_up(&mut self, switch: u16) -> Result<(), Refusal> {
        for link in self.links_of(switch)? {
            self.ports[self.config.clos.reverse(link) as usize].state &= !state::TO_DEAD;
        }
        self.dead.retain(|&s| s != switch);
        Ok(())
    }

    fn discard_all<O: Observer>(
        &mut self,
        watcher: &mut O,
        link: u32,
        list: Fifo,
        now: Time,
        reason: DropReason,
    ) {
        let handles: Vec<u32> = list.iter(&self.packets).collect();
        for handle in handles {
            self.discard(watcher, link, handle, now, reason);
        }
    }

    fn check_link(&self, link: u32) -> Result<(), Refusal> {
        if link < self.config.clos.links() {
            Ok(())
        } else {
            Err(Refusal::NoSuchLink)
        }
    }

    /// The links that leave a switch.
    pub fn links_of(&self, switch: u16) -> Result<Vec<u32>, Refusal> {
        let clos = &self.config.clos;
        let (plane, index) = (usid::plane(switch), usid::index(switch));
        if plane >= clos.planes {
            return Err(Refusal::NoSuchSwitch);
        }
        match usid::tier(switch) {
            usid::T0 if index < clos.t0s => {
                let ups = (0..clos.t1s).map(|t1| clos.up(plane, index, t1));
                let first = index * clos.nics_per_t0;
                let downs = (first..first + clos.nics_per_t0).map(|nic| clos.nic_down(plane, nic));
                Ok(ups.chain(downs).collect())
            }
            usid::T1 if index < clos.t1s => Ok((0..clos.t0s).map(|t0| clos.down(plane, index, t0)).collect()),
            _ => Err(Refusal::NoSuchSwitch),
        }
    }
}

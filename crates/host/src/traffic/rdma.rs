//! RDMA over the VF, as far as its fate in servicing goes: messages in parts, a window, acknowledgments, and an end of the QP when
//! the VF goes.

use super::Kind;
use crate::addresses as at;
use crate::conn::Pipe;
use crate::event::{End, Event};
use crate::metrics::MarkKind;
use crate::packet::{Owner, Packet, UDP_HEADERS};
use crate::policy::from_peer;
use crate::run::{Run, domain, side};
use gft::{Direction, Headers, Protocol, Tuple};
use kernel::Time;
use kernel::rng::key;
use scenario::host::{From, Traffic};

/// Payload of a part: a path MTU of RoCEv2.
const PART: u64 = 1_024;
/// BTH and invariant CRC of RoCEv2, beside IP and UDP.
const ROCE: u32 = 12 + 4;
/// Parts under way at most; our choice.
const WINDOW: u64 = 256;
/// Parts for each acknowledgment; our choice.
const ACK_EVERY: u64 = 16;
/// RoCEv2's port.
const PORT: u16 = 4_791;

/// The application and its QP.
#[derive(Clone, Debug)]
pub(crate) struct Rdma {
    message: u64,
    // Which QP this is; packets of others are of the past.
    serial: u32,
    open: bool,
    // The vNIC is full; an event is due when it has room.
    waiting: bool,
    sent: u64,
    acknowledged: u64,
    received: u64,
    pipes: [Pipe; 2],
}

impl Rdma {
    pub fn new(message: u64) -> Rdma {
        Rdma {
            message,
            serial: 0,
            open: false,
            waiting: false,
            sent: 0,
            acknowledged: 0,
            received: 0,
            pipes: [Pipe::default(); 2],
        }
    }
}

impl Run {
    fn rdma(&mut self, traffic: u32) -> Option<&mut Rdma> {
        match &mut self.apps.get_mut(traffic as usize)?.kind {
            Kind::Rdma(rdma) => Some(rdma),
            _ => None,
        }
    }

    pub(super) fn rdma_open(&mut self, traffic: u32) {
        let vm = self.scenario.traffic[traffic as usize].vm();
        if !self.vms[vm as usize].devices.has_vf() {
            self.rdma_fall_back(traffic);
            return;
        }
        if let Some(rdma) = self.rdma(traffic) {
            rdma.open = true;
        }
        let now = self.now;
        self.metrics.mark(now, Some(vm), MarkKind::Qp(true));
        self.rdma_pump(traffic);
    }

    fn rdma_pump(&mut self, traffic: u32) {
        let vm = self.scenario.traffic[traffic as usize].vm();
        while let Some(rdma) = self.rdma(traffic) {
            let room = rdma.open && rdma.sent < rdma.acknowledged + WINDOW;
            if !room {
                return;
            }
            let vnic = &mut self.vms[vm as usize].vnics[0];
            vnic.settle(self.now);
            if !vnic.has_room(self.now) {
                let at = vnic.room_at();
                let Some(rdma) = self.rdma(traffic) else { return };
                let serial = rdma.serial;
                if !std::mem::replace(&mut rdma.waiting, true) {
                    self.at(at, Event::Rdma { traffic, serial });
                }
                return;
            }
            self.rdma_send(traffic, vm, Direction::Out);
        }
    }

    /// Sends the next part, or an acknowledgment of all that was received.
    fn rdma_send(&mut self, traffic: u32, vm: u32, direction: Direction) {
        let now = self.now;
        let pa = self.vms[vm as usize].pa;
        let vnet = self.scenario.vms[vm as usize].policy.vnet;
        let pipe_key = key(
            self.scenario.seed,
            domain::PIPES,
            1 << 63 | u64::from(traffic) << 1 | side(direction) as u64,
        );
        let Some(rdma) = self.rdma(traffic) else { return };
        let tuple = Tuple {
            src: at::vm(vm),
            dst: at::peer(0),
            // The entropy of a QP's source port, another for each QP.
            src_port: 0xc000 + traffic as u16 % 64 * 256 + rdma.serial as u16 % 256,
            dst_port: PORT,
            protocol: Protocol::UDP,
        };
        let (headers, payload, number) = match direction {
            Direction::Out => {
                let headers = Headers {
                    src_mac: at::vm_mac(vm),
                    dst_mac: at::ROUTER_MAC,
                    tuple,
                    ttl: 64,
                    ..Headers::default()
                };
                let parts = rdma.message.div_ceil(PART);
                let last = (rdma.sent + 1).is_multiple_of(parts);
                let payload = if last {
                    rdma.message - (parts - 1) * PART
                } else {
                    PART
                };
                rdma.sent += 1;
                (headers, payload as u32, rdma.sent)
            }
            Direction::In => (
                from_peer(tuple.reversed(), vm, Some(0), vnet, pa),
                0,
                rdma.received,
            ),
        };
        let owner = Owner::Rdma {
            traffic,
            serial: rdma.serial,
        };
        let bits = rdma.pipes[side(direction)].draw(now, pipe_key);
        let mut packet = Packet::new(owner, vm, direction, headers, UDP_HEADERS + ROCE + payload, now);
        packet.segment.seq = number;
        packet.segment.len = payload;
        packet.bits = bits;
        match direction {
            Direction::Out => self.guest_sends(packet),
            Direction::In => self.peer_sends(packet),
        }
    }

    pub(crate) fn rdma_pipe(&mut self, traffic: u32, direction: Direction) -> Option<&mut Pipe> {
        self.rdma(traffic).map(|rdma| &mut rdma.pipes[side(direction)])
    }

    pub(crate) fn rdma_arrival(&mut self, traffic: u32, serial: u32, end: End, packet: &Packet) {
        let vm = packet.vm;
        let Some(rdma) = self
            .rdma(traffic)
            .filter(|rdma| rdma.open && rdma.serial == serial)
        else {
            return;
        };
        if end == End::Guest {
            rdma.acknowledged = rdma.acknowledged.max(packet.segment.seq);
            self.rdma_pump(traffic);
            return;
        }
        // The first packets of a flow go through the vSwitch and may be overtaken: what is early is not counted twice.
        rdma.received += 1;
        let due = rdma.received.is_multiple_of(ACK_EVERY) || rdma.received == rdma.sent;
        self.metrics.traffic[traffic as usize].delivered += u64::from(packet.segment.len);
        if due {
            self.rdma_send(traffic, vm, Direction::In);
        }
    }

    /// The vNIC has room again, or it is time to go on with TCP.
    pub(crate) fn rdma_timer(&mut self, traffic: u32, serial: u32) {
        let Some(rdma) = self.rdma(traffic).filter(|rdma| rdma.serial == serial) else {
            return;
        };
        if rdma.open {
            rdma.waiting = false;
            self.rdma_pump(traffic);
        } else {
            let vm = self.scenario.traffic[traffic as usize].vm();
            self.open_plain(traffic, vm, From::Vm);
        }
    }

    /// A part or an acknowledgment is lost: the QP is in error, as nothing is sent again here (our choice; a real QP
    /// would retry a few times first).
    pub(crate) fn rdma_loss(&mut self, traffic: u32, serial: u32) {
        if self
            .rdma(traffic)
            .is_some_and(|rdma| rdma.open && rdma.serial == serial)
        {
            self.rdma_close(traffic);
        }
    }

    /// The QPs of a VM whose VF goes are closed (published: there is no transparent path for RDMA).
    pub(crate) fn rdma_vf_gone(&mut self, vm: u32) {
        for traffic in 0..self.apps.len() as u32 {
            if self.scenario.traffic[traffic as usize].vm() == vm
                && self.rdma(traffic).is_some_and(|rdma| rdma.open)
            {
                self.rdma_close(traffic);
            }
        }
    }

    fn rdma_close(&mut self, traffic: u32) {
        let now = self.now;
        let vm = self.scenario.traffic[traffic as usize].vm();
        self.metrics.mark(now, Some(vm), MarkKind::Qp(false));
        self.rdma_fall_back(traffic);
    }

    fn rdma_fall_back(&mut self, traffic: u32) {
        let Traffic::Rdma { fallback, .. } = self.scenario.traffic[traffic as usize] else {
            return;
        };
        let Some(rdma) = self.rdma(traffic) else { return };
        rdma.open = false;
        rdma.waiting = false;
        rdma.serial += 1;
        let serial = rdma.serial;
        let at = self.now + Time(fallback.0);
        self.at(at, Event::Rdma { traffic, serial });
    }
}

//! Where the parts of the host are on the stage, and where a packet is between them.
//!
//! The stage is laid out along the way of a packet: VMs, vSwitch below and VF above, FPGA, wire, peers. In a narrow window it
//! is turned, so that the way goes from the top to the bottom.

use super::dots::{Dot, Place, Route};
use crate::geometry::{Point, Rect};

/// Windows narrower than this many CSS pixels are drawn turned.
const NARROW: f64 = 620.0;
/// VMs that are drawn one by one; of more, several share a box.
pub const MOST_VMS: usize = 12;
/// Cores that are drawn one by one.
pub const MOST_CORES: usize = 16;
/// Stages of the FPGA's pipeline, outbound in this order.
pub const STAGES: [&str; 4] = ["Buffer", "Parser", "Match", "Action"];

/// A thing on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A VM.
    Vm(usize),
    /// The vSwitch as a whole.
    Switch,
    /// A core of the vSwitch.
    Core(usize),
    /// A layer of VFP, of the selected VM.
    Layer(usize),
    /// The SmartNIC as a whole.
    Nic,
    /// A stage of its pipeline.
    Stage(usize),
    /// The first or the second level of its flow cache.
    Cache(usize),
    /// The network and the peers.
    Network,
}

/// What the layout depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// VMs.
    pub vms: usize,
    /// Cores of the vSwitch.
    pub cores: usize,
    /// Of these: those that serve exceptions. They come first.
    pub exception_cores: usize,
    /// Layers of VFP.
    pub layers: usize,
}

/// The layout for a stage of a given size.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    width: f64,
    height: f64,
    shape: Shape,
}

// Shares of the stage: along the way (u) and across it (v).
const VM: [f64; 2] = [0.012, 0.135];
const SWITCH: [f64; 2] = [0.245, 0.60];
const CORES: [f64; 2] = [0.30, 0.40];
const LAYERS: [f64; 2] = [0.425, 0.592];
const NIC: [f64; 2] = [0.665, 0.835];
const NETWORK: [f64; 2] = [0.915, 0.988];
/// The lane of the VF, and that of the software.
const HARD: f64 = 0.21;
const SWITCH_V: [f64; 2] = [0.43, 0.965];
const NIC_V: [f64; 2] = [0.04, 0.965];
const PIPE_V: [f64; 2] = [0.10, 0.34];
const CACHE_V: [f64; 2] = [0.50, 0.93];

impl Stage {
    /// The layout on a stage of `width` × `height` CSS pixels.
    pub fn new(width: f64, height: f64, shape: Shape) -> Stage {
        Stage {
            width: width.max(1.0),
            height: height.max(1.0),
            shape,
        }
    }

    /// What it is laid out for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether the way goes from the top to the bottom.
    pub fn is_turned(&self) -> bool {
        self.width < NARROW
    }

    /// A point by its shares along and across.
    pub fn at(&self, u: f64, v: f64) -> Point {
        if self.is_turned() {
            Point::new(v * self.width, u * self.height)
        } else {
            Point::new(u * self.width, v * self.height)
        }
    }

    fn rect(&self, u: [f64; 2], v: [f64; 2]) -> Rect {
        let (a, b) = (self.at(u[0], v[0]), self.at(u[1], v[1]));
        Rect::new(a.x, a.y, b.x - a.x, b.y - a.y)
    }

    /// Boxes for VMs; several VMs may share one.
    pub fn vm_boxes(&self) -> usize {
        self.shape.vms.clamp(1, MOST_VMS)
    }

    fn vm_v(&self, vm: usize) -> [f64; 2] {
        let count = self.vm_boxes() as f64;
        let slot = (vm * self.vm_boxes() / self.shape.vms.max(1)) as f64;
        let (top, room) = (0.04, 0.925);
        let gap = (0.02f64).min(0.2 / count);
        [
            top + room * slot / count + gap / 2.0,
            top + room * (slot + 1.0) / count - gap / 2.0,
        ]
    }

    fn core_boxes(&self) -> usize {
        self.shape.cores.clamp(1, MOST_CORES)
    }

    fn core_v(&self, core: usize) -> [f64; 2] {
        let count = self.core_boxes() as f64;
        let slot = (core * self.core_boxes() / self.shape.cores.max(1)) as f64;
        let (top, room) = (SWITCH_V[0] + 0.085, SWITCH_V[1] - SWITCH_V[0] - 0.11);
        let gap = 0.15 * room / count;
        [
            top + room * slot / count + gap / 2.0,
            top + room * (slot + 1.0) / count - gap / 2.0,
        ]
    }

    /// Where a thing is.
    pub fn of(&self, part: Part) -> Rect {
        match part {
            Part::Vm(vm) => self.rect(VM, self.vm_v(vm)),
            Part::Switch => self.rect(SWITCH, SWITCH_V),
            Part::Core(core) => self.rect(CORES, self.core_v(core)),
            Part::Layer(layer) => {
                let count = self.shape.layers.max(1) as f64;
                let (top, room) = (SWITCH_V[0] + 0.085, SWITCH_V[1] - SWITCH_V[0] - 0.11);
                let gap = 0.14 * room / count;
                let v = |slot: f64| top + room * slot / count;
                self.rect(
                    LAYERS,
                    [v(layer as f64) + gap / 2.0, v(layer as f64 + 1.0) - gap / 2.0],
                )
            }
            Part::Nic => self.rect(NIC, NIC_V),
            Part::Stage(stage) => {
                let step = (NIC[1] - NIC[0] - 0.012) / 4.0;
                let from = NIC[0] + 0.006 + step * stage as f64;
                self.rect([from + 0.003, from + step - 0.003], PIPE_V)
            }
            Part::Cache(level) => {
                let step = (CACHE_V[1] - CACHE_V[0]) / 2.0;
                let from = CACHE_V[0] + step * level as f64;
                self.rect([NIC[0] + 0.012, NIC[1] - 0.012], [from, from + step * 0.72])
            }
            Part::Network => self.rect(NETWORK, NIC_V),
        }
    }

    /// The thing at a point: the smallest one that is there.
    pub fn hit(&self, at: Point) -> Option<Part> {
        let inside = |part: Part| self.of(part).contains(at);
        let vms = (0..self.shape.vms).map(Part::Vm);
        let cores = (0..self.shape.cores).map(Part::Core);
        let layers = (0..self.shape.layers).map(Part::Layer);
        let rest = [
            Part::Cache(0),
            Part::Cache(1),
            Part::Switch,
            Part::Nic,
            Part::Network,
        ];
        vms.chain(cores)
            .chain(layers)
            .chain((0..STAGES.len()).map(Part::Stage))
            .chain(rest)
            .find(|&part| inside(part))
    }

    fn vm_middle(&self, vm: usize) -> f64 {
        let [top, bottom] = self.vm_v(vm);
        (top + bottom) / 2.0
    }

    fn core_middle(&self, core: usize) -> f64 {
        let [top, bottom] = self.core_v(core);
        (top + bottom) / 2.0
    }

    /// The line from a VM to the FPGA over its VF.
    pub fn vf_line(&self, vm: usize) -> [Point; 3] {
        [
            self.at(VM[1], self.vm_middle(vm)),
            self.at(SWITCH[0] - 0.02, HARD),
            self.at(NIC[0], HARD),
        ]
    }

    /// The line from a VM to the vSwitch.
    pub fn synthetic_line(&self, vm: usize) -> [Point; 2] {
        [self.at(VM[1], self.vm_middle(vm)), self.at(SWITCH[0], 0.7)]
    }

    /// The line from the FPGA to the vSwitch, by which exceptions and copies go.
    pub fn exception_line(&self) -> [Point; 2] {
        [self.at(NIC[0], 0.42), self.at(SWITCH[1], 0.55)]
    }

    /// The line from the vSwitch to the FPGA, by which it sends what it has decided itself.
    pub fn switch_line(&self) -> [Point; 2] {
        [self.at(SWITCH[1], 0.86), self.at(NIC[0], 0.86)]
    }

    /// The wire.
    pub fn wire(&self) -> [Point; 2] {
        [self.at(NIC[1], HARD), self.at(NETWORK[0], HARD)]
    }

    /// Where a packet is.
    pub fn place(&self, dot: &Dot) -> Point {
        let t = f64::from(dot.progress.clamp(0.0, 1.0));
        let side = if dot.inbound { 0.022 } else { -0.022 };
        let shifted = |u: f64, v: f64| {
            let mut point = self.at(u, v);
            let offset = side * if self.is_turned() { self.width } else { self.height };
            if self.is_turned() {
                point.x += offset;
            } else {
                point.y += offset;
            }
            point
        };
        let vm = usize::from(dot.vm);
        let vm_v = self.vm_middle(vm);
        let hard = dot.route == Route::Hardware;
        match dot.place {
            Place::GuestToNic => along(
                &[
                    shifted(VM[1], vm_v),
                    shifted(SWITCH[0] - 0.02, HARD),
                    shifted(NIC[0], HARD),
                ],
                t,
            ),
            Place::GuestToSwitch => along(&[shifted(VM[1], vm_v), shifted(SWITCH[0], 0.7)], t),
            Place::Pipeline => {
                let t = if dot.inbound { 1.0 - t } else { t };
                shifted(NIC[0] + 0.008 + (NIC[1] - NIC[0] - 0.016) * t, HARD)
            }
            Place::Queue => {
                let v = self.core_middle(usize::from(dot.core));
                // The next one stands at the core; a full queue reaches to the edge of the vSwitch.
                let back = (f64::from(dot.waits) / 40.0).min(1.0);
                let from = CORES[0] - 0.006;
                self.at(from - (from - SWITCH[0] - 0.006) * back, v)
            }
            Place::Core => {
                let v = self.core_middle(usize::from(dot.core));
                self.at(CORES[0] + (CORES[1] - CORES[0]) * t, v)
            }
            Place::ToNetwork if hard => along(&[shifted(NIC[1], HARD), shifted(NETWORK[0] + 0.03, HARD)], t),
            Place::ToNetwork => along(
                &[
                    shifted(SWITCH[1], 0.86),
                    shifted(NIC[0] + 0.006, 0.86),
                    shifted(NIC[1], HARD),
                    shifted(NETWORK[0] + 0.03, HARD),
                ],
                t,
            ),
            Place::FromNetwork => along(&[shifted(NETWORK[1] - 0.01, HARD), shifted(NETWORK[0], HARD)], t),
            Place::Link => along(&[shifted(NETWORK[0], HARD), shifted(NIC[1], HARD)], t),
            Place::ToGuest if hard => along(
                &[
                    shifted(NIC[0], HARD),
                    shifted(SWITCH[0] - 0.02, HARD),
                    shifted(VM[1], vm_v),
                ],
                t,
            ),
            Place::ToGuest => along(&[shifted(SWITCH[0], 0.7), shifted(VM[1], vm_v)], t),
        }
    }
}

/// The point at the share `t` of the length of a line.
fn along(points: &[Point], t: f64) -> Point {
    let total: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut left = total * t;
    for pair in points.windows(2) {
        let this = pair[0].distance(pair[1]);
        if left <= this {
            return pair[0].towards(pair[1], if this > 0.0 { left / this } else { 0.0 });
        }
        left -= this;
    }
    points.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape {
        vms: 2,
        cores: 8,
        exception_cores: 1,
        layers: 6,
    };

    #[test]
    fn every_part_is_inside_and_found_where_it_is() {
        for (width, height) in [(800.0, 380.0), (390.0, 420.0)] {
            let stage = Stage::new(width, height, SHAPE);
            let parts = [
                Part::Vm(0),
                Part::Vm(1),
                Part::Core(0),
                Part::Core(7),
                Part::Layer(0),
                Part::Layer(5),
            ]
            .into_iter()
            .chain((0..4).map(Part::Stage))
            .chain([Part::Cache(0), Part::Cache(1), Part::Network]);
            for part in parts {
                let rect = stage.of(part);
                assert!(rect.w > 2.0 && rect.h > 2.0, "{part:?} {rect:?}");
                assert!(rect.x >= 0.0 && rect.x + rect.w <= width, "{part:?} {rect:?}");
                assert!(rect.y >= 0.0 && rect.y + rect.h <= height, "{part:?} {rect:?}");
                assert_eq!(stage.hit(rect.centre()), Some(part));
            }
        }
    }

    #[test]
    fn packets_go_from_end_to_end_without_a_leap() {
        let stage = Stage::new(1_000.0, 400.0, SHAPE);
        let at = |place, inbound, route, progress| {
            stage.place(&Dot {
                place,
                inbound,
                route,
                progress,
                ..Dot::default()
            })
        };
        let near = |a: Point, b: Point| (a.x - b.x).abs() < 12.0 && (a.y - b.y).abs() < 12.0;
        let out = |place, progress| at(place, false, Route::Hardware, progress);
        assert!(near(out(Place::GuestToNic, 1.0), out(Place::Pipeline, 0.0)));
        assert!(near(out(Place::Pipeline, 1.0), out(Place::ToNetwork, 0.0)));
        let back = |place, progress| at(place, true, Route::Hardware, progress);
        assert!(near(back(Place::FromNetwork, 1.0), back(Place::Link, 0.0)));
        assert!(near(back(Place::Link, 1.0), back(Place::Pipeline, 0.0)));
        assert!(near(back(Place::Pipeline, 1.0), back(Place::ToGuest, 0.0)));
    }

    #[test]
    fn many_vms_share_boxes() {
        let stage = Stage::new(1_000.0, 400.0, Shape { vms: 64, ..SHAPE });
        assert_eq!(stage.vm_boxes(), MOST_VMS);
        assert_eq!(stage.of(Part::Vm(0)), stage.of(Part::Vm(1)));
        assert_ne!(stage.of(Part::Vm(0)), stage.of(Part::Vm(63)));
    }
}

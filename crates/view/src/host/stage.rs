//! Where the parts of the host are on the stage, and where a packet is between them.
//!
//! The stage is laid out along the way of a packet: VMs, vSwitch below and VF above, FPGA, wire, peers. In a narrow window it
//! is turned, so that the way goes from the top to the bottom.

use super::dots::{Dot, Kind, Place, Route};
use super::losses::LossPlace;
use crate::geometry::{Point, Rect};

/// Windows narrower than this many CSS pixels are drawn turned.
const NARROW: f64 = 620.0;
/// Boxes of VMs; where there are more VMs, those from the last box on share it.
pub const MOST_VMS: usize = 12;
/// Cores that are drawn one by one.
pub const MOST_CORES: usize = 16;
/// Stages of the FPGA's pipeline, in the order in which a packet passes them. They are drawn twice: outbound, and mirrored for
/// inbound packets, which come from the other side.
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
    /// A stage of its pipeline: its index in [`STAGES`] for outbound packets, and that plus their number for inbound ones.
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
/// The lane of the VF and the wire.
const HARD: f64 = 0.21;
/// Half the way from the outbound row of the pipeline to the inbound one.
const ROW: f64 = 0.06;
/// The lane from the FPGA to the vSwitch, above it and down into its queues.
const UP: f64 = 0.375;
const INTO: f64 = 0.2725;
/// The lane from the vSwitch to the FPGA and through it, below the caches and then beside them.
const LOW: f64 = 0.915;
const BESIDE: f64 = 0.829;
/// Where packets that are walked pass the layers: between them and the cores.
const WALK: f64 = 0.4125;
const SWITCH_V: [f64; 2] = [0.43, 0.965];
const NIC_V: [f64; 2] = [0.04, 0.965];
const PIPE_V: [f64; 2] = [0.08, 0.34];
/// Along the way: one stage of the pipeline.
const STEP: f64 = (NIC[1] - NIC[0] - 0.012) / STAGES.len() as f64;
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

    /// Its width in CSS pixels.
    pub fn width(&self) -> f64 {
        self.width
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

    /// Boxes for VMs; where there are more VMs, the last box is that of all the others.
    pub fn vm_boxes(&self) -> usize {
        self.shape.vms.clamp(1, MOST_VMS)
    }

    /// VMs that share the last box; none where each has its own.
    pub fn sharing(&self) -> usize {
        match self.shape.vms.saturating_sub(MOST_VMS) {
            0 => 0,
            more => more + 1,
        }
    }

    /// The box of a VM.
    pub fn vm_slot(&self, vm: usize) -> usize {
        vm.min(self.vm_boxes() - 1)
    }

    fn vm_v(&self, vm: usize) -> [f64; 2] {
        let count = self.vm_boxes() as f64;
        let slot = self.vm_slot(vm) as f64;
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

    /// Across: the beginning of the layer with this index, whole or in part.
    fn layer_v(&self, layer: f64) -> f64 {
        let (top, room) = (SWITCH_V[0] + 0.085, SWITCH_V[1] - SWITCH_V[0] - 0.11);
        top + room * layer / self.shape.layers.max(1) as f64
    }

    /// Where a stage stands among those of its row: inbound they are mirrored.
    fn column(&self, stage: usize) -> usize {
        let last = STAGES.len() - 1;
        if stage <= last {
            stage
        } else {
            last - (stage - STAGES.len()).min(last)
        }
    }

    /// Along the way: the middle of a stage.
    fn stage_u(&self, stage: usize) -> f64 {
        NIC[0] + 0.006 + STEP * (self.column(stage) as f64 + 0.5)
    }

    /// Where a thing is.
    pub fn of(&self, part: Part) -> Rect {
        match part {
            Part::Vm(vm) => self.rect(VM, self.vm_v(vm)),
            Part::Switch => self.rect(SWITCH, SWITCH_V),
            Part::Core(core) => self.rect(CORES, self.core_v(core)),
            Part::Layer(layer) => {
                let gap = 0.14 * (self.layer_v(1.0) - self.layer_v(0.0));
                let from = layer as f64;
                self.rect(
                    LAYERS,
                    [
                        self.layer_v(from) + gap / 2.0,
                        self.layer_v(from + 1.0) - gap / 2.0,
                    ],
                )
            }
            Part::Nic => self.rect(NIC, NIC_V),
            Part::Stage(stage) => {
                let from = NIC[0] + 0.006 + STEP * self.column(stage) as f64;
                let middle = (PIPE_V[0] + PIPE_V[1]) / 2.0;
                let row = if stage < STAGES.len() {
                    [PIPE_V[0], middle - 0.004]
                } else {
                    [middle + 0.004, PIPE_V[1]]
                };
                self.rect([from + 0.003, from + STEP - 0.003], row)
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
            .chain((0..2 * STAGES.len()).map(Part::Stage))
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
    pub fn exception_line(&self) -> [Point; 3] {
        [self.at(NIC[0], UP), self.at(INTO, UP), self.at(INTO, SWITCH_V[0])]
    }

    /// The line from the vSwitch through the FPGA to the wire, by which goes what the vSwitch has decided itself.
    pub fn switch_line(&self) -> [Point; 4] {
        [
            self.at(SWITCH[1], LOW),
            self.at(BESIDE, LOW),
            self.at(BESIDE, HARD),
            self.at(NIC[1], HARD),
        ]
    }

    /// Where losses of a place are written, or shown in another way.
    pub fn loss_spot(&self, place: LossPlace) -> Point {
        let below = PIPE_V[1] + 0.03;
        let header = SWITCH_V[0] + 0.045;
        match place {
            LossPlace::Guest => self.at((VM[0] + VM[1]) / 2.0, 0.94),
            LossPlace::Vf => self.at((SWITCH[0] + NIC[0]) / 2.0, HARD),
            LossPlace::Buffer => self.at(self.stage_u(0), below),
            LossPlace::Match => self.at(self.stage_u(2), below),
            LossPlace::Action => self.at(self.stage_u(3), below),
            LossPlace::Queue => self.at(INTO, SWITCH_V[1] - 0.03),
            LossPlace::Layers => self.at(LAYERS[1] - 0.03, header),
            LossPlace::Wire => self.at((NIC[1] + NETWORK[0]) / 2.0, HARD + 0.1),
        }
    }

    /// The layer that a packet passes just now, by its position in the port's list; none where it passes none.
    pub fn layer_of(&self, dot: &Dot) -> Option<usize> {
        let crossed = self.crossed(dot)?;
        let last = self.shape.layers - 1;
        Some(if dot.inbound { last - crossed } else { crossed })
    }

    /// Layers that a packet on a core has crossed: its walk takes the time that the core serves it, each layer an equal part
    /// (our choice: the host's model has a cost of the walk as a whole).
    pub fn crossed(&self, dot: &Dot) -> Option<usize> {
        let walked = usize::from(dot.layers).min(self.shape.layers);
        if dot.place != Place::Core || walked == 0 {
            return None;
        }
        let t = f64::from(dot.progress.clamp(0.0, 1.0));
        Some(((t * walked as f64) as usize).min(walked - 1))
    }

    /// The stage of the pipeline that a packet passes just now, as [`Part::Stage`] counts them. What each of them takes is not
    /// modelled: a packet passes them evenly, and one that is not matched is on its way to the vSwitch for the second half of its
    /// time (our choice).
    pub fn stage_of(&self, dot: &Dot) -> Option<usize> {
        if dot.place != Place::Pipeline || leaves_pipeline(dot) && dot.progress >= 0.5 {
            return None;
        }
        let at = self.place(dot);
        let u = if self.is_turned() {
            at.y / self.height
        } else {
            at.x / self.width
        };
        let last = STAGES.len() - 1;
        let column = (((u - NIC[0] - 0.006) / STEP).max(0.0) as usize).min(last);
        Some(if dot.inbound {
            STAGES.len() + last - column
        } else {
            column
        })
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
                let row = HARD + if dot.inbound { ROW } else { -ROW };
                let (enter, leave) = if dot.inbound {
                    (NIC[1] - 0.003, NIC[0] + 0.003)
                } else {
                    (NIC[0] + 0.003, NIC[1] - 0.003)
                };
                if leaves_pipeline(dot) {
                    let u = self.stage_u(if dot.inbound { 2 + STAGES.len() } else { 2 });
                    let begin = [shifted(enter, HARD), self.at(enter, row), self.at(u, row)];
                    let end = [
                        self.at(u, row),
                        self.at(u, UP),
                        self.at(INTO, UP),
                        self.at(INTO, SWITCH_V[0] + 0.05),
                    ];
                    return if t < 0.5 {
                        along(&begin, t * 2.0)
                    } else {
                        along(&end, t * 2.0 - 1.0)
                    };
                }
                along(
                    &[
                        shifted(enter, HARD),
                        self.at(enter, row),
                        self.at(leave, row),
                        shifted(leave, HARD),
                    ],
                    t,
                )
            }
            Place::Queue => {
                let v = self.core_middle(usize::from(dot.core));
                // The next one stands at the core; a full queue reaches to the edge of the vSwitch.
                let back = (f64::from(dot.waits) / 40.0).min(1.0);
                let from = CORES[0] - 0.011;
                self.at(from - (from - SWITCH[0] - 0.006) * back, v)
            }
            Place::Core => match self.crossed(dot) {
                // Between the cores and the layers: names stay readable.
                None => {
                    let v = self.core_middle(usize::from(dot.core));
                    let (from, to) = (CORES[1] + 0.006, LAYERS[0] - 0.006);
                    self.at(from + (to - from) * t, v)
                }
                Some(_) => {
                    let walked = f64::from(dot.layers).min(self.shape.layers as f64) * t;
                    let layer = if dot.inbound {
                        self.shape.layers as f64 - walked
                    } else {
                        walked
                    };
                    self.at(WALK, self.layer_v(layer))
                }
            },
            Place::ToNetwork if hard => along(&[shifted(NIC[1], HARD), shifted(NETWORK[0] + 0.03, HARD)], t),
            Place::ToNetwork => along(
                &[
                    self.at(SWITCH[1], LOW),
                    self.at(BESIDE, LOW),
                    self.at(BESIDE, HARD),
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

/// Whether a packet in the pipeline goes on to the vSwitch: nothing matched it, or it is a copy.
fn leaves_pipeline(dot: &Dot) -> bool {
    dot.route == Route::Exception || dot.kind == Kind::Copy
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
            .chain((0..8).map(Part::Stage))
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
    fn many_vms_share_the_last_box() {
        let stage = Stage::new(1_000.0, 400.0, Shape { vms: 64, ..SHAPE });
        assert_eq!((stage.vm_boxes(), stage.sharing()), (12, 53));
        assert_ne!(stage.of(Part::Vm(9)), stage.of(Part::Vm(10)));
        assert_ne!(stage.of(Part::Vm(10)), stage.of(Part::Vm(11)));
        assert_eq!(stage.of(Part::Vm(11)), stage.of(Part::Vm(63)));
        let stage = Stage::new(1_000.0, 400.0, Shape { vms: 12, ..SHAPE });
        assert_eq!((stage.vm_boxes(), stage.sharing()), (12, 0));
    }

    /// Six layers in six equal parts of the core's time; inbound packets meet the last one first.
    #[test]
    fn a_walk_passes_layer_after_layer() {
        let stage = Stage::new(1_000.0, 400.0, SHAPE);
        let walk = |inbound, layers, progress| Dot {
            place: Place::Core,
            route: Route::Exception,
            inbound,
            layers,
            progress,
            ..Dot::default()
        };
        let passed = |inbound, layers| -> Vec<Option<usize>> {
            [0.0, 0.2, 0.5, 0.9, 1.0]
                .map(|t| stage.layer_of(&walk(inbound, layers, t)))
                .into()
        };
        assert_eq!(passed(false, 6), [Some(0), Some(1), Some(3), Some(5), Some(5)]);
        assert_eq!(passed(true, 6), [Some(5), Some(4), Some(2), Some(0), Some(0)]);
        // Dropped by the second layer; known to the flow table.
        assert_eq!(passed(false, 2), [Some(0), Some(0), Some(1), Some(1), Some(1)]);
        assert_eq!(passed(false, 0), [None; 5]);
        for (inbound, t) in [(false, 0.1), (false, 0.55), (true, 0.3)] {
            let dot = walk(inbound, 6, t);
            let layer = stage.of(Part::Layer(stage.layer_of(&dot).unwrap()));
            let at = stage.place(&dot);
            assert!(
                at.y > layer.y - 4.0 && at.y < layer.y + layer.h + 4.0,
                "{at:?} {layer:?}"
            );
            assert!(at.x + 5.0 < layer.x, "it would cover the layer's name");
        }
    }

    #[test]
    fn a_packet_on_a_core_is_beside_its_name() {
        let stage = Stage::new(800.0, 390.0, SHAPE);
        for progress in [0.0, 0.5, 1.0] {
            let at = stage.place(&Dot {
                place: Place::Core,
                core: 3,
                progress,
                ..Dot::default()
            });
            assert!(!stage.of(Part::Core(3)).contains(at), "{at:?}");
            assert!(!stage.of(Part::Layer(0)).contains(at), "{at:?}");
        }
    }

    /// Outbound the stages come in order; inbound they are drawn mirrored and come in order all the same. What is not matched
    /// ends at the match stage and goes to the vSwitch.
    #[test]
    fn a_packet_is_in_the_stage_that_is_lit() {
        let stage = Stage::new(1_000.0, 400.0, SHAPE);
        for (inbound, route) in [
            (false, Route::Hardware),
            (true, Route::Hardware),
            (false, Route::Exception),
            (true, Route::Exception),
        ] {
            let mut seen = Vec::new();
            for step in 1..100 {
                let dot = Dot {
                    place: Place::Pipeline,
                    inbound,
                    route,
                    progress: step as f32 / 100.0,
                    ..Dot::default()
                };
                let Some(lit) = stage.stage_of(&dot) else {
                    continue;
                };
                let named = lit % STAGES.len();
                assert_eq!(lit >= STAGES.len(), inbound);
                if seen.last() != Some(&named) {
                    seen.push(named);
                }
                let (at, of) = (stage.place(&dot), stage.of(Part::Stage(lit)));
                let near = at.x > of.x - 14.0 && at.x < of.x + of.w + 14.0;
                assert!(near, "{dot:?}: {at:?} {of:?}");
            }
            let expected: &[usize] = match route {
                Route::Hardware => &[0, 1, 2, 3],
                _ => &[0, 1, 2],
            };
            assert_eq!(seen, expected);
        }
    }

    /// The lane from the vSwitch to the wire crosses neither a cache nor a stage, that of exceptions no core and no layer.
    #[test]
    fn lanes_cross_no_box_with_a_name() {
        for (width, height) in [(1_000.0, 400.0), (390.0, 420.0)] {
            let stage = Stage::new(width, height, SHAPE);
            let clear = |dot: Dot, parts: &[Part]| {
                for step in 0..=100 {
                    let dot = Dot {
                        progress: step as f32 / 100.0,
                        ..dot
                    };
                    let at = stage.place(&dot);
                    for &part in parts {
                        assert!(!stage.of(part).contains(at), "{dot:?} at {at:?} is on {part:?}");
                    }
                }
            };
            let sent = Dot {
                place: Place::ToNetwork,
                route: Route::Exception,
                ..Dot::default()
            };
            clear(
                sent,
                &[Part::Cache(0), Part::Cache(1), Part::Stage(3), Part::Stage(4)],
            );
            let parts: Vec<Part> = (0..8).map(Part::Core).chain((0..6).map(Part::Layer)).collect();
            let exception = Dot {
                place: Place::Pipeline,
                route: Route::Exception,
                ..Dot::default()
            };
            clear(exception, &parts);
            for place in LossPlace::ALL {
                let spot = stage.loss_spot(place);
                assert!(spot.x > 0.0 && spot.x < width && spot.y > 0.0 && spot.y < height);
            }
        }
    }
}

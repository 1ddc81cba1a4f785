//! The stage: the parts of the host on one canvas, the packets on another above it.

use super::ink::{Colours, mark, outline, pen, ring, text};
use super::parts::{Parts, short};
use crate::dom;
use scenario::host::{HostScenario, Path};
use view::Point;
use view::host::dots::{self, Dot, Kind, Route};
use view::host::losses::{self, LossPlace};
use view::host::message::{DataPath, Facts, Report, Target};
use view::host::stage::{MOST_VMS, Part, STAGES, Shape, Stage};
use view::units;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

/// How near to a packet a click has to be, in CSS pixels.
const NEAR: f64 = 11.0;

/// Reports for which a new loss or a hit of a cache is shown as new: less than a second while playing.
const FRESH: u8 = 3;

/// What changed lately.
#[derive(Default)]
pub struct News {
    losses: [(u64, u8); LossPlace::ALL.len()],
    hits: [(u64, u8); 2],
}

impl News {
    /// Takes the next report of a run.
    fn take(&mut self, report: &Report) {
        let now = LossPlace::ALL.map(|place| losses::at(&report.lost_at, place));
        let hits = [report.lookups[0], report.lookups[1]];
        let seen = self.losses.iter_mut().chain(&mut self.hits);
        for ((before, fresh), now) in seen.zip(now.into_iter().chain(hits)) {
            *fresh = if now > *before {
                FRESH
            } else {
                fresh.saturating_sub(1)
            };
            *before = now;
        }
    }

    /// Whether packets were lost there just now.
    pub fn loses(&self, place: LossPlace) -> bool {
        self.losses[place as usize].1 > 0
    }

    /// Whether a level of the flow cache was hit just now.
    pub fn hits(&self, level: usize) -> bool {
        self.hits.get(level).is_some_and(|&(_, fresh)| fresh > 0)
    }
}

/// The elements that the stage draws on.
#[derive(Clone, Default, PartialEq)]
pub struct Refs {
    /// Around both canvases.
    pub root: NodeRef,
    /// The parts.
    pub low: NodeRef,
    /// The packets.
    pub high: NodeRef,
    /// What is under the pointer.
    pub tip: NodeRef,
}

/// The stage.
#[derive(Default)]
pub struct HostStage {
    /// The elements.
    pub refs: Refs,
    layout: Option<Stage>,
    shape: Shape,
    size: (f64, f64),
    colours: Colours,
    dots: Vec<Dot>,
    now_ps: u64,
    selected: Option<Target>,
    news: News,
    // VMs that the scenario gives a VF.
    given_vf: Vec<bool>,
    // The lower canvas is old.
    stale: bool,
}

impl HostStage {
    /// Shows another scenario, at time 0.
    pub fn open(&mut self, scenario: &HostScenario) {
        self.shape = Shape {
            vms: scenario.vms.len(),
            cores: scenario.host.software.cores as usize,
            exception_cores: scenario.host.software.exception_cores as usize,
            layers: 0,
        };
        self.dots.clear();
        self.now_ps = 0;
        self.news = News::default();
        self.given_vf = scenario.vms.iter().map(|vm| vm.path != Path::Synthetic).collect();
        self.lay_out();
    }

    /// Says how many layers VFP has.
    pub fn set_layers(&mut self, layers: usize) {
        self.shape.layers = layers;
        self.lay_out();
    }

    fn lay_out(&mut self) {
        self.layout = (self.size.0 > 0.0).then(|| Stage::new(self.size.0, self.size.1, self.shape));
        self.stale = true;
    }

    /// Adapts to the size of its element and the resolution of the screen.
    pub fn resize(&mut self) {
        if self.colours.kinds.is_empty() {
            self.colours = Colours::read();
        }
        let Some(root) = self.refs.root.cast::<HtmlElement>() else {
            return;
        };
        let rect = root.get_bounding_client_rect();
        self.size = (rect.width(), rect.height());
        let ratio = dom::pixel_ratio();
        for canvas in [&self.refs.low, &self.refs.high] {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                canvas.set_width((self.size.0 * ratio).round().clamp(1.0, 8192.0) as u32);
                canvas.set_height((self.size.1 * ratio).round().clamp(1.0, 8192.0) as u32);
            }
        }
        self.lay_out();
    }

    /// Takes the colours from the style sheet again.
    pub fn recolour(&mut self) {
        self.colours = Colours::read();
        self.stale = true;
    }

    /// The parts are to be drawn again, by this report.
    pub fn redraw(&mut self, report: &Report) {
        self.news.take(report);
        self.stale = true;
    }

    /// Takes a frame. False when it cannot be read.
    pub fn show(&mut self, bytes: &[u8], now_ps: u64) -> bool {
        let Some(dots) = dots::read(bytes) else {
            return false;
        };
        self.dots = dots;
        self.now_ps = now_ps;
        true
    }

    /// Time of the frame.
    pub fn now_ps(&self) -> u64 {
        self.now_ps
    }

    /// Packets of the frame.
    pub fn drawn(&self) -> usize {
        self.dots.len()
    }

    /// What is selected.
    pub fn select(&mut self, target: Option<Target>) {
        self.selected = target;
        self.stale = true;
    }

    /// The packet after `seen`, in the order of their numbers and round and round.
    pub fn next_packet(&self, seen: Option<u32>) -> Option<u32> {
        let mut ids: Vec<u32> = self.dots.iter().map(|dot| dot.id).collect();
        ids.sort_unstable();
        let after = seen.and_then(|seen| ids.iter().copied().find(|&id| id > seen));
        after.or_else(|| ids.first().copied())
    }

    fn dot_at(&self, at: Point) -> Option<&Dot> {
        let layout = self.layout.as_ref()?;
        self.dots
            .iter()
            .map(|dot| (layout.place(dot).distance(at), dot))
            .filter(|(distance, _)| *distance <= NEAR)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, dot)| dot)
    }

    /// What a click at a point means.
    pub fn target(&self, at: Point, vm: u32) -> Option<Target> {
        if let Some(dot) = self.dot_at(at) {
            return Some(Target::Packet { id: dot.id });
        }
        match self.layout.as_ref()?.hit(at)? {
            Part::Vm(vm) => Some(Target::Vm { vm: vm as u32 }),
            Part::Layer(layer) => Some(Target::Layer {
                vm,
                layer: layer as u32,
            }),
            Part::Nic | Part::Stage(_) | Part::Cache(_) => Some(Target::Nic),
            Part::Switch | Part::Core(_) | Part::Network => None,
        }
    }

    /// Says what is under the pointer.
    pub fn hover(&self, at: Point, report: &Report, facts: &Facts) {
        let text = match self.dot_at(at) {
            Some(dot) => Some(format!("{} · {}", dot.kind.name(), dot.place.name())),
            None => self.layout.as_ref().and_then(|layout| {
                let lost = LossPlace::ALL.into_iter().find(|&place| {
                    losses::at(&report.lost_at, place) > 0
                        && layout.loss_spot(place).distance(at) <= NEAR + 5.0
                });
                match lost {
                    Some(place) => Some(losses::words(&report.lost_at, place)),
                    None => layout.hit(at).map(|part| describe(part, report, facts)),
                }
            }),
        };
        let Some(tip) = self.refs.tip.cast::<HtmlElement>() else {
            return;
        };
        tip.set_hidden(text.is_none());
        if let Some(text) = text {
            tip.set_inner_text(&text);
            let width = f64::from(tip.offset_width());
            let x = (at.x + 14.0).min(self.size.0 - width - 4.0).max(4.0);
            let y = if at.y > self.size.1 - 60.0 {
                at.y - 40.0
            } else {
                at.y + 16.0
            };
            dom::place(&tip, x, y, None);
        }
    }

    /// The pointer has left.
    pub fn hover_nothing(&self) {
        if let Some(tip) = self.refs.tip.cast::<HtmlElement>() {
            tip.set_hidden(true);
        }
    }

    /// Draws what has changed.
    pub fn draw(&mut self, report: &Report, facts: &Facts, vm: u32) {
        let Some(layout) = &self.layout else {
            return;
        };
        if self.stale
            && let Some(pen) = pen(&self.refs.low, self.size)
        {
            self.stale = false;
            Parts {
                pen: &pen,
                layout,
                colours: &self.colours,
                report,
                facts,
                vm,
                selected: self.selected,
                news: &self.news,
                given_vf: &self.given_vf,
            }
            .draw();
        }
        if let Some(pen) = pen(&self.refs.high, self.size) {
            self.lit(&pen, layout, report, facts, vm);
            self.packets(&pen, layout);
        }
    }

    /// Lights the stages and the layers that packets pass just now, and names the rules that decide in the layers.
    fn lit(&self, pen: &CanvasRenderingContext2d, layout: &Stage, report: &Report, facts: &Facts, vm: u32) {
        let mut stages = [false; 2 * STAGES.len()];
        for dot in &self.dots {
            if let Some(stage) = layout.stage_of(dot) {
                stages[stage] = true;
            }
        }
        for (stage, _) in stages.iter().enumerate().filter(|(_, lit)| **lit) {
            outline(pen, layout.of(Part::Stage(stage)), &self.colours.accent, 2.0);
        }
        for dot in self.dots.iter().filter(|dot| u32::from(dot.vm) == vm) {
            let (Some(layer), Some(crossed)) = (layout.layer_of(dot), layout.crossed(dot)) else {
                continue;
            };
            let of = layout.of(Part::Layer(layer));
            let rule = report
                .walking
                .iter()
                .find(|walking| walking.id == dot.id)
                .and_then(|walking| walking.rules.get(crossed))
                .filter(|rule| !rule.is_empty());
            if let Some(rule) = rule {
                self.rule(pen, layout, facts, (vm, layer), rule);
            }
            outline(pen, of, &self.colours.accent, 2.4);
        }
    }

    /// Writes which rule decides in a layer, in the place of the layers' title: the layer keeps its name.
    fn rule(
        &self,
        pen: &CanvasRenderingContext2d,
        layout: &Stage,
        facts: &Facts,
        (vm, layer): (u32, usize),
        rule: &str,
    ) {
        let switch = layout.of(Part::Switch);
        let first = layout.of(Part::Layer(0));
        let name = facts.layers.get(vm as usize).and_then(|names| names.get(layer));
        let words = format!("{}: {rule}", name.map_or_else(String::new, |name| short(name)));
        // Turned, the title of the vSwitch stands at the left, and the layers have none.
        let (x, line, room, size) = if layout.is_turned() {
            (switch.x + 62.0, 10.0, switch.w - 66.0, 10)
        } else {
            (first.x, 15.0, first.w, 11)
        };
        pen.set_fill_style_str(&self.colours.panel);
        pen.fill_rect(x - 1.0, switch.y + 2.0, room + 2.0, line + 2.0);
        pen.set_font(&format!("600 {size}px {}", self.colours.fonts));
        text(pen, &words, (x, switch.y + line), room, &self.colours.accent);
    }

    fn packets(&self, pen: &CanvasRenderingContext2d, layout: &Stage) {
        let colours = &self.colours;
        // Exceptions and copies last: there are few of them, and they are what one wants to see.
        let order = |dot: &Dot| dot.route == Route::Exception || dot.kind == Kind::Copy;
        for late in [false, true] {
            for dot in self.dots.iter().filter(|dot| order(dot) == late) {
                let at = layout.place(dot);
                let colour = &colours.kinds[dot.kind as usize];
                mark(pen, dot.kind, at, colour, &colours.ground);
                if dot.route == Route::Exception && dot.kind != Kind::Copy {
                    ring(pen, at, 6.5, &colours.exception);
                }
            }
        }
        if let Some(Target::Packet { id }) = self.selected
            && let Some(dot) = self.dots.iter().find(|dot| dot.id == id)
        {
            ring(pen, layout.place(dot), 10.0, &colours.accent);
        }
    }
}

/// A part in words.
fn describe(part: Part, report: &Report, facts: &Facts) -> String {
    match part {
        Part::Vm(vm) if report.vms.len() > MOST_VMS && vm + 1 >= MOST_VMS => format!(
            "{} more VMs: the inspector has them by name",
            report.vms.len() + 1 - MOST_VMS
        ),
        Part::Vm(vm) => report.vms.get(vm).map_or_else(
            || format!("VM {vm}"),
            |state| {
                let path = match state.data_path {
                    DataPath::Vf => "sends by the VF",
                    DataPath::Synthetic => "sends by the synthetic path",
                    DataPath::None => "has no device to send with",
                };
                format!("{} · {path}", state.name)
            },
        ),
        Part::Switch => "vSwitch: cores that run VFP".into(),
        Part::Core(core) => format!(
            "Core {core} · {} busy · {} wait",
            units::percent(report.core_load.get(core).copied().unwrap_or(0.0)),
            report.waiting.get(core).copied().unwrap_or(0)
        ),
        Part::Layer(layer) => facts
            .layers
            .first()
            .and_then(|layers| layers.get(layer))
            .cloned()
            .unwrap_or_default(),
        Part::Nic => "SmartNIC: FPGA with the Generic Flow Table".into(),
        Part::Stage(stage) => {
            let way = if stage < STAGES.len() {
                "outbound"
            } else {
                "inbound"
            };
            format!(
                "{} stage of the FPGA's pipeline, {way}",
                STAGES[stage % STAGES.len()]
            )
        }
        Part::Cache(0) => format!("L1 on the chip · {} of {}", report.resident[1], facts.l1),
        Part::Cache(_) => format!("L2 in the card's DRAM · {} of {}", report.resident[2], facts.l2),
        Part::Network => "Network and peers".into(),
    }
}

/// The stage in words.
pub fn words(report: &Report, there: u32) -> String {
    let vms: Vec<String> = report
        .vms
        .iter()
        .take(8)
        .map(|vm| {
            let path = match vm.data_path {
                DataPath::Vf => "on its VF",
                DataPath::Synthetic => "on the synthetic path",
                DataPath::None => "without a device",
            };
            format!("{} {path}", vm.name)
        })
        .collect();
    let servicing = report
        .servicing
        .iter()
        .map(|text| format!(" {text}."))
        .collect::<String>();
    format!(
        "A host with {} {}: {}. vSwitch with {} cores, SmartNIC with {} flows in L1 and {} in L2. Packets under way: {}.{servicing}",
        report.vms.len(),
        if report.vms.len() == 1 { "VM" } else { "VMs" },
        vms.join(", "),
        report.core_load.len(),
        report.resident[1],
        report.resident[2],
        there,
    )
}

/// The kinds that a scenario's packets can be, for the legend, and the place of a copy.
pub fn legend() -> [(Kind, &'static str); 9] {
    [
        (Kind::Data, "TCP data"),
        (Kind::Ack, "TCP acknowledgment"),
        (Kind::Syn, "TCP SYN or SYN-ACK"),
        (Kind::Close, "TCP FIN or RST"),
        (Kind::Ping, "Small message that waits for its answer"),
        (Kind::Udp, "UDP"),
        (Kind::Flood, "SYN of a flood, or the answer to one"),
        (Kind::Rdma, "RDMA"),
        (Kind::Copy, "Copy of a SYN, FIN or RST for VFP"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 packets lost on the wire are news for three reports; going back in time is none.
    #[test]
    fn losses_are_news_for_a_while() {
        let lost = |count| Report {
            lost_at: vec![losses::Lost {
                place: LossPlace::Wire,
                why: "QoS".into(),
                count,
            }],
            ..Report::default()
        };
        let mut news = News::default();
        news.take(&lost(5));
        let mut shown = vec![news.loses(LossPlace::Wire)];
        for _ in 0..3 {
            news.take(&lost(5));
            shown.push(news.loses(LossPlace::Wire));
        }
        assert_eq!(shown, [true, true, true, false]);
        news.take(&lost(2));
        assert!(!news.loses(LossPlace::Wire) && !news.loses(LossPlace::Vf) && !news.hits(0));
    }

    #[test]
    fn every_kind_is_in_the_legend_once() {
        let kinds = legend().map(|(kind, _)| kind);
        assert_eq!(kinds.to_vec(), Kind::ALL);
    }
}

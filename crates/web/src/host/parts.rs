//! Draws the parts of the host: VMs, vSwitch, SmartNIC, network, and the ways between them.

use super::ink::{Colours, outline, text};
use super::stage::News;
use view::Point;
use view::geometry::Rect;
use view::host::losses::{self, LossPlace};
use view::host::message::{DataPath, Facts, Report, Target};
use view::host::stage::{Part, STAGES, Stage};
use view::units;
use web_sys::CanvasRenderingContext2d;

/// What draws the parts.
pub struct Parts<'a> {
    /// Where.
    pub pen: &'a CanvasRenderingContext2d,
    /// The layout.
    pub layout: &'a Stage,
    /// The colours.
    pub colours: &'a Colours,
    /// Figures.
    pub report: &'a Report,
    /// Names of the layers.
    pub facts: &'a Facts,
    /// Whose layers are drawn.
    pub vm: u32,
    /// What is selected.
    pub selected: Option<Target>,
    /// What changed lately.
    pub news: &'a News,
    /// VMs that the scenario gives a VF.
    pub given_vf: &'a [bool],
}

impl Parts<'_> {
    /// Draws them.
    pub fn draw(&self) {
        self.lines();
        self.vms();
        self.switch();
        self.nic();
        self.network();
        self.losses();
    }

    fn font(&self, weight: u32, size: f64) {
        self.pen
            .set_font(&format!("{weight} {size}px {}", self.colours.fonts));
    }

    fn frame(&self, rect: Rect, fill: &str, line: &str, width: f64) {
        self.pen.begin_path();
        let radius = 5.0f64.min(rect.w / 3.0).min(rect.h / 3.0);
        let _ = self
            .pen
            .round_rect_with_f64(rect.x, rect.y, rect.w, rect.h, radius);
        self.pen.set_fill_style_str(fill);
        self.pen.fill();
        outline(self.pen, rect, line, width);
    }

    fn text(&self, words: &str, x: f64, y: f64, room: f64, colour: &str) {
        text(self.pen, words, (x, y), room, colour);
    }

    /// A text that goes upwards in its box.
    fn upright(&self, words: &str, rect: Rect, colour: &str) {
        self.pen.save();
        let _ = self
            .pen
            .translate(rect.x + rect.w / 2.0 + 4.0, rect.y + rect.h - 5.0);
        let _ = self.pen.rotate(-std::f64::consts::FRAC_PI_2);
        self.text(words, 0.0, 0.0, rect.h - 8.0, colour);
        self.pen.restore();
    }

    fn bar(&self, rect: Rect, share: f64, colour: &str) {
        self.pen.set_fill_style_str(&self.colours.line);
        self.pen.fill_rect(rect.x, rect.y, rect.w, rect.h);
        self.pen.set_fill_style_str(colour);
        self.pen
            .fill_rect(rect.x, rect.y, rect.w * share.clamp(0.0, 1.0), rect.h);
    }

    fn path(&self, points: &[Point], colour: &str, width: f64, dashed: bool) {
        self.pen.begin_path();
        for (i, at) in points.iter().enumerate() {
            if i == 0 {
                self.pen.move_to(at.x, at.y);
            } else {
                self.pen.line_to(at.x, at.y);
            }
        }
        let dash = js_sys::Array::new();
        if dashed {
            dash.push(&5.0.into());
            dash.push(&4.0.into());
        }
        let _ = self.pen.set_line_dash(&dash);
        self.pen.set_stroke_style_str(colour);
        self.pen.set_line_width(width);
        self.pen.stroke();
        let _ = self.pen.set_line_dash(&js_sys::Array::new());
    }

    /// The ways of packets: the data path that is in use is lit, one that is gone is dashed.
    fn lines(&self) {
        let c = self.colours;
        for vm in 0..self.layout.shape().vms {
            let state = self.report.vms.get(vm);
            let path = state.map_or(DataPath::Vf, |state| state.data_path);
            let has_vf = state.is_none_or(|state| state.has_vf);
            let style = |lit: bool| {
                if lit {
                    (&c.accent, 3.0)
                } else {
                    (&c.line_strong, 1.2)
                }
            };
            if self.has_way(vm) {
                let (colour, width) = if has_vf {
                    style(path == DataPath::Vf)
                } else {
                    (&c.fault, 1.6)
                };
                self.path(&self.layout.vf_line(vm), colour, width, !has_vf);
            }
            let (colour, width) = style(path == DataPath::Synthetic);
            self.path(&self.layout.synthetic_line(vm), colour, width, false);
        }
        self.path(&self.layout.exception_line(), &c.exception, 1.6, false);
        let dead = self.report.wire_dead;
        let (colour, width) = if dead {
            (&c.fault, 2.0)
        } else {
            (&c.line_strong, 3.0)
        };
        self.path(&self.layout.wire(), colour, width, dead);
    }

    /// Whether a VM is given a VF at all: it can be away only then.
    fn has_way(&self, vm: usize) -> bool {
        self.given_vf.get(vm).copied().unwrap_or(true)
    }

    fn is_selected(&self, target: Target) -> bool {
        self.selected == Some(target)
    }

    fn outline(&self, target: Target) -> (&str, f64) {
        if self.is_selected(target) {
            (&self.colours.accent, 2.4)
        } else {
            (&self.colours.line_strong, 1.0)
        }
    }

    fn vms(&self) {
        let c = self.colours;
        let (boxes, sharing) = (self.layout.vm_boxes(), self.layout.sharing());
        let selected = match self.selected {
            Some(Target::Vm { vm }) => Some(self.layout.vm_slot(vm as usize)),
            _ => None,
        };
        for vm in 0..boxes {
            let rect = self.layout.of(Part::Vm(vm));
            let (line, width) = if selected == Some(vm) {
                (&c.accent, 2.4)
            } else {
                (&c.line_strong, 1.0)
            };
            self.frame(rect, &c.node, line, width);
            if sharing > 0 && vm + 1 == boxes {
                self.font(600, 12.0);
                let middle = rect.y + rect.h / 2.0 + 4.0;
                self.text(
                    &format!("{sharing} more"),
                    rect.x + 6.0,
                    middle,
                    rect.w - 10.0,
                    &c.ink,
                );
                continue;
            }
            let Some(state) = self.report.vms.get(vm) else {
                continue;
            };
            let (x, room) = (rect.x + 6.0, rect.w - 10.0);
            if rect.h < 12.0 {
                continue;
            }
            self.font(600, 12.0);
            self.text(&state.name, x, rect.y + 14.0, room, &c.ink);
            self.font(400, 11.0);
            if rect.h > 30.0 {
                self.text("NetVSC", x, rect.y + 28.0, room, &c.dim);
            }
            if rect.h > 44.0 {
                let text = match state.data_path {
                    DataPath::Vf => "on the VF",
                    DataPath::Synthetic => "synthetic",
                    DataPath::None => "no device",
                };
                self.text(text, x, rect.y + 42.0, room, &c.ink);
            }
            if rect.h > 60.0 && !state.has_vf && self.has_way(vm) {
                self.text("VF away", x, rect.y + 57.0, room, &c.fault);
            }
        }
    }

    fn switch(&self) {
        let c = self.colours;
        let rect = self.layout.of(Part::Switch);
        self.frame(rect, &c.panel, &c.line_strong, 1.0);
        self.font(600, 12.0);
        let turned = self.layout.is_turned();
        let line = if turned { 11.0 } else { 15.0 };
        if turned {
            self.text("vSwitch", rect.x + 5.0, rect.y + line, 70.0, &c.ink);
        } else {
            // Exceptions come down to the left of it.
            let first = self.layout.of(Part::Core(0));
            self.text("vSwitch", first.x, rect.y + line, first.w, &c.ink);
        }
        self.font(400, 11.0);
        let shape = self.layout.shape();
        for core in 0..shape.cores {
            let of = self.layout.of(Part::Core(core));
            self.frame(of, &c.node, &c.line_strong, 1.0);
            let load = self.report.core_load.get(core).copied().unwrap_or(0.0);
            let colour = if load > 0.95 { &c.fault } else { &c.meter };
            // The load below, the name in what is left above it.
            let thick = if of.h < 16.0 { 2.0 } else { 3.0 };
            let above = Rect::new(of.x, of.y, of.w, of.h - thick - 1.0);
            self.bar(
                Rect::new(of.x + 2.0, above.y + above.h, of.w - 4.0, thick),
                load,
                colour,
            );
            if of.h >= 9.5 && of.w > 30.0 {
                let size = (above.h - 1.0).clamp(8.0, 11.0);
                self.font(400, size);
                let name = if core < shape.exception_cores {
                    format!("core {core} · exc.")
                } else {
                    format!("core {core}")
                };
                let line = above.y + above.h / 2.0 + size * 0.36;
                self.text(&name, of.x + 4.0, line, of.w - 6.0, &c.dim);
            } else if of.h >= 11.0 {
                // A number has room where a name has none; the tip has the name.
                self.font(400, 9.0);
                let number = core.to_string();
                self.centred(&number, above, &c.dim);
            }
            let waiting = self.report.waiting.get(core).copied().unwrap_or(0);
            if waiting > 0 {
                // The queue before the core, as long as it is full.
                let from = rect.x + 4.0;
                let room = of.x - from - 2.0;
                let share = (f64::from(waiting) / 1_024.0).clamp(0.03, 1.0);
                self.pen.set_fill_style_str(&c.queue);
                self.pen.set_global_alpha(0.45);
                if self.layout.is_turned() {
                    self.pen.fill_rect(of.x, of.y - 6.0, of.w * share, 5.0);
                } else {
                    self.pen
                        .fill_rect(of.x - 2.0 - room * share, of.y + 1.0, room * share, of.h - 2.0);
                }
                self.pen.set_global_alpha(1.0);
            }
        }
        let names = self.facts.layers.get(self.vm as usize);
        for (layer, name) in names.into_iter().flatten().enumerate() {
            let of = self.layout.of(Part::Layer(layer));
            let (line, width) = self.outline(Target::Layer {
                vm: self.vm,
                layer: layer as u32,
            });
            self.frame(of, &c.node, line, width);
            if of.h > 8.0 && of.w > 50.0 {
                let size = (of.h - 3.0).clamp(7.0, 11.0);
                self.font(400, size);
                self.text(
                    &short(name),
                    of.x + 5.0,
                    of.y + of.h / 2.0 + size * 0.36,
                    of.w - 8.0,
                    &c.ink,
                );
            } else if of.h > 24.0 {
                self.font(400, 9.0);
                self.upright(tiny(name), of, &c.ink);
            }
        }
        if names.is_some_and(|names| !names.is_empty()) && !self.layout.is_turned() {
            self.font(400, 11.0);
            let first = self.layout.of(Part::Layer(0));
            self.text("VFP layers", first.x, rect.y + 15.0, first.w, &c.dim);
        }
    }

    fn nic(&self) {
        let c = self.colours;
        let rect = self.layout.of(Part::Nic);
        let (line, width) = self.outline(Target::Nic);
        let busy = !self.report.servicing.is_empty();
        self.frame(
            rect,
            &c.panel,
            if busy { &c.fault } else { line },
            if busy { 2.4 } else { width },
        );
        self.font(600, 12.0);
        let turned = self.layout.is_turned();
        let title = match (busy, turned) {
            (false, _) => "SmartNIC",
            (true, false) => "Being serviced",
            (true, true) => "Serviced",
        };
        let ink = if busy { &c.fault } else { &c.ink };
        let below = self.layout.of(Part::Stage(STAGES.len()));
        if turned {
            // Between the pipeline and the first cache.
            self.font(600, 10.0);
            let x = below.x + below.w + 5.0;
            let room = self.layout.of(Part::Cache(0)).x - x - 2.0;
            self.text(title, x, rect.y + 12.0, room, ink);
        } else {
            let caches = self.layout.of(Part::Cache(0)).y;
            let middle = (below.y + below.h + caches) / 2.0 + 4.0;
            self.text(title, rect.x + 8.0, middle, rect.w - 12.0, ink);
        }
        for stage in 0..2 * STAGES.len() {
            let of = self.layout.of(Part::Stage(stage));
            self.frame(of, &c.node, &c.line_strong, 1.0);
            let name = STAGES[stage % STAGES.len()];
            if of.w > 44.0 && of.h >= 8.0 {
                self.font(400, (of.h - 2.0).clamp(7.0, 10.0));
                self.centred(name, of, &c.dim);
            } else if of.h > 42.0 {
                self.font(400, 10.0);
                self.upright(name, of, &c.dim);
            } else if of.h >= 10.0 {
                self.font(400, 9.0);
                self.centred(&name[..3], of, &c.dim);
            }
        }
        self.path(&self.layout.switch_line(), &c.line_strong, 1.2, false);
        let levels = [
            (
                "L1",
                self.report.resident[1],
                self.facts.l1,
                self.report.lookups[0],
            ),
            (
                "L2",
                self.report.resident[2],
                self.facts.l2,
                self.report.lookups[1],
            ),
        ];
        for (level, (name, taken, all, hits)) in levels.into_iter().enumerate() {
            let of = self.layout.of(Part::Cache(level));
            let (line, width) = if self.news.hits(level) {
                (&c.accent, 2.0)
            } else {
                (&c.line_strong, 1.0)
            };
            self.frame(of, &c.node, line, width);
            let (x, room) = (of.x + 6.0, of.w - 10.0);
            // Baselines, and how far above the edge below the bar is: two lines and the bar in what height there is.
            let (first, second, above) = if of.h >= 42.0 {
                (14.0, 28.0, 8.0)
            } else {
                (12.0, 23.0, 5.0)
            };
            self.font(600, 11.0);
            self.text(
                &format!("{name} · {}", units::count(u64::from(taken))),
                x,
                of.y + first,
                room,
                &c.ink,
            );
            self.font(400, 11.0);
            if of.h >= 33.0 {
                self.text(
                    &format!("{} hits", units::count(hits)),
                    x,
                    of.y + second,
                    room,
                    &c.dim,
                );
            }
            let share = f64::from(taken) / f64::from(all.max(1));
            self.bar(
                Rect::new(x, of.y + of.h - above, room, above / 2.0),
                share,
                &c.meter,
            );
        }
    }

    fn network(&self) {
        let c = self.colours;
        let rect = self.layout.of(Part::Network);
        self.frame(rect, &c.node, &c.line_strong, 1.0);
        self.font(600, 12.0);
        self.text("Peers", rect.x + 6.0, rect.y + 14.0, rect.w - 8.0, &c.ink);
        self.font(400, 11.0);
        let wire = if self.report.wire_dead {
            ("wire dead", &c.fault)
        } else {
            ("wire", &c.dim)
        };
        let [from, to] = self.layout.wire();
        if !self.layout.is_turned() {
            self.text(
                wire.0,
                from.x + 6.0,
                from.y - 20.0,
                (to.x - from.x).max(40.0),
                wire.1,
            );
        }
    }

    /// Packets lost, where they were: a cross and their number, stronger while there are new ones.
    fn losses(&self) {
        let c = self.colours;
        for place in LossPlace::ALL {
            let count = losses::at(&self.report.lost_at, place);
            if count == 0 {
                continue;
            }
            let (at, fresh) = (self.layout.loss_spot(place), self.news.loses(place));
            let arm = if fresh { 5.0 } else { 3.5 };
            self.font(600, 11.0);
            let number = units::count(count);
            let wide = self.pen.measure_text(&number).map_or(0.0, |size| size.width());
            let whole = 2.0 * arm + 4.0 + wide;
            let left = (at.x - whole / 2.0).clamp(2.0, (self.layout.width() - whole - 2.0).max(2.0));
            self.pen.set_fill_style_str(&c.ground);
            self.pen.set_global_alpha(0.8);
            self.pen.fill_rect(left - 2.0, at.y - 8.0, whole + 4.0, 16.0);
            self.pen.set_global_alpha(1.0);
            let x = left + arm;
            let width = if fresh { 2.6 } else { 1.6 };
            let cross = |from: f64, to: f64| {
                let ends = [Point::new(x - arm, at.y + from), Point::new(x + arm, at.y + to)];
                self.path(&ends, &c.fault, width, false);
            };
            cross(-arm, arm);
            cross(arm, -arm);
            self.text(&number, x + arm + 4.0, at.y + 4.0, wide + 1.0, &c.fault);
        }
    }

    /// A text in the middle of its box.
    fn centred(&self, words: &str, of: Rect, colour: &str) {
        let wide = self.pen.measure_text(words).map_or(0.0, |size| size.width());
        let x = of.x + ((of.w - wide) / 2.0).max(1.0);
        self.text(words, x, of.y + of.h / 2.0 + 3.0, of.w, colour);
    }
}

/// A layer's name without what all of them have.
pub fn short(name: &str) -> String {
    name.replace("_LAYER_ID", "").replace("_LAYER", "")
}

/// The word of a layer's name that tells it from the others, for narrow boxes.
fn tiny(name: &str) -> &str {
    let name = name
        .strip_suffix("_LAYER_ID")
        .or_else(|| name.strip_suffix("_LAYER"))
        .unwrap_or(name);
    name.split_once('_').map_or(name, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_have_short_names() {
        assert_eq!(short("FW_ADMIN_LAYER_ID"), "FW_ADMIN");
        assert_eq!(short("SLB_NAT_LAYER"), "SLB_NAT");
        assert_eq!(tiny("FW_ADMIN_LAYER_ID"), "ADMIN");
        assert_eq!(tiny("VNET_PA_ROUTE_LAYER"), "PA_ROUTE");
        assert_eq!(tiny("OWN"), "OWN");
    }
}

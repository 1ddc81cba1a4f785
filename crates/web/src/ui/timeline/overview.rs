//! The whole run in a strip, with the part that the timeline shows: a scroll bar.

use super::draw::{percent, upright};
use super::hand::{Wish, use_hand};
use super::rows::Row;
use crate::dom;
use view::Extent;
use view::keys::{Command, Page, Place};
use view::series::{AREA_HEIGHT, AREA_WIDTH, area};
use yew::prelude::*;

/// How far an arrow key moves, as a share of what is shown.
const STEP: f64 = 0.1;

/// What the strip shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Where the axis of the whole run ends, in ps.
    pub end: u64,
    /// What the timeline shows of it.
    pub extent: Extent,
    /// Now, in ps.
    pub now: u64,
    /// The goodput as a path.
    pub path: AttrValue,
    /// What the timeline is to show.
    pub show: Callback<Extent>,
}

/// The goodput of the whole run as a path.
pub fn outline(rows: &[Row], bin_ps: u64, end: u64) -> AttrValue {
    let total = rows.iter().find(|row| row.class == "total");
    total.map_or_else(AttrValue::default, |row| {
        area(&row.values, bin_ps, row.most, Extent::whole(end)).into()
    })
}

/// The strip.
#[component]
pub fn Overview(props: &Props) -> Html {
    let strip = use_node_ref();
    let (end, extent) = (props.end, props.extent);
    let wish = {
        let show = props.show.clone();
        Callback::from(move |wish: Wish| match wish {
            Wish::Click(share, _) | Wish::Scrub(share) => {
                let middle = extent.len() as f64 / end.max(1) as f64 / 2.0;
                let by = (share - middle) * end as f64 - extent.from as f64;
                show.emit(extent.panned(by / extent.len() as f64, end));
            }
            Wish::Zoom(factor, _) => show.emit(extent.zoomed(factor, 0.5, end)),
            Wish::Pan(_) | Wish::Point(_) => {}
        })
    };
    use_hand(strip.clone(), wish);
    let onkeydown = {
        let show = props.show.clone();
        Callback::from(move |event: KeyboardEvent| {
            let Some(command) = dom::command(Page::Fabric, Place::Strip, &event) else {
                return;
            };
            let next = match command {
                Command::Move(steps) => extent.panned(f64::from(steps) * STEP, end),
                Command::Page { next } => extent.panned(if next { 1.0 } else { -1.0 }, end),
                Command::End { last } => extent.panned(if last { end as f64 } else { -(end as f64) }, end),
                _ => return,
            };
            event.prevent_default();
            show.emit(next);
        })
    };
    let whole = Extent::whole(end);
    let (from, to) = (whole.share(extent.from), whole.share(extent.to));
    html! {
        <div
            ref={strip}
            class="tl-overview"
            role="scrollbar"
            tabindex="0"
            aria-label="Part of the run that is shown"
            aria-orientation="horizontal"
            aria-controls="timeline-plots"
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow={format!("{:.0}", if to - from >= 1.0 { 0.0 } else { from / (1.0 - (to - from)) * 100.0 })}
            aria-valuetext={format!("{} to {}", extent.words(extent.from), extent.words(extent.to))}
            title="The whole run: drag to move what is shown"
            data-testid="timeline-overview"
            {onkeydown}
        >
            <svg aria-hidden="true" preserveAspectRatio="none" viewBox={format!("0 0 {AREA_WIDTH} {AREA_HEIGHT}")}><path d={props.path.clone()} /></svg>
            <svg aria-hidden="true" class="over">
                <rect class="out" x="0" width={percent(from)} height="100%" />
                <rect class="out" x={percent(to)} width={percent((1.0 - to).max(0.0))} height="100%" />
                <rect class="in" x={percent(from)} width={percent(to - from)} height="100%" />
                { upright("now", whole.share(props.now)) }
            </svg>
        </div>
    }
}

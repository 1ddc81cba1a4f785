//! What is drawn along the axis of time.

use super::super::moments::path;
use super::rows::Row;
use scenario::FaultKind;
use view::Extent;
use view::message::{Exposure, Mark, Timeline};
use view::series::{AREA_HEIGHT, AREA_WIDTH, area};
use yew::prelude::*;

/// Time marks on the axis at most.
const TICKS: usize = 8;
/// So many have room in a narrow window too.
const FEW_TICKS: usize = 4;

/// One line's values as an area.
pub fn plot(row: &Row, timeline: &Timeline, extent: Extent) -> Html {
    html! {
        <svg class={classes!("tl-plot", row.class)} preserveAspectRatio="none" viewBox={format!("0 0 {AREA_WIDTH} {AREA_HEIGHT}")} role="img" aria-label={format!("{}: {}", row.name, row.rest)}>
            { for row.areas().into_iter().map(|(class, values)| html! {
                <path class={(!row.bands.is_empty()).then_some(class)} d={area(&values, timeline.bin_ps, row.most, extent)} />
            }) }
        </svg>
    }
}

/// A share as a length.
pub fn percent(share: f64) -> String {
    format!("{:.3}%", share * 100.0)
}

/// The axis of time.
pub fn axis(extent: Extent) -> Html {
    let marks = extent.ticks(TICKS);
    html! {
        <svg class="tl-axis" aria-hidden="true">
            { for marks.iter().enumerate().map(|(number, (at, text))| {
                let share = extent.share(*at);
                let x = percent(share);
                // Where there is little room every other has to do; see the style sheet.
                let class = (marks.len() > FEW_TICKS && number % 2 == 1).then_some("spare");
                let anchor = if share < 0.04 { "start" } else if share > 0.96 { "end" } else { "middle" };
                html! {
                    <>
                        <line x1={x.clone()} x2={x.clone()} y1="0" y2="4" />
                        <text {class} {x} y="14" text-anchor={anchor}>{ text }</text>
                    </>
                }
            }) }
        </svg>
    }
}

/// An upright line through all rows.
pub fn upright(class: &'static str, share: f64) -> Html {
    if !(0.0..=1.0).contains(&share) {
        return html! {};
    }
    let x = percent(share);
    html! { <line {class} x1={x.clone()} x2={x} y1="0" y2="100%" /> }
}

/// A fault or repair at a time.
pub fn fault_line(at: u64, fault: &FaultKind, extent: Extent) -> Html {
    upright(
        if fault.is_repair() { "healed" } else { "broke" },
        extent.share(at),
    )
}

/// The spans in which any fault was sent into, without overlaps.
pub fn united(exposures: &[Exposure]) -> Vec<(u64, u64)> {
    let mut spans: Vec<(u64, u64)> = Vec::new();
    // They come in order of the faults' times.
    for exposure in exposures {
        match spans.last_mut() {
            Some((_, end)) if exposure.at_ps <= *end => *end = exposure.last_ps.max(*end),
            _ => spans.push((exposure.at_ps, exposure.last_ps)),
        }
    }
    spans
}

/// A span of time through all rows.
pub fn band(class: &'static str, from: u64, to: u64, extent: Extent) -> Html {
    let share = |ps: u64| extent.share(ps).clamp(0.0, 1.0);
    let width = share(to) - share(from);
    if width <= 0.0 {
        return html! {};
    }
    html! { <rect {class} x={percent(share(from))} width={percent(width)} y="0" height="100%" /> }
}

/// A moment's symbol. Shapes differ as well as colours.
pub fn symbol(mark: &Mark, extent: Extent) -> Html {
    if !extent.contains(mark.at_ps) {
        return html! {};
    }
    html! {
        <svg class={classes!("mark", mark.kind.slug())} x={percent(extent.share(mark.at_ps))} y="0" width="1" height="14" overflow="visible">
            <path d={path(mark.kind)} />
        </svg>
    }
}

/// A bookmark's flag.
pub fn flag(at: u64, extent: Extent) -> Html {
    if !extent.contains(at) {
        return html! {};
    }
    html! {
        <svg class="mark bookmark" x={percent(extent.share(at))} y="0" width="1" height="14" overflow="visible">
            <path d="M-3.5 1h7v11L0 8.5-3.5 12z" />
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_overlap_are_one() {
        let span = |at_ps, last_ps| Exposure {
            fault: 0,
            at_ps,
            last_ps,
        };
        let all = [span(1, 5), span(1, 3), span(4, 9), span(12, 13)];
        assert_eq!(united(&all), [(1, 9), (12, 13)]);
        assert_eq!(united(&[]), []);
    }
}

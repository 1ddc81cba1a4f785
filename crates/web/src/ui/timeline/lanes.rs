//! The lanes of jobs: a bar for each step, light while it computes, solid while it communicates.

use super::draw::percent;
use view::jobs::Span;
use view::{Extent, units};
use yew::prelude::*;

/// A job's steps.
pub fn job(spans: &[Span], now: u64, extent: Extent) -> Html {
    let share = |ps: u64| extent.share(ps).clamp(0.0, 1.0);
    let bar = |class: &'static str, from: u64, to: u64| {
        let (from, to) = (share(from), share(to));
        if from >= to {
            return html! {};
        }
        html! { <rect {class} x={percent(from)} width={percent(to - from)} y="18%" height="64%" /> }
    };
    let step = |span: &Span| {
        let end = span.ended_ps.unwrap_or(now);
        let class = if span.count > 1 {
            "communicates many"
        } else {
            "communicates"
        };
        html! {
            <>
                { bar("computes", span.began_ps, span.posted_ps.min(end)) }
                { bar(class, span.posted_ps, end) }
                if span.ended_ps.is_some() && extent.contains(end) {
                    <line class="ends" x1={percent(share(end))} x2={percent(share(end))} y1="8%" y2="92%" />
                }
            </>
        }
    };
    html! { <svg class="tl-plot job" aria-hidden="true">{ for spans.iter().map(step) }</svg> }
}

/// What a job was doing at a time, in a few words.
pub fn job_at(spans: &[Span], at: u64, now: u64) -> String {
    let Some(span) = spans.iter().rev().find(|span| span.began_ps <= at) else {
        return String::new();
    };
    if span.count > 1 {
        return format!("steps {} to {}", span.first + 1, span.first + span.count);
    }
    let step = span.first + 1;
    match span.ended_ps {
        Some(end) => format!("{step}: {}", units::span((end - span.posted_ps) as f64)),
        None if now < span.posted_ps => format!("{step}: computes"),
        None => format!("{step}: {} so far", units::span((now - span.posted_ps) as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_says_what_a_job_was_doing() {
        const US: u64 = 1_000_000;
        let span = |first, count, began: u64, ended: Option<u64>| Span {
            first,
            count,
            began_ps: began * US,
            posted_ps: (began + 5) * US,
            ended_ps: ended.map(|us| us * US),
        };
        let spans = [
            span(0, 1, 10, Some(40)),
            span(1, 3, 42, Some(140)),
            span(4, 1, 142, None),
        ];
        let words = |at: u64, now: u64| job_at(&spans, at * US, now * US);
        assert_eq!(words(9, 150), "");
        assert_eq!(words(12, 150), "1: 25 µs");
        assert_eq!(words(100, 150), "steps 2 to 4");
        assert_eq!(words(150, 150), "5: 3 µs so far");
        assert_eq!(words(145, 145), "5: computes");
    }
}

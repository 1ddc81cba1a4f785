//! The flow caches of the SmartNIC, live.

use super::cells::{Cells, Form, Look};
use super::model::TablesView as Tables;
use crate::model::Theme;
use crate::shared::Shared;
use view::host::grid::{AGES, Cell, columns};
use view::units;
use yew::prelude::*;

/// Steps of how full a bucket of L2 is.
const FULL: usize = 8;

/// What the view shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The tables.
    pub view: Shared<Tables>,
    /// The theme: its colours are in the cells.
    pub theme: Theme,
}

/// The looks of L1's cells, by their bytes.
fn looks() -> Vec<Look> {
    let look = |colour, strength, form| Look {
        colour,
        strength,
        form,
    };
    let mut looks = vec![
        look("--line", 0.55, Form::Full),
        look("--packet-rtx", 1.0, Form::Edge),
        look("--packet-nack", 1.0, Form::Half),
    ];
    looks.extend((0..AGES).map(|age| look("--packet-data", 1.0 - 0.13 * age as f64, Form::Full)));
    looks
}

/// The looks of L2's buckets.
fn full_looks() -> Vec<Look> {
    let step = |step: usize| Look {
        colour: if step == 0 { "--line" } else { "--packet-data" },
        strength: if step == 0 {
            0.55
        } else {
            0.25 + 0.75 * step as f64 / FULL as f64
        },
        form: Form::Full,
    };
    (0..=FULL).map(step).collect()
}

/// Flows from which on the memory of one is said: below, it is mostly that of the empty places.
const ENOUGH: u64 = 1_000;

/// What tables take of the simulator's memory, and what one of their flows does.
fn memory(bytes: u64, flows: u64, flow: &str) -> String {
    let all = units::bytes(bytes as f64);
    if flows < ENOUGH {
        return all;
    }
    format!("{all}, {} B per {flow}", units::count(bytes / flows))
}

/// The view.
#[component]
pub fn TablesView(props: &Props) -> Html {
    let view = &props.view;
    let tables = &view.tables;
    let l1 = tables.l1 as usize;
    // One value for each theme, and another where the system changes it.
    let theme = props.theme as u32 * 2 + u32::from(crate::dom::matches("(prefers-color-scheme: dark)"));
    let parts = use_memo(view.clone(), |view| {
        let l1 = (view.tables.l1 as usize).min(view.cells.len());
        let buckets: Vec<u8> = view.cells[l1..]
            .iter()
            .map(|&share| (usize::from(share) * FULL).div_ceil(255).min(FULL) as u8)
            .collect();
        (Shared::new(view.cells[..l1].to_vec()), Shared::new(buckets))
    });
    if l1 == 0 {
        return html! { <p class="dim host-empty">{ "The tables are shown as soon as the run is ready." }</p> };
    }
    let [hits_l1, hits_l2, hits_l3, misses] = tables.lookups;
    let all = (hits_l1 + hits_l2 + hits_l3 + misses).max(1) as f64;
    let share = |count: u64| format!("{} ({})", units::count(count), units::percent(count as f64 / all));
    let [in_l1, in_l2, entries] = tables.resident;
    let [activated, deactivated, stale] = tables.states;
    let [unified, limit, half_open, older] = tables.unified;
    let facts = [
        ("L1 hits", share(hits_l1)),
        ("L2 hits", share(hits_l2)),
        ("Misses", share(misses)),
        ("Exceptions: Stale", units::count(tables.exceptions[1])),
        ("Exceptions: Deactivated", units::count(tables.exceptions[2])),
        ("L1 evictions", units::count(tables.evictions[0])),
        ("L2 evictions", units::count(tables.evictions[1])),
        ("Entries", units::count(u64::from(entries))),
        (
            "Unified flows (VFP)",
            format!("{} of {}", units::count(unified), units::count(limit)),
        ),
        ("Half-open", units::count(half_open)),
        (
            "Of an older generation",
            units::percent(older as f64 / tables.looked_at.max(1) as f64),
        ),
        (
            "Memory of the NIC's tables",
            memory(tables.memory[0], u64::from(entries), "entry"),
        ),
        (
            "Memory of VFP's tables",
            memory(tables.memory[1], unified, "flow"),
        ),
    ];
    let key = |class: &'static str, text: String| html! { <li><span class={classes!("cell", class)}></span>{ text }</li> };
    html! {
        <div class="tables-view">
            <figure>
                <figcaption>
                    <strong>{ "L1, on the chip" }</strong>
                    <span class="dim" data-testid="l1-count">{ format!(" {} of {}, {} way{}", units::count(u64::from(in_l1)), units::count(l1 as u64), tables.l1_ways, if tables.l1_ways == 1 { "" } else { "s" }) }</span>
                </figcaption>
                <Cells
                    cells={parts.0.clone()}
                    looks={looks()}
                    columns={columns(l1, 2.0)}
                    label={format!("L1: {activated} activated, {deactivated} deactivated, {stale} stale, {} free", l1 as u32 - activated - deactivated - stale)}
                    testid="l1-grid"
                    {theme}
                />
                <ul class="cell-key">
                    { key("fresh", format!("activated ({}), paler the longer ago it matched", units::count(u64::from(activated)))) }
                    { key("edge", format!("deactivated ({})", units::count(u64::from(deactivated)))) }
                    { key("half", format!("stale ({})", units::count(u64::from(stale)))) }
                    { key("free", Cell::Free.name()) }
                </ul>
            </figure>
            <figure>
                <figcaption>
                    <strong>{ "L2, in the card's DRAM" }</strong>
                    <span class="dim">{ format!(" {} flows; each cell stands for {} ways", units::count(u64::from(in_l2)), units::count(u64::from(tables.l2_per_bucket))) }</span>
                </figcaption>
                <Cells
                    cells={parts.1.clone()}
                    looks={full_looks()}
                    columns={columns(parts.1.len(), 2.0)}
                    label={format!("L2: {in_l2} flows, spread over {} buckets", parts.1.len())}
                    testid="l2-grid"
                    {theme}
                />
                <p class="dim small">{ "The stronger the colour of a cell, the fuller its ways." }</p>
            </figure>
            <dl class="facts" data-testid="table-facts">
                { for facts.into_iter().map(|(what, value)| html! { <><dt>{ what }</dt><dd>{ value }</dd></> }) }
            </dl>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_said_per_flow_where_there_are_many() {
        assert_eq!(memory(140_000_000, 1_000_000, "flow"), "140 MB, 140 B per flow");
        assert_eq!(memory(5_000, 999, "entry"), "5 kB");
        assert_eq!(memory(0, 0, "entry"), "0 B");
    }

    #[test]
    fn each_byte_of_a_cell_has_a_look() {
        for byte in 0..=u8::MAX {
            assert_eq!(
                Cell::of(byte).is_some(),
                usize::from(byte) < looks().len(),
                "{byte}"
            );
        }
        assert_eq!(full_looks().len(), FULL + 1);
    }
}

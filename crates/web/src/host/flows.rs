//! The unified flows of a VM.

use super::model::{Do, FlowsView, On};
use crate::shared::Shared;
use view::host::message::Target;
use view::units;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What the table shows.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The flows.
    pub view: Shared<FlowsView>,
    /// VMs of the host.
    pub vms: u32,
    /// How often the SmartNIC reports what its entries have counted, in ps.
    pub counter_period_ps: u64,
    /// What is selected.
    pub selected: Option<Target>,
    /// What the user does.
    pub on: On,
}

/// The table.
#[component]
pub fn FlowsTable(props: &Props) -> Html {
    let view = &props.view;
    let onchange = props.on.reform(|event: Event| {
        Do::FlowsOf(
            event
                .target_unchecked_into::<HtmlSelectElement>()
                .value()
                .parse()
                .unwrap_or(0),
        )
    });
    html! {
        <div class="host-flows">
            <p class="row">
                <label>{ "Unified flow table of " }
                    <select data-testid="flows-vm" {onchange}>
                        { for (0..props.vms).map(|vm| html! { <option value={vm.to_string()} selected={vm == view.vm}>{ format!("VM {vm}") }</option> }) }
                    </select>
                </label>
                <span class="dim" data-testid="flow-count">
                    { format!("{}{}", units::things(u64::from(view.pairs), "pair"), if view.pairs as usize > view.rows.len() { format!(", the first {} shown", view.rows.len()) } else { String::new() }) }
                </span>
                <span class="dim small" data-testid="counter-period">
                    { format!("What the SmartNIC has counted comes once a counter period, every {}: packets and idle times of flows in hardware are of then.", units::round_span(props.counter_period_ps as f64)) }
                </span>
            </p>
            <table class="rules wide">
                <thead><tr>
                    { for ["First packet", "State", "Generation", "Entry in the NIC", "Packets", "Idle for"].map(|name| html! { <th scope="col">{ name }</th> }) }
                </tr></thead>
                <tbody>
                    { for view.rows.iter().map(|row| {
                        let target = Target::Flow { vm: view.vm, handle: row.handle };
                        let onclick = props.on.reform(move |_| Do::Select(Some(target)));
                        html! {
                            <tr key={row.handle} class={classes!((props.selected == Some(target)).then_some("selected"))} data-testid="flow-row">
                                <td><button class="link mono" {onclick}>{ &row.key }</button></td>
                                <td>{ &row.state }</td>
                                <td class={classes!(row.stale.then_some("warn"))}>{ row.generation }{ if row.stale { " stale" } else { "" } }</td>
                                <td>{ &row.entry }</td>
                                <td class="number">{ units::count(row.packets) }</td>
                                <td class="number">{ units::span(row.idle_ps as f64) }</td>
                            </tr>
                        }
                    }) }
                </tbody>
            </table>
        </div>
    }
}

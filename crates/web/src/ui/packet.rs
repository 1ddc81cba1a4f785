//! A packet: its path, its header tree, and its bytes.

use super::On;
use super::inspector::go;
use view::inspect::{PacketDetail, Target};
use view::units;
use wire::layout::{HeaderView, describe};
use yew::prelude::*;

/// Bytes shown; what comes after is payload and the checksums at its end.
const BYTES: usize = 256;
/// Bytes in a line.
const COLUMNS: usize = 8;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The packet.
    pub packet: PacketDetail,
    /// True when it has left the network; this is then the last that was seen of it.
    pub gone: bool,
    /// What the user does.
    pub on: On,
}

/// A run of bits, from the frame's start.
type Bits = (usize, usize);

/// The packet.
#[component]
pub fn PacketView(props: &Props) -> Html {
    let packet = &props.packet;
    let lit = use_state_eq(|| None::<Bits>);
    let headers = use_memo(packet.bytes.clone(), |bytes| describe(bytes));
    html! {
        <>
            <h3 class="subject"><span class="kind">{ "Packet" }</span>{ " " }<span data-testid="subject">{ &packet.title }</span></h3>
            if props.gone {
                <p class="state warn" role="status" data-testid="packet-gone">{ "It has been delivered or dropped; this is the last that was seen of it." }</p>
            } else {
                <p class="small">{ &packet.place }</p>
            }
            <dl class="facts">
                if let Some(qp) = packet.qp {
                    <dt>{ "QP" }</dt><dd>{ go(&props.on, Target::Qp(qp), qp.to_string()) }</dd>
                }
                <dt>{ "size" }</dt><dd>{ format!("{} B on the wire, gap and preamble included", packet.size) }</dd>
                <dt>{ "sent" }</dt><dd>{ units::span(packet.sent_ps as f64) }</dd>
            </dl>
            { path(packet, &props.on) }
            if !packet.usids.is_empty() {
                { usids(packet) }
            }
            if let Some(why) = &packet.no_bytes {
                <p class="dim" data-testid="no-headers">{ format!("No headers to be shown: {why}.") }</p>
            } else {
                <h4>{ format!("Headers, {} B", packet.bytes.len()) }</h4>
                <div class="frame">
                    <div class="tree" data-testid="headers">{ for headers.iter().map(|header| tree(header, &lit)) }</div>
                    { hex(&packet.bytes, *lit) }
                </div>
            }
        </>
    }
}

/// The path, with the hop that the packet is on.
fn path(packet: &PacketDetail, on: &On) -> Html {
    let hop = packet.hop as usize;
    let steps = packet.path.iter().enumerate().map(|(index, step)| {
        let class = match index {
            _ if index < hop => "done",
            _ if index == hop => "current",
            _ => "ahead",
        };
        html! {
            <li {class} aria-current={(index == hop).then_some("step")}>
                if let Some(link) = step.link {
                    <span class="via">{ go(on, Target::Link(link), link.to_string()) }</span>
                }
                <span class="node">{ &step.node }</span>
            </li>
        }
    });
    html! { <ol class="path" data-testid="path" aria-label="Path">{ for steps }</ol> }
}

/// The uSIDs left: the active one leads.
fn usids(packet: &PacketDetail) -> Html {
    html! {
        <p class="usids" aria-label="uSIDs left">
            { for packet.usids.iter().enumerate().map(|(index, usid)| html! {
                <span class={classes!("usid", (index == 0).then_some("active"))} title={usid.names.clone()}>{ format!("{:04x}", usid.value) }</span>
            }) }
            <span class="dim small">{ packet.usids.first().map(|usid| format!("active: {}", usid.names)).unwrap_or_default() }</span>
        </p>
    }
}

fn tree(header: &HeaderView, lit: &UseStateHandle<Option<Bits>>) -> Html {
    let light = |bits: Option<Bits>| {
        let lit = lit.clone();
        Callback::from(move |_: MouseEvent| lit.set(bits))
    };
    let whole = (header.offset * 8, header.len * 8);
    html! {
        <details class="header" data-testid="header" open={matches!(header.name, "BTH" | "AETH" | "PFC")}>
            <summary onmouseenter={light(Some(whole))} onmouseleave={light(None)}>
                <strong>{ header.name }</strong>{ " " }<span class="dim">{ &header.summary }</span>
            </summary>
            <table>
                <tbody>
                    { for header.fields.iter().map(|field| html! {
                        <tr title={field.doc} onmouseenter={light(Some((field.bit_offset, field.bit_len)))} onmouseleave={light(None)}>
                            <th scope="row">{ field.name }</th><td>{ &field.value }</td>
                        </tr>
                    }) }
                </tbody>
            </table>
        </details>
    }
}

fn hex(bytes: &[u8], lit: Option<Bits>) -> Html {
    let range = lit.map(|(start, length)| start / 8..(start + length).div_ceil(8));
    let line = |(index, chunk): (usize, &[u8])| {
        let offset = index * COLUMNS;
        html! {
            <div class="hex-line">
                <span class="offset">{ format!("{offset:04x}") }</span>
                { for chunk.iter().enumerate().map(|(column, byte)| {
                    let is_lit = range.as_ref().is_some_and(|range| range.contains(&(offset + column)));
                    html! { <span class={classes!("byte", is_lit.then_some("lit"))}>{ format!("{byte:02x}") }</span> }
                }) }
            </div>
        }
    };
    let left = bytes.len().saturating_sub(BYTES);
    html! {
        <div class="hex" role="img" aria-label={format!("{} bytes in hexadecimal", bytes.len())} data-testid="hex">
            { for bytes[..bytes.len() - left].chunks(COLUMNS).enumerate().map(line) }
            if left > 0 { <p class="dim small">{ format!("and {} more bytes", units::count(left as u64)) }</p> }
        </div>
    }
}

//! The bytes, in hexadecimal or bit by bit, with exactly the bits of the field that is looked at lit.

use crate::texts::packet as texts;
use view::packet::Bits;
use view::units;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// Bytes shown; what comes after is payload and the checksums at its end.
const BYTES: usize = 256;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The frame.
    pub bytes: Vec<u8>,
    /// The bits that are lit.
    pub lit: Option<Bits>,
    /// Hears which byte is pointed at.
    pub point: Callback<Option<usize>>,
    /// Hears which byte was clicked.
    pub take: Callback<usize>,
}

fn byte_of(event: &Event) -> Option<usize> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let byte = element.closest("[data-at]").ok()??;
    byte.get_attribute("data-at")?.parse().ok()
}

/// The bytes.
#[component]
pub fn Bytes(props: &Props) -> Html {
    let in_bits = use_state_eq(|| false);
    let columns = if *in_bits { 4 } else { 8 };
    let onmouseover = props.point.reform(|event: MouseEvent| byte_of(&event));
    let onclick = {
        let take = props.take.clone();
        Callback::from(move |event: MouseEvent| {
            if let Some(at) = byte_of(&event) {
                take.emit(at);
            }
        })
    };
    let choose = |bits: bool, name: &'static str, title: &'static str| {
        let is_on = *in_bits == bits;
        let in_bits = in_bits.clone();
        let onclick = Callback::from(move |_: MouseEvent| in_bits.set(bits));
        html! { <button aria-pressed={is_on.to_string()} {title} data-testid={format!("bytes-{name}")} {onclick}>{ name }</button> }
    };
    let byte = |at: usize| {
        let byte = props.bytes[at];
        let mask = props.lit.map_or(0, |lit| lit.mask(at));
        if *in_bits {
            bits(at, byte, mask)
        } else {
            hexadecimal(at, byte, mask)
        }
    };
    let shown = props.bytes.len().min(BYTES);
    let left = props.bytes.len() - shown;
    html! {
        <div class="packet-bytes">
            <div class="segmented small" role="group" aria-label={texts::BYTES_SHOWN_AS}>
                { choose(false, "hex", texts::AS_HEX) }
                { choose(true, "bits", texts::AS_BITS) }
            </div>
            <div
                class={classes!("hex", in_bits.then_some("in-bits"))}
                role="img"
                aria-label={texts::bytes(props.bytes.len())}
                data-testid="hex"
                {onmouseover}
                {onclick}
                onmouseleave={props.point.reform(|_: MouseEvent| None)}
            >
                { for (0..shown).step_by(columns).map(|offset| html! {
                    <div class="hex-line">
                        <span class="offset">{ format!("{offset:04x}") }</span>
                        { for (offset..(offset + columns).min(shown)).map(byte) }
                    </div>
                }) }
                if left > 0 { <p class="dim small">{ texts::more_bytes(&units::count(left as u64)) }</p> }
            </div>
        </div>
    }
}

/// Two digits; below them a bar of eight places, of which those of lit bits are filled.
fn hexadecimal(at: usize, byte: u8, mask: u8) -> Html {
    let class = match mask {
        0 => None,
        0xff => Some("lit"),
        _ => Some("part"),
    };
    let first = mask.leading_zeros();
    html! {
        <span class={classes!("byte", class)} data-at={at.to_string()}>
            { format!("{byte:02x}") }
            if class == Some("part") {
                <svg viewBox="0 0 8 1" preserveAspectRatio="none" aria-hidden="true">
                    <rect x={first.to_string()} width={mask.count_ones().to_string()} height="1" />
                </svg>
            }
        </span>
    }
}

/// Eight digits. The bits of a field are neighbours.
fn bits(at: usize, byte: u8, mask: u8) -> Html {
    let text = format!("{byte:08b}");
    let from = (mask.leading_zeros() as usize).min(8);
    let to = from + mask.count_ones() as usize;
    html! {
        <span class="byte" data-at={at.to_string()}>
            { &text[..from] }
            if from < to { <span class="lit">{ &text[from..to] }</span> }
            { &text[to..] }
        </span>
    }
}

//! The field that is looked at: its bits, what they come to, by whose word, and what can be done with it.

use super::super::On;
use super::super::icons::{Icon, icon};
use crate::model::Action;
use crate::share::copy;
use crate::texts::packet as texts;
use std::rc::Rc;
use view::inspect::PacketDetail;
use view::packet::{Bitmap, Item, bitmap, filter, hex, line, meaning, source};
use view::units;
use wire::layout::HeaderView;
use yew::prelude::*;

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The packet.
    pub packet: PacketDetail,
    /// Its headers.
    pub headers: Rc<Vec<HeaderView>>,
    /// The line that is looked at.
    pub item: Option<Item>,
    /// What the user does.
    pub on: On,
}

/// The field, or the header.
#[component]
pub fn FieldCard(props: &Props) -> Html {
    let (packet, headers) = (&props.packet, &props.headers);
    // What was copied last, or that nothing was.
    let copied = use_state_eq(|| None::<AttrValue>);
    let found = props.item.and_then(|item| {
        let header = headers.get(item.header())?;
        Some((header, item, item.bits(headers)?))
    });
    let Some((header, item, bits)) = found else {
        return html! {
            <div class="field-card" data-testid="field">
                <p class="dim small">{ texts::POINT_AT_SOMETHING }</p>
            </div>
        };
    };
    let field = match item {
        Item::Header(_) => None,
        Item::Field(_, field) => header.fields.get(field),
    };
    let bytes = &packet.bytes;
    let copier = |name: &'static str, text: Option<String>| {
        let Some(text) = text else { return html! {} };
        let copied = copied.clone();
        let title = texts::copy(&text);
        let title: String = title.chars().take(200).collect();
        let onclick = Callback::from(move |_: MouseEvent| {
            let (text, copied) = (text.clone(), copied.clone());
            wasm_bindgen_futures::spawn_local(async move {
                let done = copy(&text).await;
                copied.set(Some(match done {
                    true => texts::copied(&text).chars().take(60).collect::<String>().into(),
                    false => texts::NO_COPYING.into(),
                }));
            });
        });
        html! { <button class="quiet" {title} data-testid={format!("copy-{name}")} {onclick}>{ icon(Icon::Copy) }{ name }</button> }
    };
    let test = filter(packet, header, field);
    let find = |text: &String| {
        let title = texts::find(text);
        let wanted = text.clone();
        let onclick = props.on.reform(move |_| Action::FindEvents(wanted.clone()));
        html! {
            <button class="quiet" {title} data-testid="find-field" {onclick}>
                { texts::FIND_EVENTS }<code>{ text }</code>
            </button>
        }
    };
    html! {
        <div class="field-card" data-testid="field">
            <p class="field-name">
                <strong>{ header.name }</strong>
                if let Some(field) = field { { " · " }<strong>{ field.name }</strong> }
                <span class="dim small">{ extent(bits.offset, bits.len) }</span>
            </p>
            if let Some(line) = line(bytes, bits).filter(|_| field.is_some()) {
                <p class="bit-line" data-testid="bit-line">
                    <code>{ line }</code>
                    // Of a bitmap the value is the bits.
                    if let Some(field) = field.filter(|field| field.value.len() != field.bit_len || field.bit_len < 32) {
                        { " = " }<span>{ &field.value }</span>
                    }
                </p>
            }
            if let Some(field) = field {
                <p class="small">{ field.doc }</p>
                if let Some(text) = meaning(bytes, header, field) {
                    <p class="small" data-testid="meaning">{ text }</p>
                }
                if field.name == "sack_bitmap" { { for bitmap(bytes, header).map(squares) } }
            }
            if let Some(text) = source(header.name, field.map(|field| field.name)) {
                <p class="dim small" data-testid="field-source">{ texts::SOURCE }{ text }</p>
            }
            <p class="row">
                { copier("value", field.map(|field| field.value.clone())) }
                { copier("hex", hex(bytes, bits)) }
                { copier("filter", test.clone()) }
                { for test.iter().map(find) }
            </p>
            <p class="small" role="status">{ copied.as_ref().cloned().unwrap_or_default() }</p>
        </div>
    }
}

/// Where the bits are, and how many.
fn extent(offset: usize, len: usize) -> String {
    let (first, last) = (offset / 8, (offset + len).saturating_sub(1) / 8);
    let size = if len.is_multiple_of(8) {
        units::things(len as u64 / 8, "byte")
    } else {
        units::things(len as u64, "bit")
    };
    texts::extent(&size, first, last)
}

/// A SACK's bitmap as squares, the lowest PSN first: filled where the packet has arrived.
fn squares(bitmap: Bitmap) -> Html {
    let square = |i: u32| {
        let (x, y) = (i % 16, i / 16);
        let has = bitmap.bits >> i & 1 == 1;
        html! {
            <rect class={if has { "has" } else { "not" }} x={(x * 10 + 1).to_string()} y={(y * 10 + 1).to_string()} width="8" height="8" rx="1.5">
                <title>{ texts::arrived(bitmap.psn(i), has) }</title>
            </rect>
        }
    };
    html! {
        <div class="sack-map" data-testid="sack-map">
            <svg viewBox="0 0 160 40" role="img" aria-label={texts::of_64(bitmap.bits.count_ones())}>
                { for (0..64).map(square) }
            </svg>
            <p class="dim small"><span>{ format!("PSN {}", bitmap.psn(0)) }</span><span>{ texts::A_ROW }</span><span>{ format!("PSN {}", bitmap.psn(63)) }</span></p>
        </div>
    }
}

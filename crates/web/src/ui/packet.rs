//! A packet: its path with the address at each hop, its header tree, its bytes, and the field that is looked at.

mod bytes;
mod field;
mod hops;
mod tree;

use super::On;
use super::facts::Facts;
use super::inspector::go;
use crate::shared::Shared;
use bytes::Bytes;
use field::FieldCard;
use hops::path;
use tree::HeaderTree;
use view::inspect::{PacketDetail, Target};
use view::life::Life;
use view::packet::{Item, Tree, fields_of};
use view::units;
use wire::layout::describe;
use yew::prelude::*;

/// Headers that are open to begin with.
const OPEN: [&str; 3] = ["BTH", "AETH", "PFC"];

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The packet.
    pub packet: PacketDetail,
    /// True when it has left the network; this is then the last that was seen of it.
    pub gone: bool,
    /// Its life, as far as that is known.
    pub life: Option<Shared<Life>>,
    /// What the user does.
    pub on: On,
}

/// What is pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pointed {
    /// A line of the tree.
    Item(Item),
    /// A byte.
    Byte(usize),
}

/// The packet.
#[component]
pub fn PacketView(props: &Props) -> Html {
    let packet = &props.packet;
    let walk = use_state_eq(|| Tree::opened(&OPEN));
    let pointed = use_state_eq(|| None::<Pointed>);
    let headers = use_memo(packet.bytes.clone(), |bytes| describe(bytes));
    // What is pointed at is shown while it is; then the line that the cursor is on again.
    let shown = match *pointed {
        Some(Pointed::Item(item)) => Some(item),
        Some(Pointed::Byte(at)) => {
            let fields = fields_of(&headers, at);
            let own = walk.cursor(&headers).filter(|item| fields.contains(item));
            own.or(fields.first().copied())
        }
        None => walk.cursor(&headers),
    };
    let point = |of: fn(usize) -> Pointed| {
        let pointed = pointed.clone();
        Callback::from(move |at: Option<usize>| pointed.set(at.map(of)))
    };
    let point_item = {
        let pointed = pointed.clone();
        Callback::from(move |item: Option<Item>| pointed.set(item.map(Pointed::Item)))
    };
    let take_byte = {
        let (walk, headers) = (walk.clone(), headers.clone());
        Callback::from(move |at: usize| {
            let mut tree = (*walk).clone();
            if let Some(item) = tree.field_at(&headers, at) {
                tree.point(&headers, item);
                walk.set(tree);
            }
        })
    };
    let change = {
        let walk = walk.clone();
        Callback::from(move |tree: Tree| walk.set(tree))
    };
    let mut rows: Vec<(AttrValue, Html)> = vec![
        (
            "size".into(),
            format!("{} B on the wire, gap and preamble included", packet.size).into(),
        ),
        ("sent".into(), units::span(packet.sent_ps as f64).into()),
    ];
    if let Some(qp) = packet.qp {
        rows.insert(0, ("QP".into(), go(&props.on, Target::Qp(qp), qp.to_string())));
    }
    html! {
        <>
            <h3 class="subject"><span class="kind">{ "Packet" }</span>{ " " }<span data-testid="subject">{ &packet.title }</span></h3>
            if props.gone {
                <p class="state warn" role="status" data-testid="packet-gone">{ "It has been delivered or dropped; this is the last that was seen of it." }</p>
            } else {
                <p class="small">{ &packet.place }</p>
            }
            <Facts view="packet" rows={rows} />
            { path(packet, props.life.as_deref(), &props.on) }
            if let Some(why) = &packet.no_bytes {
                <p class="dim" data-testid="no-headers">{ format!("No headers to be shown: {why}.") }</p>
            } else {
                <h4>{ format!("Headers, {} B", packet.bytes.len()) }</h4>
                <div class="packet-frame">
                    <HeaderTree headers={headers.clone()} walk={(*walk).clone()} {shown} {change} point={point_item} />
                    <Bytes
                        bytes={packet.bytes.clone()}
                        lit={shown.and_then(|item| item.bits(&headers))}
                        point={point(Pointed::Byte)}
                        take={take_byte}
                    />
                    <FieldCard packet={packet.clone()} {headers} item={shown} on={props.on.clone()} />
                </div>
            }
        </>
    }
}

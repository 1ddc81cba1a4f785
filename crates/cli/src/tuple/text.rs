//! What would become of a packet, for people.

use super::answer::{Answer, Layer, Way};
use crate::output::plain;
use std::fmt::Write;

/// The answer about a packet that was put to the port of this name.
pub fn text(port: &str, answer: &Answer) -> String {
    let mut text = String::new();
    let packet = &answer.packet;
    let _ = writeln!(
        text,
        "{port} {}: {} {} port {} to {} port {}",
        packet.direction,
        gft::Protocol(packet.protocol),
        packet.src,
        packet.src_port,
        packet.dst,
        packet.dst_port
    );
    for encap in &packet.encaps {
        let _ = writeln!(text, "  in {encap}");
    }
    if let Some(flow) = &answer.flow {
        let _ = writeln!(
            text,
            "  flow {}: {}, generation {}{}{}; layers that know it are not asked",
            flow.handle,
            flow.state,
            flow.generation,
            if flow.stale { ", stale" } else { "" },
            if flow.offloaded { ", offloaded" } else { "" }
        );
    }
    way(&mut text, &answer.way);
    if let Some(reply) = &answer.reply {
        let _ = writeln!(text, "  the answer to it");
        way(&mut text, reply);
    }
    for entry in &answer.entries {
        let _ = writeln!(text, "  entry {}", entry.key);
        changes(&mut text, "    ", &entry.transposition);
    }
    let work = &answer.work;
    let us = answer.core_us.map_or_else(String::new, |us| {
        format!(": {us:.3} µs of a core, without entries and commands to the NIC")
    });
    let _ = writeln!(
        text,
        "  the walks cost {} layers, {} groups, {} classifier steps{us}",
        work.layers, work.groups, work.steps
    );
    text
}

fn way(text: &mut String, way: &Way) {
    let width = way
        .layers
        .iter()
        .map(|layer| layer.layer.chars().count())
        .max()
        .unwrap_or(0);
    for layer in &way.layers {
        let _ = writeln!(text, "  {:width$}  {}", plain(&layer.layer), decision(layer));
        changes(text, &" ".repeat(width + 4), &layer.transposition);
    }
    let _ = match &way.reason {
        Some(reason) => writeln!(text, "  {}: {reason}", way.verdict.to_uppercase()),
        None => writeln!(text, "  {}", way.verdict.to_uppercase()),
    };
}

fn decision(layer: &Layer) -> String {
    match (&layer.rule, layer.priority, layer.action) {
        (Some(rule), Some(priority), Some(action)) => {
            format!("{} (priority {priority}): {action}", plain(rule))
        }
        _ => match layer.decided_by {
            "remembered" => "remembers the flow".into(),
            other => format!("no rule matches: {other}"),
        },
    }
}

fn changes(text: &mut String, indent: &str, changes: &[String]) {
    for change in changes {
        let _ = writeln!(text, "{indent}{change}");
    }
}

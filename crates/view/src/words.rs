//! Things in words.

use scenario::{Direction, FaultKind, Refusal, Tier};

/// A fault or a repair, as in `p0/t0.0-t1.2 down`.
pub fn fault(fault: &FaultKind) -> String {
    match fault {
        FaultKind::LinkDown { link, direction } => format!("{link} down{}", one_way(*direction)),
        FaultKind::LinkUp { link, direction } => format!("{link} up{}", one_way(*direction)),
        FaultKind::LinkLoss {
            link,
            direction,
            rate,
        } => format!("{link} loses {}{}", share(*rate), one_way(*direction)),
        FaultKind::LinkCorrupt {
            link,
            direction,
            rate,
        } => format!("{link} damages {}{}", share(*rate), one_way(*direction)),
        FaultKind::LinkFlap { link, .. } => format!("{link} flaps"),
        FaultKind::LinksDown {
            tier, plane, count, ..
        } => {
            let plane = plane
                .map(|plane| format!(" of plane {plane}"))
                .unwrap_or_default();
            format!("{count} {} links{plane} down", tier_name(*tier))
        }
        FaultKind::TierLoss {
            tier,
            direction,
            rate,
        } => format!(
            "{} links lose {}{}",
            tier_name(*tier),
            share(*rate),
            one_way(*direction)
        ),
        FaultKind::SwitchDown { switch } => format!("{switch} dead"),
        FaultKind::SwitchUp { switch } => format!("{switch} back"),
        FaultKind::SwitchReboot { switch, .. } => format!("{switch} reboots"),
        FaultKind::SwitchCorrupt { switch, rate } => format!("{switch} damages {}", share(*rate)),
        FaultKind::NicPortDown { nic, plane, .. } => format!("NIC {nic} port of plane {plane} down"),
        FaultKind::NicFlap { nic, .. } => format!("NIC {nic} flaps"),
        FaultKind::NicRefuses { nic, rate, reason } => {
            let reason = match reason {
                Refusal::NoBitmap => "NO_BITMAP",
                Refusal::NoPktBuffer => "NO_PKT_BUFFER",
                Refusal::NoResource => "NO_RESOURCE",
            };
            format!("NIC {nic} refuses {}: {reason}", share(*rate))
        }
        FaultKind::NicPenalty { nic, penalty } => format!("NIC {nic} reports penalty {penalty}"),
    }
}

fn one_way(direction: Direction) -> &'static str {
    match direction {
        Direction::Both => "",
        Direction::Up => " upward",
        Direction::Down => " downward",
    }
}

fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Nic => "NIC–T0",
        Tier::T0T1 => "T0–T1",
        Tier::T1T2 => "T1–T2",
    }
}

fn share(rate: f64) -> String {
    if rate > 0.0 {
        percent(rate)
    } else {
        "nothing".into()
    }
}

/// A share as a percentage with all its digits, but without the noise of binary fractions. Shares too small for that keep
/// two figures of a power of ten.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 1e-5 {
        return format!("{percent:.1e} %");
    }
    let text = format!("{percent:.6}");
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_above_nothing_is_never_said_to_be_nothing() {
        assert_eq!(percent(0.07), "7 %");
        assert_eq!(percent(0.0001), "0.01 %");
        assert_eq!(percent(1e-6), "0.0001 %");
        assert_eq!(percent(1e-12), "1.0e-10 %");
        assert_eq!(percent(0.0), "0 %");
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let fault_of = |json: &str| fault(&serde_json::from_str(json).unwrap());
        assert_eq!(fault_of(r#"{"kind":"link_down","link":"p0/n3"}"#), "p0/n3 down");
        assert_eq!(
            fault_of(r#"{"kind":"link_loss","link":"p0/n3","rate":0.07}"#),
            "p0/n3 loses 7 %"
        );
        assert_eq!(
            fault_of(r#"{"kind":"link_loss","link":"p0/n3","rate":0}"#),
            "p0/n3 loses nothing"
        );
        assert_eq!(
            fault_of(r#"{"kind":"switch_up","switch":"p1/t1.0"}"#),
            "p1/t1.0 back"
        );
        assert_eq!(
            fault_of(r#"{"kind":"tier_loss","tier":"t0_t1","direction":"up","rate":0.001}"#),
            "T0–T1 links lose 0.1 % upward"
        );
        assert_eq!(
            fault_of(r#"{"kind":"links_down","tier":"nic","plane":2,"count":3}"#),
            "3 NIC–T0 links of plane 2 down"
        );
        assert_eq!(
            fault_of(r#"{"kind":"nic_refuses","nic":4,"rate":0.5,"reason":"no_pkt_buffer"}"#),
            "NIC 4 refuses 50 %: NO_PKT_BUFFER"
        );
    }
}

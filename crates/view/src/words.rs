//! Things in words.

use scenario::FaultKind;

/// A fault or a repair, as in `p0/t0.0-t1.2 down`.
pub fn fault(fault: &FaultKind) -> String {
    match fault {
        FaultKind::LinkDown { link } => format!("{link} down"),
        FaultKind::LinkUp { link } => format!("{link} up"),
        FaultKind::LinkLoss { link, rate } if *rate > 0.0 => format!("{link} loses {}", percent(*rate)),
        FaultKind::LinkLoss { link, .. } => format!("{link} loses nothing"),
        FaultKind::SwitchDown { switch } => format!("{switch} dead"),
        FaultKind::SwitchUp { switch } => format!("{switch} back"),
    }
}

/// A share as a percentage with all its digits, but without the noise of binary fractions.
fn percent(share: f64) -> String {
    let text = format!("{:.6}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}

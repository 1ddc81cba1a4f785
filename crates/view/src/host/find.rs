//! Finds a thing of a host by its name.

use super::message::{Facts, Target};

/// The thing that `text` names: `VM 0`, `SmartNIC`, `layer NAME` of VM 0, and by their numbers in the run `flow 0` of VM 0 and
/// `packet 0`.
///
/// # Errors
/// What is expected instead, or what the host has.
pub fn find(text: &str, facts: &Facts) -> Result<Target, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("SmartNIC") {
        return Ok(Target::Nic);
    }
    let number = |rest: &str| {
        rest.parse::<u32>()
            .map_err(|_| format!("{text:?} has no number that can be one"))
    };
    match text.split_once(' ') {
        Some(("VM", rest)) => match number(rest)? {
            vm if (vm as usize) < facts.layers.len() => Ok(Target::Vm { vm }),
            vm => Err(format!(
                "there is no VM {vm}; VMs are 0 to {}",
                facts.layers.len().saturating_sub(1)
            )),
        },
        Some(("layer", name)) => {
            let layers = facts.layers.first().map_or(&[][..], Vec::as_slice);
            match layers.iter().position(|layer| layer == name) {
                Some(layer) => Ok(Target::Layer {
                    vm: 0,
                    layer: layer as u32,
                }),
                None => Err(format!(
                    "there is no layer {name:?}; layers are {}",
                    layers.join(", ")
                )),
            }
        }
        Some(("flow", rest)) => Ok(Target::Flow {
            vm: 0,
            handle: number(rest)?,
        }),
        Some(("packet", rest)) => Ok(Target::Packet { id: number(rest)? }),
        _ => Err(format!(
            "{text:?} is none of VM 0, SmartNIC, layer NAME, flow 0, packet 0"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_or_refused_with_what_there_is() {
        let facts = Facts {
            layers: vec![vec!["ACL".into(), "VNET".into()]],
            ..Facts::default()
        };
        assert_eq!(find("VM 0", &facts), Ok(Target::Vm { vm: 0 }));
        assert_eq!(find("smartnic", &facts), Ok(Target::Nic));
        assert_eq!(find("layer VNET", &facts), Ok(Target::Layer { vm: 0, layer: 1 }));
        assert_eq!(find("flow 3", &facts), Ok(Target::Flow { vm: 0, handle: 3 }));
        assert_eq!(find("packet 9", &facts), Ok(Target::Packet { id: 9 }));
        for (text, why) in [
            ("VM 1", "VMs are 0 to 0"),
            ("layer NAT", "layers are ACL, VNET"),
            ("packet -1", "no number"),
            ("QP 0", "none of VM 0"),
            ("", "none of VM 0"),
        ] {
            let said = find(text, &facts).expect_err(text);
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}

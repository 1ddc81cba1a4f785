//! BENCHMARKS.md: written by hand but for the part between two markers.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::root;

const NAME: &str = "BENCHMARKS.md";
const BEGIN: &str = "<!-- From here to the end marker `cargo xtask bench` writes. -->\n";
const END: &str = "<!-- End marker. -->\n";

/// Puts the text between the markers.
pub fn write(text: &str) -> Result<()> {
    let path = root().join(NAME);
    let old = fs::read_to_string(&path).with_context(|| format!("reading {NAME}"))?;
    let new = replace(&old, text).with_context(|| format!("in {NAME}"))?;
    fs::write(&path, new).with_context(|| format!("writing {NAME}"))
}

fn replace(old: &str, text: &str) -> Result<String> {
    if let Some((before, rest)) = old.split_once(BEGIN)
        && let Some((_, after)) = rest.split_once(END)
    {
        return Ok(format!("{before}{BEGIN}\n{}\n\n{END}{after}", text.trim()));
    }
    bail!(
        "expected the lines `{}` and, below it, `{}`",
        BEGIN.trim(),
        END.trim()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let old = format!("a\n{BEGIN}old\n{END}b\n");
        let new = replace(&old, "new\n").unwrap();
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n\n{END}b\n"));
        assert_eq!(replace(&new, "new").unwrap(), new);
        for broken in [format!("{BEGIN}x"), format!("{END}{BEGIN}"), String::new()] {
            assert!(replace(&broken, "new").is_err(), "{broken}");
        }
    }

    #[test]
    fn the_file_has_its_markers() {
        let text = fs::read_to_string(root().join(NAME)).unwrap();
        assert!(replace(&text, "x").is_ok());
    }
}

//! `xtask-bundle [--count] MODULE.wasm OUT_DIR` writes `OUT_DIR/MODULE.js` and `OUT_DIR/MODULE_bg.wasm`:
//! the module with its JavaScript bindings, as an ES module for browsers. With `--count` the module counts the
//! instructions that it executes.

mod count;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use walrus::Module;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let counts = arguments
        .first()
        .is_some_and(|first| first == Path::new("--count"));
    if counts {
        arguments.remove(0);
    }
    let [module, out_dir] = &arguments[..] else {
        bail!(
            "expected two arguments: [--count] MODULE.wasm OUT_DIR, got {}",
            arguments.len()
        );
    };
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        // Nothing but a stack trace reads the names, and they are a tenth of what is transferred.
        .remove_name_section(!counts)
        // The module finds its own `.wasm` file beside it, as under Trunk.
        .omit_default_module_path(false)
        .generate(out_dir)
        .with_context(|| format!("generating bindings for {}", module.display()))?;
    if counts {
        make_count(&out_dir.join(bound_name(module)?))?;
    }
    Ok(())
}

/// The name of the file that the generator makes of a module.
fn bound_name(module: &Path) -> Result<String> {
    let stem = module.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.with_context(|| format!("{} has no name", module.display()))?;
    Ok(format!("{stem}_bg.wasm"))
}

/// Rewrites a module so that it counts.
fn make_count(path: &Path) -> Result<()> {
    let mut module = Module::from_file(path).with_context(|| format!("reading {}", path.display()))?;
    count::instructions(&mut module);
    module
        .emit_wasm_file(path)
        .with_context(|| format!("writing {}", path.display()))
}

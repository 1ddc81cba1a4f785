//! `xtask-bundle MODULE.wasm OUT_DIR` writes `OUT_DIR/MODULE.js` and `OUT_DIR/MODULE_bg.wasm`:
//! the module with its JavaScript bindings, as an ES module for browsers.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [module, out_dir] = &arguments[..] else {
        bail!(
            "expected two arguments: MODULE.wasm OUT_DIR, got {}",
            arguments.len()
        );
    };
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        // The module finds its own `.wasm` file beside it, as under Trunk.
        .omit_default_module_path(false)
        .generate(out_dir)
        .with_context(|| format!("generating bindings for {}", module.display()))
}

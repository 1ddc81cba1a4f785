//! The page: two wasm modules with their bindings, the files of `www/`, and `index.html`.
//!
//! The result is laid out as Trunk lays it out, so that the page works the same under both.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use crate::{cargo, edition, process, root, site::Site};

/// The packages that become wasm modules: the page itself first, then its Web Workers.
pub const MODULES: [&str; 4] = [
    "flowglass-web",
    "flowglass-worker",
    "flowglass-host-worker",
    "flowglass-import-worker",
];

/// The package that makes the bindings. Not linked into this program, which starts faster without.
pub const BUNDLER: &str = "xtask-bundle";

/// Builds all files of the page.
pub fn build() -> Result<Site> {
    let mut site = Site::default();
    add_folder(&mut site, &root().join("www"))?;
    add_modules(&mut site, &MODULES)?;
    for name in MODULES {
        site.add(loader_name(name), loader(name).into_bytes())?;
    }
    let index = root().join("index.html");
    let source = fs::read_to_string(&index).with_context(|| format!("reading {}", index.display()))?;
    let page = render(&source).with_context(|| format!("in {}", index.display()))?;
    site.add("index.html".into(), page.into_bytes())?;
    edition::seal(&mut site)?;
    Ok(site)
}

/// Compiles packages to wasm modules and adds them with their bindings.
pub fn add_modules(site: &mut Site, names: &[&str]) -> Result<()> {
    cargo::require_wasm_target()?;
    let (bundler, modules) = compile(names)?;
    for name in names {
        let out_dir = bundle(
            cargo::pick(&bundler, BUNDLER)?,
            cargo::pick(&modules, name)?,
            name,
        )?;
        add_folder(site, &out_dir)?;
    }
    Ok(())
}

/// Adds the files below a folder.
pub fn add_folder(site: &mut Site, folder: &Path) -> Result<()> {
    site.add_folder(folder)
        .with_context(|| format!("reading {}", folder.display()))
}

/// Compiles the bundler and the modules at the same time: linking a module keeps only one core busy.
pub fn compile(names: &[&str]) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    thread::scope(|scope| {
        let bundler = scope.spawn(|| cargo::build(&["--quiet", "--package", BUNDLER]));
        let mut arguments = vec!["--release", "--target", cargo::WASM_TARGET];
        arguments.extend(names.iter().flat_map(|module| ["--package", module]));
        let modules = cargo::build(&arguments);
        let bundler = bundler.join().expect("building the bundler does not panic");
        Ok((bundler?, modules?))
    })
}

/// Makes a module's bindings in a folder beside the module, unless those there are newer than all they are made of.
fn bundle(bundler: &Path, module: &Path, name: &str) -> Result<PathBuf> {
    let out_dir = module.with_file_name("bundle").join(name);
    let result = out_dir.join(format!("{name}_bg.wasm"));
    let fresh = match modified(&result) {
        Ok(made) => made > modified(module)? && made > modified(bundler)?,
        Err(_) => false,
    };
    if !fresh {
        if out_dir.exists() {
            fs::remove_dir_all(&out_dir).with_context(|| format!("emptying {}", out_dir.display()))?;
        }
        process::run(Command::new(bundler).arg(module).arg(&out_dir))?;
    }
    Ok(out_dir)
}

fn modified(path: &Path) -> Result<std::time::SystemTime> {
    fs::metadata(path)
        .and_then(|data| data.modified())
        .with_context(|| format!("looking at {}", path.display()))
}

/// The file that starts a module. Trunk's `data-loader-shim` chooses the same name.
fn loader_name(module: &str) -> String {
    format!("{module}_loader.js")
}

/// A script of its own rather than one in the page, so that the Content-Security-Policy can forbid the latter.
fn loader(module: &str) -> String {
    format!(
        "import init from './{module}.js';\n\
         await init({{ module_or_path: new URL('./{module}_bg.wasm', import.meta.url) }});\n"
    )
}

/// Does for `index.html` what Trunk does: its `<link data-trunk>` elements make way for the page's module.
fn render(source: &str) -> Result<String> {
    let [page, ..] = MODULES;
    let (before, after) = without_trunk_links(source)?;
    let html = format!(
        r#"{before}<link rel="modulepreload" href="./{page}.js">
  <link rel="preload" href="./{page}_bg.wasm" as="fetch" type="application/wasm" crossorigin>
  <script type="module" src="./{}"></script>
{after}"#,
        loader_name(page)
    );
    refuse_inline_code(&html)?;
    Ok(html)
}

/// What comes before the first of Trunk's links, and what comes after it without the others.
fn without_trunk_links(source: &str) -> Result<(String, String)> {
    let mut kept = String::with_capacity(source.len());
    let mut first = None;
    let mut rest = source;
    while let Some(start) = rest.find("<link") {
        let Some(length) = rest[start..].find('>') else {
            bail!("a <link has no closing >")
        };
        let end = start + length + 1;
        if rest[start..end].contains("data-trunk") {
            kept += &rest[..start];
            first.get_or_insert(kept.len());
            rest = rest[end..].trim_start();
        } else {
            kept += &rest[..end];
            rest = &rest[end..];
        }
    }
    kept += rest;
    let Some(first) = first else {
        bail!("expected a <link data-trunk> in the place of the page's module")
    };
    let after = kept.split_off(first);
    Ok((kept, after))
}

/// The Content-Security-Policy blocks code and styles inside the page without a word to its author.
fn refuse_inline_code(html: &str) -> Result<()> {
    for script in html.split("<script").skip(1) {
        let attributes = script.split('>').next().unwrap_or_default();
        if !attributes.contains(" src=") {
            bail!(
                "a <script> without src would be blocked by the Content-Security-Policy: use a file in www/"
            );
        }
    }
    for (code, instead) in [("<style", "a style sheet in www/"), (" style=", "a class")] {
        if html.contains(code) {
            bail!(
                "`{}` would be blocked by the Content-Security-Policy: use {instead}",
                code.trim()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<html><head>\n  <link rel=\"stylesheet\" href=\"styles.css\">\n  ";
    const LINKS: &str =
        "<link data-trunk rel=\"rust\"\n href=\"x\" />\n  <link data-trunk rel=\"copy-dir\">\n";

    #[test]
    fn trunks_links_make_way_for_the_module() {
        let html = render(&format!("{HEAD}{LINKS}</head><body></body></html>")).unwrap();
        let inserted = html
            .strip_prefix(HEAD)
            .unwrap()
            .strip_suffix("</head><body></body></html>")
            .unwrap();
        assert!(
            inserted.starts_with(r#"<link rel="modulepreload" href="./flowglass-web.js">"#),
            "{html}"
        );
        assert!(
            inserted.ends_with("<script type=\"module\" src=\"./flowglass-web_loader.js\"></script>\n"),
            "{html}"
        );
        assert!(!html.contains("data-trunk"), "{html}");
    }

    #[test]
    fn code_that_the_policy_blocks_is_refused() {
        for (body, culprit) in [
            ("<script>alert(1)</script>", "<script>"),
            ("<script type=\"module\">alert(1)</script>", "<script>"),
            ("<style>p{}</style>", "<style"),
            ("<p style=\"color:red\">", "style="),
        ] {
            let error = render(&format!("{HEAD}{LINKS}</head><body>{body}"))
                .unwrap_err()
                .to_string();
            assert!(error.contains(culprit), "{body}: {error}");
        }
    }

    #[test]
    fn a_broken_page_is_refused() {
        assert!(
            render("<html>")
                .unwrap_err()
                .to_string()
                .starts_with("expected a <link data-trunk>")
        );
        assert_eq!(
            render("<head><link data-trunk").unwrap_err().to_string(),
            "a <link has no closing >"
        );
    }
}

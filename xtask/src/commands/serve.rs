//! `cargo xtask serve`: builds the page and serves it to this machine alone.

use std::io::{ErrorKind, IsTerminal};
use std::net::{Ipv4Addr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{commands::build, compress, http};

/// The port taken when none is asked for.
const DEFAULT_PORT: u16 = 8080;

/// How many ports after [`DEFAULT_PORT`] are tried when it is taken.
const PORTS_TRIED: u16 = 100;

/// What `serve` accepts.
#[derive(Args)]
pub struct Options {
    /// Port to listen on; 0 takes any free one [default: 8080, or the next free one]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Do not open the page in the default browser
    #[arg(long)]
    pub no_open: bool,
}

/// Builds the page, serves it and opens it. Returns only with an error.
pub fn run(options: Options) -> Result<ExitCode> {
    let listener = listen(options.port)?;
    let site = build::write()?;
    let url = format!("http://{}/", listener.local_addr()?);
    println!("Flowglass is served at {url}  (Ctrl-C stops it)");
    if !options.no_open && std::io::stdout().is_terminal() {
        // No browser to open is no reason not to serve: the address is on the screen.
        if let Err(error) = open::that_detached(&url) {
            eprintln!("could not open a browser: {error}");
        }
    }
    let site = Arc::new(site);
    let compressed = Arc::clone(&site);
    thread::spawn(move || compress::all(&compressed));
    http::serve(listener, site)?;
    Ok(ExitCode::SUCCESS)
}

/// Takes the port that was asked for, or else the first free one from [`DEFAULT_PORT`] on.
fn listen(port: Option<u16>) -> Result<TcpListener> {
    if let Some(port) = port {
        return TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .with_context(|| format!("cannot listen on 127.0.0.1:{port}, given by --port"));
    }
    let last = DEFAULT_PORT + PORTS_TRIED;
    for port in DEFAULT_PORT..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            result => return result.with_context(|| format!("cannot listen on 127.0.0.1:{port}")),
        }
    }
    bail!("ports {DEFAULT_PORT} to {last} are all taken: name another with --port")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_refused_when_it_was_asked_for() {
        let taken = listen(Some(0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = format!("{:#}", listen(Some(port)).unwrap_err());
        assert!(
            error.contains(&format!("127.0.0.1:{port}, given by --port")),
            "{error}"
        );
    }

    #[test]
    fn a_taken_default_port_makes_way_for_another() {
        let first = listen(None).unwrap().local_addr().unwrap().port();
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, first)).unwrap();
        let second = listen(None).unwrap().local_addr().unwrap().port();
        assert_ne!(holder.local_addr().unwrap().port(), second);
    }
}

//! A web server for the page, for this machine alone.
//!
//! Bounds are our choice: they are far above what a browser needs and keep a stuck or hostile client from holding
//! memory or connections.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use tokio::sync::Semaphore;

use crate::site::Site;

/// Connections served at the same time; more wait.
const CONNECTIONS: usize = 64;

/// The largest request head, in bytes.
const HEAD_BYTES: usize = 16 * 1024;

/// The time that a client has to send its request head.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The time that a client has for a connection as a whole.
const CONNECTION_TIME: Duration = Duration::from_secs(60);

/// Everything comes from this server and nothing runs from inside the page.
/// Compiling wasm needs a word of its own, and drawn images are exported as `data:` and `blob:`.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    worker-src 'self'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    // The browser may keep a file, but asks each time whether its entity tag still holds.
    (header::CACHE_CONTROL, "no-cache"),
];

/// Serves the page on a listening socket until the process ends. Returns only with an error.
pub fn serve(listener: TcpListener, site: Arc<Site>) -> Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    runtime.block_on(accept(listener, site))
}

async fn accept(listener: TcpListener, site: Arc<Site>) -> Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let slot = Arc::clone(&slots).acquire_owned().await?;
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // A client that hung up, or no file handle left for now: neither ends the server.
                eprintln!("cannot accept a connection: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<_>| {
                let answer = answer(&site, request.method(), request.uri().path(), request.headers());
                async { Ok::<_, Infallible>(answer) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .max_buf_size(HEAD_BYTES)
                // A connection for each request costs nothing on this machine and bounds the time of each.
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), service);
            // Whatever ends a connection early is the client's affair.
            let _ = tokio::time::timeout(CONNECTION_TIME, connection).await;
            drop(slot);
        });
    }
}

/// The answer to a request; hyper leaves out the body when the method is HEAD.
fn answer(site: &Site, method: &Method, path: &str, headers: &HeaderMap) -> Response<Full<Bytes>> {
    let mut response = if !matches!(*method, Method::GET | Method::HEAD) {
        let mut refusal = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are served\n");
        refusal
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        refusal
    } else {
        file(site, path, headers).unwrap_or_else(|| text(StatusCode::NOT_FOUND, "no such file\n"))
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

fn file(site: &Site, path: &str, headers: &HeaderMap) -> Option<Response<Full<Bytes>>> {
    let path = percent_decode_str(path.strip_prefix('/')?).decode_utf8().ok()?;
    let file = site.get(if path.is_empty() { "index.html" } else { &path })?;
    let compressed = file
        .compressed()
        .filter(|_| takes_brotli(headers.get_all(header::ACCEPT_ENCODING)));
    // Other bytes, another tag (RFC 9110, 8.8.3.3).
    let etag = match compressed {
        Some(_) => format!("{}-br\"", file.etag.trim_end_matches('"')),
        None => file.etag.clone(),
    };
    let known = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .any(|value| names(value, &etag));
    let content = match (known, compressed) {
        (true, _) => Bytes::new(),
        (false, Some(compressed)) => compressed.clone(),
        (false, None) => file.content.clone(),
    };
    let mut response = Response::new(Full::new(content));
    response
        .headers_mut()
        .insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if !known && compressed.is_some() {
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    }
    response
        .headers_mut()
        .insert(header::ETAG, HeaderValue::from_str(&etag).ok()?);
    Some(response)
}

/// Whether a client takes Brotli (RFC 9110, 12.5.3). One that refuses it by a weight of 0 does not; finer weights are not weighed.
fn takes_brotli<'a>(values: impl IntoIterator<Item = &'a HeaderValue>) -> bool {
    let refuses = |weight: &str| {
        let weight = weight.trim().strip_prefix("q=").map(str::parse);
        weight == Some(Ok(0.0))
    };
    values
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let mut parts = coding.split(';');
            let is_brotli = parts
                .next()
                .is_some_and(|name| name.trim().eq_ignore_ascii_case("br"));
            is_brotli && !parts.any(refuses)
        })
}

/// Whether an If-None-Match value names the entity tag (RFC 9110, 13.1.2: weak comparison).
fn names(value: &HeaderValue, etag: &str) -> bool {
    let Ok(value) = value.to_str() else { return false };
    value
        .split(',')
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

fn text(status: StatusCode, body: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(body.as_bytes())));
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, SocketAddr, TcpStream};

    fn site() -> Site {
        let mut site = Site::default();
        site.add("index.html".into(), b"<p>page</p>".to_vec()).unwrap();
        site.add("a b/module.wasm".into(), b"\0asm".to_vec()).unwrap();
        site
    }

    fn get(path: &str) -> Response<Full<Bytes>> {
        answer(&site(), &Method::GET, path, &HeaderMap::new())
    }

    /// A server in a thread of its own, which ends with the test's process.
    fn start() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || serve(listener, Arc::new(site())));
        address
    }

    #[test]
    fn compressed_files_go_to_those_who_take_them() {
        let site = site();
        let small = b"compressed".to_vec();
        site.get("index.html").unwrap().set_compressed(small.clone());
        for (accepted, compressed) in [
            ("gzip, deflate, br, zstd", true),
            ("BR;q=0.5", true),
            ("gzip", false),
            ("br;q=0, gzip", false),
            ("br; q=0.000", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accepted.parse().unwrap())]);
            let response = answer(&site, &Method::GET, "/", &headers);
            let encoding = response.headers().get(header::CONTENT_ENCODING);
            assert_eq!(
                encoding.is_some_and(|value| value == "br"),
                compressed,
                "{accepted}"
            );
            assert_eq!(response.headers()[header::VARY], "Accept-Encoding");
            let length = hyper::body::Body::size_hint(response.body()).exact().unwrap();
            assert_eq!(length == small.len() as u64, compressed, "{accepted}");
            let etag = response.headers()[header::ETAG].to_str().unwrap();
            assert_eq!(etag.ends_with("-br\""), compressed, "{accepted}: {etag}");
        }
    }

    fn exchange(address: SocketAddr, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // A server that refuses an oversized request may close before all of it is written.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    #[test]
    fn files_are_found_by_their_exact_path() {
        assert_eq!(
            get("/").headers()[header::CONTENT_TYPE],
            "text/html; charset=utf-8"
        );
        assert_eq!(get("/index.html").status(), StatusCode::OK);
        assert_eq!(
            get("/a%20b/module.wasm").headers()[header::CONTENT_TYPE],
            "application/wasm"
        );
    }

    #[test]
    fn no_path_leads_out_of_the_page() {
        for path in [
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "/a%20b/../index.html",
            "//etc/passwd",
            "/a%20b\\module.wasm",
            "/a%20b",
            "/a%20b/",
            "/index.html/",
            "/%ff",
            "/index.html%00",
            "*",
            "index.html",
        ] {
            assert_eq!(get(path).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[test]
    fn every_answer_carries_the_policy() {
        for response in [
            get("/"),
            get("/nothing"),
            answer(&site(), &Method::POST, "/", &HeaderMap::new()),
        ] {
            let policy = response.headers()[header::CONTENT_SECURITY_POLICY]
                .to_str()
                .unwrap();
            assert!(
                policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"),
                "{policy}"
            );
            assert!(
                !policy.contains("unsafe-inline") && !policy.contains("http"),
                "{policy}"
            );
            assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        }
    }

    #[test]
    fn only_get_and_head_are_served() {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
            let response = answer(&site(), &method, "/", &HeaderMap::new());
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
            assert_eq!(response.headers()[header::ALLOW], "GET, HEAD");
        }
    }

    #[test]
    fn a_known_entity_tag_saves_the_body() {
        let etag = get("/").headers()[header::ETAG].to_str().unwrap().to_owned();
        for (tag, status) in [
            (etag.clone(), StatusCode::NOT_MODIFIED),
            (format!("\"x\", W/{etag}"), StatusCode::NOT_MODIFIED),
            ("\"x\"".into(), StatusCode::OK),
        ] {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag.parse().unwrap())]);
            assert_eq!(
                answer(&site(), &Method::GET, "/", &headers).status(),
                status,
                "{tag}"
            );
        }
    }

    #[test]
    fn a_head_request_gets_the_length_without_the_body() {
        let address = start();
        let whole = exchange(address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(
            whole.starts_with("HTTP/1.1 200 OK\r\n") && whole.ends_with("\r\n\r\n<p>page</p>"),
            "{whole}"
        );
        let head = exchange(address, b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(
            head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"),
            "{head}"
        );
        assert!(
            head.contains("content-length: 11\r\n") && whole.contains("content-length: 11\r\n"),
            "{head}"
        );
    }

    #[test]
    fn an_oversized_or_senseless_request_is_refused_and_the_server_goes_on() {
        let address = start();
        let long = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(HEAD_BYTES));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(HEAD_BYTES / 6));
        for request in [long.as_bytes(), many.as_bytes(), b"\x16\x03\x01\x00\r\n\r\n"] {
            let answer = exchange(address, request);
            assert!(!answer.starts_with("HTTP/1.1 2"), "{answer}");
        }
        assert!(exchange(address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 200"));
    }
}

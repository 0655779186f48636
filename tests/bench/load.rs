//! The load: closed loops over kept-alive connections, all on one core.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, Response, body::Incoming};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// The body of a request.
pub type Body = BoxBody<Bytes, Infallible>;

/// When a load ends.
#[derive(Clone, Copy)]
pub enum Span {
    Time(Duration),
    Requests(u64),
}

/// What a load saw.
pub struct Outcome {
    pub requests: u64,
    pub seconds: f64,
    latencies: Vec<Duration>,
}

impl Outcome {
    /// Answers a second.
    pub fn rate(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    /// Median latency in milliseconds.
    pub fn p50(&self) -> f64 {
        super::report::median(&self.milliseconds())
    }

    /// The latency that one request of a hundred exceeds, in milliseconds.
    pub fn p99(&self) -> f64 {
        let mut sorted = self.milliseconds();
        sorted.sort_by(f64::total_cmp);
        let place = sorted.len() * 99 / 100;
        sorted.get(place).copied().unwrap_or(f64::NAN)
    }

    fn milliseconds(&self) -> Vec<f64> {
        let each = self.latencies.iter();
        each.map(|time| time.as_secs_f64() * 1e3).collect()
    }
}

/// A request without a body.
pub fn get(address: SocketAddr, path: &str) -> Request<Body> {
    bare(Method::GET, address, path)
        .body(Empty::new().boxed())
        .expect("a request")
}

/// A request with a body.
pub fn send(
    method: Method,
    address: SocketAddr,
    path: &str,
    body: impl Into<Bytes>,
) -> Request<Body> {
    bare(method, address, path)
        .header("content-type", "application/json")
        .body(Full::new(body.into()).boxed())
        .expect("a request")
}

fn bare(method: Method, address: SocketAddr, path: &str) -> hyper::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", address.to_string())
}

/// Adds a header.
pub fn with(mut request: Request<Body>, name: &'static str, value: &str) -> Request<Body> {
    let value = value.parse().expect("a header value");
    request.headers_mut().insert(name, value);
    request
}

/// Opens a connection.
pub async fn connect(address: SocketAddr) -> SendRequest<Body> {
    let stream = TcpStream::connect(address).await.expect("a listener");
    stream.set_nodelay(true).expect("a socket");
    let (sender, connection) = handshake(TokioIo::new(stream)).await.expect("HTTP");
    tokio::spawn(connection);
    sender
}

/// Asks once and reads the answer whole.
pub async fn ask(sender: &mut SendRequest<Body>, request: Request<Body>) -> Response<Bytes> {
    sender.ready().await.expect("a connection");
    let response = sender.send_request(request).await.expect("an answer");
    let (head, body) = response.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    Response::from_parts(head, body)
}

/// Asks over so many connections, one request at a time on each. `make` builds the request of a number.
pub async fn run<F>(address: SocketAddr, connections: usize, span: Span, make: F) -> Outcome
where
    F: Fn(u64) -> Request<Body> + Send + Sync + 'static,
{
    let (make, next) = (Arc::new(make), Arc::new(AtomicU64::new(0)));
    let started = Instant::now();
    let loops: Vec<_> = (0..connections)
        .map(|_| tokio::spawn(one_loop(address, span, started, make.clone(), next.clone())))
        .collect();
    let mut latencies = Vec::new();
    for one in loops {
        latencies.extend(one.await.expect("a loop that ends"));
    }
    Outcome {
        requests: latencies.len() as u64,
        seconds: started.elapsed().as_secs_f64(),
        latencies,
    }
}

async fn one_loop<F>(
    address: SocketAddr,
    span: Span,
    started: Instant,
    make: Arc<F>,
    next: Arc<AtomicU64>,
) -> Vec<Duration>
where
    F: Fn(u64) -> Request<Body>,
{
    let mut sender = connect(address).await;
    let mut latencies = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let over = match span {
            Span::Time(time) => started.elapsed() >= time,
            Span::Requests(most) => number >= most,
        };
        if over {
            return latencies;
        }
        let request = make(number);
        let asked = Instant::now();
        sender.ready().await.expect("a connection");
        let response = sender.send_request(request).await.expect("an answer");
        let status = response.status();
        drain(response.into_body()).await;
        assert!(status.is_success(), "answered with {status}");
        latencies.push(asked.elapsed());
    }
}

async fn drain(mut body: Incoming) {
    while let Some(frame) = body.frame().await {
        frame.expect("a body");
    }
}

/// Numbers that visit a range in no order (a linear congruence), so that neither disk nor caches can guess.
pub fn scattered(number: u64, range: u64) -> u64 {
    number.wrapping_mul(2_654_435_761).wrapping_add(12_345) % range
}

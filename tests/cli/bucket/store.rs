//! An S3-compatible store on this machine.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;

pub const ACCESS_KEY: &str = "KEY";
pub const SECRET_KEY: &str = "SECRET";
pub const BUCKET: &str = "archive";

/// What the store does instead of answering a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    /// It answers with this status and does nothing.
    Status(u16),
    /// It says nothing.
    Stall,
    /// It does what it is asked to, and hangs up.
    LoseAnswer,
    /// It sends half of the body, and hangs up.
    CutBody,
}

type Answer = Result<Response<UnsyncBoxBody<Bytes, std::io::Error>>, std::io::Error>;

/// A running store with one empty bucket, and its files.
pub struct Store {
    root: tempfile::TempDir,
    address: String,
    fault: Arc<Mutex<Option<(Method, Fault)>>>,
    _runtime: tokio::runtime::Runtime,
}

impl Store {
    pub fn start() -> Store {
        let root = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(root.path().join(BUCKET)).expect("made");
        let mut service = S3ServiceBuilder::new(FileSystem::new(root.path()).expect("a root"));
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = service.build();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let fault = Arc::default();
        runtime.spawn(accept(listener, service, Arc::clone(&fault)));
        Store {
            root,
            address,
            fault,
            _runtime: runtime,
        }
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Breaks all requests of a method from now on.
    pub fn fail(&self, method: Method, fault: Fault) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some((method, fault));
    }

    /// Breaks nothing any more.
    pub fn recover(&self) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The directory with the objects below a prefix, as files.
    pub fn below(&self, prefix: &str) -> PathBuf {
        self.root.path().join(BUCKET).join(prefix)
    }

    /// The directory with the objects below a prefix, as a download of it: a bucket has no directories, so none that is
    /// empty.
    pub fn downloaded(&self, prefix: &str) -> PathBuf {
        let directory = self.below(prefix);
        remove_empty(&directory);
        directory
    }

    /// How many uploads in parts, and parts of them, are not done.
    pub fn unfinished(&self) -> usize {
        let entries = self.root.path().read_dir().expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names
            .filter(|name| name.to_string_lossy().starts_with(".upload"))
            .count()
    }

    /// The keys of all objects below a prefix, in order.
    pub fn keys(&self, prefix: &str) -> Vec<String> {
        let root = self.below(prefix);
        let mut keys = Vec::new();
        walk(&root, &root, &mut keys);
        keys.sort();
        keys
    }
}

fn remove_empty(directory: &Path) {
    for entry in directory.read_dir().into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            remove_empty(&entry.path());
        }
    }
    // One that is not empty stays.
    let _ = std::fs::remove_dir(directory);
}

fn walk(root: &Path, directory: &Path, keys: &mut Vec<String>) {
    let Ok(entries) = directory.read_dir() else {
        return;
    };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(root, &path, keys);
            continue;
        }
        let key = path.strip_prefix(root).expect("below the root");
        keys.push(key.to_string_lossy().into_owned());
    }
}

async fn accept(
    listener: tokio::net::TcpListener,
    service: S3Service,
    fault: Arc<Mutex<Option<(Method, Fault)>>>,
) {
    while let Ok((socket, _)) = listener.accept().await {
        let (service, fault) = (service.clone(), Arc::clone(&fault));
        let answer = service_fn(move |request: Request<Incoming>| {
            let set = fault.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let fault = set.filter(|(method, _)| method == request.method());
            answer(service.clone(), request, fault.map(|(_, fault)| fault))
        });
        let http = hyper::server::conn::http1::Builder::new();
        tokio::spawn(http.serve_connection(TokioIo::new(socket), answer));
    }
}

async fn answer(service: S3Service, request: Request<Incoming>, fault: Option<Fault>) -> Answer {
    match fault {
        Some(Fault::Status(status)) => {
            let body = Full::new(Bytes::new()).map_err(never).boxed_unsync();
            let answer = Response::builder().status(status).body(body);
            return answer.map_err(std::io::Error::other);
        }
        Some(Fault::Stall) => {
            tokio::time::sleep(Duration::from_secs(600)).await;
        }
        _ => {}
    }
    let answer = service
        .call(request.map(s3s::Body::from))
        .await
        .map_err(std::io::Error::other);
    let answer = answer?.map(|body| body.map_err(std::io::Error::other).boxed_unsync());
    match fault {
        Some(Fault::LoseAnswer) => Err(std::io::Error::other("hung up")),
        Some(Fault::CutBody) => {
            let (head, body) = answer.into_parts();
            let whole = body.collect().await?.to_bytes();
            let half = whole.slice(..whole.len() / 2);
            let frames = [Ok(Frame::data(half)), Err(std::io::Error::other("hung up"))];
            let body = StreamBody::new(futures_util::stream::iter(frames));
            Ok(Response::from_parts(head, body.boxed_unsync()))
        }
        _ => Ok(answer),
    }
}

fn never(never: Infallible) -> std::io::Error {
    match never {}
}

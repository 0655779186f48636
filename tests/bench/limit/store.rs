//! An S3-compatible store on this machine, a client of it that does nothing else, and one behind an HTTP server.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Path as Place, State};
use axum::http::StatusCode;
use axum::routing::get;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use hyper_util::rt::TokioIo;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::buffered::BufWriter;
use object_store::multipart::MultipartStore;
use object_store::{ObjectStore, ObjectStoreExt, path};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::io::AsyncWriteExt;
use tokio_util::io::StreamReader;

use super::number;

/// What lets the program in.
pub const CREDENTIALS: [(&str, &str); 2] = [
    ("AWS_ACCESS_KEY_ID", "KEY"),
    ("AWS_SECRET_ACCESS_KEY", "SECRET"),
];
pub const BUCKET: &str = "archive";

/// Bytes of a part, and parts at the same time, as the program sends them.
const PART: u64 = 5 << 20;
const AT_ONCE: usize = 3;

/// Serves a directory of buckets.
pub fn serve(directory: &str, address: &str) {
    std::fs::create_dir_all(Path::new(directory).join(BUCKET)).expect("a directory");
    let mut service = S3ServiceBuilder::new(FileSystem::new(directory).expect("a root"));
    let [(_, key), (_, secret)] = CREDENTIALS;
    service.set_auth(SimpleAuth::from_single(key, secret));
    let service = service.build();
    runtime().block_on(async {
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .expect("the address");
        while let Ok((socket, _)) = listener.accept().await {
            let http = hyper::server::conn::http1::Builder::new();
            let _ = socket.set_nodelay(true);
            tokio::spawn(http.serve_connection(TokioIo::new(socket), service.clone()));
        }
    });
}

/// Serves HTTP, and passes all bytes on to the store and back.
pub fn forward(endpoint: &str, address: &str) {
    let store = Arc::new(client(endpoint));
    let router = axum::Router::new()
        .route("/{name}", get(forwarded_back).put(forwarded))
        .with_state(store);
    super::serve(address, router);
}

async fn forwarded(
    State(store): State<Arc<AmazonS3>>,
    Place(name): Place<String>,
    body: Body,
) -> StatusCode {
    let part = usize::try_from(PART).expect("small");
    let writer = BufWriter::with_capacity(store, forwarded_key(&name), part);
    let mut writer = writer.with_max_concurrency(AT_ONCE);
    let chunks = body.into_data_stream().map_err(std::io::Error::other);
    let copied = tokio::io::copy_buf(&mut StreamReader::new(chunks), &mut writer).await;
    copied.expect("put");
    writer.shutdown().await.expect("whole");
    StatusCode::CREATED
}

async fn forwarded_back(
    State(store): State<Arc<AmazonS3>>,
    Place(name): Place<String>,
) -> Result<Body, StatusCode> {
    let got = store.get(&forwarded_key(&name)).await;
    let got = got.map_err(|_| StatusCode::NOT_FOUND)?;
    Ok(Body::from_stream(got.into_stream()))
}

fn forwarded_key(name: &str) -> path::Path {
    path::Path::from(format!("forwarded/{name}"))
}

/// How many objects there are below a prefix.
pub async fn count(endpoint: &str, prefix: &str) -> usize {
    let prefix = path::Path::from(prefix);
    let listed: Result<Vec<_>, _> = client(endpoint).list(Some(&prefix)).try_collect().await;
    listed.expect("a list").len()
}

/// Puts or gets objects; prints MB or objects a second.
pub fn run(work: &str, endpoint: &str, source: &str, count: &str, connections: &str) {
    let (count, connections): (u64, usize) = (number(count), number(connections));
    let rate = runtime().block_on(async {
        let store = Arc::new(client(endpoint));
        let started = Instant::now();
        match work {
            "put" => {
                let bytes = put_large(&store, source).await;
                megabytes(bytes) / started.elapsed().as_secs_f64()
            }
            "get" => {
                let bytes = get_large(&store).await;
                megabytes(bytes) / started.elapsed().as_secs_f64()
            }
            _ => {
                let bytes = Bytes::from(vec![7; number(source)]);
                let puts = stream::iter(0..count).map(|number| {
                    let (store, bytes) = (store.clone(), bytes.clone());
                    let key =
                        path::Path::from(format!("bare/{number}-{}", started.elapsed().as_nanos()));
                    async move { store.put(&key, bytes.into()).await }
                });
                let puts: Vec<_> = puts.buffered(connections).try_collect().await.expect("put");
                puts.len() as f64 / started.elapsed().as_secs_f64()
            }
        }
    });
    println!("{rate}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().expect("a runtime")
}

fn client(endpoint: &str) -> AmazonS3 {
    let [(_, key), (_, secret)] = CREDENTIALS;
    let builder = AmazonS3Builder::new()
        .with_bucket_name(BUCKET)
        .with_region("us-east-1")
        .with_endpoint(endpoint)
        .with_allow_http(true)
        .with_access_key_id(key)
        .with_secret_access_key(secret);
    builder.build().expect("a client")
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn large() -> path::Path {
    path::Path::from("bare/large")
}

async fn put_large(store: &AmazonS3, source: &str) -> u64 {
    let file = &File::open(source).expect("the file");
    let size = file.metadata().expect("its size").len();
    let (key, upload) = (
        &large(),
        &store.create_multipart(&large()).await.expect("begun"),
    );
    let parts = stream::iter(0..size.div_ceil(PART)).map(|number| async move {
        let start = number * PART;
        let length = usize::try_from(PART.min(size - start)).expect("small");
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, start).expect("read");
        let place = usize::try_from(number).expect("small");
        store
            .put_part(key, upload, place, Bytes::from(bytes).into())
            .await
    });
    let parts = parts.buffered(AT_ONCE).try_collect().await.expect("put");
    store
        .complete_multipart(key, upload, parts)
        .await
        .expect("whole");
    size
}

async fn get_large(store: &AmazonS3) -> u64 {
    let got = store.get(&large()).await.expect("there");
    let sizes = got.into_stream().map_ok(|chunk| chunk.len() as u64);
    sizes
        .try_fold(0, |all, size| async move { Ok(all + size) })
        .await
        .expect("read")
}

//! Uploads: one large file, and many small ones.

use std::convert::Infallible;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use hyper::{Method, Request};

use super::load::{self, Body, Span};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::writes::{copied, said_by_limit, term};
use super::{Plan, reads, sample};

const NODES: u64 = 1_000;
const LARGE: u64 = 1 << 30;
const CHUNK: usize = 1 << 20;
const SMALL: usize = 100_000;
const SMALL_FILES: u64 = 1_000;

pub async fn measure(plan: &Plan, report: &mut Report) {
    for scheme in ["public", "fedora"] {
        let sample = sample::repository(&plan.home, NODES as usize).await;
        let directory = copied(&sample, &plan.home.join("uploaded"));
        let server = Program::isolario(&directory).await;
        large(plan, report, &server, &directory, scheme).await;
        small(plan, report, &server, &directory, scheme).await;
        drop(server);
        std::fs::remove_dir_all(&directory).expect("the disk");
    }
}

async fn large(plan: &Plan, report: &mut Report, server: &Program, directory: &Path, scheme: &str) {
    let source = plan.home.join("large.bin");
    write_large(&source);
    let media_use = term(directory, "Original File");
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        let place = (2 + round as u64, media_use);
        let request = upload(
            server,
            place,
            &format!("{scheme}://large-{round}.zip"),
            large_body(),
        );
        let request = load::with(request, "content-length", &LARGE.to_string());
        let started = Instant::now();
        let answer = load::ask(&mut load::connect(server.address).await, request).await;
        assert_eq!(answer.status(), 201, "{:?}", answer.body());
        measured.push(LARGE as f64 / 1e6 / started.elapsed().as_secs_f64());
        let copy = plan.home.join("large.copy");
        let seconds = said_by_limit(&[
            "copy",
            source.to_str().expect("a plain path"),
            copy.to_str().expect("a plain path"),
        ]);
        limits.push(LARGE as f64 / 1e6 / seconds);
        std::fs::remove_file(copy).expect("the copy");
    }
    report.add(Figure {
        work: format!("PUT of 1 GiB to {scheme}://"),
        measured,
        limits,
        unit: "MB/s",
        limit: "a copy to the same disk, SHA-512 beside it",
        durability: "both: file and directory synced; here also the rows",
        goal: Goal::AtLeast(0.9),
    });
}

async fn small(
    plan: &Plan,
    report: &mut Report,
    server: &Program,
    directory: &Path,
    scheme: &'static str,
) {
    let media_use = term(directory, "Original File");
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for (round, name) in (0..plan.rounds.min(SMALL_USES.len())).zip(SMALL_USES) {
        let (address, media_use) = (
            server.address,
            if round == 0 {
                media_use
            } else {
                term(directory, name)
            },
        );
        let authorization = reads::basic();
        let bytes = Bytes::from(vec![7_u8; SMALL]);
        let make = move |number: u64| {
            let location = format!("{scheme}://small/{round}/{number}.zip");
            let path = format!("/node/{}/media/file/{media_use}", 1 + number);
            let request = load::send(Method::PUT, address, &path, bytes.clone());
            let request = load::with(request, "content-location", &location);
            load::with(request, "authorization", &authorization)
        };
        let span = Span::Requests(SMALL_FILES);
        measured.push(load::run(server.address, 16, span, make).await.rate());
        limits.push(bare_files(plan, directory));
    }
    report.add(Figure {
        work: format!("PUT of 1,000 × 100 KB to {scheme}://, 16 connections"),
        measured,
        limits,
        unit: "files/s",
        limit: "16 threads writing, hashing and syncing the same files, and their rows in grouped commits",
        durability: "both: bytes and rows synced; here also names and directories",
        goal: Goal::AtLeast(0.6),
    });
}

/// Uses under which a node gets one more file in each round.
const SMALL_USES: [&str; 5] = [
    "Original File",
    "Service File",
    "Thumbnail Image",
    "Preservation Master File",
    "Transcript",
];

fn bare_files(plan: &Plan, directory: &Path) -> f64 {
    let bare = copied_database(directory, &plan.home.join("uploaded-limit"));
    let files = plan.home.join("small-files");
    let _ = std::fs::remove_dir_all(&files);
    std::fs::create_dir_all(&files).expect("a directory");
    let rate = said_by_limit(&[
        "files",
        bare.to_str().expect("a plain path"),
        files.to_str().expect("a plain path"),
        &SMALL_FILES.to_string(),
        &SMALL.to_string(),
    ]);
    std::fs::remove_dir_all(files).expect("the disk");
    rate
}

/// The database alone, of a program that runs.
fn copied_database(directory: &Path, copy: &Path) -> std::path::PathBuf {
    let _ = std::fs::remove_dir_all(copy);
    std::fs::create_dir_all(copy).expect("a directory");
    let copy = copy.join("isolario.db");
    let database = rusqlite::Connection::open(directory.join("isolario.db")).expect("the database");
    let target = copy.to_str().expect("a plain path");
    database
        .execute("VACUUM INTO ?1", [target])
        .expect("a copy");
    copy
}

fn upload(
    server: &Program,
    (node, media_use): (u64, i64),
    location: &str,
    body: Body,
) -> Request<Body> {
    let request = Request::put(format!("/node/{node}/media/file/{media_use}"))
        .header("host", server.address.to_string())
        .header("content-type", "application/zip")
        .header("content-location", location)
        .header("authorization", reads::basic());
    request.body(body).expect("a request")
}

/// One chunk of noise, over and over.
fn noise() -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..CHUNK).map(|_| next()).collect()
}

fn large_body() -> Body {
    let chunk = Bytes::from(noise());
    let chunks =
        (0..LARGE / CHUNK as u64).map(move |_| Ok::<_, Infallible>(Frame::data(chunk.clone())));
    StreamBody::new(stream::iter(chunks)).boxed()
}

fn write_large(path: &Path) {
    if std::fs::metadata(path).is_ok_and(|file| file.len() == LARGE) {
        return;
    }
    let (mut file, chunk) = (File::create(path).expect("a file"), noise());
    for _ in 0..LARGE / CHUNK as u64 {
        file.write_all(&chunk).expect("written");
    }
    file.sync_all().expect("synced");
}

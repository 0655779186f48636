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
pub const LARGE: u64 = 1 << 30;
const CHUNK: usize = 1 << 20;
const SCHEMES: [&str; 2] = ["public", "fedora"];

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, NODES as usize).await;
    for scheme in SCHEMES {
        let directory = copied(&sample, &plan.home.join("uploaded"));
        let server = Program::isolario(&directory).await;
        large(plan, report, &server, &directory, scheme).await;
        drop(server);
        std::fs::remove_dir_all(&directory).expect("the disk");
    }
    let directory = copied(&sample, &plan.home.join("uploaded"));
    let server = Program::isolario(&directory).await;
    one_by_one(plan, report, &server, &directory).await;
    at_once(plan, report, &server, &directory).await;
    drop(server);
    std::fs::remove_dir_all(&directory).expect("the disk");
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

/// Small files over one connection: each is on disk before the next is sent.
async fn one_by_one(plan: &Plan, report: &mut Report, server: &Program, directory: &Path) {
    let media_use = term(directory, "Original File");
    let mut measured = [Vec::new(), Vec::new()];
    let (mut files, mut with_rows) = (Vec::new(), Vec::new());
    for round in 0..plan.rounds.min(MOST_ROUNDS) {
        for (place, scheme) in SCHEMES.into_iter().enumerate() {
            let first = (2 * round + place) as u64 * ONE_BY_ONE.files;
            let rate = put(server, &ONE_BY_ONE, scheme, (first, media_use)).await;
            measured[place].push(rate);
        }
        files.push(bare_files(plan, &ONE_BY_ONE, None));
        with_rows.push(bare_files(plan, &ONE_BY_ONE, Some(directory)));
    }
    for (scheme, measured) in SCHEMES.into_iter().zip(measured) {
        let mut add = |limits: &Vec<f64>, limit, durability| {
            report.add(Figure {
                work: format!("PUT of 10 KB to {scheme}://, one connection"),
                measured: measured.clone(),
                limits: limits.clone(),
                unit: "files/s",
                limit,
                durability,
                goal: Goal::AtLeast(0.5),
            });
        };
        add(
            &files,
            "the same files written, hashed and synced with their names, one after the other",
            "both: bytes and names synced; here also the rows",
        );
        add(
            &with_rows,
            "the same, and the rows of each file committed",
            "both: bytes, names and rows synced",
        );
    }
}

/// Many small files at once, and objects beside plain files.
async fn at_once(plan: &Plan, report: &mut Report, server: &Program, directory: &Path) {
    let (mut measured, mut limits) = ([Vec::new(), Vec::new()], Vec::new());
    let uses: Vec<i64> = USES_AT_ONCE.map(|name| term(directory, name)).into();
    for round in 0..plan.rounds.min(MOST_ROUNDS) {
        for (place, scheme) in SCHEMES.into_iter().enumerate() {
            let media_use = uses[2 * round + place];
            measured[place].push(put(server, &AT_ONCE, scheme, (0, media_use)).await);
        }
        limits.push(bare_files(plan, &AT_ONCE, Some(directory)));
    }
    for (scheme, measured) in SCHEMES.into_iter().zip(&measured) {
        report.add(Figure {
            work: format!("PUT of 1,000 × 100 KB to {scheme}://, 16 connections"),
            measured: measured.clone(),
            limits: limits.clone(),
            unit: "files/s",
            limit: "16 threads writing, hashing and syncing the same files, and their rows in grouped commits",
            durability: "both: bytes and rows synced; here also names and directories",
            goal: Goal::AtLeast(0.6),
        });
    }
    let [public, fedora] = measured;
    report.add(Figure {
        work: "the same to fedora://, beside public://".into(),
        measured: fedora,
        limits: public,
        unit: "files/s",
        limit: "the same to public://",
        durability: "both: bytes, names, directories and rows synced",
        goal: Goal::AtLeast(0.5),
    });
}

/// Small files that are sent in one measurement.
pub struct SmallFiles {
    /// In the paths of the files.
    name: &'static str,
    pub connections: usize,
    pub files: u64,
    /// Bytes of each.
    pub size: usize,
}

/// A node gets one of them in all measurements.
const ONE_BY_ONE: SmallFiles = SmallFiles {
    name: "one-by-one",
    connections: 1,
    files: 150,
    size: 10_000,
};
pub const AT_ONCE: SmallFiles = SmallFiles {
    name: "at-once",
    connections: 16,
    files: NODES,
    size: 100_000,
};
/// Uses under which a node gets one more file in each measurement: two in a round.
pub const USES_AT_ONCE: [&str; 2 * MOST_ROUNDS] = [
    "Service File",
    "Thumbnail Image",
    "Preservation Master File",
    "Transcript",
    "Intermediate File",
    "Extracted Text",
];
const MOST_ROUNDS: usize = 3;

/// Puts small files to nodes, from the one of that number on, and returns how many a second.
pub async fn put(
    server: &Program,
    small: &SmallFiles,
    scheme: &'static str,
    (first, media_use): (u64, i64),
) -> f64 {
    let (address, authorization) = (server.address, reads::basic());
    let (bytes, name) = (Bytes::from(vec![7_u8; small.size]), small.name);
    let make = move |number: u64| {
        let location = format!("{scheme}://{name}/{media_use}/{}.zip", first + number);
        let path = format!("/node/{}/media/file/{media_use}", 1 + first + number);
        let request = load::send(Method::PUT, address, &path, bytes.clone());
        let request = load::with(request, "content-location", &location);
        load::with(request, "authorization", &authorization)
    };
    let span = Span::Requests(small.files);
    load::run(address, small.connections, span, make)
        .await
        .rate()
}

/// The limit: as many threads as there are connections; with rows where there is a data directory to take them from.
fn bare_files(plan: &Plan, small: &SmallFiles, directory: Option<&Path>) -> f64 {
    let files = plan.home.join("small-files");
    let _ = std::fs::remove_dir_all(&files);
    std::fs::create_dir_all(&files).expect("a directory");
    let work = if small.connections == 1 {
        "names"
    } else {
        "files"
    };
    let target = files.to_str().expect("a plain path");
    let (count, size) = (small.files.to_string(), small.size.to_string());
    let database = directory.map(|from| copied_database(from, &plan.home.join("uploaded-limit")));
    let database = database.as_ref().and_then(|path| path.to_str());
    let arguments = [work, target, &count, &size].into_iter().chain(database);
    let rate = said_by_limit(&arguments.collect::<Vec<_>>());
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

pub fn upload(
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

pub fn large_body() -> Body {
    let chunk = Bytes::from(noise());
    let chunks =
        (0..LARGE / CHUNK as u64).map(move |_| Ok::<_, Infallible>(Frame::data(chunk.clone())));
    StreamBody::new(stream::iter(chunks)).boxed()
}

pub fn write_large(path: &Path) {
    if std::fs::metadata(path).is_ok_and(|file| file.len() == LARGE) {
        return;
    }
    let (mut file, chunk) = (File::create(path).expect("a file"), noise());
    for _ in 0..LARGE / CHUNK as u64 {
        file.write_all(&chunk).expect("written");
    }
    file.sync_all().expect("synced");
}

//! Downloads of one large and of many small binaries.

use std::path::Path;
use std::time::Instant;

use http_body_util::BodyExt;
use hyper::{Method, Request};

use super::load::{self, Span};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::writes::{copied, term};
use super::{Plan, machine, nginx, reads, sample};

const LARGE: usize = 1 << 30;
const SMALL: usize = 10_000;
const NOTHING_WRITTEN: &str = "reads only";

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, 1_000).await;
    let directory = copied(&sample, &plan.home.join("downloaded"));
    let server = Program::isolario(&directory).await;
    put(&server, &directory, 2, "large.zip", LARGE).await;
    put(&server, &directory, 3, "small.zip", SMALL).await;
    let limit = nginx::serve(&plan.home, &directory.join("files/public")).await;
    large(plan, report, &server, &limit).await;
    small(plan, report, &server, &limit).await;
    drop((server, limit));
    std::fs::remove_dir_all(&directory).expect("the disk");
}

async fn put(server: &Program, directory: &Path, node: u64, name: &str, size: usize) {
    let path = format!(
        "/node/{node}/media/file/{}",
        term(directory, "Original File")
    );
    let request = load::send(Method::PUT, server.address, &path, vec![7_u8; size]);
    let request = load::with(request, "content-location", &format!("public://{name}"));
    let request = load::with(request, "authorization", &reads::basic());
    let answer = load::ask(&mut load::connect(server.address).await, request).await;
    assert_eq!(answer.status(), 201, "{:?}", answer.body());
}

async fn large(plan: &Plan, report: &mut Report, server: &Program, limit: &Program) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    // A second or less each, so more of them.
    for _ in 0..plan.rounds * 2 {
        measured.push(megabytes_per_second(server, "/sites/default/files/large.zip").await);
        limits.push(megabytes_per_second(limit, "/large.zip").await);
    }
    report.add(Figure {
        work: "GET of 1 GiB".into(),
        measured,
        limits,
        unit: "MB/s",
        limit: "nginx with sendfile, the same client",
        durability: NOTHING_WRITTEN,
        goal: Goal::AtLeast(0.7),
    });
}

pub async fn megabytes_per_second(server: &Program, path: &str) -> f64 {
    let mut sender = load::connect(server.address).await;
    let request: Request<load::Body> = load::get(server.address, path);
    let started = Instant::now();
    let mut body = sender
        .send_request(request)
        .await
        .expect("an answer")
        .into_body();
    let mut received = 0;
    while let Some(frame) = body.frame().await {
        received += frame
            .expect("bytes")
            .data_ref()
            .map_or(0, bytes::Bytes::len);
    }
    assert_eq!(received, LARGE);
    LARGE as f64 / 1e6 / started.elapsed().as_secs_f64()
}

async fn small(plan: &Plan, report: &mut Report, server: &Program, limit: &Program) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        measured.push(per_cpu_second(plan, server, "/sites/default/files/small.zip").await);
        limits.push(per_cpu_second(plan, limit, "/small.zip").await);
    }
    report.add(Figure {
        work: "GET of 10 KB, 16 connections".into(),
        measured,
        limits,
        unit: "answers per CPU second of the server",
        limit: "nginx with sendfile",
        durability: NOTHING_WRITTEN,
        goal: Goal::AtLeast(0.4),
    });
}

async fn per_cpu_second(plan: &Plan, server: &Program, path: &'static str) -> f64 {
    let address = server.address;
    let before = machine::cpu_seconds(server.pid());
    let outcome = load::run(address, 16, Span::Time(plan.span), move |_| {
        load::get(address, path)
    })
    .await;
    outcome.requests as f64 / (machine::cpu_seconds(server.pid()) - before)
}

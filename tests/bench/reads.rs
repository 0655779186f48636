//! `GET /node/{id}?_format=json` with its Link headers, out of 100,000 nodes.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::Request;
use rusqlite::{Connection, params};

use super::load::{self, Body, Span};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::{Plan, machine, sample};

const NODES: u64 = 100_000;
const NOTHING_WRITTEN: &str = "reads only";

pub async fn measure(plan: &Plan, report: &mut Report) {
    let directory = sample::repository(&plan.home, NODES as usize).await;
    let server = Program::isolario(&directory).await;
    let pages = plan.home.join("pages.db");
    keep_pages(&server, &pages).await;
    let limit = Program::limit("select", &[pages.to_str().expect("a plain path")]).await;
    for connections in [16, 64] {
        anonymous(plan, report, &server, &limit, connections).await;
    }
    let basic = basic();
    let bearer = bearer(&server, &basic).await;
    signed_in(plan, report, &server, "Basic", basic).await;
    signed_in(plan, report, &server, "Bearer", bearer).await;
}

async fn anonymous(
    plan: &Plan,
    report: &mut Report,
    server: &Program,
    limit: &Program,
    connections: usize,
) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        measured.push(per_cpu_second(plan, server, connections, None).await);
        limits.push(per_cpu_second(plan, limit, connections, None).await);
    }
    report.add(Figure {
        work: format!("GET node, {connections} connections"),
        measured,
        limits,
        unit: "answers per CPU second of the server",
        limit: "axum answering the same bytes and headers (twelve of Link) from one prepared SELECT",
        durability: NOTHING_WRITTEN,
        goal: Goal::AtLeast(0.4),
    });
}

async fn signed_in(
    plan: &Plan,
    report: &mut Report,
    server: &Program,
    way: &str,
    authorization: String,
) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        measured.push(per_cpu_second(plan, server, 16, Some(authorization.clone())).await);
        limits.push(per_cpu_second(plan, server, 16, None).await);
    }
    report.add(Figure {
        work: format!("GET node with {way}, 16 connections"),
        measured,
        limits,
        unit: "answers per CPU second of the server",
        limit: "the same, anonymous",
        durability: NOTHING_WRITTEN,
        goal: Goal::AtLeast(0.8),
    });
}

async fn per_cpu_second(
    plan: &Plan,
    server: &Program,
    connections: usize,
    authorization: Option<String>,
) -> f64 {
    let address = server.address;
    let make = move |number: u64| -> Request<Body> {
        let request = load::get(address, &path(load::scattered(number, NODES)));
        match &authorization {
            Some(value) => load::with(request, "authorization", value),
            None => request,
        }
    };
    let before = machine::cpu_seconds(server.pid());
    let outcome = load::run(address, connections, Span::Time(plan.span), make).await;
    outcome.requests as f64 / (machine::cpu_seconds(server.pid()) - before)
}

/// Every tenth node is not published; its neighbour is asked for.
fn path(number: u64) -> String {
    let number = if number.is_multiple_of(10) {
        number + 1
    } else {
        number
    };
    format!("/node/{}?_format=json", number + 1)
}

/// `Authorization` of the sample's account.
pub fn basic() -> String {
    let (name, password) = sample::ACCOUNT;
    format!("Basic {}", STANDARD.encode(format!("{name}:{password}")))
}

async fn bearer(server: &Program, basic: &str) -> String {
    let mut sender = load::connect(server.address).await;
    let request = load::with(
        load::get(server.address, "/jwt/token"),
        "authorization",
        basic,
    );
    let answer = load::ask(&mut sender, request).await;
    let json: serde_json::Value = serde_json::from_slice(answer.body()).expect("JSON");
    format!("Bearer {}", json["token"].as_str().expect("a token"))
}

/// Asks for every node once and keeps the answers, for the limit.
async fn keep_pages(server: &Program, file: &Path) {
    let _ = std::fs::remove_file(file);
    let mut pages = Connection::open(file).expect("a database");
    pages
        .execute_batch(
            "CREATE TABLE page (id INTEGER PRIMARY KEY, headers TEXT NOT NULL, body BLOB NOT NULL)",
        )
        .expect("a table");
    let transaction = pages.transaction().expect("a transaction");
    let mut sender = load::connect(server.address).await;
    for number in (0..NODES).filter(|number| !number.is_multiple_of(10)) {
        let answer = load::ask(&mut sender, load::get(server.address, &path(number))).await;
        assert!(
            answer.status().is_success(),
            "node {}: {}",
            number + 1,
            answer.status()
        );
        // What hyper adds by itself, it adds to the limit too.
        let own = answer
            .headers()
            .iter()
            .filter(|(name, _)| !["date", "content-length"].contains(&name.as_str()));
        let lines = own.map(|(name, value)| format!("{name}: {}", value.to_str().expect("ASCII")));
        let headers = lines.collect::<Vec<_>>().join("\n");
        transaction
            .prepare_cached("INSERT INTO page VALUES (?1, ?2, ?3)")
            .and_then(|mut insert| {
                insert.execute(params![
                    number.cast_signed() + 1,
                    headers,
                    answer.body().as_ref()
                ])
            })
            .expect("a page");
    }
    transaction.commit().expect("a commit");
}

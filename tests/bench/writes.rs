//! Durable POST and PATCH of nodes, in a repository of 100,000.

use std::path::{Path, PathBuf};
use std::process::Command;

use hyper::{Method, Request};
use serde_json::json;

use super::load::{self, Body, Span};
use super::machine::{SERVER_CORE, pinned};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::{Plan, reads, sample};

/// Nodes of the repository that is written to.
pub const NODES: u64 = 100_000;
const BOTH_SYNCED: &str = "both: in the WAL and synced (synchronous=FULL) before the answer";

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, NODES as usize).await;
    let directory = copied(&sample, &plan.home.join("written"));
    {
        // One node of the kind that is written, for the limits to take as their pattern.
        let server = Program::isolario(&directory).await;
        let first = post(&server, &directory);
        load::ask(&mut load::connect(server.address).await, first(0)).await;
    }
    let bare = copied(&directory, &plan.home.join("written-limit"));
    let bare = bare.join("isolario.db");
    let server = Program::isolario(&directory).await;
    for connections in [64, 16] {
        for work in ["create", "update"] {
            grouped(
                plan,
                report,
                (&server, &directory),
                &bare,
                work,
                connections,
            )
            .await;
        }
    }
    let limit = Program::limit("commit", &[bare.to_str().expect("a plain path"), "node"]).await;
    alone(plan, report, (&server, &directory), &limit).await;
}

async fn grouped(
    plan: &Plan,
    report: &mut Report,
    (server, directory): (&Program, &Path),
    bare: &Path,
    work: &'static str,
    connections: usize,
) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let span = Span::Time(plan.span);
        let outcome = match work {
            "create" => load::run(server.address, connections, span, post(server, directory)).await,
            _ => load::run(server.address, connections, span, patch(server)).await,
        };
        measured.push(outcome.rate());
        limits.push(said_by_limit(&[
            "insert",
            bare.to_str().expect("a plain path"),
            work,
            &connections.to_string(),
            &plan.span.as_secs().to_string(),
        ]));
    }
    let name = if work == "create" { "POST" } else { "PATCH" };
    report.add(Figure {
        work: format!("{name} node, {connections} connections"),
        measured,
        limits,
        unit: "nodes/s",
        limit: "SQLite writing the same rows and index entries in groups as large as the connections are many",
        durability: BOTH_SYNCED,
        goal: Goal::AtLeast(0.6),
    });
}

async fn alone(
    plan: &Plan,
    report: &mut Report,
    (server, directory): (&Program, &Path),
    limit: &Program,
) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let span = Span::Time(plan.span);
        measured.push(
            load::run(server.address, 1, span, post(server, directory))
                .await
                .rate(),
        );
        limits.push(
            load::run(limit.address, 1, span, post(limit, directory))
                .await
                .rate(),
        );
    }
    report.add(Figure {
        work: "POST node, 1 connection".into(),
        measured,
        limits,
        unit: "nodes/s",
        limit: "axum committing the same rows and index entries once for each request",
        durability: BOTH_SYNCED,
        goal: Goal::AtLeast(0.8),
    });
}

/// Creating requests, each with other words.
fn post(
    server: &Program,
    directory: &Path,
) -> impl Fn(u64) -> Request<Body> + Send + Sync + 'static + use<> {
    let (address, model) = (server.address, term(directory, "Image"));
    let authorization = reads::basic();
    move |number| {
        let body = json!({
            "type": [{ "target_id": "islandora_object" }],
            "title": [{ "value": format!("A chart that was found as number {number}") }],
            "field_model": [{ "target_id": model }],
            "field_member_of": [{ "target_id": 1 + load::scattered(number, 100) }],
            "field_edtf_date_created": [{ "value": "1528-10" }],
            "field_identifier": [{ "value": format!("found:{number}") }],
            "field_description": [{ "value": "Engraved chart of a harbour with soundings and two compass roses." }],
        });
        let request = load::send(
            Method::POST,
            address,
            "/node?_format=json",
            body.to_string(),
        );
        load::with(request, "authorization", &authorization)
    }
}

/// Requests that give nodes other titles.
fn patch(server: &Program) -> impl Fn(u64) -> Request<Body> + Send + Sync + 'static + use<> {
    let (address, authorization) = (server.address, reads::basic());
    move |number| {
        let body = json!({
            "type": [{ "target_id": "islandora_object" }],
            "title": [{ "value": format!("Renamed {number}") }],
        });
        let path = format!("/node/{}?_format=json", 1 + load::scattered(number, NODES));
        let request = load::send(Method::PATCH, address, &path, body.to_string());
        load::with(request, "authorization", &authorization)
    }
}

/// The id of a term that comes with the program.
pub fn term(directory: &Path, name: &str) -> i64 {
    let database = rusqlite::Connection::open(directory.join("isolario.db")).expect("the database");
    let sql = "SELECT id FROM taxonomy_term WHERE label = ?1 ORDER BY id LIMIT 1";
    database
        .query_row(sql, [name], |row| row.get(0))
        .expect("the term")
}

/// A data directory copied, for measurements that write.
pub fn copied(directory: &Path, copy: &Path) -> PathBuf {
    let _ = std::fs::remove_dir_all(copy);
    let done = Command::new("cp")
        .arg("-a")
        .arg(directory)
        .arg(copy)
        .status();
    assert!(
        done.is_ok_and(|status| status.success()),
        "no copy of {}",
        directory.display()
    );
    copy.to_owned()
}

/// Runs a limit that measures itself, and reads its number.
pub fn said_by_limit(arguments: &[&str]) -> f64 {
    let own = std::env::current_exe().expect("this program");
    let output = pinned(SERVER_CORE, &own)
        .arg("limit")
        .args(arguments)
        .output();
    let output = output.expect("a limit");
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim()
        .parse()
        .unwrap_or_else(|_| panic!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)))
}

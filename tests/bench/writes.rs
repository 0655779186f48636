//! Durable POST and PATCH of nodes, in a repository of 100,000.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hyper::{Method, Request};
use serde_json::json;

use super::load::{self, Body, Span};
use super::machine::{self, SERVER_CORE, pinned};
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
    let limit = plan.home.join("bare.db");
    let _ = std::fs::remove_file(&limit);
    let rows = copied(&directory, &plan.home.join("written-limit")).join("isolario.db");
    let limits = Limits { bare: limit, rows };
    let server = Program::isolario(&directory).await;
    // First, because a later checkpoint would also write the pages of other changes.
    pages(report, (&server, &directory)).await;
    for (work, connections) in [
        (Work::Create, 64),
        (Work::Create, 16),
        (Work::Create, 1),
        (Work::Update, 64),
        (Work::Update, 16),
        (Work::Update, 1),
    ] {
        compare(
            plan,
            report,
            (&server, &directory),
            &limits,
            work,
            connections,
        )
        .await;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Create,
    Update,
}

impl Work {
    fn name(self) -> &'static str {
        match self {
            Work::Create => "create",
            Work::Update => "update",
        }
    }
}

/// The databases that the limits write to.
struct Limits {
    bare: PathBuf,
    /// A copy of the repository.
    rows: PathBuf,
}

impl Limits {
    fn bare(&self, plan: &Plan, connections: usize) -> f64 {
        said_by_limit(&[
            "bare",
            self.bare.to_str().expect("a plain path"),
            &connections.to_string(),
            &plan.span.as_secs().to_string(),
        ])
    }

    fn rows(&self, plan: &Plan, work: Work, connections: usize) -> f64 {
        said_by_limit(&[
            "insert",
            self.rows.to_str().expect("a plain path"),
            work.name(),
            &connections.to_string(),
            &plan.span.as_secs().to_string(),
        ])
    }

    async fn served_rows(
        &self,
        plan: &Plan,
        directory: &Path,
        work: Work,
        connections: usize,
    ) -> f64 {
        let rows = self.rows.to_str().expect("a plain path");
        let limit = Program::limit("served-rows", &[rows, work.name()]).await;
        load_of(plan, (&limit, directory), work, connections).await
    }
}

async fn load_of(
    plan: &Plan,
    (server, directory): (&Program, &Path),
    work: Work,
    connections: usize,
) -> f64 {
    let span = Span::Time(plan.span);
    let outcome = match work {
        Work::Create => load::run(server.address, connections, span, post(server, directory)).await,
        Work::Update => load::run(server.address, connections, span, patch(server)).await,
    };
    outcome.rate()
}

/// A work beside bare commits, and beside the rows and index entries of that work.
async fn compare(
    plan: &Plan,
    report: &mut Report,
    written: (&Program, &Path),
    limits: &Limits,
    work: Work,
    connections: usize,
) {
    let (mut measured, mut bare) = (Vec::new(), Vec::new());
    let (mut rows, mut served) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        measured.push(load_of(plan, written, work, connections).await);
        bare.push(limits.bare(plan, connections));
        rows.push(limits.rows(plan, work, connections));
        let rate = limits.served_rows(plan, written.1, work, connections);
        served.push(rate.await);
    }
    let method = if work == Work::Create {
        "POST"
    } else {
        "PATCH"
    };
    let mut add = |limits, limit, goal| {
        report.add(Figure {
            work: format!("{method} node, {connections} connections"),
            measured: measured.clone(),
            limits,
            unit: "nodes/s",
            limit,
            durability: BOTH_SYNCED,
            goal: Goal::AtLeast(goal),
        });
    };
    let goal = if connections == 1 { 0.5 } else { 0.45 };
    add(
        bare,
        "SQLite committing rows of 2 KB with three index entries, in groups as large as the connections are many",
        goal,
    );
    add(
        rows,
        "SQLite writing the rows and index entries of the node at once, in the same groups",
        0.6,
    );
    add(
        served,
        "SQLite writing the same rows behind a bare HTTP server, which knows no rules and answers nothing",
        0.6,
    );
}

/// Pages that a POST writes with all that follows from it, one connection.
async fn pages(report: &mut Report, (server, directory): (&Program, &Path)) {
    const POSTS: u64 = 2000;
    const PAGE: f64 = 4096.0;
    const MOST: f64 = 20.0;
    let before = written_in_all(server).await;
    load::run(
        server.address,
        1,
        Span::Requests(POSTS),
        post(server, directory),
    )
    .await;
    let written = written_in_all(server).await - before;
    report.add(Figure {
        work: "POST node, 1 connection".into(),
        measured: vec![written / PAGE / POSTS as f64],
        limits: vec![MOST],
        unit: "pages of 4 KB (wchar of /proc/PID/io)",
        limit: "20 pages",
        durability: BOTH_SYNCED,
        goal: Goal::AtMost(1.0),
    });
}

/// What the server has written when nothing more follows from what it was asked, bytes.
async fn written_in_all(server: &Program) -> f64 {
    let mut written = machine::written_bytes(server.pid());
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let now = machine::written_bytes(server.pid());
        if now <= written {
            return now;
        }
        written = now;
    }
}

/// Creating requests, each with other words.
pub fn post(
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

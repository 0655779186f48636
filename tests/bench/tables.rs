//! Rows of a table that become items, beside durable POSTs of the same items.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use hyper::Method;
use serde_json::Value;

use super::load::{self, Span};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::writes::{NODES, copied, post};
use super::{Plan, reads, sample};

/// Rows of the table of a round.
const ROWS: u64 = 10_000;
const CONNECTIONS: [usize; 2] = [16, 1];

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, NODES as usize).await;
    let directory = copied(&sample, &plan.home.join("imported"));
    let server = Program::isolario(&directory).await;
    let mut measured = Vec::new();
    let mut posts = CONNECTIONS.map(|_| Vec::new());
    for round in 0..plan.rounds as u64 {
        measured.push(import(&server, round).await);
        for (connections, rates) in CONNECTIONS.iter().zip(&mut posts) {
            let requests = post(&server, &directory);
            let outcome = load::run(
                server.address,
                *connections,
                Span::Time(plan.span),
                requests,
            );
            rates.push(outcome.await.rate());
        }
    }
    for (limits, limit) in posts.into_iter().zip([
        "POST of the same items, 16 connections",
        "POST of the same items, 1 connection",
    ]) {
        report.add(Figure {
            work: "rows of a table become items".into(),
            measured: measured.clone(),
            limits,
            unit: "rows/s, with the check of the table",
            limit,
            durability: "both: in the WAL and synced",
            goal: Goal::AtLeast(0.7),
        });
    }
    drop(server);
    std::fs::remove_dir_all(&directory).expect("the disk");
}

/// Rows a second of one import, from the first byte of its table to the end of its batch.
async fn import(server: &Program, round: u64) -> f64 {
    let mut table = "title,field_model,field_member_of,field_edtf_date_created,field_identifier,field_description\n".to_owned();
    for number in round * ROWS..(round + 1) * ROWS {
        let _ = writeln!(
            table,
            "A chart that was found as number {number},Image,{},1528-10,row:{number},\
            Engraved chart of a harbour with soundings and two compass roses.",
            1 + load::scattered(number, 100)
        );
    }
    let mut sender = load::connect(server.address).await;
    let started = Instant::now();
    let request = load::send(Method::POST, server.address, "/api/v1/import/table", table);
    let request = load::with(request, "content-type", "text/csv");
    let request = load::with(request, "authorization", &reads::basic());
    let answer = load::ask(&mut sender, request).await;
    assert_eq!(answer.status(), 202, "{:?}", answer.body());
    let begun: Value = serde_json::from_slice(answer.body()).expect("JSON");
    loop {
        let request = load::get(server.address, &format!("/api/v1/batches/{}", begun["id"]));
        let request = load::with(request, "authorization", &reads::basic());
        let answer = load::ask(&mut sender, request).await;
        let batch: Value = serde_json::from_slice(answer.body()).expect("JSON");
        if !batch["ended"].is_null() {
            assert_eq!(batch["refused"], 0, "{batch}");
            return ROWS as f64 / started.elapsed().as_secs_f64();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

//! How smoothly the list of the large repository scrolls in a real page (`frames.mjs`), beside plain rows in the same browser.

use std::path::Path;

use serde_json::Value;

use super::machine::{ALL_CORES, pinned};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::{Plan, sample};

/// Adds a figure for the wheel and one for jumps of the scroll bar.
pub async fn measure(plan: &Plan, report: &mut Report) {
    let directory = sample::repository(&plan.home, plan.nodes).await;
    let server = Program::unpinned(&directory).await;
    let rounds: Vec<Value> = (0..plan.rounds).map(|_| frames(plan, &server)).collect();
    for (way, of) in [("list", "the wheel"), ("jumps", "jumps of the scroll bar")] {
        report.add(Figure {
            work: format!("frames of {} items under {of}", plan.nodes),
            measured: values(&rounds, way),
            limits: values(&rounds, "plain"),
            unit: "ms, p99",
            limit: "20,000 rows of plain text in the same browser, under the wheel",
            durability: "none, none",
            goal: Goal::AtMost(2.0),
        });
    }
}

fn values(rounds: &[Value], way: &str) -> Vec<f64> {
    let value = |round: &Value| round[way].as_f64().expect("milliseconds");
    rounds.iter().map(value).collect()
}

fn frames(plan: &Plan, server: &Program) -> Value {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/frames.mjs");
    let (name, password) = sample::ACCOUNT;
    let address = format!("http://{}", server.address);
    let seconds = plan.span.as_secs().to_string();
    let output = pinned(ALL_CORES, Path::new("node"))
        .args([script, &address, name, password, &seconds])
        .output()
        .expect("node");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    serde_json::from_str(&said).unwrap_or_else(|_| panic!("no figures: {said}{complaint}"))
}

//! The speed of the program as ratios to the limits of the machine it runs on: `make bench`.
//!
//! Server and limits run on one core, the load on another. Every figure is measured in turns with
//! its limit, some rounds long, and the medians are compared. The environment says how much:
//! `NODES` (of the large repository), `FILES` (in a watched folder), `ROUNDS`, `SECONDS` (of one measurement), `ONLY` (names of parts).

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a test or measurement reads what it made, and ends where it cannot go on"
)]

mod bucket;
mod ceph;
mod downloads;
mod followed;
mod frames;
mod limit;
mod load;
mod machine;
mod nginx;
mod reads;
mod report;
mod rows;
mod sample;
mod scale;
mod searches;
mod server;
mod tables;
mod thumbnails;
mod tiles;
mod uploads;
mod watched;
mod workbench;
mod writes;

use std::path::PathBuf;
use std::time::Duration;

use report::Report;

/// How much is measured, and where.
pub struct Plan {
    /// Sample repositories, copies and results.
    pub home: PathBuf,
    pub nodes: usize,
    /// In a watched folder.
    pub files: usize,
    pub rounds: usize,
    pub span: Duration,
    only: Option<String>,
}

impl Plan {
    fn from_environment() -> Plan {
        let number = |name: &str, usual: usize| {
            let given = std::env::var(name).ok().and_then(|text| text.parse().ok());
            given.unwrap_or(usual)
        };
        let target = std::env::var_os("CARGO_TARGET_DIR");
        let target = target.map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target"),
            PathBuf::from,
        );
        Plan {
            home: target.join("bench"),
            nodes: number("NODES", 1_000_000),
            files: number("FILES", 10_000),
            rounds: number("ROUNDS", 3),
            span: Duration::from_secs(number("SECONDS", 4) as u64),
            only: std::env::var("ONLY").ok(),
        }
    }

    fn wants(&self, part: &str) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| only.split(',').any(|name| name == part))
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "limit" => limit::run(rest),
        // `cargo bench` adds an argument of its own, `--bench`.
        _ => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(measure(&Plan::from_environment())),
    }
}

async fn measure(plan: &Plan) {
    std::fs::create_dir_all(&plan.home).expect("a place for results");
    // Repositories are made before the load is kept on its core: that takes every core there is.
    for nodes in [1, 1_000, 100_000, plan.nodes] {
        let needed = nodes < plan.nodes
            || ["scale", "searches", "frames"]
                .iter()
                .any(|part| plan.wants(part));
        if needed {
            sample::repository(&plan.home, nodes).await;
        }
    }
    let mut report = Report::new();
    machine::stay_on(machine::LOAD_CORE);
    println!("{}", report.machine);
    if plan.wants("reads") {
        reads::measure(plan, &mut report).await;
    }
    if plan.wants("writes") {
        writes::measure(plan, &mut report).await;
    }
    if plan.wants("uploads") {
        uploads::measure(plan, &mut report).await;
    }
    if plan.wants("workbench") {
        workbench::measure(plan, &mut report).await;
    }
    if plan.wants("tables") {
        tables::measure(plan, &mut report).await;
    }
    if plan.wants("watched") {
        watched::measure(plan, &mut report).await;
    }
    if plan.wants("downloads") {
        downloads::measure(plan, &mut report).await;
    }
    if plan.wants("bucket") {
        bucket::measure(plan, &mut report).await;
    }
    if plan.wants("thumbnails") {
        thumbnails::measure(plan, &mut report);
    }
    if plan.wants("tiles") {
        tiles::measure(plan, &mut report).await;
    }
    if plan.wants("followed") {
        followed::measure(plan, &mut report).await;
    }
    if plan.wants("scale") {
        scale::measure(plan, &mut report).await;
    }
    if plan.wants("searches") {
        searches::measure(plan, &mut report).await;
    }
    if plan.wants("frames") {
        frames::measure(plan, &mut report).await;
    }
    let path = plan.home.join("speed.json");
    let json = serde_json::to_vec_pretty(&report).expect("JSON");
    std::fs::write(&path, json).expect("a file of results");
    println!("\n{}\n\n{}", report.table(), path.display());
}

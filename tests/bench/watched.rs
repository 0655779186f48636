//! Watched folders: many files from the folder to committed objects, and the way of one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hyper::Method;
use serde_json::{Value, json};

use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::writes::{copied, said_by_limit};
use super::{Plan, load, reads, sample};

const SIZE: usize = 500_000;
/// How long a file must not have changed, seconds.
const SETTLE: u64 = 3;
const FOLDERS: &str = "/api/v1/watched-folders";

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, 1_000).await;
    let directory = copied(&sample, &plan.home.join("watching"));
    let folder = directory.join("incoming");
    fill(&folder, plan.files);
    let server = Program::unpinned(&directory).await;
    many(plan, report, &server, &folder).await;
    one(plan, report, &server, &folder).await;
    drop(server);
    std::fs::remove_dir_all(directory).expect("the disk");
}

async fn many(plan: &Plan, report: &mut Report, server: &Program, folder: &Path) {
    let copy = plan.home.join("watched.copy");
    let _ = std::fs::remove_dir_all(&copy);
    let limit = said_by_limit(&["copies", text(folder), text(&copy)]);
    let rule = json!({"path": folder, "settle_seconds": SETTLE});
    let started = Instant::now();
    let made = ask(server, Method::POST, FOLDERS, rule.to_string()).await;
    assert!(made["id"].is_number(), "{made}");
    // Asked all the time, the server would have less time for the files.
    until_done(server, plan.files, Duration::from_millis(500)).await;
    let rate = plan.files as f64 / started.elapsed().as_secs_f64();
    // Not before: file systems pass by what was removed a moment ago, one by one, whenever they make a file.
    std::fs::remove_dir_all(copy).expect("the disk");
    report.add(Figure {
        work: format!("{} × 500 KB from a watched folder to objects", plan.files),
        measured: vec![rate],
        limits: vec![limit],
        unit: "files/s",
        limit: "cp -r of the same files, each with SHA-512 and fsync",
        durability: "both: bytes synced; here also names, directories, items and their rows",
        goal: Goal::AtLeast(0.5),
    });
}

async fn one(plan: &Plan, report: &mut Report, server: &Program, folder: &Path) {
    let mut measured = Vec::new();
    for number in 0..plan.rounds {
        write(folder, plan.files + number);
        let whole = Instant::now();
        until_done(server, plan.files + number + 1, Duration::from_millis(20)).await;
        measured.push(whole.elapsed().as_secs_f64());
    }
    report.add(Figure {
        work: "from a file's last byte to its object".into(),
        measured,
        limits: vec![SETTLE as f64 + 1.0],
        unit: "s",
        limit: "3 s in which a file must not change, and 1 s",
        durability: "synced",
        goal: Goal::AtMost(1.0),
    });
}

async fn until_done(server: &Program, files: usize, between: Duration) {
    loop {
        let list = ask(server, Method::GET, FOLDERS, String::new()).await;
        let counts = &list["folders"][0]["counts"];
        assert_eq!(counts["failed"], 0, "{list}");
        if counts["done"] == files {
            return;
        }
        tokio::time::sleep(between).await;
    }
}

async fn ask(server: &Program, method: Method, path: &str, body: String) -> Value {
    let request = load::send(method, server.address, path, body);
    let request = load::with(request, "authorization", &reads::basic());
    let answer = load::ask(&mut load::connect(server.address).await, request).await;
    serde_json::from_slice(answer.body()).expect("JSON")
}

fn fill(folder: &PathBuf, files: usize) {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).expect("a directory");
    (0..files).for_each(|number| write(folder, number));
    // What is not on the disk yet would be written with the first bytes that anybody syncs.
    rustix::fs::sync();
}

/// No two files have the same bytes.
fn write(folder: &Path, number: usize) {
    let mut bytes = vec![7_u8; SIZE];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    let mut file = std::fs::File::create(folder.join(format!("{number}.zip"))).expect("a file");
    file.write_all(&bytes).expect("written");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

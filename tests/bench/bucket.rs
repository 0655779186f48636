//! Bytes in a bucket, beside a client of the same store that does nothing else.

use std::path::Path;
use std::time::Instant;

use super::downloads::megabytes_per_second;
use super::limit::store::{BUCKET, CREDENTIALS};
use super::load;
use super::machine::{LOAD_CORE, SERVER_CORE, pinned};
use super::report::{Figure, Goal, Report};
use super::server::{Program, free_address};
use super::uploads::{AT_ONCE, LARGE, USES_AT_ONCE, large_body, put, upload, write_large};
use super::writes::{copied, said_by_limit, term};
use super::{Plan, sample};

const DURABILITY: &str = "both: whatever the store does; here also the rows, synced";

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, 1_000).await;
    let objects = plan.home.join("objects");
    let _ = std::fs::remove_dir_all(&objects);
    let store = serve(&objects).await;
    let endpoint = format!("http://{}", store.address);
    let directory = copied(&sample, &plan.home.join("in-bucket"));
    // What is downloaded comes from the bucket.
    let rules = format!(
        "[bytes]\nbucket = \"{BUCKET}\"\nendpoint = \"{endpoint}\"\nprefix = \"isolario\"\ncache_megabytes = 1\n"
    );
    std::fs::write(directory.join("config.toml"), rules).expect("written");
    let mut command = pinned(SERVER_CORE, Path::new(super::server::ISOLARIO));
    command.envs(CREDENTIALS);
    let server = Program::serving(command, &directory, &["--no-derivatives"]).await;
    large(plan, report, &server, &directory, &endpoint).await;
    small(plan, report, &server, &directory, &endpoint).await;
    drop((server, store));
    for directory in [directory, objects] {
        std::fs::remove_dir_all(directory).expect("the disk");
    }
}

/// The store, beside the load: on the core of the program there is nothing else.
async fn serve(objects: &Path) -> Program {
    let address = free_address();
    let own = std::env::current_exe().expect("this program");
    let mut command = pinned(LOAD_CORE, &own);
    command
        .args(["limit", "store"])
        .arg(objects)
        .arg(address.to_string());
    Program::start(command, address).await
}

async fn large(
    plan: &Plan,
    report: &mut Report,
    server: &Program,
    directory: &Path,
    endpoint: &str,
) {
    let source = plan.home.join("large.bin");
    write_large(&source);
    let source = source.to_str().expect("a plain path");
    let bare = |work| said_by_limit(&["object", work, endpoint, source, "1", "1"]);
    let media_use = term(directory, "Original File");
    let (mut up, mut down) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for round in 0..plan.rounds {
        let name = format!("large-{round}.zip");
        let place = (2 + round as u64, media_use);
        let request = upload(server, place, &format!("public://{name}"), large_body());
        let request = load::with(request, "content-length", &LARGE.to_string());
        let started = Instant::now();
        let answer = load::ask(&mut load::connect(server.address).await, request).await;
        assert_eq!(answer.status(), 201, "{:?}", answer.body());
        up.0.push(LARGE as f64 / 1e6 / started.elapsed().as_secs_f64());
        up.1.push(bare("put"));
        let path = format!("/sites/default/files/{name}");
        down.0.push(megabytes_per_second(server, &path).await);
        down.1.push(bare("get"));
    }
    for (work, (measured, limits), durability) in [
        ("PUT of 1 GiB into a bucket", up, DURABILITY),
        ("GET of 1 GiB from a bucket", down, "reads only"),
    ] {
        report.add(Figure {
            work: work.into(),
            measured,
            limits,
            unit: "MB/s",
            limit: "a bare client of the same store, in parts of 8 MiB, 4 at once",
            durability,
            goal: Goal::AtLeast(0.8),
        });
    }
}

async fn small(
    plan: &Plan,
    report: &mut Report,
    server: &Program,
    directory: &Path,
    endpoint: &str,
) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    let (size, count, connections) = (
        AT_ONCE.size.to_string(),
        AT_ONCE.files.to_string(),
        AT_ONCE.connections.to_string(),
    );
    for name in USES_AT_ONCE.into_iter().take(plan.rounds) {
        let place = (0, term(directory, name));
        measured.push(put(server, &AT_ONCE, "public", place).await);
        limits.push(said_by_limit(&[
            "object",
            "puts",
            endpoint,
            &size,
            &count,
            &connections,
        ]));
    }
    report.add(Figure {
        work: "PUT of 1,000 × 100 KB into a bucket, 16 connections".into(),
        measured,
        limits,
        unit: "files/s",
        limit: "a bare client of the same store, 16 at once",
        durability: DURABILITY,
        goal: Goal::AtLeast(0.7),
    });
}

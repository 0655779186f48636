//! Bytes in a bucket, beside a client of the same store that does nothing else. The store has a core of its own in all
//! cases; the program shares the other one with what sends and takes its bytes, which a bare client has no need of. So
//! it also stands beside such a client behind a bare HTTP server. One store costs next to nothing, so the program is
//! seen; the other is one that people have.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::{Method, Request};

use super::ceph::Ceph;
use super::downloads::megabytes_per_second;
use super::limit::store::{BUCKET, CREDENTIALS, count};
use super::load::{self, Span};
use super::machine::{LOAD_CORE, SERVER_CORE, pinned, stay_on};
use super::report::{Figure, Goal, Report};
use super::server::{Program, free_address};
use super::uploads::{AT_ONCE, LARGE, USES_AT_ONCE, large_body, put, upload, write_large};
use super::writes::{copied, said_by_limit, term};
use super::{Plan, sample};

const DURABILITY: &str = "both: whatever the store does; here also the rows, synced";

/// The program, and what stands beside it, before one store.
struct Servers {
    isolario: Program,
    directory: PathBuf,
    forward: Program,
    endpoint: String,
    /// What the store is.
    store: &'static str,
}

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, 1_000).await;
    stay_on(SERVER_CORE);
    in_files(plan, report, &sample).await;
    in_ceph(plan, report, &sample).await;
    stay_on(LOAD_CORE);
}

/// The store only writes files.
async fn in_files(plan: &Plan, report: &mut Report, sample: &Path) {
    let objects = plan.home.join("objects");
    let _ = std::fs::remove_dir_all(&objects);
    let store = serve(&objects).await;
    let endpoint = format!("http://{}", store.address);
    let servers = Servers::start(plan, sample, "a bucket in files", endpoint).await;
    large(plan, report, &servers).await;
    small(plan, report, &servers).await;
    servers.stop();
    drop(store);
    std::fs::remove_dir_all(objects).expect("the disk");
}

/// The store is one that people have. Its disks are too small for three copies of large files.
async fn in_ceph(plan: &Plan, report: &mut Report, sample: &Path) {
    let cluster = Ceph::start();
    let endpoint = cluster.endpoint.clone();
    let servers = Servers::start(plan, sample, "a bucket of Ceph", endpoint).await;
    small(plan, report, &servers).await;
    servers.stop();
}

impl Servers {
    /// Starts them, and waits until the records of the repository are in the bucket, which is new to it.
    async fn start(plan: &Plan, sample: &Path, store: &'static str, endpoint: String) -> Servers {
        let directory = copied(sample, &plan.home.join("in-bucket"));
        // What is downloaded comes from the bucket.
        let rules = format!(
            "[bytes]\nbucket = \"{BUCKET}\"\nendpoint = \"{endpoint}\"\nprefix = \"isolario\"\ncache_megabytes = 500\n"
        );
        std::fs::write(directory.join("config.toml"), rules).expect("written");
        let mut command = pinned(SERVER_CORE, Path::new(super::server::ISOLARIO));
        command.envs(CREDENTIALS);
        let isolario = Program::serving(command, &directory, &["--no-derivatives"]).await;
        let (mut before, mut now) = (0, 0);
        while now == 0 || now > before {
            tokio::time::sleep(Duration::from_secs(2)).await;
            (before, now) = (now, count(&endpoint, "isolario/records").await);
        }
        Servers {
            isolario,
            directory,
            forward: Program::limit("forward", &[&endpoint]).await,
            endpoint,
            store,
        }
    }

    fn stop(self) {
        drop(self.isolario);
        std::fs::remove_dir_all(self.directory).expect("the disk");
    }
}

/// The store, on the core that nothing else needs here.
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

/// Rates of the program, and of what it stands beside.
#[derive(Default)]
struct Rates {
    measured: Vec<f64>,
    /// Of a client that does nothing else.
    bare: Vec<f64>,
    /// Of the same client behind a bare HTTP server.
    forwarded: Vec<f64>,
}

impl Rates {
    /// Reports them beside both limits.
    fn report(self, report: &mut Report, work: &str, unit: &'static str, goal: f64) {
        let limits = [
            ("a bare client", self.bare),
            ("such a client behind HTTP", self.forwarded),
        ];
        for (limit, limits) in limits {
            report.add(Figure {
                work: format!("{work}, beside {limit}"),
                measured: self.measured.clone(),
                limits,
                unit,
                limit: "the same store, in parts of 5 MiB, 3 at once",
                durability: DURABILITY,
                goal: Goal::AtLeast(goal),
            });
        }
    }
}

async fn large(plan: &Plan, report: &mut Report, servers: &Servers) {
    let source = plan.home.join("large.bin");
    write_large(&source);
    let source = source.to_str().expect("a plain path");
    let bare = |work| said_by_limit(&["object", work, &servers.endpoint, source, "1", "1"]);
    let media_use = term(&servers.directory, "Original File");
    let (mut up, mut down) = (Rates::default(), Rates::default());
    for round in 0..plan.rounds {
        let name = format!("large-{round}.zip");
        let place = (2 + round as u64, media_use);
        let location = format!("public://{name}");
        let request = upload(&servers.isolario, place, &location, large_body());
        up.measured
            .push(put_large(&servers.isolario, request).await);
        up.bare.push(bare("put"));
        let to_forward = load::send(Method::PUT, servers.forward.address, "/large", "");
        let to_forward = to_forward.map(|_| large_body());
        up.forwarded
            .push(put_large(&servers.forward, to_forward).await);

        let path = format!("/sites/default/files/{name}");
        let rate = megabytes_per_second(&servers.isolario, &path).await;
        down.measured.push(rate);
        down.bare.push(bare("get"));
        let rate = megabytes_per_second(&servers.forward, "/large").await;
        down.forwarded.push(rate);
    }
    let store = servers.store;
    up.report(report, &format!("PUT of 1 GiB into {store}"), "MB/s", 0.8);
    down.report(report, &format!("GET of 1 GiB from {store}"), "MB/s", 0.8);
}

/// Sends a large body; MB a second.
async fn put_large(server: &Program, request: Request<load::Body>) -> f64 {
    let request = load::with(request, "content-length", &LARGE.to_string());
    let started = Instant::now();
    let answer = load::ask(&mut load::connect(server.address).await, request).await;
    assert_eq!(answer.status(), 201, "{:?}", answer.body());
    LARGE as f64 / 1e6 / started.elapsed().as_secs_f64()
}

async fn small(plan: &Plan, report: &mut Report, servers: &Servers) {
    let mut rates = Rates::default();
    let (size, count, connections) = (
        AT_ONCE.size.to_string(),
        AT_ONCE.files.to_string(),
        AT_ONCE.connections.to_string(),
    );
    let endpoint = servers.endpoint.as_str();
    let arguments = ["object", "puts", endpoint, &size, &count, &connections];
    for name in USES_AT_ONCE.into_iter().take(plan.rounds) {
        let place = (0, term(&servers.directory, name));
        let rate = put(&servers.isolario, &AT_ONCE, "public", place).await;
        rates.measured.push(rate);
        rates.bare.push(said_by_limit(&arguments));
        rates.forwarded.push(forward_small(servers).await);
    }
    let work = format!(
        "PUT of 1,000 × 100 KB into {}, 16 connections",
        servers.store
    );
    rates.report(report, &work, "files/s", 0.7);
}

async fn forward_small(servers: &Servers) -> f64 {
    let (address, bytes) = (
        servers.forward.address,
        Bytes::from(vec![7_u8; AT_ONCE.size]),
    );
    let make =
        move |number: u64| load::send(Method::PUT, address, &format!("/{number}"), bytes.clone());
    let span = Span::Requests(AT_ONCE.files);
    let outcome = load::run(address, AT_ONCE.connections, span, make).await;
    outcome.rate()
}

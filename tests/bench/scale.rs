//! A repository of a million nodes beside one of a thousand, and beside an empty one.

use super::load::{self, Span};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::{Plan, machine, reads, sample};

const REQUESTS: u64 = 200;
const NOTHING_WRITTEN: &str = "reads only";

/// What people do with lists, as they ask for it. `{n}` is a number below the nodes there are.
const ASKED: [(&str, &str); 6] = [
    ("open a node", "/node/{n}?_format=json"),
    ("list", "/api/v1/items?limit=100"),
    (
        "sort by date, descending",
        "/api/v1/items?limit=100&sort=date&order=desc",
    ),
    (
        "filter: unpublished",
        "/api/v1/items?limit=100&status=0&sort=changed",
    ),
    (
        "filter: members of a collection",
        "/api/v1/items?limit=100&collection=1&sort=weight",
    ),
    ("find by words", "/api/v1/items?limit=100&q=chart+996+coast"),
];

pub async fn measure(plan: &Plan, report: &mut Report) {
    let many = sample::repository(&plan.home, plan.nodes).await;
    let few = sample::repository(&plan.home, 1_000).await;
    {
        let (many, few) = (
            Program::isolario(&many).await,
            Program::isolario(&few).await,
        );
        for (what, path) in ASKED {
            latency(plan, report, (&many, plan.nodes as u64), &few, what, path).await;
        }
    }
    let empty = sample::repository(&plan.home, 1).await;
    start(plan, report, &many, &empty).await;
}

async fn latency(
    plan: &Plan,
    report: &mut Report,
    (many, nodes): (&Program, u64),
    few: &Program,
    what: &str,
    path: &'static str,
) {
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        measured.push(p50(many, nodes, path).await);
        limits.push(p50(few, 1_000, path).await);
    }
    report.add(Figure {
        work: format!("{nodes} nodes: {what}"),
        measured,
        limits,
        unit: "ms, p50",
        limit: "the same among 1,000 nodes",
        durability: NOTHING_WRITTEN,
        goal: Goal::AtMost(1.5),
    });
}

async fn p50(server: &Program, nodes: u64, path: &'static str) -> f64 {
    let (address, authorization) = (server.address, reads::basic());
    let make = move |number: u64| {
        let number = 1 + load::scattered(number, nodes);
        let request = load::get(address, &path.replace("{n}", &number.to_string()));
        load::with(request, "authorization", &authorization)
    };
    load::run(address, 1, Span::Requests(REQUESTS), make)
        .await
        .p50()
}

async fn start(plan: &Plan, report: &mut Report, many: &std::path::Path, empty: &std::path::Path) {
    let (mut starts, mut memories) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for _ in 0..plan.rounds * 2 + 1 {
        for (which, directory) in [many, empty].into_iter().enumerate() {
            let server = Program::isolario(directory).await;
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            starts[which].push(server.started_in);
            memories[which].push(machine::resident_megabytes(server.pid()).0);
        }
    }
    let [starts, empty_starts] = starts;
    let [memories, empty_memories] = memories;
    let mut add = |work: &str, unit, limit, measured: &Vec<f64>, limits: Vec<f64>, most| {
        report.add(Figure {
            work: format!("{} nodes: {work}", plan.nodes),
            measured: measured.clone(),
            limits,
            unit,
            limit,
            durability: NOTHING_WRITTEN,
            goal: Goal::AtMost(most),
        });
    };
    add(
        "start to first answer",
        "ms",
        "an empty repository",
        &starts,
        empty_starts,
        1.2,
    );
    add(
        "start to first answer",
        "ms",
        "100 ms",
        &starts,
        vec![100.0],
        1.0,
    );
    add(
        "idle memory",
        "MB, VmRSS",
        "an empty repository",
        &memories,
        empty_memories,
        1.2,
    );
    add(
        "idle memory",
        "MB, VmRSS",
        "40 MB",
        &memories,
        vec![40.0],
        1.0,
    );
}

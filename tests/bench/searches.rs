//! Searches in a million items, through HTTP: hits with their titles and pictures, and facets.

use serde_json::Value;

use super::load::{self, Outcome, Span};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::{Plan, reads, sample};

const REQUESTS: u64 = 300;
const NOTHING_WRITTEN: &str = "reads only";

/// What is asked: `{n}` is a number of a title, `{m}` of an island, `{subject}` a value of the facet.
const ASKED: [(&str, &str); 3] = [
    (
        "words with a filter",
        "/api/v1/search?limit=20&q=chart+{n}+coast&chosen=subject:{subject}",
    ),
    (
        "a frequent word with a filter",
        "/api/v1/search?limit=20&q=harbour&chosen=subject:{subject}",
    ),
    (
        "a phrase with a filter",
        "/api/v1/search?limit=20&q=%22coast+of+island+{m}%22&chosen=status:published",
    ),
];
const FACETS: &str = "/api/v1/search?limit=20&q=chart+harbour&histogram=true\
     &facets=model,collection,subject,agent,language,use,format,status";

pub async fn measure(plan: &Plan, report: &mut Report) {
    let directory = sample::repository(&plan.home, plan.nodes).await;
    let server = Program::isolario(&directory).await;
    let subject = first_subject(&server).await;
    let mut add = |work: &str, percentile: &'static str, measured, most: f64| {
        report.add(Figure {
            work: format!("{} nodes: search {work}, {percentile}", plan.nodes),
            measured,
            limits: vec![most],
            unit: "ms",
            limit: "a time that nobody waits for",
            durability: NOTHING_WRITTEN,
            goal: Goal::AtMost(1.0),
        });
    };
    for (what, path) in ASKED {
        let (mut middle, mut slow) = (Vec::new(), Vec::new());
        for _ in 0..plan.rounds {
            let path = path.replace("{subject}", &subject);
            let outcome = ask(&server, plan.nodes as u64, &path).await;
            middle.push(outcome.p50());
            slow.push(outcome.p99());
        }
        add(what, "p50", middle, 8.0);
        add(what, "p99", slow, 40.0);
    }
    let mut all = Vec::new();
    for _ in 0..plan.rounds {
        all.push(ask(&server, plan.nodes as u64, FACETS).await.p50());
    }
    add("all facets", "p50", all, 70.0);
}

async fn ask(server: &Program, nodes: u64, path: &str) -> Outcome {
    let (address, authorization, path) = (server.address, reads::basic(), path.to_owned());
    let make = move |number: u64| {
        let island = load::scattered(number, (nodes / 997).max(1)).to_string();
        let path = path.replace("{n}", &load::scattered(number, 997).to_string());
        let request = load::get(address, &path.replace("{m}", &island));
        load::with(request, "authorization", &authorization)
    };
    load::run(address, 1, Span::Requests(REQUESTS), make).await
}

async fn first_subject(server: &Program) -> String {
    let request = load::get(
        server.address,
        "/api/v1/search?limit=1&facets=subject&values=1",
    );
    let answer = load::ask(&mut load::connect(server.address).await, request).await;
    let json: Value = serde_json::from_slice(answer.body()).expect("JSON");
    let value = json.pointer("/facets/0/values/0/value");
    value.and_then(Value::as_str).expect("a subject").to_owned()
}

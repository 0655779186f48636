//! Rows of a table as Islandora Workbench loads them: some 120 requests for one row, each on a connection of its own.

use std::time::Instant;

use bytes::Bytes;
use hyper::{Method, Request, Response};
use serde_json::{Value, json};

use super::load::{self, Body};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::writes::copied;
use super::{Plan, machine, reads, sample};

const NODES: usize = 1_000;
/// Rows of a round, each by a run of its own.
const ROWS: u64 = 10;
/// What the server may spend on a row, milliseconds.
const BUDGET: f64 = 25.0;

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, NODES).await;
    let directory = copied(&sample, &plan.home.join("workbench"));
    let server = Program::isolario(&directory).await;
    let (mut spent, mut rates, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..plan.rounds as u64 {
        let mut client = Client {
            server: &server,
            requests: 0,
        };
        let (before, started) = (machine::cpu_seconds(server.pid()), Instant::now());
        for row in 0..ROWS {
            client.loads(round * ROWS + row).await;
        }
        let rows = ROWS as f64;
        rates.push(rows / started.elapsed().as_secs_f64());
        spent.push(1e3 * (machine::cpu_seconds(server.pid()) - before) / rows);
        bare.push(rows / connects(&server, client.requests).await);
    }
    report.add(Figure {
        work: "a row of Islandora Workbench, processor time".into(),
        measured: spent,
        limits: vec![BUDGET; plan.rounds],
        unit: "ms of the server for a row",
        limit: "25 ms",
        durability: "each write synced",
        goal: Goal::AtMost(1.0),
    });
    report.add(Figure {
        work: "rows of Islandora Workbench".into(),
        measured: rates,
        limits: bare,
        unit: "rows/s",
        limit: "as many requests for the page of the window, each on a connection of its own",
        durability: "here each write synced; the limit reads",
        goal: Goal::AtLeast(0.5),
    });
    drop(server);
    std::fs::remove_dir_all(&directory).expect("the disk");
}

/// Seconds that so many requests for the page of the window take.
async fn connects(server: &Program, requests: u64) -> f64 {
    let started = Instant::now();
    for _ in 0..requests {
        let mut sender = load::connect(server.address).await;
        load::ask(&mut sender, load::get(server.address, "/")).await;
    }
    started.elapsed().as_secs_f64()
}

struct Client<'s> {
    server: &'s Program,
    requests: u64,
}

impl Client<'_> {
    /// One run with one row, an item with a file and two new terms, as one was recorded: 122 requests for the 52 fields
    /// of the model.
    async fn loads(&mut self, number: u64) {
        for path in ["version", "version", "core_version", "version"] {
            self.get(&format!("/islandora_workbench_integration/{path}"))
                .await;
        }
        self.learns_fields().await;
        let mut subjects = Vec::new();
        for name in ["one", "two"] {
            let name = format!("{name}-{number}");
            self.named("subject", &name).await;
            let term = json!({"vid": [{"target_id": "subject"}], "name": [{"value": name}]});
            let made = self.post("/taxonomy/term?_format=json", &term).await;
            subjects.push(json!({"target_id": made["tid"][0]["value"]}));
        }
        let model = self.named("islandora_models", "Image").await;
        let node = json!({
            "type": [{"target_id": "islandora_object"}], "title": [{"value": format!("Row {number}")}],
            "field_model": [{"target_id": model}], "field_subject": subjects,
        });
        let node = self.post("/node?_format=json", &node).await;
        let file = self.uploads(&format!("row-{number}.jpg")).await;
        let original = self.term("http://pcdm.org/use%23OriginalFile").await;
        self.get("/entity/media_type/image?_format=json").await;
        let media = json!({
            "bundle": [{"target_id": "image"}], "name": [{"value": format!("row-{number}.jpg")}],
            "field_media_image": [{"target_id": file["fid"][0]["value"], "target_type": "file"}],
            "field_media_of": [{"target_id": node["nid"][0]["value"]}],
            "field_media_use": [{"target_id": original}],
        });
        self.post("/entity/media", &media).await;
    }

    /// The fields of items: two requests for each, after the form was asked for, which is asked for four times in all.
    async fn learns_fields(&mut self) {
        const FORM: &str = "/entity/entity_form_display/node.islandora_object.default?_format=json";
        const FIELD: &str = "field.field.node.islandora_object.";
        self.get(FORM).await;
        let form = self.get(FORM).await;
        let named = form["dependencies"]["config"].as_array();
        for dependency in named.expect("a list") {
            let name = dependency.as_str().expect("a name");
            if let Some(name) = name.strip_prefix(FIELD) {
                let path =
                    format!("/entity/field_config/node.islandora_object.{name}?_format=json");
                self.get(&path).await;
                let path = format!("/entity/field_storage_config/node.{name}?_format=json");
                self.get(&path).await;
            }
        }
        self.get(FORM).await;
        self.get(FORM).await;
    }

    async fn uploads(&mut self, name: &str) -> Value {
        let path = "/file/upload/media/image/field_media_image?_format=json";
        let request = self.request(Method::POST, path, vec![0; 10_000]);
        let disposition = format!("file; filename=\"{name}\"");
        let mut request = load::with(request, "content-disposition", &disposition);
        let bytes = "application/octet-stream".parse().expect("a value");
        request.headers_mut().insert("content-type", bytes);
        json(&self.ask(request).await)
    }

    async fn named(&mut self, vocabulary: &str, name: &str) -> Value {
        let path = format!("/term_from_term_name?vocab={vocabulary}&name={name}&_format=json");
        let found = self.get(&path).await;
        found[0]["tid"][0]["value"].clone()
    }

    async fn term(&mut self, uri: &str) -> Value {
        let path = format!("/term_from_uri?_format=json&uri={uri}");
        let found = self.get(&path).await;
        found[0]["tid"][0]["value"].clone()
    }

    async fn get(&mut self, path: &str) -> Value {
        let request = load::get(self.server.address, path);
        json(&self.ask(request).await)
    }

    async fn post(&mut self, path: &str, body: &Value) -> Value {
        let request = self.request(Method::POST, path, body.to_string().into_bytes());
        json(&self.ask(request).await)
    }

    fn request(&self, method: Method, path: &str, body: Vec<u8>) -> Request<Body> {
        load::send(method, self.server.address, path, body)
    }

    async fn ask(&mut self, request: Request<Body>) -> Response<Bytes> {
        self.requests += 1;
        let request = load::with(request, "authorization", &reads::basic());
        let mut sender = load::connect(self.server.address).await;
        let answer = load::ask(&mut sender, request).await;
        assert!(
            answer.status().is_success(),
            "{} {:?}",
            answer.status(),
            answer.body()
        );
        answer
    }
}

fn json(answer: &Response<Bytes>) -> Value {
    serde_json::from_slice(answer.body()).expect("JSON")
}

//! A repository in which requests made by chance find something, and what the one who makes them has to
//! know of it.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::{run_with_password, said};

/// Of every kind of thing, so many that others need and so many that may go.
const KEPT: usize = 12;
const DOOMED: usize = 12;

/// Ids of one kind of thing, each with its revision.
#[derive(Default)]
struct Made(Vec<(i64, i64)>);

impl Made {
    fn kept(&self) -> Vec<i64> {
        self.0.iter().take(KEPT).map(|(id, _)| *id).collect()
    }

    fn doomed(&self) -> Vec<i64> {
        self.0.iter().skip(KEPT).map(|(id, _)| *id).collect()
    }

    fn revisions(&self) -> Value {
        let pairs = self
            .0
            .iter()
            .map(|(id, vid)| (id.to_string(), json!([vid])));
        pairs.collect::<serde_json::Map<String, Value>>().into()
    }
}

/// Fills a new repository; what `requests.py` reads.
pub fn lay(client: &Client, data: &Path) -> Value {
    let (mut nodes, mut media, mut terms) = (Made::default(), Made::default(), Made::default());
    let (mut files, mut paths) = (Vec::new(), Vec::new());
    let use_tid = client.term("islandora_media_use", "Original File");
    for number in 0..KEPT + DOOMED {
        let (_, node) = client.post_object(&format!("Sheet {number}"));
        let nid = keep(&mut nodes, &node, "nid", "vid");
        let place = format!("/node/{nid}/media/file/{use_tid}");
        let name = format!("fuzz/{number}.txt");
        let (status, _) = client.put(&place, &format!("public://{name}"), "text");
        assert_eq!(status, 201);
        let (_, list) = client.get(&format!("/api/v1/items/{nid}/media"));
        let mid = parse(&list)["media"][0]["mid"].as_i64().expect("a media");
        let (_, text) = client.get(&format!("/media/{mid}?_format=json"));
        keep(&mut media, &text, "mid", "vid");
        let file = &parse(&text)["field_media_file"][0]["target_id"];
        files.push(file.as_i64().expect("a file"));
        paths.push(name);
        keep(&mut terms, &make_term(client, number), "tid", "revision_id");
    }
    for name in ["mira", "otto", "zoe"] {
        said(run_with_password(
            data,
            &["user", "add", name],
            "a password",
        ));
    }
    let trashed: Vec<i64> = (0..DOOMED)
        .map(|number| throw_away(client, number))
        .collect();
    let uploads: Vec<String> = (0..8)
        .map(|_| begin_upload(client, nodes.0[0].0, use_tid))
        .collect();
    json!({
        "path": {
            "nid": nodes.kept(), "mid": media.kept(), "tid": terms.kept(), "fid": files[..KEPT],
            "uid": [1, 2, 3, 4], "use_tid": [use_tid, use_tid + 1], "version": [1],
            "level": [0, 1], "column": [0, 1], "row": [0, 1],
            "media_type": ["file", "image", "document", "audio", "extracted_text"],
            "entity_type": ["media", "node"], "bundle": ["file", "image", "document"],
            "field": ["field_media_file", "field_media_image", "field_media_document"],
            "scheme": ["fedora", "public"], "path": paths, "kind": ["taxonomy_term"],
            "id": trashed,
        },
        "uploads": uploads,
        "vids": {"items": nodes.revisions(), "media": media.revisions(), "terms": terms.revisions()},
        "doomed": {
            "nid": nodes.doomed(), "mid": media.doomed(), "tid": terms.doomed(),
            "fid": files[KEPT..], "uid": [2, 3, 4],
        },
        "fields": fields(client),
    })
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn keep(made: &mut Made, text: &str, id: &str, revision: &str) -> i64 {
    let resource = parse(text);
    let number = |field: &str| {
        let value = resource[field][0]["value"].as_i64();
        value.unwrap_or_else(|| panic!("no {field} in {text}"))
    };
    made.0.push((number(id), number(revision)));
    number(id)
}

fn make_term(client: &Client, number: usize) -> String {
    let body = json!({
        "vid": [{"target_id": "tags"}],
        "name": [{"value": format!("Tag {number}")}],
    });
    let headers = "Content-Type: application/json\r\n";
    let path = "/taxonomy/term?_format=json";
    let (status, text) = client.send("POST", path, headers, &body.to_string());
    assert_eq!(status, 201, "{text}");
    text
}

/// Id of a term in the trash.
fn throw_away(client: &Client, number: usize) -> i64 {
    let mut made = Made::default();
    let tid = keep(&mut made, &make_term(client, number), "tid", "revision_id");
    let (status, _) = client.send("DELETE", &format!("/taxonomy/term/{tid}"), "", "");
    assert_eq!(status, 204);
    tid
}

/// Id of an upload in parts that has begun.
fn begin_upload(client: &Client, nid: i64, use_tid: i64) -> String {
    let place = format!("/node/{nid}/media/image/{}", use_tid + 1);
    let headers = "Content-Type: image/png\r\nContent-Location: public://fuzz/part.png\r\nUpload-Complete: ?0\r\n";
    let (status, answer) = client.ask("PUT", &place, headers, "");
    assert_eq!(status, 201, "{answer}");
    let id = answer.split("/api/v1/uploads/").nth(1);
    let id = id.and_then(|rest| rest.split_whitespace().next());
    id.expect("an upload").to_owned()
}

/// Names of the fields by kind and bundle, as the content model has them.
fn fields(client: &Client) -> Value {
    let model = parse(&client.get("/api/v1/content-model").1);
    let kinds = [
        ("Node", "node_types"),
        ("MediaResource", "media_types"),
        ("TermResource", "vocabularies"),
    ];
    let named = kinds.map(|(kind, key)| {
        let bundles = model[key].as_object().expect("bundles").iter();
        let bundles = bundles.map(|(bundle, described)| (bundle.clone(), names(described)));
        let bundles: serde_json::Map<String, Value> = bundles.collect();
        (kind.to_owned(), Value::Object(bundles))
    });
    Value::Object(named.into_iter().collect())
}

fn names(bundle: &Value) -> Value {
    let fields = bundle["fields"].as_array().expect("fields").iter();
    fields.map(|field| field["name"].clone()).collect()
}

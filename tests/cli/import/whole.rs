//! Imports that succeed, end early, and are run again.

use serde_json::{Value, json};

use super::stand_in::{Reply, StandIn, id, recorded, reference, uuid};
use super::{import, importing, read};
use crate::client::Client;
use crate::program::{complained, said};

const PNG: &[u8] = include_bytes!("../../samples/7x5.png");

/// A collection with an image, as a real site wrote them.
pub fn site() -> StandIn {
    let site = StandIn::start();
    let model = |name: &str| {
        json!([reference(
            "taxonomy_term",
            &format!("term:islandora_models:{name}")
        )])
    };
    let collection = recorded(
        "C48b",
        json!({
            "nid": [{"value": 1}], "uuid": [{"value": uuid("one")}], "field_member_of": [],
            "title": [{"value": "Maps \u{2013} \u{e4}lter"}], "field_model": model("Collection"),
        }),
    );
    let member = json!([{"target_id": 1, "target_type": "node", "target_uuid": uuid("one"), "url": "/node/1"}]);
    let mut image = recorded(
        "C48b",
        json!({
            "nid": [{"value": 2}], "uuid": [{"value": uuid("two")}], "field_member_of": member,
            "title": [{"value": "A map"}], "field_model": model("Image"), "field_weight": [{"value": 3}],
            "status": [{"value": false}], "created": [{"value": "2019-05-06T07:08:09+00:00", "format": "Y-m-d\\TH:i:sP"}],
            "field_subject": [reference("taxonomy_term", "term:sub"), reference("taxonomy_term", "term:sub2")],
            "field_scanner": [{"value": "Epson"}],
        }),
    );
    let mut agent = reference("taxonomy_term", "term:per");
    agent["rel_type"] = "relators:aut".into();
    image["field_linked_agent"] = json!([agent]);
    let headers = "Link: <http://islandora.example/alte%20karten>; rel=\"canonical\"\r\n";
    site.on(
        "/node/1",
        Reply::With(200, headers, collection.to_string().into()),
    );
    site.has("/node/2", &image);
    site.has("/node/1/members", &json!([image]));
    has_terms(&site);
    let media = recorded(
        "E07",
        json!({
            "field_media_of": [{"target_id": 2, "target_type": "node", "target_uuid": uuid("two"), "url": "/node/2"}],
        }),
    );
    site.has("/node/2/media", &json!([media]));
    site.has("/node/1/media", &json!([]));
    has_file(&site, PNG, "2024-03-01T12:00:00+00:00");
    site.has("/jwt/token", &json!({"token": "x"}));
    site
}

fn has_terms(site: &StandIn) {
    for (case, name) in [
        ("F07", "term:islandora_models:Image"),
        ("K01", "term:per"),
        ("K02", "term:sub"),
        // Another one with the same name.
        ("K02", "term:sub2"),
    ] {
        let tid = json!([{"value": id(name)}]);
        let term = recorded_term(case, name, &tid);
        site.has(&format!("/taxonomy/term/{}", id(name)), &term);
    }
    let collection = recorded(
        "F07",
        json!({
            "tid": [{"value": id("term:islandora_models:Collection")}],
            "uuid": [{"value": uuid("term:islandora_models:Collection")}],
            "name": [{"value": "Sammlung"}], "field_external_uri": [{"uri": "http://purl.org/dc/dcmitype/Collection"}],
        }),
    );
    site.has(
        &format!("/taxonomy/term/{}", id("term:islandora_models:Collection")),
        &collection,
    );
    let original = recorded(
        "F07",
        json!({
            "tid": [{"value": id("term:islandora_media_use:Original File")}],
            "uuid": [{"value": uuid("term:islandora_media_use:Original File")}],
            "vid": [{"target_id": "islandora_media_use"}],
            "name": [{"value": "Original"}], "field_external_uri": [{"uri": "http://pcdm.org/use#OriginalFile"}],
        }),
    );
    site.has(
        &format!(
            "/taxonomy/term/{}",
            id("term:islandora_media_use:Original File")
        ),
        &original,
    );
}

fn recorded_term(case: &str, name: &str, tid: &Value) -> Value {
    recorded(case, json!({"tid": tid, "uuid": [{"value": uuid(name)}]}))
}

fn has_file(site: &StandIn, bytes: &[u8], changed: &str) {
    let name = "file@E07.field_media_image";
    let file = recorded(
        "G-file-admin-1",
        json!({
            "fid": [{"value": id(name)}], "uuid": [{"value": uuid(name)}], "filesize": [{"value": bytes.len()}],
            "changed": [{"value": changed, "format": "Y-m-d\\TH:i:sP"}],
        }),
    );
    site.has(&format!("/entity/file/{}", id(name)), &file);
    let path = file["uri"][0]["url"].as_str().expect("a path").to_owned();
    site.on(
        &path,
        Reply::With(200, "Content-Type: image/png\r\n", bytes.to_vec()),
    );
}

#[test]
fn a_check_writes_nothing_and_says_what_has_no_counterpart() {
    let site = site();
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    let report = disk.path().join("report.csv");
    let text = said(import(
        disk.path(),
        &site.url(),
        &["--check", "--report", report.to_str().unwrap()],
    ));
    assert!(text.contains("nothing was written"), "{text}");
    assert!(
        text.contains("nodes: 2 new, 0 changed, 0 unchanged, 0 failed"),
        "{text}"
    );
    assert!(text.contains("media: 1 new"), "{text}");
    assert!(text.contains("files: 1 new"), "{text}");
    assert!(
        text.contains("terms: 3 new, 0 changed, 3 unchanged"),
        "{text}"
    );
    assert!(
        text.contains("node islandora_object, field field_scanner: 1 times"),
        "{text}"
    );
    let csv = std::fs::read_to_string(report).unwrap();
    assert!(
        csv.contains("node,,,islandora_object,field_scanner,"),
        "{csv}"
    );
    assert_eq!(client.get("/node/1?_format=json").0, 404);
    let agents = site.requests();
    assert!(
        agents.iter().all(|request| request.contains("Isolario/")),
        "{agents:?}"
    );
}

#[test]
fn a_recorded_site_comes_as_it_is_and_only_changes_come_again() {
    let site = site();
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    let text = said(import(disk.path(), &site.url(), &[]));
    assert!(
        text.contains("nodes: 2 new, 0 changed, 0 unchanged, 0 failed"),
        "{text}"
    );
    let node = read(&client, "/node/2?_format=json");
    assert_eq!(node["uuid"][0]["value"], uuid("two"));
    assert_eq!(node["title"][0]["value"], "A map");
    assert_eq!(node["status"][0]["value"], false);
    assert_eq!(node["created"][0]["value"], "2019-05-06T07:08:09+00:00");
    assert_eq!(node["field_weight"][0]["value"], 3);
    assert_eq!(
        node["field_extent"],
        json!([{"value": "a"}, {"value": "b"}])
    );
    assert_eq!(node["field_member_of"][0]["target_uuid"], uuid("one"));
    assert_eq!(node["field_subject"][0]["target_uuid"], uuid("term:sub"));
    assert_eq!(node["field_subject"][1]["target_uuid"], uuid("term:sub2"));
    assert_eq!(
        node["field_linked_agent"][0]["target_uuid"],
        uuid("term:per")
    );
    assert_eq!(node["field_linked_agent"][0]["rel_type"], "relators:aut");
    let model = client.term("islandora_models", "Image");
    assert_eq!(node["field_model"][0]["target_id"], model);
    assert_eq!(
        read(&client, "/alte%20karten?_format=json")["uuid"][0]["value"],
        uuid("one")
    );
    let media = read(&client, "/media/1?_format=json");
    assert_eq!(media["uuid"][0]["value"], uuid("media:m"));
    assert_eq!(media["field_media_of"][0]["target_uuid"], uuid("two"));
    let file = read(&client, "/entity/file/1?_format=json");
    assert_eq!(file["uuid"][0]["value"], uuid("file@E07.field_media_image"));
    assert_eq!(file["uri"][0]["value"], "public://up/r/g.png");
    assert_eq!(file["filesize"][0]["value"], PNG.len());

    let again = said(import(disk.path(), &site.url(), &[]));
    assert!(
        again.contains("nodes: 0 new, 0 changed, 2 unchanged, 0 failed"),
        "{again}"
    );
    assert!(
        again.contains("media: 0 new, 0 changed, 1 unchanged, 0 failed"),
        "{again}"
    );
    assert_eq!(read(&client, "/node/2?_format=json")["vid"], node["vid"]);

    let mut changed = node_of(&site, 2);
    changed["title"] = json!([{"value": "Another map"}]);
    changed["field_extent"] = json!([]);
    site.has("/node/2", &changed);
    has_file(
        &site,
        include_bytes!("../../samples/20x10.png"),
        "2099-01-01T00:00:00+00:00",
    );
    let third = said(import(disk.path(), &site.url(), &[]));
    assert!(
        third.contains("nodes: 0 new, 1 changed, 1 unchanged, 0 failed"),
        "{third}"
    );
    assert!(third.contains("files: 0 new, 1 changed"), "{third}");
    let node = read(&client, "/node/2?_format=json");
    assert_eq!(node["title"][0]["value"], "Another map");
    assert_eq!(node["field_extent"], json!([]));
}

fn node_of(site: &StandIn, nid: i64) -> Value {
    let (_, body) = fetch(site, &format!("/node/{nid}"));
    serde_json::from_str(&body).expect("JSON")
}

fn fetch(site: &StandIn, path: &str) -> (u16, String) {
    use std::io::Write;
    let mut stream = std::net::TcpStream::connect(site.address).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\n\r\n").expect("sent");
    crate::program::read_answer(stream)
}

#[test]
fn what_was_changed_here_stays() {
    let site = site();
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    said(import(disk.path(), &site.url(), &[]));
    let body = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Mine"}]});
    let headers = "Content-Type: application/json\r\n";
    assert_eq!(
        client
            .send("PATCH", "/node/2?_format=json", headers, &body.to_string())
            .0,
        200
    );
    let unchanged = said(import(disk.path(), &site.url(), &[]));
    assert!(unchanged.contains("0 changed, 2 unchanged"), "{unchanged}");
    let mut node = node_of(&site, 2);
    node["title"] = json!([{"value": "Theirs"}]);
    node["field_weight"] = json!([{"value": 4}]);
    site.has("/node/2", &node);
    for _ in 0..2 {
        let text = said(import(disk.path(), &site.url(), &[]));
        assert!(
            text.contains("title: It was changed there and here"),
            "{text}"
        );
        let node = read(&client, "/node/2?_format=json");
        assert_eq!(node["title"][0]["value"], "Mine");
        assert_eq!(node["field_weight"][0]["value"], 4);
    }
}

#[test]
fn a_collection_comes_with_its_members() {
    let site = site();
    let stranger = recorded(
        "C48b",
        json!({
            "nid": [{"value": 3}], "uuid": [{"value": uuid("three")}], "field_member_of": [],
            "field_model": [reference("taxonomy_term", "term:islandora_models:Image")],
        }),
    );
    site.has("/node/3", &stranger);
    let disk = tempfile::tempdir().unwrap();
    let client = Client::start(disk.path());
    let stopped = client.stop();
    let text = said(import(disk.path(), &site.url(), &["--collection", "1"]));
    assert!(
        text.contains("nodes: 2 new, 0 changed, 0 unchanged, 0 failed"),
        "{text}"
    );
    let client = stopped.start_again(disk.path());
    assert_eq!(client.get("/node/3?_format=json").0, 404);
    assert_eq!(
        read(&client, "/node/2?_format=json")["title"][0]["value"],
        "A map"
    );
}

#[test]
fn a_killed_import_continues() {
    let site = site();
    for number in 3..40 {
        let node = recorded(
            "C48b",
            json!({
                "nid": [{"value": number}], "uuid": [{"value": uuid(&format!("node {number}"))}], "field_member_of": [],
                "field_model": [reference("taxonomy_term", "term:islandora_models:Image")],
            }),
        );
        site.on(
            &format!("/node/{number}"),
            Reply::Slow(std::time::Duration::from_millis(30), node),
        );
    }
    let disk = tempfile::tempdir().unwrap();
    let stopped = Client::start(disk.path()).stop();
    let mut child = importing(disk.path(), &site.url(), &[])
        .spawn()
        .expect("it starts");
    while !site
        .requests()
        .iter()
        .any(|request| request.starts_with("/node/20?"))
    {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let text = said(import(disk.path(), &site.url(), &[]));
    let counts = text
        .lines()
        .find(|line| line.contains("nodes:"))
        .expect("counts");
    let number = |word: &str| -> i64 {
        let before = counts.split(word).next().expect("a part").trim();
        before
            .rsplit(' ')
            .next()
            .expect("a number")
            .parse()
            .expect("a number")
    };
    assert_eq!(number(" new") + number(" unchanged"), 39, "{text}");
    assert!(number(" unchanged") >= 15 && number(" new") >= 15, "{text}");
    let client = stopped.start_again(disk.path());
    assert_eq!(read(&client, "/api/v1/items")["total"], 39);
}

#[test]
fn a_wrong_password_ends_an_import_at_once() {
    let site = site();
    site.on(
        "/jwt/token",
        Reply::With(403, "", b"{\"message\":\"\"}".to_vec()),
    );
    let disk = tempfile::tempdir().unwrap();
    let output = import(disk.path(), &site.url(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("refuses the user name or the password"),
        "{text}"
    );
    assert_eq!(site.requests().len(), 1);
    let nowhere = importing(disk.path(), "ftp://a.example", &[])
        .output()
        .expect("it starts");
    assert_eq!(nowhere.status.code(), Some(1));
    let mut unsaid = importing(disk.path(), &site.url(), &[]);
    unsaid.env_remove("ISOLARIO_SITE_PASSWORD");
    let words = complained(&unsaid.output().expect("it starts"), 1);
    assert!(words.contains("--password-file"), "{words}");
}

//! Imports from another program of the same kind.

use serde_json::json;

use super::{importing, read};
use crate::client::Client;
use crate::program::said;

#[test]
fn one_program_imports_from_another() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let source = Client::start_apart(from.path());
    let place = source.place();
    assert_eq!(
        source.put(&place, "fedora://deep/a.txt", "the bytes").0,
        201
    );
    let nid = source.object();
    let here = Client::start(to.path());
    let url = format!("http://{}", source.serving.address);
    let password = source.serving.password().expect("a password").to_owned();
    let import = || {
        let mut command = importing(to.path(), &url, &[]);
        command.env("ISOLARIO_SITE_PASSWORD", &password);
        said(command.output().expect("it starts"))
    };
    let text = import();
    assert!(text.contains("nodes: 2 new"), "{text}");
    assert!(text.contains("files: 1 new"), "{text}");
    let fields = ["uuid", "title", "created", "status", "langcode"];
    for path in [
        "/node/1?_format=json",
        "/node/2?_format=json",
        "/media/1?_format=json",
    ] {
        let (there, here) = (read(&source, path), read(&here, path));
        for field in fields {
            assert_eq!(there[field], here[field], "{path} {field}");
        }
    }
    let path = "/entity/file/1?_format=json";
    let (there, copy) = (read(&source, path), read(&here, path));
    for field in ["uuid", "filename", "filemime", "filesize"] {
        assert_eq!(there[field], copy[field], "{field}");
    }
    assert_eq!(copy["uri"][0]["value"], "fedora://deep/a.txt");
    let bytes = copy["uri"][0]["url"].as_str().expect("a path");
    assert_eq!(here.get(bytes), (200, "the bytes".to_owned()));

    let body = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "New"}]});
    let headers = "Content-Type: application/json\r\n";
    let node = format!("/node/{nid}?_format=json");
    assert_eq!(
        source.send("PATCH", &node, headers, &body.to_string()).0,
        200
    );
    assert_eq!(
        source.put(&place, "fedora://deep/a.txt", "other bytes").0,
        204
    );
    let again = import();
    assert!(
        again.contains("nodes: 0 new, 1 changed, 1 unchanged"),
        "{again}"
    );
    assert!(
        again.contains("files: 0 new, 1 changed, 0 unchanged"),
        "{again}"
    );
    assert_eq!(here.get(bytes), (200, "other bytes".to_owned()));
    assert!(import().contains("nodes: 0 new, 0 changed, 2 unchanged"));
    a_collection_comes_alone(&source, &url, &password);
}

fn a_collection_comes_alone(source: &Client, url: &str, password: &str) {
    let headers = "Content-Type: application/json\r\n";
    let collection = source.object();
    let body = json!({
        "type": [{"target_id": "islandora_object"}], "field_member_of": [{"target_id": collection}],
        "path": [{"alias": "/a-text"}],
    });
    let node = "/node/1?_format=json";
    assert_eq!(
        source.send("PATCH", node, headers, &body.to_string()).0,
        200
    );
    let disk = tempfile::tempdir().expect("a folder");
    let client = Client::start(disk.path());
    let mut command = importing(disk.path(), url, &["--collection", &collection.to_string()]);
    command.env("ISOLARIO_SITE_PASSWORD", password);
    let text = said(command.output().expect("it starts"));
    assert!(
        text.contains("nodes: 2 new, 0 changed, 0 unchanged, 0 failed"),
        "{text}"
    );
    assert!(
        text.contains("media: 1 new, 0 changed, 0 unchanged, 0 failed"),
        "{text}"
    );
    let member = read(&client, "/a-text?_format=json");
    assert_eq!(member["uuid"], read(source, node)["uuid"]);
    assert_eq!(member["field_member_of"][0]["target_id"], 1);
}

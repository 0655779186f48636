//! A repository with a bit of everything in it, and everything that can be asked of it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::{run, run_with_password, said};

const JSON: &str = "Content-Type: application/json\r\n";
/// Addresses that people gave, and what is said of one.
pub const ADDRESSES: [&str; 3] = ["/atlas?_format=json", "/old/atlas", "/entity/redirect/1"];
/// More than any repository of these tests has of a kind.
const MOST: i64 = 40;

/// Fills a repository: a collection with members, files on both schemes, one replaced, things
/// deleted, an account and a role.
pub fn fill(client: &Client, data: &Path) {
    let named = r#"{"name":"Sea charts"}"#;
    let kind = "Content-Type: application/json\r\n";
    let (status, body) = client.send("PATCH", "/api/v1/repository", kind, named);
    assert_eq!(status, 200, "{body}");
    let collection = make_node(client, "Atlas", "Collection", None);
    let extent = json!({"field_extent": [{"value": "1 sheet"}]});
    for name in [Value::Null, json!("Sheet")] {
        let template = json!({"name": name, "type": "islandora_object", "values": extent});
        let path = format!("/api/v1/collections/{collection}/templates");
        let (status, said) = client.send("PUT", &path, JSON, &template.to_string());
        assert_eq!(status, 200, "{said}");
    }
    for number in 0..3 {
        let member = make_node(
            client,
            &format!("Sheet {number}"),
            "Digital Document",
            Some(collection),
        );
        upload(
            client,
            member,
            &format!("public://sheets/{number}.txt"),
            &format!("sheet {number}"),
        );
    }
    let kept = make_node(client, "Portolan", "Digital Document", None);
    upload(client, kept, "fedora://charts/portolan.txt", "first bytes");
    upload(
        client,
        kept,
        "fedora://charts/portolan.txt",
        "second bytes, longer",
    );
    let gone = make_node(client, "Mistake", "Digital Document", None);
    upload(client, gone, "fedora://mistake.txt", "wrong");
    delete(client, &format!("/node/{gone}?_format=json"));
    let maps = save_search(client, "Maps", "q=map&sort=title");
    let mistake = save_search(client, "Mistake", "");
    assert_eq!([maps, mistake], [1, 2]);
    delete(client, "/api/v1/saved-searches/2");
    let path = format!("/node/{collection}");
    let alias = json!({"path": [{"value": path}], "alias": [{"value": "/atlas"}]});
    let redirect = json!({"redirect_source": [{"path": "old/atlas"}], "redirect_redirect": [{"uri": "internal:/atlas"}]});
    for (path, body) in [
        ("/entity/path_alias", alias),
        ("/entity/redirect", redirect),
    ] {
        let (status, said) = client.send("POST", path, JSON, &body.to_string());
        assert_eq!(status, 201, "{said}");
    }
    said(run(
        data,
        &["role", "add", "reader", "--permission", "access content"],
    ));
    let account = [
        "user",
        "add",
        "mira",
        "--role",
        "reader",
        "--mail",
        "mira@example.org",
    ];
    said(run_with_password(data, &account, "Krähe 77"));
    let in_collection = json!({"collection_roles": [{"collection": collection, "role": "reader"}]});
    let (status, body) = client.send("PATCH", "/api/v1/users/2", JSON, &in_collection.to_string());
    assert_eq!(status, 200, "{body}");
}

/// Makes an object; returns its number.
pub fn make_node(client: &Client, title: &str, model: &str, parent: Option<i64>) -> i64 {
    let mut body = json!({
        "type": [{"target_id": "islandora_object"}],
        "title": [{"value": title}],
        "field_model": [{"target_id": client.term("islandora_models", model)}],
    });
    if let Some(parent) = parent {
        body["field_member_of"] = json!([{"target_id": parent}]);
    }
    let (status, body) = client.send("POST", "/node?_format=json", JSON, &body.to_string());
    assert_eq!(status, 201, "{body}");
    let node: Value = serde_json::from_str(&body).expect("JSON");
    node["nid"][0]["value"].as_i64().expect("a number")
}

/// Saves a search for all; returns its number.
pub fn save_search(client: &Client, name: &str, query: &str) -> i64 {
    let search = json!({"name": name, "query": query, "public": true}).to_string();
    let (status, body) = client.send("POST", "/api/v1/saved-searches", JSON, &search);
    assert_eq!(status, 201, "{body}");
    let saved: Value = serde_json::from_str(&body).expect("JSON");
    saved["id"].as_i64().expect("a number")
}

/// Uploads or replaces the original file of an object.
pub fn upload(client: &Client, node: i64, uri: &str, bytes: &str) {
    let media_use = client.term("islandora_media_use", "Original File");
    let path = format!("/node/{node}/media/file/{media_use}");
    let headers = format!("Content-Type: text/plain\r\nContent-Location: {uri}\r\n");
    let (status, body) = client.send("PUT", &path, &headers, bytes);
    assert!(status == 201 || status == 204, "{status} {body}");
}

/// Deletes something.
pub fn delete(client: &Client, path: &str) {
    let (status, body) = client.send("DELETE", path, "", "");
    assert_eq!(status, 204, "{body}");
}

/// Whatever can be asked, with its answer. Answers name the server; here all of them are one.
pub fn everything(client: &Client) -> BTreeMap<String, (u16, String)> {
    let mut answers = BTreeMap::new();
    let mut ask = |path: String| {
        let (status, body) = client.get(&path);
        let body = body.replace(&client.serving.address.to_string(), "server");
        answers.insert(path, (status, body.clone()));
        body
    };
    for id in 1..MOST {
        for kind in ["node", "media", "taxonomy/term", "user"] {
            ask(format!("/{kind}/{id}?_format=json"));
        }
        let file = ask(format!("/entity/file/{id}?_format=json"));
        let file: Value = serde_json::from_str(&file).expect("JSON");
        if let Some(url) = file["uri"][0]["url"].as_str() {
            ask(url.to_owned());
        }
        ask(format!("/api/v1/items/{id}/media"));
    }
    for address in ADDRESSES {
        ask(address.to_owned());
    }
    for list in [
        "items",
        "items?view=unfiled",
        "items?collection=1",
        "items?q=sheet",
        "counts",
        "saved-searches",
        "collections",
        "collections/1/templates",
        "repository",
        "content-model",
    ] {
        ask(format!("/api/v1/{list}"));
    }
    answers
}

/// The same answers but for what is known to differ: mail addresses.
pub fn assert_same(
    before: &BTreeMap<String, (u16, String)>,
    after: &BTreeMap<String, (u16, String)>,
) {
    for (path, answer) in before {
        assert_eq!(Some(answer), after.get(path), "{path}");
    }
}

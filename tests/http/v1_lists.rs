//! `/api/v1/terms`, `labels`, `media`, `content-model`, `session` and `items/{nid}/media|revisions`.

use std::time::{Duration, Instant};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::content_model::bundles;

fn get(server: &TestServer, path: &str) -> Value {
    server.get(path).as_admin().send().expect(200).json()
}

#[test]
fn terms_are_found_by_their_beginning_and_by_their_words() {
    let server = TestServer::shared();
    for name in ["Zanzibar maps", "Maps of Zanzibar", "Azanzibar"] {
        server.create_term("subject", name);
    }
    let list = get(server, "/api/v1/terms?vocabulary=subject,genre&q=zanz");
    let names: Vec<&str> = list["terms"]
        .as_array()
        .expect("terms")
        .iter()
        .filter_map(|term| term["name"].as_str())
        .collect();
    assert_eq!(names, ["Zanzibar maps", "Maps of Zanzibar"]);
    assert_eq!(list["total"], 2);
    assert_eq!(list["terms"][0]["vocabulary"], "subject");
    assert_eq!(list["terms"][0]["uses"], 0);
}

#[test]
fn all_terms_of_a_vocabulary_come_page_by_page() {
    let server = TestServer::shared();
    let mut seen = Vec::new();
    let mut after = String::new();
    loop {
        let page = get(
            server,
            &format!("/api/v1/terms?vocabulary=islandora_models&limit=3{after}"),
        );
        seen.extend(
            page["terms"]
                .as_array()
                .expect("terms")
                .iter()
                .map(|term| term["tid"].as_i64()),
        );
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => {
                assert_eq!(page["total"].as_u64(), Some(seen.len() as u64));
                break;
            }
        }
    }
    let mut once = seen.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), seen.len());
    assert!(seen.len() > 5);
}

#[test]
fn a_label_is_told_for_everything_one_may_see() {
    let server = TestServer::shared();
    let shown = server.create_object("Labelled");
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let path = format!("/api/v1/labels?node={shown},{hidden},99999999&user=1");
    let labels = |list: &Value| -> Vec<String> {
        let list = list["labels"].as_array().expect("labels");
        list.iter()
            .map(|label| label["label"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let admin = labels(&get(server, &path));
    assert!(
        ["Labelled", "Hidden", "admin"]
            .iter()
            .all(|label| admin.contains(&(*label).to_owned())),
        "{admin:?}"
    );
    let nobody = labels(&server.get(&path).send().expect(200).json());
    assert!(
        nobody.contains(&"Labelled".to_owned()) && !nobody.contains(&"Hidden".to_owned()),
        "{nobody:?}"
    );
}

#[test]
fn the_content_model_is_the_one_of_the_assets() {
    let model = get(TestServer::shared(), "/api/v1/content-model");
    for (kind, key) in [
        ("node", "node_types"),
        ("media", "media_types"),
        ("taxonomy_term", "vocabularies"),
    ] {
        let known = bundles(kind);
        assert_eq!(
            model[key].as_object().map(serde_json::Map::len),
            Some(known.len()),
            "{key}"
        );
        for bundle in known {
            let told = &model[key][bundle["id"].as_str().expect("an id")];
            assert_eq!(told["label"], bundle["label"]);
            for field in bundle["fields"].as_array().expect("fields") {
                let fields = told["fields"].as_array().expect("fields");
                let same = fields.iter().find(|one| one["name"] == field["name"]);
                assert_eq!(
                    same.map(|one| &one["type"]),
                    Some(&field["type"]),
                    "{} {}",
                    bundle["id"],
                    field["name"]
                );
            }
        }
    }
    assert_eq!(model["relators"]["relators:aut"], "Author");
    assert!(
        model["models"]
            .as_array()
            .is_some_and(|models| models.iter().any(|one| one["name"] == "Image"))
    );
    assert!(
        model["media_uses"]
            .as_array()
            .is_some_and(|uses| uses.iter().any(|one| one["name"] == "Original File"))
    );
}

#[test]
fn the_media_of_an_item_are_listed_with_their_files() {
    let server = TestServer::shared();
    let nid = server.create_object("With media");
    let mid = server.upload_image(nid, "public://lists/a b.png");
    let list = get(server, &format!("/api/v1/items/{nid}/media"));
    let media = &list["media"][0];
    assert_eq!(media["mid"], mid);
    assert_eq!(media["bundle"], "image");
    assert_eq!(media["uses"][0]["name"], "Original File");
    assert_eq!((&media["width"], &media["height"]), (&json!(7), &json!(5)));
    assert_eq!(media["file"]["filename"], "a b.png");
    assert_eq!(media["file"]["uri"], "public://lists/a b.png");
    assert_eq!(media["file"]["sha512"].as_str().map(str::len), Some(128));
    for (key, disposition) in [("download_url", "attachment"), ("view_url", "inline")] {
        let path = server.path_of(media["file"][key].as_str().expect("an address"));
        let answer = server.get(&path).send().expect(200);
        let told = answer.header("content-disposition").unwrap_or("inline");
        assert!(told.starts_with(disposition), "{key}: {told}");
    }
    server
        .get("/api/v1/items/99999999/media")
        .as_admin()
        .send()
        .expect(404);
}

#[test]
fn all_media_are_listed_with_their_nodes() {
    let server = TestServer::shared();
    let nid = server.create_object("Owner");
    let mid = server.upload_image(nid, "public://lists/owned.png");
    let mut path = "/api/v1/media?limit=200".to_owned();
    loop {
        let page = get(server, &path);
        let found = page["media"]
            .as_array()
            .expect("media")
            .iter()
            .find(|media| media["mid"] == mid)
            .cloned();
        if let Some(media) = found {
            assert_eq!(media["node"], json!({"nid": nid, "title": "Owner"}));
            break;
        }
        path = format!(
            "/api/v1/media?limit=200&after={}",
            page["next"].as_str().expect("a next page")
        );
    }
}

#[test]
fn media_are_found_by_the_address_of_their_file() {
    let server = TestServer::shared();
    let nid = server.create_object("Found by address");
    let mid = server.upload_image(nid, "public://lists/where.png");
    let other = server.create_object("Found elsewhere");
    let second = server.upload_image(other, "fedora://lists/elsewhere.png");
    let found = |address: &str| {
        let address = utf8_percent_encode(address, NON_ALPHANUMERIC);
        let page = get(server, &format!("/api/v1/media?address={address}"));
        let media = page["media"].as_array().expect("media").clone();
        assert_eq!(page["total"], media.len());
        media
            .iter()
            .map(|one| one["mid"].clone())
            .collect::<Vec<_>>()
    };
    for address in [
        "public://lists/where.png",
        "/sites/default/files/lists/wher%65.png",
        "http://archive.example/sites/default/files/lists/wher%65.png?download=1",
    ] {
        assert_eq!(found(address), [json!(mid)], "{address}");
    }
    assert_eq!(
        found("/_flysystem/fedora/lists/elsewhere.png"),
        [json!(second)]
    );
    for address in [
        "public://lists/none.png",
        "https://archive.example",
        "/node/1",
        "?",
        "é",
    ] {
        assert_eq!(found(address), [] as [serde_json::Value; 0], "{address}");
    }
}

#[test]
fn revisions_tell_who_and_by_which_origin() {
    let server = TestServer::shared();
    let nid = server.create_object("Revised");
    let change =
        json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Again"}]});
    server
        .patch(&format!("/node/{nid}"))
        .as_depositor()
        .json(change)
        .send()
        .expect(200);
    let list = get(server, &format!("/api/v1/items/{nid}/revisions"));
    let revisions = list["revisions"].as_array().expect("revisions");
    let current = revisions
        .iter()
        .find(|one| one["current"] == true)
        .expect("a current one");
    assert_eq!(current["user"], json!({"uid": 2, "name": "depositor"}));
    assert_eq!(current["origin"], "rest");
    assert_eq!(
        revisions
            .iter()
            .filter(|one| one["user"]["name"] == "admin")
            .count(),
        1
    );
}

#[test]
fn a_session_tells_who_one_is_and_where() {
    let server = TestServer::shared();
    let session = get(server, "/api/v1/session");
    assert_eq!(session["window"], false);
    assert_eq!(session["repository"]["base_url"], server.base());
    assert!(session["repository"]["version"].is_string());
    let depositor = server
        .get("/api/v1/session")
        .as_depositor()
        .send()
        .expect(200)
        .json();
    let permissions = depositor["user"]["permissions"]
        .as_array()
        .expect("permissions");
    assert!(permissions.contains(&json!("edit any islandora_object content")));
    assert!(permissions.contains(&json!("view media")));
}

#[test]
fn what_reads_no_list_does_not_wait_for_the_writer() {
    let server = TestServer::start();
    let database = rusqlite::Connection::open(server.directory().join("isolario.db"));
    let database = database.expect("the database");
    let nid = server.create_object("Its index rows are due");
    // As a long change would.
    database.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    for path in [
        format!("/api/v1/labels?node={nid}"),
        format!("/api/v1/items/{nid}/media"),
        "/api/v1/media".to_owned(),
        "/api/v1/session".to_owned(),
        "/api/v1/content-model".to_owned(),
        "/api/v1/saved-searches".to_owned(),
        "/api/v1/activity".to_owned(),
        "/api/v1/jobs".to_owned(),
        "/api/v1/trash".to_owned(),
        "/api/v1/users".to_owned(),
    ] {
        let start = Instant::now();
        get(&server, &path);
        let waited = start.elapsed();
        assert!(waited < Duration::from_secs(3), "{path}: {waited:?}");
    }
    database.execute_batch("ROLLBACK").expect("no lock");
    assert_eq!(get(&server, "/api/v1/items")["items"][0]["nid"], nid);
}

//! `/api/v1/search`: the index follows what happens to items and to what they show.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{TestServer, hits, png};

/// The change of a field of an item.
fn change(server: &TestServer, nid: i64, mut fields: Value) {
    fields["type"] = json!([{"target_id": "islandora_object"}]);
    let patch = server.patch(&format!("/node/{nid}?_format=json"));
    patch.as_admin().json(fields).send().expect(200);
}

fn rename(server: &TestServer, tid: i64, name: &str) {
    let body = json!({"vid": [{"target_id": "subject"}], "name": [{"value": name}]});
    let patch = server.patch(&format!("/taxonomy/term/{tid}?_format=json"));
    patch.as_admin().json(body).send().expect(200);
}

#[test]
fn an_item_is_found_as_it_is_now() {
    let server = TestServer::start();
    let nid = server.create_object("Walfang");
    assert_eq!(server.found("walfang"), [nid]);
    change(&server, nid, json!({"title": [{"value": "Heringe"}]}));
    assert_eq!(
        (server.found("walfang"), server.found("heringe")),
        (vec![], vec![nid])
    );
    let path = format!("/api/v1/items/{nid}");
    server.delete(&path).as_admin().send().expect(200);
    assert_eq!(server.found("heringe"), [0; 0]);
    let trash = format!("/api/v1/trash/node/{nid}");
    server
        .post(&format!("{trash}/restore"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(server.found("heringe"), [nid]);
    server.delete(&path).as_admin().send().expect(200);
    server.delete(&trash).as_admin().send().expect(204);
    assert_eq!(server.found("heringe"), [0; 0]);
}

#[test]
fn what_an_item_shows_of_others_follows_them() {
    let server = TestServer::start();
    let tid = server.create_term("subject", "Fischerei");
    let nid = server.create_object_with("Boot", json!({"field_subject": [{"target_id": tid}]}));
    assert_eq!(server.found("fischerei"), [nid]);
    rename(&server, tid, "Seefahrt");
    assert_eq!(
        (server.found("fischerei"), server.found("seefahrt")),
        (vec![], vec![nid])
    );
    let path = format!("/taxonomy/term/{tid}");
    server.delete(&path).as_admin().send().expect(204);
    assert_eq!(server.found("seefahrt"), [0; 0]);
    let restore = format!("/api/v1/trash/taxonomy_term/{tid}/restore");
    server.post(&restore).as_admin().send().expect(204);
    assert_eq!(server.found("seefahrt"), [nid]);
    // A media goes from one item to another.
    let mid = server.upload_image(nid, "public://segelplan.png");
    assert_eq!(server.found("file:segelplan"), [nid]);
    let other = server.create_object("Andere");
    let body =
        json!({"bundle": [{"target_id": "image"}], "field_media_of": [{"target_id": other}]});
    let patch = server.patch(&format!("/media/{mid}?_format=json"));
    patch.as_admin().json(body).send().expect(200);
    assert_eq!(server.found("file:segelplan"), [other]);
    let replaced = server.put(&format!("/media/{mid}/source")).as_admin();
    let replaced = replaced.header("Content-Disposition", "attachment; filename=\"x.png\"");
    replaced.body("image/png", png(20, 10)).send().expect(204);
    server
        .delete(&format!("/media/{mid}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(server.found("file:segelplan"), [0; 0]);
}

#[test]
fn who_may_know_of_a_collection_follows_it() {
    let server = TestServer::start();
    let model = server.term("islandora_models", "Collection");
    let fields = json!({"field_model": [{"target_id": model}]});
    let upper = server.create_object_with("Upper", fields.clone());
    let member = |nid: i64| json!({"field_member_of": [{"target_id": nid}]});
    let middle = server.create_object_with("Middle", member(upper));
    let leaf = server.create_object_with("Leaf", member(middle));
    let counted = || {
        let answer = server
            .search("leaf", "&facets=collection")
            .send()
            .expect(200)
            .json();
        assert_eq!(
            (hits(&answer), answer["current"] == true),
            (vec![leaf], true)
        );
        answer["facets"][0]["values"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(counted(), 1);
    change(&server, middle, json!({"status": [{"value": false}]}));
    assert_eq!(counted(), 0);
    change(&server, middle, json!({"status": [{"value": true}]}));
    assert_eq!(counted(), 1);
    server
        .delete(&format!("/node/{upper}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(counted(), 0);
}

#[test]
fn a_term_with_many_uses_is_worked_off() {
    let server = TestServer::start();
    let tid = server.create_term("subject", "Vorher");
    for number in 0..150 {
        let fields = json!({"field_subject": [{"target_id": tid}]});
        server.create_object_with(&format!("Use {number}"), fields);
    }
    let total = |typed: &str| {
        let answer = server
            .search(typed, "&limit=1")
            .as_admin()
            .send()
            .expect(200);
        let answer = answer.json();
        (
            answer["total"].as_i64().expect("a total"),
            answer["current"] == true,
        )
    };
    assert_eq!(total("vorher"), (150, true));
    rename(&server, tid, "Nachher");
    let began = Instant::now();
    while total("nachher") != (150, true) {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "{:?}",
            total("nachher")
        );
    }
    assert_eq!(total("vorher"), (0, true));
}

#[test]
fn an_edit_is_found_at_once() {
    let server = TestServer::start();
    let nid = server.create_object("Edit");
    server.until_searchable();
    for number in 0..25 {
        let word = format!("quern{number}");
        change(&server, nid, json!({"title": [{"value": &word}]}));
        assert_eq!(server.found(&word), [nid]);
    }
}

#[test]
fn a_new_index_is_made_on_request() {
    let server = TestServer::start();
    let nid = server.create_object("Anew");
    assert_eq!(server.found("anew"), [nid]);
    server.post("/api/v1/search/index").send().expect(401);
    server
        .post("/api/v1/search/index")
        .as_plain()
        .send()
        .expect(403);
    let status = || {
        let status = server.get("/api/v1/search/index").as_admin();
        status.send().expect(200).json()
    };
    let before = status()["rebuilds"].as_i64().expect("a number");
    server
        .post("/api/v1/search/index")
        .as_admin()
        .send()
        .expect(202);
    let (began, mut made) = (Instant::now(), vec![nid]);
    while status()["rebuilds"].as_i64() != Some(before + 1) {
        // At no time a search misses what is there.
        made.push(server.create_object("Anew"));
        assert_eq!(server.found_with("anew", "&sort=created&limit=200"), made);
        assert!(began.elapsed() < Duration::from_secs(30), "{}", status());
    }
    let now = status();
    assert_eq!(
        (&now["ready"], &now["items"], &now["problem"]),
        (&json!(true), &json!(made.len()), &Value::Null)
    );
    assert_eq!(server.found_with("anew", "&sort=created&limit=200"), made);
}

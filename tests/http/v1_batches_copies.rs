//! `/api/v1/batches`: many items are duplicated, and many pictures rotated, by one request and taken back by one.

use serde_json::{Value, json};

use crate::support::{ADMIN, Person, TestServer, outcome};

/// May make items, and change what is their own.
const MAKER: Person = Person {
    uid: 4,
    name: "maker",
    password: "a maker's password",
    permissions: &["create islandora_object content", "edit own media"],
};

fn nids(nids: &[i64]) -> Value {
    json!({ "nids": nids })
}

fn copies() -> Value {
    json!({"act": "duplicate", "title": "{title} (copy)"})
}

fn rotate(by: u16) -> Value {
    json!({"act": "rotate", "by": by})
}

/// What a batch has changed or made: kind and id.
#[track_caller]
fn changed(server: &TestServer, batch: &Value) -> Vec<(String, i64)> {
    let path = format!("/api/v1/batches/{}/items?state=changed", batch["id"]);
    let page = server.get(&path).as_admin().send().expect(200).json();
    let items = page["items"].as_array().expect("items").iter();
    let one = |item: &Value| {
        (
            item["kind"].as_str().map(str::to_owned),
            item["id"].as_i64(),
        )
    };
    items
        .map(one)
        .map(|(kind, id)| (kind.expect("a kind"), id.expect("an id")))
        .collect()
}

fn status(server: &TestServer, nid: i64) -> u16 {
    let request = server.get(&format!("/node/{nid}?_format=json")).as_admin();
    request.send().status
}

fn turned(server: &TestServer, mid: i64) -> Value {
    let list = server.get(&format!("/api/v1/media?mid={mid}")).as_admin();
    let media = list.send().expect(200).json()["media"][0].clone();
    media["adjustment"]["rotation"].clone()
}

#[test]
fn copies_have_the_description_and_no_files_and_go_with_one_undo() {
    let server = TestServer::start();
    let collection = server.create_object("Letters");
    let described = json!({
        "field_extent": [{"value": "2 pages"}],
        "field_member_of": [{"target_id": collection}],
        "status": [{"value": false}],
    });
    let one = server.create_object_with("One", described);
    server.upload_image(one, "public://copied/one.png");
    let long = server.create_object(&"x".repeat(255));
    let batch = server.run_batch(nids(&[one, long]), copies());
    assert_eq!(outcome(&batch), [Some(2), Some(0)]);
    let made: Vec<i64> = changed(&server, &batch).iter().map(|(_, id)| *id).collect();
    let copy = server.node(made[0]);
    assert_eq!(copy["title"][0]["value"], "One (copy)");
    assert_eq!(copy["field_extent"][0]["value"], "2 pages");
    assert_eq!(copy["field_member_of"][0]["target_id"], collection);
    assert_eq!(copy["status"][0]["value"], false);
    assert_ne!(copy["uuid"], server.node(one)["uuid"]);
    let media = server.get(&format!("/api/v1/items/{}/media", made[0]));
    let media = media.as_admin().send().expect(200).json();
    assert_eq!(media["media"].as_array().map(Vec::len), Some(0));
    let title = server.node(made[1])["title"][0]["value"].clone();
    let title = title.as_str().expect("a title");
    assert_eq!((title.len(), title.ends_with(" (copy)")), (255, true));

    let undone = server.undo_batch(&batch);
    assert_eq!(outcome(&undone), [Some(2), Some(0)]);
    assert_eq!(
        [made[0], made[1], one].map(|nid| status(&server, nid)),
        [404, 404, 200]
    );
    let redone = server.undo_batch(&undone);
    assert_eq!(outcome(&redone), [Some(2), Some(0)]);
    assert_eq!(
        [made[0], made[1]].map(|nid| status(&server, nid)),
        [200, 200]
    );
}

#[test]
fn nobody_copies_what_they_may_not_see_or_make() {
    let server = TestServer::start();
    server.introduce(MAKER);
    let open = server.create_object("Open");
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let batch = server.run_batch_as(MAKER, nids(&[open, hidden, 99_999]), copies());
    assert_eq!(outcome(&batch), [Some(1), Some(2)]);
    let [(_, copy)] = &changed(&server, &batch)[..] else {
        panic!("one copy: {batch}");
    };
    assert_eq!(server.node(*copy)["uid"][0]["target_id"], MAKER.uid);
    for title in [
        "copy",
        "",
        "{title}\n",
        &format!("{{title}}{}", "x".repeat(250)),
    ] {
        let body = json!({"items": nids(&[open]), "change": {"act": "duplicate", "title": title}});
        let request = server.post("/api/v1/batches").as_admin();
        request.json(body).send().expect(422);
    }
}

#[test]
fn pictures_are_rotated_and_turned_back_by_one_undo() {
    let server = TestServer::start();
    server.introduce(MAKER);
    let one = server.create_object("One");
    let mid = server.upload_image(one, "public://turned/one.png");
    let two = server.create_object("Two");
    let other = server.upload_image(two, "public://turned/two.png");
    let path = format!("/api/v1/media/{other}/picture-adjustment");
    let turn = server.put(&path).as_admin().json(json!({"rotation": 180}));
    turn.send().expect(200);
    let bare = server.create_object("Without a picture");

    let preview = server.preview_batch(ADMIN, nids(&[one, two, bare]), rotate(270));
    assert_eq!([&preview["changes"], &preview["stays"]], [2, 1]);
    let batch = server.run_batch(nids(&[one, two, bare]), rotate(270));
    assert_eq!(outcome(&batch), [Some(2), Some(0)]);
    assert_eq!([mid, other].map(|mid| turned(&server, mid)), [270, 90]);
    let media = ["media", "media"].map(str::to_owned).into_iter();
    assert_eq!(
        changed(&server, &batch),
        media.zip([mid, other]).collect::<Vec<_>>()
    );

    // Somebody turns one of them further: it stays as they left it.
    let turn = server.put(&path).as_admin().json(json!({"rotation": 0}));
    turn.send().expect(200);
    let undone = server.undo_batch(&batch);
    assert_eq!(outcome(&undone), [Some(1), Some(1)]);
    assert_eq!(
        [mid, other].map(|mid| turned(&server, mid)),
        [json!(null), json!(null)]
    );
    let redone = server.undo_batch(&undone);
    assert_eq!(outcome(&redone), [Some(1), Some(0)]);
    assert_eq!(turned(&server, mid), 270);

    let refused = server.run_batch_as(MAKER, nids(&[one]), rotate(90));
    assert_eq!(outcome(&refused), [Some(0), Some(1)], "the media of others");
    for by in [0, 45, 360] {
        let body = json!({"items": nids(&[one]), "change": rotate(by)});
        let request = server.post("/api/v1/batches").as_admin();
        request.json(body).send().expect(422);
    }
}

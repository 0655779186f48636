//! `/api/v1`: what somebody may not see does not exist for them, in no list, count, label or name.

use serde_json::{Value, json};

use crate::support::{Person, Request, TestServer, png};

/// Keeps things of their own.
const KEEPER: Person = Person {
    uid: 4,
    name: "keeper",
    password: "a keeper's password",
    permissions: &[
        "create islandora_object content",
        "edit own islandora_object content",
        "delete own islandora_object content",
        "create image media",
        "edit own image media",
    ],
};

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

fn nids(list: &Value, key: &str) -> Vec<i64> {
    let rows = list[key].as_array().expect("rows");
    rows.iter().filter_map(|row| row["nid"].as_i64()).collect()
}

/// A hidden collection with a shown member, on a server of its own.
fn hidden_collection(server: &TestServer) -> (i64, i64) {
    let model = server.term("islandora_models", "Collection");
    let collection = server.create_object_with(
        "Hidden box",
        json!({"field_model": [{"target_id": model}], "status": [{"value": false}]}),
    );
    let shown = server.create_object_with(
        "Shown map",
        json!({"field_member_of": [{"target_id": collection}]}),
    );
    (collection, shown)
}

#[test]
fn a_member_of_a_hidden_collection_is_unfiled_for_others() {
    let server = TestServer::start();
    let (collection, shown) = hidden_collection(&server);
    let path = "/api/v1/items?view=unfiled";
    assert_eq!(nids(&get(server.get(path).as_admin()), "items"), [0_i64; 0]);
    let others = get(server.get(path).as_plain());
    assert_eq!(nids(&others, "items"), [shown]);
    assert_eq!(others["total"], 1);
    assert_eq!(get(server.get("/api/v1/counts").as_plain())["unfiled"], 1);
    let one = format!("/api/v1/items/{shown}");
    assert_eq!(
        get(server.get(&one).as_admin())["ancestors"][0]["nid"],
        collection
    );
    assert_eq!(get(server.get(&one))["ancestors"], json!([]));
}

#[test]
fn hidden_things_are_not_there() {
    let server = TestServer::start();
    let (collection, _) = hidden_collection(&server);
    for path in [
        format!("/api/v1/items/{collection}"),
        format!("/api/v1/items/{collection}/media"),
        format!("/api/v1/items/{collection}/revisions"),
        format!("/api/v1/items?collection={collection}"),
        format!("/api/v1/collections?parent={collection}"),
    ] {
        server.get(&path).as_plain().send().expect(404);
        server.get(&path).send().expect(404);
        server.get(&path).as_admin().send().expect(200);
    }
    let root = get(server.get("/api/v1/collections").as_plain());
    assert_eq!(
        (&root["collections"], &root["total"]),
        (&json!([]), &json!(0))
    );
    let found = get(server.get("/api/v1/items?q=hidden").as_plain());
    assert_eq!((&found["items"], &found["total"]), (&json!([]), &json!(0)));
}

#[test]
fn what_hangs_on_a_hidden_item_is_hidden_with_it() {
    let server = TestServer::start();
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let mid = server.upload_image(nid, "public://policy/hidden.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    for path in [
        "/api/v1/media".to_owned(),
        format!("/api/v1/media?mid={mid}"),
        "/api/v1/media?address=/sites/default/files/policy/hidden.png".to_owned(),
    ] {
        let nothing = json!({"media": [], "next": null, "total": 0, "total_is_exact": true});
        assert_eq!(get(server.get(&path)), nothing, "{path}");
        assert_eq!(get(server.get(&path).as_plain()), nothing, "{path}");
        assert_eq!(get(server.get(&path).as_admin())["media"][0]["mid"], mid);
    }
    for format in ["json", "jsonld"] {
        let path = format!("/media/{mid}?_format={format}");
        server.get(&path).send().expect(401);
        server.get(&path).as_plain().send().expect(403);
        server.get(&path).as_admin().send().expect(200);
    }
    let path = format!("/api/v1/labels?file={fid}&node={nid}&media={mid}");
    let labels = |request: Request| get(request)["labels"].as_array().map(Vec::len);
    assert_eq!(labels(server.get(&path)), Some(0));
    assert_eq!(labels(server.get(&path).as_plain()), Some(0));
    assert_eq!(labels(server.get(&path).as_admin()), Some(3));
    let told = get(server.get("/api/v1/activity?kind=media").as_plain());
    assert_eq!(told["changes"], json!([]));
    let image = |request: Request| get(request)["terms"][0]["uses"].clone();
    for (vocabulary, name) in [
        ("islandora_models", "Image"),
        ("islandora_media_use", "Original%20File"),
    ] {
        let path = format!("/api/v1/terms?vocabulary={vocabulary}&q={name}");
        assert_eq!(image(server.get(&path).as_admin()), 1);
        assert_eq!(image(server.get(&path).as_plain()), 0);
    }
}

#[test]
fn deleting_a_hidden_item_shows_nothing_of_it() {
    let server = TestServer::start();
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let mid = server.upload_image(nid, "public://policy/orphan.png");
    let shown = server.create_object("Shown");
    let other = server.upload_image(shown, "public://policy/other.png");
    for nid in [nid, shown] {
        let path = format!("/node/{nid}");
        server.delete(&path).as_admin().send().expect(204);
    }
    let list = get(server.get("/api/v1/media"));
    assert_eq!(
        (&list["media"][0]["mid"], &list["total"]),
        (&json!(other), &json!(1))
    );
    server
        .get(&format!("/media/{mid}"))
        .as_plain()
        .send()
        .expect(403);
    let bytes = "/sites/default/files/policy/orphan.png";
    server.get(bytes).as_plain().send().expect(404);
    server.get(bytes).as_admin().send().expect(200);
    server
        .get("/sites/default/files/policy/other.png")
        .send()
        .expect(200);
    // Nor does removing them for good.
    for path in [
        format!("/media/{mid}"),
        format!("/api/v1/trash/node/{nid}"),
        format!("/api/v1/trash/media/{mid}"),
    ] {
        server.delete(&path).as_admin().send().expect(204);
    }
    let told = |request: Request| {
        let told = get(request);
        let changes = told["changes"].as_array().expect("changes").iter();
        let mut changes = changes.filter(|change| change["kind"] == "media");
        changes.any(|change| change["entity_id"] == mid)
    };
    assert!(!told(server.get("/api/v1/activity").as_plain()));
    assert!(told(server.get("/api/v1/activity").as_admin()));
}

#[test]
fn a_hidden_original_is_none_for_others() {
    let server = TestServer::start();
    let nid = server.create_object("Shown");
    let mid = server.upload_image(nid, "public://policy/original.png");
    let change = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
    server
        .patch(&format!("/media/{mid}"))
        .as_admin()
        .json(change)
        .send()
        .expect(200);
    let path = "/api/v1/items?view=without_original";
    assert_eq!(
        nids(&get(server.get(path).as_admin()), "items"),
        Vec::<i64>::new()
    );
    assert_eq!(nids(&get(server.get(path).as_plain()), "items"), [nid]);
    let item = get(server.get(&format!("/api/v1/items/{nid}")).as_plain());
    assert_eq!(
        (&item["media_count"], &item["picture"], &item["mime"]),
        (&json!(0), &Value::Null, &Value::Null)
    );
}

#[test]
fn what_has_members_that_one_sees_is_no_item_without_an_original() {
    let server = TestServer::start();
    let nid = server.create_object("Book");
    let path = "/api/v1/items?view=without_original";
    let listed = |request: Request| nids(&get(request), "items").contains(&nid);
    assert!(listed(server.get(path).as_admin()) && listed(server.get(path).as_plain()));
    let page = |status: bool| {
        let fields =
            json!({"status": [{"value": status}], "field_member_of": [{"target_id": nid}]});
        server.create_object_with("Page", fields);
    };
    page(false);
    assert!(!listed(server.get(path).as_admin()) && listed(server.get(path).as_plain()));
    page(true);
    assert!(!listed(server.get(path).as_admin()) && !listed(server.get(path).as_plain()));
}

#[test]
fn histories_are_for_those_who_may_change_things() {
    let server = TestServer::start();
    let nid = server.create_object("Shown");
    let path = format!("/api/v1/items/{nid}/revisions");
    server.get(&path).send().expect(401);
    server.get(&path).as_plain().send().expect(403);
    let history = get(server.get(&path).as_depositor());
    assert_eq!(history["revisions"].as_array().map(Vec::len), Some(1));
    // The depositor may not look at other people's accounts.
    assert_eq!(history["revisions"][0]["user"], Value::Null);
}

#[test]
fn lists_say_what_may_be_done_with_each_thing_in_them() {
    let server = TestServer::start();
    server.introduce(KEEPER);
    let collection = json!([{"target_id": server.term("islandora_models", "Collection")}]);
    let theirs = server.create_object_with("Theirs", json!({"field_model": collection}));
    let mut own = server.object("Own");
    own["field_model"] = collection;
    let made = server
        .post("/node?_format=json")
        .signed_in(KEEPER)
        .json(own);
    let own = made.send().expect(201).created();
    for list in [
        "items?sort=nid",
        "items?q=own",
        "items?q=theirs",
        "collections",
    ] {
        let (kind, _) = list.split_once('?').unwrap_or((list, ""));
        let answer = get(server.get(&format!("/api/v1/{list}")).signed_in(KEEPER));
        let rows = answer[kind].as_array().expect("rows");
        assert!(!rows.is_empty(), "{list}");
        for row in rows {
            let may = row["nid"] == own;
            let acts = json!({"update": may, "delete": may, "share": false, "add_media": may, "add_item": true});
            assert_eq!(row["may"], acts, "{list}: {row}");
        }
    }
    for nid in [theirs, own] {
        let path = format!("/api/v1/items/{nid}");
        let acts = |request: Request| get(request)["may"].clone();
        let of_all = |may: bool| json!({"update": may, "delete": may, "share": may, "add_media": may, "add_item": may});
        assert_eq!(acts(server.get(&path).as_admin()), of_all(true));
        assert_eq!(acts(server.get(&path).as_plain()), of_all(false));
        assert_eq!(acts(server.get(&path)), of_all(false));
    }
}

#[test]
fn a_media_says_what_may_be_done_with_it() {
    let server = TestServer::start();
    server.introduce(KEEPER);
    let made = server.post("/node?_format=json").signed_in(KEEPER);
    let own = made.json(server.object("Own")).send().expect(201).created();
    let theirs = server.upload_image(own, "public://acts/theirs.png");
    let upload = server.put(&server.upload_path(own, "image", "Service File"));
    let upload = upload.header("Content-Location", "public://acts/own.png");
    let upload = upload.body("image/png", png(7, 5)).signed_in(KEEPER);
    upload.send().expect(201);
    for path in [
        "/api/v1/media".to_owned(),
        format!("/api/v1/items/{own}/media"),
    ] {
        let answer = get(server.get(&path).signed_in(KEEPER));
        for media in answer["media"].as_array().expect("two") {
            let may = media["mid"] != theirs;
            let acts = json!({"update": may, "replace": may, "adjust": false, "delete": false});
            assert_eq!(media["may"], acts, "{path}: {media}");
        }
    }
    let one = get(server
        .get(&format!("/api/v1/media?mid={theirs}"))
        .as_admin());
    assert_eq!(one["media"].as_array().map(Vec::len), Some(1));
    assert_eq!(one["media"][0]["mid"], theirs);
    assert_eq!(get(server.get("/api/v1/media?mid=99"))["media"], json!([]));
    server.get("/api/v1/media?mid=x").send().expect(400);
}

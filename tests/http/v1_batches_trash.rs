//! `/api/v1/batches`: many items are deleted, restored and purged by one request, and come back with one undo.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{ADMIN, Person, TestServer, outcome};

/// May delete what is their own, and items of others without their files.
const OWNER: Person = Person {
    uid: 4,
    name: "owner",
    password: "an owner's password",
    permissions: &[
        "create islandora_object content",
        "delete own islandora_object content",
    ],
};

/// May delete items and media, and no files.
const TIDIER: Person = Person {
    uid: 4,
    name: "tidier",
    password: "a tidier's password",
    permissions: &["delete any islandora_object content", "delete any media"],
};

fn delete(with_media: bool) -> Value {
    json!({"act": "delete", "with_media": with_media})
}

fn nids(nids: &[i64]) -> Value {
    json!({ "nids": nids })
}

/// An item with an image; its number, and that of the image's media.
fn with_image(server: &TestServer, title: &str) -> (i64, i64) {
    let nid = server.create_object(title);
    let mid = server.upload_image(nid, &format!("public://many/{nid}.png"));
    (nid, mid)
}

#[track_caller]
fn statuses<const N: usize>(server: &TestServer, paths: [String; N]) -> [u16; N] {
    paths.map(|path| {
        let request = server.get(&format!("{path}?_format=json")).as_admin();
        request.send().status
    })
}

fn trash(server: &TestServer) -> Vec<Value> {
    let page = server.get("/api/v1/trash").as_admin().send().expect(200);
    let page = page.json();
    page["entries"].as_array().expect("entries").clone()
}

/// What a batch says about its items.
#[track_caller]
fn items(server: &TestServer, person: Person, batch: &Value) -> Vec<Value> {
    let path = format!("/api/v1/batches/{}/items", batch["id"]);
    let page = server.get(&path).signed_in(person).send().expect(200);
    page.json()["items"].as_array().expect("items").clone()
}

#[test]
fn many_items_go_with_their_files_and_come_back_with_one_undo() {
    let server = TestServer::start();
    let [(first, mid), (second, _)] =
        ["Sheet 1", "Sheet 2"].map(|title| with_image(&server, title));
    let third = server.create_object("Sheet 3");
    let all = nids(&[first, second, third]);
    let found = server.preview_batch(ADMIN, all.clone(), delete(true));
    let counts = ["changes", "media", "files", "denied"].map(|name| found[name].as_u64());
    assert_eq!(counts, [3, 2, 2, 0].map(Some));
    let paths = || {
        [
            format!("/node/{first}"),
            format!("/node/{third}"),
            format!("/media/{mid}"),
        ]
    };
    assert_eq!(
        statuses(&server, paths()),
        [200; 3],
        "nothing is deleted yet"
    );

    let batch = server.run_batch(all, delete(true));
    assert_eq!(outcome(&batch), [Some(3), Some(0)]);
    assert_eq!(statuses(&server, paths()), [404; 3]);
    assert_eq!(
        trash(&server).len(),
        3,
        "files and media go with their items"
    );
    let activity = server.get("/api/v1/activity?action=delete").as_admin();
    let activity = activity.send().expect(200).json();
    let entries = activity["changes"].as_array().expect("changes");
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(
        (&entries[0]["many"]["act"], &entries[0]["many"]["changed"]),
        (&json!("delete"), &json!(3))
    );
    let deleted = &items(&server, ADMIN, &batch)[2];
    assert_eq!(
        ["title", "is_deleted", "state"].map(|name| &deleted[name]),
        [&json!("Sheet 3"), &json!(true), &json!("changed")]
    );

    let back = server.undo_batch(&batch);
    assert_eq!(outcome(&back), [Some(3), Some(0)]);
    assert_eq!(
        (statuses(&server, paths()), trash(&server)),
        ([200; 3], vec![])
    );
    let again = server.undo_batch(&back);
    assert_eq!(outcome(&again), [Some(3), Some(0)]);
    assert_eq!(statuses(&server, paths()), [404; 3], "the redo");
    let activity = server.get("/api/v1/activity").as_admin().send().expect(200);
    let activity = activity.json();
    let entries = activity["changes"].as_array().expect("changes").iter();
    let told = entries
        .take(3)
        .map(|entry| (entry["action"].clone(), entry["many"]["is_undo"].clone()));
    let wanted = [("delete", false), ("restore", true), ("delete", false)];
    assert_eq!(
        told.collect::<Vec<_>>(),
        wanted.map(|(action, is_undo)| (json!(action), json!(is_undo)))
    );
    assert_eq!(trash(&server).len(), 3);
}

#[test]
fn items_alone_leave_their_files() {
    let server = TestServer::start();
    let (nid, mid) = with_image(&server, "Sheet 1");
    let folder = server.create_object("Folder");
    for title in ["Inside 1", "Inside 2"] {
        server.create_object_with(title, json!({"field_member_of": [{"target_id": folder}]}));
    }
    let found = server.preview_batch(ADMIN, nids(&[nid, folder]), delete(false));
    assert_eq!((&found["media"], &found["members"]), (&json!(0), &json!(2)));
    let batch = server.run_batch(nids(&[nid, folder]), delete(false));
    let paths = || [format!("/node/{nid}"), format!("/media/{mid}")];
    assert_eq!(statuses(&server, paths()), [404, 200]);
    let redone = server.undo_batch(&server.undo_batch(&batch));
    assert_eq!(outcome(&redone), [Some(2), Some(0)]);
    assert_eq!(
        statuses(&server, paths()),
        [404, 200],
        "the redo leaves them, too"
    );
}

#[test]
fn what_somebody_may_not_delete_is_counted_told_and_left() {
    let server = TestServer::start();
    server.introduce(OWNER);
    let (first, second) = (
        server.create_object("First"),
        server.create_object("Second"),
    );
    let own = server.post("/node?_format=json").signed_in(OWNER);
    let own = own.json(server.object("Own")).send().expect(201);
    let own = own.json()["nid"][0]["value"].as_i64().expect("a nid");
    let all = nids(&[first, own, second, 99_999]);
    let found = server.preview_batch(OWNER, all.clone(), delete(true));
    assert_eq!(
        (&found["changes"], &found["denied"]),
        (&json!(1), &json!(3))
    );
    let batch = server.run_batch_as(OWNER, all, delete(true));
    assert_eq!(outcome(&batch), [Some(1), Some(3)]);
    let paths = [first, own, second].map(|nid| format!("/node/{nid}"));
    assert_eq!(statuses(&server, paths), [200, 404, 200]);
    let refused = &items(&server, OWNER, &batch)[0];
    assert_eq!(refused["state"], "refused");
    let words = refused["message"].as_str().expect("a reason");
    assert!(
        words.contains("delete any islandora_object content"),
        "{words}"
    );
}

#[test]
fn an_item_of_which_a_part_may_not_be_deleted_stays_whole() {
    let server = TestServer::start();
    server.introduce(TIDIER);
    let (nid, mid) = with_image(&server, "Sheet 1");
    let alone = server.create_object("Sheet 2");
    let batch = server.run_batch_as(TIDIER, nids(&[nid, alone]), delete(true));
    assert_eq!(outcome(&batch), [Some(1), Some(1)]);
    let paths = [
        format!("/node/{nid}"),
        format!("/media/{mid}"),
        format!("/node/{alone}"),
    ];
    assert_eq!(statuses(&server, paths), [200, 200, 404]);
}

#[test]
fn a_collection_goes_with_all_below_and_what_is_shared_stays_elsewhere() {
    let server = TestServer::start();
    let member_of = |title: &str, parents: &[i64]| {
        let parents: Vec<Value> = parents
            .iter()
            .map(|nid| json!({"target_id": nid}))
            .collect();
        server.create_object_with(title, json!({ "field_member_of": parents }))
    };
    let (atlases, charts) = (member_of("Atlases", &[]), member_of("Charts", &[]));
    let coasts = member_of("Coasts", &[atlases]);
    let (sheet, shared) = (
        member_of("Sheet", &[coasts]),
        member_of("Shared", &[coasts, charts]),
    );
    let all = nids(&[shared, sheet, coasts, atlases]);
    let change = json!({"act": "delete", "with_media": true, "keep_shared": true});
    let found = server.preview_batch(ADMIN, all.clone(), change.clone());
    assert_eq!(found["changes"], 4);
    assert_eq!(found["fields"], json!({"field_member_of": 1}));
    let batch = server.run_batch(all, change);
    assert_eq!(outcome(&batch), [Some(4), Some(0)]);
    let paths = || [atlases, coasts, sheet, shared].map(|nid| format!("/node/{nid}"));
    assert_eq!(statuses(&server, paths()), [404, 404, 404, 200]);
    let parents = || {
        let parents = server.node(shared)["field_member_of"].clone();
        let parents = parents.as_array().expect("parents").clone();
        let parents = parents.iter().map(|parent| parent["target_id"].as_i64());
        parents.collect::<Option<Vec<i64>>>().expect("numbers")
    };
    assert_eq!(parents(), [charts]);
    let back = server.undo_batch(&batch);
    assert_eq!(outcome(&back), [Some(4), Some(0)]);
    assert_eq!(statuses(&server, paths()), [200; 4]);
    assert_eq!(parents(), [coasts, charts]);
}

#[test]
fn entries_of_every_kind_are_restored_together_and_deleted_again() {
    let server = TestServer::start();
    let (nid, mid) = with_image(&server, "Sheet 1");
    let other = server.create_object("Sheet 2");
    let tid = server.create_term("tags", "Thrown away");
    let paths = || {
        [
            format!("/node/{nid}"),
            format!("/node/{other}"),
            format!("/media/{mid}"),
            format!("/taxonomy/term/{tid}"),
        ]
    };
    server.run_batch(nids(&[nid]), delete(true));
    for path in [format!("/node/{other}"), format!("/taxonomy/term/{tid}")] {
        server.delete(&path).as_admin().send().expect(204);
    }
    let entries: Vec<Value> = trash(&server)
        .iter()
        .map(|entry| json!({"kind": entry["kind"], "id": entry["id"]}))
        .collect();
    assert_eq!(entries.len(), 3);
    let batch = server.run_batch(json!({ "entries": entries }), json!({"act": "restore"}));
    assert_eq!(outcome(&batch), [Some(3), Some(0)]);
    assert_eq!(
        (statuses(&server, paths()), trash(&server)),
        ([200; 4], vec![])
    );
    let change =
        json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Theirs"}]});
    let request = server.patch(&format!("/node/{other}?_format=json"));
    request.as_admin().json(change).send().expect(200);
    let back = server.undo_batch(&batch);
    assert_eq!(outcome(&back), [Some(2), Some(1)], "one was changed since");
    assert_eq!(statuses(&server, paths()), [404, 200, 404, 404]);
    let unknown =
        json!({"items": {"entries": [{"kind": "user", "id": 1}]}, "change": delete(false)});
    let begun = server.post("/api/v1/batches").as_admin();
    begun.json(unknown).send().expect(422);
}

#[test]
fn the_trash_is_purged_as_far_as_somebody_may_and_nothing_comes_back() {
    let server = TestServer::start();
    server.introduce(TIDIER);
    let (nid, mid) = with_image(&server, "Sheet 1");
    let other = server.create_object("Sheet 2");
    server.run_batch(nids(&[nid, other]), delete(true));
    let (all, purge) = (json!({"trash": ""}), json!({"act": "purge"}));
    let theirs = server.run_batch_as(TIDIER, all.clone(), purge.clone());
    assert_eq!(
        outcome(&theirs),
        [Some(0), Some(2)],
        "for those who administer"
    );
    let found = server.preview_batch(ADMIN, all.clone(), purge.clone());
    assert_eq!((&found["changes"], &found["files"]), (&json!(2), &json!(1)));
    let only_terms = json!({"trash": "kind=taxonomy_term"});
    let none = server.run_batch(only_terms, purge.clone());
    assert_eq!((&none["total"], trash(&server).len()), (&json!(0), 2));

    let stored = server.stored_files();
    let batch = server.run_batch(all, purge);
    assert_eq!(outcome(&batch), [Some(2), Some(0)]);
    assert!(trash(&server).is_empty());
    // Bytes go after the commit that ends the batch.
    let began = Instant::now();
    while server.stored_files() != stored - 1 {
        assert!(began.elapsed() < Duration::from_secs(30), "bytes stay");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(statuses(&server, [format!("/media/{mid}")]), [404]);
    assert_eq!(items(&server, ADMIN, &batch)[0]["title"], Value::Null);
    let undo = format!("/api/v1/batches/{}/undo", batch["id"]);
    server.post(&undo).as_admin().send().expect(409);
}

#[test]
fn a_cancelled_deletion_says_how_far_it_came_and_is_taken_back() {
    let server = TestServer::start();
    let made = (0..450).map(|number| server.create_object(&format!("Sheet {number}")));
    let all: Vec<i64> = made.collect();
    let body = json!({"items": nids(&all), "change": delete(true)});
    let begun = server.post("/api/v1/batches").as_admin().json(body);
    let begun = begun.send().expect(202).json();
    let cancel = format!("/api/v1/batches/{}/cancel", begun["id"]);
    server.post(&cancel).as_admin().send().expect(204);
    let batch = server.batch_ended(&begun);
    let total = || {
        let list = server.get("/api/v1/items?limit=1").as_admin();
        list.send().expect(200).json()["total"].as_u64()
    };
    let changed = batch["changed"].as_u64().expect("a number");
    assert_eq!(total(), Some(450 - changed), "{batch}");
    let back = server.undo_batch(&batch);
    assert_eq!(
        (back["changed"].as_u64(), total()),
        (Some(changed), Some(450))
    );
}

//! `/api/v1/trash`: what was deleted is listed, restored, and gone only when the trash is emptied.

use serde_json::{Value, json};

use crate::support::{Person, Request, TestServer};

/// Has the permissions of an editor that matter here.
const EDITOR: Person = Person {
    uid: 4,
    name: "curator",
    password: "a curator's password",
    permissions: &[
        "edit any islandora_object content",
        "delete any islandora_object content",
        "delete terms in tags",
        "delete any file",
        "delete any media",
        "administer media",
    ],
};

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

/// Kind and id of what somebody finds in the trash.
fn entries(page: &Value) -> Vec<(String, i64)> {
    let entries = page["entries"].as_array().expect("entries").iter();
    entries
        .map(|entry| {
            let kind = entry["kind"].as_str().expect("a kind").to_owned();
            (kind, entry["id"].as_i64().expect("an id"))
        })
        .collect()
}

fn trash(server: &TestServer) -> Vec<(String, i64)> {
    entries(&get(server.get("/api/v1/trash").as_admin()))
}

#[track_caller]
fn delete(server: &TestServer, path: &str) {
    server.delete(path).as_admin().send().expect(204);
    server
        .get(&format!("{path}?_format=json"))
        .as_admin()
        .send()
        .expect(404);
}

#[track_caller]
fn restore(server: &TestServer, kind: &str, id: i64) {
    let path = format!("/api/v1/trash/{kind}/{id}/restore");
    server.post(&path).as_admin().send().expect(204);
}

#[test]
fn a_deleted_item_is_gone_and_comes_back_as_it_was() {
    let server = TestServer::start();
    let parent = server.create_object("Folder");
    let nid = server.create_object_with(
        "Sheet 7",
        json!({"field_member_of": [{"target_id": parent}]}),
    );
    let path = format!("/node/{nid}");
    let before = server.get(&path).as_admin().send().expect(200);
    delete(&server, &path);
    server
        .get(&format!("/api/v1/items/{nid}/revisions"))
        .as_admin()
        .send()
        .expect(404);
    let listed = get(server.get("/api/v1/trash").as_admin());
    let entry = &listed["entries"][0];
    assert_eq!(
        (&entry["kind"], &entry["id"], &entry["label"]),
        (&json!("node"), &json!(nid), &json!("Sheet 7"))
    );
    assert_eq!(
        (&entry["user"]["name"], &entry["origin"]),
        (&json!("admin"), &json!("rest"))
    );
    let one = get(server.get(&format!("/api/v1/trash/node/{nid}")).as_admin());
    assert_eq!(one["resource"]["title"], json!([{"value": "Sheet 7"}]));
    assert_eq!(
        get(server.get("/api/v1/items?q=sheet").as_admin())["total"],
        0
    );
    restore(&server, "node", nid);
    let after = server.get(&path).as_admin().send().expect(200);
    assert_eq!(
        (after.body, after.headers.len()),
        (before.body, before.headers.len())
    );
    assert_eq!(
        get(server.get("/api/v1/items?q=sheet").as_admin())["total"],
        1
    );
    let members = format!("/api/v1/items?collection={parent}");
    assert_eq!(get(server.get(&members).as_admin())["total"], 1);
    assert_eq!(trash(&server), []);
    server
        .post(&format!("/api/v1/trash/node/{nid}/restore"))
        .as_admin()
        .send()
        .expect(404);
}

#[test]
fn everything_that_can_be_deleted_can_be_restored() {
    let server = TestServer::start();
    let nid = server.create_object("Holder");
    let mid = server.upload_image(nid, "public://trash/a.png");
    let source = server.media(mid)["field_media_image"][0].clone();
    let (fid, url) = (
        source["target_id"].as_i64().expect("a file"),
        server.path_of(source["url"].as_str().expect("a url")),
    );
    let tid = server.create_term("tags", "Trashed");
    // The order in which Islandora Workbench deletes: the file first.
    delete(&server, &format!("/entity/file/{fid}"));
    server.get(&url).as_admin().send().expect(404);
    delete(&server, &format!("/media/{mid}"));
    delete(&server, &format!("/taxonomy/term/{tid}"));
    let mut all = trash(&server);
    all.sort();
    let expected = [("file", fid), ("media", mid), ("taxonomy_term", tid)];
    assert_eq!(all, expected.map(|(kind, id)| (kind.to_owned(), id)));
    assert_eq!(
        entries(&get(server.get("/api/v1/trash?kind=file").as_admin())).len(),
        1
    );
    for (kind, id) in [("taxonomy_term", tid), ("media", mid), ("file", fid)] {
        restore(&server, kind, id);
    }
    server
        .get(&format!("/taxonomy/term/{tid}"))
        .send()
        .expect(200);
    assert_eq!(server.media(mid)["field_media_image"][0], source);
    assert_eq!(
        server.get(&url).send().expect(200).body,
        crate::support::png(7, 5)
    );
}

#[test]
fn the_trash_is_for_those_who_may_delete_and_see() {
    let server = TestServer::start();
    server.introduce(EDITOR);
    let shown = server.create_object("Shown");
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    for nid in [shown, hidden] {
        delete(&server, &format!("/node/{nid}"));
    }
    server.get("/api/v1/trash").send().expect(401);
    server
        .post(&format!("/api/v1/trash/node/{shown}/restore"))
        .send()
        .expect(401);
    assert_eq!(entries(&get(server.get("/api/v1/trash").as_plain())), []);
    let theirs = get(server.get("/api/v1/trash").signed_in(EDITOR));
    assert_eq!(entries(&theirs), [("node".to_owned(), shown)]);
    assert_eq!(theirs["entries"][0]["may_purge"], false);
    for (nid, status) in [(hidden, 404), (shown, 403)] {
        let path = format!("/api/v1/trash/node/{nid}");
        server.delete(&path).signed_in(EDITOR).send().expect(status);
        server.delete(&path).as_plain().send().expect(404);
    }
    server
        .get(&format!("/api/v1/trash/node/{hidden}"))
        .signed_in(EDITOR)
        .send()
        .expect(404);
    server
        .post(&format!("/api/v1/trash/node/{hidden}/restore"))
        .signed_in(EDITOR)
        .send()
        .expect(404);
    server
        .post(&format!("/api/v1/trash/node/{shown}/restore"))
        .signed_in(EDITOR)
        .send()
        .expect(204);
    for path in [
        "/api/v1/trash/nope/1",
        "/api/v1/trash/user/1",
        "/api/v1/trash/node/x",
    ] {
        server.get(path).as_admin().send().expect(404);
    }
    server
        .get("/api/v1/trash?kind=user")
        .as_admin()
        .send()
        .expect(400);
}

#[test]
fn a_member_whose_parent_is_gone_comes_back_unfiled() {
    let server = TestServer::start();
    let parent = server.create_object("Folder");
    let nid =
        server.create_object_with("Sheet", json!({"field_member_of": [{"target_id": parent}]}));
    for id in [nid, parent] {
        delete(&server, &format!("/node/{id}"));
    }
    restore(&server, "node", nid);
    let unfiled = get(server.get("/api/v1/items?view=unfiled").as_admin());
    assert_eq!(unfiled["items"][0]["nid"], nid);
    assert_eq!(
        server.node(nid)["field_member_of"],
        json!([{"target_id": parent}])
    );
    restore(&server, "node", parent);
    assert_eq!(
        get(server.get("/api/v1/items?view=unfiled").as_admin())["items"][0]["nid"],
        parent
    );
}

#[test]
fn nothing_comes_back_into_a_circle() {
    let server = TestServer::start();
    let member_of = |nid: i64| json!({"type": [{"target_id": "islandora_object"}], "field_member_of": [{"target_id": nid}]});
    let top = server.create_object("Top");
    let middle =
        server.create_object_with("Middle", json!({"field_member_of": [{"target_id": top}]}));
    let below =
        server.create_object_with("Below", json!({"field_member_of": [{"target_id": middle}]}));
    delete(&server, &format!("/node/{middle}"));
    server
        .patch(&format!("/node/{top}"))
        .as_admin()
        .json(member_of(below))
        .send()
        .expect(200);
    let path = format!("/api/v1/trash/node/{middle}/restore");
    let refused = server.post(&path).as_admin().send().expect(409);
    assert!(
        refused.message().contains(&format!("Node {top}")),
        "{}",
        refused.message()
    );
    let free = json!({"type": [{"target_id": "islandora_object"}], "field_member_of": []});
    server
        .patch(&format!("/node/{top}"))
        .as_admin()
        .json(free)
        .send()
        .expect(200);
    restore(&server, "node", middle);
}

#[test]
fn emptied_is_gone_for_good_and_no_id_comes_again() {
    let server = TestServer::start();
    let nid = server.create_object("Purged words");
    let tid = server.create_term("tags", "Purged");
    let kept = server.create_object("Still in the trash");
    for path in [format!("/node/{nid}"), format!("/taxonomy/term/{tid}")] {
        delete(&server, &path);
    }
    let revision = format!("/api/v1/trash/node/{nid}");
    server.delete(&revision).as_admin().send().expect(204);
    server.get(&revision).as_admin().send().expect(404);
    server
        .post(&format!("{revision}/restore"))
        .as_admin()
        .send()
        .expect(404);
    assert_eq!(trash(&server), [("taxonomy_term".to_owned(), tid)]);
    delete(&server, &format!("/node/{kept}"));
    let emptied = server
        .delete("/api/v1/trash")
        .as_admin()
        .send()
        .expect(200)
        .json();
    assert_eq!(emptied, json!({"purged": 2, "left": 0}));
    assert_eq!(trash(&server), []);
    server
        .get(&format!("/node/{nid}"))
        .as_admin()
        .send()
        .expect(404);
    assert!(server.create_object("Next") > kept);
}

#[test]
fn pages_of_the_trash_have_no_gaps() {
    let server = TestServer::start();
    let mut made: Vec<i64> = (0..7)
        .map(|number| server.create_object(&format!("Sheet {number}")))
        .collect();
    for nid in &made {
        delete(&server, &format!("/node/{nid}"));
    }
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = get(server
            .get(&format!("/api/v1/trash?limit=3{after}"))
            .as_admin());
        seen.extend(entries(&page).into_iter().map(|(_, id)| id));
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    made.reverse();
    assert_eq!(seen, made);
}

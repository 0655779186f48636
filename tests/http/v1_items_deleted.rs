//! `DELETE /api/v1/items/{nid}`: an item goes with its media and their files, and comes back with them, as one.

use serde_json::{Value, json};

use crate::support::{Person, TestServer, png};

/// May delete everything but files.
const TIDIER: Person = Person {
    uid: 4,
    name: "tidier",
    password: "a tidier's password",
    permissions: &[
        "delete any islandora_object content",
        "delete any media",
        "view all revisions",
    ],
};

/// May delete and purge all that is shown.
const EDITOR: Person = Person {
    uid: 4,
    name: "curator",
    password: "a curator's password",
    permissions: &[
        "delete any islandora_object content",
        "delete any media",
        "delete any file",
        "administer nodes",
    ],
};

/// An item with an original file and a picture that somebody has made of it.
struct Sheet {
    nid: i64,
    mids: [i64; 2],
    fids: [i64; 2],
}

impl Sheet {
    fn made(server: &TestServer, title: &str) -> Sheet {
        let nid = server.create_object(title);
        let upload = |media_use: &str| {
            let path = server.upload_path(nid, "image", media_use);
            let place = format!("public://deleted/{nid}-{}.png", media_use.len());
            let request = server.put(&path).as_admin();
            let request = request.header("Content-Location", place);
            let request = request.body("image/png", png(7, 5));
            request.send().expect(201).created()
        };
        let mids = ["Original File", "Thumbnail Image"].map(upload);
        let fids = mids.map(|mid| file_of(server, mid));
        Sheet { nid, mids, fids }
    }

    /// Every address of it.
    fn addresses(&self) -> Vec<String> {
        let media = self.mids.map(|mid| format!("/media/{mid}"));
        let files = self.fids.map(|fid| format!("/entity/file/{fid}"));
        let mut all = vec![format!("/node/{}", self.nid)];
        all.extend(media.into_iter().chain(files));
        all
    }

    #[track_caller]
    fn delete(&self, server: &TestServer) -> Value {
        let path = format!("/api/v1/items/{}", self.nid);
        server.delete(&path).as_admin().send().expect(200).json()
    }

    fn trashed(&self) -> String {
        format!("/api/v1/trash/node/{}", self.nid)
    }
}

fn file_of(server: &TestServer, mid: i64) -> i64 {
    let source = &server.media(mid)["field_media_image"][0];
    source["target_id"].as_i64().expect("a file")
}

/// The answers at some addresses, as the administrator sees them.
#[track_caller]
fn at(server: &TestServer, addresses: &[String], status: u16) -> Vec<Value> {
    let ask = |path: &String| {
        let answer = server.get(&format!("{path}?_format=json")).as_admin();
        answer.send().expect(status).json()
    };
    addresses.iter().map(ask).collect()
}

fn trash(server: &TestServer, query: &str) -> Vec<Value> {
    let page = server.get(&format!("/api/v1/trash{query}")).as_admin();
    let page = page.send().expect(200).json();
    page["entries"].as_array().expect("entries").clone()
}

#[test]
fn an_item_goes_and_comes_back_with_its_media_and_files() {
    let server = TestServer::start();
    let sheet = Sheet::made(&server, "Sheet 7");
    let before = at(&server, &sheet.addresses(), 200);
    let url = server.path_of(before[3]["uri"][0]["url"].as_str().expect("a url"));
    assert_eq!(sheet.delete(&server), json!({"media": 2, "files": 2}));
    at(&server, &sheet.addresses(), 404);
    server.get(&url).as_admin().send().expect(404);

    let listed = trash(&server, "");
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(
        ["kind", "id", "media", "files"].map(|key| &listed[0][key]),
        [&json!("node"), &json!(sheet.nid), &json!(2), &json!(2)]
    );
    let files = trash(&server, "?kind=file");
    assert_eq!(files.len(), 2);
    assert_eq!(files[0]["item"], sheet.nid);

    let path = format!("{}/restore", sheet.trashed());
    server.post(&path).as_admin().send().expect(204);
    assert_eq!(at(&server, &sheet.addresses(), 200), before);
    assert_eq!(
        server.get(&url).as_admin().send().expect(200).body,
        png(7, 5)
    );
    assert!(trash(&server, "").is_empty());
    assert_eq!(sheet.delete(&server), json!({"media": 2, "files": 2}));
}

#[test]
fn a_file_that_another_media_uses_stays() {
    let server = TestServer::start();
    let (sheet, other) = (
        Sheet::made(&server, "Sheet 1"),
        Sheet::made(&server, "Sheet 2"),
    );
    let source = json!({"bundle": [{"target_id": "image"}], "field_media_image": [{"target_id": sheet.fids[1]}]});
    let borrower = format!("/media/{}", other.mids[1]);
    server
        .patch(&borrower)
        .as_admin()
        .json(source)
        .send()
        .expect(200);

    assert_eq!(sheet.delete(&server), json!({"media": 2, "files": 1}));
    let stay = [borrower, format!("/entity/file/{}", sheet.fids[1])];
    at(&server, &stay, 200);
    let needless = json!({"media": 2, "files": 2});
    assert_eq!(other.delete(&server), needless, "nobody else needs it now");
    for sheet in [&sheet, &other] {
        let path = format!("{}/restore", sheet.trashed());
        server.post(&path).as_admin().send().expect(204);
    }
    at(&server, &sheet.addresses(), 200);
    at(&server, &other.addresses(), 200);
}

#[test]
fn all_of_it_or_nothing() {
    let server = TestServer::start();
    server.introduce(TIDIER);
    let sheet = Sheet::made(&server, "Sheet 7");
    let path = format!("/api/v1/items/{}", sheet.nid);
    let refused = server.delete(&path).signed_in(TIDIER).send().expect(403);
    assert!(
        refused.message().contains("delete any file"),
        "{}",
        refused.message()
    );
    at(&server, &sheet.addresses(), 200);
    sheet.delete(&server);
    let path = format!("{}/restore", sheet.trashed());
    server.post(&path).signed_in(TIDIER).send().expect(403);
    at(&server, &sheet.addresses(), 404);
    server.delete(&path).as_admin().send().expect(405);
    for nobody in ["/api/v1/items/x", "/api/v1/items/0", "/api/v1/items/999999"] {
        server.delete(nobody).as_admin().send().expect(404);
    }
}

#[test]
fn what_cannot_be_seen_stays_where_it_is() {
    let server = TestServer::start();
    server.introduce(EDITOR);
    let sheet = Sheet::made(&server, "Sheet 7");
    let hide = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
    let hidden = [
        format!("/media/{}", sheet.mids[1]),
        format!("/entity/file/{}", sheet.fids[1]),
    ];
    let request = server.patch(&hidden[0]).as_admin();
    request.json(hide).send().expect(200);
    let path = format!("/api/v1/items/{}", sheet.nid);
    let deleted = server.delete(&path).signed_in(EDITOR).send().expect(200);
    assert_eq!(deleted.json(), json!({"media": 1, "files": 1}));
    at(&server, &hidden, 200);
    let path = format!("{}/restore", sheet.trashed());
    server.post(&path).signed_in(EDITOR).send().expect(204);
    sheet.delete(&server);
    server.post(&path).signed_in(EDITOR).send().expect(204);
    at(&server, &hidden, 404);
    let kinds: Vec<_> = trash(&server, "")
        .iter()
        .map(|one| one["kind"].clone())
        .collect();
    assert_eq!(kinds, [json!("file"), json!("media")]);
}

#[test]
fn parts_may_come_back_alone_and_go_for_good_with_their_item() {
    let server = TestServer::start();
    server.introduce(EDITOR);
    let sheet = Sheet::made(&server, "Sheet 7");
    sheet.delete(&server);
    let media = format!("/api/v1/trash/media/{}/restore", sheet.mids[0]);
    server.post(&media).as_admin().send().expect(204);
    assert_eq!(trash(&server, "")[0]["media"], 1);
    let path = sheet.trashed();
    server.delete(&path).signed_in(EDITOR).send().expect(403);
    server.delete(&path).as_admin().send().expect(204);
    assert!(trash(&server, "").is_empty());
    at(&server, &[format!("/media/{}", sheet.mids[0])], 200);
    let gone = format!("/api/v1/trash/media/{}", sheet.mids[1]);
    server.get(&gone).as_admin().send().expect(404);
}

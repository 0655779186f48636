//! `/api/v1/media/{mid}/picture-adjustment`: how what is made of an original picture is cropped and rotated. Nothing is
//! made here (tests/cli/derivatives/adjusted.rs has what is).

use serde_json::{Value, json};

use crate::support::{PLAIN, Response, TestServer, png};

/// A media whose original has 7 × 5 pixels, and its item.
fn picture(server: &TestServer, name: &str) -> (i64, i64) {
    let nid = server.create_object(name);
    (
        nid,
        server.upload_image(nid, &format!("public://adjusted/{name}.png")),
    )
}

fn path(mid: i64) -> String {
    format!("/api/v1/media/{mid}/picture-adjustment")
}

fn adjust(server: &TestServer, mid: i64, adjustment: Value) -> Response {
    server.put(&path(mid)).as_admin().json(adjustment).send()
}

/// A media as lists show it.
#[track_caller]
fn listed(server: &TestServer, mid: i64) -> Value {
    let list = server.get(&format!("/api/v1/media?mid={mid}")).as_admin();
    list.send().expect(200).json()["media"][0].clone()
}

fn kept(server: &TestServer, mid: i64) -> Value {
    listed(server, mid)["adjustment"].clone()
}

/// The ids of the jobs of an item by kind.
fn jobs(server: &TestServer, nid: i64) -> Vec<(String, i64)> {
    let answer = server.get(&format!("/api/v1/items/{nid}/jobs")).as_admin();
    let answer = answer.send().expect(200).json();
    let jobs = answer["jobs"].as_array().expect("a list").iter();
    let named = |job: &Value| {
        let kind = job["kind"].as_str().expect("a kind").to_owned();
        (kind, job["id"].as_i64().expect("an id"))
    };
    let mut jobs: Vec<_> = jobs.map(named).collect();
    jobs.sort();
    jobs
}

fn crop(x: u32, y: u32, width: u32, height: u32) -> Value {
    json!({"x": x, "y": y, "width": width, "height": height})
}

#[test]
fn an_adjustment_is_kept_and_its_derivatives_are_asked_for_anew() {
    let server = TestServer::shared();
    let (nid, mid) = picture(server, "sideways");
    let before = jobs(server, nid);
    let wanted = json!({"rotation": 90, "crop": crop(1, 1, 5, 3)});
    let answer = adjust(server, mid, wanted.clone()).expect(200).json();
    assert_eq!(answer["adjustment"], wanted);
    assert_eq!(listed(server, mid), answer);
    let path = format!("/api/v1/items/{nid}/media");
    let media = server.get(&path).as_admin().send().expect(200).json();
    assert_eq!(media["media"][0], answer);
    let after = jobs(server, nid);
    for ((kind, former), (other, id)) in before.iter().zip(&after) {
        assert_eq!(kind, other);
        assert_eq!(former == id, kind == "facts", "{kind}: facts stay");
    }
    let again = adjust(server, mid, wanted).expect(200).json();
    assert_eq!(again["vid"], answer["vid"], "nothing has changed");
    assert_eq!(jobs(server, nid), after);
    let gone = server.delete(&self::path(mid)).as_admin().send();
    assert_eq!(gone.expect(200).json()["adjustment"], Value::Null);
}

#[test]
fn no_client_meets_it_as_a_field() {
    let server = TestServer::shared();
    let (_, mid) = picture(server, "field");
    let names = |media: &Value| -> Vec<String> {
        media.as_object().expect("fields").keys().cloned().collect()
    };
    let before = server.media(mid);
    adjust(server, mid, json!({"rotation": 180})).expect(200);
    let after = server.media(mid);
    assert_eq!(names(&before), names(&after));
    assert_eq!(before["field_media_image"], after["field_media_image"]);
    let renamed = json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Other"}]});
    let change = server.patch(&format!("/media/{mid}")).as_admin();
    change.json(renamed).send().expect(200);
    assert_eq!(
        kept(server, mid)["rotation"],
        180,
        "it is none of the names"
    );
}

#[test]
fn the_history_says_what_was_done() {
    let server = TestServer::shared();
    let (_, mid) = picture(server, "history");
    adjust(server, mid, json!({"rotation": 270})).expect(200);
    adjust(server, mid, json!({"crop": crop(0, 0, 3, 2)})).expect(200);
    adjust(
        server,
        mid,
        json!({"rotation": 90, "crop": crop(1, 2, 3, 2)}),
    )
    .expect(200);
    adjust(server, mid, json!({})).expect(200);
    let path = format!("/api/v1/media/{mid}/revisions");
    let list = server.get(&path).as_admin().send().expect(200).json();
    let logs = list["revisions"].as_array().expect("a list").iter();
    let logs: Vec<_> = logs.filter_map(|one| one["log"].as_str()).collect();
    let expected = [
        "Picture as in the original",
        "Picture cropped to 3 × 2 at 1, 2, rotated by 90°",
        "Picture cropped to 3 × 2 at 0, 0",
        "Picture rotated by 270°",
    ];
    assert_eq!(logs, expected);
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let server = TestServer::shared();
    let (nid, mid) = picture(server, "refused");
    for beyond in [
        crop(0, 0, 8, 5),
        crop(3, 0, 5, 5),
        crop(0, 0, 0, 5),
        crop(9, 9, 1, 1),
    ] {
        let refused = adjust(server, mid, json!({"crop": beyond})).expect(422);
        assert!(
            refused.message().contains("7 × 5 pixels"),
            "{}",
            refused.message()
        );
    }
    for rotation in [1, 45, 360] {
        let refused = adjust(server, mid, json!({"rotation": rotation})).expect(422);
        assert_eq!(refused.json()["violations"][0]["field"], "rotation");
    }
    for senseless in [
        json!({"rotation": -90}),
        json!({"rotation": "90"}),
        json!({"crop": [0, 0, 1, 1]}),
        json!({"crop": {"x": 0, "y": 0, "width": 1}}),
        json!({"turn": 1}),
    ] {
        adjust(server, mid, senseless).expect(422);
    }
    server
        .put(&path(mid))
        .as_admin()
        .body("application/json", "nonsense")
        .send()
        .expect(400);
    server
        .put(&path(mid))
        .as_admin()
        .body("text/plain", "90")
        .send()
        .expect(415);
    assert_eq!(kept(server, mid), Value::Null);
    let text = server.put(&server.upload_path(nid, "file", "Intermediate File"));
    let text = text
        .as_admin()
        .header("Content-Location", "public://adjusted/a.txt");
    let text = text
        .body("text/plain", "no picture")
        .send()
        .expect(201)
        .created();
    adjust(server, text, json!({"rotation": 90})).expect(422);
    assert_eq!(listed(server, text)["may"]["adjust"], false);
    assert_eq!(listed(server, mid)["may"]["adjust"], true);
    adjust(server, 999_999, json!({"rotation": 90})).expect(404);
}

#[test]
fn a_crop_waits_until_somebody_knows_how_large_the_picture_is() {
    let server = TestServer::shared();
    let nid = server.create_object("Unmeasured");
    // Media of this type are not measured when they come.
    let sent = server.put(&server.upload_path(nid, "file", "Original File"));
    let sent = sent
        .as_admin()
        .header("Content-Location", "public://adjusted/a.tif");
    let mid = sent
        .body("image/tiff", png(7, 5))
        .send()
        .expect(201)
        .created();
    adjust(server, mid, json!({"crop": crop(0, 0, 1, 1)})).expect(409);
    adjust(server, mid, json!({"rotation": 90})).expect(200);
}

#[test]
fn a_lost_update_is_refused() {
    let server = TestServer::shared();
    let (_, mid) = picture(server, "race");
    let read = server.get(&format!("/media/{mid}?_format=json")).as_admin();
    let read = read.send().expect(200);
    adjust(server, mid, json!({"rotation": 90})).expect(200);
    let late = server
        .put(&path(mid))
        .as_admin()
        .header("If-Match", read.etag());
    late.json(json!({"rotation": 180})).send().expect(412);
    let late = server.delete(&path(mid)).as_admin();
    late.header("If-Match", read.etag()).send().expect(412);
    assert_eq!(kept(server, mid)["rotation"], 90);
}

#[test]
fn other_bytes_have_no_adjustment_until_the_former_ones_come_back() {
    let server = TestServer::shared();
    let (_, mid) = picture(server, "replaced");
    let adjusted = adjust(
        server,
        mid,
        json!({"rotation": 90, "crop": crop(1, 1, 2, 2)}),
    );
    let vid = adjusted.expect(200).json()["vid"].clone();
    let source = server.put(&format!("/media/{mid}/source")).as_admin();
    source.body("image/png", png(20, 10)).send().expect(204);
    assert_eq!(kept(server, mid), Value::Null);
    adjust(server, mid, json!({"crop": crop(10, 5, 10, 5)})).expect(200);
    let revert = format!("/api/v1/media/{mid}/revisions/{vid}/revert");
    let fields = json!({"fields": ["field_media_image"]});
    server
        .post(&revert)
        .as_admin()
        .json(fields)
        .send()
        .expect(200);
    assert_eq!(
        kept(server, mid),
        json!({"rotation": 90, "crop": crop(1, 1, 2, 2)})
    );
    let name = json!({"fields": ["name"]});
    server.delete(&path(mid)).as_admin().send().expect(200);
    server
        .post(&revert)
        .as_admin()
        .json(name)
        .send()
        .expect(200);
    assert_eq!(
        kept(server, mid),
        Value::Null,
        "a name brings no picture back"
    );
}

#[test]
fn who_does_not_see_a_media_learns_nothing_of_its_crop() {
    let server = TestServer::shared();
    let (_, mid) = picture(server, "hidden");
    let fid = listed(server, mid)["file"]["fid"].clone();
    let (_, shown) = picture(server, "shown");
    let other = listed(server, shown)["file"]["fid"].clone();
    let hide = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
    let change = server.patch(&format!("/media/{mid}")).as_admin();
    change.json(hide).send().expect(200);
    adjust(server, mid, json!({"rotation": 90})).expect(200);
    let tiles =
        |fid: &Value, mid: i64| server.get(&format!("/api/v1/files/{fid}/tiles?media={mid}"));
    tiles(&fid, mid).signed_in(PLAIN).send().expect(404);
    tiles(&other, mid).signed_in(PLAIN).send().expect(404);
    tiles(&other, 999_999).signed_in(PLAIN).send().expect(404);
    tiles(&other, shown).signed_in(PLAIN).send().expect(200);
    server
        .put(&path(mid))
        .signed_in(PLAIN)
        .json(json!({}))
        .send()
        .expect(404);
    server
        .put(&path(shown))
        .signed_in(PLAIN)
        .json(json!({}))
        .send()
        .expect(403);
}

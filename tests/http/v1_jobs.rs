//! `/api/v1/jobs`: what is to be made of originals, who may know of it, and whose turn it is. No process is started
//! here: what waits goes on waiting.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, merge, png};

#[track_caller]
fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

#[track_caller]
fn of_item(server: &TestServer, nid: i64) -> Value {
    get(server.get(&format!("/api/v1/items/{nid}/jobs")).as_admin())
}

/// State and version of the jobs of an item, by kind.
#[track_caller]
fn jobs(server: &TestServer, nid: i64) -> Vec<(String, String, i64)> {
    let answer = of_item(server, nid);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let jobs = answer["jobs"].as_array().expect("a list").iter();
    let mut jobs: Vec<_> = jobs
        .map(|job| {
            (
                text(&job["kind"]),
                text(&job["state"]),
                job["version"].as_i64().expect("a number"),
            )
        })
        .filter(|(kind, _, _)| ["thumbnail", "service"].contains(&kind.as_str()))
        .collect();
    jobs.sort();
    jobs
}

fn waiting(version: i64) -> Vec<(String, String, i64)> {
    ["service", "thumbnail"]
        .map(|kind| (kind.to_owned(), "waiting".to_owned(), version))
        .to_vec()
}

#[test]
fn an_upload_asks_for_what_follows_and_its_end_takes_that_back() {
    let server = TestServer::shared();
    let nid = server.create_object("Followed");
    assert!(jobs(server, nid).is_empty());
    let mid = server.upload_image(nid, "public://jobs/followed.png");
    assert_eq!(jobs(server, nid), waiting(1));
    server
        .put(&format!("/media/{mid}/source"))
        .as_admin()
        .body("image/png", png(20, 10))
        .send()
        .expect(204);
    assert_eq!(jobs(server, nid), waiting(2));
    server
        .delete(&format!("/media/{mid}"))
        .as_admin()
        .send()
        .expect(204);
    assert!(jobs(server, nid).is_empty());
    let restore = format!("/api/v1/trash/media/{mid}/restore");
    server.post(&restore).as_admin().send().expect(204);
    assert_eq!(jobs(server, nid), waiting(2));
    server
        .delete(&format!("/node/{nid}"))
        .as_admin()
        .send()
        .expect(204);
    let left = get(server.get(&format!("/api/v1/jobs?item={nid}")).as_admin());
    assert_eq!(left["jobs"], json!([]));
    let restore = format!("/api/v1/trash/node/{nid}/restore");
    server.post(&restore).as_admin().send().expect(204);
    assert_eq!(jobs(server, nid), waiting(2));
}

#[test]
fn only_originals_are_followed() {
    let server = TestServer::shared();
    let nid = server.create_object("Followed by nothing");
    server
        .put(&server.upload_path(nid, "image", "Intermediate File"))
        .as_admin()
        .header("Content-Location", "public://jobs/intermediate.png")
        .body("image/png", png(7, 5))
        .send()
        .expect(201);
    assert!(jobs(server, nid).is_empty());
}

#[test]
fn why_there_is_no_picture_is_said_in_words() {
    let server = TestServer::start_with("[derivatives]\nservice = false\n");
    let nid = server.create_object("Without");
    let picture = |nid| of_item(&server, nid)["picture"].clone();
    assert_eq!(picture(nid)["state"], "no_original");
    assert_eq!(picture(nid)["why"], "There is no original file.");
    server.upload_image(nid, "public://with.png");
    assert_eq!(picture(nid)["state"], "waiting");
    assert_eq!(picture(nid)["picture"]["width"], 7, "the original itself");
    let other = server.create_object("A parcel");
    server
        .put(&server.upload_path(other, "file", "Original File"))
        .as_admin()
        .header("Content-Location", "public://parcel.zip")
        .body("application/zip", "PK")
        .send()
        .expect(201);
    let words = "Of files of the type application/zip no picture is made.";
    assert_eq!(picture(other)["why"], words);
    let answer = of_item(&server, nid);
    let service = answer["jobs"].as_array().expect("a list").iter();
    let mut service = service.filter(|job| job["kind"] == "service");
    assert_eq!(
        service.next().expect("asked for all the same")["enabled"],
        false
    );
    drop(server);

    let server = TestServer::start_with("[derivatives]\nenabled = false\n");
    let nid = server.create_object("Without");
    server.upload_image(nid, "public://with.png");
    let picture = of_item(&server, nid)["picture"].clone();
    assert_eq!(picture["state"], "off");
    assert_eq!(
        picture["why"],
        "Small pictures are switched off: [derivatives] in config.toml."
    );
}

#[test]
fn pictures_of_several_items_stand_in_one_answer() {
    let server = TestServer::start();
    let hidden = json!({"status": [{"value": false}]});
    let secret = server.create_object_with("A secret", hidden);
    server.upload_image(secret, "public://secret.png");
    let known = server.create_object("Known");
    let path = format!("/api/v1/pictures?items={known},{secret},999");
    let states = |answer: &Value| -> Vec<(i64, String)> {
        let pictures = answer["pictures"].as_array().expect("a list").iter();
        let state = |one: &Value| one["state"].as_str().expect("a state").to_owned();
        pictures
            .map(|one| (one["nid"].as_i64().expect("an id"), state(one)))
            .collect()
    };
    let none = (known, "no_original".to_owned());
    let waits = (secret, "waiting".to_owned());
    assert_eq!(states(&get(server.get(&path))), vec![none.clone()]);
    let answer = get(server.get(&path).as_admin());
    assert_eq!(states(&answer), [none, waits]);
    let shown = &answer["pictures"][1]["picture"];
    let address = server.path_of(shown["url"].as_str().expect("an address"));
    server.get(&address).send().expect(200);
    let many = vec!["7"; 201].join(",");
    for wrong in ["items=x", "items=1&since=x", &format!("items={many}")] {
        server
            .get(&format!("/api/v1/pictures?{wrong}"))
            .send()
            .expect(400);
    }
}

#[test]
fn a_collection_has_the_first_picture_below_it_that_the_viewer_may_see() {
    let server = TestServer::start();
    let within = |above: i64| json!({"field_member_of": [{"target_id": above}]});
    let hidden = |above: i64| merge(within(above), json!({"status": [{"value": false}]}));
    let fonds = server.create_object("Fonds");
    server.create_object_with("Without a file", within(fonds));
    let series = server.create_object_with("Series", within(fonds));
    let secret = server.create_object_with("A secret", hidden(series));
    server.upload_image(secret, "public://secret.png");
    let picture = |request: Request| get(request)["pictures"][0].clone();
    let ask = || server.get(&format!("/api/v1/pictures?items={fonds}"));
    assert_eq!(picture(ask())["state"], "no_original");
    let shown = picture(ask().as_admin());
    assert_eq!(shown["nid"], fonds);
    assert_eq!(shown["picture"]["width"], 7);
    // Itself below itself, and many without a file: the search ends.
    let own = json!({"field_member_of": [{"target_id": series}]});
    let path = format!("/node/{fonds}?_format=json");
    let changed = merge(own, json!({"type": [{"target_id": "islandora_object"}]}));
    server.patch(&path).as_admin().json(changed).send();
    assert_eq!(picture(ask())["state"], "no_original");
}

#[test]
fn a_list_shows_no_original_that_is_large() {
    let server = TestServer::shared();
    let picture =
        |nid| get(server.get(&format!("/api/v1/items/{nid}")).as_admin())["picture"].clone();
    let nid = server.create_object("Large");
    let mut bytes = png(20, 10).to_vec();
    bytes.resize(2 << 20, 0);
    server
        .put(&server.upload_path(nid, "image", "Original File"))
        .as_admin()
        .header("Content-Location", "public://jobs/large.png")
        .body("image/png", bytes.clone())
        .send()
        .expect(201);
    assert_eq!(picture(nid), Value::Null);
    server
        .put(&server.upload_path(nid, "image", "Thumbnail Image"))
        .as_admin()
        .header("Content-Location", "public://jobs/large-thumbnail.png")
        .body("image/png", bytes)
        .send()
        .expect(201);
    assert_eq!(picture(nid)["width"], 20, "a thumbnail is shown as it is");
}

#[test]
fn jobs_are_for_those_who_may_see_what_they_are_about() {
    let server = TestServer::start();
    let hidden = json!({"status": [{"value": false}]});
    let secret = server.create_object_with("A secret", hidden);
    server.upload_image(secret, "public://secret.png");
    let known = server.create_object("Known");
    server.upload_image(known, "public://known.png");
    let items = |answer: Value| -> Vec<Value> {
        let jobs = answer["jobs"].as_array().expect("a list").iter();
        let mut items: Vec<Value> = jobs.map(|job| job["item"]["nid"].clone()).collect();
        items.dedup();
        items
    };
    let all = get(server
        .get("/api/v1/jobs?state=waiting&kind=thumbnail")
        .as_admin());
    let count = json!({"state": "waiting", "kind": "thumbnail", "count": 2, "program": null});
    assert!(
        all["counts"].as_array().expect("counts").contains(&count),
        "{all}"
    );
    assert_eq!(items(all), [json!(known), json!(secret)]);
    for request in [
        server.get("/api/v1/jobs"),
        server.get("/api/v1/jobs").as_plain(),
    ] {
        let answer = get(request);
        assert_eq!(answer["counts"], Value::Null);
        assert_eq!(items(answer), [json!(known)]);
    }
    let page = get(server.get("/api/v1/jobs?limit=1").as_plain());
    let next = page["next"].as_str().expect("there is more");
    let page = get(server
        .get(&format!("/api/v1/jobs?limit=1&after={next}"))
        .as_plain());
    assert_eq!(items(page), [json!(known)]);
    for wrong in ["state=done", "kind=poem", "item=x", "limit=0", "since=x"] {
        server
            .get(&format!("/api/v1/jobs?{wrong}"))
            .send()
            .expect(400);
    }
}

#[test]
fn another_turn_is_for_those_who_may_change_the_media() {
    let server = TestServer::start();
    let nid = server.create_object("Tried again");
    server.upload_image(nid, "public://again.png");
    let job = of_item(&server, nid)["jobs"][0].clone();
    assert_eq!(job["may_retry"], true);
    let retry = format!("/api/v1/jobs/{}/retry", job["id"]);
    server.post(&retry).send().expect(401);
    server.post(&retry).as_plain().send().expect(403);
    server.post(&retry).as_admin().send().expect(204);
    server
        .post("/api/v1/jobs/999/retry")
        .as_admin()
        .send()
        .expect(404);
    server
        .post("/api/v1/jobs/x/retry")
        .as_admin()
        .send()
        .expect(404);
    assert_eq!(jobs(&server, nid), waiting(1));
}

#[test]
fn what_is_looked_at_is_told_by_those_who_have_signed_in() {
    let server = TestServer::shared();
    server
        .post("/api/v1/jobs/look?items=1,2")
        .send()
        .expect(401);
    server
        .post("/api/v1/jobs/look?items=1,2")
        .as_plain()
        .send()
        .expect(204);
    server
        .post("/api/v1/jobs/look")
        .as_plain()
        .send()
        .expect(204);
    server
        .post("/api/v1/jobs/look?items=all")
        .as_plain()
        .send()
        .expect(400);
    let many = vec!["7"; 201].join(",");
    server
        .post(&format!("/api/v1/jobs/look?items={many}"))
        .as_plain()
        .send()
        .expect(400);
}

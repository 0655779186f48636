//! What is made, of what, and what stays.

use serde_json::json;

use super::{Desk, LARGE, SMALL};

#[test]
fn an_original_is_followed_by_pictures() {
    let desk = Desk::new();
    let nid = desk.item();
    assert_eq!(desk.original(nid, "fedora://scans/map.png", LARGE), 201);
    for (media_use, name) in [
        ("Thumbnail Image", "map-thumbnail.jpg"),
        ("Service File", "map-service.jpg"),
    ] {
        let media = desk.made(nid, media_use, 1);
        assert_eq!(media["name"], name);
        assert_eq!(media["bundle"], "image");
        assert_eq!(media["file"]["uri"], format!("fedora://scans/{name}"));
        assert_eq!(
            (&media["width"], &media["height"]),
            (&json!(20), &json!(10))
        );
        assert_eq!(desk.origin(&media), "derivative");
    }
    let links = desk.client.ask("HEAD", &format!("/node/{nid}"), "", "").1;
    for title in ["thumbnail image", "service file"] {
        assert!(links.contains(&format!("title=\"{title}\"")), "{links}");
    }
}

#[test]
fn pictures_have_the_alternative_text_of_their_original() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let thumbnail = desk.made(nid, "Thumbnail Image", 1);
    let service = desk.made(nid, "Service File", 1);
    assert_eq!(desk.alternative_text(&thumbnail), "map.png");
    let original = desk.media_as(nid, "Original File").remove(0);
    desk.describe(&original, "A map");
    assert_eq!(desk.alternative_text(&thumbnail), "A map");
    assert_eq!(desk.alternative_text(&service), "A map");
    desk.describe(&service, "A smaller map");
    desk.describe(&original, "A map of the island");
    assert_eq!(desk.alternative_text(&thumbnail), "A map of the island");
    assert_eq!(desk.alternative_text(&service), "A smaller map");
    desk.original(nid, "public://map.png", SMALL);
    desk.made(nid, "Thumbnail Image", 2);
    assert_eq!(desk.alternative_text(&thumbnail), "A map of the island");
}

#[test]
fn another_original_is_followed_by_other_pictures_in_the_same_media() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let first = desk.made(nid, "Thumbnail Image", 1);
    desk.made(nid, "Service File", 1);
    assert_eq!(desk.original(nid, "public://map.png", SMALL), 204);
    let second = desk.made(nid, "Thumbnail Image", 2);
    desk.made(nid, "Service File", 2);
    assert_eq!(first["mid"], second["mid"]);
    assert_eq!(second["width"], 7);
    let former = format!("/api/v1/files/{}/versions/1/content", first["file"]["fid"]);
    assert_eq!(desk.client.ask("HEAD", &former, "", "").0, 200);
    assert_eq!(desk.media(nid).len(), 3);
}

#[test]
fn what_somebody_has_put_there_stays() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.put(
        nid,
        "Thumbnail Image",
        ("public://mine.png", "image/png"),
        SMALL,
    );
    let mine = desk.media_as(nid, "Thumbnail Image");
    desk.original(nid, "public://map.png", LARGE);
    desk.made(nid, "Service File", 1);
    // Somebody replaces what was made: it is theirs from then on.
    desk.put(
        nid,
        "Service File",
        ("public://map-service.jpg", "image/png"),
        SMALL,
    );
    let theirs = desk.made(nid, "Service File", 2);
    desk.original(nid, "public://map.png", SMALL);
    // Of the same original another item has pictures when this one has had its turn.
    let other = desk.item();
    desk.original(other, "public://other.png", LARGE);
    desk.made(other, "Thumbnail Image", 1);
    desk.made(other, "Service File", 1);
    assert_eq!(desk.media_as(nid, "Thumbnail Image"), mine);
    assert_eq!(desk.media_as(nid, "Service File"), [theirs]);
}

#[test]
fn an_original_that_comes_by_post_is_followed_for_the_same_people() {
    let desk = Desk::new();
    let nid = desk.item();
    let headers = "Content-Type: application/octet-stream\r\nContent-Disposition: file; filename=\"map.png\"\r\n";
    let path = "/file/upload/media/image/field_media_image";
    let mut stream = desk.client.begin(
        "POST",
        path,
        &format!("{headers}Content-Length: {}\r\n", LARGE.len()),
    );
    std::io::Write::write_all(&mut stream, LARGE).expect("sent");
    let (status, file) = crate::program::read_answer(stream);
    assert_eq!(status, 201, "{file}");
    let file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    let tid = desk.client.term("islandora_media_use", "Original File");
    let body = json!({
        "bundle": [{"target_id": "image"}],
        "name": [{"value": "map.png"}],
        "status": [{"value": false}],
        "field_media_image": [{"target_id": file["fid"][0]["value"], "alt": "A map"}],
        "field_media_of": [{"target_id": nid}],
        "field_media_use": [{"target_id": tid}],
    });
    let headers = "Content-Type: application/json\r\n";
    let (status, answer) = desk
        .client
        .send("POST", "/entity/media", headers, &body.to_string());
    assert_eq!(status, 201, "{answer}");
    let thumbnail = desk.made(nid, "Thumbnail Image", 1);
    assert_eq!(
        thumbnail["status"], false,
        "the original is not published either"
    );
}

#[test]
fn what_was_stored_before_is_followed_when_somebody_looks_at_it() {
    let data = super::directory();
    let client = crate::client::Client::start(data.path());
    let desk = Desk { client, data };
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let Desk { client, data } = desk;
    let stopped = client.stop();
    let database = rusqlite::Connection::open(data.path().join("isolario.db"));
    let database = database.expect("the database");
    database
        .execute("DELETE FROM derivative", [])
        .expect("as if by an earlier program");
    drop(database);
    let client = stopped.start_again_by(super::program(data.path()));
    let desk = Desk { client, data };
    assert_eq!(
        desk.get(&format!("/api/v1/items/{nid}/jobs"))["jobs"],
        json!([])
    );
    let look = format!("/api/v1/jobs/look?items={nid}");
    assert_eq!(desk.client.send("POST", &look, "", "").0, 204);
    desk.made(nid, "Thumbnail Image", 1);
    desk.made(nid, "Service File", 1);
}

#[test]
fn switched_off_nothing_is_made_until_it_is_switched_on() {
    let data = super::directory();
    let config = data.path().join("config.toml");
    std::fs::write(&config, "[derivatives]\nservice = false\n").expect("written");
    let client =
        crate::client::Client::of(crate::program::Serving::spawn(super::program(data.path())));
    let desk = Desk { client, data };
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    desk.made(nid, "Thumbnail Image", 1);
    let jobs = desk.get(&format!("/api/v1/jobs?item={nid}&kind=service"));
    assert_eq!(
        (&jobs["jobs"][0]["state"], &jobs["jobs"][0]["enabled"]),
        (&json!("waiting"), &json!(false))
    );
    assert!(desk.media_as(nid, "Service File").is_empty());
    std::fs::write(&config, "").expect("written");
    let Desk { client, data } = desk;
    let client = client.stop().start_again_by(super::program(data.path()));
    let desk = Desk { client, data };
    desk.made(nid, "Service File", 1);
    assert_eq!(desk.media(nid).len(), 3);
}

#[test]
fn a_file_that_cannot_be_read_says_why_and_stops_nothing() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://half.png", &LARGE[..40]);
    let job = desk.wait_for("an end", || {
        let answer = desk.get(&format!("/api/v1/items/{nid}/jobs"));
        (answer["picture"]["state"] == "refused").then_some(answer)
    });
    let why = job["picture"]["why"].as_str().expect("words");
    assert!(why.ends_with('.') && why.contains(' '), "{why}");
    let id = &job["picture"]["job"];
    let next = desk.item();
    desk.original(next, "public://whole.png", LARGE);
    desk.made(next, "Thumbnail Image", 1);
    assert_eq!(
        desk.client
            .send("POST", &format!("/api/v1/jobs/{id}/retry"), "", "")
            .0,
        204
    );
    desk.wait_for("another end", || {
        let job = desk.get(&format!("/api/v1/jobs?item={nid}&kind=thumbnail"))["jobs"][0].clone();
        (job["state"] == "refused").then_some(())
    });
    assert_eq!(desk.media(nid).len(), 1);
}

#[test]
fn pictures_of_bytes_of_which_none_can_be_made_do_not_stay() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let first = desk.made(nid, "Thumbnail Image", 1);
    desk.made(nid, "Service File", 1);
    desk.original(nid, "public://map.png", &LARGE[..40]);
    desk.wait_for("an end", || (desk.media(nid).len() == 1).then_some(()));
    let trash = desk.get("/api/v1/trash?kind=media");
    let entries = trash["entries"].as_array().expect("a list");
    assert!(
        entries.iter().any(|entry| entry["id"] == first["mid"]),
        "{trash}"
    );
    desk.original(nid, "public://map.png", SMALL);
    desk.made(nid, "Thumbnail Image", 1);
    desk.made(nid, "Service File", 1);
}

#[test]
fn an_item_that_comes_back_has_what_was_made() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "fedora://map.png", LARGE);
    desk.made(nid, "Thumbnail Image", 1);
    desk.made(nid, "Service File", 1);
    let before = desk.media(nid);
    let (status, with_it) = desk
        .client
        .send("DELETE", &format!("/api/v1/items/{nid}"), "", "");
    assert_eq!(status, 200, "{with_it}");
    let path = format!("/api/v1/trash/node/{nid}/restore");
    assert_eq!(desk.client.send("POST", &path, "", "").0, 204);
    let jobs = desk.get(&format!("/api/v1/jobs?item={nid}&kind=thumbnail"));
    assert_eq!(jobs["jobs"][0]["state"], "made", "{jobs}");
    assert_eq!(desk.media(nid), before);
}

#[test]
fn what_the_bytes_say_about_themselves_stands_beside_them() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let facts = desk.wait_for("facts", || {
        let media = desk.media_as(nid, "Original File").pop()?;
        let facts = media["file"]["facts"].clone();
        facts.is_object().then_some(facts)
    });
    assert_eq!(
        (&facts["width"], &facts["height"]),
        (&json!(20), &json!(10))
    );
}

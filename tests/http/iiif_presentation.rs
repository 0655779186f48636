//! Items and collections as viewers of IIIF at other sites show them.

use serde_json::{Value, json};

use crate::support::{TestServer, encoded};

#[track_caller]
fn document(server: &TestServer, path: &str) -> Value {
    let answer = server.get(path).send().expect(200);
    let mime = answer.header("content-type").expect("a type");
    assert!(mime.starts_with("application/ld+json"), "{mime}");
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    answer.json()
}

#[track_caller]
fn manifest(server: &TestServer, nid: i64) -> Value {
    document(
        server,
        &format!("/iiif/presentation/3/node/{nid}/manifest.json"),
    )
}

#[track_caller]
fn collection(server: &TestServer, nid: i64, query: &str) -> Value {
    document(
        server,
        &format!("/iiif/presentation/3/node/{nid}/collection.json{query}"),
    )
}

fn of_model(server: &TestServer, title: &str, model: &str) -> i64 {
    let model = server.term("islandora_models", model);
    server.create_object_with(title, json!({"field_model": [{"target_id": model}]}))
}

fn member(server: &TestServer, title: &str, of: i64, weight: i64) -> i64 {
    let place =
        json!({"field_member_of": [{"target_id": of}], "field_weight": [{"value": weight}]});
    server.create_object_with(title, place)
}

fn write_text(server: &TestServer, nid: i64, text: &str) {
    let upload = server.put(&server.upload_path(nid, "extracted_text", "Extracted Text"));
    let upload = upload.header("Content-Location", format!("public://text/{nid}.txt"));
    upload
        .body("text/plain", text)
        .as_admin()
        .send()
        .expect(201);
}

fn labels(items: &Value) -> Vec<&str> {
    let items = items.as_array().expect("a list").iter();
    items
        .map(|item| item["label"]["none"][0].as_str().expect("a label"))
        .collect()
}

#[test]
fn a_picture_is_a_canvas_with_its_image_service() {
    let server = TestServer::shared();
    let nid = server.create_object_with(
        "Harbour",
        json!({
            "field_description": [{"value": "From the mole"}],
            "field_rights": [{"value": "https://creativecommons.org/publicdomain/zero/1.0/"}],
        }),
    );
    let mid = server.upload_image(nid, "public://iiif/harbour.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    let manifest = manifest(server, nid);
    let base = server.base();
    assert_eq!(manifest["type"], "Manifest");
    assert_eq!(
        manifest["id"],
        format!("{base}/iiif/presentation/3/node/{nid}/manifest.json")
    );
    assert_eq!(manifest["label"], json!({"en": ["Harbour"]}));
    assert_eq!(manifest["summary"], json!({"en": ["From the mole"]}));
    assert_eq!(
        manifest["rights"],
        "http://creativecommons.org/publicdomain/zero/1.0/"
    );
    let canvas = &manifest["items"][0];
    assert_eq!(
        (&canvas["width"], &canvas["height"]),
        (&json!(7), &json!(5))
    );
    let painting = &canvas["items"][0]["items"][0];
    assert_eq!(painting["target"], canvas["id"]);
    let service = &painting["body"]["service"][0];
    assert_eq!(service["id"], format!("{base}/iiif/image/3/{fid}"));
    assert_eq!(service["type"], "ImageService3");
}

#[test]
fn a_book_has_its_pages_in_their_order_and_no_hidden_one() {
    let server = TestServer::shared();
    let book = of_model(server, "Book", "Paged Content");
    for (title, weight) in [("Second", 2), ("First", 1), ("Hidden", 3)] {
        let page = member(server, title, book, weight);
        server.upload_image(page, &format!("public://iiif/book/{title}.png"));
        if title == "Hidden" {
            let body =
                json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": false}]});
            server
                .patch(&format!("/node/{page}?_format=json"))
                .json(body)
                .as_admin()
                .send()
                .expect(200);
        }
    }
    member(server, "Without a picture", book, 4);
    let book = manifest(server, book);
    assert_eq!(labels(&book["items"]), ["First", "Second"]);
    assert_eq!(book["behavior"], json!(["paged"]));
}

#[test]
fn an_item_without_files_is_a_manifest_too() {
    let server = TestServer::shared();
    let nid = server.create_object("Only words");
    let manifest = manifest(server, nid);
    assert_eq!(manifest["items"][0]["type"], "Canvas");
    assert_eq!(manifest["items"][0]["items"][0]["items"], json!([]));
}

#[test]
fn a_collection_names_its_members_and_large_ones_have_parts() {
    let server = TestServer::start();
    let maps = of_model(&server, "Maps", "Collection");
    let inner = {
        let model = server.term("islandora_models", "Collection");
        let fields = json!({"field_model": [{"target_id": model}], "field_member_of": [{"target_id": maps}]});
        server.create_object_with("Inner", fields)
    };
    member(&server, "Chart", maps, 2);
    let small = collection(&server, maps, "");
    let types = |items: &Value| -> Vec<String> {
        let items = items.as_array().expect("a list").iter();
        items
            .map(|item| item["type"].as_str().expect("a type").to_owned())
            .collect()
    };
    let mut found = types(&small["items"]);
    found.sort();
    assert_eq!(found, ["Collection", "Manifest"]);
    let inner = collection(&server, inner, "");
    assert_eq!(inner["items"], json!([]));
    for number in 0..100 {
        member(&server, &format!("Sheet {number}"), maps, number + 3);
    }
    let large = collection(&server, maps, "");
    assert_eq!(labels(&large["items"]), ["Maps, 1–100", "Maps, 101–102"]);
    let part = collection(&server, maps, "?part=1");
    assert_eq!(part["id"], large["items"][1]["id"]);
    assert_eq!(part["items"].as_array().expect("a list").len(), 2);
    let path = format!("/iiif/presentation/3/node/{maps}/collection.json");
    server.get(&format!("{path}?part=2")).send().expect(404);
    server.get(&format!("{path}?part=x")).send().expect(400);
    let manifest = format!("/iiif/presentation/3/node/{maps}/manifest.json");
    let answer = server.get(&manifest).send().expect(303);
    assert_eq!(
        answer.header("location"),
        Some(format!("{}{path}", server.base()).as_str())
    );
}

#[test]
fn words_are_found_on_the_canvases_on_which_they_stand() {
    let server = TestServer::start();
    let book = of_model(&server, "Diary", "Paged Content");
    let pages = [
        "We saw the lighthouse",
        "Nothing to be seen",
        "Another lighthouse, a storm",
    ];
    let pages: Vec<i64> = (1..)
        .zip(pages)
        .map(|(weight, text)| {
            let page = member(&server, &format!("Page {weight}"), book, weight);
            server.upload_image(page, &format!("public://iiif/diary/{weight}.png"));
            write_text(&server, page, text);
            page
        })
        .collect();
    server.until_searchable();
    let manifest = manifest(&server, book);
    let service = server.path_of(manifest["service"][0]["id"].as_str().expect("an address"));
    let found = document(
        &server,
        &format!("{service}?q=lighthouse&motivation=painting"),
    );
    let targets: Vec<&str> = found["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|hit| hit["target"].as_str().expect("a canvas"))
        .collect();
    let canvases = &manifest["items"];
    assert_eq!(
        json!(targets),
        json!([canvases[0]["id"], canvases[2]["id"]])
    );
    assert_eq!(found["ignored"], json!(["motivation"]));
    let hit = found["items"][1]["body"]["value"].as_str().expect("a text");
    assert!(hit.contains("lighthouse, a storm"), "{hit}");
    let text = server.path_of(
        canvases[2]["annotations"][0]["id"]
            .as_str()
            .expect("an address"),
    );
    let text = document(&server, &text);
    assert_eq!(
        text["items"][0]["body"]["value"],
        "Another lighthouse, a storm"
    );
    assert_eq!(text["items"][0]["target"], canvases[2]["id"]);
    let nothing = document(&server, &format!("{service}?q=%22"));
    assert_eq!(nothing["items"], json!([]));
    for number in ["0", "2", "-1", "x", "99999999999999999999"] {
        let path = format!("/iiif/presentation/3/node/{}/text/{number}", pages[0]);
        server.get(&path).send().expect(404);
    }
}

#[test]
fn the_pages_of_a_text_are_found_one_by_one() {
    let server = TestServer::start();
    let nid = server.create_object("Report");
    write_text(&server, nid, "The reef\u{c}Sand\u{c}A second reef");
    server.until_searchable();
    let found = document(
        &server,
        &format!("/iiif/search/2/node/{nid}?q={}", encoded("reef")),
    );
    let targets: Vec<String> = found["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|hit| {
            hit["target"]
                .as_str()
                .expect("a canvas")
                .rsplit('/')
                .next()
                .expect("a number")
                .to_owned()
        })
        .collect();
    assert_eq!(targets, ["1", "3"]);
}

#[test]
fn a_manifest_that_the_client_has_is_not_sent_again() {
    let server = TestServer::shared();
    let nid = server.create_object("Kept");
    let path = format!("/iiif/presentation/3/node/{nid}/manifest.json");
    let etag = server.get(&path).send().expect(200).etag().to_owned();
    server
        .get(&path)
        .header("if-none-match", etag)
        .send()
        .expect(304);
}

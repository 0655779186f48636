//! `/api/v1/print`: items on paper.

use serde_json::json;

use crate::support::{Response, TestServer, png};

fn print(server: &TestServer, query: &str) -> Response {
    server
        .get(&format!("/api/v1/print?{query}"))
        .as_admin()
        .send()
}

fn pages(answer: &Response) -> usize {
    assert!(answer.body.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    let (_, count) = text.split_once("/Type/Pages/Count ").expect("pages");
    let digits = count.split(|c: char| !c.is_ascii_digit()).next();
    digits
        .and_then(|digits| digits.parse().ok())
        .expect("a number")
}

/// So many items, one of them with a long title in several scripts and a picture that is none.
fn repository(items: usize) -> TestServer {
    let server = TestServer::start();
    let title = format!("Ἡ νῆσος, 地図, \u{202e}خريطة {}", "long ".repeat(40));
    let nid = server.create_object_with(
        &title,
        json!({"field_identifier": [{"value": "x".repeat(255)}]}),
    );
    let put = server.put(&server.upload_path(nid, "image", "Thumbnail Image"));
    let put = put.header("Content-Location", "public://x.jpg").as_admin();
    put.body("image/jpeg", &b"\xff\xd8\xffno picture"[..])
        .send()
        .expect(201);
    let other = server.create_object("Chart");
    let put = server.put(&server.upload_path(other, "image", "Thumbnail Image"));
    let put = put.header("Content-Location", "public://y.png").as_admin();
    put.body("image/png", png(7, 5)).send().expect(201);
    for number in 2..items {
        server.create_object(&format!("Item {number}"));
    }
    server
}

#[test]
fn items_are_laid_out_on_as_many_pages_as_they_need() {
    let server = repository(13);
    let sheet = print(&server, "view=all").expect(200);
    assert_eq!(sheet.header("content-type"), Some("application/pdf"));
    assert_eq!(pages(&sheet), 2);
    assert_eq!(pages(&print(&server, "layout=labels").expect(200)), 1);
    assert_eq!(pages(&print(&server, "nids=1,2").expect(200)), 1);
    assert_eq!(
        pages(&print(&server, "nids=999").expect(200)),
        1,
        "of nothing, an empty one"
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let server = TestServer::shared();
    print(server, "layout=poster").expect(400);
    print(server, "nids=1&view=all").expect(400);
    print(server, "collection=99999").expect(404);
    print(server, "saved_search=99999").expect(404);
}

#[test]
fn what_is_hidden_is_on_no_paper() {
    let server = TestServer::start();
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let size = |request: crate::support::Request<'_>| request.send().expect(200).body.len();
    let path = format!("/api/v1/print?layout=labels&nids={hidden}");
    assert!(size(server.get(&path)) + 200 < size(server.get(&path).as_admin()));
}

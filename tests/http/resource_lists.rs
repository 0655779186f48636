//! Lists of whole resources: members and media of a node, views, and terms by name and address.

use serde_json::{Value, json};

use crate::support::TestServer;

fn list(server: &TestServer, path: &str) -> Vec<Value> {
    let answer = server.get(path).send().expect(200).json();
    answer.as_array().expect("a list").clone()
}

fn titles(server: &TestServer, path: &str) -> Vec<String> {
    let nodes = list(server, path).into_iter();
    let title = |node: Value| node["title"][0]["value"].as_str().unwrap_or("").to_owned();
    nodes.map(title).collect()
}

fn book(server: &TestServer, pages: i64) -> i64 {
    let book = server.create_object("Book");
    for number in (1..=pages).rev() {
        let fields =
            json!({"field_member_of": [{"target_id": book}], "field_weight": [{"value": number}]});
        server.create_object_with(&format!("Page {number}"), fields);
    }
    book
}

#[test]
fn members_come_in_the_order_of_their_weights() {
    let server = TestServer::shared();
    let book = book(server, 3);
    let path = format!("/node/{book}/members?_format=json");
    assert_eq!(titles(server, &path), ["Page 1", "Page 2", "Page 3"]);
    let first = &list(server, &path)[0];
    assert_eq!(
        *first,
        server.node(first["nid"][0]["value"].as_i64().expect("a number"))
    );
    let page = |page| titles(server, &format!("{path}&page={page}&items_per_page=2"));
    assert_eq!(page(1), ["Page 3"]);
    assert!(page(2).is_empty());
    server.head(&path).send().expect(200);
}

#[test]
fn a_long_list_comes_whole_and_hides_what_is_hidden() {
    let server = TestServer::start();
    let book = book(&server, 120);
    let hidden = json!({"field_member_of": [{"target_id": book}], "status": [{"value": false}]});
    server.create_object_with("Hidden", hidden);
    let path = format!("/node/{book}/members");
    let pages = titles(&server, &path);
    assert_eq!(pages.len(), 120);
    assert_eq!(pages[119], "Page 120");
    let all = server.get(&path).as_admin().send().expect(200).json();
    assert_eq!(all.as_array().map(Vec::len), Some(121));
}

#[test]
fn media_of_a_node_are_what_their_addresses_say() {
    let server = TestServer::shared();
    let nid = server.create_object("With media");
    let path = format!("/node/{nid}/media?_format=json");
    assert!(list(server, &path).is_empty());
    let mid = server.upload_image(nid, "public://lists/a.png");
    assert_eq!(list(server, &path), [server.media(mid)]);
    let url = list(server, &path)[0]["field_media_image"][0]["url"].clone();
    assert!(url.as_str().expect("a URL").starts_with("http://"));
    assert!(list(server, &format!("{path}&page=1")).is_empty());
    server
        .delete(&format!("/media/{mid}"))
        .as_admin()
        .send()
        .expect(204);
    assert!(list(server, &path).is_empty());
    server.get("/node/999999/media").send().expect(404);
    server.get(&format!("{path}&page=x")).send().expect(400);
}

#[test]
fn views_end_with_an_empty_page() {
    let server = TestServer::start();
    let book = book(&server, 5);
    let path = format!("/views/nodes?collection={book}&sort=weight&items_per_page=2");
    let found: Vec<usize> = (0..4)
        .map(|page| titles(&server, &format!("{path}&page={page}")).len())
        .collect();
    assert_eq!(found, [2, 2, 1, 0]);
    let far = format!("{path}&page=9223372036854775807");
    assert!(titles(&server, &far).is_empty());
}

#[test]
fn a_node_is_found_by_a_value() {
    let server = TestServer::start();
    let identified = |title: &str, fields: Value| {
        let id = json!({"field_identifier": [{"value": "A 12"}]});
        server.create_object_with(title, crate::support::merge(fields, id))
    };
    let nid = identified("One", json!({}));
    identified("Hidden", json!({"status": [{"value": false}]}));
    let path = "/views/node_exists?field_identifier=a%2012";
    assert_eq!(list(&server, path), [json!({"nid": nid.to_string()})]);
    assert!(list(&server, "/views/node_exists?field_identifier=A").is_empty());
    assert!(list(&server, "/views/node_exists").is_empty());
    server
        .get("/views/node_exists?nothing=1")
        .send()
        .expect(400);
}

#[test]
fn terms_are_found_by_name_and_address() {
    let server = TestServer::shared();
    let uri = "http://example.org/terms#one";
    let link = json!([{"source": "viaf", "uri": "http://viaf.org/viaf/77"}]);
    let body = json!({
        "vid": [{"target_id": "corporate_body"}], "name": [{"value": "Müller & Söhne"}], "field_authority_link": link,
    });
    let tid = server
        .post("/taxonomy/term")
        .as_admin()
        .json(body)
        .send()
        .expect(201)
        .created();
    let tag = json!({"vid": [{"target_id": "islandora_display"}], "name": [{"value": "Charts"}], "field_external_uri": [{"uri": uri}]});
    let display = server
        .post("/taxonomy/term")
        .as_admin()
        .json(tag)
        .send()
        .expect(201)
        .created();
    let found = |path: &str| -> Vec<i64> {
        let terms = list(server, path).into_iter();
        terms
            .filter_map(|term| term["tid"][0]["value"].as_i64())
            .collect()
    };
    let name = "M%C3%BCller%20%26%20S%C3%B6hne";
    for path in [
        format!("/term_from_term_name?vocab=corporate_body&name={name}&_format=json"),
        format!("/term_from_term_name?name={name}"),
        format!("/views/terms?name={name}&vid=corporate_body"),
        "/term_from_authority_link?_format=json&authority_link=http://viaf.org/viaf/77".into(),
    ] {
        assert_eq!(found(&path), [tid], "{path}");
    }
    let escaped = uri.replace('#', "%23");
    assert_eq!(
        found(&format!("/term_from_uri?_format=json&uri={escaped}")),
        [display]
    );
    assert_eq!(
        found("/term_from_term_name?vocab=islandora_display&name=CHARTS"),
        [display]
    );
    for path in [
        "/term_from_term_name?vocab=person&name=Charts",
        "/term_from_uri?uri=nothing",
        "/views/terms",
    ] {
        assert!(found(path).is_empty(), "{path}");
    }
    server.get("/term_from_uri").send().expect(400);
}

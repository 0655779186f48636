//! `/api/v1/collections`: which there are of a title, and how much is below them.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, merge};

/// A collection on that server; its id.
fn put(server: &TestServer, title: &str, fields: Value) -> i64 {
    let model = server.term("islandora_models", "Collection");
    let model = json!({"field_model": [{"target_id": model}]});
    server.create_object_with(title, merge(model, fields))
}

fn found(request: Request) -> Vec<i64> {
    let list = request.send().expect(200).json();
    let rows = list["collections"].as_array().expect("rows").iter();
    rows.map(|row| row["nid"].as_i64().expect("a nid"))
        .collect()
}

#[test]
fn collections_of_a_title_are_found_where_they_stand() {
    let server = TestServer::start();
    let top = put(&server, "Sheets", json!({}));
    let above = put(&server, "Shelf", json!({}));
    let member = json!({"field_member_of": [{"target_id": above}]});
    let inside = put(&server, "Sheets", member.clone());
    let hidden = put(&server, "sheets", json!({"status": [{"value": false}]}));
    put(&server, "Sheets, loose", json!({}));
    server.create_object_with("Sheets", member);
    let path = "/api/v1/collections?title=Sheets";
    assert_eq!(found(server.get(path).as_admin()), [top, hidden]);
    assert_eq!(found(server.get(path).as_plain()), [top]);
    let path = format!("{path}&parent={above}");
    assert_eq!(found(server.get(&path).as_plain()), [inside]);
    assert_eq!(
        found(server.get("/api/v1/collections?title=Shelves")),
        [0_i64; 0]
    );
}

fn inside(parents: &[i64]) -> Value {
    let parents = parents.iter().map(|nid| json!({"target_id": nid}));
    json!({"field_member_of": parents.collect::<Vec<_>>()})
}

fn hidden() -> Value {
    json!({"status": [{"value": false}]})
}

type As = fn(Request<'_>) -> Request<'_>;
const ADMIN: As = |request| request.as_admin();
const PLAIN: As = |request| request.as_plain();
const NOBODY: As = |request| request;

/// What is told of a collection: items and collections below it, and the length of the list of both.
fn below(server: &TestServer, nid: i64, ask: As) -> [i64; 3] {
    let get = |path: String| ask(server.get(&path)).send().expect(200).json();
    let told = get(format!("/api/v1/collections/counts?nid={nid}"));
    let list = get(format!("/api/v1/items?collection={nid}&below=true"));
    assert_eq!(
        list["items"].as_array().map(Vec::len),
        list["total"]
            .as_i64()
            .map(|total| usize::try_from(total).expect("a length"))
    );
    let count = |name: &str| told["counts"][0][name].as_i64().expect("a count");
    [
        count("items"),
        count("subcollections"),
        list["total"].as_i64().expect("a total"),
    ]
}

#[test]
fn a_collection_counts_everything_below_it_once() {
    let server = TestServer::start();
    let fonds = put(&server, "Port Authority", json!({}));
    let series = [1, 2].map(|number| put(&server, &format!("Series {number}"), inside(&[fonds])));
    let file = put(&server, "File", inside(&[series[0]]));
    for parents in [[file, series[1]].as_slice(), &[file], &[fonds]] {
        server.create_object_with("Chart", inside(parents));
    }
    assert_eq!(below(&server, fonds, ADMIN), [3, 3, 6]);
    assert_eq!(below(&server, series[1], ADMIN), [1, 0, 1]);
    let top = server.get("/api/v1/collections").send().expect(200).json();
    let row = &top["collections"][0];
    assert_eq!(
        (&row["items"], &row["subcollections"]),
        (&json!(1), &json!(2))
    );
    server
        .delete(&format!("/node/{file}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(below(&server, fonds, ADMIN), [2, 2, 4]);
}

#[test]
fn what_one_may_not_see_is_not_counted_below() {
    let server = TestServer::start();
    let fonds = put(&server, "Fonds", json!({}));
    let closed = put(&server, "Closed series", merge(inside(&[fonds]), hidden()));
    server.create_object_with("Draft", merge(inside(&[fonds]), hidden()));
    server.create_object_with("In the closed series", inside(&[closed]));
    server.create_object_with("Open", inside(&[fonds]));
    assert_eq!(below(&server, fonds, ADMIN), [3, 1, 4]);
    assert_eq!(below(&server, fonds, PLAIN), [1, 0, 1]);
    assert_eq!(below(&server, fonds, NOBODY), [1, 0, 1]);
    let secret = put(&server, "Box", json!({}));
    server.create_object_with("Letter", merge(inside(&[secret]), hidden()));
    assert_eq!(below(&server, secret, NOBODY), [0, 0, 0]);
    let path = format!("/api/v1/collections/counts?nid={closed},{fonds},99999");
    let told = server.get(&path).send().expect(200).json();
    assert_eq!(told["counts"].as_array().map(Vec::len), Some(1));
    assert_eq!(told["counts"][0]["nid"], fonds);
}

#[test]
fn a_list_narrows_what_is_below_a_collection() {
    let server = TestServer::start();
    let fonds = put(&server, "Fonds", json!({}));
    let series = put(&server, "Series", inside(&[fonds]));
    let found = server.create_object_with("Herring quay", inside(&[series]));
    server.create_object_with("Sardine quay", merge(inside(&[series]), hidden()));
    server.create_object("Herring elsewhere");
    let list = |query: &str| -> Value {
        let path = format!("/api/v1/items?collection={fonds}{query}");
        server.get(&path).as_admin().send().expect(200).json()
    };
    assert_eq!(list("&q=herring")["total"], 0);
    assert_eq!(list("&below=true&q=herring")["items"][0]["nid"], found);
    assert_eq!(list("&below=true&q=herring")["total"], 1);
    assert_eq!(
        list("&below=true&status=0")["items"][0]["title"],
        "Sardine quay"
    );
    assert_eq!(list("&below=true&sort=created&order=desc")["total"], 3);
    let ids = format!("/api/v1/items/ids?collection={fonds}&below=true");
    let ids = server.get(&ids).as_admin().send().expect(200).json();
    assert_eq!(ids["nids"].as_array().map(Vec::len), Some(3));
    let place = format!("/api/v1/items/position?nid={found}&collection={fonds}&below=true");
    assert_eq!(server.get(&place).send().expect(200).json()["offset"], 0);
    let everywhere = "/api/v1/items?below=true";
    server.get(everywhere).as_admin().send().expect(200);
    let perhaps = "/api/v1/items?collection=1&below=perhaps";
    server.get(perhaps).as_admin().send().expect(400);
    for query in ["", "nid=0", "nid=1,x"] {
        let path = format!("/api/v1/collections/counts?{query}");
        server.get(&path).as_admin().send().expect(400);
    }
}

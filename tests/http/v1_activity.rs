//! `/api/v1/activity`: what happened, the newest first.

use serde_json::{Value, json};

use crate::support::{Request, TestServer};

fn changes(request: Request) -> Vec<Value> {
    let list = request.send().expect(200).json();
    list["changes"].as_array().expect("a list").clone()
}

#[track_caller]
fn of_node(changes: &[Value], nid: i64) -> Vec<String> {
    let about = changes
        .iter()
        .filter(|change| change["kind"] == "node" && change["entity_id"] == nid);
    about
        .map(|change| change["action"].as_str().expect("a word").to_owned())
        .collect()
}

#[test]
fn what_happened_is_told_the_newest_first_and_chosen_by_what_it_was() {
    let server = TestServer::shared();
    let nid = server.create_object("Chart");
    server
        .delete(&format!("/node/{nid}"))
        .as_admin()
        .send()
        .expect(204);
    let asked = |query: &str| {
        let path = format!("/api/v1/activity?limit=200&{query}");
        of_node(&changes(server.get(&path).as_admin()), nid)
    };
    assert_eq!(asked(""), ["delete", "create"]);
    assert_eq!(asked("action=delete"), ["delete"]);
    assert_eq!(asked("kind=node&origin=rest&actor=1"), ["delete", "create"]);
    assert!(asked("kind=media").is_empty() && asked("origin=watch").is_empty());
    assert_eq!(asked("since=2020-01-01T00:00:00Z"), ["delete", "create"]);
    assert!(asked("until=2020-01-01T00:00:00Z").is_empty());
}

#[test]
fn pages_hold_everything_once() {
    let server = TestServer::start();
    let made: Vec<i64> = (0..7)
        .map(|number| server.create_object(&format!("Sheet {number}")))
        .collect();
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/v1/activity?kind=node&limit=3{after}");
        let page = server.get(&path).as_admin().send().expect(200).json();
        let changes = page["changes"].as_array().expect("a list");
        found.extend(
            changes
                .iter()
                .map(|change| change["entity_id"].as_i64().expect("a nid")),
        );
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    found.reverse();
    assert_eq!(found, made);
}

#[test]
fn nobody_hears_of_what_they_may_not_see() {
    let server = TestServer::start();
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let shown = server.create_object("Shown");
    let path = "/api/v1/activity?limit=200";
    let told = changes(server.get(path).as_plain());
    assert!(of_node(&told, hidden).is_empty());
    assert_eq!(of_node(&told, shown), ["create"]);
    assert!(told.iter().all(|change| change["actor"] == Value::Null));
    // Who did it is not to be found out by asking.
    assert!(changes(server.get(&format!("{path}&actor=1")).as_plain()).is_empty());
    server.get(path).send().expect(401);
}

#[test]
fn nonsense_is_refused() {
    let server = TestServer::shared();
    for query in [
        "actor=x",
        "origin=cellar",
        "action=sing",
        "kind=tree",
        "since=yesterday",
        "after=0",
        "limit=0",
    ] {
        let path = format!("/api/v1/activity?{query}");
        assert!(
            !server
                .get(&path)
                .as_admin()
                .send()
                .expect(400)
                .message()
                .is_empty(),
            "{query}"
        );
    }
}

/// A collection in another, an item in the inner one with a picture, and an item elsewhere; their ids.
fn placed(server: &TestServer) -> [i64; 4] {
    let collection = json!([{"target_id": server.term("islandora_models", "Collection")}]);
    let outer = server.create_object_with("Outer", json!({"field_model": collection}));
    let inside = |nid: i64| json!([{"target_id": nid}]);
    let fields = json!({"field_model": collection, "field_member_of": inside(outer)});
    let inner = server.create_object_with("Inner", fields);
    let item = server.create_object_with("Sheet", json!({"field_member_of": inside(inner)}));
    server.upload_image(item, "public://sheet.png");
    [outer, inner, item, server.create_object("=Elsewhere")]
}

/// Kinds and ids of what a query tells, without derivatives.
fn told(server: &TestServer, query: &str) -> Vec<(String, i64)> {
    let path = format!("/api/v1/activity?limit=200&action=create&{query}");
    let changes = changes(server.get(&path).as_admin()).into_iter();
    let told = changes.map(|change| {
        let kind = change["kind"].as_str().expect("a kind").to_owned();
        (kind, change["entity_id"].as_i64().expect("an id"))
    });
    told.filter(|(kind, _)| kind != "taxonomy_term").collect()
}

#[test]
fn changes_are_chosen_by_the_item_or_the_collection() {
    let server = TestServer::start_with("[derivatives]\nenabled = false\n");
    let [outer, inner, item, _] = placed(&server);
    let node = |nid: i64| ("node".to_owned(), nid);
    let media = ("media".to_owned(), 1);
    assert_eq!(
        told(&server, &format!("item={item}")),
        [media.clone(), node(item)]
    );
    let below = [media, node(item), node(inner)];
    assert_eq!(told(&server, &format!("collection={inner}")), below);
    let all: Vec<_> = below.into_iter().chain([node(outer)]).collect();
    assert_eq!(told(&server, &format!("collection={outer}")), all);
    // What has gone is told as well.
    server
        .delete(&format!("/node/{item}"))
        .as_admin()
        .send()
        .expect(204);
    let path = format!("/api/v1/activity?collection={outer}&action=delete&kind=node");
    assert_eq!(
        of_node(&changes(server.get(&path).as_admin()), item),
        ["delete"]
    );
    let hidden = json!({"status": [{"value": false}]});
    let hidden = server.create_object_with("Hidden", hidden);
    for wrong in [hidden, 999_999] {
        let path = format!("/api/v1/activity?item={wrong}");
        server.get(&path).as_plain().send().expect(404);
    }
    let both = format!("/api/v1/activity?item={item}&collection={outer}");
    server.get(&both).as_admin().send().expect(400);
}

#[test]
fn changes_are_a_table_for_spreadsheets() {
    let server = TestServer::start_with("[derivatives]\nenabled = false\n");
    let [.., item, elsewhere] = placed(&server);
    let path = "/api/v1/activity?format=csv&kind=node";
    let table = server.get(path).as_admin().send().expect(200);
    assert_eq!(
        table.header("content-disposition"),
        Some("attachment; filename=\"activity.csv\"")
    );
    let text = table.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "time,person,origin,action,kind,id,label,revision,batch"
    );
    assert_eq!(lines.len(), 5);
    assert!(
        lines[1].contains(&format!(",admin,rest,create,node,{elsewhere},'=Elsewhere,")),
        "{text}"
    );
    let seen = server.get(path).as_plain().send().expect(200).text();
    assert_eq!(seen.lines().count(), 5);
    assert!(!seen.contains("admin"), "{seen}");
    let of_item = server.get(&format!("{path}&item={item}")).as_admin().send();
    assert_eq!(of_item.expect(200).text().lines().count(), 2);
    let none = server
        .get(&format!("{path}&actor=1"))
        .as_plain()
        .send()
        .expect(200);
    assert_eq!(none.text().lines().count(), 1, "only the heading");
}

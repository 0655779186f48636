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

//! `/api/v1/{items|media|terms}/{id}/revisions`: former states, listed, read, compared, brought back.

use serde_json::{Value, json};

use crate::support::{Person, Request, TestServer};

/// May change content and see and revert its history, but not publish it.
const CURATOR: Person = Person {
    uid: 4,
    name: "curator",
    password: "a curator's password",
    permissions: &[
        "edit any islandora_object content",
        "view all revisions",
        "revert all revisions",
    ],
};

fn get(request: Request) -> Value {
    request.send().expect(200).json()
}

fn vids(page: &Value) -> Vec<i64> {
    let revisions = page["revisions"].as_array().expect("revisions");
    revisions
        .iter()
        .filter_map(|one| one["vid"].as_i64())
        .collect()
}

/// Sets fields of a node; the revision that this makes.
#[track_caller]
fn patch(server: &TestServer, nid: i64, fields: Value) -> i64 {
    let body = crate::support::merge(json!({"type": [{"target_id": "islandora_object"}]}), fields);
    let answer = server.patch(&format!("/node/{nid}")).as_admin().json(body);
    answer
        .send()
        .expect(200)
        .value("vid")
        .as_i64()
        .expect("a vid")
}

fn titled(title: &str) -> Value {
    json!({"title": [{"value": title}]})
}

/// A node that was called One, Two and Three, and its revisions.
fn renamed(server: &TestServer) -> (i64, [i64; 3]) {
    let nid = server.create_object("One");
    let first = server.node(nid)["vid"][0]["value"].as_i64().expect("a vid");
    let second = patch(server, nid, titled("Two"));
    (nid, [first, second, patch(server, nid, titled("Three"))])
}

#[test]
fn every_change_leaves_the_former_state_readable() {
    let server = TestServer::shared();
    let (nid, [first, second, third]) = renamed(server);
    let path = format!("/api/v1/items/{nid}/revisions");
    let all = get(server.get(&path).as_admin());
    assert_eq!(vids(&all), [third, second, first]);
    assert_eq!(
        (&all["next"], &all["revisions"][0]["current"]),
        (&Value::Null, &json!(true))
    );
    let page = get(server.get(&format!("{path}?limit=2")).as_admin());
    assert_eq!(vids(&page), [third, second]);
    let next = page["next"].as_str().expect("a second page");
    let rest = get(server
        .get(&format!("{path}?limit=2&after={next}"))
        .as_admin());
    assert_eq!((vids(&rest), &rest["next"]), (vec![first], &Value::Null));
    let former = get(server.get(&format!("{path}/{first}")).as_admin());
    assert_eq!(former["resource"]["title"], json!([{"value": "One"}]));
    assert_eq!(former["resource"]["vid"], json!([{"value": first}]));
    assert_eq!(former["revision"]["user"]["name"], "admin");
    let other = server.create_object("Other");
    server
        .get(&format!("/api/v1/items/{other}/revisions/{first}"))
        .as_admin()
        .send()
        .expect(404);
    server
        .get(&format!("{path}?after=x"))
        .as_admin()
        .send()
        .expect(400);
}

#[test]
fn two_states_are_compared_field_by_field() {
    let server = TestServer::shared();
    let (nid, [first, second, third]) = renamed(server);
    patch(server, nid, json!({"field_extent": [{"value": "1 map"}]}));
    let path = format!("/api/v1/items/{nid}/revisions");
    let changes = get(server.get(&format!("{path}/{second}/changes")).as_admin());
    assert_eq!(changes["before"]["vid"], first);
    let title = json!([{
        "field": "title", "label": "Title", "type": "string",
        "before": [{"value": "One"}], "after": [{"value": "Two"}],
    }]);
    assert_eq!(changes["fields"], title);
    let changes = get(server
        .get(&format!("{path}/{first}/changes?since={third}"))
        .as_admin());
    assert_eq!(changes["fields"][0]["before"], json!([{"value": "Three"}]));
    let changes = get(server.get(&format!("{path}/{first}/changes")).as_admin());
    assert_eq!(changes["before"], Value::Null);
    let made: Vec<_> = changes["fields"]
        .as_array()
        .expect("fields")
        .iter()
        .collect();
    assert!(
        made.iter().any(|field| field["field"] == "field_model"),
        "{made:?}"
    );
    server
        .get(&format!("{path}/{first}/changes?since=0"))
        .as_admin()
        .send()
        .expect(400);
}

#[test]
fn a_revert_is_an_update_like_any_other() {
    let server = TestServer::shared();
    let (nid, [first, _, third]) = renamed(server);
    let path = format!("/api/v1/items/{nid}/revisions/{first}/revert");
    let stale = format!("\"{first}-x\"");
    server
        .post(&path)
        .as_admin()
        .header("If-Match", stale)
        .send()
        .expect(412);
    let log = json!({"log": "It was better before"});
    let fresh = format!("\"{third}-x\"");
    let answer = server
        .post(&path)
        .as_admin()
        .header("If-Match", fresh)
        .json(log)
        .send()
        .expect(200);
    assert_eq!(answer.value("title"), "One");
    assert!(answer.value("vid").as_i64() > Some(third));
    let now = server
        .get(&format!("/node/{nid}?_format=json"))
        .as_admin()
        .send()
        .expect(200);
    assert_eq!(
        (now.etag(), now.value("title")),
        (answer.etag(), json!("One"))
    );
    let history = get(server
        .get(&format!("/api/v1/items/{nid}/revisions"))
        .as_admin());
    assert_eq!(history["revisions"].as_array().map(Vec::len), Some(4));
    assert_eq!(history["revisions"][0]["log"], "It was better before");
    let list = get(server
        .get("/api/v1/items?q=One&sort=nid&order=desc")
        .as_admin());
    assert_eq!(list["items"][0]["nid"], nid);
}

#[test]
fn what_a_former_state_names_must_still_be_there() {
    let server = TestServer::shared();
    let tid = server.create_term("subject", "Gone tomorrow");
    let subject = json!({"field_subject": [{"target_id": tid}]});
    let nid = server.create_object_with("Tagged", subject);
    let tagged = server.node(nid)["vid"][0]["value"].clone();
    patch(
        server,
        nid,
        json!({"field_subject": [], "title": [{"value": "Bare"}]}),
    );
    server
        .delete(&format!("/taxonomy/term/{tid}"))
        .as_admin()
        .send()
        .expect(204);
    let path = format!("/api/v1/items/{nid}/revisions/{tagged}/revert");
    let gone = format!(
        "field_subject.0.target_id: The referenced entity (taxonomy_term: {tid}) does not exist."
    );
    server
        .post(&path)
        .as_admin()
        .send()
        .expect_violations(&[&gone]);
    let title = json!({"fields": ["title"]});
    assert_eq!(
        server
            .post(&path)
            .as_admin()
            .json(title)
            .send()
            .expect(200)
            .value("title"),
        "Tagged"
    );
    server
        .post(&format!("/api/v1/trash/taxonomy_term/{tid}/restore"))
        .as_admin()
        .send()
        .expect(204);
    let whole = server.post(&path).as_admin().send().expect(200).json();
    assert_eq!(whole["field_subject"][0]["target_id"], tid);
    server
        .post(&path)
        .as_admin()
        .json(json!({"fields": ["nope"]}))
        .send()
        .expect(422);
    server
        .post(&path)
        .as_admin()
        .json(json!({"fields": 1}))
        .send()
        .expect(422);
    server
        .post(&path)
        .as_admin()
        .body("text/plain", "x")
        .send()
        .expect(415);
}

#[test]
fn no_revert_makes_a_circle() {
    let server = TestServer::shared();
    let top = server.create_object("Top");
    let below = server.create_object("Below");
    let inside = patch(
        server,
        top,
        json!({"field_member_of": [{"target_id": below}]}),
    );
    patch(server, top, json!({"field_member_of": []}));
    patch(
        server,
        below,
        json!({"field_member_of": [{"target_id": top}]}),
    );
    let path = format!("/api/v1/items/{top}/revisions/{inside}/revert");
    let refused = server.post(&path).as_admin().send().expect(422);
    assert!(
        refused.message().contains("field_member_of.0.target_id"),
        "{}",
        refused.message()
    );
}

#[test]
fn who_may_not_publish_reverts_what_they_may_set() {
    let server = TestServer::start();
    server.introduce(CURATOR);
    let (nid, [first, ..]) = renamed(&server);
    patch(&server, nid, json!({"promote": [{"value": false}]}));
    let path = format!("/api/v1/items/{nid}/revisions/{first}/revert");
    server.post(&path).send().expect(401);
    server.post(&path).as_plain().send().expect(403);
    // The depositor may edit, but not revert.
    server.post(&path).as_depositor().send().expect(403);
    let refused = server.post(&path).signed_in(CURATOR).send().expect(403);
    assert!(
        refused.message().contains("'promote'"),
        "{}",
        refused.message()
    );
    let title = json!({"fields": ["title"]});
    let reverted = server
        .post(&path)
        .signed_in(CURATOR)
        .json(title)
        .send()
        .expect(200);
    assert_eq!(reverted.value("title"), "One");
    assert_eq!(reverted.value("promote"), false);
}

#[test]
fn a_state_that_was_hidden_stays_hidden() {
    let server = TestServer::start();
    server.introduce(CURATOR);
    let nid = server.create_object_with("Secret", json!({"status": [{"value": false}]}));
    let hidden = server.node(nid)["vid"][0]["value"].as_i64().expect("a vid");
    let shown = patch(
        &server,
        nid,
        json!({"title": [{"value": "Open"}], "status": [{"value": true}]}),
    );
    let path = format!("/api/v1/items/{nid}/revisions");
    let list = get(server.get(&path).signed_in(CURATOR));
    assert_eq!((vids(&list), &list["next"]), (vec![shown], &Value::Null));
    for hidden in [
        format!("{path}/{hidden}"),
        format!("{path}/{hidden}/changes"),
        format!("{path}/{shown}/changes?since={hidden}"),
    ] {
        server.get(&hidden).signed_in(CURATOR).send().expect(404);
        server.get(&hidden).as_admin().send().expect(200);
    }
    let changes = server
        .get(&format!("{path}/{shown}/changes"))
        .signed_in(CURATOR)
        .send()
        .expect(200);
    assert!(!changes.text().contains("Secret"), "{}", changes.text());
    let revert = format!("{path}/{hidden}/revert");
    server.post(&revert).signed_in(CURATOR).send().expect(404);
    let since = format!("{path}?limit=1");
    assert_eq!(
        get(server.get(&since).signed_in(CURATOR))["next"],
        Value::Null
    );
    patch(&server, nid, json!({"status": [{"value": false}]}));
    for path in [
        path.clone(),
        format!("{path}/{shown}"),
        format!("{path}/{shown}/changes"),
    ] {
        server.get(&path).signed_in(CURATOR).send().expect(404);
    }
}

#[test]
fn terms_have_a_history_too() {
    let server = TestServer::shared();
    let tid = server.create_term("tags", "Portolan");
    let path = format!("/taxonomy/term/{tid}");
    let first = server.get(&path).send().expect(200).value("revision_id");
    let body = json!({"vid": [{"target_id": "tags"}], "name": [{"value": "Portolan chart"}]});
    server
        .patch(&path)
        .as_depositor()
        .json(body)
        .send()
        .expect(200);
    let history = format!("/api/v1/terms/{tid}/revisions");
    assert_eq!(vids(&get(server.get(&history).as_depositor())).len(), 2);
    server.get(&history).as_plain().send().expect(403);
    let reverted = server
        .post(&format!("{history}/{first}/revert"))
        .as_depositor()
        .send()
        .expect(200);
    assert_eq!(reverted.value("name"), "Portolan");
    server
        .get("/api/v1/terms/99999/revisions")
        .as_admin()
        .send()
        .expect(404);
}

//! `publish_on` and `unpublish_on`: when an item is published and unpublished.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, merge, outcome};

const TIMES: [&str; 2] = ["2999-01-01T00:00:00+00:00", "2999-06-01T00:00:00+00:00"];

fn times(server: &TestServer, [publish, unpublish]: [&str; 2]) -> Value {
    let times = json!({"publish_on": [{"value": publish}], "unpublish_on": [{"value": unpublish}]});
    merge(server.object("Under embargo"), times)
}

#[test]
fn times_are_fields_that_are_there_once_they_are_set() {
    let server = TestServer::start();
    let plain = server.create_object("Plain");
    let node = |nid: i64| {
        server
            .get(&format!("/node/{nid}?_format=json"))
            .as_admin()
            .send()
            .json()
    };
    assert!(node(plain).get("publish_on").is_none());
    let post = server
        .post("/node?_format=json")
        .json(times(&server, TIMES));
    let nid = post.as_admin().send().expect(201).created();
    for (field, time) in ["publish_on", "unpublish_on"].into_iter().zip(TIMES) {
        assert_eq!(node(nid)[field][0]["value"], time);
    }
    let patch = |body: Value| -> Request<'_> {
        let body = merge(json!({"type": [{"target_id": "islandora_object"}]}), body);
        server
            .patch(&format!("/node/{nid}?_format=json"))
            .json(body)
    };
    patch(json!({"publish_on": []}))
        .as_admin()
        .send()
        .expect(200);
    assert!(node(nid).get("publish_on").is_none());
    let early = json!({"publish_on": [{"value": "2999-07-01T00:00:00+00:00"}]});
    let refused = patch(early).as_admin().send().expect(422);
    assert!(refused.text().contains("not after"), "{}", refused.text());
    let none = json!({"publish_on": [{"value": "soon"}]});
    patch(none).as_admin().send().expect(422);
    let reversed = server
        .post("/node?_format=json")
        .json(times(&server, [TIMES[1], TIMES[0]]));
    reversed.as_admin().send().expect(422);
}

#[test]
fn times_are_set_by_tables_and_in_many_items_at_once() {
    let server = TestServer::start();
    let items = ["Letters", "Diaries"].map(|title| server.create_object(title));
    let columns = "node_id,publish_on,unpublish_on";
    let table = format!("{columns}\n{},{},{}\n", items[0], TIMES[0], TIMES[1]);
    let import = server.post("/api/v1/import/table").as_admin();
    let begun = import.body("text/csv", table.clone()).send().expect(202);
    assert_eq!(
        outcome(&server.batch_ended(&begun.json())),
        [Some(1), Some(0)]
    );
    let export = |nid: i64| {
        let path = format!("/api/v1/export?nids={nid}&columns={columns}");
        server.get(&path).as_admin().send().expect(200).text()
    };
    assert_eq!(export(items[0]).replace('\r', ""), table);
    let change = json!({"act": "set", "field": "publish_on", "values": [{"value": TIMES[0]}]});
    let batch = server.run_batch(json!({"nids": items}), change);
    assert_eq!(outcome(&batch)[0], Some(1), "{batch}");
    assert!(export(items[1]).contains(TIMES[0]));
}

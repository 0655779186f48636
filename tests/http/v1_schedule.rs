//! `publish_on` and `unpublish_on`: when an item is published and unpublished.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, merge};

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

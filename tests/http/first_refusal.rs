//! Of several reasons to refuse a request, which one is told.

use serde_json::{Value, json};

use crate::support::{Request, TestServer};

fn everybody(request: &Request<'static>) -> [Request<'static>; 3] {
    [
        request.clone(),
        request.clone().as_plain(),
        request.clone().as_admin(),
    ]
}

#[test]
fn what_is_not_there_is_not_there_for_anybody() {
    let server = TestServer::shared();
    let nouns = [
        ("node", "/node/", "/node/{node}"),
        ("media", "/media/", "/media/{media}"),
        (
            "taxonomy_term",
            "/taxonomy/term/",
            "/taxonomy/term/{taxonomy_term}",
        ),
        ("file", "/entity/file/", "/entity/file/{file}"),
    ];
    for (noun, path, template) in nouns {
        for id in [
            "99999999",
            "abc",
            "0",
            "-1",
            "1.5",
            "9999999999999999999999",
            "%20",
        ] {
            for method in ["GET", "PATCH", "DELETE"] {
                if (noun, method) == ("file", "PATCH") {
                    continue;
                }
                let message = format!(
                    "The \"{noun}\" parameter was not converted for the path \"{template}\" (route name: \"rest.entity.{noun}.{method}\")"
                );
                let mut request = server.request(method, &format!("{path}{id}?_format=json"));
                if method == "PATCH" {
                    request = request.body("application/json", "{");
                }
                for asked in everybody(&request) {
                    asked.send().expect_message(404, &message);
                }
            }
        }
    }
}

#[test]
fn who_asks_comes_before_what_they_say() {
    let server = TestServer::shared();
    let nid = server.create_object("Not theirs");
    let mid = server.upload_image(nid, "public://first/a.png");
    let tid = server.create_term("subject", "Not theirs");
    let anonymous = "No authentication credentials provided.";
    for (method, path, permission) in [
        (
            "POST",
            "/node".to_owned(),
            "create islandora_object content",
        ),
        (
            "PATCH",
            format!("/node/{nid}"),
            "edit any islandora_object content",
        ),
        // Which permission is missing depends on what the body asks for.
        ("POST", "/entity/media".to_owned(), ""),
        ("PATCH", format!("/media/{mid}"), "update any media"),
        ("POST", "/taxonomy/term".to_owned(), ""),
        (
            "PATCH",
            format!("/taxonomy/term/{tid}"),
            "edit terms in subject",
        ),
    ] {
        for body in ["{", "", "null", "{\"zzz\":1}"] {
            let request = server.request(method, &format!("{path}?_format=json"));
            let request = request.body("application/json", body);
            let refused = request.clone().send().expect_message(401, anonymous);
            let challenge = refused.header("www-authenticate").unwrap_or_default();
            assert!(challenge.starts_with("Basic realm=\""), "{challenge}");
            let denied = request.clone().as_plain().send();
            if !permission.is_empty() {
                let words = denied.expect(403).message();
                assert!(words.contains(permission), "{path}: {words}");
            }
            let malformed = request.as_admin().send();
            assert!(
                [400, 422].contains(&malformed.status),
                "{path} {body}: {}",
                malformed.status
            );
        }
        let text = server
            .request(method, &path)
            .as_admin()
            .body("text/plain", "{}");
        text.send().expect_message(
            415,
            "No route found that matches \"Content-Type: text/plain\"",
        );
        let none = server.request(method, &path).as_admin().bytes("{}");
        none.send()
            .expect_message(415, "No \"Content-Type\" request header specified");
    }
}

#[test]
fn the_first_unknown_part_of_a_type_is_told_before_its_fields() {
    let server = TestServer::shared();
    for (path, key) in [
        ("/node", "type"),
        ("/entity/media", "bundle"),
        ("/taxonomy/term", "vid"),
    ] {
        let post = |body: Value| server.post(path).as_admin().json(body).send();
        let missing =
            format!("Could not determine entity type bundle: \"{key}\" field is missing.");
        for sent in [
            json!({}),
            json!([]),
            json!(null),
            json!(12),
            json!({"target_id": "image"}),
            json!([{}]),
        ] {
            post(json!({key: sent, "zzz": 1})).expect_message(422, &missing);
        }
        post(json!({"zzz": 1})).expect_message(422, &missing);
        let unknown = "\"nope\" is not a valid bundle type for denormalization.";
        post(json!({key: [{"target_id": "nope"}], "zzz": 1})).expect_message(422, unknown);
    }
}

#[test]
fn fields_that_one_may_not_write_are_refused_by_role() {
    let server = TestServer::shared();
    let nid = server.create_object("Read-only");
    let post = |field: &str, items: Value| {
        let mut body = server.object("Read-only");
        body[field] = items;
        server.post("/node?_format=json").json(body)
    };
    let patch = |field: &str, items: Value| {
        let body = json!({"type": "islandora_object", field: items});
        server
            .patch(&format!("/node/{nid}?_format=json"))
            .json(body)
    };
    for (field, items) in [
        ("nid", json!([{"value": nid + 1}])),
        ("vid", json!([{"value": 1}])),
        ("changed", json!([{"value": "2001-01-01T00:00:00+00:00"}])),
        (
            "revision_timestamp",
            json!([{"value": "2001-01-01T00:00:00+00:00"}]),
        ),
        ("revision_uid", json!([{"target_id": 3}])),
    ] {
        let creating = format!("Access denied on creating field '{field}'.");
        let updating = format!("Access denied on updating field '{field}'.");
        for request in [
            post(field, items.clone()).as_admin(),
            post(field, items.clone()).as_depositor(),
        ] {
            request.send().expect_message(403, &creating);
        }
        for request in [
            patch(field, items.clone()).as_admin(),
            patch(field, items).as_depositor(),
        ] {
            let message = request.send().expect(403).message();
            assert!(message.starts_with(&updating), "{message}");
        }
        let same = server.node(nid)[field].clone();
        patch(field, same).as_depositor().send().expect(200);
    }
    for (field, items) in [
        ("status", json!([{"value": false}])),
        ("uid", json!([{"target_id": 3}])),
        ("created", json!([{"value": "2001-01-01T00:00:00+00:00"}])),
        ("promote", json!([{"value": false}])),
        ("sticky", json!([{"value": true}])),
    ] {
        let creating = format!("Access denied on creating field '{field}'.");
        let updating = format!(
            "Access denied on updating field '{field}'. The 'administer nodes' permission is required."
        );
        post(field, items.clone())
            .as_depositor()
            .send()
            .expect_message(403, &creating);
        post(field, json!([]))
            .as_depositor()
            .send()
            .expect_message(403, &creating);
        patch(field, items.clone())
            .as_depositor()
            .send()
            .expect_message(403, &updating);
        post(field, items.clone()).as_admin().send().expect(201);
        let same = server.node(nid)[field].clone();
        patch(field, same).as_depositor().send().expect(200);
        patch(field, items).as_admin().send().expect(200);
    }
}

#[test]
fn a_whole_body_that_was_read_may_be_sent_back_by_everybody_who_may_change_it() {
    let server = TestServer::shared();
    let nid = server.create_object("Round trip");
    let path = format!("/node/{nid}?_format=json");
    for who in [Request::as_admin, Request::as_depositor] {
        let mut body = who(server.get(&path)).send().expect(200).json();
        body["title"] = json!([{"value": "Sent back"}]);
        let kept = who(server.patch(&path))
            .json(body)
            .send()
            .expect(200)
            .json();
        assert_eq!(kept["title"], json!([{"value": "Sent back"}]));
    }
}

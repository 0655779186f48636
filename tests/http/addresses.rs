//! Aliases and redirects: addresses that people give.

use serde_json::{Value, json};

use crate::support::{Response, TestServer};

fn alias(server: &TestServer, path: &str, alias: &str) -> Response {
    let body = json!({"path": [{"value": path}], "alias": [{"value": alias}]});
    let request = server.post("/entity/path_alias?_format=json").as_admin();
    request.json(body).send()
}

fn redirect(server: &TestServer, source: &str, target: &str) -> Response {
    let body = json!({
        "type": [{"value": "redirect"}], "redirect_source": [{"path": source}],
        "redirect_redirect": [{"uri": target}], "status_code": [{"value": 301}],
    });
    let request = server.post("/entity/redirect?_format=json").as_admin();
    request.json(body).send()
}

#[test]
fn an_alias_answers_as_the_address_does() {
    let server = TestServer::shared();
    let nid = server.create_object("Maps");
    let path = format!("/node/{nid}");
    let made = alias(server, &path, "/Maps of the West").expect(201).json();
    assert_eq!(made["path"][0]["value"], path);
    for address in ["/Maps%20of%20the%20West", "/maps%20of%20the%20west/"] {
        let answer = server
            .get(&format!("{address}?_format=json"))
            .send()
            .expect(200);
        assert_eq!(answer.json(), server.node(nid));
        server.head(address).send().expect(200);
    }
    let change =
        json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Charts"}]});
    let changed = server
        .patch("/maps%20of%20the%20west")
        .as_admin()
        .json(change);
    assert_eq!(changed.send().expect(200).value("title"), "Charts");
    let page = server
        .get("/maps%20of%20the%20west")
        .header("Accept", "text/html");
    assert_eq!(
        page.send().expect(302).header("location"),
        Some(path.as_str())
    );
    let node = server.node(nid);
    assert_eq!(
        node["path"],
        json!([{"alias": "/Maps of the West", "langcode": "en", "pid": null}])
    );
    let own = format!("/entity/path_alias/{}", made["id"][0]["value"]);
    assert_eq!(server.get(&own).send().expect(200).json(), made);
    server.delete(&own).as_admin().send().expect(204);
    server.get("/maps%20of%20the%20west").send().expect(404);
    server.get(&own).send().expect(404);
}

#[test]
fn an_alias_comes_with_a_resource_and_goes_with_it() {
    let server = TestServer::start();
    let given = json!({"path": [{"alias": "/first"}]});
    let nid = server.create_object_with("First", given.clone());
    server.get("/first").send().expect(200);
    let again = crate::support::merge(server.object("Second"), given);
    let refused = server.post("/node").as_admin().json(again.clone()).send();
    refused.expect_message(422, "Unprocessable Entity: validation failed.\npath.0.alias: The alias /first is already in use.\n");
    server
        .delete(&format!("/node/{nid}"))
        .as_admin()
        .send()
        .expect(204);
    server.get("/first").send().expect(404);
    let restore = format!("/api/v1/trash/node/{nid}/restore");
    server.post(&restore).as_admin().send().expect(204);
    server.get("/first").send().expect(200);
    let change =
        json!({"type": [{"target_id": "islandora_object"}], "path": [{"alias": "/other"}]});
    server
        .patch(&format!("/node/{nid}"))
        .as_admin()
        .json(change)
        .send()
        .expect(200);
    server.get("/other").send().expect(200);
    server.get("/first").send().expect(404);
    server
        .post("/node")
        .as_admin()
        .json(again)
        .send()
        .expect(201);
    // What a client has read, it may send back.
    let echo =
        json!({"type": [{"target_id": "islandora_object"}], "path": server.node(nid)["path"]});
    server
        .patch(&format!("/node/{nid}"))
        .as_admin()
        .json(echo)
        .send()
        .expect(200);
    let none = json!({"vid": [{"target_id": "tags"}], "name": [{"value": "A"}], "path": [{"alias": null, "pid": null, "langcode": "en"}]});
    server
        .post("/taxonomy/term")
        .as_admin()
        .json(none)
        .send()
        .expect(201);
}

#[test]
fn an_alias_that_cannot_be_is_refused() {
    let server = TestServer::shared();
    let nid = server.create_object("Refused");
    let path = format!("/node/{nid}");
    for wrong in [
        "maps", "/", "", "/node/5", "/API/v1", "/a?b", "/a#b", "/../a", "/a//b", "/a\u{0}b",
        "/a%2fb",
    ] {
        alias(server, &path, wrong).expect(422);
    }
    for wrong in ["/node/x", "/user/1", "/entity/file/1", "", "node/1"] {
        alias(server, wrong, "/fine").expect(422);
    }
    alias(server, "/node/999999", "/fine").expect(404);
    let bodies = [
        json!({}),
        json!([]),
        json!({"path": 1, "alias": {}}),
        json!({"path": [[]], "alias": [null]}),
    ];
    for body in bodies {
        server
            .post("/entity/path_alias")
            .as_admin()
            .json(body)
            .send()
            .expect(422);
    }
    let long = format!("/{}", "a".repeat(300));
    alias(server, &path, &long).expect(422);
    assert!(server.node(nid).get("path").is_none());
}

#[test]
fn a_redirect_leads_elsewhere() {
    let server = TestServer::start();
    let nid = server.create_object("Target");
    server
        .head("/entity/redirect?_format=json")
        .send()
        .expect(405);
    let made = redirect(
        &server,
        "islandora/object/ab:1",
        &format!("internal:/node/{nid}"),
    );
    let made = made.expect(201).json();
    let led = server
        .head("/islandora/object/ab:1?page=2")
        .send()
        .expect(301);
    assert_eq!(
        led.header("location"),
        Some(format!("/node/{nid}?page=2").as_str())
    );
    redirect(&server, "/out", "https://example.org/ä b").expect(422);
    redirect(&server, "/out", "https://example.org/a?b=c").expect(201);
    let out = server.get("/OUT?d=e").send().expect(301);
    assert_eq!(out.header("location"), Some("https://example.org/a?b=c"));
    server
        .post("/out")
        .as_admin()
        .json(json!({}))
        .send()
        .expect(404);
    alias(&server, &format!("/node/{nid}"), "/out").expect(422);
    redirect(&server, "out/", "internal:/node").expect(422);
    let own = format!("/entity/redirect/{}", made["rid"][0]["value"]);
    let read = server.get(&own).as_admin().send().expect(200).json();
    assert_eq!(
        read["redirect_redirect"][0]["uri"],
        format!("internal:/node/{nid}")
    );
    server.delete(&own).as_admin().send().expect(204);
    server.head("/islandora/object/ab:1").send().expect(404);
}

#[test]
fn a_redirect_that_cannot_be_is_refused() {
    let server = TestServer::shared();
    let long = format!("https://a.org/{}", "a".repeat(3000));
    for (source, target) in [
        ("", "internal:/node"),
        ("node/5", "internal:/node"),
        ("a?b", "internal:/node"),
        ("loop", "internal:/loop"),
        ("a", "javascript:alert(1)"),
        ("a", "//evil.example"),
        ("a", "https://"),
        ("a", "https:///x"),
        ("a", "ftp://example.org/"),
        ("a", "https://example.org/\r\nSet-Cookie: a=b"),
        ("a", &long),
        ("a", ""),
    ] {
        redirect(server, source, target).expect(422);
    }
    for status in [json!(200), json!("x"), json!(1e9), json!(-1), Value::Null] {
        let body = json!({
            "redirect_source": [{"path": "s"}], "redirect_redirect": [{"uri": "internal:/node"}],
            "status_code": [{"value": status}],
        });
        let request = server.post("/entity/redirect").as_admin().json(body);
        request.send().expect(422);
    }
}

#[test]
fn no_address_hides_one_of_the_program() {
    use isolario_model::content::address::is_own;
    for template in crate::routes::templates() {
        assert!(is_own(&template) || template == "/", "{template}");
    }
}

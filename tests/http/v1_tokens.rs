//! `/api/v1/tokens`: access tokens, by which services sign in: made, shown once, used, revoked.

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Request, Response, TestServer, merge};
use crate::v1_users::change;

const PATH: &str = "/api/v1/tokens";

fn make(server: &TestServer, body: Value) -> Request<'_> {
    server.post(PATH).json(body)
}

fn list(server: &TestServer, query: &str) -> Value {
    let path = format!("{PATH}?{query}");
    server.get(&path).as_admin().send().expect(200).json()
}

/// What the bearer of a token is answered who asks for the own account.
fn status(server: &TestServer, token: &str) -> Response {
    server.get("/api/v1/session").bearer(token).send()
}

fn revoke(server: &TestServer, token: &Value) {
    let path = format!("{PATH}/{}", token["id"]);
    server.delete(&path).as_admin().send().expect(204);
}

#[test]
fn a_token_is_told_once_and_signs_in_as_its_account() {
    let server = TestServer::start();
    let body = json!({"name": "Workbench", "expires": "2999-01-01T00:00:00Z"});
    let made = make(&server, body).signed_in(DEPOSITOR).send().expect(201);
    let made = made.json();
    let token = made["token"].as_str().expect("a token").to_owned();
    assert!(token.starts_with("isolario_"), "{token}");
    assert_eq!(made["name"], "Workbench");
    assert_eq!(made["user"], json!({"uid": 2, "name": "depositor"}));
    assert_eq!(made["expires"], "2999-01-01T00:00:00+00:00");
    assert_eq!(made["last_used"], Value::Null);
    let session = status(&server, &token).expect(200).json();
    assert_eq!(session["user"]["name"], "depositor");
    let own = server.get(PATH).bearer(&token).send().expect(200);
    assert_eq!(own.json()["total"], 1);
    for answer in [own, server.get(PATH).as_admin().send().expect(200)] {
        assert!(!answer.text().contains(&token));
    }
    server.until_logged(&["POST /api/v1/tokens 201 user=2"]);
    assert!(!server.log().contains("isolario_"));
}

#[test]
fn a_token_does_what_its_account_may_and_no_more() {
    let server = TestServer::start();
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let [admin, plain] = [ADMIN, PLAIN].map(|person| server.access_token(person, "A service"));
    let path = format!("/node/{hidden}");
    server.get(&path).bearer(&admin).send().expect(200);
    server.get(&path).bearer(&plain).send().expect(403);
    let post = |token: &str| {
        server
            .post("/node")
            .bearer(token)
            .json(server.object("Made"))
    };
    assert_eq!(
        post(&admin).send().expect(201).json()["uid"][0]["target_id"],
        1
    );
    post(&plain).send().expect(403);
    let upload = server.put(&server.upload_path(hidden, "file", "Original File"));
    let upload = upload.header("Content-Location", "public://tokens/a.txt");
    upload
        .body("text/plain", "x")
        .bearer(&admin)
        .send()
        .expect(201);
    change(&server, PLAIN.uid, json!({"roles": ["editor"]}))
        .as_admin()
        .send()
        .expect(200);
    post(&plain).send().expect(201);
}

#[test]
fn what_is_no_token_opens_nothing() {
    let server = TestServer::start();
    let token = server.access_token(ADMIN, "A service");
    let swapped: String = token[9..].chars().rev().collect();
    let altered = [
        token[..token.len() - 1].to_owned(),
        format!("{token}0"),
        format!("isolario_{swapped}"),
        token.to_uppercase(),
        token.replace("isolario_", ""),
        "isolario_".to_owned(),
    ];
    for bad in altered {
        let refused = status(&server, &bad);
        let refused = refused.expect_message(401, "The bearer token is not valid.");
        let challenge = refused.header("www-authenticate").expect("a challenge");
        assert!(challenge.starts_with("Bearer "), "{challenge}");
    }
    let by_basic = server.get("/api/v1/session").basic("admin", &token);
    by_basic.send().expect(401);
    status(&server, &token).expect(200);
}

#[test]
fn a_token_ends_when_it_is_revoked_and_when_its_time_is_over() {
    let server = TestServer::start();
    let soon = chrono::Utc::now() + chrono::TimeDelta::seconds(2);
    let made = |body: Value| make(&server, body).as_admin().send().expect(201).json();
    let brief = made(json!({"name": "Brief", "expires": soon.to_rfc3339()}));
    let lasting = made(json!({"name": "Lasting"}));
    let token = lasting["token"].as_str().expect("a token");
    let stranger = server.delete(&format!("{PATH}/{}", lasting["id"]));
    stranger
        .as_plain()
        .send()
        .expect_message(404, &format!("There is no token {}.", lasting["id"]));
    status(&server, token).expect(200);
    revoke(&server, &lasting);
    status(&server, token).expect(401);
    server
        .delete(&format!("{PATH}/{}", lasting["id"]))
        .as_admin()
        .send()
        .expect(404);
    let brief = brief["token"].as_str().expect("a token");
    while chrono::Utc::now() <= soon {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    status(&server, brief).expect(401);
    assert_eq!(
        list(&server, "")["tokens"][0]["name"],
        "Brief",
        "it is told until it is revoked"
    );
}

#[test]
fn a_disabled_account_has_no_valid_token_and_another_password_ends_none() {
    let server = TestServer::start();
    let token = server.access_token(PLAIN, "A service");
    let set = |body: Value| {
        change(&server, PLAIN.uid, body)
            .as_admin()
            .send()
            .expect(200)
    };
    set(json!({"password": "another password", "name": "renamed"}));
    assert_eq!(
        status(&server, &token).expect(200).json()["user"]["name"],
        "renamed"
    );
    set(json!({"active": false}));
    status(&server, &token).expect(401);
    make(&server, json!({"name": "Next", "user": PLAIN.uid}))
        .as_admin()
        .send()
        .expect_violations(&["user: There is no account 3 that may sign in."]);
    set(json!({"active": true}));
    status(&server, &token).expect(200);
}

#[test]
fn who_came_by_a_token_gets_no_other() {
    let server = TestServer::start();
    let token = server.access_token(ADMIN, "A service");
    let words = "An access token makes no other token. Sign in by a password.";
    let body = json!({"name": "Another"});
    make(&server, body.clone())
        .bearer(&token)
        .send()
        .expect_message(403, words);
    server
        .get("/jwt/token")
        .bearer(&token)
        .send()
        .expect_message(403, words);
    let form = json!({"name": ADMIN.name, "pass": ADMIN.password});
    server
        .post("/user/login")
        .bearer(&token)
        .json(form)
        .send()
        .expect(403);
    let signed = server.token(ADMIN.name, ADMIN.password);
    make(&server, body).bearer(&signed).send().expect(201);
}

#[test]
fn a_body_that_breaks_a_rule_is_refused() {
    let server = TestServer::start();
    let post = |body: Value| make(&server, body).as_admin().send();
    post(json!({"name": "Taken"})).expect(201);
    let refused = |body: Value, line: &str| {
        post(body).expect_violations(&[line]);
    };
    refused(
        json!({"name": "Taken"}),
        "name: There is already a token Taken of this account.",
    );
    refused(json!({"name": " "}), "name: A name may not be empty.");
    refused(
        json!({"name": "a "}),
        "name: A name may not begin or end with a space.",
    );
    refused(
        json!({"name": "a\nb"}),
        "name: A name may not hold control characters.",
    );
    refused(
        json!({"name": "n".repeat(61)}),
        "name: A name may not be longer than 60 characters.",
    );
    let past = json!({"name": "a", "expires": "2001-01-01T00:00:00Z"});
    refused(past, "expires: This time has passed.");
    refused(
        json!({"name": "a", "user": 999}),
        "user: There is no account 999 that may sign in.",
    );
    for body in [
        json!({}),
        json!({"name": 5}),
        json!({"name": "a", "expires": "soon"}),
        json!({"name": "a", "hash": "x"}),
    ] {
        post(body).expect(422);
    }
    let raw = |kind: &str, body: &str| server.post(PATH).as_admin().body(kind, body).send();
    raw("application/json", "{").expect(400);
    raw("text/plain", "{}").expect(415);
    assert_eq!(list(&server, "")["total"], 1);
    // Another account may have one of the same name.
    make(&server, json!({"name": "Taken", "user": PLAIN.uid}))
        .as_admin()
        .send()
        .expect(201);
}

#[test]
fn an_account_has_at_most_a_hundred_tokens_and_pages_hold_them_once() {
    let server = TestServer::start();
    for number in 0..100 {
        make(&server, json!({"name": format!("{number}")}))
            .as_plain()
            .send()
            .expect(201);
    }
    let words = "This account has 100 access tokens. Revoke one first.";
    let one_more = || make(&server, json!({"name": "more"})).as_plain().send();
    one_more().expect_message(429, words);
    let (mut names, mut after) = (Vec::new(), String::new());
    loop {
        let page = list(&server, &format!("user=3&limit=40&after={after}"));
        assert_eq!(page["total"], 100);
        let tokens = page["tokens"].as_array().expect("tokens").iter();
        names.extend(tokens.map(|token| token["name"].as_str().map(str::to_owned)));
        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut after),
            None => break,
        }
    }
    let newest_first = (0..100).rev().map(|number| Some(number.to_string()));
    assert!(names.into_iter().eq(newest_first));
    revoke(&server, &list(&server, "limit=1")["tokens"][0]);
    one_more().expect(201);
}

#[test]
fn a_ticket_ends_with_the_token_that_it_was_given_to() {
    let server = TestServer::start();
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    server.upload_image(hidden, "public://tokens/hidden.png");
    let made = make(&server, json!({"name": "A service"}))
        .as_admin()
        .send()
        .expect(201)
        .json();
    let media = server.get(&format!("/api/v1/items/{hidden}/media"));
    let media = media
        .bearer(made["token"].as_str().expect("a token"))
        .send()
        .expect(200)
        .json();
    let address = media["media"][0]["file"]["view_url"]
        .as_str()
        .expect("an address");
    let path = server.path_of(address);
    server.get(&path).send().expect(200);
    revoke(&server, &made);
    server.get(&path).send().expect(404);
}

#[test]
fn the_last_use_is_told_and_noted_once_a_minute() {
    let server = TestServer::start();
    let token = server.access_token(PLAIN, "A service");
    let used = || list(&server, "")["tokens"][0]["last_used"].clone();
    assert_eq!(used(), Value::Null);
    status(&server, &token).expect(200);
    let start = std::time::Instant::now();
    while used().is_null() {
        assert!(start.elapsed().as_secs() < 60, "the use was never noted");
    }
    let first = used();
    for _ in 0..20 {
        status(&server, &token).expect(200);
    }
    assert_eq!(used(), first);
}

#[test]
fn a_token_for_reading_sees_what_its_account_sees_and_changes_nothing() {
    let server = TestServer::start();
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let made = make(&server, json!({"name": "Report", "scope": "read"})).as_admin();
    let made = made.send().expect(201).json();
    assert_eq!(made["scope"], "read");
    let token = made["token"].as_str().expect("a token");
    let node = format!("/node/{hidden}?_format=json");
    let read = server.get(&node).bearer(token).send().expect(200);
    assert_eq!(read.json()["title"][0]["value"], "Hidden");
    let changes = [
        server.post("/node?_format=json"),
        server.patch(&node),
        server.delete(&node),
        server.put(&format!("/node/{hidden}/media/image/1")),
        server.post("/api/v1/backups"),
        server.delete(&format!("{PATH}/{}", made["id"])),
        // It would be more than the token.
        server.get("/jwt/token"),
    ];
    for change in changes {
        let refused = change.bearer(token).json(json!({})).send().expect(403);
        assert!(
            refused.text().contains("access token"),
            "{}",
            refused.text()
        );
    }
    server.get(&node).bearer(token).send().expect(200);
    let listed = list(&server, "");
    assert_eq!(listed["tokens"][0]["last_address"], "127.0.0.1");
}

#[test]
fn a_token_for_a_collection_changes_what_is_in_it_and_sees_what_its_account_sees() {
    let server = TestServer::start();
    let model = json!([{"target_id": server.term("islandora_models", "Collection")}]);
    let maps = server.create_object_with("Maps", json!({"field_model": model}));
    let inside = |nid: i64| json!({"field_member_of": [{"target_id": nid}]});
    let chart = server.create_object_with("Chart", inside(maps));
    let hidden = server.create_object_with("Letter", json!({"status": [{"value": false}]}));
    let scope = |body: Value| make(&server, merge(json!({"name": "Scanner"}), body)).as_admin();
    let made = scope(json!({"scope": "collection", "collection": maps}));
    let made = made.send().expect(201).json();
    assert_eq!(made["collection"], json!({"nid": maps, "title": "Maps"}));
    let token = made["token"].as_str().expect("a token");
    let rename = |nid: i64| {
        let body =
            json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "New"}]});
        let request = server.patch(&format!("/node/{nid}")).bearer(token);
        request.json(body).send().status
    };
    let put = |fields: Value| {
        let body = merge(server.object("Made"), fields);
        server.post("/node").bearer(token).json(body).send().status
    };
    let read = server.get(&format!("/node/{hidden}")).bearer(token);
    assert_eq!(
        [rename(chart), rename(hidden), read.send().status],
        [200, 403, 200]
    );
    assert_eq!(
        [put(inside(maps)), put(inside(hidden)), put(json!({}))],
        [201, 403, 403]
    );
    for wrong in [
        json!({"scope": "collection"}),
        json!({"scope": "collection", "collection": chart}),
        json!({"scope": "read", "collection": maps}),
    ] {
        scope(wrong).send().expect(422);
    }
}

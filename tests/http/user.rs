//! `/user/…` and `/session/token`: sessions of a browser, and accounts.

use serde_json::{Value, json};

use crate::support::{ADMIN, PLAIN, Person, Response, TestServer};

/// A signed-in browser.
pub struct Session {
    pub cookie: String,
    pub body: Value,
}

/// Signs in as a browser does.
pub fn log_in(server: &TestServer, person: Person) -> Session {
    let answer = server
        .post("/user/login?_format=json")
        .json(json!({"name": person.name, "pass": person.password}))
        .send()
        .expect(200);
    let cookie = answer.header("set-cookie").expect("a cookie");
    for word in ["HttpOnly", "SameSite=Lax", "path=/"] {
        assert!(
            cookie.to_lowercase().contains(&word.to_lowercase()),
            "{cookie} lacks {word}"
        );
    }
    let cookie = cookie.split(';').next().expect("a pair").to_owned();
    Session {
        cookie,
        body: answer.json(),
    }
}

fn create(server: &TestServer, session: &Session, token: Option<&str>) -> Response {
    let request = server
        .post("/node")
        .header("Cookie", session.cookie.clone())
        .json(server.object("By cookie"));
    match token {
        Some(token) => request.header("X-CSRF-Token", token).send(),
        None => request.send(),
    }
}

#[test]
fn a_session_begins_works_and_ends() {
    let server = TestServer::shared();
    let session = log_in(server, ADMIN);
    assert_eq!(session.body["current_user"]["uid"], "1");
    let token = session.body["csrf_token"]
        .as_str()
        .expect("a token")
        .to_owned();

    create(server, &session, None).expect_message(403, "X-CSRF-Token request header is missing");
    create(server, &session, Some("wrong"))
        .expect_message(403, "X-CSRF-Token request header is invalid");
    create(server, &session, Some(&token)).expect(201);
    let other = server
        .get("/session/token")
        .header("Cookie", session.cookie.clone())
        .send()
        .expect(200)
        .text();
    create(server, &session, Some(&other)).expect(201);

    let logout = session.body["logout_token"].as_str().expect("a token");
    let post = |path: &str| {
        server
            .post(path)
            .header("Cookie", session.cookie.clone())
            .header("X-CSRF-Token", token.clone())
            .send()
    };
    post("/user/logout?_format=json")
        .expect_message(403, "'csrf_token' URL query argument is missing.");
    post("/user/logout?_format=json&token=no")
        .expect_message(403, "'csrf_token' URL query argument is invalid.");
    post(&format!("/user/logout?_format=json&token={logout}")).expect(204);
    create(server, &session, Some(&token)).expect(401);
}

#[test]
fn login_status_is_one_or_nought() {
    let server = TestServer::shared();
    let path = "/user/login_status?_format=json";
    assert_eq!(server.get(path).send().expect(200).text(), "0");
    let session = log_in(server, PLAIN);
    assert_eq!(
        server
            .get(path)
            .header("Cookie", session.cookie)
            .send()
            .expect(200)
            .text(),
        "1"
    );
}

#[test]
fn every_unsafe_method_with_a_cookie_needs_its_token() {
    let server = TestServer::shared();
    let nid = server.create_object("Cookie");
    let mid = server.upload_image(nid, "public://user/cookie.png");
    let session = log_in(server, ADMIN);
    for request in [
        server.patch(&format!("/node/{nid}")).json(json!({})),
        server.delete(&format!("/node/{nid}")),
        server
            .put(&server.upload_path(nid, "file", "Service File"))
            .body("text/plain", "x"),
        server
            .put(&format!("/media/{mid}/source"))
            .body("text/plain", "x"),
        server
            .post("/file/upload/media/image/field_media_image")
            .body("application/octet-stream", "x"),
        server.delete(&format!("/media/{mid}")),
        server.post("/taxonomy/term").json(json!({})),
    ] {
        let request = request.header("Cookie", session.cookie.clone());
        request
            .send()
            .expect_message(403, "X-CSRF-Token request header is missing");
    }
    server
        .get(&format!("/node/{nid}"))
        .header("Cookie", session.cookie)
        .send()
        .expect(200);
}

#[test]
fn a_dead_cookie_is_cleared_and_means_nobody() {
    let server = TestServer::shared();
    let name = log_in(server, PLAIN)
        .cookie
        .split('=')
        .next()
        .expect("a name")
        .to_owned();
    let nid = server.create_object("Dead cookie");
    let answer = server
        .get(&format!("/node/{nid}"))
        .header("Cookie", format!("{name}=dead"))
        .send()
        .expect(200);
    let cleared = answer.header("set-cookie").expect("a cookie to forget");
    assert!(
        cleared.starts_with(&format!("{name}=")) && cleared.to_lowercase().contains("max-age=0"),
        "{cleared}"
    );
    server
        .delete(&format!("/node/{nid}"))
        .header("Cookie", format!("{name}=dead"))
        .send()
        .expect(401);
}

#[test]
fn a_session_outlasts_the_browser_unless_that_is_not_wanted() {
    let server = TestServer::shared();
    let cookie = |keep: Value| {
        let form = json!({"name": PLAIN.name, "pass": PLAIN.password});
        let form = crate::support::merge(form, keep);
        let answer = server.post("/user/login").json(form).send().expect(200);
        answer.header("set-cookie").expect("a cookie").to_owned()
    };
    for kept in [json!({}), json!({"keep": true})] {
        assert!(cookie(kept).contains("; Max-Age=2000000; "));
    }
    let brief = cookie(json!({"keep": false}));
    assert!(
        !brief.contains("Max-Age") && !brief.contains("Expires"),
        "{brief}"
    );
    let pair = brief.split(';').next().expect("a pair");
    let own = server.get("/user/3").header("Cookie", pair);
    own.send().expect(200);
}

#[test]
fn a_wrong_password_says_how_many_tries_are_left_whether_there_is_such_a_name_or_not() {
    let server = TestServer::start();
    for (number, name) in ["plain", "nobody of that name"].into_iter().enumerate() {
        let from = [127, 4, 0, 10 + u8::try_from(number).expect("few")];
        for left in (0..5).rev() {
            let form = json!({"name": name, "pass": "a guess"});
            let post = server.post("/user/login").from(from.into()).json(form);
            assert_eq!(post.send().expect(400).json()["tries_left"], left, "{name}");
        }
        let form = json!({"name": name, "pass": "a guess"});
        let waits = server.post("/user/login").from(from.into()).json(form);
        assert_eq!(waits.send().expect(429).json()["tries_left"], Value::Null);
    }
    let basic = server.get("/user/3").from([127, 4, 0, 12].into());
    let basic = basic.basic("plain", "a guess").send().expect(401);
    assert_eq!(basic.json()["tries_left"], 4);
}

#[test]
fn a_login_says_what_is_missing() {
    let server = TestServer::shared();
    let post = |body: Value| {
        server
            .post("/user/login?_format=json")
            .from([127, 4, 0, 1].into())
            .json(body)
            .send()
    };
    post(json!({})).expect_message(400, "Missing credentials.");
    post(json!({"name": "admin"})).expect_message(400, "Missing credentials.pass.");
    post(json!({"pass": "x"})).expect_message(400, "Missing credentials.name.");
    post(json!({"name": "admin", "pass": "x"}))
        .expect_message(400, "Sorry, unrecognized username or password.");
    post(json!({"name": "nobody", "pass": "x"}))
        .expect_message(400, "Sorry, unrecognized username or password.");
    post(json!({"name": [], "pass": {}})).expect_refusal();
    let odd = json!({"name": "admin", "pass": "x", "keep": "yes"});
    post(odd).expect_message(400, "credentials.keep is true or false.");
    let signed_in = server
        .post("/user/login?_format=json")
        .as_admin()
        .json(json!({"name": "admin", "pass": "x"}))
        .send();
    signed_in.expect_message(403, "This route can only be accessed by anonymous users.");
}

#[test]
fn an_account_is_for_its_owner_and_those_who_may() {
    let server = TestServer::shared();
    let account = server
        .get("/user/3?_format=json")
        .as_plain()
        .send()
        .expect(200)
        .json();
    assert_eq!(account["name"], json!([{"value": "plain"}]));
    assert!(account.get("pass").is_none(), "{account}");
    server
        .get("/user/1?_format=json")
        .as_plain()
        .send()
        .expect_message(
            403,
            "The 'access user profiles' permission is required and the user must be active.",
        );
    server.get("/user/3?_format=json").send().expect(401);
    server
        .get("/user/3?_format=json")
        .as_admin()
        .send()
        .expect(200);
    server
        .get("/user/99999?_format=json")
        .as_admin()
        .send()
        .expect(404);
}

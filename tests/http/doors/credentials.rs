//! Credentials that do not hold: no door opens to them, and none treats their bearer as nobody in particular.
//! Only a session that has ended is forgotten, as a browser cannot help sending it.

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::{Door, Things, Way, doors};
use crate::support::{ADMIN, DEPOSITOR, Person, Request, TestServer};

/// Asks at every door; what was not answered as expected, one a line.
fn asked(
    server: &TestServer,
    things: &Things,
    sign: impl for<'a> Fn(Request<'a>, usize) -> Request<'a>,
    expected: impl Fn(&Door) -> u16,
) -> Vec<String> {
    let doors = doors();
    let wrong = doors.iter().enumerate().filter_map(|(number, door)| {
        let answer = sign((door.make)(server, things), number).send();
        let expected = expected(door);
        (answer.status != expected)
            .then(|| format!("{}: {}, not {expected}", answer.request, answer.status))
    });
    wrong.collect()
}

#[track_caller]
fn assert_refused(
    server: &TestServer,
    things: &Things,
    sign: impl for<'a> Fn(Request<'a>, usize) -> Request<'a>,
) {
    let wrong = asked(server, things, sign, |_| 401);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A token of somebody whose time is over, signed with the right key.
fn expired(server: &TestServer, token: &str) -> String {
    let now = chrono::Utc::now().timestamp();
    let claims = json!({
        "iat": now - 7300,
        "exp": now - 100,
        "drupal": {"uid": ADMIN.uid.to_string()},
        "webid": ADMIN.uid.to_string(),
        "iss": format!("https://{}", server.address()),
        "sub": ADMIN.name,
        "roles": ["authenticated"],
        "aud": ["islandora"],
    });
    let header = Header {
        kid: jsonwebtoken::decode_header(token).expect("a header").kid,
        ..Header::new(jsonwebtoken::Algorithm::RS256)
    };
    let key = EncodingKey::from_rsa_pem(&server.signing_key()).expect("an RSA key");
    encode(&header, &claims, &key).expect("signed")
}

fn bearer_of(server: &TestServer, person: Person) -> String {
    match Way::bearer(server, person) {
        Way::Bearer(token) => token,
        _ => unreachable!("that is what it makes"),
    }
}

#[test]
fn who_is_unknown_is_refused_everywhere() {
    let server = TestServer::start();
    let things = Things::new(&server);
    // One guess for each name: more would be flood control's.
    assert_refused(&server, &things, |request, number| {
        request.basic(&format!("unknown{number}"), "a password")
    });
}

#[test]
fn a_token_that_is_none_or_over_is_refused_everywhere() {
    let server = TestServer::start();
    let things = Things::new(&server);
    let token = bearer_of(&server, ADMIN);
    server.get("/user/1").bearer(&token).send().expect(200);
    let over = expired(&server, &token);
    for bad in [over.as_str(), "no.token.atall"] {
        assert_refused(&server, &things, |request, _| request.bearer(bad));
    }
}

#[test]
fn a_disabled_account_is_refused_everywhere_and_its_session_is_forgotten() {
    let server = TestServer::start();
    let things = Things::new(&server);
    let token = bearer_of(&server, DEPOSITOR);
    let cookie = Way::cookie(&server, DEPOSITOR);
    let session = |server: &TestServer| -> Value {
        cookie
            .sign(server.get("/api/v1/session"))
            .send()
            .expect(200)
            .json()
    };
    assert_eq!(session(&server)["user"]["name"], DEPOSITOR.name);
    server
        .patch(&format!("/api/v1/users/{}", DEPOSITOR.uid))
        .as_admin()
        .json(json!({"active": false}))
        .send()
        .expect(200);
    assert_refused(&server, &things, |request, _| request.bearer(&token));
    let nobody = |door: &Door| door.statuses[3];
    let wrong = asked(&server, &things, |request, _| cookie.sign(request), nobody);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

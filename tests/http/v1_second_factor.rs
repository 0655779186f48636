//! The second factor: codes of an app beside the password, as a choice of each account.

use chrono::Utc;
use serde_json::{Value, json};
use totp_rs::Totp;

use crate::support::{DEPOSITOR, PLAIN, Request, Response, TestServer, merge};
use crate::v1_users::change;

/// An app that has the secret.
struct App {
    secret: Value,
    totp: Totp,
}

impl App {
    /// An app that has taken a new secret of the depositor's from its address.
    fn of(server: &TestServer) -> App {
        let offer = server.post("/api/v1/users/2/second_factor").as_depositor();
        let offered = offer.send().expect(200).json();
        let address = offered["address"].as_str().expect("an address");
        assert!(
            offered["qr_code"]["path"]
                .as_str()
                .is_some_and(|path| path.len() > 100)
        );
        App {
            secret: offered["secret"].clone(),
            totp: Totp::from_url(address).expect("an address that apps read"),
        }
    }

    /// The code of so many steps from now on. The present one and the next let in for thirty seconds at least.
    fn code(&self, steps: i64) -> String {
        let time = Utc::now().timestamp() + 30 * steps;
        self.totp
            .generate(u64::try_from(time).expect("after 1970"))
            .to_string()
    }

    fn factor(&self, code: &str) -> Value {
        let factor = json!({"secret": self.secret, "code": code});
        json!({"second_factor": factor, "current_password": DEPOSITOR.password})
    }
}

fn own(server: &TestServer, body: Value) -> Request<'_> {
    change(server, DEPOSITOR.uid, body).as_depositor()
}

fn sign_in(server: &TestServer, code: Option<&str>) -> Response {
    let body = json!({"name": DEPOSITOR.name, "pass": DEPOSITOR.password});
    let code = code.map_or(json!({}), |code| json!({ "code": code }));
    server
        .post("/user/login?_format=json")
        .json(merge(body, code))
        .send()
}

/// A server on which the depositor has set up a second factor, with its present code.
fn with_factor() -> (TestServer, App) {
    let server = TestServer::start();
    let app = App::of(&server);
    let changed = own(&server, app.factor(&app.code(0))).send().expect(200);
    assert_eq!(changed.json()["second_factor"], true);
    (server, app)
}

#[test]
fn who_has_one_signs_in_with_its_code_once() {
    let (server, app) = with_factor();
    let needed = sign_in(&server, None).expect(400);
    assert_eq!(needed.json()["code"], "second_factor_needed");
    for wrong in ["000000", "12345", &app.code(-5)] {
        sign_in(&server, Some(wrong)).expect(400);
    }
    let next = app.code(1);
    sign_in(&server, Some(&next)).expect(200);
    sign_in(&server, Some(&next)).expect(400);
}

#[test]
fn wrong_codes_are_counted_as_wrong_passwords_are() {
    let (server, app) = with_factor();
    let mut waits = false;
    for _ in 0..20 {
        waits = waits || sign_in(&server, Some("000000")).status == 429;
    }
    assert!(waits);
    sign_in(&server, Some(&app.code(1))).expect(429);
}

#[test]
fn a_password_alone_lets_in_no_other_way_and_an_access_token_does() {
    let server = TestServer::start();
    let token = server.access_token(DEPOSITOR, "A script");
    let app = App::of(&server);
    own(&server, app.factor(&app.code(0))).send().expect(200);
    let get = || server.get("/api/v1/users/2");
    let refused = get().as_depositor().send().expect(401);
    assert_eq!(refused.json()["code"], "second_factor_needed");
    let wrong = get().basic(DEPOSITOR.name, "wrong").send().expect(401);
    assert_ne!(
        wrong.json()["code"],
        "second_factor_needed",
        "a password is not guessed so"
    );
    server.get("/jwt/token").as_depositor().send().expect(401);
    get().bearer(&token).send().expect(200);
}

#[test]
fn it_is_set_up_by_oneself_with_the_password_and_a_present_code() {
    let server = TestServer::start();
    let app = App::of(&server);
    let without = json!({"second_factor": {"secret": app.secret, "code": app.code(0)}});
    own(&server, without).send().expect(422);
    let wrong = |secret: Value, code: &str| {
        let factor = json!({"secret": secret, "code": code});
        let body = json!({"second_factor": factor, "current_password": DEPOSITOR.password});
        own(&server, body).send().expect(422);
    };
    wrong(app.secret.clone(), "000000");
    wrong(app.secret.clone(), &app.code(-5));
    wrong(json!("AAAA"), &app.code(0));
    wrong(json!(7), &app.code(0));
    let others = change(&server, DEPOSITOR.uid, app.factor(&app.code(0))).as_admin();
    others.send().expect(422);
    server
        .post("/api/v1/users/2/second_factor")
        .as_admin()
        .send()
        .expect(403);
    let account = server
        .get("/api/v1/users/2")
        .as_depositor()
        .send()
        .expect(200);
    assert_eq!(account.json()["second_factor"], false);
}

#[test]
fn it_is_taken_away_by_oneself_and_by_who_administers_accounts() {
    let (server, _) = with_factor();
    let off = |more: Value| {
        change(
            &server,
            DEPOSITOR.uid,
            merge(json!({"second_factor": null}), more),
        )
    };
    off(json!({})).signed_in(PLAIN).send().expect(403);
    off(json!({})).as_admin().send().expect(200);
    sign_in(&server, None).expect(200);
    let app = App::of(&server);
    own(&server, app.factor(&app.code(0))).send().expect(200);
    let session = sign_in(&server, Some(&app.code(1))).expect(200);
    let cookie = session
        .header("set-cookie")
        .expect("a cookie")
        .split(';')
        .next()
        .expect("a pair")
        .to_owned();
    let csrf = session.json()["csrf_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let by_session = |body: Value| {
        let request = off(body).header("Cookie", cookie.clone());
        request.header("X-CSRF-Token", csrf.clone()).send()
    };
    by_session(json!({})).expect(422);
    by_session(json!({"current_password": DEPOSITOR.password})).expect(200);
    sign_in(&server, None).expect(200);
}

//! Tickets in the addresses of pictures: they end with what their owner came in by.

use serde_json::json;

use crate::support::{ADMIN, Request, TestServer};
use crate::v1_users::{SECRET, add, change};

/// A hidden picture, and two who administer everything.
struct Hidden {
    server: TestServer,
    nid: i64,
    second: i64,
}

impl Hidden {
    fn new() -> Hidden {
        let server = TestServer::start();
        let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
        server.upload_image(nid, "public://tickets/hidden.png");
        let second = add(&server, "second", &["administrator"]);
        Hidden {
            server,
            nid,
            second,
        }
    }

    /// The address of the picture, with a ticket for whoever asks.
    fn address(&self, sign: impl FnOnce(Request<'_>) -> Request<'_>) -> String {
        let list = self
            .server
            .get(&format!("/api/v1/items/{}/media", self.nid));
        let list = sign(list).send().expect(200).json();
        let url = list["media"][0]["file"]["view_url"].as_str();
        let path = self.server.path_of(url.expect("an address"));
        assert!(path.contains("ticket="), "{path}");
        self.shows(&path, 200);
        path
    }

    #[track_caller]
    fn shows(&self, path: &str, status: u16) {
        self.server.get(path).send().expect(status);
    }

    fn change_second(&self, body: serde_json::Value) {
        let request = change(&self.server, self.second, body);
        request.as_admin().send().expect(200);
    }
}

#[test]
fn a_ticket_ends_with_the_password() {
    let hidden = Hidden::new();
    let path = hidden.address(|request| request.basic("second", SECRET));
    let token = hidden.server.token("second", SECRET);
    let by_token = hidden.address(|request| request.bearer(&token));
    hidden.change_second(json!({"password": "another password"}));
    hidden.shows(&path, 404);
    hidden.shows(&by_token, 404);
    hidden.address(|request| request.basic("second", "another password"));
}

#[test]
fn a_ticket_of_an_account_that_was_disabled_does_not_come_back() {
    let hidden = Hidden::new();
    let path = hidden.address(|request| request.basic("second", SECRET));
    hidden.change_second(json!({"active": false}));
    hidden.shows(&path, 404);
    hidden.change_second(json!({"active": true}));
    hidden.shows(&path, 404);
}

#[test]
fn a_ticket_ends_with_signing_out() {
    let hidden = Hidden::new();
    let form = json!({"name": "second", "pass": SECRET});
    let sign_in = || {
        let answer = hidden.server.post("/user/login").json(form.clone()).send();
        let answer = answer.expect(200);
        let cookie = answer.header("set-cookie").expect("a cookie");
        let pair = cookie.split(';').next().unwrap_or_default().to_owned();
        let logout = answer.json()["logout_token"].as_str().map(str::to_owned);
        (pair, logout.expect("a token"))
    };
    let (cookie, logout) = sign_in();
    let (other, _) = sign_in();
    let path = hidden.address(|request| request.header("Cookie", cookie.as_str()));
    let other = hidden.address(|request| request.header("Cookie", other.as_str()));
    let out = hidden.server.post(&format!("/user/logout?token={logout}"));
    out.header("Cookie", cookie.as_str()).send().expect(204);
    hidden.shows(&path, 404);
    hidden.shows(&other, 200);
}

#[test]
fn a_ticket_of_the_window_does_not_depend_on_a_password() {
    let hidden = Hidden::new();
    let key = format!("Window {}", hidden.server.window_key());
    let path = hidden.address(|request| request.header("Authorization", key.as_str()));
    let body = json!({"password": "another password", "current_password": ADMIN.password});
    let changed = change(&hidden.server, 1, body).as_admin();
    changed.send().expect(200);
    hidden.shows(&path, 200);
}

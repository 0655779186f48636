//! `/api/v1/server`: how the server runs, and the switch of the local network. What other machines
//! then reach is tried in `tests/cli/lan`.

use serde_json::{Value, json};

use crate::support::{ADMIN, PLAIN, TestServer};

/// Nobody else hears of it: this machine plays the network.
const ALONE: &str = "[lan]\naddress = \"127.0.0.1\"\nannounce = false\n";

fn switch(enabled: bool) -> Value {
    json!({"lan": {"enabled": enabled}})
}

#[test]
fn the_server_is_for_administrators() {
    let server = TestServer::shared();
    let words = "The server is for administrators.";
    for path in ["/api/v1/server", "/api/v1/server/requests"] {
        server.get(path).send().expect(401);
        server
            .get(path)
            .as_plain()
            .send()
            .expect_message(403, words);
        server
            .get(path)
            .as_depositor()
            .send()
            .expect_message(403, words);
        server.get(path).as_admin().send().expect(200);
    }
    let change = || server.patch("/api/v1/server").json(switch(true));
    change().send().expect(401);
    change().as_depositor().send().expect_message(403, words);
    let status = server.get("/api/v1/server").as_admin().send().json();
    assert_eq!(status["lan"]["enabled"], false);
    assert_eq!(status["lan"]["serving"], Value::Null);
}

#[test]
fn it_says_where_it_listens_and_who_may_sign_in_how() {
    let server = TestServer::start_with(
        "[tokens]\nissue = false\n[rest.POST]\nformats = [\"json\"]\nauthentication = [\"cookie\"]\n",
    );
    let status = server
        .get("/api/v1/server")
        .as_admin()
        .send()
        .expect(200)
        .json();
    assert_eq!(status["address"], server.address().to_string());
    assert_eq!(status["warnings"], json!([]));
    assert_eq!(status["tokens"], false);
    let ways = status["sign_in"].as_array().expect("a list");
    assert_eq!(
        ways[0],
        json!({"method": "GET", "basic": true, "bearer": true, "cookie": true})
    );
    assert_eq!(
        ways[1],
        json!({"method": "POST", "basic": false, "bearer": false, "cookie": true})
    );
    assert_eq!(ways[3]["method"], "PUT");
}

#[test]
fn a_change_that_makes_no_sense_changes_nothing() {
    let server = TestServer::start_with(ALONE);
    let patch = || server.patch("/api/v1/server").as_admin();
    patch()
        .body("application/json", "{")
        .send()
        .expect_message(400, "The body is not JSON.");
    patch()
        .body("text/plain", switch(true).to_string())
        .send()
        .expect(415);
    for wrong in [
        json!(null),
        json!([]),
        json!({}),
        json!({"lan": true}),
        json!({"lan": {}}),
        json!({"lan": {"enabled": "yes"}}),
        json!({"lan": {"enabled": true, "plain_http": true}}),
        json!({"lan": {"enabled": true}, "address": "0.0.0.0:80"}),
    ] {
        let answer = patch().json(wrong.clone()).send().expect(422);
        assert!(
            answer.text().contains("makes no sense"),
            "{wrong}: {}",
            answer.text()
        );
    }
    patch()
        .body("application/json", " ".repeat(70_000))
        .send()
        .expect(413);
    let status = server.get("/api/v1/server").as_admin().send().json();
    assert_eq!(status["lan"]["serving"], Value::Null);
}

#[test]
fn the_network_is_switched_on_twice_and_off_twice() {
    let server = TestServer::start_with(ALONE);
    let patch = |enabled| {
        let answer = server
            .patch("/api/v1/server")
            .as_admin()
            .json(switch(enabled))
            .send();
        answer.expect(200).json()["lan"].clone()
    };
    let on = patch(true);
    assert_eq!(
        (&on["enabled"], &on["problem"]),
        (&json!(true), &Value::Null)
    );
    let url = on["serving"]["urls"][0].as_str().expect("an address");
    assert!(url.starts_with("https://127.0.0.1:"), "{url}");
    let fingerprint = on["serving"]["certificate"]["fingerprint"]
        .as_str()
        .expect("shown");
    assert_eq!(fingerprint.split(':').count(), 32);
    assert_eq!(on["serving"]["qr_code"]["size"], 25);
    assert_eq!(patch(true)["serving"], on["serving"]);
    for _ in 0..2 {
        let off = patch(false);
        assert_eq!(
            (&off["enabled"], &off["serving"]),
            (&json!(false), &Value::Null)
        );
    }
    let again = patch(true)["serving"].clone();
    assert_eq!(again["certificate"], on["serving"]["certificate"]);
}

#[test]
fn recent_requests_name_people_and_hold_no_query() {
    let server = TestServer::start();
    server
        .get("/user/1?_format=json&ticket=geheim")
        .as_admin()
        .send()
        .expect(200);
    server
        .get("/user/1")
        .basic("plain", "wrong")
        .send()
        .expect(401);
    let list = "/api/v1/server/requests?secret=geheim";
    server.get(list).as_admin().send().expect(200);
    let answer = server.get(list).as_admin().send().expect(200);
    assert!(!answer.text().contains("geheim"), "{}", answer.text());
    let requests = answer.json()["requests"].clone();
    let requests = requests.as_array().expect("a list");
    let [refused, seen] = [&requests[0], &requests[1]];
    assert_eq!(
        (&refused["status"], &refused["user"]),
        (&json!(401), &Value::Null)
    );
    assert_eq!(seen["user"], json!({"uid": 1, "name": "admin"}));
    assert_eq!(
        (
            &seen["method"],
            &seen["path"],
            &seen["status"],
            &seen["origin"],
            &seen["from"]
        ),
        (
            &json!("GET"),
            &json!("/user/1"),
            &json!(200),
            &json!("rest"),
            &json!("127.0.0.1")
        )
    );
}

#[test]
fn requests_of_services_have_the_name_of_their_token_and_all_are_counted() {
    let server = TestServer::start();
    let token = server.access_token(PLAIN, "Scanner room");
    let told = || {
        let list = server.get("/api/v1/server/requests").as_admin();
        list.send().expect(200).json()
    };
    let before = told()["last_hour"].clone();
    server.get("/user/3").bearer(&token).send().expect(200);
    server.get("/user/1").bearer(&token).send().expect(403);
    server.until_logged(&["GET /user/1 403 user=3 token=1 origin=rest"]);
    let after = told();
    let newest = &after["requests"][0];
    assert_eq!(newest["user"]["name"], "plain");
    assert_eq!(newest["token"], "Scanner room");
    let grown = |key: &str| {
        let number = |sum: &Value| sum[key].as_i64().expect("a number");
        number(&after["last_hour"]) - number(&before)
    };
    assert_eq!(
        [grown("requests"), grown("refused"), grown("failed")],
        [2, 1, 0]
    );
    server
        .delete("/api/v1/tokens/1")
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(told()["requests"][1]["token"], Value::Null);
}

#[test]
fn who_may_sign_in_is_counted() {
    let server = TestServer::start();
    let counts = || {
        let status = server.get("/api/v1/server").as_admin().send().expect(200);
        status.json()["may_sign_in"].clone()
    };
    assert_eq!(counts(), json!({"people": 3, "tokens": 0}));
    server.access_token(PLAIN, "Scanner room");
    server.access_token(ADMIN, "Workbench");
    assert_eq!(counts(), json!({"people": 3, "tokens": 2}));
    let disabled = server.patch("/api/v1/users/3").as_admin();
    disabled.json(json!({"active": false})).send().expect(200);
    assert_eq!(counts(), json!({"people": 2, "tokens": 1}));
}

#[test]
fn behind_a_proxy_that_encrypts_cookies_never_go_in_the_open() {
    let server = TestServer::start_with("base_url = \"https://archive.example\"\n");
    let body = json!({"name": "admin", "pass": "an admin's password"});
    let entered = server.post("/user/login?_format=json");
    let entered = entered.header("Host", "archive.example").json(body);
    let entered = entered
        .header("Origin", "https://archive.example")
        .send()
        .expect(200);
    let cookie = entered.header("set-cookie").expect("a cookie");
    assert!(
        cookie.starts_with("SSESS") && cookie.ends_with("; Secure"),
        "{cookie}"
    );
    let pair = cookie.split(';').next().expect("a pair").to_owned();
    let status = |host: &str| {
        let request = server
            .get("/user/login_status?_format=json")
            .header("Host", host);
        request.header("Cookie", pair.clone()).send().text()
    };
    assert_eq!(status("archive.example"), "1");
    assert_eq!(status(&server.address().to_string()), "0");
}

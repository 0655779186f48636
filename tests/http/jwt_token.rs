//! `/jwt/token`, and what a bearer token opens.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde_json::{Value, json};

use crate::support::{ADMIN, TestServer};

fn part(token: &str, index: usize) -> Value {
    let text = token.split('.').nth(index).expect("three parts");
    serde_json::from_slice(&BASE64.decode(text).expect("base64")).expect("JSON")
}

#[test]
fn a_token_says_who_and_how_long() {
    let token = TestServer::shared().token(ADMIN.name, ADMIN.password);
    let (header, claims) = (part(&token, 0), part(&token, 1));
    assert_eq!(header["alg"], "RS256");
    assert!(header["kid"].is_string());
    assert_eq!(claims["sub"], "admin");
    assert_eq!(claims["webid"], "1");
    assert_eq!(claims["drupal"]["uid"], "1");
    assert_eq!(claims["aud"], json!(["islandora"]));
    assert_eq!(
        claims["exp"].as_i64().expect("a time") - claims["iat"].as_i64().expect("a time"),
        7200
    );
    assert!(
        claims["roles"]
            .as_array()
            .is_some_and(|roles| roles.contains(&json!("administrator")))
    );
}

#[test]
fn a_token_opens_what_its_owner_may() {
    let server = TestServer::shared();
    let token = server.token(ADMIN.name, ADMIN.password);
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    server
        .get(&format!("/node/{nid}?_format=jsonld"))
        .bearer(&token)
        .send()
        .expect(200);
    server
        .post("/node")
        .bearer(&token)
        .json(server.object("By token"))
        .send()
        .expect(201);
    let upload = server
        .put(&server.upload_path(nid, "file", "Original File"))
        .bearer(&token);
    upload
        .header("Content-Location", "public://jwt/a.txt")
        .body("text/plain", "x")
        .send()
        .expect(201);
    server.get("/jwt/token").bearer(&token).send().expect(200);
}

#[test]
fn a_token_that_was_tampered_with_opens_nothing() {
    let server = TestServer::shared();
    let token = server.token(ADMIN.name, ADMIN.password);
    let parts: Vec<&str> = token.split('.').collect();
    let mut claims = part(&token, 1);
    claims["exp"] = json!(99_999_999_999_i64);
    let claims = BASE64.encode(claims.to_string());
    let none = BASE64.encode(r#"{"typ":"JWT","alg":"none"}"#);
    let hs256 = BASE64.encode(r#"{"typ":"JWT","alg":"HS256"}"#);
    let reversed: String = parts[2].chars().rev().collect();
    for bad in [
        format!("{}.{claims}.{}", parts[0], parts[2]),
        format!("{none}.{}.", parts[1]),
        format!("{none}.{}", parts[1]),
        format!("{hs256}.{}.{}", parts[1], parts[2]),
        format!("{}.{}.{reversed}", parts[0], parts[1]),
        format!("{}.{}", parts[0], parts[1]),
        format!("{token}x"),
        "..".to_owned(),
    ] {
        let answer = server
            .get("/api/v1/session")
            .bearer(&bad)
            .send()
            .expect(401);
        assert!(answer.header("www-authenticate").is_some());
    }
}

#[test]
fn nobody_gets_no_token() {
    let server = TestServer::shared();
    server
        .get("/jwt/token")
        .send()
        .expect_message(401, "No authentication credentials provided.");
    server.get("/jwt/token?_format=json").send().expect(401);
}

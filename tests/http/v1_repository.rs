//! `/api/v1/repository`: the name and the picture that the repository shows to people.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::support::TestServer;

/// The beginning of a PNG with these dimensions.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

fn identity(server: &TestServer) -> Value {
    server.get("/api/v1/repository").send().expect(200).json()
}

#[test]
fn everybody_sees_the_name_and_the_picture_that_administrators_give() {
    let server = TestServer::start();
    assert_eq!(identity(&server)["name"], "Isolario");
    server.get("/api/v1/repository/picture").send().expect(404);
    let bytes = png(64, 64);
    let change = json!({"name": "Port Museum Archive", "picture": STANDARD.encode(&bytes)});
    let patch = || server.patch("/api/v1/repository").json(change.clone());
    patch().send().expect(401);
    patch().as_depositor().send().expect(403);
    let changed = patch().as_admin().send().expect(200).json();
    assert_eq!(changed, identity(&server));
    let session = server.get("/api/v1/session").send().json();
    assert_eq!(session["repository"]["name"], "Port Museum Archive");
    assert_eq!(session["repository"]["picture"], changed["picture"]);
    let picture = server.get("/api/v1/repository/picture").send().expect(200);
    assert_eq!(picture.header("content-type"), Some("image/png"));
    assert_eq!(picture.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(picture.body, bytes);
    // What is not named stays; null takes the picture away.
    let patch = |change: Value| server.patch("/api/v1/repository").json(change).as_admin();
    let renamed = patch(json!({"name": "Port Museum"})).send().json();
    assert_ne!(renamed["picture"], changed["picture"]);
    let bare = patch(json!({"picture": null})).send().json();
    assert_eq!(bare, json!({"name": "Port Museum", "picture": null}));
}

#[test]
fn what_is_no_name_and_no_small_picture_is_refused() {
    let server = TestServer::start();
    let patch = |change: Value| server.patch("/api/v1/repository").json(change).as_admin();
    let long = STANDARD.encode([png(9, 9), vec![0; 41 * 1024]].concat());
    for wrong in [
        json!({"name": ""}),
        json!({"name": " Port"}),
        json!({"name": "a\u{7}b"}),
        json!({"name": "x".repeat(101)}),
        json!({"name": 5}),
        json!({"title": "Port"}),
        json!({"picture": "no base64!"}),
        json!({"picture": STANDARD.encode("<svg onload='alert(1)'/>")}),
        json!({"picture": STANDARD.encode(b"GIF89a\x01\0\x01\0")}),
        json!({"picture": STANDARD.encode(png(513, 9))}),
        json!({"picture": STANDARD.encode(png(0, 9))}),
        json!({"picture": long}),
    ] {
        patch(wrong).send().expect(422);
    }
    patch(json!({"picture": "A".repeat(70_000)}))
        .send()
        .expect(413);
    assert_eq!(
        identity(&server),
        json!({"name": "Isolario", "picture": null})
    );
}

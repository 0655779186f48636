//! Who gets in: Basic, bearer, cookie, host names, origins and flood control, route by route.

use std::net::Ipv4Addr;

use serde_json::json;

use crate::support::{ADMIN, PLAIN, Request, TestServer};

/// A request to every kind of route, without credentials.
fn requests(server: &TestServer) -> Vec<Request<'_>> {
    let nid = server.create_object("Origin");
    let mid = server.upload_image(nid, "public://auth/a.png");
    let media = server.media(mid);
    let fid = &media["field_media_image"][0]["target_id"];
    let tid = server.create_term("tags", "Origin");
    let binary = server.path_of(
        media["field_media_image"][0]["url"]
            .as_str()
            .expect("an address"),
    );
    let upload = server.upload_path(nid, "file", "Service File");
    vec![
        server.get(&format!("/node/{nid}")),
        server.head(&format!("/node/{nid}")),
        server.post("/node").json(json!({})),
        server.patch(&format!("/node/{nid}")).json(json!({})),
        server.delete(&format!("/node/{nid}")),
        server.get(&format!("/media/{mid}")),
        server.post("/entity/media").json(json!({})),
        server.patch(&format!("/media/{mid}")).json(json!({})),
        server.delete(&format!("/media/{mid}")),
        server.get(&format!("/entity/file/{fid}")),
        server.delete(&format!("/entity/file/{fid}")),
        server.get(&format!("/taxonomy/term/{tid}")),
        server.post("/taxonomy/term").json(json!({})),
        server
            .patch(&format!("/taxonomy/term/{tid}"))
            .json(json!({})),
        server.delete(&format!("/taxonomy/term/{tid}")),
        server.get("/user/3"),
        server.get("/jwt/token"),
        server.get(&binary),
        server.put(&upload).body("text/plain", "x"),
        server
            .put(&format!("/media/{mid}/source"))
            .body("text/plain", "x"),
        server
            .post("/file/upload/media/image/field_media_image")
            .body("application/octet-stream", "x"),
        server.get("/api/v1/items"),
        server.get("/api/v1/collections?parent=root"),
        server.get("/api/v1/counts"),
        server.get("/api/v1/session"),
        server.get("/api/v1/content-model"),
        server.get("/api/v1/terms"),
        server.get("/api/v1/media"),
        server.get("/api/v1/events"),
        server.get(&format!("/api/v1/items/{nid}/revisions")),
    ]
}

/// Credentials that must never be taken for nobody.
#[test]
fn credentials_that_fail_are_a_401_on_every_route() {
    let server = TestServer::shared();
    let mut address = 0;
    for request in requests(server) {
        address += 1;
        let request = request.from(Ipv4Addr::new(127, 2, 0, address));
        for tried in [
            request.clone().basic("plain", "wrong"),
            request.clone().basic("nobody", "wrong"),
            request.clone().bearer("junk"),
            request.clone().header("Authorization", "Digest abc"),
            request.clone().header("Authorization", "Basic !!!"),
            request
                .clone()
                .header("Authorization", "Window 0123456789abcdef"),
        ] {
            let answer = tried.send();
            assert!(
                answer.status == 401,
                "{}: {} {}",
                answer.request,
                answer.status,
                answer.text()
            );
            assert!(
                answer.header("www-authenticate").is_some(),
                "{}",
                answer.request
            );
            assert!(
                answer.body.is_empty() || !answer.message().is_empty(),
                "{}",
                answer.request
            );
        }
    }
}

#[test]
fn our_own_pages_are_not_challenged() {
    let server = TestServer::shared();
    let request = server
        .post("/node")
        .json(json!({}))
        .header("X-Requested-With", "isolario");
    let answer = request.send().expect(401);
    let challenge = answer.header("www-authenticate").unwrap_or_default();
    assert!(!challenge.starts_with("Basic"), "{challenge}");
}

#[test]
fn guessing_is_slowed_down_for_the_guesser_alone() {
    let server = TestServer::shared();
    let guesser = Ipv4Addr::new(127, 3, 3, 3);
    let guess = || {
        server
            .get("/user/3")
            .from(guesser)
            .basic("plain", "guessed")
            .send()
    };
    let waits = (0..50).map(|_| guess()).find(|answer| answer.status != 401);
    let refused = waits
        .expect("somebody who guesses fifty times is slowed down")
        .expect(429);
    let seconds: u64 = refused
        .header("retry-after")
        .expect("a time")
        .parse()
        .expect("seconds");
    assert!(seconds > 0);
    assert!(!refused.message().is_empty());
    server
        .get("/user/3")
        .from(guesser)
        .as_plain()
        .send()
        .expect(429);
    server.get("/user/3").as_plain().send().expect(200);
    server
        .get("/user/1")
        .from(guesser)
        .as_admin()
        .send()
        .expect(200);
}

#[test]
fn guessing_with_many_names_is_slowed_down_for_the_address_alone() {
    let server = TestServer::start();
    let guesser = Ipv4Addr::new(127, 5, 5, 5);
    let from_there = || server.get("/user/3").from(guesser);
    from_there().as_admin().send().expect(200);
    let guess = |number: i32| {
        let name = format!("name {number}");
        from_there().basic(&name, "guessed").send()
    };
    let waits = (0..100).map(guess).find(|answer| answer.status != 401);
    let refused = waits.expect("the address is slowed down").expect(429);
    assert!(refused.header("retry-after").is_some());
    from_there().as_plain().send().expect(429);
    // Whoever has signed in from there before, whoever comes from elsewhere, and the window.
    from_there().as_admin().send().expect(200);
    server.get("/user/3").as_plain().send().expect(200);
    let key = format!("Window {}", server.window_key());
    let window = from_there().header("Authorization", key);
    window.send().expect(200);
}

#[test]
fn unknown_host_names_are_refused() {
    let server = TestServer::shared();
    let port = server.address().port();
    for host in [
        "evil.example",
        "evil.example:8460",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "169.254.169.254",
        "",
    ] {
        let answer = server.get("/node").header("Host", host).send();
        assert!(
            (400..500).contains(&answer.status),
            "{host}: {}",
            answer.status
        );
    }
    let elsewhere = server.get("http://evil.example/user/login_status").send();
    elsewhere.expect(421);
    let here = format!("http://{}/user/login_status", server.address());
    let rebound = server.get(&here).header("Host", "evil.example").send();
    assert_eq!(rebound.expect(200).text(), "0");
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}")] {
        let nid = server.create_object("Named");
        let node = server
            .get(&format!("/node/{nid}"))
            .header("Host", host.clone())
            .send()
            .expect(200);
        assert!(
            node.links()[0].starts_with(&format!("<http://{host}/")),
            "{:?}",
            node.links()
        );
    }
}

#[test]
fn pages_of_other_sites_change_nothing() {
    let server = TestServer::shared();
    let own = format!("http://{}", server.address());
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1.evil.example",
        "http://127.0.0.1:1",
    ] {
        let answer = server
            .post("/node")
            .as_admin()
            .header("Origin", origin)
            .json(server.object("Foreign"))
            .send();
        answer.expect(403);
        let read = server
            .get("/api/v1/session")
            .header("Origin", origin)
            .send()
            .expect(200);
        assert_eq!(read.header("access-control-allow-origin"), None, "{origin}");
    }
    server
        .post("/node")
        .as_admin()
        .header("Origin", own)
        .json(server.object("Own"))
        .send()
        .expect(201);
}

#[test]
fn the_window_may_read_across_origins() {
    let server = TestServer::shared();
    let preflight = server
        .request("OPTIONS", "/node/1")
        .header("Origin", "tauri://localhost")
        .header("Access-Control-Request-Method", "PATCH")
        .header(
            "Access-Control-Request-Headers",
            "authorization,content-type",
        )
        .send();
    assert!(preflight.status < 300, "{}", preflight.status);
    assert_eq!(
        preflight.header("access-control-allow-origin"),
        Some("tauri://localhost")
    );
}

#[test]
fn a_window_key_is_not_guessed_and_not_printed() {
    let server = TestServer::shared();
    server
        .get("/api/v1/session")
        .header("Authorization", "Window x")
        .send()
        .expect(401);
    let session = server
        .get("/api/v1/session")
        .as_admin()
        .send()
        .expect(200)
        .text();
    assert!(!session.to_lowercase().contains("key"), "{session}");
}

#[test]
fn a_right_answer_comes_with_its_missing_permission() {
    let server = TestServer::shared();
    let nid = server.create_object("Guarded");
    let patch = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "x"}]});
    server
        .patch(&format!("/node/{nid}"))
        .as_plain()
        .json(patch)
        .send()
        .expect_message(
            403,
            "The 'edit any islandora_object content' permission is required.",
        );
    server
        .delete(&format!("/node/{nid}"))
        .as_plain()
        .send()
        .expect_message(
            403,
            "The 'delete any islandora_object content' permission is required.",
        );
    let create = server
        .post("/node")
        .as_plain()
        .json(server.object("x"))
        .send()
        .expect(403)
        .message();
    assert!(
        create.contains("create") && create.contains("content"),
        "{create}"
    );
}

#[test]
fn rights_are_looked_at_in_every_request() {
    let server = TestServer::shared();
    for person in [ADMIN, PLAIN] {
        let session = server
            .get("/api/v1/session")
            .signed_in(person)
            .send()
            .expect(200)
            .json();
        assert_eq!(session["user"]["uid"], person.uid);
        assert_eq!(session["user"]["name"], person.name);
    }
    assert!(server.get("/api/v1/session").send().expect(200).json()["user"].is_null());
}

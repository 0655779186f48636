//! `/api/v1/events`: committed changes, as they happen and afterwards.

use std::io::{BufRead, BufReader, Read as _};
use std::net::{Ipv4Addr, TcpStream};

use serde_json::{Value, json};

use crate::support::{Request, TestServer, wire};

/// An open event stream.
struct Stream(BufReader<TcpStream>);

impl Stream {
    fn open(server: &TestServer, request: &Request) -> Stream {
        let (status, stream) = Stream::answered(server, request);
        assert!(status.contains(" 200 "), "{status}");
        stream
    }

    /// The status line, and what follows it.
    fn answered(server: &TestServer, request: &Request) -> (String, Stream) {
        use std::io::Write as _;
        let mut stream =
            wire::connect(server.address(), Ipv4Addr::LOCALHOST).expect("the server listens");
        stream
            .write_all(&request.encode())
            .expect("the server reads");
        let mut reader = BufReader::new(stream);
        let mut status = String::new();
        reader.read_line(&mut status).expect("an answer");
        (status, Stream(reader))
    }

    /// The next change that is told.
    fn next(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert!(
                self.0.read_line(&mut line).expect("a line") > 0,
                "the stream ended"
            );
            if let Some(data) = line.strip_prefix("data:")
                && let Ok(change @ Value::Object(_)) = serde_json::from_str(data.trim())
            {
                return change;
            }
        }
    }

    /// The event after which the stream begins.
    fn place(&mut self) -> String {
        let lines = self.0.by_ref().lines().map_while(Result::ok);
        let mut ids = lines.filter_map(|line| line.strip_prefix("id: ").map(str::to_owned));
        ids.next().expect("a place")
    }

    /// The next change of a node.
    fn next_of(&mut self, nid: i64) -> Value {
        loop {
            let change = self.next();
            if change["kind"] == "node" && change["entity_id"] == nid {
                return change;
            }
        }
    }
}

#[test]
fn a_change_of_many_is_told_as_one_when_it_has_ended() {
    let server = TestServer::start();
    let nids: Vec<i64> = (0..3)
        .map(|number| server.create_object(&format!("Map {number}")))
        .collect();
    let open = |request: Request| Stream::open(&server, &request);
    let (mut author, mut other) = (
        open(server.get("/api/v1/events").as_admin()),
        open(server.get("/api/v1/events").as_plain()),
    );
    let change = json!({"act": "replace_text", "find": "Map", "by": "Chart"});
    let body = json!({"items": {"nids": nids}, "change": change});
    server
        .post("/api/v1/batches")
        .as_admin()
        .json(body)
        .send()
        .expect(202);
    let end = |stream: &mut Stream| loop {
        let message = stream.next();
        assert_eq!(
            message["entity_id"],
            Value::Null,
            "no item by itself: {message}"
        );
        if message["state"] == "done" {
            return message["changed"].clone();
        }
    };
    assert_eq!(end(&mut author), json!(3));
    assert_eq!(end(&mut other), Value::Null, "numbers are for the author");
    let later = server.create_object("Later");
    assert_eq!(author.next_of(later)["action"], "create");
}

#[test]
fn a_change_is_told_with_its_actor_and_its_origin() {
    let server = TestServer::shared();
    let parent = server.create_object("Parent of news");
    let mut stream = Stream::open(server, &server.get("/api/v1/events").as_admin());
    let nid =
        server.create_object_with("News", json!({"field_member_of": [{"target_id": parent}]}));
    let created = stream.next_of(nid);
    assert_eq!(
        (&created["action"], &created["label"], &created["origin"]),
        (&json!("create"), &json!("News"), &json!("rest"))
    );
    assert_eq!(created["actor"], json!({"uid": 1, "name": "admin"}));
    assert_eq!(created["parents"], json!([parent]));
    let change =
        json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Newer"}]});
    server
        .patch(&format!("/node/{nid}"))
        .as_depositor()
        .json(change)
        .send()
        .expect(200);
    assert_eq!(stream.next_of(nid)["action"], "update");
    server
        .delete(&format!("/node/{nid}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(stream.next_of(nid)["action"], "delete");
}

#[test]
fn a_stream_goes_on_where_it_broke_off() {
    let server = TestServer::shared();
    let mut stream = Stream::open(server, &server.get("/api/v1/events").as_admin());
    let first = server.create_object("First");
    let id = stream.next_of(first)["id"].clone();
    drop(stream);
    let missed = server.create_object("Missed");
    let request = server.get(&format!("/api/v1/events?after={id}")).as_admin();
    assert_eq!(
        Stream::open(server, &request).next_of(missed)["label"],
        "Missed"
    );
    let request = server
        .get("/api/v1/events")
        .as_admin()
        .header("Last-Event-ID", id.to_string());
    assert_eq!(
        Stream::open(server, &request).next_of(missed)["label"],
        "Missed"
    );
}

#[test]
fn a_stream_that_told_nothing_goes_on_where_it_began() {
    let server = TestServer::shared();
    let begun = server.get("/api/v1/events").as_admin();
    let place = Stream::open(server, &begun).place();
    let missed = server.create_object("Missed from the beginning");
    let request = server.get("/api/v1/events").as_admin();
    let mut stream = Stream::open(server, &request.header("Last-Event-ID", place));
    assert_eq!(stream.next_of(missed)["action"], "create");
}

#[test]
fn what_one_may_not_see_is_not_told() {
    let server = TestServer::shared();
    let mut stream = Stream::open(server, &server.get("/api/v1/events").as_plain());
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let shown = server.create_object("Shown");
    loop {
        let change = stream.next();
        assert!(
            change["entity_id"] != hidden || change["kind"] != "node",
            "{change}"
        );
        if change["kind"] == "node" && change["entity_id"] == shown {
            break;
        }
    }
}

#[test]
fn the_stream_is_for_those_who_signed_in() {
    let server = TestServer::shared();
    let (status, _) = Stream::answered(server, &server.get("/api/v1/events"));
    assert!(status.contains(" 401 "), "{status}");
}

#[test]
fn what_a_thing_was_called_while_it_was_hidden_is_not_told_later() {
    let server = TestServer::shared();
    let mut stream = Stream::open(server, &server.get("/api/v1/events").as_admin());
    let before = server.create_object("Before");
    let id = stream.next_of(before)["id"].clone();
    let nid = server.create_object_with("Secret", json!({"status": [{"value": false}]}));
    let publish = json!({
        "type": [{"target_id": "islandora_object"}],
        "title": [{"value": "Open"}],
        "status": [{"value": true}],
    });
    let path = format!("/node/{nid}");
    server
        .patch(&path)
        .as_admin()
        .json(publish)
        .send()
        .expect(200);
    let listen =
        |request: Request<'_>| Stream::open(server, &request).next_of(nid)["label"].clone();
    let since = format!("/api/v1/events?after={id}");
    assert_eq!(listen(server.get(&since).as_plain()), "Open");
    assert_eq!(listen(server.get(&since).as_admin()), "Secret");
}

#[test]
fn changes_of_accounts_are_told_to_those_who_may_see_them() {
    let server = TestServer::shared();
    let mut stream = Stream::open(server, &server.get("/api/v1/events").as_admin());
    let mut plain = Stream::open(server, &server.get("/api/v1/events").as_plain());
    let account = json!({"name": "told of", "password": "never told"});
    let made = server.post("/api/v1/users").as_admin().json(account);
    let uid = made.send().expect(201).json()["uid"].clone();
    let path = format!("/api/v1/users/{uid}");
    let disabled = json!({"active": false});
    server
        .patch(&path)
        .as_admin()
        .json(disabled)
        .send()
        .expect(200);
    let mut next = |action: &str| loop {
        let change = stream.next();
        if change["kind"] == "user" && change["action"] == action {
            break change;
        }
    };
    let (created, updated) = (next("create"), next("update"));
    for change in [&created, &updated] {
        assert_eq!(
            (&change["entity_id"], &change["label"]),
            (&uid, &json!("told of"))
        );
        assert_eq!(change["actor"], json!({"uid": 1, "name": "admin"}));
        assert!(!change.to_string().contains("never told"), "{change}");
    }
    let nid = server.create_object("After the accounts");
    loop {
        let change = plain.next();
        assert!(change["kind"] != "user", "{change}");
        if change["kind"] == "node" && change["entity_id"] == nid {
            break;
        }
    }
}

//! Every limit of `docs/LIMITS.md`, set low in `config.toml` and exceeded by requests.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::client::Client;
use crate::faults::disk::Disk;
use crate::program::{Serving, isolario, read_answer};

const JSON: &str = "Content-Type: application/json\r\n";

/// A server on a new repository whose limits are these.
fn limited(data: &Path, limits: &str) -> Client {
    configure(data, limits);
    Client::start(data)
}

fn configure(data: &Path, limits: &str) {
    let text = format!("[limits]\n{limits}\n");
    std::fs::write(data.join("config.toml"), text).expect("written");
}

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[track_caller]
fn refused((status, body): (u16, String), wanted: u16, words: &str) {
    assert_eq!(status, wanted, "{body}");
    assert!(body.contains(words), "{body}");
}

/// Files that are on their way in.
fn staged(data: &Path) -> usize {
    data.join("staging").read_dir().expect("there").count()
}

/// Waits for something that has to happen, a minute at most.
#[track_caller]
fn until(what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..600 {
        if happened() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("it did not happen: {what}");
}

#[test]
fn addresses_and_headers_have_a_length() {
    let data = directory();
    let client = limited(data.path(), "url_bytes = 200\nheader_bytes = 500");
    let long = format!("/api/v1/items?q={}", "a".repeat(200));
    refused(client.get(&long), 414, "longer than 200 bytes");
    let header = format!("X-Long: {}\r\n", "a".repeat(500));
    let answer = client.send("GET", "/api/v1/items", &header, "");
    refused(answer, 431, "longer than 500 bytes");
    assert_eq!(client.get("/api/v1/items?q=a").0, 200);
}

#[test]
fn a_head_has_to_come_in_time_and_an_idle_connection_ends() {
    let data = directory();
    let client = limited(data.path(), "header_seconds = 1");
    for begun in ["", "GET /api/v1/items HTTP/1.1\r\nHost: a"] {
        let mut stream = client.serving.connect();
        stream.write_all(begun.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the server hangs up");
        assert!(!answer.contains(" 200 "), "{answer}");
    }
    let mut stream = client.serving.connect();
    let host = client.serving.address;
    let whole = format!("GET /openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(whole.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("the server hangs up");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[test]
fn json_has_a_size_a_depth_and_so_many_values() {
    let data = directory();
    let limits = "json_bytes = 2000\njson_depth = 6\nvalues_per_field = 3";
    let client = limited(data.path(), limits);
    let post = |body: &str| client.send("POST", "/node?_format=json", JSON, body);
    let long = format!("{{\"title\":\"{}\"}}", "a".repeat(2000));
    refused(post(&long), 413, "larger than 1 KB");
    let deep = "{\"title\":[[[[[[]]]]]]}";
    refused(post(deep), 400, "nested more than 6 levels deep");
    let many = "{\"title\":[1,2,3,4]}";
    refused(
        post(many),
        422,
        "title: this field cannot hold more than 3 values.",
    );
    assert_eq!(client.post_object("Within the limits").0, 201);

    let users = client.send("POST", "/api/v1/users", JSON, deep);
    refused(users, 400, "nested more than 6 levels deep");
    let node = format!("/node/{}", client.object());
    refused(
        client.send("PATCH", &node, JSON, many),
        422,
        "more than 3 values",
    );
}

#[test]
fn a_stranger_is_held_to_the_limits_too() {
    let data = directory();
    let client = limited(
        data.path(),
        "json_bytes = 2000\njson_depth = 6\njson_seconds = 1",
    );
    let sign_in = |body: &str, length: usize| {
        let mut stream = client.serving.connect();
        let host = client.serving.address;
        let head = format!(
            "POST /user/login HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        // The answer may come before the body is read.
        let _ = stream.write_all(body.as_bytes());
        read_answer(stream)
    };
    let long = format!("{{\"name\":\"{}\"}}", "a".repeat(2000));
    refused(sign_in(&long, long.len()), 413, "larger than 1 KB");
    let deep = "[[[[[[[]]]]]]]";
    refused(
        sign_in(deep, deep.len()),
        400,
        "nested more than 6 levels deep",
    );
    refused(sign_in("{", 2), 408, "within 1 seconds");
}

#[test]
fn a_json_body_has_to_come_in_time() {
    let data = directory();
    let client = limited(data.path(), "json_seconds = 1");
    let headers = format!("{JSON}Content-Length: 100\r\n");
    for (method, path) in [("POST", "/node?_format=json"), ("POST", "/api/v1/users")] {
        let mut stream = client.begin(method, path, &headers);
        stream.write_all(b"{\"title\":").expect("sent");
        refused(read_answer(stream), 408, "within 1 seconds");
    }
}

#[test]
fn a_file_has_a_size_if_that_is_wanted() {
    let data = directory();
    let client = limited(data.path(), "upload_bytes = 1000");
    let place = client.place();
    let (fits, too_large) = ("a".repeat(1000), "a".repeat(1001));
    refused(
        client.put(&place, "public://a.txt", &too_large),
        413,
        "larger than 1000 bytes",
    );
    let headers = "Content-Type: text/plain\r\nContent-Location: public://a.txt\r\nTransfer-Encoding: chunked\r\n";
    let mut stream = client.begin("PUT", &place, headers);
    write!(stream, "3e9\r\n{too_large}\r\n0\r\n\r\n").expect("sent");
    refused(read_answer(stream), 413, "larger than 1000 bytes");
    assert_eq!(client.get("/sites/default/files/a.txt").0, 404);
    until("nothing is left of them", || staged(data.path()) == 0);
    assert_eq!(client.put(&place, "public://a.txt", &fits).0, 201);
    refused(
        client.put(&place, "public://a.txt", &too_large),
        413,
        "Nothing was changed",
    );
    assert_eq!(client.get("/sites/default/files/a.txt").1, fits);
}

#[test]
fn a_file_that_comes_in_parts_has_the_same_size() {
    let data = directory();
    let client = limited(data.path(), "upload_bytes = 10");
    let headers =
        "Content-Type: text/plain\r\nContent-Location: public://a.txt\r\nUpload-Complete: ?0\r\n";
    let (status, answer) = client.ask("PUT", &client.place(), headers, "123456");
    assert_eq!(status, 201, "{answer}");
    let id = answer.split("/api/v1/uploads/").nth(1);
    let id = id
        .and_then(|rest| rest.split_whitespace().next())
        .expect("an upload");
    let path = format!("/api/v1/uploads/{id}");
    let part =
        "Content-Type: application/partial-upload\r\nUpload-Offset: 6\r\nUpload-Complete: ?1\r\n";
    refused(
        client.send("PATCH", &path, part, "78901"),
        413,
        "larger than 10 bytes",
    );
    let chunked = format!("{part}Transfer-Encoding: chunked\r\n");
    let mut stream = client.begin("PATCH", &path, &chunked);
    stream.write_all(b"5\r\n78901\r\n0\r\n\r\n").expect("sent");
    refused(read_answer(stream), 413, "larger than 10 bytes");
    assert_eq!(client.get("/sites/default/files/a.txt").0, 404);
}

/// The head of an upload of so many bytes, and the first of them.
fn begin_upload(client: &Client, place: &str, name: &str, size: usize) -> TcpStream {
    let headers = format!(
        "Content-Type: text/plain\r\nContent-Location: public://{name}\r\nContent-Length: {size}\r\n"
    );
    let mut stream = client.begin("PUT", place, &headers);
    stream.write_all(b"a").expect("sent");
    stream
}

#[test]
fn who_falls_silent_in_the_middle_of_an_upload_is_cut_off() {
    let data = directory();
    let client = limited(data.path(), "upload_idle_seconds = 1");
    let stream = begin_upload(&client, &client.place(), "a.txt", 10);
    refused(
        read_answer(stream),
        408,
        "No bytes arrived for 1 seconds. Nothing was changed.",
    );
    until("nothing is left of it", || staged(data.path()) == 0);
}

#[test]
fn who_sends_ever_so_slowly_is_cut_off() {
    let data = directory();
    let client = limited(data.path(), "upload_idle_seconds = 60\nupload_seconds = 2");
    let mut stream = begin_upload(&client, &client.place(), "a.txt", 1_000_000);
    let mut slow = stream.try_clone().expect("the same connection");
    let trickle = std::thread::spawn(move || {
        let mut sent = 0;
        while sent < 600 && slow.write_all(b"a").is_ok() {
            sent += 1;
            std::thread::sleep(Duration::from_millis(100));
        }
        sent
    });
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("did not come within 2 seconds"), "{answer}");
    let _ = stream.shutdown(Shutdown::Both);
    assert!(trickle.join().expect("it ends") < 600);
}

#[test]
fn only_so_many_uploads_come_in_at_the_same_time() {
    let data = directory();
    let client = limited(data.path(), "uploads = 1");
    let places = [client.place(), client.place()];
    let mut first = begin_upload(&client, &places[0], "a.txt", 1_000_000);
    first.write_all(&[b'a'; 999_998]).expect("sent");
    until("the first is coming in", || staged(data.path()) == 1);
    let headers = "Content-Type: text/plain\r\nContent-Location: public://b.txt\r\n";
    let (status, answer) = client.ask("PUT", &places[1], headers, "b");
    assert_eq!(status, 503, "{answer}");
    assert!(
        answer.contains("retry-after: 5") && answer.contains("too many uploads"),
        "{answer}"
    );
    first.write_all(b"a").expect("sent");
    assert_eq!(read_answer(first).0, 201);
    assert_eq!(client.put(&places[1], "public://b.txt", "b").0, 201);
}

#[test]
fn uploads_leave_room_on_the_disk() {
    let disk = Disk::of_megabytes(100);
    configure(&disk.seen(), "spare_megabytes = 256");
    let client = disk.client();
    let place = client.place();
    let small = |name: &str| client.put(&client.place(), name, "small").0;
    assert_eq!(
        client
            .put(&place, "public://a.txt", &"a".repeat(70_000_000))
            .0,
        201
    );
    let (rest, chunk) = ("b".repeat(27_000_000), "b".repeat(1_000_000));
    refused(
        client.put(&client.place(), "public://b.txt", &rest),
        507,
        "Nothing was changed.",
    );
    let headers = "Content-Type: text/plain\r\nContent-Location: public://b.txt\r\nTransfer-Encoding: chunked\r\n";
    let mut stream = client.begin("PUT", &client.place(), headers);
    for _ in 0..27 {
        // The answer may come, and the connection end, before everything is sent.
        if write!(stream, "f4240\r\n{chunk}\r\n").is_err() {
            break;
        }
    }
    let _ = stream.write_all(b"0\r\n\r\n");
    refused(read_answer(stream), 507, "Nothing was changed.");
    assert_eq!(small("public://c.txt"), 201);
    assert_eq!(client.post_object("There is room for what is small").0, 201);
}

#[test]
fn there_are_only_so_many_connections() {
    let data = directory();
    let client = limited(data.path(), "connections = 4");
    let ask = || read_answer(client.begin("GET", "/api/v1/session", ""));
    until("all are closed", || ask().0 == 200);
    // One that came before the last answer was forgotten has no place: more are opened until none is left.
    let mut idle: Vec<TcpStream> = (0..3).map(|_| client.serving.connect()).collect();
    until("all are taken", || {
        idle.push(client.serving.connect());
        let (status, body) = ask();
        status == 503 && body.contains("Too many connections")
    });
    drop(idle);
    until("there is room again", || ask().0 == 200);
}

#[test]
fn another_machine_cannot_take_all_connections() {
    let data = directory();
    configure(data.path(), "connections_per_address = 2");
    // The address of another machine, in a network of this test's own: what comes from it comes from elsewhere.
    let script = "ip link set lo up && ip address add 192.0.2.1/32 dev lo && exec \"$@\"";
    let inside = |pid: Option<u32>, command: &Command| {
        let mut entered = match pid {
            None => Command::new("unshare"),
            Some(_) => Command::new("nsenter"),
        };
        match pid {
            None => entered.args([
                "--user",
                "--map-root-user",
                "--net",
                "sh",
                "-c",
                script,
                "sh",
            ]),
            Some(pid) => entered.args([
                "--user",
                "--net",
                "--preserve-credentials",
                "--target",
                &pid.to_string(),
            ]),
        };
        entered.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            entered.env(name, value.unwrap_or_default());
        }
        entered
    };
    let server = isolario(data.path(), &["serve", "--listen", "0.0.0.0:0"]);
    let serving = Serving::spawn(inside(None, &server));
    let port = serving.address.port();
    let talk = format!(
        "ask() {{ exec {{fd}}<>/dev/tcp/$1/{port}; printf 'GET /user/login_status HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' $1 >&$fd; head -n 1 <&$fd; }}
         ask 192.0.2.1; ask 192.0.2.1
         exec {{fd}}<>/dev/tcp/192.0.2.1/{port}; head -n 1 <&$fd
         ask 127.0.0.1"
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", &talk]);
    let output = inside(Some(serving.process()), &bash)
        .output()
        .expect("bash is there");
    let said = String::from_utf8_lossy(&output.stdout);
    let statuses: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    assert_eq!(statuses, ["200", "200", "503", "200"], "{output:?}");
}

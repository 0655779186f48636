//! A file that is larger than the memory anybody would give it.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Serving, basic, read_answer};

const SIZE: u64 = 4 * 1024 * 1024 * 1024;
const CHUNK: usize = 1024 * 1024;
/// How much the server's memory may rise, in KB.
const RISE: u64 = 32 * 1024;
const LOCATION: &str = "/sites/default/files/large.zip";

/// A running server with somebody to ask it.
struct Client {
    serving: Serving,
    authorization: String,
}

impl Client {
    fn start(data: &Path) -> Client {
        let serving = Serving::start(data);
        let password = serving.password().expect("a password").to_owned();
        Client {
            serving,
            authorization: basic("admin", &password),
        }
    }

    /// Sends the head of a request.
    fn begin(&self, method: &str, path: &str, headers: &str) -> std::net::TcpStream {
        let mut stream = self.serving.connect();
        let (host, authorization) = (self.serving.address, &self.authorization);
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: {authorization}\r\nConnection: close\r\n{headers}\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream
    }

    fn get(&self, path: &str) -> (u16, String) {
        read_answer(self.begin("GET", path, ""))
    }

    fn term(&self, vocabulary: &str, name: &str) -> i64 {
        let query = name.replace(' ', "%20");
        let (_, body) = self.get(&format!("/api/v1/terms?vocabulary={vocabulary}&q={query}"));
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        let mut terms = answer["terms"].as_array().expect("a list").iter();
        let term = terms.find(|term| term["name"] == name);
        term.and_then(|term| term["tid"].as_i64())
            .expect("the term")
    }

    /// Path of the upload route for a new object.
    fn place(&self) -> String {
        let body = json!({
            "type": [{"target_id": "islandora_object"}],
            "title": [{"value": "Large"}],
            "field_model": [{"target_id": self.term("islandora_models", "Digital Document")}],
        })
        .to_string();
        let headers = format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        let mut stream = self.begin("POST", "/node?_format=json", &headers);
        stream.write_all(body.as_bytes()).expect("sent");
        let (status, body) = read_answer(stream);
        assert_eq!(status, 201, "{body}");
        let node: Value = serde_json::from_str(&body).expect("JSON");
        let media_use = self.term("islandora_media_use", "Original File");
        format!("/node/{}/media/file/{media_use}", node["nid"][0]["value"])
    }

    /// Begins an upload of so many bytes.
    fn upload(&self, place: &str, name: &str, size: u64) -> std::net::TcpStream {
        let headers = format!(
            "Content-Type: application/zip\r\nContent-Location: public://{name}\r\nContent-Length: {size}\r\n"
        );
        self.begin("PUT", place, &headers)
    }

    /// A figure of the server's memory, in KB (proc(5), `/proc/pid/status`).
    fn memory(&self, figure: &str) -> u64 {
        let path = format!("/proc/{}/status", self.serving.process());
        let status = std::fs::read_to_string(path).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(figure));
        let number = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
        number
            .and_then(|number| number.parse().ok())
            .expect("a number")
    }

    /// Lets the greatest use of memory be counted from now on.
    fn forget_peak(&self) {
        let path = format!("/proc/{}/clear_refs", self.serving.process());
        std::fs::write(path, "5").expect("one's own process");
    }
}

#[test]
fn four_gigabytes_go_through_little_memory_and_are_seen_when_they_are_whole() {
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let client = Client::start(data.path());
    let mut small = client.upload(&client.place(), "small.zip", 5);
    small.write_all(b"small").expect("sent");
    assert_eq!(read_answer(small).0, 201);
    let place = client.place();
    client.forget_peak();
    let before = client.memory("VmRSS");

    let mut stream = client.upload(&place, "large.zip", SIZE);
    let zeros = vec![0; CHUNK];
    for _ in 1..SIZE / CHUNK as u64 {
        stream.write_all(&zeros).expect("sent");
    }
    assert_eq!(client.get(LOCATION).0, 404);
    stream.write_all(&zeros[..CHUNK - 7]).expect("sent");
    stream.write_all(b"the end").expect("sent");
    let (status, body) = read_answer(stream);
    assert_eq!(status, 201, "{body}");

    let rise = client.memory("VmHWM").saturating_sub(before);
    assert!(rise < RISE, "memory rose by {rise} KB");
    let last = read_answer(client.begin("GET", LOCATION, "Range: bytes=-7\r\n"));
    assert_eq!(last, (206, "the end".to_owned()));
}

#[test]
fn what_a_killed_server_had_half_received_is_gone_at_the_next_start() {
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let client = Client::start(data.path());
    let mut stream = client.upload(&client.place(), "half.zip", SIZE);
    stream.write_all(&vec![1; 4 * CHUNK]).expect("sent");
    let staging = data.path().join("staging");
    for _ in 0..10_000 {
        if staged_bytes(&staging) > 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    drop(client);
    assert!(staged_bytes(&staging) > 0, "nothing was ever written");

    let _serving = Serving::start(data.path());
    assert_eq!(staging.read_dir().expect("there").count(), 0);
    assert_eq!(staged_bytes(&data.path().join("files/public")), 0);
}

fn staged_bytes(directory: &Path) -> u64 {
    let files = directory.read_dir().expect("there").flatten();
    files
        .filter_map(|file| Some(file.metadata().ok()?.len()))
        .sum()
}

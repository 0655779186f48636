//! A file that is larger than the memory anybody would give it.

use std::io::Write;
use std::path::Path;

use crate::client::Client;
use crate::program::{Serving, read_answer};

const SIZE: u64 = 4 * 1024 * 1024 * 1024;
const CHUNK: usize = 1024 * 1024;
/// How much the server's memory may rise, in KB.
const RISE: u64 = 32 * 1024;
const LOCATION: &str = "/sites/default/files/large.zip";

/// What large uploads ask of a server beside.
impl Client {
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
    let data = tempfile::tempdir().expect("a directory");
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
    let data = tempfile::tempdir().expect("a directory");
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

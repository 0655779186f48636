//! Bytes that are replaced or deleted while somebody reads them.

use std::io::Read;
use std::thread;

use crate::client::Client;

const FILES: [(&str, &str); 2] = [
    ("fedora://a.txt", "/_flysystem/fedora/a.txt"),
    ("public://a.txt", "/sites/default/files/a.txt"),
];
/// More than the sockets between server and client hold.
const LENGTH: usize = 24_000_000;

/// Whether these are bytes of one version, whole: one letter over and over.
fn whole(body: &[u8]) -> bool {
    body.len() == LENGTH && body.iter().all(|byte| *byte == body[0])
}

/// Reads an answer, doing something after its first bytes.
fn read_with_a_pause(client: &Client, path: &str, meanwhile: impl FnOnce()) -> Vec<u8> {
    let mut stream = client.begin("GET", path, "");
    let mut answer = vec![0; 10_000];
    stream.read_exact(&mut answer).expect("the beginning");
    meanwhile();
    stream.read_to_end(&mut answer).expect("the rest");
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n");
    answer.split_off(head.expect("a head") + 4)
}

#[test]
fn a_reader_has_the_old_bytes_whole() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    for (uri, path) in FILES {
        let place = client.place();
        assert_eq!(client.put(&place, uri, &"a".repeat(LENGTH)).0, 201);
        let read = read_with_a_pause(&client, path, || {
            assert_eq!(client.put(&place, uri, &"b".repeat(LENGTH)).0, 204);
        });
        assert!(whole(&read) && read[0] == b'a');
        let read = read_with_a_pause(&client, path, || {
            let media = match uri.starts_with("fedora") {
                true => "/media/1?_format=json",
                false => "/media/2?_format=json",
            };
            assert_eq!(client.send("DELETE", media, "", "").0, 204);
        });
        assert!(whole(&read) && read[0] == b'b');
    }
}

#[test]
fn readers_among_writers_have_one_version_or_another_whole() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    for (uri, path) in FILES {
        let place = client.place();
        let text = |letter: &str| letter.repeat(100_000);
        assert_eq!(client.put(&place, uri, &text("a")).0, 201);
        thread::scope(|scope| {
            for letter in ["b", "c"] {
                let (client, place) = (&client, &place);
                scope.spawn(move || {
                    for _ in 0..20 {
                        assert_eq!(client.put(place, uri, &text(letter)).0, 204);
                    }
                });
            }
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..60 {
                        let (status, body) = client.get(path);
                        assert_eq!(status, 200);
                        assert!(["a", "b", "c"].iter().any(|letter| body == text(letter)));
                    }
                });
            }
        });
    }
}

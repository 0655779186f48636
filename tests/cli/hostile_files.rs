//! Files that want to hurt whoever looks at them. They are kept as they are, byte for byte, and cost little.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::client::Client;
use crate::process::{peak_memory, peak_memory_since};
use crate::program::{run, said};

/// How much more memory than before a hostile file may take, in kilobytes. What they claim to be would take
/// gigabytes.
const LITTLE: u64 = 48 * 1024;

/// What it is, the media type it is sent to, its name and MIME type, and its bytes.
type Hostile = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Vec<u8>,
);

fn hostile_files() -> Vec<Hostile> {
    let png = |width: u32, height: u32, rest: &[u8]| {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
        bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(rest);
        bytes
    };
    let bomb = gzip_of_zeros("200M");
    let mut markers = b"\xff\xd8".to_vec();
    markers.extend(b"\xff\xe0\0\x02".repeat(8_000_000));
    let laughs: String = (1..30)
        .map(|level| {
            format!(
                "<!ENTITY l{level} \"{}\">",
                format!("&l{};", level - 1).repeat(10)
            )
        })
        .collect();
    let laughs = format!(
        "<!DOCTYPE svg [<!ENTITY l0 \"ha\">{laughs}]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&l29;</text></svg>"
    );
    let nested = b"\0\0\0\x18ftypheic\0\0\0\0heicmif1".iter().copied();
    let nested: Vec<u8> = nested
        .chain(b"\xff\xff\xff\xffmeta".repeat(100_000))
        .collect();
    vec![
        ("a picture of 18 million terapixels", "image", "huge.png", "image/png", png(u32::MAX, u32::MAX, b"")),
        ("a picture of no size", "image", "none.png", "image/png", png(0, 0, b"")),
        ("a picture with a bomb in it", "image", "bomb.png", "image/png", png(50_000, 50_000, &bomb)),
        ("a GIF of the greatest size", "image", "huge.gif", "image/gif", b"GIF89a\xff\xff\xff\xff\xf7\0\0".to_vec()),
        ("a JPEG of eight million empty parts", "image", "long.jpg", "image/jpeg", markers),
        ("a TIFF that comes back to itself", "image", "loop.jpg", "image/tiff", b"II*\0\x08\0\0\0\0\0\x08\0\0\0\x08\0\0\0".to_vec()),
        ("a HEIF of boxes without end", "image", "boxes.jpg", "image/heic", nested),
        ("a WebP that lies about its length", "image", "lie.jpg", "image/webp", b"RIFF\xff\xff\xff\xffWEBPVP8X\xff\xff\xff\xff".to_vec()),
        ("an SVG of a billion laughs", "image", "laughs.png", "image/svg+xml", laughs.into_bytes()),
        ("a packed bomb", "file", "bomb.zip", "application/zip", bomb.clone()),
        ("a document that is a packed bomb", "document", "bomb.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", bomb),
        ("a PDF that refers to itself", "document", "loop.pdf", "application/pdf", b"%PDF-1.7\n1 0 obj<</Type/Pages/Kids[1 0 R]/Count 2147483647>>endobj\nstartxref\n9\n%%EOF".to_vec()),
        ("a recording of no rate", "audio", "rate.wav", "audio/x-wav", b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\0\0\0\0\0\0data\xff\xff\xff\xff".to_vec()),
        ("a video of one box in itself", "video", "box.mp4", "video/mp4", b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\0moov\0\0\0\x01moov".to_vec()),
    ]
}

/// So many zeros, packed: a thousandth of their length.
fn gzip_of_zeros(size: &str) -> Vec<u8> {
    let zeros = Command::new("head")
        .args(["-c", size, "/dev/zero"])
        .stdout(Stdio::piped())
        .spawn();
    let zeros = zeros.expect("coreutils are there").stdout.expect("piped");
    let packed = Command::new("gzip")
        .stdin(zeros)
        .output()
        .expect("gzip is there")
        .stdout;
    assert!(
        packed.len() > 100_000 && packed.len() < 1_000_000,
        "{}",
        packed.len()
    );
    packed
}

/// Uploads a file as the media of a new object; the answer's status.
fn upload(client: &Client, (what, kind, name, mime, bytes): &Hostile) -> u16 {
    let media_use = client.term("islandora_media_use", "Original File");
    let place = format!("/node/{}/media/{kind}/{media_use}", client.object());
    let headers = format!(
        "Content-Type: {mime}\r\nContent-Location: public://{name}\r\nContent-Length: {}\r\n",
        bytes.len()
    );
    let mut stream = client.begin("PUT", &place, &headers);
    stream
        .write_all(bytes)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    crate::program::read_answer(stream).0
}

fn download(client: &Client, name: &str) -> Vec<u8> {
    let mut stream = client.begin("GET", &format!("/sites/default/files/{name}"), "");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n");
    answer.split_off(end.expect("a head") + 4)
}

#[test]
fn hostile_files_are_kept_as_they_are_and_cost_little() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let harmless = (
        "a text",
        "file",
        "a.txt",
        "text/plain",
        vec![b'a'; 4_000_000],
    );
    assert_eq!(upload(&client, &harmless), 201);
    let before = peak_memory(client.serving.process());
    for file in hostile_files() {
        let (what, _, name, _, bytes) = &file;
        assert_eq!(upload(&client, &file), 201, "{what}");
        let grown = peak_memory_since(before, client.serving.process());
        assert!(grown < LITTLE, "{what} took {grown} KB");
        assert!(download(&client, name) == *bytes, "{what} has changed");
    }
    let (_, list) = client.get("/api/v1/media?limit=200");
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!(
        list["media"].as_array().map(Vec::len),
        Some(1 + hostile_files().len())
    );
    client.stop();
    said(run(data.path(), &["check"]));
}

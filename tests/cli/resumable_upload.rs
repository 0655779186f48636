//! Uploads in parts outlive the program.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use isolario_db::{Db, DbError};

use crate::client::Client;
use crate::program::Serving;

/// The value of a header.
pub fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let value = |line: &'a str| line.strip_prefix(name)?.strip_prefix(": ");
    let found = answer.lines().find_map(value);
    found.unwrap_or_else(|| panic!("no {name} in {answer}"))
}

/// Begins an upload and brings its first bytes; its path.
pub fn begin(client: &Client, name: &str) -> String {
    let headers = format!(
        "Content-Type: text/plain\r\nContent-Location: public://{name}.txt\r\nUpload-Complete: ?0\r\nWant-Repr-Digest: md5=1\r\n"
    );
    let (status, answer) = client.ask("PUT", &client.place(), &headers, "hello ");
    assert_eq!(status, 201, "{answer}");
    let location = header(&answer, "location");
    location[location.find("/api/").expect("a path")..].to_owned()
}

/// Brings the next bytes; status of the answer, and the whole of it in lower case.
pub fn append(
    client: &Client,
    path: &str,
    offset: usize,
    complete: &str,
    bytes: &str,
) -> (u16, String) {
    let headers = format!(
        "Content-Type: application/partial-upload\r\nUpload-Offset: {offset}\r\nUpload-Complete: {complete}\r\n"
    );
    client.ask("PATCH", path, &headers, bytes)
}

fn in_parts(data: &Path) -> usize {
    data.join("uploads").read_dir().expect("there").count()
}

#[test]
fn an_upload_goes_on_after_the_program_was_killed_and_started_again() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let path = begin(&client, "killed");
    assert_eq!(append(&client, &path, 6, "?0", "wor").0, 204);
    let stray = data.path().join("uploads").join("0".repeat(32));
    std::fs::write(&stray, "stray").expect("written");

    let client = client.restart(data.path());
    assert!(!stray.exists());
    let (status, answer) = client.ask("HEAD", &path, "", "");
    assert_eq!((status, header(&answer, "upload-offset")), (204, "9"));
    let (status, answer) = append(&client, &path, 9, "?1", "ld\n");
    assert_eq!((status, header(&answer, "upload-complete")), (201, "?1"));
    // Of all bytes, those before the restart included.
    let md5 = "md5=:b1kcrcnwjl3qwxblkwy9xa==:";
    assert_eq!(header(&answer, "repr-digest"), md5);
    let stored = client.get("/sites/default/files/killed.txt");
    assert_eq!(stored, (200, "hello world\n".to_owned()));
    assert_eq!(in_parts(data.path()), 0);

    // The answer is remembered, too.
    let client = client.restart(data.path());
    assert_eq!(append(&client, &path, 12, "?1", "").0, 201);
}

#[test]
fn an_upload_that_nobody_went_on_with_for_a_week_is_gone_at_the_next_start() {
    const WEEK: i64 = 7 * 24 * 60 * 60;
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let (old, young) = (begin(&client, "old"), begin(&client, "young"));
    let client = client.restart_by(|| {
        touch(data.path(), &old, WEEK + 60);
        touch(data.path(), &young, WEEK - 60 * 60);
        Serving::start(data.path())
    });
    assert_eq!(client.ask("HEAD", &old, "", "").0, 404);
    let (status, answer) = client.ask("HEAD", &young, "", "");
    assert_eq!((status, header(&answer, "upload-offset")), (204, "6"));
    assert_eq!(in_parts(data.path()), 1);
}

/// Makes it so many seconds since an upload was gone on with.
fn touch(data: &Path, path: &str, age: i64) {
    let id = path.rsplit('/').next().and_then(|id| id.parse().ok());
    let id = id.expect("an id");
    let now = std::time::UNIX_EPOCH.elapsed().expect("after 1970");
    let at = i64::try_from(now.as_secs()).expect("small") - age;
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let written = runtime.block_on(async {
        let db = Db::open(&data.join("isolario.db"))?;
        let touched = db.write(move |write| -> Result<(), DbError> {
            write.set_upload_received(id, 6, None, at)
        });
        touched.await
    });
    written.expect("the row is there");
}

#[test]
fn a_part_that_is_on_its_way_does_not_hold_up_the_end_of_the_program() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let path = begin(&client, "closing");
    let headers = "Content-Type: application/partial-upload\r\nUpload-Offset: 6\r\nUpload-Complete: ?1\r\nContent-Length: 6\r\nExpect: 100-continue\r\n";
    let mut stream = BufReader::new(client.begin("PATCH", &path, headers));
    let mut line = String::new();
    stream.read_line(&mut line).expect("an answer");
    assert!(line.contains("100"), "{line}");
    stream.get_mut().write_all(b"wor").expect("sent");
    client.serving.interrupt();
    let mut rest = String::new();
    stream.read_to_string(&mut rest).expect("an answer");
    assert!(rest.trim_start().starts_with("HTTP/1.1 503"), "{rest}");

    let client = client.restart(data.path());
    let (_, answer) = client.ask("HEAD", &path, "", "");
    let kept: usize = header(&answer, "upload-offset").parse().expect("a number");
    assert!((6..=9).contains(&kept), "{kept}");
    let (status, _) = append(&client, &path, kept, "?1", &"hello world\n"[kept..]);
    assert_eq!(status, 201);
    let stored = client.get("/sites/default/files/closing.txt");
    assert_eq!(stored, (200, "hello world\n".to_owned()));
}

//! `isolario derive`: a product of the file on standard input, and one line of JSON that says what became of it.

mod adjusted;
mod damage;
mod exif;
pub mod hostile;
mod known;
mod likeness;
mod pages;
mod pictures;
pub mod programs;
mod raw;
mod texts;
mod tiles;

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::program::{in_sources, isolario};

/// Exit codes of the command.
const REFUSED: i32 = 3;

fn sample(name: &str) -> PathBuf {
    in_sources("tests/samples").join(name)
}

fn derive(kind: &str, mime: &str, source: File) -> Output {
    let nowhere = tempfile::tempdir().expect("a directory");
    isolario(nowhere.path(), &["derive", kind, "--mime", mime])
        .stdin(source)
        .output()
        .expect("the program starts")
}

/// Of a picture that is cropped and rotated.
fn derive_adjusted(kind: &str, adjustment: &str, source: File) -> Output {
    let nowhere = tempfile::tempdir().expect("a directory");
    let adjust = format!("--adjust={adjustment}");
    isolario(
        nowhere.path(),
        &["derive", kind, "--mime", "image/x", &adjust],
    )
    .stdin(source)
    .output()
    .expect("the program starts")
}

/// Of a file that came under a name.
fn derive_named(kind: &str, name: &str, source: File) -> Output {
    let nowhere = tempfile::tempdir().expect("a directory");
    let name = format!("--name={name}");
    isolario(
        nowhere.path(),
        &["derive", kind, "--mime", "image/x", &name],
    )
    .stdin(source)
    .output()
    .expect("the program starts")
}

/// With as much memory as the program gives to it, and a minute of the processor's time.
fn derive_within_bounds(kind: &str, source: File) -> Output {
    Command::new("sh")
        .args([
            "-c",
            "ulimit -v 1500000; ulimit -t 60; exec \"$0\" derive \"$1\" --mime image/x",
        ])
        .args([env!("CARGO_BIN_EXE_isolario-headless"), kind])
        .stdin(source)
        .output()
        .expect("a shell")
}

/// What was made, where something had to be.
#[track_caller]
fn made(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", told(output));
    told(output)["made"].clone()
}

/// All samples, with their names.
fn samples() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for directory in ["pictures", "documents", "recordings"] {
        for entry in std::fs::read_dir(sample(directory)).expect("samples") {
            let path = entry.expect("a sample").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            found.push((name.into_owned(), std::fs::read(&path).expect("a sample")));
        }
    }
    found.sort();
    found
}

/// The last line of standard error.
fn told(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON at the end of: {text}"))
}

fn with_bytes(bytes: &[u8]) -> File {
    use std::io::Seek as _;
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    file.rewind().expect("back at its start");
    file
}

#[test]
fn a_thumbnail_comes_out_of_standard_output() {
    let source = File::open(sample("20x10.png")).unwrap();
    let output = derive("thumbnail", "image/png", source);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let made =
        json!({"mime": "image/jpeg", "extension": "jpg", "facts": {"width": 20, "height": 10}});
    assert_eq!(told(&output), json!({ "made": made }));
    assert!(output.stdout.starts_with(b"\xff\xd8\xff"));
}

#[test]
fn what_came_with_the_wrong_type_is_read_as_what_it_is() {
    let source = File::open(sample("20x10.png")).unwrap();
    let output = derive("service", "image/jpeg", source);
    assert_eq!(told(&output)["made"]["facts"]["width"], 20);
}

#[test]
fn a_refusal_is_one_sentence() {
    let whole = std::fs::read(sample("20x10.png")).unwrap();
    for bytes in [&b""[..], b"no picture", &whole[..whole.len() - 30]] {
        let output = derive("thumbnail", "image/png", with_bytes(bytes));
        assert_eq!(output.status.code(), Some(REFUSED), "{output:?}");
        let told = told(&output);
        let words = told["refused"].as_str().expect("words");
        assert!(words.starts_with("The ") && words.ends_with('.'), "{words}");
    }
}

#[test]
fn what_is_no_file_may_be_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let output = derive(
        "thumbnail",
        "image/png",
        File::open(directory.path()).unwrap(),
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(told(&output)["failed"].is_string());
}

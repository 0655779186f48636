//! Recordings, and what other programs of the machine are asked for.

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use super::likeness::{distance, read};
use super::{derive, made, sample, told};
use crate::program::isolario;

/// Exit code for what another program would be needed for.
const MISSING: i32 = 4;

fn derive_with_programs(programs: &Path, kind: &str, name: &str) -> Output {
    let nowhere = tempfile::tempdir().expect("a directory");
    isolario(nowhere.path(), &["derive", kind, "--mime", "video/mp4"])
        .env("PATH", programs)
        .stdin(File::open(sample(name)).expect("a sample"))
        .output()
        .expect("the program starts")
}

/// A directory with a program of that name, which is a script.
pub fn with_program(name: &str, script: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    directory
}

#[test]
fn a_recording_shows_its_cover() {
    let expected = std::fs::read(sample("pictures/rgb.png")).expect("a sample");
    for name in ["cover.mp3", "cover.flac"] {
        let source = File::open(sample(&format!("recordings/{name}"))).expect("a sample");
        let output = derive("thumbnail", "audio/x", source);
        made(&output);
        let distance = distance(&read(&output.stdout), &read(&expected));
        assert!(distance < 4.0, "{name} is {distance:.2} away");
    }
    let source = File::open(sample("recordings/tone.wav")).expect("a sample");
    let words = told(&derive("thumbnail", "audio/wav", source));
    assert_eq!(words["refused"], "There is no cover in the recording.");
}

#[test]
fn without_the_programs_it_is_said_which_are_missing() {
    let empty = tempfile::tempdir().expect("a directory");
    let video = "recordings/pictures.mp4";
    for (kind, name, program) in [
        ("thumbnail", video, "ffmpeg"),
        ("service", video, "ffmpeg"),
        ("text", "pictures/rgb.png", "tesseract"),
    ] {
        let output = derive_with_programs(empty.path(), kind, name);
        assert_eq!(output.status.code(), Some(MISSING), "{output:?}");
        let words = told(&output)["missing"].as_str().expect("words").to_owned();
        assert!(
            words.starts_with(&format!("{program} is not on this machine")),
            "{words}"
        );
    }
}

#[test]
fn a_program_is_given_the_file_and_its_picture_is_taken() {
    let poster = sample("pictures/rgb.png");
    // The file is there to be read from its start, whoever reads it.
    let script =
        "/usr/bin/head -c 8 /proc/self/fd/0 | /bin/grep -q ftyp && /bin/cat \"${0%/*}\"/poster.png";
    let programs = with_program("ffmpeg", script);
    std::fs::copy(&poster, programs.path().join("poster.png")).expect("beside the program");
    let output = derive_with_programs(programs.path(), "thumbnail", "recordings/pictures.mp4");
    assert_eq!(made(&output)["facts"]["width"], 160);
    let copied = derive_with_programs(programs.path(), "service", "recordings/pictures.mp4");
    assert_eq!(made(&copied)["mime"], "video/mp4");
    assert_eq!(copied.stdout, std::fs::read(poster).expect("a sample"));
}

#[test]
fn what_a_program_complains_about_is_handed_on() {
    let programs = with_program("ffmpeg", "echo 'moov atom not found' >&2; exit 1");
    let output = derive_with_programs(programs.path(), "thumbnail", "recordings/pictures.mp4");
    let words = told(&output)["refused"].as_str().expect("words").to_owned();
    assert!(words.contains("moov atom not found"), "{words}");
}

#[test]
fn what_is_written_in_a_picture_is_read_by_tesseract() {
    let script = "/usr/bin/head -c 3 | /usr/bin/od -An -tx1 && echo 'Salt islands'";
    let programs = with_program("tesseract", script);
    let output = derive_with_programs(programs.path(), "text", "pictures/rgb.png");
    made(&output);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        text.contains("ff d8 ff") && text.contains("Salt islands"),
        "{text}"
    );
}

#[test]
fn a_reader_opens_nothing_but_its_file_and_that_only_to_read() {
    let elsewhere = tempfile::tempdir().expect("a directory");
    let at = |name: &str| elsewhere.path().join(name);
    std::fs::write(at("secret"), "of somebody else").expect("written");
    std::fs::copy(sample("recordings/pictures.mp4"), at("film.mp4")).expect("a film");
    // What a program may do, the process that starts it may do, and no more: both are held alike.
    let script = format!(
        "tries() {{ (eval \"$1\") 2>/dev/null && echo \"$1\" >&2 && exit 1; }}
         tries 'echo spoiled > /proc/self/fd/0'
         tries 'echo spoiled >> /proc/self/fd/0'
         tries ': > {0}/made'
         tries '/bin/cat {0}/secret'
         tries '/bin/ls {0}'
         tries '/bin/cat /etc/passwd'
         tries '/bin/cat /proc/$PPID/environ'
         /bin/cat \"${{0%/*}}\"/poster.png",
        elsewhere.path().display()
    );
    let programs = with_program("ffmpeg", &script);
    let poster = programs.path().join("poster.png");
    std::fs::copy(sample("pictures/rgb.png"), poster).expect("beside the program");
    let command = ["derive", "thumbnail", "--mime", "video/mp4"];
    let output = isolario(elsewhere.path(), &command)
        .env("PATH", programs.path())
        .stdin(File::open(at("film.mp4")).expect("a film"))
        .output()
        .expect("the program starts");
    assert_eq!(made(&output)["facts"]["width"], 160);
    let whole = std::fs::read(sample("recordings/pictures.mp4")).expect("a sample");
    assert!(std::fs::read(at("film.mp4")).expect("a film") == whole);
}

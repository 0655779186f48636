//! What another program is needed for, where that is not on the machine and where it comes later.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{Desk, LARGE, directory, program};
use crate::client::Client;
use crate::derive::programs::with_program;
use crate::program::Serving;

const FILM: &[u8] = include_bytes!("../../samples/recordings/pictures.mp4");

/// The program, where no others are than those of a directory.
fn among(programs: &Path, data: &Path) -> Command {
    let mut command = program(data);
    command.env("PATH", programs);
    command
}

/// The job of a kind for an item, once it is in a state.
#[track_caller]
fn job(desk: &Desk, nid: i64, kind: &str, state: &str) -> Value {
    desk.wait_for(&format!("{kind}: {state}"), || {
        let jobs = desk.get(&format!("/api/v1/jobs?item={nid}&kind={kind}"));
        let job = jobs["jobs"][0].clone();
        (job["state"] == state).then_some(job)
    })
}

/// How many jobs lack a program, by kind.
fn lacking(desk: &Desk) -> Vec<Value> {
    let counts = desk.get("/api/v1/jobs?limit=1")["counts"].clone();
    let mut counts = counts.as_array().expect("counts").clone();
    counts.retain(|count| count["state"] == "lacking");
    counts.sort_by_key(|count| count["kind"].to_string());
    counts
}

#[test]
fn what_lacks_a_program_has_not_failed_and_is_made_at_a_start_when_it_is_there() {
    let (data, none) = (directory(), directory());
    let client = Client::of(Serving::spawn(among(none.path(), data.path())));
    let desk = Desk { client, data };
    let (page, film) = (desk.item(), desk.item());
    desk.original(page, "public://page.png", LARGE);
    let place = ("public://film.png", "video/mp4");
    desk.put(film, "Original File", place, FILM);
    let text = job(&desk, page, "text", "lacking");
    let words = text["reason"].as_str().expect("words");
    assert!(words.starts_with("tesseract is not on this machine"));
    job(&desk, film, "thumbnail", "lacking");
    job(&desk, film, "service", "lacking");
    let picture = desk.get(&format!("/api/v1/items/{film}/jobs"))["picture"].clone();
    assert_eq!(picture["state"], "lacking", "{picture}");
    assert_eq!(desk.get("/api/v1/jobs?state=failed")["jobs"], json!([]));
    let listed = desk.get("/api/v1/jobs?state=lacking")["jobs"].clone();
    assert_eq!(listed.as_array().map(Vec::len), Some(3), "{listed}");
    let count =
        |kind, program| json!({"state": "lacking", "kind": kind, "count": 1, "program": program});
    let films = [count("service", "ffmpeg"), count("thumbnail", "ffmpeg")];
    let [copy, poster] = films.clone();
    assert_eq!(lacking(&desk), [copy, count("text", "tesseract"), poster]);

    let tesseract = with_program("tesseract", "echo 'Salt islands'");
    let Desk { client, data } = desk;
    let program = among(tesseract.path(), data.path());
    let client = client.stop().start_again_by(program);
    let desk = Desk { client, data };
    job(&desk, page, "text", "made");
    job(&desk, film, "thumbnail", "lacking");
    assert_eq!(lacking(&desk), films);
}

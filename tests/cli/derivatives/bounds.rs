//! Files that take more memory or time than there is for them.

use std::fmt::Write as _;

use super::{Desk, LARGE, directory, program};
use crate::client::Client;
use crate::derive::hostile::png;
use crate::program::Serving;

/// A desk whose processes have so little.
fn with(bounds: &str) -> Desk {
    let data = directory();
    let config = format!("[derivatives]\ntext = false\n{bounds}\n");
    std::fs::write(data.path().join("config.toml"), config).expect("written");
    let client = Client::of(Serving::spawn(program(data.path())));
    Desk { client, data }
}

/// Waits until the picture of an item has failed; says why. Others get theirs afterwards.
#[track_caller]
fn fails(desk: &Desk, nid: i64) -> String {
    let picture = desk.wait_for("a failure", || {
        let jobs = desk.get(&format!("/api/v1/jobs?item={nid}&kind=thumbnail"));
        let job = jobs["jobs"][0].clone();
        (job["state"] == "failed").then_some(job)
    });
    let next = desk.item();
    desk.original(next, "public://whole.png", LARGE);
    desk.made(next, "Thumbnail Image", 1);
    desk.made(next, "Service File", 1);
    picture["reason"].as_str().expect("words").to_owned()
}

/// A page that draws ten forms, each of which draws ten, and so on.
fn lace(depth: usize) -> Vec<u8> {
    let page = "/MediaBox[0 0 100 100]/Resources<</XObject<</F 5 0 R>>>>/Contents 4 0 R";
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R{page}>>"),
        stream("", "/F Do"),
    ];
    for number in 5..5 + depth {
        let form = "/Type/XObject/Subtype/Form/BBox[0 0 100 100]";
        let next = number + 1;
        let resources = format!("{form}/Resources<</XObject<</F {next} 0 R>>>>");
        objects.push(stream(&resources, &"/F Do ".repeat(10)));
    }
    objects.push(stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 100 100]",
        "0 0 9 9 re f",
    ));
    let mut file = "%PDF-1.7\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, object) in (1..).zip(&objects) {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let (begins, size) = (file.len(), objects.len() + 1);
    let _ = write!(
        file,
        "xref\n0 {size}\n{table}trailer<</Root 1 0 R/Size {size}>>\nstartxref\n{begins}\n%%EOF\n"
    );
    file.into_bytes()
}

fn stream(entries: &str, drawn: &str) -> String {
    let length = drawn.len();
    format!("<<{entries}/Length {length}>>\nstream\n{drawn}\nendstream")
}

#[test]
fn a_file_that_takes_more_memory_than_there_is_fails_and_the_next_has_its_turn() {
    let desk = with("memory = 700");
    let nid = desk.item();
    desk.original(nid, "public://wide.png", &png(26_000, 10_000, 1));
    let words = "The file needs more memory than the 700 MB that there are for it.";
    assert_eq!(fails(&desk, nid), words);
}

#[test]
fn a_file_that_takes_more_time_than_there_is_fails_and_the_next_has_its_turn() {
    let desk = with("seconds = 3");
    let nid = desk.item();
    let place = ("public://lace.png", "application/pdf");
    desk.put(nid, "Original File", place, &lace(10));
    let words = "The file takes longer to read than the 3 seconds that there are for it.";
    assert_eq!(fails(&desk, nid), words);
}

//! One page of a file of several: as a file of its own, as a picture, as a text.

use std::fs::File;
use std::process::Output;

use serde_json::json;

use super::hostile::refuses;
use super::likeness::{distance, read};
use super::{derive, made, sample, with_bytes};
use crate::program::isolario;

fn derive_page(kind: &str, name: &str, page: usize) -> Output {
    let nowhere = tempfile::tempdir().expect("a directory");
    let arguments = [
        "derive",
        kind,
        "--mime",
        "image/x",
        "--page",
        &page.to_string(),
    ];
    isolario(nowhere.path(), &arguments)
        .stdin(File::open(sample(name)).expect("a sample"))
        .output()
        .expect("the program starts")
}

#[test]
fn each_page_of_a_tiff_becomes_a_tiff() {
    for (page, expected) in [(1, "rgb.png"), (2, "gray.png"), (3, "bilevel.png")] {
        let output = derive_page("page", "pictures/pages.tif", page);
        let made = made(&output);
        assert_eq!(
            (&made["mime"], &made["facts"]["width"]),
            (&json!("image/tiff"), &json!(160))
        );
        let facts = derive("facts", "image/tiff", with_bytes(&output.stdout));
        let facts: serde_json::Value = serde_json::from_slice(&facts.stdout).expect("JSON");
        assert_eq!(
            (&facts["pages"], &facts["damage"]),
            (&json!(1), &json!(null))
        );
        let picture = derive("thumbnail", "image/tiff", with_bytes(&output.stdout));
        let expected = std::fs::read(sample(&format!("pictures/{expected}"))).expect("a sample");
        let distance = distance(&read(&picture.stdout), &read(&expected));
        assert!(distance < 1.5, "page {page} is {distance:.2} away");
    }
}

#[test]
fn a_page_of_a_pdf_is_drawn_at_three_hundred_pixels_per_inch() {
    let output = derive_page("service", "documents/two-pages.pdf", 2);
    // 160 points at 300 pixels per inch are 667 pixels, but for rounding.
    let width = made(&output)["facts"]["width"].as_u64().expect("a number");
    assert!(width.abs_diff(667) <= 1, "{width}");
    let second = read(&output.stdout);
    let first = derive_page("service", "documents/two-pages.pdf", 1);
    assert!(
        distance(&second, &read(&first.stdout)) > 10.0,
        "another page"
    );
    let thumbnail = derive_page("thumbnail", "documents/two-pages.pdf", 2);
    assert_eq!(made(&thumbnail)["facts"]["width"], 512);
}

#[test]
fn a_page_of_a_pdf_has_its_own_text() {
    for (page, text) in [(1, "Salt islands\nof the north\n"), (2, "Second page\n")] {
        let output = derive_page("text", "documents/two-pages.pdf", page);
        made(&output);
        assert_eq!(String::from_utf8_lossy(&output.stdout), text);
    }
}

#[test]
fn a_page_that_there_is_not_is_refused() {
    for (kind, name, page) in [
        ("page", "pictures/pages.tif", 4),
        ("page", "pictures/pages.tif", 0),
        ("thumbnail", "pictures/pages.tif", 4),
        ("service", "documents/two-pages.pdf", 3),
        ("text", "documents/two-pages.pdf", 0),
        ("text", "documents/two-pages.pdf", usize::MAX),
        ("page", "documents/two-pages.pdf", 1),
        ("page", "pictures/rgb.png", 1),
        ("thumbnail", "pictures/rgb.gif", 2),
    ] {
        let words = refuses(name, &derive_page(kind, name, page));
        assert!(words.contains("page"), "{words}");
    }
}

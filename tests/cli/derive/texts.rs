//! The text of documents, as it comes out of standard output.

use std::fs::File;
use std::io::Write;

use super::hostile::refuses;
use super::likeness::{distance, read};
use super::{derive, derive_within_bounds, made, sample, with_bytes};

#[track_caller]
fn text(name: &str, mime: &str) -> String {
    let source = File::open(sample(&format!("documents/{name}"))).expect("a sample");
    let output = derive("text", mime, source);
    assert_eq!(made(&output)["mime"], "text/plain", "{name}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn plain_text_becomes_utf_8() {
    assert_eq!(
        text("western.txt", "text/plain"),
        "Salt islands\nnaïve “text”\n"
    );
}

#[test]
fn of_a_page_what_is_seen_is_read() {
    let seen = "Salt islands\nBurano\nfish & chips\nü – end\n";
    assert_eq!(text("page.html", "text/html"), seen);
}

#[test]
fn office_documents_are_read_in_their_order() {
    let office = "application/octet-stream";
    assert_eq!(
        text("letter.docx", office),
        "Salt islands\nfish & chips\tü\nA note.\n"
    );
    assert_eq!(
        text("table.xlsx", office),
        "Salt islands\t12.5\t\nBurano\tlace\n"
    );
    assert_eq!(text("talk.pptx", office), "Salt islands\nThe end\n");
    assert_eq!(text("text.odt", office), "Salt islands\nfish &\tchips\n");
    assert_eq!(text("spreadsheet.ods", office).trim(), "Salt islands");
    assert_eq!(text("presentation.odp", office), "Salt islands\n");
}

#[test]
fn a_pdf_is_read_page_by_page() {
    let pages = "Salt islands\nof the north\n\u{c}Second page\n";
    assert_eq!(text("two-pages.pdf", "application/pdf"), pages);
}

#[test]
fn the_first_page_looks_as_another_program_draws_it() {
    let source = File::open(sample("documents/two-pages.pdf")).expect("a sample");
    let output = derive("thumbnail", "application/pdf", source);
    assert_eq!(made(&output)["facts"]["width"], 512);
    let expected = std::fs::read(sample("documents/two-pages-expected.png")).expect("a sample");
    let distance = distance(&read(&output.stdout), &read(&expected));
    assert!(distance < 2.5, "{distance:.2} away");
}

#[test]
fn pages_in_a_circle_and_ten_thousand_layers_come_to_an_end() {
    for name in ["circle.pdf", "layers.pdf"] {
        for kind in ["thumbnail", "text", "facts"] {
            let source = File::open(sample(&format!("documents/{name}"))).expect("a sample");
            let output = derive_within_bounds(kind, source);
            match output.status.code() {
                Some(0) => {}
                _ => drop(refuses(name, &output)),
            }
        }
    }
}

#[test]
fn a_document_that_unpacks_to_more_than_anybody_writes_is_refused() {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let packed = zip::write::SimpleFileOptions::default();
    archive
        .start_file("word/document.xml", packed)
        .expect("an entry");
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..300 {
        archive.write_all(&spaces).expect("packed");
    }
    let bytes = archive.finish().expect("an archive").into_inner();
    let output = derive_within_bounds("text", with_bytes(&bytes));
    assert!(refuses("a bomb", &output).contains("256 MB"));
}

#[test]
fn what_holds_no_text_is_refused() {
    for bytes in [&b"\0\x01\x02"[..], b"   \n", b"PK\x05\x06"] {
        refuses("no text", &derive_within_bounds("text", with_bytes(bytes)));
    }
}

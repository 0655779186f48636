//! Files that are made to harm, and files that were harmed: each ends in a sentence, within bounds.

use std::io::Write;
use std::process::Output;

use super::{REFUSED, derive_within_bounds, made, sample, told, with_bytes};

/// A refusal in one sentence.
#[track_caller]
pub fn refuses(what: &str, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(REFUSED), "{what}: {output:?}");
    let told = told(output);
    let words = told["refused"].as_str().expect("words").to_owned();
    let whole = words.starts_with(char::is_uppercase) && words.ends_with('.');
    assert!(whole && words.len() < 400, "{what}: {words}");
    words
}

/// A chunk of a PNG.
pub fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(body);
    let length = (body.len() as u32).to_be_bytes();
    [&length, &kind[..], body, &sum.sum().to_be_bytes()].concat()
}

fn zeros_deflated(count: usize) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&vec![0; count]).expect("packed");
    packed.finish().expect("packed")
}

/// A PNG of that size whose pixels end early.
pub fn png(width: u32, height: u32, interlaced: u8) -> Vec<u8> {
    black((width, height), [8, 2, 0, 0, interlaced], 1 << 20)
}

/// A PNG of so many bytes of zeros; its depth, colours and the like as they stand in its header.
pub fn black((width, height): (u32, u32), about: [u8; 5], bytes: usize) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &about];
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header.concat()),
        chunk(b"IDAT", &zeros_deflated(bytes)),
        chunk(b"IEND", b""),
    ]
    .concat()
}

/// A TIFF of pages with one pixel each; the last one points back to the first, or to nothing.
fn tiff(pages: u32, circle: bool) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    for page in 0..pages {
        // Smaller pictures of another page: a reader goes on to the next.
        let tags: [(u16, u32); 2] = [(254, 1), (256, 1)];
        bytes.extend((tags.len() as u16).to_le_bytes());
        for (tag, value) in tags {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(4_u16.to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        let next = match (page + 1 == pages, circle) {
            (true, true) => 8,
            (true, false) => 0,
            (false, _) => bytes.len() as u32 + 4,
        };
        bytes.extend(next.to_le_bytes());
    }
    bytes
}

fn gif_of_many_frames() -> Vec<u8> {
    let mut bytes = b"GIF89a\x02\0\x02\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
    for _ in 0..10_000 {
        bytes.extend(b",\0\0\0\0\x02\0\x02\0\0\x02\x03\x44\x02\x05\0");
    }
    bytes.push(b';');
    bytes
}

#[test]
fn a_picture_that_is_too_large_is_refused_with_its_size() {
    let output = derive_within_bounds("thumbnail", with_bytes(&png(60_000, 60_000, 0)));
    assert!(refuses("a bomb", &output).contains("60000 x 60000"));
    let output = derive_within_bounds("thumbnail", with_bytes(&png(30_000, 30_000, 1)));
    assert!(refuses("an interlaced bomb", &output).contains("memory"));
    let output = derive_within_bounds("service", with_bytes(&png(0x7fff_ffff, 1, 0)));
    refuses("a line", &output);
}

#[test]
fn two_hundred_megapixels_become_a_picture_within_bounds() {
    let (width, height) = (20_000, 10_000);
    let rows = (1 + width as usize) * height as usize;
    let whole = black((width, height), [8, 0, 0, 0, 0], rows);
    let output = derive_within_bounds("thumbnail", with_bytes(&whole));
    let facts = &made(&output)["facts"];
    assert_eq!([&facts["width"], &facts["height"]], [512, 256]);
}

#[test]
fn pages_that_go_round_in_a_circle_are_refused() {
    let output = derive_within_bounds("thumbnail", with_bytes(&tiff(3, true)));
    assert!(refuses("a circle", &output).contains("circle"));
    let output = derive_within_bounds("thumbnail", with_bytes(&tiff(10_000, false)));
    refuses("ten thousand pages", &output);
}

#[test]
fn of_ten_thousand_frames_the_first_is_read() {
    let output = derive_within_bounds("thumbnail", with_bytes(&gif_of_many_frames()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn what_is_no_picture_is_refused() {
    for bytes in [
        &b""[..],
        b"\xff\xd8\xff",
        b"\x89PNG",
        b"II*\0",
        b"GIF89a",
        b"BM",
        b"hello",
    ] {
        refuses(
            "not much",
            &derive_within_bounds("thumbnail", with_bytes(bytes)),
        );
    }
}

#[test]
fn half_a_picture_is_refused() {
    for entry in std::fs::read_dir(sample("pictures")).expect("samples") {
        let path = entry.expect("a sample").path();
        let whole = std::fs::read(&path).expect("a sample");
        let output = derive_within_bounds("thumbnail", with_bytes(&whole[..whole.len() / 2]));
        // Some formats begin with all of a smaller picture, or leave out what is white.
        let code = output.status.code();
        assert!(
            matches!(code, Some(0 | REFUSED)),
            "{}: {output:?}",
            path.display()
        );
        if code == Some(REFUSED) {
            refuses(&path.display().to_string(), &output);
        }
    }
}

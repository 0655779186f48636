//! Camera raw: what the camera shows of its measurements becomes the thumbnail.

use super::{REFUSED, derive_named, made, sample, told, with_bytes};

const LONG: [u8; 6] = [4, 0, 1, 0, 0, 0];

/// A directory of a little-endian TIFF, and no next one.
fn directory(entries: &[(u16, u32)]) -> Vec<u8> {
    let mut bytes = u16::try_from(entries.len())
        .expect("few")
        .to_le_bytes()
        .to_vec();
    for (tag, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(LONG);
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes
}

/// As Nikon keeps it: a turned picture, with the preview in a directory of its own.
fn nef(preview: &[u8]) -> Vec<u8> {
    let length = u32::try_from(preview.len()).expect("small");
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend(directory(&[(256, 6000), (257, 4000), (274, 6), (330, 62)]));
    bytes.extend(directory(&[(513, 92), (514, length)]));
    bytes.extend(preview);
    bytes
}

/// As Fuji keeps it: place and length of the preview in the head.
fn raf(preview: &[u8]) -> Vec<u8> {
    let length = u32::try_from(preview.len()).expect("small");
    let mut bytes = b"FUJIFILMCCD-RAW".to_vec();
    bytes.resize(84, 0);
    bytes.extend(92_u32.to_be_bytes());
    bytes.extend(length.to_be_bytes());
    bytes.extend(preview);
    bytes
}

#[test]
fn the_preview_in_a_raw_file_becomes_its_thumbnail() {
    let preview = std::fs::read(sample("pictures/rgb.jpg")).expect("a sample");
    let upright = made(&derive_named("thumbnail", "rgb.jpg", with_bytes(&preview)));
    let (width, height) = (&upright["facts"]["width"], &upright["facts"]["height"]);
    assert_ne!(width, height, "it would not be seen to be turned");
    let turned = made(&derive_named(
        "thumbnail",
        "a.nef",
        with_bytes(&nef(&preview)),
    ));
    assert_eq!(turned["mime"], "image/jpeg");
    let (across, down) = (&turned["facts"]["width"], &turned["facts"]["height"]);
    assert_eq!((across, down), (height, width));
    let straight = made(&derive_named(
        "thumbnail",
        "a.raf",
        with_bytes(&raf(&preview)),
    ));
    assert_eq!(&straight["facts"]["width"], width);

    let facts = made(&derive_named("facts", "a.nef", with_bytes(&nef(&preview))));
    let facts = &facts["facts"];
    assert_eq!(facts["puid"], "fmt/202");
    assert_eq!(
        (&facts["width"], &facts["height"]),
        (&6000.into(), &4000.into())
    );
    assert_eq!(facts["orientation"], 6, "{facts}");
    let facts = made(&derive_named("facts", "a.raf", with_bytes(&raf(&preview))));
    assert!(facts["facts"]["width"].is_null(), "unknown is not nothing");
}

#[test]
fn a_raw_file_without_a_preview_says_so() {
    for (name, bytes) in [
        ("a.nef", nef(b"no picture")),
        ("a.raf", raf(b"\xff\xd8\xff\xc3")),
        ("a.raf", b"FUJIFILMCCD-RAW".to_vec()),
        (
            "a.rw2",
            b"II\x55\0\x08\0\0\0\x01\0\x2e\0\x01\0\xff\xff\xff\xff\x08\0\0\0".to_vec(),
        ),
    ] {
        let refused = derive_named("thumbnail", name, with_bytes(&bytes));
        assert_eq!(refused.status.code(), Some(REFUSED), "{}", told(&refused));
        assert!(told(&refused)["refused"].is_string(), "{name}");
    }
}

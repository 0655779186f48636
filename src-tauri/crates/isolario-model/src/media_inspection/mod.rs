//! One file per media type that has behaviour of its own; the registry that finds it.

mod bounded;
mod image;

use std::io::{BufRead, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::content::Bundle;
use bounded::BoundedReader;

/// What the bytes of a file say about themselves. Nothing, where they are not what they claim to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Pixels.
    pub width: Option<u32>,
    pub height: Option<u32>,
}

/// Bytes to look at.
pub trait Bytes: BufRead + Seek {}
impl<R: BufRead + Seek> Bytes for R {}

/// The behaviour of a media type.
trait MediaType: Sync {
    /// The `source` of the bundles it is for, as the content model names it.
    fn source(&self) -> &'static str;
    /// Reads the facts. May fail in any way; it is given limited bytes and watched for panics.
    fn inspect(&self, bytes: &mut dyn Bytes) -> Facts;
}

const REGISTRY: [&dyn MediaType; 1] = [&image::ImageMedia];

/// Looks at bytes that are to be the source of a media of that type, whatever MIME type they were
/// sent with. Reads the disk, for a bounded time: call it off the async threads.
pub fn inspect(bundle: &Bundle, bytes: impl Bytes) -> Facts {
    let source = bundle.source.as_deref().unwrap_or_default();
    let Some(behaviour) = REGISTRY.iter().find(|one| one.source() == source) else {
        return Facts::default();
    };
    let mut bytes = BoundedReader::new(bytes);
    catch_unwind(AssertUnwindSafe(|| behaviour.inspect(&mut bytes))).unwrap_or_default()
}

/// What the bytes of a picture that any browser shows say: their MIME type and dimensions. `None` for everything else.
pub fn inspect_web_picture(bytes: &[u8]) -> Option<(&'static str, Facts)> {
    let mut reader = BoundedReader::new(std::io::Cursor::new(bytes));
    let inspect = || image::web_picture(&mut reader);
    catch_unwind(AssertUnwindSafe(inspect)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;
    use crate::content::{EntityKind, seed};

    fn facts_of(bundle: &str, bytes: &[u8]) -> Facts {
        let model = seed::content_model().unwrap();
        inspect(
            model.bundle(EntityKind::Media, bundle).unwrap(),
            Cursor::new(bytes),
        )
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn an_image_has_dimensions() {
        let facts = Facts {
            width: Some(7),
            height: Some(5),
        };
        assert_eq!(facts_of("image", &png(7, 5)), facts);
    }

    #[test]
    fn only_images_are_looked_at() {
        assert_eq!(facts_of("file", &png(7, 5)), Facts::default());
    }

    #[test]
    fn what_is_no_image_has_no_facts() {
        for bytes in [&b""[..], b"plain text", b"<svg/>", b"\xff\xd8\xff"] {
            assert_eq!(facts_of("image", bytes), Facts::default());
        }
    }

    proptest! {
        #[test]
        fn hostile_bytes_are_no_danger(
            start in prop::sample::select(vec![
                &b"\x89PNG\r\n\x1a\n"[..], b"GIF89a", b"\xff\xd8\xff\xe0", b"II*\0", b"MM\0*", b"RIFF\0\0\0\0WEBP",
                b"\0\0\0\x18ftypheic", b"8BPS", b"P6\n", b"\0\0\x01\0", b"BM", b"\xff\x0a", b"#?RADIANCE\n",
            ]),
            rest in prop::collection::vec(any::<u8>(), 0..4096),
        ) {
            facts_of("image", &[start, &rest].concat());
            inspect_web_picture(&[start, &rest].concat());
        }
    }
}

//! Which reader a picture is for. The first bytes decide, not the MIME type that somebody gave it.

use super::super::refused::Refused;
use super::super::source::Source;
use super::{Picture, bmp, gif, jpeg, jpeg2000, png, tiff, webp};

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Jpeg,
    Png,
    Gif,
    Tiff,
    Jpeg2000,
    WebP,
    Bmp,
}

impl Format {
    /// The format of a file.
    ///
    /// # Errors
    /// It is none of these.
    pub fn of(source: &mut Source) -> Result<Format, Refused> {
        let head = source.head(64)?;
        if head.is_empty() {
            return Err(Refused::unreadable("The file is empty."));
        }
        Format::of_head(&head).ok_or_else(|| {
            Refused::unreadable(format!(
                "The file came as {}, but it is no picture of a format that can be read here.",
                source.mime()
            ))
        })
    }

    fn of_head(head: &[u8]) -> Option<Format> {
        match head {
            [0xff, 0xd8, 0xff, ..] => Some(Format::Jpeg),
            [0x89, b'P', b'N', b'G', ..] => Some(Format::Png),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Format::Gif),
            [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Format::Tiff),
            [0, 0, 0, 12, b'j', b'P', b' ', b' ', ..] | [0xff, 0x4f, 0xff, 0x51, ..] => {
                Some(Format::Jpeg2000)
            }
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Some(Format::WebP),
            [b'B', b'M', ..] => Some(Format::Bmp),
            _ => None,
        }
    }

    /// The picture, not much larger than asked for where the format allows that.
    ///
    /// # Errors
    /// The file is not whole, or beyond what can be read.
    pub fn read(self, source: &mut Source, longest: u32) -> Result<Picture, Refused> {
        match self {
            Format::Jpeg => jpeg::read(source, longest),
            Format::Png => png::read(source, longest),
            Format::Gif => gif::read(source, longest),
            Format::Tiff => tiff::read(source, longest),
            Format::Jpeg2000 => jpeg2000::read(source, longest),
            Format::WebP => webp::read(source, longest),
            Format::Bmp => bmp::read(source, longest),
        }
    }
}

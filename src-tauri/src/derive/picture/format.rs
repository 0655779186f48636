//! Which reader a picture is for. The first bytes decide, not the MIME type that somebody gave it.

use super::super::refused::Refused;
use super::super::source::Source;
use super::{Picture, jpeg, png};

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Jpeg,
    Png,
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
        }
    }
}

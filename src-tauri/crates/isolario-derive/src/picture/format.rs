//! Which reader a picture is for. The first bytes decide, not the MIME type that somebody gave it.

use super::super::refused::DeriveError;
use super::super::signature::{Signature, identify};
use super::super::source::Source;
use super::super::{audio::Audio, pdf, video};
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::raster::{ColourModel, Header};
use super::raw::RAW;
use super::row_sink::{RowSink, RowSource};
use super::{Picture, bmp, gif, jpeg, jpeg2000, png, raw, shrink, tiff, webp};

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Format {
    Jpeg,
    Png,
    Gif,
    Tiff,
    Jpeg2000,
    WebP,
    Bmp,
    Raw,
    Pdf,
    Audio,
    Video,
}

impl Format {
    /// The format of a file.
    ///
    /// # Errors
    /// It is none of these.
    pub fn of(source: &mut Source) -> Result<Format, DeriveError> {
        let head = source.head(64)?;
        if head.is_empty() {
            return Err(DeriveError::unreadable("The file is empty."));
        }
        match Format::of_head(&head) {
            // Most camera raw files begin as a TIFF does.
            None | Some(Format::Tiff) => {}
            Some(format) => return Ok(format),
        }
        let mime = identify(source)?.map_or("", Signature::mime);
        let format = match mime.split('/').next() {
            _ if mime == "application/pdf" => Some(Format::Pdf),
            _ if RAW.contains(&mime) => Some(Format::Raw),
            _ if mime == "image/tiff" => Some(Format::Tiff),
            Some("audio") => Some(Format::Audio),
            Some("video") => Some(Format::Video),
            _ => None,
        };
        format.ok_or_else(|| {
            DeriveError::unreadable(format!(
                "The file came as {}, but it is no picture of a format that can be read here.",
                source.mime()
            ))
        })
    }

    /// The format of a picture, by its first bytes.
    pub fn of_head(head: &[u8]) -> Option<Format> {
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

    /// Whether the file itself is a picture. Of other files, a page, a cover or a scene is shown.
    pub(super) fn is_picture(self) -> bool {
        !matches!(self, Format::Pdf | Format::Audio | Format::Video)
    }

    /// The picture, not much larger than asked for where the format allows that.
    ///
    /// # Errors
    /// The file is not whole, or beyond what can be read.
    pub(super) fn read(self, source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
        match self {
            Format::Jpeg => jpeg::read(source, longest),
            Format::Png => png::read(source, longest),
            Format::Gif => gif::read(source, longest),
            Format::Tiff => tiff::read(source, longest),
            Format::Jpeg2000 => jpeg2000::read(source, longest),
            Format::WebP => webp::read(source, longest),
            Format::Bmp => bmp::read(source, longest),
            Format::Raw => raw::read(source, longest),
            Format::Pdf => page(pdf::page(source, longest)?, longest),
            Format::Audio => within(Audio::read(source)?.cover()?, longest),
            Format::Video => within(video::poster(source)?, longest),
        }
    }

    /// What the rows of the picture are like; `None` where it is read as a whole.
    ///
    /// # Errors
    /// The file is not whole, or beyond what can be read.
    pub(super) fn row_source(self, source: &mut Source) -> Result<Option<RowSource>, DeriveError> {
        match self {
            Format::Tiff => tiff::row_source(source).map(Some),
            Format::Png => png::row_source(source),
            Format::Jpeg2000 => jpeg2000::row_source(source),
            _ => Ok(None),
        }
    }

    /// Reads the rows of a picture that has a row source.
    ///
    /// # Errors
    /// The file is not whole, or beyond what can be read.
    pub(super) fn push_rows(
        self,
        source: &mut Source,
        sink: &mut dyn RowSink,
    ) -> Result<(), DeriveError> {
        match self {
            Format::Tiff => tiff::push_rows(source, sink),
            Format::Png => png::push_rows(source, sink),
            Format::Jpeg2000 => jpeg2000::push_rows(source, sink),
            _ => Err(DeriveError::unreadable("The picture is read as a whole.")),
        }
    }

    /// What a picture is like; `None` where it is of no format that is read here.
    ///
    /// # Errors
    /// It is damaged.
    pub fn read_properties(source: &mut Source) -> Result<Option<PictureProperties>, DeriveError> {
        let Ok(format) = Format::of(source) else {
            return Ok(None);
        };
        let properties = match format {
            Format::Jpeg => jpeg::read_properties(source)?,
            Format::Png => png::read_properties(source)?,
            Format::Gif => gif::read_properties(source)?,
            Format::Tiff => tiff::read_properties(source)?,
            Format::Jpeg2000 => jpeg2000::read_properties(source)?,
            Format::WebP => webp::read_properties(source)?,
            Format::Bmp => bmp::read_properties(source)?,
            Format::Raw => return raw::read_properties(source),
            Format::Pdf | Format::Audio | Format::Video => return Ok(None),
        };
        Ok(Some(properties))
    }
}

/// A picture that was found within a file. What is found within it is not looked for.
fn within(mut picture: Source, longest: u32) -> Result<Picture, DeriveError> {
    let head = picture.head(64)?;
    match Format::of_head(&head) {
        Some(format) => format.read(&mut picture, longest),
        None => Err(DeriveError::unreadable(
            "The picture in the file is of no format that can be read here.",
        )),
    }
}

fn page(page: pdf::Page, longest: u32) -> Result<Picture, DeriveError> {
    let header = Header {
        width: page.width,
        height: page.height,
        colour_model: ColourModel::Rgb,
        alpha: false,
        deep: false,
    };
    Ok(Picture {
        raster: shrink::all(header, &page.rgb, longest)?,
        profile: None,
        orientation: UPRIGHT,
    })
}
